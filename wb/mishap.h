#ifndef WB_MISHAP_H
#define WB_MISHAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What befell the machine while a round ran, by clocks and counters that are
 * read before it and after it:
 *
 *	suspend	CLOCK_BOOTTIME went on where CLOCK_MONOTONIC stood still, by
 *		0.1 s or more: the machine slept
 *	clock	the time of day left CLOCK_BOOTTIME by 0.1 s or more, beside
 *		the 500 ppm by which NTP may slew it: it was set
 *	steal	the host gave the round's CPUs to others for more than 2 % of
 *		the round (/proc/stat; for certain, that is a tick less than
 *		was read)
 *
 * Such a round is discarded as a whole, whatever its numbers are, so that one
 * rule holds for all builds and none is favoured. It stays in the store, and
 * reports count and name it.
 *
 * Four rounds in a row, and it is how this machine is, and no mishap: from then
 * on rounds count all the same, until one passes without. Reports name those as
 * well.
 */
enum wb_mishap {
	WB_MISHAP_NONE, WB_MISHAP_SUSPEND, WB_MISHAP_CLOCK, WB_MISHAP_STEAL,
	WB_MISHAPS,
};

struct wb_moment {
	double monotonic, boot, real;	/* seconds by the three clocks */
	int64_t steal;		/* ticks of the CPUs asked for; -1: not known */
};

/* Pure: ticks is how many there are in a second; size what was lost. */
enum wb_mishap wb_mishap_between(const struct wb_moment *before,
				 const struct wb_moment *after, size_t ncpus,
				 long ticks, double *size);

/* Rounds of a campaign, one at a time; starts as zeroes. */
struct wb_mishap_watch {
	struct wb_moment began;
	unsigned in_a_row;	/* rounds with a mishap, of whatever kind */
};

#define WB_MISHAP_ROW 4

struct wb_mishap_end {
	enum wb_mishap what;
	bool discarded;		/* else the round counts all the same */
	bool news;		/* discarded, or the first one that is not */
	char why[80];		/* "the machine slept for 3600 s" */
};

void wb_mishap_begin(struct wb_mishap_watch *w, const int *cpu, size_t ncpus);
void wb_mishap_end(struct wb_mishap_watch *w, const int *cpu, size_t ncpus,
		   struct wb_mishap_end *end);

/* "suspend", "clock", "steal": as it is stored and told; "" for NONE. */
const char *wb_mishap_word(enum wb_mishap m);
/* What the word means: "the machine slept". One that is not known: itself. */
const char *wb_mishap_meaning(const char *word);

#endif
