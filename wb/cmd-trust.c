#include "cmd.h"
#include "json.h"
#include "text.h"
#include "trust.h"

#include <stdio.h>
#include <string.h>

struct trust {
	bool show, revoke;
};

static const struct wb_opt opts[] = {
	WB_OPT_FLAG(0, "show", struct trust, show,
		    "show the commands and whether they are trusted; "
		    "change nothing"),
	WB_OPT_FLAG(0, "revoke", struct trust, revoke,
		    "take the consent back"),
	WB_OPT_END
};

/*
 * One command exactly as sh will get it; what could move the cursor or end
 * the line is written \\xNN, so that nothing is hidden.
 */
static void show(struct wb_json *list, const char *key, const char *command)
{
	struct wb_buf line = WB_BUF_INIT;
	struct wb_json *o;

	if (list) {
		o = wb_json_object();
		wb_json_set(o, "key", wb_json_str(key));
		wb_json_set(o, "command", wb_json_str(command));
		wb_json_append(list, o);
		return;
	}
	wb_text_add(&line, key, WB_TEXT_EXACT);
	wb_buf_addch(&line, '\t');
	wb_text_add(&line, command, WB_TEXT_EXACT);
	puts(line.ptr);
	wb_buf_clear(&line);
}

/*
 * All commands of the file, also those that another scope replaces today:
 * the consent is to the file.
 */
static void show_commands(const struct wb_config *c, struct wb_json *list)
{
	const struct wb_config_entry *e;
	size_t i;

	for (i = 0; i < c->nentries; i++) {
		e = &c->entry[i];
		if (e->scope == WB_SCOPE_PROJECT &&
		    (wb_str_ends(e->key, ".command") ||
		     !strcmp(e->key, "wb-build.test")))
			show(list, e->key, e->value ? e->value : "");
	}
}

static int change(const struct wb_config *c, const struct trust *t,
		  struct wb_error *err)
{
	if (t->show)
		return 0;
	return t->revoke ? wb_trust_remove(c, err) : wb_trust_add(c, err);
}

static int cmd_trust(struct wb *wb, void *o, int argc, char **argv,
		     struct wb_error *err)
{
	const struct trust *t = o;
	struct wb_json *doc, *list;
	int trusted;

	if (argc > 1)
		return wb_fail(err, WB_E_USAGE, "unexpected '%s'", argv[1]);
	if (t->show && t->revoke)
		return wb_fail(err, WB_E_USAGE,
			       "--show and --revoke exclude each other");
	if (!wb->config.project)
		return wb_fail(err, WB_E_FATAL, "there is no .wbconfig here; "
			       "nothing needs trust");
	if (!wb->json)
		show_commands(&wb->config, NULL);
	if (change(&wb->config, t, err) < 0)
		return -1;
	trusted = wb_trust_get(&wb->config, err);
	if (trusted < 0)
		return -1;
	if (wb->json) {
		doc = wb_json_object();
		list = wb_json_array();
		show_commands(&wb->config, list);
		wb_json_set(doc, "schema", wb_json_int(1));
		wb_json_set(doc, "commands", list);
		wb_json_set(doc, "trusted", wb_json_bool(trusted));
		wb_json_put(doc);
	} else if (!wb->quiet) {
		printf("trusted\t%s\n", trusted ? "yes" : "no");
	}
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
