#include "hash.h"

#include <assert.h>
#include <openssl/evp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static EVP_MD_CTX *context(struct wb_hash *h)
{
	return (EVP_MD_CTX *)h;
}

/* It fails only when the library has been built without the function. */
static EVP_MD_CTX *start(const EVP_MD *type)
{
	EVP_MD_CTX *c = EVP_MD_CTX_new();
	int ok = c && EVP_DigestInit_ex(c, type, NULL);

	assert(ok);
	(void)ok;
	return c;
}

struct wb_hash *wb_hash_new(void)
{
	return (struct wb_hash *)start(EVP_sha256());
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

struct wb_sha1 *wb_sha1_new(void)
{
	return (struct wb_sha1 *)start(EVP_sha1());
}

void wb_sha1_add(struct wb_sha1 *h, const void *data, size_t len)
{
	EVP_DigestUpdate((EVP_MD_CTX *)h, data, len);
}

void wb_sha1_end(struct wb_sha1 *h, unsigned char raw[20])
{
	EVP_DigestFinal_ex((EVP_MD_CTX *)h, raw, NULL);
	EVP_MD_CTX_free((EVP_MD_CTX *)h);
}
