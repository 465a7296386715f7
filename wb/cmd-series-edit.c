#include "cmd.h"
#include "ident.h"
#include "json.h"
#include "restack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct edit {
	struct wb_restack_options stack;
	const char *message, *after;
	bool signoff, all, close, discard;
};

#define OPT_STACK \
	WB_OPT_STR('s', "series", struct edit, stack.series, "DIR", \
		   "quilt folder instead of wb.series"), \
	WB_OPT_STR('p', "profile", struct edit, stack.profile, "P", \
		   "how patches apply: strict, quilt, dpkg, git")
#define OPT_FUZZ \
	WB_OPT_INT(0, "fuzz", struct edit, stack.fuzz, "N", \
		   "context lines that may differ in patches above")
#define OPT_UNDO \
	WB_OPT_FLAG(0, "undo", struct edit, stack.undo, \
		    "put back the stack as it was before the last change")

#define NO_SUBJECT "*** SUBJECT HERE ***"
#define NO_REASON "*** WHAT IS WRONG OR SLOW NOW, AND WHY THIS HELPS ***"

static const struct wb_opt new_opts[] = {
	WB_OPT_STR('m', "message", struct edit, message, "TEXT",
		   "subject, blank line and body"),
	WB_OPT_STR(0, "after", struct edit, after, "NAME",
		   "put it above NAME instead of on top"),
	WB_OPT_FLAG(0, "signoff", struct edit, signoff,
		    "add your Signed-off-by"),
	OPT_STACK,
	OPT_UNDO,
	WB_OPT_END
};

static const struct wb_opt edit_opts[] = {
	WB_OPT_FLAG(0, "close", struct edit, close,
		    "close what is open, if nothing is lost by it"),
	WB_OPT_FLAG(0, "discard", struct edit, discard,
		    "throw away what was edited and not refreshed"),
	OPT_STACK,
	OPT_UNDO,
	WB_OPT_END
};

static const struct wb_opt refresh_opts[] = {
	WB_OPT_FLAG('a', "all", struct edit, all,
		    "make every patch exact as it applies now"),
	OPT_FUZZ,
	OPT_STACK,
	OPT_UNDO,
	WB_OPT_END
};

static int begin(struct wb *wb, const struct edit *o, struct wb_restack *r,
		 struct wb_error *err)
{
	return wb_restack_open(r, wb->git, &wb->config, &o->stack, wb->json,
			       err);
}

/* Where the patch is open; the one line that a script needs. */
static void tell(const struct wb *wb, const struct wb_session *s)
{
	struct wb_json *doc;

	if (!wb->json) {
		printf("%s\n", s->desk.work);
		wb_talk("%s is open there; its message: %s; when done: wb "
			"series refresh", s->name, s->message);
		return;
	}
	doc = wb_json_object();
	wb_json_set(doc, "schema", wb_json_int(1));
	wb_json_set(doc, "name", wb_json_str(s->name));
	wb_json_set(doc, "tree", wb_json_str(s->desk.work));
	wb_json_set(doc, "message", wb_json_str(s->message));
	wb_json_put(doc);
}

static int template(const struct wb *wb, const struct edit *o,
		    struct wb_buf *head, struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	char *ident;
	int who;

	if (wb_ident(&wb->config, &ident, err) < 0)
		return -1;
	who = (int)(strrchr(ident, '>') + 1 - ident);
	wb_buf_addf(&text, "%s\n", o->message ? o->message :
		    NO_SUBJECT "\n\n" NO_REASON);
	if (o->signoff)
		wb_buf_addf(&text, "\nSigned-off-by: %.*s\n", who, ident);
	wb_patch_file_head(head, ident, text.ptr);
	wb_buf_clear(&text);
	free(ident);
	return 0;
}

static int cmd_new(struct wb *wb, void *opts, int argc, char **argv,
		   struct wb_error *err)
{
	const struct edit *o = opts;
	struct wb_buf head = WB_BUF_INIT;
	struct wb_restack r;
	char *file = NULL;
	size_t k = 0;
	int ret = -1;

	if (begin(wb, o, &r, err) < 0)
		goto out;
	if (o->stack.undo) {
		ret = wb_restack_undo(&r, err);
		goto out;
	}
	if (argc != 2) {
		wb_fail(err, WB_E_USAGE, "one name, of the patch to make");
		goto out;
	}
	k = r.edit.n;
	if (o->after) {
		if (wb_edit_find(&r.edit, o->after, &k, err) < 0)
			goto out;
		k++;
	}
	if (wb_edit_new_file(&r.edit, argv[1], &file, err) < 0 ||
	    wb_edit_need(&r.edit, k, err) < 0 ||
	    wb_restack_settle(&r, err) < 0 || template(wb, o, &head, err) < 0 ||
	    wb_session_start(&r.session, &r.edit, k, file, &head, err) < 0)
		goto out;
	tell(wb, &r.session);
	ret = 0;
out:
	free(file);
	wb_buf_clear(&head);
	wb_restack_close(&r);
	return ret;
}

static int open_patch(struct wb *wb, struct wb_restack *r, const char *word,
		      struct wb_error *err)
{
	size_t k;

	if (r->session.open && r->session.fresh &&
	    (!strcmp(word, r->session.name) || !strcmp(word, r->session.file)))
		goto open;
	if (wb_edit_find(&r->edit, word, &k, err) < 0)
		return -1;
	if (r->session.open && !strcmp(r->session.file, r->edit.patch[k].file))
		goto open;
	if (wb_edit_need(&r->edit, k + 1, err) < 0 ||
	    wb_restack_settle(r, err) < 0 ||
	    wb_session_start(&r->session, &r->edit, k, NULL, NULL, err) < 0)
		return -1;
open:
	tell(wb, &r->session);
	return 0;
}

static int cmd_edit(struct wb *wb, void *opts, int argc, char **argv,
		    struct wb_error *err)
{
	const struct edit *o = opts;
	struct wb_restack r;
	int ret = -1;

	if (begin(wb, o, &r, err) < 0)
		goto out;
	if (o->stack.undo) {
		ret = wb_restack_undo(&r, err);
		goto out;
	}
	if (argc > 2) {
		wb_fail(err, WB_E_USAGE, "one patch at a time, not '%s'",
			argv[2]);
		goto out;
	}
	if (o->discard && wb_session_end(&r.session, err) < 0)
		goto out;
	if (o->close && wb_restack_settle(&r, err) < 0)
		goto out;
	if (argc == 2) {
		ret = open_patch(wb, &r, argv[1], err);
	} else if (o->discard || o->close) {
		ret = 0;
	} else if (r.session.open) {
		tell(wb, &r.session);
		ret = 0;
	} else {
		wb_fail(err, WB_E_USAGE, "which patch? (wb series lists them)");
	}
out:
	wb_restack_close(&r);
	return ret;
}

/* ---- refresh ------------------------------------------------------------ */

/* The patch that is open, by name; a new one gets its place. */
static int find_open(struct wb_restack *r, size_t *k, struct wb_error *err)
{
	struct wb_session *s = &r->session;
	struct wb_error why = WB_ERROR_INIT;

	if (s->fresh) {
		*k = 0;
		if (*s->below) {
			if (wb_edit_find(&r->edit, s->below, k, err) < 0)
				return wb_fail_at(err, "the patch below %s",
						  s->name);
			++*k;
		}
		return 0;
	}
	if (wb_edit_find(&r->edit, s->name, k, &why) == 0)
		return 0;
	return wb_fail(err, WB_E_FATAL, "%s is open but no longer in the "
		       "series: save what you need from %s, then 'wb series "
		       "edit --discard'", s->name, s->desk.work);
}

/* What the folder was made from must still be what the stack has there. */
static int check_ground(struct wb_restack *r, size_t k,
			const struct wb_oid *tree, struct wb_error *err)
{
	const struct wb_session *s = &r->session;
	const struct wb_edit_patch *p = &r->edit.patch[k];
	const char *what = NULL;

	if (wb_edit_need(&r->edit, k, err) < 0)
		return -1;
	if (strcmp(wb_edit_below(&r->edit, k)->hex, s->from.hex))
		what = "what is below it (HEAD or a patch)";
	else if (!s->fresh && (!p->known || (strcmp(p->to.hex, s->to.hex) &&
					     strcmp(p->to.hex, tree->hex))))
		what = "the patch itself";
	if (!what)
		return 0;
	return wb_fail(err, WB_E_FATAL, "%s: %s has changed since it was "
		       "opened: nothing written; 'git diff HEAD' in %s is your "
		       "edit, 'wb series edit --discard %s' begins again",
		       s->name, what, s->desk.work, s->name);
}

static int take_words(const struct wb_session *s, struct wb_edit_patch *p,
		      struct wb_error *err)
{
	struct wb_buf now = WB_BUF_INIT, before = WB_BUF_INIT;
	struct wb_buf *head = &p->parts.head;
	int ret = -1;

	if (wb_session_words(s, &now, &before, err) < 0)
		goto out;
	if (s->fresh && (strstr(now.ptr, NO_SUBJECT) ||
			 strstr(now.ptr, NO_REASON))) {
		wb_fail(err, WB_E_FATAL, "%s has no message yet: write it in "
			"%s", s->name, s->message);
		goto out;
	}
	ret = 0;
	if (!s->fresh && now.len == before.len &&
	    !memcmp(now.ptr, before.ptr, now.len))
		goto out;
	if (!s->fresh && (head->len != before.len ||
			  memcmp(head->ptr, before.ptr, head->len))) {
		ret = wb_fail(err, WB_E_FATAL, "%s: its message was edited "
			      "both in the patch and in %s: make them the "
			      "same", s->name, s->message);
		goto out;
	}
	wb_buf_reset(head);
	wb_buf_add(head, now.ptr, now.len);
	p->rewrite = true;
out:
	wb_buf_clear(&now);
	wb_buf_clear(&before);
	return ret;
}

static int refresh_open(struct wb_restack *r, struct wb_error *err)
{
	struct wb_session *s = &r->session;
	struct wb_edit_patch *p;
	struct wb_oid tree;
	size_t k;

	if (find_open(r, &k, err) < 0 ||
	    wb_session_tree(s, &r->edit, &tree, err) < 0 ||
	    check_ground(r, k, &tree, err) < 0)
		return -1;
	if (s->fresh) {
		p = wb_edit_insert(&r->edit, k, s->file);
		p->parts.rule = true;
	}
	p = &r->edit.patch[k];
	p->fixed = true;
	p->want = tree;
	if (take_words(s, p, err) < 0 ||
	    wb_restack_finish(r, s->fresh ? "new" : "refresh", err) < 0)
		return -1;
	return wb_session_update(s, &r->edit, k, err);
}

/* Patches that are not open: exact, as they apply now. */
static int refresh_closed(struct wb_restack *r, bool all, const char *word,
			  struct wb_error *err)
{
	struct wb_edit *e = &r->edit;
	size_t k = 0, i;

	if (wb_restack_settle(r, err) < 0 ||
	    (!all && wb_edit_find(e, word, &k, err) < 0) ||
	    wb_edit_need(e, all ? e->n : k + 1, err) < 0)
		return -1;
	for (i = 0; i < e->n; i++)
		e->patch[i].rewrite = (all || i == k) &&
				      e->patch[i].patch.nsections;
	return wb_restack_finish(r, "refresh", err);
}

static int cmd_refresh(struct wb *wb, void *opts, int argc, char **argv,
		       struct wb_error *err)
{
	const struct edit *o = opts;
	const char *word = argc > 1 ? argv[1] : NULL;
	struct wb_restack r;
	const struct wb_session *s = &r.session;
	int ret = -1;

	if (begin(wb, o, &r, err) < 0)
		goto out;
	if (o->stack.undo)
		ret = wb_restack_undo(&r, err);
	else if (argc > 2 || (word && o->all))
		wb_fail(err, WB_E_USAGE, "one patch, or --all");
	else if (s->open && !o->all && (!word || !strcmp(word, s->name) ||
					!strcmp(word, s->file)))
		ret = refresh_open(&r, err);
	else if (word || o->all)
		ret = refresh_closed(&r, o->all, word, err);
	else
		wb_fail(err, WB_E_USAGE, "no patch is open: 'wb series edit "
			"NAME' opens one, --all makes the stack exact");
out:
	wb_restack_close(&r);
	return ret;
}

const struct wb_cmd wb_cmd_series_new = {
	.name = "series new",
	.fn = cmd_new,
	.needs = WB_NEED_REPO,
	.usage = "wb series new [-m TEXT] [--after=NAME] [--signoff] "
		 "[--series=DIR] NAME",
	.summary = "open a folder for a patch to be made",
	.opts = new_opts,
	.size = sizeof(struct edit),
};

const struct wb_cmd wb_cmd_series_edit = {
	.name = "series edit",
	.fn = cmd_edit,
	.needs = WB_NEED_REPO,
	.usage = "wb series edit [--close] [--discard] [--series=DIR] [NAME]",
	.summary = "open a folder with the tree of a patch",
	.opts = edit_opts,
	.size = sizeof(struct edit),
};

const struct wb_cmd wb_cmd_series_refresh = {
	.name = "series refresh",
	.fn = cmd_refresh,
	.needs = WB_NEED_REPO,
	.usage = "wb series refresh [--all] [--fuzz=N] [--profile=P] "
		 "[--series=DIR] [NAME]\n"
		 "wb series refresh --undo [--series=DIR]",
	.summary = "take what was edited into the patch",
	.opts = refresh_opts,
	.size = sizeof(struct edit),
};
