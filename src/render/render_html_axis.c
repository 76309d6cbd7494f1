#include "render_html.h"

#include <math.h>

#include "support/memory.h"

/* Nothing that was measured is beyond these; what a file says beyond them is drawn at the edge. */
#define VALUE_MIN 1e-6
#define VALUE_MAX 1e15

double axis_limit(double value)
{
	return !(value > VALUE_MIN) ? VALUE_MIN : value > VALUE_MAX ? VALUE_MAX : value;
}

int axis_exponent(double value)
{
	return (int)floor(log10(axis_limit(value)));
}

/* 1, 2 or 5 times a power of ten, at least `value`. */
static double round_up(double value)
{
	double decade = pow(10, floor(log10(value)));
	double digits = value / decade;

	return decade * (digits <= 1 ? 1 : digits <= 2 ? 2 : digits <= 5 ? 5 : 10);
}

void axis_make_linear(struct axis *axis, double high, size_t intervals)
{
	double top = high > 0 && isfinite(high) ? axis_limit(high) : 1;
	double step = round_up(top / ((double)intervals + 0.999));

	*axis = (struct axis){.high = top, .label_step = 1};
	while (axis->tick_count < AXIS_TICKS_MAX && (double)axis->tick_count * step <= top * 1.0001) {
		axis->ticks[axis->tick_count] = (double)axis->tick_count * step;
		axis->tick_count++;
	}
}

void axis_make_log(struct axis *axis, double low, double high, size_t labels)
{
	double first = floor(log10(axis_limit(low)) - 0.18); /* so that the least has a length that is seen */

	*axis = (struct axis){.low = pow(10, first), .high = axis_limit(high), .is_log = true};
	while (axis->tick_count < AXIS_TICKS_MAX && pow(10, first + (double)axis->tick_count) <= axis->high * 1.0001) {
		axis->ticks[axis->tick_count] = pow(10, first + (double)axis->tick_count);
		axis->tick_count++;
	}
	axis->label_step = (axis->tick_count + labels - 1) / labels;
}

double axis_percent(const struct axis *axis, double value)
{
	double share = axis->is_log ? (log10(value) - log10(axis->low)) / (log10(axis->high) - log10(axis->low))
								: (value - axis->low) / (axis->high - axis->low);

	return !(share > 0) ? 0 : share > 1 ? 100 : share * 100;
}

char *axis_label(double value)
{
	static const struct {
		const char *suffix;
		double unit;
		double from;
	} units[] = {{"T", 1e12, 1e12}, {"G", 1e9, 1e9}, {"M", 1e6, 1e6}, {"k", 1e3, 1e4}, {"", 1, 0}};
	size_t i = 0;

	while (value < units[i].from * 0.9999) {
		i++;
	}
	return xasprintf("%.4g%s", value / units[i].unit, units[i].suffix);
}
