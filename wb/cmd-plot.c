#include "cmd.h"
#include "gnuplot.h"
#include "pager.h"
#include "path.h"
#include "plots.h"
#include "report-load.h"
#include "strip.h"

#include "report-css.h"

#include <fnmatch.h>
#include <string.h>

struct plot {
	struct wb_source from;
	const char *samples, *machine, *format, *kind, *bench, *metric, *output;
	int width;
};

static const struct wb_opt opts[] = {
	WB_SOURCE_OPTS(struct plot),
	WB_OPT_STR(0, "format", struct plot, format, "FORMAT",
		   "ascii, svg or png"),
	WB_OPT_STR(0, "kind", struct plot, kind, "KIND",
		   "of svg: staircase or time"),
	WB_OPT_STR(0, "samples", struct plot, samples, "FILE",
		   "a file of sample lines, or an HTML report"),
	WB_OPT_STR(0, "machine", struct plot, machine, "ID",
		   "what another machine measured (digits of its id)"),
	WB_OPT_STR(0, "bench", struct plot, bench, "GLOB",
		   "only these benches"),
	WB_OPT_STR(0, "metric", struct plot, metric, "GLOB",
		   "these metrics, judged or not"),
	WB_OPT_INT(0, "width", struct plot, width, "N",
		   "characters of an ascii scale, 40"),
	WB_OPT_STR('o', "output", struct plot, output, "FILE",
		   "write there; one metric's picture a file"),
	WB_OPT_END
};

enum { WIDTH = 40, WIDTH_MIN = 10, WIDTH_MAX = 1000 };

static const struct plot defaults = { .format = "ascii", .width = WIDTH };

static int check(const struct plot *o, struct wb_error *err)
{
	if (strcmp(o->format, "ascii") && strcmp(o->format, "svg") &&
	    strcmp(o->format, "png"))
		return wb_fail(err, WB_E_USAGE, "--format is ascii, svg or "
			       "png, not '%s'", o->format);
	if (o->kind && strcmp(o->kind, "staircase") && strcmp(o->kind, "time"))
		return wb_fail(err, WB_E_USAGE, "--kind is staircase or time, "
			       "not '%s'", o->kind);
	if (o->kind && strcmp(o->format, "svg"))
		return wb_fail(err, WB_E_USAGE, "--kind needs --format svg");
	if (!strcmp(o->format, "png") && !o->output)
		return wb_fail(err, WB_E_USAGE, "--format png needs -o FILE");
	if (o->width < WIDTH_MIN || o->width > WIDTH_MAX)
		return wb_fail(err, WB_E_USAGE, "--width is %d to %d",
			       WIDTH_MIN, WIDTH_MAX);
	return 0;
}

static bool is_wanted(const struct wb_table *t, size_t m, const struct plot *o)
{
	const struct wb_metric *x = &t->r->metric[m];

	if (t->cells.start[m * t->r->ncolumns] ==
	    t->cells.start[(m + 1) * t->r->ncolumns])
		return false;
	if (o->bench && fnmatch(o->bench, x->bench, 0))
		return false;
	return o->metric ? !fnmatch(o->metric, x->name, 0) : x->judged;
}

/* The picture stands alone, so its style is in it. */
static void draw_svg(const struct wb_table *t, size_t m, const struct plot *o,
		     struct wb_buf *out)
{
	struct wb_buf svg = WB_BUF_INIT;
	const char *head;

	if (o->kind && !strcmp(o->kind, "time"))
		wb_plot_time(t, m, &svg);
	else
		wb_plot_staircase(t, m, &svg);
	head = strstr(svg.ptr, "<title>");
	wb_buf_add(out, svg.ptr, (size_t)(head - svg.ptr));
	wb_buf_addstr(out, "<style>\n");
	wb_buf_addstr(out, report_css);
	wb_buf_addstr(out, "svg { background: var(--bg); }\n</style>");
	wb_buf_addstr(out, head);
	wb_buf_clear(&svg);
}

static int draw(const struct wb_table *t, const struct plot *o,
		struct wb_buf *out, struct wb_error *err)
{
	bool ascii = !strcmp(o->format, "ascii");
	size_t m, n = 0;

	for (m = 0; m < t->r->nmetrics; m++) {
		if (!is_wanted(t, m, o))
			continue;
		if (n++ && !ascii)
			return wb_fail(err, WB_E_USAGE, "several metrics: "
				       "choose one by --metric (the first two "
				       "are of '%s')", t->r->metric[m].bench);
		if (!strcmp(o->format, "png")) {
			if (wb_gnuplot_png(t, m, o->output, err) < 0)
				return -1;
		} else if (ascii) {
			if (n > 1)
				wb_buf_addch(out, '\n');
			wb_strip(t, m, (size_t)o->width, out);
		} else {
			draw_svg(t, m, o, out);
		}
	}
	if (!n)
		return wb_fail(err, WB_E_JUDGE, "nothing measured of what is "
			       "asked for: 'wb run' measures");
	return 0;
}

static int load(struct wb *wb, struct plot *o, char **argv,
		struct wb_result *r, struct wb_error *err)
{
	if (o->samples)
		return wb_report_load_file(&wb->config, o->samples, r, err);
	if (!wb->git) {
		*err = wb->no_git;
		return wb_fail_at(err, "no store to read (a file is read with "
				  "--samples FILE)");
	}
	o->from.word = argv[1];
	return wb_report_load_store(wb->git, &wb->config, &o->from, o->machine,
				    r, err);
}

static int put(struct wb *wb, const struct plot *o, const struct wb_buf *out,
	       struct wb_error *err)
{
	if (!strcmp(o->format, "png"))
		return 0;
	if (o->output)
		return wb_path_put(o->output, out->ptr, out->len, err);
	return wb_pager_print(&wb->config, !wb->no_pager, out->ptr, out->len,
			      err);
}

static int cmd_plot(struct wb *wb, void *v, int argc, char **argv,
		    struct wb_error *err)
{
	struct plot *o = v;
	struct wb_table_options how = { .margin = wb->config.margin };
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	struct wb_table t;
	int ret = -1;

	if (argc > (o->samples ? 1 : 2))
		return wb_fail(err, WB_E_USAGE, "unexpected '%s'",
			       argv[argc - 1]);
	if (check(o, err) < 0)
		return -1;
	wb_result_init(&r);
	if (load(wb, o, argv, &r, err) < 0 ||
	    wb_report_check_globs(&r, o->bench, o->metric, err) < 0)
		goto out;
	wb_table_init(&t, &r, &how);
	if (draw(&t, o, &out, err) == 0)
		ret = put(wb, o, &out, err);
	wb_table_clear(&t);
out:
	wb_buf_clear(&out);
	wb_result_clear(&r);
	return ret;
}

const struct wb_cmd wb_cmd_plot = {
	.name = "plot",
	.fn = cmd_plot,
	.needs = WB_WANT_REPO,
	.usage = "wb plot [--format=ascii] [--width=N] [--bench=GLOB] "
		 "[--metric=GLOB] [--machine=ID] [-o FILE] [SERIES]\n"
		 "wb plot --format=svg [--kind=staircase|time] "
		 "[--bench=GLOB] --metric=GLOB [-o FILE] [SERIES]\n"
		 "wb plot --format=png [--bench=GLOB] --metric=GLOB -o FILE "
		 "[SERIES]\n"
		 "wb plot --samples=FILE ...",
	.summary = "pictures of the samples: ASCII, SVG, PNG",
	.opts = opts,
	.size = sizeof(struct plot),
	.defaults = &defaults,
};
