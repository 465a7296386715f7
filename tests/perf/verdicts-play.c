#include "verdicts-play.h"

#include <stdio.h>
#include <stdlib.h>

static double level(const struct world *w, size_t column)
{
	double sum = 0;
	size_t k;

	for (k = 0; k <= column; k++)
		sum += w->effect[k];
	return sum;
}

static void measure(struct play *p, struct world *w, size_t column, int round,
		    bool control)
{
	struct wb_point point = {
		.value = 1000 * exp(level(w, column) + noise_next(&w->noise)),
		.column = (uint32_t)column, .round = round,
		.run = (uint32_t)p->runs++, .nivcsw = -1,
	};

	if (control)
		wb_result_add_control(&p->r, &point);
	else
		wb_result_add_point(&p->r, &point);
}

static void start(struct play *p, const struct world *w, uint64_t seed)
{
	char name[24];
	size_t k, m;

	memset(p, 0, sizeof(*p));
	wb_result_init(&p->r);
	wb_result_add_bench(&p->r, "sim");
	for (k = 0; k < w->n; k++) {
		snprintf(name, sizeof(name), "%zu", k);
		wb_result_add_column(&p->r, (int)k, name);
	}
	m = wb_result_add_metric(&p->r, "sim", "t");
	p->r.metric[m].better = WB_BETTER_LOWER;
	p->r.metric[m].judged = true;
	wb_schedule_init(&p->s, w->n, seed);
	p->s.twin_of = 0;
}

/* next: rounds for each prefix with the one below; NULL: FIRST for all */
static void want(struct play *p, const struct world *w, size_t rounds,
		 const size_t *next)
{
	size_t k;

	p->s.npairs = 0;
	for (k = 0; k < w->n; k++) {
		wb_schedule_add_pair(&p->s, k, k, rounds);
		wb_schedule_add_pair(&p->s, 0, k, rounds);
		if (k)
			wb_schedule_add_pair(&p->s, k - 1, k,
					     next && next[k] > rounds ?
					     next[k] : rounds);
	}
}

static void rounds(struct play *p, struct world *w)
{
	size_t order[MAX_PREFIXES + 1], n, i;

	while ((n = wb_schedule_next(&p->s, p->nth++, order))) {
		for (i = 0; i < n; i++) {
			measure(p, w, order[i] < w->n ? order[i] : 0, p->round,
				order[i] == w->n);
			if (order[i] < w->n)
				wb_schedule_ran(&p->s, order[i], p->round);
		}
		p->round++;
	}
}

static void judge(struct play *p)
{
	struct wb_table_options o = { .margin = MARGIN };

	wb_table_init(&p->t, &p->r, &o);
}

void play_end(struct play *p)
{
	free(p->forecast);
	wb_table_clear(&p->t);
	wb_stop_clear(&p->stop);
	wb_schedule_clear(&p->s);
	wb_result_clear(&p->r);
}

/* All runs, should the comparisons take so many rounds. */
static size_t foretold(struct play *p, const struct world *w,
		       const size_t *each)
{
	want(p, w, FIRST, each);
	return p->runs + wb_schedule_left(&p->s);
}

void play(struct play *p, struct world *w, uint64_t seed)
{
	const struct wb_stop_rule rule = { FIRST, LIMIT };
	size_t before;

	start(p, w, seed);
	want(p, w, FIRST, NULL);
	for (;;) {
		before = p->runs;
		rounds(p, w);
		judge(p);
		wb_stop_init(&p->stop, &p->t, &rule);
		if (!p->stop.open || p->runs == before)
			return;
		if (!p->nforecasts) {
			p->low = foretold(p, w, p->stop.low);
			p->high = foretold(p, w, p->stop.high);
		}
		p->forecast = wb_grow(p->forecast, p->nforecasts, &p->cap,
				      sizeof(*p->forecast));
		p->forecast[p->nforecasts++] =
			foretold(p, w, p->stop.expected);
		want(p, w, FIRST, p->stop.next);
		wb_stop_clear(&p->stop);
		wb_table_clear(&p->t);
	}
}

void play_exactly(struct play *p, struct world *w, uint64_t seed, size_t n)
{
	start(p, w, seed);
	want(p, w, n, NULL);
	rounds(p, w);
	judge(p);
}

void play_blocked(struct play *p, struct world *w, uint64_t seed, size_t runs)
{
	size_t k, i;

	start(p, w, seed);
	for (k = 0; k < w->n; k++)
		for (i = 0; i < runs / w->n; i++)
			measure(p, w, k, (int)i, false);
	judge(p);
}

bool says_changed(const struct wb_row *row)
{
	return row->verdict == WB_VERDICT_FASTER ||
	       row->verdict == WB_VERDICT_SLOWER;
}

bool is_false(const struct world *w, const struct wb_row *row)
{
	double effect = w->effect[row->column];

	if (row->verdict == WB_VERDICT_SAME)
		return fabs(expm1(effect)) > MARGIN;
	if (!says_changed(row))
		return false;
	return effect == 0 ||
	       (row->verdict == WB_VERDICT_SLOWER) != (effect > 0);
}

bool within_two(size_t forecast, size_t runs)
{
	return forecast <= 2 * runs && runs <= 2 * forecast;
}
