#!/bin/sh
# What a slice of lockstep costs beyond itself: processes that answer at once,
# asked in random order for a round's time, as a slice of 500 us would be.
#
#	slices-overhead.sh [ROUNDS [PREFIXES]]
#
# The rest for the real-time throttle (3 ms in 53) is no slice's and is taken
# off. Target: at most 50 us at 8 prefixes, 10 % of a slice.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/planted.sh"
rounds=${1:-6} n=${2:-8}

planted "$n" 1 0
in_slices empty
run wb run --rounds "$rounds" "$stack"
sqlite3 .git/wb/results.db 'SELECT p, i, w FROM (SELECT count(*) AS p,
	avg(iter) AS i, sum(wall) AS w FROM run JOIN sample
	ON sample.run = run.row GROUP BY round) ORDER BY i' |
awk -F'|' -v fifo="$(fifo_word)" '{ p = $1; passes[NR] = $2; wall[NR] = $3 }
	END { m = int((NR + 1) / 2)
	goal = p <= 8 ? 0.5 : 0.5 + (p - 8) / 32
	busy = fifo == "SCHED_FIFO" ? goal * 50 / 53 : goal
	printf "%d processes, %d passes a round (median of %d), %s\n", p,
		passes[m], NR, fifo
	printf "overhead  %.1f us a slice (target: at most 50)\n",
		busy / p / passes[m] * 1e6
	printf "restart   %.0f ms a round for all (in the middle one)\n",
		(wall[m] - goal) * 1e3 }'
