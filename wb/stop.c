#include "stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A neighbour's burst over the first rounds looks like a bench without hope:
 * so many times the first rounds have to say so.
 */
#define PATIENCE 4

#define FEW 12			/* see wb_stop_is_few() */

/* A comparison that nobody has measured: the spread of its neighbours. */
static struct wb_estimate guess(const struct wb_table *t, size_t metric)
{
	struct wb_estimate e = { NAN, NAN, NAN, NAN, 0, 0 };
	double *sd = wb_xcalloc(t->r->ncolumns, sizeof(*sd));
	const struct wb_row *row;
	size_t i, n = 0;

	for (i = 0; i < t->r->ncolumns; i++) {
		row = wb_table_row(t, metric, i);
		if (row->paired && !row->exact && !isnan(row->log.sd))
			sd[n++] = row->log.sd;
	}
	e.sd = wb_median(sd, n);
	free(sd);
	return e;
}

static bool beyond_timing(const struct wb_table *t, const struct wb_row *row)
{
	const struct wb_metric *m = &t->r->metric[row->metric];

	return !m->judged || m->level == WB_LEVEL_I || row->exact ||
	       row->verdict == WB_VERDICT_NONE ||
	       row->verdict == WB_VERDICT_BROKEN;
}

struct wb_stop_row wb_stop_judge(const struct wb_table *t,
				 const struct wb_row *row,
				 const struct wb_stop_rule *rule)
{
	struct wb_stop_row s = { .state = WB_STOP_KNOWN };
	struct wb_estimate e = row->log;
	size_t made;

	if (beyond_timing(t, row))
		return s;
	if (!row->paired)
		e = guess(t, row->metric);
	else if (wb_settle_changed(row->corrected) ||
		 wb_settle_same(&e, t->o.margin))
		return s;
	/* what was made and left out was made, to whoever makes rounds */
	made = e.n + row->skipped;
	s.state = WB_STOP_OPEN;
	s.next = wb_settle_look(rule->first, made);
	/* the last look is at the limit itself */
	if (s.next > rule->limit && made < rule->limit)
		s.next = rule->limit;
	if (!isnan(e.sd)) {
		s.expected = row->skipped +
			wb_settle_forecast(&e, t->o.margin, t->family,
					   rule->first, 2 * rule->limit);
		s.span = wb_settle_span(&e, t->o.margin, t->family,
					rule->first, 2 * rule->limit);
		s.span.low += row->skipped;
		s.span.high += row->skipped;
	}
	/* both sides are there and will never be a ratio */
	if (made >= rule->limit || (!row->paired && row->n >= rule->first) ||
	    (made >= PATIENCE * rule->first && s.expected > 2 * rule->limit)) {
		s.state = WB_STOP_HOPELESS;
		s.next = 0;
	}
	return s;
}

static size_t bench_of(const struct wb_result *r, size_t metric)
{
	size_t b;

	for (b = 0; b < r->nbenches; b++)
		if (!strcmp(r->bench[b], r->metric[metric].bench))
			break;
	return b;
}

static size_t at_most(size_t n, size_t limit)
{
	return n < limit ? n : limit;
}

static void keep_most(size_t *have, size_t n)
{
	*have = *have < n ? n : *have;
}

void wb_stop_init(struct wb_stop *s, const struct wb_table *t,
		  const struct wb_stop_rule *rule)
{
	size_t n = (t->r->nbenches + 1) * t->r->ncolumns, i, cell;
	struct wb_stop_row row;

	*s = (struct wb_stop){
		.ncolumns = t->r->ncolumns,
		.next = wb_xcalloc(n, sizeof(*s->next)),
		.expected = wb_xcalloc(n, sizeof(*s->expected)),
		.low = wb_xcalloc(n, sizeof(*s->low)),
		.high = wb_xcalloc(n, sizeof(*s->high)),
	};
	for (i = 0; i < t->nrows; i++) {
		if (!t->r->metric[t->row[i].metric].judged ||
		    t->row[i].verdict == WB_VERDICT_NONE)
			continue;
		/* neither is anything to be known of it */
		if (t->row[i].verdict == WB_VERDICT_BROKEN)
			continue;
		row = wb_stop_judge(t, &t->row[i], rule);
		s->known += row.state == WB_STOP_KNOWN;
		s->hopeless += row.state == WB_STOP_HOPELESS;
		s->open += row.state == WB_STOP_OPEN;
		if (row.state != WB_STOP_OPEN)
			continue;
		s->blind |= !row.expected;
		cell = bench_of(t->r, t->row[i].metric) * s->ncolumns +
		       t->row[i].column;
		keep_most(&s->next[cell], row.next);
		/* what is not settled at the limit ends there */
		keep_most(&s->expected[cell],
			  at_most(row.expected, rule->limit));
		keep_most(&s->low[cell], at_most(row.span.low, rule->limit));
		keep_most(&s->high[cell], at_most(row.span.high, rule->limit));
	}
}

bool wb_stop_is_few(const struct wb_stop *s)
{
	return s->open && s->open < FEW;
}

void wb_stop_clear(struct wb_stop *s)
{
	free(s->low);
	free(s->high);
	free(s->next);
	free(s->expected);
	memset(s, 0, sizeof(*s));
}
