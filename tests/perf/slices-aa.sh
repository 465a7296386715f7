#!/bin/sh
# False alarms of lockstep slices on this machine: one binary under many names.
#
#	slices-aa.sh [REPORTS [SECONDS [PREFIXES]]]
#
# Each report compares PREFIXES builds of one program. Disjoint pairs of them
# are independent comparisons: an alarm is a 95 % interval without 0. A report
# is wrong when anything in it is called faster or slower (Holm, margin).
# Targets: at most 10 alarms in 100; none in 19 of 20 reports.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/planted.sh"
reports=${1:-3} seconds=${2:-5} n=${3:-20}

rounds=$(rounds_in "$seconds" "$n")
echo "one binary, $n names, $reports reports of $seconds s ($rounds rounds), $(fifo_word)"
i=0
while [ $i -lt "$reports" ]; do
	planted "$n" 1 0
	in_slices
	run wb run --rounds "$rounds" "$stack"
	[ "$rc" = 0 ] || { cat "$err" >&2; break; }
	run wb report --json "$stack"
	jq -r '[([.rows[] | select(.index % 2 == 1)] | length),
		([.rows[] | select(.index % 2 == 1) |
			select(.low > 0 or .high < 0)] | length),
		([.rows[] | select(.verdict == "faster" or
			.verdict == "slower")] | length),
		([.rows[] | select(.index > 0) | (.high - .low) / 2] | add /
			length * 100)] | @tsv' "$out"
	i=$((i + 1))
done | awk -v want="$reports" '{ n += $1; alarms += $2; bad += $3 > 0; half += $4
	printf "  %2d comparisons, %d alarms, %d verdicts, half width %.3f %%\n",
		$1, $2, $3, $4
	fflush() }
	END { printf "alarms   %d of %d = %.1f %% (target: at most 10 %%)\n",
		alarms, n, n ? 100 * alarms / n : 100
	printf "reports  %d of %d without a false verdict (target: 19 of 20)\n",
		NR - bad, NR
	exit NR < want || 10 * alarms > n || 20 * bad > NR }'
