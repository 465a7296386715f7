#ifndef WB_HOST_FIND_H
#define WB_HOST_FIND_H

#include "host.h"

/*
 * What the looking files share. For host*.c only.
 */

/* Adds a finding; now is taken over. */
struct wb_finding *wb_finding_add(struct wb_findings *f, const char *topic,
				  enum wb_finding_state state, char *now,
				  const char *effect);
/* A setting that the change of a finding consists of; copies its strings. */
void wb_finding_setting(struct wb_finding *f, const char *path,
			const char *was, const char *want);

/* A whole file below root; false when there is none. */
bool wb_host_read(const char *root, const char *path, struct wb_buf *out);

/* In the order of the report. */
void wb_host_frequency(const char *root, struct wb_findings *f);
void wb_host_settings(const char *root, struct wb_findings *f);
void wb_host_interrupts(const char *root, int cpu, struct wb_findings *f);
void wb_host_load(const char *root, struct wb_findings *f);
void wb_host_limits(const char *root, int cpu, struct wb_findings *f);
void wb_host_programs(struct wb_findings *f);

#endif
