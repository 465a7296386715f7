#include "cmd.h"
#include "check.h"
#include "json.h"
#include "text.h"
#include "trust.h"

#include <stdio.h>

struct check {
	const char *profile;
	bool build, test;
};

static const struct wb_opt opts[] = {
	WB_OPT_FLAG(0, "build", struct check, build, "build each prefix"),
	WB_OPT_FLAG(0, "test", struct check, test,
		    "test each prefix by wb-build.test"),
	WB_OPT_STR('p', "profile", struct check, profile, "P",
		   "how patches apply: strict, quilt, dpkg, git"),
	WB_OPT_END
};

static const char *name_at(const struct wb_check *c, size_t index)
{
	return index ? c->edit.patch[index - 1].name : "base";
}

static size_t count(const struct wb_check *c, enum wb_check_kind kind)
{
	size_t i, n = 0;

	for (i = 0; i < c->n; i++)
		n += c->finding[i].kind == kind;
	return n;
}

static void print_json(const struct wb_check *c)
{
	struct wb_json *doc = wb_json_object(), *checks = wb_json_array();
	struct wb_json *found = wb_json_array(), *o;
	size_t i;

	for (i = 0; i < WB_CHECKS; i++) {
		o = wb_json_object();
		wb_json_set(o, "check", wb_json_str(wb_check_word(i)));
		wb_json_set(o, "looked", wb_json_int((int64_t)c->looked[i]));
		wb_json_set(o, "found", wb_json_int((int64_t)count(c, i)));
		wb_json_set(o, "skipped", wb_json_str(c->skipped[i]));
		wb_json_append(checks, o);
	}
	for (i = 0; i < c->n; i++) {
		const struct wb_finding *f = &c->finding[i];

		o = wb_json_object();
		wb_json_set(o, "check", wb_json_str(wb_check_word(f->kind)));
		wb_json_set(o, "index", wb_json_int((int64_t)f->index));
		wb_json_set(o, "name", wb_json_str(name_at(c, f->index)));
		wb_json_set(o, "text", wb_json_str(f->text));
		wb_json_append(found, o);
	}
	wb_json_set(doc, "schema", wb_json_int(1));
	wb_json_set(doc, "checks", checks);
	wb_json_set(doc, "findings", found);
	wb_json_put(doc);
}

static void print(const struct wb_check *c)
{
	size_t i;

	for (i = 0; i < c->n; i++) {
		const struct wb_finding *f = &c->finding[i];

		wb_text_print("%s: %s: %s", name_at(c, f->index),
			      wb_check_word(f->kind), f->text);
	}
	for (i = 0; i < WB_CHECKS; i++) {
		if (c->skipped[i])
			printf("%-12s not checked: %s\n", wb_check_word(i),
			       c->skipped[i]);
		else
			printf("%-12s %zu looked at, %zu found\n",
			       wb_check_word(i), c->looked[i], count(c, i));
	}
}

static int prepare(struct wb *wb, const struct check *o, struct wb_check *c,
		   struct wb_error *err)
{
	const struct wb_build_config *b = &wb->config.build;

	if (!o->build)
		c->skipped[WB_CHECK_BUILD] = "without --build";
	if (!o->test)
		c->skipped[WB_CHECK_TEST] = "without --test";
	if (!o->test)
		c->skipped[WB_CHECK_EXPECT] = "without --test";
	else if (!c->expect.n)
		c->skipped[WB_CHECK_EXPECT] = "the stack has no file 'expect'";
	if (o->build && !b->command)
		return wb_fail(err, WB_E_USAGE, "--build: wb-build.command "
			       "is not set");
	if (o->test && !b->test)
		return wb_fail(err, WB_E_USAGE, "--test: wb-build.test is not "
			       "set");
	if ((o->build && b->from_project) ||
	    (o->test && b->test_from_project))
		return wb_trust_check(&wb->config, err);
	return 0;
}

static int cmd_check(struct wb *wb, void *opts_, int argc, char **argv,
		     struct wb_error *err)
{
	const struct check *o = opts_;
	struct wb_stack_options so = {
		.from = { .word = argc > 1 ? argv[1] : NULL },
		.series = wb->config.series, .fuzz = -1,
		.header_only = wb->config.header_only,
	};
	struct wb_check c = { .edit = { .lock = -1 } };
	int ret = -1;

	if (argc > 2) {
		wb_fail(err, WB_E_USAGE, "one stack at a time, not '%s'",
			argv[2]);
		goto out;
	}
	if (wb_profile_parse(o->profile ? o->profile : wb->config.profile,
			     &so.profile, err) < 0 ||
	    wb_check_make(&c, wb->git, &so, err) < 0 ||
	    prepare(wb, o, &c, err) < 0)
		goto out;
	if ((o->build || o->test) &&
	    wb_check_run(&c, wb->git, &wb->config, &so.from, o->build, o->test,
			 wb->quiet, err) < 0)
		goto out;
	if (wb->json)
		print_json(&c);
	else
		print(&c);
	ret = c.n ? wb_fail(err, WB_E_LOSS, "%zu found; see above", c.n) : 0;
out:
	wb_check_clear(&c);
	return ret;
}

const struct wb_cmd wb_cmd_series_check = {
	.name = "series check",
	.fn = cmd_check,
	.needs = WB_NEED_REPO | WB_RUNS,
	.usage = "wb series check [--build] [--test] [--profile=P] [DIR]",
	.summary = "whether the stack is fit to be sent",
	.opts = opts,
	.size = sizeof(struct check),
};
