#include "plan.h"
#include "hash.h"
#include "path.h"
#include "toolchain.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next of several words separated by blanks; NULL at the end. */
static char *next_word(const char **s)
{
	size_t n;

	*s += strspn(*s, " \t");
	n = strcspn(*s, " \t");
	*s += n;
	return n ? wb_xstrndup(*s - n, n) : NULL;
}

/* Mode, object and path of each word of paths in tree go into the hash. */
static int hash_paths(struct wb_hash *h, struct wb_git *g,
		      const struct wb_oid *tree, const char *paths,
		      struct wb_error *err)
{
	struct wb_oid id;
	uint32_t mode;
	char *path;
	int rc;

	while ((path = next_word(&paths))) {
		wb_path_tidy(path);
		wb_hash_addstr(h, path);
		rc = wb_git_entry(g, tree, path, &mode, &id, err);
		free(path);
		if (rc < 0)
			return -1;
		if (rc)
			wb_hash_add(h, &mode, sizeof(mode));
		wb_hash_addstr(h, rc ? id.hex : NULL);
	}
	return 0;
}

/* A path of the configuration that can stand in a tree. */
static int check_paths(const char *key, const char *paths, struct wb_error *err)
{
	bool bad = false;
	char *path, *part;

	while (paths && !bad && (path = next_word(&paths))) {
		wb_path_tidy(path);
		bad = !*path || *path == '/';
		for (part = path; part && !bad; part = strchr(part, '/')) {
			part += *part == '/';
			bad = wb_str_starts(part, "..") &&
			      (!part[2] || part[2] == '/');
		}
		if (bad)
			wb_fail(err, WB_E_USAGE, "%s: '%s' is no path inside "
				"the tree", key, path);
		free(path);
	}
	return bad ? -1 : 0;
}

/* A slip in a path would make every build look the same; say so. */
static int warn_missing(struct wb_git *g, const struct wb_oid *tree,
			const char *key, const char *where, const char *paths,
			struct wb_error *err)
{
	struct wb_oid id;
	uint32_t mode;
	char *path;
	int rc = 1;

	while (paths && rc >= 0 && (path = next_word(&paths))) {
		wb_path_tidy(path);
		rc = wb_git_entry(g, tree, path, &mode, &id, err);
		if (!rc)
			wb_warn("%s: there is no '%s' in %s", key, path, where);
		free(path);
	}
	return rc < 0 ? -1 : 0;
}

/* The prefix's tree as it is built. */
static int overlay(struct wb_git *g, const struct wb_plan *p,
		   const struct wb_oid *head, struct wb_oid *tree,
		   struct wb_error *err)
{
	const char *paths = p->config->build.overlay;
	char *path;
	int rc = 0;

	while (paths && !rc && (path = next_word(&paths))) {
		wb_path_tidy(path);
		rc = wb_git_graft(g, tree, head, path, tree, err);
		free(path);
	}
	if (!rc && *p->stack.dir)
		rc = wb_git_graft(g, tree, NULL, p->stack.dir, tree, err);
	return rc;
}

static int identify_build(struct wb_plan *p, struct wb_git *g,
			  struct wb_plan_prefix *pre, size_t layout,
			  struct wb_error *err)
{
	const struct wb_build_config *b = &p->config->build;
	const char *toolchain = layout ? p->layout_toolchain : p->toolchain;
	struct wb_hash *h = wb_hash_new();
	char word[32];
	int ret = 0;

	snprintf(word, sizeof(word), "layout %zu", layout);
	wb_hash_addstr(h, "build 1");
	wb_hash_addstr(h, b->command);
	wb_hash_addstr(h, b->command ? toolchain : NULL);
	wb_hash_addstr(h, word);
	if (b->inputs)
		ret = hash_paths(h, g, &pre->tree, b->inputs, err);
	else
		wb_hash_addstr(h, pre->tree.hex);
	/* what is overlaid is there to be built or run */
	if (b->inputs && b->overlay && !ret)
		ret = hash_paths(h, g, &pre->tree, b->overlay, err);
	wb_hash_end(h, pre->build[layout]);
	return ret;
}

static int identify_builds(struct wb_plan *p, struct wb_git *g,
			   struct wb_error *err)
{
	size_t k, l;

	for (k = 0; k < p->stack.n; k++)
		for (l = 0; p->prefix[k].applies && l < p->layouts; l++)
			if (identify_build(p, g, &p->prefix[k], l, err) < 0)
				return -1;
	return 0;
}

int wb_plan_built_by(struct wb_plan *p, struct wb_git *g, const char *plain,
		     const char *layouts, struct wb_error *err)
{
	if (!p->home_toolchain)
		p->home_toolchain = p->toolchain;
	else
		free(p->toolchain);
	free(p->layout_toolchain);
	p->toolchain = wb_xstrdup(plain);
	p->layout_toolchain = layouts && *layouts ? wb_xstrdup(layouts) : NULL;
	return identify_builds(p, g, err);
}

static int plan_prefixes(struct wb_plan *p, struct wb_git *g,
			 const struct wb_oid *head, struct wb_error *err)
{
	struct wb_plan_prefix *pre;
	size_t k;

	/* what is not built has no layout of its own */
	p->layouts = p->config->build.command ?
		     (size_t)p->config->build.layouts : 1;
	if (p->config->build.command)
		p->toolchain = wb_toolchain(false);
	if (p->layouts > 1)
		p->layout_toolchain = wb_toolchain(true);

	p->prefix = wb_xcalloc(p->stack.n, sizeof(*p->prefix));
	for (k = 0; k < p->stack.n; k++) {
		pre = &p->prefix[k];
		pre->applies = p->stack.prefix[k].applies;
		if (!pre->applies)
			continue;
		pre->tree = p->stack.prefix[k].tree;
		pre->build = wb_xcalloc(p->layouts, sizeof(*pre->build));
		if (overlay(g, p, head, &pre->tree, err) < 0)
			return -1;
	}
	return identify_builds(p, g, err);
}

const char *wb_plan_bench_id(const struct wb_plan_bench *b, bool counting)
{
	return counting ? b->count_id : b->id;
}

static void plan_counter(struct wb_plan_bench *b)
{
	struct wb_hash *h;

	b->counter = wb_count_pick(b->config, &b->uncounted);
	memcpy(b->count_id, b->id, sizeof(b->id));
	if (b->counter != WB_COUNTER_QEMU)
		return;
	h = wb_hash_new();
	wb_hash_addstr(h, "qemu 1");
	wb_hash_addstr(h, b->id);
	wb_hash_end(h, b->count_id);
}

static int plan_benches(struct wb_plan *p, struct wb_git *g,
			const struct wb_oid *head, const char *glob,
			struct wb_error *err)
{
	const struct wb_config *c = p->config;
	const struct wb_bench_config *b;
	struct wb_hash *h;
	size_t i;
	int rc;

	p->bench = wb_xcalloc(c->nbenches, sizeof(*p->bench));
	for (i = 0; i < c->nbenches; i++) {
		b = &c->bench[i];
		if (!b->command)
			return wb_fail(err, WB_E_USAGE, "wb-bench.%s.command "
				       "is not set", b->name);
		if (glob && fnmatch(glob, b->name, 0))
			continue;
		h = wb_hash_new();
		wb_hash_addstr(h, "bench 1");
		wb_hash_addstr(h, b->command);
		wb_hash_add(h, &b->reader, sizeof(b->reader));
		/* a program may use the CPUs it gets */
		wb_hash_add(h, &b->cpus, sizeof(b->cpus));
		/* other CPUs, and others are kept off them or not */
		if (c->cpuset) {
			wb_hash_addstr(h, "cpuset");
			wb_hash_addstr(h, c->cpuset);
		}
		/* what is counted is another number then */
		if (b->toggle)
			wb_hash_addstr(h, b->toggle);
		if (b->profile) {
			/* which is not the same word as a toggle */
			wb_hash_addstr(h, "profile");
			wb_hash_addstr(h, b->profile);
		}
		if (c->build.command && c->build.layouts > 1)
			wb_hash_add(h, &c->build.layouts,
				    sizeof(c->build.layouts));
		rc = c->build.overlay ?
			hash_paths(h, g, head, c->build.overlay, err) : 0;
		wb_hash_end(h, p->bench[p->nbenches].id);
		if (rc < 0 ||
		    wb_events_find(&p->bench[p->nbenches].events, b, err) < 0)
			return -1;
		p->bench[p->nbenches].config = b;
		plan_counter(&p->bench[p->nbenches++]);
	}
	if (p->nbenches || (glob && !*glob))
		return 0;
	if (glob)
		return wb_fail(err, WB_E_USAGE,
			       "no bench matches '%s'; see 'wb config "
			       "wb-bench.*'", glob);
	return wb_fail(err, WB_E_FATAL, "no bench is configured: put "
		       "[wb-bench \"NAME\"] command = ... into .wbconfig "
		       "(see 'wb help config')");
}

/* The highest one that applies; the base always does. */
static const struct wb_plan_prefix *last_prefix(const struct wb_plan *p)
{
	size_t k = p->stack.n - 1;

	while (!p->prefix[k].applies)
		k--;
	return &p->prefix[k];
}

int wb_plan_make(struct wb_plan *p, struct wb_git *g,
		 const struct wb_config *config, const struct wb_source *from,
		 const char *glob, struct wb_error *err)
{
	struct wb_stack_options o = {
		.from = *from,
		.series = config->series,
		.fuzz = -1,
		.header_only = config->header_only,
	};
	const char *top = from->overlay ? from->overlay : "HEAD";
	struct wb_oid head;

	memset(p, 0, sizeof(*p));
	p->config = config;
	if (wb_profile_of(from, NULL, config->profile, &o.profile, err) < 0 ||
	    wb_stack_load(&p->stack, g, &o, err) < 0 ||
	    wb_git_tree_of(g, top, &head, err) < 0 ||
	    check_paths("wb-build.inputs", config->build.inputs, err) < 0 ||
	    check_paths("wb-build.overlay", config->build.overlay, err) < 0 ||
	    plan_benches(p, g, &head, glob, err) < 0 ||
	    plan_prefixes(p, g, &head, err) < 0 ||
	    warn_missing(g, &head, "wb-build.overlay", top,
			 config->build.overlay, err) < 0 ||
	    warn_missing(g, &last_prefix(p)->tree, "wb-build.inputs",
			 "the last prefix", config->build.inputs, err) < 0)
		return -1;
	wb_machine_read(&p->machine);
	return 0;
}

void wb_plan_clear(struct wb_plan *p)
{
	size_t i;

	for (i = 0; p->prefix && i < p->stack.n; i++)
		free(p->prefix[i].build);
	wb_stack_clear(&p->stack);
	wb_machine_clear(&p->machine);
	for (i = 0; i < p->nbenches; i++) {
		wb_events_clear(&p->bench[i].events);
		free(p->bench[i].uncounted);
	}
	free(p->toolchain);
	free(p->layout_toolchain);
	free(p->home_toolchain);
	free(p->prefix);
	free(p->bench);
	memset(p, 0, sizeof(*p));
}

/* The columns, and the holes that concern every bench. */
static int add_columns(const struct wb_plan *p, struct wb_db *db,
		       struct wb_result *r, struct wb_error *err)
{
	const struct wb_prefix *s;
	struct wb_column *c;
	char *broken;
	size_t k, l;

	for (k = 0; k < p->stack.n; k++) {
		s = &p->stack.prefix[k];
		wb_result_add_column(r, (int)k, s->name);
		c = &r->column[k];
		c->subject = wb_xstrdup(s->subject);
		for (l = 0; l < s->ntrailers; l++)
			wb_result_add_trailer(r, k, s->trailer[l].key,
					      s->trailer[l].value);
		if (!s->applies) {
			wb_result_add_hole(r, k, NULL, WB_HOLE_BROKEN, s->why);
			continue;
		}
		c->tree = wb_xstrdup(s->tree.hex);
		broken = NULL;
		for (l = 0; l < p->layouts && !broken; l++) {
			wb_result_add_build(r, k, p->prefix[k].build[l]);
			if (db && wb_db_broken(db, p->prefix[k].build[l],
					       &broken, err) < 0)
				return -1;
		}
		if (broken)
			wb_result_add_hole(r, k, NULL, WB_HOLE_BROKEN, broken);
		free(broken);
	}
	return 0;
}

/* Direction and unit that the samples did not say, from the configuration. */
static void complete_metrics(const struct wb_plan_bench *b,
			     struct wb_result *r, size_t from)
{
	struct wb_metric *m;
	size_t i;

	for (i = from; i < r->nmetrics; i++) {
		m = &r->metric[i];
		if (m->better == WB_BETTER_UNKNOWN && b->config->better)
			wb_better_parse(b->config->better, &m->better);
		if (!*m->unit && b->config->unit) {
			free(m->unit);
			m->unit = wb_xstrdup(b->config->unit);
		}
	}
}

static void note_elsewhere(void *arg, const char *facts, size_t runs)
{
	wb_result_add_elsewhere(arg, facts, runs);
}

/* What is stored of these builds and is not like what is measured here. */
static int add_elsewhere(const struct wb_plan *p, struct wb_db *db,
			 struct wb_result *r, struct wb_error *err)
{
	const char **builds = wb_xcalloc(r->ncolumns, sizeof(*builds));
	size_t i;
	int ret;

	for (i = 0; i < r->ncolumns; i++)
		builds[i] = r->column[i].build;
	ret = wb_db_elsewhere(db, p->machine.id, builds, r->ncolumns,
			      note_elsewhere, r, err);
	free(builds);
	return ret;
}

/* Why the builds are not those of this machine, for people. */
static char *foreign_builds(const struct wb_plan *p)
{
	struct wb_buf b = WB_BUF_INIT;

	if (p->home_toolchain)
		wb_toolchain_differ(p->home_toolchain, p->toolchain, &b);
	return b.len ? wb_buf_detach(&b) : NULL;
}

int wb_plan_result(const struct wb_plan *p, struct wb_db *db,
		   struct wb_result *out, struct wb_error *err)
{
	const struct wb_plan_bench *b;
	size_t i, from;

	wb_result_init(out);
	out->layouts = p->layouts;
	if (add_columns(p, db, out, err) < 0)
		return -1;
	out->machine = wb_xstrdup(p->machine.id);
	out->machine_facts = wb_xstrdup(p->machine.facts);
	out->toolchain = foreign_builds(p);
	if (db && add_elsewhere(p, db, out, err) < 0)
		return -1;
	for (i = 0; i < p->nbenches; i++)
		wb_result_add_bench(out, p->bench[i].config->name);
	for (i = 0; db && i < p->nbenches; i++) {
		b = &p->bench[i];
		from = out->nmetrics;
		if (wb_db_load(db, b->id, b->config->name, p->machine.id, out,
			       err) < 0 ||
		    (strcmp(b->count_id, b->id) &&
		     wb_db_load(db, b->count_id, b->config->name,
				p->machine.id, out, err) < 0))
			return -1;
		complete_metrics(b, out, from);
		wb_result_judge(out, b->config->name, b->config->judge);
	}
	return 0;
}
