#include "cmd.h"
#include "git.h"
#include "json.h"
#include "series.h"

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

static struct wb_json *prefix_json(const struct wb_prefix *p, size_t k,
				   bool full)
{
	struct wb_json *o = wb_json_object();

	wb_json_set(o, "index", wb_json_int((int64_t)k));
	wb_json_set(o, "name", wb_json_str(p->name));
	wb_json_set(o, "tree", wb_json_str(p->applies ? p->tree.hex : NULL));
	wb_json_set(o, "applies", wb_json_bool(p->applies));
	wb_json_set(o, "why", wb_json_str(p->why));
	wb_json_set(o, "shifts", shifts_json(&p->applied));
	if (!full)
		return o;
	wb_json_set(o, "subject", wb_json_str(p->subject));
	wb_json_set(o, "author", wb_json_str(p->author));
	wb_json_set(o, "date", wb_json_str(p->date));
	wb_json_set(o, "files", wb_json_int(p->files));
	wb_json_set(o, "added", wb_json_int(p->added));
	wb_json_set(o, "removed", wb_json_int(p->removed));
	wb_json_set(o, "trailers", trailers_json(p));
	return o;
}

static void print_json(const struct wb_stack *s, bool full)
{
	struct wb_json *doc = wb_json_object(), *arr = wb_json_array();
	size_t k;

	for (k = 0; k < s->n; k++)
		wb_json_append(arr, prefix_json(&s->prefix[k], k, full));
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

enum { COL_NUMBER, COL_NAME, COL_CHANGE, COL_STATE, COL_TRAILERS, COL_SUBJECT,
       COLS };

static void fill_row(struct wb_buf cell[COLS], const struct wb_prefix *p,
		     size_t k)
{
	wb_buf_addf(&cell[COL_NUMBER], "%zu", k);
	wb_buf_addstr(&cell[COL_NAME], p->name);
	wb_buf_addf(&cell[COL_CHANGE], "%d file%s +%d -%d", p->files,
		    p->files == 1 ? "" : "s", p->added, p->removed);
	wb_buf_addstr(&cell[COL_STATE],
		      p->applies ? "applies" : "does not apply");
	add_keys(&cell[COL_TRAILERS], p);
	wb_buf_addstr(&cell[COL_SUBJECT], p->subject);
}

static void print_cell(const struct wb_buf *b, size_t width, bool last)
{
	size_t i;

	/* a subject is anybody's text: nothing of it may drive the terminal */
	for (i = 0; i < b->len; i++)
		putchar((unsigned char)b->ptr[i] < ' ' || b->ptr[i] == 0x7f ?
			'?' : b->ptr[i]);
	for (; !last && i < width + 2; i++)
		putchar(' ');
}

static void print_table(const struct wb_stack *s)
{
	static const char *const head[COLS] = {
		"#", "name", "change", "state", "trailers", "subject",
	};
	struct wb_buf (*row)[COLS] = wb_xcalloc(s->n, sizeof(*row));
	size_t width[COLS] = { 0 }, k, c;

	for (k = 0; k < s->n; k++) {
		for (c = 0; c < COLS; c++)
			wb_buf_init(&row[k][c]);
		if (k)
			fill_row(row[k], &s->prefix[k], k);
		else
			for (c = 0; c < COLS; c++)
				wb_buf_addstr(&row[k][c], head[c]);
		for (c = 0; c < COLS; c++)
			if (row[k][c].len > width[c])
				width[c] = row[k][c].len;
	}
	for (k = 0; k < s->n; k++) {
		for (c = 0; c < COLS; c++) {
			print_cell(&row[k][c], width[c], c == COL_SUBJECT);
			wb_buf_clear(&row[k][c]);
		}
		putchar('\n');
	}
	free(row);
}

static int cmd_list(struct wb *wb, void *opts, int argc, char **argv,
		    struct wb_error *err)
{
	const struct series *o = opts;
	struct wb_stack stack = { .n = 0 };
	struct wb_git *own = NULL;
	size_t k;
	int ret;

	ret = load(wb, o, true, argc, argv, &stack, &own, err);
	if (ret == 0 && wb->json)
		print_json(&stack, true);
	else if (ret == 0)
		print_table(&stack);
	for (k = 0; k < stack.n && ret == 0; k++) {
		if (stack.prefix[k].why && stack.prefix[k - 1].applies)
			wb_warn("%s", stack.prefix[k].why);
		if (wb->verbose)
			warn_deviations(&stack.prefix[k], 0);
	}
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
		print_json(&stack, false);
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
	.needs = WB_NEED_REPO,
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
