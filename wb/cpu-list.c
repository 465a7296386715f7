#include "cpu-list.h"

#include <stdlib.h>

bool wb_cpu_list_next(const char **list, long *from, long *to)
{
	char *end;

	*from = *to = strtol(*list, &end, 10);
	if (end == *list)
		return false;
	if (*end == '-')
		*to = strtol(end + 1, &end, 10);
	*list = end + (*end == ',');
	return true;
}
