#include "check.h"
#include "template.h"

#include <stdlib.h>
#include <string.h>

/* Partials of the cases below: "NAME=TEXT", ended by NULL. */
static int partial(void *arg, const char *name, struct wb_buf *text,
		   struct wb_error *err)
{
	const char *const *p = arg;
	size_t len = strlen(name);

	(void)err;
	for (; p && *p; p++) {
		if (strncmp(*p, name, len) || (*p)[len] != '=')
			continue;
		wb_buf_addstr(text, *p + len + 1);
		return 1;
	}
	return 0;
}

static char *fill(const char *text, const char *json,
		  const char *const *partials, struct wb_error *err)
{
	struct wb_template_options o = {
		.name = "t.md", .escape = wb_template_escape_html,
		.partial = partial, .arg = (void *)partials,
	};
	struct wb_buf out = WB_BUF_INIT;
	struct wb_json *data = NULL;
	int ret;

	assert_int_equal(wb_json_parse(json, strlen(json), &data, err), 0);
	ret = wb_template_fill(text, strlen(text), data, &o, &out, err);
	wb_json_free(data);
	if (ret < 0) {
		assert_int_equal(out.len, 0);
		return NULL;
	}
	return wb_buf_detach(&out);
}

struct example {
	const char *text, *json, *wanted;
	const char *const *partials;
};

static void check(const struct example *e, size_t n)
{
	struct wb_error err = WB_ERROR_INIT;

	for (size_t i = 0; i < n; i++) {
		char *got = fill(e[i].text, e[i].json, e[i].partials, &err);
		assert_non_null(got);
		assert_string_equal(got, e[i].wanted);
		free(got);
	}
}
#define CHECK(e) check(e, sizeof(e) / sizeof((e)[0]))

static void test_values(void **state)
{
	static const struct example e[] = {
		{ "no tag at all\n", "{}", "no tag at all\n", NULL },
		{ "Dear {{who}},", "{\"who\":\"Ada\"}", "Dear Ada,", NULL },
		{ "{{x}} {{{x}}} {{&x}}", "{\"x\":\"<a&\\\"b\\\">\"}",
		  "&lt;a&amp;&quot;b&quot;&gt; <a&\"b\"> <a&\"b\">", NULL },
		{ "{{ n }}/{{d}}/{{t}}", "{\"n\":85,\"d\":1.25,\"t\":true}",
		  "85/1.25/true", NULL },
		{ "[{{none}}][{{null}}][{{&none}}]", "{\"null\":null}",
		  "[][][]", NULL },
		{ "{{a.b.c}}|{{a.x.c}}|{{a.b}}", "{\"a\":{\"b\":{\"c\":1}}}",
		  "1||", NULL },
		/* what stands alone prints: its line stays */
		{ "  {{x}}\n", "{\"x\":\"y\"}", "  y\n", NULL },
		/* a value is no template */
		{ "{{{x}}}", "{\"x\":\"{{y}}\",\"y\":1}", "{{y}}", NULL },
	};

	(void)state;
	CHECK(e);
}

static void test_sections(void **state)
{
	static const struct example e[] = {
		{ "{{#l}}<{{.}}>{{/l}}", "{\"l\":[1,\"b\",2.5]}",
		  "<1><b><2.5>", NULL },
		{ "{{#l}}{{a}}{{b}} {{/l}}",
		  "{\"b\":9,\"l\":[{\"a\":1},{\"a\":2,\"b\":3}]}", "19 23 ",
		  NULL },
		{ "{{#o}}{{x}}{{/o}}", "{\"o\":{\"x\":1},\"x\":2}", "1", NULL },
		{ "{{#t}}yes{{/t}}{{#f}}no{{/f}}{{#n}}no{{/n}}{{#e}}no{{/e}}",
		  "{\"t\":true,\"f\":false,\"e\":[]}", "yes", NULL },
		{ "{{^t}}no{{/t}}{{^f}}a{{/f}}{{^n}}b{{/n}}{{^e}}c{{/e}}"
		  "{{^s}}d{{/s}}",
		  "{\"t\":true,\"f\":false,\"e\":[],\"s\":\"\"}", "abcd",
		  NULL },
		{ "{{#a.b}}{{c}}{{/a.b}}", "{\"a\":{\"b\":[{\"c\":1}]}}", "1",
		  NULL },
		{ "{{#o}}{{#i}}{{.}}{{/i}};{{/o}}",
		  "{\"o\":[{\"i\":[1,2]},{\"i\":[3]}]}", "12;3;", NULL },
		{ "{{#z}}{{.}}{{/z}}", "{\"z\":0}", "0", NULL },
	};

	(void)state;
	CHECK(e);
}

static void test_lines(void **state)
{
	static const struct example e[] = {
		{ "a\n  {{#t}}  \nb\n{{/t}}\nc\n", "{\"t\":true}", "a\nb\nc\n",
		  NULL },
		{ "a\n{{! says\nnothing }}\nb\n", "{}", "a\nb\n", NULL },
		{ "a {{! here }} b\n", "{}", "a  b\n", NULL },
		{ "{{#t}}\r\nb\r\n{{/t}}\r\n", "{\"t\":1}", "b\r\n", NULL },
		{ "{{#t}}\n{{/t}}", "{\"t\":1}", "", NULL },
		{ "x {{#t}}\ny\n{{/t}}", "{\"t\":1}", "x \ny\n", NULL },
		{ "{{#a}}{{#b}}\nx\n{{/b}}{{/a}}\n", "{\"a\":1,\"b\":1}",
		  "\nx\n\n", NULL },
	};

	(void)state;
	CHECK(e);
}

static void test_partials(void **state)
{
	static const char *const p[] = {
		"row=<{{x}}>", "two=a\n{{x}}\n",
		"tree={{x}}{{#l}}({{>tree}}){{/l}}", NULL,
	};
	static const struct example e[] = {
		{ "[{{>row}}]", "{\"x\":1}", "[<1>]", p },
		{ "[{{>none}}]", "{}", "[]", p },
		{ " {{>two}}\nend", "{\"x\":1}", " a\n 1\nend", p },
		/* a value with a line break is not moved */
		{ "  {{>two}}\n", "{\"x\":\"1\\n2\"}", "  a\n  1\n2\n", p },
		{ "{{>tree}}", "{\"x\":1,\"l\":[{\"x\":2,\"l\":[]}]}", "1(2)",
		  p },
	};

	(void)state;
	CHECK(e);
}

static void test_faults(void **state)
{
	static const char *const loop[] = { "me={{>me}}", NULL };
	static const char *const bad[] = { "part=a\n{{#x}}", NULL };
	static const struct {
		const char *text, *wanted;
		const char *const *partials;
	} e[] = {
		{ "a\n{{x", "t.md:2: this {{ is never closed", NULL },
		{ "\n\n{{#x}}\n", "t.md:3: section 'x' is never closed", NULL },
		{ "{{/x}}", "t.md:1: {{/x}} closes nothing", NULL },
		{ "{{#a}}\n{{/b}}", "t.md:2: {{/b}} closes 'a' of line 1",
		  NULL },
		{ "{{}}", "t.md:1: '' is no name for a tag", NULL },
		{ "{{a b}}", "t.md:1: 'a b' is no name for a tag", NULL },
		{ "{{=<% %>=}}", "t.md:1: '=<% %>=' is no name for a tag",
		  NULL },
		{ "{{>part}}", "part:2: section 'x' is never closed", bad },
		{ "{{>me}}", "me:1: 'me' includes itself, or more than 32 "
			     "partials in each other", loop },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(e) / sizeof(e[0]); i++) {
		struct wb_error err = WB_ERROR_INIT;
		assert_null(fill(e[i].text, "{}", e[i].partials, &err));
		assert_string_equal(err.msg, e[i].wanted);
		wb_error_clear(&err);
	}
}

static void test_markdown_is_text(void **state)
{
	struct wb_buf out = WB_BUF_INIT;

	(void)state;
	wb_template_escape_markdown(&out, "# *a* <b>\n- `c` 1. \xc3\xa9");
	assert_string_equal(out.ptr, "\\# \\*a\\* \\<b\\> \\- \\`c\\` 1\\. "
				     "\xc3\xa9");
	wb_buf_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_partials),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_markdown_is_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
