# A range of commits as a stack: git's own tree ids, by first parents.
. "$(dirname "$0")/../lib.sh"

make_repo
mkdir d
seq 1 9 >d/f
printf '* text=auto eol=crlf\n' >.gitattributes
commit base
git tag v1
git config core.autocrlf true
for i in 1 2 3; do
	echo "line $i" >>d/f
	commit "d: step $i

Words.

Signed-off-by: Bo Field <bo@example.org>
Tested-by: Cy Rill <cy@example.org>"
done
git checkout -q -b side v1
echo s >side
commit 'side: begin'
echo s >>side
commit 'side: end'
git checkout -q main
git merge -q --no-ff -m 'merge side' side
ln -s d l
commit 'l: a link'

want() {	# want BASE TIP: what rev-parse says
	echo "0	$(git rev-parse "$1^{tree}")	base"
	k=0
	for c in $(git rev-list --reverse --first-parent "$1..$2"); do
		k=$((k + 1))
		echo "$k	$(git rev-parse "$c^{tree}")	$(echo $c | cut -c1-12)"
	done
}
same() {	# same NAME RANGE BASE TIP
	want "$3" "$4" >"$work/want"
	run wb series trees "$2"
	status 0 "$1"
	ok "$1: as git has them" cmp "$out" "$work/want"
}
same 'a range with a merge' v1..main v1 main
is 'five steps, the merge being one' "$(wc -l <"$out")" 6
same 'up to HEAD' v1.. v1 HEAD

# every commit, parents before children
run wb series trees --full-history v1..main
status 0
is 'the base' "$(sed -n 1p "$out" | cut -f2)" "$(git rev-parse 'v1^{tree}')"
is 'as many as git log has' "$(sed 1d "$out" | wc -l)" \
	"$(git rev-list v1..main | wc -l)"
seen=$(git rev-parse v1) late=
sed 1d "$out" | cut -f2,3 >"$work/rows"
while read -r tree name; do
	is "tree of $name" "$tree" "$(git rev-parse "$name^{tree}")"
	for p in $(git rev-parse "$name^@"); do
		case $seen in *"$p"*) ;; *) late="$late $name" ;; esac
	done
	seen="$seen $(git rev-parse "$name")"
done <"$work/rows"
is 'parents come first' "$late" ''
run wb series trees --full-history "$work"
status 129 'a folder has no history'
same 'nothing' main..main main main
is 'is the base alone' "$(wc -l <"$out")" 1
same 'commits by id' "$(git rev-parse v1)..$(git rev-parse --short main~2)" v1 main~2
same 'where A went on' side..main v1 main
git checkout -q -b other v1
echo o >o
commit 'other'
git checkout -q main
same 'where A and B parted' other..main v1 main
git branch v1..x 2>/dev/null
mkdir 'v1..main'
: >'v1..main/series'
run wb series trees v1..main
is 'a folder of that name comes first' "$(wc -l <"$out")" 1
rm -r 'v1..main'

run wb series list -v v1..main
status 0
ok 'a row' grep -q \
	'^1 *[0-9a-f]\{12\} *1 file +1 -0 *applies *Signed-off-by, Tested-by *d: step 1$' "$out"
ok 'a merge counts what it brought' grep -q '^4 .*1 file +2 -0 .*merge side$' "$out"
run wb series --json v1..main
ok 'as JSON' grep -q '"author": "Ada Marsh <ada.marsh@example.org>"' "$out"

run wb series trees main..v1
status 128
one_error 'the wrong way round' 'did you mean v1..main'
git checkout -q --orphan alone
commit 'alone'
git checkout -q main
run wb series trees alone..main
one_error 'no common history' 'no history in common'
run wb series trees nothere..main
one_error 'no such revision' 'nothere: no such revision'
run wb series trees v1...main
status 129
one_error 'three dots' 'two dots'
run wb series trees --root=. v1..main
status 129
run wb series trees --exclude=d v1..main
is 'less a folder' "$(cut -f2 "$out" | sed -n 2p)" "$(cut -f2 "$out" | sed -n 1p)"

cp -a .git "$work/before"
run wb series trees v1..main
ok 'nothing was written' diff -r .git "$work/before"

git clone -q --depth 2 "file://$work/repo" "$work/shallow"
run wb -C "$work/shallow" series trees HEAD~1..HEAD
is 'a shallow clone' "$(wc -l <"$out")" 2
git -C "$work/shallow" commit -q --allow-empty -m more
git -C "$work/shallow" checkout -q --orphan lone
git -C "$work/shallow" commit -q -m lone
run wb -C "$work/shallow" series trees main..lone
one_error 'a shallow clone that ends too early' 'git fetch --unshallow'

# a name that ends in a blank, in a patch that has it in "diff --git" alone
make_repo "$work/blank"
printf 'a\0b' >'end '
printf 'x\n' >'mode '
commit base
printf 'a\0c' >'end '
chmod +x 'mode '
commit next
mkdir "$work/stack"
git diff --binary HEAD~1 HEAD >"$work/stack/p.patch"
echo p.patch >"$work/stack/series"
tree=$(git rev-parse 'HEAD^{tree}')
git checkout -q HEAD~1
for profile in strict git quilt; do
	run wb series trees --profile=$profile "$work/stack"
	is "$profile: a name that ends in a blank" \
		"$(cut -f2 "$out" | sed -n 2p)" "$tree"
done
done_testing
