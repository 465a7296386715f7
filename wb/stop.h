#ifndef WB_STOP_H
#define WB_STOP_H

#include "settle.h"
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
	struct wb_settle_span span;	/* the same as a range */
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
	size_t *low, *high;		/* of what is expected, as a range */
	size_t known, open, hopeless;	/* comparisons; broken ones are none */
	bool blind;		/* some forecast has nothing to go by */
};

/*
 * Whether so few are open that the errors of their forecasts do not cancel:
 * by simulation the number is within a factor of 2 in 70 to 78 % of the cases
 * with 1 or 2 patches, in 80 to 93 % with 5, in 89 to 100 % with 12. Then the
 * range is what there is to tell.
 */
bool wb_stop_is_few(const struct wb_stop *s);

/* The table compares each column with the one before it. */
void wb_stop_init(struct wb_stop *s, const struct wb_table *t,
		  const struct wb_stop_rule *rule);
void wb_stop_clear(struct wb_stop *s);

#endif
