/*
 * Processes that share an instance, and what is left to the others when one of
 * them is killed in a call.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpuset.h"
#include "process.h"
#include "slub.h"
#include "test-pa-fixture.h"

#define WATCHDOG_S	120	/* of a child, so that a hang is a failure */

/* What the processes of a test see together. */
struct common {
	struct pa *pa;
	struct pa_cache *cache;
	atomic_int reports, stop, ready;
	int bug, culprit;	/* of the first report */
};

static void note_bug(void *arg, enum pa_bug bug, struct page *page)
{
	struct common *c = arg;

	if (page || atomic_fetch_add(&c->reports, 1))
		return;
	c->bug = bug;
	c->culprit = pa_abandoned_by(c->pa);
}

static struct common *open_common(void)
{
	struct common *c = mmap(NULL, sizeof(*c), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct pa_cache_config cache = { .name = "shared", .size = 64 };

	assert_true(c != MAP_FAILED);
	c->pa = open_pa((struct pa_config){ .nodes = 2, .node_pages = 1024,
					    .shared = true, .bug = note_bug,
					    .arg = c });
	assert_int_equal(pa_cache_create(c->pa, &cache, &c->cache), 0);
	assert_int_equal(pa_abandoned_by(c->pa), 0);
	return c;
}

static void close_common(struct common *c)
{
	pa_set_cpu(-1);
	pa_close(c->pa);
	munmap(c, sizeof(*c));
}

static pid_t start(struct common *c, void (*run)(struct common *c))
{
	struct rlimit no_core = { 0 };
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	setrlimit(RLIMIT_CORE, &no_core);
	signal(SIGABRT, SIG_DFL);
	alarm(WATCHDOG_S);
	run(c);
	_exit(0);
}

static int end_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* Under valgrind, or before Linux 5.3: who was not waited for seems to live. */
static bool knows_the_unwaited(void)
{
	int fd = syscall(SYS_pidfd_open, getpid(), 0);

	if (fd < 0)
		fprintf(stderr, "# SKIPPED: no pidfd here, so no children that "
			"nobody has waited for\n");
	else
		close(fd);
	return fd >= 0;
}

/* ---- a holder that is killed, for each kind of lock ---- */

static void die_with(struct spinlock *lock)
{
	spin_lock(lock);
	raise(SIGKILL);
}

static void die_with_zone(struct common *c)
{
	die_with(&normal_zone(c->pa, 0)->lock);
}

static void die_with_lists(struct common *c)
{
	die_with(&normal_zone(c->pa, 0)->pageset[0].pcp.lock);
}

static void die_with_cpuset(struct common *c)
{
	die_with(&c->pa->cpuset_lock);
}

static void die_with_changing_cpuset(struct common *c)
{
	spin_lock(&c->pa->cpuset_lock);
	atomic_fetch_add(&c->pa->mems_allowed_seq, 1);
	raise(SIGKILL);
}

static void die_with_cpu_slab(struct common *c)
{
	die_with(&c->cache->cpu[0].lock);
}

static void die_with_partial_slabs(struct common *c)
{
	die_with(&c->cache->node[0].lock);
}

static void take_block(struct common *c)
{
	pa_alloc_pages(c->pa, PA_GFP_KERNEL, 5);
}

static void take_page(struct common *c)
{
	pa_alloc_pages(c->pa, PA_GFP_KERNEL, 0);
}

static void take_all_pages(struct common *c)
{
	while (pa_alloc_pages(c->pa, PA_GFP_KERNEL, 0))
		;
}

static void drain(struct common *c)
{
	pa_drain_all(c->pa);
}

static void confine(struct common *c)
{
	pa_set_mems_allowed(c->pa, 1);
}

static void shrink(struct common *c)
{
	pa_cache_shrink(c->cache);
}

static const struct {
	void (*die)(struct common *c), (*need)(struct common *c);
} kills[] = {
	{ die_with_zone, take_block },
	{ die_with_zone, drain },
	{ die_with_lists, take_page },
	{ die_with_lists, drain },
	{ die_with_cpuset, confine },
	{ die_with_changing_cpuset, take_all_pages },
	{ die_with_cpu_slab, shrink },
	{ die_with_partial_slabs, shrink },
};

/* Whoever needs the lock ends, and knows of whom it was. */
static void a_killed_holder_is_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(kills) / sizeof(kills[0]); i++) {
		struct common *c = open_common();
		pid_t holder = start(c, kills[i].die);

		assert_int_equal(end_of(holder), -SIGKILL);
		assert_int_equal(end_of(start(c, kills[i].need)), -SIGABRT);
		assert_int_equal(atomic_load(&c->reports), 1);
		assert_int_equal(c->bug, PA_BUG_ABANDONED);
		assert_int_equal(c->culprit, holder);
		close_common(c);
	}
}

/* The parent may be the one that waits for the lock, and not for the child. */
static void a_holder_nobody_waited_for_is_named(void **state)
{
	struct common *c;
	siginfo_t info;
	pid_t holder;

	(void)state;
	if (!knows_the_unwaited())
		return;
	c = open_common();
	holder = start(c, die_with_zone);
	assert_int_equal(waitid(P_PID, holder, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(end_of(start(c, take_block)), -SIGABRT);
	assert_int_equal(c->culprit, holder);
	assert_int_equal(end_of(holder), -SIGKILL);
	close_common(c);
}

/* ---- holders that live ---- */

static void hold_for_a_while(struct common *c)
{
	struct zone *zone = normal_zone(c->pa, 0);

	spin_lock(&zone->lock);
	atomic_store(&c->ready, 1);
	usleep(50000);
	spin_unlock(&zone->lock);
}

static void take_and_give(struct common *c)
{
	struct page *page = pa_alloc_pages(c->pa, PA_GFP_KERNEL, 5);

	if (!page)
		_exit(1);
	pa_free_pages(c->pa, page, 5);
}

static void a_holder_that_lives_is_waited_for(void **state)
{
	struct common *c = open_common();
	pid_t holder = start(c, hold_for_a_while);

	(void)state;
	while (!atomic_load(&c->ready))
		usleep(100);
	assert_int_equal(end_of(start(c, take_and_give)), 0);
	assert_int_equal(end_of(holder), 0);
	assert_int_equal(atomic_load(&c->reports), 0);
	assert_int_equal(pa_cache_destroy(c->cache), 0);
	assert_all_free(c->pa);
	close_common(c);
}

static void knows_who_is_there(void **state)
{
	struct common *c = open_common();
	pid_t child = start(c, drain);
	siginfo_t info;

	(void)state;
	assert_int_equal(this_process(), getpid());
	assert_false(pa_process_ended(getpid()));
	assert_false(pa_process_ended(getppid()));
	assert_int_equal(waitid(P_PID, child, &info, WEXITED | WNOWAIT), 0);
	if (knows_the_unwaited())
		assert_true(pa_process_ended(child));
	assert_int_equal(end_of(child), 0);
	assert_true(pa_process_ended(child));
	close_common(c);
}

/* ---- any process, any moment ---- */

#define WORKERS	6
#define ROUNDS	25

static void work(struct common *c)
{
	struct page *pages[64];
	void *object;

	atomic_fetch_add(&c->ready, 1);
	for (unsigned int i = 0; !atomic_load(&c->stop); i++) {
		unsigned int order = i % 5;
		size_t n = take_all(c->pa, PA_GFP_KERNEL, order, pages,
				    i % 64);

		object = pa_cache_alloc(c->cache, PA_GFP_KERNEL);
		free_all(c->pa, pages, n, order);
		pa_cache_free(c->cache, object);
	}
}

/* Nobody hangs: each goes on, or ends because of the one that was killed. */
static void nobody_hangs_when_one_is_killed(void **state)
{
	(void)state;
	srand(1);
	for (int round = 0; round < ROUNDS; round++) {
		struct common *c = open_common();
		pid_t worker[WORKERS];
		int aborted = 0;

		for (int i = 0; i < WORKERS; i++)
			worker[i] = start(c, work);
		while (atomic_load(&c->ready) < WORKERS)
			usleep(100);
		usleep(rand() % 3000);
		kill(worker[0], SIGKILL);
		assert_int_equal(end_of(worker[0]), -SIGKILL);
		usleep(2000);
		atomic_store(&c->stop, 1);
		for (int i = 1; i < WORKERS; i++) {
			int end = end_of(worker[i]);

			assert_true(end == 0 || end == -SIGABRT);
			aborted += end == -SIGABRT;
		}
		assert_int_equal(atomic_load(&c->reports), aborted);
		if (aborted)
			assert_int_equal(c->bug, PA_BUG_ABANDONED);
		close_common(c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_who_is_there),
		cmocka_unit_test(a_killed_holder_is_named),
		cmocka_unit_test(a_holder_nobody_waited_for_is_named),
		cmocka_unit_test(a_holder_that_lives_is_waited_for),
		cmocka_unit_test(nobody_hangs_when_one_is_killed),
	};

	return cmocka_run_group_tests_name("pa-process", tests, NULL, NULL);
}
