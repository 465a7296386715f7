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
	errno = 42;
	free(NULL);
	free(alloc(10));
	free(alloc(20 << 20));
	check(errno == 42);
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
			alarm(20);
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

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "twice")) {
		void *volatile p = alloc(100);

		free(p);
		free(p);
	} else if (argc > 1) {
		char *volatile p = (char *)argv;

		free(p + 16);
	} else {
		every_size();
		resizing_keeps_content();
		alignments_hold();
		too_much_is_enomem();
		much_is_there();
		forks_while_threads_run();
	}
	puts("fine");
	return 0;
}
