#include "campaign.h"
#include "build.h"
#include "proc.h"

#include <stdlib.h>

bool wb_campaign_over_budget(struct wb_campaign *c, double next)
{
	if (c->o->budget > 0 && wb_proc_now() - c->began +
	    (next > 0 ? next : 0) > c->o->budget)
		c->out_of_time = true;
	return c->out_of_time;
}

static int build_one(struct wb_campaign *c, size_t i, size_t layout,
		     struct wb_error *err)
{
	struct wb_subject *s = &c->subjects.v[i];
	const char *name = c->p->stack.prefix[s->prefix].name;
	struct wb_build_outcome out;
	int ret = -1;

	wb_progress_show(&c->progress, -1, "build %zu/%zu '%s'", s->prefix,
			 c->p->stack.n - 1, name);
	if (wb_build_make(c->p, s->prefix, layout, c->g, c->o->interrupt_fd,
			  &out, err) < 0)
		return wb_fail_at(err, "prefix %zu '%s'", s->prefix, name);
	if (out.broken) {
		s->broken = true;
		wb_progress_hide(&c->progress);
		wb_talk("prefix %zu '%s' is broken, later ones go on: %s",
			s->prefix, name, out.broken);
		if (wb_db_set_broken(c->db, s->row[layout], out.broken,
				     err) < 0)
			goto out;
	}
	ret = 0;
out:
	free(out.broken);
	return ret;
}

/*
 * Where the stack stops applying, and what is known not to build, which is not
 * tried again unless it is asked for.
 */
static void recall_broken(const struct wb_campaign *c)
{
	const struct wb_subject *s;
	size_t i;

	for (i = 0; i < c->p->stack.n && c->p->prefix[i].applies; i++)
		;
	if (i < c->p->stack.n)
		wb_talk("prefix %zu '%s' does not apply: %s", i,
			c->p->stack.prefix[i].name,
			c->p->stack.prefix[i].why);
	for (i = 0; i < c->subjects.n; i++) {
		s = &c->subjects.v[i];
		if (s->broken)
			wb_talk("prefix %zu '%s' did not build before; 'wb "
				"build %s' tries again", s->prefix,
				c->p->stack.prefix[s->prefix].name,
				c->p->stack.prefix[s->prefix].name);
	}
}

int wb_campaign_build(struct wb_campaign *c, struct wb_error *err)
{
	const struct wb_subject *s;
	size_t i, l, made;

	recall_broken(c);

	/* a broken build moves comparisons to another prefix below it */
	do {
		made = 0;
		for (i = 0; i < c->subjects.n; i++) {
			s = &c->subjects.v[i];
			if (s->broken || !wb_subjects_needed(&c->subjects, i) ||
			    !wb_subjects_unbuilt(&c->subjects, i))
				continue;
			for (l = 0; l < c->p->layouts && !s->broken; l++) {
				if (wb_campaign_over_budget(c, 0))
					return 0;
				if (!wb_build_done(&s->build[l]) &&
				    build_one(c, i, l, err) < 0)
					return -1;
			}
			made++;
		}
	} while (made);
	return 0;
}
