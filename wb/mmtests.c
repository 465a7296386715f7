#include "mmtests.h"
#include "stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define S(kind) { WB_MM_##kind, 0 }
#define BEST(p) { WB_MM_BEST, p }
#define RANK(p) { WB_MM_RANK, p }

static const struct wb_mm_stat multiops[] = {
	S(MIN), S(MEAN), S(SD), S(CV), S(MAX), BEST(95),
};
static const struct wb_mm_stat multiops2016[] = {
	S(MIN), S(MEAN), S(SD), S(CV), S(MAX),
};
static const struct wb_mm_stat singleops[] = {
	S(FIRST),
};
static const struct wb_mm_stat normalisedops[] = {
	S(MIN), S(MEAN), BEST(95), RANK(95), S(SD), S(CV), S(MAX),
};
static const struct wb_mm_stat leftskew[] = {
	S(MIN), S(MEAN), BEST(50), RANK(50), BEST(75), RANK(75), BEST(90),
	RANK(90), BEST(99), RANK(99), S(SD), S(CV), S(MAX),
};
static const struct wb_mm_stat variabletime[] = {
	S(MIN), RANK(25), RANK(50), RANK(75), RANK(1), RANK(5), RANK(10),
	RANK(90), RANK(95), RANK(99), S(MAX), S(MEAN), S(SD), S(CV), BEST(99),
	BEST(95), BEST(90), BEST(75), BEST(50), BEST(25),
};

#define ROWSET(a) { a, sizeof(a) / sizeof(a[0]) }

struct wb_mm_rowset wb_mm_rowset(enum wb_rows rows, bool in2016)
{
	static const struct wb_mm_rowset sets[] = {
		[WB_ROWS_MULTIOPS] = ROWSET(multiops),
		[WB_ROWS_SINGLEOPS] = ROWSET(singleops),
		[WB_ROWS_NORMALISEDOPS] = ROWSET(normalisedops),
		[WB_ROWS_LEFTSKEW] = ROWSET(leftskew),
		[WB_ROWS_VARIABLETIME] = ROWSET(variabletime),
	};
	static const struct wb_mm_rowset old = ROWSET(multiops2016);

	return in2016 && rows == WB_ROWS_MULTIOPS ? old : sets[rows];
}

static void turn_over(double *v, size_t n)
{
	double swap;
	size_t i;

	for (i = 0; i < n / 2; i++) {
		swap = v[i];
		v[i] = v[n - 1 - i];
		v[n - 1 - i] = swap;
	}
}

void wb_mm_pool_init(struct wb_mm_pool *p, const struct wb_cells *c,
		     size_t metric, size_t column)
{
	const uint32_t *first;
	size_t i;

	p->n = wb_cells_get(c, metric, column, &first);
	p->v = wb_xcalloc(p->n, sizeof(*p->v));
	p->higher = c->r->metric[metric].better == WB_BETTER_HIGHER;
	for (i = 0; i < p->n; i++)
		p->v[i] = c->r->point[first[i]].value;
	p->first = p->n ? p->v[0] : NAN;
	wb_sort(p->v, p->n);
	if (p->higher)
		turn_over(p->v, p->n);
}

void wb_mm_pool_clear(struct wb_mm_pool *p)
{
	free(p->v);
	memset(p, 0, sizeof(*p));
}

/* Arithmetic, or harmonic where higher is better, of the best n. */
static double mean_of(const struct wb_mm_pool *p, size_t n)
{
	double sum = 0;
	size_t i;

	if (!n)
		return NAN;
	for (i = 0; i < n; i++) {
		if (p->higher && p->v[i] <= 0)
			return NAN;
		sum += p->higher ? 1 / p->v[i] : p->v[i];
	}
	return p->higher ? (double)n / sum : sum / (double)n;
}

/*
 * Spread around that mean: n - 1 below the sum for the arithmetic one; for the
 * harmonic one the delta method, H^2 times the deviation of 1/x. In 2016: of
 * the population, around the arithmetic mean, for both.
 */
static double spread_of(const struct wb_mm_pool *p, bool in2016)
{
	double n = (double)p->n, mean = mean_of(p, p->n), sum = 0;
	size_t i;

	if (in2016)
		mean = wb_mean(p->v, p->n);
	if (isnan(mean))
		return NAN;
	for (i = 0; i < p->n; i++)
		sum += p->higher && !in2016 ?
			(1 / p->v[i] - 1 / mean) * (1 / p->v[i] - 1 / mean) :
			(p->v[i] - mean) * (p->v[i] - mean);
	if (in2016)
		return sqrt(sum / n);
	if (p->higher)
		return sqrt(mean * mean * mean * mean / n * sum);
	return p->n > 1 ? sqrt(sum / (n - 1)) : NAN;
}

/* Rank of p percent, at least 1. */
static size_t rank_of(const struct wb_mm_pool *p, int percent)
{
	size_t k = p->n * (size_t)percent / 100;

	return k ? k : 1;
}

double wb_mm_value(const struct wb_mm_pool *p, const struct wb_mm_stat *s,
		   bool in2016)
{
	if (!p->n)
		return NAN;
	switch (s->kind) {
	case WB_MM_MIN:
		return p->higher ? p->v[p->n - 1] : p->v[0];
	case WB_MM_MAX:
		return p->higher ? p->v[0] : p->v[p->n - 1];
	case WB_MM_MEAN:
		return mean_of(p, p->n);
	case WB_MM_SD:
		return spread_of(p, in2016);
	case WB_MM_CV:
		return 100 * spread_of(p, in2016) / mean_of(p, p->n);
	case WB_MM_FIRST:
		return p->first;
	case WB_MM_BEST:
		return mean_of(p, rank_of(p, s->p));
	case WB_MM_RANK:
		return p->v[rank_of(p, s->p) - 1];
	case WB_MM_INTERVAL:
		break;
	}
	return NAN;
}

void wb_mm_label(struct wb_buf *out, const struct wb_mm_stat *s, bool higher,
		 bool in2016)
{
	const char *h = higher ? "H" : "A", *spread = higher && !in2016 ? "H" :
			"";

	switch (s->kind) {
	case WB_MM_MIN:
		wb_buf_addstr(out, "Min");
		break;
	case WB_MM_MAX:
		wb_buf_addstr(out, "Max");
		break;
	case WB_MM_MEAN:
		wb_buf_addf(out, "%smean", h);
		break;
	case WB_MM_SD:
		wb_buf_addf(out, "%sStddev", spread);
		break;
	case WB_MM_CV:
		wb_buf_addf(out, "%sCoeffVar", spread);
		break;
	case WB_MM_FIRST:
		wb_buf_addstr(out, "Ops");
		break;
	case WB_MM_BEST:
		wb_buf_addf(out, "B%smean.%d", h, s->p);
		break;
	case WB_MM_RANK:
		wb_buf_addf(out, "Pctile.%d", s->p);
		break;
	case WB_MM_INTERVAL:
		wb_buf_addstr(out, "CI95");
		break;
	}
}

double wb_mm_gain_compat(double now, double base, bool higher)
{
	if (now == base || (higher && now == 0))
		return 0;
	if (higher)
		return base == 0 ? 100 : 100 * now / base - 100;
	if (now == 0)
		return 100;
	return base == 0 ? -99 : 100 - 100 * now / base;
}

double wb_mm_gain(double now, double base, bool higher)
{
	double grew = (now - base) / fabs(base) * 100;

	if (base == 0)
		return now == 0 ? 0 : NAN;
	if (!isfinite(grew))
		return NAN;
	return higher ? grew : -grew;
}

/* The original hands the half-width on as text of 7 digits. */
static double half_width(const struct wb_mm_pool *p)
{
	char text[32];

	snprintf(text, sizeof(text), "%.7g", 1.95996 * spread_of(p, false));
	return strtod(text, NULL);
}

bool wb_mm_star_compat(const struct wb_mm_pool *now,
		       const struct wb_mm_pool *base)
{
	double apart = fabs(mean_of(now, now->n) - mean_of(base, base->n));
	double reach = half_width(now) + half_width(base);

	/* without any variance it compares with one unit of the metric */
	return reach == 0 ? apart > 1 : apart > reach;
}

void wb_mm_split_compat(const char *name, size_t *first, size_t *second)
{
	const char *dash = strchr(name, '-'), *p, *end;
	size_t len = strlen(name), cut;

	if (!dash) {
		*first = len ? len - 1 : 0;
		*second = 0;
		return;
	}
	cut = (size_t)(dash - name);
	/* it looks at as many bytes as the place of the dash, and 3 */
	end = dash + (cut + 3 < len - cut ? cut + 3 : len - cut);
	for (p = dash; p + 4 <= end; p++) {
		if (!memcmp(p, "-rc", 3) && p[3] >= '0' && p[3] <= '9') {
			cut += 4;
			break;
		}
	}
	*first = cut;
	*second = cut < len ? cut + 1 : len;
}
