#include "place.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A quarter of a gigabyte for lines. */
#define MAX_LINES ((size_t)16 << 20)

bool wb_text_split(struct wb_text *t, const char *data, size_t len)
{
	const char *end = data + len, *nl;

	t->n = 0;
	for (; data < end; data = nl + 1) {
		if (t->n == MAX_LINES)
			return false;
		nl = memchr(data, '\n', (size_t)(end - data));
		t->line = wb_grow(t->line, t->n, &t->cap, sizeof(*t->line));
		t->line[t->n++] = (struct wb_line){
			data, (uint32_t)((nl ? nl : end) - data), nl != NULL,
			' ',
		};
		if (!nl)
			break;
	}
	return true;
}

void wb_text_clear(struct wb_text *t)
{
	free(t->line);
	memset(t, 0, sizeof(*t));
}

void wb_placer_init(struct wb_placer *pl, const struct wb_patch *p,
		    const struct wb_text *t, const struct wb_place_rules *r)
{
	memset(pl, 0, sizeof(*pl));
	pl->patch = p;
	pl->text = t;
	pl->rules = *r;
}

void wb_placer_clear(struct wb_placer *pl)
{
	free(pl->spot);
	free(pl->old);
	free(pl->sum);
	memset(pl, 0, sizeof(*pl));
}

static bool same_line(const struct wb_line *a, const struct wb_line *b)
{
	return a->len == b->len && a->eol == b->eol &&
	       !memcmp(a->p, b->p, a->len);
}

/* The old lines agree with the file at `at`, but for some at either end. */
static bool agrees(const struct wb_placer *pl, size_t at, size_t skip_head,
		   size_t skip_tail)
{
	size_t i;

	if (at + pl->nold - skip_tail > pl->text->n)
		return false;
	for (i = skip_head; i + skip_tail < pl->nold; i++)
		if (!same_line(pl->old[i], &pl->text->line[at + i]))
			return false;
	return true;
}

/*
 * Looking through a file compares a hash of all lines at once, in the manner
 * of Rabin and Karp: else a long hunk that almost matches everywhere, as in a
 * table of zeroes, would cost its length at each line of the file. The hashes
 * of the file are made when the first hunk does not stand where it should.
 */
#define FACTOR 0x9e3779b97f4a7c15u

static uint64_t line_hash(const struct wb_line *l)
{
	uint64_t h = l->len * 2 + l->eol;
	uint32_t i;

	for (i = 0; i < l->len; i++)
		h = (h ^ (unsigned char)l->p[i]) * 0x100000001b3u;
	return h ^ h >> 29;
}

static void aim(struct wb_placer *pl, size_t skip_head, size_t skip_tail)
{
	const struct wb_text *t = pl->text;
	size_t i;

	if (!pl->sum) {
		pl->sum = wb_xmalloc((t->n + 1) * sizeof(*pl->sum));
		pl->sum[0] = 0;
		for (i = 0; i < t->n; i++)
			pl->sum[i + 1] = pl->sum[i] * FACTOR +
					 line_hash(&t->line[i]);
	}
	pl->want = 0;
	pl->shift = 1;
	for (i = skip_head; i + skip_tail < pl->nold; i++) {
		pl->want = pl->want * FACTOR + line_hash(pl->old[i]);
		pl->shift *= FACTOR;
	}
}

/* As agrees(), for the lines that were aimed at. */
static bool hits(const struct wb_placer *pl, size_t at, size_t skip_head,
		 size_t skip_tail)
{
	size_t from = at + skip_head, to = at + pl->nold - skip_tail;

	return to <= pl->text->n &&
	       pl->sum[to] - pl->sum[from] * pl->shift == pl->want &&
	       agrees(pl, at, skip_head, skip_tail);
}

static void load_old(struct wb_placer *pl, const struct wb_hunk *h)
{
	const struct wb_line *l = &pl->patch->line[h->first];
	size_t i;

	pl->nold = 0;
	for (i = 0; i < h->n; i++) {
		if (l[i].op == '+')
			continue;
		pl->old = wb_grow(pl->old, pl->nold, &pl->capold,
				  sizeof(*pl->old));
		pl->old[pl->nold++] = &l[i];
	}
}

/* The line, from 0, that the hunk names; an empty range stands behind it. */
static long stated(const struct wb_hunk *h)
{
	return (long)h->old_start - (h->old_n ? 1 : 0);
}

/*
 * GNU's search at one level of fuzz. Context is short at an end when it has
 * fewer lines there than at the other; fuzz first evens that out.
 */
static bool find_gnu(struct wb_placer *pl, const struct wb_hunk *h,
		     size_t fuzz, long guess, size_t *at)
{
	long context = (long)(h->head > h->tail ? h->head : h->tail);
	long head = (long)fuzz - (context - (long)h->head);
	long tail = (long)fuzz - (context - (long)h->tail);
	bool at_top = head < 0 && h->old_start <= 1, at_end = tail < 0;
	size_t skip_head = head > 0 ? (size_t)head : 0;
	size_t skip_tail = tail > 0 ? (size_t)tail : 0;
	long first = (long)pl->frozen;
	long last = (long)(pl->text->n + skip_tail) - (long)pl->nold, d;

	if (at_top) {
		*at = 0;
		return pl->frozen <= h->head &&
		       (!at_end || pl->nold == pl->text->n) &&
		       (pl->rules.offset || !guess) &&
		       agrees(pl, 0, 0, skip_tail);
	}
	if (at_end)
		first = last > first ? last : first;
	if (!pl->rules.offset)
		first = last = first <= guess && guess <= last ? guess : -1;
	if (last < first || last < 0)
		return false;
	*at = (size_t)guess;
	if (guess >= first && guess <= last &&
	    agrees(pl, *at, skip_head, skip_tail))
		return true;
	if (!pl->rules.offset)
		return false;
	pl->looked += (uint64_t)(last - first);
	if (pl->looked >= WB_PLACE_ENOUGH)
		return false;
	aim(pl, skip_head, skip_tail);
	d = guess < first ? first - guess : guess > last ? guess - last : 1;
	for (; guess + d <= last || guess - d >= first; d++) {
		*at = (size_t)(guess + d);
		if (guess + d >= first && guess + d <= last &&
		    hits(pl, *at, skip_head, skip_tail))
			return true;
		*at = (size_t)(guess - d);
		if (guess - d >= first && guess - d <= last &&
		    hits(pl, *at, skip_head, skip_tail))
			return true;
	}
	return false;
}

/* Old lines up to the last one that the hunk changes at. */
static size_t settled(const struct wb_hunk *h, size_t nold)
{
	return nold - h->tail;
}

static bool place_gnu(struct wb_placer *pl, const struct wb_hunk *h,
		      struct wb_spot *s)
{
	size_t max = h->head > h->tail ? h->head : h->tail;
	long guess = stated(h) + pl->drift;

	if (max > pl->rules.fuzz)
		max = pl->rules.fuzz;
	if (!pl->nold) {
		/* without old lines there is nothing to look for */
		if (guess < (long)pl->frozen ||
		    (!pl->rules.offset && guess > (long)pl->text->n))
			return false;
		s->at = guess < (long)pl->text->n ? (size_t)guess : pl->text->n;
	} else {
		for (s->fuzz = 0; !find_gnu(pl, h, s->fuzz, guess, &s->at);)
			if (pl->looked >= WB_PLACE_ENOUGH || ++s->fuzz > max)
				return false;
		pl->drift = (long)s->at - stated(h);
	}
	s->offset = (long)s->at - stated(h);
	pl->frozen = s->at + settled(h, pl->nold);
	return true;
}

/*
 * git looks in the file as the hunks so far have left it. Lines that they
 * covered are closed, so a place always lies in a gap between two spots, and
 * the lines of a gap stand `grown` lines from where they first stood.
 */
struct gap {
	size_t from, to;	/* lines from..to-1 of the file */
	long grown;
};

/* Finds in the gap a place that is nearer than *d, or as near but later. */
static bool nearest_in_gap(struct wb_placer *pl, const struct gap *g,
			   long guess, long *d, size_t *at)
{
	long lo = (long)g->from, hi = (long)g->to - (long)pl->nold;
	long want = guess - g->grown;
	long k = want < lo ? lo - want : want > hi ? want - hi : 0;

	/* a gap costs more than a line */
	pl->looked += 3;
	if (hi < lo)
		return false;
	for (; k <= *d && (want + k <= hi || want - k >= lo); k++) {
		pl->looked++;
		*at = (size_t)(want + k);
		if (want + k >= lo && want + k <= hi && hits(pl, *at, 0, 0))
			break;
		*at = (size_t)(want - k);
		if (k && want - k >= lo && want - k <= hi &&
		    hits(pl, *at, 0, 0))
			break;
	}
	if (k > *d || !(want + k <= hi || want - k >= lo))
		return false;
	*d = k;
	return true;
}

/* The gap before spot i, or behind the last; .grown is left 0. */
static struct gap next_gap(const struct wb_placer *pl, size_t i)
{
	struct gap g = { 0, pl->text->n, 0 };
	const struct wb_spot *before = i ? &pl->spot[i - 1] : NULL;

	if (before)
		g.from = before->at + before->hunk->old_n;
	if (i < pl->nspots)
		g.to = pl->spot[i].at;
	return g;
}

/* The gap at the end of the file as it is now: what was cut off is no end. */
static struct gap last_gap(const struct wb_placer *pl)
{
	size_t i = pl->nspots;
	struct gap g = next_gap(pl, i);

	while (i && g.from == g.to && !pl->spot[i - 1].hunk->new_n)
		g = next_gap(pl, --i);
	return g;
}

static bool find_git(struct wb_placer *pl, const struct wb_hunk *h,
		     size_t *at)
{
	long guess = h->new_start ? (long)h->new_start - 1 : 0;
	bool at_top = h->old_start <= 1, at_end = !h->tail, found = false;
	struct gap g = next_gap(pl, pl->nspots);
	long best = LONG_MAX / 2, grown = 0;
	size_t i, here = 0;

	if (at_top || at_end) {
		g = at_top ? next_gap(pl, 0) : last_gap(pl);
		*at = at_top ? 0 : g.to - pl->nold;
		return pl->nold <= g.to && *at >= g.from &&
		       *at + pl->nold <= g.to &&
		       (!at_end || *at + pl->nold == last_gap(pl).to) &&
		       agrees(pl, *at, 0, 0);
	}
	/* mostly hunks stand in order and at their line */
	g.grown = pl->grown;
	*at = (size_t)(guess - g.grown);
	if (guess - g.grown >= (long)g.from && agrees(pl, *at, 0, 0))
		return true;
	aim(pl, 0, 0);
	for (i = 0; i <= pl->nspots && pl->looked < WB_PLACE_ENOUGH; i++) {
		g = next_gap(pl, i);
		g.grown = grown;
		if (nearest_in_gap(pl, &g, guess, &best, &here)) {
			*at = here;
			found = true;
		}
		if (i < pl->nspots)
			grown += (long)pl->spot[i].hunk->new_n -
				 (long)pl->spot[i].hunk->old_n;
	}
	return found && pl->looked < WB_PLACE_ENOUGH;
}

static bool place_git(struct wb_placer *pl, const struct wb_hunk *h,
		      struct wb_spot *s)
{
	if (!find_git(pl, h, &s->at))
		return false;
	s->offset = (long)s->at - stated(h);
	pl->grown += (long)h->new_n - (long)h->old_n;
	return true;
}

/*
 * What takes no line out stands before the hunk that took out the line there:
 * that line is no more, and what was added stays where it was put.
 */
static bool goes_before(const struct wb_placer *pl, const struct wb_spot *s,
			const struct wb_spot *other)
{
	return s->at < other->at ||
	       (s->at == other->at && pl->rules.git && !pl->nold &&
		other->hunk->old_n);
}

bool wb_place(struct wb_placer *pl, const struct wb_hunk *h,
	      struct wb_spot *spot)
{
	struct wb_spot s = { .hunk = h };
	size_t i = pl->nspots;

	load_old(pl, h);
	if (!(pl->rules.git ? place_git : place_gnu)(pl, h, &s))
		return false;
	pl->spot = wb_grow(pl->spot, pl->nspots, &pl->capspots,
			   sizeof(*pl->spot));
	while (i && goes_before(pl, &s, &pl->spot[i - 1]))
		i--;
	memmove(&pl->spot[i + 1], &pl->spot[i],
		(pl->nspots - i) * sizeof(*pl->spot));
	pl->spot[i] = s;
	pl->nspots++;
	*spot = s;
	return true;
}

/* Enough to look everywhere in all but absurd files, and still quick. */
#define MISS_WORK ((size_t)20 << 20)

void wb_place_nearest(struct wb_placer *pl, const struct wb_hunk *h,
		      struct wb_near_miss *miss)
{
	size_t n = pl->text->n, at, i, agree, reach, first = 0;
	long guess = stated(h) + pl->drift;

	load_old(pl, h);
	*miss = (struct wb_near_miss){ .of = pl->nold };
	reach = pl->nold ? MISS_WORK / pl->nold : 0;
	if (guess > (long)(reach / 2))
		first = (size_t)guess - reach / 2;
	for (at = first; at < n && at - first < reach; at++) {
		for (agree = i = 0; i < pl->nold && at + i < n; i++)
			agree += same_line(pl->old[i], &pl->text->line[at + i]);
		if (agree > miss->agree ||
		    (agree == miss->agree &&
		     labs((long)at - guess) < labs((long)miss->at - guess))) {
			miss->agree = agree;
			miss->at = at;
		}
	}
}

/* A line that had no newline gets one when another follows it. */
static void put_line(struct wb_buf *out, const struct wb_line *l, bool *open)
{
	if (*open)
		wb_buf_addch(out, '\n');
	wb_buf_add(out, l->p, l->len);
	if (l->eol)
		wb_buf_addch(out, '\n');
	*open = !l->eol;
}

/* Lines from..to-1 of the file. */
static void put_lines(struct wb_buf *out, const struct wb_text *t, size_t from,
		      size_t to, bool *open)
{
	const struct wb_line *last = to ? &t->line[to - 1] : NULL;

	if (from >= to)
		return;
	if (*open)
		wb_buf_addch(out, '\n');
	wb_buf_add(out, t->line[from].p,
		   (size_t)(last->p + last->len + last->eol - t->line[from].p));
	*open = !last->eol;
}

void wb_place_render(const struct wb_placer *pl, struct wb_buf *out)
{
	const struct wb_line *l, *end;
	size_t done = 0, at, i;
	bool open = false;

	for (i = 0; i < pl->nspots; i++) {
		at = pl->spot[i].at;
		l = &pl->patch->line[pl->spot[i].hunk->first];
		for (end = l + pl->spot[i].hunk->n; l < end; l++) {
			if (l->op != ' ') {
				put_lines(out, pl->text, done, at, &open);
				done = at + (l->op == '-');
			}
			if (l->op == '+')
				put_line(out, l, &open);
			else
				at++;
		}
	}
	put_lines(out, pl->text, done, pl->text->n, &open);
}
