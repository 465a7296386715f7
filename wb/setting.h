#ifndef WB_SETTING_H
#define WB_SETTING_H

#include "buf.h"
#include "error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Settings of the kernel, and how they are changed so that they can be
 * changed back.
 *
 * A setting is a file below /proc or /sys that holds one word, or several of
 * which the one in force stands in brackets. Paths here begin with "proc/" or
 * "sys/"; root is what stands before them: "/", or the top of a made-up tree.
 *
 * Before a setting is changed, what it was goes into a record on the disk, and
 * is synced there. So whatever happens then, kill -9 and power loss included,
 * the record knows all that may have been changed. Changing back goes through
 * it from its end; a setting that somebody else has changed meanwhile is left
 * alone. A record that was damaged meanwhile gives back what can be read of it
 * and stays, so that nothing is taken for undone that is not. A reboot resets
 * settings by itself: a record of another boot only goes away.
 */
struct wb_setting {
	char *path, *was;
	char *want;
};

/* The word in force; false where there is no such setting, or no reading it. */
bool wb_setting_read(const char *root, const char *path, struct wb_buf *out);

/* The record of this user's changes; malloc'ed, perhaps not there. */
char *wb_setting_record(struct wb_error *err);

/* Notes it in the record, then changes it. */
int wb_setting_change(const char *root, const char *record,
		      const struct wb_setting *s, struct wb_error *err);

/*
 * Changes back all that the record holds and removes it. What is left alone,
 * and why, is said in a remark each. done: settings that are again what they
 * were. Fails where one cannot be written, or a line of the record cannot be
 * read; the record then stays.
 */
int wb_setting_restore(const char *root, const char *record, size_t *done,
		       struct wb_error *err);

#endif
