#include "cmd.h"
#include "buf.h"
#include "json.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A man page; cmd is NULL where it is not about a command. */
struct page {
	char *name;
	int section;
	const struct wb_cmd *cmd;
};

/* Pages that are not about one command. */
static const struct page pages[] = {
	{ "wb", 1, NULL },
	{ "wb-file", 5, NULL },
	{ "wbconfig", 5, NULL },
};

static void list_commands(void)
{
	const struct wb_cmd *const *c;

	puts("wb: build, measure and judge every prefix of a patch series\n");
	for (c = wb_cmds; *c; c++)
		printf("  wb %-14s %s\n", (*c)->name, (*c)->summary);
	puts("\nwb CMD -h shows a command's options, wb help CMD its man page,"
	     "\nwb help config all configuration keys. More pages: wb help wb,"
	     "\nwb help wb-file, wb help wbconfig.");
}

/* noun NULL: all commands. */
static void list_json(const char *noun)
{
	struct wb_json *doc = wb_json_object(), *list = wb_json_array(), *o;
	size_t n = noun ? strcspn(noun, " ") : 0;
	const struct wb_cmd *const *c;

	for (c = wb_cmds; *c; c++) {
		if (strncmp((*c)->name, noun ? noun : "", n) ||
		    (n && (*c)->name[n] && (*c)->name[n] != ' '))
			continue;
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
	puts("\nSee wbconfig(5), wb-config(1).");
}

static void list_config_json(void)
{
	struct wb_json *doc = wb_json_object(), *list = wb_json_array(), *o;
	const struct wb_config_key *k;

	for (k = wb_config_keys; k->key; k++) {
		o = wb_json_object();
		wb_json_set(o, "key", wb_json_str(k->key));
		wb_json_set(o, "default", wb_json_str(k->fallback));
		wb_json_set(o, "help", wb_json_str(k->help));
		wb_json_append(list, o);
	}
	wb_json_set(doc, "schema", wb_json_int(1));
	wb_json_set(doc, "keys", list);
	wb_json_put(doc);
}

/* "run", "wb-run", "series list", "file", "wbconfig": the page that is meant */
static int find_page(int argc, char **argv, struct page *out,
		     struct wb_error *err)
{
	char *word = argv[1];
	const struct wb_cmd *cmd;
	size_t i;
	int words;

	for (i = 0; i < sizeof(pages) / sizeof(*pages) && argc == 2; i++) {
		if (strcmp(pages[i].name, word) &&
		    !(wb_str_starts(pages[i].name, "wb-") &&
		      !strcmp(pages[i].name + 3, word)))
			continue;
		*out = pages[i];
		out->name = wb_xstrdup(pages[i].name);
		return 0;
	}
	if (wb_str_starts(word, "wb-"))
		argv[1] += 3;
	cmd = wb_cmd_find(argc, argv, &words);
	argv[1] = word;
	if (!cmd)
		return wb_fail(err, WB_E_USAGE, "'%s' is no command and no "
			       "page; see 'wb help'", word);
	if (argc > 1 + words)
		return wb_fail(err, WB_E_USAGE, "unexpected '%s'",
			       argv[1 + words]);
	out->name = wb_xasprintf("wb-%.*s", (int)strcspn(cmd->name, " "),
				 cmd->name);
	out->section = 1;
	out->cmd = cmd;
	return 0;
}

/* Runs man; its exit code, 127 when there is no such program. */
static int run_man(bool silent, const char *a, const char *b)
{
	int status = 0, null;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		null = silent ? open("/dev/null", O_RDWR) : -1;
		if (null >= 0) {
			dup2(null, STDOUT_FILENO);
			dup2(null, STDERR_FILENO);
		}
		signal(SIGPIPE, SIG_DFL);
		execlp("man", "man", a, b, NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

/*
 * The page's file: of a wb that runs from its build folder in man/ beside it,
 * of an installed one in the share/man of its prefix. NULL: neither is there.
 */
static char *page_file(const struct page *p)
{
	char self[4096], *slash, *file;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	if (!slash)
		return NULL;
	*slash = '\0';
	file = wb_xasprintf("%s/man/%s.%d", self, p->name, p->section);
	if (!access(file, R_OK))
		return file;
	free(file);
	file = wb_xasprintf("%s/../share/man/man%d/%s.%d", self, p->section,
			    p->name, p->section);
	if (!access(file, R_OK))
		return file;
	free(file);
	return NULL;
}

/* NULL when the page was shown, else why it was not. */
static const char *open_page(const struct page *p)
{
	char *file = page_file(p);
	int rc;

	rc = file ? run_man(false, file, NULL) : run_man(true, "-w", p->name);
	if (!file && rc == 0)
		rc = run_man(false, p->name, NULL);
	else if (!file && rc != 127)
		return "it is not installed (make man makes it, with cmark)";
	free(file);
	return rc == 127 ? "there is no program man (package man-db)" : NULL;
}

static int show_page(const struct page *p, struct wb_error *err)
{
	const char *why = open_page(p);
	struct wb_buf out = WB_BUF_INIT;

	if (!why)
		return 0;
	if (p->cmd) {
		printf("wb %s - %s\n\n", p->cmd->name, p->cmd->summary);
		wb_cmd_usage(p->cmd, true, &out);
		fputs(out.ptr, stdout);
		wb_buf_clear(&out);
	} else if (!strcmp(p->name, "wb")) {
		list_commands();
	} else {
		return wb_fail(err, WB_E_FATAL,
			       "%s(%d) cannot be shown: %s", p->name,
			       p->section, why);
	}
	wb_talk("this is not the man page %s(%d): %s", p->name, p->section,
		why);
	return 0;
}

static int cmd_help(struct wb *wb, void *opts, int argc, char **argv,
		    struct wb_error *err)
{
	struct page page = { .name = NULL };
	int ret;

	(void)opts;
	if (argc < 2) {
		if (wb->json)
			list_json(NULL);
		else
			list_commands();
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "config")) {
		if (wb->json)
			list_config_json();
		else
			list_config();
		return 0;
	}
	if (find_page(argc, argv, &page, err) < 0)
		return -1;
	ret = 0;
	if (wb->no_pager)
		setenv("MANPAGER", "cat", 1);
	if (!wb->json)
		ret = show_page(&page, err);
	else if (page.cmd)
		list_json(page.cmd->name);
	else
		ret = wb_fail(err, WB_E_USAGE, "%s(%d) has no JSON form",
			      page.name, page.section);
	free(page.name);
	return ret;
}

const struct wb_cmd wb_cmd_help = {
	.name = "help",
	.fn = cmd_help,
	.usage = "wb help [CMD | PAGE | config]",
	.summary = "the commands, a command's man page, the configuration keys",
};
