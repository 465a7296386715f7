#ifndef WB_FORMAT_PARTS_H
#define WB_FORMAT_PARTS_H

#include "format.h"
#include "text.h"

/*
 * What the formats share: which part of the table is shown, and how names and
 * numbers are written. Not for use outside of format*.c.
 */

/* The metrics and columns of one bench that are shown, in order. */
struct wb_view {
	const struct wb_table *t;
	const char *bench;
	size_t *metric, nmetrics;
	size_t *column, ncolumns;
	size_t judged, hidden;	/* of the bench: judged; neither nor shown */
	bool measured;
};

/*
 * The view of the bench that metric *next belongs to; *next becomes the first
 * metric of the bench after it, the number of metrics at the end. all: metrics
 * that are not judged are shown too. A view without metrics is to be skipped;
 * measured tells of one whether it has a sample.
 */
void wb_view_init(struct wb_view *v, const struct wb_table *t,
		  const struct wb_format_options *o, bool all, size_t *next);
void wb_view_clear(struct wb_view *v);

/*
 * The next bench from *i on that is chosen and has no sample at all, NULL at
 * the end; *i moves behind it. reason: the hole that says why, if there is one.
 */
const char *wb_view_unmeasured(const struct wb_table *t,
			       const struct wb_format_options *o, size_t *i,
			       const struct wb_hole **reason);

/* "level S (clock)": the letter that results are stored under, and what it
 * says; NULL: not known. */
const char *wb_level_text(const struct wb_metric *m);

/*
 * What the interval of a change, and the test of it, come from: "rounds" (t on
 * the log ratios of rounds), "welch" (no rounds; Welch's t on logs), "exact"
 * (numbers that repeat); NULL: there is none.
 */
const char *wb_method_word(const struct wb_row *row);

/*
 * A value with at least 4 digits that count, "-" when unknown; and the decimals
 * that this takes, -1 for a value that needs an exponent.
 */
void wb_value_add(struct wb_buf *out, double value, double tick);
int wb_value_decimals(double value, double tick);

/*
 * "+1.2%": as many decimals as half the interval deserves, but no more than a
 * hundredth of the margin does (ratios all). An exact change gets two digits
 * that count.
 */
int wb_percent_decimals(double change, double low, double high, double margin);
int wb_percent_exact(double change);
void wb_percent_add(struct wb_buf *out, double ratio, int decimals);
/* "[-0.3,+1.2]", behind a change that has said what the numbers are. */
void wb_interval_add(struct wb_buf *out, double low, double high, int decimals);

/* One format each. */
void wb_format_mmtests(const struct wb_table *t,
		       const struct wb_format_options *o, struct wb_buf *out);
void wb_format_csv(const struct wb_table *t, const struct wb_format_options *o,
		   struct wb_buf *out);
void wb_format_json(const struct wb_table *t, const struct wb_format_options *o,
		    struct wb_buf *out);
void wb_format_html(const struct wb_table *t, const struct wb_format_options *o,
		    struct wb_buf *out);
/* terminal, plain, markdown */
void wb_format_text(const struct wb_table *t, const struct wb_format_options *o,
		    struct wb_buf *out);
void wb_format_delta(const struct wb_table *t,
		     const struct wb_format_options *o, struct wb_buf *out);
void wb_format_lkp_list(const struct wb_table *t,
			const struct wb_format_options *o, struct wb_buf *out);
void wb_format_lkp(const struct wb_table *t, const struct wb_format_options *o,
		   struct wb_buf *out);
void wb_format_benchstat(const struct wb_table *t,
			 const struct wb_format_options *o, struct wb_buf *out);

#endif
