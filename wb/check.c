#include "check.h"
#include "words.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *wb_check_word(enum wb_check_kind kind)
{
	static const char *const word[WB_CHECKS] = {
		"applies", "fixed-point", "header", "depends", "build", "test",
		"expect",
	};

	return word[kind];
}

void wb_check_add(struct wb_check *c, enum wb_check_kind kind, size_t index,
		  const char *fmt, ...)
{
	struct wb_buf text = WB_BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	wb_buf_vaddf(&text, fmt, ap);
	va_end(ap);
	c->finding = wb_grow(c->finding, c->n, &c->cap, sizeof(*c->finding));
	c->finding[c->n++] = (struct wb_finding){
		kind, index, wb_buf_detach(&text),
	};
}

static void check_applies(struct wb_check *c)
{
	struct wb_edit_patch *p;
	size_t k;

	for (k = 0; k < c->edit.n; k++) {
		p = &c->edit.patch[k];
		if (!p->known)
			wb_check_add(c, WB_CHECK_APPLIES, k + 1, "%s", p->why);
		else if (p->inexact)
			wb_check_add(c, WB_CHECK_APPLIES, k + 1, "%s",
				     p->inexact);
	}
	c->looked[WB_CHECK_APPLIES] = c->edit.n;
}

static size_t first_difference(const struct wb_buf *a, const struct wb_buf *b)
{
	size_t i, line = 1;

	for (i = 0; i < a->len && i < b->len && a->ptr[i] == b->ptr[i]; i++)
		line += a->ptr[i] == '\n';
	return line;
}

/* What refresh --all would write is what is there. */
static int check_fixed(struct wb_check *c, struct wb_error *err)
{
	struct wb_edit_patch **list = wb_xcalloc(c->edit.n, sizeof(*list)), *p;
	struct wb_buf whole = WB_BUF_INIT;
	size_t k, n = 0;
	int ret = 0;

	for (k = 0; k < c->edit.n && c->edit.patch[k].known; k++) {
		p = &c->edit.patch[k];
		p->before = p->from;
		p->after = p->to;
		if (p->old.len)
			list[n++] = p;
	}
	if (n)
		ret = wb_edit_texts(c->edit.git, list, n, err);
	for (k = 0; ret == 0 && k < n; k++) {
		p = list[k];
		wb_buf_reset(&whole);
		wb_patch_file_join(&p->parts, p->text.ptr, p->text.len,
				   &whole);
		if (whole.len != p->old.len ||
		    memcmp(whole.ptr, p->old.ptr, whole.len))
			wb_check_add(c, WB_CHECK_FIXED,
				     (size_t)(p - c->edit.patch) + 1,
				     "line %zu: refresh would change it (wb "
				     "series refresh --all)",
				     first_difference(&whole, &p->old));
	}
	c->looked[WB_CHECK_FIXED] = n;
	wb_buf_clear(&whole);
	free(list);
	return ret;
}

/* ---- dependencies ------------------------------------------------------- */

static long index_of(const struct wb_edit *e, const char *name)
{
	size_t k;

	for (k = 0; k < e->n; k++)
		if (!strcmp(e->patch[k].name, name))
			return (long)k;
	return -1;
}

/* Marks what patch k says it needs, and what those need. */
static void need_of(struct wb_check *c, size_t k, bool *need, bool report)
{
	const struct wb_edit *e = &c->edit;
	char *name;
	size_t i;
	long at;

	for (i = 0; (name = wb_words_dependence(&e->patch[k].parts.head, i));
	     i++) {
		at = index_of(e, name);
		if (report && (at < 0 || (size_t)at >= k))
			wb_check_add(c, WB_CHECK_DEPENDS, k + 1, at < 0 ?
				     "depends on %s, which is not in the "
				     "stack" : "depends on %s, which is not "
				     "below it", name);
		if (at >= 0 && (size_t)at < k && !need[at]) {
			need[at] = true;
			need_of(c, (size_t)at, need, false);
		}
		free(name);
	}
}

/* Patch k applies on the base with what it needs and nothing else. */
static void check_alone(struct wb_check *c, size_t k, const bool *need)
{
	struct wb_edit *e = &c->edit;
	struct wb_overlay *ov = wb_overlay_new(e->git, &e->base);
	struct wb_error why = WB_ERROR_INIT;
	size_t i;

	for (i = 0; i <= k; i++) {
		if (i < k && !need[i])
			continue;
		/* the reason becomes the finding */
		if (wb_edit_put_on(e, &e->patch[i], ov, &why) < 0) {
			if (i == k)
				wb_check_add(c, WB_CHECK_DEPENDS, k + 1,
					     "needs more than its Depends-on "
					     "lines say: %s", why.msg);
			wb_error_clear(&why);
			break;
		}
	}
	wb_overlay_free(ov);
}

static void check_depends(struct wb_check *c)
{
	bool *need = wb_xcalloc(c->edit.n, sizeof(*need)), declared = false;
	size_t k;
	char *name;

	for (k = 0; k < c->edit.n; k++) {
		name = wb_words_dependence(&c->edit.patch[k].parts.head, 0);
		declared |= name != NULL;
		free(name);
	}
	if (!declared) {
		c->skipped[WB_CHECK_DEPENDS] = "no patch has a Depends-on line";
		free(need);
		return;
	}
	for (k = 0; k < c->edit.n; k++) {
		memset(need, 0, c->edit.n * sizeof(*need));
		need_of(c, k, need, true);
		if (c->edit.patch[k].known)
			check_alone(c, k, need);
	}
	c->looked[WB_CHECK_DEPENDS] = c->edit.n;
	free(need);
}

static void settle_expect(struct wb_check *c)
{
	struct wb_expectation *x;
	size_t i;
	long at;

	for (i = 0; i < c->expect.n; i++) {
		x = &c->expect.v[i];
		at = !strcmp(x->patch, "base") ? 0 :
		     index_of(&c->edit, x->patch) + 1;
		x->index = (size_t)at;
		if (!at && strcmp(x->patch, "base"))
			wb_check_add(c, WB_CHECK_EXPECT, 0, "%s/expect names "
				     "%s, which is not in the stack",
				     c->edit.quilt.shown, x->patch);
	}
}

int wb_check_make(struct wb_check *c, struct wb_git *g,
		  const struct wb_stack_options *o, struct wb_error *err)
{
	memset(c, 0, sizeof(*c));
	c->edit.lock = -1;
	if (wb_edit_read(&c->edit, g, o, err) < 0 ||
	    wb_expect_read(&c->expect, c->edit.dir, c->edit.quilt.shown,
			   err) < 0)
		return -1;
	check_applies(c);
	if (check_fixed(c, err) < 0)
		return -1;
	wb_check_headers(c);
	check_depends(c);
	settle_expect(c);
	return 0;
}

void wb_check_clear(struct wb_check *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		free(c->finding[i].text);
	free(c->finding);
	wb_expect_clear(&c->expect);
	wb_edit_close(&c->edit);
	memset(c, 0, sizeof(*c));
}
