#include "slices.h"

#include <math.h>
#include <stdlib.h>

#define BATCHES_MIN 10
#define BATCHES_MAX 20
#define ROUNDS_PER_BATCH 4

size_t wb_slices_batches(size_t rounds)
{
	size_t n = rounds / ROUNDS_PER_BATCH;

	if (n < BATCHES_MIN)
		n = rounds < BATCHES_MIN ? rounds : BATCHES_MIN;
	return n < BATCHES_MAX ? n : BATCHES_MAX;
}

/* A round that both sides took part in. */
struct both {
	const struct wb_passes *now, *old;
	size_t n;		/* passes */
};

static size_t find_common(const struct wb_passes *const *now, size_t nnow,
			  const struct wb_passes *const *old, size_t nold,
			  struct both *out)
{
	size_t i = 0, j = 0, n = 0;
	int32_t a, b;

	while (i < nnow && j < nold) {
		a = now[i]->round;
		b = old[j]->round;
		if (a == b) {
			out[n++] = (struct both){
				now[i], old[j], now[i]->n < old[j]->n ?
						now[i]->n : old[j]->n,
			};
		}
		i += a <= b;
		j += b <= a;
	}
	return n;
}

/* The differences of some rounds; d has room for all. Gives their number. */
static size_t differences(const struct both *b, size_t n, double *d)
{
	size_t i, p, got = 0;
	double level;

	for (i = 0; i < n; i++) {
		level = b[i].now->log - b[i].old->log;
		for (p = 0; p < b[i].n; p++)
			d[got++] = level + ((double)b[i].now->offset[p] -
					    (double)b[i].old->offset[p]);
	}
	return got;
}

/* The estimate of batches in terms of rounds. */
static struct wb_estimate by_round(struct wb_estimate e, size_t rounds)
{
	e.n = rounds;
	e.sd = e.se * sqrt((double)rounds);
	return e;
}

bool wb_slices(const struct wb_passes *const *now, size_t nnow,
	       const struct wb_passes *const *old, size_t nold, double floor,
	       struct wb_slices *out)
{
	size_t most = nnow < nold ? nnow : nold, rounds, total = 0, i, k, n;
	struct both *b = wb_xcalloc(most, sizeof(*b)), *first, *end;
	double *batch, *mean, *d;

	*out = (struct wb_slices){ { NAN, NAN, NAN, NAN, 0, 0 },
				   { NAN, NAN, NAN, NAN, 0, 0 }, 0 };
	rounds = find_common(now, nnow, old, nold, b);
	for (i = 0; i < rounds; i++)
		total += b[i].n;
	if (!total) {
		free(b);
		return false;
	}
	d = wb_xmalloc(total * sizeof(*d));
	mean = wb_xmalloc(rounds * sizeof(*mean));
	batch = wb_xmalloc(rounds * sizeof(*batch));
	k = wb_slices_batches(rounds);
	for (i = 0; i < k; i++) {
		first = b + i * rounds / k;
		end = b + (i + 1) * rounds / k;
		n = differences(first, (size_t)(end - first), d);
		if (n)
			batch[out->batches++] = wb_median(d, n);
	}
	for (i = 0; i < rounds; i++)
		mean[i] = log(b[i].now->mean) - log(b[i].old->mean);
	out->log = by_round(wb_robust_mean(batch, out->batches, floor),
			    rounds);
	out->mean = by_round(wb_robust_mean(mean, rounds, floor), rounds);
	free(batch);
	free(mean);
	free(d);
	free(b);
	return true;
}
