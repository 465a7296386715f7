#!/bin/sh
# The interval of the ratio of two binaries in equal time: wb's slices and wb's
# commands against hyperfine at its best here (pinned, SCHED_FIFO where it is
# allowed, no shell).
#
#	against-hyperfine.sh [TRIES [SECONDS [EFFECT]]]
#
# The second binary does EFFECT (1.01) times the work. hyperfine's interval is
# that of a ratio of means: each mean's spread by its standard error, 1.96 of
# the two together. Targets: half width at most 1/5 of hyperfine's for slices
# and 1/2 for commands, the truth inside in at least 90 %.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/planted.sh"
tries=${1:-2} seconds=${2:-10} effect=${3:-1.01}
command -v hyperfine >/dev/null || {
	echo "SKIPPED: no hyperfine (package hyperfine)"
	exit 77
}
pin=
chrt -f 10 true 2>/dev/null && pin="chrt -f 10"
cpu=$(($(nproc) - 1))
pin="$pin taskset -c $cpu"
units=$(units_here)

# hyperfine runs one command after the other: half of the time for each
hyper() {
	once=$(date +%s%N)
	$pin "$work/walk" $units
	once=$((($(date +%s%N) - once) / 1000))
	runs=$((seconds * 1000000 / 2 / once))
	[ $runs -ge 10 ] || runs=10
	$pin hyperfine -N --warmup 1 --runs $runs --export-json "$work/h.json" \
		"env COST=1 $work/walk $units" \
		"env COST=$effect $work/walk $units" >/dev/null 2>&1
	jq -r --argjson n $runs '.results | (.[1].mean / .[0].mean) as $r |
		([.[] | .stddev / .mean / ($n | sqrt)] |
			map(. * .) | add | sqrt) as $se |
		["hyperfine", ($r - 1) * 100, ($r * (1 - 1.96 * $se) - 1) * 100,
		($r * (1 + 1.96 * $se) - 1) * 100] | @tsv' "$work/h.json"
}
ours() {	# ours NAME METRIC RUN-OPTIONS...
	name=$1 metric=$2
	shift 2
	wb build "$stack" >/dev/null 2>&1
	run wb run "$@" "$stack"
	[ "$rc" = 0 ] || [ "$rc" = 125 ] || { cat "$err" >&2; return; }
	run wb report --metric "$metric" --json "$stack"
	jq -r --arg name $name --arg m $metric '.rows[] |
		select(.index == 1 and .metric == $m) | [$name, .change * 100,
		.low * 100, .high * 100] | @tsv' "$out"
}

echo "two binaries, x $effect, $tries tries of $seconds s each way, $(fifo_word)"
i=0
while [ $i -lt "$tries" ]; do
	planted 2 "$effect" 1
	hyper
	in_slices
	ours slices walk --rounds "$(rounds_in "$seconds" 3)"
	as_command $units
	ours command user --rounds 100000 --budget "$seconds"s
	i=$((i + 1))
done | tee "$work/all" | awk '{ printf "  %-9s %+.3f %% [%+.3f, %+.3f]\n", $1,
	$2, $3, $4; fflush() }'
awk -v truth="$effect" -v want="$tries" '{ t = (truth - 1) * 100; n[$1]++
	half[$1] += ($4 - $3) / 2; hit[$1] += $3 <= t && t <= $4 }
	END { h = half["hyperfine"] / n["hyperfine"]
	target["slices"] = 0.2
	target["command"] = 0.5
	for (k in target) {
		missed += n[k] < want || 10 * hit[k] < 9 * n[k] ||
			half[k] / n[k] > target[k] * h
		say[k] = " (target: " target[k] ")"
	}
	for (k in n)
		printf "%-9s half width %.3f %%, %.3f of hyperfine%s, truth in %d of %d\n",
			k, half[k] / n[k], half[k] / n[k] / h, say[k],
			hit[k], n[k] | "sort"
	close("sort")
	exit missed > 0 }' "$work/all"
