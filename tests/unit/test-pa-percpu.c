/*
 * Which CPU a thread acts on, with and without rseq, and threads at once.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#define HAVE_RSEQ 1
#endif

#include "percpu.h"
#include "test-pa-fixture.h"

#define WITHOUT_RSEQ	"GLIBC_TUNABLES=glibc.pthread.rseq=0"

static void a_wish_comes_first(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .cpus = 4 });

	(void)state;
	for (int cpu = 0; cpu < 4; cpu++) {
		pa_set_cpu(cpu);
		assert_int_equal(pa_cpu(pa), cpu);
	}
	pa_set_cpu(-1);
	assert_in_range(pa_cpu(pa), 0, 3);
	close_clean(pa);
}

/* Fewer CPUs than the machine has, or a wish out of range: still in range. */
static void is_always_in_range(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .cpus = 1 });

	(void)state;
	for (int cpu = -1; cpu < 300; cpu++) {
		pa_set_cpu(cpu);
		assert_int_equal(pa_cpu(pa), 0);
	}
	close_clean(pa);
}

static void follows_the_scheduler(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .cpus = 1024 });
	cpu_set_t all, one;

	(void)state;
	pa_set_cpu(-1);
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &all))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
		assert_int_equal(pa_cpu(pa), cpu);
	}
	sched_setaffinity(0, sizeof(all), &all);
	close_clean(pa);
}

/* Turns over what fills and empties all lists of a CPU a few times. */
static bool turn_over(struct pa *pa)
{
	static struct page *pages[600];
	size_t n;

	for (int i = 0; i < 5; i++) {
		n = take_all(pa, PA_GFP_KERNEL, 0, pages, 600);
		for (size_t k = 0; k < n; k++) {
			if (pages[k]->refcount != 1)
				return false;
		}
		free_all(pa, pages, n, 0);
		if (n < 600)
			return false;
	}
	return true;
}

/* Takes the registration of the calling thread back; false: there was none. */
static bool unregister_rseq(void)
{
#if HAVE_RSEQ
	/* sizes that C libraries register, first the one that this one says */
	unsigned int sizes[] = { __rseq_size, 32, 64 };
	char *area = (char *)__builtin_thread_pointer() + __rseq_offset;

	for (int i = 0; i < 3 && __rseq_size; i++) {
		if (!syscall(SYS_rseq, area, sizes[i], RSEQ_FLAG_UNREGISTER,
			     RSEQ_SIG))
			return true;
	}
#endif
	return false;
}

static void *lose_registration(void *arg)
{
	struct pa *pa = arg;
	bool good = turn_over(pa);
	bool had = pa_rseq_cpu() >= 0;

	if (unregister_rseq() != had)
		return "the registration could not be taken back";
	if (pa_rseq_cpu() >= 0)
		return "there is a registration still";
	for (int cpu = 0; cpu < 2; cpu++) {
		cpu_set_t one;

		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (!sched_setaffinity(0, sizeof(one), &one) &&
		    (int)pa_cpu(pa) != sched_getcpu())
			return "not the CPU that the system says";
		good = good && turn_over(pa);
	}
	return good ? NULL : "not every page was served";
}

/* As if the C library had not done it, after it had. */
static void a_thread_loses_its_registration(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .cpus = 64,
						    .node_pages = 4096 });
	pthread_t thread;
	void *why;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, lose_registration, pa),
			 0);
	pthread_join(thread, &why);
	if (why)
		fail_msg("%s", (char *)why);
	assert_true(turn_over(pa));
	assert_sound(pa);
	close_clean(pa);
}

#define THREADS		2
#define SLOTS		64
#define ROUNDS		120000

/* Pages wander through the slots from one thread to the other. */
struct stress {
	struct pa *pa;
	_Atomic(struct page *) slot[SLOTS];
	unsigned int order[SLOTS];
	atomic_uint next_seed;
	atomic_int broken;
};

static unsigned int next_random(unsigned int *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return *seed >> 8;
}

/* The order of a slot is fixed, so that whoever takes it knows it. */
static void *stress_thread(void *arg)
{
	struct stress *s = arg;
	unsigned int seed = atomic_fetch_add(&s->next_seed, 77);

	for (int i = 0; i < ROUNDS; i++) {
		unsigned int at = next_random(&seed) % SLOTS;
		pa_gfp_t gfp = next_random(&seed) % 2 ? PA_GFP_KERNEL :
			       PA_GFP_HIGHUSER_MOVABLE;
		struct page *page = pa_alloc_pages(s->pa, gfp, s->order[at]);

		if (page) {
			unsigned long *words = pa_page_address(s->pa, page);

			words[0] = (unsigned long)page;
		}
		page = atomic_exchange(&s->slot[at], page);
		if (page) {
			unsigned long *words = pa_page_address(s->pa, page);

			if (words[0] != (unsigned long)page)
				s->broken = 1;
			words[0] = 0;
			pa_free_pages(s->pa, page, s->order[at]);
		}
		if (i % 5000 == 0)
			pa_drain_all(s->pa);
	}
	return NULL;
}

static void run_stress(unsigned int cpus)
{
	struct stress s = { .next_seed = 1 };
	pthread_t threads[THREADS];

	s.pa = open_pa((struct pa_config){ .nodes = 2, .node_pages = 300,
					   .movable_pages = 100,
					   .cpus = cpus });
	for (int i = 0; i < SLOTS; i++)
		s.order[i] = i % 6;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL,
						stress_thread, &s), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(s.broken, 0);
	assert_sound(s.pa);
	for (int i = 0; i < SLOTS; i++) {
		if (s.slot[i])
			pa_free_pages(s.pa, s.slot[i], s.order[i]);
	}
	close_clean(s.pa);
}

static void threads_lose_nothing(void **state)
{
	(void)state;
	run_stress(2);
}

/* All on one CPU's lists: the lock is often found taken. */
static void threads_share_one_cpu(void **state)
{
	(void)state;
	run_stress(1);
}

/* This program again, without rseq. */
static void all_of_it_without_rseq(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		char *argv[] = { "test-pa-percpu", "without-rseq", NULL };
		char *envp[] = { WITHOUT_RSEQ, "CMOCKA_MESSAGE_OUTPUT=TAP",
				 "ASAN_OPTIONS=detect_leaks=0", NULL };

		if (!freopen("/dev/null", "w", stdout) ||
		    !freopen("/dev/null", "w", stderr))
			_exit(98);
		execve("/proc/self/exe", argv, envp);
		_exit(99);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void there_is_no_rseq(void **state)
{
	(void)state;
	assert_true(pa_rseq_cpu() < 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest with[] = {
		cmocka_unit_test(a_wish_comes_first),
		cmocka_unit_test(is_always_in_range),
		cmocka_unit_test(follows_the_scheduler),
		cmocka_unit_test(a_thread_loses_its_registration),
		cmocka_unit_test(threads_lose_nothing),
		cmocka_unit_test(threads_share_one_cpu),
		cmocka_unit_test(all_of_it_without_rseq),
	};
	const struct CMUnitTest without[] = {
		cmocka_unit_test(there_is_no_rseq),
		cmocka_unit_test(a_wish_comes_first),
		cmocka_unit_test(is_always_in_range),
		cmocka_unit_test(follows_the_scheduler),
		cmocka_unit_test(a_thread_loses_its_registration),
		cmocka_unit_test(threads_lose_nothing),
		cmocka_unit_test(threads_share_one_cpu),
	};

	if (argc > 1 && !strcmp(argv[1], "without-rseq"))
		return cmocka_run_group_tests_name("pa-percpu", without, NULL,
						   NULL);
	return cmocka_run_group_tests_name("pa-percpu", with, NULL, NULL);
}
