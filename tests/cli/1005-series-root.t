# series trees --root: a plain folder, without a repository, gives the ids of
# git add -A -f and git write-tree.
. "$(dirname "$0")/../lib.sh"

mkdir -p "$work/src" "$work/p"
cd "$work/src" || exit 1
mkdir -p a/b/c 'a b' a.d empty/empty .git/objects x
seq 1 20 >a/f
seq 1 5 >a/b/c/g
printf 'one\r\ntwo\r\n' >dos
printf 'no newline' >a.c
printf '\0\1\2' >bin
: >zero
echo '* text=auto eol=lf' >.gitattributes
echo '*.o' >.gitignore
echo o >x/y.o
echo x >"$(printf 'latin\351')"
echo x >'a b/c d'
chmod 755 a/f
chmod 640 dos
ln -s nowhere dangling
ln -s ../a a.d/l
mkfifo pipe
echo secret >.git/config

cat >"$work/p/edit.patch" <<'P'
--- a/a/f
+++ b/a/f
@@ -1,3 +1,3 @@
 1
-2
+two
 3
P
cat >"$work/p/gone.patch" <<'P'
--- a/a/b/c/g
+++ /dev/null
@@ -1,5 +0,0 @@
-1
-2
-3
-4
-5
P
printf 'edit.patch\ngone.patch\n' >"$work/p/series"

tree() {	# tree DIR [EXCLUDED...]
	rm -rf "$work/g" "$work/copy"
	mkdir "$work/copy"
	(cd "$1" && tar cf - --exclude=./.git --exclude=./pipe .) |
		tar xf - -C "$work/copy"
	d=$1
	shift
	for e; do rm -rf "${work:?}/copy/$e"; done
	rm "$work/copy/.gitattributes"
	git init -q --bare "$work/g"
	git --git-dir="$work/g" --work-tree="$work/copy" add -A -f
	[ -e "$d/.gitattributes" ] && git --git-dir="$work/g" \
		update-index --add --cacheinfo "100644,$(git \
		--git-dir="$work/g" hash-object -w --no-filters "$d/.gitattributes"),.gitattributes"
	git --git-dir="$work/g" write-tree
}

run wb series trees --root=. ../p
status 0
is 'base' "$(sed -n 1p "$out")" "0	$(tree .)	base"
cp -a "$work/src" "$work/ref"
patch -s -d "$work/ref" -p1 <"$work/p/edit.patch"
is 'edited, the mode kept' "$(sed -n 2p "$out")" "1	$(tree "$work/ref")	edit"
rm -r "$work/ref/a/b"
is 'a folder that is left empty goes' "$(sed -n 3p "$out")" \
	"2	$(tree "$work/ref")	gone"

run wb series trees --root=. --exclude=x --exclude ./a/b/ ../p
is 'excluded' "$(sed -n 1p "$out")" "0	$(tree . x a/b)	base"
status 128 'then a patch fails'
one_error 'its file is gone' 'gone.patch:1: a/b/c/g: no such file'
is 'two rows before it' "$(wc -l <"$out")" 2

cd / || exit 1
run wb series trees --root="$work/src" "$work/p"
is 'from anywhere' "$(wc -l <"$out")" 3
run wb series trees "$work/p"
status 128
one_error 'without --root a repository is needed' 'not a git repository'
run wb series trees --root="$work/nothere" "$work/p"
one_error 'no such folder' 'No such file'
run wb series trees --json --root="$work/src" "$work/p"
ok 'JSON' grep -q '"schema": 1' "$out"

cd "$work/src" || exit 1
find . | sort >"$work/list"
run wb series trees --root=. ../p
find . | sort >"$work/list2"
ok 'the folder is as it was' cmp "$work/list" "$work/list2"
done_testing
