#ifndef WB_TEMPLATE_SET_H
#define WB_TEMPLATE_SET_H

#include "json.h"

#include <stdbool.h>

/*
 * The templates of reports and mails: Markdown files, NAME.md. Three folders
 * may have one, and the first that does wins:
 *
 *	wb.templates, a folder of the work tree (of no repository: none)
 *	$XDG_CONFIG_HOME/wb/templates
 *	what comes with wb: ../share/wb/templates of the program, or the
 *	folder templates of the sources that it was built in
 *
 * A template runs nothing and sees nothing but the data it is filled with and
 * its partials, which are looked for in the same folders. Its name is a word
 * without a slash, and the file of a work tree must lie in it with all links
 * followed: so a template that came with a repository needs no trust, and
 * cannot carry a file of the user's into a mail.
 */
struct wb_template_set {
	const char *top;	/* of the work tree, NULL: none */
	const char *dir;	/* wb.templates, NULL: not set */
};

/*
 * Fills the template: Markdown in which every value is nothing but text. To
 * be rendered (render.h, plain.h). Appends; on failure nothing is added.
 */
int wb_template_set_fill(const struct wb_template_set *s, const char *name,
			 const struct wb_json *data, struct wb_buf *out,
			 struct wb_error *err);

#endif
