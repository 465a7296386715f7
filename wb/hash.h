#ifndef WB_HASH_H
#define WB_HASH_H

#include <stddef.h>

/*
 * SHA-256 over a sequence of fields, for identities (build, bench, machine,
 * trust). Each field goes in with its length, so that no two sequences of
 * fields give the same bytes. Through GLib, whose header stays in hash.c.
 */
struct wb_hash;

struct wb_hash *wb_hash_new(void);
void wb_hash_add(struct wb_hash *h, const void *data, size_t len);
void wb_hash_addstr(struct wb_hash *h, const char *s);	/* NULL is not "" */
/* Writes 64 hex digits and a NUL, and frees h. */
void wb_hash_end(struct wb_hash *h, char hex[65]);

#endif
