#ifndef WB_PROC_LOCKED_H
#define WB_PROC_LOCKED_H

#include <stdint.h>
#include <sys/types.h>

/*
 * What running processes have locked in memory (mlock, mlockall), so that none
 * of it can be put out and come back inside a timed region.
 *
 * A lock goes with its process, and nothing that is told of one that has ended
 * says whether there was one. So a run is looked at while it lasts: a bench
 * that is asked slice by slice before it is told to quit, any other one 20 ms
 * after its start and at each doubling of that, until something is locked. A
 * look is some 50 us of another CPU's time. Of a shorter run it is not known.
 */
#define WB_LOCKED_FIRST 0.020	/* seconds */

/* Bytes that all below pid have locked; -1: there is none to be read. */
int64_t wb_locked_below(pid_t pid);

#endif
