#include "zip.h"

#include <assert.h>
#include <bzlib.h>
#include <limits.h>
#include <lzma.h>
#include <string.h>
#include <zlib.h>

#define CHUNK ((size_t)256 << 10)
#define LZMA_MEMORY ((uint64_t)128 << 20)

enum wb_zip wb_zip_kind(const char *name)
{
	if (wb_str_ends(name, ".gz"))
		return WB_ZIP_GZIP;
	if (wb_str_ends(name, ".xz") || wb_str_ends(name, ".lzma") ||
	    wb_str_ends(name, ".lz"))
		return WB_ZIP_XZ;
	if (wb_str_ends(name, ".bz2"))
		return WB_ZIP_BZIP2;
	return WB_ZIP_NONE;
}

static int damaged(struct wb_error *err)
{
	return wb_fail(err, WB_E_FATAL, "the compressed data is damaged");
}

/* Room for one chunk more, or an error when the limit is reached. */
static int make_room(struct wb_buf *out, size_t start, size_t max,
		     struct wb_error *err)
{
	if (out->len - start > max)
		return wb_fail(err, WB_E_FATAL, "refused: inflates to more "
			       "than %zu MB", max >> 20);
	wb_buf_reserve(out, CHUNK);
	return 0;
}

/* Several members may follow each other, as gzip allows. */
static int read_gzip(const void *data, size_t len, size_t max,
		     struct wb_buf *out, struct wb_error *err)
{
	size_t start = out->len;
	z_stream z = { .next_in = (Bytef *)data, .avail_in = (uInt)len };
	int code = Z_OK, ret = -1;

	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		return damaged(err);
	while (code != Z_STREAM_END || z.avail_in) {
		if (code == Z_STREAM_END)
			inflateReset(&z);
		if (make_room(out, start, max, err) < 0)
			goto out;
		z.next_out = (Bytef *)out->ptr + out->len;
		z.avail_out = (uInt)CHUNK;
		code = inflate(&z, Z_NO_FLUSH);
		if (code != Z_OK && code != Z_STREAM_END) {
			damaged(err);
			goto out;
		}
		out->len += CHUNK - z.avail_out;
	}
	ret = 0;
out:
	inflateEnd(&z);
	return ret;
}

/* The library tells .xz, .lzma and lzip's .lz apart; members may follow. */
static int read_xz(const void *data, size_t len, size_t max,
		   struct wb_buf *out, struct wb_error *err)
{
	lzma_stream z = LZMA_STREAM_INIT;
	size_t start = out->len;
	lzma_ret code;
	int ret = -1;

	if (lzma_auto_decoder(&z, LZMA_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
		return damaged(err);
	z.next_in = data;
	z.avail_in = len;
	do {
		if (make_room(out, start, max, err) < 0)
			goto out;
		z.next_out = (uint8_t *)out->ptr + out->len;
		z.avail_out = CHUNK;
		code = lzma_code(&z, LZMA_FINISH);
		out->len += CHUNK - z.avail_out;
	} while (code == LZMA_OK);
	if (code == LZMA_STREAM_END)
		ret = 0;
	else
		damaged(err);
out:
	lzma_end(&z);
	return ret;
}

/* One stream of perhaps several; used is how much of the input it took. */
static int read_bzip2(const char *data, size_t len, size_t max, size_t start,
		      size_t *used, struct wb_buf *out, struct wb_error *err)
{
	bz_stream z = { .next_in = (char *)data, .avail_in = (unsigned)len };
	int code = BZ_OK, ret = -1;

	if (BZ2_bzDecompressInit(&z, 0, 0) != BZ_OK)
		return damaged(err);
	while (code != BZ_STREAM_END) {
		if (make_room(out, start, max, err) < 0)
			goto out;
		z.next_out = out->ptr + out->len;
		z.avail_out = (unsigned)CHUNK;
		code = BZ2_bzDecompress(&z);
		if ((code != BZ_OK && code != BZ_STREAM_END) ||
		    (code == BZ_OK && !z.avail_in && z.avail_out)) {
			damaged(err);
			goto out;
		}
		out->len += CHUNK - z.avail_out;
	}
	*used = len - z.avail_in;
	ret = 0;
out:
	BZ2_bzDecompressEnd(&z);
	return ret;
}

static int read_bzip2s(const char *data, size_t len, size_t max,
		       struct wb_buf *out, struct wb_error *err)
{
	size_t start = out->len, used = 0;

	do {
		if (read_bzip2(data, len, max, start, &used, out, err) < 0)
			return -1;
		data += used;
		len -= used;
	} while (len);
	return 0;
}

int wb_zip_read(enum wb_zip kind, const void *data, size_t len, size_t max,
		struct wb_buf *out, struct wb_error *err)
{
	size_t start = out->len;
	int ret = 0;

	if (len > INT_MAX)
		return wb_fail(err, WB_E_FATAL, "refused: too large");
	if (kind == WB_ZIP_GZIP)
		ret = read_gzip(data, len, max, out, err);
	else if (kind == WB_ZIP_XZ)
		ret = read_xz(data, len, max, out, err);
	else if (kind == WB_ZIP_BZIP2)
		ret = read_bzip2s(data, len, max, out, err);
	else
		wb_buf_add(out, data, len);
	if (ret == 0 && out->len - start > max)
		ret = wb_fail(err, WB_E_FATAL, "refused: larger than %zu MB",
			      max >> 20);
	if (ret < 0)
		out->len = start;
	if (out->cap)
		out->ptr[out->len] = '\0';
	return ret;
}

int wb_zip_inflate(const void *data, size_t len, size_t size,
		   struct wb_buf *out, struct wb_error *err)
{
	z_stream z = { .next_in = (Bytef *)data, .avail_in = (uInt)len };
	int code;

	if (len > INT_MAX || size >= INT_MAX || inflateInit(&z) != Z_OK)
		return damaged(err);
	/* one byte more, so that a stream that is too long shows */
	wb_buf_reserve(out, size + 1);
	z.next_out = (Bytef *)out->ptr + out->len;
	z.avail_out = (uInt)size + 1;
	code = inflate(&z, Z_FINISH);
	inflateEnd(&z);
	if (code != Z_STREAM_END || z.total_out != size) {
		out->ptr[out->len] = '\0';
		return damaged(err);
	}
	out->len += size;
	out->ptr[out->len] = '\0';
	return 0;
}

void wb_zip_gzip(const void *data, size_t len, struct wb_buf *out)
{
	z_stream z = { .next_in = (z_const Bytef *)data };
	unsigned char room[1 << 14];
	int rc;

	/* 16: with gzip's header, which has no time in it; fails only when
	   there is no memory */
	rc = deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 9,
			  Z_DEFAULT_STRATEGY);
	assert(rc == Z_OK);
	do {
		z.avail_in = len < UINT32_MAX ? (uInt)len : UINT32_MAX;
		len -= z.avail_in;
		do {
			z.next_out = room;
			z.avail_out = sizeof(room);
			rc = deflate(&z, len ? Z_NO_FLUSH : Z_FINISH);
			wb_buf_add(out, room, sizeof(room) - z.avail_out);
		} while (!z.avail_out);
	} while (len);
	deflateEnd(&z);
}

/* zlib's own level 0 writes the same, at half the speed. */
void wb_zip_store(const void *data, size_t len, struct wb_buf *out)
{
	const char *p = data;
	unsigned long sum = adler32_z(1, data, len);
	size_t n;

	wb_buf_reserve(out, len + len / UINT16_MAX * 5 + 16);
	wb_buf_add(out, "\x78\x01", 2);
	do {
		n = len < UINT16_MAX ? len : UINT16_MAX;
		wb_buf_addch(out, n == len);
		wb_buf_addch(out, (char)n);
		wb_buf_addch(out, (char)(n >> 8));
		wb_buf_addch(out, (char)~n);
		wb_buf_addch(out, (char)(~n >> 8));
		wb_buf_add(out, p, n);
		p += n;
		len -= n;
	} while (len);
	for (n = 4; n--;)
		wb_buf_addch(out, (char)(sum >> 8 * n));
}

uint32_t wb_zip_crc(const void *data, size_t len)
{
	return (uint32_t)crc32_z(0, data, len);
}
