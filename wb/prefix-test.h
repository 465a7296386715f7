#ifndef WB_PREFIX_TEST_H
#define WB_PREFIX_TEST_H

#include "build.h"
#include "plan.h"
#include "proc.h"

/*
 * wb-build.test on single prefixes: the command runs in the prefix's files
 * alone, in a folder that is made anew for each, in the sandbox that builds run
 * in. WB_TEST names one test, WB_SKIP some to be left out.
 */
struct wb_prefix_test {
	const struct wb_plan *plan;
	struct wb_git *git;
	struct wb_build place;	/* where prefixes are tested */
	char *cache;		/* for logs */
	int interrupt_fd;
};

/* plan, git and the descriptor are borrowed. Closes what a failure left. */
int wb_prefix_test_open(struct wb_prefix_test *t, const struct wb_plan *plan,
			struct wb_git *git, int interrupt_fd,
			struct wb_error *err);
void wb_prefix_test_close(struct wb_prefix_test *t);

/* The files of prefix k; what was tested before is gone. */
int wb_prefix_test_lay_out(struct wb_prefix_test *t, size_t k,
			   struct wb_error *err);

/* res is to be cleared also after a failure. */
int wb_prefix_test_run(struct wb_prefix_test *t, size_t k, const char *test,
		       const char *skip, struct wb_proc_result *res,
		       struct wb_error *err);

bool wb_prefix_test_passed(const struct wb_proc_result *res);
/*
 * The line that says what failed, else the last one, with how the test ended
 * and where its output is kept; malloc'ed.
 */
char *wb_prefix_test_reason(const struct wb_prefix_test *t, size_t k,
			    const struct wb_proc_result *res);
/* Keeps what was printed; the path, or why it was not kept; malloc'ed. */
char *wb_prefix_test_log(const struct wb_prefix_test *t, size_t k,
			 const struct wb_proc_result *res);

#endif
