#ifndef WB_BUF_H
#define WB_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Memory: bytes that grow, and allocation that cannot fail.
 *
 * Out of memory ends the process (abort), as in git and cmark: a tool that
 * runs for minutes on a developer's machine has no better answer, and every
 * caller is shorter for it. Sizes that come from input are checked against
 * the limits of that input before they get here.
 */
void *wb_xmalloc(size_t size);
void *wb_xcalloc(size_t n, size_t size);
void *wb_xrealloc(void *p, size_t size);
char *wb_xstrdup(const char *s);	/* NULL gives NULL */
char *wb_xstrndup(const char *s, size_t n);
char *wb_xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Room for one element more in a vector of n: doubles *cap when it is full
 * and gives the (moved) vector back.
 */
void *wb_grow(void *vec, size_t n, size_t *cap, size_t size);

/*
 * Growable bytes. ptr is never NULL and always ends in a NUL that len does
 * not count, so ptr is a C string whenever the content holds no NUL.
 */
struct wb_buf {
	char *ptr;
	size_t len, cap;
};

extern char wb_buf_empty[1];
#define WB_BUF_INIT { .ptr = wb_buf_empty }

void wb_buf_init(struct wb_buf *b);
void wb_buf_clear(struct wb_buf *b);	/* frees; the buffer stays usable */
void wb_buf_reset(struct wb_buf *b);	/* empties, keeps the memory */
void wb_buf_reserve(struct wb_buf *b, size_t more);
void wb_buf_add(struct wb_buf *b, const void *data, size_t len);
void wb_buf_addstr(struct wb_buf *b, const char *s);
void wb_buf_addch(struct wb_buf *b, char c);
void wb_buf_fill(struct wb_buf *b, char c, size_t n);	/* n times c */
void wb_buf_addf(struct wb_buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void wb_buf_vaddf(struct wb_buf *b, const char *fmt, va_list ap);
/* One word for sh, in single quotes. */
void wb_buf_addquoted(struct wb_buf *b, const char *word);
void wb_buf_truncate(struct wb_buf *b, size_t len);
/* The bytes as a malloc'ed string; the buffer is empty afterwards. */
char *wb_buf_detach(struct wb_buf *b);

bool wb_str_starts(const char *s, const char *prefix);
bool wb_str_ends(const char *s, const char *suffix);

/* Bytes of the UTF-8 sequence at s, NUL-terminated; 0 if there is none. */
size_t wb_utf8_len(const char *s);
/* The code point it is, n bytes; of no UTF-8 (n is 0) the byte. */
uint32_t wb_utf8_point(const char *s, size_t *n);
bool wb_str_is_utf8(const char *s);

#endif
