# Benches that crash, hang, print nothing, print what is no number.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

make_stack
wb trust >/dev/null

# try NAME COMMAND REASON [KEY=VALUE]
try() {
	rm -rf .git/wb
	run wb -c "wb-bench.b.command=$2" ${4:+-c "$4"} run --rounds 2
	status 125 "$1: 125"
	ok "$1: the reason on stderr" grep -q -- "$3" "$err"
	run wb -c "wb-bench.b.command=$2" ${4:+-c "$4"} report --json
	status 125 "$1: a report has nothing"
	one_error "$1: a report" "$3"
	not_ok "$1: no value anywhere" grep -q '"value": *[0-9]' "$out"
	run wb -c "wb-bench.b.command=$2" ${4:+-c "$4"} report
	not_ok "$1: no 0 in the table" grep -qE '(^|[^0-9.])0(\.0+)? ' "$out"
}
line='{"metric":"t","unit":"ns","better":"lower","value":'
try crash 'kill -SEGV $$' 'Segmentation'
try exit 'echo sad >&2; exit 3' 'exit code 3.*sad'
try hang 'sleep 100' 'timeout' wb-bench.b.timeout=0.2s
try silent 'true' 'no sample'
try nan "echo '${line}NaN}'" 'run:'
try inf "echo '${line}1e400}'" 'run:'
try string "echo '${line}\"5\"}'" 'run:'
try unfinished "printf '${line}5'" 'run:'
try nul "printf '${line}5}\\0\\n'" 'run:'
try flood "yes '${line}5}'" 'printed more than'
try word 'echo hello world' 'run:' wb-bench.b.reader=lines
try per "echo '{\"metric\":\"t\",\"per\":5}'" 'per'

# one prefix of the stack crashes, the others go on
rm -rf .git/wb
run wb -c wb-bench.b.command='if [ $WB_PREFIX = 1 ]; then exit 9; fi; sh bench.sh' \
	run --rounds 3
status 125
run wb -c wb-bench.b.command='if [ $WB_PREFIX = 1 ]; then exit 9; fi; sh bench.sh' \
	report --json
ok "the crash is one broken row" jq -e '.rows[] |
	select(.prefix == "faster") | .verdict == "broken" and
	(.reason | test("exit code 9"))' "$out"
ok "the next is compared with the base" jq -e '.rows[] |
	select(.prefix == "mends") | .verdict != "broken" and .n == 3' "$out"

# in one round the base and its control fail: that is one round, not two
rm -rf .git/wb
once='if [ $WB_PREFIX = 0 ] && [ $(ls "$XDG_CONFIG_HOME"/fail* | wc -l) -lt 2 ];
	then touch "$XDG_CONFIG_HOME/fail$WB_SEED"; exit 9; fi; sh bench.sh'
mkdir -p "$XDG_CONFIG_HOME"
git config wb.sandbox-write "$XDG_CONFIG_HOME"
run wb -c "wb-bench.b.command=$once" run --rounds 3
ok "the control is named" grep -q "'base' as its own control: .*code 9" "$err"
run wb -c "wb-bench.b.command=$once" report --json
ok "the base goes on" jq -e '.rows[0].n == 3 and (.rows[] |
	select(.prefix == "faster") | .against == "base" and .rounds == 3)' "$out"

# a bench that begins to crash is broken, whatever it gave before
rm -rf .git/wb
crash='if [ -e "$XDG_CONFIG_HOME/crash" ] && [ $WB_PREFIX = 1 ]; then exit 7; fi; sh bench.sh'
run wb -c "wb-bench.b.command=$crash" run --rounds 3
touch "$XDG_CONFIG_HOME/crash"
run wb -c "wb-bench.b.command=$crash" run --rounds 6
status 125
one_error "it crashes now" "b, 1 'faster'"
run wb -c "wb-bench.b.command=$crash" report --json
ok "crashes at last: broken" jq -e '.rows[] | select(.prefix == "faster") |
	.verdict == "broken" and (.reason | test("exit code 7"))' "$out"

# a metric that one prefix does not print is missing there, and that is said
rm -rf .git/wb
b='wb-bench.b.command=if [ $WB_PREFIX = 1 ]; then echo u 1; else echo t 1; fi'
run wb -c "$b" -c wb-bench.b.reader=lines run --rounds 2
run wb -c "$b" -c wb-bench.b.reader=lines report --json
ok "missing, with a reason and no number" jq -e '.rows[] |
	select(.prefix == "faster" and .metric == "t") |
	.verdict == "missing" and .value == null and
	(.reason | test("no sample"))' "$out"

# a direction set later holds for what was measured before
rm -rf .git/wb
b='wb-bench.b.command=echo t $(cat "$WB_BUILD/cost")'
run wb -c "$b" -c wb-bench.b.reader=lines run --rounds 3
for better in lower:faster higher:slower; do
	run wb -c "$b" -c wb-bench.b.reader=lines \
		-c wb-bench.b.better=${better%:*} -c wb-bench.b.unit=x report --json
	is "${better%:*} is better" "$(jq -r '.rows[] |
		select(.prefix == "faster") | .verdict + " " + .unit' "$out")" \
		"${better#*:} x"
done

# readers
for r in 'lines|echo t 5 ns|t|5' 'last-number|echo took 3 then 7 ms|value|7'; do
	IFS='|' read -r reader command metric value <<-EOS
	$r
	EOS
	rm -rf .git/wb
	run wb -c "wb-bench.b.command=$command" -c "wb-bench.b.reader=$reader" \
		run --rounds 2
	run wb -c "wb-bench.b.command=$command" -c "wb-bench.b.reader=$reader" \
		report --json
	is "$reader" "$(jq -r '.rows[0] | "\(.metric) \(.value)"' "$out")" \
		"$metric $value"
done
rm -rf .git/wb
run wb -c wb-bench.b.command=true -c wb-bench.b.reader=time run --rounds 2
run wb -c wb-bench.b.command=true -c wb-bench.b.reader=time report --json
is "time" "$(jq -r '[.rows[].metric] | unique | join(" ")' "$out")" \
	"cpu maxrss sys user wall"
done_testing
