#ifndef WB_SERIES_H
#define WB_SERIES_H

#include "apply.h"
#include "buf.h"
#include "error.h"
#include "git.h"
#include "message.h"
#include "opt.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A stack of patches on a base, and the tree of each of its prefixes.
 *
 * Prefix k is the base with the first k patches; prefix 0 is the base itself
 * and is named "base". prefix[0..n-1] are in order; the stack has n - 1
 * patches. The trees of prefixes up to the first patch that does not apply
 * are known; from there on .applies is false and .why says the reason (for
 * the first) or which patch stopped the stack (for the rest).
 */
enum wb_profile {
	WB_PROFILE_STRICT,	/* exact: no offset, no fuzz */
	WB_PROFILE_QUILT,	/* offset, fuzz 2 */
	WB_PROFILE_DPKG,	/* offset, fuzz 0, emptied files removed */
	WB_PROFILE_GIT,		/* offset, no fuzz */
};

/* What a command names a stack by; all 0: the default stack. */
struct wb_source {
	const char *word;	/* quilt folder, A..B, or with stgit a branch */
	const char *mbox;	/* mailbox or Maildir, "-": standard input */
	bool stgit;
	bool full_history;	/* of A..B: every commit */
	bool wip;		/* the work tree is the last prefix, "wip" */
	/* single revisions, NULL-ended, instead: the first is the base */
	const char *const *revs;
	const char *overlay;	/* wb-build.overlay is of it; NULL: of HEAD */
	const char *base;	/* that patches are put on; NULL: HEAD */
};

/* The options that fill it, for a struct that has it as member `from`. */
#define WB_SOURCE_OPTS(type) \
	WB_OPT_STR(0, "mbox", type, from.mbox, "FILE", \
		   "the patches of a mailbox or Maildir ('-': stdin)"), \
	WB_OPT_FLAG(0, "stgit", type, from.stgit, \
		    "the StGit stack of a branch (SERIES; of HEAD)"), \
	WB_OPT_FLAG(0, "full-history", type, from.full_history, \
		    "every commit of A..B, not first parents alone"), \
	WB_OPT_FLAG(0, "wip", type, from.wip, \
		    "the work tree as a last prefix")

struct wb_prefix {
	char *name;		/* "base", or the patch's name */
	char *subject;		/* without [PATCH ...]; "" when it has none */
	char *author, *date;	/* as in the header; NULL when it has none */
	struct wb_mail_words {	/* as in message.h */
		char *full, *id, *reply_to, *to, *cc;
	} mail;
	struct wb_trailer *trailer;
	size_t ntrailers;
	char *head;		/* all its words, as a mail; NULL of the base */
	int files, added, removed;	/* diffstat; of a range: if asked */
	struct wb_applied applied;	/* hunks that did not go in exactly */
	struct wb_oid tree;	/* valid when applies */
	bool applies;
	char *why;		/* one line with file:line; NULL when applies */
};

struct wb_stack {
	char *source;		/* how the user named it: "series", "A..B" */
	bool commits;		/* its patches are commits */
	char *dir;		/* quilt folder inside the base tree, "" none */
	struct wb_prefix *prefix;
	size_t n, cap;		/* n at least 1 */
};

struct wb_stack_options {
	struct wb_source from;
	const char *series;	/* wb.series: the default quilt folder */
	enum wb_profile profile;	/* for patches */
	int fuzz;		/* -1: what the profile says */
	bool header_only;	/* a patch of words alone changes nothing */
	const char *root;	/* --root: apply onto this plain folder */
	const struct wb_strlist *exclude;	/* --exclude, NULL: none */
	bool diffstat;		/* count the lines of a range as well */
	bool ids_only;		/* the trees themselves are not needed, nor, */
				/* without diffstat, what patches say */
};

/*
 * Reads the stack and applies it in memory, as far as it goes: a patch that
 * does not apply, cannot be understood or is missing is no error of this call.
 * It fails when the source cannot be read: no such folder, a bad line in the
 * series file (file:line), a bad range. g may be NULL when root is set.
 */
int wb_stack_load(struct wb_stack *s, struct wb_git *g,
		  const struct wb_stack_options *o, struct wb_error *err);
void wb_stack_clear(struct wb_stack *s);

/*
 * The prefix that a user means by word: a number k, a patch name with or
 * without ".patch", "base", or (for a range) a revision. -1 with a reason.
 */
int wb_stack_find(const struct wb_stack *s, struct wb_git *g, const char *word,
		  size_t *k, struct wb_error *err);

/* The quilt folder that the options name, malloc'ed; fails for a range. */
int wb_stack_folder(struct wb_git *g, const struct wb_stack_options *o,
		    char **path, struct wb_error *err);

/*
 * How patches of a quilt folder apply by these options, and the name of its
 * series file, malloc'ed: with the profile quilt, what the user told quilt.
 */
int wb_stack_rules(const struct wb_stack_options *o,
		   struct wb_apply_rules *out, char **list,
		   struct wb_error *err);

/* The words of a patch or commit become the prefix's; m is then empty. */
void wb_prefix_take(struct wb_prefix *p, struct wb_message *m);

const char *wb_profile_word(enum wb_profile p);
int wb_profile_parse(const char *word, enum wb_profile *out,
		     struct wb_error *err);

/*
 * The profile of a source: what the user asked for (NULL: nothing), else git
 * for mails and wb.profile (config) for the rest.
 */
int wb_profile_of(const struct wb_source *from, const char *asked,
		  const char *config, enum wb_profile *out,
		  struct wb_error *err);

#endif
