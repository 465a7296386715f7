#!/bin/sh
# How many instructions a pair of order-0 calls takes that finds its page in a
# magazine.
#
#	sh tests/perf/hit-path.sh
#
# The compiler lays the way of a hit out in one line, from the entry of each of
# the two functions to its first return: that is counted in the listing, with
# all of the stack applied, and no branch or call may leave the line before.
# callgrind, which has no rseq, then counts the same calls with an area that
# says CPU 0, as a check. Figures only: nothing here passes or fails.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/hit-path.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
command -v objdump >/dev/null || { echo "no objdump (package binutils)" >&2 &&
	exit 77; }

cp -r "$top/core" "$top/bench" "$top/Makefile" "$work" || exit 1
for p in $(grep -v '^[[:space:]]*\(#\|$\)' "$top/series/series"); do
	(cd "$work" && git apply "$top/series/$p") || exit 1
done
make -s -C "$work" WB_BUILD="$work/b" lib >"$work/log" 2>&1 ||
	{ cat "$work/log" && exit 1; }
cat >"$work/pairs.c" <<'END'
#include <stdlib.h>
#include "percpu.h"
int main(int argc, char **argv)
{
	static struct pa_rseq cpu_0;
	struct pa_config config = { .node_pages = 16384 };
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;
	struct pa *pa;

	if (pa_open(&config, &pa) < 0)
		return 1;
	pa_thread.cpu = (unsigned int *)&cpu_0.cpu_id;
	pa_thread.rseq = &cpu_0;
	while (n--)
		pa_free_pages(pa, pa_alloc_pages(pa, PA_GFP_KERNEL, 0), 0);
	return 0;
}
END
${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -pthread -I"$work/core" \
	-o "$work/pairs" "$work/pairs.c" "$work/b/libpa.a" || exit 1

objdump -d --no-show-raw-insn "$work/pairs" | awk '
	/^[0-9a-f]+ <.*>:$/ { on = /<pa_(alloc|free)_pages>:/ ? $2 : ""; n = 0 }
	on && $1 ~ /^[0-9a-f]+:$/ {
		n++
		if ($2 == "jmp" || $2 == "call") {
			print on, "leaves its line at", $1
			on = ""
		} else if ($2 == "ret") {
			printf "%-18s %d\n", on, n
			sum += n
			on = ""
		}
	}
	END { printf "%-18s %d\n", "a pair:", sum }'

command -v valgrind >/dev/null || { echo "no valgrind (package valgrind)" >&2
	exit 0; }
ir() {
	valgrind --tool=callgrind --callgrind-out-file="$work/cg" \
		"$work/pairs" "$1" 2>&1 | sed -n 's/.*Collected : //p'
}
echo "$(ir 10000) $(ir 110000)" | awk '{
	printf "%-18s %.1f, with the loop around it\n", "callgrind:",
		($2 - $1) / 100000 }'
