#include "format-table.h"
#include "plain.h"
#include "render.h"
#include "report-data.h"
#include "template-set.h"

/* The templates that come with wb, which lie beside the build folder. */
static const struct wb_template_set shipped = { .top = NULL };

static const char *const names[] = {
	"report", "cover", "changelog", "reply", "environment",
};

#define NNAMES (sizeof(names) / sizeof(names[0]))

static void fill(const struct wb_result *r, const char *name, size_t column,
		 struct wb_buf *out)
{
	static const char *const command[] = { "b: make -k \\end{verbatim}" };
	struct wb_table_options how = { .margin = 0.005 };
	struct wb_format_options o = { .kind = WB_FORMAT_PLAIN };
	struct wb_report_facts facts = {
		.source = "a..b", .compiler = "cc 12.2",
		.command = command, .ncommands = 1,
	};
	struct wb_error err = WB_ERROR_INIT;
	struct wb_json *data;
	struct wb_table t;

	wb_buf_reset(out);
	wb_table_init(&t, r, &how);
	data = column ? wb_report_data_of(&t, &o, &facts, column) :
	       wb_report_data(&t, &o, &facts);
	if (wb_template_set_fill(&shipped, name, data, out, &err) < 0)
		fail_msg("%s", err.msg);
	wb_json_free(data);
	wb_table_clear(&t);
}

/* A line of a mail that a program would take for its own. */
static void check_mail(const struct wb_buf *out, const char *whose)
{
	static const char *const starts[] = {
		"---", "#", "From ", "diff -", "Index: ",
	};
	const char *line;
	size_t i;

	for (line = out->ptr; *line; line = next(line)) {
		for (i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
			if (wb_str_starts(line, starts[i]))
				fail_msg("'%s' begins a line with %s", whose,
					 starts[i]);
		if (wb_str_starts(line, "Signed-off-by:"))
			fail_msg("'%s' makes a trailer", whose);
	}
	if (strstr(out->ptr, " \n"))
		fail_msg("'%s': a blank at the end of a line", whose);
}

/* What would be markup, a command or an escape in that language. */
static void check_format(enum wb_render_format format, const char *text,
			 const char *whose)
{
	static const char *const bad[][6] = {
		[WB_RENDER_HTML] = { "<script", "<b>", "href=\"javascript:",
				     "<a ", "<em>" },
		[WB_RENDER_MAN] = { "\n.so ", "\n'so", "\n.sh" },
		[WB_RENDER_LATEX] = { "\\input{", "$x$", "_{" },
		[WB_RENDER_COMMONMARK] = { NULL },
	};
	struct wb_buf out = WB_BUF_INIT;
	const char *const *b;
	const char *end;

	/* what stands between these two is shown as it is */
	for (; (end = strstr(text, "\\begin{verbatim}")); text = end) {
		wb_buf_add(&out, text, (size_t)(end - text));
		end = strstr(end, "\\end{verbatim}");
		assert_non_null(end);
		end += strlen("\\end{verbatim}");
	}
	wb_buf_addstr(&out, text);
	for (b = bad[format]; *b; b++)
		if (strstr(out.ptr, *b))
			fail_msg("'%s' gives %s in format %d", whose, *b,
				 format);
	wb_buf_clear(&out);
}

static const char *const more[] = {
	".so /etc/passwd", "'so x", "\\input{/etc/passwd}", "$x$", "a_{b}",
	"[x](javascript:alert(1))", "<a href=x>", "*em*", "{{machine}}",
	"```", "    indented", "- item", "1. item", "![i](http://x)",
	"\\end{verbatim}\\input{/etc/passwd}", "\xe2\x80\xae" "abc", "***",
};

#define NMORE (sizeof(more) / sizeof(more[0]))

static void try_all(const char *name)
{
	struct wb_buf filled = WB_BUF_INIT, out = WB_BUF_INIT;
	struct wb_buf html = WB_BUF_INIT;
	struct wb_result r;
	size_t i, column;
	int f;

	make(&r, name, 100);
	make_commit(&r, 1, name);
	wb_result_add_trailer(&r, 1, "Acked-by", name);
	for (i = 0; i < 2 * NNAMES; i++) {
		column = i % 2 ? 1 : 0;
		fill(&r, names[i / 2], column, &filled);
		wb_buf_reset(&out);
		wb_plain(filled.ptr, filled.len, WB_PLAIN_WIDTH, &out);
		check_bytes(&out, name, i, false);
		check_mail(&out, name);
		assert_null(strstr(out.ptr, "\xe2\x80\xae"));
		for (f = WB_RENDER_HTML; f <= WB_RENDER_COMMONMARK; f++) {
			wb_buf_reset(&out);
			wb_render(filled.ptr, filled.len,
				  (enum wb_render_format)f, 72, &out);
			check_bytes(&out, name, i, false);
			check_format((enum wb_render_format)f, out.ptr, name);
		}
		/* Markdown that is read again is what it was */
		wb_buf_reset(&html);
		wb_render(out.ptr, out.len, WB_RENDER_HTML, 0, &html);
		check_format(WB_RENDER_HTML, html.ptr, name);
	}
	wb_result_clear(&r);
	wb_buf_clear(&filled);
	wb_buf_clear(&out);
	wb_buf_clear(&html);
}

static void test_hostile_names(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < NHOSTILE; i++)
		try_all(hostile[i]);
	for (i = 0; i < NMORE; i++)
		try_all(more[i]);
}

static void test_what_is_said(void **state)
{
	struct wb_buf filled = WB_BUF_INIT, out = WB_BUF_INIT;
	struct wb_result r;

	(void)state;
	make(&r, "x", 100);
	wb_result_add_trailer(&r, 1, "Acked-by", "Bo <bo@example.org>");
	wb_result_add_trailer(&r, 1, "Signed-off-by", "Ada <a@example.org>");
	fill(&r, "report", 0, &filled);
	wb_plain(filled.ptr, filled.len, WB_PLAIN_WIDTH, &out);
	assert_non_null(strstr(out.ptr, "Of 3 patches: 1 faster, "));
	assert_non_null(strstr(out.ptr, ", 1 broken."));
	assert_non_null(strstr(out.ptr, "\nBroken: x\n"));
	assert_non_null(strstr(out.ptr, "- Acked-by: Bo <bo@example.org>\n"));
	assert_non_null(strstr(out.ptr, "- Signed-off-by: Ada <"));
	assert_non_null(strstr(out.ptr, "- Compiler: cc 12.2\n"));
	assert_non_null(strstr(out.ptr, "- Machine: x\n"));
	assert_non_null(strstr(out.ptr, "- Not measurable here below 0."));
	assert_non_null(strstr(out.ptr, "\nwb run 'a..b'\n"));
	fill(&r, "reply", 0, &filled);
	wb_buf_reset(&out);
	wb_plain(filled.ptr, filled.len, WB_PLAIN_WIDTH, &out);
	assert_non_null(strstr(out.ptr, "- 1: Acked-by: Bo"));
	assert_null(strstr(out.ptr, "Signed-off-by"));
	fill(&r, "changelog", 1, &filled);
	wb_buf_reset(&out);
	wb_plain(filled.ptr, filled.len, WB_PLAIN_WIDTH, &out);
	/* the patch and the one below it, and no other */
	assert_non_null(strstr(out.ptr, "\n0  base0  "));
	assert_non_null(strstr(out.ptr, "\n1  x1 "));
	assert_null(strstr(out.ptr, "\n3  "));
	wb_result_clear(&r);
	wb_buf_clear(&filled);
	wb_buf_clear(&out);
}

static void test_no_way_out(void **state)
{
	static const char *const bad[] = { "../x", "/etc/x", "a.b", "", "a b" };
	struct wb_error err = WB_ERROR_INIT;
	struct wb_buf out = WB_BUF_INIT;
	struct wb_json *data = wb_json_object();
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(wb_template_set_fill(&shipped, bad[i], data,
						      &out, &err), -1);
		assert_non_null(strstr(err.msg, "no name of a template"));
	}
	assert_int_equal(wb_template_set_fill(&shipped, "not-there", data,
					      &out, &err), -1);
	assert_non_null(strstr(err.msg, "there is no template"));
	wb_json_free(data);
	wb_buf_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hostile_names),
		cmocka_unit_test(test_what_is_said),
		cmocka_unit_test(test_no_way_out),
	};

	return cmocka_run_group_tests_name("report-data", tests, NULL, NULL);
}
