#include "cmd.h"
#include "build.h"
#include "db.h"
#include "json.h"
#include "plan.h"
#include "proc.h"
#include "text.h"
#include "trust.h"

#include <stdio.h>
#include <stdlib.h>

struct build {
	struct wb_source from;
};

static const struct wb_opt opts[] = {
	WB_SOURCE_OPTS(struct build),
	WB_OPT_STR('s', "series", struct build, from.word, "SERIES",
		   "quilt folder or range A..B instead of wb.series"),
	WB_OPT_END
};

static void show(struct wb_json *list, const struct wb_plan *p, size_t k,
		 const char *state, const char *reason)
{
	const char *name = p->stack.prefix[k].name;
	struct wb_buf line = WB_BUF_INIT;
	struct wb_json *o;

	if (!list) {
		wb_buf_addf(&line, "%zu\t", k);
		wb_text_add(&line, name, WB_TEXT_UTF8);
		wb_buf_addf(&line, "\t%s%s", state, reason ? "\t" : "");
		wb_text_add(&line, reason ? reason : "", WB_TEXT_UTF8);
		puts(line.ptr);
		fflush(stdout);
		wb_buf_clear(&line);
		return;
	}
	o = wb_json_object();
	wb_json_set(o, "index", wb_json_int((int64_t)k));
	wb_json_set(o, "prefix", wb_json_str(name));
	wb_json_set(o, "state", wb_json_str(state));
	wb_json_set(o, "reason", wb_json_str(reason));
	wb_json_append(list, o);
}

/*
 * Builds prefix k. A build that failed before is tried again, for the user
 * asked for it; what happened now is what is remembered.
 */
static int build_prefix(struct wb *wb, const struct wb_plan *p, size_t k,
			int interrupt_fd, struct wb_json *list, bool *broken,
			struct wb_error *err)
{
	struct wb_build_outcome out = { .cached = false };
	bool cached = true;
	int64_t row;
	int ret = -1;
	size_t l;

	if (!p->prefix[k].applies) {
		show(list, p, k, "broken", p->stack.prefix[k].why);
		*broken = true;
		return 0;
	}
	for (l = 0; l < p->layouts && !out.broken; l++) {
		if (wb_build_make(p, k, l, wb->git, interrupt_fd, &out,
				  err) < 0)
			return wb_fail_at(err, "prefix %zu '%s'", k,
					  p->stack.prefix[k].name);
		cached &= out.cached;
		if (wb_db_build(wb->db, p->prefix[k].build[l],
				p->prefix[k].tree.hex, &row, err) < 0 ||
		    wb_db_set_broken(wb->db, row, out.broken, err) < 0)
			goto out;
	}
	show(list, p, k, out.broken ? "broken" : cached ? "cached" : "built",
	     out.broken);
	*broken |= out.broken != NULL;
	ret = 0;
out:
	free(out.broken);
	return ret;
}

static int cmd_build(struct wb *wb, void *o, int argc, char **argv,
		     struct wb_error *err)
{
	const struct build *opt = o;
	struct wb_json *doc = NULL, *list = NULL;
	struct wb_plan p;
	bool broken = false;
	int fd = -1, i, ret = -1;
	size_t k;

	if (wb_plan_make(&p, wb->git, &wb->config, &opt->from, NULL,
			 err) < 0 ||
	    wb_trust_check(&wb->config, err) < 0)
		goto out;
	fd = wb_proc_interrupt_fd(err);
	if (fd < 0)
		goto out;
	if (wb->json) {
		doc = wb_json_object();
		list = wb_json_array();
		wb_json_set(doc, "schema", wb_json_int(1));
		wb_json_set(doc, "prefixes", list);
	}
	for (k = 0; argc < 2 && k < p.stack.n; k++)
		if (build_prefix(wb, &p, k, fd, list, &broken, err) < 0)
			goto out;
	for (i = 1; i < argc; i++)
		if (wb_stack_find(&p.stack, wb->git, argv[i], &k, err) < 0 ||
		    build_prefix(wb, &p, k, fd, list, &broken, err) < 0)
			goto out;
	if (doc)
		wb_json_put(doc);
	doc = NULL;
	ret = broken ? wb_fail(err, WB_E_JUDGE,
			       "some prefixes do not build; see above") : 0;
out:
	wb_json_free(doc);
	wb_proc_interrupt_close(fd);
	wb_plan_clear(&p);
	return ret;
}

const struct wb_cmd wb_cmd_build = {
	.name = "build",
	.fn = cmd_build,
	.needs = WB_NEED_REPO | WB_NEED_DB | WB_RUNS,
	.usage = "wb build [--series=SERIES] [PREFIX ...]",
	.summary = "build prefixes into the cache",
	.opts = opts,
	.size = sizeof(struct build),
};
