#ifndef WB_EXPECT_H
#define WB_EXPECT_H

#include "buf.h"
#include "error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The file "expect" of a quilt folder, in git's configuration syntax: what
 * tests say of single patches.
 *
 *	[expect "my-fix"]
 *		fixes = test-queue:drains_when_full
 *	[expect "base"]
 *		breaks = test-queue:drains_when_full
 *
 * fixes: the test fails on the prefix before the patch and passes on it.
 * breaks: it fails from this prefix on, until a later patch fixes it; such a
 * test is left out when a prefix is tested as a whole, and must fail alone.
 *
 * And what is known of numbers: "costs = METRIC", a glob, of a patch that has
 * to be slower there. A gate tells such a loss, and lets it pass.
 */
struct wb_expectation {
	char *patch, *test;
	int fixes;		/* else breaks */
	size_t index;		/* of the prefix; filled by who knows it */
};

struct wb_expected_cost {
	char *patch, *metric;
};

struct wb_expect {
	struct wb_expectation *v;
	size_t n, cap;
	struct wb_expected_cost *cost;
	size_t ncosts, cost_cap;
};

/* A missing file is an empty one. */
int wb_expect_read(struct wb_expect *x, const char *dir, const char *shown,
		   struct wb_error *err);
void wb_expect_clear(struct wb_expect *x);

/* Whether the test is known to fail on prefix k, by the indexes. */
bool wb_expect_fails(const struct wb_expect *x, const char *test, size_t k);
bool wb_expect_costs(const struct wb_expect *x, const char *patch,
		     const char *metric);
/* The tests that are, with blanks between, as WB_SKIP takes them. */
void wb_expect_skip(const struct wb_expect *x, size_t k, struct wb_buf *out);

#endif
