#include "check.h"
#include "path.h"
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATA "tests/data/readers/"

static const struct wb_bench_config nothing = { .name = NULL };

static int read_file(enum wb_reader reader, const char *name,
		     struct wb_reading *r, struct wb_error *err)
{
	char *path = wb_xasprintf(DATA "%s", name);
	struct wb_buf text = WB_BUF_INIT;
	bool there;
	int ret;

	wb_error_clear(err);
	assert_int_equal(wb_path_read(path, 1 << 20, &text, &there, err), 0);
	assert_true(there);
	ret = wb_sample_read(reader, text.ptr, text.len, &nothing, r, err);
	wb_buf_clear(&text);
	free(path);
	return ret;
}

/* "metric value unit better level" a line, for all numbers in their order */
static void reads(enum wb_reader reader, const char *name, const char *wanted)
{
	struct wb_buf got = WB_BUF_INIT;
	struct wb_reading r;
	struct wb_error err;
	size_t i;

	if (read_file(reader, name, &r, &err) < 0)
		fail_msg("%s: %s", name, err.msg);
	for (i = 0; i < r.n; i++)
		wb_buf_addf(&got, "%s %g %s %s %s\n", r.v[i].metric,
			    r.v[i].number, *r.v[i].unit ? r.v[i].unit : "-",
			    r.v[i].better ? wb_better_word(r.v[i].better) :
			    "-", r.v[i].level ? wb_level_word(r.v[i].level) :
			    "-");
	assert_string_equal(got.ptr, wanted);
	wb_buf_clear(&got);
	wb_reading_clear(&r);
}

static void says(enum wb_reader reader, const char *text, size_t len,
		 const char *word)
{
	struct wb_reading r;
	struct wb_error err = WB_ERROR_INIT;

	if (!wb_sample_read(reader, text, len, &nothing, &r, &err))
		fail_msg("%s: read '%.60s'", wb_reader_word(reader), text);
	if (!strstr(err.msg, word))
		fail_msg("%s: '%s' has no '%s'", wb_reader_word(reader),
			 err.msg, word);
	assert_int_equal(err.kind, WB_E_JUDGE);
	wb_reading_clear(&r);
}

#define REFUSES(reader, text, word) says(reader, text, sizeof(text) - 1, word)

static void file_says(enum wb_reader reader, const char *name, const char *word)
{
	struct wb_reading r;
	struct wb_error err;

	assert_int_equal(read_file(reader, name, &r, &err), -1);
	if (!strstr(err.msg, word))
		fail_msg("%s: '%s' has no '%s'", name, err.msg, word);
	assert_int_equal(err.kind, WB_E_JUDGE);
	wb_reading_clear(&r);
}

static void remarks(enum wb_reader reader, const char *name, const char *word)
{
	struct wb_reading r;
	struct wb_error err;

	assert_int_equal(read_file(reader, name, &r, &err), 0);
	assert_non_null(r.remark);
	if (!strstr(r.remark, word))
		fail_msg("%s: '%s' has no '%s'", name, r.remark, word);
	wb_reading_clear(&r);
}

static void test_google(void **state)
{
	(void)state;
	reads(WB_READER_GOOGLE, "google.json",
	      "BM_push/8 5.5 ns lower -\n"
	      "BM_push/8:hits 3 - - -\n"
	      "BM_push/8:items_per_second 2e+08 items/s higher -\n"
	      "BM_push/8 5 ns lower -\n"
	      "BM_push/8:hits 3 - - -\n"
	      "BM_push/8:items_per_second 2.1e+08 items/s higher -\n"
	      "BM_drain/real_time 125 us lower -\n");
	reads(WB_READER_GOOGLE, "google-aggregates.json",
	      "BM_push 8.75 ms lower -\n");
	file_says(WB_READER_GOOGLE, "google-error.json",
		  "benchmark 'BM_push' failed: queue is full");
	REFUSES(WB_READER_GOOGLE, "{\"benchmarks\":[{\"name\":\"a\","
		"\"cpu_time\":1}]}", "no \"time_unit\"");
	REFUSES(WB_READER_GOOGLE, "{\"benchmarks\":[{\"cpu_time\":1}]}",
		"benchmarks[0]: no \"name\"");
	REFUSES(WB_READER_GOOGLE, "talk\n{\"benchmarks\":[\n{\"name\":\"a\","
		"\"cpu_time\":NaN}]}", "line 3: not JSON");
	REFUSES(WB_READER_GOOGLE, "{\"benchmarks\":[{\"name\":\"a\","
		"\"cpu_time\":\"1\",\"time_unit\":\"ns\"}]}",
		"\"cpu_time\" is not a number");
	REFUSES(WB_READER_GOOGLE, "{\"benchmarks\":[]}", "no sample");
}

static void test_hyperfine(void **state)
{
	(void)state;
	reads(WB_READER_HYPERFINE, "hyperfine.json",
	      "sort_big.txt 0.0201 s lower -\n"
	      "sort_big.txt 0.0205 s lower -\n"
	      "sort_big.txt 0.02 s lower -\n"
	      "wc 0.001 s lower -\n");
	file_says(WB_READER_HYPERFINE, "hyperfine-exit.json",
		  "command 'sort big.txt': run 2 ended with exit code 3");
	REFUSES(WB_READER_HYPERFINE, "{\"results\":[{\"command\":\"a\","
		"\"times\":[1],\"exit_codes\":[null]}]}", "run 1 was killed");
	REFUSES(WB_READER_HYPERFINE, "{\"results\":[{\"command\":\"a\","
		"\"times\":[1,2],\"exit_codes\":[0]}]}", "2 times but 1 exit");
	REFUSES(WB_READER_HYPERFINE, "{\"results\":[{\"command\":\"a\","
		"\"times\":[]}]}", "no list \"times\"");
	REFUSES(WB_READER_HYPERFINE, "{\"results\":[{\"command\":\"a\","
		"\"times\":[null]}]}", "not a number");
}

static void test_go(void **state)
{
	(void)state;
	reads(WB_READER_GO, "go.txt",
	      "Push 72.5 ns/op lower -\n"
	      "Push:MB/s 1375.33 MB/s higher -\n"
	      "Push:depth 3.5 depth lower -\n"
	      "Push:B/op 90 B/op lower -\n"
	      "Push:allocs/op 1 allocs/op lower -\n"
	      "Push 70.5 ns/op lower -\n"
	      "Push:MB/s 1400 MB/s higher -\n"
	      "Push:depth 3.5 depth lower -\n"
	      "Push:B/op 90 B/op lower -\n"
	      "Push:allocs/op 1 allocs/op lower -\n"
	      "Drain/size=16 2.7 ns/op lower -\n"
	      "Drain/size=16:hits 0.5 hits - -\n");
	reads(WB_READER_GO, "go-packages.txt",
	      "example.org/a.X 10 ns/op lower -\n"
	      "example.org/a.X-2 6 ns/op lower -\n"
	      "example.org/b.X 20 ns/op lower -\n"
	      "example.org/b.X-2 12 ns/op lower -\n");
	REFUSES(WB_READER_GO, "BenchmarkX-2 100 5 ns/op\n", "cut off");
	REFUSES(WB_READER_GO, "BenchmarkX-2 100 5\nPASS\n",
		"line 1: not pairs");
	REFUSES(WB_READER_GO, "BenchmarkX-2 100 NaN ns/op\nPASS\n",
		"line 1: not pairs");
	REFUSES(WB_READER_GO, "BenchmarkX-2 100 1e400 ns/op\nPASS\n",
		"line 1: not pairs");
	REFUSES(WB_READER_GO, "BenchmarkX 9 5 ns/op\n--- FAIL: BenchmarkY\n",
		"line 2: the test failed");
	REFUSES(WB_READER_GO, "BenchmarkX 9 5 ns/op\npanic: no\n",
		"line 2: the test failed");
	REFUSES(WB_READER_GO, "BenchmarkX 9 5 n\0s/op\nPASS\n", "line 1");
	REFUSES(WB_READER_GO, "BenchmarkX\xff 9 5 ns/op\nPASS\n", "UTF-8");
}

static void test_perf(void **state)
{
	(void)state;
	reads(WB_READER_PERF, "perf.jsonl",
	      "instructions:u 1.20034e+06 events lower H\n"
	      "LLC-misses 998 events lower H\n"
	      "task-clock 0.594695 msec lower S\n"
	      "context-switches 0 events lower S\n");
	remarks(WB_READER_PERF, "perf.jsonl", "line 4: LLC-misses was counted "
		"42 % of the time and scaled");
	/* the sum has a hole, so it is none */
	reads(WB_READER_PERF, "perf-interval.jsonl",
	      "page-faults 42 events lower S\n");
	remarks(WB_READER_PERF, "perf-interval.jsonl",
		"line 3: task-clock is <not counted>");
	REFUSES(WB_READER_PERF, "{\"counter-value\":\"<not supported>\","
		"\"event\":\"cycles\"}",
		"no sample: line 1: cycles is <not supported>");
	REFUSES(WB_READER_PERF, "{\"counter-value\":\"0.000000\","
		"\"event\":\"context-switches:u\"}", "no sample: line 1: "
		"context-switches:u is of the kernel, and 0 in user space");
	REFUSES(WB_READER_PERF, "{\"counter-value\":\"nan\","
		"\"event\":\"cycles\"}", "line 1: \"counter-value\"");
	REFUSES(WB_READER_PERF, "{\"counter-value\":\"-4\","
		"\"event\":\"cycles\"}", "line 1: \"counter-value\"");
	REFUSES(WB_READER_PERF, "{\"counter-value\":\"1\",\"event\":\"a\"}\n"
		"{\"counter-value\":\"1\",\"event\":\"a\"}", "line 2: event");
	REFUSES(WB_READER_PERF, "{\"counter-value\":\"1\",\"cpu\":\"0\","
		"\"event\":\"a\"}", "without -A");
	REFUSES(WB_READER_PERF, "{\"counter-value\":\"1\",",
		"line 1: not JSON");
	REFUSES(WB_READER_PERF, "hello\n", "line 1: not a line of perf stat");
}

static void test_ktap(void **state)
{
	(void)state;
	reads(WB_READER_KTAP, "kunit.txt",
	      "page_alloc.alloc_order0 41.5 ns - -\n"
	      "page_alloc.free_list 380 cycles - -\n"
	      "page_alloc.free_list 384 cycles - -\n"
	      "boot 1250 - - -\n");
	file_says(WB_READER_KTAP, "kunit-fails.txt",
		  "line 13: a test failed, found 'not ok 2 free_list'");
	REFUSES(WB_READER_KTAP, "TAP version 13\n1..2\n# a: 5 ns\nok 1 a\n",
		"cut off: 1 of 2 tests");
	REFUSES(WB_READER_KTAP, "1..1\n# a: 5 ns\nBail out! no\n",
		"line 3: the tests gave up");
	REFUSES(WB_READER_KTAP, "1..1\n# a: nan ns\nok 1\n",
		"line 2: not a finite number");
	REFUSES(WB_READER_KTAP, "1..1\n# a: 1e400 ns\nok 1\n",
		"line 2: not a finite number");
	REFUSES(WB_READER_KTAP, "1..1\n# \0: 5 ns\nok 1 a\n", "line 2: a NUL");
	REFUSES(WB_READER_KTAP, "# a: 5 ns\n", "no KTAP");
	REFUSES(WB_READER_KTAP, "1..1\nok 1 a\n", "no sample");
}

static void test_mmtests(void **state)
{
	(void)state;
	reads(WB_READER_MMTESTS, "mmtests.txt",
	      "alloc-1 1001.56 - lower -\n"
	      "free-1 110.25 - lower -\n");
	remarks(WB_READER_MMTESTS, "mmtests.txt", "line 7: a mean of 0");
	reads(WB_READER_MMTESTS, "mmtests-nocompare.txt",
	      "tput-4 3970.1 - higher -\n"
	      "total 12 - - -\n");
	reads(WB_READER_MMTESTS, "mmtests.log",
	      "alloc-odr0-1 382 - - -\n"
	      "alloc-odr0-1 384.5 - - -\n"
	      "alloc-odr0-1 381 - - -\n"
	      "free-odr0-1 200 - - -\n");
	/* a report of wb's own kind has two columns */
	REFUSES(WB_READER_MMTESTS, "Amean a 5.00 ( 0.00%) 6.00 (-20.00%)\n",
		"line 1: more than one column");
	REFUSES(WB_READER_MMTESTS, "Amean a nan ( 0.00%)\n", "line 1: not ST");
	REFUSES(WB_READER_MMTESTS, "a 1 inf\nb 1 2\n", "line 1: neither");
	REFUSES(WB_READER_MMTESTS, "b 1 2\nc 1 1e400\n", "line 2: not NAME");
	REFUSES(WB_READER_MMTESTS, "Min a 5.00\n", "without a row");
	REFUSES(WB_READER_MMTESTS, "a 1 5\nand so on\n", "line 2: not NAME");
	/* what is no form of it, or two at once */
	REFUSES(WB_READER_MMTESTS, "a 1 5\nAmean a 5\n", "line 2: not NAME");
	REFUSES(WB_READER_MMTESTS, "Amean a 5\na 1 5\n", "line 2: no row");
	REFUSES(WB_READER_MMTESTS, "Duration User 12.30\n", "logs of programs");
	REFUSES(WB_READER_MMTESTS, "Time: 0.123\n", "logs of programs");
	REFUSES(WB_READER_MMTESTS, "a 1 5 ns\n", "line 1: neither");
	REFUSES(WB_READER_MMTESTS, "a 0.5 5\n", "line 1: neither");
	REFUSES(WB_READER_MMTESTS, "a -1 5\n", "line 1: neither");
	REFUSES(WB_READER_MMTESTS, "  6.6\n  rc1\na 1 5\n",
		"line 3: neither");
	REFUSES(WB_READER_MMTESTS, " 1\n 2\n 3\nAmean a 5\n",
		"line 3: neither");
	REFUSES(WB_READER_MMTESTS, "<table class=\"resultsTable\">\n",
		"line 1: neither");
}

/* Each line is an output that no reader may find a number in. */
static void test_hostile_for_all(void **state)
{
	struct {
		const char *text;
		size_t len;
	} bad[] = {
#define BAD(t) { t, sizeof(t) - 1 }
		BAD(""), BAD("\n\n\n"), BAD("\0"), BAD("nan\n"), BAD("-inf"),
		BAD("{"), BAD("{\"benchmarks\":[{\"name\":\"a\",\"cpu_time\":"
			      "1e400,\"time_unit\":\"ns\"}]}"),
		BAD("{\"results\":[{\"command\":\"a\",\"times\":[1e400]}]}"),
		BAD("{\"results\":[{\"command\":\"a\",\"command\":\"b\","
		    "\"times\":[NaN]}]}"),
		BAD("{\"benchmarks\":[{\"name\":\"\xff\",\"cpu_time\":"),
		BAD("{\"event\":\"a\",\"counter-value\":\"\0"),
		BAD("KTAP version 1\n1..1\n# a: inf s\nnot ok 1\n"),
		BAD("Amean a (0.00%)\n"), BAD("BenchmarkX-4 nan inf ns/op\n"),
#undef BAD
	};
	struct wb_buf deep = WB_BUF_INIT, big = WB_BUF_INIT;
	enum wb_reader reader;
	size_t i;

	(void)state;
	wb_buf_addstr(&deep, "{\"benchmarks\":");
	wb_buf_fill(&deep, '[', 100000);
	wb_buf_addstr(&big, "{\"results\":[");
	wb_buf_fill(&big, ' ', 9 << 20);
	wb_buf_addstr(&big, "]}");
	for (reader = 0; reader < WB_READERS; reader++) {
		if (reader == WB_READER_TIME)
			continue;
		/* lawful for the last number: it is one, or none there */
		for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
			if (reader != WB_READER_LAST_NUMBER)
				says(reader, bad[i].text, bad[i].len, "");
		says(reader, deep.ptr, deep.len, "");
		says(reader, big.ptr, big.len, "");
	}
	says(WB_READER_HYPERFINE, big.ptr, big.len, "9 MiB; 8 at most");
	says(WB_READER_GOOGLE, deep.ptr, deep.len, "line 1: not JSON");
	wb_buf_clear(&deep);
	wb_buf_clear(&big);
}

/* A NUL byte anywhere, behind a number or alone, takes the output's word. */
static void test_nul_for_all(void **state)
{
	static const struct {
		enum wb_reader reader;
		const char *text;
	} good[] = {
		{ WB_READER_SAMPLES, "{\"metric\":\"m\",\"value\":5}\n" },
		{ WB_READER_LINES, "m 5 ns\n" },
		{ WB_READER_LAST_NUMBER, "m: 5\n" },
		{ WB_READER_GOOGLE, "{\"benchmarks\":[{\"name\":\"a\","
			"\"cpu_time\":5,\"time_unit\":\"ns\"}]}\n" },
		{ WB_READER_HYPERFINE, "{\"results\":[{\"command\":\"a\","
			"\"times\":[5]}]}\n" },
		{ WB_READER_GO, "BenchmarkX-4 9 5 ns/op\nPASS\n" },
		{ WB_READER_PERF, "{\"counter-value\":\"5\",\"unit\":\"\","
			"\"event\":\"a\",\"event-runtime\":1,"
			"\"pcnt-running\":100.0}\n" },
		{ WB_READER_KTAP, "1..1\n# a: 5 ns\nok 1 a\n" },
		{ WB_READER_MMTESTS, "Amean a 5 (0.00%)\n" },
	};
	struct wb_error err = WB_ERROR_INIT;
	struct wb_reading r;
	size_t i, len, at;
	char *text;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		len = strlen(good[i].text);
		assert_int_equal(wb_sample_read(good[i].reader, good[i].text,
						len, &nothing, &r, &err), 0);
		wb_reading_clear(&r);
		for (at = 0; at <= len; at++) {
			text = wb_xasprintf("%.*s~%s", (int)at, good[i].text,
					    good[i].text + at);
			text[at] = '\0';
			says(good[i].reader, text, len + 1, ": a NUL byte");
			free(text);
		}
	}
}

/* As much as a bench can print takes neither the memory nor the day. */
static void test_bounded(void **state)
{
	struct wb_buf text = WB_BUF_INIT;
	struct wb_error err = WB_ERROR_INIT;
	struct wb_reading r;
	size_t i;

	(void)state;
	for (i = 0; i < 10001; i++)
		wb_buf_addf(&text, "m%zu 5\n", i);
	says(WB_READER_LINES, text.ptr, text.len, "more than 10000 metrics");
	wb_buf_reset(&text);
	for (i = 0; i < (1 << 20) + 1; i++)
		wb_buf_addstr(&text, "m 5\n");
	says(WB_READER_LINES, text.ptr, text.len, "more than 1048576 lines");
	says(WB_READER_GO, text.ptr, text.len, "more than 1048576 lines");
	assert_int_equal(wb_sample_read(WB_READER_LAST_NUMBER, text.ptr,
					text.len, &nothing, &r, &err), 0);
	assert_true(r.n == 1 && r.v[0].number == 5);
	wb_reading_clear(&r);
	wb_buf_clear(&text);
}

/* A time that runs backwards was not measured. */
static void test_negative_time(void **state)
{
	(void)state;
	REFUSES(WB_READER_GOOGLE, "{\"benchmarks\":[{\"name\":\"a\","
		"\"cpu_time\":-5,\"time_unit\":\"ns\"}]}",
		"benchmark 'a': \"cpu_time\" is -5, a negative time");
	REFUSES(WB_READER_HYPERFINE, "{\"results\":[{\"command\":\"a\","
		"\"times\":[5,-1e-9]}]}", "\"times\" is -1e-09, a negative");
	REFUSES(WB_READER_GO, "BenchmarkX 9 -5 ns/op\nPASS\n",
		"line 1: a negative time");
}

/* Names that a document has once and its numbers often. */
static void test_long_names(void **state)
{
	struct wb_buf text = WB_BUF_INIT;
	size_t i;

	(void)state;
	/* 4 MiB, a million times */
	wb_buf_addstr(&text, "{\"results\":[{\"command\":\"");
	wb_buf_fill(&text, 'x', 4 << 20);
	wb_buf_addstr(&text, "\",\"times\":[1");
	for (i = 0; i < 1 << 20; i++)
		wb_buf_addstr(&text, ",1");
	wb_buf_addstr(&text, "]}]}");
	says(WB_READER_HYPERFINE, text.ptr, text.len,
	     "the name of a metric has 4194304 bytes, 4096 at most: 'xxx");

	wb_buf_reset(&text);
	wb_buf_addstr(&text, "{\"benchmarks\":[{\"name\":\"");
	wb_buf_fill(&text, 'x', 4000);
	wb_buf_addstr(&text, "\",\"cpu_time\":1,\"time_unit\":\"ns\"");
	for (i = 0; i < 100000; i++)
		wb_buf_addf(&text, ",\"%zu\":1", i);
	wb_buf_addstr(&text, "}]}");
	says(WB_READER_GOOGLE, text.ptr, text.len,
	     "the names of metrics take more than 64 MiB");

	wb_buf_reset(&text);
	wb_buf_addstr(&text, "pkg: a\npkg: ");
	wb_buf_fill(&text, 'x', 1 << 20);
	for (i = 0; i < 100000; i++)
		wb_buf_addstr(&text, "\nBenchmarkX 9 5 ns/op");
	says(WB_READER_GO, text.ptr, text.len, "line 3: the name of a metric");

	wb_buf_reset(&text);
	wb_buf_addstr(&text, "1..1\n# Subtest: ");
	wb_buf_fill(&text, 'x', 1 << 20);
	for (i = 0; i < 100000; i++)
		wb_buf_addstr(&text, "\n# a: 5 ns");
	says(WB_READER_KTAP, text.ptr, text.len,
	     "line 3: the name of a metric");
	wb_buf_clear(&text);
}

/* Text that would take the memory, or the square of its length in time. */
static void test_much_in_little(void **state)
{
	struct wb_buf text = WB_BUF_INIT;
	struct wb_error err = WB_ERROR_INIT;
	struct wb_reading r;
	size_t i;

	(void)state;
	wb_buf_addstr(&text,
		      "{\"results\":[{\"command\":\"x\",\"times\":[1");
	for (i = 0; i < 1 << 20; i++)
		wb_buf_addstr(&text, ",1");
	wb_buf_addstr(&text, "]}]}");
	says(WB_READER_HYPERFINE, text.ptr, text.len,
	     "more than 1048576 numbers");

	wb_buf_reset(&text);
	wb_buf_addstr(&text, "{\"metric\":\"a\",\"value\":1,\"x\":[0");
	for (i = 0; i < 1 << 20; i++)
		wb_buf_addstr(&text, ",[]");
	wb_buf_addstr(&text, "]}");
	says(WB_READER_SAMPLES, text.ptr, text.len,
	     "line 1: a sample line of 3 MiB; 1 at most");

	wb_buf_reset(&text);
	for (i = 0; i < 400000; i++)
		wb_buf_addf(&text, "{\"event\":\"e%zu\","
			    "\"counter-value\":\"5\"}\n", i);
	says(WB_READER_PERF, text.ptr, text.len, "more than 10000 metrics");

	wb_buf_reset(&text);
	for (i = 0; i < 400000; i++)
		wb_buf_addf(&text, "BenchmarkX 9 5 depth\n"
			    "Unit u%zu better=lower\n", i);
	wb_buf_addstr(&text, "Unit depth better=higher\nPASS\n");
	assert_int_equal(wb_sample_read(WB_READER_GO, text.ptr, text.len,
					&nothing, &r, &err), 0);
	assert_int_equal(r.n, 400000);
	assert_int_equal(r.v[0].better, WB_BETTER_HIGHER);
	wb_reading_clear(&r);
	wb_buf_clear(&text);
}

/* A number that was cut off in its exponent is not what is left of it. */
static void test_cut_exponent(void **state)
{
	(void)state;
	REFUSES(WB_READER_LAST_NUMBER, "time: 1e\n", "line 1: its last number");
	REFUSES(WB_READER_LAST_NUMBER, "time: 1e+\n", "line 1: its last");
	REFUSES(WB_READER_LAST_NUMBER, "time: 2.5E", "line 1: its last number");
	REFUSES(WB_READER_LINES, "time 1e\n", "line 1: not NAME VALUE");
}

/* A cut at any byte gives the numbers before it, or a reason; no crash. */
static void test_cut_anywhere(void **state)
{
	static const struct {
		enum wb_reader reader;
		const char *name;
	} whole[] = {
		{ WB_READER_GOOGLE, "google.json" },
		{ WB_READER_HYPERFINE, "hyperfine.json" },
		{ WB_READER_GO, "go.txt" }, { WB_READER_PERF, "perf.jsonl" },
		{ WB_READER_KTAP, "kunit.txt" },
		{ WB_READER_MMTESTS, "mmtests.txt" },
	};
	struct wb_buf text = WB_BUF_INIT;
	struct wb_reading r;
	struct wb_error err;
	size_t i, n, good;
	bool there;
	char *path, *copy;

	(void)state;
	for (i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		path = wb_xasprintf(DATA "%s", whole[i].name);
		wb_buf_reset(&text);
		assert_int_equal(wb_path_read(path, 1 << 20, &text, &there,
					      &err), 0);
		for (n = good = 0; n < text.len; n++) {
			copy = wb_xstrndup(text.ptr, n);
			good += !wb_sample_read(whole[i].reader, copy, n,
						&nothing, &r, &err);
			wb_reading_clear(&r);
			free(copy);
		}
		/* formats that say where they end are never read in part */
		if (whole[i].reader == WB_READER_GOOGLE ||
		    whole[i].reader == WB_READER_HYPERFINE)
			assert_true(good <= 1);	/* the last newline */
		free(path);
	}
	wb_buf_clear(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_google),
		cmocka_unit_test(test_hyperfine),
		cmocka_unit_test(test_go),
		cmocka_unit_test(test_perf),
		cmocka_unit_test(test_ktap),
		cmocka_unit_test(test_mmtests),
		cmocka_unit_test(test_hostile_for_all),
		cmocka_unit_test(test_nul_for_all),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_negative_time),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_much_in_little),
		cmocka_unit_test(test_cut_exponent),
		cmocka_unit_test(test_cut_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
