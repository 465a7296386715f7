#include "report.h"
#include "pager.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static bool speaks_utf8(void)
{
	const char *l = getenv("LC_ALL");

	if (!l || !*l)
		l = getenv("LC_CTYPE");
	if (!l || !*l)
		l = getenv("LANG");
	return l && (strcasestr(l, "utf-8") || strcasestr(l, "utf8"));
}

static int choose_column(const struct wb_result *r, const char *against,
			 struct wb_table_options *t, struct wb_error *err)
{
	long column;

	t->against = WB_AGAINST_PREV;
	if (!against || !strcmp(against, "prev"))
		return 0;
	t->against = WB_AGAINST_BASE;
	if (!strcmp(against, "base"))
		return 0;
	column = wb_result_pick_column(r, against);
	if (column == -2)
		return wb_fail(err, WB_E_USAGE, "--against: several prefixes "
			       "begin with '%s'; give more digits", against);
	if (column < 0)
		return wb_fail(err, WB_E_USAGE, "--against: no prefix goes by "
			       "'%s' (give prev, base, a name or a number from "
			       "0 to %d)", against,
			       r->column[r->ncolumns - 1].index);
	t->against = WB_AGAINST_COLUMN;
	t->column = (size_t)column;
	return 0;
}

static bool asked_for(const struct wb_report_options *o, const char *bench)
{
	return !o->format.bench || !bench ||
	       !fnmatch(o->format.bench, bench, 0);
}

static bool measured(const struct wb_result *r,
		     const struct wb_report_options *o)
{
	size_t i;

	for (i = 0; i < r->npoints; i++)
		if (asked_for(o, r->metric[r->point[i].metric].bench))
			return true;
	return false;
}

/* The hole of the first column, if there is none without one. */
static const struct wb_hole *to_blame(const struct wb_result *r,
				      const struct wb_report_options *o)
{
	const struct wb_hole *first = NULL, *h;
	bool *holed = wb_xcalloc(r->ncolumns, sizeof(*holed));
	size_t i, n = 0;

	for (i = 0; i < r->nholes; i++) {
		h = &r->hole[i];
		if (!asked_for(o, h->bench) || !h->reason)
			continue;
		n += !holed[h->column];
		holed[h->column] = true;
		if (!first || h->column < first->column)
			first = h;
	}
	free(holed);
	return n == r->ncolumns ? first : NULL;
}

/* Without a sample there is no metric to show a row of; say why. */
static int nothing_measured(const struct wb_result *r,
			    const struct wb_report_options *o,
			    struct wb_error *err)
{
	const struct wb_hole *h = to_blame(r, o);
	const char *bench = o->format.bench;

	if (h)
		return wb_fail(err, WB_E_JUDGE, "nothing measured: prefix %d "
			       "'%s': %s", r->column[h->column].index,
			       r->column[h->column].name, h->reason);
	return wb_fail(err, WB_E_JUDGE, "nothing measured yet for the present "
		       "builds and benches; measure with 'wb run%s%s%s%s'",
		       bench ? " --bench=" : "", bench ? bench : "",
		       o->source ? " " : "", o->source ? o->source : "");
}

int wb_report_judge(const struct wb_result *r, double margin,
		    const struct wb_report_options *o, struct wb_table *t,
		    struct wb_error *err)
{
	struct wb_table_options how = { .margin = margin, .test = o->test };

	if (!measured(r, o))
		return nothing_measured(r, o, err);
	if (choose_column(r, o->against, &how, err) < 0)
		return -1;
	wb_table_init(t, r, &how);
	return 0;
}

int wb_report_text(const struct wb_result *r, double margin,
		   const struct wb_report_options *o, struct wb_buf *out,
		   struct wb_error *err)
{
	struct wb_format_options format = o->format;
	struct wb_table t;

	if (wb_report_judge(r, margin, o, &t, err) < 0)
		return -1;
	if (o->json)
		format.kind = WB_FORMAT_JSON;
	format.width = wb_terminal_width();
	format.color = o->color;
	format.utf8 = speaks_utf8();
	format.source = o->source;
	wb_format(&t, &format, out);
	wb_table_clear(&t);
	return 0;
}

int wb_report_print(const struct wb_result *r, double margin,
		    const struct wb_report_options *o, struct wb_error *err)
{
	struct wb_buf out = WB_BUF_INIT;
	int ret = wb_report_text(r, margin, o, &out, err);

	if (!ret)
		ret = wb_pager_print(NULL, false, out.ptr, out.len, err);
	wb_buf_clear(&out);
	return ret;
}

void wb_report_markdown(const struct wb_result *r, double margin,
			struct wb_buf *out)
{
	struct wb_table_options how = { .margin = margin };
	struct wb_format_options format = { .kind = WB_FORMAT_MARKDOWN };
	struct wb_table t;

	wb_table_init(&t, r, &how);
	wb_format(&t, &format, out);
	wb_table_clear(&t);
}
