#include "expect.h"
#include "git-config.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int take(struct wb_expect *x, const struct wb_config_entry *e,
		struct wb_error *err)
{
	static const char section[] = "expect.";
	const char *name = e->key + strlen(section);
	const char *dot = strrchr(e->key, '.');
	bool fixes = !strcmp(dot, ".fixes"), costs = !strcmp(dot, ".costs");
	size_t n = (size_t)(dot - name);

	if (!wb_str_starts(e->key, section) || dot < name ||
	    (!fixes && !costs && strcmp(dot, ".breaks")) || !e->value ||
	    !*e->value)
		return wb_fail(err, WB_E_FATAL, "%s: %s: only [expect "
			       "\"PATCH\"] with fixes = TEST, breaks = TEST "
			       "and costs = METRIC", e->origin, e->key);
	if (n > 6 && !memcmp(name + n - 6, ".patch", 6))
		n -= 6;
	if (costs) {
		x->cost = wb_grow(x->cost, x->ncosts, &x->cost_cap,
				  sizeof(*x->cost));
		x->cost[x->ncosts++] = (struct wb_expected_cost){
			wb_xstrndup(name, n), wb_xstrdup(e->value),
		};
		return 0;
	}
	x->v = wb_grow(x->v, x->n, &x->cap, sizeof(*x->v));
	x->v[x->n++] = (struct wb_expectation){
		.patch = wb_xstrndup(name, n), .test = wb_xstrdup(e->value),
		.fixes = fixes,
	};
	return 0;
}

int wb_expect_read(struct wb_expect *x, const char *dir, const char *shown,
		   struct wb_error *err)
{
	char *path = wb_xasprintf("%s/expect", dir);
	char *name = wb_xasprintf("%s/expect", shown);
	struct wb_config c;
	size_t i;
	int ret = 0;

	memset(x, 0, sizeof(*x));
	wb_config_init(&c);
	if (access(path, F_OK) == 0)
		ret = wb_git_config_file(&c, path, name, err);
	for (i = 0; ret == 0 && i < c.nentries; i++)
		ret = take(x, &c.entry[i], err);
	wb_config_clear(&c);
	free(name);
	free(path);
	return ret;
}

void wb_expect_clear(struct wb_expect *x)
{
	size_t i;

	for (i = 0; i < x->n; i++) {
		free(x->v[i].patch);
		free(x->v[i].test);
	}
	for (i = 0; i < x->ncosts; i++) {
		free(x->cost[i].patch);
		free(x->cost[i].metric);
	}
	free(x->cost);
	free(x->v);
	memset(x, 0, sizeof(*x));
}

bool wb_expect_fails(const struct wb_expect *x, const char *test, size_t k)
{
	long state = -1;	/* the last prefix that said something */
	bool fails = false;
	size_t i;

	for (i = 0; i < x->n; i++) {
		if (strcmp(x->v[i].test, test) || x->v[i].index > k ||
		    (long)x->v[i].index < state)
			continue;
		state = (long)x->v[i].index;
		fails = !x->v[i].fixes;
	}
	return fails;
}

bool wb_expect_costs(const struct wb_expect *x, const char *patch,
		     const char *metric)
{
	size_t i;

	for (i = 0; i < x->ncosts; i++)
		if (!strcmp(x->cost[i].patch, patch) &&
		    !fnmatch(x->cost[i].metric, metric, 0))
			return true;
	return false;
}

void wb_expect_skip(const struct wb_expect *x, size_t k, struct wb_buf *out)
{
	size_t i;

	for (i = 0; i < x->n; i++)
		if (wb_expect_fails(x, x->v[i].test, k))
			wb_buf_addf(out, "%s%s", out->len ? " " : "",
				    x->v[i].test);
}
