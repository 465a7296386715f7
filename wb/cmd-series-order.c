#include "cmd.h"
#include "expect-edit.h"
#include "restack.h"
#include "words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct order {
	struct wb_restack_options stack;
	const char *before, *after;
};

#define OPT_STACK \
	WB_OPT_INT(0, "fuzz", struct order, stack.fuzz, "N", \
		   "context lines that may differ in patches that move"), \
	WB_OPT_STR('s', "series", struct order, stack.series, "DIR", \
		   "quilt folder instead of wb.series"), \
	WB_OPT_STR('p', "profile", struct order, stack.profile, "P", \
		   "how patches apply: strict, quilt, dpkg, git"), \
	WB_OPT_FLAG(0, "undo", struct order, stack.undo, \
		    "put back the stack as it was before the last change")

static const struct wb_opt opts[] = {
	OPT_STACK,
	WB_OPT_END
};

static const struct wb_opt reorder_opts[] = {
	WB_OPT_STR(0, "before", struct order, before, "NAME",
		   "put the patches below NAME"),
	WB_OPT_STR(0, "after", struct order, after, "NAME",
		   "put the patches above NAME"),
	OPT_STACK,
	WB_OPT_END
};

typedef int change_fn(struct wb_restack *r, const struct order *o, int argc,
		      char **argv, struct wb_error *err);

/* What all four do before and after. */
static int run(struct wb *wb, const struct order *o, int argc, char **argv,
	       change_fn *change, const char *what, struct wb_error *err)
{
	struct wb_restack r;
	int ret = -1;

	if (wb_restack_open(&r, wb->git, &wb->config, &o->stack, wb->json,
			    err) < 0)
		goto out;
	if (o->stack.undo) {
		ret = wb_restack_undo(&r, err);
		goto out;
	}
	if (change(&r, o, argc, argv, err) < 0 ||
	    wb_restack_settle(&r, err) < 0)
		goto out;
	ret = wb_restack_finish(&r, what, err);
out:
	wb_restack_close(&r);
	return ret;
}

/* Patches that say that they need `old` come to say that of `new`. */
static void redirect(struct wb_edit *e, const char *old, const char *new)
{
	size_t i;

	for (i = 0; i < e->n; i++)
		if (wb_words_depend(&e->patch[i].parts.head, old, new))
			e->patch[i].rewrite = true;
}

static int change_fold(struct wb_restack *r, const struct order *o, int argc,
		       char **argv, struct wb_error *err)
{
	struct wb_edit *e = &r->edit;
	struct wb_edit_patch *low, *high;
	char *was, *m1, *m2, *id1, *id2;
	size_t k;

	(void)o;
	if (argc != 2)
		return wb_fail(err, WB_E_USAGE, "one patch, which goes into "
			       "the one below it");
	if (wb_edit_find(e, argv[1], &k, err) < 0 ||
	    wb_edit_need(e, k + 1, err) < 0)
		return -1;
	if (!k)
		return wb_fail(err, WB_E_FATAL, "%s is the lowest patch: there "
			       "is none below it", e->patch[k].name);
	low = &e->patch[k - 1];
	high = &e->patch[k];
	wb_patch_file_words(&low->parts, " <> 0 +0000", &m1, &id1);
	wb_patch_file_words(&high->parts, " <> 0 +0000", &m2, &id2);
	if (strcspn(id1, ">") != strcspn(id2, ">") ||
	    strncmp(id1, id2, strcspn(id1, ">")))
		wb_warn("%s is by %.*s>: say so in the message of %s",
			high->name, (int)strcspn(id2, ">"), id2, low->name);
	free(m1);
	free(m2);
	free(id1);
	free(id2);
	wb_words_join(&low->parts.head, &high->parts.head);
	low->fixed = true;
	low->want = high->to;
	low->rewrite = true;
	was = wb_xstrdup(high->name);
	wb_edit_remove(e, k);
	wb_words_depend(&low->parts.head, low->name, NULL);
	redirect(e, was, low->name);
	wb_expect_fold(&e->expect, was, low->name);
	free(was);
	return 0;
}

static void warn_dependants(const struct wb_edit *e, const char *name)
{
	size_t i, n;
	char *on;

	for (i = 0; i < e->n; i++) {
		for (n = 0; (on = wb_words_dependence(&e->patch[i].parts.head,
						      n)); n++) {
			if (!strcmp(on, name))
				wb_warn("%s says that it depends on %s",
					e->patch[i].name, name);
			free(on);
		}
	}
}

static int change_drop(struct wb_restack *r, const struct order *o, int argc,
		       char **argv, struct wb_error *err)
{
	struct wb_edit *e = &r->edit;
	size_t k;
	int i;

	(void)o;
	if (argc < 2)
		return wb_fail(err, WB_E_USAGE, "which patch? (wb series lists "
			       "them)");
	for (i = 1; i < argc; i++) {
		if (wb_edit_find(e, argv[i], &k, err) < 0)
			return -1;
		warn_dependants(e, e->patch[k].name);
		wb_expect_drop(&e->expect, e->patch[k].name);
		wb_edit_remove(e, k);
	}
	return 0;
}

static int change_rename(struct wb_restack *r, const struct order *o, int argc,
			 char **argv, struct wb_error *err)
{
	struct wb_edit *e = &r->edit;
	struct wb_edit_patch *p;
	char *file, *was;
	size_t k, n;

	(void)o;
	if (argc != 3)
		return wb_fail(err, WB_E_USAGE, "the old name and the new one");
	if (wb_edit_find(e, argv[1], &k, err) < 0 ||
	    wb_edit_new_file(e, argv[2], &file, err) < 0)
		return -1;
	p = &e->patch[k];
	was = p->name;
	n = strlen(file) - strlen(".patch");
	free(p->file);
	p->file = file;
	p->name = wb_xstrndup(file, n);
	redirect(e, was, p->name);
	wb_expect_rename(&e->expect, was, p->name);
	free(was);
	return 0;
}

/* The indices that the words name; none twice. */
static int find_all(const struct wb_edit *e, int argc, char **argv, size_t *at,
		    struct wb_error *err)
{
	int i, k;

	for (i = 1; i < argc; i++) {
		if (wb_edit_find(e, argv[i], &at[i - 1], err) < 0)
			return -1;
		for (k = 1; k < i; k++)
			if (at[k - 1] == at[i - 1])
				return wb_fail(err, WB_E_USAGE, "%s is named "
					       "twice", argv[i]);
	}
	return 0;
}

static int by_size(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

/* The n patches share their places among themselves, in the order given. */
static void exchange(struct wb_edit *e, const size_t *at, size_t n)
{
	struct wb_edit_patch *copy = wb_xcalloc(e->n, sizeof(*copy));
	size_t *place = wb_xcalloc(n, sizeof(*place)), i;

	memcpy(copy, e->patch, e->n * sizeof(*copy));
	memcpy(place, at, n * sizeof(*place));
	qsort(place, n, sizeof(*place), by_size);
	for (i = 0; i < n; i++)
		e->patch[place[i]] = copy[at[i]];
	free(place);
	free(copy);
}

/* They come to stand together, in the order given, from place `to` on. */
static void gather(struct wb_edit *e, const size_t *at, size_t n, size_t to)
{
	struct wb_edit_patch *copy = wb_xcalloc(e->n, sizeof(*copy));
	bool *taken = wb_xcalloc(e->n, sizeof(*taken));
	size_t i, k, out = 0;

	memcpy(copy, e->patch, e->n * sizeof(*copy));
	for (k = 0; k < n; k++)
		taken[at[k]] = true;
	for (i = 0; i <= e->n; i++) {
		for (k = 0; i == to && k < n; k++)
			e->patch[out++] = copy[at[k]];
		if (i < e->n && !taken[i])
			e->patch[out++] = copy[i];
	}
	free(taken);
	free(copy);
}

static int change_reorder(struct wb_restack *r, const struct order *o,
			  int argc, char **argv, struct wb_error *err)
{
	struct wb_edit *e = &r->edit;
	const char *mark = o->before ? o->before : o->after;
	size_t n = argc > 1 ? (size_t)argc - 1 : 0, to, i;
	size_t *at = wb_xcalloc(n, sizeof(*at));
	int ret = -1;

	if (o->before && o->after) {
		wb_fail(err, WB_E_USAGE, "either --before or --after");
		goto out;
	}
	if (n < (mark ? 1 : 2)) {
		wb_fail(err, WB_E_USAGE, "name two patches or more in their "
			"new order, or use --before or --after");
		goto out;
	}
	if (find_all(e, argc, argv, at, err) < 0 ||
	    wb_edit_need(e, e->n, err) < 0)
		goto out;
	if (!mark) {
		exchange(e, at, n);
		ret = 0;
		goto out;
	}
	if (wb_edit_find(e, mark, &to, err) < 0)
		goto out;
	for (i = 0; i < n; i++) {
		if (at[i] == to) {
			wb_fail(err, WB_E_USAGE, "%s cannot move past itself",
				mark);
			goto out;
		}
	}
	gather(e, at, n, o->after ? to + 1 : to);
	ret = 0;
out:
	free(at);
	return ret;
}

/* Two orders of the same patches must end in the same tree. */
static int reorder(struct wb_restack *r, const struct order *o, int argc,
		   char **argv, struct wb_error *err)
{
	struct wb_edit *e = &r->edit;
	struct wb_oid end = e->n ? e->patch[e->n - 1].to : e->base;

	if (change_reorder(r, o, argc, argv, err) < 0)
		return -1;
	e->end = &r->end;
	r->end = end;
	return 0;
}

static int cmd_fold(struct wb *wb, void *o, int argc, char **argv,
		    struct wb_error *err)
{
	return run(wb, o, argc, argv, change_fold, "fold", err);
}

static int cmd_drop(struct wb *wb, void *o, int argc, char **argv,
		    struct wb_error *err)
{
	return run(wb, o, argc, argv, change_drop, "drop", err);
}

static int cmd_rename(struct wb *wb, void *o, int argc, char **argv,
		      struct wb_error *err)
{
	return run(wb, o, argc, argv, change_rename, "rename", err);
}

static int cmd_reorder(struct wb *wb, void *o, int argc, char **argv,
		       struct wb_error *err)
{
	return run(wb, o, argc, argv, reorder, "reorder", err);
}

const struct wb_cmd wb_cmd_series_fold = {
	.name = "series fold",
	.fn = cmd_fold,
	.needs = WB_NEED_REPO,
	.usage = "wb series fold [--series=DIR] NAME",
	.summary = "make a patch part of the one below it",
	.opts = opts,
	.size = sizeof(struct order),
};

const struct wb_cmd wb_cmd_series_drop = {
	.name = "series drop",
	.fn = cmd_drop,
	.needs = WB_NEED_REPO,
	.usage = "wb series drop [--fuzz=N] [--series=DIR] NAME ...",
	.summary = "take patches out of the stack",
	.opts = opts,
	.size = sizeof(struct order),
};

const struct wb_cmd wb_cmd_series_rename = {
	.name = "series rename",
	.fn = cmd_rename,
	.needs = WB_NEED_REPO,
	.usage = "wb series rename [--series=DIR] OLD NEW",
	.summary = "give a patch another name",
	.opts = opts,
	.size = sizeof(struct order),
};

const struct wb_cmd wb_cmd_series_reorder = {
	.name = "series reorder",
	.fn = cmd_reorder,
	.needs = WB_NEED_REPO,
	.usage = "wb series reorder [--before=NAME | --after=NAME] [--fuzz=N] "
		 "[--series=DIR] NAME ...",
	.summary = "change the order of patches",
	.opts = reorder_opts,
	.size = sizeof(struct order),
};
