#include "db-sql.h"
#include "path.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define APPLICATION 0x77623031	/* "wb01", in the file's header */
#define BUSY_MS 10000

/*
 * What makes a store of schema n of one of schema n - 1, an empty file being
 * of schema 0. A step that was released is never changed; a change is a step
 * more.
 */
static const char *const step[] = {
	"CREATE TABLE machine(row INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL,"
	" facts TEXT NOT NULL);"
	"CREATE TABLE bench(row INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL,"
	" name TEXT NOT NULL, command TEXT NOT NULL);"
	"CREATE TABLE build(row INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL,"
	" tree TEXT NOT NULL, broken TEXT);"
	"CREATE TABLE metric(row INTEGER PRIMARY KEY, bench INTEGER NOT NULL"
	" REFERENCES bench, name TEXT NOT NULL, unit TEXT NOT NULL,"
	" better INTEGER NOT NULL, level INTEGER NOT NULL,"
	" exact INTEGER NOT NULL,"
	" UNIQUE(bench, name, unit, better, level, exact));"
	"CREATE TABLE round(row INTEGER PRIMARY KEY, bench INTEGER NOT NULL"
	" REFERENCES bench, machine INTEGER NOT NULL REFERENCES machine,"
	" boot TEXT NOT NULL, seed INTEGER NOT NULL, began INTEGER NOT NULL,"
	" ended INTEGER);"
	"CREATE TABLE run(row INTEGER PRIMARY KEY, round INTEGER NOT NULL"
	" REFERENCES round, build INTEGER NOT NULL REFERENCES build,"
	" place INTEGER NOT NULL, level INTEGER NOT NULL,"
	" time INTEGER NOT NULL,"
	" wall REAL NOT NULL, cpu REAL NOT NULL, nivcsw INTEGER NOT NULL,"
	" reason TEXT);"
	"CREATE INDEX run_round ON run(round);"
	"CREATE INDEX round_bench ON round(bench, machine);"
	"CREATE TABLE sample(run INTEGER NOT NULL REFERENCES run,"
	" metric INTEGER NOT NULL REFERENCES metric, value REAL NOT NULL,"
	" iter INTEGER NOT NULL, PRIMARY KEY(run, metric)) WITHOUT ROWID;"
	"PRAGMA application_id = 2002923569;",
	/* 2: what a run cost, and perf events as they were read. NULL is
	   unknown. A count is scaled when it is reported. */
	"ALTER TABLE run ADD user REAL; ALTER TABLE run ADD sys REAL;"
	"ALTER TABLE run ADD maxrss INTEGER; ALTER TABLE run ADD nvcsw INTEGER;"
	"ALTER TABLE run ADD faults INTEGER;"
	"ALTER TABLE run ADD task_clock INTEGER;"
	"ALTER TABLE run ADD migrations INTEGER;"
	"CREATE TABLE counter(run INTEGER NOT NULL REFERENCES run,"
	" metric INTEGER NOT NULL REFERENCES metric, value INTEGER NOT NULL,"
	" enabled INTEGER NOT NULL, running INTEGER NOT NULL,"
	" PRIMARY KEY(run, metric)) WITHOUT ROWID;",
	/* 3: runs of an A/A control; lockstep slices: log is a vector of
	   floats, little-endian, pass p took value * exp(log[p]), value being
	   that of the sample */
	"ALTER TABLE run ADD control INTEGER NOT NULL DEFAULT 0;"
	"CREATE TABLE passes(run INTEGER NOT NULL REFERENCES run,"
	" metric INTEGER NOT NULL REFERENCES metric, mean REAL NOT NULL,"
	" log BLOB NOT NULL, PRIMARY KEY(run, metric)) WITHOUT ROWID;",
	/* 4: whether a run was outside of a sandbox. NULL is unknown. */
	"ALTER TABLE run ADD open INTEGER;",
	/* 5: an id of each round that it keeps in every store that it is
	   copied to; ids of one machine sort as the rounds began */
	"ALTER TABLE round ADD id TEXT;"
	"UPDATE round SET id = printf('%016x%016x',"
	" began * 1000000000 + row, seed);"
	"CREATE UNIQUE INDEX round_id ON round(id);",
	/* 6: what built on the machines that samples were taken of; texts as
	   they go into build ids (toolchain.h) */
	"CREATE TABLE toolchain(row INTEGER PRIMARY KEY, machine INTEGER"
	" NOT NULL REFERENCES machine, plain TEXT NOT NULL,"
	" layouts TEXT NOT NULL, UNIQUE(machine, plain, layouts));",
	/* 7: what befell the machine in a round (mishap.h), and whether the
	   round is discarded for it */
	"ALTER TABLE round ADD mishap TEXT;"
	"ALTER TABLE round ADD discarded INTEGER NOT NULL DEFAULT 0;",
	/* 8: bytes that a run had locked in memory. NULL is unknown. */
	"ALTER TABLE run ADD locked INTEGER;",
};

#define SCHEMA ((int64_t)(sizeof(step) / sizeof(*step)))

int wb_db_failed(struct wb_db *db, struct wb_error *err)
{
	int code = db->sql ? sqlite3_errcode(db->sql) : SQLITE_NOMEM;

	switch (code & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return wb_fail(err, WB_E_FATAL, "%s: locked by another "
			       "program; try again when it is done", db->file);
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return wb_fail(err, WB_E_FATAL, "%s: damaged; move it away, or "
			       "save what is left with sqlite3's .recover",
			       db->file);
	case SQLITE_ERROR:
		if (!strncmp(sqlite3_errmsg(db->sql), "no such ", 8))
			return wb_fail(err, WB_E_FATAL, "%s: damaged (%s); "
				       "move it away", db->file,
				       sqlite3_errmsg(db->sql));
		return wb_fail(err, WB_E_FATAL, "%s: %s", db->file,
			       sqlite3_errmsg(db->sql));
	case SQLITE_IOERR:
	case SQLITE_FULL:
		return wb_fail(err, WB_E_FATAL, "%s: disk full or failing; "
			       "free some space and repeat the command, "
			       "finished runs are kept", db->file);
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_CANTOPEN:
		return wb_fail(err, WB_E_FATAL, "%s: cannot be opened for "
			       "writing: check its owner and mode", db->file);
	default:
		return wb_fail(err, WB_E_FATAL, "%s: %s", db->file,
			       sqlite3_errmsg(db->sql));
	}
}

int wb_db_exec(struct wb_db *db, const char *sql, struct wb_error *err)
{
	if (sqlite3_exec(db->sql, sql, NULL, NULL, NULL) != SQLITE_OK)
		return wb_db_failed(db, err);
	return 0;
}

/* One that was kept, the latest first; NULL: none has these words. */
static sqlite3_stmt *take_kept(struct wb_db *db, const char *sql)
{
	sqlite3_stmt *st;
	size_t i;

	for (i = db->nkept; i-- > 0; ) {
		st = db->kept[i];
		if (strcmp(sqlite3_sql(st), sql))
			continue;
		db->nkept--;
		memmove(&db->kept[i], &db->kept[i + 1],
			(db->nkept - i) * sizeof(*db->kept));
		return st;
	}
	return NULL;
}

void wb_db_release(struct wb_db *db, sqlite3_stmt *st)
{
	if (!st)
		return;
	sqlite3_reset(st);
	sqlite3_clear_bindings(st);
	if (db->nkept == WB_DB_KEPT) {
		sqlite3_finalize(db->kept[0]);
		db->nkept--;
		memmove(&db->kept[0], &db->kept[1],
			db->nkept * sizeof(*db->kept));
	}
	db->kept[db->nkept++] = st;
}

sqlite3_stmt *wb_db_prepare(struct wb_db *db, struct wb_error *err,
			     const char *sql, const char *types, ...)
{
	sqlite3_stmt *st = take_kept(db, sql);
	va_list ap;
	int i;

	if (!st && sqlite3_prepare_v2(db->sql, sql, -1, &st, NULL) !=
		   SQLITE_OK) {
		wb_db_failed(db, err);
		return NULL;
	}
	va_start(ap, types);
	for (i = 0; types[i]; i++) {
		if (types[i] == 't')
			sqlite3_bind_text(st, i + 1, va_arg(ap, const char *),
					  -1, SQLITE_STATIC);
		else if (types[i] == 'd')
			sqlite3_bind_double(st, i + 1, va_arg(ap, double));
		else
			sqlite3_bind_int64(st, i + 1, va_arg(ap, int64_t));
	}
	va_end(ap);
	return st;
}

int wb_db_finish(struct wb_db *db, sqlite3_stmt *st, struct wb_error *err)
{
	int ret = 0;

	if (!st)
		return -1;
	if (sqlite3_step(st) != SQLITE_DONE)
		ret = wb_db_failed(db, err);
	wb_db_release(db, st);
	return ret;
}

int wb_db_first_int(struct wb_db *db, sqlite3_stmt *st, int64_t *out,
		     struct wb_error *err)
{
	int rc, ret;

	if (!st)
		return -1;
	rc = sqlite3_step(st);
	if (rc == SQLITE_ROW) {
		*out = sqlite3_column_int64(st, 0);
		ret = 1;
	} else {
		ret = rc == SQLITE_DONE ? 0 : wb_db_failed(db, err);
	}
	wb_db_release(db, st);
	return ret;
}

bool wb_db_step_to(sqlite3_stmt *st, int64_t metric, int64_t *at)
{
	while (st && *at < metric)
		*at = sqlite3_step(st) == SQLITE_ROW ?
		      sqlite3_column_int64(st, 0) : INT64_MAX;
	return st && *at == metric;
}

const char *wb_db_counts(const struct wb_db *db)
{
	return db->schema < 7 ? "1" : "NOT round.discarded";
}

static int pragma(struct wb_db *db, const char *sql, int64_t *out,
		  struct wb_error *err)
{
	*out = 0;
	return wb_db_first_int(db, wb_db_prepare(db, err, sql, ""), out, err);
}

/* An empty file becomes a store, an old store a new one. */
static int take_steps(struct wb_db *db, struct wb_error *err)
{
	int64_t tables;
	char *sql;
	int rc;

	/* two first calls at once: the loser finds the steps taken */
	if (wb_db_exec(db, "BEGIN IMMEDIATE", err) < 0 ||
	    pragma(db, "PRAGMA user_version", &db->schema, err) < 0 ||
	    pragma(db, "SELECT count(*) FROM sqlite_master", &tables, err) < 0)
		return -1;
	if (!db->schema && tables)
		return wb_fail(err, WB_E_FATAL, "%s: a database, but not of "
			       "wb: move it away", db->file);
	while (db->schema < SCHEMA) {
		if (wb_db_exec(db, step[db->schema], err) < 0)
			return -1;
		sql = wb_xasprintf("PRAGMA user_version = %lld",
				   (long long)++db->schema);
		rc = wb_db_exec(db, sql, err);
		free(sql);
		if (rc < 0)
			return -1;
	}
	return wb_db_exec(db, "COMMIT", err);
}

static int check_schema(struct wb_db *db, bool create, struct wb_error *err)
{
	int64_t application;

	if (pragma(db, "PRAGMA user_version", &db->schema, err) < 0 ||
	    pragma(db, "PRAGMA application_id", &application, err) < 0)
		return -1;
	if (db->schema > SCHEMA)
		return wb_fail(err, WB_E_FATAL, "%s: written by a newer wb "
			       "(schema %lld, this one knows %lld); use that "
			       "wb", db->file, (long long)db->schema,
			       (long long)SCHEMA);
	if ((db->schema || !create) && application != APPLICATION)
		return wb_fail(err, WB_E_FATAL, "%s: a database, but not of "
			       "wb: move it away", db->file);
	if (db->schema < SCHEMA && create)
		return take_steps(db, err);
	return 0;
}

/*
 * Reading needs no right to write: where there is none, the file is read as
 * one that nobody changes meanwhile.
 */
static int open_file(struct wb_db *db, bool create, struct wb_error *err)
{
	char *uri = wb_xasprintf("%s", db->file);
	struct wb_buf immutable = WB_BUF_INIT;
	int rc, flags = SQLITE_OPEN_URI;
	const char *p;

	if (create) {
		flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
	} else if (access(db->dir, W_OK)) {
		wb_buf_addstr(&immutable, "file:");
		for (p = db->file; *p; p++)
			wb_buf_addf(&immutable, strchr("%?#", *p) ? "%%%02x" :
				    "%c", *p);
		wb_buf_addstr(&immutable, "?immutable=1");
		free(uri);
		uri = wb_buf_detach(&immutable);
		flags |= SQLITE_OPEN_READONLY;
	} else {
		flags = SQLITE_OPEN_READWRITE;
	}
	/* wb has one thread: SQLite's locks between threads guard nothing */
	rc = sqlite3_open_v2(uri, &db->sql, flags | SQLITE_OPEN_NOMUTEX, NULL);
	free(uri);
	return rc == SQLITE_OK ? 0 : wb_db_failed(db, err);
}

int wb_db_open(const char *git_dir, bool create, struct wb_db **out,
	       struct wb_error *err)
{
	struct wb_db *db = wb_xcalloc(1, sizeof(*db));
	int ret = -1;

	*out = NULL;
	db->dir = wb_xasprintf("%s/wb", git_dir);
	db->file = wb_xasprintf("%s/results.db", db->dir);
	if (!create && access(db->file, F_OK)) {
		ret = 0;
		goto out;
	}
	if (create && wb_path_make(db->dir, err) < 0)
		goto out;
	if (open_file(db, create, err) < 0)
		goto out;
	sqlite3_busy_timeout(db->sql, BUSY_MS);
	if (create && wb_db_exec(db, "PRAGMA journal_mode = WAL;"
				 "PRAGMA synchronous = NORMAL;"
				 "PRAGMA foreign_keys = ON", err) < 0)
		goto out;
	if (check_schema(db, create, err) < 0)
		goto out;
	*out = db;
	db = NULL;
	ret = 0;
out:
	wb_db_close(db);
	return ret;
}

void wb_db_close(struct wb_db *db)
{
	if (!db)
		return;
	while (db->nkept)
		sqlite3_finalize(db->kept[--db->nkept]);
	sqlite3_close(db->sql);
	free(db->file);
	free(db->dir);
	free(db);
}
