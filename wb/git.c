#include "git.h"
#include "git-folder.h"
#include "git-memory.h"
#include "git-object.h"
#include "git-readonly.h"
#include "hash.h"

#include <assert.h>
#include <git2.h>
#include <git2/sys/repository.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The object database of the handle is one of our own with two backends:
 * memory (git-memory.c), asked first and the only one that can be written to,
 * and a view of the repository's database that can only read
 * (git-readonly.c). So nothing here could write among the user's objects, not
 * even the time stamps that libgit2 renews when an object to be written is
 * there already.
 */
struct wb_git {
	git_repository *repo;
	git_odb *store;		/* the repository's own; NULL in memory */
	git_odb *lent;		/* of wb_git_borrow(), or NULL */
	struct wb_git_memory *memory;	/* of the database */
	struct wb_git_folder *folder;	/* NULL unless one was imported */
	char *common_dir, *workdir;
	char *worktree;		/* its name, NULL in the main one */
};

static int git_failed(struct wb_error *err, const char *what)
{
	const git_error *e = git_error_last();

	return wb_fail(err, WB_E_FATAL, "%s: %s", what, e && e->message ?
		       e->message : "unknown error of libgit2");
}

/* Folders lose their final '/', which libgit2 always writes. */
static char *dir_name(const char *path)
{
	size_t n = path ? strlen(path) : 0;

	if (!path)
		return NULL;
	while (n > 1 && path[n - 1] == '/')
		n--;
	return wb_xstrndup(path, n);
}

/* The last folder of a path, which ends with '/'. */
static char *last_name(const char *path)
{
	char *whole = dir_name(path), *name = strrchr(whole, '/');

	name = wb_xstrdup(name ? name + 1 : whole);
	free(whole);
	return name;
}

static int open_failed(struct wb_error *err, const char *dir, int code)
{
	char here[1024] = ".";
	static const char ext[] = "unsupported extension name extensions.";
	const git_error *e = git_error_last();
	const char *msg = e && e->message ? e->message : "";

	/* the message should say which one, not ".", when a script reads it */
	if (!dir)
		dir = getcwd(here, sizeof(here)) ? here : ".";
	if (wb_str_starts(msg, ext) &&
	    !strcasecmp(msg + strlen(ext), "objectformat"))
		return wb_fail(err, WB_E_FATAL, "%s: the repository names "
			       "its objects by SHA-256, which wb cannot read; "
			       "use a clone with SHA-1 names", dir);
	if (wb_str_starts(msg, ext))
		return wb_fail(err, WB_E_FATAL, "%s: the repository uses the "
			       "extension %s, which wb cannot read; "
			       "use a plain clone of it", dir,
			       msg + strlen(ext));
	/* libgit2 1.5 gives the second form when nothing is configured */
	if (code == GIT_EOWNER || strstr(msg, "'safe.directory'"))
		return wb_fail(err, WB_E_FATAL, "%s: the repository belongs "
			       "to another user; if you trust it: git config "
			       "--global --add safe.directory DIR", dir);
	if (code == GIT_ENOTFOUND && e && e->klass == GIT_ERROR_REPOSITORY)
		return wb_fail(err, WB_E_FATAL, "not a git repository (or any "
			       "parent up to /): run it inside one, or name "
			       "one with -C");
	if (strstr(msg, "GIT_WORK_TREE"))
		return wb_fail(err, WB_E_FATAL, "GIT_WORK_TREE is set, which "
			       "wb does not read: unset it, and name the work "
			       "tree with -C");
	git_failed(err, "cannot be opened");
	return wb_fail_at(err, "%s", dir);
}

/* Puts the backends in place: both, or memory alone without a repository. */
static int set_up_objects(struct wb_git *g, struct wb_error *err)
{
	git_odb *odb = NULL;
	int ret = -1;

	if (git_odb_new(&odb) < 0 ||
	    wb_git_memory_new(g, odb, &g->memory) < 0)
		goto out;
	if (g->repo && (git_repository_odb(&g->store, g->repo) < 0 ||
			wb_git_add_readonly(odb, g->repo) < 0))
		goto out;
	if (g->repo ? git_repository_set_odb(g->repo, odb) < 0 :
	    git_repository_wrap_odb(&g->repo, odb) < 0)
		goto out;
	ret = 0;
out:
	if (ret < 0)
		git_failed(err, "cannot open the objects");
	git_odb_free(odb);
	return ret;
}

/*
 * Objects are taken as git takes them: packs and loose files carry checks of
 * their own, and comparing each with its name again is for git fsck. It would
 * be half of the work of a stack. Extensions of a repository that change no
 * object and no ref are known here, whatever the library makes of them.
 */
static struct wb_git *new_handle(void)
{
	/* what they change is nothing that wb reads through the library */
	static const char *known[] = { "worktreeconfig", "preciousobjects" };

	git_libgit2_init();
	git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, known,
			 sizeof(known) / sizeof(known[0]));
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
	return wb_xcalloc(1, sizeof(struct wb_git));
}

struct safe {
	bool any;	/* safe.directory is "*" */
	bool forgets;	/* a value is empty, which takes back those before */
};

static int see_safe(const git_config_entry *entry, void *data)
{
	struct safe *s = data;

	s->any |= !strcmp(entry->value, "*");
	s->forgets |= !*entry->value;
	return 0;
}

/*
 * Whether the user trusts every repository, whoever owns it. libgit2 1.5 knows
 * only folders' names there. The order of values in several files is not asked
 * for: with one that forgets, folders must be named.
 */
static bool all_are_safe(void)
{
	struct safe s = { .any = false };
	git_config *config = NULL;

	if (git_config_open_default(&config) == 0)
		git_config_get_multivar_foreach(config, "safe.directory", NULL,
						see_safe, &s);
	git_config_free(config);
	return s.any && !s.forgets;
}

int wb_git_open(const char *dir, struct wb_git **out, struct wb_error *err)
{
	struct wb_git *g = new_handle();
	int ret = -1, code;

	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, !all_are_safe());
	/* GIT_DIR is looked at only when no folder is named */
	code = git_repository_open_ext(&g->repo, dir,
				       GIT_REPOSITORY_OPEN_FROM_ENV, NULL);
	if (code < 0) {
		open_failed(err, dir, code);
		goto out;
	}
	if (set_up_objects(g, err) < 0)
		goto out;
	g->common_dir = dir_name(git_repository_commondir(g->repo));
	g->workdir = dir_name(git_repository_workdir(g->repo));
	if (git_repository_is_worktree(g->repo))
		g->worktree = last_name(git_repository_path(g->repo));
	*out = g;
	ret = 0;
out:
	if (ret < 0)
		wb_git_free(g);
	return ret;
}

int wb_git_open_memory(struct wb_git **out, struct wb_error *err)
{
	struct wb_git *g = new_handle();

	if (set_up_objects(g, err) < 0) {
		wb_git_free(g);
		return -1;
	}
	*out = g;
	return 0;
}

void wb_git_free(struct wb_git *g)
{
	if (!g)
		return;
	wb_git_folder_free(g->folder);
	git_repository_free(g->repo);
	git_odb_free(g->store);
	git_odb_free(g->lent);
	free(g->common_dir);
	free(g->workdir);
	free(g->worktree);
	free(g);
	git_libgit2_shutdown();
}

struct git_repository *wb_git_repo(struct wb_git *g)
{
	return g->repo;
}

struct git_odb *wb_git_store(struct wb_git *g)
{
	return g->store;
}

struct wb_git_memory *wb_git_memory(struct wb_git *g)
{
	return g->memory;
}

bool wb_git_borrows(const struct wb_git *g)
{
	return g->lent != NULL;
}

int wb_git_borrow(struct wb_git *g, const char *objects, struct wb_error *err)
{
	git_odb *odb = NULL;
	int code = -1;

	if (g->lent)
		return 0;
	if (git_repository_odb(&odb, g->repo) == 0 &&
	    git_odb_add_disk_alternate(odb, objects) == 0)
		code = git_odb_open(&g->lent, objects);
	git_odb_free(odb);
	return code < 0 ? git_failed(err, objects) : 0;
}

const char *wb_git_common_dir(const struct wb_git *g)
{
	return g->common_dir;
}

const char *wb_git_dir(const struct wb_git *g)
{
	return git_repository_path(g->repo);
}

const char *wb_git_worktree(const struct wb_git *g)
{
	return g->worktree;
}

const char *wb_git_workdir(const struct wb_git *g)
{
	return g->workdir;
}

static int peel(struct wb_git *g, const char *rev, git_object_t type,
		struct wb_oid *out, struct wb_error *err)
{
	git_object *obj = NULL, *peeled = NULL;
	int ret = -1, code;

	code = git_revparse_single(&obj, g->repo, rev);
	if (code == GIT_ENOTFOUND && !strcmp(rev, "HEAD")) {
		wb_fail(err, WB_E_FATAL, "HEAD names no commit yet: commit "
			"the base first");
		goto out;
	}
	if (code < 0) {
		wb_fail(err, WB_E_FATAL, "%s: %s", rev,
			code == GIT_EAMBIGUOUS ? "ambiguous: give more digits" :
			git_repository_is_shallow(g->repo) > 0 ?
			"no such revision in this shallow clone: git fetch "
			"--unshallow" : "no such revision");
		goto out;
	}
	if (git_object_peel(&peeled, obj, type) < 0) {
		wb_fail(err, WB_E_FATAL, "%s is not a %s", rev,
			git_object_type2string(type));
		goto out;
	}
	wb_oid_from_raw(out, git_object_id(peeled)->id);
	ret = 0;
out:
	git_object_free(peeled);
	git_object_free(obj);
	return ret;
}

int wb_git_commit_of(struct wb_git *g, const char *rev, struct wb_oid *out,
		     struct wb_error *err)
{
	return peel(g, rev, GIT_OBJECT_COMMIT, out, err);
}

int wb_git_tree_of(struct wb_git *g, const char *rev, struct wb_oid *out,
		   struct wb_error *err)
{
	return peel(g, rev, GIT_OBJECT_TREE, out, err);
}

static const char *const words[] = {
	[WB_GIT_TREE] = "tree",
	[WB_GIT_BLOB] = "blob",
	[WB_GIT_COMMIT] = "commit",
};

static int read_store(struct wb_git *g, const git_oid *id,
		      struct wb_git_object *out, const char **word,
		      struct wb_error *err)
{
	git_odb_object *obj = NULL;
	int code;

	code = g->store ? git_odb_read(&obj, g->store, id) : GIT_ENOTFOUND;
	if (code == GIT_ENOTFOUND && g->lent)
		code = git_odb_read(&obj, g->lent, id);
	if (code == GIT_ENOTFOUND)
		return wb_fail(err, WB_E_FATAL, "object %s is missing in the "
			       "repository", git_oid_tostr_s(id));
	if (code < 0)
		return git_failed(err, git_oid_tostr_s(id));
	*word = git_object_type2string(git_odb_object_type(obj));
	out->handle = obj;
	out->from = WB_GIT_FROM_STORE;
	out->data = git_odb_object_data(obj);
	out->len = git_odb_object_size(obj);
	return 0;
}

int wb_git_object_read(struct wb_git *g, const unsigned char *raw,
		       enum wb_git_kind kind, struct wb_git_object *out,
		       struct wb_error *err)
{
	enum wb_git_kind is = WB_GIT_BLOB;
	const char *word;
	git_oid id;
	int found;

	memcpy(id.id, raw, WB_GIT_RAW);
	found = wb_git_memory_get(g->memory, raw, &is, out, err);
	if (found < 0)
		return -1;
	word = words[is];
	if (!found && g->folder && wb_git_folder_has(g->folder, raw)) {
		if (wb_git_folder_read(g->folder, raw, out, err) < 0)
			return -1;
	} else if (!found && read_store(g, &id, out, &word, err) < 0) {
		return -1;
	}
	if (strcmp(word, words[kind])) {
		wb_git_object_release(g, out);
		return wb_fail(err, WB_E_FATAL, "object %s is a %s, not a %s",
			       git_oid_tostr_s(&id), word, words[kind]);
	}
	return 0;
}

void wb_git_object_release(struct wb_git *g, struct wb_git_object *o)
{
	(void)g;
	switch (o->from) {
	case WB_GIT_FROM_STORE:
		git_odb_object_free(o->handle);
		break;
	case WB_GIT_FROM_MEMORY:
	case WB_GIT_FROM_FOLDER:
		free(o->handle);
		break;
	case WB_GIT_FROM_NOWHERE:
		break;
	}
	memset(o, 0, sizeof(*o));
}

int wb_git_object_write(struct wb_git *g, enum wb_git_kind kind,
			const void *data, size_t len,
			const struct wb_git_like *like, unsigned char *raw,
			struct wb_error *err)
{
	wb_git_object_hash(kind, data, len, raw);
	return wb_git_memory_put(g->memory, raw, kind, data, len, like, err);
}

void wb_git_object_hash(enum wb_git_kind kind, const void *data, size_t len,
			unsigned char *raw)
{
	char head[32];
	int n = snprintf(head, sizeof(head), "%s %zu", words[kind], len);
	struct wb_sha1 *h = wb_sha1_new();

	/* the NUL is part of it */
	wb_sha1_add(h, head, (size_t)n + 1);
	wb_sha1_add(h, data, len);
	wb_sha1_end(h, raw);
}

void wb_oid_to_raw(const struct wb_oid *id, unsigned char *raw)
{
	git_oid o;
	int code = git_oid_fromstr(&o, id->hex);

	assert(code == 0);
	(void)code;
	memcpy(raw, o.id, WB_GIT_RAW);
}

void wb_oid_from_raw(struct wb_oid *id, const unsigned char *raw)
{
	git_oid o;

	memcpy(o.id, raw, WB_GIT_RAW);
	git_oid_tostr(id->hex, sizeof(id->hex), &o);
}

int wb_git_read_blob(struct wb_git *g, const struct wb_oid *id,
		     struct wb_buf *out, struct wb_error *err)
{
	struct wb_git_object o = WB_GIT_OBJECT_INIT;
	unsigned char raw[WB_GIT_RAW];

	wb_oid_to_raw(id, raw);
	if (wb_git_object_read(g, raw, WB_GIT_BLOB, &o, err) < 0)
		return -1;
	wb_buf_add(out, o.data, o.len);
	wb_git_object_release(g, &o);
	return 0;
}

int wb_git_write_blob(struct wb_git *g, const void *data, size_t len,
		      const struct wb_git_bytes *from, struct wb_oid *out,
		      struct wb_error *err)
{
	unsigned char raw[WB_GIT_RAW], old[WB_GIT_RAW];
	struct wb_git_like like = { .raw = old };

	if (from) {
		wb_oid_to_raw(from->id, old);
		like.data = from->data;
		like.len = from->len;
	}
	if (wb_git_object_write(g, WB_GIT_BLOB, data, len, from ? &like : NULL,
				raw, err) < 0)
		return -1;
	wb_oid_from_raw(out, raw);
	return 0;
}

int wb_git_import(struct wb_git *g, const char *dir, const char *const *skip,
		  size_t nskip, struct wb_oid *out, struct wb_error *err)
{
	assert(!g->folder);
	g->folder = wb_git_folder_new(dir, err);
	if (!g->folder)
		return -1;
	return wb_git_folder_import(g->folder, g, skip, nskip, out, err);
}
