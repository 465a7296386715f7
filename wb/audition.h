#ifndef WB_AUDITION_H
#define WB_AUDITION_H

#include "config.h"
#include "error.h"
#include "git.h"
#include "sample.h"

#include <stdbool.h>

/*
 * One try of a build and a bench, and what each reader makes of the output.
 *
 * HEAD is built as wb run will build it, in the cache and under the limits of
 * the configuration, so that the try is no waste. Then the bench runs once, and
 * every reader that reads output gets the whole of it, without help from the
 * configuration: what it says of unit and direction is what the format says.
 * Once more it is asked slice by slice, which shows at the first answer.
 */
struct wb_hearing {
	enum wb_reader reader;
	struct wb_reading reading;
	char *reason;		/* why it cannot read it; NULL: it can */
};

struct wb_audition {
	double build_seconds, bench_seconds;
	bool cached;		/* it was built before */
	char *broken;		/* why there was nothing to hear, or NULL */
	struct wb_buf output;	/* of the bench */
	struct wb_hearing hearing[WB_READERS];	/* the best guess first */
	size_t n;
	/*
	 * How many of these, from the first, are of formats that other text is
	 * not taken for. Behind them come those that take almost anything.
	 */
	size_t nsure;
};

/*
 * The build of config and its first bench. A build or bench that fails is an
 * outcome (.broken). To be cleared in any case.
 */
int wb_audition(struct wb_audition *a, struct wb_git *git,
		const struct wb_config *config, int interrupt_fd,
		struct wb_error *err);
void wb_audition_clear(struct wb_audition *a);

/* What a reader made of it; NULL for one that was not tried. */
const struct wb_hearing *wb_audition_of(const struct wb_audition *a,
					enum wb_reader reader);

#endif
