#include "series.h"
#include "edit.h"
#include "patch.h"
#include "path.h"
#include "quilt.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const profile_words[] = {
	[WB_PROFILE_STRICT] = "strict",
	[WB_PROFILE_QUILT] = "quilt",
	[WB_PROFILE_DPKG] = "dpkg",
	[WB_PROFILE_GIT] = "git",
};

/* How each profile reads a patch and how it applies it. */
static const struct wb_apply_rules profile_rules[] = {
	[WB_PROFILE_STRICT] = { .git = true },
	[WB_PROFILE_QUILT] = { .place = { .offset = true, .fuzz = 2 },
			       .stubs = true },
	[WB_PROFILE_DPKG] = { .place = { .offset = true },
			      .remove_empty = true, .stubs = true },
	[WB_PROFILE_GIT] = { .place = { .offset = true, .git = true },
			     .git = true },
};

int wb_profile_parse(const char *word, enum wb_profile *out,
		     struct wb_error *err)
{
	size_t i;

	for (i = 0; i < sizeof(profile_words) / sizeof(*profile_words); i++) {
		if (!strcmp(word, profile_words[i])) {
			*out = (enum wb_profile)i;
			return 0;
		}
	}
	return wb_fail(err, WB_E_USAGE, "'%s' is no profile: strict, quilt, "
		       "dpkg or git", word);
}

const char *wb_profile_word(enum wb_profile p)
{
	return profile_words[p];
}

static int rules_of(const struct wb_stack_options *o,
		    struct wb_apply_rules *out, struct wb_error *err)
{
	*out = profile_rules[o->profile];
	if (o->fuzz < 0)
		return 0;
	if (o->fuzz && out->place.git)
		return wb_fail(err, WB_E_USAGE, "the profile git has no fuzz");
	out->place.fuzz = (size_t)o->fuzz;
	return 0;
}

static struct wb_prefix *add_prefix(struct wb_stack *s, const char *name)
{
	struct wb_prefix *p;

	s->prefix = wb_grow(s->prefix, s->n, &s->cap, sizeof(*s->prefix));
	p = &s->prefix[s->n++];
	memset(p, 0, sizeof(*p));
	p->name = wb_xstrdup(name);
	return p;
}

/* The words of the patch become the prefix's. */
static void take_message(struct wb_prefix *p, struct wb_message *m)
{
	p->subject = m->subject;
	p->author = m->author;
	p->date = m->date;
	p->trailer = m->trailer;
	p->ntrailers = m->ntrailers;
	memset(m, 0, sizeof(*m));
}

static void add_base(struct wb_stack *s, const struct wb_oid *tree)
{
	struct wb_prefix *p = add_prefix(s, "base");

	p->subject = wb_xstrdup("");
	p->tree = *tree;
	p->applies = true;
}

static int by_word(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int count_files(const struct wb_patch *p)
{
	const char **name = wb_xcalloc(p->nsections, sizeof(*name));
	const struct wb_section *s;
	size_t i;
	int n = 0;

	for (i = 0; i < p->nsections; i++) {
		s = &p->section[i];
		name[i] = s->new ? s->new : s->old ? s->old : s->index;
	}
	if (p->nsections)
		qsort(name, p->nsections, sizeof(*name), by_word);
	for (i = 0; i < p->nsections; i++)
		n += !i || strcmp(name[i - 1], name[i]);
	free(name);
	return n;
}

/* What the patches of a quilt folder are put on, and how. */
struct loading {
	struct wb_stack *stack;
	const struct wb_quilt *quilt;
	const struct wb_apply_rules *rules;
	struct wb_overlay *overlay;
	size_t stopped;		/* the prefix that did not apply, 0: none */
};

/* Reads the patch into the prefix and applies it when out says so. */
static int load_patch(struct loading *l, const struct wb_quilt_entry *e,
		      struct wb_prefix *pre, struct wb_error *err)
{
	struct wb_patch_rules rules = { e->strip, e->reverse, l->rules->git };
	char *name = wb_xasprintf("%s/%s", l->quilt->shown, e->file);
	struct wb_buf text = WB_BUF_INIT;
	struct wb_patch patch = { .section = NULL };
	struct wb_message m;
	int ret = -1;

	if (wb_quilt_patch(l->quilt, e, &text, err) < 0)
		goto out;
	ret = wb_patch_parse(&patch, text.ptr, text.len, &rules, name, err);
	wb_message_of_patch(&m, text.ptr, patch.head);
	take_message(pre, &m);
	pre->files = count_files(&patch);
	pre->added = (int)patch.added;
	pre->removed = (int)patch.removed;
	if (ret == 0 && !l->stopped)
		ret = wb_apply(l->overlay, &patch, l->rules, name,
			       &pre->applied, err);
out:
	if (!pre->subject)
		pre->subject = wb_xstrdup("");
	wb_patch_clear(&patch);
	wb_buf_clear(&text);
	free(name);
	return ret;
}

static void load_entry(struct loading *l, const struct wb_quilt_entry *e)
{
	struct wb_prefix *pre = add_prefix(l->stack, e->name);
	struct wb_error why = WB_ERROR_INIT;
	int ret = load_patch(l, e, pre, &why);

	/* the stack is good up to here: so the reason is kept, not passed on */
	if (l->stopped) {
		pre->why = wb_xasprintf("not reached: %s does not apply",
					l->stack->prefix[l->stopped].name);
	} else if (ret < 0) {
		pre->why = wb_xstrdup(why.msg);
		l->stopped = l->stack->n - 1;
	} else {
		pre->applies = true;
		pre->tree = *wb_overlay_tree(l->overlay);
	}
	wb_error_clear(&why);
}

/* The tree of the base: a commit's or a folder's, less what is excluded. */
static int make_base(struct wb_git *g, const struct wb_stack_options *o,
		     const char *rev, struct wb_oid *tree, struct wb_error *err)
{
	size_t n = o->exclude ? o->exclude->n : 0, i;
	char **skip = wb_xcalloc(n, sizeof(*skip));
	int ret = -1;

	for (i = 0; i < n; i++) {
		skip[i] = wb_xstrdup(o->exclude->v[i]);
		wb_path_tidy(skip[i]);
	}
	if (o->root) {
		ret = wb_git_import(g, o->root, (const char *const *)skip, n,
				    tree, err);
		goto out;
	}
	if (wb_git_tree_of(g, rev, tree, err) < 0)
		goto out;
	for (i = 0; i < n; i++)
		if (wb_git_graft(g, tree, NULL, skip[i], tree, err) < 0)
			goto out;
	ret = 0;
out:
	for (i = 0; i < n; i++)
		free(skip[i]);
	free(skip);
	return ret;
}

/* Where the folder lies inside the work tree; "" outside. */
static char *dir_in_tree(const struct wb_git *g, const char *dir)
{
	const char *top = g ? wb_git_workdir(g) : NULL;
	char *real = realpath(dir, NULL), *base = NULL, *in = NULL;
	size_t n;

	if (top && real)
		base = realpath(top, NULL);
	n = base ? strlen(base) : 0;
	if (n && !strncmp(real, base, n) && real[n] == '/')
		in = wb_xstrdup(real + n + 1);
	free(real);
	free(base);
	return in ? in : wb_xstrdup("");
}

static int load_quilt(struct wb_stack *s, struct wb_git *g,
		      const struct wb_stack_options *o, const char *dir,
		      struct wb_error *err)
{
	struct wb_apply_rules rules;
	struct wb_quilt q;
	struct loading l = { s, &q, &rules, NULL, 0 };
	struct wb_oid base;
	size_t i;
	int ret = -1;

	memset(&q, 0, sizeof(q));
	if ((g && !o->root && wb_edit_recover(g, dir, err) < 0) ||
	    wb_quilt_read(&q, dir, s->source, err) < 0 ||
	    rules_of(o, &rules, err) < 0 ||
	    make_base(g, o, "HEAD", &base, err) < 0)
		goto out;
	if (!o->root) {
		free(s->dir);
		s->dir = dir_in_tree(g, dir);
	}
	add_base(s, &base);
	l.overlay = wb_overlay_new(g, &base);
	for (i = 0; i < q.n; i++)
		load_entry(&l, &q.entry[i]);
	ret = 0;
out:
	wb_overlay_free(l.overlay);
	wb_quilt_clear(&q);
	return ret;
}

/* The commit's tree less what is excluded. */
static int step_tree(struct wb_git *g, const struct wb_stack_options *o,
		     const struct wb_oid *commit, const struct wb_oid *tree,
		     struct wb_oid *out, struct wb_error *err)
{
	if (o->exclude && o->exclude->n)
		return make_base(g, o, commit->hex, out, err);
	*out = *tree;
	return 0;
}

static int add_step(struct wb_stack *s, struct wb_git *g,
		    const struct wb_stack_options *o, struct wb_git_step *step,
		    struct wb_error *err)
{
	char name[13];
	struct wb_prefix *p;
	struct wb_message m;

	memcpy(name, step->commit.hex, 12);
	name[12] = '\0';
	p = add_prefix(s, name);
	wb_message_of_commit(&m, step->message);
	take_message(p, &m);
	p->author = step->author;
	p->date = step->date;
	step->author = step->date = NULL;
	p->files = step->files;
	p->added = step->added;
	p->removed = step->removed;
	p->applies = true;
	return step_tree(g, o, &step->commit, &step->tree, &p->tree, err);
}

static int load_range(struct wb_stack *s, struct wb_git *g,
		      const struct wb_stack_options *o, const char *dots,
		      struct wb_error *err)
{
	char *from = wb_xstrndup(s->source, (size_t)(dots - s->source));
	const char *to = dots[2] ? dots + 2 : "HEAD";
	struct wb_git_range r = { .step = NULL };
	struct wb_oid base;
	size_t i;
	int ret = -1;

	if (o->root || !g) {
		wb_fail(err, WB_E_USAGE, "%s: a range has no use for --root",
			s->source);
		goto out;
	}
	if (*to == '.') {
		wb_fail(err, WB_E_USAGE, "%s: a stack is a range A..B, with "
			"two dots", s->source);
		goto out;
	}
	if (wb_git_range(g, *from ? from : "HEAD", to, o->diffstat, &r,
			 err) < 0 ||
	    step_tree(g, o, &r.base, &r.base_tree, &base, err) < 0)
		goto out;
	add_base(s, &base);
	for (i = 0; i < r.n; i++)
		if (add_step(s, g, o, &r.step[i], err) < 0)
			goto out;
	ret = 0;
out:
	wb_git_range_clear(&r);
	free(from);
	return ret;
}

/*
 * Where the default stack is: wb.series is a path from the top of the work
 * tree, while a stack that the user names is a path from where he is.
 */
static int find_default(const struct wb_git *g,
			const struct wb_stack_options *o, char **path,
			struct wb_error *err)
{
	const char *top = g && !o->root ? wb_git_workdir(g) : NULL;

	if (*o->series == '/' || o->root || strstr(o->series, "..")) {
		*path = wb_xstrdup(o->series);
		return 0;
	}
	if (!top)
		return wb_fail(err, WB_E_FATAL, "a bare repository has no work "
			       "tree in which '%s' could lie: name a quilt "
			       "folder or a range A..B", o->series);
	*path = wb_xasprintf("%s/%s", top, o->series);
	return 0;
}

int wb_stack_load(struct wb_stack *s, struct wb_git *g,
		  const struct wb_stack_options *o, struct wb_error *err)
{
	const char *dots;
	char *path = NULL;
	struct stat st;
	int ret = -1;

	memset(s, 0, sizeof(*s));
	s->dir = wb_xstrdup("");
	s->source = wb_xstrdup(o->source ? o->source : o->series);
	if (o->source)
		path = wb_xstrdup(o->source);
	else if (find_default(g, o, &path, err) < 0)
		goto out;
	dots = strstr(s->source, "..");
	if (dots && stat(path, &st) < 0)
		ret = load_range(s, g, o, dots, err);
	else
		ret = load_quilt(s, g, o, path, err);
out:
	free(path);
	return ret;
}

int wb_stack_folder(struct wb_git *g, const struct wb_stack_options *o,
		    char **path, struct wb_error *err)
{
	const char *name = o->source ? o->source : o->series;
	struct stat st;

	if (o->source)
		*path = wb_xstrdup(o->source);
	else if (find_default(g, o, path, err) < 0)
		return -1;
	if (!strstr(name, "..") || stat(*path, &st) == 0)
		return 0;
	free(*path);
	return wb_fail(err, WB_E_USAGE, "%s is a range: work on it with git "
		       "rebase, or make it a quilt folder with 'wb series "
		       "import'", name);
}

int wb_stack_rules(const struct wb_stack_options *o,
		   struct wb_apply_rules *out, struct wb_error *err)
{
	return rules_of(o, out, err);
}

static void clear_prefix(struct wb_prefix *p)
{
	struct wb_message m = {
		.subject = p->subject, .author = p->author, .date = p->date,
		.trailer = p->trailer, .ntrailers = p->ntrailers,
	};

	wb_message_clear(&m);
	wb_applied_clear(&p->applied);
	free(p->name);
	free(p->why);
}

void wb_stack_clear(struct wb_stack *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		clear_prefix(&s->prefix[i]);
	free(s->prefix);
	free(s->source);
	free(s->dir);
	memset(s, 0, sizeof(*s));
}
