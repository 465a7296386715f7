#include "bisect-profile.h"

#include "build.h"
#include "inclusive.h"
#include "text.h"
#include "trial.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	KEPT = 20,		/* functions in the journal */
	SHOWN = 5,		/* in text */
};

/* Moves that differ by less are alike. */
#define ALIKE 1e-4

/* ---- shares ---- */

void wb_bisect_shares_add(struct wb_bisect_shares *s, const char *name,
			  double share, bool after)
{
	struct wb_bisect_function *f;
	size_t i;

	for (i = 0; i < s->n && strcmp(s->v[i].name, name); i++)
		;
	if (i == s->n) {
		s->v = wb_grow(s->v, s->n, &s->cap, sizeof(*s->v));
		s->v[s->n++] = (struct wb_bisect_function){
			.name = wb_xstrdup(name), .before = NAN, .after = NAN,
		};
	}
	f = &s->v[i];
	*(after ? &f->after : &f->before) = share;
}

static void add_word(char ***list, size_t *n, const char *word)
{
	size_t i;

	for (i = 0; i < *n; i++)
		if (!strcmp((*list)[i], word))
			return;
	*list = wb_xrealloc(*list, (*n + 1) * sizeof(**list));
	(*list)[(*n)++] = wb_xstrdup(word);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether the line calls or defines the function: its name, a bracket. */
static bool names(const char *line, size_t len, const char *name)
{
	size_t n = strcspn(name, ".'"), i;

	for (i = 0; n && i + n < len; i++)
		if (!memcmp(line + i, name, n) && line[i + n] == '(' &&
		    (!i || !is_word(line[i - 1])))
			return true;
	return false;
}

/* The line that the definition around byte `at` begins with, or NULL. */
static const char *definition(const char *text, size_t at, size_t *len)
{
	const char *line, *end = text + at;

	for (;;) {
		for (line = end; line > text && line[-1] != '\n'; line--)
			;
		*len = strcspn(line, "\n");
		/* "}" ends one, "out:" is a label, "f(1);" declares */
		if (*len && (isalpha((unsigned char)*line) || *line == '_') &&
		    memchr(line, '(', *len) && line[*len - 1] != ';')
			return line;
		if (line == text)
			return NULL;
		end = line - 1;
	}
}

/* What lines first .. first + n - 1 of a text touch; false: nothing. */
static bool touch(struct wb_bisect_shares *s, const char *text, size_t size,
		  int first, int n, const char *where)
{
	const char *p = text, *end = text + size, *line, *last = NULL;
	bool any = false;
	size_t len, i;
	int at;

	for (at = 1; p && p < end && at < first + n; at++) {
		if (at >= first) {
			line = definition(text, (size_t)(p - text), &len);
			for (i = 0; line && line != last && i < s->n; i++) {
				if (!names(line, len, s->v[i].name))
					continue;
				add_word(&s->v[i].hunk, &s->v[i].nhunks,
					 where);
				any = true;
			}
			last = line;
		}
		p = memchr(p, '\n', (size_t)(end - p));
		p = p ? p + 1 : NULL;
	}
	return any;
}

void wb_bisect_shares_hunk(struct wb_bisect_shares *s,
			   const struct wb_git_hunk *h)
{
	char *where = wb_xasprintf("%s:%d", h->path,
				   h->new_n ? h->new_at : h->new_at + 1);
	bool any = false;

	if (h->new && h->new_n)
		any = touch(s, h->new, h->new_len, h->new_at, h->new_n, where);
	if (h->old && h->old_n)
		any |= touch(s, h->old, h->old_len, h->old_at, h->old_n,
			     where);
	if (!any)
		add_word(&s->elsewhere, &s->nelsewhere, where);
	free(where);
}

static double moved(const struct wb_bisect_function *f)
{
	return (isnan(f->after) ? 0 : f->after) -
	       (isnan(f->before) ? 0 : f->before);
}

/* In steps, so that what is alike is so for all three of three. */
static int by_move(const void *a, const void *b)
{
	const struct wb_bisect_function *x = a, *y = b;
	double p = round(fabs(moved(x)) / ALIKE);
	double q = round(fabs(moved(y)) / ALIKE);

	if (p != q)
		return p < q ? 1 : -1;
	if (!x->nhunks != !y->nhunks)
		return x->nhunks ? -1 : 1;
	return strcmp(x->name, y->name);
}

void wb_bisect_shares_sort(struct wb_bisect_shares *s)
{
	if (s->n)
		qsort(s->v, s->n, sizeof(*s->v), by_move);
}

static void free_words(char **list, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		free(list[i]);
	free(list);
}

void wb_bisect_shares_clear(struct wb_bisect_shares *s)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		free(s->v[i].name);
		free_words(s->v[i].hunk, s->v[i].nhunks);
	}
	free(s->v);
	free_words(s->elsewhere, s->nelsewhere);
	memset(s, 0, sizeof(*s));
}

/* ---- measuring ---- */

#define PREFIX "profile."

/*
 * The shares of the section that is the metric, else of all sections, else of
 * the whole run.
 */
static const char *section_of(const struct wb_trial_result *r,
			      const char *metric)
{
	const char *want[] = { metric, wb_inclusive_all, "instructions" };
	size_t w, i;

	for (w = 0; w < 3; w++)
		for (i = 0; i < r->n; i++) {
			const char *colon = strrchr(r->sample[i].metric, ':');
			if (wb_str_starts(r->sample[i].metric, PREFIX) &&
			    colon && !strcmp(colon + 1, want[w]))
				return want[w];
		}
	return NULL;
}

static void add_shares(struct wb_bisect_shares *s,
		       const struct wb_trial_result *r, const char *section,
		       bool after)
{
	const char *m, *colon;
	char *name;
	size_t i;

	for (i = 0; i < r->n; i++) {
		m = r->sample[i].metric;
		colon = strrchr(m, ':');
		if (!wb_str_starts(m, PREFIX) || !colon ||
		    strcmp(colon + 1, section))
			continue;
		m += strlen(PREFIX);
		name = wb_xstrndup(m, (size_t)(colon - m));
		wb_bisect_shares_add(s, name, r->sample[i].value / 100, after);
		free(name);
	}
}

/* Instructions of the metric, or of the whole; NaN: not one number. */
static double total_of(const struct wb_trial_result *r, const char *metric)
{
	double whole = NAN;
	size_t i;

	for (i = 0; i < r->n; i++) {
		if (!strcmp(r->sample[i].metric, metric))
			return r->sample[i].value;
		if (!strcmp(r->sample[i].metric, "instructions"))
			whole = r->sample[i].value;
	}
	return whole;
}

static struct wb_json *words(char *const *list, size_t n)
{
	struct wb_json *a = wb_json_array();
	size_t i;

	for (i = 0; i < n; i++)
		wb_json_append(a, wb_json_str(list[i]));
	return a;
}

static struct wb_json *to_json(const struct wb_bisect_shares *s, double before,
			       double after)
{
	struct wb_json *o = wb_json_object(), *list = wb_json_array(), *f;
	size_t i;

	for (i = 0; i < s->n && i < KEPT; i++) {
		if (fabs(moved(&s->v[i])) < ALIKE && !s->v[i].nhunks)
			continue;
		f = wb_json_object();
		wb_json_set(f, "name", wb_json_str(s->v[i].name));
		wb_json_set(f, "before", wb_json_num(s->v[i].before));
		wb_json_set(f, "after", wb_json_num(s->v[i].after));
		wb_json_set(f, "hunks", words(s->v[i].hunk, s->v[i].nhunks));
		wb_json_append(list, f);
	}
	wb_json_set(o, "counter", wb_json_str("callgrind"));
	wb_json_set(o, "functions", list);
	wb_json_set(o, "elsewhere", words(s->elsewhere, s->nelsewhere));
	wb_json_set(o, "before", wb_json_num(before));
	wb_json_set(o, "after", wb_json_num(after));
	return o;
}

static void add_hunk(void *arg, const struct wb_git_hunk *h)
{
	wb_bisect_shares_hunk(arg, h);
}

static int join(struct wb_bisect_bench *b, int below, int at,
		const char *metric, const struct wb_trial_result *r,
		struct wb_json **out, struct wb_error *err)
{
	const struct wb_bisect_line *l = b->line;
	struct wb_bisect_shares s = { .n = 0 };
	const char *section = section_of(&r[1], metric);
	int ret;

	if (!section)
		return wb_fail(err, WB_E_JUDGE, "callgrind named no function");
	add_shares(&s, &r[0], section, false);
	add_shares(&s, &r[1], section, true);
	ret = wb_git_hunks(b->git, &l->plan->prefix[l->prefix[below]].tree,
			   &l->plan->prefix[l->prefix[at]].tree, add_hunk, &s,
			   err);
	wb_bisect_shares_sort(&s);
	if (!ret)
		*out = to_json(&s, total_of(&r[0], metric),
			       total_of(&r[1], metric));
	wb_bisect_shares_clear(&s);
	return ret;
}

int wb_bisect_profile_make(struct wb_bisect_bench *b, int below, int at,
			   const char *metric, struct wb_json **out,
			   struct wb_error *err)
{
	struct wb_trial_result r[2] = { { .n = 0 }, { .n = 0 } };
	int ret = wb_bisect_bench_profile(b, below, at, r, err);

	if (!ret)
		ret = join(b, below, at, metric, r, out, err);
	/* an answer that was found is not lost for want of a reason */
	if (ret < 0 && err->kind != WB_E_SIGINT &&
	    err->kind != WB_E_SIGTERM) {
		*out = wb_json_object();
		wb_json_set(*out, "why", wb_json_str(err->msg));
		wb_error_clear(err);
		ret = 0;
	}
	wb_trial_result_clear(&r[0]);
	wb_trial_result_clear(&r[1]);
	return ret;
}

/* ---- text ---- */

static void add_share(struct wb_buf *out, const struct wb_json *share)
{
	double v;

	if (wb_json_get_num(share, &v))
		wb_buf_addf(out, " %6.2f %%", 100 * v);
	else
		wb_buf_addf(out, " %8s", "-");
}

static void add_hunks(struct wb_buf *out, const struct wb_json *list)
{
	const char *word;
	size_t i;

	for (i = 0; i < wb_json_count(list) && i < SHOWN; i++)
		if (wb_json_get_str(wb_json_at(list, i), &word)) {
			wb_buf_addstr(out, i ? ", " : "  ");
			wb_text_add(out, word, WB_TEXT_UTF8);
		}
	if (i < wb_json_count(list))
		wb_buf_addf(out, " and %zu more", wb_json_count(list) - i);
}

void wb_bisect_profile_print(const struct wb_json *p, struct wb_buf *out)
{
	const struct wb_json *list = wb_json_get(p, "functions"), *f;
	const struct wb_json *elsewhere = wb_json_get(p, "elsewhere");
	const char *why, *name;
	double before, after;
	size_t i;

	if (wb_json_get_str(wb_json_get(p, "why"), &why)) {
		wb_buf_addstr(out, "    no profile: ");
		wb_text_add(out, why, WB_TEXT_UTF8);
		wb_buf_addch(out, '\n');
		return;
	}
	if (wb_json_get_num(wb_json_get(p, "before"), &before) &&
	    wb_json_get_num(wb_json_get(p, "after"), &after) && before > 0)
		wb_buf_addf(out, "    instructions under callgrind: %+.3f %%\n",
			    100 * (after / before - 1));
	if (wb_json_count(list))
		wb_buf_addf(out, "    %8s %8s  function with its callees, "
			    "hunks that touch it\n", "before", "after");
	else
		wb_buf_addstr(out, "    no function's share of them moved\n");
	for (i = 0; i < wb_json_count(list) && i < SHOWN; i++) {
		f = wb_json_at(list, i);
		if (!wb_json_get_str(wb_json_get(f, "name"), &name))
			continue;
		wb_buf_addstr(out, "   ");
		add_share(out, wb_json_get(f, "before"));
		add_share(out, wb_json_get(f, "after"));
		wb_buf_addstr(out, "  ");
		wb_text_add(out, name, WB_TEXT_UTF8);
		add_hunks(out, wb_json_get(f, "hunks"));
		wb_buf_addch(out, '\n');
	}
	if (wb_json_count(elsewhere)) {
		wb_buf_addstr(out, "    other hunks:");
		add_hunks(out, elsewhere);
		wb_buf_addch(out, '\n');
	}
}
