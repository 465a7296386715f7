#include "series-load.h"

#include <stdlib.h>
#include <string.h>

/* The message as format-patch writes it; its first line is the subject. */
static char *as_mail(const struct wb_git_step *step)
{
	const char *text = step->message + strspn(step->message, "\n");
	const char *rest = text + strcspn(text, "\n");
	struct wb_buf b = WB_BUF_INIT;

	wb_buf_addf(&b, "From: %s\nDate: %s\nSubject: %.*s\n",
		    step->author ? step->author : "",
		    step->date ? step->date : "", (int)(rest - text), text);
	wb_buf_addstr(&b, *rest ? rest : "\n");
	return wb_buf_detach(&b);
}

static int add_step(struct wb_loading *l, struct wb_git_step *step,
		    struct wb_error *err)
{
	char name[13];
	struct wb_prefix *p;
	struct wb_message m;

	memcpy(name, step->commit.hex, 12);
	name[12] = '\0';
	p = wb_load_add(l, step->name ? step->name : name);
	wb_message_of_commit(&m, step->message);
	wb_prefix_take(p, &m);
	p->head = as_mail(step);
	p->author = step->author;
	p->date = step->date;
	step->author = step->date = NULL;
	p->files = step->files;
	p->added = step->added;
	p->removed = step->removed;
	p->applies = true;
	p->tree = step->tree;
	return wb_load_exclude(l, &p->tree, err);
}

static int add_steps(struct wb_loading *l, struct wb_git_range *r,
		     struct wb_error *err)
{
	size_t i;

	if (wb_load_exclude(l, &r->base_tree, err) < 0)
		return -1;
	wb_load_start(l, &r->base_tree);
	for (i = 0; i < r->n; i++)
		if (add_step(l, &r->step[i], err) < 0)
			return -1;
	return 0;
}

static unsigned how(const struct wb_stack_options *o)
{
	return (o->diffstat ? WB_GIT_DIFFSTAT : 0) |
	       (o->from.full_history ? WB_GIT_FULL_HISTORY : 0);
}

static int check(const struct wb_loading *l, struct wb_error *err)
{
	if (l->o->root || !l->git)
		return wb_fail(err, WB_E_USAGE, "%s: commits have no use for "
			       "--root", l->stack->source);
	return 0;
}

int wb_load_range(struct wb_loading *l, const char *dots, struct wb_error *err)
{
	const char *source = l->stack->source;
	char *from = wb_xstrndup(source, (size_t)(dots - source));
	const char *to = dots[2] ? dots + 2 : "HEAD";
	struct wb_git_range r = { .step = NULL };
	int ret = -1;

	if (check(l, err) < 0)
		goto out;
	if (*to == '.') {
		wb_fail(err, WB_E_USAGE, "%s: a stack is a range A..B, with "
			"two dots", source);
		goto out;
	}
	ret = wb_git_range(l->git, *from ? from : "HEAD", to, how(l->o), &r,
			   err);
	if (ret == 0)
		ret = add_steps(l, &r, err);
out:
	wb_git_range_clear(&r);
	free(from);
	return ret;
}

int wb_load_stgit(struct wb_loading *l, struct wb_error *err)
{
	struct wb_git_range r = { .step = NULL };
	int ret = check(l, err);

	if (ret == 0)
		ret = wb_git_stgit(l->git, l->o->from.word, how(l->o), &r, err);
	if (ret == 0)
		ret = add_steps(l, &r, err);
	wb_git_range_clear(&r);
	return ret;
}

int wb_load_revisions(struct wb_loading *l, struct wb_error *err)
{
	const char *const *rev = l->o->from.revs;
	struct wb_oid commit, tree;
	struct wb_prefix *p;
	char name[13];

	if (check(l, err) < 0)
		return -1;
	for (; *rev; rev++) {
		if (wb_git_commit_of(l->git, *rev, &commit, err) < 0 ||
		    wb_git_tree_of(l->git, *rev, &tree, err) < 0 ||
		    wb_load_exclude(l, &tree, err) < 0)
			return -1;
		if (rev == l->o->from.revs) {
			wb_load_start(l, &tree);
			continue;
		}
		memcpy(name, commit.hex, 12);
		name[12] = '\0';
		p = wb_load_add(l, name);
		p->subject = wb_xstrdup("");
		p->tree = tree;
		p->applies = true;
	}
	return 0;
}
