/*
 * Plain text: NAME VALUE [UNIT] a line, and the last number of anything.
 */
#include "reader.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

int wb_read_lines(struct wb_reading *r, const char *text, const char *end,
		  const struct wb_bench_config *bench, struct wb_error *err)
{
	static const char wanted[] = "not NAME VALUE [UNIT]";
	struct wb_reader_line l = { .number = 0 };

	while (wb_line_next(&text, end, &l)) {
		const char *stop = l.ptr + l.len, *name = l.ptr, *v, *unit;
		struct wb_reading_number *n;
		size_t nname, nv, nunit;
		double number;

		nname = wb_token(&name, stop);
		v = name + nname;
		nv = wb_token(&v, stop);
		unit = v + nv;
		nunit = wb_token(&unit, stop);
		if (!wb_token_number(v, nv, &number) || unit + nunit != stop)
			return wb_line_bad(&l, err, wanted);
		n = wb_reading_new(r, bench, name, nname, l.number, err);
		if (!n)
			return -1;
		n->number = number;
		if (nunit)
			wb_reading_set_unit(n, unit, nunit);
	}
	return 0;
}

/* "nan", "-inf", "Infinity%": a number that was not measured. */
static bool not_finite(const char *p, size_t len)
{
	if (len && (*p == '-' || *p == '+')) {
		p++;
		len--;
	}
	while (len && !isalpha((unsigned char)p[len - 1]))
		len--;
	return (len == 3 && (!strncasecmp(p, "nan", 3) ||
			     !strncasecmp(p, "inf", 3))) ||
	       (len == 8 && !strncasecmp(p, "infinity", 8));
}

/* Length of [+-]digits[.digits][e[+-]digits] at p, 0 if there is none. */
static size_t number_len(const char *p, size_t len)
{
	size_t i = 0, digits = 0, e;

	if (i < len && (p[i] == '+' || p[i] == '-'))
		i++;
	for (; i < len && isdigit((unsigned char)p[i]); i++)
		digits++;
	if (i < len && p[i] == '.')
		for (i++; i < len && isdigit((unsigned char)p[i]); i++)
			digits++;
	if (!digits)
		return 0;
	if (i < len && (p[i] == 'e' || p[i] == 'E')) {
		e = i + 1;
		if (e < len && (p[e] == '+' || p[e] == '-'))
			e++;
		if (e < len && isdigit((unsigned char)p[e])) {
			while (e < len && isdigit((unsigned char)p[e]))
				e++;
			i = e;
		}
	}
	return i;
}

/*
 * The number of a token like "12.5", "t=12.5", "(12.5ms)", "3.2%,". 1: it has
 * one, 0: it has none, -1: it looks like a number and is none that can be
 * read for certain ("1,234", "1.2.3", "0x1f", "12:30").
 */
static int token_value(const char *p, size_t len, double *out)
{
	size_t n, i;

	for (i = 0; i < len && !isdigit((unsigned char)p[i]); i++)
		if (strchr("=:(['\"<", p[i])) {
			p += i + 1;
			len -= i + 1;
			i = (size_t)-1;
		}
	if (not_finite(p, len))
		return -1;
	n = number_len(p, len);
	if (!n)
		return 0;
	for (i = n; i < len && (isalpha((unsigned char)p[i]) || p[i] == '%' ||
				p[i] == '/' || (p[i] & 0x80)); i++)
		;
	if (n == 1 && *p == '0' && i > n && (p[n] == 'x' || p[n] == 'X'))
		return -1;
	/* an exponent that was cut off, and no unit */
	if (i == n + 1 && (p[n] == 'e' || p[n] == 'E'))
		return -1;
	for (; i < len; i++)
		if (!strchr(".,;)]'\">!", p[i]))
			return -1;
	return wb_token_number(p, n, out) ? 1 : -1;
}

int wb_read_last_number(struct wb_reading *r, const char *text, const char *end,
			const struct wb_bench_config *bench,
			struct wb_error *err)
{
	struct wb_reader_line l = { .number = 0 }, at = l;
	struct wb_reading_number *n;
	double number = 0, v;
	bool there = false, bad = false;

	while (wb_line_next(&text, end, &l)) {
		const char *p = l.ptr, *stop = l.ptr + l.len;
		size_t len;

		for (; (len = wb_token(&p, stop)) > 0; p += len) {
			int got = token_value(p, len, &v);

			if (!got)
				continue;
			bad = got < 0;
			there = true;
			at = l;
			if (!bad)
				number = v;
		}
	}
	if (!there)
		return 0;
	if (bad)
		return wb_line_bad(&at, err, "its last number cannot be read");
	n = wb_reading_new(r, bench, WB_LAST_NUMBER_METRIC,
			   strlen(WB_LAST_NUMBER_METRIC), at.number, err);
	if (n)
		n->number = number;
	return n ? 0 : -1;
}
