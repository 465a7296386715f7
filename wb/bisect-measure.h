#ifndef WB_BISECT_MEASURE_H
#define WB_BISECT_MEASURE_H

#include "bisect-block.h"
#include "bisect-line.h"
#include "count.h"
#include "git.h"
#include "mishap.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Builds and runs positions of a line for a search, one bench at a time:
 * pinned, in the order asked for, as wb run does it, and into the same store,
 * where a block is a round. What was measured for a search is so there for a
 * report, and the other way round.
 */
struct wb_bisect_bench {
	const struct wb_bisect_line *line;
	struct wb_git *git;
	struct wb_db *db;
	const struct wb_plan_bench *bench;
	bool counting;		/* instructions, under callgrind */
	int interrupt_fd;

	struct wb_count_how how;
	bool probed;		/* how is known */
	bool fifo;
	int *cpu;
	size_t env_size;
	int64_t machine, row;	/* in the store */
	uint64_t seed;		/* of what is run next */
	struct wb_mishap_watch watch;	/* starts as zeroes */
};

int wb_bisect_bench_open(struct wb_bisect_bench *b, struct wb_error *err);
void wb_bisect_bench_clear(struct wb_bisect_bench *b);

/*
 * All layouts of a position. 0: built; 1: it does not build, *why (malloc'ed)
 * says so; -1: wb must stop.
 */
int wb_bisect_bench_build(struct wb_bisect_bench *b, int at, double *seconds,
			  char **why, struct wb_error *err);

/*
 * Runs at[0..n-1] in this order; of a prefix that is built in several layouts
 * layout[i] says which. A run that fails is repeated once with its block. 0;
 * 1: position *hole does not run, *why says so; -1: wb must stop.
 *
 * seed names the block: one that the store holds already, because wb was killed
 * before it could take note of it, is taken from there.
 */
int wb_bisect_bench_run(struct wb_bisect_bench *b, const int *at,
			const size_t *layout, size_t n, uint64_t seed,
			struct wb_bisect_block *out, int *hole, char **why,
			struct wb_error *err);

/*
 * One run of two positions under callgrind, for the shares of all functions
 * (inclusive.h). Not kept in the store. -1 also when there is no callgrind, or
 * the bench fails in it (WB_E_JUDGE). out holds two, to be cleared in any case.
 */
struct wb_trial_result;
int wb_bisect_bench_profile(struct wb_bisect_bench *b, int below, int at,
			    struct wb_trial_result *out, struct wb_error *err);

#endif
