#ifndef WB_DB_SQL_H
#define WB_DB_SQL_H

#include "db.h"

#include <sqlite3.h>

/*
 * What the files of the store share: the connection and four short ways to
 * run a statement. For db*.c only.
 */
#define WB_DB_KEPT 32

struct wb_db {
	sqlite3 *sql;
	char *dir, *file;
	int64_t schema;		/* of the file; a reader may meet an old one */
	/* statements of before, for whoever asks for the same words again;
	   compiling one takes longer than running it */
	sqlite3_stmt *kept[WB_DB_KEPT];
	size_t nkept;
};

/* SQLite's word for what failed becomes one of ours, with what to do. */
int wb_db_failed(struct wb_db *db, struct wb_error *err);

int wb_db_exec(struct wb_db *db, const char *sql, struct wb_error *err);

/*
 * Prepares sql and binds its parameters by a word of types: 't' const char *,
 * 'i' int64_t, 'd' double. Text must outlive the statement. NULL on failure,
 * which the two calls below take and pass on.
 */
sqlite3_stmt *wb_db_prepare(struct wb_db *db, struct wb_error *err,
			    const char *sql, const char *types, ...);

/* The end of a statement, which may be kept. NULL is fine. */
void wb_db_release(struct wb_db *db, sqlite3_stmt *st);

/* Runs a statement that gives no rows, and releases it. */
int wb_db_finish(struct wb_db *db, sqlite3_stmt *st, struct wb_error *err);

/* The first column of the first row, and releases the statement: 1 there is
   one, 0 none, -1 error. */
int wb_db_first_int(struct wb_db *db, sqlite3_stmt *st, int64_t *out,
		    struct wb_error *err);

/*
 * Steps a statement whose first column is a metric, rising, up to one: whether
 * it has a row of it. *at is where it is, -1 before the first step. NULL has
 * none. So passes are read beside samples: a join would look for those of each
 * sample, and most have none.
 */
bool wb_db_step_to(sqlite3_stmt *st, int64_t metric, int64_t *at);

/* What is true of a round that counts, as SQL; older stores know no other. */
const char *wb_db_counts(const struct wb_db *db);

/* A run, its samples and its events, within a transaction of the caller. */
int wb_db_insert_run(struct wb_db *db, const struct wb_db_run *r,
		     struct wb_error *err);

#endif
