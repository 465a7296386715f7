# wb bisect-perf --mail: what was found, as a mail to who wrote it.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"
. "$(dirname "$0")/../history.sh"

# The slow commit has a subject that would like to be more than one.
make_history one 12 '9:echo 10500 >src/cost'
bad=$(git rev-parse HEAD~3)
run wb bisect-perf --mail "$work/m" good HEAD
status 0
is "one mail" "$(ls "$work/m" | wc -l)" 1
m=$(ls "$work"/m/*)
ok "its name is printed" grep -qxF "$m" "$out"
ok "the subject says what, where and how much" \
	grep -qE "^Subject: $(echo "$bad" | cut -c1-12): b t \+[45]\.[0-9] % \(slower\)" "$m"
ok "to the author" grep -q '^To: Ada Marsh <' "$m"
ok "the commit" grep -qx "commit: $bad" "$m"
ok "an interval" grep -qE '^- Change: \+[45]\.[0-9]+ %, 95 % interval \[\+' "$m"
ok "the table of both" grep -qE '^1 .* slower$' "$m"
ok "the machine" grep -q '^- Machine: ' "$m"
ok "the bench" grep -q '^- Bench: ' "$m"
ok "how to see it again" grep -q "^wb run --bench='b' " "$m"
not_ok "no trailer is made" grep -qE '^[A-Za-z-]+-by:' "$m"
ok "one is offered" grep -q '^| Reported-by: Ada Marsh <' "$m"
not_ok "72 columns, but for headers and commands" sh -c \
	"sed '1,/^\$/d' '$m' | grep -v '^wb ' | grep -E '.{73}'"
git mailinfo "$work/msg" "$work/diff" <"$m" >"$work/info"
ok "git reads it whole" grep -q '^wb report ' "$work/msg"
if git send-email --dump-aliases >/dev/null 2>&1; then
	run git send-email --dry-run --confirm=never --suppress-cc=all "$m"
	status 0 "git send-email takes it"
fi

# played back elsewhere: what the journal knows, and nothing else
wb bisect-perf --log >"$work/journal"
cd "$work" || exit 1
run wb bisect-perf --replay journal --mail again
status 0
m=$(ls again/*)
ok "the commit again" grep -qx "commit: $bad" "$m"
not_ok "no machine that nobody knows" grep -q '^- Machine' "$m"
not_ok "no recipient that nobody knows" grep -q '^To:' "$m"

make_history null 8
run wb bisect-perf --mail "$work/none" good HEAD
status 125
ok "nothing found, nobody told" sh -c "! ls '$work/none'/* 2>/dev/null"

# a stack: by the name of the patch
make_stack "$work/stack"
rm patches/breaks.patch patches/mends.patch
printf 'faster.patch\ncomment.patch\n' >patches/series
wb trust >/dev/null
run wb bisect-perf --mail "$work/s" --series
status 0
ok "the patch" grep -qx 'patch: faster' "$work/s/faster-t.eml"
ok "faster is told, too" grep -q '^t of the bench b is faster by ' \
	"$work/s/faster-t.eml"
done_testing
