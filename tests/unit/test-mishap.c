#include "check.h"
#include "mishap.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* A round of 10 s on two CPUs, 100 ticks a second. */
static const struct wb_moment began = { 1000, 5000, 1.7e9, 40 };
static const struct wb_moment ended = { 1010, 5010, 1.7e9 + 10, 40 };

static enum wb_mishap what(struct wb_moment after, double *size)
{
	return wb_mishap_between(&began, &after, 2, 100, size);
}

static void test_between(void **state)
{
	struct wb_moment m = ended;
	double size;

	(void)state;
	assert_int_equal(what(m, &size), WB_MISHAP_NONE);
	/* between two readings a millisecond may pass */
	m.boot += 0.09;
	m.real -= 0.001;
	assert_int_equal(what(m, &size), WB_MISHAP_NONE);
	m = ended;
	m.boot += 0.11;
	m.real += 0.11;
	assert_int_equal(what(m, &size), WB_MISHAP_SUSPEND);
	m = ended;
	m.boot += 3600;
	m.real += 3600;
	assert_int_equal(what(m, &size), WB_MISHAP_SUSPEND);
	assert_true(fabs(size - 3600) < 1e-6);
	/* asleep, and set by hand after: it slept */
	m.real -= 3600;
	assert_int_equal(what(m, &size), WB_MISHAP_SUSPEND);
	m = ended;
	m.real += 0.104;	/* 500 ppm of 10 s are 5 ms */
	assert_int_equal(what(m, &size), WB_MISHAP_NONE);
	m.real += 0.002;
	assert_int_equal(what(m, &size), WB_MISHAP_CLOCK);
	m.real = ended.real - 0.106;
	assert_int_equal(what(m, &size), WB_MISHAP_CLOCK);
	assert_true(size < 0);
}

static void test_steal(void **state)
{
	struct wb_moment m = ended;
	double size;

	(void)state;
	/* 2 % of 20 CPU seconds are 40 ticks, and one may be of before */
	m.steal = 40 + 41;
	assert_int_equal(what(m, &size), WB_MISHAP_NONE);
	m.steal = 40 + 42;
	assert_int_equal(what(m, &size), WB_MISHAP_STEAL);
	assert_true(fabs(size - 0.0205) < 1e-9);
	/* not known, before or after; a counter that went back */
	m.steal = -1;
	assert_int_equal(what(m, &size), WB_MISHAP_NONE);
	m.steal = 0;
	assert_int_equal(what(m, &size), WB_MISHAP_NONE);
	m = ended;
	m.steal = 400;
	assert_int_equal(wb_mishap_between(&(struct wb_moment){
			1000, 5000, 1.7e9, -1 }, &m, 2, 100, &size),
			 WB_MISHAP_NONE);
	/* a round that took no time */
	m.monotonic = began.monotonic;
	m.boot = began.boot;
	m.real = began.real;
	assert_int_equal(what(m, &size), WB_MISHAP_NONE);
}

/* What four rounds in a row have is how it is, until one has it not. */
static void test_row(void **state)
{
	struct wb_mishap_watch w = { .in_a_row = 0 };
	struct wb_mishap_end end;
	int cpu[] = { 0 }, i, discarded = 0, news = 0;

	(void)state;
	for (i = 0; i < 7; i++) {
		wb_mishap_begin(&w, cpu, 1);
		w.began.boot -= 100;
		w.began.real -= 100;
		wb_mishap_end(&w, cpu, 1, &end);
		assert_int_equal(end.what, WB_MISHAP_SUSPEND);
		assert_non_null(strstr(end.why, "slept for 100.0 s"));
		discarded += end.discarded;
		news += end.news;
		assert_int_equal(end.discarded, i < WB_MISHAP_ROW);
	}
	assert_int_equal(discarded, 4);
	assert_int_equal(news, 5);
	/* of whatever kind, or two that take turns would never end */
	wb_mishap_begin(&w, cpu, 1);
	w.began.real += 100;
	wb_mishap_end(&w, cpu, 1, &end);
	assert_int_equal(end.what, WB_MISHAP_CLOCK);
	assert_false(end.discarded || end.news);
	assert_non_null(strstr(end.why, "set by -100.0 s"));
	wb_mishap_begin(&w, cpu, 1);
	wb_mishap_end(&w, cpu, 1, &end);
	assert_int_equal(end.what, WB_MISHAP_NONE);
	assert_false(end.discarded || end.news);
	wb_mishap_begin(&w, cpu, 1);
	w.began.real += 100;
	wb_mishap_end(&w, cpu, 1, &end);
	assert_true(end.discarded);
}

static void test_words(void **state)
{
	(void)state;
	assert_string_equal(wb_mishap_word(WB_MISHAP_NONE), "");
	assert_string_equal(wb_mishap_meaning(wb_mishap_word(WB_MISHAP_STEAL)),
			    "the host took the CPU away");
	assert_string_equal(wb_mishap_meaning("flood"), "flood");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_between),
		cmocka_unit_test(test_steal),
		cmocka_unit_test(test_row),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
