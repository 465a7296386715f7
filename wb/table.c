#include "table.h"
#include "number.h"
#include "tick.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALPHA 0.05

#define ROUNDS_MAX 10000

double wb_table_visible(const struct wb_table *t, size_t metric)
{
	double alpha = ALPHA / (double)(t->family ? t->family : 1), most = 0, e;
	const struct wb_row *row;
	size_t c;

	for (c = 0; c < t->r->ncolumns; c++) {
		row = wb_table_row(t, metric, c);
		if (row->against < 0 || row->exact || isnan(row->low))
			continue;
		e = expm1(wb_estimate_visible(&row->log, alpha));
		most = e > most ? e : most;
	}
	return most;
}

const char *wb_verdict_word(enum wb_verdict v)
{
	static const char *const words[] = {
		[WB_VERDICT_NONE] = "",
		[WB_VERDICT_BROKEN] = "broken",
		[WB_VERDICT_MISSING] = "missing",
		[WB_VERDICT_SAME] = "same",
		[WB_VERDICT_FASTER] = "faster",
		[WB_VERDICT_SLOWER] = "slower",
		[WB_VERDICT_UNCLEAR] = "unclear",
	};

	return words[v];
}

bool wb_test_parse(const char *word, enum wb_test *out)
{
	*out = !strcmp(word, "welch") ? WB_TEST_WELCH :
	       !strcmp(word, "mann-whitney") ? WB_TEST_MANN_WHITNEY :
	       WB_TEST_NONE;
	return *out != WB_TEST_NONE;
}

const char *wb_test_name(enum wb_test t)
{
	return t == WB_TEST_WELCH ? "Welch's t-test" :
	       t == WB_TEST_MANN_WHITNEY ? "Mann-Whitney U test" : "";
}

const struct wb_row *wb_table_row(const struct wb_table *t, size_t metric,
				  size_t column)
{
	return &t->row[metric * t->r->ncolumns + column];
}

/* One metric on its way to rows. */
struct judge {
	struct wb_table *t;
	const struct wb_metric *m;
	size_t metric;
	struct wb_runs *side;	/* by column */
	const struct wb_hole **hole;	/* by column */
	enum wb_change_kind *kind;	/* by row of the table */
	bool exact;
};

/* A broken hole says more than a missing one. */
static void find_holes(struct judge *j)
{
	const struct wb_hole *h, **slot;
	size_t i;

	for (i = 0; i < j->t->r->nholes; i++) {
		h = &j->t->r->hole[i];
		slot = &j->hole[h->column];
		if (h->bench && strcmp(h->bench, j->m->bench))
			continue;
		if (!*slot || (*slot)->kind != WB_HOLE_BROKEN)
			*slot = h;
	}
}

static bool broken(const struct judge *j, size_t column)
{
	return j->hole[column] && j->hole[column]->kind == WB_HOLE_BROKEN;
}

static bool good(const struct judge *j, size_t column)
{
	return j->side[column].n && !broken(j, column);
}

/* Level I is exact when some column ran more than once and none disagrees. */
static bool repeats(const struct judge *j)
{
	bool proof = false;
	size_t i;

	for (i = 0; i < j->t->r->ncolumns; i++) {
		if (j->side[i].n > 1 && !j->side[i].equal)
			return false;
		proof |= j->side[i].n > 1;
	}
	return proof;
}

/* The column that this one is compared with, or -1. */
static long reference(const struct judge *j, size_t column)
{
	size_t against = j->t->o.against == WB_AGAINST_BASE ? 0 :
			 j->t->o.column;

	if (j->t->o.against != WB_AGAINST_PREV)
		return against != column && good(j, against) ? (long)against :
		       -1;
	while (column-- > 0)
		if (good(j, column))
			return (long)column;
	return -1;
}

static void set_reason(struct wb_row *row, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A row may have several things to say. */
static void set_reason(struct wb_row *row, const char *fmt, ...)
{
	struct wb_buf b = WB_BUF_INIT;
	va_list ap;

	if (row->reason)
		wb_buf_addf(&b, "%s; ", row->reason);
	va_start(ap, fmt);
	wb_buf_vaddf(&b, fmt, ap);
	va_end(ap);
	free(row->reason);
	row->reason = wb_buf_detach(&b);
}

static bool is_reference(const struct wb_table *t, size_t column)
{
	return t->o.against == WB_AGAINST_COLUMN ? column == t->o.column :
	       column == 0;
}

static void fill_hole(struct judge *j, struct wb_row *row)
{
	const struct wb_hole *h = j->hole[row->column];

	row->verdict = broken(j, row->column) ? WB_VERDICT_BROKEN :
		       WB_VERDICT_MISSING;
	if (h && h->reason && *h->reason)
		set_reason(row, "%s", h->reason);
	else if (row->verdict == WB_VERDICT_MISSING)
		set_reason(row, "its runs gave no sample of this metric, or "
			   "there was none yet");
}

/* One build in two columns: the store gives both the same samples. */
static bool one_build(const struct judge *j, size_t a, size_t b)
{
	const char *x = j->t->r->column[a].build, *y = j->t->r->column[b].build;
	const struct wb_process *p = j->side[a].process;
	const struct wb_process *q = j->side[b].process;
	size_t n = j->side[a].n, i;

	if (!x || !y || strcmp(x, y) || n != j->side[b].n)
		return false;
	for (i = 0; i < n; i++)
		if (p[i].round != q[i].round || p[i].value != q[i].value)
			return false;
	return true;
}

/*
 * Of slices the change is that of the medians, which do not see what happens
 * in less than half of the parts. Where the mean has moved elsewhere, say so.
 */
static void remark_mean(const struct wb_table *t, struct wb_row *row)
{
	double apart = row->mean_low > row->high ? row->mean_low - row->high :
		       row->mean_high < row->low ? row->low - row->mean_high :
		       0;

	if (apart > t->o.margin)
		set_reason(row, "the mean of all parts changed by %+.2g %% "
			   "[%+.2g, %+.2g]: a difference in few of them",
			   100 * row->mean, 100 * row->mean_low,
			   100 * row->mean_high);
}

/* What a row has to say about itself, whatever the verdict. */
static void remark(struct judge *j, struct wb_row *row)
{
	const struct wb_column *c = j->t->r->column;
	double step, tick = j->t->tick[j->metric];
	int span = c[row->column].index - c[row->against].index;
	struct wb_buf b = WB_BUF_INIT;

	if (j->t->o.against == WB_AGAINST_PREV && span > 1)
		set_reason(row, "spans %d patches", span);
	if (one_build(j, row->column, (size_t)row->against))
		set_reason(row, "same build");
	step = fabs(row->value - j->side[row->against].median);
	/* a count that repeats is known to the last digit */
	if (!row->exact && tick > 0 && step > 0.5 * tick && step < 1.5 * tick) {
		wb_number_add_rough(&b, tick, 10);
		set_reason(row, "one tick (%s%s%s)", b.ptr,
			   *j->m->unit ? " " : "", j->m->unit);
		wb_buf_clear(&b);
	}
	remark_mean(j->t, row);
}

static struct wb_change compare(const struct judge *j, size_t now, size_t old)
{
	if (one_build(j, now, old))
		return (struct wb_change){
			.kind = WB_CHANGE_EXACT, .p = NAN,
			.mean = NAN, .mean_low = NAN, .mean_high = NAN,
			.rounds = j->side[now].n,
		};
	return wb_change(&j->side[now], &j->side[old], j->exact,
			 j->t->tick[j->metric]);
}

/* What is compared of a column; free it. */
static double *values(const struct wb_runs *s, size_t *n)
{
	double *v = wb_xcalloc(s->n, sizeof(*v));
	size_t i;

	for (i = 0, *n = 0; i < s->n; i++)
		if (!s->process[i].skip)
			v[(*n)++] = s->process[i].value;
	return v;
}

static double test(const struct judge *j, size_t now, size_t old)
{
	double *x, *y, p = NAN;
	size_t nx, ny;

	if (j->t->o.test == WB_TEST_NONE)
		return NAN;
	x = values(&j->side[now], &nx);
	y = values(&j->side[old], &ny);
	if (j->t->o.test == WB_TEST_WELCH)
		p = wb_welch(x, nx, y, ny).p;
	else if (j->t->o.test == WB_TEST_MANN_WHITNEY)
		p = wb_mann_whitney(x, nx, y, ny).p;
	free(x);
	free(y);
	return p;
}

static void fill_row(struct judge *j, size_t column)
{
	struct wb_table *t = j->t;
	size_t at = j->metric * t->r->ncolumns + column;
	struct wb_row *row = &t->row[at];
	struct wb_change c, base;

	row->metric = (uint32_t)j->metric;
	row->column = (uint32_t)column;
	row->value = j->side[column].median;
	row->n = j->side[column].n;
	row->against = -1;
	row->change = row->low = row->high = NAN;
	row->p = row->corrected = row->test_p = NAN;
	row->log = (struct wb_estimate){ NAN, NAN, NAN, NAN, 0, 0 };
	row->base_change = row->base_low = row->base_high = NAN;
	row->mean = row->mean_low = row->mean_high = NAN;
	if (!good(j, column)) {
		fill_hole(j, row);
		return;
	}
	row->against = reference(j, column);
	if (row->against < 0)
		return;
	c = compare(j, column, (size_t)row->against);
	j->kind[at] = c.kind;
	row->test_p = test(j, column, (size_t)row->against);
	row->change = c.change;
	row->low = c.low;
	row->high = c.high;
	row->p = c.p;
	row->log = c.log;
	row->rounds = c.rounds;
	row->skipped = c.skipped;
	row->mean = c.mean;
	row->mean_low = c.mean_low;
	row->mean_high = c.mean_high;
	row->exact = c.kind == WB_CHANGE_EXACT;
	row->paired = c.kind == WB_CHANGE_PAIRED;
	remark(j, row);
	if (!column || !good(j, 0))
		return;
	base = row->against ? compare(j, column, 0) : c;
	row->base_change = base.change;
	row->base_low = base.low;
	row->base_high = base.high;
	row->base_exact = base.kind == WB_CHANGE_EXACT;
}

static void fill_metric(struct wb_table *t, size_t metric,
			const struct wb_control_pair *control,
			enum wb_change_kind *kind)
{
	const struct wb_metric *m = &t->r->metric[metric];
	size_t n = t->r->ncolumns, i;
	struct judge j = {
		.t = t, .m = m, .metric = metric,
		.side = wb_xcalloc(n, sizeof(*j.side)),
		.hole = wb_xcalloc(n, sizeof(*j.hole)),
		.kind = kind,
	};

	t->tick[metric] = wb_tick(&t->cells, metric);
	for (i = 0; i < n; i++)
		wb_runs_init(&j.side[i], &t->cells, metric, i);
	find_holes(&j);
	j.exact = m->exact || (m->level == WB_LEVEL_I && repeats(&j));
	/* what is counted does not warm up, and nobody disturbs it */
	wb_quality_mark(&t->quality[metric], j.side, j.exact ||
			m->level == WB_LEVEL_I ? 0 : n, t->tick[metric],
			t->r->start, t->r->nstarts);
	if (m->judged && !j.exact)
		wb_humps_find(&t->quality[metric].humps, j.side, n,
			      t->tick[metric]);
	t->control[metric] = wb_control_of(control, &t->cells, metric,
					   j.exact, t->tick[metric]);
	for (i = 0; i < n; i++)
		fill_row(&j, i);
	for (i = 0; i < n; i++)
		wb_runs_clear(&j.side[i]);
	free(j.side);
	free(j.hole);
}

/* Faster or slower, when the direction says which. */
static void point(const struct wb_metric *m, struct wb_row *row, bool grew)
{
	if (m->better == WB_BETTER_UNKNOWN) {
		row->verdict = WB_VERDICT_UNCLEAR;
		set_reason(row, "direction unknown: say if lower or higher is "
			   "better");
		return;
	}
	row->verdict = grew == (m->better == WB_BETTER_HIGHER) ?
		       WB_VERDICT_FASTER : WB_VERDICT_SLOWER;
}

static void judge_exact(const struct wb_table *t, struct wb_row *row)
{
	double old = wb_table_row(t, row->metric, (size_t)row->against)->value;
	struct wb_buf b = WB_BUF_INIT;

	if (row->value == old) {
		row->verdict = WB_VERDICT_SAME;
		return;
	}
	if (isnan(row->change)) {
		wb_number_add(&b, old);
		wb_buf_addstr(&b, " to ");
		wb_number_add(&b, row->value);
		set_reason(row, "from %s: no ratio", b.ptr);
		wb_buf_clear(&b);
	}
	point(&t->r->metric[row->metric], row, row->value > old);
}

/*
 * What more rounds would cost: so many until a change of the margin would be
 * seen. That depends on the spread alone and can be told; when this verdict
 * comes depends on what the change is, and that is what is not known.
 */
static void price(const struct wb_table *t, struct wb_row *row, double alpha)
{
	struct wb_buf percent = WB_BUF_INIT;
	double margin = log1p(t->o.margin), sd;
	struct wb_estimate best = row->log;
	size_t all, more;

	/* the spread as it was, .sd is what it may be without a burst */
	sd = sqrt((best.se * best.se - best.least * best.least) *
		  (double)best.n);
	all = wb_needed(sd, margin, alpha, true, ROUNDS_MAX);
	best.se = best.least;
	wb_number_add_rough(&percent, t->o.margin * 100, 2);
	if (best.least > 0 && wb_estimate_visible(&best, alpha) >= margin) {
		set_reason(row, "more layouts may tell, more rounds will "
			   "hardly");
	} else if (all == ROUNDS_MAX) {
		set_reason(row, "one of %s %% takes more than %d rounds",
			   percent.ptr, ROUNDS_MAX);
	} else if (all > row->rounds) {
		more = all - row->rounds;
		set_reason(row, "one of %s %% takes about %zu more round%s",
			   percent.ptr, more, more == 1 ? "" : "s");
	} else {
		set_reason(row, "this one is close to the margin of %s %%",
			   percent.ptr);
	}
	wb_buf_clear(&percent);
}

/* What could have been seen, and what would be with more. */
static void forecast(const struct wb_table *t, struct wb_row *row)
{
	double alpha = ALPHA / (double)(t->family ? t->family : 1);
	double visible = expm1(wb_estimate_visible(&row->log, alpha));
	struct wb_buf percent = WB_BUF_INIT;

	if (visible < 10) {
		wb_number_add_rough(&percent, visible * 100, 2);
		set_reason(row, "a change of %s %% would have been seen",
			   percent.ptr);
		wb_buf_clear(&percent);
	} else {
		set_reason(row, "not even a tenfold change would have been "
			   "seen");
	}
	price(t, row, alpha);
}

static void judge_row(const struct wb_table *t, struct wb_row *row,
		      enum wb_change_kind kind)
{
	double margin = t->o.margin;

	row->verdict = WB_VERDICT_UNCLEAR;
	switch (kind) {
	case WB_CHANGE_NONE:
		set_reason(row, "no round has both sides");
		return;
	case WB_CHANGE_NO_RATIO:
		set_reason(row, "values of 0 or below: no ratio");
		return;
	case WB_CHANGE_SINGLE:
		set_reason(row, "measured once: an interval needs 2 rounds");
		return;
	case WB_CHANGE_EXACT:
		judge_exact(t, row);
		return;
	case WB_CHANGE_PAIRED:
	case WB_CHANGE_UNPAIRED:
		break;
	}
	if (row->low >= -margin && row->high <= margin)
		row->verdict = WB_VERDICT_SAME;
	else if (row->corrected < ALPHA)
		point(&t->r->metric[row->metric], row, row->log.mean > 0);
	else
		forecast(t, row);
}

static void judge_all(struct wb_table *t, const enum wb_change_kind *kind)
{
	double *p = wb_xcalloc(t->nrows, sizeof(*p));
	const struct wb_metric *m;
	struct wb_row *row;
	size_t i;

	for (i = 0; i < t->nrows; i++) {
		row = &t->row[i];
		p[i] = t->r->metric[row->metric].judged ? row->p : NAN;
		t->family += !isnan(p[i]);
	}
	wb_holm(p, t->nrows);
	for (i = 0; i < t->nrows; i++) {
		row = &t->row[i];
		m = &t->r->metric[row->metric];
		row->corrected = p[i];
		if (row->verdict != WB_VERDICT_NONE || !m->judged)
			continue;
		if (row->against >= 0) {
			judge_row(t, row, kind[i]);
		} else if (!is_reference(t, row->column)) {
			row->verdict = WB_VERDICT_UNCLEAR;
			set_reason(row, "nothing before it to compare with");
		}
	}
	free(p);
}

void wb_table_init(struct wb_table *t, const struct wb_result *r,
		   const struct wb_table_options *o)
{
	struct wb_control_pair control;
	enum wb_change_kind *kind;
	size_t i;

	memset(t, 0, sizeof(*t));
	t->r = r;
	t->o = *o;
	t->nrows = r->nmetrics * r->ncolumns;
	t->row = wb_xcalloc(t->nrows, sizeof(*t->row));
	t->tick = wb_xcalloc(r->nmetrics, sizeof(*t->tick));
	wb_cells_init(&t->cells, r);
	t->control = wb_xcalloc(r->nmetrics, sizeof(*t->control));
	t->quality = wb_xcalloc(r->nmetrics, sizeof(*t->quality));
	kind = wb_xcalloc(t->nrows, sizeof(*kind));
	wb_control_init(&control, r);
	for (i = 0; i < r->nmetrics; i++)
		fill_metric(t, i, &control, kind);
	judge_all(t, kind);
	free(kind);
	wb_control_clear(&control);
}

void wb_table_clear(struct wb_table *t)
{
	size_t i;

	for (i = 0; i < t->nrows; i++)
		free(t->row[i].reason);
	free(t->row);
	free(t->tick);
	free(t->control);
	free(t->quality);
	wb_cells_clear(&t->cells);
	memset(t, 0, sizeof(*t));
}
