#include "mbox.h"
#include "path.h"
#include "zip.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILE ((size_t)128 << 20)
#define MAX_MESSAGE ((size_t)64 << 20)
#define MAX_MESSAGES ((size_t)10000)

/* "12:34" somewhere, and four digits or a zone at the end. */
static bool ends_in_time(const char *s, const char *end)
{
	const char *p;

	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	if (end - s < 8 || !isdigit((unsigned char)end[-1]))
		return false;
	for (p = s + 1; p + 2 < end; p++)
		if (*p == ':' && isdigit((unsigned char)p[-1]) &&
		    isdigit((unsigned char)p[1]) &&
		    isdigit((unsigned char)p[2]))
			break;
	return p + 2 < end && isdigit((unsigned char)end[-2]) &&
	       isdigit((unsigned char)end[-3]) &&
	       isdigit((unsigned char)end[-4]);
}

/* "Key: value"; mail that was quoted badly may begin with ">From ". */
static bool is_header(const char *s, const char *end)
{
	const char *p = s;

	if (end - s > 6 && !memcmp(s, ">From ", 6))
		return true;
	while (p < end && *p > ' ' && *p < 0x7f && *p != ':')
		p++;
	return p > s && p < end && *p == ':';
}

/* s is the start of a line. */
static bool is_from_line(const char *s, const char *end)
{
	const char *nl;

	if (end - s < 5 || memcmp(s, "From ", 5))
		return false;
	nl = memchr(s, '\n', (size_t)(end - s));
	return nl && ends_in_time(s + 5, nl) && is_header(nl + 1, end);
}

static void drop_cr(struct wb_buf *b)
{
	size_t i, k = 0;

	if (!memchr(b->ptr, '\r', b->len))
		return;
	for (i = 0; i < b->len; i++)
		if (b->ptr[i] != '\r' || i + 1 == b->len ||
		    b->ptr[i + 1] != '\n')
			b->ptr[k++] = b->ptr[i];
	wb_buf_truncate(b, k);
}

static int add_message(struct wb_mbox *m, const char *file, size_t line,
		       const char *from, const char *to, struct wb_error *err)
{
	if ((size_t)(to - from) > MAX_MESSAGE)
		return wb_fail(err, WB_E_FATAL, "%s:%zu: refused: a message "
			       "of more than %zu MB", file, line + 1,
			       MAX_MESSAGE >> 20);
	if (m->n == MAX_MESSAGES)
		return wb_fail(err, WB_E_FATAL, "%s:%zu: refused: more than "
			       "%zu messages", file, line + 1, MAX_MESSAGES);
	m->message = wb_grow(m->message, m->n, &m->cap, sizeof(*m->message));
	m->message[m->n++] = (struct wb_mbox_message){
		wb_xstrdup(file), line, from, (size_t)(to - from),
	};
	return 0;
}

int wb_mbox_add(struct wb_mbox *m, const char *file, struct wb_buf *text,
		bool raw, struct wb_error *err)
{
	const char *p, *end, *nl, *from;
	size_t line = 0, first = 0;
	bool blank = true;

	m->text = wb_grow(m->text, m->ntexts, &m->captexts, sizeof(*m->text));
	m->text[m->ntexts++] = *text;
	wb_buf_init(text);
	text = &m->text[m->ntexts - 1];
	if (!raw)
		drop_cr(text);
	from = p = text->ptr;
	end = p + text->len;
	for (; p < end; p = nl, line++) {
		nl = memchr(p, '\n', (size_t)(end - p));
		nl = nl ? nl + 1 : end;
		if (blank && is_from_line(p, end)) {
			if (p > text->ptr &&
			    add_message(m, file, first, from, p, err) < 0)
				return -1;
			from = nl;
			first = line + 1;
		}
		blank = nl - p == 1;
	}
	if (from == end)
		return 0;
	return add_message(m, file, first, from, end, err);
}

static int read_stdin(struct wb_buf *out, struct wb_error *err)
{
	ssize_t n;

	do {
		if (out->len > MAX_FILE)
			return wb_fail(err, WB_E_FATAL, "standard input: "
				       "refused: more than %zu MB",
				       MAX_FILE >> 20);
		wb_buf_reserve(out, 65536);
		n = read(STDIN_FILENO, out->ptr + out->len, 65536);
		if (n > 0)
			out->len += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	out->ptr[out->len] = '\0';
	return n < 0 ? wb_fail_errno(err, "standard input") : 0;
}

static int read_file(struct wb_mbox *m, const char *path, struct wb_error *err)
{
	enum wb_zip kind = wb_zip_kind(path);
	struct wb_buf raw = WB_BUF_INIT, text = WB_BUF_INIT;
	bool there;
	int ret = wb_path_read(path, MAX_FILE, kind ? &raw : &text, &there,
			       err);

	if (ret == 0 && !there)
		ret = wb_fail(err, WB_E_FATAL, "%s: no such mailbox", path);
	if (ret == 0 && kind &&
	    wb_zip_read(kind, raw.ptr, raw.len, MAX_FILE, &text, err) < 0)
		ret = wb_fail_at(err, "%s", path);
	if (ret == 0)
		ret = wb_mbox_add(m, path, &text, false, err);
	wb_buf_clear(&raw);
	wb_buf_clear(&text);
	return ret;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int no_dot(const struct dirent *e)
{
	return *e->d_name != '.';
}

/* cur and new; tmp holds what has not been delivered yet. */
static int read_maildir(struct wb_mbox *m, const char *path,
			struct wb_error *err)
{
	static const char *const sub[] = { "cur", "new" };
	struct dirent **e;
	int ret = 0, n, i, found = 0;
	size_t k;

	for (k = 0; k < 2; k++) {
		char *dir = wb_xasprintf("%s/%s", path, sub[k]);

		n = scandir(dir, &e, no_dot, by_name);
		found += n >= 0;
		for (i = 0; i < n; i++) {
			char *file = wb_xasprintf("%s/%s", dir, e[i]->d_name);

			if (ret == 0)
				ret = read_file(m, file, err);
			free(file);
			free(e[i]);
		}
		if (n >= 0)
			free(e);
		free(dir);
	}
	if (!found)
		return wb_fail(err, WB_E_FATAL, "%s: a folder that is no "
			       "Maildir (it has neither cur nor new)", path);
	return ret;
}

int wb_mbox_read(struct wb_mbox *m, const char *path, struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	struct stat st;

	memset(m, 0, sizeof(*m));
	if (!strcmp(path, "-")) {
		if (read_stdin(&text, err) == 0)
			return wb_mbox_add(m, "stdin", &text, false, err);
		wb_buf_clear(&text);
		return -1;
	}
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return read_maildir(m, path, err);
	return read_file(m, path, err);
}

void wb_mbox_clear(struct wb_mbox *m)
{
	size_t i;

	for (i = 0; i < m->n; i++)
		free(m->message[i].file);
	for (i = 0; i < m->ntexts; i++)
		wb_buf_clear(&m->text[i]);
	free(m->message);
	free(m->text);
	memset(m, 0, sizeof(*m));
}
