#ifndef WB_PATCH_FILE_H
#define WB_PATCH_FILE_H

#include "buf.h"
#include "message.h"
#include "patch.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A patch file in its parts, for writing it anew with another diff:
 *
 *	head	who, when, why: all before the line "---", or before the
 *		diff when there is no such line
 *	---	(rule)
 *	notes	what a person wrote below it; the diffstat is not part of it
 *	diff	which is not kept: it is made anew from two trees
 *	tail	what stands behind the last hunk: git's signature
 *
 * Head, notes and tail are kept byte for byte. A file that git format-patch
 * wrote, taken apart and put together with git's diff, is the same file.
 */
struct wb_patch_file {
	struct wb_buf head, notes, tail;
	bool rule;
	int abbrev;		/* digits of blob ids in it; 12: it has none */
};

void wb_patch_file_init(struct wb_patch_file *f);
void wb_patch_file_clear(struct wb_patch_file *f);

/* p is what wb_patch_parse() made of text; NULL: there is no diff in it. */
void wb_patch_file_split(struct wb_patch_file *f, const char *text, size_t len,
			 const struct wb_patch *p);

/* diff: diffstat, blank line, diff with full blob ids ("git diff-tree"). */
void wb_patch_file_join(const struct wb_patch_file *f, const char *diff,
			size_t len, struct wb_buf *out);

/*
 * A head in the form of git format-patch: ident is "Name <mail> SECONDS
 * +ZONE", message a subject, a blank line and the rest.
 */
void wb_patch_file_head(struct wb_buf *out, const char *ident,
			const char *message);

/* The other way: what a commit of the patch says. fallback: an ident for a
 * head that names nobody. *message and *ident are malloc'ed. */
void wb_patch_file_words(const struct wb_patch_file *f, const char *fallback,
			 char **message, char **ident);

#endif
