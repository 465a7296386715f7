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

/*
 * A case of our own for each rule of the public specification: interpolation,
 * comments, sections, inverted sections, partials. Left out: delimiters (see
 * test_faults) and what it calls optional (lambdas, inheritance, dynamic
 * names).
 */
static void test_rules_of_values(void **state)
{
	static const struct example e[] = {
		/* no tag: nothing changes; blanks around a tag stay */
		{ " | {{x}} | \n", "{\"x\":\"-\"}", " | - | \n", NULL },
		{ "|{{& x }}|{{{ x }}}|{{  x  }}|", "{\"x\":\"-\"}",
		  "|-|-|-|", NULL },
		/* a value is put in once and not read again */
		{ "{{a}} {{{a}}}", "{\"a\":\"{{b}}\",\"b\":1}", "{{b}} {{b}}",
		  NULL },
		{ "{{n}} {{&n}} {{{d}}}", "{\"n\":-3,\"d\":0.1}", "-3 -3 0.1",
		  NULL },
		/* what is missing is nothing, however it is asked for */
		{ "({{x}})({{{x}}})({{&x}})({{x.y.z}})", "{}",
		  "()()()()", NULL },
		{ "({{x}})({{{x}}})", "{\"x\":null}", "()()", NULL },
		/* dotted: the first part decides where to look */
		{ "{{a.n}} {{{a.n}}} {{&a.n}}", "{\"a\":{\"n\":\"<\"}}",
		  "&lt; < <", NULL },
		{ "[{{#a}}{{b.c}}{{/a}}]",
		  "{\"a\":{\"b\":{}},\"b\":{\"c\":\"wrong\"}}", "[]", NULL },
		{ "{{#a}}{{b.c}}{{/a}}", "{\"a\":{\"x\":1},\"b\":{\"c\":2}}",
		  "2", NULL },
		{ "[{{a.b}}]", "{\"a\":\"text\"}", "[]", NULL },
		/* the implicit iterator, escaped and not */
		{ "{{.}} {{{.}}} {{&.}}", "\"<\"", "&lt; < <", NULL },
	};

	(void)state;
	CHECK(e);
}

static void test_rules_of_comments(void **state)
{
	static const struct example e[] = {
		{ "12345{{! between }}67890", "{}", "1234567890", NULL },
		{ "12345{{!\n  many\n  lines\n}}67890\n", "{}",
		  "1234567890\n", NULL },
		{ "a\n{{! alone }}\nb\n", "{}", "a\nb\n", NULL },
		{ "a\n  {{! alone }}\t\nb\n", "{}", "a\nb\n", NULL },
		{ "|\r\n{{! alone }}\r\n|", "{}", "|\r\n|", NULL },
		{ "  {{! at the end }}", "{}", "", NULL },
		{ "!\n  {{! no line behind }}", "{}", "!\n", NULL },
		{ "  12 {{! beside text }}\n", "{}", "  12 \n", NULL },
		{ "{{! x }}{{x}}", "{\"x\":\"<\",\"! x\":1}", "&lt;", NULL },
		{ "a{{!= none of delimiters =}}b", "{}", "ab", NULL },
	};

	(void)state;
	CHECK(e);
}

static void test_rules_of_sections(void **state)
{
	static const char deep[] =
		"{{#a}}{{one}}{{#b}}{{one}}{{two}}{{#c}}{{one}}{{two}}{{three}}"
		"{{/c}}{{two}}{{/b}}{{one}}{{/a}}";
	static const struct example e[] = {
		{ "[{{#b}}x{{/b}}][{{^b}}y{{/b}}]", "{\"b\":true}", "[x][]",
		  NULL },
		{ "[{{#b}}x{{/b}}][{{^b}}y{{/b}}]", "{\"b\":false}", "[][y]",
		  NULL },
		{ "[{{#b}}x{{/b}}][{{^b}}y{{/b}}]", "{\"b\":null}", "[][y]",
		  NULL },
		{ "[{{#b}}x{{/b}}][{{^b}}y{{/b}}]", "{}", "[][y]", NULL },
		{ "[{{#b}}x{{/b}}][{{^b}}y{{/b}}]", "{\"b\":[]}", "[][y]",
		  NULL },
		{ "[{{^b}}y{{/b}}]", "{\"b\":[{\"n\":1}]}", "[]", NULL },
		{ "[{{^b}}y{{/b}}]", "{\"b\":{\"n\":1}}", "[]", NULL },
		/* contexts nest, and what is outside is seen */
		{ deep, "{\"a\":{\"one\":1},\"b\":{\"two\":2},"
			"\"c\":{\"three\":3}}", "112123" "21", NULL },
		{ "{{#b}}{{x}}{{/b}}", "{\"b\":{},\"x\":\"<\"}", "&lt;", NULL },
		/* the same name again, side by side and inside */
		{ "{{#b}}1{{/b}} {{x}} {{#b}}2{{/b}}", "{\"b\":1,\"x\":\"-\"}",
		  "1 - 2", NULL },
		{ "|A {{#b}}B {{#b}}C{{/b}} D{{/b}} E|", "{\"b\":true}",
		  "|A B C D E|", NULL },
		{ "|A {{#b}}B {{#b}}C{{/b}} D{{/b}} E|", "{\"b\":false}",
		  "|A  E|", NULL },
		{ "|A {{^b}}B {{^b}}C{{/b}} D{{/b}} E|", "{\"b\":false}",
		  "|A B C D E|", NULL },
		/* lists of texts, numbers, lists */
		{ "{{#l}}({{.}}){{/l}}", "{\"l\":[\"a\",2,0.5]}", "(a)(2)(0.5)",
		  NULL },
		{ "{{#l}}({{#.}}{{.}}{{/.}}){{/l}}",
		  "{\"l\":[[1,2],[\"a\"]]}", "(12)(a)", NULL },
		{ "{{#.}}{{v}}{{/.}}", "[{\"v\":1},{\"v\":2}]", "12", NULL },
		{ "{{#l}}{{.}}{{/l}}", "{\"l\":[\"<\"]}", "&lt;", NULL },
		/* dotted */
		{ "[{{#a.b.c}}x{{/a.b.c}}]", "{\"a\":{\"b\":{\"c\":true}}}",
		  "[x]", NULL },
		{ "[{{#a.b.c}}x{{/a.b.c}}][{{^a.b.c}}y{{/a.b.c}}]",
		  "{\"a\":{}}", "[][y]", NULL },
		/* blanks: inside tags, around them, on lines of their own */
		{ "|{{# b }}={{/ b }}|{{^ n }}={{/ n }}|", "{\"b\":true}",
		  "|=|=|", NULL },
		{ " | {{#b}}\t|\t{{/b}} | \n", "{\"b\":true}",
		  " | \t|\t | \n", NULL },
		{ " | {{#b}} {{! c }}\n {{/b}} | \n", "{\"b\":true}",
		  " |  \n  | \n", NULL },
		{ "|\n  {{#b}}\nx\n  {{/b}}\n|\n", "{\"b\":true}",
		  "|\nx\n|\n", NULL },
		{ "|\r\n{{#b}}\r\n{{/b}}\r\n|", "{\"b\":true}", "|\r\n|",
		  NULL },
		{ "  {{#b}}\n#{{/b}}\n/", "{\"b\":true}", "#\n/", NULL },
		{ "#{{#b}}\n/\n  {{/b}}", "{\"b\":true}", "#\n/\n", NULL },
		{ "|\r\n{{^b}}\r\n{{/b}}\r\n|", "{}", "|\r\n|", NULL },
		{ "^{{^b}}\n/\n  {{/b}}", "{}", "^\n/\n", NULL },
	};

	(void)state;
	CHECK(e);
}

static void test_rules_of_partials(void **state)
{
	static const char *const p[] = {
		"text=from partial", "partial=*{{x}}*", "two=>\n>",
		"node={{c}}<{{#n}}{{>node}}{{/n}}>", "tab=\t|\t",
		"lines=|\n{{{c}}}\n|\n", "outer={{>inner}}!", "inner=in",
		NULL,
	};
	static const struct example e[] = {
		{ "\"{{>text}}\"", "{}", "\"from partial\"", p },
		{ "\"{{>nowhere}}\"", "{}", "\"\"", p },
		{ "\"{{>partial}}\"", "{\"x\":\"-\"}", "\"*-*\"", p },
		{ "{{>node}}", "{\"c\":\"X\",\"n\":[{\"c\":\"Y\",\"n\":[]}]}",
		  "X<Y<>>", p },
		{ "{{>outer}}", "{}", "in!", p },
		{ "| {{>tab}} |", "{}", "| \t|\t |", p },
		{ "  {{x}}  {{>two}}\n", "{\"x\":\"|\"}", "  |  >\n>\n", p },
		{ "|\r\n{{>two}}\r\n|", "{}", "|\r\n>\n>|", p },
		{ "  {{>two}}\n>", "{}", "  >\n  >>", p },
		{ ">\n  {{>two}}", "{}", ">\n  >\n  >", p },
		{ "\\\n {{>lines}}\n/\n", "{\"c\":\"<\\n->\"}",
		  "\\\n |\n <\n->\n |\n/\n", p },
		{ "|{{> partial }}|", "{\"x\":\"\"}", "|**|", p },
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
		/* what mustache has and we do not says so */
		{ "a\n{{=<% %>=}}",
		  "t.md:2: {{=...}}, other delimiters, is not known here; see "
		  "wb-file(5)", NULL },
		{ "{{<base}}{{/base}}",
		  "t.md:1: {{<...}}, a parent template, is not known here; see "
		  "wb-file(5)", NULL },
		{ "{{$b}}{{/b}}",
		  "t.md:1: {{$...}}, a block of a parent, is not known here; "
		  "see wb-file(5)", NULL },
		{ "{{>*which}}",
		  "t.md:1: {{*...}}, a name from a value, is not known here; "
		  "see wb-file(5)", NULL },
		{ "{{{x}}", "t.md:1: this {{ is never closed", NULL },
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
		cmocka_unit_test(test_rules_of_values),
		cmocka_unit_test(test_rules_of_comments),
		cmocka_unit_test(test_rules_of_sections),
		cmocka_unit_test(test_rules_of_partials),
		cmocka_unit_test(test_partials),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_markdown_is_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
