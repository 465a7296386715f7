#ifndef WB_HASH_H
#define WB_HASH_H

#include <stddef.h>

/*
 * SHA-256 over a sequence of fields, for identities (build, bench, machine,
 * trust). Each field goes in with its length, so that no two sequences of
 * fields give the same bytes. Through OpenSSL's libcrypto, whose header stays
 * in hash.c: it has the processor's own instructions for both hashes.
 */
struct wb_hash;

struct wb_hash *wb_hash_new(void);
void wb_hash_add(struct wb_hash *h, const void *data, size_t len);
void wb_hash_addstr(struct wb_hash *h, const char *s);	/* NULL is not "" */
/* Writes 64 hex digits and a NUL, and frees h. */
void wb_hash_end(struct wb_hash *h, char hex[65]);

/* SHA-256 of the bytes alone, as sha256sum prints it. */
void wb_sha256(const void *data, size_t len, char hex[65]);

/* SHA-1 of bytes, one behind the other: how git names objects and packs. */
struct wb_sha1;

struct wb_sha1 *wb_sha1_new(void);
void wb_sha1_add(struct wb_sha1 *h, const void *data, size_t len);
void wb_sha1_end(struct wb_sha1 *h, unsigned char raw[20]);	/* frees h */

#endif
