#include "git-object.h"

#include <git2.h>
#include <git2/sys/repository.h>
#include <stdlib.h>
#include <string.h>

/* "core bench" as libgit2 wants it; matched literally, folders as prefixes. */
static void split_paths(const char *paths, git_strarray *out)
{
	size_t n, cap = 0;

	memset(out, 0, sizeof(*out));
	while (paths) {
		paths += strspn(paths, " \t");
		n = strcspn(paths, " \t");
		if (!n)
			break;
		out->strings = wb_grow(out->strings, out->count, &cap,
				       sizeof(*out->strings));
		out->strings[out->count++] = wb_xstrndup(paths, n);
		paths += n;
	}
}

static const char *path_of(const git_status_entry *e)
{
	const git_diff_delta *d = e->head_to_index ? e->head_to_index :
				  e->index_to_workdir;

	return d->new_file.path ? d->new_file.path : d->old_file.path;
}

int wb_git_uncommitted(struct wb_git *g, const char *paths, char **first,
		       struct wb_error *err)
{
	git_status_options o;
	git_status_list *list = NULL;
	int ret = -1;
	size_t i;

	*first = NULL;
	if (!wb_git_workdir(g))
		return 0;
	git_status_options_init(&o, GIT_STATUS_OPTIONS_VERSION);
	o.show = GIT_STATUS_SHOW_INDEX_AND_WORKDIR;
	o.flags = GIT_STATUS_OPT_INCLUDE_UNTRACKED |
		  GIT_STATUS_OPT_RECURSE_UNTRACKED_DIRS |
		  GIT_STATUS_OPT_DISABLE_PATHSPEC_MATCH |
		  GIT_STATUS_OPT_EXCLUDE_SUBMODULES |
		  GIT_STATUS_OPT_NO_REFRESH;
	split_paths(paths, &o.pathspec);
	if (git_status_list_new(&list, wb_git_repo(g), &o) < 0) {
		wb_fail(err, WB_E_FATAL, "the state of the work tree: %s",
			git_error_last() ? git_error_last()->message :
			"unknown error");
		goto out;
	}
	if (git_status_list_entrycount(list))
		*first = wb_xstrdup(path_of(git_status_byindex(list, 0)));
	ret = 0;
out:
	git_status_list_free(list);
	for (i = 0; i < o.pathspec.count; i++)
		free(o.pathspec.strings[i]);
	free(o.pathspec.strings);
	return ret;
}

int wb_git_wip(struct wb_git *g, struct wb_oid *tree, struct wb_error *err)
{
	git_repository *repo = wb_git_repo(g), *twin = NULL;
	git_strarray all = { NULL, 0 };
	git_index *index = NULL;
	git_odb *odb = NULL;
	git_oid id;
	int code;

	if (!wb_git_workdir(g))
		return wb_fail(err, WB_E_FATAL, "a bare repository has no work "
			       "tree to take in (--wip)");
	/* a second handle, for its index is changed here, in memory alone */
	code = git_repository_open(&twin, git_repository_path(repo));
	if (code == 0)
		code = git_repository_odb(&odb, repo);
	if (code == 0)
		code = git_repository_set_odb(twin, odb);
	if (code == 0)
		code = git_repository_index(&index, twin);
	if (code == 0)
		code = git_index_add_all(index, &all, GIT_INDEX_ADD_DEFAULT,
					 NULL, NULL);
	if (code == 0)
		code = git_index_update_all(index, &all, NULL, NULL);
	if (code == 0)
		code = git_index_write_tree_to(&id, index, twin);
	if (code == 0)
		wb_oid_from_raw(tree, id.id);
	else
		wb_fail(err, WB_E_FATAL, "the work tree cannot be read: %s",
			git_error_last() ? git_error_last()->message :
			"unknown error");
	git_index_free(index);
	git_odb_free(odb);
	git_repository_free(twin);
	return code < 0 ? -1 : 0;
}
