#ifndef WB_MACHINE_H
#define WB_MACHINE_H

#include "buf.h"
#include "error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The machine that measures, as far as numbers depend on it.
 *
 * The id is a hash over CPU model and microcode, the CPUs that this process
 * may use, the memory layout (nodes and their size), the kernel release and
 * the frequency governor. It holds no clock reading and no host name, so it
 * is the same tomorrow and tells nobody whose machine it is.
 */
struct wb_machine {
	char id[65];
	char *facts;		/* one line for people */
	char *boot;		/* the kernel's id of this boot */
	int *cpu;		/* CPUs we may use, ascending */
	size_t ncpus;
};

void wb_machine_read(struct wb_machine *m);
/*
 * The CPU model by the text of /proc/cpuinfo; where it has no name, by the
 * numbers of maker and part. malloc'ed, "unknown" when there is nothing.
 */
char *wb_machine_model(const char *cpuinfo);
void wb_machine_clear(struct wb_machine *m);

/*
 * Adds the facts of other that are not those of mine: "governor powersave, here
 * performance". Pure; both as in wb_machine.facts.
 */
void wb_machine_differ(const char *mine, const char *other,
		       struct wb_buf *out);

/*
 * The CPUs to pin a bench of n CPUs to: the highest ones we may use, for
 * interrupts and housekeeping gather on the lowest. Fails when there are
 * fewer.
 */
int wb_machine_pick(const struct wb_machine *m, size_t n, int *cpu,
		    struct wb_error *err);

#endif
