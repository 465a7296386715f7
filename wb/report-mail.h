#ifndef WB_REPORT_MAIL_H
#define WB_REPORT_MAIL_H

#include "report-write.h"

/*
 * Answers to the mails of a series, as files for git send-email: one to the
 * cover letter (or to the first patch, where there is none), or one to each
 * patch that was measured here.
 *
 * They are threaded by the Message-IDs that the mails of the patches carry,
 * and go to their authors and lists. What others said of a patch is quoted as
 * part of a list, so that nobody harvests it as said again. A Tested-by is
 * made for the user alone (user.name, user.email), when asked for, and stands
 * only under what this machine measured: the answer to a patch, or the whole
 * series when every patch of it was.
 */
struct wb_report_mail_options {
	const char *dir;	/* NULL: the current folder */
	bool each;		/* an answer to each patch */
	bool tested_by;
};

/* Adds the names of the files, a line each. */
int wb_report_mail(const struct wb_report_job *j,
		   const struct wb_report_mail_options *o, struct wb_buf *out,
		   struct wb_error *err);

#endif
