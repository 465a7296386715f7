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
		out->built = wb_build_done(&s->v[s->of_prefix[k]].build);
		if (db && wb_db_broken(db, p->prefix[k].build, &out->broken,
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

/* Adds one kind of runs of one bench to the picture. */
static int add_kind(struct wb_todo *t, const struct wb_subjects *s,
		    const struct wb_plan_bench *bench, bool counting,
		    int rounds, struct wb_db *db, struct wb_error *err)
{
	struct wb_schedule sched;
	size_t k, n, i;
	double mean = -1;
	int ret;

	wb_schedule_init(&sched, s->n, 0);
	ret = wb_subjects_schedule(s, db, bench, counting, &sched, &mean, err);
	n = wb_schedule_left(&sched, counting ? WB_COUNT_RUNS :
			     (size_t)rounds);
	if (counting)
		t->counts += n;
	else
		t->runs += n;
	if (n && mean < 0)
		t->seconds = -1;
	else if (n && t->seconds >= 0)
		t->seconds += (double)n * mean;
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

int wb_todo_make(struct wb_todo *t, const struct wb_plan *p, struct wb_db *db,
		 int rounds, struct wb_error *err)
{
	bool counts = wb_count_available();
	const struct wb_plan_bench *b;
	struct wb_subjects s;
	int counting, ret = -1;
	size_t i;

	memset(t, 0, sizeof(*t));
	t->n = p->stack.n;
	t->prefix = wb_xcalloc(t->n, sizeof(*t->prefix));
	if (wb_subjects_load(&s, p, NULL, db, err) < 0 ||
	    describe_prefixes(t, p, &s, db, err) < 0)
		goto out;
	for (i = 0; i < s.n; i++)
		t->builds += !s.v[i].broken && wb_subjects_needed(&s, i) &&
			     !wb_build_done(&s.v[i].build);
	for (i = 0; i < p->nbenches; i++) {
		b = &p->bench[i];
		for (counting = 0; counting < 1 + counts; counting++)
			if (!wb_subjects_skip(b->config, counting) &&
			    add_kind(t, &s, b, counting, rounds, db, err) < 0)
				goto out;
	}
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
	memset(t, 0, sizeof(*t));
}
