#include "result-json.h"

#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- out ---- */

static struct wb_json *columns_json(const struct wb_result *r)
{
	struct wb_json *list = wb_json_array(), *o;
	size_t i;

	for (i = 0; i < r->ncolumns; i++) {
		const struct wb_column *c = &r->column[i];
		o = wb_json_object();
		wb_json_set(o, "index", wb_json_int(c->index));
		wb_json_set(o, "name", wb_json_str(c->name));
		wb_json_set(o, "subject", wb_json_str(c->subject));
		wb_json_set(o, "tree", wb_json_str(c->tree));
		wb_json_set(o, "build", wb_json_str(c->build));
		wb_json_append(list, o);
	}
	return list;
}

static struct wb_json *metrics_json(const struct wb_result *r)
{
	struct wb_json *list = wb_json_array(), *o;
	size_t i;

	for (i = 0; i < r->nmetrics; i++) {
		const struct wb_metric *m = &r->metric[i];
		o = wb_json_object();
		wb_json_set(o, "bench", wb_json_str(m->bench));
		wb_json_set(o, "name", wb_json_str(m->name));
		wb_json_set(o, "unit", wb_json_str(m->unit));
		wb_json_set(o, "better",
			    wb_json_str(wb_better_word(m->better)));
		wb_json_set(o, "level", wb_json_str(wb_level_word(m->level)));
		wb_json_set(o, "exact", wb_json_bool(m->exact));
		wb_json_set(o, "judged", wb_json_bool(m->judged));
		wb_json_append(list, o);
	}
	return list;
}

static struct wb_json *holes_json(const struct wb_result *r)
{
	struct wb_json *list = wb_json_array(), *o;
	size_t i;

	for (i = 0; i < r->nholes; i++) {
		const struct wb_hole *h = &r->hole[i];
		o = wb_json_object();
		wb_json_set(o, "column", wb_json_int((int64_t)h->column));
		wb_json_set(o, "bench", wb_json_str(h->bench));
		wb_json_set(o, "broken",
			    wb_json_bool(h->kind == WB_HOLE_BROKEN));
		wb_json_set(o, "reason", wb_json_str(h->reason));
		wb_json_append(list, o);
	}
	return list;
}

static struct wb_json *names_json(char *const *name, size_t n)
{
	struct wb_json *list = wb_json_array();
	size_t i;

	for (i = 0; i < n; i++)
		wb_json_append(list, wb_json_str(name[i]));
	return list;
}

static struct wb_json *starts_json(const struct wb_result *r)
{
	struct wb_json *list = wb_json_array();
	size_t i;

	for (i = 0; i < r->nstarts; i++)
		wb_json_append(list, wb_json_int(r->start[i]));
	return list;
}

/* By hand, for jansson would write all values with 17 digits. */
static void print_points(const char *key, const struct wb_point *p, size_t n,
			 struct wb_buf *out)
{
	size_t i;

	wb_buf_addf(out, ",\"%s\":[", key);
	for (i = 0; i < n; i++) {
		wb_buf_addf(out, "%s[%u,%u,%d,%u,", i ? "," : "", p[i].metric,
			    p[i].column, p[i].round, p[i].run);
		wb_number_add(out, p[i].value);
		wb_buf_addf(out, ",%d]", p[i].nivcsw);
	}
	wb_buf_addch(out, ']');
}

void wb_result_print_json(const struct wb_result *r, struct wb_buf *out)
{
	struct wb_json *o = wb_json_object();

	wb_json_set(o, "wb-result", wb_json_int(1));
	wb_json_set(o, "machine", wb_json_str(r->machine));
	wb_json_set(o, "facts", wb_json_str(r->machine_facts));
	wb_json_set(o, "columns", columns_json(r));
	wb_json_set(o, "benches", names_json(r->bench, r->nbenches));
	wb_json_set(o, "metrics", metrics_json(r));
	wb_json_set(o, "holes", holes_json(r));
	wb_json_set(o, "starts", starts_json(r));
	wb_json_print(o, out, 0);
	wb_json_free(o);
	wb_buf_truncate(out, out->len - 1);	/* the object goes on */
	print_points("points", r->point, r->npoints, out);
	print_points("controls", r->control, r->ncontrols, out);
	wb_buf_addch(out, '}');
}

/* ---- in ---- */

static char *copy_text(const struct wb_json *o, const char *key)
{
	const char *s = NULL;

	wb_json_get_str(wb_json_get(o, key), &s);
	return s ? wb_xstrdup(s) : NULL;
}

static int read_columns(const struct wb_json *list, struct wb_result *r,
			struct wb_error *err)
{
	const struct wb_json *o;
	const char *name;
	struct wb_column *c;
	int64_t index;
	size_t i, at;

	for (i = 0; i < wb_json_count(list); i++) {
		o = wb_json_at(list, i);
		if (!wb_json_get_str(wb_json_get(o, "name"), &name) ||
		    !wb_json_get_int(wb_json_get(o, "index"), &index) ||
		    index < 0 || index > INT32_MAX)
			return wb_fail(err, WB_E_FATAL, "column %zu has no "
				       "name or index", i);
		at = wb_result_add_column(r, (int)index, name);
		c = &r->column[at];
		c->subject = copy_text(o, "subject");
		c->tree = copy_text(o, "tree");
		c->build = copy_text(o, "build");
	}
	return 0;
}

static int read_metrics(const struct wb_json *list, struct wb_result *r,
			struct wb_error *err)
{
	const char *bench, *name, *word;
	const struct wb_json *o;
	struct wb_metric *m;
	size_t i, at;

	for (i = 0; i < wb_json_count(list); i++) {
		o = wb_json_at(list, i);
		if (!wb_json_get_str(wb_json_get(o, "bench"), &bench) ||
		    !wb_json_get_str(wb_json_get(o, "name"), &name))
			return wb_fail(err, WB_E_FATAL, "metric %zu has no "
				       "bench or name", i);
		at = wb_result_add_metric(r, bench, name);
		m = &r->metric[at];
		if (wb_json_get_str(wb_json_get(o, "unit"), &word)) {
			free(m->unit);
			m->unit = wb_xstrdup(word);
		}
		if (wb_json_get_str(wb_json_get(o, "better"), &word))
			wb_better_parse(word, &m->better);
		if (wb_json_get_str(wb_json_get(o, "level"), &word))
			wb_level_parse(word, &m->level);
		wb_json_get_bool(wb_json_get(o, "exact"), &m->exact);
		wb_json_get_bool(wb_json_get(o, "judged"), &m->judged);
	}
	return 0;
}

static int read_holes(const struct wb_json *list, struct wb_result *r,
		      struct wb_error *err)
{
	const struct wb_json *o;
	const char *bench, *reason;
	int64_t column;
	bool broken;
	size_t i;

	for (i = 0; i < wb_json_count(list); i++) {
		o = wb_json_at(list, i);
		bench = NULL;
		reason = "";
		broken = false;
		if (!wb_json_get_int(wb_json_get(o, "column"), &column) ||
		    column < 0 || (size_t)column >= r->ncolumns)
			return wb_fail(err, WB_E_FATAL, "hole %zu is in no "
				       "column", i);
		wb_json_get_str(wb_json_get(o, "bench"), &bench);
		wb_json_get_str(wb_json_get(o, "reason"), &reason);
		wb_json_get_bool(wb_json_get(o, "broken"), &broken);
		wb_result_add_hole(r, (size_t)column, bench, broken ?
				   WB_HOLE_BROKEN : WB_HOLE_MISSING, reason);
	}
	return 0;
}

static bool read_point(const struct wb_json *v, const struct wb_result *r,
		       struct wb_point *p)
{
	int64_t number[4], switches = -1;
	size_t i;

	for (i = 0; i < 4; i++)
		if (!wb_json_get_int(wb_json_at(v, i), &number[i]))
			return false;
	wb_json_get_int(wb_json_at(v, 5), &switches);
	*p = (struct wb_point){
		.metric = (uint32_t)number[0], .column = (uint32_t)number[1],
		.round = (int32_t)number[2], .run = (uint32_t)number[3],
		.nivcsw = switches < INT32_MAX ? (int32_t)switches : INT32_MAX,
	};
	return number[0] >= 0 && (size_t)number[0] < r->nmetrics &&
	       number[1] >= 0 && (size_t)number[1] < r->ncolumns &&
	       number[2] >= -1 && number[2] <= INT32_MAX &&
	       number[3] >= 0 && number[3] <= UINT32_MAX &&
	       wb_json_get_num(wb_json_at(v, 4), &p->value) &&
	       isfinite(p->value);
}

static int read_points(const struct wb_json *list, struct wb_result *r,
		       void (*add)(struct wb_result *r,
				   const struct wb_point *p),
		       struct wb_error *err)
{
	struct wb_point p;
	size_t i;

	for (i = 0; i < wb_json_count(list); i++) {
		if (!read_point(wb_json_at(list, i), r, &p))
			return wb_fail(err, WB_E_FATAL, "sample %zu is not "
				       "[metric,column,round,run,value]", i);
		add(r, &p);
	}
	return 0;
}

int wb_result_from_json(const struct wb_json *doc, struct wb_result *r,
			struct wb_error *err)
{
	const struct wb_json *benches = wb_json_get(doc, "benches");
	int64_t version = 0, start;
	const char *name;
	size_t i;

	if (!wb_json_get_int(wb_json_get(doc, "wb-result"), &version))
		return wb_fail(err, WB_E_FATAL, "no results of wb");
	if (version != 1)
		return wb_fail(err, WB_E_FATAL, "results of version %lld, this "
			       "wb knows 1: use a newer wb",
			       (long long)version);
	r->machine = copy_text(doc, "machine");
	r->machine_facts = copy_text(doc, "facts");
	if (read_columns(wb_json_get(doc, "columns"), r, err) < 0 ||
	    read_metrics(wb_json_get(doc, "metrics"), r, err) < 0)
		return -1;
	for (i = 0; i < wb_json_count(benches); i++)
		if (wb_json_get_str(wb_json_at(benches, i), &name))
			wb_result_add_bench(r, name);
	if (read_holes(wb_json_get(doc, "holes"), r, err) < 0 ||
	    read_points(wb_json_get(doc, "points"), r, wb_result_add_point,
			err) < 0)
		return -1;
	for (i = 0; i < wb_json_count(wb_json_get(doc, "starts")); i++)
		if (wb_json_get_int(wb_json_at(wb_json_get(doc, "starts"), i),
				    &start))
			wb_result_add_start(r, (int32_t)start);
	return read_points(wb_json_get(doc, "controls"), r,
			   wb_result_add_control, err);
}
