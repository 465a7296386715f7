# The smallest effect that a bench can show here: from the control that is
# stored, or from an A/A that is run for it.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

make_stack
# a bench that always says the same shows no noise, and says so
wb trust >/dev/null
git config wb-bench.b.command 'echo 10000'
git config wb-bench.b.reader last-number
git config wb-bench.b.better lower
run wb doctor --bench b
status 0
ok "no noise: no effect is made up" \
	grep -q '^b value: the two never differed in 10 rounds$' "$out"
rm -r .git/wb
git config wb-bench.b.command 'echo $((10000 + 1${WB_SEED#????????} % 9))'
run wb doctor
ok "nothing is known yet" grep -q 'no A/A yet' "$out"
not_ok "and no store is made" test -e .git/wb/results.db
run wb doctor --bench b --json
status 0 "an A/A is run"
is "of ten rounds" "$(jq -r '.noise[] | "\(.bench) \(.metric) \(.rounds)"' \
	"$out")" "b value 10"
ok "an effect, its interval around the change" jq -e '.noise[0] |
	.visible > 0 and .visible < 0.01 and .low <= .change and
	.change <= .high' "$out"
is "only the base was run" "$(sqlite3 .git/wb/results.db \
	'SELECT count(DISTINCT build) FROM run')" 1
runs=$(sqlite3 .git/wb/results.db 'SELECT count(*) FROM run')
run wb doctor --bench b
ok "stored: a line a metric" grep -qE \
	'^b value: smallest visible effect 0\.[0-9]+ % in 10 rounds; A/A' "$out"
is "and no run more" "$(sqlite3 .git/wb/results.db 'SELECT count(*) FROM run')" \
	"$runs"
run wb run --rounds 12
run wb doctor --json
is "a run's control counts too" "$(jq -r '.noise[0].rounds' "$out")" 22
run wb doctor --bench nothing
status 129
one_error "no such bench" "no bench matches"
run wb -c wb.series=no-such-folder doctor
status 0 "a stack that is not there: the machine is told of all the same"
ok "and why there is no noise" grep -q 'noise of the benches: ' "$err"
echo '# untrusted' >>.wbconfig
rm .git/wb/results.db
run wb doctor
status 0 "without trust it only looks"
run wb doctor --bench b
status 128 "an A/A needs trust"
one_error "trust" "wb trust"
cd "$work" || exit 1
run wb doctor --bench b
status 128 "no repository"
one_error "no repository" "repository"
done_testing
