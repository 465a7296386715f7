#include "format-parts.h"

#include <string.h>

static const struct {
	const char *word;
	enum wb_format_kind kind;
	void (*fn)(const struct wb_table *t, const struct wb_format_options *o,
		   struct wb_buf *out);
} formats[] = {
	{ "terminal", WB_FORMAT_TERMINAL, wb_format_text },
	{ "plain", WB_FORMAT_PLAIN, wb_format_text },
	{ "markdown", WB_FORMAT_MARKDOWN, wb_format_text },
	{ "mmtests", WB_FORMAT_MMTESTS, wb_format_mmtests },
	{ "delta", WB_FORMAT_DELTA, wb_format_delta },
	{ "lkp-list", WB_FORMAT_LKP_LIST, wb_format_lkp_list },
	{ "lkp", WB_FORMAT_LKP, wb_format_lkp },
	{ "benchstat", WB_FORMAT_BENCHSTAT, wb_format_benchstat },
	{ "csv", WB_FORMAT_CSV, wb_format_csv },
	{ "json", WB_FORMAT_JSON, wb_format_json },
	{ "html", WB_FORMAT_HTML, wb_format_html },
};

#define NFORMATS (sizeof(formats) / sizeof(formats[0]))

static const struct {
	const char *word;
	enum wb_rows rows;
} rowsets[] = {
	{ "multiops", WB_ROWS_MULTIOPS },
	{ "singleops", WB_ROWS_SINGLEOPS },
	{ "normalisedops", WB_ROWS_NORMALISEDOPS },
	{ "normalisedleftskewops", WB_ROWS_LEFTSKEW },
	{ "variabletime", WB_ROWS_VARIABLETIME },
};

#define NROWSETS (sizeof(rowsets) / sizeof(rowsets[0]))

void wb_format(const struct wb_table *t, const struct wb_format_options *o,
	       struct wb_buf *out)
{
	size_t i;

	for (i = 0; i < NFORMATS; i++)
		if (formats[i].kind == o->kind)
			formats[i].fn(t, o, out);
}

bool wb_format_parse(const char *word, enum wb_format_kind *out)
{
	size_t i;

	for (i = 0; i < NFORMATS; i++) {
		if (strcmp(word, formats[i].word))
			continue;
		*out = formats[i].kind;
		return true;
	}
	return false;
}

bool wb_rows_parse(const char *word, enum wb_rows *out)
{
	size_t i;

	for (i = 0; i < NROWSETS; i++) {
		if (strcmp(word, rowsets[i].word))
			continue;
		*out = rowsets[i].rows;
		return true;
	}
	return false;
}

void wb_format_words(struct wb_buf *out)
{
	size_t i;

	for (i = 0; i < NFORMATS; i++)
		wb_buf_addf(out, "%s%s", i ? ", " : "", formats[i].word);
}

void wb_rows_words(struct wb_buf *out)
{
	size_t i;

	for (i = 0; i < NROWSETS; i++)
		wb_buf_addf(out, "%s%s", i ? ", " : "", rowsets[i].word);
}
