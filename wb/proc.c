#include "proc.h"
#include "box.h"
#include "proc-locked.h"
#include "room.h"
#include "supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>


void wb_proc_result_init(struct wb_proc_result *r)
{
	memset(r, 0, sizeof(*r));
	r->locked = -1;
	wb_buf_init(&r->out);
	wb_buf_init(&r->err);
}

void wb_proc_result_clear(struct wb_proc_result *r)
{
	wb_buf_clear(&r->out);
	wb_buf_clear(&r->err);
}

double wb_proc_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void wb_proc_sleep(double seconds, int interrupt_fd)
{
	struct pollfd p = { .fd = interrupt_fd, .events = POLLIN };
	struct timespec t = {
		.tv_sec = (time_t)seconds,
		.tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds)),
	};

	if (seconds > 0)
		ppoll(&p, 1, &t, NULL);
}

/*
 * The signals that stop a run. SIGHUP is left alone when nohup had it ignored;
 * SIGINT is not, for a shell has it ignored for whatever it starts with "&",
 * and a script that sends it means it.
 */
static void stop_signals(sigset_t *set)
{
	struct sigaction hup;

	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	if (!sigaction(SIGHUP, NULL, &hup) && hup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
}

int wb_proc_interrupt_fd(struct wb_error *err)
{
	sigset_t set;
	int fd;

	stop_signals(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return wb_fail_errno(err, "signalfd");
	return fd;
}

void wb_proc_interrupt_close(int fd)
{
	sigset_t set;

	if (fd < 0)
		return;
	close(fd);
	stop_signals(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int wb_proc_interrupted(int fd)
{
	struct signalfd_siginfo info;

	if (fd < 0 || read(fd, &info, sizeof(info)) != sizeof(info))
		return 0;
	return (int)info.ssi_signo;
}

int wb_proc_fail_interrupted(int signo, struct wb_error *err)
{
	return wb_fail(err, signo == SIGINT ? WB_E_SIGINT : WB_E_SIGTERM,
		       "stopped by %s; what finished is saved, the same "
		       "command goes on", strsignal(signo));
}

void wb_proc_randomize(void)
{
	int now = personality(0xffffffff);

	if (now >= 0 && (now & ADDR_NO_RANDOMIZE))
		personality((unsigned long)(now & ~ADDR_NO_RANDOMIZE));
}

/* Reads what is there: 1 more may come, 0 end or would block, -1 too much. */
static int take(int fd, struct wb_buf *into, size_t max)
{
	char chunk[65536];
	ssize_t n = read(fd, chunk, sizeof(chunk));

	if (n <= 0)
		return n < 0 && errno == EINTR;
	if (into->len + (size_t)n > max)
		return -1;
	wb_buf_add(into, chunk, (size_t)n);
	return 1;
}

struct watch {
	const struct wb_proc *p;
	struct wb_proc_result *r;
	int out, err, report;
	pid_t supervisor;
	double began, look;	/* look: when to look at its locks; 0: never */
	struct wb_room room;
};

static void account(struct wb_proc_result *r, const struct rusage *u)
{
	r->user = (double)u->ru_utime.tv_sec +
		  1e-6 * (double)u->ru_utime.tv_usec;
	r->sys = (double)u->ru_stime.tv_sec +
		 1e-6 * (double)u->ru_stime.tv_usec;
	r->maxrss = 1024 * (int64_t)u->ru_maxrss;
	r->nvcsw = u->ru_nvcsw;
	r->nivcsw = u->ru_nivcsw;
	r->minflt = u->ru_minflt;
	r->majflt = u->ru_majflt;
}

static int take_verdict(const struct watch *w, struct wb_error *err)
{
	struct wb_proc_result *r = w->r;
	struct wb_verdict v;

	if (read(w->report, &v, sizeof(v)) != sizeof(v))
		return wb_fail(err, WB_E_FATAL, "the supervisor of '%.60s' is "
			       "gone: out of memory?", w->p->command);
	account(r, &v.usage);
	memcpy(r->count, v.count, sizeof(r->count));
	if (WIFSIGNALED(v.status)) {
		r->end = WB_PROC_SIGNAL;
		r->code = WTERMSIG(v.status);
	} else {
		r->end = WB_PROC_EXIT;
		r->code = WEXITSTATUS(v.status);
	}
	return 0;
}

/* Who is pinned is measured. Looks get rarer (proc-locked.h). */
static void look_at_locks(struct watch *w)
{
	double now = wb_proc_now();
	int64_t locked;

	if (!w->look || now < w->look)
		return;
	locked = wb_locked_below(w->supervisor);
	if (locked >= 0)
		w->r->locked = locked;
	w->look = locked > 0 ? 0 : now + (now - w->began);
}

/* Seconds until there is something to do besides waiting. */
static double patience(const struct watch *w, double left)
{
	double until = w->look ? w->look - wb_proc_now() : left;

	if (w->p->box && left > WB_ROOM_PERIOD)
		left = WB_ROOM_PERIOD;
	if (left > 3600)
		left = 3600;
	return until < left ? until > 0 ? until : 0 : left;
}

/* Waits until the command is over or must be ended; the reason goes to r. */
static int watch(struct watch *w, struct wb_error *err)
{
	struct pollfd fds[] = {
		{ .fd = w->out, .events = POLLIN },
		{ .fd = w->err, .events = POLLIN },
		{ .fd = w->report, .events = POLLIN },
		{ .fd = w->p->interrupt_fd, .events = POLLIN },
	};
	struct wb_buf *into[] = { &w->r->out, &w->r->err };
	double left;
	int i, rc;

	for (;;) {
		left = w->p->timeout > 0 ?
		       w->began + w->p->timeout - wb_proc_now() : 3600;
		if (left <= 0) {
			w->r->end = WB_PROC_TIMEOUT;
			return 0;
		}
		look_at_locks(w);
		if (w->p->box && wb_room_full(&w->room, w->p->box->room,
					      w->p->box->disk)) {
			w->r->end = WB_PROC_DISK;
			return 0;
		}
		if (poll(fds, 4, (int)(patience(w, left) * 1000) + 1) < 0)
			continue;
		for (i = 0; i < 2; i++) {
			if (!fds[i].revents)
				continue;
			rc = take(fds[i].fd, into[i], w->p->max_output);
			if (rc < 0) {
				w->r->end = WB_PROC_FLOOD;
				return 0;
			}
			if (!rc)
				fds[i].fd = -1;
		}
		w->r->code = fds[3].revents ?
			wb_proc_interrupted(w->p->interrupt_fd) : 0;
		if (w->r->code) {
			w->r->end = WB_PROC_INTERRUPT;
			return 0;
		}
		if (fds[2].revents)
			return take_verdict(w, err);
	}
}

/* What a command that is over left in its pipes. */
static void drain(struct watch *w)
{
	int fd[] = { w->out, w->err }, i, rc;
	struct wb_buf *into[] = { &w->r->out, &w->r->err };

	for (i = 0; i < 2; i++) {
		if (fd[i] < 0)
			continue;
		do {
			rc = take(fd[i], into[i], w->p->max_output);
		} while (rc > 0);
		if (rc < 0)
			w->r->end = WB_PROC_FLOOD;
	}
}

static int make_pipe(int fd[2], struct wb_error *err)
{
	if (pipe2(fd, O_CLOEXEC) < 0)
		return wb_fail_errno(err, "pipe");
	fcntl(fd[0], F_SETFL, O_NONBLOCK);
	return 0;
}

static void shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int wb_proc_start(const struct wb_proc *p, struct wb_proc_live *l,
		  struct wb_error *err)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, errs[2] = { -1, -1 };
	int report[2] = { -1, -1 };
	pid_t self = getpid();
	int ret = -1;

	*l = (struct wb_proc_live){ 0, -1, -1, -1, -1, 0 };
	if (make_pipe(out, err) < 0 || make_pipe(report, err) < 0 ||
	    (!p->merge && make_pipe(errs, err) < 0))
		goto out;
	if (p->talk && pipe2(in, O_CLOEXEC) < 0) {
		wb_fail_errno(err, "pipe");
		goto out;
	}
	l->began = wb_proc_now();
	l->supervisor = fork();
	if (l->supervisor < 0) {
		wb_fail_errno(err, "fork");
		goto out;
	}
	if (!l->supervisor) {
		/* the command is to see the end when wb closes its one */
		shut(&in[1]);
		wb_supervise(p, in[0], out[1], p->merge ? out[1] : errs[1],
			  report[1], self);
	}
	l->in = in[1];
	l->out = out[0];
	l->err = errs[0];
	l->report = report[0];
	in[1] = out[0] = errs[0] = report[0] = -1;
	ret = 0;
out:
	shut(&in[0]);
	shut(&in[1]);
	shut(&out[0]);
	shut(&out[1]);
	shut(&errs[0]);
	shut(&errs[1]);
	shut(&report[0]);
	shut(&report[1]);
	return ret;
}

/* Ends what is left; has no effect on one that is sweeping already. */
static void end_all(struct wb_proc_live *l)
{
	kill(l->supervisor, SIGTERM);
	while (waitpid(l->supervisor, NULL, 0) < 0 && errno == EINTR)
		;
}

static void close_live(struct wb_proc_live *l)
{
	shut(&l->in);
	shut(&l->out);
	shut(&l->err);
	shut(&l->report);
}

int wb_proc_run(const struct wb_proc *p, struct wb_proc_result *r,
		struct wb_error *err)
{
	struct watch w = { .p = p, .r = r };
	struct wb_proc_live l;
	int ret;

	wb_buf_reset(&r->out);
	wb_buf_reset(&r->err);
	if (wb_proc_start(p, &l, err) < 0)
		return -1;
	w.out = l.out;
	w.err = l.err;
	w.report = l.report;
	w.supervisor = l.supervisor;
	w.began = l.began;
	w.look = p->cpus ? l.began + WB_LOCKED_FIRST : 0;
	ret = watch(&w, err);
	r->wall = wb_proc_now() - l.began;
	end_all(&l);
	if (!ret)
		drain(&w);
	close_live(&l);
	return ret;
}

void wb_proc_stop(const struct wb_proc *p, struct wb_proc_live *l,
		  double patience, struct wb_proc_result *r)
{
	struct watch w = { .p = p, .r = r, .out = l->out, .err = l->err,
			   .report = l->report };
	struct pollfd fd = { .fd = l->report, .events = POLLIN };
	struct wb_error ignored = WB_ERROR_INIT;

	shut(&l->in);
	r->end = WB_PROC_TIMEOUT;
	/* a supervisor that is gone without a word was killed: an end too */
	if (poll(&fd, 1, (int)(patience * 1000)) > 0 &&
	    take_verdict(&w, &ignored) < 0)
		r->end = WB_PROC_TIMEOUT;
	r->wall = wb_proc_now() - l->began;
	end_all(l);
	drain(&w);
	close_live(l);
}

void wb_proc_describe(const struct wb_proc *p, const struct wb_proc_result *r,
		      struct wb_buf *out)
{
	switch (r->end) {
	case WB_PROC_EXIT:
		wb_buf_addf(out, "exit code %d", r->code);
		break;
	case WB_PROC_SIGNAL:
		wb_buf_addf(out, "killed by signal %d (%s)", r->code,
			    strsignal(r->code));
		break;
	case WB_PROC_TIMEOUT:
		wb_buf_addf(out, "ended after its timeout of %g s", p->timeout);
		break;
	case WB_PROC_FLOOD:
		wb_buf_addf(out, "printed more than %zu MiB",
			    p->max_output >> 20);
		break;
	case WB_PROC_DISK:
		wb_buf_addf(out, "ended, for it wrote more than %llu MiB into "
			    "its folder (wb.sandbox-disk)",
			    (unsigned long long)(p->box->disk >> 20));
		break;
	case WB_PROC_INTERRUPT:
		wb_buf_addf(out, "interrupted");
		break;
	}
}

/* The last line of stderr, which is where a program says what went wrong. */
static void add_last_line(const struct wb_buf *text, struct wb_buf *out)
{
	size_t end = text->len, begin;

	while (end && strchr(" \n\t\r", text->ptr[end - 1]))
		end--;
	for (begin = end; begin && text->ptr[begin - 1] != '\n'; begin--)
		;
	if (end - begin > 200)
		end = begin + 200;
	if (end > begin)
		wb_buf_addf(out, ": %.*s", (int)(end - begin),
			    text->ptr + begin);
}

int wb_proc_failed(const struct wb_proc *p, const struct wb_proc_result *r,
		   const char *what, struct wb_error *err)
{
	struct wb_buf why = WB_BUF_INIT;

	if (r->end == WB_PROC_EXIT && !r->code)
		return 0;
	wb_proc_describe(p, r, &why);
	add_last_line(&r->err, &why);
	wb_fail(err, WB_E_JUDGE, "%s: %s", what, why.ptr);
	wb_buf_clear(&why);
	return -1;
}
