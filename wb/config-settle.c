#include "config.h"
#include "opt.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* From entries to fields: what each key means. config.c has the table. */

static void set_str(char **field, const char *value)
{
	free(*field);
	*field = wb_xstrdup(*value ? value : NULL);
}

struct word_row {
	const char *word;
	int value;
};

static int set_word(int *field, const char *value, const struct word_row *row,
		    struct wb_error *err)
{
	struct wb_buf all = WB_BUF_INIT;
	const struct word_row *r;

	for (r = row; r->word; r++) {
		if (!strcmp(r->word, value)) {
			*field = r->value;
			return 0;
		}
	}
	for (r = row; r->word; r++)
		wb_buf_addf(&all, "%s%s", r == row ? "" : ", ", r->word);
	wb_fail(err, WB_E_USAGE, "'%s' is none of %s", value, all.ptr);
	wb_buf_clear(&all);
	return -1;
}

static const struct word_row fifo_words[] = {
	{ "auto", WB_FIFO_AUTO }, { "on", WB_FIFO_ON }, { "off", WB_FIFO_OFF },
	{ NULL, 0 },
};

static const struct word_row bool_words[] = {
	{ "true", true }, { "false", false }, { "yes", true }, { "no", false },
	{ "on", true }, { "off", false }, { NULL, 0 },
};

static const struct word_row sandbox_words[] = {
	{ "auto", WB_SANDBOX_AUTO }, { "on", WB_SANDBOX_ON },
	{ "off", WB_SANDBOX_OFF }, { NULL, 0 },
};

static const struct word_row profile_words[] = {
	{ "strict", 0 }, { "quilt", 0 }, { "dpkg", 0 }, { "git", 0 },
	{ NULL, 0 },
};

static const struct word_row reader_words[] = {
	{ "samples", WB_READER_SAMPLES }, { "lines", WB_READER_LINES },
	{ "slices", WB_READER_SLICES },
	{ "time", WB_READER_TIME }, { "last-number", WB_READER_LAST_NUMBER },
	{ "google-benchmark", WB_READER_GOOGLE },
	{ "hyperfine", WB_READER_HYPERFINE }, { "go", WB_READER_GO },
	{ "perf-stat", WB_READER_PERF }, { "ktap", WB_READER_KTAP },
	{ "mmtests", WB_READER_MMTESTS },
	{ NULL, 0 },
};

const char *wb_reader_word(enum wb_reader r)
{
	const struct word_row *row;

	for (row = reader_words; row->word; row++)
		if (row->value == (int)r)
			return row->word;
	return "";
}

bool wb_reader_parse(const char *word, enum wb_reader *out)
{
	const struct word_row *row;

	for (row = reader_words; row->word; row++) {
		if (strcmp(row->word, word))
			continue;
		*out = (enum wb_reader)row->value;
		return true;
	}
	return false;
}

static const struct word_row better_words[] = {
	{ "lower", 0 }, { "higher", 0 }, { NULL, 0 },
};

static const struct word_row level_words[] = {
	{ "auto", WB_WISH_AUTO }, { "H", WB_WISH_H }, { "S", WB_WISH_S },
	{ "I", WB_WISH_I },
	{ NULL, 0 },
};

static const struct word_row counter_words[] = {
	{ "auto", WB_WISH_ANY_COUNTER }, { "callgrind", WB_WISH_CALLGRIND },
	{ "qemu", WB_WISH_QEMU },
	{ NULL, 0 },
};

static int settle_field(struct wb_bench_config *b, enum wb_scope scope,
			const char *name, const char *value,
			struct wb_error *err)
{
	int word;
	long n;

	if (!strcmp(name, "command")) {
		set_str(&b->command, value);
		b->from_project = scope == WB_SCOPE_PROJECT;
	} else if (!strcmp(name, "reader")) {
		if (set_word(&word, value, reader_words, err) < 0)
			return -1;
		b->reader = (enum wb_reader)word;
	} else if (!strcmp(name, "better")) {
		if (set_word(&word, value, better_words, err) < 0)
			return -1;
		set_str(&b->better, value);
	} else if (!strcmp(name, "unit")) {
		set_str(&b->unit, value);
	} else if (!strcmp(name, "judge")) {
		set_str(&b->judge, value);
	} else if (!strcmp(name, "cpus")) {
		if (wb_parse_int(value, 1, 4096, &n, err) < 0)
			return -1;
		b->cpus = (int)n;
	} else if (!strcmp(name, "level")) {
		if (set_word(&word, value, level_words, err) < 0)
			return -1;
		b->level = (enum wb_level_wish)word;
	} else if (!strcmp(name, "counter")) {
		if (set_word(&word, value, counter_words, err) < 0)
			return -1;
		b->counter = (enum wb_counter_wish)word;
	} else if (!strcmp(name, "events")) {
		set_str(&b->events, value);
	} else if (!strcmp(name, "profile")) {
		set_str(&b->profile, value);
	} else if (!strcmp(name, "toggle")) {
		set_str(&b->toggle, value);
	} else if (!strcmp(name, "timeout")) {
		return wb_parse_duration(value, &b->timeout, err);
	}
	return 0;
}

static struct wb_bench_config *bench_named(struct wb_config *c,
					   const char *name, size_t len)
{
	static const char any[] = "wb-bench.NAME.";
	const struct wb_config_key *k;
	struct wb_bench_config *b;
	struct wb_error err;
	size_t i;
	int rc;

	for (i = 0; i < c->nbenches; i++)
		if (strlen(c->bench[i].name) == len &&
		    !memcmp(c->bench[i].name, name, len))
			return &c->bench[i];
	c->bench = wb_grow(c->bench, c->nbenches, &c->capbenches,
			   sizeof(*c->bench));
	b = &c->bench[c->nbenches++];
	*b = (struct wb_bench_config){ .name = wb_xstrndup(name, len) };
	for (k = wb_config_keys; k->key; k++) {
		if (!wb_str_starts(k->key, any) || !k->fallback)
			continue;
		rc = settle_field(b, WB_SCOPE_DEFAULT,
				  k->key + strlen(any), k->fallback, &err);
		assert(!rc);
		(void)rc;
	}
	return b;
}

static int settle_bench(struct wb_config *c, enum wb_scope scope,
			const char *sub, const char *value,
			struct wb_error *err)
{
	const char *name = strrchr(sub, '.');

	if (!name || name == sub)
		return wb_fail(err, WB_E_USAGE,
			       "a bench needs a name: [wb-bench \"NAME\"]");
	return settle_field(bench_named(c, sub, (size_t)(name - sub)), scope,
			    name + 1, value, err);
}

static int settle_build(struct wb_config *c, enum wb_scope scope,
			const char *name, const char *value,
			struct wb_error *err)
{
	struct wb_build_config *b = &c->build;
	long n;

	if (!strcmp(name, "command")) {
		set_str(&b->command, value);
		b->from_project = scope == WB_SCOPE_PROJECT;
	} else if (!strcmp(name, "inputs")) {
		set_str(&b->inputs, value);
	} else if (!strcmp(name, "overlay")) {
		set_str(&b->overlay, value);
	} else if (!strcmp(name, "test")) {
		set_str(&b->test, value);
		b->test_from_project = scope == WB_SCOPE_PROJECT;
	} else if (!strcmp(name, "layouts")) {
		if (wb_parse_int(value, 1, WB_LAYOUTS_MAX, &n, err) < 0)
			return -1;
		b->layouts = (int)n;
	} else if (!strcmp(name, "timeout")) {
		return wb_parse_duration(value, &b->timeout, err);
	}
	return 0;
}

/* Keys that start with "wb.sandbox". */
static int settle_sandbox(struct wb_config *c, const char *name,
			  const char *value, struct wb_error *err)
{
	int word;
	long n;

	if (!*name) {
		if (set_word(&word, value, sandbox_words, err) < 0)
			return -1;
		c->sandbox = (enum wb_sandbox_wish)word;
	} else if (!strcmp(name, "-read")) {
		set_str(&c->sandbox_read, value);
	} else if (!strcmp(name, "-write")) {
		set_str(&c->sandbox_write, value);
	} else if (!strcmp(name, "-disk")) {
		return wb_parse_bytes(value, &c->sandbox_disk, err);
	} else if (!strcmp(name, "-memory")) {
		return wb_parse_bytes(value, &c->sandbox_memory, err);
	} else if (!strcmp(name, "-processes")) {
		if (wb_parse_int(value, 1, 1 << 22, &n, err) < 0)
			return -1;
		c->sandbox_processes = (int)n;
	}
	return 0;
}

static int settle_wb(struct wb_config *c, const char *name, const char *value,
		     struct wb_error *err)
{
	int word;
	long n;

	if (wb_str_starts(name, "sandbox"))
		return settle_sandbox(c, name + strlen("sandbox"), value, err);

	if (!strcmp(name, "series")) {
		set_str(&c->series, value);
	} else if (!strcmp(name, "profile")) {
		if (set_word(&word, value, profile_words, err) < 0)
			return -1;
		set_str(&c->profile, value);
	} else if (!strcmp(name, "allow-header-only")) {
		if (set_word(&word, value, bool_words, err) < 0)
			return -1;
		c->header_only = word;
	} else if (!strcmp(name, "margin")) {
		return wb_parse_ratio(value, &c->margin, err);
	} else if (!strcmp(name, "gate")) {
		return wb_parse_ratio(value, &c->gate, err);
	} else if (!strcmp(name, "templates")) {
		set_str(&c->templates, value);
	} else if (!strcmp(name, "cpuset")) {
		set_str(&c->cpuset, value);
	} else if (!strcmp(name, "fifo")) {
		if (set_word(&word, value, fifo_words, err) < 0)
			return -1;
		c->fifo = (enum wb_fifo)word;
	} else if (!strcmp(name, "rounds")) {
		if (wb_parse_int(value, 1, 1000000, &n, err) < 0)
			return -1;
		c->rounds = (int)n;
	} else if (!strcmp(name, "max-rounds")) {
		if (wb_parse_int(value, 1, 1000000, &n, err) < 0)
			return -1;
		c->max_rounds = (int)n;
	}
	return 0;
}

/* Whether the table has the key; "wb-bench.NAME.x" stands for every name. */
static bool known_key(const char *key)
{
	static const char bench[] = "wb-bench.", any[] = "wb-bench.NAME.";
	const char *last = strrchr(key, '.') + 1;
	const struct wb_config_key *k;

	for (k = wb_config_keys; k->key; k++)
		if (!strcmp(k->key, key) ||
		    (wb_str_starts(key, bench) && wb_str_starts(k->key, any) &&
		     !strcmp(k->key + strlen(any), last)))
			return true;
	return false;
}

static bool our_key(const char *key)
{
	return wb_str_starts(key, "wb.") || wb_str_starts(key, "wb-build.") ||
	       wb_str_starts(key, "wb-bench.");
}

static int settle(struct wb_config *c, enum wb_scope scope, const char *key,
		  const char *value, struct wb_error *err)
{
	if (wb_str_starts(key, "wb."))
		return settle_wb(c, key + strlen("wb."), value, err);
	if (wb_str_starts(key, "wb-build."))
		return settle_build(c, scope, key + strlen("wb-build."), value,
				    err);
	if (wb_str_starts(key, "wb-bench."))
		return settle_bench(c, scope, key + strlen("wb-bench."), value,
				    err);
	return 0;
}

int wb_config_settle(struct wb_config *c, struct wb_error *err)
{
	const struct wb_config_entry *e;
	const struct wb_config_key *k;
	size_t i;

	if (!c->unboxed_said)
		c->unboxed_said = wb_xcalloc(1, sizeof(*c->unboxed_said));
	for (k = wb_config_keys; k->key; k++)
		if (k->fallback && !wb_str_starts(k->key, "wb-bench.") &&
		    settle(c, WB_SCOPE_DEFAULT, k->key, k->fallback, err) < 0)
			return wb_fail_at(err, "%s", k->key);
	for (i = 0; i < c->nentries; i++) {
		e = &c->entry[i];
		/* who is to be locked in does not hold the key */
		if (e->scope == WB_SCOPE_PROJECT &&
		    wb_str_starts(e->key, "wb.sandbox")) {
			wb_warn("%s: %s: ignored; only your own configuration "
				"decides on the sandbox", e->origin, e->key);
			continue;
		}
		if (settle(c, e->scope, e->key, e->value ? e->value : "true",
			   err) < 0)
			return wb_fail_at(err, "%s: %s", e->origin, e->key);
		/* a slip in "inputs" would silently change what is measured */
		if (our_key(e->key) && !known_key(e->key))
			wb_warn("%s: %s: this wb knows no such key; see "
				"'wb help config'", e->origin, e->key);
	}
	return 0;
}
