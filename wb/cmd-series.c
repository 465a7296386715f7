#include "cmd.h"
#include "git.h"
#include "json.h"
#include "plan.h"
#include "series.h"
#include "todo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct series {
	const char *profile, *root;
	int fuzz;
	struct wb_strlist exclude;
};

static const struct series defaults = { .fuzz = -1 };

#define OPT_PROFILE WB_OPT_STR('p', "profile", struct series, profile, "P", \
			       "how patches apply: strict, quilt, dpkg, git")
#define OPT_FUZZ WB_OPT_INT(0, "fuzz", struct series, fuzz, "N", \
			    "context lines that may differ")
#define OPT_EXCLUDE WB_OPT_LIST(0, "exclude", struct series, exclude, "PATH", \
				"leave PATH out of the base (repeatable)")

static const struct wb_opt list_opts[] = {
	OPT_PROFILE, OPT_FUZZ, OPT_EXCLUDE,
	WB_OPT_END
};

static const struct wb_opt trees_opts[] = {
	OPT_PROFILE, OPT_FUZZ, OPT_EXCLUDE,
	WB_OPT_STR(0, "root", struct series, root, "DIR",
		   "apply onto this plain folder instead of HEAD"),
	WB_OPT_END
};

/* Loads what the words and options name; *own is a handle to be freed. */
static int load(struct wb *wb, const struct series *o, bool diffstat, int argc,
		char **argv, struct wb_stack *stack, struct wb_git **own,
		struct wb_error *err)
{
	struct wb_stack_options so = {
		.source = argc > 1 ? argv[1] : NULL,
		.series = wb->config.series, .fuzz = o->fuzz, .root = o->root,
		.exclude = &o->exclude, .diffstat = diffstat,
	};
	struct wb_git *g = wb->git;

	if (argc > 2)
		return wb_fail(err, WB_E_USAGE, "one stack at a time, not '%s'",
			       argv[2]);
	if (wb_profile_parse(o->profile ? o->profile : wb->config.profile,
			     &so.profile, err) < 0)
		return -1;
	if (o->root) {
		if (wb_git_open_memory(own, err) < 0)
			return -1;
		g = *own;
	} else if (!g) {
		*err = wb->no_git;
		return -1;
	}
	return wb_stack_load(stack, g, &so, err);
}

/* What the store knows of a stack; todo.n is 0 when that cannot be said. */
struct known {
	struct wb_plan plan;
	struct wb_todo todo;
};

static void learn(struct wb *wb, const char *source, struct known *known)
{
	struct wb_error why = WB_ERROR_INIT;

	memset(known, 0, sizeof(*known));
	if (!wb->config.nbenches)
		return;
	/* the list is of use without it, so a failure is a remark at most */
	if (wb_plan_make(&known->plan, wb->git, &wb->config, source, NULL,
			 &why) < 0 ||
	    wb_todo_make(&known->todo, &known->plan, wb->db,
			 wb->config.rounds, &why) < 0) {
		wb_todo_clear(&known->todo);
		if (wb->verbose)
			wb_talk("built, measured: not known: %s", why.msg);
	}
}

static void forget(struct known *known)
{
	wb_todo_clear(&known->todo);
	wb_plan_clear(&known->plan);
}

/*
 * NULL: not known. Options of the list may give a prefix another tree than the
 * one that wb run would measure.
 */
static const struct wb_todo_prefix *known_of(const struct known *known,
					     const struct wb_stack *s, size_t k)
{
	const struct wb_stack *planned = &known->plan.stack;

	if (known->todo.n != s->n || !s->prefix[k].applies ||
	    !planned->prefix[k].applies ||
	    strcmp(planned->prefix[k].tree.hex, s->prefix[k].tree.hex))
		return NULL;
	return &known->todo.prefix[k];
}

/* A run of every bench is in the store. */
static bool measured(const struct wb_todo_prefix *t)
{
	return !t->broken &&
	       (t->rounds > 0 || (t->rounds < 0 && t->counts > 0));
}

/* At most so many hunks of a patch are named; 0 names them all. */
static void warn_deviations(const struct wb_prefix *p, size_t most)
{
	const struct wb_shift *s;
	size_t i;

	for (i = 0; i < p->applied.n; i++) {
		if (most && i == most) {
			wb_warn("%s: and %zu hunks more (-v names them)",
				p->name, p->applied.n - most);
			break;
		}
		s = &p->applied.shift[i];
		wb_warn("%s:%zu: hunk %zu of %s went in at line %zu (offset "
			"%ld, fuzz %zu)", p->name, s->where, s->hunk, s->path,
			s->line, s->offset, s->fuzz);
	}
	if (p->applied.stubs)
		wb_warn("%s: %zu binary change%s without content skipped",
			p->name, p->applied.stubs,
			p->applied.stubs == 1 ? "" : "s");
	if (p->applied.dropped)
		wb_warn("%s:%zu: a hunk behind other text skipped, as patch "
			"does", p->name, p->applied.dropped);
}

static struct wb_json *shifts_json(const struct wb_applied *a)
{
	struct wb_json *arr = wb_json_array(), *o;
	size_t i;

	for (i = 0; i < a->n; i++) {
		o = wb_json_object();
		wb_json_set(o, "path", wb_json_str(a->shift[i].path));
		wb_json_set(o, "hunk", wb_json_int((int64_t)a->shift[i].hunk));
		wb_json_set(o, "line", wb_json_int((int64_t)a->shift[i].line));
		wb_json_set(o, "offset", wb_json_int(a->shift[i].offset));
		wb_json_set(o, "fuzz", wb_json_int((int64_t)a->shift[i].fuzz));
		wb_json_append(arr, o);
	}
	return arr;
}

static struct wb_json *trailers_json(const struct wb_prefix *p)
{
	struct wb_json *arr = wb_json_array(), *o;
	size_t i;

	for (i = 0; i < p->ntrailers; i++) {
		o = wb_json_object();
		wb_json_set(o, "key", wb_json_str(p->trailer[i].key));
		wb_json_set(o, "value", wb_json_str(p->trailer[i].value));
		wb_json_append(arr, o);
	}
	return arr;
}

/* known NULL: what both verbs say; else also what is for the list alone. */
static struct wb_json *prefix_json(const struct wb_stack *s, size_t k,
				   const struct known *known)
{
	const struct wb_prefix *p = &s->prefix[k];
	const struct wb_todo_prefix *t;
	struct wb_json *o = wb_json_object();

	wb_json_set(o, "index", wb_json_int((int64_t)k));
	wb_json_set(o, "name", wb_json_str(p->name));
	wb_json_set(o, "tree", wb_json_str(p->applies ? p->tree.hex : NULL));
	wb_json_set(o, "applies", wb_json_bool(p->applies));
	wb_json_set(o, "why", wb_json_str(p->why));
	wb_json_set(o, "shifts", shifts_json(&p->applied));
	if (!known)
		return o;
	t = known_of(known, s, k);
	wb_json_set(o, "built", t ? wb_json_bool(t->built) : NULL);
	wb_json_set(o, "measured", t ? wb_json_bool(measured(t)) : NULL);
	wb_json_set(o, "subject", wb_json_str(p->subject));
	wb_json_set(o, "author", wb_json_str(p->author));
	wb_json_set(o, "date", wb_json_str(p->date));
	wb_json_set(o, "files", wb_json_int(p->files));
	wb_json_set(o, "added", wb_json_int(p->added));
	wb_json_set(o, "removed", wb_json_int(p->removed));
	wb_json_set(o, "trailers", trailers_json(p));
	return o;
}

static void print_json(const struct wb_stack *s, const struct known *known)
{
	struct wb_json *doc = wb_json_object(), *arr = wb_json_array();
	size_t k;

	for (k = 0; k < s->n; k++)
		wb_json_append(arr, prefix_json(s, k, known));
	wb_json_set(doc, "schema", wb_json_int(1));
	wb_json_set(doc, "source", wb_json_str(s->source));
	wb_json_set(doc, "prefixes", arr);
	wb_json_put(doc);
}

/* "Signed-off-by, Acked-by (2)": keys in their first order. */
static void add_keys(struct wb_buf *out, const struct wb_prefix *p)
{
	size_t i, k, n;

	for (i = 0; i < p->ntrailers; i++) {
		for (k = 0; k < i; k++)
			if (!strcasecmp(p->trailer[k].key, p->trailer[i].key))
				break;
		if (k < i)
			continue;
		for (n = 0; k < p->ntrailers; k++)
			n += !strcasecmp(p->trailer[k].key, p->trailer[i].key);
		wb_buf_addf(out, "%s%s", i ? ", " : "", p->trailer[i].key);
		if (n > 1)
			wb_buf_addf(out, " (%zu)", n);
	}
	if (!p->ntrailers)
		wb_buf_addch(out, '-');
}

static const char *state_word(const struct wb_prefix *p,
			      const struct wb_todo_prefix *t)
{
	if (!p->applies)
		return "does not apply";
	if (t && t->broken)
		return "does not build";
	if (t && measured(t))
		return "measured";
	return t && t->built ? "built" : "applies";
}

enum { COL_NUMBER, COL_NAME, COL_CHANGE, COL_STATE, COL_TRAILERS, COL_SUBJECT,
       COLS };

static const char *const head[COLS] = {
	"#", "name", "change", "state", "trailers", "subject",
};

/* Anybody's text, of which nothing may drive the terminal. */
static void add_plain(struct wb_buf *out, const char *s)
{
	const unsigned char *p = (const unsigned char *)s;

	for (; *p; p++) {
		/* C1 controls are 0x80 to 0x9f, in UTF-8 behind a 0xc2 */
		if (*p < ' ' || *p == 0x7f || (*p == 0xc2 && p[1] < 0xa0))
			wb_buf_addch(out, '?');
		else
			wb_buf_addch(out, (char)*p);
		if (*p == 0xc2 && p[1] && p[1] < 0xa0)
			p++;
	}
}

/* Bytes of s that take at most max places, a place for each character. */
static size_t fitting(const char *s, size_t max, size_t *places)
{
	size_t i;

	*places = 0;
	for (i = 0; s[i]; i++) {
		if (((unsigned char)s[i] & 0xc0) == 0x80)
			continue;
		if (*places == max)
			break;
		++*places;
	}
	return i;
}

static size_t places(const char *s)
{
	size_t n;

	fitting(s, SIZE_MAX, &n);
	return n;
}

/* A third of a terminal for the names: the state must fit, too. */
static void cut_name(struct wb_buf *name, int terminal)
{
	size_t most = terminal > 48 ? (size_t)terminal / 3 : 16, n;

	if (!terminal || places(name->ptr) <= most)
		return;
	wb_buf_truncate(name, fitting(name->ptr, most - 2, &n));
	wb_buf_addstr(name, "..");
}

static void fill_row(struct wb_buf cell[COLS], const struct wb_prefix *p,
		     size_t k, const char *state)
{
	struct wb_buf keys = WB_BUF_INIT;

	add_keys(&keys, p);
	wb_buf_addf(&cell[COL_NUMBER], "%zu", k);
	wb_buf_addf(&cell[COL_CHANGE], "%d file%s +%d -%d", p->files,
		    p->files == 1 ? "" : "s", p->added, p->removed);
	wb_buf_addstr(&cell[COL_STATE], state);
	add_plain(&cell[COL_NAME], p->name);
	add_plain(&cell[COL_TRAILERS], keys.ptr);
	add_plain(&cell[COL_SUBJECT], p->subject);
	wb_buf_clear(&keys);
}

static void print_row(struct wb_buf cell[COLS], const size_t width[COLS],
		      const struct wb *wb)
{
	struct wb_buf line = WB_BUF_INIT;
	size_t c, n;

	for (c = 0; c < COLS; c++) {
		if (c == COL_TRAILERS && !wb->verbose)
			continue;
		wb_buf_addstr(&line, cell[c].ptr);
		if (c != COL_SUBJECT)
			wb_buf_fill(&line, ' ', width[c] + 2 -
				    places(cell[c].ptr));
	}
	/* git cuts on a terminal, never in a pipe */
	if (wb->width)
		wb_buf_truncate(&line, fitting(line.ptr, (size_t)wb->width,
					       &n));
	puts(line.ptr);
	wb_buf_clear(&line);
}

static void print_table(const struct wb_stack *s, const struct known *known,
			const struct wb *wb)
{
	struct wb_buf (*row)[COLS] = wb_xcalloc(s->n, sizeof(*row));
	size_t width[COLS] = { 0 }, k, c, w;

	for (k = 0; k < s->n; k++) {
		for (c = 0; c < COLS; c++)
			wb_buf_init(&row[k][c]);
		for (c = 0; !k && c < COLS; c++)
			wb_buf_addstr(&row[k][c], head[c]);
		if (k)
			fill_row(row[k], &s->prefix[k], k,
				 state_word(&s->prefix[k],
					    known_of(known, s, k)));
		cut_name(&row[k][COL_NAME], wb->width);
		for (c = 0; c < COLS; c++) {
			w = places(row[k][c].ptr);
			width[c] = w > width[c] ? w : width[c];
		}
	}
	for (k = 0; k < s->n; k++) {
		print_row(row[k], width, wb);
		for (c = 0; c < COLS; c++)
			wb_buf_clear(&row[k][c]);
	}
	free(row);
}

static int cmd_list(struct wb *wb, void *opts, int argc, char **argv,
		    struct wb_error *err)
{
	const struct series *o = opts;
	struct wb_stack stack = { .n = 0 };
	struct wb_git *own = NULL;
	struct known known;
	size_t k;
	int ret;

	ret = load(wb, o, true, argc, argv, &stack, &own, err);
	if (ret < 0)
		goto out;
	learn(wb, argv[1], &known);
	if (wb->json)
		print_json(&stack, &known);
	else
		print_table(&stack, &known, wb);
	forget(&known);
	for (k = 0; k < stack.n; k++) {
		if (stack.prefix[k].why && stack.prefix[k - 1].applies)
			wb_warn("%s", stack.prefix[k].why);
		if (wb->verbose)
			warn_deviations(&stack.prefix[k], 0);
	}
out:
	wb_stack_clear(&stack);
	wb_git_free(own);
	return ret;
}

static int cmd_trees(struct wb *wb, void *opts, int argc, char **argv,
		     struct wb_error *err)
{
	const struct series *o = opts;
	struct wb_stack stack = { .n = 0 };
	struct wb_git *own = NULL;
	const struct wb_prefix *p;
	size_t k;
	int ret;

	ret = load(wb, o, false, argc, argv, &stack, &own, err);
	if (ret == 0 && wb->json)
		print_json(&stack, NULL);
	for (k = 0; k < stack.n && ret == 0; k++) {
		p = &stack.prefix[k];
		if (!p->applies) {
			ret = wb_fail(err, WB_E_FATAL, "%s", p->why);
			break;
		}
		warn_deviations(p, wb->verbose ? 0 : 10);
		if (!wb->json)
			printf("%zu\t%s\t%s\n", k, p->tree.hex, p->name);
	}
	wb_stack_clear(&stack);
	wb_git_free(own);
	return ret;
}

const struct wb_cmd wb_cmd_series_list = {
	.name = "series list",
	.fn = cmd_list,
	.needs = WB_NEED_REPO | WB_WANT_DB,
	.usage = "wb series [list] [--profile=P] [--fuzz=N] "
		 "[--exclude=PATH ...] [SERIES]",
	.summary = "the patches of the stack",
	.opts = list_opts,
	.size = sizeof(struct series),
	.defaults = &defaults,
};

const struct wb_cmd wb_cmd_series_trees = {
	.name = "series trees",
	.fn = cmd_trees,
	.needs = WB_WANT_REPO,
	.usage = "wb series trees [--profile=P] [--fuzz=N] [--root=DIR] "
		 "[--exclude=PATH ...] [SERIES]",
	.summary = "the tree id of every prefix",
	.opts = trees_opts,
	.size = sizeof(struct series),
	.defaults = &defaults,
};
