#include "bisect-aa.h"

#include "belief.h"
#include "buf.h"
#include "schedule.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>

/* Each block's runs to two halves by lot. */
static void compare_halves(const double *y, size_t nblocks, size_t n,
			   uint64_t seed, struct wb_bisect_aa *out)
{
	struct wb_belief_run *run = wb_xcalloc(n, sizeof(*run));
	struct wb_belief b;
	size_t i, k, left;

	wb_belief_init(&b, 0, 1, NULL, true);
	for (k = 0; k < nblocks; k++) {
		left = n / 2;
		for (i = 0; i < n; i++) {
			run[i].y = y[k * n + i];
			run[i].at = wb_schedule_random(&seed) % (n - i) < left;
			left -= (size_t)run[i].at;
		}
		wb_belief_add(&b, run, n);
	}
	out->sigma = b.sigma;
	out->log_e = b.log_e;
	out->floor = wb_belief_half(&b);
	wb_belief_clear(&b);
	free(run);
}

/* y less the mean of its block, summed up by layout. */
static void layout_means(const double *y, size_t nblocks, size_t n,
			 const size_t *layout, double *mean)
{
	double centre;
	size_t i, k;

	for (k = 0; k < nblocks; k++) {
		centre = wb_mean(y + k * n, n);
		for (i = 0; i < n; i++)
			mean[layout[i]] += (y[k * n + i] - centre) /
					   (double)nblocks;
	}
}

static void estimate_layouts(const double *y, size_t nblocks, size_t n,
			     const size_t *layout, size_t layouts,
			     struct wb_bisect_aa *out)
{
	double *mean = wb_xcalloc(layouts, sizeof(*mean));
	double rest = 0, centre, d, between;
	size_t i, k;

	layout_means(y, nblocks, n, layout, mean);
	for (k = 0; k < nblocks; k++) {
		centre = wb_mean(y + k * n, n);
		for (i = 0; i < n; i++) {
			d = y[k * n + i] - centre - mean[layout[i]];
			rest += d * d;
		}
	}
	out->sigma = sqrt(rest / (double)((nblocks - 1) * (layouts - 1)));
	between = pow(wb_sd(mean, layouts), 2) -
		  out->sigma * out->sigma / (double)nblocks;
	out->lambda = between > 0 ? sqrt(between) : 0;
	free(mean);
}

void wb_bisect_aa(const double *y, size_t nblocks, size_t n,
		  const size_t *layout, size_t layouts, uint64_t seed,
		  struct wb_bisect_aa *out)
{
	*out = (struct wb_bisect_aa){ .sigma = NAN, .floor = NAN };
	if (nblocks < 2 || n < 2)
		return;
	compare_halves(y, nblocks, n, seed, out);
	if (layouts > 1 && layouts == n)
		estimate_layouts(y, nblocks, n, layout, layouts, out);
}
