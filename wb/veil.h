#ifndef WB_VEIL_H
#define WB_VEIL_H

/*
 * A git configuration without what opens doors elsewhere, for commands that may
 * read a repository but not act as its owner: CI services leave their tokens
 * there, as a login in a URL or as a header.
 *
 * Lines of the keys extraheader, password and token go, and so do logins of
 * http and https URLs, wherever they stand. All else stays as it is.
 */

/* malloc'ed; NULL: there is nothing to hide. */
char *wb_veil(const char *text);

#endif
