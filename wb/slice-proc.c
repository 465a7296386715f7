#include "slice-proc.h"
#include "box.h"
#include "json.h"
#include "proc-locked.h"
#include "stats.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_BYTES ((size_t)1 << 20)
#define STDERR_MAX ((size_t)1 << 20)
#define SHOWN 60		/* bytes of a bad line, to recognise it */
#define QUIT_SECONDS 2		/* for a process to end when it is asked to */
/* Parts are printed with six digits or more, and so is their median. */
#define ROUNDING 1e-5

bool wb_slice_name_ok(const char *metric)
{
	const unsigned char *c = (const unsigned char *)metric;

	for (; *c > ' ' && *c != 0x7f; c++)
		;
	return *metric && !*c;
}

int wb_slice_start(struct wb_slice_proc *p, const struct wb_proc *proc,
		   struct wb_error *err)
{
	memset(p, 0, sizeof(*p));
	wb_buf_init(&p->line);
	wb_buf_init(&p->err);
	wb_proc_result_init(&p->end);
	p->proc = *proc;
	p->proc.talk = true;
	if (wb_proc_start(&p->proc, &p->live, err) < 0)
		return -1;
	p->started = true;
	return 0;
}

static int fail(struct wb_slice_proc *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Gives 0, which says that there is no answer. */
static int fail(struct wb_slice_proc *p, const char *fmt, ...)
{
	struct wb_buf why = WB_BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	wb_buf_vaddf(&why, fmt, ap);
	va_end(ap);
	free(p->failure);
	p->failure = wb_buf_detach(&why);
	return 0;
}

/* It is over: how, and what it said about that. */
static int fail_ended(struct wb_slice_proc *p)
{
	struct wb_error why = WB_ERROR_INIT;

	/* what it said before is where the reason is */
	wb_buf_add(&p->end.err, p->err.ptr, p->err.len);
	wb_slice_stop(p);
	if (p->end.end == WB_PROC_SIGNAL && p->end.code == SIGXCPU &&
	    p->proc.rt_limit > 0)
		return fail(p, "run: computed for %g s without an answer",
			    p->proc.rt_limit);
	if (wb_proc_failed(&p->proc, &p->end, "run", &why) < 0)
		return fail(p, "%s", why.msg);
	return fail(p, "run: ended before it was told to quit");
}

/*
 * Reads into b what is there: 1 something, 0 nothing, -1 more than max. The
 * end of file is no news: the supervisor says how the command ended.
 */
static int take(struct pollfd *from, struct wb_buf *b, size_t max)
{
	char chunk[4096];
	ssize_t n = read(from->fd, chunk, sizeof(chunk));

	if (n < 0)
		return 0;
	if (!n)
		from->fd = -1;
	wb_buf_add(b, chunk, (size_t)n);
	return b->len > max ? -1 : n > 0;
}

/* Whether it has filled the room of its box; then it has failed. */
static bool overflows(struct wb_slice_proc *p)
{
	const struct wb_box *box = p->proc.box;
	struct wb_error why = WB_ERROR_INIT;

	if (!box || !wb_room_full(&p->room, box->room, box->disk))
		return false;
	p->end.end = WB_PROC_DISK;
	wb_proc_failed(&p->proc, &p->end, "run", &why);
	fail(p, "%s", why.msg);
	return true;
}

/* Waits for one whole line: 1 it is in p->line, 0 failed, -1 interrupted. */
static int hear(struct wb_slice_proc *p, struct wb_error *err)
{
	struct pollfd fd[] = {
		{ .fd = p->live.out, .events = POLLIN },
		{ .fd = p->live.err, .events = POLLIN },
		{ .fd = p->live.report, .events = POLLIN },
		{ .fd = p->proc.interrupt_fd, .events = POLLIN },
	};
	double end = wb_proc_now() + p->proc.timeout, left;
	double period = p->proc.box ? WB_ROOM_PERIOD : 3600;
	const char *eol;
	int signo;

	for (;;) {
		left = p->proc.timeout > 0 ? end - wb_proc_now() : 3600;
		if (left <= 0)
			return fail(p, "run: no answer within its timeout of "
				    "%g s", p->proc.timeout);
		if (overflows(p))
			return 0;
		if (poll(fd, 4, (int)(1000 * (left < period ? left : period)) +
			 1) < 0)
			continue;
		signo = fd[3].revents ?
			wb_proc_interrupted(p->proc.interrupt_fd) : 0;
		if (signo)
			return wb_proc_fail_interrupted(signo, err);
		if (fd[1].revents && take(&fd[1], &p->err, STDERR_MAX) < 0)
			return fail(p, "run: printed more than %zu MiB of "
				    "errors", STDERR_MAX >> 20);
		if (fd[0].revents && take(&fd[0], &p->line, LINE_MAX_BYTES) < 0)
			return fail(p, "run: printed more than %zu MiB in "
				    "one answer", LINE_MAX_BYTES >> 20);
		eol = memchr(p->line.ptr, '\n', p->line.len);
		if (eol && eol + 1 < p->line.ptr + p->line.len)
			return fail(p, "run: answered out of turn: '%.*s'",
				    SHOWN, eol + 1);
		if (eol)
			return 1;
		if (fd[2].revents)
			return fail_ended(p);
	}
}

/* A question, and the line that answers it: as hear(). */
static int ask(struct wb_slice_proc *p, const char *question, size_t len,
	       struct wb_error *err)
{
	struct pollfd out = { .fd = p->live.out, .events = POLLIN };
	int rc;

	if (p->failure)
		return 0;
	wb_buf_reset(&p->line);
	/* what comes unasked would be taken for the next answer */
	if (poll(&out, 1, 0) > 0 && take(&out, &p->line, LINE_MAX_BYTES))
		return fail(p, "run: answered out of turn: '%.*s'", SHOWN,
			    p->line.ptr);
	if (write(p->live.in, question, len) != (ssize_t)len)
		return errno == EPIPE ? fail_ended(p) :
		       fail(p, "run: does not read its input");
	rc = hear(p, err);
	if (rc <= 0)
		return rc;
	wb_buf_truncate(&p->line, p->line.len - 1);
	if (memchr(p->line.ptr, '\0', p->line.len))
		return fail(p, "run: a NUL in '%.*s'", SHOWN, p->line.ptr);
	return 1;
}

static int not_a_list(struct wb_slice_proc *p)
{
	return fail(p, "run: 'list' wants {\"metrics\":[NAME, ...]}, names "
		    "without blanks, found '%.*s'; or name the metrics in "
		    "wb-bench.NAME.judge without * and ?", SHOWN, p->line.ptr);
}

int wb_slice_list(struct wb_slice_proc *p, char ***names, size_t *n,
		  struct wb_error *err)
{
	static const char question[] = "list\n";
	struct wb_error ignored = WB_ERROR_INIT;
	struct wb_json *doc = NULL, *list;
	const char *name;
	size_t i, count;
	int rc = ask(p, question, strlen(question), err);

	if (rc <= 0)
		return rc;
	/* the reason shows the line, which says more */
	if (wb_json_parse(p->line.ptr, p->line.len, &doc, &ignored) < 0)
		return not_a_list(p);
	list = wb_json_get(doc, "metrics");
	count = wb_json_count(list);
	*names = wb_xcalloc(count, sizeof(**names));
	for (i = 0; i < count; i++) {
		if (!wb_json_get_str(wb_json_at(list, i), &name) ||
		    !wb_slice_name_ok(name))
			break;
		(*names)[i] = wb_xstrdup(name);
	}
	*n = i;
	wb_json_free(doc);
	if (count && i == count)
		return 1;
	while (i)
		free((*names)[--i]);
	free(*names);
	*names = NULL;
	*n = 0;
	return not_a_list(p);
}

/* The parts of a sample: all there, positive, and what the value says. */
static int check_parts(struct wb_slice_proc *p, const char *metric,
		       struct wb_slice *s)
{
	const struct wb_json *parts = wb_json_get(s->sample.json, "parts");
	double v[WB_SLICE_PARTS];
	size_t i;

	for (i = 0; i < WB_SLICE_PARTS; i++)
		if (!wb_json_get_num(wb_json_at(parts, i), &v[i]) ||
		    !isfinite(v[i]) || !(v[i] > 0))
			break;
	if (i < WB_SLICE_PARTS || wb_json_count(parts) != WB_SLICE_PARTS)
		return fail(p, "run: a slice of '%.80s' wants \"parts\" of %d "
			    "positive numbers, found '%.*s'", metric,
			    WB_SLICE_PARTS, SHOWN, p->line.ptr);
	s->mean = wb_mean(v, WB_SLICE_PARTS);
	s->median = wb_median(v, WB_SLICE_PARTS);
	/* the median has the lower middle one in front of it, the upper one
	   behind; some take one of them for the median */
	if (s->sample.value < wb_nth(v, WB_SLICE_PARTS, 3) * (1 - ROUNDING) ||
	    s->sample.value > wb_nth(v, WB_SLICE_PARTS, 4) * (1 + ROUNDING))
		return fail(p, "run: a slice of '%.80s' has the value %g, "
			    "which is not the median of its parts, %g",
			    metric, s->sample.value, s->median);
	return 1;
}

int wb_slice_run(struct wb_slice_proc *p, const char *metric, uint32_t seed,
		 struct wb_slice *s, struct wb_error *err)
{
	struct wb_error why = WB_ERROR_INIT;
	struct wb_buf question = WB_BUF_INIT;
	int rc;

	wb_buf_addf(&question, "run %s %u\n", metric, seed);
	rc = ask(p, question.ptr, question.len, err);
	wb_buf_clear(&question);
	if (rc <= 0)
		return rc;
	if (wb_sample_parse(&s->sample, p->line.ptr, p->line.len, &why) < 0)
		rc = fail(p, "run: a slice of '%.80s': %s", metric, why.msg);
	else if (!s->sample.has_value)
		rc = fail(p, "run: a slice of '%.80s' has no \"value\"",
			  metric);
	else if (strcmp(s->sample.metric, metric))
		rc = fail(p, "run: asked for '%.80s' it answered for '%.80s'",
			  metric, s->sample.metric);
	else
		rc = check_parts(p, metric, s);
	if (!rc)
		wb_sample_clear(&s->sample);
	return rc;
}

void wb_slice_quit(struct wb_slice_proc *p)
{
	static const char quit[] = "quit\n";

	if (!p->started || p->failure)
		return;
	p->end.locked = wb_locked_below(p->live.supervisor);
	/* whatever comes of it: who does not quit is ended */
	if (write(p->live.in, quit, strlen(quit)) < 0)
		return;
}

void wb_slice_stop(struct wb_slice_proc *p)
{
	if (!p->started)
		return;
	p->started = false;
	wb_proc_stop(&p->proc, &p->live, p->failure ? 0 : QUIT_SECONDS,
		     &p->end);
}

void wb_slice_clear(struct wb_slice_proc *p)
{
	if (p->started && !p->failure)
		fail(p, "not needed any more");
	wb_slice_stop(p);
	wb_proc_result_clear(&p->end);
	wb_buf_clear(&p->line);
	wb_buf_clear(&p->err);
	free(p->failure);
	memset(p, 0, sizeof(*p));
}
