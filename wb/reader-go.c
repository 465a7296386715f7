/*
 * The text of "go test -bench", also with -benchmem, -count and -cpu:
 *
 *	pkg: example.org/tree
 *	BenchmarkInsert/size=16-8   1000000   1234 ns/op   56 B/op   3.5 depth
 *	Unit depth better=lower
 *
 * Each pair of value and unit behind the iteration count is a metric: NAME
 * for ns/op, NAME:UNIT for others. The final -8 is GOMAXPROCS; it is left out
 * when all lines have the same one. Names get their package in front when the
 * output has several. Lines of another kind are the benchmark's own talk,
 * except those by which Go says that something failed.
 */
#include "reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct go {
	struct wb_reading *r;
	const struct wb_bench_config *bench;
	char *package;		/* of the lines to come */
	bool several;		/* packages */
	long procs;		/* the suffix of all names; -1: none */
	struct wb_json *unit;	/* "lower" or "higher" by unit, as was said */
	bool ok;		/* it said how it ended */
};

/* Where the -N at the end of a name begins; len when there is none. */
static size_t suffix_of(const char *name, size_t len, long *procs)
{
	size_t i = len;

	while (i && isdigit((unsigned char)name[i - 1]))
		i--;
	if (i < 2 || i == len || len - i > 5 || name[i - 1] != '-')
		return len;
	*procs = strtol(name + i, NULL, 10);
	return i - 1;
}

static bool is_result(const struct wb_reader_line *l, const char **name,
		      size_t *n)
{
	const char *p = l->ptr, *stop = l->ptr + l->len;
	double iterations;
	size_t len;

	if (!wb_line_starts(l, "Benchmark"))
		return false;
	*n = wb_token(&p, stop) - strlen("Benchmark");
	*name = p + strlen("Benchmark");
	p = *name + *n;
	len = wb_token(&p, stop);
	return *n && wb_token_number(p, len, &iterations);
}

/* "Unit depth better=lower": what benchstat reads too. */
static void read_unit(struct go *g, const struct wb_reader_line *l)
{
	const char *p = l->ptr + strlen("Unit "), *stop = l->ptr + l->len;
	const char *better = NULL;
	size_t nunit = wb_token(&p, stop), n;
	char *unit = wb_xstrndup(p, nunit);

	for (p += nunit; (n = wb_token(&p, stop)); p += n)
		if (n == 12 && !memcmp(p, "better=lower", n))
			better = "lower";
		else if (n == 13 && !memcmp(p, "better=higher", n))
			better = "higher";
	/* a unit that is not UTF-8 makes the numbers that have it refused */
	if (better && wb_str_is_utf8(unit))
		wb_json_set(g->unit, unit, wb_json_str(better));
	free(unit);
}

/* What holds for the whole output, before the first number is taken. */
static void survey(struct go *g, const char *text, const char *end)
{
	struct wb_reader_line l = { .number = 0 };
	const char *name, *package = NULL;
	long procs, all = -2;		/* -2: no line yet, -1: they differ */
	size_t n, npackage = 0;

	while (wb_line_next(&text, end, &l)) {
		if (wb_line_starts(&l, "pkg: ")) {
			g->several |= package && (npackage != l.len ||
						  memcmp(package, l.ptr,
							 l.len));
			package = l.ptr;
			npackage = l.len;
		} else if (wb_line_starts(&l, "Unit ")) {
			read_unit(g, &l);
		} else if (is_result(&l, &name, &n)) {
			procs = -1;
			suffix_of(name, n, &procs);
			all = all == -2 || all == procs ? procs : -1;
		}
	}
	g->procs = all == -2 ? -1 : all;
}

static enum wb_better direction(const struct go *g, const char *unit)
{
	static const struct {
		const char *unit;
		enum wb_better better;
	} known[] = {
		{ "ns/op", WB_BETTER_LOWER }, { "B/op", WB_BETTER_LOWER },
		{ "allocs/op", WB_BETTER_LOWER }, { "MB/s", WB_BETTER_HIGHER },
	};
	enum wb_better said = WB_BETTER_UNKNOWN;
	const char *word;
	size_t i;

	if (wb_json_get_str(wb_json_get(g->unit, unit), &word) &&
	    wb_better_parse(word, &said))
		return said;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].unit, unit))
			return known[i].better;
	return WB_BETTER_UNKNOWN;
}

static int add(struct go *g, const struct wb_reader_line *l, const char *name,
	       size_t n, const char *unit, size_t nunit, double number,
	       struct wb_error *err)
{
	bool time = nunit == 5 && !memcmp(unit, "ns/op", 5);
	struct wb_buf metric = WB_BUF_INIT;
	struct wb_reading_number *v;
	enum wb_better better;
	long procs = -1;

	if (g->procs >= 0)
		n = suffix_of(name, n, &procs);
	if (g->several && g->package)
		wb_buf_addf(&metric, "%s.", g->package);
	wb_buf_add(&metric, name, n);
	if (!time) {
		wb_buf_addch(&metric, ':');
		wb_buf_add(&metric, unit, nunit);
	}
	v = wb_reading_new(g->r, g->bench, metric.ptr, metric.len, l->number,
			   err);
	wb_buf_clear(&metric);
	if (!v)
		return -1;
	v->number = number;
	wb_reading_set_unit(v, unit, nunit);
	better = direction(g, v->unit);
	if (better)
		v->better = better;
	return time && number < 0 ? wb_line_bad(l, err, "a negative time") : 0;
}

static int read_result(struct go *g, const struct wb_reader_line *l,
		       const char *name, size_t n, struct wb_error *err)
{
	const char *p = name + n, *stop = l->ptr + l->len, *unit;
	size_t len, nunit, pairs = 0;
	double number;

	len = wb_token(&p, stop);	/* the iterations */
	for (p += len; (len = wb_token(&p, stop)); p = unit + nunit) {
		unit = p + len;
		nunit = wb_token(&unit, stop);
		if (!wb_token_number(p, len, &number) || !nunit)
			return wb_line_bad(l, err, "not pairs of a number and "
					   "a unit");
		if (add(g, l, name, n, unit, nunit, number, err) < 0)
			return -1;
		pairs++;
	}
	return pairs ? 0 : wb_line_bad(l, err, "a benchmark without numbers");
}

static int read_line(struct go *g, const struct wb_reader_line *l,
		     struct wb_error *err)
{
	static const char *const failures[] = {
		"--- FAIL", "FAIL", "panic:", "fatal error:", "signal:",
	};
	const char *name;
	size_t i, n;

	for (i = 0; i < sizeof(failures) / sizeof(failures[0]); i++)
		if (wb_line_starts(l, failures[i]))
			return wb_line_bad(l, err, "the test failed");
	if (is_result(l, &name, &n))
		return read_result(g, l, name, n, err);
	if (wb_line_starts(l, "pkg: ")) {
		free(g->package);
		g->package = wb_xstrndup(l->ptr + 5, l->len - 5);
	}
	g->ok |= (l->len == 4 && wb_line_starts(l, "PASS")) ||
		 wb_line_starts(l, "ok ") || wb_line_starts(l, "ok\t");
	return 0;
}

int wb_read_go(struct wb_reading *r, const char *text, const char *end,
	       const struct wb_bench_config *bench, struct wb_error *err)
{
	struct go g = {
		.r = r, .bench = bench, .procs = -1, .unit = wb_json_object(),
	};
	struct wb_reader_line l = { .number = 0 };
	int ret = 0;

	survey(&g, text, end);
	while (!ret && wb_line_next(&text, end, &l))
		ret = read_line(&g, &l, err);
	if (!ret && r->n && !g.ok)
		ret = wb_fail(err, WB_E_JUDGE, "cut off: neither PASS nor ok "
			      "stands behind the results");
	wb_json_free(g.unit);
	free(g.package);
	return ret;
}
