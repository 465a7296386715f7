/*
 * The bare forms that wb is compared with, and a stopwatch:
 *
 *	bare loop N COMMAND	fork, exec sh -c COMMAND, wait; N times
 *	bare select DB		step through all samples of a store
 *	bare time COMMAND	seconds and peak RSS (MiB) of a command
 *
 * Prints seconds (and MiB) on stdout.
 */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long run(const char *command)
{
	struct rusage u;
	int status, null;
	pid_t pid = fork();

	if (!pid) {
		null = open("/dev/null", O_WRONLY);
		dup2(null, STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(127);
	}
	wait4(pid, &status, 0, &u);
	if (status)
		fprintf(stderr, "bare: '%s' ended with %d\n", command, status);
	return u.ru_maxrss;
}

static int select_all(const char *file)
{
	double sum = 0;
	sqlite3_stmt *st;
	sqlite3 *db;
	long n = 0;

	if (sqlite3_open(file, &db) ||
	    sqlite3_prepare_v2(db, "SELECT run.build, sample.metric,"
			       " sample.value, run.round, run.row FROM round"
			       " JOIN run ON run.round = round.row"
			       " JOIN sample ON sample.run = run.row",
			       -1, &st, NULL))
		return -1;
	while (sqlite3_step(st) == SQLITE_ROW) {
		sum += sqlite3_column_double(st, 2) +
		       (double)(sqlite3_column_int64(st, 0) +
				sqlite3_column_int64(st, 1) +
				sqlite3_column_int64(st, 3) +
				sqlite3_column_int64(st, 4));
		n++;
	}
	sqlite3_finalize(st);
	sqlite3_close(db);
	fprintf(stderr, "%ld rows, sum %g\n", n, sum);
	return 0;
}

int main(int argc, char **argv)
{
	double began = now();
	long i, rss = 0;

	if (argc == 4 && !strcmp(argv[1], "loop"))
		for (i = atol(argv[2]); i > 0; i--)
			run(argv[3]);
	else if (argc == 3 && !strcmp(argv[1], "select"))
		return select_all(argv[2]) < 0 ||
		       printf("%.4f\n", now() - began) < 0;
	else if (argc == 3 && !strcmp(argv[1], "time"))
		rss = run(argv[2]);
	else
		return 2;
	printf("%.4f %.1f\n", now() - began, (double)rss / 1024);
	return 0;
}
