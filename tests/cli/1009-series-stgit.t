# StGit stacks: those of the program that is here, and the other two formats.
. "$(dirname "$0")/../lib.sh"

make_repo
seq 9 >f
commit base
git tag base
for n in one two; do echo $n >>f && commit "$n: say it"; done
want() {	# the trees of base, one, two under their StGit names
	k=0
	for x in base:base main~1:one main:two; do
		echo "$k	$(git rev-parse "${x%%:*}^{tree}")	${x#*:}"
		k=$((k + 1))
	done
}
want >"$work/want"
right() {	# right NAME [BRANCH]
	before=$(fingerprint_refs)
	run wb series trees --stgit ${2:+"$2"}
	status 0 "$1"
	ok "$1: the trees" cmp "$out" "$work/want"
	is "$1: no ref moved" "$(fingerprint_refs)" "$before"
}
fingerprint_refs() { git for-each-ref; find .git/objects -type f | sort; }

run wb series trees --stgit
status 128
one_error 'no stack' 'branch main has no StGit stack'

# as StGit 1 and later write it
one=$(git rev-parse main~1) two=$(git rev-parse main)
stack() {
	printf '{"version":5,"prev":null,"head":"%s","applied":["one","two"],"unapplied":["three"],"hidden":[],"patches":{"one":{"oid":"%s"},"two":{"oid":"%s"},"three":{"oid":"%s"}}}' \
		"$two" "$one" "$1" "$two"
}
keep() {	# keep REF NAME: stdin as file NAME of a commit
	blob=$(git hash-object -w --stdin)
	tree=$(printf '100644 blob %s\t%s\n' "$blob" "$2" | git mktree)
	git update-ref "$1" "$(git commit-tree -m stack "$tree")"
}
stack "$two" | keep refs/stacks/main stack.json
right 'refs/stacks'
git checkout -q base
right 'a named branch' main
run wb series trees --stgit
one_error 'no branch' 'HEAD is on no branch'
git checkout -q main
stack deadbeef | keep refs/stacks/main stack.json
run wb series trees --stgit
status 128
one_error 'no commit' 'stack.json names no commit for applied patch 2'
stack "$(git rev-parse base)" | keep refs/stacks/main stack.json
run wb series trees --stgit
one_error 'no chain' 'not a chain of commits'
echo '{' | keep refs/stacks/main stack.json
run wb series trees --stgit
status 128 'damaged JSON'
git update-ref -d refs/stacks/main

# as 0.x wrote it
printf 'Version: 1\nPrevious: None\nHead: %s\nApplied:\n  one: %s\n  two: %s\nUnapplied:\n  three: %s\nHidden:\n' \
	"$two" "$one" "$two" "$two" | keep refs/heads/main.stgit meta
right 'a branch main.stgit'
git update-ref -d refs/heads/main.stgit
mkdir -p .git/patches/main
printf 'one\ntwo\n' >.git/patches/main/applied
git update-ref refs/patches/main/one "$one"
git update-ref refs/patches/main/two "$two"
right 'files and refs/patches'
: >.git/patches/main/applied
run wb series trees --stgit
is 'nothing applied: the branch' "$(cat "$out")" \
	"0	$(git rev-parse 'main^{tree}')	base"
rm -r .git/patches
run wb series list --stgit base..main --mbox x
status 129

# the real one
if command -v stg >/dev/null; then
	git reset -q --hard base
	git update-ref -d refs/patches/main/one
	git update-ref -d refs/patches/main/two
	stg init >"$work/stg.log" 2>&1
	for n in one two three; do
		stg new -m "$n: say it" $n && echo $n >>f && stg refresh
	done >"$work/stg.log" 2>&1
	stg pop >>"$work/stg.log" 2>&1
	k=0
	for x in HEAD~2:base HEAD~1:one HEAD:two; do
		echo "$k	$(git rev-parse "${x%%:*}^{tree}")	${x#*:}"
		k=$((k + 1))
	done >"$work/want"
	right "$(stg --version | sed -n 's/^Stacked GIT/StGit/p')"
	stg pop -a >"$out" 2>&1
	run wb series trees --stgit
	is 'popped: the base alone' "$(wc -l <"$out")" 1
else
	echo "# SKIPPED: StGit itself (package stgit)" >&2
fi
done_testing
