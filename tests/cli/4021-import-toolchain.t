# Samples that were built elsewhere, by another compiler: their builds have other
# ids, and are found by what that compiler would make of the same inputs.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"
make_stack
wb trust >/dev/null 2>&1
# another compiler, as far as its word can tell
mkdir "$work/bin"
printf '#!/bin/sh\necho "othercc (made up) 99.1"\n' >"$work/bin/othercc"
chmod +x "$work/bin/othercc"
there() { env CC="$work/bin/othercc" CFLAGS=-O3 "$@"; }
there wb run --rounds 4 >/dev/null 2>&1
run there wb report --json
cp "$out" "$work/there.json"
run there wb export -o "$work/a.jsonl"
status 0
ok "the header names what built" grep -q '"toolchain":"cc: othercc (made up) 99' \
	"$work/a.jsonl"
is "nothing of it was measured by this compiler" \
	"$(wb export 2>&1 >/dev/null | grep -c 'nothing measured')" 1

for c in b c d; do git clone -q . "$work/$c" 2>/dev/null; done
cd "$work/b" || exit 1
wb trust >/dev/null 2>&1
wb import "$work/a.jsonl" >/dev/null
run wb report --json
status 0 "found by the same inputs"
is "with the same numbers" "$(jq -c '[.rows[] | [.prefix, .metric, .value, .n,
	.change, .low, .high, .verdict]]' "$out")" "$(jq -c '[.rows[] | [.prefix,
	.metric, .value, .n, .change, .low, .high, .verdict]]' "$work/there.json")"
ok "and says how they were built" [ "$(jq -r .toolchain "$out" |
	grep -c 'cc: othercc (made up) 99.1 (here .*CFLAGS=-O3')" = 1 ]
run wb report
ok "in a table too" grep -q 'builds: not those of this machine, made by' "$out"
run wb report --format html
ok "and on a page" grep -q 'othercc (made up) 99.1' "$out"
cp "$out" "$work/page.html"
run wb report --samples "$work/page.html" --json
ok "which keeps it" grep -q 'othercc (made up) 99.1' "$out"
run wb export
ok "the same export" cmp "$out" "$work/a.jsonl"
run wb status --json
ok "which are still to be measured here" [ "$(jq .todo.runs "$out")" -gt 0 ]

# what this compiler made comes first
wb run --rounds 2 >/dev/null 2>&1
run wb report --json
is "own builds" "$(jq -r .toolchain "$out")" null
is "own rounds" "$(jq '[.rows[].n] | max' "$out")" 2

# other inputs or another command are not the same builds
cd "$work/c" || exit 1
wb trust >/dev/null 2>&1
wb import "$work/a.jsonl" >/dev/null
run wb -c wb-build.command='sh ./build.sh' report
status 125 "another command"
cd "$work/d" || exit 1
sed -i 's/"toolchain":"[^"]*",\?//;s/,}$/}/' "$work/a.jsonl"
wb trust >/dev/null 2>&1
run wb import "$work/a.jsonl"
status 0 "a file that does not say what built"
run wb report
status 125 "is not found"
done_testing
