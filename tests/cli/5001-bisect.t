# wb bisect-perf on histories whose truth is known.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"
. "$(dirname "$0")/../history.sh"

make_history one 30 '10:touch src/broken' '12:rm src/broken' \
	'21:echo 10500 >src/cost'
before=$(fingerprint)
run wb bisect-perf --json good HEAD
status 0 'a slow commit is found'
is 'it is the planted one' "$(json '.changes[0].commit')" \
	"$(git rev-parse HEAD~9)"
is 'by its name and place' "$(json '.changes[0] | .name, .index' | xargs)" \
	"$(git rev-parse --short=12 HEAD~9) 21"
ok 'the effect is right to two intervals' jq -e \
	'.changes[0] | (.effect - 0.05 | fabs) < .high - .low' "$out"
is 'and it is the only one' "$(json '.changes | length')" 1
ok 'few builds' [ "$(json .builds)" -le 9 ]
is 'nothing of the user is touched' "$(fingerprint)" "$before"
runs=$(json .runs)
run wb bisect-perf --json good HEAD
is 'the same command again runs nothing' "$(json .runs)" "$runs"
run wb bisect-perf --log
cp "$out" "$work/journal"
run wb bisect-perf --git-log
ok 'a log for git bisect' grep -qx "git bisect bad $(git rev-parse HEAD~9)" "$out"
git bisect start >/dev/null 2>&1
ok 'which git takes' git bisect replay "$out"
git bisect reset >/dev/null 2>&1
run wb bisect-perf --visualize
ok 'the belief as bars' grep -q '^  ####.* 21 ' "$out"
run wb bisect-perf --reset
status 0
run wb bisect-perf --json --replay="$work/journal"
status 0 'a journal is played back'
is 'to the same verdict' "$(json '.changes[0].index')" 21
cd "$work" || exit 1
run wb bisect-perf --json --replay=journal
is 'also where no repository is' "$(json '.changes[0].index')" 21
run wb bisect-perf good HEAD
status 128 'a search needs one'
cd "$work/one" || exit 1
head -c -20 "$work/journal" >"$work/short"
run wb bisect-perf --replay="$work/short"
status 125 'one that is torn is not over'

# what was measured is known to reports, and the other way round
run wb report --format json good..HEAD
ok 'its samples are in the store' jq -e \
	'[.rows[] | select(.n > 5)] | length >= 5' "$out"
run wb bisect-perf --json good HEAD
ok 'and are used by the next search' [ "$(json .runs)" -lt "$runs" ]
is 'which finds the same' "$(json '.changes[0].index')" 21

make_history null 16
run wb bisect-perf --json good HEAD
status 125 'a range without a change names none'
is 'and says so' "$(json '.verdict, (.changes | length)' | xargs)" 'no-change 0'

make_history hole 12 '5:touch src/broken' '6:echo 11000 >src/cost' \
	'9:rm src/broken'
run wb bisect-perf --json good HEAD
status 125 'a change among commits that do not build'
is 'is not guessed' "$(json '.verdict, .reason' | xargs)" \
	'undecided unbuildable'
ok 'but surrounded' jq -e '[.candidates[].index] | contains([6]) and
	length <= 5' "$out"

make_history two 24 '5:echo 10600 >src/cost' '18:echo 10000 >src/cost'
run wb bisect-perf --json good HEAD
is 'changes that cancel are not seen from the ends' "$(json .verdict)" \
	no-change
run wb bisect-perf --json --grid=3 good HEAD
is 'but with a grid' "$(json '[.changes[].index] | join(" ")')" '5 18'

run wb bisect-perf HEAD good
ok 'ends in the wrong order are refused' [ "$rc" -ge 125 ]
run wb bisect-perf good
status 129
run wb bisect-perf --belief=2 good HEAD
status 129
done_testing
