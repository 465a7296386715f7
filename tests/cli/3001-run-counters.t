# What is counted: perf events, what a run cost, one function's instructions.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

make_stack
db=.git/wb/results.db
wb trust >/dev/null

# a software event is a metric when it is asked for
if (unset LIBPFM_FORCE_PMU; perf=/proc/sys/kernel/perf_event_paranoid
	[ "$(id -u)" = 0 ] || [ "$(cat $perf)" -lt 2 ]); then
	run wb -c wb-bench.b.events=page-faults run --rounds 2
	status 125 "patch 3 is broken"
	run wb report --json
	is "page-faults of the base: level, n" "$(jq -r '.rows[] |
		select(.metric == "page-faults" and .index == 0) |
		"\(.level) \(.n) \(.value > 20)"' "$out")" "S 2 true"
	is "task clock and migrations of every run are known" \
		"$(sqlite3 $db 'SELECT count(*) FROM run WHERE migrations
			IS NULL OR task_clock IS NULL OR NOT task_clock > 0')" 0
else
	echo "# SKIPPED: software events: this user may not count the kernel"
	run wb run --rounds 2
fi
is "rusage of every run is known" "$(sqlite3 $db 'SELECT count(*) FROM run WHERE
	user IS NULL OR sys IS NULL OR maxrss < 100000 OR nvcsw IS NULL OR
	faults < 20')" 0
is "runs are of level S" "$(sqlite3 $db 'SELECT DISTINCT level FROM run')" 2

# an event that was not counted in the rounds there are is measured again
run wb status
ok "nothing of 2 rounds is to do" grep -q '^  1  built        2/10' "$out"
run wb -c wb-bench.b.events=cpu-clock status
ok "an event more asks for its rounds" grep -q '^  1  built        0/10' "$out"

# a hardware event opens, or is left out with one line
run wb -c wb-bench.b.events='instructions:u, LLC-misses skl::NO_SUCH' \
	-c wb-bench.b.level=H run --rounds 2
if grep -q "b: 'instructions:u' is a known event" "$err"; then
	is "what does not open: one line" \
		"$(grep -c "'instructions:u'.*left out" "$err")" 1
	run wb report
	not_ok "and no metric" grep -q instructions "$out"
else
	run wb report --json
	is "instructions of the base" "$(jq -r '.rows[] |
		select(.metric == "instructions:u" and .index == 0) |
		"\(.level) \(.n)"' "$out")" "H 2"
fi
run wb -c wb-bench.b.events='skl::NO_SUCH' run --rounds 2
ok "of another processor: a line" \
	grep -q "b: 'skl::NO_SUCH' is no event of this machine.*left out" "$err"
run wb -c wb-bench.b.events=cycels status
status 129 "a slip in a name"
one_error "a slip" "wb-bench.b.events: 'cycels' is no event"

# a store from before there were counters
old=$work/old.db
sqlite3 "$old" <"$data/store-1.sql"
sqlite3 $db "ATTACH '$old' AS old; INSERT INTO old.machine SELECT * FROM machine;
	INSERT INTO old.bench SELECT * FROM bench;
	INSERT INTO old.build SELECT * FROM build;
	INSERT INTO old.metric SELECT * FROM metric;
	INSERT INTO old.round SELECT row, bench, machine, boot, seed, began, ended
		FROM round;
	INSERT INTO old.run SELECT row, round, build, place, level, time, wall,
		cpu, nivcsw, reason FROM run;
	INSERT INTO old.sample SELECT run, metric, value, iter FROM sample"
rm -f $db-wal $db-shm && mv "$old" $db
run wb report --json
status 0 "is read"
is "with its samples" "$(jq -r '.rows[] | select(.index == 1 and
	.metric == "t") | .n' "$out")" 2
is "and left as it is" "$(sqlite3 $db 'PRAGMA user_version')" 1
run wb run --rounds 3
is "a run brings it up to date" "$(sqlite3 $db 'SELECT count(*) > 0 FROM run
	WHERE maxrss > 0')" 1
run wb report --json
is "and keeps what it had" "$(jq -r '.rows[] | select(.index == 1 and
	.metric == "t") | .n' "$out")" 3
done_testing
