#include "cmd.h"
#include "git.h"
#include "series-list.h"
#include "series.h"
#include "text.h"
#include "version.h"

#include <stdio.h>
#include <stdlib.h>

struct series {
	struct wb_source from;
	const char *profile, *root;
	int fuzz;
	bool keep, header_only;
	struct wb_strlist exclude;
};

static const struct series defaults = { .fuzz = -1 };

#define OPT_PROFILE WB_OPT_STR('p', "profile", struct series, profile, "P", \
			       "how patches apply: strict, quilt, dpkg, git")
#define OPT_FUZZ WB_OPT_INT(0, "fuzz", struct series, fuzz, "N", \
			    "context lines that may differ")
#define OPT_HEADER WB_OPT_FLAG(0, "allow-header-only", struct series, \
			       header_only, "a patch of words alone changes " \
			       "nothing instead of failing")
#define OPT_EXCLUDE WB_OPT_LIST(0, "exclude", struct series, exclude, "PATH", \
				"leave PATH out of the base (repeatable)")

static const struct wb_opt list_opts[] = {
	WB_SOURCE_OPTS(struct series),
	OPT_PROFILE, OPT_FUZZ, OPT_HEADER, OPT_EXCLUDE,
	WB_OPT_END
};

static const struct wb_opt trees_opts[] = {
	WB_SOURCE_OPTS(struct series),
	OPT_PROFILE, OPT_FUZZ, OPT_HEADER, OPT_EXCLUDE,
	WB_OPT_STR(0, "root", struct series, root, "DIR",
		   "apply onto this plain folder instead of HEAD"),
	WB_OPT_FLAG(0, "keep", struct series, keep,
		    "keep a commit for each prefix, below refs/wb/stack"),
	WB_OPT_END
};

static int stack_options(const struct wb *wb, const struct series *o, int argc,
			 char **argv, struct wb_stack_options *out,
			 struct wb_error *err)
{
	if (argc > 2)
		return wb_fail(err, WB_E_USAGE, "one stack at a time, not '%s'",
			       argv[2]);
	*out = (struct wb_stack_options){
		.from = o->from, .series = wb->config.series, .fuzz = o->fuzz,
		.root = o->root, .exclude = &o->exclude,
		.header_only = o->header_only || wb->config.header_only,
	};
	out->from.word = argc > 1 ? argv[1] : NULL;
	return wb_profile_of(&out->from, o->profile, wb->config.profile,
			     &out->profile, err);
}

/* Loads what the options name; *own is a handle to be freed. */
static int load(struct wb *wb, const struct wb_stack_options *so,
		struct wb_stack *stack, struct wb_git **own,
		struct wb_error *err)
{
	struct wb_git *g = wb->git;

	if (so->root) {
		if (wb_git_open_memory(own, err) < 0)
			return -1;
		g = *own;
	} else if (!g) {
		*err = wb->no_git;
		return -1;
	}
	return wb_stack_load(stack, g, so, err);
}

/* Loads the stack as it is kept, and keeps it. */
static int load_and_keep(struct wb *wb, const struct wb_stack_options *so,
			 struct wb_stack *stack, struct wb_error *err)
{
	struct wb_edit e = { .lock = -1 };
	size_t n;
	int ret = -1;

	if (so->from.mbox || so->from.stgit || so->from.wip || so->root ||
	    so->exclude->n)
		return wb_fail(err, WB_E_USAGE, "--keep is for a quilt folder "
			       "on HEAD: no --mbox, --stgit, --wip, --root or "
			       "--exclude");
	if (!wb->git) {
		*err = wb->no_git;
		return -1;
	}
	if (wb_edit_hold(&e, wb->git, so, err) < 0 ||
	    wb_stack_load(stack, wb->git, so, err) < 0 ||
	    wb_version_keep_stack(&e, stack, &n, err) < 0)
		goto out;
	wb_talk("kept as refs/wb/stack/%s/v%zu", e.key, n);
	ret = 0;
out:
	wb_edit_close(&e);
	return ret;
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

static int cmd_list(struct wb *wb, void *opts, int argc, char **argv,
		    struct wb_error *err)
{
	struct series *o = opts;
	struct wb_stack stack = { .n = 0 };
	struct wb_git *own = NULL;
	struct wb_error why = WB_ERROR_INIT;
	struct wb_stack_options so;
	struct wb_series_known known;
	size_t k;
	int ret;

	if (stack_options(wb, o, argc, argv, &so, err) < 0)
		return -1;
	so.diffstat = true;
	so.ids_only = true;
	ret = load(wb, &so, &stack, &own, err);
	if (ret < 0)
		goto out;
	/* the list is of use without it, so a failure is a remark at most */
	if (wb_series_learn(&known, wb->git, wb->db, &wb->config, &so.from,
			    &why) < 0 && wb->verbose)
		wb_talk("built, measured: not known: %s", why.msg);
	if (wb->json)
		wb_series_print_json(&stack, &known);
	else
		wb_series_print_table(&stack, &known, wb->verbose, wb->width);
	wb_series_forget(&known);
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
	struct series *o = opts;
	struct wb_stack stack = { .n = 0 };
	struct wb_git *own = NULL;
	struct wb_stack_options so;
	const struct wb_prefix *p;
	char *name;
	size_t k;
	int ret;

	if (stack_options(wb, o, argc, argv, &so, err) < 0)
		return -1;
	so.ids_only = !o->keep;
	ret = o->keep ? load_and_keep(wb, &so, &stack, err) :
	      load(wb, &so, &stack, &own, err);
	if (ret == 0 && wb->json)
		wb_series_print_json(&stack, NULL);
	for (k = 0; k < stack.n && ret == 0; k++) {
		p = &stack.prefix[k];
		if (!p->applies) {
			ret = wb_fail(err, WB_E_FATAL, "%s", p->why);
			break;
		}
		warn_deviations(p, wb->verbose ? 0 : 10);
		if (wb->json)
			continue;
		name = wb_text_dup(p->name);
		printf("%zu\t%s\t%s\n", k, p->tree.hex, name);
		free(name);
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
		 "[--allow-header-only] [--exclude=PATH ...] [--full-history] "
		 "[--wip] "
		 "[SERIES | --mbox=FILE | --stgit [BRANCH]]",
	.summary = "the patches of the stack",
	.opts = list_opts,
	.size = sizeof(struct series),
	.defaults = &defaults,
};

const struct wb_cmd wb_cmd_series_trees = {
	.name = "series trees",
	.fn = cmd_trees,
	.needs = WB_WANT_REPO,
	.usage = "wb series trees [--keep] [--profile=P] [--fuzz=N] "
		 "[--allow-header-only] [--root=DIR] [--exclude=PATH ...] "
		 "[--full-history] [--wip] "
		 "[SERIES | --mbox=FILE | --stgit [BRANCH]]",
	.summary = "the tree id of every prefix",
	.opts = trees_opts,
	.size = sizeof(struct series),
	.defaults = &defaults,
};
