/*
 * Which prefixes of a quilt stack an earlier revision had already. The stack
 * of that revision is laid out in a folder of its own, applied to the files of
 * that revision, and its builds are identified by today's rules.
 */
#include "ci.h"
#include "path.h"

#include <stdlib.h>
#include <string.h>

static char *new_folder(struct wb_error *err)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = wb_xasprintf("%s/wb-stack-XXXXXX",
				 tmp && *tmp ? tmp : "/tmp");

	if (mkdtemp(dir))
		return dir;
	wb_fail_errno(err, "%s", dir);
	free(dir);
	return NULL;
}

/* There is a build of prefix k in the old stack. */
static bool is_in(const struct wb_plan *old, const char *build)
{
	size_t k;

	for (k = 0; k < old->stack.n; k++)
		if (old->prefix[k].applies &&
		    !strcmp(old->prefix[k].build[0], build))
			return true;
	return false;
}

static void mark(struct wb_ci *ci, const struct wb_plan *old)
{
	const struct wb_plan *p = ci->plan;
	size_t k, n = 0;

	for (k = 0; k < p->stack.n; k++) {
		ci->v[k].unchanged = p->prefix[k].applies &&
				     is_in(old, p->prefix[k].build[0]);
		n += !ci->v[k].unchanged;
	}
	wb_talk("%zu of %zu prefixes of %s are not in the stack of %s%s", n,
		p->stack.n, p->stack.source, ci->old, n ? "; they are checked" :
		"");
	for (k = 0; k < p->stack.n; k++)
		if (!ci->v[k].unchanged)
			wb_talk("to check: %zu %s", k, p->stack.prefix[k].name);
}

/* tree: of rev, without the folder, as a prefix is identified here. */
static int plan_old(struct wb_ci *ci, struct wb_git *g, const char *rev,
		    const char *dir, const struct wb_oid *tree,
		    struct wb_error *err)
{
	struct wb_source from = {
		.word = dir, .base = tree->hex, .overlay = rev,
	};
	struct wb_plan old;
	int ret = wb_plan_make(&old, g, ci->plan->config, &from, "", err);

	if (ret == 0)
		mark(ci, &old);
	else
		wb_fail_at(err, "the stack of %s", rev);
	wb_plan_clear(&old);
	return ret;
}

int wb_ci_compare(struct wb_ci *ci, struct wb_git *g, const char *rev,
		  struct wb_error *err)
{
	const char *where = ci->plan->stack.dir;
	struct wb_oid tree, folder;
	struct wb_error late = WB_ERROR_INIT;
	char *dir = NULL, *series;
	uint32_t mode;
	int ret = -1, there;

	if (wb_git_tree_of(g, rev, &tree, err) < 0)
		return -1;
	series = wb_xasprintf("%s/series", where);
	there = wb_git_entry(g, &tree, series, &mode, &folder, err);
	if (there == 0) {
		wb_talk("%s has no stack in %s: every prefix is checked", rev,
			where);
		ret = 0;
	}
	if (there <= 0 ||
	    wb_git_entry(g, &tree, where, &mode, &folder, err) < 0 ||
	    wb_git_graft(g, &tree, NULL, where, &tree, err) < 0)
		goto out;
	dir = new_folder(err);
	if (dir && wb_git_export(g, &folder, dir, err) == 0)
		ret = plan_old(ci, g, rev, dir, &tree, err);
out:
	if (dir && wb_path_remove(dir, &late) < 0)
		wb_warn("%s", late.msg);
	wb_error_clear(&late);
	free(series);
	free(dir);
	return ret;
}
