#include "result-json.h"
#include "config.h"

#include <stdlib.h>
#include <string.h>

/* ---- out ---- */

static struct wb_json *names_json(char *const *name, size_t n)
{
	struct wb_json *list = wb_json_array();
	size_t i;

	for (i = 0; i < n; i++)
		wb_json_append(list, wb_json_str(name[i]));
	return list;
}

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
		wb_json_set(o, "trailers", names_json(c->trailer,
						      c->ntrailers));
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
		wb_json_set(o, "counted", wb_json_num(m->counted));
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

static struct wb_json *starts_json(const struct wb_result *r)
{
	struct wb_json *list = wb_json_array();
	size_t i;

	for (i = 0; i < r->nstarts; i++)
		wb_json_append(list, wb_json_int(r->start[i]));
	return list;
}

static struct wb_json *elsewhere_json(const struct wb_result *r)
{
	struct wb_json *list = wb_json_array(), *o;
	size_t i;

	for (i = 0; i < r->nelsewhere; i++) {
		o = wb_json_object();
		wb_json_set(o, "facts", wb_json_str(r->elsewhere[i].facts));
		wb_json_set(o, "runs",
			    wb_json_int((int64_t)r->elsewhere[i].runs));
		wb_json_append(list, o);
	}
	return list;
}

void wb_result_print_json(const struct wb_result *r, struct wb_buf *out)
{
	struct wb_json *o = wb_json_object();

	wb_json_set(o, "wb-result", wb_json_int(2));
	wb_json_set(o, "machine", wb_json_str(r->machine));
	wb_json_set(o, "facts", wb_json_str(r->machine_facts));
	wb_json_set(o, "toolchain", wb_json_str(r->toolchain));
	wb_json_set(o, "layouts", wb_json_int((int64_t)r->layouts));
	wb_json_set(o, "columns", columns_json(r));
	wb_json_set(o, "benches", names_json(r->bench, r->nbenches));
	wb_json_set(o, "metrics", metrics_json(r));
	wb_json_set(o, "holes", holes_json(r));
	wb_json_set(o, "starts", starts_json(r));
	wb_json_set(o, "open", wb_json_int((int64_t)r->open_runs));
	wb_json_set(o, "locked", wb_json_int((int64_t)r->locked_runs));
	wb_json_set(o, "unlocked", wb_json_int((int64_t)r->unlocked_runs));
	wb_json_set(o, "elsewhere", elsewhere_json(r));
	wb_json_print(o, out, 0);
	wb_json_free(o);
}

/* ---- in ---- */

static void read_count(const struct wb_json *o, const char *key, size_t *out)
{
	int64_t number;

	if (wb_json_get_int(wb_json_get(o, key), &number) && number > 0)
		*out = (size_t)number;
}

static char *copy_text(const struct wb_json *o, const char *key)
{
	const char *s = NULL;

	wb_json_get_str(wb_json_get(o, key), &s);
	return s ? wb_xstrdup(s) : NULL;
}

static void read_trailer(struct wb_result *r, size_t column, const char *line)
{
	const char *value = strstr(line, ": ");
	char *key;

	if (!value)
		return;
	key = wb_xstrndup(line, (size_t)(value - line));
	wb_result_add_trailer(r, column, key, value + 2);
	free(key);
}

static int read_columns(const struct wb_json *list, struct wb_result *r,
			struct wb_error *err)
{
	const struct wb_json *o;
	const char *name;
	const struct wb_json *trailers;
	struct wb_column *c;
	int64_t index;
	size_t i, k, at;

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
		trailers = wb_json_get(o, "trailers");
		for (k = 0; k < wb_json_count(trailers); k++)
			if (wb_json_get_str(wb_json_at(trailers, k), &name))
				read_trailer(r, at, name);
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
		wb_json_get_num(wb_json_get(o, "counted"), &m->counted);
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

static void read_elsewhere(const struct wb_json *list, struct wb_result *r)
{
	const char *facts;
	int64_t runs;
	size_t i;

	for (i = 0; i < wb_json_count(list); i++)
		if (wb_json_get_str(wb_json_get(wb_json_at(list, i), "facts"),
				    &facts) &&
		    wb_json_get_int(wb_json_get(wb_json_at(list, i), "runs"),
				    &runs) && runs > 0)
			wb_result_add_elsewhere(r, facts, (size_t)runs);
}

int wb_result_from_json(const struct wb_json *doc, struct wb_result *r,
			struct wb_error *err)
{
	const struct wb_json *benches = wb_json_get(doc, "benches");
	int64_t version = 0, number;
	const char *name;
	size_t i;

	if (!wb_json_get_int(wb_json_get(doc, "wb-result"), &version))
		return wb_fail(err, WB_E_FATAL, "no results of wb");
	if (version != 2)
		return wb_fail(err, WB_E_FATAL, "results of version %lld, this "
			       "wb knows 2: use %s wb", (long long)version,
			       version < 2 ? "the older" : "a newer");
	r->machine = copy_text(doc, "machine");
	r->machine_facts = copy_text(doc, "facts");
	r->toolchain = copy_text(doc, "toolchain");
	if (read_columns(wb_json_get(doc, "columns"), r, err) < 0 ||
	    read_metrics(wb_json_get(doc, "metrics"), r, err) < 0)
		return -1;
	for (i = 0; i < wb_json_count(benches); i++)
		if (wb_json_get_str(wb_json_at(benches, i), &name))
			wb_result_add_bench(r, name);
	for (i = 0; i < wb_json_count(wb_json_get(doc, "starts")); i++)
		if (wb_json_get_int(wb_json_at(wb_json_get(doc, "starts"), i),
				    &number))
			wb_result_add_start(r, (int32_t)number);
	if (wb_json_get_int(wb_json_get(doc, "layouts"), &number) &&
	    number > 0 && number <= WB_LAYOUTS_MAX)
		r->layouts = (size_t)number;
	read_count(doc, "open", &r->open_runs);
	read_count(doc, "locked", &r->locked_runs);
	read_count(doc, "unlocked", &r->unlocked_runs);
	read_elsewhere(wb_json_get(doc, "elsewhere"), r);
	return read_holes(wb_json_get(doc, "holes"), r, err);
}
