#include "apply.h"
#include "apply-name.h"
#include "git-object.h"

#include <stdlib.h>
#include <string.h>

struct work {
	struct wb_overlay *ov;
	const struct wb_patch *patch;
	const struct wb_apply_rules *rules;
	const char *name;
	struct wb_applied *out;
};

#define TYPE(mode) ((mode) & 0170000)

static int refuse(const struct work *w, const struct wb_section *s,
		  struct wb_error *err, const char *path, const char *why)
{
	return wb_fail(err, WB_E_FATAL, "%s:%zu: %s: %s", w->name, s->where,
		       path, why);
}

static void note_shift(struct work *w, const char *path, size_t number,
		       const struct wb_spot *spot)
{
	struct wb_applied *a = w->out;

	a->shift = wb_grow(a->shift, a->n, &a->cap, sizeof(*a->shift));
	a->shift[a->n++] = (struct wb_shift){
		.path = wb_xstrdup(path), .hunk = number,
		.where = spot->hunk->where, .line = spot->at + 1,
		.offset = spot->offset, .fuzz = spot->fuzz,
	};
}

static int misplaced(const struct work *w, struct wb_placer *pl,
		     const struct wb_hunk *h, const char *path, size_t number,
		     struct wb_error *err)
{
	struct wb_near_miss miss;

	if (pl->looked >= WB_PLACE_ENOUGH)
		return wb_fail(err, WB_E_FATAL, "%s:%zu: refused: hunk %zu of "
			       "%s and those before it take too long to "
			       "place: refresh the patch", w->name, h->where,
			       number, path);
	wb_place_nearest(pl, h, &miss);
	if (miss.agree == miss.of && miss.at < pl->frozen)
		return wb_fail(err, WB_E_FATAL, "%s:%zu: hunk %zu of %s would "
			       "match at line %zu, before the hunk above it: "
			       "put the hunks in order", w->name, h->where,
			       number, path, miss.at + 1);
	if (miss.agree == miss.of && miss.of && pl->rules.offset)
		return wb_fail(err, WB_E_FATAL, "%s:%zu: hunk %zu of %s would "
			       "match at line %zu, but its short context ties "
			       "it to the %s of the file: refresh the patch",
			       w->name, h->where, number, path, miss.at + 1,
			       h->head < h->tail ? "start" : "end");
	if (miss.agree == miss.of && miss.of)
		return wb_fail(err, WB_E_FATAL, "%s:%zu: hunk %zu of %s does "
			       "not match at line %zu (nearest: line %zu, all "
			       "%zu lines): refresh the patch, or allow "
			       "offsets (--profile)", w->name, h->where,
			       number, path, h->old_start, miss.at + 1,
			       miss.of);
	if (!miss.agree)
		return wb_fail(err, WB_E_FATAL, "%s:%zu: hunk %zu of %s does "
			       "not match at line %zu, nor does any of its "
			       "lines elsewhere: refresh the patch", w->name,
			       h->where, number, path, h->old_start);
	return wb_fail(err, WB_E_FATAL, "%s:%zu: hunk %zu of %s does not match "
		       "at line %zu (nearest: line %zu, %zu of %zu lines): "
		       "refresh the patch", w->name, h->where, number, path,
		       h->old_start, miss.at + 1, miss.agree, miss.of);
}

/* Carries the hunks out on text, into out. */
static int run_hunks(struct work *w, const struct wb_section *s,
		     const struct wb_buf *text, const char *path,
		     struct wb_buf *out, struct wb_error *err)
{
	struct wb_text lines = { .line = NULL };
	struct wb_placer pl;
	struct wb_spot spot;
	size_t i;
	int ret = -1;

	wb_placer_init(&pl, w->patch, &lines, &w->rules->place);
	if (!wb_text_split(&lines, text->ptr, text->len)) {
		refuse(w, s, err, path, "refused: too many lines");
		goto out;
	}
	for (i = 0; i < s->n; i++) {
		const struct wb_hunk *h = &w->patch->hunk[s->first + i];

		/* what makes a file cannot go into one that has content */
		if (!wb_place(&pl, h, &spot) ||
		    (s->old_side == WB_SIDE_NONE && text->len && !spot.at)) {
			misplaced(w, &pl, h, path, i + 1, err);
			goto out;
		}
		if (spot.offset || spot.fuzz)
			note_shift(w, path, i + 1, &spot);
	}
	wb_buf_reserve(out, text->len);
	wb_place_render(&pl, out);
	ret = 0;
out:
	wb_placer_clear(&pl);
	wb_text_clear(&lines);
	return ret;
}

/* A full id in the index line must be that of the content it speaks of. */
static bool other_id(const char *id, const struct wb_buf *data)
{
	unsigned char raw[WB_GIT_RAW];
	struct wb_oid real;

	if (strlen(id) != 40)
		return false;
	wb_git_object_hash(WB_GIT_BLOB, data->ptr, data->len, raw);
	wb_oid_from_raw(&real, raw);
	return strcmp(id, real.hex) != 0;
}

static int run_binary(const struct work *w, const struct wb_section *s,
		      const struct wb_buf *old, const char *path,
		      struct wb_buf *out, struct wb_error *err)
{
	if (s->old_side != WB_SIDE_NONE && other_id(s->old_id, old))
		return refuse(w, s, err, path, "the binary patch is for other "
			      "content");
	if (wb_binary_apply(&s->binary, old->ptr, old->len, out, err) < 0)
		return wb_fail_at(err, "%s:%zu: %s", w->name, s->where, path);
	if (s->new_side != WB_SIDE_NONE && other_id(s->new_id, out))
		return refuse(w, s, err, path, "the binary patch does not give "
			      "the content that it names");
	return 0;
}

static bool has_content(const struct wb_section *s)
{
	return s->n || s->binary.kind != WB_BINARY_NONE;
}

/* The content of old after the section, into out. */
static int run_content(struct work *w, const struct wb_section *s,
		       struct wb_version *old, const char *path,
		       struct wb_buf *out, struct wb_error *err)
{
	if (wb_overlay_load(w->ov, old, err) < 0)
		return wb_fail_at(err, "%s:%zu: %s", w->name, s->where, path);
	if (s->binary.kind != WB_BINARY_NONE)
		return run_binary(w, s, &old->data, path, out, err);
	if (s->n)
		return run_hunks(w, s, &old->data, path, out, err);
	wb_buf_add(out, old->data.ptr, old->data.len);
	return 0;
}

/* Links and submodules are edited only by sections that say they are such. */
static int check_type(const struct work *w, const struct wb_section *s,
		      const struct wb_version *old, const char *path,
		      struct wb_error *err)
{
	uint32_t said = s->old_mode ? s->old_mode : s->mode;
	uint32_t type = TYPE(old->mode);

	if (said ? TYPE(said) != type : type != TYPE(WB_MODE_FILE))
		return refuse(w, s, err, path, type == TYPE(WB_MODE_LINK) ?
			      "refused: it is a symbolic link" :
			      type == TYPE(WB_MODE_COMMIT) ?
			      "refused: it is a submodule" :
			      "refused: it is a plain file, the patch is for "
			      "a link or submodule");
	if (s->new_mode && s->new_side != WB_SIDE_NONE &&
	    TYPE(s->new_mode) != type)
		return refuse(w, s, err, path, "a new mode cannot change the "
			      "type");
	return 0;
}

static int missing(const struct work *w, const struct wb_section *s,
		   const char *path, struct wb_error *err)
{
	uint32_t mode;
	char *at;

	if (wb_overlay_blocked(w->ov, path, &at, &mode, err) < 0)
		return -1;
	if (!at)
		return refuse(w, s, err, path, "no such file to patch");
	wb_fail(err, WB_E_FATAL, "%s:%zu: refused: %s lies behind %s, a %s",
		w->name, s->where, path, at,
		mode == WB_MODE_LINK ? "symbolic link" : "file");
	free(at);
	return -1;
}

/* A later section moves away what stands at path. */
static bool leaves_later(const struct work *w, const struct wb_section *s,
			 const char *path)
{
	const struct wb_section *end = w->patch->section + w->patch->nsections;

	while (++s < end)
		if (s->git && s->rename && s->old && !strcmp(s->old, path))
			return true;
	return false;
}

/* Nothing may stand where the section makes a file. */
static int check_free(const struct work *w, const struct wb_section *s,
		      struct wb_overlay_file *f, struct wb_error *err)
{
	struct wb_version *now = wb_overlay_now(f);

	if (!now->mode)
		return 0;
	if (leaves_later(w, s, f->path)) {
		f->moved_in = true;
		return 0;
	}
	/* GNU patch takes an empty file for none */
	if (!w->rules->git && s->n && now->mode == WB_MODE_FILE) {
		if (wb_overlay_load(w->ov, now, err) < 0)
			return -1;
		if (!now->data.len)
			return 0;
	}
	return refuse(w, s, err, f->path, "exists already");
}

static int create(struct work *w, const struct wb_section *s,
		  struct wb_overlay_file *f, struct wb_error *err)
{
	struct wb_version none = { .loaded = true, .data = WB_BUF_INIT };
	struct wb_buf out = WB_BUF_INIT;
	int ret = -1;

	if (check_free(w, s, f, err) < 0 ||
	    run_content(w, s, &none, f->path, &out, err) < 0)
		goto out;
	if (out.len || !w->rules->remove_empty)
		wb_overlay_put(w->ov, f, s->new_mode ? s->new_mode :
			       WB_MODE_FILE, &out);
	ret = 0;
out:
	wb_buf_clear(&out);
	return ret;
}

/*
 * Old file to new file. Renames and copies start from what stood there before
 * the whole patch, as git means them; edits from what stands there now.
 */
static int modify(struct work *w, const struct wb_section *s,
		  struct wb_overlay_file *from, struct wb_overlay_file *to,
		  struct wb_error *err)
{
	struct wb_version *old = from == to ? wb_overlay_now(from) :
				 &from->before;
	bool gone = s->new_side == WB_SIDE_NONE;
	uint32_t mode = s->new_mode && !gone ? s->new_mode : old->mode;
	struct wb_buf out = WB_BUF_INIT;
	int ret = -1;

	if (check_type(w, s, old, from->path, err) < 0)
		goto out;
	if (from != to && check_free(w, s, to, err) < 0)
		goto out;
	if (!has_content(s) && !gone) {
		wb_overlay_copy(w->ov, to, mode, old);
	} else {
		if (run_content(w, s, old, from->path, &out, err) < 0)
			goto out;
		if (gone && out.len) {
			refuse(w, s, err, from->path, "not removed: the patch "
			       "leaves content in it");
			goto out;
		}
		if (gone || (!out.len && w->rules->remove_empty))
			wb_overlay_remove(w->ov, to);
		else
			wb_overlay_put(w->ov, to, mode, &out);
	}
	if (from != to && s->rename && !from->moved_in)
		wb_overlay_remove(w->ov, from);
	ret = 0;
out:
	wb_buf_clear(&out);
	return ret;
}

static int run_section(struct work *w, const struct wb_section *s,
		       struct wb_error *err)
{
	struct wb_overlay_file *from, *to;
	const char *old = s->old, *new = s->new;

	if (s->stub) {
		if (!w->rules->stubs)
			return refuse(w, s, err, new ? new : old, "a binary "
				      "change without its content: make the "
				      "patch with git diff --binary");
		w->out->stubs++;
		return 0;
	}
	if (!s->git && wb_apply_pick_name(w->ov, s, w->rules->git, &old,
					  err) < 0)
		return -1;
	if (!s->git || !old || !new)
		old = new = old ? old : new;
	if (wb_overlay_find(w->ov, old, &from, err) < 0 ||
	    wb_overlay_find(w->ov, new, &to, err) < 0)
		return -1;
	if (s->old_side == WB_SIDE_NONE ||
	    (s->old_side == WB_SIDE_EMPTY && !wb_overlay_now(from)->mode))
		return create(w, s, to, err);
	if (from == to ? !wb_overlay_now(from)->mode : !from->before.mode)
		return missing(w, s, old, err);
	return modify(w, s, from, to, err);
}

/* The section that speaks of the file last, for the line of a reason. */
static size_t line_of(const struct wb_patch *p, const char *path)
{
	size_t i, where = 1;

	for (i = 0; i < p->nsections; i++) {
		const struct wb_section *s = &p->section[i];

		if ((s->new && !strcmp(s->new, path)) ||
		    (s->old && !strcmp(s->old, path)))
			where = s->where;
	}
	return where;
}

int wb_apply(struct wb_overlay *ov, const struct wb_patch *p,
	     const struct wb_apply_rules *r, const char *name,
	     struct wb_applied *out, struct wb_error *err)
{
	struct work w = { ov, p, r, name, out };
	const struct wb_overlay_file *bad;
	size_t i;

	out->dropped = p->dropped;
	for (i = 0; i < p->nsections; i++) {
		if (run_section(&w, &p->section[i], err) < 0) {
			wb_overlay_abort(ov);
			return -1;
		}
	}
	if (wb_overlay_commit(ov, &bad, err) < 0)
		return wb_fail_at(err, "%s:%zu", name,
				  bad ? line_of(p, bad->path) : 1);
	return 0;
}

void wb_applied_clear(struct wb_applied *a)
{
	size_t i;

	for (i = 0; i < a->n; i++)
		free(a->shift[i].path);
	free(a->shift);
	memset(a, 0, sizeof(*a));
}
