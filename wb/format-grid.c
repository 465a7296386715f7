#include "format-grid.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define GAP 2

void wb_grid_init(struct wb_grid *g, const struct wb_format_options *o,
		  size_t nrows, size_t ngroups)
{
	*g = (struct wb_grid){
		.o = o,
		.nrows = nrows,
		.ngroups = ngroups,
		.number = wb_xcalloc(nrows, sizeof(*g->number)),
		.label = wb_xcalloc(nrows, sizeof(*g->label)),
		.group = wb_xcalloc(ngroups, sizeof(*g->group)),
		.cell = wb_xcalloc(nrows * ngroups, sizeof(*g->cell)),
	};
}

void wb_grid_clear(struct wb_grid *g)
{
	size_t i, p;

	for (i = 0; i < g->nrows; i++) {
		free(g->number[i]);
		free(g->label[i]);
	}
	for (i = 0; i < g->ngroups; i++)
		free(g->group[i].title);
	for (i = 0; i < g->nrows * g->ngroups; i++)
		for (p = 0; p < WB_GRID_PARTS; p++)
			free(g->cell[i].part[p]);
	free(g->number);
	free(g->label);
	free(g->group);
	free(g->cell);
	memset(g, 0, sizeof(*g));
}

struct wb_grid_cell *wb_grid_cell(const struct wb_grid *g, size_t group,
				  size_t row)
{
	return &g->cell[group * g->nrows + row];
}

size_t wb_grid_width(const struct wb_format_options *o)
{
	switch (o->kind) {
	case WB_FORMAT_PLAIN:
	case WB_FORMAT_MARKDOWN:
		return 72;
	default:
		return o->width < 40 ? 40 : (size_t)o->width;
	}
}

/* What Markdown or HTML would read as more than text. */
static void add_markdown(struct wb_buf *out, const char *s)
{
	const char *p;

	for (p = s; *p; p++) {
		if (*p == '<')
			wb_buf_addstr(out, "&lt;");
		else if (*p == '>')
			wb_buf_addstr(out, "&gt;");
		else if (*p == '&')
			wb_buf_addstr(out, "&amp;");
		else if (*p == '@')
			wb_buf_addstr(out, "&#64;");
		else if (*p == '_' && p > s && isalnum((unsigned char)p[-1]) &&
			 isalnum((unsigned char)p[1]))
			wb_buf_addch(out, '_');
		else if (strchr("\\`*_[]|~$", *p))
			wb_buf_addf(out, "\\%c", *p);
		else
			wb_buf_addch(out, *p);
	}
}

static void add_safe(const struct wb_format_options *o, struct wb_buf *out,
		     const char *s, bool word)
{
	struct wb_buf raw = WB_BUF_INIT;

	switch (o->kind) {
	case WB_FORMAT_PLAIN:
		wb_text_add(out, s, WB_TEXT_ASCII | (word ? WB_TEXT_WORD : 0));
		break;
	case WB_FORMAT_MARKDOWN:
		wb_text_add(&raw, s, WB_TEXT_UTF8);
		add_markdown(out, raw.ptr);
		break;
	default:
		wb_text_add(out, s, o->utf8 ? WB_TEXT_UTF8 : WB_TEXT_ASCII);
	}
	wb_buf_clear(&raw);
}

static char *cut(const struct wb_format_options *o, const char *s, size_t width,
		 bool word)
{
	struct wb_buf raw = WB_BUF_INIT, safe = WB_BUF_INIT;
	size_t keep;

	add_safe(o, &safe, s, word);
	if (wb_text_width(safe.ptr) <= width || o->kind != WB_FORMAT_MARKDOWN) {
		wb_text_cut(&safe, width);
		return wb_buf_detach(&safe);
	}
	/* an escape must not be cut: shorten what is escaped */
	for (keep = width + 1; keep-- > 0;) {
		wb_buf_reset(&raw);
		wb_text_add(&raw, s, WB_TEXT_UTF8);
		wb_text_cut(&raw, keep);
		wb_buf_reset(&safe);
		add_markdown(&safe, raw.ptr);
		if (wb_text_width(safe.ptr) <= width)
			break;
	}
	wb_buf_clear(&raw);
	return wb_buf_detach(&safe);
}

char *wb_grid_text(const struct wb_format_options *o, const char *s,
		   size_t width)
{
	return cut(o, s, width, true);
}

char *wb_grid_sentence(const struct wb_format_options *o, const char *s,
		       size_t width)
{
	return cut(o, s, width, false);
}

static void keep_larger(size_t *width, const char *s)
{
	size_t n = wb_text_width(s);

	*width = n > *width ? n : *width;
}

/* In a mail every part is a word, so that the words alone can be read back. */
static const char *part_of(const struct wb_grid *g,
			   const struct wb_grid_cell *cell, size_t p)
{
	return cell->part[p] ? cell->part[p] :
	       g->o->kind == WB_FORMAT_PLAIN ? "-" : "";
}

static void measure(struct wb_grid *g)
{
	struct wb_grid_group *group;
	struct wb_grid_cell *cell;
	size_t i, row, p, title;

	for (i = 0; i < g->ngroups; i++) {
		group = &g->group[i];
		memset(group->width, 0, sizeof(group->width));
		for (row = 0; row < g->nrows; row++) {
			cell = wb_grid_cell(g, i, row);
			for (p = 0; p < group->nparts; p++)
				keep_larger(&group->width[p],
					    part_of(g, cell, p));
		}
		group->total = group->nparts - 1;
		for (p = 0; p < group->nparts; p++)
			group->total += group->width[p];
		title = wb_text_width(group->title);
		if (title > group->total)
			group->total = title;
		/* a column of plain numbers stands right, title and all */
		if (group->nparts == 1)
			group->width[0] = group->total;
	}
}

static const char *color_of(enum wb_verdict v)
{
	switch (v) {
	case WB_VERDICT_FASTER:
		return "\033[32m";
	case WB_VERDICT_SLOWER:
		return "\033[31m";
	case WB_VERDICT_BROKEN:
		return "\033[35m";
	case WB_VERDICT_UNCLEAR:
		return "\033[33m";
	default:
		return NULL;
	}
}

/* The parts of a cell: the first right-aligned, the others from the left. */
static void add_cell(const struct wb_grid *g, struct wb_buf *out, size_t i,
		     size_t row)
{
	const struct wb_grid_group *group = &g->group[i];
	const struct wb_grid_cell *cell = wb_grid_cell(g, i, row);
	const char *color = g->o->color && g->o->kind == WB_FORMAT_TERMINAL ?
			    color_of(cell->verdict) : NULL;
	size_t used = 0, p;

	for (p = 0; p < group->nparts; p++) {
		bool last = p + 1 == group->nparts;

		if (last && color)
			wb_buf_addstr(out, color);
		wb_text_pad(out, part_of(g, cell, p), group->width[p],
			   !p && !group->prose);
		if (last && color)
			wb_buf_addstr(out, "\033[m");
		used += group->width[p] + (p ? 1 : 0);
		if (!last)
			wb_buf_addch(out, ' ');
	}
	if (used < group->total)
		wb_buf_fill(out, ' ', group->total - used);
}

static void end_line(struct wb_buf *out)
{
	while (out->len && out->ptr[out->len - 1] == ' ')
		wb_buf_truncate(out, out->len - 1);
	wb_buf_addch(out, '\n');
}

/* One line of a table: the header (row is the number of rows) or a row. */
static void add_line(const struct wb_grid *g, struct wb_buf *out, size_t row,
		     size_t from, size_t to, const size_t *label)
{
	bool markdown = g->o->kind == WB_FORMAT_MARKDOWN;
	bool head = row == g->nrows;
	const char *gap = markdown ? " | " : "  ";
	/* git commit drops lines that begin with #; | stands before this one */
	const char *number = g->head ? g->head : markdown ? "#" : "k";
	size_t i;

	if (markdown)
		wb_buf_addstr(out, "| ");
	wb_text_pad(out, head ? number : g->number[row], label[0],
		   g->o->kind != WB_FORMAT_PLAIN);
	if (label[1]) {
		wb_buf_addstr(out, gap);
		wb_text_pad(out, head ? "patch" : g->label[row], label[1],
			   false);
	}
	for (i = from; i < to; i++) {
		wb_buf_addstr(out, gap);
		if (head)
			wb_text_pad(out, g->group[i].title, g->group[i].total,
				   g->group[i].nparts == 1 &&
				   !g->group[i].prose);
		else
			add_cell(g, out, i, row);
	}
	if (markdown)
		wb_buf_addstr(out, " |");
	end_line(out);
}

static void add_rule(const struct wb_grid *g, struct wb_buf *out, size_t from,
		     size_t to, const size_t *label)
{
	size_t i;

	wb_buf_addstr(out, "| ");
	wb_buf_fill(out, '-', label[0] > 1 ? label[0] - 1 : 0);
	wb_buf_addstr(out, label[0] > 1 ? ":" : "-");
	if (label[1])
		wb_buf_addstr(out, " | ");
	wb_buf_fill(out, '-', label[1]);
	for (i = from; i < to; i++) {
		bool right = g->group[i].nparts == 1 && !g->group[i].prose &&
			     g->group[i].total > 1;

		wb_buf_addstr(out, " | ");
		wb_buf_fill(out, '-', g->group[i].total - right);
		wb_buf_addstr(out, right ? ":" : "");
	}
	wb_buf_addstr(out, " |\n");
}

/* Width of numbers and labels, and of both with what surrounds them. */
static size_t measure_labels(const struct wb_grid *g, size_t label[2])
{
	bool markdown = g->o->kind == WB_FORMAT_MARKDOWN;
	size_t row;

	label[0] = g->head ? wb_text_width(g->head) : 1;
	label[1] = g->nrows && g->label[0] ? strlen("patch") : 0;
	for (row = 0; row < g->nrows; row++) {
		keep_larger(&label[0], g->number[row]);
		if (label[1])
			keep_larger(&label[1], g->label[row]);
	}
	return label[0] + (markdown ? 4 : 0) +
	       (label[1] ? label[1] + (markdown ? 3 : GAP) : 0);
}

size_t wb_grid_room(const struct wb_grid *g)
{
	size_t own[2], width = wb_grid_width(g->o);
	size_t used = measure_labels(g, own) +
		      (g->o->kind == WB_FORMAT_MARKDOWN ? 3 : GAP);

	return used < width ? width - used : 0;
}

bool wb_grid_has_room(struct wb_grid *g, size_t label)
{
	size_t gap = g->o->kind == WB_FORMAT_MARKDOWN ? 3 : GAP;
	size_t own[2], used, i;

	measure(g);
	used = measure_labels(g, own) + gap + label;
	for (i = 0; i < g->ngroups; i++)
		used += gap + g->group[i].total;
	return used <= wb_grid_width(g->o);
}

/* Behind the groups that stand together with the one at i. */
static size_t joined_end(const struct wb_grid *g, size_t i)
{
	do {
		i++;
	} while (i < g->ngroups && g->group[i].joined);
	return i;
}

void wb_grid_print(struct wb_grid *g, struct wb_buf *out)
{
	bool markdown = g->o->kind == WB_FORMAT_MARKDOWN;
	size_t gap = markdown ? 3 : GAP, width = wb_grid_width(g->o);
	size_t label[2], fixed, used, from, to, next, row, i;

	measure(g);
	fixed = measure_labels(g, label);
	from = 0;
	do {
		used = fixed;
		for (to = from; to < g->ngroups; to = next) {
			next = joined_end(g, to);
			for (i = to; i < next; i++)
				used += gap + g->group[i].total;
			/* one that is too wide stands alone */
			if (to > from && used > width)
				break;
		}
		if (from)
			wb_buf_addch(out, '\n');
		add_line(g, out, g->nrows, from, to, label);
		if (markdown)
			add_rule(g, out, from, to, label);
		for (row = 0; row < g->nrows; row++)
			add_line(g, out, row, from, to, label);
		from = to;
	} while (from < g->ngroups);
}

/*
 * Starts of a line that git am, git commit, an mbox or a trailer parser would
 * take for their own.
 */
static bool dangerous(const char *s, size_t len)
{
	static const char *const starts[] = {
		"---", "#", "From ", "diff -", "Index: ", ">", "-- ",
	};
	const char *colon = memchr(s, ':', len);
	size_t i, n;

	for (i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		n = strlen(starts[i]);
		if (len >= n && !memcmp(s, starts[i], n))
			return true;
	}
	return colon && colon - s > 3 && !memcmp(colon - 3, "-by", 3) &&
	       !memchr(s, ' ', (size_t)(colon - s));
}

/* Bytes of s that fit: up to a blank, or a piece of a word that is too long. */
static size_t fitting(const char *s, size_t width, bool whole_paths)
{
	size_t n = 0, i, blank = 0, word = 0, step, places;

	for (i = 0; s[i]; i += step ? step : 1) {
		step = wb_text_step(s + i, &places);
		n += places;
		word = s[i] == ' ' ? i + 1 : word;
		/* a path that is longer than a line is there to be copied */
		if (n > width && !blank && whole_paths && s[word] == '/')
			continue;
		if (n > width)
			return blank ? blank : i;
		if (s[i] == ' ')
			blank = i;
	}
	return i;
}

/* A line that a mail's reader could take for its own gets its start escaped. */
static void add_piece(const struct wb_format_options *o, const char *s,
		      size_t n, struct wb_buf *out)
{
	if (o->kind == WB_FORMAT_PLAIN && dangerous(s, n)) {
		wb_buf_addf(out, "\\x%02x", *s);
		s++;
		n--;
	}
	wb_buf_add(out, s, n);
}

void wb_grid_line(const struct wb_format_options *o, const char *safe,
		  struct wb_buf *out)
{
	add_piece(o, safe, strlen(safe), out);
	end_line(out);
}

void wb_grid_prose(const struct wb_format_options *o, const char *s,
		   struct wb_buf *out)
{
	bool plain = o->kind == WB_FORMAT_PLAIN;
	struct wb_buf safe = WB_BUF_INIT;
	/* room for the escape of a first byte, or for the indent */
	size_t width = wb_grid_width(o) - 3, n;
	bool markdown = o->kind == WB_FORMAT_MARKDOWN;
	const char *p, *lead = markdown ? "- " : "";

	add_safe(o, &safe, s, false);
	for (p = safe.ptr; *p; p += n) {
		while (*p == ' ')
			p++;
		n = fitting(p, width,
			    o->kind == WB_FORMAT_TERMINAL);
		if (!n)
			break;
		wb_buf_addstr(out, lead);
		/* no heading, no list inside the item */
		if (markdown && strchr("#+-=", *p))
			wb_buf_addch(out, '\\');
		add_piece(o, p, n, out);
		end_line(out);
		lead = plain ? "" : "  ";
	}
	wb_buf_clear(&safe);
}
