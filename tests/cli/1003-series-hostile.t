# A patch that means harm is refused with its line, exit code 128, the rows
# before it stand, and nothing outside is touched.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../limits.sh"

make_repo
mkdir d
seq 1 20 >f
seq 1 5 >d/g
ln -s d l
ln -s / root
ln -s f file
yes x | head -n 200000 >many
seq 300000 >lines
commit base
mkdir s
printf -- '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-1\n+A\n 2\n' >s/good.patch
printf 'good.patch\nbad.patch -p1\n' >s/series
before=$(git status --porcelain=v2; git for-each-ref; ls -A .git)

# refused NAME PATTERN: bad.patch is, under every profile
refused() {
	for profile in strict quilt dpkg git; do
		run within wb series trees --profile=$profile s
		status 128 "$1, $profile: 128"
		one_error "$1, $profile" "$2"
		is "  $1, $profile: rows before" "$(cut -f3 "$out" | tr '\n' ' ')" \
			'base good '
	done
}
new() {	# new NAME: a patch that makes the file
	printf -- '--- /dev/null\n+++ b/%s\n@@ -0,0 +1 @@\n+x\n' "$1"
}

new ../../etc/x >s/bad.patch
refused 'up and out' 's/bad.patch:1: refused'
new a/../../x >s/bad.patch
refused 'up and out later' 's/bad.patch:1: refused'
new .. >s/bad.patch
refused 'the folder above' 's/bad.patch:1: refused'
new .git/hooks/pre-commit >s/bad.patch
refused 'a hook' 's/bad.patch:1: refused'
new .GIT/config >s/bad.patch
refused 'a config by another name' 's/bad.patch:1: refused'
new d/.git/config >s/bad.patch
refused 'a repository below' 's/bad.patch:1: refused'
new /etc/x | sed 's,b//etc,//etc,; s,+++ //,+++ b////,' |
	sed 's,b////etc/x,/etc/../../x,' >s/bad.patch
refused 'absolute and up' 's/bad.patch:1: refused'
printf 'diff --git "a/\\056\\056/x" "b/\\056\\056/x"\nnew file mode 100644\n--- /dev/null\n+++ "b/\\056\\056/x"\n@@ -0,0 +1 @@\n+x\n' >s/bad.patch
refused 'quoted dots' 's/bad.patch:1: refused'
printf 'diff --git a/f b/f\nsimilarity index 100%%\nrename from f\nrename to ../f\n' >s/bad.patch
refused 'a rename up' 's/bad.patch:1: refused'
new root/tmp/x >s/bad.patch
refused 'below a link to /' 's/bad.patch:1: refused.*root, which is a symbolic link'
new l/n >s/bad.patch
refused 'below a link' 's/bad.patch:1: refused.*l, which is a symbolic link'
printf -- '--- a/l/g\n+++ b/l/g\n@@ -1 +1 @@\n-1\n+x\n' >s/bad.patch
refused 'behind a link' 's/bad.patch:1: refused.*behind l, a symbolic link'
printf -- '--- a/file\n+++ b/file\n@@ -1 +1 @@\n-1\n+x\n' >s/bad.patch
refused 'a link as a file' 's/bad.patch:1: file: refused: it is a symbolic link'
{
	printf 'diff --git a/n b/n\nnew file mode 120000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+/tmp\n\\ No newline at end of file\n'
	new n/x
} >s/bad.patch
refused 'a link and then below it' 's/bad.patch:8: refused.*n, which is a symbolic link'
new f/x >s/bad.patch
refused 'below a file' 's/bad.patch:1: refused.*f, which is a file'
new d >s/bad.patch
refused 'a file for a folder' 's/bad.patch:1: refused: d is a folder'
printf '12d\n4a\n!touch /tmp/x\n.\n' >s/bad.patch
refused 'ed' 's/bad.patch:4: refused: an ed script'
printf -- '--- a/f\n+++ b/f\n@@ -1,99999999999 +1,99999999999 @@\n-1\n+x\n' >s/bad.patch
refused 'a count without end' 's/bad.patch:3: not a hunk'
printf -- '--- a/f\n+++ b/f\n@@ -1,2000000000 +1,2000000000 @@\n-1\n+x\n' >s/bad.patch
refused 'a count that is too big' 's/bad.patch:5: the patch ends inside'
printf -- '--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n 1\n-2\n' >s/bad.patch
refused 'cut off' 's/bad.patch:5: the patch ends inside'
printf 'diff --git a/n b/n\nnew file mode 100644\nGIT binary patch\nliteral 999999999999\nzcmV\n\n' >s/bad.patch
refused 'a binary without end' 's/bad.patch:4: refused: binary'
printf 'diff --git a/n b/n\nnew file mode 100644\nGIT binary patch\nliteral 5\nzzzzz\n\n' >s/bad.patch
refused 'a damaged binary' 's/bad.patch:5: damaged'
printf 'diff --git a/f b/f\nold mode 100644\nnew mode 160000\n' >s/bad.patch
refused 'a file made a submodule' 's/bad.patch:1: f: a new mode'
new f >s/bad.patch
refused 'a file that is there' 's/bad.patch:1: f: exists already'
head -c 70000000 /dev/zero >s/bad.patch
refused 'a patch that is too large' 's/.*larger than'

# a hunk that almost matches everywhere, and hunks that are all far away
{
	printf -- '--- a/many\n+++ b/many\n@@ -1,20001 +1,20001 @@\n'
	yes ' x' | head -n 10000
	printf -- '-y\n+z\n'
	yes ' x' | head -n 10000
} >s/bad.patch
refused 'a hunk that almost matches everywhere' \
	's/bad.patch:3: hunk 1 of many does not match'
yes | head -n 9000000 | sed 's/y/+/' | {
	printf -- '--- /dev/null\n+++ b/n\n@@ -0,0 +1,9000000 @@\n'
	cat
} >s/bad.patch
refused 'lines without end' 's/bad.patch:[0-9]*: refused: more than'
{
	echo '--- a/lines'
	echo '+++ b/lines'
	seq 299998 -3 1 | sed 's/.*/& &/' | awk '{
		printf "@@ -%d,3 +%d,3 @@\n %d\n-%d\n+x\n %d\n",
			$1, $1, $1, $1 + 1, $1 + 2 }'
} >s/bad.patch
run within wb series trees --profile=git s
status 128 'a hundred thousand hunks backwards'
one_error 'a hundred thousand hunks backwards' 'take too long to place'

# large but honest
head -c 30000000 /dev/zero | tr '\0' x >"$work/long"
{
	printf -- '--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+'
	cat "$work/long"
	echo
} >s/bad.patch
run within wb series trees s
status 0 'a line of 30 MB'
printf -- '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n A\n-2\n+\0\0x\n' >s/bad.patch
run wb series trees s
status 0 'a NUL in the content'

after=$(git status --porcelain=v2; git for-each-ref; ls -A .git)
is 'the repository is as it was' "$(echo "$after" | grep -v '? s/')" \
	"$(echo "$before" | grep -v '? s/')"

done_testing
