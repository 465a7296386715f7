#include "git-memory.h"
#include "delta.h"

#include <git2.h>
#include <git2/sys/odb_backend.h>
#include <stdlib.h>
#include <string.h>

/* Smaller ones are kept whole. */
#define LARGE ((size_t)16 << 10)
#define MAX_DEPTH 100
#define CHUNK ((size_t)256 << 10)

struct object {
	unsigned char raw[WB_GIT_RAW];
	unsigned char like[WB_GIT_RAW];	/* when depth */
	enum wb_git_kind kind;
	unsigned depth;		/* deltas to a whole object; 0: it is whole */
	unsigned mark;		/* .round when it was marked */
	size_t len;
	const char *data;	/* its bytes, or the delta */
	size_t stored;
};

struct chunk {
	struct chunk *next;
	char room[];
};

struct wb_git_memory {
	git_odb_backend parent;
	struct wb_git *g;
	struct object **slot;	/* open addressing */
	size_t nslots, n;
	unsigned round;
	struct chunk *chunk;
	char *free;		/* in the newest chunk of usual size */
	size_t left;
	struct wb_buf last;	/* the last one put together, for the next */
	const struct object *last_of;
};

static void *take(struct wb_git_memory *m, size_t len)
{
	size_t size = (len + 7) & ~(size_t)7;
	struct chunk *c;
	void *p;

	if (size > m->left) {
		bool own = size > CHUNK / 4;

		c = wb_xmalloc(sizeof(*c) + (own ? size : CHUNK));
		c->next = m->chunk;
		m->chunk = c;
		if (own)
			return c->room;
		m->free = c->room;
		m->left = CHUNK;
	}
	p = m->free;
	m->free += size;
	m->left -= size;
	return p;
}

/* The slot where it is, or where it would go. */
static struct object **slot_of(const struct wb_git_memory *m,
			       const unsigned char *raw)
{
	size_t i;

	memcpy(&i, raw, sizeof(i));
	for (i &= m->nslots - 1; m->slot[i]; i = (i + 1) & (m->nslots - 1))
		if (!memcmp(m->slot[i]->raw, raw, WB_GIT_RAW))
			break;
	return &m->slot[i];
}

static void grow(struct wb_git_memory *m)
{
	struct object **old = m->slot;
	size_t n = m->nslots, i;

	m->nslots = 2 * n;
	m->slot = wb_xcalloc(m->nslots, sizeof(*m->slot));
	for (i = 0; i < n; i++)
		if (old[i])
			*slot_of(m, old[i]->raw) = old[i];
	free(old);
}

static int damaged(struct wb_error *err)
{
	return wb_fail(err, WB_E_FATAL, "an object in memory is damaged");
}

/*
 * Puts together what the deltas of o lead to, in m->last. They are followed
 * down to what is whole, or was put together last.
 */
static int build(struct wb_git_memory *m, const struct object *o,
		 struct wb_error *err)
{
	const struct object *chain[MAX_DEPTH], *at = o;
	struct wb_git_object base = WB_GIT_OBJECT_INIT;
	struct wb_buf out = WB_BUF_INIT;
	size_t n = 0;
	int ret = -1;

	for (; at && at->depth && at != m->last_of; at = *slot_of(m, at->like))
		chain[n++] = at;
	if (!n)
		return 0;
	if (at && at == m->last_of) {
		base.data = m->last.ptr;
		base.len = m->last.len;
	} else if (wb_git_object_read(m->g, chain[n - 1]->like, o->kind, &base,
				      err) < 0) {
		return -1;
	}
	m->last_of = NULL;
	while (n--) {
		wb_buf_reset(&out);
		wb_buf_reserve(&out, chain[n]->len);
		if (!wb_delta_apply(base.data, base.len, chain[n]->data,
				    chain[n]->stored, &out) ||
		    out.len != chain[n]->len) {
			damaged(err);
			goto out;
		}
		wb_git_object_release(m->g, &base);
		wb_buf_clear(&m->last);
		m->last = out;
		wb_buf_init(&out);
		base.data = m->last.ptr;
		base.len = m->last.len;
	}
	m->last_of = o;
	ret = 0;
out:
	wb_git_object_release(m->g, &base);
	wb_buf_clear(&out);
	return ret;
}

/* The bytes, borrowed until the next call. */
static int borrow(struct wb_git_memory *m, const struct object *o,
		  const char **data, struct wb_error *err)
{
	if (o->depth && build(m, o, err) < 0)
		return -1;
	*data = o->depth ? m->last.ptr : o->data;
	return 0;
}

int wb_git_memory_get(struct wb_git_memory *m, const unsigned char *raw,
		      enum wb_git_kind *kind, struct wb_git_object *out,
		      struct wb_error *err)
{
	const struct object *o = *slot_of(m, raw);
	const char *data;
	char *copy = NULL;

	if (!o)
		return 0;
	if (borrow(m, o, &data, err) < 0)
		return -1;
	if (o->depth)
		data = copy = memcpy(wb_xmalloc(o->len + 1), data, o->len + 1);
	*kind = o->kind;
	*out = (struct wb_git_object){
		.data = data, .len = o->len, .from = WB_GIT_FROM_MEMORY,
		.handle = copy,
	};
	return 1;
}

bool wb_git_memory_has(const struct wb_git_memory *m, const unsigned char *raw)
{
	return *slot_of(m, raw) != NULL;
}

bool wb_git_memory_kept(const struct wb_git_memory *m,
			const unsigned char *raw, struct wb_git_kept *out)
{
	const struct object *o = *slot_of(m, raw);

	if (o)
		*out = (struct wb_git_kept){
			o->kind, o->depth ? o->like : NULL, o->data, o->stored,
		};
	return o != NULL;
}

bool wb_git_memory_mark(struct wb_git_memory *m, const unsigned char *raw)
{
	struct object *o = *slot_of(m, raw);

	if (!o || o->mark == m->round)
		return false;
	o->mark = m->round;
	return true;
}

void wb_git_memory_unmark(struct wb_git_memory *m)
{
	m->round++;
}

/* It is there already: then with the same bytes. */
static int check_same(struct wb_git_memory *m, const struct object *o,
		      enum wb_git_kind kind, const void *data, size_t len,
		      struct wb_error *err)
{
	const char *there;

	if (kind == o->kind && len == o->len &&
	    borrow(m, o, &there, err) < 0)
		return -1;
	if (kind != o->kind || len != o->len || memcmp(there, data, len))
		return wb_fail(err, WB_E_FATAL, "refused: two contents have "
			       "the same SHA-1, which is an attack");
	return 0;
}

/* How many deltas lead to like, itself one; 0: it may not be built on. */
static unsigned depth_on(const struct wb_git_memory *m,
			 const struct wb_git_like *like, size_t len)
{
	const struct object *o;

	if (!like || len < LARGE || like->len < LARGE)
		return 0;
	o = *slot_of(m, like->raw);
	return o ? (o->depth + 1) % MAX_DEPTH : 1;
}

int wb_git_memory_put(struct wb_git_memory *m, const unsigned char *raw,
		      enum wb_git_kind kind, const void *data, size_t len,
		      const struct wb_git_like *like, struct wb_error *err)
{
	struct object *o = *slot_of(m, raw);
	struct wb_buf delta = WB_BUF_INIT;
	unsigned depth;
	char *copy;

	if (o)
		return check_same(m, o, kind, data, len, err);
	depth = depth_on(m, like, len);
	if (depth) {
		wb_delta_make(like->data, like->len, data, len, &delta);
		if (delta.len > len / 2)
			depth = 0;
	}
	o = take(m, sizeof(*o));
	*o = (struct object){
		.kind = kind, .depth = depth, .len = len,
		.stored = depth ? delta.len : len,
	};
	memcpy(o->raw, raw, WB_GIT_RAW);
	if (depth)
		memcpy(o->like, like->raw, WB_GIT_RAW);
	/* readers count on a NUL behind the bytes */
	copy = take(m, o->stored + 1);
	memcpy(copy, depth ? delta.ptr : data, o->stored);
	copy[o->stored] = '\0';
	o->data = copy;
	wb_buf_clear(&delta);
	if (2 * ++m->n > m->nslots)
		grow(m);
	*slot_of(m, raw) = o;
	return 0;
}

/* ---- what libgit2 sees ------------------------------------------------- */

static const git_object_t type_of[] = {
	[WB_GIT_TREE] = GIT_OBJECT_TREE,
	[WB_GIT_BLOB] = GIT_OBJECT_BLOB,
	[WB_GIT_COMMIT] = GIT_OBJECT_COMMIT,
};

static struct wb_git_memory *memory(git_odb_backend *b)
{
	return (struct wb_git_memory *)b;
}

static int mem_read(void **data, size_t *len, git_object_t *type,
		    git_odb_backend *b, const git_oid *id)
{
	const struct object *o = *slot_of(memory(b), id->id);
	struct wb_error err = WB_ERROR_INIT;
	const char *bytes;

	if (!o)
		return GIT_ENOTFOUND;
	if (borrow(memory(b), o, &bytes, &err) < 0) {
		git_error_set_str(GIT_ERROR_ODB, err.msg);
		wb_error_clear(&err);
		return -1;
	}
	*data = git_odb_backend_data_alloc(b, o->len + 1);
	if (!*data)
		return -1;
	memcpy(*data, bytes, o->len);
	*len = o->len;
	*type = type_of[o->kind];
	return 0;
}

static int mem_read_header(size_t *len, git_object_t *type, git_odb_backend *b,
			   const git_oid *id)
{
	const struct object *o = *slot_of(memory(b), id->id);

	if (!o)
		return GIT_ENOTFOUND;
	*len = o->len;
	*type = type_of[o->kind];
	return 0;
}

static int mem_exists(git_odb_backend *b, const git_oid *id)
{
	return *slot_of(memory(b), id->id) != NULL;
}

static int mem_write(git_odb_backend *b, const git_oid *id, const void *data,
		     size_t len, git_object_t type)
{
	struct wb_error err = WB_ERROR_INIT;
	enum wb_git_kind kind = WB_GIT_TREE;
	int code;

	while (type_of[kind] != type)
		if (++kind > WB_GIT_COMMIT)
			return GIT_EINVALID;
	code = wb_git_memory_put(memory(b), id->id, kind, data, len, NULL,
				 &err);
	if (code < 0)
		git_error_set_str(GIT_ERROR_ODB, err.msg);
	wb_error_clear(&err);
	return code;
}

static void mem_free(git_odb_backend *b)
{
	struct wb_git_memory *m = memory(b);
	struct chunk *c;

	while ((c = m->chunk)) {
		m->chunk = c->next;
		free(c);
	}
	wb_buf_clear(&m->last);
	free(m->slot);
	free(m);
}

int wb_git_memory_new(struct wb_git *g, struct git_odb *odb,
		      struct wb_git_memory **out)
{
	struct wb_git_memory *m = wb_xcalloc(1, sizeof(*m));
	int code;

	m->g = g;
	m->nslots = 1024;
	m->round = 1;
	m->slot = wb_xcalloc(m->nslots, sizeof(*m->slot));
	wb_buf_init(&m->last);
	code = git_odb_init_backend(&m->parent, GIT_ODB_BACKEND_VERSION);
	m->parent.read = mem_read;
	m->parent.read_header = mem_read_header;
	m->parent.exists = mem_exists;
	m->parent.write = mem_write;
	m->parent.free = mem_free;
	if (code == 0)
		code = git_odb_add_backend(odb, &m->parent, 999);
	if (code < 0) {
		mem_free(&m->parent);
		return code;
	}
	*out = m;
	return 0;
}
