#include "template.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 32, SECTIONS_MAX = 64 };

enum kind { TEXT, VALUE, RAW, SECTION, INVERTED, CLOSE, PARTIAL, COMMENT };

struct node {
	enum kind kind;
	const char *ptr;	/* text, or the name in a tag */
	size_t len;
	unsigned line;
	size_t other;		/* section: its end; end: its section */
	const char *indent;	/* of a partial that stands alone */
	size_t indent_len;
};

struct nodes {
	struct node *v;
	size_t n, cap;
};

/* ---- escaping ---- */

void wb_template_escape_markdown(struct wb_buf *out, const char *value)
{
	for (; *value; value++) {
		unsigned char c = (unsigned char)*value;
		if (c < ' ' || c == 127) {
			/* a line break could begin a block */
			wb_buf_addch(out, ' ');
			continue;
		}
		if (ispunct(c) && c < 128)
			wb_buf_addch(out, '\\');
		wb_buf_addch(out, (char)c);
	}
}

void wb_template_escape_html(struct wb_buf *out, const char *value)
{
	for (; *value; value++) {
		switch (*value) {
		case '&':
			wb_buf_addstr(out, "&amp;");
			break;
		case '<':
			wb_buf_addstr(out, "&lt;");
			break;
		case '>':
			wb_buf_addstr(out, "&gt;");
			break;
		case '"':
			wb_buf_addstr(out, "&quot;");
			break;
		case '\'':
			wb_buf_addstr(out, "&#39;");
			break;
		default:
			wb_buf_addch(out, *value);
		}
	}
}

/* ---- reading ---- */

struct reader {
	const char *p, *end, *start;
	unsigned line;
	const char *name;
	struct nodes *out;
};

static struct node *add(struct nodes *out, enum kind kind, const char *ptr,
			size_t len, unsigned line)
{
	out->v = wb_grow(out->v, out->n, &out->cap, sizeof(*out->v));
	out->v[out->n] = (struct node){
		.kind = kind, .ptr = ptr, .len = len, .line = line,
	};
	return &out->v[out->n++];
}

static unsigned lines_in(const char *p, const char *end)
{
	unsigned n = 0;

	for (; p < end; p++)
		n += *p == '\n';
	return n;
}

/*
 * Where the line of a tag begins and ends when blanks are all that stands
 * beside it; false when there is more.
 */
static bool stands_alone(const struct reader *r, const char *open,
			 const char *close, const char **from, const char **to)
{
	const char *p = open;

	while (p > r->start && (p[-1] == ' ' || p[-1] == '\t'))
		p--;
	if (p > r->start && p[-1] != '\n')
		return false;
	*from = p;
	p = close;
	while (p < r->end && (*p == ' ' || *p == '\t'))
		p++;
	if (p < r->end && *p == '\r')
		p++;
	if (p < r->end && *p != '\n')
		return false;
	*to = p < r->end ? p + 1 : p;
	return true;
}

static enum kind kind_of(char sigil)
{
	switch (sigil) {
	case '#':
		return SECTION;
	case '^':
		return INVERTED;
	case '/':
		return CLOSE;
	case '>':
		return PARTIAL;
	case '!':
		return COMMENT;
	case '&':
	case '{':
		return RAW;
	default:
		return VALUE;
	}
}

static int read_name(const struct reader *r, enum kind kind, const char *p,
		     const char *end, struct node *n, struct wb_error *err)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	n->ptr = p;
	n->len = (size_t)(end - p);
	if (kind == COMMENT)
		return 0;
	for (; p < end; p++)
		if (isspace((unsigned char)*p) || strchr("{}=#^/!&>", *p))
			break;
	if (!n->len || p < end)
		return wb_fail(err, WB_E_USAGE, "%s:%u: '%.*s' is no name for "
			       "a tag", r->name, n->line,
			       n->len > 40 ? 40 : (int)n->len, n->ptr);
	return 0;
}

/* Tags of mustache that are not taken would print nothing, and nobody knew. */
static int refuse(const struct reader *r, char sigil, struct wb_error *err)
{
	static const struct {
		char sigil;
		const char *what;
	} no[] = {
		{ '=', "other delimiters" }, { '<', "a parent template" },
		{ '$', "a block of a parent" }, { '*', "a name from a value" },
	};
	size_t i;

	for (i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		if (no[i].sigil == sigil)
			return wb_fail(err, WB_E_USAGE, "%s:%u: {{%c...}}, %s, "
				       "is not known here; see wb-file(5)",
				       r->name, r->line, sigil, no[i].what);
	return 0;
}

/* One tag, from its "{{"; text before it is in already. */
static int read_tag(struct reader *r, const char *open, struct wb_error *err)
{
	const char *p = open + 2, *close, *from, *to;
	enum kind kind = p < r->end ? kind_of(*p) : VALUE;
	bool triple = p < r->end && *p == '{';
	const char *mark = triple ? "}}}" : "}}";
	struct node tag = { .kind = kind, .line = r->line }, *n;
	size_t text = r->out->n;

	if (kind != VALUE)
		p++;
	if (p < r->end && kind != COMMENT && refuse(r, *p, err) < 0)
		return -1;
	close = memmem(p, (size_t)(r->end - p), mark, strlen(mark));
	if (!close)
		return wb_fail(err, WB_E_USAGE, "%s:%u: this {{ is never "
			       "closed", r->name, r->line);
	if (read_name(r, kind, p, close, &tag, err) < 0)
		return -1;
	r->p = close + strlen(mark);
	if (kind != VALUE && kind != RAW &&
	    stands_alone(r, open, r->p, &from, &to)) {
		/* the line's blanks are the last text that was read */
		if (text && r->out->v[text - 1].kind == TEXT)
			r->out->v[text - 1].len -= (size_t)(open - from);
		tag.indent = from;
		tag.indent_len = (size_t)(open - from);
		r->p = to;
	}
	r->line += lines_in(open, r->p);
	if (kind == COMMENT)
		return 0;
	n = add(r->out, kind, NULL, 0, 0);
	*n = tag;
	return 0;
}

static int match_sections(const struct reader *r, struct wb_error *err)
{
	size_t open[SECTIONS_MAX], depth = 0, i;
	struct node *n, *o;

	for (i = 0; i < r->out->n; i++) {
		n = &r->out->v[i];
		if (n->kind == SECTION || n->kind == INVERTED) {
			if (depth == SECTIONS_MAX)
				return wb_fail(err, WB_E_USAGE, "%s:%u: more "
					       "than %d sections in each "
					       "other", r->name, n->line,
					       SECTIONS_MAX);
			open[depth++] = i;
		}
		if (n->kind != CLOSE)
			continue;
		if (!depth)
			return wb_fail(err, WB_E_USAGE, "%s:%u: {{/%.*s}} "
				       "closes nothing", r->name, n->line,
				       (int)n->len, n->ptr);
		o = &r->out->v[open[--depth]];
		if (o->len != n->len || memcmp(o->ptr, n->ptr, n->len))
			return wb_fail(err, WB_E_USAGE, "%s:%u: {{/%.*s}} "
				       "closes '%.*s' of line %u", r->name,
				       n->line, (int)n->len, n->ptr,
				       (int)o->len, o->ptr, o->line);
		o->other = i;
		n->other = open[depth];
	}
	if (!depth)
		return 0;
	n = &r->out->v[open[depth - 1]];
	return wb_fail(err, WB_E_USAGE, "%s:%u: section '%.*s' is never closed",
		       r->name, n->line, (int)n->len, n->ptr);
}

static int read_nodes(const char *text, size_t len, const char *name,
		      struct nodes *out, struct wb_error *err)
{
	struct reader r = {
		.p = text, .start = text, .end = text + len, .line = 1,
		.name = name, .out = out,
	};
	const char *open;

	while (r.p < r.end) {
		open = memmem(r.p, (size_t)(r.end - r.p), "{{", 2);
		if (!open)
			open = r.end;
		if (open > r.p)
			add(out, TEXT, r.p, (size_t)(open - r.p), r.line);
		r.line += lines_in(r.p, open);
		r.p = open;
		if (r.p < r.end && read_tag(&r, open, err) < 0)
			return -1;
	}
	return match_sections(&r, err);
}

/* ---- filling ---- */

struct filler {
	const struct wb_template_options *o;
	/* one a section that is open, in the template and its partials */
	const struct wb_json *value[(DEPTH_MAX + 1) * SECTIONS_MAX + 1];
	size_t depth;
	size_t partials;	/* that are open */
	struct wb_buf *out;
};

static const struct wb_json *part_of(const struct wb_json *v, const char *p,
				     size_t len)
{
	char *key = wb_xstrndup(p, len);
	const struct wb_json *got = wb_json_is_object(v) ? wb_json_get(v, key)
							 : NULL;

	free(key);
	return got;
}

static const struct wb_json *look_up(const struct filler *f,
				     const struct node *n)
{
	const char *p = n->ptr, *end = p + n->len, *dot;
	const struct wb_json *v = NULL;
	size_t i;

	if (n->len == 1 && *p == '.')
		return f->value[f->depth - 1];
	dot = memchr(p, '.', n->len);
	if (!dot)
		dot = end;
	for (i = f->depth; i && !v; i--)
		v = part_of(f->value[i - 1], p, (size_t)(dot - p));
	while (v && dot < end) {
		p = dot + 1;
		dot = memchr(p, '.', (size_t)(end - p));
		if (!dot)
			dot = end;
		v = part_of(v, p, (size_t)(dot - p));
	}
	return v;
}

static bool is_nothing(const struct wb_json *v)
{
	const char *s;
	bool b;

	if (!v || wb_json_is_null(v))
		return true;
	if (wb_json_get_bool(v, &b))
		return !b;
	if (wb_json_get_str(v, &s))
		return !*s;
	return wb_json_is_array(v) && !wb_json_count(v);
}

static void print_value(const struct filler *f, const struct wb_json *v,
			bool raw)
{
	struct wb_buf text = WB_BUF_INIT;
	const char *s;
	int64_t i;
	double d;
	bool b;

	if (wb_json_get_str(v, &s))
		wb_buf_addstr(&text, s);
	else if (wb_json_get_int(v, &i))
		wb_buf_addf(&text, "%lld", (long long)i);
	else if (wb_json_get_num(v, &d))
		wb_buf_addf(&text, "%.15g", d);
	else if (wb_json_get_bool(v, &b))
		wb_buf_addstr(&text, b ? "true" : "false");
	if (raw)
		wb_buf_addstr(f->out, text.ptr);
	else
		f->o->escape(f->out, text.ptr);
	wb_buf_clear(&text);
}

static int fill_text(struct filler *f, const char *text, size_t len,
		     const char *name, struct wb_error *err);

/* The text of a partial, each line behind what stood before its tag. */
static int fill_partial(struct filler *f, const struct node *n,
			const char *where, struct wb_error *err)
{
	char *name = wb_xstrndup(n->ptr, n->len);
	struct wb_buf text = WB_BUF_INIT, moved = WB_BUF_INIT;
	const char *p, *end;
	int ret = -1, there;

	if (f->partials == DEPTH_MAX) {
		wb_fail(err, WB_E_USAGE, "%s:%u: '%s' includes itself, or more "
			"than %d partials in each other", where, n->line, name,
			DEPTH_MAX);
		goto out;
	}
	there = f->o->partial ? f->o->partial(f->o->arg, name, &text, err) : 0;
	if (there < 0)
		goto out;
	for (p = text.ptr; there && *p; p = end) {
		end = strchr(p, '\n');
		end = end ? end + 1 : p + strlen(p);
		wb_buf_add(&moved, n->indent, n->indent_len);
		wb_buf_add(&moved, p, (size_t)(end - p));
	}
	f->partials++;
	ret = fill_text(f, moved.ptr, moved.len, name, err);
	f->partials--;
out:
	wb_buf_clear(&text);
	wb_buf_clear(&moved);
	free(name);
	return ret;
}

static int fill_nodes(struct filler *f, const struct node *v, size_t from,
		      size_t to, const char *name, struct wb_error *err);

static int fill_section(struct filler *f, const struct node *v, size_t i,
			const char *name, struct wb_error *err)
{
	const struct wb_json *value = look_up(f, &v[i]);
	size_t k, times = 1;
	int ret = 0;

	if (v[i].kind == INVERTED)
		return is_nothing(value)
			? fill_nodes(f, v, i + 1, v[i].other, name, err) : 0;
	if (is_nothing(value))
		return 0;
	if (wb_json_is_array(value))
		times = wb_json_count(value);
	f->depth++;
	for (k = 0; k < times && !ret; k++) {
		f->value[f->depth - 1] = wb_json_is_array(value)
			? wb_json_at(value, k) : value;
		ret = fill_nodes(f, v, i + 1, v[i].other, name, err);
	}
	f->depth--;
	return ret;
}

static int fill_nodes(struct filler *f, const struct node *v, size_t from,
		      size_t to, const char *name, struct wb_error *err)
{
	const struct wb_json *value;
	size_t i;
	int ret = 0;

	for (i = from; i < to && !ret; i++) {
		switch (v[i].kind) {
		case TEXT:
			wb_buf_add(f->out, v[i].ptr, v[i].len);
			break;
		case VALUE:
		case RAW:
			value = look_up(f, &v[i]);
			if (value)
				print_value(f, value, v[i].kind == RAW);
			break;
		case PARTIAL:
			ret = fill_partial(f, &v[i], name, err);
			break;
		default:
			ret = fill_section(f, v, i, name, err);
			i = v[i].other;
		}
	}
	return ret;
}

static int fill_text(struct filler *f, const char *text, size_t len,
		     const char *name, struct wb_error *err)
{
	struct nodes nodes = { .n = 0 };
	int ret = read_nodes(text, len, name, &nodes, err);

	if (!ret)
		ret = fill_nodes(f, nodes.v, 0, nodes.n, name, err);
	free(nodes.v);
	return ret;
}

int wb_template_fill(const char *text, size_t len, const struct wb_json *data,
		     const struct wb_template_options *o, struct wb_buf *out,
		     struct wb_error *err)
{
	struct filler *f = wb_xcalloc(1, sizeof(*f));
	size_t before = out->len;
	int ret;

	f->o = o;
	f->out = out;
	f->value[f->depth++] = data;
	ret = fill_text(f, text, len, o->name, err);
	if (ret < 0)
		wb_buf_truncate(out, before);
	free(f);
	return ret;
}
