# The budget, benches that stay unmeasured, keys that nobody knows, overlays.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

make_stack
sed -i '/level = S/d' .wbconfig
rm patches/breaks.patch patches/mends.patch
printf 'faster.patch\ncomment.patch\n' >patches/series
commit "two patches"
wb trust >/dev/null

# several benches, a short budget: something of each, and 125
git config wb-bench.slow.command 'sleep 0.3; sh bench.sh'
run wb run --budget 2s --rounds 500
status 125 "budget used up"
one_error "budget" "budget is used up.*wb run"
run wb report --json
is "both benches have samples" \
	"$(jq -r '[.rows[] | select(.n > 0) | .bench] | unique | join(" ")' "$out")" \
	"b slow"
run wb run --budget 1h --rounds 2
status 0 "a budget that suffices"
run wb run --budget 0.001s --rounds 900
status 125 "a budget for nothing"

# the whole of a bench that knows nothing of counting is counted, exactly
run wb run --rounds 2
run wb report --json
ok "a patch of a comment counts as nothing" jq -e '[.rows[] |
	select(.metric == "instructions" and .prefix == "comment") |
	.change == 0] | length == 2 and all' "$out"

# a bench that never gives a number is said
git config wb-bench.slow.command 'exit 4'
run wb run --rounds 2
status 125 "one bench of two always fails"
one_error "one bench of two" "slow, 0 'base'"
run wb report
ok "and stands in the report" grep -q 'slow' "$out"
git config --unset wb-bench.slow.command

# a bench that wants more CPUs than there are is left out, the others go on
git config wb-bench.wide.command 'sh bench.sh'
git config wb-bench.wide.cpus 4096
run wb run --rounds 2
status 125 "a bench that is too wide"
ok "says so" grep -q 'wide: left out: .*4096 CPUs' "$err"
git config --remove-section wb-bench.wide
run wb run --rounds 2
status 0

# a slip of the pen in a key is said, by each command that reads it
run wb -c wb-build.input=src status
status 0
ok "unknown key" grep -q "warning: -c: wb-build.input: .*no such key" "$err"
run wb -c wb-bench.b.beter=lower config
ok "unknown key of a bench" grep -q "wb-bench.b.beter" "$err"
run wb status
ok "no warning without one" test ! -s "$err"

# an edit that is not committed is not measured, and that is said
echo 1001 >src/cost
before=$(git status --porcelain=v2)
run wb run --rounds 1
ok "uncommitted input" grep -q "warning: 'src/cost' is changed and not" "$err"
is "the work tree is as before" "$(git status --porcelain=v2)" "$before"
git checkout -q src/cost
run wb run --rounds 1
not_ok "no warning without one" grep -q 'not committed' "$err"

# what is overlaid counts as an input
mkdir bench
echo 1 >bench/scale
git config wb-build.overlay bench
git config wb-build.command 'sh build.sh && cp bench/scale "$WB_BUILD"'
commit "an overlay"
run wb run --rounds 1
status 0
echo 2 >bench/scale
commit "another overlay"
run wb status --json
ok "another overlay is another build" test "$(jq .todo.builds "$out")" = 2
before=$(sqlite3 .git/wb/results.db 'SELECT count(*) FROM bench')
run wb run --rounds 1
ok "an overlay is part of what a bench is" test \
	"$(sqlite3 .git/wb/results.db 'SELECT count(*) FROM bench')" -gt "$before"
is "every round that was begun is ended" "$(sqlite3 .git/wb/results.db \
	'SELECT count(*) FROM round WHERE ended IS NULL')" 0

# another compiler or other flags are another build
run wb status --json
is "nothing to build" "$(jq .todo.builds "$out")" 0
run env CFLAGS=-O3 wb status --json
ok "other flags" test "$(jq .todo.builds "$out")" -gt 0
run env CC=false wb status --json
ok "another compiler" test "$(jq .todo.builds "$out")" -gt 0

# a bench gets the CPUs that it asks for, and no more
git config wb-bench.n.command 'echo cpus $(nproc)'
git config wb-bench.n.reader lines
run wb run --bench n --rounds 1
run wb report --bench n --json --metric '*'
is "one CPU" "$(jq -r '[.rows[] | select(.metric == "cpus") | .value] |
	unique | join(" ")' "$out")" 1
done_testing
