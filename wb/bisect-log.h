#ifndef WB_BISECT_LOG_H
#define WB_BISECT_LOG_H

#include "error.h"
#include "json.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * The journal of a search: whatever a runner answered, in order, a JSON object
 * a line, each synced to disk before the search goes on. The engine asks the
 * same questions for the same answers; so a search that was interrupted goes
 * on by playing its journal back to the point where it ends, and a search that
 * is over can be looked at again, here or elsewhere, without a run.
 *
 * The first line is the header: what is searched, and how. A journal whose
 * header is another is of another search. A last line that kill -9 tore is
 * dropped.
 *
 * Notes stand apart: what was found out of a search that was over, and answers
 * no question of it ("profile", "others"). They may stand between the answers,
 * for a search that was over by its budget can go on.
 */
struct wb_bisect_log {
	char *file;
	FILE *out;		/* NULL: to be played back only */
	struct wb_json **entry;	/* answers that were read, and */
	size_t *line;		/* where */
	size_t n, cap;
	size_t next;		/* answers that were taken or added */
	struct wb_json **note;	/* in their order, read or added */
	size_t nnotes, capnotes;
	struct wb_json *header;
	size_t nlines;		/* read */
	bool more;		/* another journal follows in the file */
	bool short_of;		/* more was asked for than it holds */
};

/*
 * Opens the journal, made with this header when there is none; takes over the
 * header. *other: there is one of another search, and nothing was opened.
 */
int wb_bisect_log_open(struct wb_bisect_log *l, const char *file,
		       struct wb_json *header, bool *other,
		       struct wb_error *err);

/*
 * To play back: any header goes. A file may hold several journals, one behind
 * the other: reads that at byte *at, which is then that of the next, or 0.
 */
int wb_bisect_log_read(struct wb_bisect_log *l, const char *file, size_t *at,
		       struct wb_error *err);
/* Whether the journal at that byte (not 0) is of a search within another. */
bool wb_bisect_log_within(const char *file, size_t at);
void wb_bisect_log_close(struct wb_bisect_log *l);

/*
 * The answer that was given here last time, borrowed; *out NULL when there is
 * none yet. Fails when the journal has the answer to another question (key),
 * and when it ends while it can only be played back.
 */
int wb_bisect_log_take(struct wb_bisect_log *l, const char *key,
		       const struct wb_json **out, struct wb_error *err);

/* Adds {key: value}, synced; takes over the value. */
int wb_bisect_log_add(struct wb_bisect_log *l, const char *key,
		      struct wb_json *value, struct wb_error *err);

/*
 * What the last note of this kind says of a metric and a position, borrowed, or
 * NULL. Adding copies it; nothing is added that the last one says already.
 *
 *	{key:{"metric":...,"at":position,key:value}}
 */
const struct wb_json *wb_bisect_log_note(const struct wb_bisect_log *l,
					 const char *key, const char *metric,
					 int at);
int wb_bisect_log_add_note(struct wb_bisect_log *l, const char *key,
			   const char *metric, int at,
			   const struct wb_json *value, struct wb_error *err);

/* Line of the answer that was taken last, for messages. */
size_t wb_bisect_log_line(const struct wb_bisect_log *l);

#endif
