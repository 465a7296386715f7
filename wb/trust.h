#ifndef WB_TRUST_H
#define WB_TRUST_H

#include "config.h"
#include "error.h"

#include <stdbool.h>

/*
 * Consent to the commands of .wbconfig.
 *
 * .wbconfig comes with a repository, so whoever can push to it can put a
 * command there. wb reads it at once but runs a command of it only after this
 * user has seen and trusted exactly these bytes: the SHA-256 of the file is
 * kept in $XDG_CONFIG_HOME/wb/trust (one "sha256 HEX" line each). Another
 * content needs another consent; deleting a line takes it back.
 */

/* Whether a command that would run comes from .wbconfig. */
bool wb_trust_needed(const struct wb_config *c);

/* Fails (128) when one does and its file is not trusted; says what to do. */
int wb_trust_check(const struct wb_config *c, struct wb_error *err);

/* 1 trusted, 0 not, -1 error. */
int wb_trust_get(const struct wb_config *c, struct wb_error *err);
int wb_trust_add(const struct wb_config *c, struct wb_error *err);
int wb_trust_remove(const struct wb_config *c, struct wb_error *err);

#endif
