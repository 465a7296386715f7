#include "db-sql.h"
#include "path.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#define SCHEMA 1
#define BUSY_MS 10000

static const char schema[] =
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
	" place INTEGER NOT NULL, level INTEGER NOT NULL, time INTEGER NOT NULL,"
	" wall REAL NOT NULL, cpu REAL NOT NULL, nivcsw INTEGER NOT NULL,"
	" reason TEXT);"
	"CREATE INDEX run_round ON run(round);"
	"CREATE INDEX round_bench ON round(bench, machine);"
	"CREATE TABLE sample(run INTEGER NOT NULL REFERENCES run,"
	" metric INTEGER NOT NULL REFERENCES metric, value REAL NOT NULL,"
	" iter INTEGER NOT NULL, PRIMARY KEY(run, metric)) WITHOUT ROWID;"
	"PRAGMA user_version = 1;";

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
	case SQLITE_FULL:
		return wb_fail(err, WB_E_FATAL, "%s: disk full; free some "
			       "space and repeat the command, finished runs "
			       "are kept", db->file);
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

sqlite3_stmt *wb_db_prepare(struct wb_db *db, struct wb_error *err,
			     const char *sql, const char *types, ...)
{
	sqlite3_stmt *st = NULL;
	va_list ap;
	int i;

	if (sqlite3_prepare_v2(db->sql, sql, -1, &st, NULL) != SQLITE_OK) {
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
	sqlite3_finalize(st);
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
	sqlite3_finalize(st);
	return ret;
}

static int check_schema(struct wb_db *db, struct wb_error *err)
{
	int64_t version = 0;

	if (wb_db_first_int(db, wb_db_prepare(db, err, "PRAGMA user_version", ""),
		      &version, err) < 0)
		return -1;
	if (version > SCHEMA)
		return wb_fail(err, WB_E_FATAL, "%s: written by a newer wb "
			       "(schema %lld, this one knows %d); use that wb",
			       db->file, (long long)version, SCHEMA);
	if (version == SCHEMA)
		return 0;
	/* two first calls at once: the loser finds the tables made */
	if (wb_db_exec(db, "BEGIN IMMEDIATE", err) < 0)
		return -1;
	if (wb_db_first_int(db, wb_db_prepare(db, err, "PRAGMA user_version", ""),
		      &version, err) < 0)
		return -1;
	if (!version && wb_db_exec(db, schema, err) < 0)
		return -1;
	return wb_db_exec(db, "COMMIT", err);
}

int wb_db_open(const char *git_dir, bool create, struct wb_db **out,
	       struct wb_error *err)
{
	struct wb_db *db = wb_xcalloc(1, sizeof(*db));
	char *dir = wb_xasprintf("%s/wb", git_dir);
	int ret = -1;

	*out = NULL;
	db->file = wb_xasprintf("%s/results.db", dir);
	if (!create && access(db->file, F_OK)) {
		ret = 0;
		goto out;
	}
	if (create && wb_path_make(dir, err) < 0)
		goto out;
	if (sqlite3_open_v2(db->file, &db->sql, SQLITE_OPEN_READWRITE |
			    (create ? SQLITE_OPEN_CREATE : 0), NULL)) {
		wb_db_failed(db, err);
		goto out;
	}
	sqlite3_extended_result_codes(db->sql, 0);
	sqlite3_busy_timeout(db->sql, BUSY_MS);
	if (wb_db_exec(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
		 "PRAGMA foreign_keys = ON", err) < 0 ||
	    check_schema(db, err) < 0)
		goto out;
	*out = db;
	db = NULL;
	ret = 0;
out:
	wb_db_close(db);
	free(dir);
	return ret;
}

void wb_db_close(struct wb_db *db)
{
	if (!db)
		return;
	sqlite3_close(db->sql);
	free(db->file);
	free(db);
}
