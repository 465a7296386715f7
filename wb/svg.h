#ifndef WB_SVG_H
#define WB_SVG_H

#include "buf.h"

#include <stdbool.h>

/*
 * Pictures as SVG, to stand in a page or in a file of their own. Shapes get a
 * class and no colour: what a class looks like is the style sheet's business,
 * which knows light, dark and print. All coordinates are in user units, y
 * downwards; text is escaped.
 */
struct wb_svg {
	struct wb_buf *out;
	double width, height;
	unsigned char *seen;	/* a bit a place, of the dots being drawn */
	int x, y;		/* of the last dot */
	bool drawing;		/* there is one */
};

/* title and description are what a screen reader says. */
void wb_svg_begin(struct wb_svg *s, struct wb_buf *out, double width,
		  double height, const char *title, const char *description);
void wb_svg_end(struct wb_svg *s);

void wb_svg_line(struct wb_svg *s, const char *class, double x1, double y1,
		 double x2, double y2);
/* tip: shown on hover; NULL for none. */
void wb_svg_rect(struct wb_svg *s, const char *class, double x, double y,
		 double w, double h, const char *tip);
enum wb_svg_anchor { WB_SVG_START, WB_SVG_MIDDLE, WB_SVG_END };
void wb_svg_text(struct wb_svg *s, const char *class, enum wb_svg_anchor at,
		 double x, double y, const char *text);

/*
 * Many dots of one class as one path, at whole units: a few bytes a dot, and
 * those that fall on one place are one, for they look the same. hue: 0 to 360
 * to tell sets apart, -1 for the colour of the class.
 */
void wb_svg_dots_begin(struct wb_svg *s, const char *class, double hue);
void wb_svg_dot(struct wb_svg *s, double x, double y);
void wb_svg_dots_end(struct wb_svg *s);

/* Round numbers from low to high, about n of them, for an axis: their step. */
double wb_svg_step(double low, double high, int n);

#endif
