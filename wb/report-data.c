#include "report-data.h"
#include "format-parts.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

struct wb_json *wb_report_string(const char *s)
{
	struct wb_buf b = WB_BUF_INIT;
	struct wb_json *j;

	wb_text_add(&b, s, WB_TEXT_UTF8);
	j = wb_json_str(b.ptr);
	wb_buf_clear(&b);
	return j;
}

static void set_text(struct wb_json *o, const char *key, const char *s)
{
	if (s && *s)
		wb_json_set(o, key, wb_report_string(s));
}

/* A code block: each line behind four blanks. */
static struct wb_json *code(const char *s)
{
	struct wb_buf b = WB_BUF_INIT;
	struct wb_json *j;
	size_t n;

	for (; *s; s += n) {
		n = strcspn(s, "\n");
		if (n)
			wb_buf_addf(&b, "    %.*s", (int)n, s);
		wb_buf_addch(&b, '\n');
		n += s[n] == '\n';
	}
	while (wb_str_ends(b.ptr, "\n"))
		wb_buf_truncate(&b, b.len - 1);
	j = wb_json_str(b.ptr);
	wb_buf_clear(&b);
	return j;
}

static struct wb_json *table_of(const struct wb_table *t,
				const struct wb_format_options *o,
				size_t column)
{
	struct wb_format_options plain = {
		.kind = WB_FORMAT_PLAIN, .bench = o->bench,
		.metric = o->metric, .only_changed = o->only_changed,
		.focus = column, .no_machine = true, .no_trailers = true,
	};
	struct wb_buf b = WB_BUF_INIT;
	struct wb_json *j;

	wb_format(t, &plain, &b);
	j = code(b.ptr);
	wb_buf_clear(&b);
	return j;
}

/* "-1.9% [-2.4,-1.4]"; "+2.3% exact"; "-" when there is none. */
static void add_change(struct wb_buf *b, const struct wb_table *t,
		       const struct wb_row *row)
{
	int d = row->exact ? wb_percent_exact(row->change) :
		wb_percent_decimals(row->change, row->low, row->high,
				    t->o.margin);

	if (isnan(row->low) || isnan(row->high)) {
		wb_buf_addch(b, '-');
		return;
	}
	wb_percent_add(b, row->change, d);
	if (row->exact) {
		wb_buf_addstr(b, " exact");
		return;
	}
	wb_buf_addch(b, ' ');
	wb_interval_add(b, row->low, row->high, d);
}

/* ---- parts ---- */

static struct wb_json *claim(const struct wb_table *t, const struct wb_row *row)
{
	const struct wb_metric *m = &t->r->metric[row->metric];
	const char *verdict = wb_verdict_word(row->verdict);
	struct wb_buf b = WB_BUF_INIT, n = WB_BUF_INIT;
	struct wb_json *j = wb_json_object();
	const struct wb_row *old;

	set_text(j, "bench", m->bench);
	set_text(j, "metric", m->name);
	set_text(j, "unit", m->unit);
	set_text(j, "verdict", verdict);
	add_change(&b, t, row);
	wb_json_set(j, "change", wb_json_str(b.ptr));
	if (row->against >= 0) {
		old = wb_table_row(t, row->metric, (size_t)row->against);
		wb_buf_addf(&n, "%zu+%zu", old->n, row->n);
	} else {
		wb_buf_addf(&n, "%zu", row->n);
	}
	wb_json_set(j, "n", wb_json_str(n.ptr));
	wb_buf_reset(&b);
	if (*m->bench)
		wb_buf_addf(&b, "%s ", m->bench);
	wb_buf_addf(&b, "%s: ", m->name);
	add_change(&b, t, row);
	wb_buf_addf(&b, ", n = %s%s%s", n.ptr, *verdict ? ": " : "", verdict);
	wb_json_set(j, "line", wb_report_string(b.ptr));
	wb_buf_clear(&b);
	wb_buf_clear(&n);
	return j;
}

static bool chosen(const struct wb_view *v, size_t m, size_t column)
{
	const struct wb_row *row = wb_table_row(v->t, v->metric[m], column);

	return v->t->r->metric[v->metric[m]].judged && row->n;
}

static struct wb_json *claims(const struct wb_table *t,
			      const struct wb_format_options *o, size_t column)
{
	struct wb_json *list = wb_json_array();
	struct wb_view v;
	size_t next = 0, m;

	while (next < t->r->nmetrics) {
		wb_view_init(&v, t, o, false, &next);
		for (m = 0; m < v.nmetrics; m++)
			if (chosen(&v, m, column))
				wb_json_append(list, claim(t, wb_table_row(t,
						v.metric[m], column)));
		wb_view_clear(&v);
	}
	return list;
}

/* Whether there is one that was given. */
static bool add_trailers(struct wb_json *list, const struct wb_column *c)
{
	struct wb_json *one;
	const char *colon;
	bool given, any = false;
	size_t i;
	char *key;

	for (i = 0; i < c->ntrailers; i++) {
		colon = strchr(c->trailer[i], ':');
		one = wb_json_object();
		key = wb_xstrndup(c->trailer[i],
				  (size_t)(colon - c->trailer[i]));
		set_text(one, "key", key);
		set_text(one, "value", colon + 2);
		set_text(one, "line", c->trailer[i]);
		given = wb_trailer_is_given(c->trailer[i]);
		any |= given;
		wb_json_set(one, "given", wb_json_bool(given));
		wb_json_set(one, "number", wb_json_int(c->index));
		wb_json_append(list, one);
		free(key);
	}
	return any;
}

static const char *broken(const struct wb_table *t, size_t column)
{
	const struct wb_row *row;
	size_t m;

	for (m = 0; m < t->r->nmetrics; m++) {
		row = wb_table_row(t, m, column);
		if (row->verdict == WB_VERDICT_BROKEN)
			return row->reason ? row->reason : "broken";
	}
	return NULL;
}

bool wb_report_measured(const struct wb_table *t, size_t column)
{
	size_t m;

	if (broken(t, column))
		return false;
	for (m = 0; m < t->r->nmetrics; m++)
		if (wb_table_row(t, m, column)->n)
			return true;
	return false;
}

static struct wb_json *patch(const struct wb_table *t,
			     const struct wb_format_options *o, size_t column)
{
	const struct wb_column *c = &t->r->column[column];
	struct wb_json *j = wb_json_object(), *list = wb_json_array();

	wb_json_set(j, "said", wb_json_bool(add_trailers(list, c)));
	wb_json_set(j, "number", wb_json_int(c->index));
	set_text(j, "name", c->name);
	set_text(j, "subject", c->subject && *c->subject ? c->subject :
		 c->name);
	wb_json_set(j, "claims", claims(t, o, column));
	wb_json_set(j, "trailers", list);
	set_text(j, "broken", broken(t, column));
	wb_json_set(j, "measured", wb_json_bool(wb_report_measured(t, column)));
	return j;
}

/* ---- the whole ---- */

/* The word that stands for all judged metrics of a patch. */
static enum wb_verdict verdict_of(const struct wb_table *t, size_t column,
				  bool *mixed)
{
	bool seen[WB_VERDICT_UNCLEAR + 1] = { false };
	static const enum wb_verdict order[] = {
		WB_VERDICT_BROKEN, WB_VERDICT_SLOWER, WB_VERDICT_FASTER,
		WB_VERDICT_UNCLEAR, WB_VERDICT_SAME, WB_VERDICT_MISSING,
	};
	size_t m, i;

	for (m = 0; m < t->r->nmetrics; m++)
		seen[wb_table_row(t, m, column)->verdict] = true;
	*mixed = seen[WB_VERDICT_SLOWER] && seen[WB_VERDICT_FASTER];
	for (i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (seen[order[i]])
			return order[i];
	return WB_VERDICT_NONE;
}

static struct wb_json *sentence(const struct wb_table *t)
{
	static const enum wb_verdict order[] = {
		WB_VERDICT_FASTER, WB_VERDICT_SLOWER, WB_VERDICT_SAME,
		WB_VERDICT_UNCLEAR, WB_VERDICT_BROKEN, WB_VERDICT_MISSING,
	};
	size_t count[WB_VERDICT_UNCLEAR + 1] = { 0 }, both = 0, c, i;
	size_t patches = t->r->ncolumns - 1;
	struct wb_buf b = WB_BUF_INIT;
	struct wb_json *j;
	bool mixed;

	for (c = 1; c < t->r->ncolumns; c++) {
		enum wb_verdict v = verdict_of(t, c, &mixed);

		if (mixed)
			both++;
		else
			count[v]++;
	}
	wb_buf_addf(&b, "Of %zu patch%s", patches, patches == 1 ? "" : "es");
	for (i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (count[order[i]])
			wb_buf_addf(&b, "%s %zu %s", strchr(b.ptr, ':') ? "," :
				    ":", count[order[i]],
				    wb_verdict_word(order[i]));
	}
	if (both)
		wb_buf_addf(&b, "%s %zu faster in one metric and slower in "
			    "another", strchr(b.ptr, ':') ? "," : ":", both);
	if (count[WB_VERDICT_NONE])
		wb_buf_addf(&b, "%s %zu without a verdict",
			    strchr(b.ptr, ':') ? "," : ":",
			    count[WB_VERDICT_NONE]);
	wb_buf_addch(&b, '.');
	j = wb_json_str(b.ptr);
	wb_buf_clear(&b);
	return j;
}

static struct wb_json *blind(const struct wb_table *t)
{
	struct wb_json *list = wb_json_array(), *one;
	struct wb_buf b = WB_BUF_INIT;
	double e;
	size_t m;

	for (m = 0; m < t->r->nmetrics; m++) {
		e = t->r->metric[m].judged ? wb_table_visible(t, m) : 0;
		if (!(e > 0) || e > 10)
			continue;
		wb_buf_reset(&b);
		wb_number_add_rough(&b, e * 100, 2);
		one = wb_json_object();
		set_text(one, "bench", t->r->metric[m].bench);
		set_text(one, "metric", t->r->metric[m].name);
		wb_json_set(one, "visible", wb_json_str(b.ptr));
		wb_json_append(list, one);
	}
	wb_buf_clear(&b);
	return list;
}

static struct wb_json *missing(const struct wb_table *t,
			       const struct wb_format_options *o)
{
	struct wb_json *list = wb_json_array(), *one;
	const struct wb_hole *why;
	const char *bench;
	size_t i = 0;

	while ((bench = wb_view_unmeasured(t, o, &i, &why))) {
		one = wb_json_object();
		set_text(one, "bench", bench);
		set_text(one, "why", why && why->reason ? why->reason :
			 "nothing was run");
		wb_json_append(list, one);
	}
	return list;
}

static struct wb_json *commands(const struct wb_report_facts *f)
{
	struct wb_json *list = wb_json_array();
	struct wb_buf b = WB_BUF_INIT;

	if (f->source) {
		wb_buf_addstr(&b, "wb run ");
		wb_buf_addquoted(&b, f->source);
		wb_json_append(list, wb_report_string(b.ptr));
		wb_buf_reset(&b);
		wb_buf_addstr(&b, "wb report ");
		wb_buf_addquoted(&b, f->source);
		wb_json_append(list, wb_report_string(b.ptr));
	} else if (f->ncommands) {
		wb_json_append(list, wb_json_str("wb run"));
		wb_json_append(list, wb_json_str("wb report"));
	}
	wb_buf_clear(&b);
	return list;
}

/* What a patch's own object and the document's have alike. */
static void set_common(struct wb_json *doc, const struct wb_table *t,
		       const struct wb_format_options *o,
		       const struct wb_report_facts *f)
{
	struct wb_json *benches = wb_json_array();
	size_t i;

	wb_json_set(doc, "sentence", sentence(t));
	set_text(doc, "machine", t->r->machine_facts);
	set_text(doc, "compiler", f->compiler);
	set_text(doc, "source", f->source);
	set_text(doc, "data", f->data);
	wb_json_set(doc, "version", wb_json_str(WB_VERSION));
	wb_json_set(doc, "blind", blind(t));
	wb_json_set(doc, "missing", missing(t, o));
	wb_json_set(doc, "commands", commands(f));
	for (i = 0; i < f->ncommands; i++)
		wb_json_append(benches, wb_report_string(f->command[i]));
	wb_json_set(doc, "benches", benches);
}

struct wb_json *wb_report_data(const struct wb_table *t,
			       const struct wb_format_options *o,
			       const struct wb_report_facts *facts)
{
	struct wb_json *doc = wb_json_object(), *list = wb_json_array();
	struct wb_json *all = wb_json_array();
	bool said = false;
	size_t c;

	set_common(doc, t, o, facts);
	wb_json_set(doc, "table", table_of(t, o, 0));
	for (c = 1; c < t->r->ncolumns; c++) {
		wb_json_append(list, patch(t, o, c));
		said |= add_trailers(all, &t->r->column[c]);
	}
	wb_json_set(doc, "said", wb_json_bool(said));
	wb_json_set(doc, "patches", list);
	wb_json_set(doc, "trailers", all);
	return doc;
}

struct wb_json *wb_report_data_of(const struct wb_table *t,
				  const struct wb_format_options *o,
				  const struct wb_report_facts *facts,
				  size_t column)
{
	struct wb_json *doc = patch(t, o, column);

	set_common(doc, t, o, facts);
	wb_json_set(doc, "patch", wb_json_bool(true));
	wb_json_set(doc, "table", table_of(t, o, column));
	return doc;
}
