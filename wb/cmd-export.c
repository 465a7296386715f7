#include "cmd.h"
#include "db.h"
#include "export.h"
#include "git.h"
#include "hash.h"
#include "json.h"
#include "path.h"
#include "plan.h"
#include "report-load.h"

#include <stdio.h>
#include <string.h>

struct export {
	struct wb_source from;
	const char *output, *machine, *bench;
	bool id;
};

static const struct wb_opt opts[] = {
	WB_SOURCE_OPTS(struct export),
	WB_OPT_STR(0, "bench", struct export, bench, "GLOB",
		   "only these benches"),
	WB_OPT_STR(0, "machine", struct export, machine, "ID",
		   "what this machine measured (the first digits of its id)"),
	WB_OPT_FLAG(0, "id", struct export, id,
		    "only the line that names the data in a mail"),
	WB_OPT_STR('o', "output", struct export, output, "FILE",
		   "write there, in one step"),
	WB_OPT_END
};

/* What is said of a file that was written. */
static void tell(const struct wb *wb, const struct export *o,
		 const struct wb_buf *text, const char *sum, size_t runs)
{
	struct wb_json *doc;

	if (wb->json) {
		doc = wb_json_object();
		wb_json_set(doc, "schema", wb_json_int(1));
		wb_json_set(doc, "runs", wb_json_int((int64_t)runs));
		wb_json_set(doc, "bytes", wb_json_int((int64_t)text->len));
		wb_json_set(doc, "sha256", wb_json_str(sum));
		wb_json_set(doc, "output", wb_json_str(o->output));
		wb_json_put(doc);
	} else if (o->id || (o->output && !wb->quiet)) {
		printf("wb-data: sha256:%s\n", sum);
	} else if (!o->output) {
		fwrite(text->ptr, 1, text->len, stdout);
	}
}

static int cmd_export(struct wb *wb, void *v, int argc, char **argv,
		      struct wb_error *err)
{
	struct export *o = v;
	struct wb_plan plan = { .config = NULL };
	struct wb_buf out = WB_BUF_INIT;
	struct wb_db *db = NULL;
	char sum[65];
	size_t runs;
	int ret = -1;

	if (argc > 2)
		return wb_fail(err, WB_E_USAGE, "unexpected '%s'", argv[2]);
	if (o->id && o->output)
		return wb_fail(err, WB_E_USAGE,
			       "--id and --output exclude each other");
	o->from.word = argv[1];
	if (wb_plan_make(&plan, wb->git, &wb->config, &o->from, o->bench,
			 err) < 0 ||
	    wb_report_open_store(wb->git, &db, err) < 0 ||
	    wb_report_choose_machine(&plan, wb->git, db, o->machine, err) <
		    0 ||
	    wb_export(db, &plan, plan.machine.id, plan.machine.facts, &out,
		      &runs, err) < 0)
		goto out;
	wb_sha256(out.ptr, out.len, sum);
	if (o->output && wb_path_put(o->output, out.ptr, out.len, err) < 0)
		goto out;
	tell(wb, o, &out, sum, runs);
	ret = 0;
out:
	wb_db_close(db);
	wb_buf_clear(&out);
	wb_plan_clear(&plan);
	return ret;
}

const struct wb_cmd wb_cmd_export = {
	.name = "export",
	.fn = cmd_export,
	.needs = WB_NEED_REPO,
	.usage = "wb export [--bench=GLOB] [--machine=ID] [--id | -o FILE] "
		 "[SERIES]",
	.summary = "stored samples as lines, for others and other machines",
	.opts = opts,
	.size = sizeof(struct export),
};
