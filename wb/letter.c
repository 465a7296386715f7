#include "letter.h"
#include "mime.h"

#include <stdlib.h>
#include <string.h>

static bool is_ascii(const char *s)
{
	while (*s && (unsigned char)*s < 0x80)
		s++;
	return !*s;
}

/* A value with a line end in it would be another header. */
static char *one_line(const char *s)
{
	struct wb_buf b = WB_BUF_INIT;

	for (; *s; s++)
		wb_buf_addch(&b, (unsigned char)*s < ' ' || *s == 0x7f ? ' ' :
			     *s);
	return wb_buf_detach(&b);
}

static void add_addresses(struct wb_buf *out, const char *key,
			  const char *value)
{
	struct wb_buf b = WB_BUF_INIT;
	char *line;

	if (!value)
		return;
	line = one_line(value);
	wb_mime_add_addresses(&b, line);
	if (b.len)
		wb_buf_addf(out, "%s: %s\n", key, b.ptr);
	wb_buf_clear(&b);
	free(line);
}

static void add_id(struct wb_buf *out, const char *id)
{
	char *line = one_line(id);

	wb_buf_addf(out, "<%s>", line);
	free(line);
}

void wb_letter_print(const struct wb_letter *l, struct wb_buf *out)
{
	char *subject = one_line(l->subject);

	add_addresses(out, "From", l->from);
	add_addresses(out, "To", l->to);
	add_addresses(out, "Cc", l->cc);
	wb_buf_addstr(out, "Subject: ");
	wb_mime_add_text(out, subject);
	if (l->reply_to) {
		wb_buf_addstr(out, "\nIn-Reply-To: ");
		add_id(out, l->reply_to);
		wb_buf_addstr(out, "\nReferences: ");
		if (l->thread && strcmp(l->thread, l->reply_to)) {
			add_id(out, l->thread);
			wb_buf_addch(out, ' ');
		}
		add_id(out, l->reply_to);
	}
	wb_buf_addf(out, "\nMIME-Version: 1.0\n"
		    "Content-Type: text/plain; charset=%s\n"
		    "Content-Transfer-Encoding: %s\n\n%s",
		    is_ascii(l->body) ? "US-ASCII" : "UTF-8",
		    is_ascii(l->body) ? "7bit" : "8bit", l->body);
	free(subject);
}
