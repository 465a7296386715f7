#include "cmd.h"
#include "trust.h"

#include <stdio.h>

struct trust {
	bool show, revoke;
};

static const struct wb_opt opts[] = {
	WB_OPT_FLAG(0, "show", struct trust, show,
		    "show the commands and whether they are trusted; change nothing"),
	WB_OPT_FLAG(0, "revoke", struct trust, revoke,
		    "take the consent back"),
	WB_OPT_END
};

/* The commands exactly as sh will get them. */
static void show_commands(const struct wb_config *c)
{
	size_t i;

	if (c->build.command && c->build.from_project)
		printf("build\t%s\n", c->build.command);
	for (i = 0; i < c->nbenches; i++)
		if (c->bench[i].command && c->bench[i].from_project)
			printf("bench %s\t%s\n", c->bench[i].name,
			       c->bench[i].command);
}

static int cmd_trust(struct wb *wb, void *o, int argc, char **argv,
		     struct wb_error *err)
{
	const struct trust *t = o;
	int trusted;

	if (argc > 1)
		return wb_fail(err, WB_E_USAGE, "unexpected '%s'", argv[1]);
	if (t->show && t->revoke)
		return wb_fail(err, WB_E_USAGE,
			       "--show and --revoke exclude each other");
	if (!wb->config.project)
		return wb_fail(err, WB_E_FATAL, "there is no .wbconfig here; "
			       "nothing needs trust");
	if (!wb->quiet)
		show_commands(&wb->config);
	if (t->revoke)
		return wb_trust_remove(&wb->config, err);
	if (!t->show)
		return wb_trust_add(&wb->config, err);
	trusted = wb_trust_get(&wb->config, err);
	if (trusted < 0)
		return -1;
	printf("trusted\t%s\n", trusted ? "yes" : "no");
	return 0;
}

const struct wb_cmd wb_cmd_trust = {
	.name = "trust",
	.fn = cmd_trust,
	.needs = WB_NEED_REPO,
	.usage = "wb trust [--show | --revoke]",
	.summary = "allow the commands that .wbconfig names",
	.opts = opts,
	.size = sizeof(struct trust),
};
