/*
 * The layout of benchstat: a table a unit, a row a metric; medians with their
 * distribution-free 95 % intervals, and the change of the median from the
 * first column when Mann-Whitney's test rejects "no change" at 5 %, else ~.
 * The geometric mean stands below rows that are positive; that of changes is
 * of the rows that both columns have.
 *
 * In 7 bit and at most 72 columns: |, u and +- instead of their kin.
 */
#include "benchstat.h"
#include "format-grid.h"
#include "format-key.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct wb_format_options mail = { .kind = WB_FORMAT_PLAIN };

#define ALPHA 0.05

struct cell {
	struct wb_bs_cell s;
	double *v;
};

/* The metrics of one unit. */
struct layout {
	const struct wb_view *v;
	const char *unit;
	double factor;
	size_t *metric, n;	/* indices of v->metric */
	struct cell *cell;	/* [metric][column] */
	bool few;		/* a cell has too few values */
	struct wb_buf varying;	/* names of metrics that should be exact */
};

static struct cell *cell_at(const struct layout *l, size_t m, size_t c)
{
	return &l->cell[m * l->v->ncolumns + c];
}

static const struct wb_metric *metric_at(const struct wb_view *v, size_t m)
{
	return &v->t->r->metric[v->metric[m]];
}

static void fill_cell(struct layout *l, size_t m, size_t c)
{
	struct cell *cell = cell_at(l, m, c);
	const struct wb_view *v = l->v;
	struct wb_runs runs;
	size_t i;

	wb_runs_init(&runs, &v->t->cells, v->metric[l->metric[m]],
		     v->column[c]);
	cell->v = wb_xcalloc(runs.n, sizeof(*cell->v));
	for (i = 0; i < runs.n; i++)
		cell->v[i] = runs.process[i].value * l->factor;
	cell->s = wb_bs_cell(cell->v, runs.n);
	wb_runs_clear(&runs);
	l->few |= cell->s.n && isinf(cell->s.spread) &&
		  !metric_at(v, l->metric[m])->exact;
}

static void value_parts(const struct layout *l, size_t m, size_t c,
			struct wb_grid_cell *out)
{
	const struct wb_bs_cell *s = &cell_at(l, m, c)->s;
	struct wb_buf b = WB_BUF_INIT;

	if (!s->n) {
		out->part[0] = wb_xstrdup("-");
		out->part[1] = wb_xstrdup("-");
		return;
	}
	wb_bs_add_scaled(&b, s->median, cell_at(l, m, 0)->s.n ?
			 cell_at(l, m, 0)->s.median : s->median);
	out->part[0] = wb_buf_detach(&b);
	if (metric_at(l->v, l->metric[m])->exact && s->equal)
		out->part[1] = wb_xstrdup("exact");
	else if (isfinite(s->spread))
		out->part[1] = wb_xasprintf("+-%.0f%%", s->spread);
	else
		out->part[1] = wb_xstrdup(s->median == 0 ? "+-?" : "+-inf");
}

static char *percent(double ratio)
{
	struct wb_buf b = WB_BUF_INIT;

	if (isnan(ratio))
		return wb_xstrdup("?");
	wb_percent_add(&b, ratio, 2);
	return wb_buf_detach(&b);
}

static void change_parts(const struct layout *l, size_t m, size_t c,
			 struct wb_grid_cell *out)
{
	const struct cell *now = cell_at(l, m, c), *old = cell_at(l, m, 0);
	bool exact = metric_at(l->v, l->metric[m])->exact && now->s.equal &&
		     old->s.equal;
	double ratio = old->s.median == 0 ? NAN :
		       now->s.median / old->s.median - 1;
	struct wb_mann_whitney u;

	if (!now->s.n || !old->s.n) {
		out->part[0] = wb_xstrdup("-");
		return;
	}
	u = wb_mann_whitney(now->v, now->s.n, old->v, old->s.n);
	if (exact) {
		out->part[0] = percent(now->s.median == old->s.median ? 0 :
				       ratio);
	} else if (isnan(u.p)) {
		/* no test there is, for nothing differs: that is no "~" */
		out->part[0] = wb_xstrdup("all-equal");
	} else {
		out->part[0] = u.p > ALPHA ? wb_xstrdup("~") : percent(ratio);
		out->part[1] = wb_xasprintf("(p=%.3f", u.p);
	}
	if (now->s.n == old->s.n)
		out->part[2] = wb_xasprintf("%sn=%zu)", out->part[1] ? "" : "(",
					    now->s.n);
	else
		out->part[2] = wb_xasprintf("%sn=%zu+%zu)", out->part[1] ? "" :
					    "(", old->s.n, now->s.n);
	if (!out->part[1]) {
		out->part[1] = out->part[2];
		out->part[2] = NULL;
	}
}

/* Over rows with a positive median; of ratios over rows that have both. */
static double geomean(const struct layout *l, size_t c, bool ratio, size_t *n)
{
	double sum = 0, now, old;
	size_t m;

	for (m = *n = 0; m < l->n; m++) {
		now = cell_at(l, m, c)->s.median;
		old = cell_at(l, m, 0)->s.median;
		if (!(now > 0) || (ratio && !(old > 0)))
			continue;
		sum += log(now) - (ratio ? log(old) : 0);
		++*n;
	}
	return *n ? exp(sum / (double)*n) : NAN;
}

static void fill_geomean(const struct layout *l, struct wb_grid *g)
{
	size_t c, n, first, group = 0;
	struct wb_buf b = WB_BUF_INIT;
	double mean;

	g->number[l->n] = wb_xstrdup("geomean");
	for (c = 0; c < l->v->ncolumns; c++) {
		mean = geomean(l, c, false, &n);
		if (!isnan(mean))
			wb_bs_add_scaled(&b, mean, mean);
		wb_grid_cell(g, group++, l->n)->part[0] =
			n ? wb_buf_detach(&b) : wb_xstrdup("-");
		if (!c)
			continue;
		first = n;
		mean = geomean(l, c, true, &n);
		wb_grid_cell(g, group, l->n)->part[0] =
			n ? percent(mean - 1) : wb_xstrdup("-");
		if (n < first || n < l->n)
			wb_grid_cell(g, group, l->n)->part[1] =
				wb_xasprintf("(%zu-of-%zu)", n, l->n);
		group++;
	}
	wb_buf_clear(&b);
}

/* An exact metric whose values differ within a column is none. */
static void note_varying(struct layout *l, size_t m)
{
	const struct wb_metric *metric = metric_at(l->v, l->metric[m]);
	size_t c;

	for (c = 0; c < l->v->ncolumns && metric->exact; c++) {
		if (!cell_at(l, m, c)->s.n || cell_at(l, m, c)->s.equal)
			continue;
		wb_buf_addf(&l->varying, "%s%s", l->varying.len ? ", " :
			    "declared exact, but the values of one prefix "
			    "differ: ", metric->name);
		break;
	}
}

static void fill_grid(struct layout *l, struct wb_grid *g)
{
	size_t m, c, group = 0;

	for (m = 0; m < l->n; m++) {
		g->number[m] = wb_grid_text(&mail, metric_at(l->v,
					    l->metric[m])->name, 40);
		note_varying(l, m);
	}
	for (c = 0; c < l->v->ncolumns; c++) {
		g->group[group].title = wb_format_key_name(l->v, c);
		g->group[group].nparts = 2;
		for (m = 0; m < l->n; m++)
			value_parts(l, m, c, wb_grid_cell(g, group, m));
		group++;
		if (!c)
			continue;
		g->group[group].title = wb_xstrdup("vs base");
		g->group[group].nparts = 3;
		g->group[group].joined = true;
		for (m = 0; m < l->n; m++)
			change_parts(l, m, c, wb_grid_cell(g, group, m));
		group++;
	}
	fill_geomean(l, g);
}

static void add_unit(struct layout *l, struct wb_buf *out)
{
	size_t i, n = l->v->ncolumns;
	char *head = wb_grid_text(&mail, *l->unit ? l->unit : "no-unit", 20);
	struct wb_grid g;

	l->cell = wb_xcalloc(l->n * n, sizeof(*l->cell));
	for (i = 0; i < l->n * n; i++)
		fill_cell(l, i / n, i % n);
	wb_grid_init(&g, &mail, l->n + 1, 2 * n - 1);
	g.head = head;
	fill_grid(l, &g);
	wb_grid_print(&g, out);
	wb_buf_addch(out, '\n');
	wb_grid_clear(&g);
	for (i = 0; i < l->n * n; i++)
		free(l->cell[i].v);
	free(l->cell);
	free(head);
}

/* The metrics whose unit is that of the first; false: it had its table. */
static bool collect(const struct wb_view *v, size_t first, struct layout *l)
{
	const char *name;
	double factor;
	size_t i;

	wb_bs_unit(metric_at(v, first)->unit, &l->factor, &l->unit);
	l->n = 0;
	for (i = 0; i < v->nmetrics; i++) {
		wb_bs_unit(metric_at(v, i)->unit, &factor, &name);
		if (strcmp(name, l->unit) || factor != l->factor)
			continue;
		if (i < first)
			return false;
		l->metric[l->n++] = i;
	}
	return true;
}

static void add_bench(const struct wb_view *v,
		      const struct wb_format_options *o, struct wb_buf *out)
{
	struct layout l = { .v = v, .varying = WB_BUF_INIT };
	size_t i;

	(void)o;
	l.metric = wb_xcalloc(v->nmetrics, sizeof(*l.metric));
	for (i = 0; i < v->nmetrics; i++)
		if (collect(v, i, &l))
			add_unit(&l, out);
	free(l.metric);
	wb_format_key_legend(v, out);
	wb_format_key(v, out);
	wb_format_key_line("median of processes, +- the far end of its "
			   "distribution-free 95 % interval; change of the "
			   "median from the first column, ~: Mann-Whitney "
			   "p > 0.05, not corrected for the number of rows; "
			   "the raw sign: see above what is better", out);
	if (l.few)
		wb_format_key_line("inf: an interval needs 6 values or more",
				   out);
	if (l.varying.len)
		wb_format_key_line(l.varying.ptr, out);
	wb_buf_clear(&l.varying);
}

void wb_format_benchstat(const struct wb_table *t,
			 const struct wb_format_options *o, struct wb_buf *out)
{
	wb_format_key_tables(t, o, add_bench, out);
}
