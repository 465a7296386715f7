#include "mbox-subject.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* git's limit for the whole name, less ".patch" and the end of a C string */
#define MAX_NAME 57

/* A word within brackets: "v2", "3/7", or one that says nothing here. */
static void read_word(struct wb_mbox_subject *s, const char *p, size_t len)
{
	char word[40], *end;
	long i, n;

	if (len >= sizeof(word))
		return;
	memcpy(word, p, len);
	word[len] = '\0';
	if ((*word == 'v' || *word == 'V') &&
	    isdigit((unsigned char)word[1])) {
		i = strtol(word + 1, &end, 10);
		if (!*end && i > 0 && i < 1000000)
			s->version = (int)i;
		return;
	}
	if (!isdigit((unsigned char)*word))
		return;
	i = strtol(word, &end, 10);
	if (*end != '/' || !isdigit((unsigned char)end[1]))
		return;
	n = strtol(end + 1, &end, 10);
	if (!*end) {
		s->i = i;
		s->n = n;
	}
}

void wb_mbox_subject_read(struct wb_mbox_subject *s, const char *subject)
{
	const char *p = subject, *close, *word;
	size_t len;

	*s = (struct wb_mbox_subject){ .version = 1 };
	p += strspn(p, " \t");
	while (!strncasecmp(p, "re:", 3) || !strncasecmp(p, "aw:", 3)) {
		s->reply = true;
		p += 3 + strspn(p + 3, " \t");
	}
	while (*p == '[' && (close = strchr(p, ']'))) {
		for (word = p + 1; word < close; word += len) {
			word += strspn(word, " \t,");
			len = strcspn(word, " \t,]");
			read_word(s, word, len);
			if (!len)
				break;
		}
		p = close + 1 + strspn(close + 1, " \t");
	}
	s->words = p;
}

static bool keeps(char c)
{
	return isalnum((unsigned char)c) || c == '.' || c == '_';
}

void wb_mbox_subject_name(const struct wb_mbox_subject *s, long number,
			  struct wb_buf *out)
{
	size_t start = out->len, words;
	const char *p;
	bool gap = false;

	if (s->version > 1)
		wb_buf_addf(out, "v%d-", s->version);
	wb_buf_addf(out, "%04ld-", number);
	words = out->len;
	for (p = s->words; *p; p++) {
		if (!keeps(*p)) {
			gap = true;
			continue;
		}
		if (gap && out->len > words)
			wb_buf_addch(out, '-');
		gap = false;
		wb_buf_addch(out, *p);
		/* two dots would lead up */
		while (*p == '.' && p[1] == '.')
			p++;
	}
	while (out->len > words && strchr(".-", out->ptr[out->len - 1]))
		wb_buf_truncate(out, out->len - 1);
	if (out->len - start > MAX_NAME)
		wb_buf_truncate(out, start + MAX_NAME);
}
