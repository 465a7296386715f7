/*
 * mmtests: the summary table of one run, or lines of samples.
 *
 *	                       6.6.0-rc1
 *	                         vanilla
 *	Min       alloc-1    971.30 (   0.00%)
 *	Amean     alloc-1   1001.56 (   0.00%)
 *
 *	alloc-1  1  982.10		NAME ITERATION VALUE
 *
 * Of a table the mean rows count (Amean: lower is better, Hmean: higher), and
 * Ops where there is but one number. The program prints what it lacks as 0.00,
 * so a mean of 0 is missing here. Of lines of samples each is a slice; they are
 * what a script makes of a log, since the logs are those of some 60 programs.
 */
#include "reader.h"

#include <math.h>
#include <string.h>

static bool is_word(const char *p, size_t len, const char *const *words)
{
	for (; *words; words++)
		if (strlen(*words) == len && !memcmp(*words, p, len))
			return true;
	return false;
}

static bool is_statistic(const char *p, size_t len)
{
	static const char *const words[] = {
		"Min", "Max", "Amean", "Hmean", "Gmean", "Ops", "Stddev",
		"HStddev", "CoeffVar", "HCoeffVar", "CI95", "Ratio",
		"Significant", "1st-qrtle", "2nd-qrtle", "3rd-qrtle",
		"SubAmean", "SubHmean", "SubAmeanCI", "SubHmeanCI", NULL,
	};
	static const char *const starts[] = {
		"BAmean", "BHmean", "Pctile", "Max-", "Best", NULL,
	};
	size_t i;

	for (i = 0; starts[i]; i++)
		if (len > strlen(starts[i]) &&
		    !memcmp(p, starts[i], strlen(starts[i])))
			return true;
	return is_word(p, len, words);
}

/* The percentage behind a value: "(   0.00%)", "*  10.37%*". */
static const char *after_gain(const char *p, const char *stop)
{
	const char *q = p, *close;

	while (q < stop && *q == ' ')
		q++;
	if (q == stop || (*q != '(' && *q != '*'))
		return p;
	close = memchr(q + 1, *q == '(' ? ')' : '*', (size_t)(stop - q - 1));
	return close ? close + 1 : p;
}

static int add(struct wb_reading *r, const struct wb_bench_config *bench,
	       const char *name, size_t len, const struct wb_reader_line *l,
	       enum wb_better better, double number, struct wb_error *err)
{
	struct wb_reading_number *n = wb_reading_new(r, bench, name, len,
						     l->number, err);

	if (!n)
		return -1;
	n->number = number;
	if (better)
		n->better = better;
	return 0;
}

static int read_row(struct wb_reading *r, const struct wb_reader_line *l,
		    const char *statistic, size_t nstatistic,
		    const struct wb_bench_config *bench, struct wb_error *err)
{
	static const char *const means[] = { "Amean", "Hmean", "Ops", NULL };
	const char *p = statistic + nstatistic, *stop = l->ptr + l->len;
	const char *name;
	size_t nname, n;
	double number;

	nname = wb_token(&p, stop);
	name = p;
	p += nname;
	n = wb_token(&p, stop);
	if (!nname || !wb_token_number(p, n, &number))
		return wb_line_bad(l, err, "not STATISTIC METRIC VALUE");
	p = after_gain(p + n, stop);
	if (wb_token(&p, stop))
		return wb_line_bad(l, err, "more than one column: a bench is "
				   "one run, so print the table of one");
	if (!is_word(statistic, nstatistic, means))
		return 0;
	if (number == 0 && *statistic != 'O') {
		wb_reading_remark(r, "line %u: a mean of 0 is what mmtests "
				  "prints for a missing one", l->number);
		return 0;
	}
	return add(r, bench, name, nname, l, *statistic == 'A' ?
		   WB_BETTER_LOWER : *statistic == 'H' ? WB_BETTER_HIGHER :
		   WB_BETTER_UNKNOWN, number, err);
}

/* NAME ITERATION VALUE: 1, 0 when the line is none, or -1. */
static int read_log(struct wb_reading *r, const struct wb_reader_line *l,
		    const char *name, size_t nname,
		    const struct wb_bench_config *bench, struct wb_error *err)
{
	const char *p = name + nname, *stop = l->ptr + l->len;
	double iteration, number;
	size_t n;

	n = wb_token(&p, stop);
	if (!wb_token_number(p, n, &iteration) || iteration < 0 ||
	    iteration != floor(iteration))
		return 0;
	p += n;
	n = wb_token(&p, stop);
	if (!wb_token_number(p, n, &number) || p + n != stop)
		return 0;
	return add(r, bench, name, nname, l, WB_BETTER_UNKNOWN, number,
		   err) < 0 ? -1 : 1;
}

int wb_read_mmtests(struct wb_reading *r, const char *text, const char *end,
		    const struct wb_bench_config *bench, struct wb_error *err)
{
	struct wb_reader_line l = { .number = 0 };
	bool table = false, log = false;
	unsigned heading = 0;
	const char *p;
	size_t n;
	int rc;

	while (wb_line_next(&text, end, &l)) {
		p = l.ptr;
		n = wb_token(&p, l.ptr + l.len);
		if (!log && is_statistic(p, n)) {
			table = true;
			if (read_row(r, &l, p, n, bench, err) < 0)
				return -1;
			continue;
		}
		rc = table || heading ? 0 : read_log(r, &l, p, n, bench, err);
		if (rc < 0)
			return -1;
		if (rc)
			log = true;
		else if (table || log || !l.indent || ++heading > 2)
			/* two lines name the kernel, right of the labels */
			return wb_line_bad(&l, err, table ?
				"no row of the summary table of one run" :
				log ? "not NAME ITERATION VALUE" :
				"neither the summary table of one run nor "
				"NAME ITERATION VALUE; logs of programs are "
				"not read");
	}
	if (table && !r->n && !r->remark)
		return wb_fail(err, WB_E_JUDGE, "a table without a row of "
			       "Amean, Hmean or Ops");
	return 0;
}
