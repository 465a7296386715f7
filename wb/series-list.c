#include "series-list.h"
#include "json.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int wb_series_learn(struct wb_series_known *known, struct wb_git *g,
		    struct wb_db *db, const struct wb_config *config,
		    const struct wb_source *from, struct wb_error *err)
{
	struct wb_stop_rule rule = wb_todo_rule(config, 0);

	memset(known, 0, sizeof(*known));
	/* standard input cannot be read a second time */
	if (!config->nbenches || (from->mbox && !strcmp(from->mbox, "-")))
		return 0;
	if (wb_plan_make(&known->plan, g, config, from, NULL, err) < 0 ||
	    wb_todo_make(&known->todo, &known->plan, db, &rule, err) < 0) {
		wb_todo_clear(&known->todo);
		return -1;
	}
	return 0;
}

void wb_series_forget(struct wb_series_known *known)
{
	wb_todo_clear(&known->todo);
	wb_plan_clear(&known->plan);
}

/*
 * NULL: not known. Options of the list may give a prefix another tree than the
 * one that wb run would measure.
 */
static const struct wb_todo_prefix *
known_of(const struct wb_series_known *known, const struct wb_stack *s,
	 size_t k)
{
	const struct wb_stack *planned = &known->plan.stack;

	if (known->todo.n != s->n || !s->prefix[k].applies ||
	    !planned->prefix[k].applies ||
	    strcmp(planned->prefix[k].tree.hex, s->prefix[k].tree.hex))
		return NULL;
	return &known->todo.prefix[k];
}

/* A run of every bench is in the store. */
static bool measured(const struct wb_todo_prefix *t)
{
	return !t->broken &&
	       (t->rounds > 0 || (t->rounds < 0 && t->counts > 0));
}

/* Not what the patch says went into the tree, or not where it says. */
static bool at_risk(const struct wb_prefix *p)
{
	return p->applied.n || p->applied.stubs || p->applied.dropped;
}

static struct wb_json *shifts_json(const struct wb_applied *a)
{
	struct wb_json *arr = wb_json_array(), *o;
	size_t i;

	for (i = 0; i < a->n; i++) {
		o = wb_json_object();
		wb_json_set(o, "path", wb_json_str(a->shift[i].path));
		wb_json_set(o, "where",
			    wb_json_int((int64_t)a->shift[i].where));
		wb_json_set(o, "hunk", wb_json_int((int64_t)a->shift[i].hunk));
		wb_json_set(o, "line", wb_json_int((int64_t)a->shift[i].line));
		wb_json_set(o, "offset", wb_json_int(a->shift[i].offset));
		wb_json_set(o, "fuzz", wb_json_int((int64_t)a->shift[i].fuzz));
		wb_json_append(arr, o);
	}
	return arr;
}

static struct wb_json *trailers_json(const struct wb_prefix *p)
{
	struct wb_json *arr = wb_json_array(), *o;
	size_t i;

	for (i = 0; i < p->ntrailers; i++) {
		o = wb_json_object();
		wb_json_set(o, "key", wb_json_str(p->trailer[i].key));
		wb_json_set(o, "value", wb_json_str(p->trailer[i].value));
		wb_json_append(arr, o);
	}
	return arr;
}

/* known NULL: what both verbs say; else also what is for the list alone. */
static struct wb_json *prefix_json(const struct wb_stack *s, size_t k,
				   const struct wb_series_known *known)
{
	const struct wb_prefix *p = &s->prefix[k];
	const struct wb_todo_prefix *t;
	struct wb_json *o = wb_json_object();

	wb_json_set(o, "index", wb_json_int((int64_t)k));
	wb_json_set(o, "name", wb_json_str(p->name));
	wb_json_set(o, "tree", wb_json_str(p->applies ? p->tree.hex : NULL));
	wb_json_set(o, "applies", wb_json_bool(p->applies));
	wb_json_set(o, "why", wb_json_str(p->why));
	wb_json_set(o, "risk", wb_json_bool(at_risk(p)));
	wb_json_set(o, "shifts", shifts_json(&p->applied));
	if (!known)
		return o;
	t = known_of(known, s, k);
	wb_json_set(o, "built", t ? wb_json_bool(t->built) : NULL);
	wb_json_set(o, "measured", t ? wb_json_bool(measured(t)) : NULL);
	wb_json_set(o, "subject", wb_json_str(p->subject));
	wb_json_set(o, "author", wb_json_str(p->author));
	wb_json_set(o, "date", wb_json_str(p->date));
	wb_json_set(o, "files", wb_json_int(p->files));
	wb_json_set(o, "added", wb_json_int(p->added));
	wb_json_set(o, "removed", wb_json_int(p->removed));
	wb_json_set(o, "trailers", trailers_json(p));
	return o;
}

void wb_series_print_json(const struct wb_stack *s,
			  const struct wb_series_known *known)
{
	struct wb_json *doc = wb_json_object(), *arr = wb_json_array();
	size_t k;

	for (k = 0; k < s->n; k++)
		wb_json_append(arr, prefix_json(s, k, known));
	wb_json_set(doc, "schema", wb_json_int(1));
	wb_json_set(doc, "source", wb_json_str(s->source));
	wb_json_set(doc, "prefixes", arr);
	wb_json_put(doc);
}

/* "Signed-off-by, Acked-by (2)": keys in their first order. */
static void add_keys(struct wb_buf *out, const struct wb_prefix *p)
{
	size_t i, k, n;

	for (i = 0; i < p->ntrailers; i++) {
		for (k = 0; k < i; k++)
			if (!strcasecmp(p->trailer[k].key, p->trailer[i].key))
				break;
		if (k < i)
			continue;
		for (n = 0; k < p->ntrailers; k++)
			n += !strcasecmp(p->trailer[k].key, p->trailer[i].key);
		wb_buf_addf(out, "%s%s", i ? ", " : "", p->trailer[i].key);
		if (n > 1)
			wb_buf_addf(out, " (%zu)", n);
	}
	if (!p->ntrailers)
		wb_buf_addch(out, '-');
}

static const char *state_word(const struct wb_prefix *p,
			      const struct wb_todo_prefix *t)
{
	if (!p->applies)
		return "does not apply";
	if (t && t->broken)
		return "does not build";
	if (t && measured(t))
		return "measured";
	return t && t->built ? "built" : "applies";
}

enum { COL_NUMBER, COL_NAME, COL_CHANGE, COL_STATE, COL_TRAILERS, COL_SUBJECT,
       COLS };

static const char *const head[COLS] = {
	"#", "name", "change", "state", "trailers", "subject",
};

/* A third of a terminal for the names: the state must fit, too. */
static void cut_name(struct wb_buf *name, int terminal)
{
	if (terminal)
		wb_text_cut(name, terminal > 48 ? (size_t)terminal / 3 : 16);
}

static void fill_row(struct wb_buf cell[COLS], const struct wb_prefix *p,
		     size_t k, const char *state)
{
	struct wb_buf keys = WB_BUF_INIT;

	add_keys(&keys, p);
	wb_buf_addf(&cell[COL_NUMBER], "%zu", k);
	wb_buf_addf(&cell[COL_CHANGE], "%d file%s +%d -%d", p->files,
		    p->files == 1 ? "" : "s", p->added, p->removed);
	wb_buf_addf(&cell[COL_STATE], "%s%s", state,
		    at_risk(p) ? ", risk" : "");
	wb_text_add(&cell[COL_NAME], p->name, WB_TEXT_UTF8);
	wb_text_add(&cell[COL_TRAILERS], keys.ptr, WB_TEXT_UTF8);
	wb_text_add(&cell[COL_SUBJECT], p->subject, WB_TEXT_UTF8);
	wb_buf_clear(&keys);
}

static void print_row(struct wb_buf cell[COLS], const size_t width[COLS],
		      bool trailers, int terminal)
{
	struct wb_buf line = WB_BUF_INIT;
	size_t c;

	for (c = 0; c < COLS; c++) {
		if (c == COL_TRAILERS && !trailers)
			continue;
		wb_text_pad(&line, cell[c].ptr, c == COL_SUBJECT ? 0 :
			    width[c] + 2, false);
	}
	/* git cuts on a terminal, never in a pipe */
	if (terminal)
		wb_buf_truncate(&line, wb_text_fit(line.ptr,
						   (size_t)terminal));
	puts(line.ptr);
	wb_buf_clear(&line);
}

void wb_series_print_table(const struct wb_stack *s,
			   const struct wb_series_known *known, bool trailers,
			   int terminal)
{
	struct wb_buf (*row)[COLS] = wb_xcalloc(s->n, sizeof(*row));
	size_t width[COLS] = { 0 }, k, c, w;

	for (k = 0; k < s->n; k++) {
		for (c = 0; c < COLS; c++)
			wb_buf_init(&row[k][c]);
		for (c = 0; !k && c < COLS; c++)
			wb_buf_addstr(&row[k][c], head[c]);
		if (k)
			fill_row(row[k], &s->prefix[k], k,
				 state_word(&s->prefix[k],
					    known_of(known, s, k)));
		cut_name(&row[k][COL_NAME], terminal);
		for (c = 0; c < COLS; c++) {
			w = wb_text_width(row[k][c].ptr);
			width[c] = w > width[c] ? w : width[c];
		}
	}
	for (k = 0; k < s->n; k++) {
		print_row(row[k], width, trailers, terminal);
		for (c = 0; c < COLS; c++)
			wb_buf_clear(&row[k][c]);
	}
	free(row);
}
