#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void wb_number_add(struct wb_buf *out, double v)
{
	char text[32];
	int digits;

	for (digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	wb_buf_addstr(out, text);
}

void wb_number_add_rough(struct wb_buf *out, double v, int digits)
{
	char text[32];
	int decimals;

	/* what is rounded first may have one digit more: 99.6 is 100 */
	snprintf(text, sizeof(text), "%.*e", digits - 1, v);
	v = strtod(text, NULL);
	decimals = v == 0 ? 0 : digits - 1 - (int)floor(log10(fabs(v)));
	wb_buf_addf(out, "%.*f", decimals > 0 ? decimals : 0, v);
	while (decimals > 0 && out->ptr[out->len - 1] == '0') {
		wb_buf_truncate(out, out->len - 1);
		if (!--decimals)
			wb_buf_truncate(out, out->len - 1);
	}
}
