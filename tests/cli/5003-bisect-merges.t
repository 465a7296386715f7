# Histories that are no line: merges by first parents, and into the one that
# moved the number.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"
. "$(dirname "$0")/../history.sh"

# topic NAME N SPEC...: N commits on a branch from here, merged
topic() {
	name=$1 n=$2
	shift 2
	git checkout -qb "$name" || exit 1
	for i in $(seq 1 "$n"); do
		for spec in "$@"; do
			[ "${spec%%:*}" != "$i" ] || sh -c "${spec#*:}"
		done
		echo "$i" >"src/$name$i"
		commit "$name $i"
	done
	git checkout -q main
}
line() {	# line N
	for i in $(seq 1 "$1"); do
		echo "$i $(git rev-parse HEAD)" >src/main
		commit "main"
	done
}
merge() { git merge -q --no-ff -m "merge $1" "$1" || exit 1; }

start_history merged
line 4
topic plain 3
line 2
merge plain
topic slow 9 '6:echo 10600 >src/cost'
line 3
merge slow
line 5
before=$(fingerprint)
run wb bisect-perf --json good HEAD
status 0 'a change that a merge brought in'
is 'is the commit on the merged side' "$(json '.changes[].commit')" \
	"$(git rev-parse slow~3)"
is 'with the merge it came by' "$(json '.changes[].merge')" \
	"$(git log --merges --grep='merge slow' --format=%H)"
ok 'its effect is right to two intervals' jq -e \
	'.changes[0] | (.effect - 0.06 | fabs) < .high - .low' "$out"
runs=$(json .runs)
cp "$out" "$work/first"
run wb bisect-perf good HEAD
ok 'the text has both' grep -q 'slow 6$' "$out"
ok 'and says where' grep -q '^  the side that' "$out"
run wb bisect-perf --mail "$work/m" good HEAD
ok 'a mail is about the commit, not about the merge' grep -qx \
	"commit: $(git rev-parse slow~3)" "$work"/m/*
run wb bisect-perf --log
cp "$out" "$work/journal"
run wb bisect-perf --json --replay="$work/journal"
ok 'both journals in one file say the same again' cmp "$out" "$work/first"
is 'nothing of the user is touched' "$(fingerprint)" "$before"

# killed within the inner search
file=$(echo .git/wb/bisect/b.time.*)
head -n $(($(wc -l <"$file") / 2)) "$file" >"$work/half" && cp "$work/half" "$file"
run wb bisect-perf --status
ok 'is not over' grep -q 'merged by .*: not over$' "$out"
run wb bisect-perf --json good HEAD
is 'goes on' "$(json '.changes[].commit')" "$(git rev-parse slow~3)"
is 'without a block more' "$(json .runs)" "$runs"

# two changes that do nothing alone: the merge is what moved it
run wb bisect-perf --reset
run wb bisect-perf --json --full-history good HEAD
status 0 'the whole history at once'
is 'finds it too' "$(json '.changes[].commit')" "$(git rev-parse slow~3)"
cp "$out" "$work/first"
run wb bisect-perf --log
cp "$out" "$work/journal"
run wb bisect-perf --json --replay="$work/journal"
ok 'played back' cmp "$out" "$work/first"
run wb bisect-perf --visualize
ok 'bars' grep -q '^  ####.* slow 6$' "$out"
run wb bisect-perf --full-history --grid=2 good HEAD
status 129 'no grid in it'

start_history interaction
cat >build.sh <<'EOS'
n=10000
[ ! -e src/a ] || [ ! -e src/b ] || n=10700
echo $n >"$WB_BUILD/cost"
EOS
commit 'slow with both'
git tag -f good >/dev/null
topic side 4 '2:touch src/b'
touch src/a && commit a
line 3
merge side
line 3
run wb bisect-perf --json good HEAD
status 0 'an interaction'
is 'is the merge' "$(json '.changes[].commit')" "$(git rev-parse HEAD~3)"
run wb bisect-perf good HEAD
ok 'and is called so' grep -q 'the merge itself' "$out"

run wb bisect-perf --reset
run wb bisect-perf --json --full-history good HEAD
is 'also in the whole history' "$(json '.changes[].commit')" \
	"$(git rev-parse HEAD~3)"

# slow on both sides: neither merge nor one side alone
start_history both
cat >build.sh <<'EOS'
n=10000
[ ! -e src/left ] || n=$((n + 600))
[ ! -e src/right ] || n=$((n + 600))
echo $n >"$WB_BUILD/cost"
EOS
commit 'the build of both'
git tag -f good >/dev/null
topic left 5 '2:touch src/left'
line 2
touch src/right && commit right
line 1
merge left
line 1
run wb bisect-perf --json --full-history good HEAD
is 'both of two sides' "$(json '.changes[].commit' | sort | xargs)" \
	"$(git rev-parse left~3 HEAD~3 | sort | xargs)"

# three parents; the change is on the third
start_history octopus
line 2
topic o1 3
topic o2 5 '4:echo 9400 >src/cost'
git merge -q -m octopus o1 o2 || exit 1
line 2
run wb bisect-perf --json good HEAD
is 'an octopus' "$(json '.changes[].commit')" "$(git rev-parse o2~1)"
run wb bisect-perf good HEAD
ok 'a change to the better' grep -q '^  faster: .*o2 4$' "$out"
done_testing
