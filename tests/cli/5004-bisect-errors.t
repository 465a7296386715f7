# What a search does not do, and what goes wrong on the way.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"
. "$(dirname "$0")/../history.sh"

# refuses CODE PATTERN WORD...: wb bisect-perf WORD... says why in one line
refuses() {
	code=$1 pattern=$2
	shift 2
	run wb -q bisect-perf "$@"
	status "$code" "$*: $code"
	one_error "$*" "$pattern"
}

make_history e 12 '3:touch src/broken' '4:rm src/broken' \
	'5:echo 10600 >src/cost' '7:touch src/hangs' '8:rm src/hangs' \
	'9:touch src/stalls' '10:rm src/stalls; touch src/fails' '11:rm src/fails'
refuses 128 'did you mean good..HEAD?' HEAD good
refuses 125 'no patch between the ends' HEAD HEAD
refuses 128 'nosuch: no such revision' nosuch HEAD
refuses 125 'touches the paths' good HEAD -- nosuch
refuses 129 'GOOD and BAD' good
refuses 129 belief --belief=2 good HEAD
refuses 129 alpha --alpha=0% good HEAD
refuses 129 drift --drift=lax good HEAD
refuses 129 level --level=X good HEAD
refuses 129 'too many' --status good
refuses 129 'nosuch' --bench=nosuch good HEAD
git checkout -q --orphan alone && git rm -rqf . &&
	git commit -q --allow-empty -m alone
git checkout -q main
refuses 128 'no history in common' alone HEAD

# on the way: nothing that hangs or fails stops it, or takes the blame
run wb bisect-perf --json good HEAD
status 0 'holes of all kinds'
is 'the change is found' "$(json '[.changes[].index] | join(" ")')" 5
run wb bisect-perf --json good HEAD~1
run wb bisect-perf --reset
run wb bisect-perf --json --grid=10 good HEAD
is 'also when each of them is tried' "$(json '[.changes[].index] | join(" ")')" 5
run wb bisect-perf --visualize
ok 'belief of a part is shown' grep -q '#.* 5 ' "$out"
ok 'a build that hangs is ended' grep -q "change 7: build: .*after its timeout" "$out"
ok 'a bench that hangs as well' grep -q "change 9: run: .*after its timeout" "$out"
ok 'a bench that fails' grep -q "change 10: run: exit code 3" "$out"
ok 'a build that fails' grep -q "change 3: build: " "$out"

# the ends
refuses 125 'the bad end cannot be measured: build:' good HEAD~9
refuses 125 'the good end cannot be measured: build:' HEAD~9 HEAD
refuses 125 'the good end cannot be measured: run:' HEAD~2 HEAD
run wb bisect-perf good HEAD~2
status 125 'a bad end whose bench fails'
ok 'is told' grep -q 'undecided: an end does not' "$out"

# a search that a wrong option ended is not in the way of the next one
refuses 129 'no metric of 1 is chosen' --metric=nosuch good HEAD
is 'and ends behind its first block' "$(grep -c '^{"block"' .git/wb/bisect/b.time)" 1

# paths
run wb bisect-perf --json good HEAD -- src/cost
is 'paths: one patch touches it' "$(json '.changes[0] | .index')" 5
ok 'and few are built' [ "$(json .builds)" -le 2 ]

# journals that no search wrote, and a metric without ratios
run wb bisect-perf --log
cp "$out" "$work/journal"
replays() {	# replays CODE PATTERN SED
	sed "$3" "$work/journal" >"$work/k"
	run wb bisect-perf --replay="$work/k"
	status "$1" "journal: $3"
	one_error "journal: $3" "$2"
}
replays 128 'does not fit' 's/"at":\[0,0/"at":[99999,0/'
replays 128 'does not fit' 's/"at":\[0,0/"at":[-5,0/'
replays 128 'does not fit' 's/"layout":\[0/"layout":[77/'
replays 128 'no entry of a search' 's/^{"block/{block/'
# a search that is not over, and another: what is other about it is said
run wb -q bisect-perf --json good HEAD
j=.git/wb/bisect/b.time
cp $j "$work/whole"
other() {	# other PATTERN SED OPTION...
	grep -v '^{"others"' "$work/whole" | sed -e '$d' -e "$2" >$j
	pattern=$1
	shift 2
	refuses 128 "$pattern.* not over" "$@" good HEAD
}
other 'other --alpha' '' --alpha=2%
other 'other --min-effect' '' --min-effect=2%
other 'other --drift' '' --drift=strict
other 'other machine' '1s/"machine":"[0-9a-f]*"/"machine":"00"/'
other 'other range' '1s/"build":"[0-9a-f]*"/"build":"00"/'
wb bisect-perf --reset
run wb -c wb-bench.b.command='echo "{\"metric\":\"t\",\"value\":-3}"' \
	bisect-perf good HEAD
status 125 'a metric below 0'
ok 'has no ratio' grep -q 'no value above 0' "$out"
not_ok 'and no A/A' grep -q 'A/A' "$out"

git clone -q --depth 6 "file://$PWD" "$work/shallow" && cd "$work/shallow" || exit 1
wb trust >/dev/null 2>&1
refuses 128 'no such revision' good HEAD
run wb bisect-perf HEAD~5 HEAD
status 125 'a shallow clone: what is there can be searched'
git fetch -q --depth 3 origin tag good
refuses 128 'shallow' good HEAD
done_testing
