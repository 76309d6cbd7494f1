#include "time_of_day.h"

#include <stddef.h>
#include <string.h>

bool is_time_of_day(const char *string)
{
	static const char form[] = "0000-00-00T00:00:00Z";

	if (strlen(string) != sizeof(form) - 1) {
		return false;
	}
	for (size_t i = 0; i < sizeof(form) - 1; i++) {
		bool is_digit = string[i] >= '0' && string[i] <= '9';

		if (form[i] == '0' ? !is_digit : string[i] != form[i]) {
			return false;
		}
	}
	return true;
}
