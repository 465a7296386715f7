# wb ci: each patch applied, read, built, tested and measured.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../gate.sh"

make_project
patch_ "src: a gain" 'echo 990 >src/cost'
patch_ "readme: more" 'echo more >>README'
git tag good
patch_ "src: warns" 'touch src/warns; echo x >>src/cost.note'
patch_ "no area, and a full stop." 'echo 1 >src/other'
git tag told
patch_ "src: a small loss" 'echo 993 >src/cost'
git tag small
patch_ "src: a loss" 'echo 1010 >src/cost'
patch_ "src: fails its test" 'touch src/wrong'
patch_ "src: does not build" 'rm src/wrong; touch src/broken'
patch_ "src: mends" 'rm src/broken src/warns'
git tag bad

run wb ci --base base
status 128 "commands want trust"
one_error "and it is said how" "wb trust"

# what is well
git checkout -q good
before=$(git status --porcelain=v2 -uall; git for-each-ref)
run wb ci --base base --trust --json
status 0
is "the base" "$(row 0)" "ok - ok ok -"
is "a gain is told" "$(row 1)" "ok ok ok ok look"
is "and how much" "$(jq -r '.prefixes[1].measured.reason' "$out")" \
	"b: n faster -1.00% exact"
is "the build inputs did not change: not built, not measured again" "$(row 2)" \
	"ok ok same ok ok"
is "two builds" "$(wc -l <"$TRACE/builds")" 2
is "three tests, for they may read anything" "$(wc -l <"$TRACE/tests")" 3
is "nothing of the user's is touched" "$before" \
	"$(git status --porcelain=v2 -uall; git for-each-ref)"
run wb ci --base base --trust --json
is "again: nothing is done again" "$(row 1) $(wc -l <"$TRACE/builds") $(wc -l <"$TRACE/tests")" \
	"ok ok ok same look 2 3"

run wb ci --base base --trust
not_ok "what repeats hides nothing" grep -q smallest "$out"

# noise hides what is smaller, and the verdict says from where on
noise='echo "{\"metric\":\"t\",\"unit\":\"ns\",\"better\":\"lower\",\"value\":'
noise=$noise'100${WB_SEED#${WB_SEED%??}}}"'
run wb -c wb.rounds=8 -c wb-bench.b.command="$noise" ci --base base --trust
ok "the smallest visible effect" grep -qxE \
	'smallest visible effect here: t [0-9]+(\.[0-9]+)? %' "$out"
seen=$(sed -n 's/^smallest visible effect here: t \(.*\) %$/\1/p' "$out")
ok "is of the size of the noise ($seen %)" awk "BEGIN { exit !($seen > 0.05 && $seen < 2) }"

# a bench that fails: that patch cannot be judged
run wb -c wb-bench.b.command='[ $WB_PREFIX != 1 ] || exit 3; sh "$WB_TREE/bench.sh"' \
	ci --base base --trust --json
status 125
is "which one" "$(row 1)" "ok ok ok same unclear"
ok "and why" jq -e '.prefixes[1].measured.reason | test("^b: .*exit code 3")' "$out"

# what is only told, and the gate
git checkout -q small
run wb ci --base base --trust --json
status 0 "warnings, words and a loss below the gate fail nothing"
is "a new warning" "$(row 3)" "ok ok look ok ok"
is "with its place" "$(jq -c '.prefixes[3].new_warnings' "$out")" \
	'[{"file":"src/b.c","line":12,"text":"unused '"'%0A'"' | <x>"}]'
is "not new in the next" "$(jq -c '.prefixes[4].new_warnings' "$out")" '[]'
is "words" "$(jq -r '.prefixes[4].header_findings | join(", ")' "$out")" \
	'the subject ends in a full stop, the subject does not begin with an area ("area: what changes")'
is "0.3 % is below the gate" "$(row 5)" "ok ok ok ok look"
run wb -c wb.gate=0.2% ci --base base --trust --json
status 1 "and beyond another"
is "then it fails" "$(state 5 measured)" failed
run wb -c wb.gate=0.2% ci --base base --trust
ok "the verdict" grep -q "^verdict: 1 of 5 patches fails, the first is 5 '.*': \
measured: b: n slower +0.30% exact$" "$out"
ok "and where that was seen" grep -q '^measured side by side on .* Linux ' "$out"
git config --file .wbconfig --remove-section wb-bench.b
git commit -qam "config: no bench" -m "A reason." -s
echo nothing >src/none
git add src/none
git commit -qm "src: for no bench" -m "A reason." -s
run wb ci --base HEAD~1 --trust --json
status 0 "without a bench it builds and tests"
is "no more" "$(row 1)" "ok ok ok ok -"

# what fails
git checkout -q bad
run wb ci --base base --trust --json --junit j.xml --summary s.md --comment c.md \
	--code-quality q.json
status 1
is "a loss" "$(row 6)" "ok ok ok ok failed"
is "a test" "$(row 7)" "ok ok ok failed ok"
is "which one" "$(jq -r .prefixes[7].test.reason "$out" | cut -d'(' -f1)" \
	"not ok 1 - adds up "
is "a build; it is not tested" "$(row 8)" "ok ok failed - -"
is "the next is compared with the last good one" "$(row 9)" "ok ok ok ok ok"
is "patches that fail" "$(jq .failed "$out")" 3
ok "the error says the first" grep -q "3 of 9 patches fail, the first is 6 " "$err"

# JUnit
if command -v xmllint >/dev/null; then
	ok "the XML is what is read" xmllint --noout --schema "$data/junit.xsd" j.xml
	is "the tests of a suite are its cases" "$(xmllint --xpath 'sum(//testsuite/@tests)' j.xml)" \
		"$(xmllint --xpath 'count(//testcase)' j.xml)"
	is "a suite for each prefix" "$(xmllint --xpath 'count(//testsuite)' j.xml)" 10
	is "failures" "$(xmllint --xpath 'count(//failure)' j.xml)" 3
	is "the sums hold" "$(xmllint --xpath 'sum(//testsuite/@failures)' j.xml)" 3
	is "skips too" "$(xmllint --xpath 'sum(//testsuite/@skipped)' j.xml)" \
		"$(xmllint --xpath 'count(//skipped)' j.xml)"
else
	ok "the XML is what is read # SKIP no xmllint (package libxml2-utils)" true
fi
# Markdown: what others wrote cannot act
ok "the summary" grep -q '^\*\*wb ci:\*\* 3 of 9 patches fail' s.md
ok "its table" grep -qE '^\| 8 \| [0-9a-f]{12} src.: does not build \| ok \| ok \| failed \| - \| - \|$' s.md
ok "a bar in a name does not end the cell" grep -q "\\\\|" s.md
not_ok "no tag of theirs" grep -q '<x>' s.md
git commit -q --allow-empty -m "src: thanks to @ada, see #12 and !3" -m "A reason." -s
run wb ci --base HEAD~1 --trust --json --summary at.md
git reset -q --hard HEAD~1
ok "names and numbers are there" grep -q 'thanks to' at.md
not_ok "and call nobody" grep -qE '@[a-z]|#[0-9]|![0-9]' at.md
ok "the comment is found again" grep -q '^<!-- wb ci -->$' c.md
ok "the report for GitLab" jq -e 'length > 4 and all(.[]; .location.path and
	.location.lines.begin > 0 and .severity and (.fingerprint | length == 64)) and
	any(.[]; .location == {"path":"src/b.c","lines":{"begin":12}})' q.json
is "fingerprints are unique" "$(jq '[.[].fingerprint] | length - (unique | length)' q.json)" 0

# GitHub
: >gh.md
echo "other step" >gh.md
GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=gh.md run wb ci --base base --trust
status 1
ok "an annotation at its line, what could end it escaped" grep -qx \
	"::warning file=src/b.c,line=12,title=3 [0-9a-f]*%3A build::unused '%250A' | <x>" "$out"
ok "an error" grep -q '^::error title=8 [0-9a-f]*%3A build::build: src/broken:1: error' "$out"
ok "the summary is added" sh -c 'grep -q "^other step" gh.md && grep -q "wb ci:" gh.md'

# says nothing when there is nothing
git checkout -q base
git commit -q --allow-empty -m "src: nothing" -m "A reason." -s
run wb ci --base base --trust --comment c.md
status 0
not_ok "no comment, and the old one is gone" [ -e c.md ]
git checkout -q base
run wb ci --base base --trust
status 0 "an empty range"
ok "0 patches" grep -q '^verdict: 0 patches, none fails' "$out"
ok "and nothing is done" grep -q '^  0  ok        -         -         -         -         base$' "$out"

# the rules are those of the base, whatever the patches do to them
git checkout -q bad
sed -i 's/rounds = 2/gate = 90%/; s/sh test.sh/true/' .wbconfig
sed -i 's/:.\$(cat.*/:1}'"'"'/' bench.sh
patch_ "config: looser" :
run wb ci --base base --trust --json
status 1
is "the test is still the base's" "$(state 7 test)" failed
is "and so is the gate" "$(state 6 measured)" failed
is "and the bench, whatever the patches print" "$(jq -r .prefixes[6].measured.reason "$out")" \
	"b: n slower +1.71% exact"
run wb ci --base nosuch --trust
status 128
run wb ci --base base --trust HEAD~1..HEAD
status 129
one_error "one stack" "names a stack"

# out of time
rm -rf .git/wb "$XDG_CACHE_HOME"
run wb ci --base good --trust --budget 0.001s
status 125 "the budget"
ok "said" grep -q 'budget' "$err"

# a base that fails is nobody's fault
git checkout -q bad~1
git commit -q --allow-empty -m "src: on a broken base" -m "A reason." -s
run wb ci --base HEAD~1 --trust
status 1 "a patch that does not build is red all the same"
git rm -q src/broken
git commit -q -m "src: mends it" -m "A reason." -s
git tag -f mended >/dev/null
run wb ci --base HEAD~2 --trust
ok "the base is named" grep -q '^0 base: build: ' "$out"

# a quilt stack, whose expectations hold
git checkout -q good
git format-patch -q -o patches base..good
git checkout -q base
(cd patches && ls *.patch >series)
git config wb.series patches
git config wb-build.test 'sh test.sh; [ "$WB_SKIP" = known ]'
printf '[expect "base"]\n\tbreaks = known\n' >patches/expect
run wb ci --trust --json
status 0
is "the patches" "$(row 1), $(row 2)" "ok look ok ok look, ok look same ok ok"
is "their files are named" "$(jq -r '.prefixes[1].header_findings[0]' "$out")" \
	"a number in its name: the order is said by the series file alone"
run wb -c wb-build.test='exit 7' ci --trust --json
status 1 "a test that says nothing"
is "how it ended" "$(jq -r '.prefixes[1].test.reason' "$out" | sed 's/log: .*/log/')" \
	"printed nothing (exit code 7, log"
echo garbage >>patches/0002-readme-more.patch
sed -i 's/^ a project/ no project/' patches/0002-readme-more.patch
run wb -c wb.profile=strict ci --trust --json
status 1 "what does not apply is red"
is "and is not built" "$(row 2)" "failed look - - -"

# shallow
git clone -q --depth 1 "file://$PWD" "$work/shallow" 2>/dev/null
cd "$work/shallow" || exit 1
run wb ci --base HEAD~1 --trust
status 128
one_error "what to do" "git fetch --unshallow"
done_testing
