#ifndef WB_PATCH_H
#define WB_PATCH_H

#include "binary.h"
#include "buf.h"
#include "error.h"
#include "patch-name.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A patch file, read: which files it changes and by what hunks.
 *
 * The text is bytes; nothing in it is decoded. Whatever stands between the
 * sections (a mail header, prose, a signature) is skipped, as patch and git
 * do. A section speaks of one file and comes in two forms. A plain one has
 * only "---" and "+++" lines, perhaps "Index:", and its names are candidates
 * of which the one that exists is meant. A git one begins with "diff --git",
 * its names are certain, and it can also rename, copy, set modes and carry
 * binary content.
 *
 * Names are stripped (-pN) and safe: relative, without "." or "..", outside
 * .git. With reverse, what is given here has old and new exchanged already.
 */

/*
 * A line of a file or of a hunk; there may be millions, so it is small. The
 * bytes are those without the newline; eol: there was one.
 */
struct wb_line {
	const char *p;
	uint32_t len;
	bool eol;
	char op;		/* of a hunk's line: ' ', '-', '+' */
};

struct wb_hunk {
	size_t old_start, old_n, new_start, new_n;	/* as the hunk says */
	size_t first, n;	/* its lines: patch->line[first..first+n-1] */
	size_t head, tail;	/* context lines at its two ends */
	size_t where;		/* line of the patch file */
};

/* What a section says about a side of the change. */
enum wb_side {
	WB_SIDE_FILE,		/* a file stands there */
	WB_SIDE_EMPTY,		/* no lines: an empty file, or none */
	WB_SIDE_NONE,		/* no file: /dev/null, the epoch, "new file" */
};

struct wb_section {
	char *old, *new, *index;	/* NULL: no such line, or no file */
	enum wb_side old_side, new_side;
	bool git;		/* begins with "diff --git" */
	bool rename, copy;
	bool stub;		/* "Binary files differ": content not given */
	uint32_t old_mode, new_mode;	/* 0: not said */
	uint32_t mode;		/* of the index line, 0: not said */
	char old_id[41], new_id[41];	/* of the index line, may be short */
	struct wb_binary binary;	/* .kind none: text */
	size_t first, n;	/* patch->hunk[first..first+n-1] */
	size_t where;		/* line of the patch file */
};

struct wb_patch {
	struct wb_section *section;
	size_t nsections, capsections;
	struct wb_hunk *hunk;
	size_t nhunks, caphunks;
	struct wb_line *line;
	size_t nlines, caplines;
	size_t head;		/* bytes before the first section */
	size_t added, removed;	/* lines */
	size_t dropped;		/* line of a hunk without a file, 0: none */
};

/*
 * How to read. git: by the rules of git apply, which stops at much that GNU
 * patch steps over; otherwise by those of GNU patch.
 */
struct wb_patch_rules {
	int strip;		/* -pN */
	bool reverse;		/* -R */
	bool git;
	bool header_only;	/* a head alone changes nothing */
	size_t line;		/* lines of the file before the text */
};

/*
 * Reads text, which must outlive p. A reason begins with "NAME:LINE: ". A
 * text without any section is an error unless it is empty or, if the rules say
 * so, nothing but the head of a patch (a mail's, or DEP-3).
 */
int wb_patch_parse(struct wb_patch *p, const char *text, size_t len,
		   const struct wb_patch_rules *r, const char *name,
		   struct wb_error *err);
void wb_patch_clear(struct wb_patch *p);

#endif
