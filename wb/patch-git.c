#include "patch-scan.h"
#include "zip.h"

#include <stdlib.h>
#include <string.h>

/*
 * Sections of git's form. What the header says about names comes in up to
 * three places; the more special one wins: rename and copy lines, then "---"
 * and "+++", then the "diff --git" line itself.
 */

static void set_name(char **field, char *path)
{
	free(*field);
	*field = path;
}

static char *line_name(const struct wb_scan *r, const char *rest, int strip)
{
	size_t len = (size_t)(r->cur.p + r->cur.len - rest);
	struct wb_name name;

	wb_name_read(&name, rest, len, &(struct wb_name_form){ true, strip });
	return name.path;
}

static int read_mode(const struct wb_scan *r, const char *s, uint32_t *mode,
		     struct wb_error *err)
{
	const char *end = r->cur.p + r->cur.len;
	uint32_t m = 0;

	while (s < end && *s >= '0' && *s <= '7' && m < 01000000)
		m = m << 3 | (uint32_t)(*s++ - '0');
	if ((m & 0170000) == 0100000)
		m = m & 0100 ? 0100755 : 0100644;
	else if (m != 0120000 && m != 0160000)
		return wb_scan_fail(r, err, "not a mode that git knows");
	*mode = m;
	return 0;
}

/* "index 1a2b3c..4d5e6f 100644" */
static int read_index(const struct wb_scan *r, struct wb_section *s,
		      const char *rest, struct wb_error *err)
{
	const char *end = r->cur.p + r->cur.len, *dots, *stop;

	stop = memchr(rest, ' ', (size_t)(end - rest));
	if (!stop)
		stop = end;
	dots = memmem(rest, (size_t)(stop - rest), "..", 2);
	if (!dots || dots - rest > 40 || stop - dots - 2 > 40)
		return 0;
	memcpy(s->old_id, rest, (size_t)(dots - rest));
	memcpy(s->new_id, dots + 2, (size_t)(stop - dots - 2));
	if (stop + 1 < end)
		return read_mode(r, stop + 1, &s->mode, err);
	return 0;
}

struct move {
	const char *words;
	bool old, copy;
};

static const struct move moves[] = {
	{ "rename from ", true, false },
	{ "rename to ", false, false },
	{ "rename old ", true, false },
	{ "rename new ", false, false },
	{ "copy from ", true, true },
	{ "copy to ", false, true },
};

static bool read_move(const struct wb_scan *r, struct wb_section *s)
{
	/* these names come without a/ and b/ */
	int strip = r->rules->strip ? r->rules->strip - 1 : 0;
	const char *rest;
	size_t i;

	for (i = 0; i < sizeof(moves) / sizeof(*moves); i++) {
		if (!wb_scan_at(r, moves[i].words, &rest))
			continue;
		set_name(moves[i].old ? &s->old : &s->new,
			 line_name(r, rest, strip));
		s->rename |= !moves[i].copy;
		s->copy |= moves[i].copy;
		return true;
	}
	return false;
}

/* One line of the extended header: 1 taken, 0 not one of them, -1 error. */
static int header_line(const struct wb_scan *r, struct wb_section *s,
		       struct wb_error *err)
{
	const char *rest;

	if (wb_scan_at(r, "old mode ", &rest))
		return read_mode(r, rest, &s->old_mode, err) < 0 ? -1 : 1;
	if (wb_scan_at(r, "new mode ", &rest))
		return read_mode(r, rest, &s->new_mode, err) < 0 ? -1 : 1;
	if (wb_scan_at(r, "deleted file mode ", &rest)) {
		s->new_side = WB_SIDE_NONE;
		return read_mode(r, rest, &s->old_mode, err) < 0 ? -1 : 1;
	}
	if (wb_scan_at(r, "new file mode ", &rest)) {
		s->old_side = WB_SIDE_NONE;
		return read_mode(r, rest, &s->new_mode, err) < 0 ? -1 : 1;
	}
	if (wb_scan_at(r, "index ", &rest))
		return read_index(r, s, rest, err) < 0 ? -1 : 1;
	return wb_scan_at(r, "similarity index ", NULL) ||
	       wb_scan_at(r, "dissimilarity index ", NULL) ||
	       read_move(r, s);
}

/* The "---" and "+++" lines; cur is the first and then the one behind. */
static int read_names(struct wb_scan *r, struct wb_section *s, bool *more,
		      struct wb_error *err)
{
	struct wb_name_form form = { true, r->rules->strip };
	struct wb_name old, new;

	wb_name_read(&old, r->cur.p + 4, r->cur.len - 4, &form);
	if (!wb_scan_sees(r, "+++ ")) {
		free(old.path);
		return wb_scan_fail(r, err, "a \"---\" line without its "
				      "\"+++\"");
	}
	wb_scan_next(r);
	wb_name_read(&new, r->cur.p + 4, r->cur.len - 4, &form);
	r->strip_cr = !r->rules->git && r->cur.p[r->cur.len - 1] == '\r';
	if (old.null)
		s->old_side = WB_SIDE_NONE;
	if (new.null)
		s->new_side = WB_SIDE_NONE;
	if (!s->rename && !s->copy) {
		set_name(&s->old, old.path);
		set_name(&s->new, new.path);
	} else {
		free(old.path);
		free(new.path);
	}
	*more = wb_scan_next(r);
	return 0;
}

/* "literal N" or "delta N" and its lines; cur is then the one behind. */
static int read_block(struct wb_scan *r, struct wb_binary *b, bool *more,
		      struct wb_error *err)
{
	struct wb_buf packed = WB_BUF_INIT;
	size_t start = r->line;
	const char *rest;
	unsigned long size;
	int ret;

	b->kind = wb_scan_at(r, "literal ", &rest) ? WB_BINARY_LITERAL :
		  wb_scan_at(r, "delta ", &rest) ? WB_BINARY_DELTA :
		  WB_BINARY_NONE;
	if (b->kind == WB_BINARY_NONE)
		return 0;
	size = strtoul(rest, NULL, 10);
	if (size > WB_BINARY_MAX)
		return wb_scan_fail(r, err, "refused: binary content of more "
				      "than %zu MB", WB_BINARY_MAX >> 20);
	while ((*more = wb_scan_next(r)) && r->cur.len) {
		if (!wb_binary_line(&packed, r->cur.p, r->cur.len)) {
			wb_buf_clear(&packed);
			return wb_scan_fail(r, err, "damaged binary patch");
		}
	}
	if (*more)
		*more = wb_scan_next(r);
	ret = wb_zip_inflate(packed.ptr, packed.len, size, &b->data, err);
	if (ret < 0)
		wb_fail_at(err, "%s:%zu: binary patch", r->name, start);
	wb_buf_clear(&packed);
	return ret;
}

/* cur is "GIT binary patch"; the second block is the way back. */
static int read_binary(struct wb_scan *r, struct wb_section *s, bool *more,
		       struct wb_error *err)
{
	struct wb_binary back = { WB_BINARY_NONE, WB_BUF_INIT }, there;
	size_t start = r->line;
	int ret;

	r->strip_cr = true;
	*more = wb_scan_next(r);
	ret = *more ? read_block(r, &s->binary, more, err) : 0;
	if (ret == 0 && *more)
		ret = read_block(r, &back, more, err);
	if (ret == 0 && r->rules->reverse) {
		there = s->binary;
		s->binary = back;
		back = there;
	}
	if (ret == 0 && s->binary.kind == WB_BINARY_NONE)
		ret = wb_fail(err, WB_E_FATAL, "%s:%zu: a binary patch without "
			      "the content for this direction", r->name, start);
	wb_buf_clear(&back.data);
	r->strip_cr = false;
	return ret;
}

/*
 * Names that are still missing come from the "diff --git" line, and a side
 * without a file has none. A section that neither names a file nor does
 * anything was prose.
 */
static int settle_names(struct wb_patch *p, const struct wb_scan *r,
			struct wb_section *s, char *pair, struct wb_error *err)
{
	bool old = s->old_side != WB_SIDE_NONE;
	bool new = s->new_side != WB_SIDE_NONE;
	bool does = s->n || s->binary.kind != WB_BINARY_NONE || s->stub ||
		    s->new_mode || !old || !new || s->rename || s->copy;

	if (!does) {
		free(s->old);
		free(s->new);
		p->nsections--;
		return 0;
	}
	if ((!old && !new) || ((s->rename || s->copy) && (!old || !new)))
		return wb_fail(err, WB_E_FATAL, "%s:%zu: the header "
			       "contradicts itself", r->name, s->where);
	if (!s->old && pair)
		s->old = wb_xstrdup(pair);
	if (!s->new && pair)
		s->new = wb_xstrdup(pair);
	if (!s->old && s->new && !s->rename && !s->copy)
		s->old = wb_xstrdup(s->new);
	if (!s->new && s->old && !s->rename && !s->copy)
		s->new = wb_xstrdup(s->old);
	if (!s->old || !s->new)
		return wb_fail(err, WB_E_FATAL, "%s:%zu: no file name is left "
			       "after taking off %d folders (-p%d)", r->name,
			       s->where, r->rules->strip, r->rules->strip);
	if (!old)
		set_name(&s->old, NULL);
	if (!new)
		set_name(&s->new, NULL);
	return 0;
}

int wb_patch_git(struct wb_patch *p, struct wb_scan *r,
		 struct wb_section *s, bool *more, struct wb_error *err)
{
	char *pair = wb_name_pair(r->cur.p + 11, r->cur.len - 11,
				  r->rules->strip);
	int ret;

	s->git = true;
	do {
		*more = wb_scan_next(r);
		ret = *more ? header_line(r, s, err) : 0;
	} while (ret > 0);
	if (ret < 0)
		goto out;
	if (*more && wb_scan_at(r, "--- ", NULL) &&
	    (wb_scan_sees(r, "+++ ") || s->mode || s->new_mode))
		ret = read_names(r, s, more, err);
	if (ret == 0 && *more && wb_scan_at(r, "GIT binary patch", NULL))
		ret = read_binary(r, s, more, err);
	else if (ret == 0 && *more && wb_scan_at(r, "Binary files ", NULL))
		s->stub = true;
	else if (ret == 0 && *more)
		ret = wb_patch_hunks(p, r, s, more, err);
	if (ret == 0)
		ret = settle_names(p, r, s, pair, err);
out:
	free(pair);
	return ret;
}
