#include "git-pack.h"
#include "git-memory.h"
#include "hash.h"
#include "zip.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct entry {
	const unsigned char *raw;
	uint64_t offset;
	uint32_t crc;
};

/* A file that is hashed as it is written. */
struct sink {
	char *path;
	int fd;
	struct wb_sha1 *sum;
	struct wb_buf wait;	/* not written yet */
	uint64_t at;		/* where in the file the next byte goes */
};

static int open_sink(struct sink *s, const char *dir, const char *kind,
		     struct wb_error *err)
{
	wb_buf_init(&s->wait);
	s->at = 0;
	s->sum = NULL;
	s->path = wb_xasprintf("%s/tmp_%s_XXXXXX", dir, kind);
	s->fd = mkstemp(s->path);
	if (s->fd < 0) {
		wb_fail_errno(err, "%s", dir);
		free(s->path);
		s->path = NULL;
		return -1;
	}
	s->sum = wb_sha1_new();
	return 0;
}

static int flush(struct sink *s, struct wb_error *err)
{
	size_t done = 0;
	ssize_t n;

	while (done < s->wait.len) {
		n = write(s->fd, s->wait.ptr + done, s->wait.len - done);
		if (n < 0 && errno != EINTR)
			return wb_fail_errno(err, "%s", s->path);
		done += n > 0 ? (size_t)n : 0;
	}
	wb_buf_reset(&s->wait);
	return 0;
}

static int put(struct sink *s, const void *data, size_t len,
	       struct wb_error *err)
{
	wb_sha1_add(s->sum, data, len);
	wb_buf_add(&s->wait, data, len);
	s->at += len;
	return s->wait.len < (size_t)1 << 20 ? 0 : flush(s, err);
}

/* Highest byte first. */
static int put_number(struct sink *s, uint64_t value, int bytes,
		      struct wb_error *err)
{
	unsigned char b[8];
	int i;

	for (i = 0; i < bytes; i++)
		b[i] = (unsigned char)(value >> 8 * (bytes - 1 - i));
	return put(s, b, (size_t)bytes, err);
}

/* Ends the file with its hash; it is on the disk then, under its own name. */
static int close_sink(struct sink *s, const char *path, unsigned char *raw,
		      struct wb_error *err)
{
	wb_sha1_end(s->sum, raw);
	s->sum = NULL;
	wb_buf_add(&s->wait, raw, WB_GIT_RAW);
	if (flush(s, err) < 0)
		return -1;
	if (fchmod(s->fd, 0444) < 0 || fsync(s->fd) < 0)
		return wb_fail_errno(err, "%s", s->path);
	if (path && rename(s->path, path) < 0)
		return wb_fail_errno(err, "%s", path);
	return 0;
}

static void clear_sink(struct sink *s)
{
	unsigned char raw[WB_GIT_RAW];

	if (s->sum)
		wb_sha1_end(s->sum, raw);
	if (s->fd >= 0)
		close(s->fd);
	if (s->path)
		unlink(s->path);	/* when it has not got its name */
	free(s->path);
	wb_buf_clear(&s->wait);
}

static int by_raw(const void *a, const void *b)
{
	const struct entry *const *x = a, *const *y = b;

	return memcmp((*x)->raw, (*y)->raw, WB_GIT_RAW);
}

struct pack {
	struct wb_git *g;
	struct sink file;
	struct entry *entry, **sorted;
	size_t n;
	struct wb_buf one;	/* the object at hand, as the pack has it */
};

static bool holds(const struct pack *p, const unsigned char *raw)
{
	struct entry key = { .raw = raw }, *k = &key;

	return bsearch(&k, p->sorted, p->n, sizeof(k), by_raw) != NULL;
}

static void add_head(struct wb_buf *out, unsigned type, size_t len)
{
	unsigned c = type << 4 | (len & 15);

	for (len >>= 4; len; len >>= 7) {
		wb_buf_addch(out, (char)(c | 0x80));
		c = len & 0x7f;
	}
	wb_buf_addch(out, (char)c);
}

#define REF_DELTA 7
static const unsigned type_of[] = {
	[WB_GIT_COMMIT] = 1,
	[WB_GIT_TREE] = 2,
	[WB_GIT_BLOB] = 3,
};

static int add_object(struct pack *p, struct entry *e, struct wb_error *err)
{
	struct wb_git_object o = WB_GIT_OBJECT_INIT;
	struct wb_git_kept kept;
	bool there = wb_git_memory_kept(wb_git_memory(p->g), e->raw, &kept);

	assert(there);
	(void)there;
	wb_buf_reset(&p->one);
	if (kept.like && holds(p, kept.like)) {
		add_head(&p->one, REF_DELTA, kept.stored);
		wb_buf_add(&p->one, kept.like, WB_GIT_RAW);
		wb_zip_store(kept.data, kept.stored, &p->one);
	} else {
		if (wb_git_object_read(p->g, e->raw, kept.kind, &o, err) < 0)
			return -1;
		add_head(&p->one, type_of[kept.kind], o.len);
		wb_zip_store(o.data, o.len, &p->one);
		wb_git_object_release(p->g, &o);
	}
	e->offset = p->file.at;
	e->crc = wb_zip_crc(p->one.ptr, p->one.len);
	return put(&p->file, p->one.ptr, p->one.len, err);
}

static int write_pack(struct pack *p, const char *dir, unsigned char *sum,
		      struct wb_error *err)
{
	size_t i;

	if (open_sink(&p->file, dir, "pack", err) < 0 ||
	    put(&p->file, "PACK", 4, err) < 0 ||
	    put_number(&p->file, 2, 4, err) < 0 ||
	    put_number(&p->file, p->n, 4, err) < 0)
		return -1;
	for (i = 0; i < p->n; i++)
		if (add_object(p, &p->entry[i], err) < 0)
			return -1;
	return close_sink(&p->file, NULL, sum, err);
}

/* Offsets of more than 31 bits stand in a table of their own. */
static int put_offsets(const struct pack *p, struct sink *s,
		       struct wb_error *err)
{
	const uint64_t most = (uint64_t)1 << 31;
	uint64_t large = 0;
	size_t i;

	for (i = 0; i < p->n; i++)
		if (put_number(s, p->sorted[i]->offset < most ?
			       p->sorted[i]->offset : most | large++, 4,
			       err) < 0)
			return -1;
	for (i = 0; i < p->n; i++)
		if (p->sorted[i]->offset >= most &&
		    put_number(s, p->sorted[i]->offset, 8, err) < 0)
			return -1;
	return 0;
}

static int put_index(const struct pack *p, struct sink *s,
		     const unsigned char *sum, struct wb_error *err)
{
	size_t i = 0;
	unsigned first;

	if (put(s, "\377tOc", 4, err) < 0 || put_number(s, 2, 4, err) < 0)
		return -1;
	for (first = 0; first < 256; first++) {
		while (i < p->n && p->sorted[i]->raw[0] <= first)
			i++;
		if (put_number(s, i, 4, err) < 0)
			return -1;
	}
	for (i = 0; i < p->n; i++)
		if (put(s, p->sorted[i]->raw, WB_GIT_RAW, err) < 0)
			return -1;
	for (i = 0; i < p->n; i++)
		if (put_number(s, p->sorted[i]->crc, 4, err) < 0)
			return -1;
	return put_offsets(p, s, err) < 0 ? -1 : put(s, sum, WB_GIT_RAW, err);
}

/* Names last as long as the folder that holds them. */
static int sync_folder(const char *dir, struct wb_error *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;

	if (fd < 0 || fsync(fd) < 0)
		ret = wb_fail_errno(err, "%s", dir);
	if (fd >= 0)
		close(fd);
	return ret;
}

/* The pack gets its name, then the index its own, which makes it count. */
static int write_index(struct pack *p, const char *dir,
		       const unsigned char *sum, struct wb_error *err)
{
	struct sink index = { .fd = -1 };
	unsigned char own[WB_GIT_RAW];
	struct wb_oid id;
	char *pack, *idx;
	int ret = -1;

	wb_oid_from_raw(&id, sum);
	pack = wb_xasprintf("%s/pack-%s.pack", dir, id.hex);
	idx = wb_xasprintf("%s/pack-%s.idx", dir, id.hex);
	if (open_sink(&index, dir, "idx", err) < 0 ||
	    put_index(p, &index, sum, err) < 0)
		goto out;
	if (rename(p->file.path, pack) < 0) {
		wb_fail_errno(err, "%s", pack);
		goto out;
	}
	if (close_sink(&index, idx, own, err) == 0)
		ret = sync_folder(dir, err);
out:
	clear_sink(&index);
	free(pack);
	free(idx);
	return ret;
}

int wb_git_pack_write(struct wb_git *g, const struct wb_git_packed *object,
		      size_t n, const char *dir, struct wb_error *err)
{
	struct pack p = { .g = g, .file = { .fd = -1 }, .n = n };
	unsigned char sum[WB_GIT_RAW];
	size_t i;
	int ret = -1;

	wb_buf_init(&p.one);
	p.entry = wb_xcalloc(n, sizeof(*p.entry));
	p.sorted = wb_xcalloc(n, sizeof(*p.sorted));
	for (i = 0; i < n; i++) {
		p.entry[i].raw = object[i].raw;
		p.sorted[i] = &p.entry[i];
	}
	qsort(p.sorted, n, sizeof(*p.sorted), by_raw);
	if (write_pack(&p, dir, sum, err) == 0)
		ret = write_index(&p, dir, sum, err);
	clear_sink(&p.file);
	wb_buf_clear(&p.one);
	free(p.entry);
	free(p.sorted);
	return ret;
}
