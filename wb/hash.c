/* SHA1_*() are no longer liked, but there */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "hash.h"
#include "buf.h"

#include <assert.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static EVP_MD_CTX *context(struct wb_hash *h)
{
	return (EVP_MD_CTX *)h;
}

/* It fails only when the library has been built without the function. */
struct wb_hash *wb_hash_new(void)
{
	EVP_MD_CTX *c = EVP_MD_CTX_new();
	int ok = c && EVP_DigestInit_ex(c, EVP_sha256(), NULL);

	assert(ok);
	(void)ok;
	return (struct wb_hash *)c;
}

void wb_hash_add(struct wb_hash *h, const void *data, size_t len)
{
	uint64_t n = len;

	EVP_DigestUpdate(context(h), &n, sizeof(n));
	EVP_DigestUpdate(context(h), data, len);
}

void wb_hash_addstr(struct wb_hash *h, const char *s)
{
	uint64_t none = UINT64_MAX;

	if (s)
		wb_hash_add(h, s, strlen(s));
	else
		EVP_DigestUpdate(context(h), &none, sizeof(none));
}

void wb_hash_end(struct wb_hash *h, char hex[65])
{
	unsigned char sum[32];
	size_t i;

	EVP_DigestFinal_ex(context(h), sum, NULL);
	EVP_MD_CTX_free(context(h));
	for (i = 0; i < sizeof(sum); i++)
		snprintf(hex + 2 * i, 3, "%02x", sum[i]);
}

void wb_sha256(const void *data, size_t len, char hex[65])
{
	struct wb_hash *h = wb_hash_new();

	EVP_DigestUpdate(context(h), data, len);
	wb_hash_end(h, hex);
}

/*
 * Most of what git names is short, and the way through EVP takes longer than
 * hashing it.
 */
struct wb_sha1 {
	SHA_CTX c;
};

struct wb_sha1 *wb_sha1_new(void)
{
	struct wb_sha1 *h = wb_xcalloc(1, sizeof(*h));

	SHA1_Init(&h->c);
	return h;
}

void wb_sha1_add(struct wb_sha1 *h, const void *data, size_t len)
{
	SHA1_Update(&h->c, data, len);
}

void wb_sha1_end(struct wb_sha1 *h, unsigned char raw[20])
{
	SHA1_Final(raw, &h->c);
	free(h);
}
