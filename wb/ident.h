#ifndef WB_IDENT_H
#define WB_IDENT_H

#include "config.h"
#include "error.h"

/*
 * Who the user is, as git would take him: GIT_AUTHOR_NAME and _EMAIL, else
 * user.name and user.email. Nothing is guessed. "Name <mail> SECONDS +ZONE",
 * malloc'ed; the time is now.
 */
int wb_ident(const struct wb_config *c, char **out, struct wb_error *err);

#endif
