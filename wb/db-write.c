#include "db-sql.h"

#include <endian.h>
#include <string.h>
#include <time.h>

/*
 * The row that select finds, or the one that insert makes. insert does nothing
 * on a conflict: two wb may both find that there is no row yet.
 */
static int find_or_add(struct wb_db *db, sqlite3_stmt *select,
		       sqlite3_stmt *insert, int64_t *row,
		       struct wb_error *err)
{
	int rc = -1;

	if (!select || !insert)
		goto out;
	rc = sqlite3_step(select);
	if (rc == SQLITE_DONE && sqlite3_step(insert) == SQLITE_DONE) {
		sqlite3_reset(select);
		rc = sqlite3_step(select);
	}
	if (rc == SQLITE_ROW) {
		*row = sqlite3_column_int64(select, 0);
		rc = 0;
	} else {
		rc = wb_db_failed(db, err);
	}
out:
	wb_db_release(db, select);
	wb_db_release(db, insert);
	return rc;
}

int wb_db_machine(struct wb_db *db, const char *id, const char *facts,
		  int64_t *row, struct wb_error *err)
{
	return find_or_add(db,
		wb_db_prepare(db, err,
			      "SELECT row FROM machine WHERE id = ?", "t", id),
		wb_db_prepare(db, err, "INSERT OR IGNORE INTO"
			      " machine(id, facts) VALUES(?, ?)",
			      "tt", id, facts),
		row, err);
}

int wb_db_bench(struct wb_db *db, const char *id, const char *name,
		const char *command, int64_t *row, struct wb_error *err)
{
	return find_or_add(db,
		wb_db_prepare(db, err,
			      "SELECT row FROM bench WHERE id = ?", "t", id),
		wb_db_prepare(db, err, "INSERT OR IGNORE INTO"
			      " bench(id, name, command) VALUES(?, ?, ?)",
			      "ttt", id, name, command),
		row, err);
}

int wb_db_build(struct wb_db *db, const char *id, const char *tree,
		int64_t *row, struct wb_error *err)
{
	return find_or_add(db,
		wb_db_prepare(db, err,
			      "SELECT row FROM build WHERE id = ?", "t", id),
		wb_db_prepare(db, err, "INSERT OR IGNORE INTO"
			      " build(id, tree) VALUES(?, ?)",
			      "tt", id, tree),
		row, err);
}

int wb_db_set_broken(struct wb_db *db, int64_t build, const char *reason,
		     struct wb_error *err)
{
	return wb_db_finish(db, wb_db_prepare(db, err, "UPDATE build"
			" SET broken = ? WHERE row = ?", "ti", reason, build),
			    err);
}

int wb_db_round(struct wb_db *db, int64_t bench, int64_t machine,
		const char *boot, uint64_t seed, int64_t *row,
		struct wb_error *err)
{
	struct timespec now;
	sqlite3_stmt *st;

	clock_gettime(CLOCK_REALTIME, &now);
	st = wb_db_prepare(db, err, "INSERT INTO round(bench, machine, boot,"
			   " seed, began, id) VALUES(?, ?, ?, ?, ?,"
			   " printf('%016x', ?) || lower(hex(randomblob(8))))",
			   "iitiii", bench, machine, boot, (int64_t)seed,
			   (int64_t)now.tv_sec,
			   (int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
	if (wb_db_finish(db, st, err) < 0)
		return -1;
	*row = sqlite3_last_insert_rowid(db->sql);
	return 0;
}

static int set_ended(struct wb_db *db, int64_t round,
		     const struct wb_db_mishap *m, struct wb_error *err)
{
	int64_t discarded = m && m->discarded;

	return wb_db_finish(db, wb_db_prepare(db, err, "UPDATE round SET"
			" ended = ?, mishap = ?, discarded = ? WHERE row = ?",
			"itii", (int64_t)time(NULL), m ? m->what : NULL,
			discarded, round), err);
}

/*
 * With synchronous = FULL a commit syncs the write-ahead log, and with it all
 * that earlier commits put there.
 */
static int sync_commits(struct wb_db *db, bool on, struct wb_error *err)
{
	return wb_db_exec(db, on ? "PRAGMA synchronous = FULL" :
			  "PRAGMA synchronous = NORMAL", err);
}

int wb_db_end_round(struct wb_db *db, int64_t round,
		    const struct wb_db_mishap *mishap, struct wb_error *err)
{
	if (sync_commits(db, true, err) < 0 ||
	    set_ended(db, round, mishap, err) < 0)
		return -1;
	return sync_commits(db, false, err);
}

/* Floats as the schema wants them, whatever this machine's order of bytes. */
static void pack(const float *v, size_t n, struct wb_buf *out)
{
	uint32_t bits;
	size_t i;

	for (i = 0; i < n; i++) {
		memcpy(&bits, &v[i], sizeof(bits));
		bits = htole32(bits);
		wb_buf_add(out, &bits, sizeof(bits));
	}
}

static int add_passes(struct wb_db *db, int64_t run, int64_t metric,
		      const struct wb_db_sample *s, struct wb_error *err)
{
	sqlite3_stmt *st = wb_db_prepare(db, err, "INSERT INTO passes(run,"
			" metric, mean, log) VALUES(?, ?, ?, ?)",
			"iid", run, metric, s->mean);
	struct wb_buf log = WB_BUF_INIT;
	int ret;

	pack(s->pass, s->npasses, &log);
	if (st)
		sqlite3_bind_blob(st, 4, log.ptr, (int)log.len, SQLITE_STATIC);
	ret = wb_db_finish(db, st, err);
	wb_buf_clear(&log);
	return ret;
}

static int metric_row(struct wb_db *db, int64_t bench, enum wb_level level,
		      const struct wb_db_sample *s, int64_t *row,
		      struct wb_error *err)
{
	static const char select[] =
		"SELECT row FROM metric WHERE bench = ? AND name = ? AND"
		" unit = ? AND better = ? AND level = ? AND exact = ?";
	static const char insert[] =
		"INSERT OR IGNORE INTO metric(bench, name, unit, better,"
		" level, exact) VALUES(?, ?, ?, ?, ?, ?)";
	int64_t better = s->better, exact = s->exact;
	int64_t lvl = s->level ? s->level : level;

	return find_or_add(db, wb_db_prepare(db, err, select, "ittiii", bench,
				    s->metric, s->unit, better, lvl, exact),
			wb_db_prepare(db, err, insert, "ittiii", bench,
				      s->metric, s->unit, better, lvl, exact),
			row, err);
}

static int add_sample(struct wb_db *db, int64_t bench, int64_t run,
		      enum wb_level level, const struct wb_db_sample *s,
		      struct wb_error *err)
{
	int64_t metric;

	if (metric_row(db, bench, level, s, &metric, err) < 0)
		return -1;
	if (wb_db_finish(db, wb_db_prepare(db, err, "INSERT INTO"
			" sample(run, metric, value, iter) VALUES(?, ?, ?, ?)",
			"iidi", run, metric, s->value, s->iter), err) < 0)
		return -1;
	return s->npasses ? add_passes(db, run, metric, s, err) : 0;
}

static int add_counter(struct wb_db *db, int64_t bench, int64_t run,
		       const struct wb_db_counter *c, struct wb_error *err)
{
	const struct wb_db_sample s = {
		.metric = c->metric, .unit = "events",
		.better = WB_BETTER_LOWER, .level = c->level,
	};
	int64_t metric;

	if (metric_row(db, bench, c->level, &s, &metric, err) < 0)
		return -1;
	return wb_db_finish(db, wb_db_prepare(db, err, "INSERT INTO"
			" counter(run, metric, value, enabled, running)"
			" VALUES(?, ?, ?, ?, ?)", "iiiii", run, metric,
			(int64_t)c->count.value, (int64_t)c->count.enabled,
			(int64_t)c->count.running), err);
}

/* -1, which is not known, becomes NULL. */
static int add_usage(struct wb_db *db, int64_t run,
		     const struct wb_db_usage *u, struct wb_error *err)
{
	return wb_db_finish(db, wb_db_prepare(db, err, "UPDATE run SET"
			" user = nullif(?, -1.0), sys = nullif(?, -1.0),"
			" maxrss = nullif(?, -1), nvcsw = nullif(?, -1),"
			" faults = nullif(?, -1), migrations = nullif(?, -1),"
			" task_clock = nullif(?, -1), locked = nullif(?, -1)"
			" WHERE row = ?",
			"ddiiiiiii", u->user, u->sys, u->maxrss, u->nvcsw,
			u->faults, u->migrations, u->task_clock, u->locked,
			run), err);
}

int wb_db_insert_run(struct wb_db *db, const struct wb_db_run *r,
		     struct wb_error *err)
{
	int64_t run, bench = 0, place = r->order, level = r->level;
	int64_t when = r->time ? r->time : (int64_t)time(NULL);
	int64_t control = r->control, open = r->open;
	size_t i;

	if (wb_db_first_int(db, wb_db_prepare(db, err, "SELECT bench FROM round"
				  " WHERE row = ?", "i", r->round),
		      &bench, err) < 0)
		return -1;
	if (wb_db_finish(db, wb_db_prepare(db, err, "INSERT INTO run(round,"
			" build, place, level, time, wall, cpu, nivcsw, reason,"
			" control, open)"
			" VALUES(?,?,?,?,?,?,?,?,?,?, nullif(?, -1))",
			"iiiiidditii",
			r->round, r->build, place, level, when,
			r->wall, r->cpu, r->nivcsw, r->reason, control,
			open),
			 err) < 0)
		return -1;
	run = sqlite3_last_insert_rowid(db->sql);
	if (add_usage(db, run, &r->usage, err) < 0)
		return -1;
	for (i = 0; i < r->nsamples; i++)
		if (add_sample(db, bench, run, r->level, &r->sample[i],
			       err) < 0)
			return -1;
	for (i = 0; i < r->ncounters; i++)
		if (add_counter(db, bench, run, &r->counter[i], err) < 0)
			return -1;
	return 0;
}

/* Ends a transaction, well (0) or not; err keeps the first reason. */
static int end_transaction(struct wb_db *db, int ret, struct wb_error *err)
{
	if (!ret && !wb_db_exec(db, "COMMIT", err))
		return 0;
	sqlite3_exec(db->sql, "ROLLBACK", NULL, NULL, NULL);
	return -1;
}

int wb_db_add_run(struct wb_db *db, const struct wb_db_run *r,
		  struct wb_error *err)
{
	if (wb_db_exec(db, "BEGIN IMMEDIATE", err) < 0)
		return -1;
	return end_transaction(db, wb_db_insert_run(db, r, err), err);
}

int wb_db_add_round(struct wb_db *db, int64_t bench, int64_t machine,
		    const char *boot, uint64_t seed, struct wb_db_run *run,
		    size_t n, const struct wb_db_mishap *mishap,
		    struct wb_error *err)
{
	int64_t round;
	size_t i;
	int ret;

	if (sync_commits(db, true, err) < 0 ||
	    wb_db_exec(db, "BEGIN IMMEDIATE", err) < 0)
		return -1;
	ret = wb_db_round(db, bench, machine, boot, seed, &round, err);
	for (i = 0; i < n && !ret; i++) {
		run[i].round = round;
		ret = wb_db_insert_run(db, &run[i], err);
	}
	ret = ret ? ret : set_ended(db, round, mishap, err);
	if (end_transaction(db, ret, err) < 0)
		return -1;
	return sync_commits(db, false, err);
}
