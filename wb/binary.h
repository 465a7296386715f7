#ifndef WB_BINARY_H
#define WB_BINARY_H

#include "buf.h"
#include "error.h"

#include <stddef.h>

/*
 * The content of git's binary patches: one or two blocks, each either the
 * whole content or a delta against the other side, deflated and in base 85.
 */
enum wb_binary_kind { WB_BINARY_NONE, WB_BINARY_LITERAL, WB_BINARY_DELTA };

struct wb_binary {
	enum wb_binary_kind kind;
	struct wb_buf data;	/* inflated */
};

/* No block of a patch may grow beyond this. */
#define WB_BINARY_MAX ((size_t)128 << 20)

/* Adds the bytes of one line of base 85; false when it is none. */
bool wb_binary_line(struct wb_buf *out, const char *s, size_t len);

/* What the block makes of old, appended to out. */
int wb_binary_apply(const struct wb_binary *b, const char *old, size_t len,
		    struct wb_buf *out, struct wb_error *err);

#endif
