#include "ci.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

const char *wb_ci_step_word(enum wb_ci_step s)
{
	static const char *const word[WB_CI_STEPS] = {
		"applies", "header", "build", "test", "measured",
	};

	return word[s];
}

const char *wb_ci_state_word(enum wb_ci_state s)
{
	static const char *const word[] = {
		"-", "ok", "same", "look", "unclear", "failed",
	};

	return word[s];
}

static bool has(const struct wb_ci_prefix *p, enum wb_ci_state s)
{
	size_t i;

	for (i = 0; i < WB_CI_STEPS; i++)
		if (p->step[i].state == s)
			return true;
	return false;
}

size_t wb_ci_count(const struct wb_ci *ci, enum wb_ci_state s, size_t *first)
{
	size_t k, n = 0;

	for (k = 1; k < ci->plan->stack.n; k++)
		if (has(&ci->v[k], s) && !n++ && first)
			*first = k;
	return n;
}

bool wb_ci_has_news(const struct wb_ci *ci)
{
	return wb_ci_count(ci, WB_CI_FAILED, NULL) ||
	       wb_ci_count(ci, WB_CI_TOLD, NULL) ||
	       wb_ci_count(ci, WB_CI_UNCLEAR, NULL) || ci->out_of_time ||
	       has(&ci->v[0], WB_CI_FAILED);
}

/* The first step of prefix k in such a state. */
static const struct wb_ci_cell *cell_in(const struct wb_ci *ci, size_t k,
					enum wb_ci_state s, const char **word)
{
	size_t i;

	for (i = 0; i < WB_CI_STEPS - 1; i++)
		if (ci->v[k].step[i].state == s)
			break;
	*word = wb_ci_step_word((enum wb_ci_step)i);
	return &ci->v[k].step[i];
}

void wb_ci_add_words(struct wb_buf *out, const char *s)
{
	struct wb_buf safe = WB_BUF_INIT;
	const char *p, *mark;

	wb_text_add(&safe, s, WB_TEXT_UTF8);
	for (p = safe.ptr; (mark = strstr(p, "##[")); p = mark + 3) {
		wb_buf_add(out, p, (size_t)(mark - p));
		wb_buf_addstr(out, "##\\x5b");
	}
	wb_buf_addstr(out, p);
	wb_buf_clear(&safe);
}

static char *verdict(const struct wb_ci *ci)
{
	const struct wb_stack *s = &ci->plan->stack;
	const struct wb_ci_cell *c;
	const char *word;
	size_t n, k = 0;

	n = wb_ci_count(ci, WB_CI_FAILED, &k);
	if (n) {
		c = cell_in(ci, k, WB_CI_FAILED, &word);
		return wb_xasprintf("%zu of %zu patches fail%s, the first is "
				    "%zu '%s': %s: %s", n, s->n - 1,
				    n == 1 ? "s" : "", k, s->prefix[k].name,
				    word, c->why ? c->why : "failed");
	}
	if (has(&ci->v[0], WB_CI_FAILED)) {
		c = cell_in(ci, 0, WB_CI_FAILED, &word);
		return wb_xasprintf("the base itself fails: %s: %s", word,
				    c->why);
	}
	if (ci->out_of_time)
		return wb_xstrdup("the budget ended before all was known");
	n = wb_ci_count(ci, WB_CI_UNCLEAR, &k);
	if (n) {
		c = cell_in(ci, k, WB_CI_UNCLEAR, &word);
		return wb_xasprintf("%zu of %zu patches could not be judged, "
				    "the first is %zu '%s': %s", n, s->n - 1, k,
				    s->prefix[k].name, c->why);
	}
	return wb_xasprintf("%zu patch%s, none fails", s->n - 1,
			    s->n == 2 ? "" : "es");
}

char *wb_ci_verdict(const struct wb_ci *ci)
{
	struct wb_buf out = WB_BUF_INIT;
	char *raw = verdict(ci);

	wb_ci_add_words(&out, raw);
	free(raw);
	return wb_buf_detach(&out);
}
