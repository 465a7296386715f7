# Ctrl-C and kill -9 lose no finished run and change nothing of the user's.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

make_stack
wb trust >/dev/null
sed -i 's/^n=/sleep 0.03; n=/' bench.sh
commit slower
fingerprint >"$work/before"
runs() {
	sqlite3 .git/wb/results.db 'SELECT count(*) FROM run' 2>/dev/null ||
		echo 0
}
wait_for_runs() {	# wait_for_runs N PID
	while [ "$(runs)" -lt "$1" ] && kill -0 "$2" 2>/dev/null; do
		sleep 0.02
	done
}

wb run >"$out" 2>"$err" &
pid=$!
wait_for_runs 4 $pid
kill -TERM $pid
rc=0
wait $pid || rc=$?
is "SIGTERM: 143" "$rc" 143
one_error "SIGTERM" "what finished is saved"
some=$(runs)
ok "finished runs are there" test "$some" -ge 4
run wb report --json
status 0 "a report from what there is"

# a script starts it with "&", where the shell has SIGINT ignored
wb run >"$out" 2>"$err" &
pid=$!
wait_for_runs $((some + 1)) $pid
kill -INT $pid
rc=0
wait $pid || rc=$?
is "SIGINT: 130" "$rc" 130
some=$(runs)

# kill -9 at twelve moments; no run that was there is lost or made again
i=0
while [ $i -lt 12 ]; do
	wb run >"$out" 2>"$err" &
	pid=$!
	wait_for_runs $((some + 1)) $pid
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	now=$(runs)
	[ "$now" -ge "$some" ] || break
	some=$now
	i=$((i + 1))
done
is "no run was lost in any of them" "$i" 12
is "the store is sound" "$(sqlite3 .git/wb/results.db 'PRAGMA integrity_check')" ok
run wb run
status 125
sqlite3 .git/wb/results.db "SELECT count(*) FROM (SELECT build, round FROM run
	GROUP BY build, round, control HAVING count(*) > 1)" >"$out"
is "no run was made twice in a round" "$(cat "$out")" 0
run wb report --json
is "verdicts as without a kill" \
	"$(jq -r '[.rows[] | .verdict // "base"] | join(" ")' "$out")" \
	"base faster same broken slower"
fingerprint >"$work/after"
ok "work tree, index, refs, logs, objects as before" \
	cmp "$work/before" "$work/after"
not_ok "no process is left" sh -c "ps -eo args | grep -v grep | grep -q '$work'"

# daemons, too, end with a wb that is killed, during a build and a run
survivors() {
	ps -eo args | grep -c "^sleep $1$"
}
nap=$((86400 + $$))
git config wb-bench.b.command "setsid sleep $nap & (trap '' TERM; sleep $nap) & wait"
wb run >/dev/null 2>&1 &
pid=$!
i=0
while [ "$(survivors $nap)" -lt 2 ] && [ $i -lt 500 ]; do sleep 0.02; i=$((i + 1)); done
ok "the bench left two behind" test "$(survivors $nap)" = 2
kill -9 $pid
wait $pid 2>/dev/null
i=0
while [ "$(survivors $nap)" -gt 0 ] && [ $i -lt 500 ]; do sleep 0.02; i=$((i + 1)); done
is "none of them outlives wb" "$(survivors $nap)" 0
git config --unset wb-bench.b.command

# nohup
(trap '' HUP; exec wb run --rounds 500) >/dev/null 2>&1 &
pid=$!
wait_for_runs $((some + 2)) $pid
kill -HUP $pid
sleep 0.1
ok "an ignored SIGHUP stays ignored" kill -0 $pid
kill -TERM $pid
wait $pid 2>/dev/null

# two at once
rm -rf .git/wb
wb run >/dev/null 2>&1 &
pid=$!
wait_for_runs 1 $pid
run wb run
status 128 "a second run is refused"
one_error "a second run" "pid $pid"
run wb report --json
status 0 "reading goes on meanwhile"
kill -9 $pid
wait $pid 2>/dev/null
run wb run --rounds 1
status 125 "the lock went with the process"
done_testing
