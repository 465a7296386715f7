#include "session.h"
#include "git-keep.h"
#include "path.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_TEXT ((size_t)16 << 20)

static char *in(const struct wb_session *s, const char *name)
{
	return wb_xasprintf("%s/%s", s->state, name);
}

/* "key value" lines. */
static char *value_of(const char *text, const char *key)
{
	const char *p = strstr(text, key);

	p = p ? p + strlen(key) : "";
	return wb_xstrndup(p, strcspn(p, "\n"));
}

static void id_of(const char *text, const char *key, struct wb_oid *id)
{
	char *v = value_of(text, key);

	memset(id, 0, sizeof(*id));
	memcpy(id->hex, v, strlen(v) > 40 ? 40 : strlen(v));
	free(v);
}

int wb_session_load(struct wb_session *s, const struct wb_edit *e,
		    struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	char *file, *git, *tree, *fresh;
	int ret;

	memset(s, 0, sizeof(*s));
	s->state = wb_xstrdup(e->state);
	s->message = in(s, "message");
	s->original = in(s, "message.orig");
	git = in(s, "git");
	tree = in(s, "tree");
	wb_desk_open(&s->desk, e->git, git, tree);
	file = in(s, "session");
	ret = wb_path_read(file, MAX_TEXT, &text, &s->open, err);
	if (ret == 0 && s->open) {
		s->name = value_of(text.ptr, "\nname ");
		s->file = value_of(text.ptr, "\nfile ");
		s->below = value_of(text.ptr, "\nbelow ");
		fresh = value_of(text.ptr, "\nfresh ");
		s->fresh = !strcmp(fresh, "yes");
		free(fresh);
		id_of(text.ptr, "\nfrom ", &s->from);
		id_of(text.ptr, "\nto ", &s->to);
	}
	wb_buf_clear(&text);
	free(file);
	free(git);
	free(tree);
	return ret;
}

void wb_session_clear(struct wb_session *s)
{
	wb_desk_clear(&s->desk);
	free(s->name);
	free(s->file);
	free(s->below);
	free(s->message);
	free(s->original);
	free(s->state);
	memset(s, 0, sizeof(*s));
}

static int write_session(const struct wb_session *s, struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	char *file = in(s, "session");
	int ret;

	wb_buf_addf(&text, "wb session 1\nname %s\nfile %s\nbelow %s\n"
		    "fresh %s\nfrom %s\nto %s\n", s->name, s->file, s->below,
		    s->fresh ? "yes" : "no", s->from.hex, s->to.hex);
	ret = wb_path_write(file, text.ptr, text.len, err);
	wb_buf_clear(&text);
	free(file);
	return ret;
}

static int write_words(const struct wb_session *s, const struct wb_buf *head,
		       struct wb_error *err)
{
	if (wb_path_write(s->original, head->ptr, head->len, err) < 0)
		return -1;
	return wb_path_write(s->message, head->ptr, head->len, err);
}

/* The stack up to its patch n - 1 as commits of the desk; HEAD is the last. */
static int set_head(struct wb_session *s, struct wb_edit *e, size_t n,
		    struct wb_error *err)
{
	static const char nobody[] = "wb <wb@localhost> 0 +0000";
	struct wb_buf out = WB_BUF_INIT;
	struct wb_oid tip;
	struct wb_env env;
	char *message, *ident;
	size_t i;
	int ret;

	ret = wb_git_commit(e->git, &e->base, NULL, nobody, "base\n", &tip,
			    err);
	for (i = 0; ret == 0 && i < n; i++) {
		const struct wb_edit_patch *p = &e->patch[i];

		wb_patch_file_words(&p->parts, nobody, &message, &ident);
		ret = wb_git_commit(e->git, *p->after.hex ? &p->after : &p->to,
				    &tip, ident, message, &tip, err);
		free(message);
		free(ident);
	}
	if (ret < 0 || wb_desk_save(&s->desk, &tip, 1, err) < 0)
		return -1;
	wb_desk_env(&s->desk, &env);
	wb_env_set(&env, "TIP", tip.hex);
	/* a file that cannot be read shows up when its tree is asked for */
	ret = wb_desk_run(&s->desk, "git update-ref --no-deref HEAD \"$TIP\" "
			  "&& git read-tree \"$TIP\" && "
			  "{ git update-index -q --refresh || :; }", &env,
			  &out, err);
	wb_env_clear(&env);
	wb_buf_clear(&out);
	return ret;
}

static int fill(struct wb_session *s, struct wb_edit *e, size_t n,
		const struct wb_buf *head, struct wb_error *err)
{
	char *git = wb_xstrdup(s->desk.dir), *tree = wb_xstrdup(s->desk.work);
	int ret = -1;

	wb_desk_clear(&s->desk);
	if (wb_path_remove(tree, err) == 0 && wb_path_make(tree, err) == 0 &&
	    wb_git_export(e->git, &s->to, tree, err) == 0 &&
	    wb_desk_make(&s->desk, e->git, git, tree, err) == 0 &&
	    set_head(s, e, n, err) == 0 && write_words(s, head, err) == 0)
		ret = write_session(s, err);
	free(git);
	free(tree);
	return ret;
}

int wb_session_start(struct wb_session *s, struct wb_edit *e, size_t k,
		     const char *file, const struct wb_buf *head,
		     struct wb_error *err)
{
	size_t n;

	if (wb_session_end(s, err) < 0)
		return -1;
	s->fresh = file != NULL;
	s->file = wb_xstrdup(file ? file : e->patch[k].file);
	n = strlen(s->file);
	s->name = wb_xstrndup(s->file,
			      n - (wb_str_ends(s->file, ".patch") ? 6 : 0));
	s->below = wb_xstrdup(k ? e->patch[k - 1].name : "");
	s->from = *wb_edit_below(e, k);
	s->to = file ? s->from : e->patch[k].to;
	s->open = true;
	return fill(s, e, k + !file, head ? head : &e->patch[k].parts.head,
		    err);
}

int wb_session_tree(struct wb_session *s, struct wb_edit *e,
		    struct wb_oid *tree, struct wb_error *err)
{
	char *objects = wb_xasprintf("%s/objects", s->desk.dir);
	struct wb_buf out = WB_BUF_INIT;
	struct wb_env env;
	int ret;

	wb_desk_env(&s->desk, &env);
	ret = wb_desk_run(&s->desk, "git add -A . && git write-tree", &env,
			  &out, err);
	wb_env_clear(&env);
	if (ret == 0 && out.len < 40)
		ret = wb_fail(err, WB_E_FATAL, "%s: git write-tree gave no "
			      "tree", s->desk.work);
	if (ret == 0) {
		memcpy(tree->hex, out.ptr, 40);
		tree->hex[40] = '\0';
		ret = wb_git_borrow(e->git, objects, err);
	} else {
		wb_fail_at(err, "%s", s->desk.work);
	}
	wb_buf_clear(&out);
	free(objects);
	return ret;
}

int wb_session_words(const struct wb_session *s, struct wb_buf *now,
		     struct wb_buf *before, struct wb_error *err)
{
	bool there, there_before;

	if (wb_path_read(s->message, MAX_TEXT, now, &there, err) < 0 ||
	    wb_path_read(s->original, MAX_TEXT, before, &there_before,
			 err) < 0)
		return -1;
	if (!there || !there_before)
		return wb_fail(err, WB_E_FATAL, "%s is missing: put it back "
			       "or begin again (wb series edit --discard)",
			       there ? s->original : s->message);
	return 0;
}

int wb_session_saved(struct wb_session *s, struct wb_edit *e,
		     struct wb_error *err)
{
	struct wb_buf now = WB_BUF_INIT, before = WB_BUF_INIT;
	struct wb_oid tree;
	int ret = -1;

	if (!s->open)
		return 0;
	if (wb_session_tree(s, e, &tree, err) < 0 ||
	    wb_session_words(s, &now, &before, err) < 0)
		goto out;
	ret = strcmp(tree.hex, s->to.hex) || now.len != before.len ||
	      memcmp(now.ptr, before.ptr, now.len) ?
	      wb_fail(err, WB_E_FATAL, "%s is open and edited in %s: 'wb "
		      "series refresh' takes that into the patch, 'wb series "
		      "edit --discard' throws it away", s->name,
		      s->desk.work) : 0;
out:
	wb_buf_clear(&now);
	wb_buf_clear(&before);
	return ret;
}

int wb_session_update(struct wb_session *s, struct wb_edit *e, size_t k,
		      struct wb_error *err)
{
	s->fresh = false;
	s->from = e->patch[k].before;
	s->to = e->patch[k].after;
	if (set_head(s, e, k + 1, err) < 0 ||
	    write_words(s, &e->patch[k].parts.head, err) < 0)
		return -1;
	return write_session(s, err);
}

int wb_session_end(struct wb_session *s, struct wb_error *err)
{
	char *file = in(s, "session");
	int ret = -1;

	/* the file that says it is open goes first */
	if (wb_path_remove(file, err) == 0 &&
	    wb_path_remove(s->desk.work, err) == 0 &&
	    wb_path_remove(s->desk.dir, err) == 0 &&
	    wb_path_remove(s->message, err) == 0)
		ret = wb_path_remove(s->original, err);
	free(file);
	free(s->name);
	free(s->file);
	free(s->below);
	s->name = s->file = s->below = NULL;
	s->open = false;
	return ret;
}
