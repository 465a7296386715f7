#include "ident.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *lookup(const struct wb_config *c, const char *env,
			  const char *key)
{
	const char *v = getenv(env);
	size_t i;

	if (v && *v)
		return v;
	for (i = c->nentries; i > 0; i--)
		if (!strcmp(c->entry[i - 1].key, key))
			return c->entry[i - 1].value;
	return NULL;
}

int wb_ident(const struct wb_config *c, char **out, struct wb_error *err)
{
	const char *name = lookup(c, "GIT_AUTHOR_NAME", "user.name");
	const char *mail = lookup(c, "GIT_AUTHOR_EMAIL", "user.email");
	time_t now = time(NULL);
	struct tm tm;
	long zone;

	if (!name || !*name || !mail || !*mail)
		return wb_fail(err, WB_E_FATAL, "who are you? git config "
			       "--global user.name NAME, and user.email");
	if (strpbrk(name, "<>\n") || strpbrk(mail, "<>\n"))
		return wb_fail(err, WB_E_FATAL, "user.name and user.email may "
			       "not hold < > or line ends");
	localtime_r(&now, &tm);
	zone = tm.tm_gmtoff / 60;
	*out = wb_xasprintf("%s <%s> %lld %c%02ld%02ld", name, mail,
			    (long long)now, zone < 0 ? '-' : '+',
			    labs(zone) / 60, labs(zone) % 60);
	return 0;
}
