#ifndef WB_BISECT_MAIL_H
#define WB_BISECT_MAIL_H

#include "bisect-session.h"
#include "template-set.h"

/*
 * What a search found as mails to the authors: a file for each change that is
 * named, filled by the template regression.md (wb-bisect-perf(1) lists its
 * data). Only what was confirmed is written about; candidates are nobody's
 * fault yet.
 */
struct wb_bisect_mail {
	const char *dir;	/* NULL: nothing is written */
	const struct wb_config *config;
	struct wb_template_set templates;
	struct wb_git *git;	/* NULL: played back elsewhere, without the
				   table, the author and the machine */
	struct wb_source from;	/* of the stack; of commits not used */
};

/* Adds the names of the files, a line each. s ran to its end. */
int wb_bisect_mail(const struct wb_bisect_mail *m,
		   const struct wb_bisect_session *s, struct wb_buf *out,
		   struct wb_error *err);

#endif
