#include "svg.h"

#include "template.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>

/* A coordinate: a tenth of a unit is finer than anyone sees. */
static void add_number(struct wb_buf *out, double v)
{
	double tenths = round(v * 10);

	if (fmod(tenths, 10) == 0)
		wb_buf_addf(out, "%.0f", tenths / 10);
	else
		wb_buf_addf(out, "%.1f", tenths / 10);
}

static void add_attribute(struct wb_buf *out, const char *name, double v)
{
	wb_buf_addf(out, " %s=\"", name);
	add_number(out, v);
	wb_buf_addch(out, '"');
}

/* Names may hold what is no text in XML, or what turns text around. */
static void add_text(struct wb_buf *out, const char *text)
{
	struct wb_buf safe = WB_BUF_INIT;

	wb_text_add(&safe, text, WB_TEXT_UTF8);
	wb_template_escape_html(out, safe.ptr);
	wb_buf_clear(&safe);
}

static void add_class(struct wb_buf *out, const char *class)
{
	wb_buf_addf(out, " class=\"%s\"", class);
}

void wb_svg_begin(struct wb_svg *s, struct wb_buf *out, double width,
		  double height, const char *title, const char *description)
{
	*s = (struct wb_svg){ .out = out, .width = width, .height = height };
	wb_buf_addstr(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		      "role=\"img\" viewBox=\"0 0 ");
	add_number(out, width);
	wb_buf_addch(out, ' ');
	add_number(out, height);
	wb_buf_addstr(out, "\"><title>");
	add_text(out, title);
	wb_buf_addstr(out, "</title><desc>");
	add_text(out, description);
	wb_buf_addstr(out, "</desc>\n");
}

void wb_svg_end(struct wb_svg *s)
{
	wb_buf_addstr(s->out, "</svg>\n");
}

void wb_svg_line(struct wb_svg *s, const char *class, double x1, double y1,
		 double x2, double y2)
{
	wb_buf_addstr(s->out, "<line");
	add_class(s->out, class);
	add_attribute(s->out, "x1", x1);
	add_attribute(s->out, "y1", y1);
	add_attribute(s->out, "x2", x2);
	add_attribute(s->out, "y2", y2);
	wb_buf_addstr(s->out, "/>\n");
}

void wb_svg_rect(struct wb_svg *s, const char *class, double x, double y,
		 double w, double h, const char *tip)
{
	wb_buf_addstr(s->out, "<rect");
	add_class(s->out, class);
	add_attribute(s->out, "x", x);
	add_attribute(s->out, "y", y);
	add_attribute(s->out, "width", w);
	add_attribute(s->out, "height", h);
	if (!tip) {
		wb_buf_addstr(s->out, "/>\n");
		return;
	}
	wb_buf_addstr(s->out, "><title>");
	add_text(s->out, tip);
	wb_buf_addstr(s->out, "</title></rect>\n");
}

void wb_svg_text(struct wb_svg *s, const char *class, enum wb_svg_anchor at,
		 double x, double y, const char *text)
{
	static const char *const word[] = { "start", "middle", "end" };

	wb_buf_addstr(s->out, "<text");
	add_class(s->out, class);
	wb_buf_addf(s->out, " text-anchor=\"%s\"", word[at]);
	add_attribute(s->out, "x", x);
	add_attribute(s->out, "y", y);
	wb_buf_addch(s->out, '>');
	add_text(s->out, text);
	wb_buf_addstr(s->out, "</text>\n");
}

static size_t places(const struct wb_svg *s)
{
	return ((size_t)s->width + 1) * ((size_t)s->height + 1);
}

void wb_svg_dots_begin(struct wb_svg *s, const char *class, double hue)
{
	wb_buf_addstr(s->out, "<path");
	add_class(s->out, class);
	if (hue >= 0)
		wb_buf_addf(s->out, " style=\"--hue:%.0f\"", hue);
	wb_buf_addstr(s->out, " d=\"");
	s->seen = wb_xcalloc(places(s) / 8 + 1, 1);
	s->drawing = false;
}

void wb_svg_dot(struct wb_svg *s, double x, double y)
{
	int px = (int)lround(fmin(fmax(x, 0), s->width));
	int py = (int)lround(fmin(fmax(y, 0), s->height));
	size_t at = (size_t)py * ((size_t)s->width + 1) + (size_t)px;

	if (s->seen[at / 8] & 1 << at % 8)
		return;
	s->seen[at / 8] |= (unsigned char)(1 << at % 8);
	if (!s->drawing)
		wb_buf_addf(s->out, "M%d %d", px, py);
	else
		wb_buf_addf(s->out, py < s->y ? "m%d%d" : "m%d %d", px - s->x,
			    py - s->y);
	/* a line without length: a round cap makes a dot of it */
	wb_buf_addstr(s->out, "h0");
	s->x = px;
	s->y = py;
	s->drawing = true;
}

void wb_svg_dots_end(struct wb_svg *s)
{
	wb_buf_addstr(s->out, "\"/>\n");
	free(s->seen);
	s->seen = NULL;
}

double wb_svg_step(double low, double high, int n)
{
	double rough = (high - low) / n, power;

	if (!(rough > 0) || !isfinite(rough))
		return 1;
	power = pow(10, floor(log10(rough)));
	if (rough / power < 1.5)
		return power;
	if (rough / power < 3.5)
		return 2 * power;
	return rough / power < 7.5 ? 5 * power : 10 * power;
}
