#ifndef WB_CPUSET_H
#define WB_CPUSET_H

#include "error.h"
#include "machine.h"

/*
 * CPUs that were put aside for benches: a control group of version 1 or 2 that
 * is there already, made as 'wb doctor isolation' says. On version 2 it may be
 * an isolated partition, where the scheduler puts nobody else; on version 1 it
 * only keeps the benches in.
 *
 * The benches enter it, each by itself before its exec (wb_proc.group); wb
 * stays outside, where a real-time bench cannot starve it.
 */

/*
 * The CPUs of the group at dir, in cpus->cpu and ->ncpus; to be cleared with
 * wb_machine_clear() in any case. Fails where it cannot be entered.
 */
int wb_cpuset_read(const char *dir, struct wb_machine *cpus,
		   struct wb_error *err);

#endif
