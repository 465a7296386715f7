# wb run ends when the verdicts are known, and says what it makes of nothing.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

make_stack
wb trust >/dev/null
rounds() {
	sqlite3 .git/wb/results.db 'SELECT count(*) FROM round'
}

# effects of 5 % against noise of 0.05 %: known at the first look
run wb run
is "no more than the first rounds" "$(rounds)" 10
ok "and says so" grep -q 'every verdict that is judged is known' "$err"
run wb status
ok "status: nothing is open" grep -q '^verdicts: .* known, 0 open, 0 out' "$out"

# the control stands beside the base and is no part of it
is "a control in each round" "$(sqlite3 .git/wb/results.db \
	'SELECT count(*) FROM run WHERE control')" 10
run wb report
ok "the A/A floor" grep -q '^A/A floor: t .* % (10 rounds)' "$out"
run wb report --json
is "n of the base" "$(jq '.rows[0].n' "$out")" 10
ok "the floor in JSON" jq -e '.rows[0].aa_floor > 0 and
	.quality[0].aa_rounds == 10' "$out"

# noise that a few rounds do not get through: looks, then the limit. A digit of
# the seed is even or odd: a half, or the double
git config wb-bench.b.command 'n=${WB_SEED#?????????}
	echo t $((n % 2 ? 2000 : 500))
	echo seed $WB_SEED'
git config wb-bench.b.judge t
git config wb-bench.b.reader lines
git config wb-bench.b.better lower
git config wb.max-rounds 20
run wb run
is "as many as are allowed, no more" "$(sqlite3 .git/wb/results.db 'SELECT
	max(n) FROM (SELECT count(*) AS n FROM run WHERE NOT control AND round > 10
	GROUP BY build)')" 20
ok "and says so" grep -q 'cannot be within 20 rounds' "$err"
run wb run
ok "a second call has nothing to do" grep -q 'cannot be within 20' "$err"
is "and does nothing" "$(rounds)" 30

# a round draws nothing again that one before drew, whatever stage it is of
is "each run has a seed of its own" "$(sqlite3 .git/wb/results.db 'SELECT count(*)
	- count(DISTINCT value) FROM sample JOIN metric ON metric.row = sample.metric
	WHERE name = "seed"')" 0
is "of ten digits, and none is octal to a shell" "$(sqlite3 .git/wb/results.db '
	SELECT count(*) FROM sample JOIN metric ON metric.row = sample.metric
	WHERE name = "seed" AND value NOT BETWEEN 1000000000 AND 4294967295')" 0

# programs read these documents: wb-file(5) names each of their keys
documented() {
	jq -r '[paths | .[-1] | strings] | unique | .[]' "$out" >"$work/keys"
	ok "$1: there are keys" [ -s "$work/keys" ]
	is "$1: all are in the manual" "$(while read -r key; do
		grep -qE "\*\*$key\*\*|\"$key\":|\*$key\*" "$top/wb/man/wb-file.5.md" ||
		echo "$key"; done <"$work/keys")" ""
}

# few are open: a range, whose ends differ, and no number
run wb -c wb.max-rounds=100000 status
ok "status: a range" grep -qE '^to do: 0 builds, [0-9]+ to [0-9]+ runs, .*, [0-9hms]+ to [0-9hms]+$' \
	"$out"
run wb -c wb.max-rounds=100000 status --json
ok "the range in JSON" jq -e '.todo | .range.runs_low < .range.runs_high and
	.range.runs_low <= .runs and .runs <= .range.runs_high and
	.range.seconds_low < .range.seconds_high' "$out"
documented status
run wb -c wb.max-rounds=100000 run --budget 1s
ok "and before the first run" grep -qE '^wb: forecast: [0-9]+ to [0-9]+ runs, ' "$err"

# --rounds is exact, whatever is known or could be
rm -rf .git/wb
run wb run --rounds 23
is "--rounds is exact" "$(rounds)" 23
run wb run --rounds 23
is "and does nothing again" "$(rounds)" 23

# a test that readers know
run wb report --test welch
ok "named" grep -q "^Welch's t-test (unpaired, two-sided, not" "$out"
run wb report --test mann-whitney --json
ok "in JSON" jq -e '.test == "Mann-Whitney U test" and
	([.rows[] | .test_p // empty] | length > 1)' "$out"
run wb report --test welch --format csv
is "in csv" "$(head -n 1 "$out" | sed 's/.*subject/subject/')" \
	subject,by,aa_floor,visible,test_p
is "a value on a line with an interval" "$(awk -F, 'NR > 1 && $12 != "" && $NF == ""' \
	"$out" | wc -l)" 0

run wb report --test welch --json
documented report
run wb status --json
documented status

# a file of lines carries the control, and gives the floor of the store
rm -f "$work/lines"
sqlite3 .git/wb/results.db "SELECT json_object('bench', 'b', 'metric', metric.name,
	'prefix', build.id, 'round', run.round, 'better', 'lower', 'control',
	json(iif(run.control, 'true', 'false')), 'value', sample.value) FROM sample
	JOIN metric ON metric.row = sample.metric JOIN run ON run.row = sample.run
	JOIN build ON build.row = run.build WHERE metric.name = 't'" >"$work/lines"
ok "there are lines of controls" grep -q '"control":true' "$work/lines"
wb report --json --metric t | jq '[.rows[] | .aa_floor | numbers][0]' >"$work/floor"
ok "the store's floor" grep -q '^[0-9]' "$work/floor"
run wb report --samples "$work/lines" --json
is "the same floor" "$(jq '[.rows[] | .aa_floor | numbers][0]' "$out")" \
	"$(cat "$work/floor")"

run wb report --test sign
status 129
one_error "no such test" 'welch or mann-whitney'

# nothing is known of what never ran
rm -rf .git/wb
run wb -c wb-bench.b.command='exit 3' run
status 125
not_ok "no word of what is known" grep -q 'is known' "$err"
done_testing
