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

/* By name: where an event stands in the reading, and whether it has a hole. */
struct events {
	struct wb_reading *r;
	struct wb_json *place, *hole;
};

static struct wb_reading_number *find(const struct events *e, const char *event)
{
	int64_t at;

	return wb_json_get_int(wb_json_get(e->place, event), &at) ?
	       &e->r->v[at] : NULL;
}

/* Takes events out that have a hole: a part of a sum is no sum. */
static void drop_holes(const struct events *e)
{
	struct wb_reading *r = e->r;
	size_t i, kept = 0;

	for (i = 0; i < r->n; i++) {
		if (!wb_json_get(e->hole, r->v[i].metric)) {
			r->v[kept++] = r->v[i];
			continue;
		}
		free(r->v[i].metric);
		free(r->v[i].unit);
	}
	r->n = kept;
}

/*
 * What the kernel does, asked of user space alone ("context-switches:u", as
 * perf writes by itself where it may not count the kernel): always 0.
 */
static bool is_blind(const char *event)
{
	static const char *const kernels[] = {
		"context-switches", "cs", "cpu-migrations", "migrations",
		"cgroup-switches",
	};
	size_t i, n = strcspn(event, ":");

	if (!strchr(event + n, 'u') || strchr(event + n, 'k'))
		return false;
	for (i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (strlen(kernels[i]) == n && !memcmp(kernels[i], event, n))
			return true;
	return false;
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
	if (p->counted && is_blind(p->event)) {
		p->counted = false;
		p->unit = "of the kernel, and 0 in user space";
	}
	return 0;
}

static int add(struct events *e, const struct perf_line *p,
	       const struct wb_reader_line *l,
	       const struct wb_bench_config *bench, struct wb_error *err)
{
	struct wb_reading_number *n = find(e, p->event);
	const char *unit = *p->unit ? p->unit : "events";

	if (!p->counted) {
		wb_json_set(e->hole, p->event, wb_json_bool(true));
		wb_reading_remark(e->r, "line %u: %.80s is %.40s", l->number,
				  p->event, p->unit);
		return 0;
	}
	if (p->running < 100)
		wb_reading_remark(e->r, "line %u: %.80s was counted %.0f %% of "
				  "the time and scaled by perf: count fewer "
				  "events at once", l->number, p->event,
				  p->running);
	if (n && !p->interval)
		return wb_fail(err, WB_E_JUDGE, "event %.80s a second time",
			       p->event);
	if (!n) {
		wb_json_set(e->place, p->event, wb_json_int((int64_t)e->r->n));
		/* the caller names the line */
		n = wb_reading_new(e->r, bench, p->event, strlen(p->event), 0,
				   err);
		if (!n)
			return -1;
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
	struct events e = { r, wb_json_object(), wb_json_object() };
	struct wb_json *o;
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
				ret = add(&e, &p, &l, bench, err);
			wb_json_free(o);
		}
		if (ret < 0) {
			err->kind = WB_E_JUDGE;
			wb_fail_at(err, "line %u", l.number);
		}
	}
	drop_holes(&e);
	wb_json_free(e.place);
	wb_json_free(e.hole);
	return ret;
}
