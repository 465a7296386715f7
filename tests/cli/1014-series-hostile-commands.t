# A patch that means harm, through every command that reads a stack: refused
# with its file and line, what is below it stands, and nothing outside of the
# stack is touched. tests/cli/1003 has more such patches, for series trees.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../limits.sh"

make_repo
mkdir d
seq 1 20 >f
seq 1 5 >d/g
ln -s d l
ln -s f file
cat >.wbconfig <<'X'
[wb]
	series = s
	rounds = 1
	fifo = off
[wb-build]
	command = cp f "$WB_BUILD/f"
[wb-bench "b"]
	command = cat "$WB_BUILD/f" | head -n 1 | sed s/.*/m\\ 7/
	reader = lines
	better = lower
	level = S
X
commit base
wb trust >"$out" 2>&1
mkdir s "$work/outside"
echo precious >"$work/outside/file"
ln -s "$work/outside" s/out
printf -- '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-1\n+A\n 2\n' >s/good.patch
mkdir "$work/bin"
for p in ed patch; do	# nobody may ask for them
	printf '#!/bin/sh\necho %s >>"%s/ran"\n' $p "$work" >"$work/bin/$p"
	chmod +x "$work/bin/$p"
done
PATH=$work/bin:$PATH

new() { printf -- '--- /dev/null\n+++ b/%s\n@@ -0,0 +1 @@\n+x\n' "$1"; }
edit() { printf -- '--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-1\n+x\n' "$1" "$1"; }
# what may not change: all but the stack and what wb keeps for itself
outside() {
	find . \( -path ./.git/wb -o -path ./.git/refs/wb -o -path ./s \
		-o -path ./.git/objects \) -prune -o -type f \
		-exec sha256sum {} + | sort
	find "$work/outside" -type f -exec sha256sum {} +
	cat "$work/ran" 2>/dev/null
	ls s s/out/ "$HOME"
}

# command NAME CODE CMD...: for the patch that stands there now
command_says() {
	name=$1 code=$2
	shift 2
	run within wb "$@"
	status "$code" "$what: $name: $code"
	cat "$out" "$err" >"$work/both"
	ok "$what: $name: file and line" grep -q -- "$where" "$work/both"
}
through() {	# through NAME FILE:LINE: every command
	what=$1 where=$2
	outside >"$work/before"
	command_says list 0 series list
	command_says trees 128 series trees
	is "$what: rows before" "$(cut -f3 "$out" | tr '\n' ' ')" 'base good '
	command_says keep 128 series trees --keep
	command_says check 1 series check
	command_says edit 128 series edit bad
	command_says 'refresh --all' 128 series refresh --all
	command_says drop 128 series drop good
	command_says export 128 series export --stdout
	command_says diff 128 series diff
	command_says status 0 status
	command_says build 125 build
	ok "$what: good is built" grep -qE '^1	good	(built|cached)' "$out"
	command_says run 125 run --rounds 1
	command_says report 0 report
	command_says html 0 report --format html
	{ printf 'From x Mon Sep 17 00:00:00 2001\nFrom: Ada Marsh '
	  printf '<a@example.org>\nSubject: [PATCH] bad\n\nx\n---\n'
	  cat s/bad.patch; } >"$work/mbox"
	mv s/series "$work/series"
	echo good.patch >s/series
	run within wb series import --mbox="$work/mbox"
	status 128 "$what: import: 128"
	one_error "$what: import" "mbox\\|s/bad-2.patch:[0-9]*: "
	is "$what: import: the stack" "$(cat s/series)" good.patch
	mv "$work/series" s/series
	outside | cmp -s - "$work/before"
	is "$what: nothing outside is touched" $? 0
}

printf 'good.patch\nbad.patch\n' >s/series
new ../../outside/x >s/bad.patch
through 'up and out' 's/bad.patch:1: refused'
new .git/hooks/pre-commit >s/bad.patch
through 'a hook' 's/bad.patch:1: refused'
edit l/g >s/bad.patch
through 'behind a link' 's/bad.patch:1: refused'
edit file >s/bad.patch
through 'a link as a file' 's/bad.patch:1: file: refused'
printf '12d\n4a\n!touch outside\n.\n' >s/bad.patch
through 'an ed script' 's/bad.patch:4: refused: an ed script'
printf -- '--- a/f\n+++ b/f\n@@ -1,2000000000 +1,2000000000 @@\n-1\n+x\n' >s/bad.patch
through 'a count that is too big' 's/bad.patch:5: the patch ends inside'

# a line of the series file that hands patch an option: nothing is read at all
new n >s/bad.patch
printf 'good.patch\nbad.patch -o %s/outside/file\n' "$work" >s/series
outside >"$work/before"
what='an option'
where='s/series:2: '
for c in 'series list' 'series trees' 'series trees --keep' 'series check' \
	'series edit good' 'series refresh --all' 'series drop good' \
	'series export --stdout' 'series diff' status build 'run --rounds 1' \
	report; do
	command_says "$c" 128 $c
done
outside | cmp -s - "$work/before"
is 'an option: nothing outside is touched' $? 0
done_testing
