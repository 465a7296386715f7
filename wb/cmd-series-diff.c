#include "cmd.h"
#include "json.h"
#include "plan.h"
#include "table.h"
#include "text.h"
#include "version.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct diff {
	const char *series;
	bool patch;
	int factor;
};

static const struct diff defaults = { .factor = 60 };

static const struct wb_opt opts[] = {
	WB_OPT_FLAG(0, "patch", struct diff, patch,
		    "what changed in each pair, by git range-diff"),
	WB_OPT_INT(0, "creation-factor", struct diff, factor, "N",
		   "percent of a patch that may have changed"),
	WB_OPT_STR('s', "series", struct diff, series, "DIR",
		   "quilt folder instead of wb.series"),
	WB_OPT_END
};

/* One version of the stack, and what was measured of it. */
struct side {
	struct wb_edit edit;	/* of a folder; else .n is 0 */
	struct wb_oid base, tip;
	char *word;		/* what a plan takes; NULL: the default stack */
	struct wb_plan plan;
	struct wb_result result;
	struct wb_table table;
	bool measured;
};

struct pair {
	size_t old, new;	/* numbers from 1, 0: none */
	char sign;
	char old_id[48], new_id[48];
	const char *subject;
};

static int open_folder(struct wb *wb, const char *dir, struct side *s,
		       struct wb_error *err)
{
	struct wb_stack_options so = {
		.from = { .word = dir }, .series = wb->config.series,
		.fuzz = -1, .header_only = wb->config.header_only,
	};

	if (wb_profile_parse(wb->config.profile, &so.profile, err) < 0 ||
	    wb_edit_read(&s->edit, wb->git, &so, err) < 0 ||
	    wb_edit_need(&s->edit, s->edit.n, err) < 0)
		return -1;
	s->base = s->edit.head;
	s->tip = s->edit.tip;
	s->word = wb_xstrdup(dir);
	return 0;
}

static int open_range(struct wb *wb, char *range, struct side *s,
		      struct wb_error *err)
{
	char *dots = strstr(range, ".."), *from;
	int ret;

	s->word = range;
	if (!dots || dots[2] == '.')
		return wb_fail(err, WB_E_USAGE, "'%s' is no version: vN, a "
			       "range A..B, or a quilt folder", range);
	from = wb_xstrndup(range, (size_t)(dots - range));
	ret = wb_git_commit_of(wb->git, *from ? from : "HEAD", &s->base, err);
	if (ret == 0)
		ret = wb_git_commit_of(wb->git, dots[2] ? dots + 2 : "HEAD",
				       &s->tip, err);
	free(from);
	return ret;
}

static int open_version(struct wb *wb, const char *key, const char *word,
			struct side *s, struct wb_error *err)
{
	size_t n = *word == 'v' ? strtoul(word + 1, NULL, 10) : 0;
	char *range;
	struct stat st;

	if (stat(word, &st) == 0 && S_ISDIR(st.st_mode))
		return open_folder(wb, word, s, err);
	if (!n || word[1 + strspn(word + 1, "0123456789")])
		return open_range(wb, wb_xstrdup(word), s, err);
	if (wb_version_range(wb->git, key, n, &range, err) < 0)
		return -1;
	return open_range(wb, range, s, err);
}

/* The last version that is not what the folder holds. */
static int last_other(struct wb *wb, const struct wb_edit *e, char word[32],
		      struct wb_error *err)
{
	struct wb_buf ref = WB_BUF_INIT;
	struct wb_oid files;
	size_t n;
	int ret = wb_version_last(wb->git, e->key, &n, err);

	for (; ret == 0 && n; n--) {
		wb_buf_reset(&ref);
		wb_buf_addf(&ref, "refs/wb/files/%s/v%zu", e->key, n);
		ret = wb_git_tree_of(wb->git, ref.ptr, &files, err);
		if (ret == 0 && strcmp(files.hex, e->stamp.hex))
			break;
	}
	snprintf(word, 32, "v%zu", n);
	if (ret == 0 && !n)
		ret = wb_fail(err, WB_E_FATAL, "%s: no other version is kept",
			      e->quilt.shown);
	wb_buf_clear(&ref);
	return ret;
}

/* What this machine has measured; a diff is of use without it. */
static void learn(struct wb *wb, struct side *s)
{
	struct wb_error why = WB_ERROR_INIT;
	struct wb_source from = { .word = s->word };
	struct wb_table_options o = { .margin = wb->config.margin };

	wb_result_init(&s->result);
	if (!wb->db || !wb->config.nbenches)
		return;
	if (wb_plan_make(&s->plan, wb->git, &wb->config, &from, NULL,
			 &why) == 0 &&
	    wb_plan_result(&s->plan, wb->db, &s->result, &why) == 0) {
		wb_table_init(&s->table, &s->result, &o);
		s->measured = true;
	} else if (wb->verbose) {
		wb_talk("measured: not known: %s", why.msg);
	}
}

static void close_side(struct side *s)
{
	if (s->measured)
		wb_table_clear(&s->table);
	wb_result_clear(&s->result);
	wb_plan_clear(&s->plan);
	wb_edit_close(&s->edit);
	free(s->word);
}

/* ---- printing ----------------------------------------------------------- */

/* The row of a judged metric of patch k; NULL when it was not measured. */
static const struct wb_row *row_of(const struct side *s, size_t metric,
				   size_t k)
{
	const struct wb_row *r;

	if (!s->measured || !k || k >= s->result.ncolumns ||
	    metric >= s->result.nmetrics || !s->result.metric[metric].judged)
		return NULL;
	r = wb_table_row(&s->table, metric, k);
	return r->n && !isnan(r->change) ? r : NULL;
}

static const char *name_of(const struct side *s, size_t k,
			   const struct pair *p)
{
	return k && k <= s->edit.n ? s->edit.patch[k - 1].name : p->subject;
}

static void add_change(struct wb_buf *out, const struct wb_row *r)
{
	if (!r) {
		wb_buf_addch(out, '-');
		return;
	}
	wb_buf_addf(out, "%+.2f%%", 100 * r->change);
	if (!isnan(r->low))
		wb_buf_addf(out, " [%+.2f, %+.2f]", 100 * r->low,
			    100 * r->high);
	wb_buf_addf(out, " n=%zu %s", r->n, wb_verdict_word(r->verdict));
}

static void print_measured(const struct side *side, const struct pair *p)
{
	const struct wb_result *a = &side[0].result, *b = &side[1].result;
	const struct wb_result *r = b->nmetrics ? b : a;
	const struct wb_row *old, *new;
	struct wb_buf line = WB_BUF_INIT;
	size_t m;
	long other;

	for (m = 0; m < r->nmetrics; m++) {
		other = wb_result_find_metric(r == b ? a : b,
					      r->metric[m].bench,
					      r->metric[m].name);
		old = r == a ? row_of(&side[0], m, p->old) :
		      other < 0 ? NULL :
		      row_of(&side[0], (size_t)other, p->old);
		new = r == b ? row_of(&side[1], m, p->new) : NULL;
		if (!old && !new)
			continue;
		wb_buf_reset(&line);
		wb_buf_addf(&line, "       %s %s: ", r->metric[m].bench,
			    r->metric[m].name);
		add_change(&line, old);
		wb_buf_addstr(&line, "  ->  ");
		add_change(&line, new);
		wb_text_print("%s", line.ptr);
	}
	wb_buf_clear(&line);
}

static void print_pair(const struct side *side, const struct pair *p)
{
	char old[24] = "-", new[24] = "-";
	struct wb_buf line = WB_BUF_INIT;

	if (p->old)
		snprintf(old, sizeof(old), "%zu", p->old);
	if (p->new)
		snprintf(new, sizeof(new), "%zu", p->new);
	wb_buf_addf(&line, "%3s %s %3s  %s", old, p->sign == '=' ? "=" :
		    p->sign == '!' ? "!" : p->sign == '<' ? "<" : ">", new,
		    p->new ? name_of(&side[1], p->new, p) :
		    name_of(&side[0], p->old, p));
	if (p->old && p->new && strcmp(name_of(&side[0], p->old, p),
				       name_of(&side[1], p->new, p)))
		wb_buf_addf(&line, " (was: %s)", name_of(&side[0], p->old, p));
	wb_text_print("%s", line.ptr);
	wb_buf_clear(&line);
	print_measured(side, p);
}

static struct wb_json *half_json(const struct side *s, size_t k,
				 const struct pair *p, const char *id)
{
	struct wb_json *o, *list, *m;
	const struct wb_row *r;
	size_t i;

	if (!k)
		return NULL;
	o = wb_json_object();
	list = wb_json_array();
	wb_json_set(o, "index", wb_json_int((int64_t)k));
	wb_json_set(o, "name", wb_json_str(name_of(s, k, p)));
	wb_json_set(o, "commit", wb_json_str(id));
	for (i = 0; i < s->result.nmetrics; i++) {
		r = row_of(s, i, k);
		if (!r)
			continue;
		m = wb_json_object();
		wb_json_set(m, "bench", wb_json_str(s->result.metric[i].bench));
		wb_json_set(m, "metric", wb_json_str(s->result.metric[i].name));
		wb_json_set(m, "change", wb_json_num(r->change));
		wb_json_set(m, "low", wb_json_num(r->low));
		wb_json_set(m, "high", wb_json_num(r->high));
		wb_json_set(m, "verdict",
			    wb_json_str(wb_verdict_word(r->verdict)));
		wb_json_append(list, m);
	}
	wb_json_set(o, "measured", list);
	return o;
}

static struct wb_json *pair_json(const struct side *side, const struct pair *p)
{
	struct wb_json *o = wb_json_object();
	char sign[2] = { p->sign, '\0' };

	wb_json_set(o, "sign", wb_json_str(sign));
	wb_json_set(o, "old", half_json(&side[0], p->old, p, p->old_id));
	wb_json_set(o, "new", half_json(&side[1], p->new, p, p->new_id));
	return o;
}

/* "1:  abc = 2:  def subject" */
static bool parse_pair(char *line, struct pair *p)
{
	char old[24], new[24];
	int at = 0;

	if (sscanf(line, " %20[0-9-]: %45[0-9a-f-] %c %20[0-9-]: "
		   "%45[0-9a-f-] %n", old, p->old_id, &p->sign, new,
		   p->new_id, &at) < 5 || !at)
		return false;
	p->old = *old == '-' ? 0 : strtoul(old, NULL, 10);
	p->new = *new == '-' ? 0 : strtoul(new, NULL, 10);
	p->subject = line + at;
	return true;
}

static int range_diff(struct wb *wb, const struct diff *o,
		      const struct side *side, bool patch, struct wb_buf *out,
		      struct wb_error *err)
{
	struct wb_oid tips[2] = { side[0].tip, side[1].tip };
	struct wb_desk d;
	struct wb_env env;
	int ret = -1;

	if (wb_desk_scratch(&d, wb->git, err) < 0 ||
	    wb_desk_save(&d, tips, 2, err) < 0)
		goto out;
	wb_desk_env(&d, &env);
	wb_env_setf(&env, "OLD", "%s..%s", side[0].base.hex, tips[0].hex);
	wb_env_setf(&env, "NEW", "%s..%s", side[1].base.hex, tips[1].hex);
	wb_env_setf(&env, "FACTOR", "--creation-factor=%d", o->factor);
	ret = wb_desk_run(&d, patch ? "git range-diff --no-color \"$FACTOR\" "
			  "\"$OLD\" \"$NEW\"" : "git range-diff --no-color "
			  "--no-patch \"$FACTOR\" \"$OLD\" \"$NEW\"", &env,
			  out, err);
	wb_env_clear(&env);
out:
	wb_desk_clear(&d);
	return ret;
}

static int print(struct wb *wb, const struct side *side, struct wb_buf *text,
		 struct wb_error *err)
{
	struct wb_json *doc = NULL, *list = wb_json_array();
	char *line = text->ptr, *end;
	struct pair p;
	int ret = 0;

	for (; ret == 0 && *line; line = end + 1) {
		end = strchr(line, '\n');
		if (!end)
			break;
		*end = '\0';
		if (!parse_pair(line, &p))
			ret = wb_fail(err, WB_E_FATAL, "git range-diff says "
				      "what wb cannot read: %s", line);
		else if (wb->json)
			wb_json_append(list, pair_json(side, &p));
		else
			print_pair(side, &p);
	}
	if (ret == 0 && wb->json) {
		doc = wb_json_object();
		wb_json_set(doc, "schema", wb_json_int(1));
		wb_json_set(doc, "pairs", list);
		wb_json_put(doc);
	} else {
		wb_json_free(list);
	}
	return ret;
}

static int open_sides(struct wb *wb, const struct diff *o, int argc,
		      char **argv, struct side *side, struct wb_error *err)
{
	struct side here = { .edit = { .lock = -1 } };
	char word[32];
	int ret = -1;

	/* the present stack: the new side, and whose versions are meant */
	if (argc < 3) {
		if (open_folder(wb, o->series, &side[1], err) < 0 ||
		    (argc < 2 && last_other(wb, &side[1].edit, word, err) < 0))
			return -1;
		return open_version(wb, side[1].edit.key, argc < 2 ? word :
				    argv[1], &side[0], err);
	}
	if (open_folder(wb, o->series, &here, err) < 0) {
		/* no stack here: then ranges and folders are meant */
		here.edit.key = NULL;
		wb_error_clear(err);
	}
	if (open_version(wb, here.edit.key ? here.edit.key : "", argv[1],
			 &side[0], err) == 0)
		ret = open_version(wb, here.edit.key ? here.edit.key : "",
				   argv[2], &side[1], err);
	close_side(&here);
	return ret;
}

static int cmd_diff(struct wb *wb, void *opts_, int argc, char **argv,
		    struct wb_error *err)
{
	const struct diff *o = opts_;
	struct side side[2] = {
		{ .edit = { .lock = -1 } }, { .edit = { .lock = -1 } },
	};
	struct wb_buf text = WB_BUF_INIT;
	int ret = -1;

	if (argc > 3) {
		wb_fail(err, WB_E_USAGE, "two versions, not '%s'", argv[3]);
		goto out;
	}
	if (open_sides(wb, o, argc, argv, side, err) < 0)
		goto out;
	learn(wb, &side[0]);
	learn(wb, &side[1]);
	if (range_diff(wb, o, side, false, &text, err) < 0 ||
	    print(wb, side, &text, err) < 0)
		goto out;
	if (o->patch && !wb->json) {
		wb_buf_reset(&text);
		if (range_diff(wb, o, side, true, &text, err) < 0)
			goto out;
		fwrite(text.ptr, 1, text.len, stdout);
	}
	ret = 0;
out:
	wb_buf_clear(&text);
	close_side(&side[0]);
	close_side(&side[1]);
	return ret;
}

const struct wb_cmd wb_cmd_series_diff = {
	.name = "series diff",
	.fn = cmd_diff,
	.needs = WB_NEED_REPO | WB_WANT_DB,
	.usage = "wb series diff [--patch] [--creation-factor=N] "
		 "[--series=DIR] [V1 [V2]]",
	.summary = "pair the patches of two versions",
	.opts = opts,
	.size = sizeof(struct diff),
	.defaults = &defaults,
};
