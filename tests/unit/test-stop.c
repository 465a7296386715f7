#include "check.h"
#include "settle.h"
#include "stop.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * When to stop, the A/A control, what is left out. Values alternate around a
 * level, so that every spread and every state below is known.
 */
static const struct wb_stop_rule rule = { 12, 400 };
static const struct wb_table_options usual = { .margin = 0.005 };

struct fixture {
	struct wb_result r;
	struct wb_table t;
};

static void start(struct fixture *f, int columns)
{
	char name[24];
	int i;

	wb_result_init(&f->r);
	wb_result_add_bench(&f->r, "b");
	for (i = 0; i < columns; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		wb_result_add_column(&f->r, i, name);
	}
	wb_result_add_metric(&f->r, "b", "t");
	f->r.metric[0].better = WB_BETTER_LOWER;
	f->r.metric[0].judged = true;
}

static struct wb_point *add(struct fixture *f, uint32_t column, int round,
			    double value)
{
	wb_result_add_point(&f->r, &(struct wb_point){
		.value = value, .column = column, .round = round,
		.run = (uint32_t)f->r.npoints,
	});
	return &f->r.point[f->r.npoints - 1];
}

/* noise: relative, of every ratio, in a pattern without a trend */
static void fill(struct fixture *f, uint32_t column, int rounds, double level,
		 double noise)
{
	static const int sign[] = { 1, -1, -1, 1, -1, 1, 1, -1 };
	int i;

	for (i = 0; i < rounds; i++)
		add(f, column, i, 1000 * level *
		    (1 + (column ? noise : 0) * sign[i % 8]));
}

static struct wb_stop_row judge(struct fixture *f)
{
	wb_table_init(&f->t, &f->r, &usual);
	return wb_stop_judge(&f->t, wb_table_row(&f->t, 0, 1), &rule);
}

static void end(struct fixture *f)
{
	wb_table_clear(&f->t);
	wb_result_clear(&f->r);
}

static void test_looks(void **state)
{
	static const size_t want[] = { 12, 18, 27, 41, 62, 93, 140 };
	size_t n = 0, i;

	(void)state;
	for (i = 0; i < sizeof(want) / sizeof(*want); i++) {
		n = wb_settle_look(12, n);
		assert_int_equal(n, want[i]);
	}
	assert_int_equal(wb_settle_look(12, 13), 18);
	assert_int_equal(wb_settle_look(1, 0), 2);
}

static size_t forecast(double mean, size_t n)
{
	struct wb_estimate e = {
		.mean = mean, .se = 0.0283 / sqrt((double)n),
		.df = (double)n - 1, .sd = 0.0283, .n = n,
	};

	return wb_settle_forecast(&e, 0.005, 1, 12, 2000);
}

/*
 * A spread of 2.83 % (2 % on both sides) and a margin of 0.5 %. "Nothing" is
 * settled when 2.58 of 2.83 / sqrt(N) and the estimate's own error are inside:
 * 214 rounds at the very least, at 579 in 9 of 10 cases.
 */
static void test_forecast(void **state)
{
	(void)state;
	/* before the first round most changes are believed to be none */
	assert_in_range(forecast(NAN, 0), 500, 650);
	/* it showed a lot: the looks next to come */
	assert_in_range(forecast(0.05, 12), 27, 41);
	/* what is made already is certain, and only the rest may still vary */
	assert_in_range(forecast(0.002, 52), 300, 480);
	/* nothing to be seen yet: taken for nothing */
	assert_in_range(forecast(0.001, 12), 300, 480);
}

static struct wb_settle_span span(double mean, double sd, size_t n)
{
	struct wb_estimate e = {
		.mean = mean, .se = sd / sqrt((double)n),
		.df = (double)n - 1, .sd = sd, .n = n,
	};

	return wb_settle_span(&e, 0.005, 1, 12, 2000);
}

static void test_range(void **state)
{
	struct wb_settle_span s;

	(void)state;
	/* 1 % shows in 80 rounds with luck, nothing at all in 579 or later */
	s = span(0.004, 0.0283, 12);
	assert_in_range(s.low, 27, 93);
	assert_in_range(s.high, 800, 2000);
	/* 10 %: one of the next looks, whatever the luck */
	s = span(0.1, 0.0283, 12);
	assert_int_equal(s.low, 18);
	assert_in_range(s.high, 18, 27);
	/* far from settled, and the last look is at 1602 */
	s = span(0.003, 0.2, 12);
	assert_true(s.high > 2000);
	/* no spread at all: the next look */
	s = span(0, 0, 12);
	assert_int_equal(s.low, 18);
	assert_int_equal(s.high, 18);
}

static void test_few(void **state)
{
	struct wb_stop s = { .open = 0 };

	(void)state;
	assert_false(wb_stop_is_few(&s));
	s.open = 1;
	assert_true(wb_stop_is_few(&s));
	s.open = 11;
	assert_true(wb_stop_is_few(&s));
	s.open = 12;
	assert_false(wb_stop_is_few(&s));
}

static void test_states(void **state)
{
	struct wb_stop_row s;
	struct fixture f;

	(void)state;
	start(&f, 2);		/* nothing measured: the first look is next */
	s = judge(&f);
	assert_int_equal(s.state, WB_STOP_OPEN);
	assert_int_equal(s.next, 12);
	assert_int_equal(s.expected, 0);
	end(&f);

	start(&f, 2);		/* 5 % against noise of 1 %: known */
	fill(&f, 0, 12, 1, 0);
	fill(&f, 1, 12, 1.05, 0.01);
	assert_int_equal(judge(&f).state, WB_STOP_KNOWN);
	end(&f);

	start(&f, 2);		/* nothing, and a narrow interval: known */
	fill(&f, 0, 12, 1, 0);
	fill(&f, 1, 12, 1, 0.002);
	assert_int_equal(judge(&f).state, WB_STOP_KNOWN);
	end(&f);

	start(&f, 2);		/* nothing, and noise of 2 %: some more */
	fill(&f, 0, 12, 1, 0);
	fill(&f, 1, 12, 1, 0.02);
	s = judge(&f);
	assert_int_equal(s.state, WB_STOP_OPEN);
	assert_int_equal(s.next, 18);
	assert_in_range(s.expected, 100, 400);
	end(&f);
}

/* At the stated 5 % it would be a change, and yet measuring goes on. */
static void test_stopping_asks_for_more_than_a_report(void **state)
{
	const struct wb_row *row;
	struct wb_stop_row s;
	struct fixture f;

	(void)state;
	start(&f, 2);
	fill(&f, 0, 16, 1, 0);
	fill(&f, 1, 16, 1.008, 0.01);
	s = judge(&f);
	row = wb_table_row(&f.t, 0, 1);
	assert_int_equal(row->verdict, WB_VERDICT_SLOWER);
	assert_true(row->corrected < 0.05 && row->corrected > WB_SETTLE_ALPHA);
	assert_int_equal(s.state, WB_STOP_OPEN);
	end(&f);
}

static void test_hopeless(void **state)
{
	struct fixture f;
	int n;

	(void)state;
	/* noise of 60 %: not believed before four times the first rounds */
	for (n = 16; n <= 48; n += 32) {
		start(&f, 2);
		fill(&f, 0, n, 1, 0);
		fill(&f, 1, n, 1, 0.6);
		assert_int_equal(judge(&f).state, n < 48 ? WB_STOP_OPEN :
				 WB_STOP_HOPELESS);
		end(&f);
	}
	start(&f, 2);		/* the limit is the end */
	fill(&f, 0, 400, 1, 0);
	fill(&f, 1, 400, 1.003, 0.02);
	assert_int_equal(judge(&f).state, WB_STOP_HOPELESS);
	end(&f);
}

/* What would be settled beyond the limit ends there. */
static void test_limit(void **state)
{
	const struct wb_stop_rule low = { 12, 300 };
	struct wb_stop stop;
	struct fixture f;

	(void)state;
	start(&f, 2);
	fill(&f, 0, 24, 1, 0);
	fill(&f, 1, 24, 1.001, 0.03);
	assert_in_range(judge(&f).expected, 301, 600);
	wb_stop_init(&stop, &f.t, &low);
	assert_int_equal(stop.expected[1], 300);
	wb_stop_clear(&stop);
	end(&f);
	/* a look behind the limit is at it */
	start(&f, 2);
	fill(&f, 0, 390, 1, 0);
	fill(&f, 1, 390, 1.003, 0.02);
	assert_int_equal(judge(&f).next, 400);
	end(&f);
}

static void test_what_each_column_wants(void **state)
{
	struct wb_stop stop;
	struct fixture f;

	(void)state;
	start(&f, 3);
	fill(&f, 0, 12, 1, 0);
	fill(&f, 1, 12, 1, 0.02);
	fill(&f, 2, 12, 1.3, 0.02);
	judge(&f);
	wb_stop_init(&stop, &f.t, &rule);
	assert_int_equal(stop.open, 1);
	assert_int_equal(stop.known, 1);
	assert_int_equal(stop.next[1], 18);
	assert_int_equal(stop.next[2], 0);
	/* of a range, each end in its place, and none for what is known */
	assert_in_range(stop.low[1], 18, stop.expected[1] - 1);
	assert_in_range(stop.high[1], stop.expected[1] + 1, rule.limit);
	assert_int_equal(stop.low[2], 0);
	assert_int_equal(stop.high[2], 0);
	wb_stop_clear(&stop);
	end(&f);
}

/* Of two metrics of a bench the more demanding decides, in either order. */
static void test_most_demanding(void **state)
{
	struct wb_stop stop;
	struct fixture f;
	size_t noisy, i, n;

	(void)state;
	for (noisy = 0; noisy < 2; noisy++) {
		start(&f, 2);
		wb_result_add_metric(&f.r, "b", "u");
		f.r.metric[1].better = WB_BETTER_LOWER;
		f.r.metric[1].judged = true;
		/* one has 12 rounds, the other 27 */
		for (i = 0; i < 2; i++) {
			n = f.r.npoints;
			fill(&f, 0, i == noisy ? 27 : 12, 1, 0);
			fill(&f, 1, i == noisy ? 27 : 12, 1, 0.02);
			for (; n < f.r.npoints; n++)
				f.r.point[n].metric = (uint32_t)i;
		}
		judge(&f);
		wb_stop_init(&stop, &f.t, &rule);
		assert_int_equal(stop.open, 2);
		assert_int_equal(stop.next[1], 41);
		wb_stop_clear(&stop);
		end(&f);
	}
}

/* The control is the base against itself, and no part of the base. */
static void test_control(void **state)
{
	struct wb_point p;
	struct fixture f;
	size_t i, n;

	(void)state;
	start(&f, 2);
	fill(&f, 0, 16, 1, 0);
	fill(&f, 1, 16, 1.05, 0.01);
	judge(&f);
	assert_int_equal(f.t.control[0].column, -1);
	assert_true(isnan(f.t.control[0].floor));
	wb_table_clear(&f.t);
	n = f.r.npoints;
	for (i = 0; i < n; i++) {
		p = f.r.point[i];
		if (p.column)
			continue;
		p.value *= i % 3 ? 1.002 : 0.997;
		wb_result_add_control(&f.r, &p);
	}
	judge(&f);
	assert_int_equal(f.t.control[0].column, 0);
	assert_in_range((int)(f.t.control[0].floor * 1e4), 5, 50);
	assert_false(f.t.control[0].alarm);
	assert_int_equal(wb_table_row(&f.t, 0, 0)->n, 16);
	assert_true(wb_table_row(&f.t, 0, 0)->value == 1000);
	wb_table_clear(&f.t);
	for (i = 0; i < f.r.ncontrols; i++)
		f.r.control[i].value *= 1.01;
	judge(&f);
	assert_true(f.t.control[0].alarm);
	end(&f);
}

/* The first rounds of a call, and a disturbed run: left out on both sides. */
static void test_left_out(void **state)
{
	struct fixture f;
	size_t i;

	(void)state;
	start(&f, 2);
	fill(&f, 0, 20, 1, 0);
	fill(&f, 1, 20, 1.05, 0.01);
	for (i = 0; i < f.r.npoints; i++) {
		f.r.point[i].nivcsw = 3;
		if (f.r.point[i].round < 2 || f.r.point[i].round == 10)
			f.r.point[i].value *= 1.4;
	}
	f.r.point[14].nivcsw = 16;	/* as many as are usual */
	f.r.point[15].nivcsw = 17;	/* the base in round 15 */
	judge(&f);
	assert_int_equal(f.t.quality[0].warmup, 2);
	assert_int_equal(f.t.quality[0].disturbed, 1);
	assert_int_equal(f.t.quality[0].switches, 16);
	assert_int_equal(wb_table_row(&f.t, 0, 1)->rounds, 17);
	assert_int_equal(wb_table_row(&f.t, 0, 1)->skipped, 3);
	assert_int_equal(wb_table_row(&f.t, 0, 1)->n, 20);
	wb_table_clear(&f.t);
	/* another call began at round 10 */
	wb_result_add_start(&f.r, 10);
	judge(&f);
	assert_int_equal(f.t.quality[0].warmup, 3);
	/* what was left out was made, and counts in what it takes */
	assert_int_equal(wb_stop_judge(&f.t, wb_table_row(&f.t, 0, 1),
				       &rule).state, WB_STOP_KNOWN);
	end(&f);
}

/* Rounds that were left out are made, to whoever counts rounds. */
static void test_left_out_counts(void **state)
{
	struct wb_stop_row before, after;
	struct fixture f;
	size_t i;

	(void)state;
	start(&f, 2);
	fill(&f, 0, 20, 1, 0);
	fill(&f, 1, 20, 1.001, 0.02);
	for (i = 0; i < f.r.npoints; i++)
		f.r.point[i].nivcsw = 3;
	before = judge(&f);
	wb_table_clear(&f.t);
	for (i = 0; i < 6; i++)
		f.r.point[20 + i].nivcsw = 100;
	after = judge(&f);
	assert_int_equal(wb_table_row(&f.t, 0, 1)->skipped, 6);
	assert_int_equal(after.next, before.next);
	assert_true(after.expected >= before.expected);
	assert_int_equal(after.expected, 6 +
			 wb_settle_forecast(&wb_table_row(&f.t, 0, 1)->log,
					    0.005, f.t.family, rule.first,
					    2 * rule.limit));
	/* ends of a range are looks of what is used, and those left out */
	assert_int_equal(wb_settle_look(12, after.span.low - 7),
			 after.span.low - 6);
	assert_int_equal(wb_settle_look(12, after.span.high - 7),
			 after.span.high - 6);
	end(&f);
}

/* No more than three rounds are warm-up, however long it takes. */
static void test_warmup_ends(void **state)
{
	struct fixture f;
	size_t i;

	(void)state;
	start(&f, 2);
	fill(&f, 0, 20, 1, 0);
	fill(&f, 1, 20, 1.05, 0.01);
	for (i = 0; i < f.r.npoints; i++)
		if (f.r.point[i].round < 5)
			f.r.point[i].value *= 1.4;
	judge(&f);
	assert_int_equal(f.t.quality[0].warmup, 3);
	end(&f);
}

/* A first round that is but three deviations off is a round like others. */
static void test_noise_is_no_warmup(void **state)
{
	static const int off[] = { 3, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1 };
	struct fixture f;
	size_t i;

	(void)state;
	start(&f, 2);
	fill(&f, 0, 12, 1, 0);
	fill(&f, 1, 12, 1, 0);
	for (i = 0; i < f.r.npoints; i++)
		f.r.point[i].value *= exp(0.01 * off[f.r.point[i].round]);
	judge(&f);
	assert_int_equal(f.t.quality[0].warmup, 0);
	wb_table_clear(&f.t);
	for (i = 0; i < f.r.npoints; i++)
		if (!f.r.point[i].round)
			f.r.point[i].value *= exp(0.06);
	judge(&f);
	assert_int_equal(f.t.quality[0].warmup, 1);
	end(&f);
}

/*
 * Most rounds of a clock with a coarse tick have one level, and have no spread
 * then: one more tick at the beginning is no warm-up, four of them are.
 */
static void test_tick_is_no_warmup(void **state)
{
	struct fixture f;
	int i;

	(void)state;
	start(&f, 2);
	for (i = 0; i < 20; i++) {
		add(&f, 0, i, i ? 0.52 : 0.53);
		add(&f, 1, i, i == 9 ? 0.53 : 0.52);
	}
	judge(&f);
	assert_int_equal(f.t.quality[0].warmup, 0);
	assert_int_equal(wb_table_row(&f.t, 0, 1)->rounds, 20);
	wb_table_clear(&f.t);
	f.r.point[0].value = 0.56;
	f.r.point[1].value = 0.56;
	judge(&f);
	assert_int_equal(f.t.quality[0].warmup, 1);
	assert_int_equal(wb_table_row(&f.t, 0, 1)->rounds, 19);
	end(&f);
}

static void test_drift(void **state)
{
	struct fixture f;
	size_t i;

	(void)state;
	start(&f, 2);
	fill(&f, 0, 40, 1, 0);
	fill(&f, 1, 40, 1, 0.004);
	judge(&f);
	assert_true(f.t.quality[0].drift_low <= 0 &&
		    f.t.quality[0].drift_high >= 0);
	wb_table_clear(&f.t);
	for (i = 0; i < f.r.npoints; i++)
		f.r.point[i].value *= 1 + 0.05 * f.r.point[i].round / 39;
	judge(&f);
	assert_true(f.t.quality[0].drift_low > 0.045 &&
		    f.t.quality[0].drift_high < 0.055);
	assert_true(fabs(wb_table_row(&f.t, 0, 1)->change) < 0.001);
	end(&f);

	/* ten groups, each 1 % above or below the one before: a line through
	 * them falls by 0.589 %, and could rise by 2.16 (t with 8 degrees) */
	start(&f, 2);
	fill(&f, 0, 40, 1, 0);
	fill(&f, 1, 40, 1, 0);
	for (i = 0; i < f.r.npoints; i++)
		f.r.point[i].value *= exp(f.r.point[i].round / 4 % 2 ? -0.01 :
					  0.01);
	judge(&f);
	assert_in_range((int)(f.t.quality[0].drift * -1e6), 5890, 5893);
	assert_in_range((int)(f.t.quality[0].drift_low * -1e5), 3260, 3262);
	assert_in_range((int)(f.t.quality[0].drift_high * 1e5), 2156, 2158);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_looks),
		cmocka_unit_test(test_forecast),
		cmocka_unit_test(test_range),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_stopping_asks_for_more_than_a_report),
		cmocka_unit_test(test_hopeless),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_what_each_column_wants),
		cmocka_unit_test(test_most_demanding),
		cmocka_unit_test(test_control),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_left_out_counts),
		cmocka_unit_test(test_warmup_ends),
		cmocka_unit_test(test_noise_is_no_warmup),
		cmocka_unit_test(test_tick_is_no_warmup),
		cmocka_unit_test(test_drift),
	};

	return cmocka_run_group_tests_name("stop", tests, NULL, NULL);
}
