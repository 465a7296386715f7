#!/bin/sh
# Verdicts against a truth that is known, by simulation: gauss, heavy tails, two
# modes, 5 % of drift, bursts; noise 2 %.
#
#   (a) 20 patches, 3 of them worth 1 %: all 3 found in 95 of 100 series, at most
#       1 false verdict in 100 series; and what the same number of runs gives
#       when one prefix is measured after the other.
#   (b) Of 1,000 comparisons without a change at most 5 % called a change; 95 %
#       intervals hold the truth in 93 to 97 %; 1 % (twice the margin) called
#       the same in at most 5 %; the power at 1 %.
#   (c) Forecasts of the runs of a stack within a factor of 2 in 90 % of the
#       cases. For one comparison alone there is no such forecast: at 1 % even
#       who knew the effect and the noise would be right in 77 to 88 %, which is
#       printed beside ours. So wb run tells a range where few are open, which
#       must hold in 80 %; and the table the rounds until a change of a given
#       size shows: within a factor of 2 in 90 % after 62.
#   (d) wb run itself on a bench whose truth lies in a file that wb never opens.
#
# Series N (100), comparisons M (1000), stacks of wb run for each noise R (1).
# (a) to (c) drive the modules of wb run in one process: 25 minutes of CPU.
. "$(dirname "$0")/../lib.sh"
n=${N:-100} m=${M:-1000} r=${R:-1} seed=${SEED:-7}
sim=$B/verdicts-sim
[ -x "$sim" ] || make -s -C "$top" "$sim" || exit 1
missed=0

echo "== (a), (c): series =="
[ "$n" = 0 ] || "$sim" series "$n" "$seed" || missed=1
echo "== (b): comparisons =="
[ "$m" = 0 ] || "$sim" comparisons "$m" "$seed" || missed=1

echo "== (d): wb run =="
cc -O2 -o "$work/simbench" "$top/tests/perf/simbench.c" -lm || exit 1
effects="0 1 0 0 -1 0"
make_sim_stack() {	# make_sim_stack DIR
	make_repo "$1"
	mkdir patches
	echo 0 >k
	commit base
	k=0
	for e in $effects; do
		k=$((k + 1))
		echo $k >k
		commit "p$k: a patch"
		git format-patch -q -1 --stdout >"$work/p$k.patch"
	done
	git reset -q --hard "HEAD~$k"
	mkdir -p patches
	mv "$work"/p*.patch patches/
	(cd patches && ls *.patch | sort -V >series)
	git config wb.series patches
	git config wb.fifo off
	git config wb-build.command 'cp k "$WB_BUILD/k"'
	git config wb-build.inputs k
	git config wb-bench.sim.command \
		"\"$work/simbench\" \"$1.truth\" \"\$WB_BUILD/k\""
	git config wb-bench.sim.level S
	commit stack
}
right=0 unclear=0 all=0 runs=0
for kind in gauss heavy modes drift bursts; do
	i=0
	while [ $i -lt "$r" ]; do
		i=$((i + 1))
		dir=$work/$kind$i
		mkdir "$dir.truth"
		"$work/simbench" "$dir.truth" init $kind 2 3000 \
			$((seed * 100 + i)) $effects || exit 1
		make_sim_stack "$dir"
		wb -q --no-sandbox run >/dev/null 2>"$err" || { cat "$err"; exit 1; }
		got=$(wb report --json | jq -r '[.rows[] | select(.index > 0) |
			.verdict] | join(" ")')
		made=$(sqlite3 .git/wb/results.db 'SELECT count(*) FROM run')
		echo "  $kind $i: $made runs: $got"
		set -- $got
		for e in $effects; do
			all=$((all + 1))
			case $e:$1 in
			0:same | 1:slower | -1:faster) right=$((right + 1)) ;;
			*:unclear) unclear=$((unclear + 1)) ;;
			esac
			shift
		done
		runs=$((runs + made))
	done
done
wrong=$((all - right - unclear))
[ $all = 0 ] || echo "  verdicts: $right true, $unclear unclear, $wrong wrong of" \
	"$all (target: none wrong, 9 in 10 true), $runs runs"
[ $wrong = 0 ] && [ $((10 * right)) -ge $((9 * all)) ] || missed=1
exit $missed
