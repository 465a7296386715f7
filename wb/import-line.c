#include "import-line.h"
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PASSES_MAX 100000

static int need_hex(const struct wb_json *v, const char *what, size_t min,
		    size_t max, const char **out, struct wb_error *err)
{
	size_t n;

	if (!wb_json_get_str(v, out))
		return wb_fail(err, WB_E_FATAL, "no \"%s\": it is not a file "
			       "of wb export ('wb report --samples FILE' reads "
			       "it)", what);
	n = strspn(*out, "0123456789abcdef");
	if ((*out)[n] || n < min || n > max)
		return wb_fail(err, WB_E_FATAL, "\"%s\" is '%.80s', no id",
			       what, *out);
	return 0;
}

static int need_int(const struct wb_json *v, const char *what, int64_t max,
		    int64_t *out, struct wb_error *err)
{
	if (wb_json_get_int(v, out) && *out >= 0 && *out <= max)
		return 0;
	return wb_fail(err, WB_E_FATAL, "\"%s\" is no whole number from 0 to "
		       "%" PRId64, what, max);
}

static int get_int(const struct wb_json *o, const char *key, int64_t *out,
		   struct wb_error *err)
{
	const struct wb_json *v = wb_json_get(o, key);

	*out = -1;
	return v ? need_int(v, key, INT64_MAX, out, err) : 0;
}

static int get_seconds(const struct wb_json *o, const char *key, bool needed,
		       double *out, struct wb_error *err)
{
	const struct wb_json *v = wb_json_get(o, key);

	*out = -1;
	if (!v && !needed)
		return 0;
	if (wb_json_get_num(v, out) && isfinite(*out) && *out >= 0)
		return 0;
	return wb_fail(err, WB_E_FATAL, "\"%s\" is no number of seconds", key);
}

static int get_time(const struct wb_json *v, int64_t *out,
		    struct wb_error *err)
{
	struct tm tm = { .tm_isdst = 0 };
	const char *s, *end;

	if (wb_json_get_str(v, &s)) {
		end = strptime(s, "%Y-%m-%dT%H:%M:%SZ", &tm);
		*out = end && !*end ? (int64_t)timegm(&tm) : 0;
		if (*out > 0)
			return 0;
	}
	return wb_fail(err, WB_E_FATAL, "\"time\" is not like "
		       "2026-01-31T12:00:00Z");
}

static int get_usage(const struct wb_json *env, struct wb_db_usage *u,
		     struct wb_error *err)
{
	return get_seconds(env, "user", false, &u->user, err) < 0 ||
	       get_seconds(env, "sys", false, &u->sys, err) < 0 ||
	       get_int(env, "maxrss", &u->maxrss, err) < 0 ||
	       get_int(env, "nvcsw", &u->nvcsw, err) < 0 ||
	       get_int(env, "faults", &u->faults, err) < 0 ||
	       get_int(env, "migrations", &u->migrations, err) < 0 ||
	       get_int(env, "task_clock", &u->task_clock, err) < 0 ||
	       get_int(env, "locked", &u->locked, err) < 0 ? -1 : 0;
}

static int get_env(const struct wb_json *env, struct wb_db_record *r,
		   struct wb_error *err)
{
	const char *seed, *level;
	bool open;

	if (need_hex(wb_json_get(env, "bench"), "env.bench", 64, 64, &r->bench,
		     err) < 0 ||
	    need_hex(wb_json_get(env, "round"), "env.round", 32, 32, &r->round,
		     err) < 0 ||
	    need_hex(wb_json_get(env, "seed"), "env.seed", 16, 16, &seed,
		     err) < 0 ||
	    need_int(wb_json_get(env, "began"), "began", INT64_MAX, &r->began,
		     err) < 0 ||
	    get_int(env, "ended", &r->ended, err) < 0 ||
	    get_seconds(env, "wall", true, &r->run.wall, err) < 0 ||
	    get_seconds(env, "cpu", true, &r->run.cpu, err) < 0 ||
	    get_int(env, "nivcsw", &r->run.nivcsw, err) < 0 ||
	    get_usage(env, &r->run.usage, err) < 0)
		return -1;
	r->seed = strtoull(seed, NULL, 16);
	if (!wb_json_get_str(wb_json_get(env, "level"), &level) ||
	    !wb_level_parse(level, &r->run.level))
		return wb_fail(err, WB_E_FATAL, "\"env.level\" is not H, S or "
			       "I");
	r->run.open = wb_json_get_bool(wb_json_get(env, "open"), &open) ?
		      open : -1;
	return 0;
}

int wb_import_record(const struct wb_sample *s, struct wb_db_record *r,
		     struct wb_error *err)
{
	const struct wb_json *j = s->json;
	int64_t order;

	memset(r, 0, sizeof(*r));
	if (!wb_json_is_object(wb_json_get(j, "env")))
		return wb_fail(err, WB_E_FATAL, "no \"env\": it is not a file "
			       "of wb export ('wb report --samples FILE' reads "
			       "it)");
	if (need_hex(wb_json_get(j, "tree"), "tree", 40, 64, &r->tree,
		     err) < 0 ||
	    need_hex(wb_json_get(j, "build"), "build", 64, 64, &r->build,
		     err) < 0 ||
	    need_hex(wb_json_get(j, "machine"), "machine", 64, 64, &r->machine,
		     err) < 0 ||
	    need_int(wb_json_get(j, "order"), "order", INT32_MAX, &order,
		     err) < 0 ||
	    get_time(wb_json_get(j, "time"), &r->run.time, err) < 0 ||
	    get_env(wb_json_get(j, "env"), r, err) < 0)
		return -1;
	if (!s->boot || !s->bench)
		return wb_fail(err, WB_E_FATAL, "no \"%s\"",
			       s->boot ? "bench" : "boot");
	r->boot = s->boot;
	r->run.order = (int)order;
	r->run.control = s->control;
	return 0;
}

static int get_passes(const struct wb_json *list, const struct wb_json *mean,
		      struct wb_db_sample *s, struct wb_error *err)
{
	size_t n = wb_json_count(list), i;
	float *v;
	double d;

	if (!n)
		return 0;
	if (n > PASSES_MAX || !wb_json_get_num(mean, &s->mean))
		return wb_fail(err, WB_E_FATAL, "\"passes\" without \"mean\", "
			       "or more than %d", PASSES_MAX);
	v = wb_xcalloc(n, sizeof(*v));
	s->pass = v;
	s->npasses = n;
	for (i = 0; i < n; i++) {
		if (!wb_json_get_num(wb_json_at(list, i), &d) ||
		    !isfinite((float)d))
			return wb_fail(err, WB_E_FATAL, "\"passes\" has what "
				       "is no number");
		v[i] = (float)d;
	}
	return 0;
}

int wb_import_sample(const struct wb_sample *s, struct wb_db_sample *out,
		     struct wb_error *err)
{
	int64_t iter;

	if (!s->has_value)
		return wb_fail(err, WB_E_FATAL, "no \"value\"");
	if (get_int(s->json, "iter", &iter, err) < 0)
		return -1;
	*out = (struct wb_db_sample){
		.metric = s->metric, .unit = s->unit ? s->unit : "",
		.better = s->better, .level = s->level, .exact = s->exact,
		.value = s->value, .iter = iter > 0 ? iter : 0,
	};
	if (get_passes(wb_json_get(s->json, "passes"),
		       wb_json_get(s->json, "mean"), out, err) < 0) {
		free((float *)out->pass);
		return -1;
	}
	return 0;
}

bool wb_import_is_counter(const struct wb_sample *s)
{
	return wb_json_get(s->json, "count") != NULL;
}

int wb_import_counter(const struct wb_sample *s, struct wb_db_counter *out,
		      struct wb_error *err)
{
	const struct wb_json *count = wb_json_get(s->json, "count");
	int64_t v[3];
	size_t i;

	for (i = 0; i < 3; i++)
		if (need_int(wb_json_at(count, i), "count", INT64_MAX, &v[i],
			     err) < 0)
			return -1;
	*out = (struct wb_db_counter){
		.metric = s->metric, .level = s->level,
		.count = { (uint64_t)v[0], (uint64_t)v[1], (uint64_t)v[2] },
	};
	return 0;
}

int wb_import_broken(const struct wb_json *o, struct wb_import_broken *out,
		     struct wb_error *err)
{
	if (need_hex(wb_json_get(o, "build"), "broken.build", 64, 64,
		     &out->build, err) < 0 ||
	    need_hex(wb_json_get(o, "tree"), "broken.tree", 40, 64, &out->tree,
		     err) < 0)
		return -1;
	if (!wb_json_get_str(wb_json_get(o, "reason"), &out->reason))
		return wb_fail(err, WB_E_FATAL, "no \"broken.reason\"");
	return 0;
}
