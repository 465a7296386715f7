#include "todo.h"
#include "count.h"
#include "subjects.h"

#include <stdlib.h>
#include <string.h>

static int describe_prefixes(struct wb_todo *t, const struct wb_plan *p,
			     const struct wb_subjects *s, struct wb_db *db,
			     struct wb_error *err)
{
	struct wb_todo_prefix *out;
	size_t k;

	for (k = 0; k < t->n; k++) {
		out = &t->prefix[k];
		out->rounds = out->counts = -1;
		if (!p->prefix[k].applies) {
			out->broken = wb_xstrdup(p->stack.prefix[k].why);
			continue;
		}
		out->built = !wb_subjects_unbuilt(s, (size_t)s->of_prefix[k]);
		if (db && wb_db_broken(db, p->prefix[k].build[0], &out->broken,
				       err) < 0)
			return -1;
	}
	return 0;
}

static void keep_fewest(long *have, size_t n)
{
	if (*have < 0 || *have > (long)n)
		*have = (long)n;
}

static void add_seconds(double *all, size_t n, double mean)
{
	if (n && mean < 0)
		*all = -1;
	else if (n && *all >= 0)
		*all += (double)n * mean;
}

/* The same runs, were it to end at the rounds that `below` tells. */
static void add_end(struct wb_todo_end *end, const struct wb_subjects *s,
		    const struct wb_wish *wish, const size_t *below,
		    struct wb_schedule *sched, double mean)
{
	struct wb_wish other = *wish;
	size_t n;

	if (below) {
		other.below = below;
		wb_subjects_pair(s, &other, sched);
	}
	n = wb_schedule_left(sched);
	end->runs += below ? n : 0;
	add_seconds(&end->seconds, n, mean);
}

/* Adds one kind of runs of one bench to the picture. */
static int add_kind(struct wb_todo *t, const struct wb_subjects *s,
		    const struct wb_plan_bench *bench, bool counting,
		    const struct wb_wish *wish, const size_t *low,
		    const size_t *high, struct wb_db *db, struct wb_error *err)
{
	struct wb_schedule sched;
	size_t k, n, i;
	double mean = -1;
	int ret;

	wb_schedule_init(&sched, s->n, 0);
	ret = wb_subjects_schedule(s, db, bench, counting, wish, &sched,
				   &mean, err);
	n = wb_schedule_left(&sched);
	if (counting)
		t->counts += n;
	else
		t->runs += n;
	add_seconds(&t->seconds, n, mean);
	add_end(&t->low, s, wish, low, &sched, mean);
	add_end(&t->high, s, wish, high, &sched, mean);
	for (k = 0; k < t->n; k++) {
		if (s->of_prefix[k] < 0)
			continue;
		i = (size_t)s->of_prefix[k];
		keep_fewest(counting ? &t->prefix[k].counts :
			    &t->prefix[k].rounds, sched.nrounds[i]);
	}
	wb_schedule_clear(&sched);
	return ret;
}

static void keep_most(size_t *have, size_t n)
{
	*have = *have < n ? n : *have;
}

static void keep_least(size_t *have, size_t n)
{
	*have = *have > n ? n : *have;
}

/* What every judged comparison still wants, by all that is known of it. */
static int look(struct wb_todo *t, const struct wb_plan *p, struct wb_db *db,
		const struct wb_stop_rule *rule, struct wb_error *err)
{
	struct wb_table_options o = { .margin = p->config->margin };
	struct wb_result r;
	struct wb_table table;
	size_t i;
	int ret = wb_plan_result(p, db, &r, err);

	if (!ret) {
		wb_table_init(&table, &r, &o);
		wb_stop_init(&t->stop, &table, rule);
		wb_table_clear(&table);
		/* each comparison gets the first rounds, judged or not */
		for (i = 0; i < p->nbenches * p->stack.n; i++) {
			if (t->stop.next[i] < rule->first)
				t->stop.next[i] = rule->first;
			keep_most(&t->stop.expected[i], t->stop.next[i]);
			keep_most(&t->stop.low[i], t->stop.next[i]);
			keep_most(&t->stop.high[i], t->stop.expected[i]);
			keep_least(&t->stop.low[i], t->stop.expected[i]);
		}
	}
	wb_result_clear(&r);
	return ret;
}

static int add_bench(struct wb_todo *t, const struct wb_plan *p,
		     const struct wb_subjects *s, size_t bench, bool counting,
		     const struct wb_stop_rule *rule, struct wb_db *db,
		     struct wb_error *err)
{
	const struct wb_wish timing = {
		.rounds = rule->first,
		.below = t->stop.expected + bench * p->stack.n,
		.control = true,
	}, counts = { .rounds = WB_COUNT_RUNS };
	const struct wb_plan_bench *b = &p->bench[bench];
	size_t at = bench * p->stack.n;

	if (wb_subjects_skip(b, counting))
		return 0;
	if (counting)
		return add_kind(t, s, b, true, &counts, NULL, NULL, db, err);
	return add_kind(t, s, b, false, &timing, t->stop.low + at,
			t->stop.high + at, db, err);
}

struct wb_stop_rule wb_todo_rule(const struct wb_config *c, int rounds)
{
	struct wb_stop_rule rule = { (size_t)c->rounds, (size_t)c->max_rounds };

	/* a layout without a round would be no part of the interval */
	if (rule.first < (size_t)c->build.layouts)
		rule.first = (size_t)c->build.layouts;
	if (rounds > 0)
		rule.first = rule.limit = (size_t)rounds;
	if (rule.limit < rule.first)
		rule.limit = rule.first;
	return rule;
}

int wb_todo_make(struct wb_todo *t, const struct wb_plan *p, struct wb_db *db,
		 const struct wb_stop_rule *rule, struct wb_error *err)
{
	struct wb_subjects s;
	int ret = -1;
	size_t i;

	memset(t, 0, sizeof(*t));
	t->n = p->stack.n;
	t->prefix = wb_xcalloc(t->n, sizeof(*t->prefix));
	if (wb_subjects_load(&s, p, NULL, db, err) < 0 ||
	    describe_prefixes(t, p, &s, db, err) < 0 ||
	    look(t, p, db, rule, err) < 0)
		goto out;
	for (i = 0; i < s.n; i++)
		if (!s.v[i].broken && wb_subjects_needed(&s, i))
			t->builds += wb_subjects_unbuilt(&s, i);
	for (i = 0; i < p->nbenches; i++)
		if (add_bench(t, p, &s, i, false, rule, db, err) < 0 ||
		    add_bench(t, p, &s, i, true, rule, db, err) < 0)
			goto out;
	ret = 0;
out:
	wb_subjects_clear(&s);
	return ret;
}

void wb_todo_clear(struct wb_todo *t)
{
	size_t k;

	for (k = 0; k < t->n; k++)
		free(t->prefix[k].broken);
	free(t->prefix);
	wb_stop_clear(&t->stop);
	memset(t, 0, sizeof(*t));
}
