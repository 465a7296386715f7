#include "bisect-known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct point {
	int32_t round;
	struct wb_belief_run run;
};

static int by_round(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	return x->run.at - y->run.at;
}

/* The position of each column of the plan; -1: none of its own. */
static int *positions(const struct wb_bisect_line *l)
{
	int *at = wb_xcalloc(l->plan->stack.n, sizeof(*at)), i;
	size_t k;

	for (k = 0; k < l->plan->stack.n; k++)
		at[k] = -1;
	for (i = 0; i < l->n; i++)
		at[l->prefix[i]] = i;
	return at;
}

static size_t collect(const struct wb_result *r, const struct wb_bisect_line *l,
		      const char *metric, enum wb_level level,
		      struct point **out)
{
	int *at = positions(l);
	size_t i, n = 0;

	*out = wb_xcalloc(r->npoints, sizeof(**out));
	for (i = 0; i < r->npoints; i++) {
		const struct wb_point *p = &r->point[i];
		const struct wb_metric *m = &r->metric[p->metric];
		if (p->round < 0 || at[p->column] < 0 || !(p->value > 0) ||
		    m->level != level || strcmp(m->name, metric))
			continue;
		(*out)[n++] = (struct point){
			p->round, { at[p->column], log(p->value) },
		};
	}
	free(at);
	qsort(*out, n, sizeof(**out), by_round);
	return n;
}

static void add_block(struct wb_json *list, const struct point *p, size_t n)
{
	struct wb_json *o, *at, *y;
	size_t i;

	if (!n || p[0].run.at == p[n - 1].run.at)
		return;
	o = wb_json_object();
	at = wb_json_array();
	y = wb_json_array();
	for (i = 0; i < n; i++) {
		wb_json_append(at, wb_json_int(p[i].run.at));
		wb_json_append(y, wb_json_num(p[i].run.y));
	}
	wb_json_set(o, "at", at);
	wb_json_set(o, "y", y);
	wb_json_append(list, o);
}

int wb_bisect_known(const struct wb_bisect_bench *b, const char *metric,
		    enum wb_level level, struct wb_json **out,
		    struct wb_error *err)
{
	const struct wb_plan *p = b->line->plan;
	struct point *point;
	struct wb_result r;
	size_t n, i, from = 0, k, l;

	wb_result_init(&r);
	for (k = 0; k < p->stack.n; k++) {
		wb_result_add_column(&r, (int)k, p->stack.prefix[k].name);
		for (l = 0; p->prefix[k].applies && l < p->layouts; l++)
			wb_result_add_build(&r, k, p->prefix[k].build[l]);
	}
	if (wb_db_load(b->db, wb_plan_bench_id(b->bench, b->counting),
		       b->bench->config->name, p->machine.id, &r, err) < 0) {
		wb_result_clear(&r);
		return -1;
	}
	*out = wb_json_array();
	n = collect(&r, b->line, metric, level, &point);
	for (i = 1; i <= n; i++) {
		if (i < n && point[i].round == point[from].round)
			continue;
		add_block(*out, &point[from], i - from);
		from = i;
	}
	free(point);
	wb_result_clear(&r);
	return 0;
}

static void read_block(const struct wb_json *o, int n,
		       struct wb_belief_block *k)
{
	const struct wb_json *at = wb_json_get(o, "at");
	size_t i, count = wb_json_count(at);
	int64_t where;
	double y;

	*k = (struct wb_belief_block){ wb_xcalloc(count, sizeof(*k->run)), 0 };
	for (i = 0; i < count; i++)
		if (wb_json_get_int(wb_json_at(at, i), &where) && where >= 0 &&
		    where < n &&
		    wb_json_get_num(wb_json_at(wb_json_get(o, "y"), i), &y))
			k->run[k->n++] = (struct wb_belief_run){
				(int)where, y,
			};
}

size_t wb_bisect_known_read(const struct wb_json *v, int n,
			    struct wb_belief_block **out)
{
	size_t i, count = wb_json_count(v);

	*out = wb_xcalloc(count, sizeof(**out));
	for (i = 0; i < count; i++)
		read_block(wb_json_at(v, i), n, &(*out)[i]);
	return count;
}

void wb_bisect_known_free(struct wb_belief_block *block, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		free(block[i].run);
	free(block);
}
