#include "opt.h"
#include "buf.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTS 64
#define HELP_PAGE (0x100 + MAX_OPTS)

int wb_parse_int(const char *s, long min, long max, long *out,
		 struct wb_error *err)
{
	char *end;
	long v;

	errno = 0;
	v = strtol(s, &end, 10);
	if (!*s || *end || errno || v < min || v > max)
		return wb_fail(err, WB_E_USAGE,
			       "'%s' is not a whole number from %ld to %ld",
			       s, min, max);
	*out = v;
	return 0;
}

/* A plain decimal number at *s, which is moved behind it. */
static bool decimal(const char **s, double *v)
{
	char *end;

	if (!strchr("0123456789.", **s) || !**s)
		return false;
	/* strtod takes hexadecimal, too */
	if (**s == '0' && strchr("xX", (*s)[1]) && (*s)[1])
		return false;
	*v = strtod(*s, &end);
	if (end == *s || !isfinite(*v))
		return false;
	*s = end;
	return true;
}

int wb_parse_duration(const char *s, double *seconds, struct wb_error *err)
{
	const char *p = s;
	double total = 0, v;
	bool plain = false;

	while (decimal(&p, &v)) {
		switch (*p) {
		case 'd': v *= 86400; break;
		case 'h': v *= 3600; break;
		case 'm': v *= 60; break;
		case 's': break;
		case '\0': plain = true; break;
		default: goto bad;
		}
		total += v;
		if (plain)
			break;
		p++;
		if (!*p)
			break;
	}
	if (p == s || *p || total > 10 * 366 * 86400.0)
		goto bad;
	*seconds = total;
	return 0;
bad:
	return wb_fail(err, WB_E_USAGE,
		       "'%s' is not a duration (write 90, 45s, 10m, 1h30m)", s);
}

int wb_parse_bytes(const char *s, uint64_t *bytes, struct wb_error *err)
{
	static const char units[] = "KMGT";
	const char *p = s, *unit;
	double v;

	if (!decimal(&p, &v))
		goto bad;
	unit = *p ? strchr(units, *p) : NULL;
	if (unit) {
		v *= (double)(1ull << (10 * (unit - units + 1)));
		p++;
	}
	if (*p || v < 1 || v > 1e15)
		goto bad;
	*bytes = (uint64_t)v;
	return 0;
bad:
	return wb_fail(err, WB_E_USAGE,
		       "'%s' is not a size (write 512M or 8G)", s);
}

int wb_parse_ratio(const char *s, double *ratio, struct wb_error *err)
{
	const char *p = s;
	double v;

	if (!decimal(&p, &v))
		goto bad;
	if (!strcmp(p, "%"))
		v /= 100;
	else if (*p)
		goto bad;
	if (v > 1)
		goto bad;
	*ratio = v;
	return 0;
bad:
	return wb_fail(err, WB_E_USAGE,
		       "'%s' is not a share (write 0.5%% or 0.005)", s);
}

static void list_add(struct wb_strlist *list, const char *s)
{
	list->v = wb_grow(list->v, list->n, &list->cap, sizeof(*list->v));
	list->v[list->n++] = s;
}

static int store(const struct wb_opt *o, void *into, const char *arg,
		 struct wb_error *err)
{
	char *field = (char *)into + o->offset;
	long v = 0;

	switch (o->kind) {
	case WB_OPTK_FLAG:
		*(bool *)field = true;
		return 0;
	case WB_OPTK_NOFLAG:
		*(bool *)field = false;
		return 0;
	case WB_OPTK_STR:
		*(const char **)field = arg;
		return 0;
	case WB_OPTK_LIST:
		list_add((struct wb_strlist *)field, arg);
		return 0;
	case WB_OPTK_INT:
		if (wb_parse_int(arg, 0, INT_MAX, &v, err) < 0)
			return wb_fail_at(err, "--%s", o->name);
		*(int *)field = (int)v;
		return 0;
	case WB_OPTK_DURATION:
		if (wb_parse_duration(arg, (double *)field, err) < 0)
			return wb_fail_at(err, "--%s", o->name);
		return 0;
	case WB_OPTK_RATIO:
		if (wb_parse_ratio(arg, (double *)field, err) < 0)
			return wb_fail_at(err, "--%s", o->name);
		return 0;
	case WB_OPTK_END:
		break;
	}
	assert(!"option kind");
	return -1;
}

/* What getopt needs, and how to find our row again from its answer. */
struct translation {
	char letters[2 * MAX_OPTS + 4];
	struct option names[MAX_OPTS + 2];	/* --help and the end too */
	const struct wb_opt *row[MAX_OPTS];
	void *into[MAX_OPTS];
	size_t n;
};

static void translate(struct translation *t, const struct wb_opt_layer *layers,
		      size_t nlayers, int flags)
{
	const struct wb_opt *o;
	char *p = t->letters;
	size_t i;

	t->n = 0;
	if (flags & WB_OPT_STOP_AT_WORD)
		*p++ = '+';
	*p++ = ':';
	*p++ = 'h';
	for (i = 0; i < nlayers; i++) {
		for (o = layers[i].opts; o->kind != WB_OPTK_END; o++) {
			assert(t->n < MAX_OPTS);
			t->row[t->n] = o;
			t->into[t->n] = layers[i].into;
			t->names[t->n] = (struct option){
				.name = o->name,
				.has_arg = o->arg ? required_argument
						  : no_argument,
				.val = 0x100 + (int)t->n,
			};
			t->n++;
			if (!o->letter)
				continue;
			*p++ = o->letter;
			if (o->arg)
				*p++ = ':';
		}
	}
	*p = '\0';
	t->names[t->n] = (struct option){ .name = "help", .val = HELP_PAGE };
	memset(&t->names[t->n + 1], 0, sizeof(t->names[0]));
}

static size_t row_of(const struct translation *t, int c)
{
	size_t i;

	if (c >= 0x100)
		return (size_t)(c - 0x100);
	for (i = 0; t->row[i]->letter != c; i++)
		;
	return i;
}

/* Why getopt refused a long option: it leaves unknown and ambiguous alike. */
static int bad_name(const struct translation *t, const char *word,
		    struct wb_error *err)
{
	struct wb_buf names = WB_BUF_INIT;
	const char *name = word + strspn(word, "-");
	size_t n = strcspn(name, "="), i, found = 0;

	for (i = 0; n && t->names[i].name; i++)
		if (!strncmp(t->names[i].name, name, n))
			wb_buf_addf(&names, "%s--%s", found++ ? ", " : "",
				    t->names[i].name);
	if (found > 1)
		wb_fail(err, WB_E_USAGE, "option '--%.*s' is ambiguous: %s",
			(int)n, name, names.ptr);
	else if (found)
		wb_fail(err, WB_E_USAGE, "option '%s' takes no value",
			names.ptr);
	else
		wb_fail(err, WB_E_USAGE, "unknown option '--%.*s'", (int)n,
			name);
	wb_buf_clear(&names);
	return -1;
}

static int bad_option(const struct translation *t, int c, char **argv,
		      struct wb_error *err)
{
	if (c == ':')
		return wb_fail(err, WB_E_USAGE, "option '%s' needs a value",
			       argv[optind - 1]);
	if (optopt && optopt < 0x100)
		return wb_fail(err, WB_E_USAGE, "unknown option '-%c'", optopt);
	return bad_name(t, argv[optind - 1], err);
}

int wb_opt_parse(int argc, char **argv, const struct wb_opt_layer *layers,
		 size_t nlayers, int flags, enum wb_opt_help *help,
		 int *nwords, struct wb_error *err)
{
	struct translation t;
	size_t row;
	int c, i;

	translate(&t, layers, nlayers, flags);
	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, t.letters, t.names, NULL)) != -1) {
		if (c == 'h' || c == HELP_PAGE) {
			*help = c == 'h' ? WB_OPT_USAGE : WB_OPT_PAGE;
			break;
		}
		if (c == ':' || c == '?')
			return bad_option(&t, c, argv, err);
		row = row_of(&t, c);
		if (store(t.row[row], t.into[row], optarg, err) < 0)
			return -1;
	}
	*nwords = argc - optind;
	for (i = 0; i < *nwords; i++)
		argv[1 + i] = argv[optind + i];
	argv[1 + i] = NULL;
	return 0;
}

void wb_opt_clear(const struct wb_opt *opts, void *into)
{
	const struct wb_opt *o;
	struct wb_strlist *list;

	for (o = opts; o->kind != WB_OPTK_END; o++) {
		if (o->kind != WB_OPTK_LIST)
			continue;
		list = (struct wb_strlist *)((char *)into + o->offset);
		free(list->v);
		*list = (struct wb_strlist){ .v = NULL };
	}
}

void wb_opt_help(const struct wb_opt *opts, struct wb_buf *out)
{
	char left[64];
	const struct wb_opt *o;

	for (o = opts; o->kind != WB_OPTK_END; o++) {
		if (o->letter)
			snprintf(left, sizeof(left), "-%c, --%s%s%s", o->letter,
				 o->name, o->arg ? "=" : "",
				 o->arg ? o->arg : "");
		else
			snprintf(left, sizeof(left), "    --%s%s%s", o->name,
				 o->arg ? "=" : "", o->arg ? o->arg : "");
		if (strlen(left) > 26)
			wb_buf_addf(out, "  %s\n%30s%s\n", left, "", o->help);
		else
			wb_buf_addf(out, "  %-26s  %s\n", left, o->help);
	}
}

void wb_opt_names(const struct wb_opt *opts, struct wb_buf *out)
{
	const struct wb_opt *o;

	for (o = opts; o->kind != WB_OPTK_END; o++)
		wb_buf_addf(out, "--%s%s\n", o->name, o->arg ? "=" : "");
}
