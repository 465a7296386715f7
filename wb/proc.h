#ifndef WB_PROC_H
#define WB_PROC_H

#include "buf.h"
#include "error.h"
#include "pmu.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Runs one command of the user's (sh -c) and everything that it starts.
 *
 * The command gets a session of its own, so that a Ctrl-C at the terminal
 * reaches wb and not the command. Between wb and the command stands a
 * supervisor, a child of wb that is the subreaper of the tree: daemons that
 * detached become its children and are found. When the command is over,
 * however it ended, or when wb dies, kill -9 included, it ends the whole tree
 * and then itself. What is left of a run can so never disturb a later one.
 *
 * In a box (box.h) the command sees and may do only what the box lets it.
 *
 * Output is read while it runs and bounded: what goes beyond the limit is an
 * outcome of its own, not memory.
 */
enum wb_proc_end {
	WB_PROC_EXIT,		/* .code is the exit code */
	WB_PROC_SIGNAL,		/* .code is the signal */
	WB_PROC_TIMEOUT,
	WB_PROC_FLOOD,		/* printed more than max_output */
	WB_PROC_DISK,		/* wrote more into its room than its box has */
	WB_PROC_INTERRUPT,	/* wb was told to stop; .code is the signal */
};

struct wb_box;

struct wb_proc {
	const char *command;	/* for sh -c */
	const char *cwd;
	char *const *env;
	const int *cpus;	/* pin to these; NULL: leave as it is */
	size_t ncpus;
	const struct wb_box *box;	/* to run in; NULL: as wb runs */
	const char *group;	/* control group to run in; NULL: as wb */
	bool fifo;		/* SCHED_FIFO, where it is allowed */
	double timeout;		/* seconds; 0: none */
	size_t max_output;	/* bytes, of stdout and of stderr each */
	bool merge;		/* stderr into out, in order */
	bool talk;		/* stdin is a pipe from wb, not /dev/null */
	double rt_limit;	/* seconds of SCHED_FIFO at a stretch; 0: any */
	int interrupt_fd;	/* from wb_proc_interrupt_fd(), or -1 */
	/* counted from the command's exec on, in all that it starts */
	const struct wb_pmu_event *event;
	size_t nevents;		/* at most WB_PMU_MAX */
};

struct wb_proc_result {
	enum wb_proc_end end;
	int code;
	double wall, user, sys;	/* seconds; of all that it waited for */
	int64_t maxrss;		/* bytes, the largest process */
	int64_t nvcsw, nivcsw;	/* context switches */
	int64_t minflt, majflt;	/* page faults */
	int64_t locked;		/* bytes, see proc-locked.h; -1: not known */
	struct wb_pmu_count count[WB_PMU_MAX];	/* one an event */
	struct wb_buf out, err;
};

void wb_proc_result_init(struct wb_proc_result *r);
void wb_proc_result_clear(struct wb_proc_result *r);

/*
 * Fails only when the command could not be started; how it ended is in r.
 */
int wb_proc_run(const struct wb_proc *p, struct wb_proc_result *r,
		struct wb_error *err);

/*
 * A command that runs while wb does other things: wb_proc_run() in two halves.
 * The descriptors are wb's ends of the pipes; all but `in` never block. With
 * `talk` unset `in` is -1. A command that is gone makes writing to it fail with
 * EPIPE, where SIGPIPE is ignored.
 */
struct wb_proc_live {
	pid_t supervisor;
	int in, out, err, report;
	double began;
};

int wb_proc_start(const struct wb_proc *p, struct wb_proc_live *l,
		  struct wb_error *err);
/*
 * Waits up to `patience` seconds for the command to end by itself, then ends
 * it. r gets how it ended, what it cost and the rest of its output; a command
 * that had to be ended is WB_PROC_TIMEOUT.
 */
void wb_proc_stop(const struct wb_proc *p, struct wb_proc_live *l,
		  double patience, struct wb_proc_result *r);

/*
 * From here on SIGINT, SIGTERM and SIGHUP do not end wb but can be read from
 * the descriptor, except a SIGHUP that wb was told to ignore (nohup). The
 * signal that came, or 0, without waiting.
 */
int wb_proc_interrupt_fd(struct wb_error *err);
int wb_proc_interrupted(int fd);
/* The signals do again what they did before. -1 is fine. */
void wb_proc_interrupt_close(int fd);
/* The error that says so: SIGINT 130, others 143. */
int wb_proc_fail_interrupted(int signo, struct wb_error *err);

/* "exit code 3", "killed by signal 11 (Segmentation fault)", ... */
void wb_proc_describe(const struct wb_proc *p, const struct wb_proc_result *r,
		      struct wb_buf *out);

/*
 * -1 with "WHAT: how it ended: last line of stderr", of kind WB_E_JUDGE, when
 * the command did not end with 0.
 */
int wb_proc_failed(const struct wb_proc *p, const struct wb_proc_result *r,
		   const char *what, struct wb_error *err);

/* What a command with fifo runs at. */
#define WB_FIFO_PRIORITY 10

/*
 * From here on commands get random addresses, also when wb itself was started
 * without (setarch -R, a debugger): a fixed address is luck that all runs
 * share.
 */
void wb_proc_randomize(void);

/*
 * The kernel lets SCHED_FIFO tasks have a part of each period (95 % as a rule)
 * and stops them for the rest. How long to rest after a second of them so that
 * this never falls into a run; 0 where it does not stop them.
 */
double wb_proc_fifo_rest(void);

/* Whether SCHED_FIFO is allowed to this process. */
bool wb_proc_can_fifo(void);

/* Monotonic seconds. */
double wb_proc_now(void);
/* Sleeps, or returns early when fd (or -1) has a signal. */
void wb_proc_sleep(double seconds, int interrupt_fd);

#endif
