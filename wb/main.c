#include "cmd.h"
#include "buf.h"
#include "setup.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Before the command only. */
static const struct wb_opt front_opts[] = {
	WB_OPT_FLAG(0, "version", struct wb_common, version,
		    "print the version"),
	WB_OPT_FLAG(0, "list-cmds", struct wb_common, list_cmds,
		    "command names, for completion"),
	WB_OPT_END
};

/* No part of any usage. */
static const struct wb_opt hidden_opts[] = {
	WB_OPT_FLAG(0, "list-opts", struct wb_common, list_opts,
		    "option names, for completion"),
	WB_OPT_END
};

static const struct wb_opt no_opts[] = { WB_OPT_END };

static int print(struct wb_buf *out)
{
	fputs(out->ptr, stdout);
	wb_buf_clear(out);
	return 0;
}

/* "wb help WORD"; without a word the list of commands. */
static int run_help(const char *word, const struct wb_common *common,
		    struct wb_error *err)
{
	char *argv[] = { "help", (char *)word, NULL };
	struct wb wb = { .json = false };
	int ret = wb_setup(&wb, &wb_cmd_help, common, err);

	if (ret == 0)
		ret = wb_cmd_help.fn(&wb, NULL, word ? 2 : 1, argv, err);
	wb_teardown(&wb);
	return ret;
}

static int show_page(const struct wb_cmd *cmd, const struct wb_common *common,
		     struct wb_error *err)
{
	char *page = wb_xasprintf("wb-%.*s", (int)strcspn(cmd->name, " "),
				  cmd->name);
	int ret = run_help(page, common, err);

	free(page);
	return ret;
}

/* noun: cmd is the verb that the noun alone stands for. */
static int run_cmd(const struct wb_cmd *cmd, bool noun,
		   struct wb_common *common, int argc, char **argv,
		   struct wb_error *err)
{
	struct wb_buf out = WB_BUF_INIT;
	void *opts = wb_xcalloc(1, cmd->size);
	struct wb_opt_layer layers[] = {
		{ cmd->opts ? cmd->opts : no_opts, opts },
		{ wb_common_opts, common },
		{ hidden_opts, common },
	};
	struct wb wb = { .json = false };
	enum wb_opt_help help = WB_OPT_NO_HELP;
	int words, ret;

	if (cmd->defaults)
		memcpy(opts, cmd->defaults, cmd->size);
	ret = wb_opt_parse(argc, argv, layers, 3, 0, &help, &words, err);
	if (ret < 0)
		goto out;
	if (common->list_opts)
		wb_cmd_opts(layers[0].opts, &out);
	else if (help == WB_OPT_USAGE)
		wb_cmd_usage(cmd, noun, &out);
	else if (help == WB_OPT_PAGE)
		ret = show_page(cmd, common, err);
	else if ((ret = wb_setup(&wb, cmd, common, err)) == 0)
		ret = cmd->fn(&wb, opts, words + 1, argv, err);
	print(&out);
out:
	wb_teardown(&wb);
	wb_opt_clear(layers[0].opts, opts);
	free(opts);
	if (ret < 0 && err->kind == WB_E_USAGE)
		wb_fail_at(err, "wb %s", cmd->name);
	return ret;
}

static int start(struct wb_common *common, int argc, char **argv,
		 struct wb_error *err)
{
	struct wb_opt_layer layers[] = {
		{ wb_common_opts, common },
		{ front_opts, common },
		{ hidden_opts, common },
	};
	enum wb_opt_help help = WB_OPT_NO_HELP;
	struct wb_buf out = WB_BUF_INIT;
	const struct wb_cmd *cmd;
	int words, name;

	if (wb_opt_parse(argc, argv, layers, 3, WB_OPT_STOP_AT_WORD, &help,
			 &words, err) < 0)
		return -1;
	if (common->version)
		wb_buf_addf(&out, "wb %s\n", WB_VERSION);
	else if (common->list_cmds)
		wb_cmd_list(&out);
	else if (common->list_opts)
		wb_cmd_opts(front_opts, &out);
	if (out.len)
		return print(&out);
	if (help == WB_OPT_PAGE)
		return run_help(words ? argv[1] : "wb", common, err);
	if (help == WB_OPT_USAGE || !words)
		return run_help(NULL, common, err);
	cmd = wb_cmd_find(words + 1, argv, &name);
	if (!cmd)
		return wb_fail(err, WB_E_USAGE,
			       "'%s' is no command; see 'wb help'", argv[1]);
	/* argv[name] is the last word of the name and stands for argv[0] */
	return run_cmd(cmd, name == 1, common, words + 1 - name, argv + name,
		       err);
}

int main(int argc, char **argv)
{
	struct wb_common common = { .pager = true, .sandbox = true };
	struct wb_error err = WB_ERROR_INIT;
	int ret;

	/* a reader that goes away is seen as EPIPE, not as a signal */
	signal(SIGPIPE, SIG_IGN);
	ret = start(&common, argc, argv, &err);
	wb_opt_clear(wb_common_opts, &common);
	/* ferror: a command may have flushed, and met the full disk, itself */
	if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE && ret >= 0)
		ret = wb_fail_errno(&err, "standard output");
	if (ret >= 0)
		return 0;
	if (err.msg[0])
		wb_error_print(&err);
	return wb_error_exit_code(&err);
}
