# Every form of patch, applied by wb and by the programs whose rules its
# profiles follow: the same tree, or both refuse. Where wb is meant to differ
# the case says so.
. "$(dirname "$0")/../lib.sh"

for p in patch git; do
	command -v $p >/dev/null || skip_all "$p is not installed"
done

# The tree id of folder $1, as git makes it.
tree_of() {
	rm -rf "$work/g"
	git init -q --bare "$work/g"
	git --git-dir="$work/g" --work-tree="$1" -c core.autocrlf=false \
		add -A -f . 2>/dev/null
	git --git-dir="$work/g" write-tree
}

# What program $1 makes of base and patch: a tree id, or "no".
refer() {
	rm -rf "$work/ref"
	cp -a "$work/base" "$work/ref"
	rc=0
	case $1 in
	quilt)	patch -d "$work/ref" -p1 -s -f -F2 --no-backup-if-mismatch \
			<"$work/stack/p.patch" >"$work/ref.out" 2>&1 || rc=1 ;;
	dpkg)	patch -d "$work/ref" -p1 -s -t -F0 -N -u -E \
			--no-backup-if-mismatch \
			<"$work/stack/p.patch" >"$work/ref.out" 2>&1 || rc=1 ;;
	git)	(cd "$work/ref" && git apply "$work/stack/p.patch") \
			>"$work/ref.out" 2>&1 || rc=1 ;;
	esac
	[ $rc = 0 ] && tree_of "$work/ref" || echo no
}

ask_wb() {
	wb series trees --profile="$1" --root="$work/base" "$work/stack" \
		>"$out" 2>"$err"
	wb_rc=$?
	if [ $wb_rc = 0 ]; then sed -n 's/^1	\(.*\)	p$/\1/p' "$out"
	elif [ $wb_rc = 128 ]; then echo no
	else echo "exit code $wb_rc"; fi
}

# begin: an empty base and no patch; f is a file of twenty lines
begin() {
	rm -rf "$work/base" "$work/stack"
	mkdir -p "$work/base/d" "$work/stack"
	echo p.patch >"$work/stack/series"
	: >"$work/stack/p.patch"
	seq 1 20 >"$work/base/f"
	seq 1 5 >"$work/base/d/g"
	cd "$work/base" || exit 1
}
p() {	# p TEXT: adds to the patch, escapes as in printf %b
	printf '%b' "$1" >>"$work/stack/p.patch"
}

# same NAME [PROFILE=no|yes ...]: as the references do; an entry for a profile
# says that wb refuses what the program takes, or takes what it refuses
same() {
	name=$1
	shift
	for profile in quilt dpkg git; do
		want=$(refer $profile)
		got=$(ask_wb $profile)
		case " $* " in
		*" $profile=no "*)
			is "$name, $profile: refused" "$got" no
			not_ok "  which $profile takes" [ "$want" = no ] ;;
		*" $profile=yes "*)
			not_ok "$name, $profile: taken" [ "$got" = no ]
			is "  which $profile refuses" "$want" no ;;
		*)
			is "$name, $profile" "$got" "$want"
			[ "$got" = "$want" ] || sed 's/^/# ref: /' "$work/ref.out" ;;
		esac
	done
}

H='@@ -9,3 +9,3 @@\n 9\n-10\n+X\n 11\n'
GIT='diff --git a/f b/f\n'
AB='--- a/f\n+++ b/f\n'

begin; p "$GIT"'index 1234567..89abcde 100644\n'"$AB$H"; same 'git section'
begin; p "$AB$H"; same 'plain section'
begin; p 'Index: f\n=====\n--- a/f\t(revision 1)\n+++ b/f\t(working copy)\n'"$H"
same 'Subversion section'
begin; p '--- a/f\t2020-01-01 10:00:00.000000000 +0100\n+++ b/f\t2020-01-02 10:00:00.000000000 +0100\n'"$H"
same 'times behind names'
begin; p '--- x/f.orig\n+++ x/f\n'"$H"; same '.orig name'
begin; p '--- x/f\n+++ y/f.new\n'"$H"; same 'new name longer'
begin; p '--- x/d/g\n+++ y/d/g\n@@ -1,3 +1,3 @@\n 1\n-2\n+X\n 3\n'; same 'in a folder'
begin; p 'diff -r 123 f\n'"$AB$H"; same 'hg header'
begin; p "$AB"'@@ -7,3 +7,3 @@\n 9\n-10\n+X\n 11\n'; same 'offset +2'
begin; p "$AB"'@@ -19,3 +19,3 @@\n 9\n-10\n+X\n 11\n'; same 'offset -10'
begin; p "$AB"'@@ -4,3 +4,4 @@\n 5\n 6\n+X\n 7\n@@ -13,3 +14,4 @@\n 14\n 15\n+Y\n 16\n'
same 'two hunks with offset'
begin; (echo a; echo b; echo c; echo a; echo b; echo c; echo a; echo b; echo c) >f
p "$AB"'@@ -5,3 +5,3 @@\n a\n-b\n+X\n c\n'; same 'ambiguous offset'
begin; p "$AB"'@@ -8,5 +8,5 @@\n zz\n 9\n-10\n+X\n 11\n yy\n'; same 'fuzz 1'
begin; p "$AB"'@@ -7,7 +7,7 @@\n zz\n zz\n 9\n-10\n+X\n 11\n yy\n yy\n'; same 'fuzz 2'
begin; p "$AB"'@@ -6,9 +6,9 @@\n zz\n zz\n zz\n 9\n-10\n+X\n 11\n yy\n yy\n yy\n'
same 'fuzz 3'
begin; p "$AB"'@@ -10 +10 @@\n-10\n+X\n'; same 'no context'
begin; p "$AB"'@@ -10,0 +11 @@\n+X\n'; same 'no context, insertion'
begin; p "$AB"'@@ -7,4 +7,4 @@\n 7\n 8\n 9\n-10\n+X\n'; same 'short context at the end'
begin; echo 0 | cat - f >f2; mv f2 f
p "$AB"'@@ -1,3 +1,4 @@\n+X\n 1\n 2\n 3\n'; same 'at line 1 of a file with a new top line'
begin; p "$AB"'@@ -13,3 +13,3 @@\n 13\n-14\n+Y\n 15\n@@ -3,3 +3,3 @@\n 3\n-4\n+X\n 5\n'
same 'hunks out of order'
begin; p "$AB"'@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+X\n 6\n 7\n@@ -6,5 +6,5 @@\n 6\n 7\n-8\n+Y\n 9\n 10\n'
same 'hunks that overlap'
begin; p "$AB"'@@ -9,2 +9,2 @@\n 9\n-10\n+X\n 11\n'; same 'counts too small'
begin; p "$AB"'@@ -9,4 +9,4 @@\n 9\n-10\n+X\n 11\n'; same 'counts too big'
begin; p "$AB"'@@ -9,9 +9,9 @@\n 9\n-10\n+X\n 11\n'; same 'cut off inside a hunk'
begin; p "$AB$H"'\nsome words\n-- \n2.39.5\n\n--- a/d/g\n+++ b/d/g\n@@ -1,3 +1,3 @@\n 1\n-2\n+X\n 3\ntail\n'
same 'words between files and behind'
begin; p "$AB"'@@ -3,3 +3,3 @@\n 3\n-4\n+X\n 5\nwords\n@@ -13,3 +13,3 @@\n 13\n-14\n+Y\n 15\n'
same 'words between hunks'
begin; p 'Text\n--- foo\n+++ bar\nmore\n\n'"$AB$H"; same 'header lines in the description'
begin; p 'diff --git a/new b/new\nnew file mode 100644\nindex 0000000..1234567\n--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+a\n+b\n'
same 'new file, git'
begin; p 'diff --git a/new b/new\nnew file mode 100755\nindex 0000000..1234567\n--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+a\n+b\n'
same 'new program, git'
begin; p '--- a/x/y/new\t1970-01-01 01:00:00.000000000 +0100\n+++ b/x/y/new\t2020-01-02 10:00:00.000000000 +0100\n@@ -0,0 +1 @@\n+a\n'
same 'new file, epoch'
begin; p '--- a/new\t2020-01-01 01:00:00.000000000 +0100\n+++ b/new\t2020-01-02 10:00:00.000000000 +0100\n@@ -0,0 +1 @@\n+a\n'
same 'new file, no epoch'
begin; p '--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n'; same 'new file that exists'
begin; p 'diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n'
same 'new file that exists, git'
begin; : >f; p '--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n'; same 'new file that exists, empty'
begin; p '--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+a\n'; same 'empty range on a file with content'
begin; p 'diff --git a/new b/new\nnew file mode 100644\nindex 0000000..e69de29\n'; same 'new empty file'
begin; : >e; p 'diff --git a/e b/e\ndeleted file mode 100644\nindex e69de29..0000000\n'; same 'deleted empty file'
begin; p '--- a/d/g\n+++ /dev/null\n@@ -1,5 +0,0 @@\n-1\n-2\n-3\n-4\n-5\n'; same 'deleted file'
begin; p 'diff --git a/d/g b/d/g\ndeleted file mode 100644\n--- a/d/g\n+++ /dev/null\n@@ -1,5 +0,0 @@\n-1\n-2\n-3\n-4\n-5\n'
same 'deleted file, git'
begin; p '--- a/d/g\t2020-01-01 10:00:00 +0000\n+++ b/d/g\t1970-01-01 00:00:00 +0000\n@@ -1,5 +0,0 @@\n-1\n-2\n-3\n-4\n-5\n'
same 'deleted file, epoch'
begin; p '--- a/d/g\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-1\n-2\n-3\n'; same 'deletion that leaves content'
begin; p '--- a/d/g\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-1\n-2\n-Z\n'; same 'deletion of other content'
begin; p '--- a/d/g\n+++ b/d/g\n@@ -1,5 +0,0 @@\n-1\n-2\n-3\n-4\n-5\n'; same 'emptied file'
begin; p 'diff --git a/f b/h\nsimilarity index 100%\nrename from f\nrename to h\n'; same 'rename'
begin; p 'diff --git a/f b/x/h\nsimilarity index 90%\nrename from f\nrename to x/h\nindex 1234567..89abcde 100644\n--- a/f\n+++ b/x/h\n'"$H"
same 'rename with edit'
begin; p 'diff --git a/f b/d/g\nsimilarity index 100%\nrename from f\nrename to d/g\n'; same 'rename onto a file' quilt=no dpkg=no
begin; p 'diff --git a/f b/h\nsimilarity index 100%\ncopy from f\ncopy to h\n'; same 'copy'
begin; p 'diff --git a/f b/h\nsimilarity index 90%\ncopy from f\ncopy to h\n--- a/f\n+++ b/h\n'"$H"; same 'copy with edit'
begin; p "$GIT$AB$H"'diff --git a/f b/h\nsimilarity index 100%\ncopy from f\ncopy to h\n'
same 'copy of a file edited above'
begin; p 'diff --git a/f b/d/g\nsimilarity index 100%\nrename from f\nrename to d/g\ndiff --git a/d/g b/f\nsimilarity index 100%\nrename from d/g\nrename to f\n'
same 'two files swapped'
begin; p "$GIT"'old mode 100644\nnew mode 100755\n'; same 'mode alone'
begin; p "$GIT"'old mode 100644\nnew mode 100755\nindex 1234567..89abcde\n'"$AB$H"; same 'mode and edit'
begin; chmod 755 f; p "$GIT"'index 1234567..89abcde 100644\n'"$AB$H"; same 'edit of a program as a plain file'
begin; p "$GIT"'index 1234567..89abcde 100644\nBinary files a/f and b/f differ\n'; same 'binary stub'
begin; printf 'a\nb' >f; p "$AB"'@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n'
same 'newline added at the end'
begin; printf 'a\nb\n' >f; p "$AB"'@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n'
same 'newline taken at the end'
begin; printf 'a\nb' >f; p "$AB"'@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n'
same 'no newline on both sides'
begin; printf '9\n10\n11' >f; p "$AB"'@@ -1,3 +1,3 @@\n 9\n-10\n+X\n 11\n'; same 'file without the newline of the context'
begin; printf '9\r\n10\r\n11\r\n' >f; p "$AB"'@@ -1,3 +1,3 @@\n 9\r\n-10\r\n+X\r\n 11\r\n'; same 'CR LF in the content'
begin; printf '9\r\n10\r\n11\r\n' >f; p '--- a/f\r\n+++ b/f\r\n@@ -1,3 +1,3 @@\r\n 9\r\n-10\r\n+X\r\n 11\r\n'
same 'CR LF throughout, file with CR LF'
begin; p '--- a/f\r\n+++ b/f\r\n@@ -9,3 +9,3 @@\r\n 9\r\n-10\r\n+X\r\n 11\r\n'; same 'CR LF throughout, file with LF'
begin; printf '9\r\n10\r\n11\r\n' >f; p "$AB"'@@ -1,3 +1,3 @@\n 9\n-10\n+X\n 11\n'; same 'LF, file with CR LF'
begin; printf 'a\n\nb\n' >f; p "$AB"'@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n'; same 'empty context line without its blank'
begin; p '*** a/f\n--- b/f\n***************\n*** 9,11 ****\n  9\n! 10\n  11\n--- 9,11 ----\n  9\n! X\n  11\n'
same 'context diff' quilt=no
begin; p '10c10\n< 10\n---\n> X\n'; same 'normal diff without a name'
begin; p 'Index: f\n10c\nX\n.\n'
for profile in quilt dpkg git strict; do
	is "ed script, $profile: refused" "$(ask_wb $profile)" no
	ok "  and says so" grep -q 'p.patch:4: refused: an ed script' "$err"
done
begin; same 'empty patch file' git=yes
begin; p 'Only words.\n'; same 'words alone'
begin; cp f 'a b'; p '--- a/a b\n+++ b/a b\n'"$H"; same 'blank in a plain name'
begin; cp f 'a b'; p '--- a/a b\t\n+++ b/a b\t\n'"$H"; same 'blank in a plain name, with a tab'
begin; cp f "$(printf '\303\251')"; p '--- "a/\\303\\251"\n+++ "b/\\303\\251"\n'"$H"; same 'quoted name'
begin; cp f "$(printf '\303\251')"; p 'diff --git "a/\\303\\251" "b/\\303\\251"\nold mode 100644\nnew mode 100755\n'
same 'quoted name, mode alone'
begin; cp f 'a b'; p 'diff --git a/a b b/a b\nold mode 100644\nnew mode 100755\n'; same 'blank in a git name, mode alone' quilt=yes dpkg=yes
begin; p "$GIT$AB$H"'diff --git a/f b/f\n'"$AB"'@@ -9,3 +9,3 @@\n 9\n-X\n+Y\n 11\n'; same 'a file twice'
begin; p '--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n--- a/n\n+++ b/n\n@@ -1 +1 @@\n-a\n+b\n'; same 'made and then edited'
begin; p '--- a/../../../x\n+++ b/../../../x\n@@ -0,0 +1 @@\n+a\n'; same 'name with ..'
begin; p '--- /dev/null\n+++ /tmp/../x/../../y\n@@ -0,0 +1 @@\n+a\n'; same 'new name with ..'
begin; p '--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+a\n'; same 'name in .git' quilt=no dpkg=no
begin; ln -s d l; p '--- a/l/g\n+++ b/l/g\n@@ -1,3 +1,3 @@\n 1\n-2\n+X\n 3\n'; same 'behind a link' quilt=no dpkg=no
begin; ln -s f l; p '--- a/l\n+++ b/l\n'"$H"; same 'a link as a file'
begin; p 'diff --git a/l b/l\nnew file mode 120000\nindex 0000000..1234567\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+d/g\n\\ No newline at end of file\n'
same 'new link'
begin; ln -s f l; p 'diff --git a/l b/l\nindex 1234567..89abcde 120000\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-f\n\\ No newline at end of file\n+d/g\n\\ No newline at end of file\n'
same 'link to elsewhere'
begin; ln -s f l; p 'diff --git a/l b/l\ndeleted file mode 120000\nindex 1234567..0000000\n--- a/l\n+++ /dev/null\n@@ -1 +0,0 @@\n-f\n\\ No newline at end of file\n'
same 'deleted link'
begin; p 'diff --git a/l b/l\nnew file mode 120000\nindex 0000000..1234567\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+d\n\\ No newline at end of file\ndiff --git a/l/n b/l/n\nnew file mode 100644\n--- /dev/null\n+++ b/l/n\n@@ -0,0 +1 @@\n+a\n'
same 'link and then a file behind it' quilt=no dpkg=no
begin; p 'diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1,20 +0,0 @@\n'"$(seq 1 20 | sed 's/^/-/; s/$/\\n/' | tr -d '\n')"'diff --git a/f b/f\nnew file mode 120000\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+d\n\\ No newline at end of file\n'
same 'file becomes a link'
begin; p 'diff --git a/d/g b/d/g\ndeleted file mode 100644\n--- a/d/g\n+++ /dev/null\n@@ -1,5 +0,0 @@\n-1\n-2\n-3\n-4\n-5\ndiff --git a/d b/d\nnew file mode 100644\n--- /dev/null\n+++ b/d\n@@ -0,0 +1 @@\n+a\n'
same 'folder becomes a file' quilt=yes dpkg=yes
begin; p 'diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1,20 +0,0 @@\n'"$(seq 1 20 | sed 's/^/-/; s/$/\\n/' | tr -d '\n')"'diff --git a/f/n b/f/n\nnew file mode 100644\n--- /dev/null\n+++ b/f/n\n@@ -0,0 +1 @@\n+a\n'
same 'file becomes a folder' quilt=yes dpkg=yes
begin; p '--- a/d\n+++ b/d\n@@ -0,0 +1 @@\n+a\n'; same 'a folder as a file' git=no
begin; p '--- /dev/null\n+++ b/f/n\n@@ -0,0 +1 @@\n+a\n'; same 'below a file'
begin; p "$AB"'@@ -99999999999999999999,3 +9,3 @@\n 9\n-10\n+X\n 11\n'; same 'a line number without end' git=no
begin; p "$AB"'@@ -9,3 +9,4000000000 @@\n 9\n-10\n+X\n 11\n'; same 'a count without end'
begin; p '--- a/nothere\n+++ b/nothere\n'"$H"; same 'no such file'
begin; p "$AB"'@@ -9,3 +9,3 @@\n 9\n 10\n 11\n'; same 'a hunk that changes nothing'
begin; p "$H"; same 'a hunk without a name'

# git's binary patches, which GNU patch cannot read
begin
git init -q "$work/b" && cd "$work/b" || exit 1
git config core.abbrev 40
head -c 3000 "$B/wb" >bin
git add bin && git commit -qm 1
(head -c 1000 bin; echo more; tail -c 1500 bin) >bin2 && mv bin2 bin
git add bin && git commit -qm 2
begin; git -C "$work/b" show HEAD~1:bin >bin
git -C "$work/b" diff --binary --full-index HEAD~1 HEAD >"$work/stack/p.patch"
ok 'the patch has a delta' grep -q '^delta' "$work/stack/p.patch"
same 'binary delta' quilt=yes dpkg=yes
echo x >>bin; same 'binary delta, other content'
begin; git -C "$work/b" diff --binary --full-index \
	4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD >"$work/stack/p.patch"
same 'new binary file' quilt=yes dpkg=yes
begin; git -C "$work/b" show HEAD:bin >bin
echo 'p.patch -R' >"$work/stack/series"
want=$(git -C "$work/b" rev-parse HEAD~1:bin)
git -C "$work/b" diff --binary --full-index HEAD~1 HEAD >"$work/stack/p.patch"
git -C "$work/b" show HEAD~1:bin >bin2
tree=$(mv bin2 bin; tree_of "$work/base"); git -C "$work/b" show HEAD:bin >bin
is 'binary patch undone' "$(ask_wb git)" "$tree"

# -R and -pN
begin; want=$(tree_of "$work/base"); sed -i 's/^10$/X/' f
p "$AB$H"; echo 'p.patch -R' >"$work/stack/series"
is 'undone' "$(ask_wb quilt)" "$want"
for i in 0 1 2 9; do
	begin; sed 's/^10$/X/' f >f2; cp f f3; mv f2 f; want=$(tree_of "$work/base")
	rm f; mv f3 f; want=$(sed -i 's/^10$/X/' f; tree_of "$work/base"); seq 1 20 >f
	lead=$(printf "%${i}s" '' | sed 's/ /q\//g')
	p "--- ${lead}f\n+++ ${lead}f\n$H"
	echo "p.patch -p$i" >"$work/stack/series"
	is "-p$i" "$(ask_wb strict)" "$want"
done

done_testing
