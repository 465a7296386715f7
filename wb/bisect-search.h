#ifndef WB_BISECT_SEARCH_H
#define WB_BISECT_SEARCH_H

#include "bisect-session.h"

/*
 * The searches of a command: a session for each bench, each with its journal
 * in the common git folder, and sessions within, for what merges brought in.
 *
 * A range is searched along its first parents, where a merge is one step. When
 * it is a merge that moved the number, the merged side is searched as well,
 * from where it left on: that is the range M^1..M^2. What is found there is
 * the answer; when nothing is, the merge itself is, for two changes may do
 * together what neither does alone. With full_history all commits are searched
 * at once.
 */
struct wb_bisect_search {
	struct wb_git *git;
	struct wb_db *db;
	const struct wb_config *config;
	bool quiet;
	int interrupt_fd;
	const char *metric, *level;	/* as named; or NULL */
	char **path;		/* only patches that touch one of them */
	size_t npaths;
	double alpha, belief, budget;
	double min_effect;	/* ratio; -1: what suits the kind of run */
	int grid;
	bool strict;
	bool profile;		/* and the functions that each change moved */
	bool full_history;	/* a history with merges, not a line */
};

/* .../wb/bisect; malloc'ed. */
char *wb_bisect_dir(const struct wb_git *g);

/*
 * Searches the plan by bench number i. s is zeroed by the caller, and to be
 * cleared.
 */
int wb_bisect_search(const struct wb_bisect_search *w, const struct wb_plan *p,
		     size_t i, struct wb_bisect_session *s,
		     struct wb_error *err);

/*
 * Plays back what a file holds from byte *at on: one search and those within
 * it; *at is then behind them. A search that is not over is no failure of
 * this; *over says so.
 */
int wb_bisect_play_back(struct wb_bisect_session *s, const char *file,
			size_t *at, bool *over, struct wb_error *err);

/*
 * The n-th search of what a change of c, a merge, brought in; NULL: no more.
 * What they found is the answer then, and the merge itself where they found
 * nothing.
 */
const struct wb_bisect_session *
wb_bisect_side(const struct wb_bisect_session *s,
	       const struct wb_bisect_outcome *c,
	       const struct wb_bisect_suspect *p, size_t n);

#endif
