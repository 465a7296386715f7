#ifndef WB_PROJECT_H
#define WB_PROJECT_H

#include "error.h"
#include "git.h"

/*
 * What a repository looks like from outside: how it is probably built, and
 * where its stack probably is. Guesses for wb init to offer, by the files of
 * HEAD, which is what gets built; nothing here runs or writes.
 */
struct wb_project {
	const char *system;	/* "cmake", for people; NULL: not recognised */
	const char *build;	/* a build command; NULL: nothing to build */
	const char *bench;	/* what the system has for it, or NULL */
	char *series;		/* folder or range; NULL: none in sight */
	const char *profile;	/* of the folder; NULL: the default */
};

int wb_project_look(struct wb_project *p, struct wb_git *git,
		    struct wb_error *err);
void wb_project_clear(struct wb_project *p);

/*
 * The paths of HEAD that a bench command names ("sh $WB_TREE/bench/run.sh" has
 * "bench/run.sh"), separated by blanks and malloc'ed: what is to be taken from
 * HEAD for every prefix, or a patch could change how it is measured. NULL when
 * there are none.
 */
int wb_project_own_files(struct wb_git *git, const char *command, char **paths,
			 struct wb_error *err);

#endif
