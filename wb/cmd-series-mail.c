#include "cmd.h"
#include "mbox-series.h"
#include "path.h"
#include "restack.h"
#include "version.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mail {
	struct wb_restack_options stack;
	const char *mbox, *after;
	const char *dir, *base, *prefix, *diff;
	struct wb_strlist to, cc;
	int version;
	bool to_stdout, cover, no_base;
};

#define OPT_SERIES WB_OPT_STR('s', "series", struct mail, stack.series, "DIR", \
			      "quilt folder instead of wb.series")

static const struct wb_opt import_opts[] = {
	WB_OPT_STR(0, "mbox", struct mail, mbox, "FILE",
		   "the patches of a mailbox or Maildir ('-': stdin)"),
	WB_OPT_STR(0, "after", struct mail, after, "NAME",
		   "put them above NAME instead of on top"),
	WB_OPT_INT(0, "fuzz", struct mail, stack.fuzz, "N",
		   "context lines that may differ"),
	OPT_SERIES,
	WB_OPT_STR('p', "profile", struct mail, stack.profile, "P",
		   "how patches apply: strict, quilt, dpkg, git"),
	WB_OPT_FLAG(0, "undo", struct mail, stack.undo,
		    "put back the stack as it was before the last change"),
	WB_OPT_END
};

static const struct wb_opt export_opts[] = {
	WB_OPT_STR('o', "output-directory", struct mail, dir, "DIR",
		   "where the files go (the current folder)"),
	WB_OPT_FLAG(0, "stdout", struct mail, to_stdout,
		    "one mailbox on stdout instead of files"),
	WB_OPT_INT(0, "reroll-count", struct mail, version, "N",
		   "version N of the series: [PATCH vN i/n]"),
	WB_OPT_STR(0, "range-diff", struct mail, diff, "V",
		   "what changed since version V, for the cover letter"),
	WB_OPT_FLAG(0, "cover-letter", struct mail, cover,
		    "a letter 0/n to be filled in"),
	WB_OPT_STR(0, "base", struct mail, base, "REV",
		   "base-commit to name, with patch ids of what lies between"),
	WB_OPT_FLAG(0, "no-base", struct mail, no_base, "name no base-commit"),
	WB_OPT_STR(0, "subject-prefix", struct mail, prefix, "TEXT",
		   "instead of PATCH"),
	WB_OPT_LIST(0, "to", struct mail, to, "ADDRESS", "a To: header"),
	WB_OPT_LIST(0, "cc", struct mail, cc, "ADDRESS", "a Cc: header"),
	OPT_SERIES,
	WB_OPT_END
};

/* ---- import ------------------------------------------------------------- */

/* The commits of a range as a mailbox that git wrote. */
static int read_range(struct wb_desk *d, struct wb_git *g, const char *range,
		      struct wb_mbox *m, struct wb_error *err)
{
	const char *dots = strstr(range, "..");
	char *from = wb_xstrndup(range, dots ? (size_t)(dots - range) : 0);
	struct wb_oid a, b;
	struct wb_buf text = WB_BUF_INIT;
	struct wb_env env;
	int ret = -1;

	if (!dots || dots[2] == '.') {
		wb_fail(err, WB_E_USAGE, "'%s' is no range A..B", range);
		goto out;
	}
	if (wb_git_commit_of(g, *from ? from : "HEAD", &a, err) < 0 ||
	    wb_git_commit_of(g, dots[2] ? dots + 2 : "HEAD", &b, err) < 0)
		goto out;
	wb_desk_env(d, &env);
	wb_env_setf(&env, "RANGE", "%s..%s", a.hex, b.hex);
	ret = wb_desk_run(d, "git format-patch --stdout -N --no-signature "
			  "\"$RANGE\"", &env, &text, err);
	wb_env_clear(&env);
	if (ret == 0 && !text.len)
		ret = wb_fail(err, WB_E_FATAL, "%s is empty", range);
	if (ret == 0)
		ret = wb_mbox_add(m, range, &text, true, err);
out:
	wb_buf_clear(&text);
	free(from);
	return ret;
}

/* A line "KEY value" of what git mailinfo says. */
static char *said(const char *info, const char *key)
{
	size_t n = strlen(key);

	for (; info; info = strchr(info, '\n') ? strchr(info, '\n') + 1 : NULL)
		if (!strncmp(info, key, n))
			return wb_xstrndup(info + n,
					   strcspn(info + n, "\n"));
	return wb_xstrdup("");
}

static bool ascii(const char *s)
{
	while (*s && (unsigned char)*s < 0x80)
		s++;
	return !*s;
}

static void add_headers(struct wb_buf *out, const char *info,
			const struct wb_buf *message)
{
	char *who = said(info, "Author: "), *mail = said(info, "Email: ");
	char *date = said(info, "Date: "), *subject = said(info, "Subject: ");
	bool quote = strpbrk(who, "()<>@,;:\\\".[]") && *who != '"';

	wb_buf_addf(out, "From %040d Mon Sep 17 00:00:00 2001\n", 0);
	wb_buf_addf(out, "From: %s%s%s <%s>\nDate: %s\n", quote ? "\"" : "",
		    who, quote ? "\"" : "", mail, date);
	wb_buf_addf(out, "Subject: [PATCH] %s\n", subject);
	if (!ascii(who) || !ascii(subject) || !ascii(message->ptr))
		wb_buf_addstr(out, "MIME-Version: 1.0\nContent-Type: "
			      "text/plain; charset=UTF-8\n"
			      "Content-Transfer-Encoding: 8bit\n");
	wb_buf_addf(out, "\n%s", message->ptr);
	free(who);
	free(mail);
	free(date);
	free(subject);
}

/* A message as git reads it: decoded, without what only the mail needed. */
static int normalise(struct wb_desk *d, const struct wb_buf *text,
		     struct wb_buf *out, struct wb_error *err)
{
	struct wb_buf info = WB_BUF_INIT, message = WB_BUF_INIT;
	char *file = wb_xasprintf("%s/mail", d->dir), *p;
	struct wb_env env;
	bool there;
	int ret;

	ret = wb_path_write(file, text->ptr, text->len, err);
	wb_desk_env(d, &env);
	if (ret == 0)
		ret = wb_desk_run(d, "git mailinfo -b msg patch <mail", &env,
				  &info, err);
	wb_env_clear(&env);
	if (ret == 0) {
		p = wb_xasprintf("%s/msg", d->dir);
		ret = wb_path_read(p, (size_t)64 << 20, &message, &there, err);
		free(p);
	}
	if (ret == 0) {
		add_headers(out, info.ptr, &message);
		p = wb_xasprintf("%s/patch", d->dir);
		ret = wb_path_read(p, (size_t)64 << 20, out, &there, err);
		free(p);
	}
	wb_buf_clear(&info);
	wb_buf_clear(&message);
	free(file);
	return ret;
}

/* "v2-0003-do-this" is do-this; a second one is do-this-2. */
static int pick_name(const struct wb_edit *e, const char *name, char **file,
		     struct wb_error *err)
{
	struct wb_error why = WB_ERROR_INIT;
	const char *p = name;
	char *other;
	int i, ret = -1;

	if (*p == 'v' && isdigit((unsigned char)p[1]))
		p += 1 + strspn(p + 1, "0123456789") + 1;
	p += strspn(p, "0123456789");
	p += *p == '-';
	for (i = 1; ret < 0 && i < 100; i++) {
		other = i == 1 ? wb_xstrdup(*p ? p : "patch") :
			wb_xasprintf("%s-%d", *p ? p : "patch", i);
		ret = wb_edit_new_file(e, other, file, &why);
		free(other);
	}
	if (ret < 0)
		*err = why;
	return ret;
}

static int add_patch(struct wb_edit *e, struct wb_desk *d, size_t k,
		     const struct wb_mbox_patch *from, struct wb_error *err)
{
	static const struct wb_patch_rules rules = { .strip = 1 };
	struct wb_edit_patch *p;
	char *file = NULL;
	int ret;

	if (pick_name(e, from->name, &file, err) < 0)
		return -1;
	p = wb_edit_insert(e, k, file);
	ret = normalise(d, &from->text, &p->old, err);
	if (ret == 0)
		ret = wb_patch_parse(&p->patch, p->old.ptr, p->old.len, &rules,
				     file, err);
	if (ret == 0) {
		p->readable = true;
		wb_patch_file_split(&p->parts, p->old.ptr, p->old.len,
				    &p->patch);
		wb_buf_reset(&p->parts.tail);
	} else {
		wb_fail_at(err, "%s", from->shown);
	}
	free(file);
	return ret;
}

static int import(struct wb *wb, const struct mail *o, struct wb_restack *r,
		  const char *range, struct wb_error *err)
{
	struct wb_mbox_series s = { .n = 0 };
	struct wb_mbox m = { .n = 0 };
	struct wb_desk d;
	size_t k = r->edit.n, i;
	int ret = -1;

	if (wb_desk_scratch(&d, wb->git, err) < 0)
		goto out;
	if (o->after) {
		if (wb_edit_find(&r->edit, o->after, &k, err) < 0)
			goto out;
		k++;
	}
	if (wb_edit_need(&r->edit, k, err) < 0 ||
	    (o->mbox ? wb_mbox_read(&m, o->mbox, err) :
	     read_range(&d, wb->git, range, &m, err)) < 0 ||
	    wb_mbox_series_make(&s, &m, o->mbox ? o->mbox : range, err) < 0)
		goto out;
	for (i = 0; i < s.n; i++)
		if (add_patch(&r->edit, &d, k + i, &s.patch[i], err) < 0)
			goto out;
	ret = 0;
out:
	wb_mbox_series_clear(&s);
	wb_mbox_clear(&m);
	wb_desk_clear(&d);
	return ret;
}

static int cmd_import(struct wb *wb, void *opts, int argc, char **argv,
		      struct wb_error *err)
{
	const struct mail *o = opts;
	struct wb_restack r;
	int ret = -1;

	if (wb_restack_open(&r, wb->git, &wb->config, &o->stack, wb->json,
			    err) < 0)
		goto out;
	if (o->stack.undo)
		ret = wb_restack_undo(&r, err);
	else if (argc != 1 + !o->mbox)
		wb_fail(err, WB_E_USAGE, "one range A..B, or --mbox=FILE");
	else if (wb_restack_settle(&r, err) == 0 &&
		 import(wb, o, &r, argv[1], err) == 0)
		ret = wb_restack_finish(&r, "import", err);
out:
	wb_restack_close(&r);
	return ret;
}

/* ---- export ------------------------------------------------------------- */

/* The command line, its words as variables so that sh takes them as they are */
struct line {
	struct wb_buf text;
	struct wb_env env;
	int n;
};

static void add_word(struct line *l, const char *option, const char *value)
{
	char name[16];

	snprintf(name, sizeof(name), "WB_A%d", l->n++);
	wb_env_setf(&l->env, name, "%s%s", option, value);
	wb_buf_addf(&l->text, " \"$%s\"", name);
}

static int add_versions(struct line *l, struct wb_edit *e, const struct mail *o,
			struct wb_error *err)
{
	char number[16], *range = NULL;
	size_t n;

	if (o->version > 0) {
		snprintf(number, sizeof(number), "%d", o->version);
		add_word(l, "--reroll-count=", number);
	}
	if (!o->diff)
		return 0;
	n = *o->diff == 'v' ? strtoul(o->diff + 1, NULL, 10) : 0;
	if (n && wb_version_range(e->git, e->key, n, &range, err) < 0)
		return -1;
	add_word(l, "--range-diff=", range ? range : o->diff);
	free(range);
	return 0;
}

static int add_base(struct line *l, struct wb_edit *e, const struct mail *o,
		    struct wb_error *err)
{
	struct wb_oid base = e->head;

	if (o->no_base) {
		add_word(l, "--no-base", "");
		return 0;
	}
	if (o->base && wb_git_commit_of(e->git, o->base, &base, err) < 0)
		return -1;
	add_word(l, "--base=", base.hex);
	return 0;
}

static int export(struct wb *wb, const struct mail *o, struct wb_edit *e,
		  struct wb_desk *d, struct wb_buf *out, struct wb_error *err)
{
	struct line l = { .text = WB_BUF_INIT };
	char *dir = NULL, *range = wb_xasprintf("%s..%s", e->head.hex,
						e->tip.hex);
	size_t i;
	int ret = -1;

	/* the user's repository and settings, with our commits lent to it */
	wb_env_init(&l.env);
	wb_env_set(&l.env, "GIT_DIR", wb_git_common_dir(wb->git));
	wb_env_setf(&l.env, "GIT_ALTERNATE_OBJECT_DIRECTORIES", "%s/objects",
		    d->dir);
	wb_buf_addstr(&l.text, "git format-patch");
	if (add_versions(&l, e, o, err) < 0 || add_base(&l, e, o, err) < 0)
		goto out;
	if (!o->to_stdout) {
		if (wb_path_make(o->dir ? o->dir : ".", err) < 0)
			goto out;
		dir = realpath(o->dir ? o->dir : ".", NULL);
		add_word(&l, "--output-directory=", dir ? dir : ".");
	} else {
		add_word(&l, "--stdout", "");
	}
	if (o->cover)
		add_word(&l, "--cover-letter", "");
	if (o->prefix)
		add_word(&l, "--subject-prefix=", o->prefix);
	for (i = 0; i < o->to.n; i++)
		add_word(&l, "--to=", o->to.v[i]);
	for (i = 0; i < o->cc.n; i++)
		add_word(&l, "--cc=", o->cc.v[i]);
	add_word(&l, range, "");
	ret = wb_desk_run(d, l.text.ptr, &l.env, out, err);
out:
	wb_env_clear(&l.env);
	wb_buf_clear(&l.text);
	free(dir);
	free(range);
	return ret;
}

/* Nobody is made the author of a patch that names none. */
static int check_authors(const struct wb_edit *e, struct wb_error *err)
{
	struct wb_message m;
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < e->n; i++) {
		wb_message_of_patch(&m, e->patch[i].parts.head.ptr,
				    e->patch[i].parts.head.len);
		if (!m.author)
			ret = wb_fail(err, WB_E_FATAL, "%s/%s has no author: "
				      "give it a line From: Name <mail>",
				      e->quilt.shown, e->patch[i].file);
		wb_message_clear(&m);
	}
	return ret;
}

static int cmd_export(struct wb *wb, void *opts, int argc, char **argv,
		      struct wb_error *err)
{
	const struct mail *o = opts;
	struct wb_stack_options so = {
		.from = { .word = o->stack.series },
		.series = wb->config.series, .fuzz = -1,
		.header_only = wb->config.header_only,
	};
	struct wb_edit e = { .lock = -1 };
	struct wb_desk d = { .git = NULL };
	struct wb_buf out = WB_BUF_INIT;
	int ret = -1;

	if (argc > 1) {
		wb_fail(err, WB_E_USAGE, "unexpected '%s'", argv[1]);
		goto out;
	}
	if (wb_profile_parse(wb->config.profile, &so.profile, err) < 0 ||
	    wb_edit_read(&e, wb->git, &so, err) < 0 ||
	    wb_edit_need(&e, e.n, err) < 0 || check_authors(&e, err) < 0 ||
	    wb_desk_scratch(&d, wb->git, err) < 0 ||
	    wb_desk_save(&d, &e.tip, 1, err) < 0 ||
	    export(wb, o, &e, &d, &out, err) < 0)
		goto out;
	fwrite(out.ptr, 1, out.len, stdout);
	ret = 0;
out:
	wb_buf_clear(&out);
	wb_desk_clear(&d);
	wb_edit_close(&e);
	return ret;
}

const struct wb_cmd wb_cmd_series_import = {
	.name = "series import",
	.fn = cmd_import,
	.needs = WB_NEED_REPO,
	.usage = "wb series import [--after=NAME] [--fuzz=N] [--series=DIR] "
		 "(RANGE | --mbox=FILE)",
	.summary = "commits or mails become patches of the stack",
	.opts = import_opts,
	.size = sizeof(struct mail),
};

const struct wb_cmd wb_cmd_series_export = {
	.name = "series export",
	.fn = cmd_export,
	.needs = WB_NEED_REPO,
	.usage = "wb series export [--output-directory=DIR | --stdout] "
		 "[--reroll-count=N] [--range-diff=V] [--cover-letter] "
		 "[--base=REV | --no-base] [--subject-prefix=TEXT] "
		 "[--to=ADDRESS ...] [--cc=ADDRESS ...] [--series=DIR]",
	.summary = "the stack as git format-patch would write it",
	.opts = export_opts,
	.size = sizeof(struct mail),
};
