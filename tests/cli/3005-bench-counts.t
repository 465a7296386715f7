# The instruction counts of the shipped benches repeat exactly: with another
# seed, another environment and another size of it. LONG=1: 20 runs of each.
. "$(dirname "$0")/../lib.sh"

command -v valgrind >/dev/null || skip_all "no valgrind (package valgrind)"
runs=${LONG:+20}
runs=${runs:-2}
(cd "$top" && make -s WB_BUILD="$work/b" bench) >/dev/null 2>"$err"
cd "$work" || exit 1

# count BENCH N: "SECTION INSTRUCTIONS" lines of run N
count() {
	rm -rf cg && mkdir cg
	env WB_COUNT=1 WB_SEED=00000000$((10 + $2)) WB_CPU=0 WB_PREFIX=0 \
		WB_NAME=count "EXTRA_$2=$(printf "%$(($2 * 97))s" x)" \
		valgrind -q --vgdb=no --tool=callgrind --instr-atstart=no \
		--collect-atstart=no --callgrind-out-file=cg/cg.%p \
		"$work/b/$1" >"$out" 2>"$err" </dev/null || return 1
	awk '/^desc: Trigger: Client Request: / { name = $5 }
		/^totals: / && name { print name, $2; name = "" }' cg/* | sort
}
for bench in pagealloc pcplist slab; do
	count $bench 0 >first
	ok "$bench: counts sections" [ -s first ]
	sed "s/^/# $bench: /" first
	same=0 n=1
	while [ $n -le "$runs" ]; do
		count $bench $n >again && cmp -s first again && same=$((same + 1))
		n=$((n + 1))
	done
	is "$bench: the same again in all of $runs runs" $same "$runs"
done
done_testing
