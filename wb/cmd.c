#include "cmd.h"
#include "buf.h"
#include "setup.h"

#include <string.h>

const struct wb_cmd *const wb_cmds[] = {
	&wb_cmd_init,
	&wb_cmd_run,
	&wb_cmd_report,
	&wb_cmd_plot,
	&wb_cmd_export,
	&wb_cmd_import,
	&wb_cmd_bisect,
	&wb_cmd_ci,
	&wb_cmd_check,
	&wb_cmd_status,
	&wb_cmd_series_list,
	&wb_cmd_series_trees,
	&wb_cmd_series_check,
	&wb_cmd_series_new,
	&wb_cmd_series_edit,
	&wb_cmd_series_refresh,
	&wb_cmd_series_fold,
	&wb_cmd_series_drop,
	&wb_cmd_series_rename,
	&wb_cmd_series_reorder,
	&wb_cmd_series_import,
	&wb_cmd_series_export,
	&wb_cmd_series_diff,
	&wb_cmd_build,
	&wb_cmd_doctor,
	&wb_cmd_config,
	&wb_cmd_trust,
	&wb_cmd_help,
	NULL,
};

const struct wb_cmd *wb_cmd_find(int argc, char **argv, int *words)
{
	const struct wb_cmd *const *c;
	const char *word = argv[1];
	size_t n = strlen(word);

	for (c = wb_cmds; argc > 2 && *c; c++) {
		if (!strncmp((*c)->name, word, n) && (*c)->name[n] == ' ' &&
		    !strcmp((*c)->name + n + 1, argv[2])) {
			*words = 2;
			return *c;
		}
	}
	*words = 1;
	for (c = wb_cmds; *c; c++)
		if (!strncmp((*c)->name, word, n) &&
		    ((*c)->name[n] == ' ' || !(*c)->name[n]))
			return *c;
	return NULL;
}

static bool same_noun(const struct wb_cmd *a, const struct wb_cmd *b)
{
	size_t n = strcspn(a->name, " ");

	return a->name[n] && !strncmp(a->name, b->name, n + 1);
}

static void add_synopsis(const struct wb_cmd *cmd, const char **lead,
			 struct wb_buf *out)
{
	const char *line;

	for (line = cmd->usage; *line; line += strcspn(line, "\n")) {
		line += *line == '\n';
		wb_buf_addf(out, "%s%.*s\n", *lead,
			    (int)strcspn(line, "\n"), line);
		*lead = "   or: ";
	}
}

void wb_cmd_usage(const struct wb_cmd *cmd, bool noun, struct wb_buf *out)
{
	const struct wb_cmd *const *c;
	const char *lead = "usage: ";

	for (c = wb_cmds; *c; c++)
		if (*c == cmd || (noun && same_noun(cmd, *c)))
			add_synopsis(*c, &lead, out);
	wb_buf_addch(out, '\n');
	if (cmd->opts)
		wb_opt_help(cmd->opts, out);
	wb_opt_help(wb_common_opts, out);
	for (c = wb_cmds; noun && *c; c++)
		if (*c != cmd && same_noun(cmd, *c))
			wb_buf_addf(out, "\nThe options of %s: wb %s -h\n",
				    (*c)->name, (*c)->name);
}

void wb_cmd_list(struct wb_buf *out)
{
	const struct wb_cmd *const *c;

	for (c = wb_cmds; *c; c++)
		wb_buf_addf(out, "%s\n", (*c)->name);
}

void wb_cmd_opts(const struct wb_opt *opts, struct wb_buf *out)
{
	wb_opt_names(opts, out);
	wb_opt_names(wb_common_opts, out);
	wb_buf_addstr(out, "--help\n");
}
