#ifndef WB_ZIP_H
#define WB_ZIP_H

#include "buf.h"
#include "error.h"

#include <stddef.h>

/*
 * Compressed bytes, through zlib, liblzma and libbz2, whose headers stay in
 * zip.c. Every call names the most bytes that may come out, and output that
 * would pass it is an error: a small file can inflate without end.
 */
enum wb_zip { WB_ZIP_NONE, WB_ZIP_GZIP, WB_ZIP_XZ, WB_ZIP_BZIP2 };

/* By the end of the name: .gz, .xz, .lzma, .lz, .bz2. */
enum wb_zip wb_zip_kind(const char *name);

/* All of it, appended to out. WB_ZIP_NONE copies. */
int wb_zip_read(enum wb_zip kind, const void *data, size_t len, size_t max,
		struct wb_buf *out, struct wb_error *err);

/* One zlib stream that gives size bytes, no more and no less, appended. */
int wb_zip_inflate(const void *data, size_t len, size_t size,
		   struct wb_buf *out, struct wb_error *err);

/* gzip of the bytes, the same each time, appended. */
void wb_zip_gzip(const void *data, size_t len, struct wb_buf *out);

/* A zlib stream of the bytes as they are, appended; and their CRC-32. */
void wb_zip_store(const void *data, size_t len, struct wb_buf *out);
uint32_t wb_zip_crc(const void *data, size_t len);

#endif
