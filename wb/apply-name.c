#include "apply-name.h"

#include <string.h>

static size_t parts(const char *path)
{
	size_t n = 1;

	for (; *path; path++)
		n += *path == '/';
	return n;
}

static size_t base_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return strlen(slash ? slash + 1 : path);
}

/* Fewest folders, then shortest last part, then shortest, then first. */
static bool better(const char *a, const char *b)
{
	if (parts(a) != parts(b))
		return parts(a) < parts(b);
	if (base_len(a) != base_len(b))
		return base_len(a) < base_len(b);
	return strlen(a) < strlen(b);
}

/* git: the new name, unless it is the old one with something behind it. */
static const char *pick_git(const struct wb_section *s)
{
	if (s->old && s->new && strlen(s->new) > strlen(s->old) &&
	    wb_str_starts(s->new, s->old))
		return s->old;
	return s->new ? s->new : s->old ? s->old : s->index;
}

int wb_apply_pick_name(struct wb_overlay *ov, const struct wb_section *s,
		       bool git, const char **path, struct wb_error *err)
{
	const char *name[] = { s->old, s->new,
			       s->old || s->new ? NULL : s->index };
	const char *there = NULL, *makes = NULL;
	size_t i, missing, fewest = 0;
	struct wb_overlay_file *f;

	if (git) {
		*path = pick_git(s);
		return 0;
	}
	for (i = 0; i < 3; i++) {
		if (!name[i])
			continue;
		if (wb_overlay_find(ov, name[i], &f, err) < 0)
			return -1;
		if (wb_overlay_now(f)->mode) {
			if (!there || better(name[i], there))
				there = name[i];
			continue;
		}
		if (wb_overlay_lacks(ov, name[i], &missing, err) < 0)
			return -1;
		if (!makes || missing < fewest ||
		    (missing == fewest && better(name[i], makes))) {
			makes = name[i];
			fewest = missing;
		}
	}
	*path = there ? there : makes;
	return 0;
}
