#include "overlay.h"
#include "git-object.h"

#include <stdlib.h>
#include <string.h>

/* Content is kept up to this much; then what no patch used lately goes. */
#define KEEP ((size_t)48 << 20)

struct wb_overlay {
	struct wb_git *git;
	struct wb_oid tree;
	struct wb_overlay_file **slot;	/* hash table with chains */
	size_t nslots, nfiles;
	struct wb_overlay_file **touched;	/* changed by this patch */
	size_t ntouched, captouched;
	size_t kept;		/* bytes of content in .before */
	uint64_t patch;		/* number of the patch at work */
};

static size_t hash(const char *s)
{
	size_t h = 14695981039346656037u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 1099511628211u;
	return h ^ h >> 32;
}

struct wb_overlay *wb_overlay_new(struct wb_git *g, const struct wb_oid *tree)
{
	struct wb_overlay *ov = wb_xcalloc(1, sizeof(*ov));

	ov->git = g;
	ov->tree = *tree;
	ov->nslots = 64;
	ov->slot = wb_xcalloc(ov->nslots, sizeof(*ov->slot));
	return ov;
}

void wb_overlay_free(struct wb_overlay *ov)
{
	struct wb_overlay_file *f, *next;
	size_t i;

	if (!ov)
		return;
	for (i = 0; i < ov->nslots; i++) {
		for (f = ov->slot[i]; f; f = next) {
			next = f->chain;
			wb_buf_clear(&f->before.data);
			wb_buf_clear(&f->now.data);
			free(f->path);
			free(f);
		}
	}
	free(ov->slot);
	free(ov->touched);
	free(ov);
}

const struct wb_oid *wb_overlay_tree(const struct wb_overlay *ov)
{
	return &ov->tree;
}

static void grow_table(struct wb_overlay *ov)
{
	size_t n = 2 * ov->nslots, i, k;
	struct wb_overlay_file **slot = wb_xcalloc(n, sizeof(*slot)), *f;

	for (i = 0; i < ov->nslots; i++) {
		while ((f = ov->slot[i])) {
			ov->slot[i] = f->chain;
			k = hash(f->path) & (n - 1);
			f->chain = slot[k];
			slot[k] = f;
		}
	}
	free(ov->slot);
	ov->slot = slot;
	ov->nslots = n;
}

static struct wb_overlay_file *known(const struct wb_overlay *ov,
				     const char *path)
{
	struct wb_overlay_file *f = ov->slot[hash(path) & (ov->nslots - 1)];

	while (f && strcmp(f->path, path))
		f = f->chain;
	return f;
}

int wb_overlay_find(struct wb_overlay *ov, const char *path,
		    struct wb_overlay_file **out, struct wb_error *err)
{
	struct wb_overlay_file *f = known(ov, path);
	struct wb_oid id = { "" };
	uint32_t mode = 0;
	int found;

	if (!f) {
		found = wb_git_entry(ov->git, &ov->tree, path, &mode, &id, err);
		if (found < 0)
			return -1;
		if (ov->nfiles++ == ov->nslots)
			grow_table(ov);
		f = wb_xcalloc(1, sizeof(*f));
		f->path = wb_xstrdup(path);
		wb_buf_init(&f->before.data);
		wb_buf_init(&f->now.data);
		f->before.mode = found && mode != WB_MODE_TREE ? mode : 0;
		f->before.has_id = true;
		f->before.id = id;
		f->chain = ov->slot[hash(path) & (ov->nslots - 1)];
		ov->slot[hash(path) & (ov->nslots - 1)] = f;
	}
	f->used = ov->patch;
	*out = f;
	return 0;
}

struct wb_version *wb_overlay_now(struct wb_overlay_file *f)
{
	return f->changed ? &f->now : &f->before;
}

int wb_overlay_load(struct wb_overlay *ov, struct wb_version *v,
		    struct wb_error *err)
{
	if (v->loaded)
		return 0;
	if (v->mode == WB_MODE_COMMIT)
		wb_buf_addf(&v->data, "Subproject commit %s\n", v->id.hex);
	else if (v->mode && wb_git_read_blob(ov->git, &v->id, &v->data,
					     err) < 0)
		return -1;
	v->loaded = true;
	ov->kept += v->data.len;
	return 0;
}

static struct wb_version *change(struct wb_overlay *ov,
				 struct wb_overlay_file *f, uint32_t mode)
{
	if (!f->changed) {
		ov->touched = wb_grow(ov->touched, ov->ntouched,
				      &ov->captouched, sizeof(*ov->touched));
		ov->touched[ov->ntouched++] = f;
	}
	f->changed = true;
	wb_buf_reset(&f->now.data);
	f->now.mode = mode;
	f->now.has_id = f->now.loaded = false;
	return &f->now;
}

void wb_overlay_put(struct wb_overlay *ov, struct wb_overlay_file *f,
		    uint32_t mode, struct wb_buf *data)
{
	struct wb_version *v = change(ov, f, mode);

	wb_buf_clear(&v->data);
	v->data = *data;
	v->loaded = true;
	wb_buf_init(data);
}

void wb_overlay_copy(struct wb_overlay *ov, struct wb_overlay_file *f,
		     uint32_t mode, const struct wb_version *v)
{
	struct wb_version old = *v, *now;
	struct wb_buf data = WB_BUF_INIT;

	/* v may be this file's own version now, so it is read before change */
	if (old.loaded)
		wb_buf_add(&data, old.data.ptr, old.data.len);
	now = change(ov, f, mode);
	wb_buf_clear(&now->data);
	now->data = data;
	now->loaded = old.loaded;
	now->has_id = old.has_id;
	now->id = old.id;
}

void wb_overlay_remove(struct wb_overlay *ov, struct wb_overlay_file *f)
{
	change(ov, f, 0)->loaded = true;
}

int wb_overlay_blocked(struct wb_overlay *ov, const char *path, char **at,
		       uint32_t *mode, struct wb_error *err)
{
	char *up = wb_xstrdup(path), *slash;
	struct wb_overlay_file *f;
	struct wb_oid id;
	int found = 0;

	*at = NULL;
	while (!*at && (slash = strrchr(up, '/'))) {
		*slash = '\0';
		f = known(ov, up);
		found = f ? (*mode = wb_overlay_now(f)->mode) != 0 :
			wb_git_entry(ov->git, &ov->tree, up, mode, &id, err);
		if (found < 0)
			break;
		if (found && *mode != WB_MODE_TREE)
			*at = wb_xstrdup(up);
	}
	free(up);
	return found < 0 ? -1 : 0;
}

int wb_overlay_lacks(struct wb_overlay *ov, const char *path, size_t *n,
		     struct wb_error *err)
{
	char *up = wb_xstrdup(path), *slash;
	struct wb_oid id;
	uint32_t mode;
	int found = 0;

	*n = 0;
	while (!found && (slash = strrchr(up, '/'))) {
		*slash = '\0';
		found = wb_git_entry(ov->git, &ov->tree, up, &mode, &id, err);
		*n += !found;
	}
	free(up);
	return found < 0 ? -1 : 0;
}

/* A submodule's text gives its commit back. */
static int finish_link(struct wb_overlay_file *f, struct wb_error *err)
{
	static const char words[] = "Subproject commit ";
	struct wb_version *v = &f->now;

	if (v->data.len < sizeof(words) - 1 + 40 ||
	    !wb_str_starts(v->data.ptr, words) ||
	    strspn(v->data.ptr + sizeof(words) - 1, "0123456789abcdef") != 40)
		return wb_fail(err, WB_E_FATAL, "%s: not the text of a "
			       "submodule", f->path);
	memcpy(v->id.hex, v->data.ptr + sizeof(words) - 1, 40);
	v->id.hex[40] = '\0';
	v->has_id = true;
	return 0;
}

static int finish_file(struct wb_overlay *ov, struct wb_overlay_file *f,
		       struct wb_error *err)
{
	const struct wb_git_bytes old = {
		&f->before.id, f->before.data.ptr, f->before.data.len,
	};
	bool of_old = f->before.loaded && f->before.has_id && f->before.mode &&
		      f->before.mode != WB_MODE_COMMIT;
	uint32_t mode;
	char *at;

	if (!f->now.mode)
		return 0;
	if (!f->now.has_id && f->now.mode == WB_MODE_COMMIT) {
		if (finish_link(f, err) < 0)
			return -1;
	} else if (!f->now.has_id) {
		if (wb_git_write_blob(ov->git, f->now.data.ptr,
				      f->now.data.len, of_old ? &old : NULL,
				      &f->now.id, err) < 0)
			return -1;
		f->now.has_id = true;
	}
	if (f->before.mode)
		return 0;
	if (wb_overlay_blocked(ov, f->path, &at, &mode, err) < 0)
		return -1;
	if (at) {
		wb_fail(err, WB_E_FATAL, "refused: %s would stand below %s, "
			"which is a %s", f->path, at,
			mode == WB_MODE_LINK ? "symbolic link" : "file");
		free(at);
		return -1;
	}
	return 0;
}

static size_t collect(struct wb_overlay *ov, struct wb_git_change *c,
		      bool removals_only)
{
	struct wb_overlay_file *f;
	size_t i, n = 0;

	for (i = 0; i < ov->ntouched; i++) {
		f = ov->touched[i];
		if (removals_only && f->now.mode)
			continue;
		if (f->now.mode == f->before.mode &&
		    (!f->now.mode || !strcmp(f->now.id.hex, f->before.id.hex)))
			continue;
		c[n++] = (struct wb_git_change){
			f->path, f->now.mode, f->now.id,
		};
	}
	return n;
}

/*
 * Where a new file takes the place of a folder, the patch must have emptied
 * the folder. Rare: so the tree is made twice then, first without new files.
 */
static int clear_folders(struct wb_overlay *ov, struct wb_git_change *c,
			 const struct wb_overlay_file **bad,
			 struct wb_error *err)
{
	struct wb_oid tree, id;
	struct wb_overlay_file *f;
	bool ready = false;
	uint32_t mode;
	size_t i;
	int found;

	for (i = 0; i < ov->ntouched; i++) {
		f = ov->touched[i];
		if (f->before.mode || !f->now.mode)
			continue;
		found = wb_git_entry(ov->git, ready ? &tree : &ov->tree,
				     f->path, &mode, &id, err);
		if (found > 0 && !ready) {
			if (wb_git_update(ov->git, &ov->tree, c,
					  collect(ov, c, true), &tree, err) < 0)
				return -1;
			ready = true;
			found = wb_git_entry(ov->git, &tree, f->path, &mode,
					     &id, err);
		}
		if (found < 0)
			return -1;
		*bad = f;
		if (found)
			return wb_fail(err, WB_E_FATAL, "refused: %s is a "
				       "folder, not a file", f->path);
	}
	*bad = NULL;
	return 0;
}

/* Content that this patch did not use goes when there is too much of it. */
static void trim(struct wb_overlay *ov)
{
	struct wb_overlay_file *f;
	size_t i;

	if (ov->kept <= KEEP)
		return;
	ov->kept = 0;
	for (i = 0; i < ov->nslots; i++) {
		for (f = ov->slot[i]; f; f = f->chain) {
			if (f->used != ov->patch && f->before.loaded) {
				wb_buf_clear(&f->before.data);
				f->before.loaded = false;
			}
			ov->kept += f->before.data.len;
		}
	}
}

int wb_overlay_commit(struct wb_overlay *ov, const struct wb_overlay_file **bad,
		      struct wb_error *err)
{
	struct wb_git_change *c = wb_xcalloc(ov->ntouched, sizeof(*c));
	struct wb_overlay_file *f;
	struct wb_version old;
	size_t i;
	int ret = -1;

	for (i = 0; i < ov->ntouched; i++) {
		*bad = ov->touched[i];
		if (finish_file(ov, ov->touched[i], err) < 0)
			goto out;
	}
	if (clear_folders(ov, c, bad, err) < 0)
		goto out;
	if (wb_git_update(ov->git, &ov->tree, c, collect(ov, c, false),
			  &ov->tree, err) < 0)
		goto out;
	for (i = 0; i < ov->ntouched; i++) {
		f = ov->touched[i];
		old = f->before;
		ov->kept += f->now.data.len - old.data.len;
		f->before = f->now;
		f->now = old;
		/* an empty file that is gone needs no content to be read */
		f->before.loaded = f->before.loaded && f->before.mode;
		f->before.has_id = true;
	}
	ret = 0;
out:
	wb_overlay_abort(ov);
	free(c);
	return ret;
}

void wb_overlay_abort(struct wb_overlay *ov)
{
	struct wb_overlay_file *f;
	size_t i;

	for (i = 0; i < ov->ntouched; i++) {
		f = ov->touched[i];
		wb_buf_clear(&f->now.data);
		f->changed = f->moved_in = false;
	}
	ov->ntouched = 0;
	trim(ov);
	ov->patch++;
}
