/*
 * Verdicts against a truth that is known: the schedule, the table and the stop
 * that wb run works with, fed by simulated runs. Prints figures and targets;
 * ends with 1 when a target is missed. See verdicts.sh.
 *
 *	verdicts-sim series N SEED [NOISE]	(a) and (c): N stacks of 20
 *	verdicts-sim comparisons N SEED [NOISE]	(b): N comparisons a line
 */
#include "verdicts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0, kind, only = -1;
	uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	bool missed = false, stacks = n && !strcmp(argv[1], "series");

	if (argc > 4)
		only = noise_parse(argv[4]);
	if (n < 1 || (argc > 4 && only < 0) ||
	    (!stacks && strcmp(argv[1], "comparisons"))) {
		fprintf(stderr, "usage: verdicts-sim series|comparisons N "
			"[SEED [NOISE]]\n");
		return 2;
	}
	for (kind = 0; kind < NOISE_KINDS; kind++) {
		if (only >= 0 && kind != only)
			continue;
		if (stacks)
			missed |= verdicts_series((enum noise_kind)kind, n,
						  seed);
		else
			missed |= verdicts_pairs((enum noise_kind)kind, n,
						 seed);
		fflush(stdout);
	}
	return missed;
}
