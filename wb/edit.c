#include "edit.h"
#include "git-keep.h"
#include "hash.h"
#include "journal.h"
#include "path.h"
#include "version.h"
#include "zip.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define MAX_SERIES ((size_t)16 << 20)

static bool ends_in_lock(const char *dot)
{
	return !strncmp(dot, ".lock", 5) && (!dot[5] || dot[5] == '/');
}

/* The folder's path in the work tree, in letters that a ref may have. */
static char *key_of(const struct wb_git *g, const char *dir)
{
	const char *top = wb_git_workdir(g);
	char *base = top ? realpath(top, NULL) : NULL, *key, *p;
	size_t n = base ? strlen(base) : 0;

	if (n && !strncmp(dir, base, n) && dir[n] == '/')
		key = wb_xstrdup(dir + n + 1);
	else
		key = wb_xasprintf("outside%s", dir);
	for (p = key; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_-/", *p) &&
		    (*p != '.' || p == key || p[-1] == '/' || p[-1] == '.' ||
		     !p[1] || p[1] == '/' || ends_in_lock(p)))
			*p = '_';
	free(base);
	return key;
}

/* What is open in one work tree is not in another with the same stack. */
static char *state_of(const struct wb_git *g, const char *key)
{
	const char *tree = wb_git_worktree(g);

	/* no key has an @ */
	return wb_xasprintf("%s/wb/edit/%s%s%s", wb_git_common_dir(g), key,
			    tree ? "/@" : "", tree ? tree : "");
}

/* Versions are kept for all of them, so there is one lock. */
static char *lock_of(const struct wb_edit *e)
{
	return wb_xasprintf("%s/wb/edit/%s/lock", wb_git_common_dir(e->git),
			    e->key);
}

static int take_lock(struct wb_edit *e, const char *shown,
		     struct wb_error *err)
{
	char *file = lock_of(e);
	int ret;

	e->lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (e->lock >= 0 && flock(e->lock, LOCK_EX | LOCK_NB) == 0)
		ret = 0;
	else if (e->lock >= 0 && errno == EWOULDBLOCK)
		ret = wb_fail(err, WB_E_FATAL, "%s: another wb is changing "
			      "this stack: wait for it", shown);
	else
		ret = wb_fail_errno(err, "%s", file);
	free(file);
	return ret;
}

static void add_entry(struct wb_edit *e, size_t i)
{
	const struct wb_quilt_entry *q = &e->quilt.entry[i];
	struct wb_edit_patch *p;

	e->patch = wb_grow(e->patch, e->n, &e->cap, sizeof(*e->patch));
	p = &e->patch[e->n++];
	memset(p, 0, sizeof(*p));
	wb_buf_init(&p->old);
	wb_buf_init(&p->text);
	wb_patch_file_init(&p->parts);
	p->was = (long)i;
	p->file = wb_xstrdup(q->file);
	p->name = wb_xstrdup(q->name);
}

/* Reads patch i and, while the stack applies, puts it on what is below. */
static void load_patch(struct wb_edit *e, size_t i, struct wb_overlay *ov,
		       const struct wb_apply_rules *rules, bool *stopped)
{
	const struct wb_quilt_entry *q = &e->quilt.entry[i];
	struct wb_edit_patch *p = &e->patch[i];
	struct wb_patch_rules read = {
		.strip = q->strip, .reverse = q->reverse, .git = rules->git,
		.header_only = rules->header_only,
	};
	char *shown = wb_xasprintf("%s/%s", e->quilt.shown, q->file);
	struct wb_applied applied = { .n = 0 };
	struct wb_error why = WB_ERROR_INIT;

	/* what is wrong with a patch is kept: others can be worked on */
	if (wb_quilt_patch(&e->quilt, q, &p->old, &why) == 0) {
		p->readable = wb_patch_parse(&p->patch, p->old.ptr, p->old.len,
					     &read, shown, &why) == 0;
		wb_patch_file_split(&p->parts, p->old.ptr, p->old.len,
				    p->readable ? &p->patch : NULL);
	}
	p->from = *wb_overlay_tree(ov);
	if (p->readable && !*stopped)
		p->known = wb_apply(ov, &p->patch, rules, shown, &applied,
				    &why) == 0;
	if (p->known && applied.n)
		p->inexact = wb_xasprintf("line %zu: hunk %zu of %s went in at "
					  "line %zu (offset %ld, fuzz %zu)",
					  applied.shift->where,
					  applied.shift->hunk,
					  applied.shift->path,
					  applied.shift->line,
					  applied.shift->offset,
					  applied.shift->fuzz);
	if (p->known)
		p->to = *wb_overlay_tree(ov);
	else if (*stopped && p->readable)
		p->why = wb_xstrdup("not reached");
	else
		p->why = wb_xstrdup(why.msg);
	*stopped |= !p->known;
	wb_applied_clear(&applied);
	wb_error_clear(&why);
	free(shown);
}

/* The folder as it is, how its patches apply, and what they stand on. */
static int look(struct wb_edit *e, const struct wb_stack_options *o,
		struct wb_apply_rules *rules, struct wb_error *err)
{
	const char *shown = o->from.word ? o->from.word : o->series;
	char *list = NULL;
	int ret = -1;

	if (wb_stack_rules(o, rules, &list, err) < 0 ||
	    wb_quilt_read(&e->quilt, e->dir, shown, list, err) < 0 ||
	    wb_git_commit_of(e->git, "HEAD", &e->head, err) < 0)
		goto out;
	ret = wb_edit_stamp(e->git, e->dir, &e->quilt, &e->stamp, err);
out:
	free(list);
	return ret;
}

static int load(struct wb_edit *e, const struct wb_stack_options *o,
		struct wb_error *err)
{
	struct wb_apply_rules rules;
	struct wb_overlay *ov;
	char *file = NULL;
	bool there, stopped = false;
	size_t i;
	int ret = -1;

	if (look(e, o, &rules, err) < 0)
		goto out;
	file = wb_xasprintf("%s/%s", e->dir, e->quilt.list_file);
	if (wb_path_read(file, MAX_SERIES, &e->series, &there, err) < 0 ||
	    wb_edit_expect(e->dir, &e->quilt, &e->expected, err) < 0 ||
	    wb_git_tree_of(e->git, "HEAD", &e->base, err) < 0 ||
	    wb_git_graft(e->git, &e->base, NULL, e->key, &e->base, err) < 0)
		goto out;
	wb_buf_add(&e->expect, e->expected.ptr, e->expected.len);
	for (i = 0; i < e->quilt.n; i++)
		add_entry(e, i);
	ov = wb_overlay_new(e->git, &e->base);
	for (i = 0; i < e->n; i++)
		load_patch(e, i, ov, &rules, &stopped);
	wb_overlay_free(ov);
	ret = wb_version_commits(e, false, &e->tip, &e->ntip, err);
out:
	free(file);
	return ret;
}

static void init_texts(struct wb_edit *e)
{
	wb_buf_init(&e->series);
	wb_buf_init(&e->expect);
	wb_buf_init(&e->expected);
}

/* Where the stack is and what wb keeps of it. */
static int locate(struct wb_edit *e, struct wb_git *g,
		  const struct wb_stack_options *o, struct wb_error *err)
{
	char *path;
	int ret = 0;

	memset(e, 0, sizeof(*e));
	init_texts(e);
	e->git = g;
	e->lock = -1;
	if (wb_stack_folder(g, o, &path, err) < 0)
		return -1;
	e->dir = realpath(path, NULL);
	if (!e->dir)
		ret = wb_fail_errno(err, "%s: no quilt folder there (make it, "
				    "with an empty file 'series')", path);
	free(path);
	if (ret < 0)
		return -1;
	e->key = key_of(g, e->dir);
	e->state = state_of(g, e->key);
	return 0;
}

/* Nobody else changes it until it is closed. */
static int seize(struct wb_edit *e, struct wb_git *g,
		 const struct wb_stack_options *o, struct wb_error *err)
{
	if (locate(e, g, o, err) < 0 || wb_path_make(e->state, err) < 0 ||
	    take_lock(e, o->from.word ? o->from.word : o->series, err) < 0)
		return -1;
	return wb_journal_finish(e->state, err);
}

int wb_edit_open(struct wb_edit *e, struct wb_git *g,
		 const struct wb_stack_options *o, struct wb_error *err)
{
	return seize(e, g, o, err) < 0 ? -1 : load(e, o, err);
}

int wb_edit_hold(struct wb_edit *e, struct wb_git *g,
		 const struct wb_stack_options *o, struct wb_error *err)
{
	struct wb_apply_rules rules;

	return seize(e, g, o, err) < 0 ? -1 : look(e, o, &rules, err);
}

int wb_edit_read(struct wb_edit *e, struct wb_git *g,
		 const struct wb_stack_options *o, struct wb_error *err)
{
	if (locate(e, g, o, err) < 0 || wb_edit_recover(g, e->dir, err) < 0)
		return -1;
	return load(e, o, err);
}

int wb_edit_recover(struct wb_git *g, const char *dir, struct wb_error *err)
{
	struct wb_edit e = { .git = g, .lock = -1, .dir = realpath(dir, NULL) };
	char *file;
	int ret = 0;

	if (!e.dir || !wb_git_common_dir(g))
		goto out;
	e.key = key_of(g, e.dir);
	e.state = state_of(g, e.key);
	if (!wb_journal_pending(e.state))
		goto out;
	file = lock_of(&e);
	e.lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	/* a wb that is alive is about to be done with it */
	if (e.lock < 0 || flock(e.lock, LOCK_EX) < 0)
		ret = wb_fail_errno(err, "%s", file);
	else
		ret = wb_journal_finish(e.state, err);
	free(file);
out:
	init_texts(&e);
	wb_edit_close(&e);
	return ret;
}

static void clear_patch(struct wb_edit_patch *p)
{
	wb_patch_clear(&p->patch);
	wb_patch_file_clear(&p->parts);
	wb_buf_clear(&p->old);
	wb_buf_clear(&p->text);
	free(p->file);
	free(p->name);
	free(p->why);
	free(p->inexact);
}

void wb_edit_close(struct wb_edit *e)
{
	size_t i;

	for (i = 0; i < e->n; i++)
		clear_patch(&e->patch[i]);
	free(e->patch);
	wb_quilt_clear(&e->quilt);
	wb_buf_clear(&e->series);
	wb_buf_clear(&e->expect);
	wb_buf_clear(&e->expected);
	free(e->dir);
	free(e->key);
	free(e->state);
	if (e->lock >= 0)
		close(e->lock);
	memset(e, 0, sizeof(*e));
	e->lock = -1;
}

int wb_edit_find(const struct wb_edit *e, const char *word, size_t *k,
		 struct wb_error *err)
{
	size_t i;
	char *end;

	for (i = 0; i < e->n; i++) {
		if (!strcmp(e->patch[i].name, word) ||
		    !strcmp(e->patch[i].file, word)) {
			*k = i;
			return 0;
		}
	}
	if (isdigit((unsigned char)*word)) {
		i = strtoul(word, &end, 10);
		if (!*end && i && i <= e->n) {
			*k = i - 1;
			return 0;
		}
	}
	return wb_fail(err, WB_E_FATAL, "'%s' is no patch of %s: give a name "
		       "or a number from 1 to %zu (wb series lists them)", word,
		       e->quilt.shown, e->n);
}

int wb_edit_need(const struct wb_edit *e, size_t k, struct wb_error *err)
{
	size_t i;

	for (i = 0; i < k; i++)
		if (!e->patch[i].known)
			return wb_fail(err, WB_E_FATAL, "%s", e->patch[i].why);
	return 0;
}

const struct wb_oid *wb_edit_below(const struct wb_edit *e, size_t k)
{
	return k ? &e->patch[k - 1].to : &e->base;
}

struct wb_edit_patch *wb_edit_insert(struct wb_edit *e, size_t k,
				     const char *file)
{
	struct wb_edit_patch *p;
	size_t n = strlen(file);

	e->patch = wb_grow(e->patch, e->n, &e->cap, sizeof(*e->patch));
	memmove(&e->patch[k + 1], &e->patch[k], (e->n++ - k) * sizeof(*p));
	p = &e->patch[k];
	memset(p, 0, sizeof(*p));
	wb_buf_init(&p->old);
	wb_buf_init(&p->text);
	wb_patch_file_init(&p->parts);
	p->was = -1;
	p->file = wb_xstrdup(file);
	p->name = wb_xstrndup(file, n - (wb_str_ends(file, ".patch") ? 6 : 0));
	return p;
}

void wb_edit_remove(struct wb_edit *e, size_t k)
{
	clear_patch(&e->patch[k]);
	memmove(&e->patch[k], &e->patch[k + 1],
		(--e->n - k) * sizeof(*e->patch));
}

void wb_edit_move(struct wb_edit *e, size_t from, size_t to)
{
	struct wb_edit_patch p = e->patch[from];

	if (from < to)
		memmove(&e->patch[from], &e->patch[from + 1],
			(to - from) * sizeof(p));
	else
		memmove(&e->patch[to + 1], &e->patch[to],
			(from - to) * sizeof(p));
	e->patch[to] = p;
}

int wb_edit_new_file(const struct wb_edit *e, const char *name, char **file,
		     struct wb_error *err)
{
	size_t n = strlen(name), i;
	char *path;
	int there;

	if (wb_str_ends(name, ".patch"))
		n -= 6;
	for (i = 0; i < n; i++)
		if (!isalnum((unsigned char)name[i]) &&
		    !strchr("_-+.,=@()/", name[i]))
			break;
	if (!n || i < n || *name == '/' || *name == '-' || *name == '.' ||
	    strstr(name, "..") || strstr(name, "/.") || strstr(name, "//") ||
	    isdigit((unsigned char)name[strspn(name, "0123456789")]) ||
	    strspn(name, "0123456789") == n)
		return wb_fail(err, WB_E_USAGE, "'%s' cannot name a patch: "
			       "letters, digits and _ - + . , = @ ( ) /, no "
			       "number alone", name);
	*file = wb_xasprintf("%.*s.patch", (int)n, name);
	for (i = 0; i < e->n; i++)
		if (!strcmp(e->patch[i].file, *file))
			break;
	path = wb_xasprintf("%s/%s", e->dir, *file);
	there = access(path, F_OK) == 0;
	free(path);
	if (i == e->n && !there)
		return 0;
	wb_fail(err, WB_E_FATAL, there && i == e->n ?
		"%s/%s is there, though not in the series: take another name, "
		"or move it away" : "%s/%s: the stack has such a patch",
		e->quilt.shown, *file);
	free(*file);
	*file = NULL;
	return -1;
}
