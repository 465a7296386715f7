/*
 * A result set as sample lines. Passes follow their points in the same order,
 * which is how both are filled.
 */
#include "sample.h"
#include "json.h"
#include "number.h"

#include <stdlib.h>

/* A name as JSON, made once: a file names it in each of its lines. */
static char *quote(const char *s)
{
	struct wb_json *j = wb_json_str(s);
	struct wb_buf b = WB_BUF_INIT;

	wb_json_print(j, &b, 0);
	wb_json_free(j);
	return wb_buf_detach(&b);
}

struct writer {
	struct wb_buf *out;
	char **prefix;		/* by column */
	char **metric;		/* "bench":...,"metric":... */
};

static void add_passes(struct wb_buf *out, const struct wb_passes *p)
{
	size_t i;

	wb_buf_addstr(out, ",\"mean\":");
	wb_number_add(out, p->mean);
	wb_buf_addstr(out, ",\"passes\":[");
	for (i = 0; i < p->n; i++) {
		wb_buf_addstr(out, i ? "," : "");
		wb_number_add(out, (double)p->offset[i]);
	}
	wb_buf_addch(out, ']');
}

static void add_point(const struct writer *w, const struct wb_point *p,
		      bool control, const struct wb_passes *passes)
{
	wb_buf_addf(w->out, "{%s,\"value\":", w->metric[p->metric]);
	wb_number_add(w->out, p->value);
	if (passes)
		add_passes(w->out, passes);
	wb_buf_addf(w->out, ",\"prefix\":%s", w->prefix[p->column]);
	if (p->layout)
		wb_buf_addf(w->out, ",\"layout\":%u", p->layout);
	if (p->round >= 0)
		wb_buf_addf(w->out, ",\"round\":%d", p->round);
	if (p->run < WB_OWN_RUN)
		wb_buf_addf(w->out, ",\"run\":%u", p->run);
	if (control)
		wb_buf_addstr(w->out, ",\"control\":true");
	if (p->nivcsw >= 0)
		wb_buf_addf(w->out, ",\"env\":{\"nivcsw\":%d}", p->nivcsw);
	wb_buf_addstr(w->out, "}\n");
}

static bool of_point(const struct wb_passes *s, const struct wb_point *p)
{
	return s->metric == p->metric && s->column == p->column &&
	       s->round == p->round;
}

static void add_points(const struct writer *w, const struct wb_point *p,
		       size_t n, bool control, const struct wb_passes *passes,
		       size_t npasses)
{
	size_t i, k = 0;

	for (i = 0; i < n; i++) {
		if (k < npasses && of_point(&passes[k], &p[i]))
			add_point(w, &p[i], control, &passes[k++]);
		else
			add_point(w, &p[i], control, NULL);
	}
}

void wb_sample_print(const struct wb_result *r, struct wb_buf *out)
{
	struct writer w = {
		.out = out,
		.prefix = wb_xcalloc(r->ncolumns, sizeof(*w.prefix)),
		.metric = wb_xcalloc(r->nmetrics, sizeof(*w.metric)),
	};
	char *bench, *name;
	size_t i;

	for (i = 0; i < r->ncolumns; i++)
		w.prefix[i] = quote(r->column[i].name);
	for (i = 0; i < r->nmetrics; i++) {
		bench = quote(r->metric[i].bench);
		name = quote(r->metric[i].name);
		w.metric[i] = wb_xasprintf("\"bench\":%s,\"metric\":%s",
					   bench, name);
		free(bench);
		free(name);
	}
	add_points(&w, r->point, r->npoints, false, r->passes, r->npasses);
	add_points(&w, r->control, r->ncontrols, true, r->control_passes,
		   r->ncontrol_passes);
	for (i = 0; i < r->ncolumns; i++)
		free(w.prefix[i]);
	for (i = 0; i < r->nmetrics; i++)
		free(w.metric[i]);
	free(w.prefix);
	free(w.metric);
}
