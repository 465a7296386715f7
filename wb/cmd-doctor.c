#include "aa.h"
#include "aa-run.h"
#include "cmd.h"
#include "git.h"
#include "host.h"
#include "json.h"
#include "machine.h"
#include "number.h"
#include "plan.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LABEL 15		/* width of the column of topics */
#define WIDTH 78

struct options {
	bool apply, undo;
	const char *bench, *root;
};

static const struct wb_opt opts[] = {
	WB_OPT_FLAG(0, "apply", struct options, apply,
		    "change what is bad, or the TOPICs, for now"),
	WB_OPT_FLAG(0, "undo", struct options, undo,
		    "change back what --apply changed"),
	WB_OPT_STR(0, "bench", struct options, bench, "GLOB",
		   "noise of these benches; runs an A/A where there is none"),
	WB_OPT_STR(0, "root", struct options, root, "DIR",
		   "look at DIR/proc and DIR/sys instead"),
	WB_OPT_END
};

static const struct options defaults = { .root = "/" };

/* ---- findings ------------------------------------------------------------ */

static bool asked_for(const char *topic, char **topics)
{
	for (; *topics; topics++)
		if (!strcmp(*topics, topic))
			return true;
	return false;
}

static int check_topics(const struct wb_findings *f, char **topics,
			struct wb_error *err)
{
	size_t i;

	for (; *topics; topics++) {
		for (i = 0; i < f->n && strcmp(f->v[i].topic, *topics); i++)
			;
		if (i == f->n)
			return wb_fail(err, WB_E_USAGE, "'%s' is no topic; "
				       "'wb doctor' lists them", *topics);
	}
	return 0;
}

/* A command stays on one line, to be copied; prose is wrapped. */
static void print_piece(const char *label, const char *text)
{
	struct wb_buf safe = WB_BUF_INIT;

	if (!text)
		return;
	wb_text_add(&safe, text, WB_TEXT_UTF8);
	printf("%*s%s %s\n", LABEL, "", label, safe.ptr);
	wb_buf_clear(&safe);
}

static void print_effect(const char *text)
{
	size_t room = WIDTH - LABEL - strlen("effect: "), n;
	const char *label = "effect: ";

	for (; text && *text; text += n, text += *text == ' ') {
		n = strlen(text);
		if (n > room)
			for (n = room; n && text[n] != ' '; n--)
				;
		/* a word that is longer than the line stays whole */
		if (!n)
			n = strcspn(text, " ");
		wb_text_print("%*s%s%.*s", LABEL, "", label, (int)n, text);
		label = "        ";
	}
}

static void print_findings(const struct wb_findings *f, char **topics)
{
	const struct wb_finding *v;
	struct wb_buf now = WB_BUF_INIT;
	size_t i;

	for (i = 0; i < f->n; i++) {
		v = &f->v[i];
		if (*topics && !asked_for(v->topic, topics))
			continue;
		wb_buf_reset(&now);
		wb_text_add(&now, v->now, WB_TEXT_UTF8);
		printf("%-*s%-6s%s\n", LABEL, v->topic,
		       wb_finding_word(v->state), now.ptr);
		if (v->state == WB_FINDING_GOOD)
			continue;
		print_effect(v->effect);
		print_piece("change:", v->change);
		print_piece("undo:  ", v->undo);
	}
	wb_buf_clear(&now);
}

static void print_summary(const struct wb_findings *f)
{
	size_t i, bad = 0, ours = 0;

	for (i = 0; i < f->n; i++) {
		bad += f->v[i].state == WB_FINDING_BAD;
		ours += f->v[i].state == WB_FINDING_BAD && f->v[i].nsettings;
	}
	printf("\n%zu of %zu things make numbers worse", bad, f->n);
	if (ours)
		printf("; 'wb doctor --apply' changes %zu of them, --undo "
		       "changes them back", ours);
	printf("\n");
}

static struct wb_json *findings_json(const struct wb_findings *f, char **topics)
{
	struct wb_json *list = wb_json_array(), *o;
	const struct wb_finding *v;
	size_t i;

	for (i = 0; i < f->n; i++) {
		v = &f->v[i];
		if (*topics && !asked_for(v->topic, topics))
			continue;
		o = wb_json_object();
		wb_json_set(o, "topic", wb_json_str(v->topic));
		wb_json_set(o, "state", wb_json_str(wb_finding_word(v->state)));
		wb_json_set(o, "now", wb_json_str(v->now));
		wb_json_set(o, "effect", wb_json_str(v->effect));
		wb_json_set(o, "change", wb_json_str(v->change));
		wb_json_set(o, "undo", wb_json_str(v->undo));
		wb_json_set(o, "settings", wb_json_int((int64_t)v->nsettings));
		wb_json_append(list, o);
	}
	return list;
}

/* ---- noise of the benches ------------------------------------------------ */

static void add_percent(struct wb_buf *b, double ratio)
{
	if (isfinite(ratio))
		wb_number_add_rough(b, 100 * ratio, 2);
	else
		wb_buf_addch(b, '-');
}

static void add_noise(struct wb_buf *b, const struct wb_aa *aa)
{
	if (isnan(aa->visible)) {
		wb_buf_addf(b, ": the two never differed in %zu rounds",
			    aa->rounds);
		return;
	}
	wb_buf_addstr(b, ": smallest visible effect ");
	add_percent(b, aa->visible);
	wb_buf_addf(b, " %% in %zu rounds; A/A ", aa->rounds);
	add_percent(b, aa->change);
	wb_buf_addstr(b, " % [");
	add_percent(b, aa->low);
	wb_buf_addstr(b, ", ");
	add_percent(b, aa->high);
	wb_buf_addch(b, ']');
}

static void print_noise(const struct wb_result *r)
{
	const struct wb_metric *m;
	struct wb_buf b = WB_BUF_INIT;
	struct wb_aa aa;
	size_t i, n = 0;

	for (i = 0; i < r->nmetrics; i++) {
		m = &r->metric[i];
		wb_aa(r, i, &aa);
		if (!m->judged || aa.rounds < 2)
			continue;
		if (!n++)
			printf("\nA/A: the base against itself on this "
			       "machine\n");
		wb_buf_reset(&b);
		wb_text_add(&b, m->bench, WB_TEXT_UTF8);
		wb_buf_addch(&b, ' ');
		wb_text_add(&b, m->name, WB_TEXT_UTF8);
		add_noise(&b, &aa);
		printf("%s\n", b.ptr);
	}
	if (!n)
		printf("\nno A/A yet: 'wb run' makes one beside its rounds, "
		       "'wb doctor --bench=GLOB' a short one\n");
	wb_buf_clear(&b);
}

static struct wb_json *noise_json(const struct wb_result *r)
{
	struct wb_json *list = wb_json_array(), *o;
	struct wb_aa aa;
	size_t i;

	for (i = 0; i < r->nmetrics; i++) {
		wb_aa(r, i, &aa);
		if (aa.rounds < 2)
			continue;
		o = wb_json_object();
		wb_json_set(o, "bench", wb_json_str(r->metric[i].bench));
		wb_json_set(o, "metric", wb_json_str(r->metric[i].name));
		wb_json_set(o, "rounds", wb_json_int((int64_t)aa.rounds));
		wb_json_set(o, "visible", wb_json_num(aa.visible));
		wb_json_set(o, "change", wb_json_num(aa.change));
		wb_json_set(o, "low", wb_json_num(aa.low));
		wb_json_set(o, "high", wb_json_num(aa.high));
		wb_json_append(list, o);
	}
	return list;
}

/* ---- verbs --------------------------------------------------------------- */

/* The CPU that a bench of one CPU is pinned to. */
static int bench_cpu(struct wb_error *err)
{
	struct wb_machine m;
	int cpu = -1;

	wb_machine_read(&m);
	if (wb_machine_pick(&m, 1, &cpu, err) < 0)
		cpu = -1;
	wb_machine_clear(&m);
	return cpu;
}

/* Settings that do not change are counted; the first reason is told. */
static int apply(struct wb *wb, const char *root, const struct wb_findings *f,
		 char **topics, struct wb_error *err)
{
	char *record = wb_setting_record(err);
	struct wb_error why = WB_ERROR_INIT, first = WB_ERROR_INIT;
	struct wb_json *list = wb_json_array(), *doc;
	const struct wb_finding *v;
	size_t i, k, done = 0, failed = 0;

	for (i = 0; record && i < f->n; i++) {
		v = &f->v[i];
		if (v->state == WB_FINDING_GOOD || (*topics ?
		    !asked_for(v->topic, topics) : v->state == WB_FINDING_NOTE))
			continue;
		if (!v->nsettings)
			wb_talk("%s: nothing that wb could change%s%s",
				v->topic, v->change ? "; try: " : "",
				v->change ? v->change : "");
		for (k = 0; k < v->nsettings; k++) {
			if (wb_setting_change(root, record, &v->setting[k],
					      &why) == 0) {
				done++;
				wb_json_append(list, wb_json_str(
						v->setting[k].path));
				continue;
			}
			/* the others may be allowed; told at the end */
			if (!failed++)
				first = why;
			wb_error_clear(&why);
		}
	}
	if (wb->json && record) {
		doc = wb_json_object();
		wb_json_set(doc, "schema", wb_json_int(1));
		wb_json_set(doc, "changed", list);
		wb_json_set(doc, "failed", wb_json_int((int64_t)failed));
		wb_json_set(doc, "record", wb_json_str(record));
		wb_json_put(doc);
	} else {
		wb_json_free(list);
		if (record)
			printf("%zu settings changed; 'wb doctor --undo' "
			       "changes them back (record: %s)\n", done,
			       record);
	}
	if (failed)
		wb_fail(err, WB_E_FATAL, "%zu settings could not be changed, "
			"the first: %s%s", failed, first.msg,
			geteuid() ? "; try as root" : "");
	free(record);
	return record && !failed ? 0 : -1;
}

static int undo(struct wb *wb, const char *root, struct wb_error *err)
{
	char *record = wb_setting_record(err);
	struct wb_json *doc;
	size_t done = 0;
	int ret = -1;

	if (record)
		ret = wb_setting_restore(root, record, &done, err);
	if (!ret && wb->json) {
		doc = wb_json_object();
		wb_json_set(doc, "schema", wb_json_int(1));
		wb_json_set(doc, "restored", wb_json_int((int64_t)done));
		wb_json_put(doc);
	} else if (!ret) {
		printf("%zu settings changed back\n", done);
	}
	free(record);
	return ret;
}

/* The noise of the benches; 1 there is some to tell, 0 it is not known. */
static int look_noise(struct wb *wb, const struct options *opt,
		      struct wb_result *r, struct wb_error *err)
{
	const struct wb_source usual = { .word = NULL };
	struct wb_plan p = { .nbenches = 0 };
	int ret = 1;

	if (wb_plan_make(&p, wb->git, &wb->config, &usual, opt->bench,
			 err) < 0 ||
	    wb_aa_result(&p, wb->git, wb->db, opt->bench != NULL, wb->quiet,
			 r, err) < 0)
		ret = -1;
	if (ret < 0 && !opt->bench) {
		/* nobody asked for it, and the machine can be told of */
		wb_talk("noise of the benches: %s", err->msg);
		wb_error_clear(err);
		ret = 0;
	}
	wb_plan_clear(&p);
	return ret;
}

static int show(struct wb *wb, const struct options *opt,
		const struct wb_findings *f, char **topics,
		struct wb_error *err)
{
	struct wb_result r;
	struct wb_json *doc;
	int noise = 0;

	wb_result_init(&r);
	if (!strcmp(opt->root, "/") && wb->git && !*topics &&
	    (opt->bench || wb->config.nbenches))
		noise = look_noise(wb, opt, &r, err);
	if (noise >= 0 && wb->json) {
		doc = wb_json_object();
		wb_json_set(doc, "schema", wb_json_int(1));
		wb_json_set(doc, "root", wb_json_str(opt->root));
		wb_json_set(doc, "findings", findings_json(f, topics));
		wb_json_set(doc, "noise", noise_json(&r));
		wb_json_put(doc);
	} else if (noise >= 0) {
		print_findings(f, topics);
		if (!*topics)
			print_summary(f);
		if (noise)
			print_noise(&r);
	}
	wb_result_clear(&r);
	return noise < 0 ? -1 : 0;
}

static int cmd_doctor(struct wb *wb, void *o, int argc, char **argv,
		      struct wb_error *err)
{
	const struct options *opt = o;
	char **topics = argv + (argc ? 1 : 0);
	struct wb_findings f = { .n = 0 };
	int cpu, ret = -1;

	if (opt->apply && opt->undo)
		return wb_fail(err, WB_E_USAGE, "--apply and --undo exclude "
			       "each other");
	if (opt->undo && *topics)
		return wb_fail(err, WB_E_USAGE, "--undo takes no topics: it "
			       "changes all back");
	/* what is not there would be found to have nothing bad about it */
	if (access(opt->root, R_OK | X_OK) < 0)
		return wb_fail_errno(err, "--root: %s", opt->root);
	if (opt->undo)
		return undo(wb, opt->root, err);
	if (opt->bench && !wb->git)
		return wb_fail(err, WB_E_FATAL, "--bench: %s", wb->no_git.msg);
	cpu = bench_cpu(err);
	if (cpu < 0)
		return -1;
	wb_host_look(opt->root, cpu, &f);
	if (check_topics(&f, topics, err) < 0)
		goto out;
	ret = opt->apply ? apply(wb, opt->root, &f, topics, err) :
			   show(wb, opt, &f, topics, err);
out:
	wb_findings_clear(&f);
	return ret;
}

const struct wb_cmd wb_cmd_doctor = {
	.name = "doctor",
	.fn = cmd_doctor,
	.needs = WB_WANT_REPO | WB_WANT_DB | WB_RUNS,
	.usage = "wb doctor [--bench=GLOB] [--root=DIR] [TOPIC ...]\n"
		 "wb doctor --apply [--root=DIR] [TOPIC ...]\n"
		 "wb doctor --undo [--root=DIR]",
	.summary = "what makes numbers worse on this machine, and the way back",
	.opts = opts,
	.size = sizeof(struct options),
	.defaults = &defaults,
};
