# The work tree as a last prefix: what git add -A would make, without adding.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../stack.sh"

make_repo
mkdir d e
seq 9 >f
echo x >d/g
echo y >e/h
echo l >link
echo '*.o' >.gitignore
printf '*.crlf text eol=crlf\n' >.gitattributes
commit base
echo step >>f
commit step
seq 3 >f			# changed
echo staged >s && git add s	# added
rm -r d && echo file >d		# a folder becomes a file
mkdir -p n/m && echo new >n/m/new	# new
rm e/h				# gone
rm link && ln -s f link		# a link now
chmod +x .gitignore		# a mode
echo junk >junk.o		# ignored
git add -f junk.o && echo junk2 >>junk.o
printf 'a\r\nb\r\n' >t.crlf
before=$(fingerprint)
cp .git/index "$work/index"
want=$(GIT_INDEX_FILE="$work/index" GIT_OBJECT_DIRECTORY="$work/objects" \
	GIT_ALTERNATE_OBJECT_DIRECTORIES="$PWD/.git/objects" \
	sh -c 'mkdir -p "$GIT_OBJECT_DIRECTORY" && git add -A 2>/dev/null && git write-tree')
run wb series trees --wip HEAD~1..
status 0
is 'the tree of git add -A' "$(sed -n 3p "$out")" "2	$want	wip"
is 'the commits before it' "$(sed -n 2p "$out" | cut -f2)" \
	"$(git rev-parse 'HEAD^{tree}')"
run wb series trees --wip --exclude=n HEAD~1..
not_ok 'less what is excluded' grep -q "$want" "$out"
run wb series list --wip HEAD~1..
ok 'in the list' grep -q '^2 *wip .*the work tree' "$out"
mkdir -p "$work/q"
printf -- '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-nothing\n+x\n' >"$work/q/bad.patch"
echo bad.patch >"$work/q/series"
run wb series trees --wip "$work/q"
status 128
one_error 'behind a stack that stops' 'q/bad.patch:3'
is 'index, work tree, refs and objects are as they were' "$(fingerprint)" \
	"$before"

# a clean filter is a program of somebody's: it is not run
git config filter.evil.clean "touch '$work/ran'; cat"
echo '*.e filter=evil' >.gitattributes
echo e >a.e
run wb series trees --wip HEAD~1..
status 0
not_ok 'no filter ran' test -e "$work/ran"
run wb series trees --wip --root=. "$work/q"
status 129
git clone -q --bare . "$work/bare" && cd "$work/bare" || exit 1
run wb series trees --wip HEAD~1..HEAD
status 128
one_error 'bare' 'has no work tree'
done_testing
