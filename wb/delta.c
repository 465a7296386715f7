#include "delta.h"

#include <stdlib.h>
#include <string.h>

struct maker {
	const char *old, *new;
	struct wb_buf *out;
	size_t pending;		/* new text that is not in out yet, from here */
};

static void put_size(struct wb_buf *out, size_t n)
{
	for (; n >= 0x80; n >>= 7)
		wb_buf_addch(out, (char)(n | 0x80));
	wb_buf_addch(out, (char)n);
}

/* New text as it is, up to 127 bytes a time. */
static void put_text(struct maker *m, size_t end)
{
	size_t n;

	for (; m->pending < end; m->pending += n) {
		n = end - m->pending < 0x7f ? end - m->pending : 0x7f;
		wb_buf_addch(m->out, (char)n);
		wb_buf_add(m->out, m->new + m->pending, n);
	}
}

/* Bytes of the old text: only those digits of the numbers that are not 0. */
static void put_copy(struct wb_buf *out, size_t from, size_t n)
{
	size_t op = out->len;
	unsigned i, which = 0x80;

	wb_buf_addch(out, 0);
	for (i = 0; i < 4; i++) {
		if (from >> 8 * i & 0xff) {
			wb_buf_addch(out, (char)(from >> 8 * i));
			which |= 1u << i;
		}
	}
	for (i = 0; i < 3; i++) {
		if (n >> 8 * i & 0xff) {
			wb_buf_addch(out, (char)(n >> 8 * i));
			which |= 0x10u << i;
		}
	}
	out->ptr[op] = (char)which;
}

#define MAX_COPY ((size_t)0xffffff)

/* n bytes of the old text from `from` are those of the new one from `at`. */
static void share(struct maker *m, size_t from, size_t at, size_t n)
{
	size_t some;

	put_text(m, at);
	m->pending = at + n;
	for (; n; from += some, n -= some) {
		some = n < MAX_COPY ? n : MAX_COPY;
		put_copy(m->out, from, some);
	}
}

#define BLOCK ((size_t)64)
#define FACTOR 0x9e3779b97f4a7c15u

static uint64_t block_hash(const char *p)
{
	uint64_t h = 0;
	size_t i;

	for (i = 0; i < BLOCK; i++)
		h = h * FACTOR + (unsigned char)p[i];
	return h;
}

/* Blocks of the old text by hash; 0: none, else its number and one. */
struct blocks {
	uint32_t *slot;
	unsigned shift;
};

static void index_blocks(struct blocks *b, const char *p, size_t n)
{
	size_t i, bits = 4;

	while (((size_t)1 << bits) < 2 * (n / BLOCK))
		bits++;
	b->shift = 64 - (unsigned)bits;
	b->slot = wb_xcalloc((size_t)1 << bits, sizeof(*b->slot));
	for (i = n / BLOCK; i-- > 0;)
		b->slot[block_hash(p + i * BLOCK) * FACTOR >> b->shift] =
			(uint32_t)i + 1;
}

static size_t same_from(const char *a, const char *b, size_t most)
{
	size_t n = 0;

	while (most - n >= BLOCK && !memcmp(a + n, b + n, BLOCK))
		n += BLOCK;
	while (n < most && a[n] == b[n])
		n++;
	return n;
}

static size_t same_to(const char *a, const char *b, size_t most)
{
	size_t n = 0;

	while (most - n >= BLOCK &&
	       !memcmp(a - n - BLOCK, b - n - BLOCK, BLOCK))
		n += BLOCK;
	while (n < most && a[-1 - (long)n] == b[-1 - (long)n])
		n++;
	return n;
}

/* What old[from..old_end-1] and new[pending..new_end-1] share. */
static void share_blocks(struct maker *m, size_t from, size_t old_end,
			 size_t new_end)
{
	size_t at = m->pending, n, k;
	struct blocks b;
	uint64_t h, last = 1;
	uint32_t hit;

	if (old_end - from < BLOCK || new_end - at < BLOCK)
		return;
	index_blocks(&b, m->old + from, old_end - from);
	for (n = 1; n < BLOCK; n++)
		last *= FACTOR;
	h = block_hash(m->new + at);
	while (at + BLOCK <= new_end) {
		hit = b.slot[h * FACTOR >> b.shift];
		k = from + (hit - (size_t)1) * BLOCK;
		n = hit ? same_from(m->old + k, m->new + at,
				    old_end - k < new_end - at ?
				    old_end - k : new_end - at) : 0;
		if (n >= BLOCK) {
			share(m, k, at, n);
			at += n;
			if (at + BLOCK <= new_end)
				h = block_hash(m->new + at);
			continue;
		}
		h -= (unsigned char)m->new[at] * last;
		if (at + BLOCK < new_end)
			h = h * FACTOR + (unsigned char)m->new[at + BLOCK];
		at++;
	}
	free(b.slot);
}

void wb_delta_make(const char *old, size_t nold, const char *new, size_t nnew,
		   struct wb_buf *out)
{
	struct maker m = { .old = old, .new = new, .out = out };
	size_t least = nold < nnew ? nold : nnew;
	size_t head = same_from(old, new, least);
	size_t tail = same_to(old + nold, new + nnew, least - head);

	put_size(out, nold);
	put_size(out, nnew);
	share(&m, 0, 0, head);
	share_blocks(&m, head, nold - tail, nnew - tail);
	share(&m, nold - tail, nnew - tail, tail);
}

struct reader {
	const unsigned char *p, *end;
};

/* A number in groups of seven bits, lowest first. */
static bool read_size(struct reader *d, size_t *out)
{
	unsigned shift = 0;

	*out = 0;
	while (d->p < d->end && shift < 56) {
		*out |= (size_t)(*d->p & 0x7f) << shift;
		shift += 7;
		if (!(*d->p++ & 0x80))
			return true;
	}
	return false;
}

/* The bytes of a number that the low bits of which say are there. */
static bool read_some(struct reader *d, unsigned which, unsigned n,
		      size_t *out)
{
	unsigned i;

	*out = 0;
	for (i = 0; i < n; i++) {
		if (!(which & 1u << i))
			continue;
		if (d->p == d->end)
			return false;
		*out |= (size_t)*d->p++ << (8 * i);
	}
	return true;
}

static bool step(struct reader *d, const char *old, size_t len,
		 struct wb_buf *out, size_t room)
{
	unsigned op = *d->p++;
	size_t from, n;

	if (!(op & 0x80)) {
		if (!op || op > (size_t)(d->end - d->p) || op > room)
			return false;
		wb_buf_add(out, d->p, op);
		d->p += op;
		return true;
	}
	if (!read_some(d, op & 0xf, 4, &from) ||
	    !read_some(d, op >> 4 & 7, 3, &n))
		return false;
	if (!n)
		n = 0x10000;
	if (from > len || n > len - from || n > room)
		return false;
	wb_buf_add(out, old + from, n);
	return true;
}

bool wb_delta_sizes(const char *delta, size_t len, size_t *nold, size_t *nnew)
{
	struct reader d = { (const unsigned char *)delta,
			    (const unsigned char *)delta + len };

	return read_size(&d, nold) && read_size(&d, nnew);
}

bool wb_delta_apply(const char *old, size_t nold, const char *delta,
		    size_t len, struct wb_buf *out)
{
	struct reader d = { (const unsigned char *)delta,
			    (const unsigned char *)delta + len };
	size_t start = out->len, from, to;

	if (!read_size(&d, &from) || !read_size(&d, &to) || from != nold)
		return false;
	while (d.p < d.end)
		if (!step(&d, old, nold, out, start + to - out->len))
			return false;
	return out->len - start == to;
}
