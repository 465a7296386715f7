#include "veil.h"
#include "buf.h"

#include <string.h>
#include <strings.h>

/* "\textraHeader = ...": a line of such a key. */
static bool is_secret(const char *line, size_t len)
{
	static const char *const key[] = { "extraheader", "password", "token" };
	size_t i, n, blank = strspn(line, " \t");

	for (i = 0; i < sizeof(key) / sizeof(*key); i++) {
		n = strlen(key[i]);
		if (blank + n < len && !strncasecmp(line + blank, key[i], n) &&
		    strchr(" \t=", line[blank + n]))
			return true;
	}
	return false;
}

/* Behind the login of the URL that begins here, or NULL: it has none. */
static const char *skip_login(const char *url, const char *end)
{
	size_t scheme = !strncasecmp(url, "https://", 8) ? 8 :
			!strncasecmp(url, "http://", 7) ? 7 : 0;
	const char *at = NULL, *p;

	for (p = url + scheme; scheme && p < end &&
	     !strchr("/?# \t\"", *p); p++)
		if (*p == '@')
			at = p + 1;
	return at;
}

static bool add_line(struct wb_buf *out, const char *line, const char *end)
{
	const char *behind;
	bool found = false;

	while (line < end) {
		behind = skip_login(line, end);
		if (behind) {
			wb_buf_addf(out, "%.*s//", (int)strcspn(line, "/"),
				    line);
			line = behind;
			found = true;
		} else {
			wb_buf_addch(out, *line++);
		}
	}
	return found;
}

char *wb_veil(const char *text)
{
	struct wb_buf out = WB_BUF_INIT;
	bool found = false;
	size_t len;

	for (; *text; text += len) {
		len = strcspn(text, "\n");
		len += text[len] == '\n';
		if (is_secret(text, len))
			found = true;
		else
			found |= add_line(&out, text, text + len);
	}
	if (found)
		return wb_buf_detach(&out);
	wb_buf_clear(&out);
	return NULL;
}
