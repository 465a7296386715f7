#include "mime.h"
#include "mime-limits.h"

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

void wb_mime_add_text(struct wb_buf *out, const char *value)
{
	char *text;

	g_mime_init();
	text = g_mime_utils_header_encode_text(NULL, value, "UTF-8");
	wb_buf_addstr(out, text);
	g_free(text);
}

void wb_mime_add_addresses(struct wb_buf *out, const char *value)
{
	InternetAddressList *list;
	char *text;

	g_mime_init();
	list = internet_address_list_parse(NULL, value);
	if (!list)
		return;
	text = internet_address_list_to_string(list, NULL, true);
	wb_buf_addstr(out, text);
	g_free(text);
	g_object_unref(list);
}

/* Deeper than any honest mail. */
#define MAX_DEPTH 16

static char *last_id(const char *value)
{
	const char *from = value ? strrchr(value, '<') : NULL, *to;

	to = from ? strchr(from, '>') : NULL;
	return to ? wb_xstrndup(from + 1, (size_t)(to - from - 1)) : NULL;
}

static char *header(GMimeObject *o, const char *name)
{
	GMimeHeaderList *all = g_mime_object_get_header_list(o);
	GMimeHeader *h = g_mime_header_list_get_header(all, name);
	const char *raw = h ? g_mime_header_get_raw_value(h) : NULL;
	struct wb_buf b = WB_BUF_INIT;

	if (!raw)
		return NULL;
	wb_mime_decode(raw, strlen(raw), &b);
	return wb_buf_detach(&b);
}

static void add_content(GMimePart *part, struct wb_buf *out)
{
	GMimeDataWrapper *w = g_mime_part_get_content(part);
	GMimeStream *s;
	GByteArray *bytes;

	if (!w)
		return;
	s = g_mime_stream_mem_new();
	g_mime_data_wrapper_write_to_stream(w, s);
	bytes = g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(s));
	wb_buf_add(out, bytes->data, bytes->len);
	if (out->len && out->ptr[out->len - 1] != '\n')
		wb_buf_addch(out, '\n');
	g_object_unref(s);
}

static bool is_flowed(GMimeContentType *type)
{
	const char *f = g_mime_content_type_get_parameter(type, "format");

	return f && !g_ascii_strcasecmp(f, "flowed");
}

static void add_parts(struct wb_mime_mail *m, GMimeObject *o, int depth)
{
	GMimeContentType *type = g_mime_object_get_content_type(o);
	GMimeMultipart *multi;
	int i;

	if (depth > MAX_DEPTH)
		return;
	if (GMIME_IS_MULTIPART(o)) {
		multi = GMIME_MULTIPART(o);
		for (i = 0; i < g_mime_multipart_get_count(multi); i++)
			add_parts(m, g_mime_multipart_get_part(multi, i),
				  depth + 1);
		return;
	}
	if (!GMIME_IS_PART(o) ||
	    (type && (!g_mime_content_type_is_type(type, "text", "*") ||
		      g_mime_content_type_is_type(type, "text", "html"))))
		return;
	m->flowed |= type && is_flowed(type);
	add_content(GMIME_PART(o), &m->body);
}

/* A text alone, in an encoding that changes nothing. */
static bool is_as_is(GMimeObject *o)
{
	if (!GMIME_IS_PART(o))
		return false;
	switch (g_mime_part_get_content_encoding(GMIME_PART(o))) {
	case GMIME_CONTENT_ENCODING_BASE64:
	case GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE:
	case GMIME_CONTENT_ENCODING_UUENCODE:
		return false;
	default:
		return true;
	}
}

int wb_mime_read(struct wb_mime_mail *m, const char *text, size_t len,
		 struct wb_error *err)
{
	GMimeStream *stream;
	GMimeParser *parser;
	GMimeMessage *mail;
	GMimeObject *top;

	memset(m, 0, sizeof(*m));
	wb_buf_init(&m->body);
	if (wb_mime_limits(text, len, err) < 0)
		return -1;
	g_mime_init();
	stream = g_mime_stream_mem_new_with_buffer(text, len);
	parser = g_mime_parser_new_with_stream(stream);
	g_object_unref(stream);
	g_mime_parser_set_format(parser, GMIME_FORMAT_MESSAGE);
	mail = g_mime_parser_construct_message(parser, NULL);
	g_object_unref(parser);
	if (!mail)
		return wb_fail(err, WB_E_FATAL, "not a mail: no header");
	top = g_mime_message_get_mime_part(mail);
	m->id = wb_xstrdup(g_mime_message_get_message_id(mail));
	m->subject = header(GMIME_OBJECT(mail), "Subject");
	m->from = header(GMIME_OBJECT(mail), "From");
	m->date = header(GMIME_OBJECT(mail), "Date");
	m->to = header(GMIME_OBJECT(mail), "To");
	m->cc = header(GMIME_OBJECT(mail), "Cc");
	m->reply_to = last_id(g_mime_object_get_header(GMIME_OBJECT(mail),
						       "In-Reply-To"));
	if (top) {
		m->as_is = is_as_is(top);
		add_parts(m, top, 0);
	}
	g_object_unref(mail);
	return 0;
}

void wb_mime_clear(struct wb_mime_mail *m)
{
	free(m->id);
	free(m->reply_to);
	free(m->subject);
	free(m->from);
	free(m->date);
	free(m->to);
	free(m->cc);
	wb_buf_clear(&m->body);
	memset(m, 0, sizeof(*m));
}
