#!/bin/sh
# A pair of order-0 calls against other allocators, in interleaved rounds.
#
#	sh tests/perf/alloc-peers.sh [ROUNDS [PREFIX...]]
#
# PREFIX is a number of patches of series/, by default 0, all but the rseq
# cache, and all. Prints ns and, for each peer, the median over the rounds of
# (core / peer): below 1 the core is faster. Then how two threads compare with
# one, and right after it the same of a loop without any memory: no more than
# that is to be had from the machine at that moment. Peers that are not installed
# are named. Figures only: nothing here passes or fails.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
rounds=${1:-7}
[ $# = 0 ] || shift
work=$(mktemp -d "${TMPDIR:-/tmp}/alloc-peers.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cc="${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -pthread -I$top/bench"
harness="$top/bench/harness.c $top/bench/throughput.c"

patches=$(grep -v '^[[:space:]]*\(#\|$\)' "$top/series/series")
n=$(echo "$patches" | wc -l)
below=$(echo "$patches" | grep -n rseq | head -n 1 | cut -d: -f1)
[ $# != 0 ] || set -- 0 ${below:+$((below - 1))} "$n"

# build PREFIX: the core with that many patches, as $work/core-PREFIX
build() {
	mkdir "$work/$1" && cp -r "$top/core" "$top/bench" "$top/Makefile" \
		"$work/$1" || exit 1
	for p in $(echo "$patches" | head -n "$1"); do
		(cd "$work/$1" && git apply "$top/series/$p") || exit 1
	done
	make -s -C "$work/$1" WB_BUILD="$work/$1/b" lib >"$work/log" 2>&1 ||
		{ cat "$work/log" && exit 1; }
	$cc -DPEER_CORE -I"$work/$1/core" -o "$work/core-$1" \
		"$top/tests/perf/alloc-peers.c" $harness "$work/$1/b/libpa.a" \
		-lm || exit 1
}

ours=
for k in "$@"; do
	build "$k"
	ours="$ours core-$k"
done
$cc -DPEER_LIST -o "$work/list" "$top/tests/perf/alloc-peers.c" $harness -lm &&
	$cc -DPEER_COUNT -o "$work/count" "$top/tests/perf/alloc-peers.c" \
		$harness -lm &&
	$cc -o "$work/malloc" "$top/tests/perf/alloc-peers.c" $harness -lm ||
	exit 1

peers="list glibc"
library() {	# library NAME: where it is
	ldconfig -p | awk -v l="$1" '$1 ~ "^" l { print $NF; exit }'
}
for p in jemalloc:libjemalloc.so:libjemalloc2 \
	mimalloc:libmimalloc.so:libmimalloc2.0 \
	tcmalloc:libtcmalloc_minimal.so:libtcmalloc-minimal4; do
	name=${p%%:*} rest=${p#*:}
	lib=$(library "${rest%%:*}")
	[ -n "$lib" ] || { echo "no $name (package ${rest#*:})" >&2; continue; }
	peers="$peers $name"
	eval "lib_$name=\$lib"
done

# ask NAME ARGS...: run one of them
ask() {
	who=$1 && shift
	case $who in
	core-* | list | count) "$work/$who" "$@" ;;
	glibc) "$work/malloc" "$@" ;;
	*) eval "LD_PRELOAD=\$lib_$who \"\$work/malloc\" \"\$@\"" ;;
	esac
}

median='function median(a, n,   i, j, t) {
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && a[j - 1] > a[j]; j--) {
			t = a[j]; a[j] = a[j - 1]; a[j - 1] = t
		}
	return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
}
'

: >"$work/times"
i=0
while [ $i -lt "$rounds" ]; do
	for who in $(printf '%s\n' $ours $peers | shuf); do
		ask "$who" times | sed "s/^/$i $who /" >>"$work/times"
	done
	i=$((i + 1))
done

echo "# $rounds interleaved rounds; ns of the core, then medians of core/peer"
for k in $ours; do
	awk -v k="$k" -v peers="$peers" "$median"'
	{ v[$1, $2, $3, $4] = $5; if ($1 > last) last = $1 }
	END {
		np = split(peers, p, " ")
		printf "\n%-8s %-5s %6s %8s", k, "order", "B", "ns"
		for (i = 1; i <= np; i++) printf " %9s", p[i]
		print ""
		for (o = 1; o <= 2; o++) for (b = 1; b <= 16384; b *= 2) {
			order = o == 1 ? "LIFO" : "FIFO"
			for (r = 0; r <= last; r++) a[r + 1] = v[r, k, order, b]
			printf "%-8s %-5s %6d %8.2f", k, order, b, median(a, last + 1)
			for (i = 1; i <= np; i++) {
				for (r = 0; r <= last; r++)
					a[r + 1] = v[r, k, order, b] / v[r, p[i], order, b]
				printf " %9.3f", median(a, last + 1)
			}
			print ""
		}
	}' "$work/times"
done

if command -v valgrind >/dev/null; then
	ir() {	# ir NAME PAIRS: instructions of the whole program
		ask_with="valgrind --tool=callgrind --callgrind-out-file=$work/cg"
		case $1 in
		core-* | list) $ask_with "$work/$1" pairs "$2" ;;
		glibc) $ask_with "$work/malloc" pairs "$2" ;;
		*) eval "LD_PRELOAD=\$lib_$1 $ask_with \"\$work/malloc\" pairs $2" ;;
		esac 2>&1 | sed -n 's/.*Collected : //p'
	}
	printf '\n# instructions a pair at B=1, loop included; the CPU is told, not asked,\n'
	printf '# and there is no rseq: see hit-path.sh for the pair with it\n'
	for who in $ours $peers; do
		a=$(ir "$who" 20000) b=$(ir "$who" 120000)
		echo "$who $a $b" | awk '{ printf "%-9s %.1f\n", $1,
			($3 - $2) / 100000 }'
	done
else
	echo "no valgrind: no instructions" >&2
fi

printf '\n# million pairs a second at B=1, of windows that nobody disturbed; medians\n'
printf '%-9s %8s %10s %7s %8s %7s\n' '#' '1 thread' '2 threads' ratio \
	control rounds
: >"$work/rates"
i=0
while [ $i -lt "$rounds" ]; do
	for who in $(printf '%s\n' $ours $peers | shuf); do
		echo "$who $(ask "$who" threads 1) $(ask "$who" threads 2)" \
			"$(ask count threads 1) $(ask count threads 2)"
	done >>"$work/rates"
	i=$((i + 1))
done
for who in $ours $peers; do
	awk -v who="$who" "$median"'
	$1 == who && $2 > 0 && $3 > 0 && $4 > 0 && $5 > 0 {
		one[++n] = $2 / 1e6; two[n] = $3 / 1e6
		ratio[n] = $3 / $2; control[n] = $5 / $4
	}
	END {
		if (!n)
			printf "%-9s %8s %10s %7s %8s %7d\n", who, "-", "-",
				"-", "-", 0
		else
			printf "%-9s %8.1f %10.1f %7.2f %8.2f %7d\n", who,
				median(one, n), median(two, n),
				median(ratio, n), median(control, n), n
	}' "$work/rates"
done

printf '\n# metadata of the core, by its structures\n'
k=${ours##*-}
cat >"$work/size.c" <<'END'
#include <stdio.h>
#include "mmzone.h"
#if __has_include("depot.h")
#include "depot.h"
#define DEPOT	(sizeof(struct depot) + \
		 MIGRATE_PCPTYPES * sizeof(struct pa_stack))
#else
#define DEPOT	0
#endif
int main(void)
{
	printf("struct page: %.2f %% of the arena\n",
	       100.0 * sizeof(struct page) / PA_PAGE_SIZE);
	printf("per CPU and zone: %zu bytes\n",
	       sizeof(struct per_cpu_pageset) + DEPOT);
	return 0;
}
END
$cc -I"$work/$k/core" -o "$work/size" "$work/size.c" && "$work/size"
