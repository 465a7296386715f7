# wb ci on a quilt stack: what an earlier revision had already is not done
# again, and a cost that the folder expects passes. Then: hostile words, ranges
# that are long or hold merges, kill -9, full disks.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../gate.sh"

make_project patches
unchanged() {
	jq -r '[.prefixes[].unchanged] | join(" ")' "$out"
}
traced() {
	for f in builds tests; do cat "$TRACE/$f" 2>/dev/null | wc -l; done |
		paste -sd' '
	rm -f "$TRACE"/*
}
# stack: patches/ is made of the commits base..work, named by their subjects
stack() {
	git format-patch -q --no-numbered -o "$work/new" base..work
	for f in "$work"/new/*; do
		mv "$f" "$work/new/$(basename "$f" | cut -c6-)"
	done
	git checkout -q main
	rm -rf patches
	mkdir patches
	git log --reverse --format=%f base..work | sed 's/$/.patch/' >patches/series
	mv "$work"/new/* patches/
	git add -A
	git commit -qm "$1"
}
git checkout -qb work
patch_ one 'echo 990 >src/cost'
patch_ two 'echo "int two;" >src/two'
patch_ three 'echo 980 >src/cost'
stack "stack: v1"
git tag v1
run wb ci --trust
status 0
traced >/dev/null
rm -rf .git/wb "$XDG_CACHE_HOME"	# another machine

# no change to the stack, but to the rest of the tree
echo more >>README
commit "readme: more"
run wb ci --base v1 --trust patches --json
status 0
is "all are known" "$(unchanged)" "true true true true"
is "so nothing is done" "$(traced)" "0 0"
is "and that is said" "$(row 1), $(row 3)" "ok look same same same, ok look same same same"
ok "how many" grep -q '0 of 4 prefixes of patches are not in the stack of v1' "$err"

# the second patch changes: what is above it changes with it
git checkout -q work
git reset -q --hard HEAD~2
patch_ two 'echo "int other;" >src/two'
patch_ three 'echo 980 >src/cost'
stack "stack: v2"
run wb ci --base v1 --trust patches --json
status 0
is "it and what stands on it" "$(unchanged)" "true true false false"
is "base and the one below are built, to compare with" "$(traced)" "4 2"
is "each has its verdict" "$(row 1), $(row 2), $(row 3)" \
	"ok look same same same, ok look ok ok ok, ok look ok ok look"
is "against the one before" "$(jq -r '.prefixes[3].measured.reason' "$out")" \
	"b: n faster -1.01% exact"
ok "and named" grep -q 'to check: 2 two' "$err"
run wb ci --base base --trust patches --json
ok "where REV has no stack all is checked" grep -q 'base has no stack in patches' "$err"
is "truly" "$(jq '[.prefixes[] | select(.unchanged)] | length' "$out")" 0
cp -r patches "$work/elsewhere"
run wb ci --base v1 --trust "$work/elsewhere"
status 129 "a folder elsewhere"
one_error "has no old version" "not in the work tree"
is "no folder stays behind" "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'wb-stack-*' -newer "$work/elsewhere")" ""

# a loss, and one that is expected
git tag v2
git checkout -q work
patch_ four 'echo 1020 >src/cost'
stack "stack: v3"
run wb ci --base v2 --trust patches --json
status 1 "a loss"
is "of the new patch alone" "$(row 4)" "ok look ok ok failed"
printf '[expect "four"]\n\tcosts = other\n' >patches/expect
run wb ci --base v2 --trust patches
status 1 "another metric's cost does not excuse it"
printf '[expect "four.patch"]\n\tcosts = n*\n' >patches/expect
run wb ci --base v2 --trust patches --json
status 0 "a cost that is known"
is "is told" "$(jq -r '.prefixes[4].measured | .state + " " + .reason' "$out")" \
	"look b: n slower +4.08% exact"
printf '[expect "four"]\n\tworth = n\n' >patches/expect
run wb ci --trust
status 128 "no word of ours"
one_error "named" "costs = METRIC"
git clean -qfd patches
git checkout -q work

# words of strangers
patch_ "x: a <b>&\"']]> | \`rm\` ##[add-mask]x %0A ::set-output" 'printf "src/two:1: warning: ##[error] ]]> <&\\n::error::x\\n" >src/log'
git commit -q --amend -m "$(printf 'x: \351 \033[31m ##[add-mask]x\n\nWhy.')"
GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$work/sum" run wb ci --base HEAD~1 --trust \
	--junit "$work/j" --comment "$work/c" --code-quality "$work/q"
status 0
not_ok "no command of theirs" grep -vE '^::(warning|error|notice) (file=[^:]*,)?title=' \
	-e '^[^:]' "$out"
not_ok "of either kind" sh -c 'cat "$1" "$2" | grep -v "^::" | grep -F "##["' - "$out" "$err"
ok "the warning is there all the same" grep -q 'new warning: ##.x5berror\] \]\]> <&' "$out"
if command -v xmllint >/dev/null; then
	ok "XML" xmllint --noout --schema "$data/junit.xsd" "$work/j"
else
	ok "XML # SKIP no xmllint (package libxml2-utils)" true
fi
ok "JSON" jq -e . "$work/q"
not_ok "no control byte" grep -lP '[\x00-\x08\x0b-\x1f]' "$work/j" "$work/c" "$work/sum" "$out"

# a merge is one step
git checkout -qb side HEAD~1
patch_ "x: aside" 'echo a >src/aside'
git checkout -q work
git merge -qm "merge: side" side
run wb ci --base HEAD~1 --trust --json
status 0
is "one" "$(jq '.prefixes | length' "$out")" 2

# a reader of a full disk, or of a file that may not be written
if [ -e /dev/full ]; then
	GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=/dev/full run wb ci --base HEAD~1 --trust
	status 128 "a full disk is said"
	ok "where" grep -q 'error: /dev/full: ' "$err"
fi
traced >/dev/null
rm -rf .git/wb "$XDG_CACHE_HOME"
for o in junit summary comment code-quality; do
	run wb ci --base HEAD~1 --trust --$o "$work/nowhere/file"
	status 128 "--$o has no place"
	one_error "said" "nowhere/file"
	is "before anything is built" "$(traced)" "0 0"
done

# kill -9 on the way, then again
git checkout -q v2
rm -rf .git/wb "$XDG_CACHE_HOME" "$TRACE"/*
before=$(git status --porcelain=v2 -uall; git for-each-ref)
for t in 0.05 0.2 0.4; do
	timeout -s KILL $t wb ci --trust >/dev/null 2>&1
done
run wb ci --trust --json
status 0 "after kill -9"
# what was through before the kill is not done again
is "the same verdicts" "$(echo "$(row 1), $(row 2), $(row 3)" | sed 's/same/ok/g')" \
	"ok look ok ok look, ok look ok ok ok, ok look ok ok look"
is "nothing of the user's is touched" "$before" \
	"$(git status --porcelain=v2 -uall; git for-each-ref)"

# many patches: a comment stays postable
git checkout -qf base
git config wb-build.command true
git config wb-build.test true
for i in $(seq 200); do
	echo $i >README
	git commit -qam "No area $i, and a subject that is longer than a line of a mail should ever be, to say the least of it."
done
run wb ci --base base --trust --bench b --comment "$work/c" --json
ok "200 patches" [ "$(jq '.prefixes | length' "$out")" = 201 ]
ok "and a comment that GitHub takes" [ "$(wc -m <"$work/c")" -lt 65000 ]
ok "which says what is left out" grep -qE 'left out' "$work/c"
done_testing
