# Where a stack is looked for, in every kind of repository.
. "$(dirname "$0")/../lib.sh"

make_repo
seq 1 9 >f
mkdir -p series sub/deep
cat >series/p.patch <<'P'
--- a/f
+++ b/f
@@ -1,2 +1,2 @@
-1
+A
 2
P
echo p.patch >series/series
commit base
run wb series trees
status 0
cp "$out" "$work/want"
is 'two rows' "$(wc -l <"$work/want")" 2
is 'the base is the tree of HEAD' "$(sed -n 1p "$out" | cut -f2)" \
	"$(git rev-parse 'HEAD^{tree}')"
same() {
	status 0 "$1"
	ok "  the same rows" cmp "$out" "$work/want"
}
cd sub/deep || exit 1
run wb series trees
same 'the default from a folder below'
run wb series trees ../../series
same 'a path from there'
cd ../.. || exit 1
run wb series trees "$work/repo/series/"
same 'an absolute path'
run wb series trees -c wb.series=./series
same 'wb.series'
echo changed >f
run wb series trees
same 'what is not committed does not count'
git checkout -q f
git worktree add -q "$work/tree" HEAD
run wb -C "$work/tree" series trees
same 'a linked work tree'
git init -q --separate-git-dir="$work/apart" "$work/apart-tree"
cp -a f series "$work/apart-tree"
(cd "$work/apart-tree" && mkdir -p sub && commit base)
run wb -C "$work/apart-tree" series trees
is 'a .git file' "$(wc -l <"$out")" 2
git clone -q --reference "$work/repo" --shared "$work/repo" "$work/shared"
run wb -C "$work/shared" series trees
same 'objects in an alternate'
git clone -q --bare "$work/repo" "$work/bare"
cd "$work/bare" || exit 1
run wb series trees
status 128
one_error 'a bare repository' 'a bare repository has no work tree'
run wb series trees "$work/repo/series"
same 'a bare repository with a folder outside'
run wb series trees HEAD..HEAD
status 0 'a bare repository with a range'
cd "$work/repo" || exit 1
GIT_DIR=$work/bare run wb series trees "$work/repo/series"
same 'GIT_DIR'

chmod -R a-w .git
run wb series trees
same 'a repository that cannot be written to'
chmod -R u+w .git

git init -q "$work/new"
cp -a series "$work/new"
run wb -C "$work/new" series trees
one_error 'no commit yet' 'HEAD names no commit yet'
mkdir "$work/none"
run wb -C "$work/none" series trees
one_error 'no repository' 'not a git repository (or any parent up to /)'
if git init -q --object-format=sha256 "$work/sha256" 2>/dev/null; then
	run wb -C "$work/sha256" series
	one_error 'SHA-256' 'names its objects by SHA-256'
fi
git init -q "$work/ext"
git -C "$work/ext" config core.repositoryFormatVersion 1
git -C "$work/ext" config extensions.frobnicate true
run wb -C "$work/ext" series
one_error 'an extension' 'the extension frobnicate, which wb cannot read'
if [ "$(id -u)" = 0 ]; then
	git init -q "$work/owned"
	chown -R 12345 "$work/owned"
	run wb -C "$work/owned" series
	one_error 'another owner' 'safe.directory'
	git config --global safe.directory '*'
	run wb -C "$work/owned" series
	one_error 'every owner is trusted' 'no stack there'
	git config --global --add safe.directory ''
	run wb -C "$work/owned" series
	one_error 'no more' 'safe.directory'
	git config --global --add safe.directory "$work/owned"
	run wb -C "$work/owned" series
	one_error 'another owner, trusted' 'no stack there'
fi
done_testing
