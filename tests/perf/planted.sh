# Stacks with a planted truth, for proofs on the real machine. Source it behind
# lib.sh and stack.sh.

cc -O2 -o "$work/walk" "$top/tests/perf/walk.c" || exit 1
# the program lies beside the stack: its sandbox has to show it
git config --global wb.sandbox-read "$work"

# planted N EFFECT AT: N prefixes of one program, each of a build of its own.
# From prefix AT on it does EFFECT times the work (1.005); AT 0: none does.
planted() {
	cd "$work" || exit 1
	rm -rf "$work/repo"
	make_repo
	mkdir src
	echo 1 >src/cost
	k=0
	while [ $k -lt "$1" ]; do
		echo $k >src/name
		[ $k = 0 ] || [ $k != "$3" ] || echo "$2" >src/cost
		commit "prefix $k"
		k=$((k + 1))
	done
	git config wb-build.command 'cp src/cost "$WB_BUILD/cost"'
	git config wb-build.inputs src
	git config wb-bench.b.level S
	git config wb-bench.b.better lower
	stack=HEAD~$(($1 - 1))..HEAD
}
# Units of work in about 50 ms on this machine, the quickest of three tries.
units_here() {
	for i in 1 2 3; do
		t=$(date +%s%N)
		"$work/walk" 10000
		echo $((($(date +%s%N) - t) / 1000))
	done | sort -n | awk 'NR == 1 { print int(10000 * 50000 / $1) }'
}
# The program in slices, and as a command of that length.
in_slices() {
	git config wb-bench.b.reader slices
	git config wb-bench.b.command \
		'export COST=$(cat "$WB_BUILD/cost"); exec '"$work/walk $*"
}
as_command() {
	git config wb-bench.b.reader time
	git config wb-bench.b.judge cpu
	git config wb-bench.b.command \
		'export COST=$(cat "$WB_BUILD/cost"); exec '"$work/walk ${1:-$(units_here)}"
}
# Rounds of slices that fit into some seconds: rounds_in SECONDS N
rounds_in() {
	awk -v s="$1" -v n="$2" 'BEGIN { t = n <= 8 ? 0.5 : 0.5 + (n - 8) / 32
		print int(s / (t + 0.1 + n * 0.008)) }'
}
fifo_word() {
	chrt -f 10 true 2>/dev/null && echo "SCHED_FIFO" || echo "pinned only"
}
