# kill -9, a full disk and a leaping clock at any call of wb run and wb build: no
# finished run is lost or made twice, and the same command goes on to the same
# verdicts. LONG=1: 200 random calls, and each for the disk.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

case $B in
*/asan | */ubsan | */tsan) skip_all "nothing can be preloaded under a sanitizer" ;;
esac
${CC:-cc} -D_GNU_SOURCE -O1 -shared -fPIC -w -o "$work/fault-at.so" \
	"$data/fault-at.c" -ldl 2>"$err" || skip_all "no compiler for the preload"
faulty() { LD_PRELOAD="$work/fault-at.so" "$@" >"$out" 2>"$err" </dev/null; }
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
bad=0
for at in $(all=40 points 6 40); do
	rm -rf "$XDG_CACHE_HOME"
	KILL_AT=$at faulty wb build
	wb build >"$out" 2>"$err"
	[ "$(cut -f3 "$out" | tr '\n' ' ')" != "" ] || bad=$((bad + 1))
	cut -f2,3 "$out" | sed 's/cached/built/' >"$work/states"
	[ "$(tr '\t\n' ': ' <"$work/states")" = \
		"base:built faster:built comment:built breaks:broken mends:built " ] ||
		bad=$((bad + 1))
done
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

fingerprint >"$work/after"
ok "nothing of the user's was touched" cmp "$work/before" "$work/after"
done_testing
