/*
 * The judged table as JSON, schema 1. All metrics are in it, judged or not,
 * unless globs choose; the verdict of a metric that is not judged is null
 * (broken and missing are said all the same).
 */
#include "format-parts.h"
#include "json.h"

#include <math.h>
#include <string.h>

/* null where a word would be empty */
static struct wb_json *word(const char *s)
{
	return wb_json_str(s && *s ? s : NULL);
}

static struct wb_json *row_json(const struct wb_table *t,
				const struct wb_row *row)
{
	const struct wb_metric *m = &t->r->metric[row->metric];
	const struct wb_column *c = &t->r->column[row->column];
	struct wb_json *j = wb_json_object();

	wb_json_set(j, "bench", wb_json_str(m->bench));
	wb_json_set(j, "metric", wb_json_str(m->name));
	wb_json_set(j, "unit", word(m->unit));
	wb_json_set(j, "better", word(wb_better_word(m->better)));
	wb_json_set(j, "level", word(wb_level_word(m->level)));
	wb_json_set(j, "index", wb_json_int(c->index));
	wb_json_set(j, "prefix", wb_json_str(c->name));
	wb_json_set(j, "tree", wb_json_str(c->tree));
	wb_json_set(j, "against", wb_json_str(row->against < 0 ? NULL :
				t->r->column[row->against].name));
	wb_json_set(j, "value", wb_json_num(row->value));
	wb_json_set(j, "n", wb_json_int((int64_t)row->n));
	wb_json_set(j, "change", wb_json_num(row->change));
	wb_json_set(j, "low", wb_json_num(row->low));
	wb_json_set(j, "high", wb_json_num(row->high));
	wb_json_set(j, "verdict", word(wb_verdict_word(row->verdict)));
	wb_json_set(j, "reason", wb_json_str(row->reason));
	wb_json_set(j, "judged", wb_json_bool(m->judged));
	wb_json_set(j, "rounds", wb_json_int((int64_t)row->rounds));
	wb_json_set(j, "p", wb_json_num(row->p));
	wb_json_set(j, "tick", t->tick[row->metric] > 0 ?
		    wb_json_num(t->tick[row->metric]) : NULL);
	wb_json_set(j, "base_change", wb_json_num(row->base_change));
	wb_json_set(j, "base_low", wb_json_num(row->base_low));
	wb_json_set(j, "base_high", wb_json_num(row->base_high));
	wb_json_set(j, "mean_change", wb_json_num(row->mean));
	wb_json_set(j, "mean_low", wb_json_num(row->mean_low));
	wb_json_set(j, "mean_high", wb_json_num(row->mean_high));
	wb_json_set(j, "subject", word(c->subject));
	wb_json_set(j, "corrected", wb_json_num(row->corrected));
	wb_json_set(j, "aa_floor", wb_json_num(t->control[row->metric].floor));
	wb_json_set(j, "by", wb_json_str(wb_method_word(row)));
	if (t->o.test)
		wb_json_set(j, "test_p", wb_json_num(row->test_p));
	return j;
}

/* What the machine did to a metric, and what was left out for it. */
static struct wb_json *machine_json(const struct wb_table *t, size_t metric)
{
	const struct wb_metric *m = &t->r->metric[metric];
	const struct wb_control *c = &t->control[metric];
	const struct wb_quality *q = &t->quality[metric];
	double visible = wb_table_visible(t, metric);
	struct wb_json *j = wb_json_object();
	bool aa = c->column >= 0, two;

	wb_json_set(j, "bench", wb_json_str(m->bench));
	wb_json_set(j, "metric", wb_json_str(m->name));
	wb_json_set(j, "visible", visible > 0 ? wb_json_num(visible) : NULL);
	wb_json_set(j, "aa_change", aa ? wb_json_num(c->change.change) : NULL);
	wb_json_set(j, "aa_low", aa ? wb_json_num(c->change.low) : NULL);
	wb_json_set(j, "aa_high", aa ? wb_json_num(c->change.high) : NULL);
	wb_json_set(j, "aa_rounds", aa ? wb_json_int((int64_t)
				c->change.rounds) : NULL);
	wb_json_set(j, "aa_alarm", aa ? wb_json_bool(c->alarm) : NULL);
	wb_json_set(j, "drift", wb_json_num(q->drift));
	wb_json_set(j, "drift_low", wb_json_num(q->drift_low));
	wb_json_set(j, "drift_high", wb_json_num(q->drift_high));
	wb_json_set(j, "warmup_rounds", wb_json_int((int64_t)q->warmup));
	wb_json_set(j, "disturbed_runs", wb_json_int((int64_t)q->disturbed));
	two = !isnan(q->humps.apart);
	wb_json_set(j, "humps_apart", wb_json_num(q->humps.apart));
	wb_json_set(j, "humps_share", two ? wb_json_num(q->humps.share) : NULL);
	return j;
}

/* Adds v as text and frees it. */
static void add_json(struct wb_buf *out, struct wb_json *v)
{
	wb_json_print(v, out, 0);
	wb_json_free(v);
}

/* Row by row: the whole as one tree would be ten times its text. */
static void add_rows(const struct wb_table *t,
		     const struct wb_format_options *o, struct wb_buf *out)
{
	size_t next = 0, m, c, start = out->len;
	struct wb_view v;

	while (next < t->r->nmetrics) {
		wb_view_init(&v, t, o, true, &next);
		for (m = 0; m < v.nmetrics; m++) {
			for (c = 0; c < v.ncolumns; c++) {
				if (out->len > start)
					wb_buf_addch(out, ',');
				add_json(out, row_json(t, wb_table_row(t,
						v.metric[m], v.column[c])));
			}
		}
		wb_view_clear(&v);
	}
}

static void add_machine(const struct wb_table *t,
			const struct wb_format_options *o, struct wb_buf *out)
{
	size_t next = 0, m, start = out->len;
	struct wb_view v;

	while (next < t->r->nmetrics) {
		wb_view_init(&v, t, o, true, &next);
		for (m = 0; m < v.nmetrics; m++) {
			if (out->len > start)
				wb_buf_addch(out, ',');
			add_json(out, machine_json(t, v.metric[m]));
		}
		wb_view_clear(&v);
	}
}

/* Benches that have no rows, or only empty ones. */
static void add_unmeasured(const struct wb_table *t,
			   const struct wb_format_options *o,
			   struct wb_buf *out)
{
	struct wb_json *list = wb_json_array();
	const struct wb_hole *why;
	const char *bench;
	size_t i = 0;

	while ((bench = wb_view_unmeasured(t, o, &i, &why)))
		wb_json_append(list, wb_json_str(bench));
	add_json(out, list);
}

static void add_elsewhere(const struct wb_table *t, struct wb_buf *out)
{
	struct wb_json *list = wb_json_array(), *one;
	size_t i;

	for (i = 0; i < t->r->nelsewhere; i++) {
		one = wb_json_object();
		wb_json_set(one, "machine_facts",
			    wb_json_str(t->r->elsewhere[i].facts));
		wb_json_set(one, "runs", wb_json_int(
				    (int64_t)t->r->elsewhere[i].runs));
		wb_json_append(list, one);
	}
	add_json(out, list);
}

static void add_mishaps(const struct wb_table *t, struct wb_buf *out)
{
	struct wb_json *list = wb_json_array(), *one;
	const struct wb_result_mishap *m;
	size_t i;

	for (i = 0; i < t->r->nmishaps; i++) {
		m = &t->r->mishap[i];
		one = wb_json_object();
		wb_json_set(one, "bench", wb_json_str(m->bench));
		wb_json_set(one, "what", wb_json_str(m->what));
		wb_json_set(one, "discarded_rounds",
			    wb_json_int((int64_t)m->discarded));
		wb_json_set(one, "kept_rounds",
			    wb_json_int((int64_t)m->kept));
		wb_json_append(list, one);
	}
	add_json(out, list);
}

/* What stands in the messages of the patches, as it stands there. */
static void add_patches(const struct wb_table *t, struct wb_buf *out)
{
	struct wb_json *list = wb_json_array(), *one, *trailers;
	const struct wb_column *col;
	size_t c, i;

	for (c = 1; c < t->r->ncolumns; c++) {
		col = &t->r->column[c];
		one = wb_json_object();
		trailers = wb_json_array();
		for (i = 0; i < col->ntrailers; i++)
			wb_json_append(trailers, wb_json_str(col->trailer[i]));
		wb_json_set(one, "index", wb_json_int(col->index));
		wb_json_set(one, "prefix", wb_json_str(col->name));
		wb_json_set(one, "subject", word(col->subject));
		wb_json_set(one, "trailers", trailers);
		wb_json_append(list, one);
	}
	add_json(out, list);
}

void wb_format_json(const struct wb_table *t, const struct wb_format_options *o,
		    struct wb_buf *out)
{
	wb_buf_addstr(out, "{\"schema\":1,\"machine\":");
	add_json(out, wb_json_str(t->r->machine));
	wb_buf_addstr(out, ",\"rows\":[");
	add_rows(t, o, out);
	wb_buf_addstr(out, "],\"quality\":[");
	add_machine(t, o, out);
	wb_buf_addstr(out, "],\"patches\":");
	add_patches(t, out);
	wb_buf_addstr(out, ",\"test\":");
	add_json(out, word(wb_test_name(t->o.test)));
	wb_buf_addstr(out, ",\"machine_facts\":");
	add_json(out, wb_json_str(t->r->machine_facts));
	wb_buf_addstr(out, ",\"toolchain\":");
	add_json(out, wb_json_str(t->r->toolchain));
	wb_buf_addstr(out, ",\"margin\":");
	add_json(out, wb_json_num(t->o.margin));
	wb_buf_addf(out, ",\"compared\":%zu,\"not_measured\":", t->family);
	add_unmeasured(t, o, out);
	wb_buf_addstr(out, ",\"left_out\":");
	add_elsewhere(t, out);
	wb_buf_addstr(out, ",\"mishaps\":");
	add_mishaps(t, out);
	wb_buf_addstr(out, "}\n");
}
