#include "result.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Names of commits have so many hex digits; people may give fewer. */
#define COMMIT_DIGITS 12
#define COMMIT_DIGITS_MIN 4

void wb_result_init(struct wb_result *r)
{
	memset(r, 0, sizeof(*r));
}

void wb_result_clear(struct wb_result *r)
{
	size_t i, j;

	for (i = 0; i < r->ncolumns; i++) {
		free(r->column[i].name);
		free(r->column[i].subject);
		free(r->column[i].tree);
		free(r->column[i].build);
		for (j = 0; j < r->column[i].nlayouts; j++)
			free(r->column[i].layout[j]);
		free(r->column[i].layout);
		for (j = 0; j < r->column[i].ntrailers; j++)
			free(r->column[i].trailer[j]);
		free(r->column[i].trailer);
	}
	for (i = 0; i < r->nmetrics; i++) {
		free(r->metric[i].bench);
		free(r->metric[i].name);
		free(r->metric[i].unit);
		free(r->metric[i].axes);
		free(r->metric[i].values);
	}
	for (i = 0; i < r->nholes; i++) {
		free(r->hole[i].bench);
		free(r->hole[i].reason);
	}
	for (i = 0; i < r->nbenches; i++)
		free(r->bench[i]);
	for (i = 0; i < r->noffsets; i++)
		free(r->offsets[i]);
	free(r->offsets);
	free(r->passes);
	free(r->bench);
	free(r->column);
	free(r->metric);
	free(r->point);
	free(r->control);
	free(r->control_passes);
	free(r->start);
	free(r->hole);
	free(r->machine);
	free(r->machine_facts);
	free(r->toolchain);
	for (i = 0; i < r->nelsewhere; i++)
		free(r->elsewhere[i].facts);
	free(r->elsewhere);
	for (i = 0; i < r->nmishaps; i++) {
		free(r->mishap[i].bench);
		free(r->mishap[i].what);
	}
	free(r->mishap);
	wb_result_init(r);
}

size_t wb_result_add_column(struct wb_result *r, int index, const char *name)
{
	r->column = wb_grow(r->column, r->ncolumns, &r->capcolumns,
			    sizeof(*r->column));
	r->column[r->ncolumns] = (struct wb_column){
		.index = index,
		.name = wb_xstrdup(name),
	};
	return r->ncolumns++;
}

size_t wb_result_add_metric(struct wb_result *r, const char *bench,
			    const char *name)
{
	r->metric = wb_grow(r->metric, r->nmetrics, &r->capmetrics,
			    sizeof(*r->metric));
	r->metric[r->nmetrics] = (struct wb_metric){
		.bench = wb_xstrdup(bench),
		.name = wb_xstrdup(name),
		.unit = wb_xstrdup(""),
	};
	return r->nmetrics++;
}

void wb_result_add_hole(struct wb_result *r, size_t column, const char *bench,
			enum wb_hole_kind kind, const char *reason)
{
	r->hole = wb_grow(r->hole, r->nholes, &r->capholes, sizeof(*r->hole));
	r->hole[r->nholes++] = (struct wb_hole){
		.column = column,
		.bench = wb_xstrdup(bench),
		.kind = kind,
		.reason = wb_xstrdup(reason),
	};
}

void wb_result_add_trailer(struct wb_result *r, size_t column,
			   const char *key, const char *value)
{
	struct wb_column *c = &r->column[column];

	c->trailer = wb_grow(c->trailer, c->ntrailers, &c->captrailers,
			     sizeof(*c->trailer));
	c->trailer[c->ntrailers++] = wb_xasprintf("%s: %s", key, value);
}

bool wb_trailer_is_given(const char *line)
{
	size_t n = strcspn(line, ":");

	return n > 3 && !strncasecmp(line + n - 3, "-by", 3) &&
	       strncasecmp(line, "Signed-off-by", n);
}

void wb_result_add_build(struct wb_result *r, size_t column, const char *id)
{
	struct wb_column *c = &r->column[column];

	if (!c->build) {
		c->build = wb_xstrdup(id);
		return;
	}
	c->layout = wb_grow(c->layout, c->nlayouts, &c->caplayouts,
			    sizeof(*c->layout));
	c->layout[c->nlayouts++] = wb_xstrdup(id);
}

void wb_result_add_point(struct wb_result *r, const struct wb_point *p)
{
	r->point = wb_grow(r->point, r->npoints, &r->cappoints,
			   sizeof(*r->point));
	r->point[r->npoints++] = *p;
}

float *wb_result_offsets(struct wb_result *r, size_t n)
{
	r->offsets = wb_grow(r->offsets, r->noffsets, &r->capoffsets,
			     sizeof(*r->offsets));
	return r->offsets[r->noffsets++] = wb_xcalloc(n, sizeof(float));
}

void wb_result_add_passes(struct wb_result *r, const struct wb_passes *p)
{
	r->passes = wb_grow(r->passes, r->npasses, &r->cappasses,
			    sizeof(*r->passes));
	r->passes[r->npasses++] = *p;
}

void wb_result_add_control_passes(struct wb_result *r,
				  const struct wb_passes *p)
{
	r->control_passes = wb_grow(r->control_passes, r->ncontrol_passes,
				    &r->capcontrol_passes,
				    sizeof(*r->control_passes));
	r->control_passes[r->ncontrol_passes++] = *p;
}

void wb_result_add_control(struct wb_result *r, const struct wb_point *p)
{
	r->control = wb_grow(r->control, r->ncontrols, &r->capcontrols,
			     sizeof(*r->control));
	r->control[r->ncontrols++] = *p;
}

void wb_result_add_start(struct wb_result *r, int32_t round)
{
	r->start = wb_grow(r->start, r->nstarts, &r->capstarts,
			   sizeof(*r->start));
	r->start[r->nstarts++] = round;
}

void wb_result_add_bench(struct wb_result *r, const char *name)
{
	size_t i;

	for (i = 0; i < r->nbenches; i++)
		if (!strcmp(r->bench[i], name))
			return;
	r->bench = wb_grow(r->bench, r->nbenches, &r->capbenches,
			   sizeof(*r->bench));
	r->bench[r->nbenches++] = wb_xstrdup(name);
}

long wb_result_find_column(const struct wb_result *r, const char *name)
{
	size_t i;

	for (i = 0; i < r->ncolumns; i++)
		if (!strcmp(r->column[i].name, name))
			return (long)i;
	return -1;
}

bool wb_column_is_commit(const struct wb_column *c)
{
	return strlen(c->name) == COMMIT_DIGITS &&
	       strspn(c->name, "0123456789abcdef") == COMMIT_DIGITS;
}

/* Length of a name without its final ".patch". */
static size_t stem(const char *name)
{
	size_t n = strlen(name);

	return n > 6 && wb_str_ends(name, ".patch") ? n - 6 : n;
}

static long column_by_stem(const struct wb_result *r, const char *word)
{
	size_t n = stem(word), i;

	for (i = 0; i < r->ncolumns; i++)
		if (stem(r->column[i].name) == n &&
		    !memcmp(r->column[i].name, word, n))
			return (long)i;
	return -1;
}

static long column_by_number(const struct wb_result *r, const char *word)
{
	char *end;
	long k;
	size_t i;

	if (!isdigit((unsigned char)*word))
		return -1;
	k = strtol(word, &end, 10);
	for (i = 0; i < r->ncolumns && !*end; i++)
		if (r->column[i].index == k)
			return (long)i;
	return -1;
}

static long column_by_commit(const struct wb_result *r, const char *word)
{
	size_t n = strlen(word), i;
	long found = -1;

	if (n < COMMIT_DIGITS_MIN || strspn(word, "0123456789abcdefABCDEF") < n)
		return -1;
	n = n < COMMIT_DIGITS ? n : COMMIT_DIGITS;
	for (i = 0; i < r->ncolumns; i++) {
		if (!wb_column_is_commit(&r->column[i]) ||
		    strncasecmp(r->column[i].name, word, n))
			continue;
		if (found >= 0)
			return -2;
		found = (long)i;
	}
	return found;
}

long wb_result_pick_column(const struct wb_result *r, const char *word)
{
	long k = wb_result_find_column(r, word);

	if (k < 0)
		k = column_by_stem(r, word);
	if (k < 0 && r->ncolumns && !strcmp(word, "base"))
		k = 0;
	if (k < 0)
		k = column_by_number(r, word);
	return k < 0 ? column_by_commit(r, word) : k;
}

long wb_result_find_metric(const struct wb_result *r, const char *bench,
			   const char *name)
{
	size_t i;

	for (i = 0; i < r->nmetrics; i++)
		if (!strcmp(r->metric[i].name, name) &&
		    !strcmp(r->metric[i].bench, bench))
			return (long)i;
	return -1;
}

bool wb_globs_match(const char *globs, const char *name)
{
	struct wb_buf one = WB_BUF_INIT;
	bool hit = false;
	size_t n;

	while (*globs && !hit) {
		globs += strspn(globs, " \t");
		n = strcspn(globs, " \t");
		if (!n)
			break;
		wb_buf_reset(&one);
		wb_buf_add(&one, globs, n);
		hit = !fnmatch(one.ptr, name, 0);
		globs += n;
	}
	wb_buf_clear(&one);
	return hit;
}

bool wb_result_judge(struct wb_result *r, const char *bench, const char *globs)
{
	bool by_default = !globs || !globs[strspn(globs, " \t")], any = false;
	size_t i, n = 0;

	for (i = 0; i < r->nmetrics; i++)
		n += !strcmp(r->metric[i].bench, bench);
	for (i = 0; i < r->nmetrics; i++) {
		if (strcmp(r->metric[i].bench, bench))
			continue;
		r->metric[i].judged = by_default ?
			n <= WB_JUDGED_BY_DEFAULT :
			wb_globs_match(globs, r->metric[i].name);
		any |= r->metric[i].judged;
	}
	return any;
}

const char *wb_better_word(enum wb_better b)
{
	return b == WB_BETTER_LOWER ? "lower" :
	       b == WB_BETTER_HIGHER ? "higher" : "";
}

bool wb_better_parse(const char *word, enum wb_better *out)
{
	if (!strcmp(word, "lower"))
		*out = WB_BETTER_LOWER;
	else if (!strcmp(word, "higher"))
		*out = WB_BETTER_HIGHER;
	else
		return false;
	return true;
}

const char *wb_level_word(enum wb_level l)
{
	return l == WB_LEVEL_H ? "H" : l == WB_LEVEL_S ? "S" :
	       l == WB_LEVEL_I ? "I" : "";
}

bool wb_level_parse(const char *word, enum wb_level *out)
{
	if (!strcmp(word, "H"))
		*out = WB_LEVEL_H;
	else if (!strcmp(word, "S"))
		*out = WB_LEVEL_S;
	else if (!strcmp(word, "I"))
		*out = WB_LEVEL_I;
	else
		return false;
	return true;
}

void wb_result_add_elsewhere(struct wb_result *r, const char *facts,
			     size_t runs)
{
	struct wb_elsewhere *e = r->elsewhere;
	size_t i;

	for (i = 0; i < r->nelsewhere && strcmp(e[i].facts, facts); i++)
		;
	if (i == r->nelsewhere) {
		e = wb_grow(e, i, &r->capelsewhere, sizeof(*e));
		e[i] = (struct wb_elsewhere){ wb_xstrdup(facts), 0 };
		r->elsewhere = e;
		r->nelsewhere++;
	}
	e[i].runs += runs;
}

void wb_result_add_mishap(struct wb_result *r, const char *bench,
			  const char *what, bool discarded)
{
	struct wb_result_mishap *m = r->mishap;
	size_t i;

	for (i = 0; i < r->nmishaps && (strcmp(m[i].bench, bench) ||
					strcmp(m[i].what, what)); i++)
		;
	if (i == r->nmishaps) {
		m = wb_grow(m, i, &r->capmishaps, sizeof(*m));
		m[i] = (struct wb_result_mishap){
			wb_xstrdup(bench), wb_xstrdup(what), 0, 0,
		};
		r->mishap = m;
		r->nmishaps++;
	}
	if (discarded)
		m[i].discarded++;
	else
		m[i].kept++;
}
