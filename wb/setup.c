#include "setup.h"
#include "db.h"
#include "git-config.h"
#include "git.h"
#include "pager.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct wb_opt wb_common_opts[] = {
	WB_OPT_STR('C', "directory", struct wb_common, dir, "DIR",
		   "work as if started in DIR"),
	WB_OPT_LIST('c', "config", struct wb_common, config, "KEY=VALUE",
		    "set a configuration key for this call"),
	WB_OPT_FLAG(0, "json", struct wb_common, json, "one JSON document"),
	WB_OPT_NOFLAG(0, "no-pager", struct wb_common, pager, "never page"),
	WB_OPT_NOFLAG(0, "no-sandbox", struct wb_common, sandbox,
		      "run commands of a stack with all your rights"),
	WB_OPT_STR(0, "color", struct wb_common, color, "WHEN",
		   "auto, always or never"),
	WB_OPT_FLAG('q', "quiet", struct wb_common, quiet, "no remarks"),
	WB_OPT_FLAG('v', "verbose", struct wb_common, verbose, "more remarks"),
	WB_OPT_END
};

static int pick_color(struct wb *wb, const char *when, struct wb_error *err)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (!when || !strcmp(when, "auto"))
		wb->color = isatty(STDOUT_FILENO) && !(no && *no) && term &&
			    strcmp(term, "dumb");
	else if (!strcmp(when, "always") || !strcmp(when, "never"))
		wb->color = !strcmp(when, "always");
	else
		return wb_fail(err, WB_E_USAGE,
			       "--color is auto, always or never, not '%s'",
			       when);
	return 0;
}

/* In the folder of a patch that is open, the user's repository is meant. */
static int leave_desk(struct wb *wb, struct wb_error *err)
{
	char *home = wb->git ? wb_git_config_home(wb->git) : NULL;
	int ret = 0;

	if (home) {
		wb_git_free(wb->git);
		wb->git = NULL;
		ret = wb_git_open(home, &wb->git, err);
	}
	free(home);
	return ret;
}

int wb_setup(struct wb *wb, const struct wb_cmd *cmd,
	     const struct wb_common *o, struct wb_error *err)
{
	size_t i;

	wb_config_init(&wb->config);
	wb->json = o->json;
	wb->no_pager = !o->pager;
	wb->quiet = o->quiet;
	wb->verbose = o->verbose;
	wb_talk_quiet(o->quiet);
	wb->width = isatty(STDOUT_FILENO) ? wb_terminal_width() : 0;
	if (pick_color(wb, o->color, err) < 0)
		return -1;
	if (o->dir && chdir(o->dir) < 0)
		return wb_fail_errno(err, "-C %s", o->dir);
	if (!cmd->needs)
		return 0;
	if (wb_git_open(NULL, &wb->git, err) < 0) {
		if (cmd->needs & WB_NEED_REPO)
			return -1;
		/* WB_WANT_REPO: the command also works from files alone */
		wb->no_git = *err;
		wb_error_clear(err);
	}
	if (leave_desk(wb, err) < 0 ||
	    wb_git_config_read(&wb->config, wb->git, err) < 0 ||
	    wb_config_add_env(&wb->config, err) < 0)
		return -1;
	if (!o->sandbox)
		wb_config_add(&wb->config, WB_SCOPE_COMMAND, "--no-sandbox",
			      "wb.sandbox", "off");
	for (i = 0; i < o->config.n; i++)
		if (wb_config_add_word(&wb->config, o->config.v[i], err) < 0)
			return -1;
	if (wb_config_settle(&wb->config, err) < 0)
		return -1;
	if (cmd->needs & WB_RUNS)
		wb_limits_enter(&wb->limits, &wb->config);
	if (cmd->needs & WB_NEED_DB)
		return wb_db_open(wb_git_common_dir(wb->git), true, &wb->db,
				  err);
	if ((cmd->needs & WB_WANT_DB) && wb->git)
		return wb_db_open(wb_git_common_dir(wb->git), false, &wb->db,
				  err);
	return 0;
}

void wb_teardown(struct wb *wb)
{
	wb_limits_leave(&wb->limits);
	wb_db_close(wb->db);
	wb_config_clear(&wb->config);
	wb_git_free(wb->git);
}
