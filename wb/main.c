#include "cmd.h"
#include "db.h"
#include "git-config.h"
#include "git.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct wb_cmd *const wb_cmds[] = {
	&wb_cmd_run,
	&wb_cmd_report,
	&wb_cmd_status,
	&wb_cmd_series_list,
	&wb_cmd_series_trees,
	&wb_cmd_build,
	&wb_cmd_config,
	&wb_cmd_trust,
	&wb_cmd_help,
	NULL,
};

/* Options that every command takes, before its name or behind it. */
struct common {
	const char *dir;
	struct wb_strlist config;
	bool json, pager, quiet, verbose, version;
	bool list_cmds, list_opts;
	const char *color;
};

static const struct wb_opt common_opts[] = {
	WB_OPT_STR('C', "directory", struct common, dir, "DIR",
		   "work as if started in DIR"),
	WB_OPT_LIST('c', "config", struct common, config, "KEY=VALUE",
		    "set a configuration key for this call"),
	WB_OPT_FLAG(0, "json", struct common, json, "one JSON document"),
	WB_OPT_NOFLAG(0, "no-pager", struct common, pager, "never page"),
	WB_OPT_STR(0, "color", struct common, color, "WHEN",
		   "auto, always or never"),
	WB_OPT_FLAG('q', "quiet", struct common, quiet, "no remarks"),
	WB_OPT_FLAG('v', "verbose", struct common, verbose, "more remarks"),
	WB_OPT_END
};

/* Before the command only. */
static const struct wb_opt front_opts[] = {
	WB_OPT_FLAG(0, "version", struct common, version, "print the version"),
	WB_OPT_FLAG(0, "list-cmds", struct common, list_cmds,
		    "command names, for completion"),
	WB_OPT_END
};

/* Behind the command only; no part of its usage. */
static const struct wb_opt hidden_opts[] = {
	WB_OPT_FLAG(0, "list-opts", struct common, list_opts,
		    "option names, for completion"),
	WB_OPT_END
};

/*
 * The row for argv[1..]: two words ("series list") before one, and the first
 * verb of a noun when the noun stands alone ("series"). *words is how many
 * of argv[1..] belong to the name.
 */
static const struct wb_cmd *find_cmd(int argc, char **argv, int *words)
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

/* Opens what the command needs, in the order in which one needs the other. */
static int set_up(struct wb *wb, const struct wb_cmd *cmd,
		  const struct common *o, struct wb_error *err)
{
	size_t i;

	wb->json = o->json;
	wb->no_pager = !o->pager;
	wb->quiet = o->quiet;
	wb->verbose = o->verbose;
	wb_talk_quiet(o->quiet);
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
		wb_error_clear(err);
	}
	if (wb_git_config_read(&wb->config, wb->git, err) < 0 ||
	    wb_config_add_env(&wb->config, err) < 0)
		return -1;
	for (i = 0; i < o->config.n; i++)
		if (wb_config_add_word(&wb->config, o->config.v[i], err) < 0)
			return -1;
	if (wb_config_settle(&wb->config, err) < 0)
		return -1;
	if (cmd->needs & WB_NEED_DB)
		return wb_db_open(wb_git_common_dir(wb->git), true, &wb->db,
				  err);
	if ((cmd->needs & WB_WANT_DB) && wb->git)
		return wb_db_open(wb_git_common_dir(wb->git), false, &wb->db,
				  err);
	return 0;
}

static void tear_down(struct wb *wb)
{
	wb_db_close(wb->db);
	wb_config_clear(&wb->config);
	wb_git_free(wb->git);
}

/* "usage: " and its lines for the command, or for all verbs of its noun. */
static void print_usage(const struct wb_cmd *cmd, bool noun)
{
	size_t n = strcspn(cmd->name, " ");
	const struct wb_cmd *const *c;
	struct wb_buf out = WB_BUF_INIT;
	const char *line, *lead = "usage: ";

	for (c = wb_cmds; *c; c++) {
		if (*c != cmd &&
		    !(noun && !strncmp((*c)->name, cmd->name, n + 1)))
			continue;
		for (line = (*c)->usage; *line; line += strcspn(line, "\n")) {
			line += *line == '\n';
			wb_buf_addf(&out, "%s%.*s\n", lead,
				    (int)strcspn(line, "\n"), line);
			lead = "   or: ";
		}
	}
	if (!noun || !cmd->name[n]) {
		wb_buf_addch(&out, '\n');
		if (cmd->opts)
			wb_opt_help(cmd->opts, &out);
		wb_opt_help(common_opts, &out);
	}
	fputs(out.ptr, stdout);
	wb_buf_clear(&out);
}

static void print_names(const struct wb_opt *opts)
{
	struct wb_buf out = WB_BUF_INIT;

	wb_opt_names(opts, &out);
	fputs(out.ptr, stdout);
	wb_buf_clear(&out);
}

static void print_commands(void)
{
	const struct wb_cmd *const *c;

	for (c = wb_cmds; *c; c++)
		puts((*c)->name);
}

static int run_cmd(const struct wb_cmd *cmd, bool noun, struct common *common,
		   int argc, char **argv, struct wb_error *err)
{
	static const struct wb_opt none[] = { WB_OPT_END };
	void *opts = wb_xcalloc(1, cmd->size);
	struct wb_opt_layer layers[] = {
		{ cmd->opts ? cmd->opts : none, opts },
		{ common_opts, common },
		{ hidden_opts, common },
	};
	struct wb wb = { .json = false };
	bool help = false;
	int words, ret = -1;

	wb_config_init(&wb.config);
	if (cmd->defaults)
		memcpy(opts, cmd->defaults, cmd->size);
	if (wb_opt_parse(argc, argv, layers, 3, 0, &help, &words, err) < 0)
		goto out;
	if (common->list_opts) {
		print_names(cmd->opts ? cmd->opts : none);
		print_names(common_opts);
		ret = 0;
		goto out;
	}
	if (help) {
		print_usage(cmd, noun);
		ret = 0;
		goto out;
	}
	if (set_up(&wb, cmd, common, err) < 0)
		goto out;
	ret = cmd->fn(&wb, opts, words + 1, argv, err);
out:
	tear_down(&wb);
	free(opts);
	if (ret < 0 && err->kind == WB_E_USAGE)
		wb_fail_at(err, "wb %s", cmd->name);
	return ret;
}

static int start(int argc, char **argv, struct wb_error *err)
{
	struct common common = { .pager = true };
	struct wb_opt_layer layers[] = {
		{ common_opts, &common },
		{ front_opts, &common },
	};
	const struct wb_cmd *cmd;
	bool help = false;
	int words, name, ret = -1;

	if (wb_opt_parse(argc, argv, layers, 2, WB_OPT_STOP_AT_WORD, &help,
			 &words, err) < 0)
		goto out;
	if (common.version) {
		printf("wb %s\n", WB_VERSION);
		ret = 0;
		goto out;
	}
	if (common.list_cmds) {
		print_commands();
		ret = 0;
		goto out;
	}
	if (help || !words) {
		char *alone[] = { "help", NULL };

		ret = run_cmd(&wb_cmd_help, false, &common, 1, alone, err);
		goto out;
	}
	cmd = find_cmd(words + 1, argv, &name);
	if (!cmd) {
		wb_fail(err, WB_E_USAGE, "'%s' is no command; see 'wb help'",
			argv[1]);
		goto out;
	}
	/* argv[name] is the last word of the name and stands for argv[0] */
	ret = run_cmd(cmd, name == 1, &common, words + 1 - name, argv + name,
		      err);
out:
	free(common.config.v);
	return ret;
}

int main(int argc, char **argv)
{
	struct wb_error err = WB_ERROR_INIT;
	int ret;

	/* a reader that goes away is seen as EPIPE, not as a signal */
	signal(SIGPIPE, SIG_IGN);
	ret = start(argc, argv, &err);
	if (fflush(stdout) && errno != EPIPE && ret >= 0)
		ret = wb_fail_errno(&err, "standard output");
	if (ret >= 0)
		return 0;
	if (err.msg[0])
		wb_error_print(&err);
	return wb_error_exit_code(&err);
}
