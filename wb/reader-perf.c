/*
 * perf stat -j: one JSON object a line, one line an event.
 *
 * With -I a line is one event in one interval; the sum over all intervals is
 * the count of the run. What was not counted or is not supported is missing.
 * An event that shared its counter (pcnt-running below 100) is perf's own
 * extrapolation; a remark says so.
 */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

#define LINE_MAX_LEN 65536

/* Events that the kernel counts in software, and by which unit. */
static enum wb_level level_of(const char *event)
{
	static const char *const soft[] = {
		"task-clock", "cpu-clock", "duration_time", "user_time",
		"system_time", "page-faults", "faults", "minor-faults",
		"major-faults", "context-switches", "cs", "cpu-migrations",
		"migrations", "cgroup-switches", "alignment-faults",
		"emulation-faults",
	};
	size_t i, n = strcspn(event, ":");

	for (i = 0; i < sizeof(soft) / sizeof(soft[0]); i++)
		if (strlen(soft[i]) == n && !memcmp(soft[i], event, n))
			return WB_LEVEL_S;
	/* tracepoints are SYSTEM:EVENT, with a name behind the colon */
	return event[n] && strlen(event + n + 1) > 6 ? WB_LEVEL_S : WB_LEVEL_H;
}

static struct wb_reading_number *find(struct wb_reading *r, const char *metric)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (!strcmp(r->v[i].metric, metric))
			return &r->v[i];
	return NULL;
}

/* Takes an event out that has a hole: a part of a sum is no sum. */
static void drop(struct wb_reading *r, const char *metric)
{
	struct wb_reading_number *n = find(r, metric);

	if (!n)
		return;
	free(n->metric);
	free(n->unit);
	memmove(n, n + 1, (size_t)(r->v + r->n - n - 1) * sizeof(*n));
	r->n--;
}

struct perf_line {
	const char *event, *unit;
	double value, running;
	bool counted, interval;
};

static int get_line(const struct wb_json *o, struct perf_line *p,
		    struct wb_error *err)
{
	static const char *const parts[] = {
		"cpu", "thread", "core", "die", "socket", "node", "cgroup",
	};
	const char *value = NULL;
	double ignored;
	size_t i;

	memset(p, 0, sizeof(*p));
	p->unit = "";
	if (!wb_json_get_str(wb_json_get(o, "event"), &p->event) || !*p->event)
		return wb_fail(err, WB_E_JUDGE, "no \"event\"");
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (wb_json_get(o, parts[i]))
			return wb_fail(err, WB_E_JUDGE, "counts of one %s; "
				       "run perf stat without -A, --per-* and "
				       "cgroups", parts[i]);
	wb_json_get_str(wb_json_get(o, "unit"), &p->unit);
	p->running = 100;
	wb_json_get_num(wb_json_get(o, "pcnt-running"), &p->running);
	p->interval = wb_json_get_num(wb_json_get(o, "interval"), &ignored);
	if (!wb_json_get_str(wb_json_get(o, "counter-value"), &value))
		return wb_fail(err, WB_E_JUDGE, "no \"counter-value\"");
	p->counted = *value != '<';
	if (p->counted &&
	    (!wb_token_number(value, strlen(value), &p->value) ||
	     p->value < 0))
		return wb_fail(err, WB_E_JUDGE, "\"counter-value\" of %.60s is "
			       "'%.40s', not a number", p->event, value);
	if (!p->counted)
		p->unit = value;
	return 0;
}

static int add(struct wb_reading *r, const struct perf_line *p,
	       const struct wb_reader_line *l, struct wb_json *holes,
	       const struct wb_bench_config *bench, struct wb_error *err)
{
	struct wb_reading_number *n = find(r, p->event);
	const char *unit = *p->unit ? p->unit : "events";

	if (!p->counted) {
		drop(r, p->event);
		if (!wb_json_get(holes, p->event))
			wb_json_set(holes, p->event, wb_json_str(p->unit));
		wb_reading_remark(r, "line %u: %.80s is %.40s", l->number,
				  p->event, p->unit);
		return 0;
	}
	if (wb_json_get(holes, p->event))
		return 0;
	if (p->running < 100)
		wb_reading_remark(r, "line %u: %.80s was counted %.0f %% of "
				  "the time and scaled by perf: count fewer "
				  "events at once", l->number, p->event,
				  p->running);
	if (n && !p->interval)
		return wb_fail(err, WB_E_JUDGE, "event %.80s a second time",
			       p->event);
	if (!n) {
		n = wb_reading_new(r, bench, p->event, strlen(p->event));
		n->line = l->number;
		n->number = 0;
		n->level = level_of(p->event);
		n->better = WB_BETTER_LOWER;
		wb_reading_set_unit(n, unit, strlen(unit));
	}
	n->number += p->value;
	return 0;
}

int wb_read_perf(struct wb_reading *r, const char *text, const char *end,
		 const struct wb_bench_config *bench, struct wb_error *err)
{
	struct wb_reader_line l = { .number = 0 };
	struct wb_json *holes = wb_json_object(), *o;
	struct perf_line p;
	int ret = 0, line;

	while (!ret && wb_line_next(&text, end, &l)) {
		if (*l.ptr == '#')
			continue;
		if (*l.ptr != '{' || l.len > LINE_MAX_LEN) {
			ret = wb_line_bad(&l, err, "not a line of perf stat "
					  "-j (its -o or --log-fd keeps the "
					  "command's own output apart)");
			break;
		}
		ret = wb_json_parse_at(l.ptr, l.len, &o, &line, err);
		if (!ret) {
			ret = get_line(o, &p, err);
			if (!ret)
				ret = add(r, &p, &l, holes, bench, err);
			wb_json_free(o);
		}
		if (ret < 0) {
			err->kind = WB_E_JUDGE;
			wb_fail_at(err, "line %u", l.number);
		}
	}
	wb_json_free(holes);
	return ret;
}
