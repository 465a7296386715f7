#ifndef WB_BESIDE_H
#define WB_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Puts wb itself beside the commands it talks to: on their CPUs, and with fifo
 * at their priority. While they take turns the CPU then goes from one of them
 * to wb and to the next, and no other task comes between. Equal priorities do
 * not preempt each other, so wb does not interrupt a command that is about to
 * answer; but it does not run either while one computes, hence rt_limit in
 * struct wb_proc.
 *
 * Where it is not allowed nothing changes.
 */
struct wb_beside;

struct wb_beside *wb_beside(const int *cpus, size_t n, bool fifo);
void wb_beside_end(struct wb_beside *was);	/* frees it */

#endif
