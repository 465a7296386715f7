#include "series.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool by_name(const struct wb_stack *s, const char *word, size_t *k)
{
	size_t n = strlen(word), i;

	for (i = 0; i < s->n; i++) {
		if (!strcmp(s->prefix[i].name, word)) {
			*k = i;
			return true;
		}
	}
	if (n > 6 && wb_str_ends(word, ".patch")) {
		for (i = 1; i < s->n; i++) {
			if (strlen(s->prefix[i].name) == n - 6 &&
			    !memcmp(s->prefix[i].name, word, n - 6)) {
				*k = i;
				return true;
			}
		}
	}
	return false;
}

static bool by_number(const struct wb_stack *s, const char *word, size_t *k)
{
	char *end;

	if (!isdigit((unsigned char)*word))
		return false;
	*k = strtoul(word, &end, 10);
	return !*end && *k < s->n;
}

/* A range's prefix by any revision; its base by a commit of the same tree. */
static bool by_revision(const struct wb_stack *s, struct wb_git *g,
			const char *word, size_t *k)
{
	struct wb_error none = WB_ERROR_INIT;
	struct wb_oid commit, tree;
	size_t i;

	if (!g || !s->commits ||
	    wb_git_commit_of(g, word, &commit, &none) < 0 ||
	    wb_git_tree_of(g, word, &tree, &none) < 0) {
		/* the caller says that nothing goes by this word */
		wb_error_clear(&none);
		return false;
	}
	for (i = 1; i < s->n; i++) {
		if (wb_str_starts(commit.hex, s->prefix[i].name)) {
			*k = i;
			return true;
		}
	}
	*k = 0;
	return !strcmp(tree.hex, s->prefix[0].tree.hex);
}

int wb_stack_find(const struct wb_stack *s, struct wb_git *g, const char *word,
		  size_t *k, struct wb_error *err)
{
	if (by_name(s, word, k) || by_number(s, word, k) ||
	    by_revision(s, g, word, k))
		return 0;
	return wb_fail(err, WB_E_FATAL, "'%s' is no prefix of %s: give a name "
		       "or a number from 0 to %zu (wb series lists them)", word,
		       s->source, s->n - 1);
}
