#ifndef WB_COUNT_QEMU_H
#define WB_COUNT_QEMU_H

#include "count.h"

#include <stdint.h>

/*
 * Instructions counted by qemu-user with a plugin of ours (qemu/count.c), at
 * about the speed of the bare program.
 *
 * qemu follows no exec: it counts one program, and the shell of a command is
 * left out. What starts other programs, or threads, is refused, for its count
 * would be that of a part. A section is what lies between calls of the
 * functions wb_region_begin() and wb_region_end(); the n-th section belongs to
 * the n-th line with "per". Its numbers differ from callgrind's, so metrics
 * end in WB_QEMU_SUFFIX.
 */
#define WB_QEMU_SUFFIX "-qemu"

/* "qemu-x86_64", or whatever runs this machine's programs; malloc'ed. */
char *wb_qemu_program(void);

/* Why a bench cannot be counted that way here, malloc'ed; NULL: it can. */
char *wb_qemu_refuses(const struct wb_bench_config *bench);

/* Whether a shell would start exactly one program for it. Pure. */
bool wb_qemu_simple(const char *command);

/* The command that counts a simple one and leaves its files in dir. */
char *wb_qemu_wrap(const char *command, const char *dir);

struct wb_qemu_counts {
	double total;
	double *section;
	size_t n, cap;
	bool exec, threads;
};

/* Adds what one process told. Pure; -1 when the text is none of ours. */
int wb_qemu_parse(const char *text, struct wb_qemu_counts *c,
		  struct wb_error *err);
void wb_qemu_clear(struct wb_qemu_counts *c);

/* As wb_count_run() does it: lines is what the bench printed. */
int wb_qemu_read(const struct wb_qemu_counts *c,
		 const struct wb_count_how *how,
		 const struct wb_reading *lines, struct wb_reading *out,
		 bool *unmarked, struct wb_error *err);

#endif
