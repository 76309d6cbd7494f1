#include "scratch.h"

#include "support/clock.h"
#include "support/json.h"

static const char *const jobs_key[] = {"jobs", "client_stats", NULL};

/* The number "n" of the document that is found; -1 where there is no document, -2 where there is no number. */
static double found_in(const char *bytes, size_t length)
{
	struct cJSON *document = json_find_last(bytes, length, jobs_key);
	double number = -2;

	if (!document) {
		return -1;
	}
	json_number(document, "n", &number);
	json_free(document);
	return number;
}

static void expect(const char *text, double number)
{
	double found = found_in(text, strlen(text));

	if (found != number) {
		print_error("in: %s\n", text);
	}
	assert_number(found, number, 0);
}

static void test_alone(void **state)
{
	(void)state;
	expect("{\"n\":1,\"jobs\":[]}", 1);
	expect(" \n{ \"jobs\" : [ 1 , {\"a\":[]} ] , \"n\" : 2 }\n", 2);
	expect("{\"client_stats\":[],\"n\":3}", 3);
	expect("", -1);
	expect("{", -1);
	expect("}", -1);
	expect("{}", -1);
	expect("[]", -1);
	expect("{\"n\":1}", -1);
	expect("{\"n\":1,\"jobs\":{}}", -1);
	expect("{\"n\":1,\"jobs\":3}", -1);
	expect("{\"n\":1,\"job\":[],\"jobss\":[]}", -1);
	expect("{\"n\":1,\"JOBS\":[]}", -1);
	expect("{\"n\":1,\"a\":{\"jobs\":[]}}", -1);
	expect("[{\"n\":7,\"jobs\":[]}]", 7);
}

static void test_broken(void **state)
{
	static const char *const broken[] = {
		"{\"n\":1,\"jobs\":[]",
		"{\"n\":1,\"jobs\":[",
		"{\"n\":1,\"jobs\":[],}",
		"{\"n\":1,\"jobs\":[1,]}",
		"{\"n\":1,\"jobs\":[,1]}",
		"{\"n\":1,,\"jobs\":[]}",
		"{,\"n\":1,\"jobs\":[]}",
		"{\"n\":1 \"jobs\":[]}",
		"{\"n\" 1,\"jobs\":[]}",
		"{\"n\":,\"jobs\":[]}",
		"{\"n\":1,\"jobs\":[}]",
		"{\"n\":1,\"jobs\":[]]",
		"{\"n\":1,\"jobs\":[],\"a",
		"{\"n\":1,\"jobs\":[],\"a\\",
		"{\"n\":1,\"jobs\":[],\"a\":\"\\",
		"{\"n\":1,\"jobs\":[],\"a\":tru}",
		"{\"n\":1,\"jobs\":[],\"a\":truefalse}",
		"{\"n\":1,\"jobs\":[],\"a\":1.2.3}",
		"{\"n\":1,\"jobs\":[],\"a\":-}",
		"{\"n\":1,\"jobs\":[],\"a\":\"\\q\"}",
		"{n:1,\"jobs\":[]}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		char *both = NULL;

		expect(broken[i], -1);
		/* What stands before it still counts, and what stands behind it too. */
		assert_true(asprintf(&both, "{\"n\":5,\"jobs\":[]}\n%s", broken[i]) > 0);
		expect(both, 5);
		free(both);
		if (i != 12 && i != 13 && i != 14) { /* those end inside a string, which goes on */
			assert_true(asprintf(&both, "%s\n{\"n\":6,\"jobs\":[]}", broken[i]) > 0);
			expect(both, 6);
			free(both);
		}
	}
}

static void test_among_text(void **state)
{
	(void)state;
	expect("fio: note\n{\"n\":1,\"jobs\":[]}\nbye\n", 1);
	expect("a { b\n{\"n\":1,\"jobs\":[]} } {\n", 1);
	expect("{ { {\"n\":1,\"jobs\":[]}", 1);
	expect("a \" b\n{\"n\":1,\"jobs\":[]} \"", 1);
	expect("{ \"a\n{\"n\":1,\"jobs\":[]}", 1); /* a stray quote and brace: the document's keys look like text */
	expect("{ \"a\": \n{\"n\":1,\"jobs\":[]}", 1);
	expect("{}{\"n\":1,\"jobs\":[]}{}", 1);
	expect("{\"n\":1,\"jobs\":[],\"s\":\"} { \\\" [\"}", 1);
	expect("{\"n\":1,\"jobs\":[],\"s\":\"\\\\\"}", 1);
	expect("{\"n\":1,\"jobs\":[],\"s\":\"line\nfeed\ttab\001\xff\"}", 1);
	expect("\xef\xbb\xbf{\"n\":1,\"jobs\":[]}", 1);
}

static void test_last_counts(void **state)
{
	(void)state;
	expect("{\"n\":1,\"jobs\":[]}{\"n\":2,\"jobs\":[]}", 2);
	expect("{\"n\":1,\"jobs\":[]}\n{\"n\":2}", 1);
	expect("{\"n\":1,\"jobs\":[{\"n\":9,\"jobs\":[]}]}", 1);
	expect("{\"n\":1,\"jobs\":[{\"n\":9,\"jobs\":[]}]", 9); /* the outer one never ends */
	expect("{\"n\":1,\"jobs\":[]}{\"n\":2,\"jobs\":[", 1);
	expect("{\"n\":1,\"jobs\":[],\"n\":2,\"jobs\":[]}", 1);
}

static void test_no_numbers(void **state)
{
	static const char *const words[] = {"nan", "-nan", "inf", "-inf"};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char *text = NULL;

		assert_true(asprintf(&text, "{\"n\":%s,\"jobs\":[%s,{\"a\" : %s}]}", words[i], words[i], words[i]) > 0);
		expect(text, -2);
		free(text);
		assert_true(asprintf(&text, "{\"jobs\":[],\"criterion\":\"%s\",\"n\" : %s,\"m\":4}", words[i], words[i]) > 0);
		struct cJSON *document = json_find_last(text, strlen(text), jobs_key);
		double number = 7;
		assert_non_null(document);
		assert_string_equal(json_string(document, "criterion"), words[i]);
		assert_false(json_number(document, "n", &number));
		assert_number(number, 7, 0);
		assert_true(json_number(document, "m", &number));
		assert_number(number, 4, 0);
		json_free(document);
		free(text);
	}
	expect("{\"n\":nano,\"jobs\":[]}", -1);
}

static void test_nul_bytes(void **state)
{
	static const char before[] = "a\0b\n{\"n\":1,\"jobs\":[]}";
	static const char inside[] = "{\"n\":1,\"jobs\":[],\"s\":\"a\0b\"}\0{\"n\":2,\"jobs\":[]}\0";

	(void)state;
	assert_number(found_in(before, sizeof(before) - 1), 1, 0);
	assert_number(found_in(inside, sizeof(inside) - 1), 2, 0);
	/* The length is kept to. */
	assert_number(found_in("{\"n\":1,\"jobs\":[]}", 16), -1, 0);
	assert_number(found_in("{\"n\":1,\"jobs\":[]}", 17), 1, 0);
}

static void test_getters(void **state)
{
	static const char text[] =
		"{\"jobs\":[1,2],\"big\":18446744073709551615,\"large\":9007199254740993,\"negative\":-3,"
		"\"e\":1.5e3,\"s\":\"t\",\"o\":{\"k\":5},\"empty\":{}}";
	struct cJSON *document = json_find_last(text, strlen(text), jobs_key);
	const struct cJSON *element;
	double number = 0;

	(void)state;
	assert_non_null(document);
	assert_true(json_number(document, "big", &number));
	assert_number(number, 18446744073709551615.0, 0);
	assert_true(json_number(document, "large", &number));
	assert_number(number, 9007199254740992.0, 2);
	assert_true(json_number(document, "negative", &number) && number == -3);
	assert_true(json_number(document, "e", &number) && number == 1500);
	assert_false(json_number(document, "s", &number));
	assert_false(json_number(document, "o", &number));
	assert_false(json_number(document, "S", &number));
	assert_string_equal(json_string(document, "s"), "t");
	assert_null(json_string(document, "big"));
	assert_null(json_string(document, "none"));
	assert_null(json_member(NULL, "s"));
	assert_null(json_member(json_member(document, "jobs"), "s"));
	element = json_first(json_member(document, "jobs"));
	assert_string_equal(json_key(element), "");
	assert_true(json_value_number(element, &number) && number == 1);
	element = json_next(element);
	assert_true(json_value_number(element, &number) && number == 2);
	assert_null(json_next(element));
	assert_null(json_first(json_member(document, "empty")));
	assert_null(json_first(NULL));
	assert_string_equal(json_key(json_first(json_member(document, "o"))), "k");
	json_free(document);
	json_free(NULL);
}

static void test_large(void **state)
{
	struct text text = TEXT_EMPTY;

	(void)state;
	text_add(&text, "{\"jobs\":[0");
	text_add_repeated(&text, ",{\"a\":\"0123456789abcdef\"}", 100000);
	text_add(&text, "],\"n\":8}");
	assert_number(found_in(text.bytes, text.length), 8, 0);
	text_release(&text);
}

static void test_depth(void **state)
{
	static const char *const nests[][2] = {{"{\"a\":", "}"}, {"[", "]"}, {"{\"a\":[", "]}"}, {"{\"jobs\":[", "]}"}};
	struct text text = TEXT_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof(nests) / sizeof(nests[0]); i++) {
		for (size_t depth = 50; depth < 200000; depth *= 10) {
			text_reset(&text);
			text_add_repeated(&text, nests[i][0], depth);
			text_add(&text, "1");
			text_add_repeated(&text, nests[i][1], depth);
			text_add(&text, "{\"n\":4,\"jobs\":[]}");
			assert_number(found_in(text.bytes, text.length), 4, 0);
		}
	}
	text_reset(&text);
	text_add(&text, "{\"n\":3,\"jobs\":");
	text_add_repeated(&text, "[", 50);
	text_add_repeated(&text, "]", 50);
	text_add(&text, "}");
	assert_number(found_in(text.bytes, text.length), 3, 0);
	text_release(&text);
}

/* Text that makes a search that begins anew at each brace take hours must not take a noticeable time. */
static void test_hostile(void **state)
{
	static const char half[] = "{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"a\",\"read\":{\"io_bytes\":12,"
							   "\"clat_ns\":{\"percentile\":{\"50.000000\":1,\"99.000000\":2";
	static const char *const pieces[] = {"{", "{\"a\":", "{\"", "{\"a", "{\"jobs\":[", "{\"jobs\":[]}", "[{", "\"{",
		"\\{", "{\"\\\"{", "{\"a\":\"{", "{\"a\":{},", "{\"{\":1,\"", "{\"a\":[{},[{}", "{ ", "{\"a\":nan,\"", half};
	/* Sanitizers and valgrind are slower, and look for other things. */
#ifdef __SANITIZE_ADDRESS__
	size_t size = (size_t)1 << 20;
#else
	size_t size = getenv("SPEEDTEST_HD_VALGRIND") ? (size_t)1 << 18 : (size_t)8 << 20;
#endif

	(void)state;
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct text text = TEXT_EMPTY;
		uint64_t before_ns;

		text_add_repeated(&text, pieces[i], size / strlen(pieces[i]));
		before_ns = clock_now_ns();
		json_free(json_find_last(text.bytes, text.length, jobs_key));
		double took_s = (double)(clock_now_ns() - before_ns) / (double)NS_PER_S;
		if (getenv("SHOW_TIMES")) {
			print_message("# %.3f s for %s\n", took_s, pieces[i]);
		}
		if (took_s > 10) {
			print_error("%.1f s for '%s'\n", took_s, pieces[i]);
		}
		assert_true(took_s < 10);
		text_add(&text, "\n\"\n{\"n\":1,\"jobs\":[]}");
		assert_number(found_in(text.bytes, text.length), 1, 0);
		text_release(&text);
	}
}

static void expect_parsed(const char *text, const char *printed)
{
	size_t where = 0;
	struct cJSON *document = json_parse(text, strlen(text), &where);

	if (!document) {
		print_error("at %zu of: %s\n", where, text);
	}
	assert_non_null(document);
	struct cJSON *copy = json_copy_printable(document);
	char *again = json_print(copy);
	assert_string_equal(again, printed);
	free(again);
	json_free(copy);
	json_free(document);
}

static void test_parse(void **state)
{
	(void)state;
	expect_parsed("1", "1\n");
	expect_parsed(" \t\r\n[ 1 , -2.5e-3 , 0 , -0 ] \n", "[1, -0.0025, 0, 0]\n");
	expect_parsed("\xEF\xBB\xBFtrue", "true\n");
	expect_parsed("[true,false,null,\"\",[],[[]]]", "[true, false, null, \"\", [], [[]]]\n");
	expect_parsed("{\"a\":{\"b\":1}}", "{\n\t\"a\":\t{\n\t\t\"b\":\t1\n\t}\n}\n");
	expect_parsed("\"\\u00e4\\ud83d\\ude00\\/\\\"\"", "\"\xC3\xA4\xF0\x9F\x98\x80/\\\"\"\n");
	expect_parsed("[0.1,1e300,1e999,123456789012345678,0.30000000000000004,5e-324]",
		"[0.1, 1e+300, null, 1.2345678901234568e+17, 0.30000000000000004, 4.94065645841247e-324]\n");
	/* What is not safe to print becomes so, in keys as well. */
	expect_parsed("{\"\\u001b\":\"\\u009b\xFF\"}", "{\n\t\"\\\\x1B\":\t\"\\\\xC2\\\\x9B\\\\xFF\"\n}\n");
}

static void test_not_parsed(void **state)
{
	static const struct {
		const char *text;
		size_t where;
	} broken[] = {{"", 0}, {" ", 1}, {"[", 1}, {"[1", 2}, {"[1,", 3}, {"{\"a", 3}, {"{\"a\"", 4}, {"{\"a\":", 5},
		{"tru", 3}, {"-", 1}, {"[1,]", 3}, {"{\"a\":1,}", 7}, {"[1}", 2}, {"{1:2}", 1}, {"{\"a\" 1}", 5}, {"1 2", 2},
		{"{}{}", 2}, {"01", 1}, {"1.", 2}, {"1.e5", 2}, {".5", 0}, {"+1", 0}, {"1e", 2}, {"0x10", 1}, {"nan", 1},
		{"Infinity", 0}, {"'a'", 0}, {"\"\001\"", 1}, {"\"\n\"", 1}, {"\"\\q\"", 2}, {"\"\\u12g4\"", 5},
		{"\"\\u0000\"", 2}, {"\"\\ud800\"", 7}, {"\"\\ud800\\u0041\"", 13}, {"\"\\udc00\"", 2}, {"[1 2]", 3},
		{"/**/1", 0}, {"truefalse", 4}};
	static const char nul[] = "[1,\0002]";
	size_t where = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		struct cJSON *document = json_parse(broken[i].text, strlen(broken[i].text), &where);

		if (document || where != broken[i].where) {
			print_error("at %zu, not %zu, of: %s\n", where, broken[i].where, broken[i].text);
		}
		assert_null(document);
		assert_int_equal(where, broken[i].where);
	}
	assert_null(json_parse(nul, sizeof(nul) - 1, &where));
	assert_int_equal(where, 3);
}

static void test_parse_limits(void **state)
{
	struct text text = TEXT_EMPTY;
	size_t where = 0;

	(void)state;
	for (size_t depth = 64; depth <= 65; depth++) {
		text_reset(&text);
		text_add_repeated(&text, "[", depth);
		text_add_repeated(&text, "]", depth);
		struct cJSON *document = json_parse(text.bytes, text.length, &where);
		assert_int_equal(document != NULL, depth == 64);
		assert_int_equal(where, depth == 64 ? text.length : 64);
		json_free(document);
		text_reset(&text);
		text_add_repeated(&text, "7", depth - 4);
		document = json_parse(text.bytes, text.length, &where);
		assert_int_equal(document != NULL, depth == 64);
		json_free(document);
	}
	if (!getenv("SPEEDTEST_HD_VALGRIND")) {
		text_reset(&text);
		text_add(&text, "[0");
		text_add_repeated(&text, ",0", JSON_VALUES_MAX);
		text_add(&text, "]");
		assert_null(json_parse(text.bytes, text.length, &where));
		assert_int_equal(where, 2 * JSON_VALUES_MAX - 1);
	}
	text_release(&text);
}

static void test_write(void **state)
{
	static const double numbers[] = {1, 0.5, (double)NAN, 1e15, 123456789.12345679};
	struct cJSON *object = json_new_object(), *array = json_new_array();

	(void)state;
	json_add_string(object, "string", "a\"\\\n\xE2\x98\x83");
	json_add_string(object, "nothing", NULL);
	json_add_number(object, "number", -3);
	json_add_number(object, "infinite", (double)INFINITY);
	json_add_bool(object, "truth", true);
	json_add_bool(object, "lie", false);
	json_add_numbers(object, "numbers", numbers, sizeof(numbers) / sizeof(numbers[0]));
	json_add_numbers(object, "none", numbers, 0);
	json_append(array, json_new_array());
	json_append_string(array, "x");
	json_append_string(array, NULL);
	json_add_value(object, "array", array);
	char *text = json_print(object);
	assert_string_equal(text, "{\n\t\"string\":\t\"a\\\"\\\\\\n\xE2\x98\x83\",\n\t\"nothing\":\tnull,\n"
							  "\t\"number\":\t-3,\n\t\"infinite\":\tnull,\n\t\"truth\":\ttrue,\n\t\"lie\":\tfalse,\n"
							  "\t\"numbers\":\t[1, 0.5, null, 1e+15, 123456789.12345679],\n\t\"none\":\t[],\n"
							  "\t\"array\":\t[[], \"x\", null]\n}\n");
	free(text);
	json_free(object);
}

/* Any number reads back as the very same. */
static void test_exact_numbers(void **state)
{
	uint64_t bits = 88172645463325252U;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct cJSON *object = json_new_object();
		double number, read = 0;
		size_t where = 0;

		bits ^= bits << 13;
		bits ^= bits >> 7;
		bits ^= bits << 17;
		memcpy(&number, &bits, sizeof(number));
		number = isfinite(number) ? number : (double)(bits >> 11);
		json_add_number(object, "n", number);
		char *text = json_print(object);
		struct cJSON *document = json_parse(text, strlen(text), &where);
		assert_true(json_number(document, "n", &read));
		assert_memory_equal(&read, &number, sizeof(number));
		free(text);
		json_free(object);
		json_free(document);
	}
}

static void test_kinds(void **state)
{
	static const char text[] = "{\"o\":{},\"a\":[],\"n\":null,\"t\":true,\"f\":false,\"s\":\"x\",\"i\":1}";
	size_t where = 0;
	struct cJSON *document = json_parse(text, sizeof(text) - 1, &where);
	bool truth = false;

	(void)state;
	assert_true(json_is_object(document) && json_is_object(json_member(document, "o")));
	assert_false(json_is_object(json_member(document, "a")) || json_is_object(NULL));
	assert_true(json_is_array(json_member(document, "a")));
	assert_false(json_is_array(document) || json_is_array(NULL));
	assert_true(json_is_null(json_member(document, "n")));
	assert_false(json_is_null(json_member(document, "f")) || json_is_null(NULL));
	assert_true(json_bool(document, "t", &truth) && truth);
	assert_true(json_bool(document, "f", &truth) && !truth);
	assert_false(json_bool(document, "n", &truth) || json_bool(document, "i", &truth) || json_bool(NULL, "t", &truth));
	assert_string_equal(json_value_string(json_member(document, "s")), "x");
	assert_null(json_value_string(json_member(document, "i")));
	assert_null(json_value_string(NULL));
	json_free(document);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_among_text),
		cmocka_unit_test(test_last_counts),
		cmocka_unit_test(test_no_numbers),
		cmocka_unit_test(test_nul_bytes),
		cmocka_unit_test(test_getters),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_not_parsed),
		cmocka_unit_test(test_parse_limits),
		cmocka_unit_test(test_write),
		cmocka_unit_test(test_exact_numbers),
		cmocka_unit_test(test_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
