#include "pager.h"
#include "opt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define WIDTH 80
#define WIDTH_MAX 1000

int wb_terminal_width(void)
{
	struct wb_error ignored = WB_ERROR_INIT;
	const char *columns = getenv("COLUMNS");
	struct winsize ws;
	long n;

	/* what is no number is as good as no COLUMNS */
	if (columns && !wb_parse_int(columns, 1, WIDTH_MAX, &n, &ignored))
		return (int)n;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) && ws.ws_col)
		return ws.ws_col;
	return WIDTH;
}

static const char *config_value(const struct wb_config *c, const char *key)
{
	const char *value = NULL;
	size_t i;

	for (i = 0; i < c->nentries; i++)
		if (!strcmp(c->entry[i].key, key) &&
		    c->entry[i].scope != WB_SCOPE_PROJECT)
			value = c->entry[i].value;
	return value;
}

/* NULL: none is wanted. .wbconfig has no say: a pager is a command. */
static const char *choose(const struct wb_config *c)
{
	const char *p = config_value(c, "pager.wb");

	if (!p)
		p = getenv("GIT_PAGER");
	if (!p)
		p = config_value(c, "core.pager");
	if (!p)
		p = getenv("PAGER");
	if (!p)
		p = "less";
	return *p && strcmp(p, "cat") ? p : NULL;
}

static int print_to(FILE *f, const char *text, size_t len, const char *name,
		    struct wb_error *err)
{
	if ((fwrite(text, 1, len, f) == len && !fflush(f)) || errno == EPIPE)
		return 0;
	return wb_fail_errno(err, "%s", name);
}

int wb_pager_print(const struct wb_config *c, bool page, const char *text,
		   size_t len, struct wb_error *err)
{
	const char *pager = page && isatty(STDOUT_FILENO) ? choose(c) : NULL;
	int ret, status;
	FILE *f;

	if (!pager)
		return print_to(stdout, text, len, "standard output", err);
	setenv("LESS", "FRX", 0);
	f = popen(pager, "w");
	if (!f)
		return wb_fail_errno(err, "%s", pager);
	ret = print_to(f, text, len, pager, err);
	status = pclose(f);
	/* sh did not find the pager: the result still has to come out */
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return print_to(stdout, text, len, "standard output", err);
	return ret;
}
