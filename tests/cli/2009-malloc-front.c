/*
 * The promises of malloc and its relatives, asked of whatever malloc this
 * program runs with. TAP-less: the first broken one is named and ends it.
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define check(cond)							\
	((cond) ? (void)0 :						\
	 (fprintf(stderr, "line %d: %s\n", __LINE__, #cond), exit(1)))

/* Not known to the compiler, so that it removes nothing. */
static void *(*volatile alloc)(size_t) = malloc;
static void *(*volatile zalloc)(size_t, size_t) = calloc;
static void *(*volatile resize)(void *, size_t) = realloc;

static int all(const unsigned char *p, size_t n, int byte)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i] != byte)
			return 0;
	}
	return 1;
}

static void every_size(void)
{
	for (size_t size = 0; size < (12ul << 20); size += size / 16 + 1) {
		unsigned char *p = alloc(size), *z = zalloc(1, size);

		check(p && z && p != z);
		check((uintptr_t)p % 16 == 0 && (uintptr_t)z % 16 == 0);
		check(malloc_usable_size(p) >= size);
		check(all(z, size, 0));
		memset(p, 0xa5, malloc_usable_size(p));
		memset(z, 0x5a, malloc_usable_size(z));
		check(all(p, size, 0xa5));
		free(p);
		free(z);
	}
}

static void resizing_keeps_content(void)
{
	static const size_t sizes[] = { 1, 100, 50, 8192, 8193, 100000, 3,
					4ul << 20, (4ul << 20) + 1, 40ul << 20,
					9ul << 20, 70000, 16 };
	unsigned char *p = resize(NULL, 1);
	size_t old = 1;

	*p = 7;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t n = old < sizes[i] ? old : sizes[i];

		p = resize(p, sizes[i]);
		check(p && all(p, n, 7));
		memset(p, 7, sizes[i]);
		old = sizes[i];
	}
	check(!resize(p, 0));
}

static void alignments_hold(void)
{
	void *p[40];

	for (size_t align = 8; align <= (8ul << 20); align *= 2) {
		for (int i = 0; i < 40; i++) {
			size_t size = 1 + i * i * 11;

			check(!posix_memalign(&p[i], align, size));
			check((uintptr_t)p[i] % align == 0);
			check(malloc_usable_size(p[i]) >= size);
			memset(p[i], i, size);
		}
		for (int i = 0; i < 40; i++) {
			check(all(p[i], 1 + i * i * 11, i));
			free(p[i]);
		}
	}
	p[0] = aligned_alloc(64, 96);
	check((uintptr_t)p[0] % 64 == 0);
	free(p[0]);
	p[0] = memalign(256, 8192);
	check((uintptr_t)p[0] % 256 == 0);
	free(p[0]);
	p[0] = valloc(1);
	check((uintptr_t)p[0] % 4096 == 0);
	free(p[0]);
	check(posix_memalign(p, 24, 8) == EINVAL);
	check(posix_memalign(p, 4, 8) == EINVAL);
}

static void too_much_is_enomem(void)
{
	errno = 0;
	check(!alloc(PTRDIFF_MAX) && errno == ENOMEM);
	errno = 0;
	check(!alloc(SIZE_MAX) && errno == ENOMEM);
	errno = 0;
	check(!zalloc(SIZE_MAX / 2, 3) && errno == ENOMEM);
	errno = 0;
	check(!reallocarray(NULL, SIZE_MAX / 2, 3) && errno == ENOMEM);
	errno = 0;
	check(!zalloc(PTRDIFF_MAX, 1) && errno == ENOMEM);
	errno = 42;
	free(NULL);
	free(alloc(10));
	free(alloc(20 << 20));
	check(errno == 42);
}

static void odd_arguments_are_no_trouble(void)
{
	void *p = alloc(0), *q = alloc(0), *same = &p;

	check(p && q && p != q);
	free(p);
	free(q);
	free(zalloc(0, 8));
	free(zalloc(8, 0));
	check(!malloc_usable_size(NULL));
	errno = 42;
	check(posix_memalign(&same, 16, PTRDIFF_MAX) == ENOMEM);
	check(posix_memalign(&same, 48, 100) == EINVAL);
	check(same == &p && errno == 42);
	/* refused, or taken for the next alignment that there is */
	for (size_t align = 0; align < 100; align += 33) {
		errno = 0;
		p = aligned_alloc(align, 100);
		check(p ? malloc_usable_size(p) >= 100 : errno == EINVAL);
		free(p);
	}
	p = pvalloc(1);
	check((uintptr_t)p % 4096 == 0 && malloc_usable_size(p) >= 4096);
	free(p);
}

/* An object, a block and a mapping stay what they are when they cannot grow. */
static void a_failed_resize_leaves_it(void)
{
	static const size_t sizes[] = { 100, 1 << 20, 20 << 20 };

	for (int i = 0; i < 3; i++) {
		unsigned char *p = alloc(sizes[i]);

		memset(p, i + 1, sizes[i]);
		errno = 0;
		check(!resize(p, PTRDIFF_MAX) && errno == ENOMEM);
		errno = 0;
		check(!resize(p, SIZE_MAX - 100) && errno == ENOMEM);
		errno = 0;
		check(!reallocarray(p, SIZE_MAX / 2, 3) && errno == ENOMEM);
		check(all(p, sizes[i], i + 1));
		p = reallocarray(p, 7, 11);
		check(p && all(p, 77, i + 1));
		free(p);
	}
}

static void what_was_written_does_not_come_back(void)
{
	for (size_t size = 24; size < (1 << 20); size *= 3) {
		unsigned char *p[20];

		for (int i = 0; i < 20; i++) {
			p[i] = alloc(size);
			memset(p[i], 0xff, size);
		}
		for (int i = 0; i < 20; i++)
			free(p[i]);
		for (int i = 0; i < 20; i++) {
			p[i] = zalloc(size / 8, 8);
			check(all(p[i], size / 8 * 8, 0));
		}
		for (int i = 0; i < 20; i++)
			free(p[i]);
	}
}

#define LEFT	1000

/* Half of the threads end by pthread_exit(). */
static void *leave_objects(void *arg)
{
	unsigned char **left = arg;

	for (int i = 0; i < LEFT; i++) {
		left[i] = alloc(4000);
		check(left[i]);
		memset(left[i], i, 4000);
	}
	if ((uintptr_t)left[0] % 32)
		pthread_exit(NULL);
	return NULL;
}

/* What ended threads have left is whole, and comes back: 800 MB in 300. */
static void objects_outlive_their_thread(void)
{
	static unsigned char *left[LEFT];
	struct rlimit limit = { 300 << 20, 300 << 20 };
	int status;
	pid_t pid = fork();

	check(pid >= 0);
	if (!pid) {
		alarm(600);
		setrlimit(RLIMIT_AS, &limit);
		for (int round = 0; round < 200; round++) {
			pthread_t thread;

			check(!pthread_create(&thread, NULL, leave_objects,
					      left));
			pthread_join(thread, NULL);
			for (int i = 0; i < LEFT; i++) {
				check(all(left[i], 4000, (unsigned char)i));
				free(left[i]);
			}
		}
		_exit(0);
	}
	check(waitpid(pid, &status, 0) == pid && status == 0);
}

/* Out of memory is said, and no more than that: free some, and go on. */
static void short_of_memory(void)
{
	enum { N = 100000, SIZE = 50000 };
	struct rlimit limit = { 600 << 20, 600 << 20 };
	int status;
	pid_t pid = fork();

	check(pid >= 0);
	if (!pid) {
		static unsigned char *p[N];
		int n = 0, again = 0;

		alarm(600);
		setrlimit(RLIMIT_AS, &limit);
		errno = 0;
		while (n < N && (p[n] = alloc(SIZE)))
			p[n++][0] = 1;
		check(n > 1000 && n < N && errno == ENOMEM);
		check(!alloc(64 << 20) && !zalloc(1, 64 << 20));
		for (int i = 0; i < n; i++) {
			check(p[i][0] == 1);
			free(p[i]);
		}
		while (again < n / 2 && (p[again] = alloc(SIZE)))
			again++;
		check(again == n / 2);
		_exit(0);
	}
	check(waitpid(pid, &status, 0) == pid && status == 0);
}

/* More than the first instance has. */
static void much_is_there(void)
{
	enum { N = 3000, SIZE = 60000 };
	static unsigned char *p[N];

	for (int i = 0; i < N; i++) {
		p[i] = alloc(SIZE);
		check(p[i]);
		p[i][0] = p[i][SIZE - 1] = i;
	}
	for (int i = 0; i < N; i++) {
		check(p[i][0] == (unsigned char)i);
		check(p[i][SIZE - 1] == (unsigned char)i);
		free(p[i]);
	}
}

#define SLOTS	64
static unsigned char *slot[SLOTS];
static volatile int stop;

static void *churn(void *arg)
{
	unsigned int x = (uintptr_t)arg * 2654435761u;

	for (int i = 0; i < 60000 && !stop; i++) {
		size_t size;
		unsigned char *p, *old;

		x = x * 1664525 + 1013904223;
		size = 1 + (x >> 8) % ((x >> 28) ? 600 : 30000);
		p = alloc(size + sizeof(size));
		check(p);
		memcpy(p, &size, sizeof(size));
		memset(p + sizeof(size), size & 0xff, size);
		old = __atomic_exchange_n(&slot[(x >> 4) % SLOTS], p,
					  __ATOMIC_ACQ_REL);
		if (!old)
			continue;
		memcpy(&size, old, sizeof(size));
		check(all(old + sizeof(size), size, size & 0xff));
		free(old);
	}
	return NULL;
}

/* Children of a process whose threads are busy allocating can allocate. */
static void forks_while_threads_run(void)
{
	pthread_t thread[3];
	int status;

	for (uintptr_t i = 0; i < 3; i++)
		check(!pthread_create(&thread[i], NULL, churn,
				      (void *)(i + 1)));
	for (int i = 0; i < 40; i++) {
		pid_t pid = fork();

		check(pid >= 0);
		if (!pid) {
			alarm(600);
			for (int j = 0; j < 300; j++)
				free(resize(alloc(j * 37), j * 91 + 1));
			_exit(0);
		}
		check(waitpid(pid, &status, 0) == pid);
		check(status == 0);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
}

/* What a program must not do. */
static void mistake(const char *what, char *volatile elsewhere)
{
	size_t size = strstr(what, "block") ? 100000 :
		      strstr(what, "mapping") ? 9 << 20 : 100;
	char *volatile p = alloc(size), *volatile other = alloc(size);

	if (!strcmp(what, "foreign")) {
		free(elsewhere + 16);
	} else if (!strncmp(what, "twice", 5)) {
		free(p);
		free(p);
	} else if (!strcmp(what, "later")) {
		free(p);
		free(other);
		free(p);
	} else if (!strcmp(what, "inside")) {
		free(p + 16);
	} else if (!strcmp(what, "resized")) {
		free(p);
		free(resize(p, 3 * size));
	} else if (!strcmp(what, "before")) {
		p[-1] = 'x';
		free(p);
	} else if (!strcmp(what, "behind")) {
		p[malloc_usable_size(p)] = 'x';
		free(p);
	} else if (!strcmp(what, "used")) {
		free(p);
		p[17] = 'x';
		free(alloc(size));
	}
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		mistake(argv[1], (char *)argv);
	} else {
		every_size();
		resizing_keeps_content();
		alignments_hold();
		too_much_is_enomem();
		odd_arguments_are_no_trouble();
		a_failed_resize_leaves_it();
		what_was_written_does_not_come_back();
		objects_outlive_their_thread();
		short_of_memory();
		much_is_there();
		forks_while_threads_run();
	}
	puts("fine");
	return 0;
}
