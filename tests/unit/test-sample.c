#include "check.h"
#include "sample.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* JSON is written with ' for " here, so that it can be read. */
static char *json(const char *text, size_t len)
{
	char *copy = wb_xmalloc(len + 1), *p;

	memcpy(copy, text, len);
	copy[len] = '\0';
	for (p = copy; p < copy + len; p++)
		if (*p == '\'')
			*p = '"';
	return copy;
}

/* ---- files ---- */

#define P "{'prefix':'p','metric':'m',"

static int load(struct wb_result *r, const char *text, size_t len,
		struct wb_error *err)
{
	char path[] = "/tmp/wb-sample.XXXXXX";
	int fd = mkstemp(path), ret;
	char *copy = json(text, len);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, copy, len), (ssize_t)len);
	free(copy);
	close(fd);
	wb_result_init(r);
	wb_error_clear(err);
	ret = wb_sample_load(r, path, err);
	unlink(path);
	return ret;
}

static void loads(struct wb_result *r, const char *text)
{
	struct wb_error err;

	if (load(r, text, strlen(text), &err))
		fail_msg("%s: %s", text, err.msg);
}

/* The text is refused with a reason at line that holds word. */
static void refused_bytes(const char *text, size_t len, int line,
			  const char *word)
{
	struct wb_error err;
	struct wb_result r;
	char place[20];

	assert_int_equal(load(&r, text, len, &err), -1);
	wb_result_clear(&r);
	snprintf(place, sizeof(place), ":%d: ", line);
	if (!strstr(err.msg, place) || !strstr(err.msg, word))
		fail_msg("'%s' has no '%s' or no '%s'", err.msg, place, word);
	assert_int_equal(err.kind, WB_E_FATAL);
}

static void refused(const char *text, int line, const char *word)
{
	refused_bytes(text, strlen(text), line, word);
}

static void test_prefix_metric_value_suffice(void **state)
{
	struct wb_result r;

	(void)state;
	loads(&r, "{'prefix':'base','metric':'m','value':1.5}\n"
		  "{'prefix':'p1','metric':'m','value':-2}");
	assert_int_equal(r.ncolumns, 2);
	assert_string_equal(r.column[0].name, "base");
	assert_string_equal(r.column[1].name, "p1");
	assert_int_equal(r.column[1].index, 1);
	assert_int_equal(r.nmetrics, 1);
	assert_string_equal(r.metric[0].bench, "");
	assert_int_equal(r.metric[0].better, WB_BETTER_UNKNOWN);
	assert_int_equal(r.npoints, 2);
	assert_true(r.point[0].value == 1.5 && r.point[1].value == -2);
	assert_int_equal(r.point[0].round, -1);
	/* lines that name no run are processes of their own */
	assert_true(r.point[0].run != r.point[1].run);
	wb_result_clear(&r);
}

static void test_all_fields(void **state)
{
	struct wb_result r;

	(void)state;
	loads(&r, "\xef\xbb\xbf{'bench':'b','metric':'m','unit':'ns',"
		  "'better':'higher','value':1,'iter':8,'level':'I',"
		  "'exact':true,'prefix':'p','tree':'aa','build':"
		  "'bb','machine':'cc','boot':'dd','round':3,"
		  "'order':1,'run':7,'time':'x','env':{},'new':[1]}"
		  "\r\n\r\n  \n");
	assert_string_equal(r.metric[0].unit, "ns");
	assert_int_equal(r.metric[0].better, WB_BETTER_HIGHER);
	assert_int_equal(r.metric[0].level, WB_LEVEL_I);
	assert_true(r.metric[0].exact);
	assert_string_equal(r.column[0].tree, "aa");
	assert_string_equal(r.column[0].build, "bb");
	assert_string_equal(r.machine, "cc");
	assert_int_equal(r.point[0].round, 3);
	assert_int_equal(r.point[0].run, 7);
	wb_result_clear(&r);
}

static void test_null_says_nothing(void **state)
{
	struct wb_result r;

	(void)state;
	loads(&r, "{'prefix':'p','metric':'m','value':1,'unit':null,"
		  "'round':null,'exact':null,'tree':null}\n");
	assert_string_equal(r.metric[0].unit, "");
	assert_int_equal(r.point[0].round, -1);
	wb_result_clear(&r);
}

static void test_header_gives_the_order(void **state)
{
	struct wb_result r;

	(void)state;
	loads(&r, "{'wb':1,'prefixes':['base','b','a'],"
		  "'metrics':['y','x','none']}\n"
		  "{'bench':'q','prefix':'a','metric':'z','value':1}\n"
		  "{'bench':'q','prefix':'a','metric':'x','value':2}\n"
		  "{'bench':'q','prefix':'c','metric':'y','value':3}\n");
	assert_int_equal(r.ncolumns, 4);
	assert_string_equal(r.column[2].name, "a");
	assert_string_equal(r.column[3].name, "c");
	assert_int_equal(r.nmetrics, 4);
	assert_string_equal(r.metric[0].name, "y");
	assert_string_equal(r.metric[1].name, "x");
	assert_string_equal(r.metric[2].name, "none");
	assert_string_equal(r.metric[2].bench, "q");
	assert_string_equal(r.metric[3].name, "z");
	assert_int_equal(r.point[0].metric, 3);
	assert_int_equal(r.point[2].metric, 0);
	wb_result_clear(&r);
}

static void test_metrics_of_a_bench_are_together(void **state)
{
	struct wb_result r;

	(void)state;
	loads(&r, "{'bench':'a','prefix':'p','metric':'x','value':1}\n"
		  "{'bench':'b','prefix':'p','metric':'x','value':2}\n"
		  "{'bench':'a','prefix':'p','metric':'y','value':3}\n");
	assert_string_equal(r.metric[0].bench, "a");
	assert_string_equal(r.metric[1].bench, "a");
	assert_string_equal(r.metric[2].bench, "b");
	assert_int_equal(r.point[1].metric, 2);
	assert_int_equal(r.point[2].metric, 1);
	wb_result_clear(&r);
}

static void test_each_bench_is_listed_once(void **state)
{
	struct wb_result r;

	(void)state;
	loads(&r, "{'bench':'z','prefix':'p','metric':'x','value':1}\n"
		  "{'bench':'a','prefix':'p','metric':'x','value':2}\n"
		  "{'bench':'z','prefix':'p','metric':'y','value':3}\n");
	assert_int_equal(r.nbenches, 2);
	assert_string_equal(r.bench[0], "z");
	assert_string_equal(r.bench[1], "a");
	wb_result_add_bench(&r, "never run");
	wb_result_add_bench(&r, "a");
	assert_int_equal(r.nbenches, 3);
	assert_string_equal(r.bench[2], "never run");
	wb_result_clear(&r);
}

static void test_names_cannot_collide(void **state)
{
	struct wb_result r;

	(void)state;
	loads(&r, "{'bench':'a b','prefix':'p','metric':'c','value':1}\n"
		  "{'bench':'a','prefix':'p','metric':' bc','value':2}\n"
		  "{'bench':'a','prefix':'p','metric':'bc','value':3}\n");
	assert_int_equal(r.nmetrics, 3);
	wb_result_clear(&r);
}

static void test_rounds_of_two_boots_differ(void **state)
{
	struct wb_result r;

	(void)state;
	loads(&r, P "'value':1,'boot':'x','round':1}\n"
		  P "'value':1,'boot':'y','round':1}\n"
		  P "'value':1,'boot':'x','round':1}\n");
	assert_true(r.point[0].round != r.point[1].round);
	assert_int_equal(r.point[0].round, r.point[2].round);
	wb_result_clear(&r);
}

static void test_controls_are_kept_apart(void **state)
{
	struct wb_result r;

	(void)state;
	/* the header's order is not that of the lines */
	loads(&r, "{'wb':1,'prefixes':['p'],'metrics':['n','m']}\n"
		  P "'value':1,'round':3,'control':false}\n"
		  P "'value':2,'round':3,'control':true}\n"
		  P "'value':3,'round':4,'control':null}\n"
		  "{'prefix':'p','metric':'n','value':4}\n");
	assert_int_equal(r.npoints, 3);
	assert_int_equal(r.ncontrols, 1);
	assert_true(r.control[0].value == 2);
	assert_int_equal(r.control[0].round, 3);
	assert_string_equal(r.metric[r.control[0].metric].name, "m");
	wb_result_clear(&r);
	refused(P "'value':1,'control':1}\n", 1, "control");
}

static void test_no_wrong_number(void **state)
{
	static const char *const bad[] = {
		"NaN", "nan", "Infinity", "-inf", "1e400", "-1e999", "'1'",
		"null", "true", "[1]", "{}", "0x10", "01", "1.", ".5", "+1",
		"1,5", "", "1 2", "9007199254740993", "-9007199254740993",
		"9223372036854775807", "18446744073709551616",
	};
	char text[200];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text), P "'value':1}\n" P "'value':%s}\n",
			 bad[i]);
		refused(text, 2, "");
	}
}

static void test_numbers_that_are_kept(void **state)
{
	static const struct {
		const char *text;
		double value;
	} good[] = {
		{ "9007199254740992", 9007199254740992.0 },
		{ "4611686018427387904", 4611686018427387904.0 },
		{ "-0", 0 }, { "1e308", 1e308 }, { "1e-400", 0 },
		{ "0.1", 0.1 }, { "1E2", 100 },
	};
	struct wb_result r;
	char text[200];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		snprintf(text, sizeof(text), P "'value':%s}", good[i].text);
		loads(&r, text);
		assert_true(r.point[0].value == good[i].value);
		wb_result_clear(&r);
	}
}

static void test_hostile_lines(void **state)
{
	static const char nul[] = P "'value':1}\0\n";

	(void)state;
	refused_bytes(nul, sizeof(nul) - 1, 1, "JSON");
	refused(P "'value':1", 1, "JSON");
	refused("hello\n", 1, "JSON");
	refused("[1,2]\n", 1, "not a JSON object");
	refused(P "'value':1,'value':2}\n", 1, "duplicate");
	refused("{'prefix':'p','metric':'a\\u0000b','value':1}", 1, "");
	refused("{'prefix':'p','metric':'\xff','value':1}", 1, "0xff");
	refused("{'metric':'m','value':1}", 1, "no \"prefix\"");
	refused("{'prefix':'','metric':'m','value':1}", 1, "prefix");
	refused("{'prefix':'p','value':1}", 1, "no \"metric\"");
	refused("{'prefix':7,'metric':'m','value':1}", 1, "not a string");
	refused(P "'per':3}", 1, "no \"value\"");
	refused(P "'value':1,'better':'more'}", 1, "'more'");
	refused(P "'value':1,'level':'X'}", 1, "H, S or I");
	refused(P "'value':1,'round':-1}", 1, "round");
	refused(P "'value':1,'round':1.5}", 1, "round");
	refused(P "'value':1,'round':99999999999}", 1, "round");
	refused(P "'value':1,'run':4294967296}", 1, "run");
	refused(P "'value':1,'exact':1}", 1, "true or false");
	refused("{'wb':2}\n", 1, "version");
	refused("{'wb':1,'prefixes':[1]}\n", 1, "list of names");
	refused("{'wb':1,'metrics':['a','b','a']}\n", 1, "'a' twice");
}

static void test_what_was_said_before_holds(void **state)
{
	(void)state;
	refused(P "'value':1,'unit':'ns'}\n" P "'value':1,'unit':'us'}",
		2, "unit 'us', but lines before say 'ns'");
	refused(P "'value':1,'better':'lower'}\n"
		P "'value':1,'better':'higher'}", 2, "better");
	refused(P "'value':1,'level':'I'}\n" P "'value':1,'level':'S'}",
		2, "never mixed");
	refused(P "'value':1,'tree':'a'}\n" P "'value':1,'tree':'b'}",
		2, "tree");
	refused(P "'value':1,'machine':'a'}\n"
		P "'value':1,'machine':'b'}", 2, "machine");
}

static void test_long_lines(void **state)
{
	struct wb_buf b = WB_BUF_INIT;
	struct wb_result r;

	(void)state;
	wb_buf_addstr(&b, "{'metric':'m','value':1,'prefix':'");
	wb_buf_fill(&b, 'x', 3 << 20);
	wb_buf_addstr(&b, "'}\n" P "'value':2}\n");
	loads(&r, b.ptr);
	assert_int_equal(r.npoints, 2);
	assert_int_equal(strlen(r.column[0].name), 3 << 20);
	wb_result_clear(&r);
	wb_buf_truncate(&b, 1 << 20);
	refused(b.ptr, 1, "JSON");
	wb_buf_clear(&b);
}

static void test_many_names(void **state)
{
	struct wb_buf b = WB_BUF_INIT;
	struct wb_result r;
	struct wb_error err;
	char name[16];
	int i;

	(void)state;
	for (i = 0; i < 5000; i++)
		wb_buf_addf(&b, "{'prefix':'p%d','metric':'m%d',"
			    "'value':%d}\n", i % 70, i % 97, i);
	loads(&r, b.ptr);
	assert_int_equal(r.ncolumns, 70);
	assert_int_equal(r.nmetrics, 97);
	for (i = 0; i < 5000; i++) {
		assert_int_equal(r.point[i].column, i % 70);
		snprintf(name, sizeof(name), "m%d", i % 97);
		assert_string_equal(r.metric[r.point[i].metric].name, name);
	}
	wb_result_clear(&r);
	/* a cell for each pair would not fit */
	wb_buf_reset(&b);
	for (i = 0; i < 5000; i++)
		wb_buf_addf(&b, "{'prefix':'p%d','metric':'m%d',"
			    "'value':1}\n", i, i);
	assert_int_equal(load(&r, b.ptr, b.len, &err), -1);
	assert_non_null(strstr(err.msg, "prefixes"));
	wb_result_clear(&r);
	wb_buf_clear(&b);
}

static void test_no_sample(void **state)
{
	static const char header[] = "{'wb':1,'prefixes':['a']}\n";
	struct wb_result r;
	struct wb_error err;

	(void)state;
	assert_int_equal(load(&r, "", 0, &err), -1);
	assert_int_equal(err.kind, WB_E_JUDGE);
	wb_result_clear(&r);
	assert_int_equal(load(&r, header, strlen(header), &err), -1);
	assert_int_equal(err.kind, WB_E_JUDGE);
	wb_result_clear(&r);
	wb_result_init(&r);
	assert_int_equal(wb_sample_load(&r, "/nonexistent/x", &err), -1);
	assert_int_equal(err.kind, WB_E_FATAL);
	wb_result_clear(&r);
}

/* ---- outputs of benches ---- */

static const struct wb_bench_config plain = { .name = (char *)"b" };
static const struct wb_bench_config told = {
	.name = (char *)"b", .better = (char *)"lower", .unit = (char *)"ms",
};

static void reads(enum wb_reader reader, const struct wb_bench_config *c,
		  const char *text, struct wb_reading *r)
{
	struct wb_error err = WB_ERROR_INIT;
	char *copy = json(text, strlen(text));

	if (wb_sample_read(reader, copy, strlen(copy), c, r, &err))
		fail_msg("%s: %s", text, err.msg);
	free(copy);
}

static void unreadable(enum wb_reader reader, const char *text,
		       const char *word)
{
	struct wb_error err = WB_ERROR_INIT;
	char *copy = json(text, strlen(text));
	struct wb_reading r;

	assert_int_equal(wb_sample_read(reader, copy, strlen(copy), &plain, &r,
					&err), -1);
	free(copy);
	wb_reading_clear(&r);
	assert_int_equal(err.kind, WB_E_JUDGE);
	if (!strstr(err.msg, word))
		fail_msg("'%s' has no '%s'", err.msg, word);
}

static void test_read_samples(void **state)
{
	struct wb_reading r;

	(void)state;
	reads(WB_READER_SAMPLES, &told,
	      "{'metric':'m','value':1.5,'unit':'ns'}\r\n\n"
	      "{'bench':'x','metric':'m','value':2,'unit':'ns'}\n"
	      "{'metric':'c','per':1000,'better':'higher'}", &r);
	assert_int_equal(r.n, 3);
	assert_string_equal(r.v[0].metric, "m");
	assert_string_equal(r.v[0].unit, "ns");
	assert_int_equal(r.v[0].better, WB_BETTER_LOWER);
	assert_false(r.v[1].counted);
	assert_true(r.v[1].number == 2);
	assert_true(r.v[2].counted && r.v[2].number == 1000);
	assert_string_equal(r.v[2].unit, "ms");
	assert_int_equal(r.v[2].better, WB_BETTER_HIGHER);
	wb_reading_clear(&r);
}

static void test_read_samples_refuses(void **state)
{
	(void)state;
	unreadable(WB_READER_SAMPLES, "", "printed no sample");
	unreadable(WB_READER_SAMPLES, "\n \n", "printed no sample");
	unreadable(WB_READER_SAMPLES, "warming up\n",
		   "line 1: not a sample line, found 'warming up'");
	unreadable(WB_READER_SAMPLES, "{'metric':'m','value':1}\n{'met",
		   "line 2");
	unreadable(WB_READER_SAMPLES, "{'metric':'m'}", "neither");
	unreadable(WB_READER_SAMPLES,
		   "{'metric':'m','value':1,'per':2}", "both");
	unreadable(WB_READER_SAMPLES, "{'metric':'m','per':0}", "per");
	unreadable(WB_READER_SAMPLES, "{'metric':'m','value':1}\n"
		   "{'metric':'m','per':1}", "line 2");
	unreadable(WB_READER_SAMPLES, "{'metric':'m','value':1,'unit':"
		   "'a'}\n{'metric':'m','value':1,'unit':'b'}",
		   "two units");
	unreadable(WB_READER_SAMPLES, "{'bench':'a','metric':'m',"
		   "'value':1}\n{'bench':'b','metric':'m','value':1}",
		   "two benches");
}

static void test_read_lines(void **state)
{
	struct wb_reading r;

	(void)state;
	reads(WB_READER_LINES, &told, "alloc 41.2 ns\n\n  free\t-3e2\r\n", &r);
	assert_int_equal(r.n, 2);
	assert_string_equal(r.v[0].metric, "alloc");
	assert_string_equal(r.v[0].unit, "ns");
	assert_true(r.v[0].number == 41.2 && r.v[1].number == -300);
	assert_string_equal(r.v[1].unit, "ms");
	assert_int_equal(r.v[1].better, WB_BETTER_LOWER);
	wb_reading_clear(&r);
	reads(WB_READER_LINES, &plain, "a 1", &r);
	assert_int_equal(r.v[0].better, WB_BETTER_UNKNOWN);
	wb_reading_clear(&r);
	unreadable(WB_READER_LINES, "a 1\nb nan ns\n", "line 2");
	unreadable(WB_READER_LINES, "a inf", "line 1");
	unreadable(WB_READER_LINES, "a 0x10", "line 1");
	unreadable(WB_READER_LINES, "a 1e400", "line 1");
	unreadable(WB_READER_LINES, "a 1,5", "found 'a 1,5'");
	unreadable(WB_READER_LINES, "a", "NAME VALUE");
	unreadable(WB_READER_LINES, "a 1 ns more", "NAME VALUE");
	unreadable(WB_READER_LINES, "", "printed no sample");
}

static void test_read_last_number(void **state)
{
	static const struct {
		const char *text;
		double value;
	} good[] = {
		{ "12", 12 }, { "a 1\nb 2.5 ms\n", 2.5 },
		{ "took 3.2s.\n", 3.2 }, { "time=4.5ms total", 4.5 },
		{ "(17%)", 17 }, { "x: -1e3\n", -1000 }, { "7\ndone\n", 7 },
		{ "1 2 3 ops/s", 3 }, { "v2 result 5 ok", 5 },
		{ "elapsed: 0.25us\n\n", 0.25 },
	};
	static const char *const bad[] = {
		"1,234", "1 1.2.3", "at 12:30", "5 nan", "5\n-inf\n", "0x1f",
		"1e999", "2024-01-02", "3x4",
	};
	struct wb_reading r;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		reads(WB_READER_LAST_NUMBER, &told, good[i].text, &r);
		assert_int_equal(r.n, 1);
		if (r.v[0].number != good[i].value)
			fail_msg("%s: %g", good[i].text, r.v[0].number);
		assert_string_equal(r.v[0].metric, "value");
		assert_string_equal(r.v[0].unit, "ms");
		wb_reading_clear(&r);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		unreadable(WB_READER_LAST_NUMBER, bad[i], "cannot be read");
	unreadable(WB_READER_LAST_NUMBER, "nothing here\n", "no sample");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prefix_metric_value_suffice),
		cmocka_unit_test(test_all_fields),
		cmocka_unit_test(test_null_says_nothing),
		cmocka_unit_test(test_header_gives_the_order),
		cmocka_unit_test(test_metrics_of_a_bench_are_together),
		cmocka_unit_test(test_each_bench_is_listed_once),
		cmocka_unit_test(test_names_cannot_collide),
		cmocka_unit_test(test_rounds_of_two_boots_differ),
		cmocka_unit_test(test_controls_are_kept_apart),
		cmocka_unit_test(test_no_wrong_number),
		cmocka_unit_test(test_numbers_that_are_kept),
		cmocka_unit_test(test_hostile_lines),
		cmocka_unit_test(test_what_was_said_before_holds),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_many_names),
		cmocka_unit_test(test_no_sample),
		cmocka_unit_test(test_read_samples),
		cmocka_unit_test(test_read_samples_refuses),
		cmocka_unit_test(test_read_lines),
		cmocka_unit_test(test_read_last_number),
	};

	return cmocka_run_group_tests_name("sample", tests, NULL, NULL);
}
