# A search that is killed goes on where it was: nothing that was finished is
# done again, and the verdict is the same. LONG=1: a hundred kills.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"
. "$(dirname "$0")/../history.sh"
command -v sqlite3 >/dev/null || skip_all "sqlite3 is not installed"

kills=$([ -n "${LONG:-}" ] && echo 100 || echo 10)
make_history killed 40 '9:touch src/broken' '11:rm src/broken' \
	'23:echo 10500 >src/cost' '30:touch src/fails' '31:rm src/fails'
sed -i 's/^cp/sleep 0.1; cp/' build.sh
commit 'builds take a while'
journal=.git/wb/bisect/b.time
before=$(fingerprint)
lines() { cat $journal 2>/dev/null | wc -l; }
blocks() { sqlite3 .git/wb/results.db 'SELECT count(*) FROM round WHERE ended NOT NULL'; }
built() { find "$XDG_CACHE_HOME/wb/build" -name ok -printf '%p %i %T@\n' | sort; }

# on request
wb bisect-perf good HEAD >"$out" 2>"$err" &
pid=$!
while [ $(lines) -lt 3 ] && kill -0 $pid 2>/dev/null; do :; done
kill -INT $pid
wait $pid
rc=$?
is 'Ctrl-C' $rc 130
one_error 'Ctrl-C' 'saved'

# each time a little further than the last: journal lines, or half a step on
n=0 at=0 step=$((kills < 100 ? 5 : 1))
while [ $n -lt "$kills" ]; do
	wb bisect-perf good HEAD >"$out" 2>"$err" &
	pid=$!
	at=$((at + step))
	while kill -0 $pid 2>/dev/null &&
	      [ "$(lines)" -lt $at ]; do
		:
	done
	sleep "0.0$((n * 37 % 97 + 1))"
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	at=$(lines)
	[ $((n % 3)) != 1 ] || printf '{"block":{"at":[0,' >>$journal
	built >"$work/built.$n"
	n=$((n + 1))
done
ok 'a kill in the middle of it' [ "$at" -gt 20 ]
run wb bisect-perf --json good HEAD
status 0 'after all that it ends'
is 'and names the planted commit' "$(json '.changes[0].index')" 23
cp "$out" "$work/first"
built >"$work/built.end"
again=0
for f in "$work"/built.[0-9]*; do
	[ -z "$(comm -23 "$f" "$work/built.end")" ] || again=$((again + 1))
done
is 'no finished build was made again' $again 0
is 'no finished block was run again' "$(sqlite3 .git/wb/results.db \
	'SELECT count(*) - count(DISTINCT seed) FROM round WHERE ended NOT NULL')" 0
# a block with a failed run is made twice, and answered by one line
is 'every block that the store has is in the journal, once' \
	"$(blocks)" "$(jq -s '[.[].block // empty | if .why then 2 else 1 end] | add' $journal)"
is 'with the same values' "$(sqlite3 .git/wb/results.db "SELECT sum(value)
	FROM sample JOIN run ON run.row = sample.run JOIN round ON
	round.row = run.round WHERE ended NOT NULL AND NOT EXISTS (SELECT 1
	FROM run r WHERE r.round = round.row AND r.reason NOT NULL)" | cut -d. -f1)" \
	"$(jq -s '[.[].block // empty | .metrics[].values[]] | add' $journal)"
run wb bisect-perf --json good HEAD
ok 'again: the same words' cmp "$out" "$work/first"
is 'nothing of the user is touched' "$(fingerprint)" "$before"

# two at once: the second is told of the first
wb bisect-perf --reset
wb bisect-perf good HEAD >"$work/other" 2>&1 &
pid=$!
while [ "$(cat .git/wb/run.lock)" != $pid ] && kill -0 $pid 2>/dev/null; do :; done
kill -STOP $pid
run wb bisect-perf good HEAD
status 128 'two at once'
one_error 'two at once' "pid $pid"
kill -9 $pid
wait $pid 2>/dev/null
done_testing
