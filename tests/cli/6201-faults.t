# kill -9, a full disk and a leaping clock at any call of wb run, build and import:
# no finished run is lost or made twice, and the same command goes on to the same
# verdicts. LONG=1: 200 random calls of each, and each for the disk of wb run.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"
. "$(dirname "$0")/../fault.sh"

why=$(faulty_here) || skip_all "$why"
sql() { sqlite3 .git/wb/results.db "$1" 2>/dev/null; }
verdicts() {
	wb report --json 2>/dev/null | jq -r '[.rows[] | .verdict // "base"] | join(" ")'
}
# every run that is there, with what it gave
finished() {
	sql 'SELECT run.row, round, build, control, value FROM run JOIN sample
		ON sample.run = run.row' | sort
}

make_stack
wb trust >/dev/null
fingerprint >"$work/before"
fresh() { rm -rf .git/wb "$XDG_CACHE_HOME"; }

COUNT_IN="$work/count" faulty wb run --rounds 3
all=$(cat "$work/count")
want=$(verdicts)
is "verdicts" "$want" "base faster same broken slower"
ok "wb run changes files now and then ($all calls)" [ "$all" -gt 50 ]

# points FEW: of all calls, by a seed that is printed
seed=${SEED:-$(date +%s)}
echo "# SEED=$seed"
points() {
	awk -v seed="$seed" -v all="$all" -v n="$([ -n "${LONG:-}" ] && echo "$2" ||
		echo "$1")" 'BEGIN { srand(seed)
		for (i = 0; i < n; i++) print 1 + int(rand() * all) }'
}

# kill -9: the killed call goes on with what is there
lost=0 twice=0 other=0 unsound=0 kills=0
fresh
for at in $(points 14 200); do
	[ -s .git/wb/results.db ] && finished >"$work/was" || : >"$work/was"
	KILL_AT=$at faulty wb run --rounds 3 && rc=0 || rc=$?
	[ "$rc" = 137 ] && kills=$((kills + 1))
	[ ! -s .git/wb/results.db ] || [ "$(sql 'PRAGMA integrity_check')" = ok ] ||
		unsound=$((unsound + 1))
	finished >"$work/now"
	[ "$(comm -23 "$work/was" "$work/now" | wc -l)" = 0 ] || lost=$((lost + 1))
	if [ "$rc" != 137 ] || [ $((at % 3)) = 0 ]; then
		wb run --rounds 3 >"$out" 2>"$err"
		[ "$(verdicts)" = "$want" ] || other=$((other + 1))
		[ "$(sql 'SELECT count(*) FROM (SELECT 1 FROM run WHERE reason IS NULL
			GROUP BY build, round, control HAVING count(*) > 1)')" = 0 ] ||
			twice=$((twice + 1))
		fresh
	fi
done
ok "some were killed ($kills)" [ "$kills" -gt 3 ]
is "kill -9: no finished run is lost" "$lost" 0
is "none is made twice" "$twice" 0
is "the store is sound" "$unsound" 0
is "the verdicts are the same" "$other" 0

# of wb build alone
fresh
COUNT_IN="$work/count" faulty wb build
builds=$(cat "$work/count")
ok "wb build changes files now and then ($builds calls)" [ "$builds" -gt 10 ]
bad=0 kills=0
for at in $(all=$builds points 6 200); do
	rm -rf "$XDG_CACHE_HOME"
	KILL_AT=$at faulty wb build && rc=0 || rc=$?
	[ "$rc" = 137 ] && kills=$((kills + 1))
	wb build >"$out" 2>"$err"
	[ "$(cut -f3 "$out" | tr '\n' ' ')" != "" ] || bad=$((bad + 1))
	cut -f2,3 "$out" | sed 's/cached/built/' >"$work/states"
	[ "$(tr '\t\n' ': ' <"$work/states")" = \
		"base:built faster:built comment:built breaks:broken mends:built " ] ||
		bad=$((bad + 1))
done
ok "wb build: some were killed ($kills)" [ "$kills" -gt 3 ]
is "wb build: a killed one is made anew" "$bad" 0

# the disk is full from some call on
fresh
lost=0 loud=0 codes='' other=0
for at in $(if [ -n "${LONG:-}" ]; then seq 1 "$all"; else points 14 14; fi); do
	fresh
	: >"$work/was"
	FULL_AT=$at faulty wb run --rounds 3 && rc=0 || rc=$?
	codes="$codes $rc"
	[ "$(grep -c '^wb: error: ' "$err")" = 1 ] || loud=$((loud + 1))
	[ ! -s .git/wb/results.db ] || finished >"$work/was"
	wb run --rounds 3 >"$out" 2>"$err"
	finished >"$work/now"
	[ ! -s "$work/was" ] ||
		[ "$(comm -23 "$work/was" "$work/now" | wc -l)" = 0 ] || lost=$((lost + 1))
	[ "$(verdicts)" = "$want" ] || other=$((other + 1))
done
is "a full disk ends it with 128 (125: it was through)" \
	"$(echo $codes | tr ' ' '\n' | grep -vcx '128\|125')" 0
is "and one line" "$loud" 0
is "no finished run is lost" "$lost" 0
is "with space again the verdicts are the same" "$other" 0

# the time of day leaps about: durations are of another clock
fresh
CLOCK_JUMPS=1 faulty wb run --rounds 3 --budget 10m
rc=$?
status 125 "a clock that leaps by days ends nothing"
not_ok "no budget is used up" grep -q budget "$err"
is "the same verdicts" "$(verdicts)" "$want"
is "what runs took is of a sane size" "$(sql 'SELECT count(*) FROM run WHERE wall < 0
	OR wall > 100 OR cpu < 0')" 0
CLOCK_JUMPS=1 faulty wb report
ok "and a report" grep -q faster "$out"

# what befalls the machine in a round spoils it for all prefixes
mishaps() { jq -c '.mishaps' "$out"; }
rounds_of_each() { jq -c '[.rows[] | select(.n > 0) | .n] | unique' "$out"; }
while read what fault said told; do
	fresh
	[ "$what" = steal ] && echo 0 0 0 50 >"$work/stolen"
	export "${fault%%=*}=${fault#*=}"
	faulty wb run --rounds 3
	unset "${fault%%=*}"
	ok "$what: said" grep -q "^wb: b: $said: the round is discarded$" "$err"
	ok "$what: and in the report" grep -q "^discarded: 1 round of b, in which $told *$" "$out"
	run wb report --json
	is "$what: counted" "$(mishaps)" \
		'[{"bench":"b","what":"'$what'","discarded_rounds":1,"kept_rounds":0}]'
	is "$what: each prefix has the rounds that were asked for" "$(rounds_of_each)" "[3]"
	is "$what: the same verdicts" "$(verdicts)" "$want"
	wb export >"$work/lines" 2>/dev/null
	is "$what: what does not count is not exported" "$(jq -s '[.[1:][] | .round |
		values] | unique | length' "$work/lines")" 3
done <<EOS
suspend SLEPT_AT=4 the\ machine\ slept\ for\ 3600.0\ s the machine slept
clock SET_AT=4 the\ clock\ was\ set\ by\ +86400.0\ s the clock was set
steal STOLEN=$work/stolen the\ host\ took\ .*\ %\ of\ its\ CPU\ time the host took the CPU away
EOS
# a host that always does
fresh
seq 0 100 10000 >"$work/stolen"
STOLEN="$work/stolen" faulty wb run --rounds 3
ok "always: four are discarded, the others kept" sh -c 'tr -s "\n " " " <"$1" | grep -q \
	"discarded: 4 rounds of b, in which the host took the CPU away; 3 rounds of b count though"' - "$out"
ok "always: said once" [ "$(grep -c 'rounds count all the same' "$err")" = 1 ]
is "always: the same verdicts" "$(verdicts)" "$want"

# kill -9 and full disks in wb import: all of it or nothing, and then all of it
fresh
wb run --rounds 3 >/dev/null 2>&1
wb export -o "$work/lines" >/dev/null 2>&1
runs=$(sql 'SELECT count(*) FROM run')
rm -rf .git/wb
COUNT_IN="$work/count" faulty wb import "$work/lines"
all=$(cat "$work/count")
ok "wb import changes files now and then ($all calls)" [ "$all" -gt 5 ]
parts=0 other=0 codes=''
for at in $(points 12 200); do
	for fault in KILL_AT FULL_AT; do
		rm -rf .git/wb
		export "$fault=$at"
		faulty wb import "$work/lines"
		codes="$codes $?"
		unset $fault
		n=$(sql 'SELECT count(*) FROM run')
		[ "${n:-0}" = 0 ] || [ "$n" = "$runs" ] || parts=$((parts + 1))
		wb import "$work/lines" >"$out" 2>"$err"
		[ "$(sql 'SELECT count(*) FROM run') $(verdicts)" = "$runs $want" ] ||
			other=$((other + 1))
	done
done
ok "wb import: some were killed" grep -q 137 <<EOS
$codes
EOS
is "wb import: there is never a part" "$parts" 0
is "wb import: the next one has it all" "$other" 0

fingerprint >"$work/after"
ok "nothing of the user's was touched" cmp "$work/before" "$work/after"
done_testing
