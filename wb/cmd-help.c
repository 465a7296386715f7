#include "cmd.h"
#include "buf.h"
#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void list_commands(void)
{
	const struct wb_cmd *const *c;

	puts("wb: build, measure and judge every prefix of a patch series\n");
	for (c = wb_cmds; *c; c++)
		printf("  wb %-14s %s\n", (*c)->name, (*c)->summary);
	puts("\nwb CMD -h shows a command's options, wb help CMD its man page,\n"
	     "wb help config all configuration keys.");
}

static void list_json(void)
{
	struct wb_json *doc = wb_json_object(), *list = wb_json_array(), *o;
	const struct wb_cmd *const *c;

	for (c = wb_cmds; *c; c++) {
		o = wb_json_object();
		wb_json_set(o, "name", wb_json_str((*c)->name));
		wb_json_set(o, "summary", wb_json_str((*c)->summary));
		wb_json_set(o, "usage", wb_json_str((*c)->usage));
		wb_json_append(list, o);
	}
	wb_json_set(doc, "schema", wb_json_int(1));
	wb_json_set(doc, "commands", list);
	wb_json_put(doc);
}

static void list_config(void)
{
	const struct wb_config_key *k;

	puts("Configuration keys, in git-config syntax (.wbconfig,"
	     " .git/config, ~/.gitconfig, -c):\n");
	for (k = wb_config_keys; k->key; k++)
		printf("  %-26s %s%s%s%s\n", k->key, k->help,
		       k->fallback ? " [" : "", k->fallback ? k->fallback : "",
		       k->fallback ? "]" : "");
}

/*
 * man finds pages of an installed wb; one that runs from its build folder has
 * them beside itself, in man/.
 */
static bool open_man(const char *name)
{
	char self[4096], *slash;
	char *page = wb_xasprintf("wb-%s", name), *file;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int status = -1;
	pid_t pid;

	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	file = wb_xasprintf("%s/man/%s.1", self, page);
	pid = fork();
	if (!pid) {
		execlp("man", "man", access(file, R_OK) ? page : file, NULL);
		_exit(127);
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
	free(file);
	free(page);
	return pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

static int cmd_help(struct wb *wb, void *opts, int argc, char **argv,
		    struct wb_error *err)
{
	const struct wb_cmd *const *c;
	const struct wb_cmd *found = NULL;
	size_t n;

	(void)opts;
	if (argc < 2) {
		if (wb->json)
			list_json();
		else
			list_commands();
		return 0;
	}
	if (!strcmp(argv[1], "config"))
		list_config();
	n = strlen(argv[1]);
	for (c = wb_cmds; *c; c++)
		if (!strncmp((*c)->name, argv[1], n) &&
		    ((*c)->name[n] == ' ' || !(*c)->name[n]))
			found = found ? found : *c;
	if (!found)
		return wb_fail(err, WB_E_USAGE,
			       "'%s' is no command; see 'wb help'", argv[1]);
	fflush(stdout);
	if (!strcmp(argv[1], "config") || open_man(argv[1]))
		return 0;
	/* no man program or page: the built-in text is what there is */
	printf("wb %s - %s\n\n%s\n\n", found->name, found->summary,
	       found->usage);
	printf("Options: wb %s -h. The man page needs the package man-db.\n",
	       argv[1]);
	return 0;
}

const struct wb_cmd wb_cmd_help = {
	.name = "help",
	.fn = cmd_help,
	.usage = "wb help [CMD | config]",
	.summary = "the commands, a command's man page, the configuration keys",
};
