#include "mime.h"

#include <gmime/gmime.h>
#include <stdlib.h>
#include <string.h>

/* Line ends and the blanks around them become one blank. */
static char *unfolded(const char *s, size_t len)
{
	struct wb_buf b = WB_BUF_INIT;
	size_t i;

	for (i = 0; i < len; i++) {
		if (s[i] != '\n' && s[i] != '\r') {
			if (s[i])
				wb_buf_addch(&b, s[i]);
			continue;
		}
		while (i + 1 < len && strchr(" \t\r\n", s[i + 1]))
			i++;
		while (b.len && strchr(" \t", b.ptr[b.len - 1]))
			wb_buf_truncate(&b, b.len - 1);
		wb_buf_addch(&b, ' ');
	}
	while (b.len && strchr(" \t", b.ptr[b.len - 1]))
		wb_buf_truncate(&b, b.len - 1);
	return wb_buf_detach(&b);
}

void wb_mime_decode(const char *value, size_t len, struct wb_buf *out)
{
	char *line = unfolded(value, len), *text, *s;
	size_t start;

	/* most headers need no decoding, and starting GMime is not free */
	if (!strstr(line, "=?") && g_utf8_validate(line, -1, NULL)) {
		wb_buf_addstr(out, line + strspn(line, " \t"));
		free(line);
		return;
	}
	/* counts its calls; it is not shut down, for it cannot start again */
	g_mime_init();
	text = g_mime_utils_header_decode_text(NULL, line);
	start = out->len;
	wb_buf_addstr(out, text + strspn(text, " \t"));
	/* an encoded word may hold a line end, which no header value has */
	for (s = out->ptr + start; *s; s++)
		if (*s == '\n' || *s == '\r')
			*s = ' ';
	g_free(text);
	free(line);
}
