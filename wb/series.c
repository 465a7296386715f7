#include "series-load.h"
#include "patch.h"
#include "path.h"
#include "quilt-rc.h"

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

int wb_profile_of(const struct wb_source *from, const char *asked,
		  const char *config, enum wb_profile *out,
		  struct wb_error *err)
{
	return wb_profile_parse(asked ? asked : from->mbox ? "git" : config,
				out, err);
}

const char *wb_profile_word(enum wb_profile p)
{
	return profile_words[p];
}

static int rules_of(const struct wb_stack_options *o,
		    struct wb_apply_rules *out, struct wb_error *err)
{
	*out = profile_rules[o->profile];
	out->header_only = o->header_only;
	if (o->fuzz < 0)
		return 0;
	if (o->fuzz && out->place.git)
		return wb_fail(err, WB_E_USAGE, "the profile git has no fuzz");
	out->place.fuzz = (size_t)o->fuzz;
	return 0;
}

struct wb_prefix *wb_load_add(struct wb_loading *l, const char *name)
{
	struct wb_stack *s = l->stack;
	struct wb_prefix *p;

	s->prefix = wb_grow(s->prefix, s->n, &s->cap, sizeof(*s->prefix));
	p = &s->prefix[s->n++];
	memset(p, 0, sizeof(*p));
	p->name = wb_xstrdup(name);
	return p;
}

void wb_prefix_take(struct wb_prefix *p, struct wb_message *m)
{
	p->subject = m->subject;
	p->author = m->author;
	p->date = m->date;
	p->trailer = m->trailer;
	p->ntrailers = m->ntrailers;
	p->mail = (struct wb_mail_words){
		m->full, m->id, m->reply_to, m->to, m->cc,
	};
	memset(m, 0, sizeof(*m));
}

void wb_load_start(struct wb_loading *l, const struct wb_oid *base)
{
	struct wb_prefix *p = wb_load_add(l, "base");

	p->subject = wb_xstrdup("");
	p->tree = *base;
	p->applies = true;
	l->overlay = wb_overlay_new(l->git, base);
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

/* Up to the rule "---", below which the diffstat stands. */
static size_t words_of(const char *text, size_t len)
{
	const char *rule = len < 4 ? NULL : !memcmp(text, "---\n", 4) ? text :
			   memmem(text, len, "\n---\n", 5);

	return rule ? (size_t)(rule - text) + (*rule == '\n') : len;
}

/* Reads the patch into the prefix and applies it if the stack got here. */
static int read_patch(struct wb_loading *l, const struct wb_load_patch *p,
		      struct wb_prefix *pre, struct wb_error *err)
{
	struct wb_patch_rules rules = {
		.strip = p->strip, .reverse = p->reverse, .git = l->rules.git,
		.header_only = l->rules.header_only, .line = p->line,
	};
	struct wb_patch patch;
	struct wb_message m;
	int ret;

	/* how it went is known, and nobody asks what it says */
	if (l->known && !l->o->diffstat)
		return 0;
	ret = wb_patch_parse(&patch, p->text, p->len, &rules, p->shown, err);
	wb_message_of_patch(&m, p->text, patch.head);
	wb_prefix_take(pre, &m);
	pre->head = wb_xstrndup(p->text, words_of(p->text, patch.head));
	pre->files = count_files(&patch);
	pre->added = (int)patch.added;
	pre->removed = (int)patch.removed;
	if (ret == 0 && !l->stopped && !l->known)
		ret = wb_apply(l->overlay, &patch, &l->rules, p->shown,
			       &pre->applied, err);
	wb_patch_clear(&patch);
	return ret;
}

void wb_load_patch(struct wb_loading *l, const struct wb_load_patch *p,
		   struct wb_error *why)
{
	struct wb_prefix *pre = wb_load_add(l, p->name);
	int ret = why->kind == WB_E_NONE ? read_patch(l, p, pre, why) : -1;

	if (!pre->subject)
		pre->subject = wb_xstrdup("");
	/* the stack is good up to here: so the reason is kept, not passed on */
	if (l->stopped) {
		pre->why = wb_xasprintf("not reached: %s does not apply",
					l->stack->prefix[l->stopped].name);
	} else if (ret < 0) {
		pre->why = wb_xstrdup(why->msg);
		l->stopped = l->stack->n - 1;
	} else {
		pre->applies = true;
		pre->tree = l->known ? l->known->patch[l->stack->n - 2].tree :
			    *wb_overlay_tree(l->overlay);
	}
	wb_error_clear(why);
}

int wb_load_exclude(struct wb_loading *l, struct wb_oid *tree,
		    struct wb_error *err)
{
	const struct wb_strlist *skip = l->o->exclude;
	size_t n = skip ? skip->n : 0, i;
	int ret = 0;

	for (i = 0; i < n && ret == 0; i++) {
		char *path = wb_xstrdup(skip->v[i]);

		wb_path_tidy(path);
		ret = wb_git_graft(l->git, tree, NULL, path, tree, err);
		free(path);
	}
	return ret;
}

int wb_load_base(struct wb_loading *l, struct wb_oid *tree,
		 struct wb_error *err)
{
	const struct wb_strlist *skip = l->o->exclude;
	size_t n = skip ? skip->n : 0, i, k = 0;
	char **path;
	int ret;

	if (!l->o->root)
		return wb_git_tree_of(l->git, l->o->from.base ?
				      l->o->from.base : "HEAD", tree,
				      err) < 0 ? -1 :
		       wb_load_exclude(l, tree, err);
	path = wb_xcalloc(n, sizeof(*path));
	for (i = 0; i < n; i++) {
		path[k] = wb_xstrdup(skip->v[i]);
		wb_path_tidy(path[k]);
		/* it tells which patches are applied, and goes then anyway */
		if (strcmp(path[k], ".pc"))
			k++;
		else
			free(path[k]);
	}
	ret = wb_git_import(l->git, l->o->root, (const char *const *)path, k,
			    tree, err);
	for (i = 0; i < k; i++)
		free(path[i]);
	free(path);
	return ret;
}

static int add_wip(struct wb_loading *l, struct wb_error *err)
{
	struct wb_prefix *p;
	struct wb_oid tree;

	if (l->o->root || !l->git)
		return wb_fail(err, WB_E_USAGE, "--wip has no use for --root");
	if (wb_git_wip(l->git, &tree, err) < 0 ||
	    wb_load_exclude(l, &tree, err) < 0)
		return -1;
	p = wb_load_add(l, "wip");
	p->subject = wb_xstrdup("the work tree");
	if (l->stopped) {
		p->why = wb_xasprintf("not reached: %s does not apply",
				      l->stack->prefix[l->stopped].name);
		return 0;
	}
	p->applies = true;
	p->tree = tree;
	return 0;
}

/* A folder below top with the file `list`, malloc'ed, or NULL. */
static char *folder_there(const char *top, const char *name, const char *list)
{
	char *path = *name == '/' ? wb_xstrdup(name) :
		     wb_xasprintf("%s/%s", top, name);
	char *file = wb_xasprintf("%s/%s", path, list);
	struct stat st;

	if (stat(file, &st) < 0) {
		free(path);
		path = NULL;
	}
	free(file);
	return path;
}

/*
 * Where the default stack is: wb.series is a path from the top of the work
 * tree, while a stack that the user names is a path from where he is. A user
 * of quilt who has set neither has it where quilt looks.
 */
static int find_default(const struct wb_git *g,
			const struct wb_stack_options *o, char **path,
			struct wb_error *err)
{
	const char *top = g && !o->root ? wb_git_workdir(g) : NULL;
	struct wb_quilt_rc rc = { .series = NULL };
	const char *list;

	if (*o->series == '/' || o->root || strstr(o->series, "..")) {
		*path = wb_xstrdup(o->series);
		return 0;
	}
	if (!top)
		return wb_fail(err, WB_E_FATAL, "a bare repository has no work "
			       "tree in which '%s' could lie: name a quilt "
			       "folder or a range A..B", o->series);
	if (o->profile == WB_PROFILE_QUILT && wb_quilt_rc_read(&rc, err) < 0) {
		wb_quilt_rc_clear(&rc);
		return -1;
	}
	list = rc.series ? rc.series : "series";
	*path = folder_there(top, o->series, list);
	if (!*path && !strcmp(o->series, "series") && rc.patches)
		*path = folder_there(top, rc.patches, list);
	wb_quilt_rc_clear(&rc);
	if (!*path)
		*path = wb_xasprintf("%s/%s", top, o->series);
	return 0;
}

static const char *source_of(const struct wb_stack_options *o)
{
	if (o->from.mbox)
		return o->from.mbox;
	if (o->from.revs)
		return *o->from.revs;
	if (o->from.word)
		return o->from.word;
	return o->from.stgit ? "stgit" : o->series;
}

static int check_source(const struct wb_source *from, struct wb_error *err)
{
	if (from->mbox && (from->word || from->stgit))
		return wb_fail(err, WB_E_USAGE, "one stack at a time, not "
			       "--mbox and '%s'", from->word ? from->word :
			       "--stgit");
	return 0;
}

/* A quilt folder or a range, whichever the word names. */
static int load_word(struct wb_loading *l, struct wb_error *err)
{
	struct wb_stack *s = l->stack;
	const char *word = l->o->from.word, *dots;
	char *path = NULL;
	struct stat st;
	int ret = -1;

	if (word)
		path = wb_xstrdup(word);
	else if (find_default(l->git, l->o, &path, err) < 0)
		return -1;
	dots = strstr(s->source, "..");
	s->commits = dots && stat(path, &st) < 0;
	if (!s->commits && l->o->from.full_history)
		wb_fail(err, WB_E_USAGE, "--full-history is for a range A..B, "
			"and '%s' is none", s->source);
	else if (s->commits)
		ret = wb_load_range(l, dots, err);
	else
		ret = wb_load_quilt(l, path, err);
	free(path);
	return ret;
}

int wb_stack_load(struct wb_stack *s, struct wb_git *g,
		  const struct wb_stack_options *o, struct wb_error *err)
{
	struct wb_loading l = { .stack = s, .git = g, .o = o };
	int ret;

	memset(s, 0, sizeof(*s));
	s->dir = wb_xstrdup("");
	s->source = wb_xstrdup(source_of(o));
	s->commits = o->from.stgit || o->from.revs;
	ret = check_source(&o->from, err);
	if (ret == 0)
		ret = rules_of(o, &l.rules, err);
	if (ret == 0)
		ret = o->from.revs ? wb_load_revisions(&l, err) :
		      o->from.mbox ? wb_load_mbox(&l, err) :
		      o->from.stgit ? wb_load_stgit(&l, err) :
		      load_word(&l, err);
	if (ret == 0 && o->from.wip)
		ret = add_wip(&l, err);
	wb_overlay_free(l.overlay);
	return ret;
}

int wb_stack_folder(struct wb_git *g, const struct wb_stack_options *o,
		    char **path, struct wb_error *err)
{
	const char *word = o->from.word, *name = word ? word : o->series;
	struct stat st;

	if (word)
		*path = wb_xstrdup(word);
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
		   struct wb_apply_rules *out, char **list,
		   struct wb_error *err)
{
	return rules_of(o, out, err) < 0 ? -1 :
	       wb_load_quilt_rules(o, out, list, err);
}

static void clear_prefix(struct wb_prefix *p)
{
	struct wb_message m = {
		.subject = p->subject, .author = p->author, .date = p->date,
		.trailer = p->trailer, .ntrailers = p->ntrailers,
		.full = p->mail.full, .id = p->mail.id,
		.reply_to = p->mail.reply_to, .to = p->mail.to,
		.cc = p->mail.cc,
	};

	wb_message_clear(&m);
	wb_applied_clear(&p->applied);
	free(p->name);
	free(p->head);
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
