#ifndef WB_STOP_H
#define WB_STOP_H

#include "table.h"

/*
 * Whether to go on measuring, and what: a judged table in, rounds out. Pure.
 *
 * Each judged comparison is in one of three states:
 *
 *	known		its verdict is settled (settle.h), or more rounds
 *			cannot change it: exact counts, one build
 *	open		the next look may settle it
 *	hopeless	it has as many rounds as are allowed, or it would
 *			probably take more than twice as many (which is not
 *			believed before four times the first rounds)
 *
 * A run that measures what is open until nothing is, ends at the last verdict
 * that can be had. Levels by emulation are not asked about: timing tells
 * nothing of them.
 */
enum wb_stop_state { WB_STOP_KNOWN, WB_STOP_OPEN, WB_STOP_HOPELESS };

struct wb_stop_rule {
	size_t first;		/* rounds before the first look */
	size_t limit;		/* rounds after which there is no other */
};

struct wb_stop_row {
	enum wb_stop_state state;
	size_t next;		/* rounds at the next look; 0 when not open */
	/* rounds until it is settled, forecast; 0: known, or no forecast */
	size_t expected;
};

/* State of a row of the table. */
struct wb_stop_row wb_stop_judge(const struct wb_table *t,
				 const struct wb_row *row,
				 const struct wb_stop_rule *rule);

/*
 * All rows, by bench of the result set and column: what the comparison of the
 * column with the one before it wants, the most demanding metric deciding.
 */
struct wb_stop {
	size_t ncolumns;
	size_t *next, *expected;	/* [bench * ncolumns + column] */
	size_t known, open, hopeless;	/* comparisons; broken ones are none */
	bool blind;		/* some forecast has nothing to go by */
};

/* The table compares each column with the one before it. */
void wb_stop_init(struct wb_stop *s, const struct wb_table *t,
		  const struct wb_stop_rule *rule);
void wb_stop_clear(struct wb_stop *s);

#endif
