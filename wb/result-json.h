#ifndef WB_RESULT_JSON_H
#define WB_RESULT_JSON_H

#include "buf.h"
#include "error.h"
#include "json.h"
#include "result.h"

/*
 * A result set without its samples as one JSON document: what a page knows of
 * them beside the lines that it carries (sample-html.h).
 *
 *	{"wb-result":2,"machine":ID,"facts":TEXT,"toolchain":TEXT,
 *	 "layouts":N,
 *	 "columns":[{"index","name","subject","tree","build",
 *		     "trailers":[LINE]}],
 *	 "benches":[NAME],
 *	 "metrics":[{"bench","name","unit","better","level","exact","judged",
 *		     "counted"}],
 *	 "holes":[{"column","bench","broken","reason"}],
 *	 "starts":[round],"open":N,"elsewhere":[{"facts","runs"}]}
 */
void wb_result_print_json(const struct wb_result *r, struct wb_buf *out);

/* Into an empty result set; WB_E_FATAL says what is wrong with the document. */
int wb_result_from_json(const struct wb_json *doc, struct wb_result *r,
			struct wb_error *err);

#endif
