#include "hash.h"

#include <glib.h>
#include <stdint.h>
#include <string.h>

static GChecksum *sum(struct wb_hash *h)
{
	return (GChecksum *)h;
}

struct wb_hash *wb_hash_new(void)
{
	return (struct wb_hash *)g_checksum_new(G_CHECKSUM_SHA256);
}

void wb_hash_add(struct wb_hash *h, const void *data, size_t len)
{
	uint64_t n = len;

	g_checksum_update(sum(h), (const guchar *)&n, sizeof(n));
	g_checksum_update(sum(h), data, (gssize)len);
}

void wb_hash_addstr(struct wb_hash *h, const char *s)
{
	uint64_t none = UINT64_MAX;

	if (s)
		wb_hash_add(h, s, strlen(s));
	else
		g_checksum_update(sum(h), (const guchar *)&none, sizeof(none));
}

void wb_hash_end(struct wb_hash *h, char hex[65])
{
	memcpy(hex, g_checksum_get_string(sum(h)), 65);
	g_checksum_free(sum(h));
}
