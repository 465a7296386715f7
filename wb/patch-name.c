#include "patch-name.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/*
 * Undoes C quoting from s, which begins with '"', into out. The length up to
 * and with the closing quote; 0 when there is none or an escape is unknown.
 */
static size_t unquote(const char *s, size_t len, struct wb_buf *out)
{
	static const char letters[] = "abfnrtv\\\"";
	static const char bytes[] = "\a\b\f\n\r\t\v\\\"";
	const char *hit;
	size_t i = 1, k;
	unsigned c;

	while (i < len && s[i] != '"') {
		if (s[i] != '\\') {
			wb_buf_addch(out, s[i++]);
			continue;
		}
		if (++i == len)
			return 0;
		hit = s[i] ? strchr(letters, s[i]) : NULL;
		if (hit) {
			wb_buf_addch(out, bytes[hit - letters]);
			i++;
			continue;
		}
		for (c = 0, k = 0; k < 3; k++, i++) {
			if (i == len || s[i] < '0' || s[i] > '7')
				return 0;
			c = c << 3 | (unsigned)(s[i] - '0');
		}
		/* a NUL would hide the rest of the name */
		if (!c || c > 255)
			return 0;
		wb_buf_addch(out, (char)c);
	}
	return i < len ? i + 1 : 0;
}

/* Slashes that follow each other count as one; NULL: too few folders. */
static char *stripped(const char *s, size_t len, int strip)
{
	const char *end = s + len;

	for (; strip > 0; strip--) {
		s = memchr(s, '/', (size_t)(end - s));
		if (!s)
			return NULL;
		while (s < end && *s == '/')
			s++;
	}
	return s < end ? wb_xstrndup(s, (size_t)(end - s)) : NULL;
}

/* "1970-01-01 01:00:00.000000000 +0100" and the like name the epoch. */
static bool is_epoch(const char *s, size_t len)
{
	char text[80], sign = '+';
	struct tm tm = { .tm_isdst = 0 };
	int used = 0, zone = 0;
	long seconds;
	const char *p;

	while (len && isspace((unsigned char)*s)) {
		s++;
		len--;
	}
	if (len >= sizeof(text))
		return false;
	memcpy(text, s, len);
	text[len] = '\0';
	if (strptime(text, "%a %b %d %H:%M:%S %Y", &tm) ||
	    strptime(text, "%a %b %e %H:%M:%S %Y", &tm))
		return timegm(&tm) == 0;
	p = strptime(text, "%Y-%m-%d %H:%M:%S", &tm);
	if (!p)
		return false;
	if (*p == '.')
		for (p++; isdigit((unsigned char)*p); p++)
			if (*p != '0')
				return false;
	if (sscanf(p, " %c%4d%n", &sign, &zone, &used) == 2 && used)
		zone = (zone / 100 * 60 + zone % 100) * 60;
	seconds = (long)timegm(&tm) - (sign == '-' ? -zone : zone);
	return seconds == 0;
}

/* How much of "name 2024-05-01 10:00:00 +0200" or "name" is the name. */
static size_t without_time(const char *s, size_t len)
{
	struct tm tm;
	char text[40];
	size_t i;

	for (i = len; i-- > 1;) {
		if (s[i - 1] != ' ' || !isdigit((unsigned char)s[i]))
			continue;
		snprintf(text, sizeof(text), "%.*s", (int)(len - i), s + i);
		if (strptime(text, "%Y-%m-%d %H:%M:%S", &tm))
			return i - 1;
	}
	return len;
}

/* The length of an unquoted name: up to a tab, or up to a blank. */
static size_t name_len(const char *s, size_t len, bool git)
{
	const char *tab = memchr(s, '\t', len);
	size_t n = 0;

	if (tab)
		return (size_t)(tab - s);
	if (git)
		return without_time(s, len);
	while (n < len && !isspace((unsigned char)s[n]))
		n++;
	return n;
}

void wb_name_read(struct wb_name *out, const char *s, size_t len,
		  const struct wb_name_form *form)
{
	struct wb_buf quoted = WB_BUF_INIT;
	const char *name = s;
	size_t used = 0, n;

	memset(out, 0, sizeof(*out));
	while (len && (s[len - 1] == '\r' || s[len - 1] == '\n'))
		len--;
	if (len && *s == '"')
		used = unquote(s, len, &quoted);
	if (used) {
		name = quoted.ptr;
		n = quoted.len;
	} else {
		used = n = name_len(s, len, form->git);
	}
	out->epoch = is_epoch(s + used, len - used);
	out->null = n == 9 && !memcmp(name, "/dev/null", 9);
	if (!out->null)
		out->path = stripped(name, n, form->strip);
	wb_buf_clear(&quoted);
}

/* Both words stripped, when that makes them the same. */
static char *same(const char *a, size_t na, const char *b, size_t nb,
		  int strip)
{
	char *x = stripped(a, na, strip), *y = stripped(b, nb, strip);

	if (x && y && !strcmp(x, y)) {
		free(y);
		return x;
	}
	free(x);
	free(y);
	return NULL;
}

/* Compares one name with the word that fills the rest of the line. */
static char *same_as_rest(const char *a, size_t na, const char *s, size_t len,
			  int strip)
{
	struct wb_buf b = WB_BUF_INIT;
	char *path = NULL;

	if (len && *s == '"') {
		if (unquote(s, len, &b) == len)
			path = same(a, na, b.ptr, b.len, strip);
	} else {
		path = same(a, na, s, len, strip);
	}
	wb_buf_clear(&b);
	return path;
}

/* Names may hold blanks: the cut is where both sides agree. */
static char *agreed_pair(const char *s, size_t len, int strip)
{
	struct wb_buf a = WB_BUF_INIT;
	char *path = NULL;
	size_t i;

	if (len && *s == '"') {
		i = unquote(s, len, &a);
		if (i && i < len && s[i] == ' ')
			path = same_as_rest(a.ptr, a.len, s + i + 1,
					    len - i - 1, strip);
		wb_buf_clear(&a);
		return path;
	}
	for (i = 1; i + 1 < len && !path; i++)
		if (s[i] == ' ' && (s[i + 1] == '"' || len - i - 1 <= 2 * i))
			path = same_as_rest(s, i, s + i + 1, len - i - 1,
					    strip);
	return path;
}

char *wb_name_pair(const char *s, size_t len, int strip)
{
	char *path;

	while (len && s[len - 1] == '\r')
		len--;
	/* a name may end in a blank; where only one side has it, it is none */
	path = agreed_pair(s, len, strip);
	while (!path && len && (s[len - 1] == '\r' || s[len - 1] == ' '))
		path = agreed_pair(s, --len, strip);
	return path;
}

static bool good_part(const char *s, size_t len)
{
	if (len == 2 && s[0] == '.' && s[1] == '.')
		return false;
	return !(len == 4 && !strncasecmp(s, ".git", 4));
}

bool wb_name_tidy(char *path)
{
	char *in = path, *out = path;
	size_t len;

	if (*path == '/')
		return false;
	for (; *in; in += len) {
		len = strcspn(in, "/");
		if (!good_part(in, len))
			return false;
		if (len && !(len == 1 && *in == '.')) {
			if (out > path)
				*out++ = '/';
			memmove(out, in, len);
			out += len;
		}
		len += strspn(in + len, "/");
	}
	*out = '\0';
	return out > path;
}
