/*
 * One sample line: from JSON to checked fields.
 */
#include "sample.h"
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whether a double holds the whole number, digit for digit. */
static bool survives(int64_t whole)
{
	double d = (double)whole;

	return d < 0x1p63 && (int64_t)d == whole;
}

/* In all of these null says no more than an absent key. */
static int get_str(const struct wb_sample *s, const char *key,
		   const char **out, struct wb_error *err)
{
	const struct wb_json *v = wb_json_get(s->json, key);

	*out = NULL;
	if (v && !wb_json_get_str(v, out) && !wb_json_is_null(v))
		return wb_fail(err, WB_E_FATAL, "\"%s\" is not a string", key);
	return 0;
}

static int get_int(const struct wb_sample *s, const char *key, int64_t min,
		   int64_t *out, struct wb_error *err)
{
	const struct wb_json *v = wb_json_get(s->json, key);

	*out = -1;
	if (!v || (wb_json_get_int(v, out) && *out >= min))
		return 0;
	if (*out == -1 && wb_json_is_null(v))
		return 0;
	return wb_fail(err, WB_E_FATAL,
		       "\"%s\" is not a whole number of at least %d", key,
		       (int)min);
}

static int get_flag(const struct wb_sample *s, const char *key, bool *out,
		    struct wb_error *err)
{
	const struct wb_json *v = wb_json_get(s->json, key);

	*out = false;
	if (v && !wb_json_get_bool(v, out) && !wb_json_is_null(v))
		return wb_fail(err, WB_E_FATAL, "\"%s\" is not true or false",
			       key);
	return 0;
}

static int get_words(struct wb_sample *s, struct wb_error *err)
{
	const char *word;

	if (get_str(s, "better", &word, err) < 0)
		return -1;
	if (word && *word && !wb_better_parse(word, &s->better))
		return wb_fail(err, WB_E_FATAL, "\"better\" is '%.40s', not "
			       "'lower' or 'higher'", word);
	if (get_str(s, "level", &word, err) < 0)
		return -1;
	if (word && *word && !wb_level_parse(word, &s->level))
		return wb_fail(err, WB_E_FATAL,
			       "\"level\" is '%.40s', not H, S or I", word);
	return 0;
}

static int get_value(struct wb_sample *s, struct wb_error *err)
{
	const struct wb_json *v = wb_json_get(s->json, "value");
	int64_t whole;

	if (!v)
		return 0;
	if (!wb_json_get_num(v, &s->value) || !isfinite(s->value))
		return wb_fail(err, WB_E_FATAL, "\"value\" is not a number");
	if (wb_json_get_int(v, &whole) && !survives(whole))
		return wb_fail(err, WB_E_FATAL, "value %lld has more digits "
			       "than can be kept; print it in a larger unit",
			       (long long)whole);
	s->has_value = true;
	return 0;
}

static int get_fields(struct wb_sample *s, struct wb_error *err)
{
	static const struct {
		const char *key;
		size_t offset;
	} strings[] = {
		{ "bench", offsetof(struct wb_sample, bench) },
		{ "metric", offsetof(struct wb_sample, metric) },
		{ "prefix", offsetof(struct wb_sample, prefix) },
		{ "unit", offsetof(struct wb_sample, unit) },
		{ "tree", offsetof(struct wb_sample, tree) },
		{ "build", offsetof(struct wb_sample, build) },
		{ "machine", offsetof(struct wb_sample, machine) },
		{ "boot", offsetof(struct wb_sample, boot) },
		{ "failed", offsetof(struct wb_sample, failed) },
	};
	int64_t iter;
	size_t i;

	for (i = 0; i < sizeof(strings) / sizeof(strings[0]); i++)
		if (get_str(s, strings[i].key,
			    (const char **)((char *)s + strings[i].offset),
			    err) < 0)
			return -1;
	if (s->failed && (s->metric || wb_json_get(s->json, "value")))
		return wb_fail(err, WB_E_FATAL, "\"failed\" beside a metric or "
			       "value; a run that failed has none");
	if (!s->failed && (!s->metric || !*s->metric))
		return wb_fail(err, WB_E_FATAL, "no \"metric\"");
	if (get_words(s, err) < 0 || get_value(s, err) < 0 ||
	    get_int(s, "per", 1, &s->per, err) < 0 ||
	    get_int(s, "round", 0, &s->round, err) < 0 ||
	    get_int(s, "run", 0, &s->run, err) < 0 ||
	    get_int(s, "layout", 0, &s->layout, err) < 0 ||
	    get_int(s, "iter", 0, &iter, err) < 0 ||
	    get_flag(s, "exact", &s->exact, err) < 0 ||
	    get_flag(s, "control", &s->control, err) < 0)
		return -1;
	s->has_per = s->per > 0;
	if (s->has_value && s->has_per)
		return wb_fail(err, WB_E_FATAL,
			       "both \"value\" and \"per\"; a line has one");
	return 0;
}

int wb_sample_parse(struct wb_sample *s, const char *line, size_t len,
		    struct wb_error *err)
{
	char why[256];

	memset(s, 0, sizeof(*s));
	if (wb_json_parse(line, len, &s->json, err) < 0) {
		snprintf(why, sizeof(why), "%.200s", err->msg);
		return wb_fail(err, WB_E_FATAL, "%s; a sample is one JSON "
			       "object on one line", why);
	}
	if (!wb_json_is_object(s->json))
		return wb_fail(err, WB_E_FATAL, "not a JSON object");
	return get_fields(s, err);
}

void wb_sample_clear(struct wb_sample *s)
{
	wb_json_free(s->json);
	memset(s, 0, sizeof(*s));
}
