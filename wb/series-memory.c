#include "series-memory.h"
#include "path.h"

#include <stdlib.h>
#include <string.h>

#define MAX_FILE ((size_t)64 << 20)

struct wb_hash *wb_memory_key(const struct wb_oid *base,
			      const struct wb_apply_rules *r)
{
	struct wb_hash *h = wb_hash_new();
	size_t rules[] = {
		r->place.offset, r->place.git, r->place.fuzz, r->git,
		r->remove_empty, r->stubs, r->header_only,
	};

	wb_hash_addstr(h, "stack 1 " WB_SOURCES);
	wb_hash_addstr(h, base->hex);
	wb_hash_add(h, rules, sizeof(rules));
	return h;
}

void wb_memory_add(struct wb_memory *m, const struct wb_oid *tree,
		   const struct wb_applied *applied)
{
	struct wb_memory_patch *p;
	struct wb_shift s;
	size_t i;

	m->patch = wb_grow(m->patch, m->n, &m->cap, sizeof(*m->patch));
	p = &m->patch[m->n++];
	memset(p, 0, sizeof(*p));
	p->tree = *tree;
	p->applied.stubs = applied->stubs;
	p->applied.dropped = applied->dropped;
	for (i = 0; i < applied->n; i++) {
		s = applied->shift[i];
		s.path = wb_xstrdup(s.path);
		p->applied.shift = wb_grow(p->applied.shift, i,
					   &p->applied.cap, sizeof(s));
		p->applied.shift[p->applied.n++] = s;
	}
}

void wb_memory_clear(struct wb_memory *m)
{
	size_t i;

	for (i = 0; i < m->n; i++)
		wb_applied_clear(&m->patch[i].applied);
	free(m->patch);
	memset(m, 0, sizeof(*m));
}

static char *file_of(const char *dir)
{
	struct wb_error none = WB_ERROR_INIT;
	char *cache = wb_path_cache_dir(&none), *real, *file;
	struct wb_hash *h;
	char name[65];

	/* without a cache folder there is nothing to remember in */
	if (!cache)
		return NULL;
	real = realpath(dir, NULL);
	h = wb_hash_new();
	wb_hash_addstr(h, real ? real : dir);
	wb_hash_end(h, name);
	file = wb_xasprintf("%s/series/%s", cache, name);
	free(real);
	free(cache);
	return file;
}

static void sum(const char *text, size_t len, char hex[65])
{
	struct wb_hash *h = wb_hash_new();

	wb_hash_add(h, text, len);
	wb_hash_end(h, hex);
}

/*
 * The file: the key; per patch "TREE SHIFTS STUBS DROPPED" and a line "HUNK
 * WHERE LINE OFFSET FUZZ PATH" for each shift; the checksum of all that.
 */
static void write_text(const struct wb_memory *m, struct wb_buf *out)
{
	const struct wb_applied *a;
	const struct wb_shift *s;
	char hex[65];
	size_t i, k;

	wb_buf_addf(out, "%s\n", m->key);
	for (i = 0; i < m->n; i++) {
		a = &m->patch[i].applied;
		wb_buf_addf(out, "%s %zu %zu %zu\n", m->patch[i].tree.hex, a->n,
			    a->stubs, a->dropped);
		for (k = 0; k < a->n; k++) {
			s = &a->shift[k];
			wb_buf_addf(out, "%zu %zu %zu %ld %zu %s\n", s->hunk,
				    s->where, s->line, s->offset, s->fuzz,
				    s->path);
		}
	}
	sum(out->ptr, out->len, hex);
	wb_buf_addf(out, "%s\n", hex);
}

static bool number(const char **p, size_t *out)
{
	char *end;

	if (**p < '0' || **p > '9')
		return false;
	*out = strtoul(*p, &end, 10);
	*p = end + (*end == ' ' || *end == '\n');
	return true;
}

static bool read_shift(const char **p, struct wb_applied *a)
{
	struct wb_shift s = { .path = NULL };
	const char *nl;
	char *end;

	if (!number(p, &s.hunk) || !number(p, &s.where) || !number(p, &s.line))
		return false;
	s.offset = strtol(*p, &end, 10);
	*p = end + 1;
	nl = number(p, &s.fuzz) ? strchr(*p, '\n') : NULL;
	if (!nl)
		return false;
	s.path = wb_xstrndup(*p, (size_t)(nl - *p));
	*p = nl + 1;
	a->shift = wb_grow(a->shift, a->n, &a->cap, sizeof(s));
	a->shift[a->n++] = s;
	return true;
}

static bool read_patch(const char **p, struct wb_memory *m)
{
	struct wb_applied none = { .n = 0 }, *a;
	struct wb_oid tree;
	size_t shifts;

	if (strspn(*p, "0123456789abcdef") != 40)
		return false;
	memcpy(tree.hex, *p, 40);
	tree.hex[40] = '\0';
	*p += 41;
	wb_memory_add(m, &tree, &none);
	a = &m->patch[m->n - 1].applied;
	if (!number(p, &shifts) || !number(p, &a->stubs) ||
	    !number(p, &a->dropped))
		return false;
	while (shifts--)
		if (!read_shift(p, a))
			return false;
	return true;
}

static bool read_text(struct wb_memory *m, const struct wb_buf *text, size_t n)
{
	const char *p = text->ptr, *end;
	char hex[65];

	if (text->len < 2 * 65 || strlen(p) != text->len ||
	    memcmp(p, m->key, 64))
		return false;
	end = p + text->len - 65;
	sum(p, (size_t)(end - p), hex);
	if (memcmp(hex, end, 64))
		return false;
	p += 65;
	while (p < end)
		if (!read_patch(&p, m))
			return false;
	return p == end && m->n == n;
}

bool wb_memory_recall(struct wb_memory *m, const char *dir, size_t n)
{
	struct wb_error none = WB_ERROR_INIT;
	struct wb_buf text = WB_BUF_INIT;
	char *file = file_of(dir), key[65];
	bool there = false, good;

	/* what cannot be read is not remembered */
	good = file && !wb_path_read(file, MAX_FILE, &text, &there, &none) &&
	       there && read_text(m, &text, n);
	if (!good) {
		memcpy(key, m->key, sizeof(key));
		wb_memory_clear(m);
		memcpy(m->key, key, sizeof(key));
	}
	wb_buf_clear(&text);
	free(file);
	return good;
}

static bool writable(const struct wb_memory *m)
{
	size_t i, k;

	for (i = 0; i < m->n; i++)
		for (k = 0; k < m->patch[i].applied.n; k++)
			if (strchr(m->patch[i].applied.shift[k].path, '\n'))
				return false;
	return true;
}

void wb_memory_keep(const struct wb_memory *m, const char *dir)
{
	struct wb_error why = WB_ERROR_INIT;
	struct wb_buf text = WB_BUF_INIT;
	char *file = file_of(dir), *slash;

	if (!file || !writable(m))
		goto out;
	write_text(m, &text);
	slash = strrchr(file, '/');
	*slash = '\0';
	if (wb_path_make(file, &why) == 0) {
		*slash = '/';
		wb_path_write(file, text.ptr, text.len, &why);
	}
	/* the stack is loaded, which is what was asked for */
	if (why.kind != WB_E_NONE)
		wb_talk("not remembered: %s", why.msg);
out:
	wb_buf_clear(&text);
	free(file);
}
