#include "check.h"
#include "buf.h"
#include "path.h"
#include "room.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIMIT (1u << 20)

static void write_file(const char *dir, const char *name, size_t n)
{
	char *path = wb_xasprintf("%s/%s", dir, name);
	char *data = wb_xcalloc(1, n);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, n), n);
	assert_int_equal(fsync(fd), 0);
	close(fd);
	free(data);
	free(path);
}

/* As if the period were over, and all of the disk had gone since. */
static bool look(struct wb_room *r, const char *dir, uint64_t limit)
{
	r->next = 1;
	r->free = UINT64_MAX;
	r->first = 0;
	return wb_room_full(r, dir, limit);
}

/* As if its files were all that had gone. */
static bool look_at_names(struct wb_room *r, const char *dir, uint64_t limit)
{
	r->next = 1;
	r->free = r->first = 0;
	r->files = UINT64_MAX;
	return wb_room_full(r, dir, limit);
}

/* A file without a byte is a file. */
static void test_names(void **state)
{
	struct wb_error err = WB_ERROR_INIT;
	char dir[] = "/tmp/wb-test-room-XXXXXX", name[16];
	struct wb_room r = { .next = 0 };
	int i;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_false(wb_room_full(&r, dir, LIMIT));
	for (i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "%d", i);
		write_file(dir, name, 0);
	}
	assert_false(look_at_names(&r, dir, LIMIT));
	/* looked at, and not again before more of them have gone */
	assert_true(r.files < UINT64_MAX);
	for (; i < 300; i++) {
		snprintf(name, sizeof(name), "%d", i);
		write_file(dir, name, 0);
	}
	r.next = 1;
	r.free = r.first = 0;
	r.files = 0;
	assert_false(wb_room_full(&r, dir, LIMIT));
	assert_true(look_at_names(&r, dir, LIMIT));
	assert_int_equal(wb_path_remove(dir, &err), 0);
}

static void test_room(void **state)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_room r = { .next = 0 };
	char dir[] = "/tmp/wb-test-room-XXXXXX";
	char *sub, *link;

	(void)state;
	assert_non_null(mkdtemp(dir));
	sub = wb_xasprintf("%s/sub", dir);
	assert_int_equal(wb_path_make(sub, &err), 0);
	/* the first look remembers what was free */
	assert_false(wb_room_full(&r, dir, LIMIT));
	assert_true(r.free > 0);
	assert_true(r.first == r.free);
	write_file(dir, "half", LIMIT / 2);
	assert_false(look(&r, dir, LIMIT));
	/* folders below count, and what links lead to does not */
	link = wb_xasprintf("%s/link", dir);
	assert_int_equal(symlink("/usr", link), 0);
	assert_false(look(&r, dir, LIMIT));
	write_file(sub, "other", LIMIT * 3 / 4);
	assert_true(look(&r, dir, LIMIT));
	/* no sooner than after a period, and never without a limit */
	assert_false(wb_room_full(&r, dir, LIMIT));
	assert_false(look(&r, dir, 0));
	assert_false(look(&r, dir, 2 * LIMIT));
	/* what is not seen in the folder, and yet has gone */
	r.next = 1;
	r.free = r.first = UINT64_MAX;
	assert_true(wb_room_full(&r, dir, 2 * LIMIT));
	/* little has gone: the files are not added up */
	r.next = 1;
	r.free = r.first = 0;
	assert_false(wb_room_full(&r, dir, LIMIT));
	assert_int_equal(wb_path_remove(dir, &err), 0);
	free(sub);
	free(link);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
