/*
 * Runs of another store. What says that a run is here already is the id of its
 * round, which no other round has, and its place in that round.
 */
#include "db-sql.h"

#include <string.h>

int wb_db_import_begin(struct wb_db *db, struct wb_error *err)
{
	if (wb_db_exec(db, "PRAGMA synchronous = FULL", err) < 0)
		return -1;
	return wb_db_exec(db, "BEGIN IMMEDIATE", err);
}

int wb_db_import_end(struct wb_db *db, bool keep, struct wb_error *err)
{
	struct wb_error ignored = WB_ERROR_INIT;

	if (keep && !wb_db_exec(db, "COMMIT", err))
		return 0;
	wb_db_exec(db, "ROLLBACK", &ignored);
	wb_error_clear(&ignored);
	return -1;
}

/* The round of that id, which is made when there is none. */
static int find_round(struct wb_db *db, const struct wb_db_record *r,
		      int64_t *row, struct wb_error *err)
{
	int64_t bench, machine, same = 0;
	int rc;

	if (wb_db_bench(db, r->bench, r->name, r->command, &bench, err) < 0 ||
	    wb_db_machine(db, r->machine, r->facts, &machine, err) < 0)
		return -1;
	rc = wb_db_first_int(db, wb_db_prepare(db, err, "SELECT row FROM round"
					       " WHERE id = ?", "t", r->round),
			     row, err);
	if (rc < 0)
		return -1;
	if (!rc) {
		if (wb_db_finish(db, wb_db_prepare(db, err, "INSERT INTO"
				" round(id, bench, machine, boot, seed, began,"
				" ended) VALUES(?, ?, ?, ?, ?, ?,"
				" nullif(?, -1))", "tiitiii", r->round, bench,
				machine, r->boot, (int64_t)r->seed, r->began,
				r->ended), err) < 0)
			return -1;
		*row = sqlite3_last_insert_rowid(db->sql);
		return 0;
	}
	if (wb_db_first_int(db, wb_db_prepare(db, err, "SELECT bench = ? AND"
			" machine = ? AND boot = ? AND seed = ? FROM round"
			" WHERE row = ?", "iitii", bench, machine, r->boot,
			(int64_t)r->seed, *row), &same, err) < 0)
		return -1;
	return same ? 0 : wb_fail(err, WB_E_FATAL, "round %.40s is stored as "
				  "one of another bench, machine or boot",
				  r->round);
}

/* Whether a stored run has the same numbers. */
static int check_same(struct wb_db *db, int64_t run,
		      const struct wb_db_record *r, struct wb_error *err)
{
	int64_t same = 0, n = 0;
	size_t i;

	if (wb_db_first_int(db, wb_db_prepare(db, err, "SELECT wall = ? AND"
			" reason IS ? AND time = ? AND (SELECT count(*) FROM"
			" sample WHERE run = run.row) = ? FROM run"
			" WHERE row = ?", "dtiii", r->run.wall, r->run.reason,
			r->run.time, (int64_t)r->run.nsamples, run), &same,
			err) < 0)
		return -1;
	for (i = 0; i < r->run.nsamples && same; i++) {
		if (wb_db_first_int(db, wb_db_prepare(db, err, "SELECT count(*)"
				" FROM sample JOIN metric ON metric.row ="
				" sample.metric WHERE run = ? AND name = ? AND"
				" unit = ? AND value = ?", "ittd", run,
				r->run.sample[i].metric, r->run.sample[i].unit,
				r->run.sample[i].value), &n, err) < 0)
			return -1;
		same = n > 0;
	}
	return same ? 0 : wb_fail(err, WB_E_FATAL, "run %d of round %.40s is "
				  "stored with other numbers; one of the two "
				  "is not what was measured", r->run.order,
				  r->round);
}

int wb_db_import(struct wb_db *db, const struct wb_db_record *r, bool *added,
		 struct wb_error *err)
{
	int64_t place = r->run.order, level = r->run.level, there = 0;
	int64_t control = r->run.control;
	struct wb_db_run run = r->run;
	int rc;

	*added = false;
	if (find_round(db, r, &run.round, err) < 0 ||
	    wb_db_build(db, r->build, r->tree, &run.build, err) < 0)
		return -1;
	rc = wb_db_first_int(db, wb_db_prepare(db, err, "SELECT row FROM run"
			" WHERE round = ? AND build = ? AND place = ? AND"
			" level = ? AND control = ?", "iiiii", run.round,
			run.build, place, level, control), &there, err);
	if (rc < 0)
		return -1;
	if (rc)
		return check_same(db, there, r, err);
	*added = true;
	return wb_db_insert_run(db, &run, err);
}

int wb_db_import_broken(struct wb_db *db, const char *build, const char *tree,
			const char *reason, struct wb_error *err)
{
	return wb_db_finish(db, wb_db_prepare(db, err, "INSERT OR IGNORE INTO"
			" build(id, tree, broken) VALUES(?, ?, ?)", "ttt",
			build, tree, reason), err);
}

int wb_db_import_toolchain(struct wb_db *db, const char *machine,
			   const char *facts, const char *plain,
			   const char *layouts, struct wb_error *err)
{
	int64_t row;

	if (wb_db_machine(db, machine, facts, &row, err) < 0)
		return -1;
	return wb_db_finish(db, wb_db_prepare(db, err, "INSERT OR IGNORE INTO"
			" toolchain(machine, plain, layouts) VALUES(?, ?, ?)",
			"itt", row, plain, layouts), err);
}
