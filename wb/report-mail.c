#include "report-mail.h"
#include "ident.h"
#include "letter.h"
#include "mbox-subject.h"
#include "path.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct writing {
	const struct wb_report_job *j;
	const struct wb_report_mail_options *o;
	char *user;		/* "Name <mail>" */
	const char *cover;	/* Message-ID of the letter 0/n, or NULL */
	struct wb_buf *out;
};

/* "<a@b> comment" is a@b; of several the last. malloc'ed, NULL: none. */
static char *id_in(const char *value)
{
	const char *from = value ? strrchr(value, '<') : NULL;
	size_t n = from ? strcspn(from + 1, "> \t") : 0;

	return n && from[n + 1] == '>' ? wb_xstrndup(from + 1, n) : NULL;
}

static int find_user(struct writing *w, struct wb_error *err)
{
	char *end;

	if (wb_ident(w->j->config, &w->user, err) < 0)
		return -1;
	end = strrchr(w->user, '>');
	end[1] = '\0';
	return 0;
}

/*
 * What every patch answers, if it is none of them: the cover letter. A single
 * patch that answers something may answer anything.
 */
static char *find_cover(const struct wb_stack *s)
{
	char *cover = NULL, *id;
	bool same = s->n > 2;
	size_t k, i;

	for (k = 1; k < s->n && same; k++) {
		id = id_in(s->prefix[k].mail.reply_to);
		same = id && (!cover || !strcmp(id, cover));
		for (i = 1; i < s->n && same; i++) {
			char *own = id_in(s->prefix[i].mail.id);

			same = !own || strcmp(own, id);
			free(own);
		}
		free(cover);
		cover = id;
	}
	if (!same) {
		free(cover);
		cover = NULL;
	}
	return cover;
}

/* The file of an answer: no byte of a name leads elsewhere. */
static char *file_of(const struct writing *w, int number, const char *name)
{
	const char *dir = w->o->dir ? w->o->dir : ".";
	struct wb_buf b = WB_BUF_INIT;

	wb_buf_addf(&b, "%s%s%04d-re-", strcmp(dir, ".") ? dir : "",
		    strcmp(dir, ".") ? "/" : "", number);
	for (; *name; name++)
		wb_buf_addch(&b, isalnum((unsigned char)*name) ||
			     strchr("._-", *name) ? *name : '-');
	wb_buf_addstr(&b, ".eml");
	return wb_buf_detach(&b);
}

/* The answer's text: filled by the template, and the user's own word. */
static int write_body(const struct writing *w, size_t column,
		      struct wb_buf *body, struct wb_error *err)
{
	if (wb_report_fill(w->j, "reply", column, body, err) < 0)
		return -1;
	if (w->o->tested_by)
		wb_buf_addf(body, "\nTested-by: %s\n", w->user);
	return 0;
}

static int write_file(const struct writing *w, const char *file,
		      const struct wb_letter *l, struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	int ret;

	wb_letter_print(l, &text);
	ret = wb_path_write(file, text.ptr, text.len, err);
	if (!ret)
		wb_buf_addf(w->out, "%s\n", file);
	wb_buf_clear(&text);
	return ret;
}

static char *answer_subject(const struct wb_prefix *p)
{
	const char *full = p->mail.full && *p->mail.full ? p->mail.full :
			   p->subject;

	return wb_xasprintf("Re: %s", full);
}

static int answer_patch(const struct writing *w, size_t k, struct wb_error *err)
{
	const struct wb_prefix *p = &w->j->stack->prefix[k];
	char *subject = answer_subject(p), *id = id_in(p->mail.id);
	char *file = file_of(w, (int)k, p->name);
	struct wb_buf body = WB_BUF_INIT;
	int ret = write_body(w, k, &body, err);

	if (!ret)
		ret = write_file(w, file, &(struct wb_letter){
			.from = w->user, .to = p->author, .cc = p->mail.cc,
			.subject = subject, .reply_to = id,
			.thread = w->cover, .body = body.ptr,
		}, err);
	wb_buf_clear(&body);
	free(file);
	free(id);
	free(subject);
	return ret;
}

/* "Re: [PATCH v2 0/7] ..."; the cover's own words are not at hand. */
static char *cover_subject(const struct writing *w)
{
	const struct wb_prefix *p = &w->j->stack->prefix[1];
	struct wb_mbox_subject s;

	if (!w->cover)
		return answer_subject(p);
	wb_mbox_subject_read(&s, p->mail.full ? p->mail.full : "");
	if (s.version > 1)
		return wb_xasprintf("Re: [PATCH v%d 0/%ld] the series, "
				    "measured", s.version, s.n);
	return wb_xasprintf("Re: [PATCH 0/%ld] the series, measured", s.n);
}

static int answer_cover(const struct writing *w, struct wb_error *err)
{
	const struct wb_prefix *p = &w->j->stack->prefix[1];
	char *subject = cover_subject(w), *first = id_in(p->mail.id);
	char *file = file_of(w, 0, "series");
	struct wb_buf body = WB_BUF_INIT;
	int ret = write_body(w, 0, &body, err);

	if (!ret)
		ret = write_file(w, file, &(struct wb_letter){
			.from = w->user, .to = p->author, .cc = p->mail.cc,
			.subject = subject,
			.reply_to = w->cover ? w->cover : first,
			.body = body.ptr,
		}, err);
	wb_buf_clear(&body);
	free(file);
	free(first);
	free(subject);
	return ret;
}

/* A Tested-by under the whole series is one for each of its patches. */
static int check_all(const struct writing *w, struct wb_error *err)
{
	const struct wb_result *r = w->j->t->r;
	size_t k;

	for (k = 1; k < r->ncolumns && w->o->tested_by; k++)
		if (!wb_report_measured(w->j->t, k))
			return wb_fail(err, WB_E_JUDGE, "--tested-by: patch "
				       "%d '%s' was not measured here; with "
				       "--each the others get theirs",
				       r->column[k].index, r->column[k].name);
	return 0;
}

static int answer_each(const struct writing *w, struct wb_error *err)
{
	const struct wb_result *r = w->j->t->r;
	size_t k, n = 0;

	for (k = 1; k < r->ncolumns; k++) {
		if (!wb_report_measured(w->j->t, k)) {
			wb_talk("patch %d '%s' was not measured: no answer",
				r->column[k].index, r->column[k].name);
			continue;
		}
		if (answer_patch(w, k, err) < 0)
			return -1;
		n++;
	}
	return n ? 0 : wb_fail(err, WB_E_JUDGE, "no patch was measured here");
}

int wb_report_mail(const struct wb_report_job *j,
		   const struct wb_report_mail_options *o, struct wb_buf *out,
		   struct wb_error *err)
{
	struct writing w = { .j = j, .o = o, .out = out };
	char *cover = NULL;
	int ret = -1;

	if (!j->stack || j->stack->n < 2)
		return wb_fail(err, WB_E_USAGE, "--email: a stack with patches "
			       "is what is answered, not a file of samples");
	if (find_user(&w, err) < 0 || (o->dir && wb_path_make(o->dir, err) < 0))
		goto out;
	w.cover = cover = find_cover(j->stack);
	if (o->each)
		ret = answer_each(&w, err);
	else if (check_all(&w, err) == 0)
		ret = answer_cover(&w, err);
out:
	free(cover);
	free(w.user);
	return ret;
}
