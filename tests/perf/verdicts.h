#ifndef VERDICTS_H
#define VERDICTS_H

#include "noise.h"

#include <stdbool.h>

/* Each prints its figures for one kind of noise: whether a target is missed. */

/* n stacks of 20 patches, beside as many runs in blocked order. */
bool verdicts_series(enum noise_kind kind, int n, uint64_t seed);

/* n single comparisons for each line. */
bool verdicts_pairs(enum noise_kind kind, int n, uint64_t seed);

#endif
