#include "git-object.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

char *wb_git_branch(struct wb_git *g)
{
	git_reference *head = NULL;
	char *name = NULL;

	if (!git_repository_head(&head, wb_git_repo(g)) &&
	    git_reference_is_branch(head))
		name = wb_xstrdup(git_reference_shorthand(head));
	git_reference_free(head);
	return name;
}

/* A URL of the network, less the name and the password of who fetches. */
static char *public_url(const char *url)
{
	static const char *const schemes[] = {
		"https://", "http://", "git://", "ssh://",
	};
	const char *rest, *at;
	size_t i, n;

	for (i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		n = strlen(schemes[i]);
		if (strncmp(url, schemes[i], n))
			continue;
		rest = url + n;
		/* the last one: a password may have more of them */
		at = memrchr(rest, '@', strcspn(rest, "/?#"));
		return wb_xasprintf("%s%s", schemes[i], at ? at + 1 : rest);
	}
	return NULL;
}

char *wb_git_origin(struct wb_git *g)
{
	git_remote *remote = NULL;
	char *url = NULL;

	if (!git_remote_lookup(&remote, wb_git_repo(g), "origin") &&
	    git_remote_url(remote))
		url = public_url(git_remote_url(remote));
	git_remote_free(remote);
	return url;
}
