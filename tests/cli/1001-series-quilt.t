# wb series trees names the trees that quilt push makes.
. "$(dirname "$0")/../lib.sh"

command -v quilt >/dev/null || skip_all "quilt is not installed"
export QUILT_PATCHES=patches QUILT_SERIES=series QUILT_PC=.pc
unset QUILTRC

make_repo
mkdir -p core d patches/sub
seq 1 60 >core/a.c
seq 1 30 >d/b
printf 'no newline' >d/n
printf 'one\r\ntwo\r\nthree\r\n' >d/dos
chmod +x d/b
ln -s ../core d/l
commit base

cd patches || exit 1
cat >plain.patch <<'P'
From: Bo Field <bo@example.org>
Subject: [PATCH 1/9] core: say
 more

Words about it.

Signed-off-by: Bo Field <bo@example.org>
---
 core/a.c | 2 +-

--- a/core/a.c
+++ b/core/a.c
@@ -10,3 +10,3 @@
 10
-11
+eleven
 12
-- 
2.39.5
P
cat >sub/svn.diff <<'P'
Index: core/a.c
===================================================================
--- core/a.c	(revision 1)
+++ core/a.c	(working copy)
@@ -20,3 +20,4 @@
 20
+twenty and a half
 21
 22
P
cat >shifted.patch <<'P'
Description: the hunks stand elsewhere now
Author: Bo Field <bo@example.org>

--- a/core/a.c
+++ b/core/a.c
@@ -29,3 +29,3 @@
 30
-31
+thirty-one
 32
@@ -37,7 +37,7 @@
 yy
 39
 40
-41
+forty-one
 42
 43
 zz
P
cat >new.patch <<'P'
--- /dev/null
+++ b/x/y/z
@@ -0,0 +1,2 @@
+new
+file
--- a/d/n
+++ b/d/n
@@ -1 +1 @@
-no newline
\ No newline at end of file
+a newline
P
printf -- '--- a/d/dos\n+++ b/d/dos\n@@ -1,3 +1,3 @@\n one\r\n-two\r\n+zwei\r\n three\r\n' >dos.patch
cat >git.patch <<'P'
diff --git a/d/b b/d/c
similarity index 90%
rename from d/b
rename to d/c
old mode 100755
new mode 100644
index 1234567..89abcde
--- a/d/b
+++ b/d/c
@@ -1,3 +1,2 @@
-1
 2
 3
P
cat >gone.patch <<'P'
--- a/x/y/z
+++ /dev/null
@@ -1,2 +0,0 @@
-new
-file
P
cat >back.patch <<'P'
--- a/core/a.c
+++ b/core/a.c
@@ -10,3 +10,3 @@
 10
-11
+eleven
 12
P
gzip -c <<'P' >zipped.patch.gz
--- a/core/a.c
+++ b/core/a.c
@@ -50,3 +51,3 @@
 50
-51
+fifty-one
 52
P
: >empty.patch
cat >series <<'S'
# a comment
plain.patch
sub/svn.diff -p0 # behind a blank
  shifted.patch   -p1
new.patch
dos.patch
git.patch

gone.patch
back.patch -R
zipped.patch.gz
empty.patch
S
cd .. || exit 1

# what quilt makes of it, tree by tree
cp -a "$work/repo" "$work/quilt"
git init -q --bare "$work/g"
tree() {
	git --git-dir="$work/g" --work-tree=. read-tree --empty
	(git --git-dir="$work/g" --work-tree=. ls-files -o |
		grep -v '^patches/\|^\.pc/\|^\.git/' |
		git --git-dir="$work/g" --work-tree=. update-index --add --stdin)
	git --git-dir="$work/g" write-tree
}
cd "$work/quilt" || exit 1
printf '0\t%s\tbase\n' "$(tree)" >"$work/want"
k=0
while quilt push >/dev/null 2>&1; do
	k=$((k + 1))
	name=$(quilt top)
	name=${name#patches/}
	printf '%s\t%s\t%s\n' $k "$(tree)" "${name%.patch}" >>"$work/want"
done
is 'quilt pushes all' $k 10

cd "$work/repo" || exit 1
git status --porcelain=v2 >"$work/status"
run wb series trees -c wb.series=patches -c wb.profile=quilt
status 0
ok 'the trees of quilt' cmp "$out" "$work/want"
diff "$out" "$work/want" | sed 's/^/# /'
ok 'an offset is said' grep -q \
	'shifted:.*hunk 1 of core/a.c .*line 31 (offset 2, fuzz 0)' "$err"
ok 'a fuzz is said' grep -q 'hunk 2 of core/a.c .*fuzz 1' "$err"
run wb series trees --profile=quilt patches
ok 'the same by name' cmp "$out" "$work/want"
mkdir -p e
run wb -C e series trees --profile=quilt ../patches
ok 'the same from a folder below' cmp "$out" "$work/want"
run wb series trees --profile=quilt --root="$work/repo" --exclude=patches \
	--exclude=./e/ --exclude=.pc patches
ok 'the same onto the folder' cmp "$out" "$work/want"
git status --porcelain=v2 >"$work/status2"
ok 'the work tree is as it was' cmp "$work/status" "$work/status2"

run wb series trees --profile=strict patches
status 128
is 'two patches go in exactly' "$(wc -l <"$out")" 3
one_error 'strict' 'patches/shifted.patch:6: hunk 1 of core/a.c'
ok 'where it would go' grep -q 'nearest: line 31, all 3 lines' "$err"
run wb series trees --profile=dpkg patches
one_error 'dpkg has no fuzz' 'hunk 2 of core/a.c.*5 of 7 lines'
run wb series trees --profile=quilt --fuzz=0 patches
status 128
is 'fuzz 0 stops there, too' "$(wc -l <"$out")" 3
run wb series trees --profile=dpkg --fuzz=1 patches
status 0
run wb series trees --profile=git --fuzz=1 patches
status 129

run wb series list -v --profile=quilt patches
status 0
is 'ten rows and a head' "$(wc -l <"$out")" 11
ok 'subject, folded, without its tag' \
	grep -q '^1 *plain *1 file +1 -1 *applies *Signed-off-by *core: say more$' "$out"
ok 'the subject of a description' grep -q '3 .*the hunks stand elsewhere now$' "$out"
ok 'offsets' grep -q 'offset 2' "$err"
run wb series --profile=quilt patches
ok 'trailers only with -v' grep -q \
	'^1 *plain *1 file +1 -1 *applies *core: say more$' "$out"
run wb series --profile=strict patches
status 0 'a list of a stack that stops'
ok 'says where' grep -q '^3 *shifted .*does not apply' "$out"
ok 'and what comes behind' grep -q '^4 *new .*does not apply' "$out"
ok 'and why' grep -q 'patches/shifted.patch:6' "$err"
run wb series --json --profile=strict patches
ok 'as JSON' grep -q '"schema": 1' "$out"
ok 'with the author' grep -q '"author": "Bo Field <bo@example.org>"' "$out"
ok 'with trailers' grep -q '"key": "Signed-off-by"' "$out"
ok 'not reached' grep -q '"why": "not reached: shifted does not apply"' "$out"

done_testing
