#ifndef WB_BISECT_KNOWN_H
#define WB_BISECT_KNOWN_H

#include "belief.h"
#include "bisect-measure.h"
#include "json.h"

/*
 * What the store holds of a line already: rounds in which at least two of its
 * positions ran, as blocks. They are written into the journal when a search
 * begins, for the store goes on growing.
 */

/* [{"at":[...],"y":[...]},...], y being ln of the value. */
int wb_bisect_known(const struct wb_bisect_bench *b, const char *metric,
		    enum wb_level level, struct wb_json **out,
		    struct wb_error *err);

/* To blocks; what names no position below n is left out. */
size_t wb_bisect_known_read(const struct wb_json *v, int n,
			    struct wb_belief_block **out);
void wb_bisect_known_free(struct wb_belief_block *block, size_t n);

#endif
