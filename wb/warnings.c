#include "warnings.h"
#include "buf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MARK ": warning: "

static int by_text(const void *a, const void *b)
{
	const struct wb_warning *x = a, *y = b;
	int order = strcmp(x->file, y->file);

	return order ? order : strcmp(x->text, y->text);
}

/* The digits in front of p, and the ':' in front of them; NULL: none. */
static const char *number_before(const char *from, const char *p)
{
	const char *d = p;

	while (d > from && isdigit((unsigned char)d[-1]))
		d--;
	return d < p && d > from + 1 && d[-1] == ':' ? d : NULL;
}

static void add(struct wb_warnings *w, const char *line, const char *end,
		const char *root)
{
	const char *mark = memmem(line, (size_t)(end - line), MARK,
				  strlen(MARK)), *number, *other;
	size_t skip = root ? strlen(root) : 0;

	number = mark ? number_before(line, mark) : NULL;
	if (!number)
		return;
	/* FILE:LINE:COLUMN */
	other = number_before(line, number - 1);
	number = other ? other : number;
	if (skip && !strncmp(line, root, skip) && line[skip] == '/')
		line += skip + 1;
	w->v = wb_grow(w->v, w->n, &w->cap, sizeof(*w->v));
	w->v[w->n++] = (struct wb_warning){
		.file = wb_xstrndup(line, (size_t)(number - 1 - line)),
		.text = wb_xstrndup(mark + strlen(MARK),
				    (size_t)(end - mark) - strlen(MARK)),
		.line = strtoul(number, NULL, 10),
	};
}

void wb_warnings_read(struct wb_warnings *w, const char *log, const char *root)
{
	const char *end;

	memset(w, 0, sizeof(*w));
	for (; *log; log = *end ? end + 1 : end) {
		end = log + strcspn(log, "\n");
		add(w, log, end, root);
	}
	if (w->n)
		qsort(w->v, w->n, sizeof(*w->v), by_text);
}

void wb_warnings_clear(struct wb_warnings *w)
{
	size_t i;

	for (i = 0; i < w->n; i++) {
		free(w->v[i].file);
		free(w->v[i].text);
	}
	free(w->v);
	memset(w, 0, sizeof(*w));
}

void wb_warnings_fresh(struct wb_warnings *now, const struct wb_warnings *old,
		       struct wb_warnings *fresh)
{
	size_t i, k = 0, kept = 0;
	int order;

	for (i = 0; i < now->n; i++) {
		order = 1;
		while (k < old->n &&
		       (order = by_text(&old->v[k], &now->v[i])) < 0)
			k++;
		if (k < old->n && !order) {
			k++;
			now->v[kept++] = now->v[i];
			continue;
		}
		fresh->v = wb_grow(fresh->v, fresh->n, &fresh->cap,
				   sizeof(*fresh->v));
		fresh->v[fresh->n++] = now->v[i];
	}
	now->n = kept;
}
