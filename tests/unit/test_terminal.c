#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/terminal.h"

static int clean_environment(void **state)
{
	(void)state;
	unsetenv("NO_COLOR");
	unsetenv("FORCE_COLOR");
	unsetenv("COLUMNS");
	setenv("TERM", "xterm", 1);
	return 0;
}

static void test_choice_comes_first(void **state)
{
	(void)state;
	setenv("NO_COLOR", "1", 1);
	assert_true(terminal_use_color(COLOR_ALWAYS, false));
	unsetenv("NO_COLOR");
	setenv("FORCE_COLOR", "1", 1);
	assert_false(terminal_use_color(COLOR_NEVER, true));
}

static void test_terminal_decides(void **state)
{
	(void)state;
	assert_true(terminal_use_color(COLOR_AUTO, true));
	assert_false(terminal_use_color(COLOR_AUTO, false));
}

static void test_no_color(void **state)
{
	(void)state;
	setenv("NO_COLOR", "", 1);
	assert_true(terminal_use_color(COLOR_AUTO, true));
	setenv("NO_COLOR", "0", 1);
	assert_false(terminal_use_color(COLOR_AUTO, true));
	setenv("FORCE_COLOR", "1", 1);
	assert_false(terminal_use_color(COLOR_AUTO, true));
}

static void test_force_color(void **state)
{
	(void)state;
	setenv("TERM", "dumb", 1);
	setenv("FORCE_COLOR", "1", 1);
	assert_true(terminal_use_color(COLOR_AUTO, false));
	setenv("FORCE_COLOR", "0", 1);
	assert_false(terminal_use_color(COLOR_AUTO, true));
	setenv("TERM", "xterm", 1);
	assert_false(terminal_use_color(COLOR_AUTO, true));
	setenv("FORCE_COLOR", "", 1);
	assert_true(terminal_use_color(COLOR_AUTO, true));
	assert_false(terminal_use_color(COLOR_AUTO, false));
}

static void test_term(void **state)
{
	(void)state;
	setenv("TERM", "dumb", 1);
	assert_false(terminal_use_color(COLOR_AUTO, true));
	setenv("TERM", "", 1);
	assert_false(terminal_use_color(COLOR_AUTO, true));
	unsetenv("TERM");
	assert_false(terminal_use_color(COLOR_AUTO, true));
}

static void test_width_of_no_terminal(void **state)
{
	static const char *const wrong[] = {"", "0", "10001", "-5", "80x", " 80", "99999999999999999999"};
	int descriptor = open("/dev/null", O_RDWR);

	(void)state;
	assert_true(descriptor >= 0);
	assert_int_equal(terminal_width(descriptor), 80);
	assert_int_equal(terminal_width(-1), 80);
	setenv("COLUMNS", "20", 1);
	assert_int_equal(terminal_width(descriptor), 20);
	setenv("COLUMNS", "10000", 1);
	assert_int_equal(terminal_width(descriptor), 10000);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		setenv("COLUMNS", wrong[i], 1);
		assert_int_equal(terminal_width(descriptor), 80);
	}
	close(descriptor);
}

static void test_width_of_a_terminal(void **state)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY);
	struct winsize size = {.ws_col = 33, .ws_row = 5};

	(void)state;
	if (terminal < 0)
		skip();
	assert_int_equal(grantpt(terminal), 0);
	assert_int_equal(unlockpt(terminal), 0);
	setenv("COLUMNS", "44", 1);
	assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
	assert_int_equal(terminal_width(terminal), 33);
	size.ws_col = 0;
	assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
	assert_int_equal(terminal_width(terminal), 44);
	close(terminal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_choice_comes_first, clean_environment),
		cmocka_unit_test_setup(test_terminal_decides, clean_environment),
		cmocka_unit_test_setup(test_no_color, clean_environment),
		cmocka_unit_test_setup(test_force_color, clean_environment),
		cmocka_unit_test_setup(test_term, clean_environment),
		cmocka_unit_test_setup(test_width_of_no_terminal, clean_environment),
		cmocka_unit_test_setup(test_width_of_a_terminal, clean_environment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
