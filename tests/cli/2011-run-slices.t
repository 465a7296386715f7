# Benches that stay alive and are asked slice by slice: the protocol, what goes
# wrong in it, and that an interrupt costs no finished round.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

make_stack
# the benches here tell what they were asked, beside the work tree
git config --global wb.sandbox-write "$work"
cp "$data/slices/bench.sh" slices.sh
git config wb-bench.b.reader slices
git config wb-bench.b.command 'exec sh "$WB_TOP/slices.sh"'
sql() { sqlite3 .git/wb/results.db "$1"; }

wb trust >/dev/null
run wb run --rounds 2
status 125 "one patch does not build"
run wb report --json
is "verdicts" "$(jq -r '[.rows[] | .verdict // "base"] | join(" ")' "$out")" \
	"base faster same broken slower"
is "the change, pass by pass" "$(jq -r '.rows[1].change * 100 | round' "$out")" -5
is "rounds" "$(jq -r '.rows[1].rounds' "$out")" 2
is "a process is one sample" "$(jq -r '.rows[0].n' "$out")" 2
ok "with many passes behind it" \
	test "$(sql 'SELECT min(iter) >= 20 FROM sample')" = 1
is "all of a round saw as many" "$(sql 'SELECT count(DISTINCT iter) FROM run
	JOIN sample ON sample.run = run.row WHERE round = 1')" 1
is "the control is asked as often as the base" "$(sql 'SELECT sum(control),
	count(DISTINCT iter) FROM run JOIN sample ON sample.run = run.row
	JOIN build ON build.row = run.build
	WHERE build IN (SELECT build FROM run WHERE control) GROUP BY round' |
	sort -u)" "1|1"
ok "an A/A floor, pass by pass" jq -e '.quality[0].aa_rounds == 2 and
	.rows[0].aa_floor > 0 and .rows[0].aa_floor < 0.01' "$out"
is "each pass is kept" \
	"$(sql 'SELECT count(*) FROM passes JOIN sample USING (run, metric)
		WHERE length(log) <> 4 * iter')" 0

# what the bench sees
cat >tell.sh <<'EOS'
echo "$WB_SLICE_US $WB_PREFIX" >>"$WB_TOP/.git/seen"
while read -r line; do
	echo "$WB_PREFIX $line" >>"$WB_TOP/.git/seen"
	set -- $line
	[ "$1" != quit ] || exit 0
	[ "$1" != list ] || { echo '{"metrics":["a","b","c"]}'; continue; }
	echo '{"metric":"'"$2"'","value":2,"parts":[2,2,2,2,2,2,2,2]}'
done
EOS
b='wb-bench.b.command=exec sh "$WB_TOP/tell.sh"'
rm -rf .git/wb .git/seen
run wb -c "$b" -c "wb-bench.b.judge=a [bx]" run --only faster --rounds 1
ok "asks for the list" grep -qx '0 list' .git/seen
is "and for what is judged" "$(grep -o 'run [a-z]*' .git/seen | sort -u | tr '\n' ' ')" \
	"run a run b "
ok "tells how long a slice is" grep -qx '500 0' .git/seen
is "tells each to quit, the base's twin too" "$(grep -c quit .git/seen)" 3
ok "one seed a pass, for all alike" sh -c "[ \$(grep -o 'run.*' .git/seen |
	sort | uniq -c | awk '{ print \$1 }' | sort -u) = 3 ]"
ok "in random order" sh -c "grep '0 run' .git/seen -n | cut -d: -f1 |
	awk 'NR > 1 { print \$1 - last } { last = \$1 }' | sort -u | wc -l |
	grep -qv '^1\$'"
rm -rf .git/wb .git/seen
run wb -c "$b" -c "wb-bench.b.judge=a c" run --only faster --rounds 1
not_ok "plain names need no list" grep -q list .git/seen
is "plain names are asked" "$(sql 'SELECT group_concat(name) FROM (SELECT name
	FROM metric ORDER BY name)')" "a,c"

# Every fault is a prefix of its own, all in one run, the first and the last
# prefix being well: fault NAME REASON BODY, BODY answering the fourth "run"
line='{"metric":"t","unit":"ns","better":"lower","value":'
parts='"parts":[5,5,5,5,5,5,5,5]}'
mkdir "$work/faults"
faults=0
fault() {
	faults=$((faults + 1))
	printf '%s\n' "$3" >"$work/faults/$faults"
	printf '%s\t%s\n' "$1" "$2" >>"$work/faults/list"
}
fault dies 'Segmentation' 'kill -SEGV $$'
fault exits 'exit code 3.*sad' 'echo sad >&2; exit 3'
fault leaves 'before it was told to quit' 'exit 0'
fault sleeps 'no answer within its timeout' 'sleep 100'
fault spins 'answer' 'while :; do :; done'
fault garbage "slice of 't'.*not JSON" 'echo hello'
fault silent "slice of 't'.*not JSON" 'echo'
fault nul 'NUL' "echo '${line}5,$parts' | tr : '\\0'"
fault nan "slice of 't'.*NaN" "echo '${line}NaN,$parts'"
fault zero 'positive' "echo '${line}0,\"parts\":[0,0,0,0,0,0,0,0]}'"
fault flood 'out of turn' "yes '${line}5,$parts'"
fault long 'in one answer' "yes | tr -d '\n'"
fault errors 'MiB of errors' 'yes >&2'
fault other "answered for 'u'" "echo '{\"metric\":\"u\",\"value\":5,$parts'"
fault lies 'not the median' "echo '${line}4,$parts'"
fault few 'wants "parts"' "echo '${line}5,\"parts\":[5,5]}'"
fault twice 'out of turn' "echo '${line}5,$parts'; echo '${line}5,$parts'"
fault early "out of turn|near 'x'" \
	"echo '${line}5,$parts'; (sleep 0.01; echo x) & wait"
fault units 'differ' "echo '{\"metric\":\"t\",\"unit\":\"s\",\"value\":5,$parts'"
cat >"$work/fault.sh" <<EOS
n=0
while read -r question metric seed; do
	[ \$question != quit ] || exit 0
	if [ \$question = list ]; then
		echo '{"metrics":["t"]}'
	elif [ -e "$work/faults/\$WB_PREFIX" ] && [ \$((n += 1)) -gt 3 ]; then
		. "$work/faults/\$WB_PREFIX"
	else
		echo '${line}5,$parts'
	fi
done
EOS
make_repo "$work/stack"
k=0
while [ $k -le $((faults + 1)) ]; do
	echo $k >k
	commit "prefix $k"
	k=$((k + 1))
done
git config wb-bench.b.reader slices
git config wb-bench.b.level S
git config wb-bench.b.timeout 1s
git config wb-bench.b.command "exec sh '$work/fault.sh'"
# without SCHED_FIFO a busy machine may be what makes an answer late
for fifo in off auto; do
	rm -rf .git/wb
	run wb -c wb.fifo=$fifo run --rounds 2 HEAD~$((faults + 1))..HEAD
	status 125 "faults, fifo $fifo: 125"
	run wb report --json HEAD~$((faults + 1))..HEAD
	k=1 late=
	[ $fifo = auto ] || late='|no answer within'
	while IFS='	' read -r name why; do
		ok "fifo $fifo: $name" jq -e --argjson k $k --arg why "$why$late" \
			'.rows[$k] | .verdict == "broken" and .value == null
			and (.reason | test($why))' "$out"
		k=$((k + 1))
	done <"$work/faults/list"
	ok "fifo $fifo: the others are measured and compared" \
		jq -e '(.rows[0].n == 2) and (.rows[-1] | .n == 2 and
		.against == "base" and .change == 0)' "$out"
	is "fifo $fifo: a failed process has no number" "$(sql 'SELECT count(*)
		FROM sample JOIN run ON run.row = sample.run
		WHERE run.reason NOT NULL')" 0
done
cd "$work/repo" || exit 1

# another real-time task on the same CPU is noticed, and does not stop it
if chrt -f 50 true 2>/dev/null && [ "$(nproc)" -gt 1 ]; then
	rm -rf .git/wb
	cpu=$(taskset -pc $$ | sed 's/.*[^0-9]//')
	timeout 3 chrt -f 50 taskset -c "$cpu" sh -c 'while :; do
		i=0; while [ $i -lt 500 ]; do i=$((i + 1)); done
		sleep 0.002; done' &
	pid=$!
	sed 's/^	run)/&\n		i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done/' \
		slices.sh >slow.sh
	run wb -c wb-bench.b.command='exec sh "$WB_TOP/slow.sh"' \
		-c wb.fifo=on run --only faster --rounds 1
	wait $pid
	ok "another real-time task is named" grep -q 'another real-time task' "$err"
	is "the disturbed rounds are repeated" \
		"$(sql 'SELECT count(*) FROM round')" 1
else
	echo "# SKIPPED: SCHED_FIFO is not allowed here, or one CPU"
fi

# the bench of the man page
rm -rf .git/wb
sed -n '/^    while read -r question/,/^    done/s/^    //p' \
	"$top/wb/man/wb-file.5.md" >page.sh
ok "the man page has a bench" test -s page.sh
cat >step <<'EOS'
#!/bin/sh
echo "$(cat "$WB_BUILD/cost").$(($$ % 9))"
EOS
chmod +x step
run wb -c wb-bench.b.command='cd "$WB_TOP" && exec sh page.sh' \
	-c wb-bench.b.timeout=20s run --only faster --rounds 2
run wb -c wb-bench.b.command='cd "$WB_TOP" && exec sh page.sh' report --json
ok "it works as it stands" jq -e '.rows[] | select(.prefix == "faster") |
	.metric == "step" and .unit == "ns" and .verdict == "faster"' "$out"

# a cost in three parts of eight: medians do not see it, the mean does
rm -rf .git/wb
cat >few.sh <<'EOS'
while read -r question metric seed; do
	v=10 w=$((9 + seed % 3))
	[ $WB_PREFIX = 0 ] || v=20
	case $question in
	run) echo '{"metric":"t","unit":"ns","better":"lower","value":'$w',' \
		'"parts":['$v,$w,$w,$v,$w,$w,$v,$w']}' ;;
	list) echo '{"metrics":["t"]}' ;;
	quit) exit ;;
	esac
done
EOS
b='wb-bench.b.command=exec sh "$WB_TOP/few.sh"'
run wb -c "$b" run --only faster --rounds 3
run wb -c "$b" report --json
ok "the change is that of the medians, the mean is told" jq -e '.rows[] |
	select(.prefix == "faster") | (.change | fabs) < 0.001 and
	.mean_low > 0.2 and (.reason | test("the mean of all parts"))' "$out"

# all of them
for f in 'true|told to quit' "read q; echo '{\"metrics\":[\"a b\"]}'; cat|wants" \
	'read q; echo "{}"; cat|judge' 'exec sleep 100|timeout' \
	"read q; echo '{\"metrics\":[1]}'; cat|wants"; do
	rm -rf .git/wb
	run wb -c "wb-bench.b.command=${f%|*}" -c wb-bench.b.timeout=0.3s \
		run --rounds 1
	status 125 "all: ${f%|*}"
	ok "all: says why" grep -q -- "${f##*|}" "$err"
done
rm -rf .git/wb
run wb -c wb-bench.b.command='printf "{\"metrics\":[1"; seq 2 99 |
	sed "s/.*/,\"m&\"/" | tr -d "\n"; echo "]}"' run --rounds 1
ok "too many metrics: judge" grep -q "judge" "$err"

# Ctrl-C and kill -9 in the middle of a round
rounds() { sql 'SELECT count(*) FROM round WHERE ended' 2>/dev/null || echo 0; }
wait_for_round() {	# wait_for_round N PID
	while [ "$(rounds)" -lt "$1" ] && kill -0 "$2" 2>/dev/null; do
		sleep 0.02
	done
	sleep 0.1
}
nap=$((86400 + $$))
(
	echo "sleep $nap & setsid sleep $nap &"
	cat slices.sh
) >naps.sh
git config wb-bench.b.command 'exec sh "$WB_TOP/naps.sh"'
rm -rf .git/wb
some=0
for signal in INT TERM KILL; do
	wb run --rounds 50 >"$out" 2>"$err" &
	pid=$!
	wait_for_round $((some + 1)) $pid
	kill -$signal $pid
	rc=0
	wait $pid 2>/dev/null || rc=$?
	is "$signal: exit code" "$rc" "$(case $signal in INT) echo 130 ;;
		TERM) echo 143 ;; KILL) echo 137 ;; esac)"
	i=0
	while ps -eo args | grep -q "^sleep $nap\$" && [ $i -lt 500 ]; do
		sleep 0.02
		i=$((i + 1))
	done
	not_ok "$signal: no process is left" \
		sh -c "ps -eo args | grep -q '^sleep $nap\$\|^sh $work'"
	now=$(rounds)
	ok "$signal: finished rounds are there" test "$now" -gt "$some"
	some=$now
	# three builds run, and the base as its twin, each with its sample
	is "$signal: and no part of one" "$(sql 'SELECT count(*) FROM round WHERE
		ended IS NULL OR 4 <> (SELECT count(*) FROM run JOIN sample
		ON sample.run = run.row WHERE run.round = round.row)')" 0
done
run wb run --rounds $((some + 1))
status 125 "goes on"
is "from where it was" "$(rounds)" $((some + 1))
is "the store is sound" "$(sql 'PRAGMA integrity_check')" ok
done_testing
