#include "mbox-series.h"
#include "mbox-subject.h"
#include "mime.h"

#include <stdlib.h>
#include <string.h>

/* More patches than that no series has. */
#define MAX_N 10000

/* A message that holds a patch. */
struct letter {
	const struct wb_mbox_message *from;
	struct wb_mime_mail mail;
	struct wb_mbox_subject subject;
	bool placed;
};

struct pile {
	struct letter *v;
	size_t n, cap;
	const char *shown;
};

static bool has_line(const char *p, const char *end, const char *words)
{
	size_t n = strlen(words);

	for (; p && (size_t)(end - p) >= n; p = memchr(p, '\n',
						(size_t)(end - p))) {
		p += *p == '\n';
		if ((size_t)(end - p) >= n && !memcmp(p, words, n))
			return true;
	}
	return false;
}

static bool has_diff(const struct wb_buf *b)
{
	const char *end = b->ptr + b->len;

	return has_line(b->ptr, end, "diff --git ") ||
	       (has_line(b->ptr, end, "@@ -") &&
		(has_line(b->ptr, end, "+++ ") ||
		 has_line(b->ptr, end, "Index: ")));
}

static int by_id(const void *a, const void *b)
{
	const struct letter *x = *(const struct letter *const *)a;
	const struct letter *y = *(const struct letter *const *)b;
	int c = strcmp(x->mail.id ? x->mail.id : "",
		       y->mail.id ? y->mail.id : "");

	return c ? c : (x > y) - (x < y);
}

/* The letters by their ids; those without one come first. */
static struct letter **index_ids(const struct pile *p)
{
	struct letter **by = wb_xcalloc(p->n, sizeof(*by));
	size_t i;

	for (i = 0; i < p->n; i++)
		by[i] = &p->v[i];
	if (p->n)
		qsort(by, p->n, sizeof(*by), by_id);
	return by;
}

/* A list's copy of a message that came directly as well is no second patch. */
static void drop_copies(struct pile *p)
{
	struct letter **by = index_ids(p);
	size_t i, k = 0;

	for (i = 1; i < p->n; i++)
		if (by[i]->mail.id && by[i - 1]->mail.id &&
		    !strcmp(by[i]->mail.id, by[i - 1]->mail.id))
			by[i]->placed = true;
	free(by);
	for (i = 0; i < p->n; i++) {
		if (p->v[i].placed)
			wb_mime_clear(&p->v[i].mail);
		else
			p->v[k++] = p->v[i];
	}
	p->n = k;
}

static int read_letters(struct pile *p, const struct wb_mbox *m,
			struct wb_error *err)
{
	struct letter *l;
	size_t i;

	for (i = 0; i < m->n; i++) {
		p->v = wb_grow(p->v, p->n, &p->cap, sizeof(*p->v));
		l = &p->v[p->n];
		memset(l, 0, sizeof(*l));
		l->from = &m->message[i];
		if (wb_mime_read(&l->mail, l->from->text, l->from->len,
				 err) < 0)
			return wb_fail_at(err, "%s:%zu", l->from->file,
					  l->from->line + 1);
		wb_mbox_subject_read(&l->subject, l->mail.subject ?
				     l->mail.subject : "");
		if (l->subject.reply || !has_diff(&l->mail.body))
			wb_mime_clear(&l->mail);
		else
			p->n++;
	}
	drop_copies(p);
	return 0;
}

static void add_header(struct wb_buf *out, const char *key, const char *value,
		       const char *before, const char *after)
{
	if (value)
		wb_buf_addf(out, "%s: %s%s%s\n", key, before, value, after);
}

static void take(struct wb_mbox_series *s, struct letter *l, long number)
{
	struct wb_buf name = WB_BUF_INIT;
	struct wb_mbox_patch *p;
	const struct wb_mbox_message *from = l->from;

	s->patch = wb_grow(s->patch, s->n, &s->cap, sizeof(*s->patch));
	p = &s->patch[s->n++];
	wb_mbox_subject_name(&l->subject, number, &name);
	*p = (struct wb_mbox_patch){
		.name = wb_buf_detach(&name), .flowed = l->mail.flowed,
	};
	wb_buf_init(&p->text);
	l->placed = true;
	if (l->mail.as_is) {
		p->shown = wb_xstrdup(from->file);
		p->line = from->line;
		wb_buf_add(&p->text, from->text, from->len);
		return;
	}
	p->shown = wb_xasprintf("%s:%zu: as decoded", from->file,
				from->line + 1);
	wb_buf_addf(&p->text, "From: %s\nDate: %s\nSubject: %s\n",
		    l->mail.from ? l->mail.from : "",
		    l->mail.date ? l->mail.date : "",
		    l->mail.subject ? l->mail.subject : "");
	add_header(&p->text, "Message-ID", l->mail.id, "<", ">");
	add_header(&p->text, "In-Reply-To", l->mail.reply_to, "<", ">");
	add_header(&p->text, "To", l->mail.to, "", "");
	add_header(&p->text, "Cc", l->mail.cc, "", "");
	wb_buf_addch(&p->text, '\n');
	wb_buf_add(&p->text, l->mail.body.ptr, l->mail.body.len);
}

/* What l answers, if it is here and not placed yet. */
static struct letter *answered(const struct pile *p, struct letter **by,
			       const struct letter *l)
{
	size_t lo = 0, hi = p->n, mid;
	int c;

	while (l->mail.reply_to && lo < hi) {
		mid = lo + (hi - lo) / 2;
		c = strcmp(l->mail.reply_to, by[mid]->mail.id ?
			   by[mid]->mail.id : "");
		if (!c)
			return by[mid]->placed ? NULL : by[mid];
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

/* Patches without numbers. A loop of answers is cut where it was entered. */
static void take_plain(struct wb_mbox_series *s, struct pile *p)
{
	struct letter **by = index_ids(p), **chain;
	size_t i, depth;

	chain = wb_xcalloc(p->n, sizeof(*chain));
	for (i = 0; i < p->n; i++) {
		struct letter *l = &p->v[i];

		for (depth = 0; l && !l->placed && depth < p->n; depth++) {
			chain[depth] = l;
			l = answered(p, by, l);
		}
		while (depth--)
			if (!chain[depth]->placed)
				take(s, chain[depth], (long)s->n + 1);
	}
	free(chain);
	free(by);
}

/* The letter of each number of one version; NULL: missing. */
static int fill_slots(struct pile *p, int version, long n,
		      struct letter **slot, struct wb_error *err)
{
	struct letter *l;
	size_t i;

	for (i = 0; i < p->n; i++) {
		l = &p->v[i];
		if (!l->subject.n || l->subject.version != version ||
		    !l->subject.i)
			continue;
		if (l->subject.n != n)
			return wb_fail(err, WB_E_FATAL, "%s:%zu: a series of "
				       "%ld and one of %ld patches: keep one "
				       "of them in the mailbox", l->from->file,
				       l->from->line + 1, n, l->subject.n);
		if (l->subject.i > n)
			return wb_fail(err, WB_E_FATAL, "%s:%zu: number %ld "
				       "of %ld", l->from->file,
				       l->from->line + 1, l->subject.i, n);
		if (slot[l->subject.i])
			wb_warn("%s:%zu: patch %ld/%ld is there twice; the "
				"later one counts", l->from->file,
				l->from->line + 1, l->subject.i, n);
		slot[l->subject.i] = l;
	}
	return 0;
}

/* The rest of a new version that answers single patches of the old one. */
static void inherit(struct letter **slot, struct letter **old, long n)
{
	bool answers = false;
	long i;

	for (i = 1; i <= n && !answers; i++)
		answers = slot[i] && old[i] && old[i]->mail.id &&
			  slot[i]->mail.reply_to &&
			  !strcmp(slot[i]->mail.reply_to, old[i]->mail.id);
	for (i = 1; i <= n && answers; i++)
		if (!slot[i])
			slot[i] = old[i];
}

static int check_whole(const struct pile *p, struct letter **slot, long n,
		       struct wb_error *err)
{
	struct wb_buf list = WB_BUF_INIT;
	size_t gone = 0;
	long i;

	for (i = 1; i <= n; i++)
		if (!slot[i] && gone++ < 10)
			wb_buf_addf(&list, "%s%ld", list.len ? ", " : "", i);
	if (gone)
		wb_fail(err, WB_E_FATAL, "%s: of %ld patches %s%s %s missing, "
			"or without a diff: save the whole thread", p->shown,
			n, list.ptr, gone > 10 ? ", ..." : "",
			gone > 1 ? "are" : "is");
	wb_buf_clear(&list);
	return gone ? -1 : 0;
}

/* newest: of the numbered letters, one of the highest version. */
static int take_numbered(struct wb_mbox_series *s, struct pile *p,
			 const struct letter *newest, struct wb_error *err)
{
	long n = newest->subject.n, i;
	struct letter **slot, **old;
	int ret = -1;

	if (n > MAX_N)
		return wb_fail(err, WB_E_FATAL, "%s:%zu: refused: a series of "
			       "%ld patches", newest->from->file,
			       newest->from->line + 1, n);
	slot = wb_xcalloc((size_t)n + 1, sizeof(*slot));
	old = wb_xcalloc((size_t)n + 1, sizeof(*old));
	if (fill_slots(p, newest->subject.version, n, slot, err) < 0)
		goto out;
	if (newest->subject.version > 1) {
		struct wb_error none = WB_ERROR_INIT;

		/* an older version of other size has nothing to give */
		if (fill_slots(p, newest->subject.version - 1, n, old,
			       &none) == 0)
			inherit(slot, old, n);
	}
	if (check_whole(p, slot, n, err) < 0)
		goto out;
	for (i = 1; i <= n; i++)
		take(s, slot[i], i);
	for (i = 0; i < (long)p->n; i++)
		if (!p->v[i].subject.n)
			wb_warn("%s:%zu: a patch without a number beside "
				"numbered ones is left out", p->v[i].from->file,
				p->v[i].from->line + 1);
	ret = 0;
out:
	free(slot);
	free(old);
	return ret;
}

int wb_mbox_series_make(struct wb_mbox_series *s, const struct wb_mbox *m,
			const char *shown, struct wb_error *err)
{
	struct pile p = { .shown = shown };
	const struct letter *newest = NULL, *l;
	size_t i;
	int ret;

	memset(s, 0, sizeof(*s));
	ret = read_letters(&p, m, err);
	for (i = 0; i < p.n; i++) {
		l = &p.v[i];
		if (l->subject.n > 0 && l->subject.i > 0 &&
		    (!newest || l->subject.version > newest->subject.version))
			newest = l;
	}
	if (ret == 0 && newest)
		ret = take_numbered(s, &p, newest, err);
	else if (ret == 0)
		take_plain(s, &p);
	if (ret == 0 && !s->n)
		ret = wb_fail(err, WB_E_FATAL, "%s: no patch in %zu message%s",
			      shown, m->n, m->n == 1 ? "" : "s");
	for (i = 0; i < p.n; i++)
		wb_mime_clear(&p.v[i].mail);
	free(p.v);
	return ret;
}

void wb_mbox_series_clear(struct wb_mbox_series *s)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		free(s->patch[i].name);
		free(s->patch[i].shown);
		wb_buf_clear(&s->patch[i].text);
	}
	free(s->patch);
	memset(s, 0, sizeof(*s));
}
