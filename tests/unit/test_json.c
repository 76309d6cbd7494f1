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
	size_t size = getenv("SPEEDTEST_HD_VALGRIND") ? (size_t)1 << 18 : (size_t)16 << 20;
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
