#include "gnuplot.h"

#include "path.h"
#include "proc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TIMEOUT 60
#define OUTPUT_MAX ((size_t)1 << 20)

/* A name between double quotes of gnuplot: nothing of it is a command. */
static void put_name(struct wb_buf *out, const char *name)
{
	wb_buf_addch(out, '"');
	for (; *name; name++) {
		if ((unsigned char)*name < ' ' || *name == 127)
			wb_buf_addch(out, '?');
		else if (strchr("\"\\`$", *name))
			wb_buf_addch(out, '\'');
		else
			wb_buf_addch(out, *name);
	}
	wb_buf_addch(out, '"');
}

static void put_points(const struct wb_table *t, size_t metric,
		       struct wb_buf *out)
{
	const uint32_t *p;
	size_t c, i, n;

	wb_buf_addstr(out, "$samples << EOD\n");
	for (c = 0; c < t->r->ncolumns; c++) {
		n = wb_cells_get(&t->cells, metric, c, &p);
		for (i = 0; i < n; i++)
			wb_buf_addf(out, "%.3f %.17g\n",
				    (double)c - 0.4 +
				    0.8 * ((double)i + 0.5) / (double)n,
				    t->r->point[p[i]].value);
	}
	wb_buf_addstr(out, "EOD\n$medians << EOD\n");
	for (c = 0; c < t->r->ncolumns; c++)
		if (isfinite(wb_table_row(t, metric, c)->value))
			wb_buf_addf(out, "%zu %.17g\n", c,
				    wb_table_row(t, metric, c)->value);
	wb_buf_addstr(out, "EOD\n");
}

static void put_script(const struct wb_table *t, size_t metric,
		       struct wb_buf *out)
{
	const struct wb_metric *m = &t->r->metric[metric];

	put_points(t, metric, out);
	wb_buf_addstr(out, "set terminal pngcairo size 1200,420 noenhanced\n"
		      "set output \"out.png\"\nset title ");
	put_name(out, m->name);
	wb_buf_addstr(out, "\nset ylabel ");
	put_name(out, m->unit);
	wb_buf_addf(out, "\nset xlabel \"prefix\"\nset xrange [-0.6:%.1f]\n"
		    "set xtics %zu\nset grid ytics\n"
		    "plot $samples with points pt 7 ps 0.5 lc rgb '#59636e' "
		    "title 'samples', $medians with steps lw 2 lc rgb "
		    "'#0b63b5' title 'medians'\n",
		    (double)t->r->ncolumns - 0.4, t->r->ncolumns / 40 + 1);
}

/* The script is a file, for it may be long. */
static int run(const char *dir, struct wb_error *err)
{
	struct wb_proc p = {
		.command = "exec gnuplot script", .cwd = dir, .env = environ,
		.timeout = TIMEOUT, .max_output = OUTPUT_MAX,
		.interrupt_fd = -1,
	};
	struct wb_proc_result r;
	int ret;

	wb_proc_result_init(&r);
	ret = wb_proc_run(&p, &r, err);
	if (!ret && wb_proc_failed(&p, &r, "gnuplot", err) < 0) {
		err->kind = WB_E_FATAL;
		ret = -1;
	}
	wb_proc_result_clear(&r);
	return ret;
}

int wb_gnuplot_png(const struct wb_table *t, size_t metric, const char *file,
		   struct wb_error *err)
{
	struct wb_buf script = WB_BUF_INIT, png = WB_BUF_INIT;
	char *dir, *in, *out;
	bool there;
	int ret = -1;

	if (!wb_path_program("gnuplot"))
		return wb_fail(err, WB_E_FATAL, "no gnuplot (package "
			       "gnuplot-nox): PNG is not to be had, SVG and "
			       "ASCII are");
	dir = wb_xasprintf("%s/wb-plot.XXXXXX",
			   getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	if (!mkdtemp(dir)) {
		ret = wb_fail_errno(err, "%s", dir);
		free(dir);
		return ret;
	}
	in = wb_xasprintf("%s/script", dir);
	out = wb_xasprintf("%s/out.png", dir);
	put_script(t, metric, &script);
	if (wb_path_write(in, script.ptr, script.len, err) == 0 &&
	    run(dir, err) == 0 &&
	    wb_path_read(out, (size_t)64 << 20, &png, &there, err) == 0)
		ret = wb_path_put(file, png.ptr, png.len, err);
	wb_path_remove(dir, ret ? &(struct wb_error)WB_ERROR_INIT : err);
	wb_buf_clear(&script);
	wb_buf_clear(&png);
	free(in);
	free(out);
	free(dir);
	return ret;
}
