#ifndef WB_RESULT_JSON_H
#define WB_RESULT_JSON_H

#include "buf.h"
#include "error.h"
#include "json.h"
#include "result.h"

/*
 * A result set as one JSON document, with every sample, so that a report can
 * carry what it was made from and be made again from it:
 *
 *	{"wb-result":1,"machine":ID,"facts":TEXT,
 *	 "columns":[{"index","name","subject","tree","build"}],
 *	 "benches":[NAME],
 *	 "metrics":[{"bench","name","unit","better","level","exact","judged"}],
 *	 "holes":[{"column","bench","broken","reason"}],
 *	 "points":[[metric,column,round,run,value,switches],...],
 *	 "controls":[the same],"starts":[round]}
 *
 * Numbers keep all digits. Passes of slices are not in it: a report made again
 * compares slices by their medians.
 */
void wb_result_print_json(const struct wb_result *r, struct wb_buf *out);

/* Into an empty result set; WB_E_FATAL says what is wrong with the document. */
int wb_result_from_json(const struct wb_json *doc, struct wb_result *r,
			struct wb_error *err);

#endif
