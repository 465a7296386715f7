#include "check.h"
#include "cpuset.h"
#include "path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The files of a control group, by version: a made-up folder is as good as a
 * kernel's, so the version that this machine has not is tried too.
 */
static void put(const char *dir, const char *name, const char *text)
{
	struct wb_error err = WB_ERROR_INIT;
	char *path;

	if (!text)
		return;
	path = wb_xasprintf("%s/%s", dir, name);
	assert_int_equal(wb_path_write(path, text, strlen(text), &err), 0);
	free(path);
}

static void cpus_text(const struct wb_machine *m, struct wb_buf *out)
{
	size_t i;

	wb_buf_reset(out);
	for (i = 0; i < m->ncpus; i++)
		wb_buf_addf(out, "%s%d", i ? " " : "", m->cpu[i]);
}

static void test_versions(void **state)
{
	static const struct {
		const char *cpus, *effective, *want;	/* NULL: it fails */
	} row[] = {
		/* version 1 */
		{ "0-3,8\n", NULL, "0 1 2 3 8" },
		{ "5\n", NULL, "5" },
		/* version 2: asked for four, given two; asked for none */
		{ "0-3\n", "1,3\n", "1 3" },
		{ "\n", "0-1\n", "0 1" },
		/* given none: those asked for are not there to run on */
		{ "0-3\n", "\n", NULL },
		{ "\n", NULL, NULL }, { NULL, NULL, NULL },
		{ "rubbish\n", NULL, NULL }, { "3-1\n", NULL, NULL },
		{ "-4\n", NULL, NULL },
	};
	struct wb_buf got = WB_BUF_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		char dir[] = "/tmp/wb-cpuset.XXXXXX";
		struct wb_error err = WB_ERROR_INIT;
		struct wb_machine m;
		int rc;

		assert_non_null(mkdtemp(dir));
		put(dir, "cgroup.procs", "");
		put(dir, "cpuset.cpus", row[i].cpus);
		put(dir, "cpuset.cpus.effective", row[i].effective);
		rc = wb_cpuset_read(dir, &m, &err);
		cpus_text(&m, &got);
		if (row[i].want) {
			assert_int_equal(rc, 0);
			assert_string_equal(got.ptr, row[i].want);
		} else {
			assert_int_equal(rc, -1);
			assert_non_null(strstr(err.msg, "has no CPU"));
		}
		wb_machine_clear(&m);
		wb_error_clear(&err);
		assert_int_equal(wb_path_remove(dir, &err), 0);
	}
	wb_buf_clear(&got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_versions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
