/*
 * The short way to a failure: steps of a run that fails are left out, many at
 * once and then fewer, as long as what is left still fails.
 *
 * Each attempt is made in a process of its own, for it may crash or hang.
 */
#ifndef PROP_SHRINK_H
#define PROP_SHRINK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHRINK_ATTEMPTS	600
#define SHRINK_SECONDS	20

struct shrink {
	unsigned long steps;
	bool *left_out;			/* by step */
	/* plays all other steps; false if that fails */
	bool (*play)(void *arg, const struct shrink *s, bool tell);
	void *arg;
};

/*
 * tell: the process says what it does. seconds: after so many it hangs, and has
 * failed; then it says nothing at all. 0: it may take its time.
 */
static inline bool shrink_fails(const struct shrink *s, bool tell,
				unsigned int seconds)
{
	int status = 1;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		bool good;

		alarm(seconds);
		if (seconds && (!freopen("/dev/null", "w", stdout) ||
				!freopen("/dev/null", "w", stderr)))
			_exit(1);
		good = s->play(s->arg, s, tell);
		fflush(NULL);
		_exit(!good);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status;
}

/* The number of steps that are left. */
static inline unsigned long shrink(struct shrink *s)
{
	bool *before = malloc(s->steps + 1);
	unsigned long left = 0, attempts = 0;

	for (unsigned long n = s->steps; before && n; n /= 2) {
		for (unsigned long at = 0; at < s->steps; at += n) {
			unsigned long nr = n < s->steps - at ? n :
					   s->steps - at;

			/* from the end, for it fails near there */
			bool *chunk = s->left_out + s->steps - at - nr;

			if (!memchr(chunk, false, nr) ||
			    attempts++ >= SHRINK_ATTEMPTS)
				continue;
			memcpy(before, chunk, nr);
			memset(chunk, true, nr);
			if (!shrink_fails(s, false, SHRINK_SECONDS))
				memcpy(chunk, before, nr);
		}
	}
	free(before);
	for (unsigned long i = 0; i < s->steps; i++)
		left += !s->left_out[i];
	return left;
}

#endif
