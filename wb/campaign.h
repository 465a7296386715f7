#ifndef WB_CAMPAIGN_H
#define WB_CAMPAIGN_H

#include "mishap.h"
#include "progress.h"
#include "run.h"
#include "subjects.h"

/*
 * What one call of wb_run() works on, shared by its parts: building
 * (campaign.c), the rounds of a bench (rounds.c), and what is measured when
 * (run.c).
 */
struct wb_campaign {
	const struct wb_plan *p;
	struct wb_git *g;
	struct wb_db *db;
	const struct wb_run_options *o;
	struct wb_subjects subjects;
	struct wb_progress progress;
	bool fifo;
	double rest;		/* seconds after each of a fifo run */
	struct wb_machine aside;	/* CPUs of wb.cpuset; none: all */
	bool sampled;		/* profiles by perf */
	bool out_of_time;
	double began;
	int64_t machine;
	uint64_t seed;
	size_t env_size;	/* shared by all trials */
	double expected;	/* when all will be known; 0: not forecast */
	struct wb_mishap_watch watch;
	bool *dead;		/* [bench][subject]: failed too often to time */
	/*
	 * [bench][counting]: rounds begun. The stages of a call go on where
	 * the one before ended, or they would draw its orders and seeds again.
	 */
	unsigned (*nth)[2];
};

/* Whether `next` seconds more would be too many; remembers it. */
bool wb_campaign_over_budget(struct wb_campaign *c, double next);

/*
 * Builds what some comparison needs. What does not build is remembered and
 * left out; -1 only when wb must stop.
 */
int wb_campaign_build(struct wb_campaign *c, struct wb_error *err);

#endif
