#include "bisect-others.h"

#include "table.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int load(const struct wb_bisect_bench *b,
		const struct wb_bisect_found *f, struct wb_result *r,
		struct wb_error *err)
{
	const struct wb_plan *p = b->line->plan;
	const struct wb_plan_bench *pb = b->bench;
	const char *name = pb->config->name;
	const int at[] = { f->below, f->at };
	size_t i, l;
	int ret;

	for (i = 0; i < 2; i++) {
		wb_result_add_column(r, (int)i,
				     wb_bisect_line_at(b->line, at[i])->name);
		for (l = 0; l < p->layouts; l++)
			wb_result_add_build(r, i,
				wb_bisect_line_build(b->line, at[i], l));
	}
	ret = wb_db_load(b->db, pb->id, name, p->machine.id, r, err);
	if (!ret && strcmp(pb->count_id, pb->id))
		ret = wb_db_load(b->db, pb->count_id, name, p->machine.id, r,
				 err);
	for (i = 0; i < r->nmetrics; i++)
		if (r->metric[i].better == WB_BETTER_UNKNOWN &&
		    pb->config->better)
			wb_better_parse(pb->config->better,
					&r->metric[i].better);
	wb_result_judge(r, name, pb->config->judge);
	return ret;
}

static struct wb_json *agrees(const struct wb_bisect_found *f,
			      const struct wb_row *row)
{
	bool slower = (f->effect > 0) == (f->better != WB_BETTER_HIGHER);

	if (row->verdict == WB_VERDICT_UNCLEAR ||
	    row->verdict == WB_VERDICT_NONE)
		return wb_json_null();
	return wb_json_bool(row->verdict == (slower ? WB_VERDICT_SLOWER
						    : WB_VERDICT_FASTER));
}

static struct wb_json *other(const struct wb_bisect_found *f,
			     const struct wb_metric *m,
			     const struct wb_row *row)
{
	struct wb_json *o = wb_json_object();

	wb_json_set(o, "metric", wb_json_str(m->name));
	wb_json_set(o, "level", wb_json_str(wb_level_word(m->level)));
	wb_json_set(o, "n", wb_json_int((int64_t)row->n));
	wb_json_set(o, "change", wb_json_num(row->change));
	wb_json_set(o, "low", wb_json_num(row->exact ? NAN : row->low));
	wb_json_set(o, "high", wb_json_num(row->exact ? NAN : row->high));
	wb_json_set(o, "verdict", wb_json_str(wb_verdict_word(row->verdict)));
	wb_json_set(o, "agrees", agrees(f, row));
	return o;
}

int wb_bisect_others(const struct wb_bisect_bench *b,
		     const struct wb_bisect_found *f, struct wb_json **out,
		     struct wb_error *err)
{
	struct wb_table_options how = {
		.margin = b->line->plan->config->margin,
	};
	struct wb_result r;
	struct wb_table t;
	size_t i;
	int ret;

	wb_result_init(&r);
	r.layouts = b->line->plan->layouts;
	*out = wb_json_array();
	ret = load(b, f, &r, err);
	if (ret) {
		wb_result_clear(&r);
		return ret;
	}
	wb_table_init(&t, &r, &how);
	for (i = 0; i < r.nmetrics; i++) {
		const struct wb_metric *m = &r.metric[i];
		const struct wb_row *row = wb_table_row(&t, i, 1);
		bool counts = m->level == WB_LEVEL_I;
		if (m->judged && counts != (f->level == WB_LEVEL_I) &&
		    isfinite(row->change))
			wb_json_append(*out, other(f, m, row));
	}
	wb_table_clear(&t);
	wb_result_clear(&r);
	return 0;
}

void wb_bisect_others_print(const struct wb_json *list, struct wb_buf *out)
{
	const char *metric, *verdict;
	double change, low, high;
	const struct wb_json *o;
	int64_t n;
	size_t i;
	bool yes;

	for (i = 0; i < wb_json_count(list); i++) {
		o = wb_json_at(list, i);
		if (!wb_json_get_str(wb_json_get(o, "metric"), &metric) ||
		    !wb_json_get_str(wb_json_get(o, "verdict"), &verdict) ||
		    !wb_json_get_num(wb_json_get(o, "change"), &change) ||
		    !wb_json_get_int(wb_json_get(o, "n"), &n))
			continue;
		wb_buf_addstr(out, "    ");
		wb_text_add(out, metric, WB_TEXT_UTF8);
		wb_buf_addf(out, ": %+.2f %%", 100 * change);
		if (wb_json_get_num(wb_json_get(o, "low"), &low) &&
		    wb_json_get_num(wb_json_get(o, "high"), &high))
			wb_buf_addf(out, " [%.2f, %.2f]", 100 * low,
				    100 * high);
		else
			wb_buf_addstr(out, " exact");
		wb_buf_addf(out, " (n %lld), %s", (long long)n, verdict);
		if (wb_json_get_bool(wb_json_get(o, "agrees"), &yes))
			wb_buf_addstr(out, yes ? ": agrees" : ": time and "
				      "instructions disagree");
		wb_buf_addch(out, '\n');
	}
}
