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
	edge 'glib' 'text\.c'
	edge 'openssl' 'hash\.c'
	edge '(zlib|lzma|bzlib)' 'zip\.c'
	edge 'curl' 'http\.c'
	edge 'cmark' 'render\.c'
	edge 'perfmon' 'pmu\.c'
)
[ -z "$hits" ] || say "$hits"

# Layers: a file includes its own layer and those below it, never one above.
# 0 floor, 1 edges, 2 nouns, 3 commands, 4 main.
layer_of() {	# into $layer, for a process each would take a minute
	case $1 in
	main) layer=4 ;;
	cmd | cmd-* | setup) layer=3 ;;
	error | buf | opt | json | config | config-settle | progress | text) layer=0 ;;
	git | git-* | db | db-* | delta | hash | path | proc | proc-* | supervise | box | room | \
		limits | cgroup | herd | sandbox | veil | beside | pmu | cpu-list | cpuset | setting | env | \
		machine | zip | \
		mime | mime-limits | render | result | calls | toolchain) layer=1 ;;
	*) layer=2 ;;
	esac
}
hits=$(grep -nE '^#include "' wb/*.[ch] | while IFS=: read -r f line text; do
	me=${f#wb/} me=${me%.*}
	inc=${text#*\"} inc=${inc%.h\"*}
	layer_of "$inc"
	below=$layer
	layer_of "$me"
	[ "$below" -le "$layer" ] ||
		echo "$f:$line: $me may not include $inc.h (a layer above)"
	case $me:$inc in
	cmd-*:cmd-*) echo "$f:$line: one command includes another" ;;
	esac
done)
[ -z "$hits" ] || say "$hits"

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
	grep -v '^core/malloc_front\.c:' |
	# who waits for a process that was killed can neither go on nor return
	grep -vE '^core/spinlock\.c:[0-9]+:[[:space:]]*abort\(\);$')
[ -z "$hits" ] || say "$hits: a library prints nothing and never exits"

# Functions that have a safer sister.
hits=$(grep -nE '(^|[^_a-z])(strcpy|strcat|sprintf|gets|strtok|atof)\(' \
	wb/*.c core/*.c bench/*.c)
[ -z "$hits" ] || say "$hits: banned function"

# No file grows past what can be read in one go.
hits=$(wc -l wb/*.c core/*.c bench/*.c | awk '$2 != "total" && $1 > 600 {
	print $2 ": " $1 " lines; split it (600 at most)" }')
[ -z "$hits" ] || say "$hits"

# 80 columns, a tab being 8.
hits=$(LC_ALL=C awk '{
	n = split($0, part, "\t")
	for (columns = i = 0; ++i < n; )
		columns += length(part[i]) + 8 - (columns + length(part[i])) % 8
	columns += length(part[n])
	if (columns > 80)
		print FILENAME ":" FNR ": " columns " columns; 80 at most"
}' wb/*.[ch] core/*.[ch] bench/*.[ch] tests/unit/*.[ch] tests/prop/*.c)
[ -z "$hits" ] || say "$hits"

[ $bad = 0 ] && echo "lint: clean"
exit $bad
