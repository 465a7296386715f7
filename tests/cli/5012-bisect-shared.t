# Searches of benches in slices and (LONG=1) in layouts, and what they share with
# runs.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"
. "$(dirname "$0")/../history.sh"
command -v sqlite3 >/dev/null || skip_all "sqlite3 is not installed"
runs() { sqlite3 .git/wb/results.db 'SELECT count(*) FROM run'; }

# run, then bisect: what run measured is known; then run again: what the search
# measured counts for it as well
make_history shared 6 '3:echo 10500 >src/cost'
run wb run --rounds 12 good..HEAD
status 0 'a run'
before=$(runs)
run wb bisect-perf --json good HEAD
status 0 'and a search behind it'
is 'which finds the change' "$(json '.changes[0].index')" 3
shared=$(json .runs)
is 'its runs are those that the store got' "$(runs)" $((before + shared))
run wb bisect-perf --reset
rm -rf .git/wb/results.db*
run wb bisect-perf --json good HEAD
is 'without them the same' "$(json '.changes[0].index')" 3
ok 'for more runs' [ "$(json .runs)" -gt "$shared" ]
before=$(runs)
run wb report --json good..HEAD
ok 'a report has the search: both neighbours of the change, and a verdict' jq -e \
	'[.rows[] | select(.index == 2 or .index == 3)] | length == 2 and
	all(.n >= 8) and .[1].verdict == "slower"' "$out"
run wb bisect-perf --json good HEAD
is 'a search that is over runs nothing' "$(runs)" "$before"
built() { find "$XDG_CACHE_HOME/wb/build" -name ok -printf '%p %i %T@\n' | sort; }
built >"$work/built"
run wb run --rounds 8 HEAD~4..HEAD~3
status 0 'a run of the change behind the search'
built >"$work/built.end"
is 'repeats no build' "$(comm -23 "$work/built" "$work/built.end")" ''
is 'and measures only the rounds that were missing' "$(sqlite3 .git/wb/results.db '
	WITH pair AS (SELECT build FROM run ORDER BY row DESC LIMIT 3)
	SELECT count(*) FROM (SELECT 1 FROM run WHERE build IN pair AND
	round NOT IN (SELECT row FROM round WHERE discarded)
	GROUP BY round HAVING count(DISTINCT build) = 2)')" 8
ok 'which are fewer than eight' [ "$(runs)" -lt $((before + 8 * 2)) ]
before=$(runs)
run wb run --rounds 8 HEAD~4..HEAD~3
is 'and the run again, none' "$(runs)" "$before"

# layouts: each has its own number, which may be more than a patch does
try_layouts() {
	start_history layout
	cat >build.sh <<-'EOS'
	expr $(cat src/cost) + $SPREAD \* \( $WB_LAYOUT - 1 \) >"$WB_BUILD/cost"
	EOS
	commit 'layouts'
	git tag -f good >/dev/null
	for i in 1 2 3 4; do
		[ $i != 3 ] || echo 10500 >src/cost
		echo $i >src/f$i
		commit "change $i"
	done
	layouts() {	# layouts SPREAD
		wb bisect-perf --reset
		rm -rf .git/wb/results.db* "$XDG_CACHE_HOME/wb/build"
		run wb -c wb-build.layouts=4 -c wb-build.command="SPREAD=$1 sh build.sh" \
			bisect-perf --json good HEAD
	}
	layouts 20
	status 0 'four layouts that differ little'
	is 'the change is found' "$(json '.changes[0].index')" 3
	ok 'in every layout' [ "$(sqlite3 .git/wb/results.db \
		'SELECT count(*) FROM build')" -ge 12 ]
	# what a run measured of them is known, in whatever layout
	wb bisect-perf --reset
	rm -rf .git/wb/results.db*
	wb -q -c wb-build.layouts=4 -c wb-build.command="SPREAD=20 sh build.sh" \
		run --rounds 8 good..HEAD >/dev/null 2>&1
	run wb -c wb-build.layouts=4 -c wb-build.command="SPREAD=20 sh build.sh" \
		bisect-perf --json good HEAD
	is 'a run in layouts is known to a search' "$(wb bisect-perf --log |
		jq -s '[.[].known // empty | .[].at | length] | add')" 40
	layouts 600
	status 125 'four layouts that differ by more than the change'
	is 'it cannot be told' "$(json '.verdict + " " + .reason')" 'undecided layout'
}
[ -z "${LONG:-}" ] || try_layouts

# slices: processes that stay alive are asked in turn
start_history slices
cat >bench.sh <<'EOS'
cost=$(cat "$WB_BUILD/cost") n=1
while read -r word metric seed; do
	[ "$word" != quit ] || exit 0
	[ "$word" != list ] || { echo '{"metrics":["t"]}'; continue; }
	n=$(((n * 7 + 3) % 101))
	v=$((cost + n - 50))
	echo "{\"metric\":\"t\",\"unit\":\"ns\",\"better\":\"lower\",\"value\":$v,\"parts\":[$v,$v,$v,$v,$v,$v,$v,$v]}"
done
EOS
sed -i 's/level = S/&\n\treader = slices/' .wbconfig
commit 'slices'
git tag -f good >/dev/null
wb trust >/dev/null 2>&1
for i in 1 2 3 4 5; do
	[ $i != 4 ] || echo 10500 >src/cost
	echo $i >src/f$i
	commit "change $i"
done
run wb bisect-perf --json good HEAD
status 0 'in slices'
is 'the change is found by slices' "$(json '.changes[0].index')" 4
# time and instructions: what each says of the change, and whether they agree
command -v valgrind >/dev/null || {
	skip 'time and instructions' 'valgrind is not installed'
	done_testing
	exit
}
make_history both 2 '2:echo 10500 >src/cost'
run wb -c wb-bench.b.level=I run good..HEAD
status 0 'instructions are counted'
run wb bisect-perf --json good HEAD
is 'by time it is slower' "$(json '.changes[0].index')" 2
is 'by instructions of a shell it is not' "$(json '.changes[0].others[] |
	select(.metric == "instructions") | .level + " " + (.agrees | tostring)')" \
	'I false'
run wb bisect-perf good HEAD
ok 'which is told' grep -q \
	'instructions: .*(n [0-9]*), [a-z]*: time and instructions disagree' "$out"
# also in a mail, and where the journal is played back without the store
run wb bisect-perf --mail "$work/m" good HEAD
ok 'a mail says it' grep -q '^ *instructions: .* instructions disagree' "$work"/m/*
wb bisect-perf --log >"$work/journal"
is 'the journal has it once' "$(grep -c '^{"others"' "$work/journal")" 1
cd "$work" || exit 1
run wb bisect-perf --replay journal --mail again
status 0
ok 'played back it is said' grep -q 'time and instructions disagree' "$out"
ok 'and in its mail' grep -q '^ *instructions: .* instructions disagree' again/*
run wb bisect-perf --json --replay journal
is 'and in JSON' "$(json '.changes[0].others[].agrees')" false
# such notes may stand anywhere, for a search may go on behind them
grep '^{"others"' journal >note
{ head -n 5 journal; cat note; sed 1,5d journal | grep -v '^{"others"'; } >middle
run wb bisect-perf --json --replay middle
is 'wherever it stands' "$(json '.changes[0].others[].agrees')" false
done_testing
