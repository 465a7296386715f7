#include "format-notes.h"
#include "format-grid.h"
#include "machine.h"
#include "mishap.h"
#include "number.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Changes of fewer ticks than this may be rounding. */
#define TICKS_NEAR 3.5

/* Smallest and largest of numbers that were seen. */
struct range {
	size_t least, most;
};

static void widen(struct range *r, size_t n)
{
	if (!n)
		return;
	r->least = r->least && r->least < n ? r->least : n;
	r->most = r->most > n ? r->most : n;
}

static void add_range(struct wb_buf *b, const struct range *r)
{
	if (r->least == r->most)
		wb_buf_addf(b, "%zu", r->most);
	else
		wb_buf_addf(b, "%zu to %zu", r->least, r->most);
}

static const struct wb_row *row_at(const struct wb_view *v, size_t m, size_t c)
{
	return wb_table_row(v->t, v->metric[m], v->column[c]);
}

static const struct wb_metric *metric_at(const struct wb_view *v, size_t m)
{
	return &v->t->r->metric[v->metric[m]];
}

/* Some change is so small that it may be the rounding of the printed values. */
static bool tick_matters(const struct wb_view *v, size_t m)
{
	double tick = v->t->tick[v->metric[m]], step;
	const struct wb_row *row, *old;
	size_t c;

	for (c = 0; c < v->ncolumns && tick > 0; c++) {
		row = row_at(v, m, c);
		if (row->against < 0 || row->exact || isnan(row->low))
			continue;
		old = wb_table_row(v->t, row->metric, (size_t)row->against);
		step = fabs(row->value - old->value);
		if (step < TICKS_NEAR * tick)
			return true;
	}
	return false;
}

void wb_format_ticks(const struct wb_view *v, const struct wb_format_options *o,
		     struct wb_buf *out)
{
	struct wb_buf b = WB_BUF_INIT;
	size_t m;

	for (m = 0; m < v->nmetrics; m++) {
		if (!tick_matters(v, m))
			continue;
		wb_buf_addf(&b, "%s%s ", b.len ? ", " : "tick: ",
			    metric_at(v, m)->name);
		wb_number_add_rough(&b, v->t->tick[v->metric[m]], 10);
		if (*metric_at(v, m)->unit)
			wb_buf_addf(&b, " %s", metric_at(v, m)->unit);
	}
	if (b.len)
		wb_grid_prose(o, b.ptr, out);
	wb_buf_clear(&b);
}

/* What a row has to say. Remarks on metrics without a verdict would bury it. */
static const char *reason_of(const struct wb_view *v, size_t m, size_t c)
{
	const struct wb_row *row = row_at(v, m, c);

	return row->verdict == WB_VERDICT_NONE ? NULL : row->reason;
}

/* Whether every metric shown says the same of the column. */
static bool one_reason(const struct wb_view *v, size_t c)
{
	const char *first = reason_of(v, 0, c), *reason;
	size_t m;

	for (m = 1; m < v->nmetrics; m++) {
		reason = reason_of(v, m, c);
		if (!first || !reason || strcmp(first, reason) ||
		    row_at(v, m, c)->verdict != row_at(v, 0, c)->verdict)
			return false;
	}
	return true;
}

static void note_row(const struct wb_view *v, const struct wb_format_options *o,
		     size_t m, size_t c, bool all, struct wb_buf *out)
{
	const struct wb_row *row = row_at(v, m, c);
	const struct wb_column *column = &v->t->r->column[row->column];
	struct wb_buf b = WB_BUF_INIT;

	/* the number names the patch; only what concerns all of it repeats */
	wb_buf_addf(&b, "%s: %d %s", wb_verdict_word(row->verdict),
		    column->index,
		    all ? column->name : metric_at(v, m)->name);
	wb_buf_addf(&b, ": %s", row->reason);
	wb_grid_prose(o, b.ptr, out);
	wb_buf_clear(&b);
}

static void note_rows(const struct wb_view *v,
		      const struct wb_format_options *o, struct wb_buf *out)
{
	size_t m, c;

	for (c = 0; c < v->ncolumns; c++) {
		if (one_reason(v, c)) {
			if (reason_of(v, 0, c))
				note_row(v, o, 0, c, true, out);
			continue;
		}
		for (m = 0; m < v->nmetrics; m++)
			if (reason_of(v, m, c))
				note_row(v, o, m, c, false, out);
	}
}

static void note_directions(const struct wb_view *v,
			    const struct wb_format_options *o,
			    struct wb_buf *out)
{
	struct wb_buf b = WB_BUF_INIT;
	size_t m;

	for (m = 0; m < v->nmetrics; m++)
		if (!metric_at(v, m)->better && metric_at(v, m)->judged)
			wb_buf_addf(&b, "%s%s", b.len ? ", " :
				    "better not known, so never faster or "
				    "slower: ", metric_at(v, m)->name);
	if (b.len) {
		wb_buf_addf(&b, " (set wb-bench.%s.better)",
			    *v->bench ? v->bench : "NAME");
		wb_grid_prose(o, b.ptr, out);
	}
	wb_buf_clear(&b);
}

/* Counts that the kernel took in turns are estimates. */
static void note_shared(const struct wb_view *v,
			const struct wb_format_options *o, struct wb_buf *out)
{
	const struct wb_metric *metric;
	struct wb_buf b = WB_BUF_INIT;
	size_t m;

	for (m = 0; m < v->nmetrics; m++) {
		metric = metric_at(v, m);
		if (!(metric->counted > 0 && metric->counted < 1))
			continue;
		wb_buf_reset(&b);
		wb_buf_addf(&b, "multiplexed: %s had a counter for %.0f %% of "
			    "the time at least, the rest is estimated; fewer "
			    "events would fit", metric->name,
			    100 * metric->counted);
		wb_grid_prose(o, b.ptr, out);
	}
	wb_buf_clear(&b);
}

static bool has_sample(const struct wb_view *v, size_t m)
{
	size_t c;

	for (c = 0; c < v->ncolumns; c++)
		if (row_at(v, m, c)->n)
			return true;
	return false;
}

/* Without hardware counters instruction counts are what tells patches apart. */
static void note_primary(const struct wb_view *v,
			 const struct wb_format_options *o, struct wb_buf *out)
{
	const struct wb_metric *metric;
	struct wb_buf b = WB_BUF_INIT;
	size_t m;

	for (m = 0; m < v->nmetrics; m++) {
		metric = metric_at(v, m);
		if (!has_sample(v, m))
			continue;
		if (metric->level == WB_LEVEL_H)
			break;
		if (metric->level == WB_LEVEL_I && metric->judged)
			wb_buf_addf(&b, "%s%s", b.len ? ", " : "primary: ",
				    metric->name);
	}
	if (m == v->nmetrics && b.len) {
		wb_buf_addstr(&b, " (level I): level H was not counted");
		wb_grid_prose(o, b.ptr, out);
	}
	wb_buf_clear(&b);
}

static void note_hidden(const struct wb_view *v,
			const struct wb_format_options *o, struct wb_buf *out)
{
	struct wb_buf b = WB_BUF_INIT;

	if (!v->judged)
		wb_buf_addf(&b, "no verdicts: no metric is judged (set "
			    "wb-bench.%s.judge)", *v->bench ? v->bench :
			    "NAME");
	else if (v->hidden)
		wb_buf_addf(&b, "not judged: %zu metric%s; see them with "
			    "--metric GLOB", v->hidden,
			    v->hidden == 1 ? "" : "s");
	if (b.len)
		wb_grid_prose(o, b.ptr, out);
	wb_buf_clear(&b);
}

void wb_format_notes(const struct wb_view *v, const struct wb_format_options *o,
		     struct wb_buf *out)
{
	note_primary(v, o, out);
	note_shared(v, o, out);
	wb_format_ticks(v, o, out);
	note_directions(v, o, out);
	note_rows(v, o, out);
	wb_format_machine(v, o, out);
	if (o->only_changed && v->ncolumns == 1)
		wb_grid_prose(o, "no patch is faster or slower", out);
	note_hidden(v, o, out);
}

/* What is behind the changes that are shown. */
struct methods {
	struct range rounds;	/* most is 0 when none is paired */
	bool paired, welch;
};

static struct methods find_methods(const struct wb_table *t,
				   const struct wb_format_options *o)
{
	struct methods found = { .paired = false };
	const struct wb_row *row;
	size_t next = 0, m, c;
	struct wb_view v;
	const char *word;

	while (next < t->r->nmetrics) {
		wb_view_init(&v, t, o, false, &next);
		for (m = 0; m < v.nmetrics; m++) {
			for (c = 0; c < v.ncolumns; c++) {
				row = row_at(&v, m, c);
				if (row->paired)
					widen(&found.rounds, row->rounds);
				word = wb_method_word(row);
				found.paired |= word && !strcmp(word, "rounds");
				found.welch |= word && !strcmp(word, "welch");
			}
		}
		wb_view_clear(&v);
	}
	return found;
}

static void summarize_changes(const struct wb_table *t,
			      const struct wb_format_options *o,
			      struct wb_buf *out)
{
	struct methods by = find_methods(t, o);
	struct wb_buf b = WB_BUF_INIT;

	if (by.rounds.most) {
		add_range(&b, &by.rounds);
		wb_buf_addstr(&b, " rounds; ");
	}
	wb_buf_addstr(&b, "margin +-");
	wb_number_add_rough(&b, t->o.margin * 100, 10);
	wb_buf_addstr(&b, " %");
	if (t->family)
		wb_buf_addf(&b, "; 5 %% after Holm over %zu change%s",
			    t->family, t->family == 1 ? "" : "s");
	wb_grid_prose(o, b.ptr, out);
	/* else a table seems to contradict itself: not of one sample */
	if (by.rounds.most)
		wb_grid_prose(o, t->r->npasses ?
			      "value: median of n processes; change: mean "
			      "of the rounds' ratios, of slices by the medians "
			      "of their passes" :
			      "value: median of n processes; change: mean "
			      "of the rounds' ratios", out);
	if (by.paired || by.welch)
		wb_grid_prose(o, !by.welch ?
			      "test and interval: t on the logs of the "
			      "rounds' ratios" : !by.paired ?
			      "test and interval: Welch's t on logs, for no "
			      "rounds are known" :
			      "test and interval: t on the logs of the "
			      "rounds' ratios; Welch's t on logs where no "
			      "rounds are known", out);
	wb_buf_clear(&b);
}

/* What others said of a patch that is shown, by its message. */
static void summarize_trailers(const struct wb_table *t,
			       const struct wb_format_options *o,
			       struct wb_buf *out)
{
	const struct wb_column *col;
	struct wb_buf b = WB_BUF_INIT;
	size_t c, i;

	for (c = 1; c < t->r->ncolumns; c++) {
		if (o->focus && o->focus != c)
			continue;
		col = &t->r->column[c];
		wb_buf_reset(&b);
		for (i = 0; i < col->ntrailers; i++)
			if (wb_trailer_is_given(col->trailer[i]))
				wb_buf_addf(&b, "%s%s", b.len ? "; " : "",
					    col->trailer[i]);
		if (b.len) {
			char *line = wb_xasprintf("said of %d %s: %s",
						  col->index, col->name,
						  b.ptr);

			wb_grid_prose(o, line, out);
			free(line);
		}
	}
	wb_buf_clear(&b);
}

/* Rounds that do not count for what befell the machine, or do all the same. */
static void summarize_mishaps(const struct wb_table *t,
			      const struct wb_format_options *o,
			      struct wb_buf *out)
{
	const struct wb_result_mishap *m;
	struct wb_buf b = WB_BUF_INIT;
	size_t i;

	for (i = 0; i < t->r->nmishaps; i++) {
		m = &t->r->mishap[i];
		wb_buf_reset(&b);
		if (m->discarded)
			wb_buf_addf(&b, "discarded: %zu round%s of %s, in "
				    "which %s", m->discarded,
				    m->discarded == 1 ? "" : "s", m->bench,
				    wb_mishap_meaning(m->what));
		if (m->kept)
			wb_buf_addf(&b, "%s%zu round%s of %s count though %s",
				    b.len ? "; " : "kept: ", m->kept,
				    m->kept == 1 ? "" : "s", m->bench,
				    wb_mishap_meaning(m->what));
		wb_grid_prose(o, b.ptr, out);
	}
	wb_buf_clear(&b);
}

void wb_format_summary(const struct wb_table *t,
		       const struct wb_format_options *o, struct wb_buf *out)
{
	const struct wb_hole *why;
	struct wb_buf b = WB_BUF_INIT;
	const char *bench;
	size_t i = 0;

	while ((bench = wb_view_unmeasured(t, o, &i, &why))) {
		wb_buf_reset(&b);
		wb_buf_addf(&b, "%s: not measured", bench);
		if (why && why->reason && *why->reason)
			wb_buf_addf(&b, " (%d %s: %s)",
				    t->r->column[why->column].index,
				    t->r->column[why->column].name,
				    why->reason);
		wb_grid_prose(o, b.ptr, out);
	}
	summarize_changes(t, o, out);
	if (t->r->machine_facts && !o->no_machine) {
		wb_buf_reset(&b);
		wb_buf_addf(&b, "machine: %s", t->r->machine_facts);
		wb_grid_prose(o, b.ptr, out);
	}
	if (t->r->toolchain && !o->no_machine) {
		wb_buf_reset(&b);
		wb_buf_addf(&b, "builds: not those of this machine, made by "
			    "%s", t->r->toolchain);
		wb_grid_prose(o, b.ptr, out);
	}
	if (t->r->open_runs) {
		wb_buf_reset(&b);
		wb_buf_addf(&b, "sandbox: none around %zu run%s of these "
			    "benches", t->r->open_runs,
			    t->r->open_runs == 1 ? "" : "s");
		wb_grid_prose(o, b.ptr, out);
	}
	summarize_mishaps(t, o, out);
	if (t->r->locked_runs) {
		wb_buf_reset(&b);
		wb_buf_addf(&b, "mlock: %zu of %zu runs of these benches had "
			    "their memory locked", t->r->locked_runs,
			    t->r->locked_runs + t->r->unlocked_runs);
		wb_grid_prose(o, b.ptr, out);
	}
	if (!o->no_trailers)
		summarize_trailers(t, o, out);
	for (i = 0; i < t->r->nelsewhere && t->r->machine_facts; i++) {
		wb_buf_reset(&b);
		wb_buf_addf(&b, "left out: %zu run%s of another machine, or "
			    "of this one in another state: ",
			    t->r->elsewhere[i].runs,
			    t->r->elsewhere[i].runs == 1 ? "" : "s");
		wb_machine_differ(t->r->machine_facts,
				  t->r->elsewhere[i].facts, &b);
		wb_grid_prose(o, b.ptr, out);
	}
	wb_buf_clear(&b);
}
