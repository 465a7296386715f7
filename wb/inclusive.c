#include "inclusive.h"
#include "reader.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define IDS_MAX 4000000		/* of compressed names, in a sane file */
#define SYMBOLS_MAX 20000	/* when all are wanted */

const char wb_inclusive_all[] = "*";

static long add_symbol(struct wb_inclusive *p, const char *name, size_t len)
{
	size_t cap = p->cap;

	p->symbol = wb_grow(p->symbol, p->n, &cap, sizeof(*p->symbol));
	p->cost = wb_grow(p->cost, p->n, &p->cap, sizeof(*p->cost));
	p->symbol[p->n] = wb_xstrndup(name, len);
	p->cost[p->n] = 0;
	return (long)p->n++;
}

void wb_inclusive_init(struct wb_inclusive *p, const char *symbols)
{
	size_t len;

	memset(p, 0, sizeof(*p));
	p->all = symbols == wb_inclusive_all;
	if (p->all)
		symbols = NULL;
	while (symbols && *(symbols += strspn(symbols, " \t"))) {
		len = strcspn(symbols, " \t");
		add_symbol(p, symbols, len);
		symbols += len;
	}
}

void wb_inclusive_clear(struct wb_inclusive *p)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		free(p->symbol[i]);
	free(p->symbol);
	free(p->cost);
	memset(p, 0, sizeof(*p));
}

/* Of all functions: the name as it is; an address is none. */
static long match_any(struct wb_inclusive *p, const char *name, size_t len)
{
	size_t i;

	if (!len || (len > 2 && wb_str_starts(name, "0x")))
		return -1;
	for (i = 0; i < p->n; i++)
		if (!strncmp(p->symbol[i], name, len) && !p->symbol[i][len])
			return (long)i;
	return p->n < SYMBOLS_MAX ? add_symbol(p, name, len) : -1;
}

/* Which symbol a name of len bytes stands for; -1: none that is asked for. */
static long match(struct wb_inclusive *p, const char *name, size_t len)
{
	size_t i, n;

	if (p->all)
		return match_any(p, name, len);
	for (i = 0; i < p->n; i++) {
		n = strlen(p->symbol[i]);
		if (len >= n && !memcmp(p->symbol[i], name, n) &&
		    (len == n || name[n] == '.' || name[n] == '\''))
			return (long)i;
	}
	return -1;
}

/* Compressed names: "(12) name" once, "(12)" from then on. */
struct names {
	long *of_id;		/* symbol, or -1 */
	size_t n, cap;
};

static long name_of(struct wb_inclusive *p, struct names *names,
		    const char *text, size_t len)
{
	char *end;
	unsigned long id;
	long symbol;

	if (!len || *text != '(')
		return match(p, text, len);
	id = strtoul(text + 1, &end, 10);
	if (*end != ')' || id > IDS_MAX)
		return -1;
	while (names->n <= id) {
		names->of_id = wb_grow(names->of_id, names->n, &names->cap,
				       sizeof(*names->of_id));
		names->of_id[names->n++] = -1;
	}
	end++;
	if ((size_t)(end - text) < len) {
		symbol = match(p, end + 1, len - (size_t)(end + 1 - text));
		names->of_id[id] = symbol;
	}
	return names->of_id[id];
}

/* The first cost behind the position of a line of costs. */
static double cost_of(const char *line, size_t len)
{
	const char *p = line, *end = line + len;
	size_t n = wb_token(&p, end);
	double cost;

	p += n;
	n = wb_token(&p, end);
	return wb_token_number(p, n, &cost) ? cost : 0;
}

static bool is_cost(char c)
{
	return isdigit((unsigned char)c) || c == '+' || c == '-' || c == '*';
}

void wb_inclusive_add_callgrind(struct wb_inclusive *p, const char *text)
{
	struct names names = { .n = 0 };
	long fn = -1, callee = -1;
	bool called = false, body = false;
	const char *line;
	size_t len;

	for (line = text; *line; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		if (wb_str_starts(line, "totals: ")) {
			p->total += cost_of(line, len);
		} else if (wb_str_starts(line, "fn=")) {
			fn = name_of(p, &names, line + 3, len - 3);
			body = true;
		} else if (wb_str_starts(line, "cfn=")) {
			callee = name_of(p, &names, line + 4, len - 4);
		} else if (wb_str_starts(line, "calls=")) {
			called = true;
		} else if (body && is_cost(*line)) {
			if (fn >= 0 && !(called && callee == fn))
				p->cost[fn] += cost_of(line, len);
			called = false;
		}
	}
	free(names.of_id);
}

void wb_inclusive_add_stacks(struct wb_inclusive *p, const char *text)
{
	bool *hit = wb_xcalloc(p->n + 1, sizeof(*hit)), any = false;
	const char *line, *word;
	size_t len, n, i;
	long symbol;

	assert(!p->all);
	for (line = text; ; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		word = line;
		n = wb_token(&word, line + len);
		if (!n) {
			for (i = 0; i < p->n; i++)
				p->cost[i] += hit[i];
			p->total += any;
			memset(hit, 0, (p->n + 1) * sizeof(*hit));
			any = false;
			if (!*line)
				break;
			continue;
		}
		any = true;
		word += n;
		n = wb_token(&word, line + len);
		symbol = match(p, word, n);
		if (symbol >= 0)
			hit[symbol] = true;
	}
	free(hit);
}

void wb_inclusive_read(const struct wb_inclusive *p, const char *section,
		     enum wb_level level, struct wb_reading *out)
{
	const char *of = level == WB_LEVEL_I ? "instructions" : "samples";
	char *metric;
	size_t i;

	for (i = 0; i < p->n; i++) {
		if (!(p->cost[i] > 0) || !(p->total > 0)) {
			if (p->all)
				continue;
			wb_reading_remark(out, "profile: none of the %.0f %s "
					  "is of %.80s: not called, inlined, "
					  "or too rare", p->total, of,
					  p->symbol[i]);
			continue;
		}
		metric = wb_xasprintf("profile.%s%s%s", p->symbol[i],
				      section ? ":" : "",
				      section ? section : "");
		wb_reading_add(out, metric, "%", WB_BETTER_LOWER,
			       100 * (p->cost[i] < p->total ?
				      p->cost[i] / p->total : 1));
		out->v[out->n - 1].level = level;
		free(metric);
	}
}
