#include "draft.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *section, *key;
	size_t offset;
} rows[] = {
	{ "wb", "series", offsetof(struct wb_draft, series) },
	{ "wb", "profile", offsetof(struct wb_draft, profile) },
	{ "wb-build", "command", offsetof(struct wb_draft, build) },
	{ "wb-build", "overlay", offsetof(struct wb_draft, overlay) },
	{ "wb-bench", "command", offsetof(struct wb_draft, bench) },
	{ "wb-bench", "reader", offsetof(struct wb_draft, reader) },
	{ "wb-bench", "better", offsetof(struct wb_draft, better) },
	{ "wb-bench", "unit", offsetof(struct wb_draft, unit) },
	{ "wb-bench", "judge", offsetof(struct wb_draft, judge) },
};

#define NROWS (sizeof(rows) / sizeof(rows[0]))

static char **field(const struct wb_draft *d, size_t row)
{
	return (char **)((char *)d + rows[row].offset);
}

void wb_draft_clear(struct wb_draft *d)
{
	size_t i;

	for (i = 0; i < NROWS; i++)
		free(*field(d, i));
	free(d->name);
	memset(d, 0, sizeof(*d));
}

/* A word that no program is called by: an assignment, an option, a shell. */
static bool is_filler(const char *word, size_t len)
{
	static const char *const fillers[] = {
		"sh", "bash", "env", "exec", "time", "taskset", "cd", "&&",
		"python3", "perl",
	};
	size_t i;

	if (memchr(word, '=', len) || *word == '-')
		return true;
	for (i = 0; i < sizeof(fillers) / sizeof(fillers[0]); i++)
		if (strlen(fillers[i]) == len && !memcmp(fillers[i], word, len))
			return true;
	return false;
}

char *wb_draft_name(const char *command)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	const char *word = command, *slash;
	struct wb_buf name = WB_BUF_INIT;
	bool folder = false;	/* behind cd */
	size_t n, i;

	do {
		word += strspn(word, " \t\n");
		n = strcspn(word, " \t\n;|");
		if (n && !folder && !is_filler(word, n))
			break;
		folder = n == 2 && !memcmp(word, "cd", 2);
		word += n + (word[n] == ';' || word[n] == '|');
	} while (*word);
	slash = memrchr(word, '/', n);
	if (slash) {
		n -= (size_t)(slash + 1 - word);
		word = slash + 1;
	}
	for (i = 0; i < n && word[i] != '.'; i++)
		if (strchr(letters, word[i]))
			wb_buf_addch(&name, word[i]);
	if (!name.len)
		wb_buf_addstr(&name, "bench");
	return wb_buf_detach(&name);
}

int wb_draft_config(const struct wb_draft *d, struct wb_config *out,
		    struct wb_error *err)
{
	bool bench;
	char *key;
	size_t i;

	wb_config_init(out);
	for (i = 0; i < NROWS; i++) {
		if (!*field(d, i))
			continue;
		bench = !strcmp(rows[i].section, "wb-bench");
		key = wb_xasprintf("%s%s%s.%s", rows[i].section,
				   bench ? "." : "", bench ? d->name : "",
				   rows[i].key);
		wb_config_add(out, WB_SCOPE_COMMAND, "wb init", key,
			      *field(d, i));
		free(key);
	}
	return wb_config_settle(out, err);
}

/* In quotes where git's syntax would read the bare value as something else. */
static void add_value(struct wb_buf *out, const char *value)
{
	size_t n = strlen(value);
	bool quote = !n || strpbrk(value, "\"\\#;\n\t") || *value == ' ' ||
		     value[n - 1] == ' ';

	if (quote)
		wb_buf_addch(out, '"');
	for (; *value; value++) {
		if (*value == '\n')
			wb_buf_addstr(out, "\\n");
		else if (*value == '\t')
			wb_buf_addstr(out, "\\t");
		else if (*value == '"' || *value == '\\')
			wb_buf_addf(out, "\\%c", *value);
		else
			wb_buf_addch(out, *value);
	}
	if (quote)
		wb_buf_addch(out, '"');
}

void wb_draft_print(const struct wb_draft *d, struct wb_buf *out)
{
	const char *section = "";
	size_t i;

	for (i = 0; i < NROWS; i++) {
		if (!*field(d, i))
			continue;
		if (strcmp(section, rows[i].section)) {
			section = rows[i].section;
			if (!strcmp(section, "wb-bench"))
				wb_buf_addf(out, "[%s \"%s\"]\n", section,
					    d->name);
			else
				wb_buf_addf(out, "[%s]\n", section);
		}
		wb_buf_addf(out, "\t%s = ", rows[i].key);
		add_value(out, *field(d, i));
		wb_buf_addch(out, '\n');
	}
}
