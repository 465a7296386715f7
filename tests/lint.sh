#!/bin/sh
# The rules of the house that a compiler does not know. TAP-less: prints each
# offence as FILE:LINE: what, and fails when there is one.
set -u
cd "$(dirname "$0")/.." || exit 1
bad=0

say() {
	bad=1
	echo "$1"
}

# A library's header appears in the files of its edge alone.
edge() {	# edge HEADER-REGEX FILE-REGEX
	grep -nE "#[[:space:]]*include[[:space:]]*[<\"]$1[./]" wb/*.[ch] |
	while IFS= read -r hit; do
		f=${hit%%:*}
		echo "${f#wb/}" | grep -qE "^$2\$" ||
			echo "$hit: only $2 may include this"
	done
}
hits=$(
	edge 'git2' 'git[a-z-]*\.[ch]'
	edge 'sqlite3' 'db[a-z-]*\.[ch]'
	edge 'jansson' 'json\.c'
	edge 'gmime' 'mime\.c'
	edge 'openssl' 'hash\.c'
	edge '(zlib|lzma|bzlib)' 'zip\.c'
	edge 'curl' 'http\.c'
	edge 'cmark' 'render\.c'
	edge 'perfmon' 'pmu\.c'
)
[ -z "$hits" ] || say "$hits"

# Layers: a file includes its own layer and those below it, never one above.
# 0 floor, 1 edges, 2 nouns, 3 commands, 4 main.
layer() {
	case $1 in
	main) echo 4 ;;
	cmd | cmd-* | setup) echo 3 ;;
	error | buf | opt | json | config | config-settle | progress) echo 0 ;;
	git | git-* | db | db-* | delta | hash | path | proc | proc-* | supervise | box | room | \
		limits | sandbox | beside | pmu | cpu-list | cpuset | setting | env | \
		machine | zip | \
		mime | render | result | calls | toolchain) echo 1 ;;
	*) echo 2 ;;
	esac
}
for f in wb/*.[ch]; do
	me=${f#wb/}
	me=${me%.*}
	grep -nE '^#include "' "$f" | sed -E 's/^([0-9]+):#include "(.*)\.h"/\1 \2/' |
	while read -r line inc; do
		if [ "$(layer "$inc")" -gt "$(layer "$me")" ]; then
			echo "$f:$line: $me may not include $inc.h (a layer above)"
		fi
		case $me:$inc in
		cmd-*:cmd-*) echo "$f:$line: one command includes another" ;;
		esac
	done
done >"${TMPDIR:-/tmp}/wb-lint.$$"
[ ! -s "${TMPDIR:-/tmp}/wb-lint.$$" ] || say "$(cat "${TMPDIR:-/tmp}/wb-lint.$$")"
rm -f "${TMPDIR:-/tmp}/wb-lint.$$"

# Only main, error and progress print to stderr or end the process. A child
# between fork and exec ends by _exit.
hits=$(grep -nE '(^|[^_a-z])(exit|abort|perror|v?errx?|v?warnx?|quick_exit) *\(|stderr|dprintf *\((2|STDERR)|write *\((2|STDERR)' wb/*.c |
	grep -vE '^wb/(main|error|progress|buf)\.c:|:[[:space:]]*(/?\*)' |
	# a child before its exec has the command's stderr, not wb's
	grep -vE '^wb/supervise\.c:[0-9]+:.*write\(STDERR_FILENO, text' |
	# a name in a sandbox
	grep -v '/dev/stderr')
[ -z "$hits" ] || say "$hits: only main, error and progress may"

# The tool and the core meet in a process, not in a linker.
hits=$(grep -nE '#include [<"](\.\./)?(core|bench)/|pagealloc\.h' wb/*.[ch])
[ -z "$hits" ] || say "$hits: wb may not include the core"
hits=$(grep -nE '(^|[^_a-z])(v?printf|puts|putchar|fputs|fprintf|exit|abort|perror) *\(|std(err|out)' \
	core/*.[ch] | grep -vE 'format\(printf|:[[:space:]]*(/?\*)' |
	# it is a program's malloc, and what it finds wrong ends the program
	grep -v '^core/malloc_front\.c:')
[ -z "$hits" ] || say "$hits: a library prints nothing and never exits"

# Functions that have a safer sister.
hits=$(grep -nE '(^|[^_a-z])(strcpy|strcat|sprintf|gets|strtok|atof)\(' \
	wb/*.c core/*.c bench/*.c)
[ -z "$hits" ] || say "$hits: banned function"

# No file grows past what can be read in one go.
for f in wb/*.c core/*.c bench/*.c; do
	n=$(wc -l <"$f")
	[ "$n" -le 600 ] || say "$f: $n lines; split it (600 at most)"
done

# 80 columns, a tab being 8.
for f in wb/*.[ch] core/*.[ch] bench/*.[ch] tests/unit/*.[ch] tests/prop/*.c; do
	hits=$(expand "$f" | LC_ALL=C awk -v f="$f" 'length > 80 {
		print f ":" NR ": " length " columns; 80 at most" }')
	[ -z "$hits" ] || say "$hits"
done

[ $bad = 0 ] && echo "lint: clean"
exit $bad
