#ifndef TEST_TABLE_FIXTURE_H
#define TEST_TABLE_FIXTURE_H

/* A small result set and its table, for the tests of verdicts. */
#include "check.h"
#include "table.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- results to judge ---- */

static inline struct wb_metric *metric(struct wb_result *r, const char *name)
{
	size_t i = wb_result_add_metric(r, "b", name);
	struct wb_metric *m = &r->metric[i];

	m->better = WB_BETTER_LOWER;
	m->judged = true;
	return m;
}

static inline void columns(struct wb_result *r, int n)
{
	char name[20] = "base";
	int i;

	for (i = 0; i < n; i++) {
		if (i)
			snprintf(name, sizeof(name), "p%d", i);
		wb_result_add_column(r, i, name);
	}
}

static inline void add(struct wb_result *r, size_t m, size_t column, int round,
		double value)
{
	wb_result_add_point(r, &(struct wb_point){
		.value = value, .metric = (uint32_t)m,
		.column = (uint32_t)column, .round = round,
		.run = (uint32_t)r->npoints,
	});
}

/* One value a round in one column. */
static inline void series(struct wb_result *r, size_t m, size_t column,
		   const double *v, int n)
{
	int i;

	for (i = 0; i < n; i++)
		add(r, m, column, i, v[i]);
}

static const struct wb_table_options usual = { .margin = 0.005 };

struct fixture {
	struct wb_result r;
	struct wb_table t;
};

static inline void start(struct fixture *f, int ncolumns)
{
	wb_result_init(&f->r);
	columns(&f->r, ncolumns);
	metric(&f->r, "m");
}

static const struct wb_row *judge(struct fixture *f, size_t column)
{
	wb_table_init(&f->t, &f->r, &usual);
	return wb_table_row(&f->t, 0, column);
}

static inline void end(struct fixture *f)
{
	wb_table_clear(&f->t);
	wb_result_clear(&f->r);
}

static inline void says(const struct wb_row *row, const char *word)
{
	if (!row->reason || !strstr(row->reason, word))
		fail_msg("'%s' has no '%s'", row->reason ? row->reason : "",
			 word);
}

static inline void assert_near(double got, double want)
{
	if (!(fabs(got - want) < 1e-9))
		fail_msg("%.12g is not %.12g", got, want);
}

static const double noisy[] = { 100.1, 99.8, 100.3, 99.9, 100.2, 99.7 };

static inline void scaled(struct fixture *f, size_t column, double by, int n)
{
	int i;

	for (i = 0; i < n; i++)
		add(&f->r, 0, column, i,
		    noisy[i % 6] * (by + 0.0004 * ((i * 7) % 5 - 2)));
}

#endif
