#include "quilt-rc.h"
#include "buf.h"
#include "path.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_RC ((size_t)1 << 20)

static void set(char **field, const char *value)
{
	free(*field);
	*field = wb_xstrdup(value);
}

/* "-F2", "-F 2", "--fuzz=2", "--fuzz 2" and -E; others change no tree. */
static void take_patch_opts(struct wb_quilt_rc *rc, const char *value,
			    const char *shown)
{
	char *words = wb_xstrdup(value), *save = NULL, *w, *number, *end;
	long n;

	rc->fuzz = -1;
	rc->remove_empty = false;
	for (w = strtok_r(words, " \t", &save); w;
	     w = strtok_r(NULL, " \t", &save)) {
		number = NULL;
		if (!strcmp(w, "-E") || !strcmp(w, "--remove-empty-files"))
			rc->remove_empty = true;
		else if (!strcmp(w, "-F") || !strcmp(w, "--fuzz"))
			number = strtok_r(NULL, " \t", &save);
		else if (wb_str_starts(w, "--fuzz="))
			number = w + 7;
		else if (wb_str_starts(w, "-F"))
			number = w + 2;
		else if (!wb_str_starts(w, "--reject-format") &&
			 strcmp(w, "-u") && strcmp(w, "--unified") &&
			 strcmp(w, "-s") && strcmp(w, "--silent") &&
			 strcmp(w, "--quiet") && strcmp(w, "-f"))
			wb_warn("%s: QUILT_PATCH_OPTS: '%s' is not taken",
				shown, w);
		if (!number)
			continue;
		n = strtol(number, &end, 10);
		if (end != number && !*end && n >= 0 && n < 1000)
			rc->fuzz = (int)n;
	}
	free(words);
}

static void take(struct wb_quilt_rc *rc, const char *name, const char *value,
		 const char *shown)
{
	if (!strcmp(name, "QUILT_PATCHES") && *value)
		set(&rc->patches, value);
	else if (!strcmp(name, "QUILT_SERIES") && *value && strchr(value, '/'))
		wb_warn("%s: QUILT_SERIES: '%s' is not taken: it is no name in "
			"the folder", shown, value);
	else if (!strcmp(name, "QUILT_SERIES") && *value)
		set(&rc->series, value);
	else if (!strcmp(name, "QUILT_PATCH_OPTS"))
		take_patch_opts(rc, value, shown);
}

/* How much deeper in conditions, loops and functions the line leads. */
static int nesting(const char *line, size_t len)
{
	static const char *const in[] = {
		"if", "for", "while", "until", "case", "select", "{", "(",
	};
	static const char *const out[] = { "fi", "done", "esac", "}", ")" };
	const char *end = line + len;
	int depth = 0;
	size_t n, i;

	while (line < end && *line != '#') {
		for (n = 0; line + n < end && !strchr(" \t;&|", line[n]); n++)
			;
		for (i = 0; i < sizeof(in) / sizeof(*in); i++)
			depth += strlen(in[i]) == n && !memcmp(line, in[i], n);
		for (i = 0; i < sizeof(out) / sizeof(*out); i++)
			depth -= strlen(out[i]) == n &&
				 !memcmp(line, out[i], n);
		/* "name() {" and "name(){" */
		depth += n > 1 && line[n - 1] == '{';
		line += n;
		while (line < end && strchr(" \t;&|", *line))
			line++;
	}
	return depth;
}

/* The value of an assignment, when it is plain; NULL when it is not. */
static char *plain_value(const char *s, const char *end)
{
	char quote = s < end && strchr("\"'", *s) ? *s++ : '\0';
	const char *p = s, *stop;

	while (p < end && (quote ? *p != quote : !isspace((unsigned char)*p))) {
		if (quote != '\'' && strchr("$`\\\"'", *p))
			return NULL;
		if (!quote && strchr("();&|<>*?[]{}~!", *p))
			return NULL;
		p++;
	}
	if (quote && p == end)
		return NULL;
	stop = p;
	p += quote != '\0';
	while (p < end && isspace((unsigned char)*p))
		p++;
	/* "A=b cmd" sets A for the command alone */
	return p == end || *p == '#' ? wb_xstrndup(s, (size_t)(stop - s)) :
	       NULL;
}

static void read_line(struct wb_quilt_rc *rc, const char *s, const char *end,
		      const char *shown)
{
	const char *name;
	char *word, *value;

	while (s < end && isspace((unsigned char)*s))
		s++;
	if (end - s > 7 && !memcmp(s, "export", 6) && isblank(s[6]))
		for (s += 6; s < end && isblank(*s);)
			s++;
	for (name = s; s < end && (isalnum((unsigned char)*s) || *s == '_');)
		s++;
	if (s == name || s == end || *s != '=' || end - name < 6 ||
	    memcmp(name, "QUILT_", 6))
		return;
	word = wb_xstrndup(name, (size_t)(s - name));
	value = plain_value(s + 1, end);
	if (value)
		take(rc, word, value, shown);
	free(word);
	free(value);
}

void wb_quilt_rc_parse(struct wb_quilt_rc *rc, const char *text,
		       const char *shown)
{
	const char *p, *nl;
	bool joined = false, goes_on;
	int depth = 0;

	for (p = text; *p; p = *nl ? nl + 1 : nl) {
		nl = strchrnul(p, '\n');
		goes_on = nl > p && nl[-1] == '\\';
		if (!depth && !joined && !goes_on)
			read_line(rc, p, nl, shown);
		depth += nesting(p, (size_t)(nl - p));
		joined = goes_on;
	}
}

static void read_environment(struct wb_quilt_rc *rc)
{
	static const char *const names[] = {
		"QUILT_PATCHES", "QUILT_SERIES", "QUILT_PATCH_OPTS",
	};
	const char *value;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		value = getenv(names[i]);
		if (value)
			take(rc, names[i], value, "environment");
	}
}

int wb_quilt_rc_read(struct wb_quilt_rc *rc, struct wb_error *err)
{
	const char *named = getenv("QUILTRC"), *home = getenv("HOME");
	struct wb_buf text = WB_BUF_INIT;
	char *file;
	bool there;
	int ret = 0;

	*rc = (struct wb_quilt_rc){ .fuzz = -1 };
	set(&rc->patches, "patches");
	set(&rc->series, "series");
	read_environment(rc);
	file = named && *named ? wb_xstrdup(named) :
	       wb_xasprintf("%s/.quiltrc", home ? home : "");
	if ((!named || !*named) && access(file, F_OK) < 0) {
		free(file);
		file = wb_xstrdup("/etc/quilt.quiltrc");
	}
	/* quilt --quiltrc=- means none */
	if (strcmp(file, "-"))
		ret = wb_path_read(file, MAX_RC, &text, &there, err);
	if (ret == 0)
		wb_quilt_rc_parse(rc, text.ptr, file);
	wb_buf_clear(&text);
	free(file);
	return ret;
}

void wb_quilt_rc_clear(struct wb_quilt_rc *rc)
{
	free(rc->patches);
	free(rc->series);
	memset(rc, 0, sizeof(*rc));
}
