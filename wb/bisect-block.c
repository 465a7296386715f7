#include "bisect-block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void wb_bisect_block_init(struct wb_bisect_block *k, const int *at,
			  const size_t *layout, size_t n)
{
	size_t i;

	*k = (struct wb_bisect_block){
		.n = n,
		.at = wb_xcalloc(n, sizeof(*k->at)),
		.layout = wb_xcalloc(n, sizeof(*k->layout)),
	};
	for (i = 0; i < n; i++) {
		k->at[i] = at[i];
		k->layout[i] = layout ? layout[i] : 0;
	}
}

struct wb_bisect_metric *wb_bisect_block_metric(struct wb_bisect_block *k,
						const char *name,
						const char *unit)
{
	struct wb_bisect_metric *m;
	size_t i;

	for (i = 0; i < k->nmetrics; i++)
		if (!strcmp(k->metric[i].name, name))
			return &k->metric[i];
	k->metric = wb_xrealloc(k->metric,
				(k->nmetrics + 1) * sizeof(*k->metric));
	m = &k->metric[k->nmetrics++];
	*m = (struct wb_bisect_metric){
		.name = wb_xstrdup(name), .unit = wb_xstrdup(unit),
		.value = wb_xcalloc(k->n, sizeof(*m->value)),
	};
	for (i = 0; i < k->n; i++)
		m->value[i] = NAN;
	return m;
}

const struct wb_bisect_metric *
wb_bisect_block_find(const struct wb_bisect_block *k, const char *name)
{
	size_t i;

	for (i = 0; i < k->nmetrics; i++)
		if (!strcmp(k->metric[i].name, name))
			return &k->metric[i];
	return NULL;
}

void wb_bisect_block_clear(struct wb_bisect_block *k)
{
	size_t i;

	for (i = 0; i < k->nmetrics; i++) {
		free(k->metric[i].name);
		free(k->metric[i].unit);
		free(k->metric[i].value);
	}
	free(k->metric);
	free(k->at);
	free(k->layout);
	memset(k, 0, sizeof(*k));
}

static struct wb_json *metric_to_json(const struct wb_bisect_metric *m,
				      size_t n)
{
	struct wb_json *o = wb_json_object(), *v = wb_json_array();
	size_t i;

	wb_json_set(o, "metric", wb_json_str(m->name));
	wb_json_set(o, "unit", wb_json_str(m->unit));
	wb_json_set(o, "better", wb_json_str(wb_better_word(m->better)));
	wb_json_set(o, "level", wb_json_str(wb_level_word(m->level)));
	wb_json_set(o, "exact", wb_json_bool(m->exact));
	for (i = 0; i < n; i++)
		wb_json_append(v, wb_json_num(m->value[i]));
	wb_json_set(o, "values", v);
	return o;
}

struct wb_json *wb_bisect_block_to_json(const struct wb_bisect_block *k,
					int hole, const char *why)
{
	struct wb_json *o = wb_json_object(), *at = wb_json_array();
	struct wb_json *layout = wb_json_array(), *list = wb_json_array();
	size_t i, m;

	for (i = 0; i < k->n; i++) {
		wb_json_append(at, wb_json_int(k->at[i]));
		wb_json_append(layout, wb_json_int((int64_t)k->layout[i]));
	}
	wb_json_set(o, "at", at);
	wb_json_set(o, "layout", layout);
	wb_json_set(o, "seconds", wb_json_num(k->seconds));
	if (why) {
		wb_json_set(o, "hole", wb_json_int(hole));
		wb_json_set(o, "why", wb_json_str(why));
	}
	for (m = 0; m < k->nmetrics && !why; m++)
		wb_json_append(list, metric_to_json(&k->metric[m], k->n));
	wb_json_set(o, "metrics", list);
	return o;
}

static void metric_from_json(const struct wb_json *j,
			     struct wb_bisect_block *k)
{
	const char *name = "", *unit = "", *word = "";
	struct wb_bisect_metric *m;
	size_t i;

	wb_json_get_str(wb_json_get(j, "metric"), &name);
	wb_json_get_str(wb_json_get(j, "unit"), &unit);
	m = wb_bisect_block_metric(k, name, unit);
	if (wb_json_get_str(wb_json_get(j, "better"), &word))
		wb_better_parse(word, &m->better);
	if (wb_json_get_str(wb_json_get(j, "level"), &word))
		wb_level_parse(word, &m->level);
	wb_json_get_bool(wb_json_get(j, "exact"), &m->exact);
	for (i = 0; i < k->n; i++)
		wb_json_get_num(wb_json_at(wb_json_get(j, "values"), i),
				&m->value[i]);
}

void wb_bisect_block_from_json(const struct wb_json *o,
			       struct wb_bisect_block *k)
{
	const struct wb_json *at = wb_json_get(o, "at");
	const struct wb_json *list = wb_json_get(o, "metrics");
	size_t i, n = wb_json_count(at);
	int64_t v;

	*k = (struct wb_bisect_block){
		.n = n,
		.at = wb_xcalloc(n, sizeof(*k->at)),
		.layout = wb_xcalloc(n, sizeof(*k->layout)),
	};
	for (i = 0; i < n; i++) {
		if (wb_json_get_int(wb_json_at(at, i), &v))
			k->at[i] = (int)v;
		if (wb_json_get_int(wb_json_at(wb_json_get(o, "layout"), i),
				    &v))
			k->layout[i] = (size_t)v;
	}
	wb_json_get_num(wb_json_get(o, "seconds"), &k->seconds);
	for (i = 0; i < wb_json_count(list); i++)
		metric_from_json(wb_json_at(list, i), k);
}
