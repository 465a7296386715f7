#include "cmd.h"
#include "json.h"
#include "text.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

struct config {
	bool show_origin, all;
};

static const struct wb_opt opts[] = {
	WB_OPT_FLAG(0, "show-origin", struct config, show_origin,
		    "say where each value comes from"),
	WB_OPT_FLAG(0, "all", struct config, all,
		    "also values that a later scope replaced"),
	WB_OPT_END
};

static bool ours(const char *key)
{
	return wb_str_starts(key, "wb.") || wb_str_starts(key, "wb-build.") ||
	       wb_str_starts(key, "wb-bench.");
}

/* Keys of the table that nobody set, so that defaults show as well. */
static void with_defaults(const struct wb_config *c, struct wb_config *out)
{
	const struct wb_config_key *k;
	size_t i;

	for (k = wb_config_keys; k->key; k++)
		if (k->fallback && !wb_str_starts(k->key, "wb-bench."))
			wb_config_add(out, WB_SCOPE_DEFAULT, "built in",
				      k->key, k->fallback);
	for (i = 0; i < c->nentries; i++)
		if (ours(c->entry[i].key))
			wb_config_add(out, c->entry[i].scope,
				      c->entry[i].origin, c->entry[i].key,
				      c->entry[i].value);
}

static bool replaced(const struct wb_config *c, size_t i)
{
	size_t j;

	for (j = i + 1; j < c->nentries; j++)
		if (!strcmp(c->entry[j].key, c->entry[i].key))
			return true;
	return false;
}

static void print_entry(const struct wb_config_entry *e, bool origin)
{
	struct wb_buf line = WB_BUF_INIT;

	if (origin) {
		wb_buf_addf(&line, "%s\t", wb_scope_word(e->scope));
		wb_text_add(&line, e->origin, WB_TEXT_EXACT);
		wb_buf_addch(&line, '\t');
	}
	wb_text_add(&line, e->key, WB_TEXT_EXACT);
	wb_buf_addch(&line, '=');
	wb_text_add(&line, e->value ? e->value : "true", WB_TEXT_EXACT);
	puts(line.ptr);
	wb_buf_clear(&line);
}

static struct wb_json *entry_json(const struct wb_config_entry *e)
{
	struct wb_json *o = wb_json_object();

	wb_json_set(o, "key", wb_json_str(e->key));
	wb_json_set(o, "value", wb_json_str(e->value ? e->value : "true"));
	wb_json_set(o, "scope", wb_json_str(wb_scope_word(e->scope)));
	wb_json_set(o, "origin", wb_json_str(e->origin));
	return o;
}

static int cmd_config(struct wb *wb, void *o, int argc, char **argv,
		      struct wb_error *err)
{
	const struct config *opt = o;
	struct wb_json *doc = NULL, *list = NULL;
	struct wb_config c;
	size_t i, shown = 0;

	if (argc > 2)
		return wb_fail(err, WB_E_USAGE, "unexpected '%s'", argv[2]);
	wb_config_init(&c);
	with_defaults(&wb->config, &c);
	if (wb->json) {
		doc = wb_json_object();
		list = wb_json_array();
		wb_json_set(doc, "schema", wb_json_int(1));
		wb_json_set(doc, "entries", list);
	}
	for (i = 0; i < c.nentries; i++) {
		if (!opt->all && replaced(&c, i))
			continue;
		if (argc == 2 && fnmatch(argv[1], c.entry[i].key, 0))
			continue;
		shown++;
		if (list)
			wb_json_append(list, entry_json(&c.entry[i]));
		else
			print_entry(&c.entry[i], opt->show_origin);
	}
	if (doc)
		wb_json_put(doc);
	wb_config_clear(&c);
	if (argc == 2 && !shown)
		return wb_fail(err, WB_E_FATAL, "nobody set '%s'; see 'wb "
			       "help config' for the keys", argv[1]);
	return 0;
}

const struct wb_cmd wb_cmd_config = {
	.name = "config",
	.fn = cmd_config,
	.needs = WB_WANT_REPO,
	.usage = "wb config [--show-origin] [--all] [KEY]",
	.summary = "the configuration in force and where it comes from",
	.opts = opts,
	.size = sizeof(struct config),
};
