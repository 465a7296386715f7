#ifndef WB_REPORT_LOAD_H
#define WB_REPORT_LOAD_H

#include "config.h"
#include "error.h"
#include "git.h"
#include "plan.h"
#include "result.h"
#include "series.h"

/*
 * Where a report gets its results from: the store, or a file.
 */

/*
 * A file of sample lines, or an HTML report. Every bench of a file is judged
 * as its configuration says, if that knows its metrics: the file may come from
 * elsewhere, and its bench by chance have the name of one of this repository.
 */
int wb_report_load_file(const struct wb_config *c, const char *path,
			struct wb_result *r, struct wb_error *err);

/* What the store knows of a stack. */
int wb_report_load_store(struct wb_git *g, const struct wb_config *c,
			 const struct wb_source *from, const char *machine,
			 struct wb_result *r, struct wb_error *err);

/* The same, with the plan behind it; to be cleared in any case. */
int wb_report_load_plan(struct wb_git *g, const struct wb_config *c,
			const struct wb_source *from, const char *machine,
			struct wb_plan *p, struct wb_result *r,
			struct wb_error *err);

/*
 * Whose samples a report shows, for only like is compared with like: those of
 * the machine whose id begins with word; NULL: this machine's, and when it has
 * none, the only other one's that measured the stack. Several are WB_E_JUDGE.
 *
 * Builds are looked for as this machine makes them, and when there is nothing
 * of them, as the toolchains of imported samples do: the same inputs, by the
 * same command. All samples of a report are of one toolchain.
 */
int wb_report_choose_machine(struct wb_plan *p, struct wb_git *g,
			     struct wb_db *db, const char *word,
			     struct wb_error *err);

/* The store brought up to date, to copy from; none is WB_E_JUDGE. */
int wb_report_open_store(struct wb_git *g, struct wb_db **db,
			 struct wb_error *err);

/*
 * A glob that nothing matches would give an empty report and no word why; NULL
 * matches all. Of a bench that was never measured nobody knows the metrics.
 */
int wb_report_check_globs(const struct wb_result *r, const char *bench,
			  const char *metric, struct wb_error *err);

#endif
