#include "scratch.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <signal.h>

#include "fio/result.h"
#include "support/memory.h"

#ifndef FOLDER
#define FOLDER "tests/fixtures/fio/recorded"
#endif

/* The right values of every recorded output; read by cJSON itself, not by what is under test. */
static cJSON *expected;

static int read_expected(void **state)
{
	struct text text = TEXT_EMPTY;

	(void)state;
	scratch_read(&text, FOLDER "/expected.json");
	expected = cJSON_Parse(text.bytes);
	text_release(&text);
	return expected ? 0 : -1;
}

static int free_expected(void **state)
{
	(void)state;
	cJSON_Delete(expected);
	return 0;
}

static void read_recorded(struct text *text, const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", FOLDER, name);
	scratch_read(text, path);
}

static double number_of(const cJSON *entry, const char *key)
{
	const cJSON *number = cJSON_GetObjectItemCaseSensitive(entry, key);

	return cJSON_IsNumber(number) ? number->valuedouble : (double)NAN;
}

static bool is_close(double value, double right, double tolerance)
{
	return isnan(right) ? isnan(value) : fabs(value - right) <= tolerance;
}

/* Number of wrong values of one direction. */
static int compare_direction(const char *name, const char *key, const struct fio_direction *direction)
{
	const cJSON *right = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(expected, name), key);
	double bandwidth = number_of(right, "bw_bytes_per_s");
	int wrong = 0;

	if (!right) {
		/* A direction without I/O is not listed where both are reported as one. */
		wrong = direction->present && direction->bytes > 0;
	} else {
		wrong += !direction->present;
		wrong += !is_close(direction->bandwidth_bytes_per_s, bandwidth, 1e-9 * bandwidth);
		wrong += !is_close(direction->iops, number_of(right, "iops"), 1e-6);
		wrong += !is_close(direction->latency_p50_ns, number_of(right, "p50_us") * 1000, 1);
		wrong += !is_close(direction->latency_p99_ns, number_of(right, "p99_us") * 1000, 1);
		wrong += !is_close((double)direction->jobs_with_io, number_of(right, "jobs_with_io"), 0);
		wrong += !is_close(direction->bytes, number_of(right, "io_bytes_raw"), 0);
	}
	if (wrong) {
		print_error("%s, %s: %.3f B/s, %.6f IOPS, %.3f, %.3f ns, %zu jobs with I/O, %.0f bytes\n", name, key,
			direction->bandwidth_bytes_per_s, direction->iops, direction->latency_p50_ns, direction->latency_p99_ns,
			direction->jobs_with_io, direction->bytes);
	}
	return wrong;
}

/* Number of wrong values of one output. */
static int compare(const char *name, const struct fio_result *result)
{
	const cJSON *right = cJSON_GetObjectItemCaseSensitive(expected, name);
	const char *version = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(right, "version"));
	int wrong = 0;

	wrong += result->found != (bool)cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(right, "json"));
	wrong += !version != !result->version || (version && strcmp(version, result->version) != 0);
	wrong += result->jobs != (size_t)number_of(right, "jobs");
	if (!result->found) {
		return wrong;
	}
	wrong += result->error != (int)number_of(right, "error");
	wrong += result->interrupted != (bool)cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(right, "interrupted"));
	if (wrong) {
		print_error("%s: %s, %zu jobs, error %d, interrupted %d\n", name, result->version, result->jobs, result->error,
			result->interrupted);
	}
	wrong += compare_direction(name, "read", &result->directions[TRANSFER_READ]);
	wrong += compare_direction(name, "write", &result->directions[TRANSFER_WRITE]);
	wrong += compare_direction(name, "mixed", &result->mixed);
	return wrong;
}

static void test_recorded(void **state)
{
	int files = 0, wrong = 0;

	(void)state;
	for (const cJSON *each = expected->child; each; each = each->next) {
		struct text text = TEXT_EMPTY;
		struct fio_result result;

		read_recorded(&text, each->string);
		fio_result_read(&result, text_string(&text), text.length);
		wrong += compare(each->string, &result);
		files++;
		fio_result_release(&result);
		text_release(&text);
	}
	assert_int_equal(wrong, 0);
	assert_true(files > 0);
}

static void test_all_are_listed(void **state)
{
	DIR *list = opendir(FOLDER);
	struct dirent *entry;

	(void)state;
	assert_non_null(list);
	while ((entry = readdir(list)) != NULL) {
		if (text_starts_with(entry->d_name, "fio-") && !cJSON_GetObjectItemCaseSensitive(expected, entry->d_name)) {
			print_error("%s is not in expected.json\n", entry->d_name);
			fail();
		}
	}
	closedir(list);
}

/* The job that a good output would be the result of. */
static struct fio_job job_of(const struct fio_result *result, enum transfer transfer)
{
	return (struct fio_job){
		.transfer = (uint32_t)transfer,
		.jobs = (uint32_t)result->jobs,
		.runtime_s = (uint64_t)(result->directions[transfer].runtime_ms / 1000),
	};
}

/* The check of one output in one direction; 1 where it comes out wrong. */
static int check_recorded(const char *name, const struct text *text, const struct fio_result *result,
	enum transfer transfer, bool must_be_refused)
{
	struct fio_job job = job_of(result, transfer);
	struct fio_ending ending = {.wait_status = 0};
	struct failure failure = FAILURE_NONE;
	bool accepted = fio_result_check(result, &job, &ending, text_string(text), &failure);
	int wrong = accepted == must_be_refused;

	assert_true(accepted == (failure.sentence == NULL));
	if (!accepted) {
		assert_int_equal(failure.status, STATUS_FAILED);
		assert_null(strpbrk(failure.sentence, "\r\n\t\033"));
		assert_true(strlen(failure.sentence) > 10);
	}
	if (wrong || getenv("SHOW_SENTENCES")) {
		print_error("%s: %s\n", name, accepted ? "accepted" : failure.sentence);
	}
	failure_clear(&failure);
	return wrong;
}

/* What the text alone, with exit status 0, must be refused for, and what must not. */
static void test_recorded_refusals(void **state)
{
	int wrong = 0, accepted = 0, refused = 0;

	(void)state;
	for (const cJSON *each = expected->child; each; each = each->next) {
		struct text text = TEXT_EMPTY;
		struct fio_result result;

		read_recorded(&text, each->string);
		fio_result_read(&result, text_string(&text), text.length);
		bool bad = !cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(each, "json")) || number_of(each, "error") != 0 ||
				   cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(each, "interrupted")) ||
				   strstr(text_string(&text), "on laying out file, stopping");
		for (int transfer = 0; transfer < TRANSFER_COUNT; transfer++) {
			const char *key = transfer == TRANSFER_READ ? "read" : "write";
			bool moved = number_of(cJSON_GetObjectItemCaseSensitive(each, key), "jobs_with_io") > 0;

			wrong += check_recorded(each->string, &text, &result, (enum transfer)transfer, bad || !moved);
			*(bad || !moved ? &refused : &accepted) += 1;
		}
		fio_result_release(&result);
		text_release(&text);
	}
	assert_int_equal(wrong, 0);
	assert_true(accepted > 100);
	assert_true(refused > 100);
}

static void expect_verdict(const char *name, const char *sentence_part, int wait_status, const char *other_text)
{
	struct text text = TEXT_EMPTY;
	struct fio_result result;
	struct failure failure = FAILURE_NONE;
	struct fio_ending ending = {.wait_status = wait_status, .other_text = other_text};

	read_recorded(&text, name);
	fio_result_read(&result, text_string(&text), text.length);
	struct fio_job job = job_of(&result, TRANSFER_READ);
	bool accepted = fio_result_check(&result, &job, &ending, text_string(&text), &failure);
	if (accepted == (sentence_part != NULL) || (sentence_part && !strstr(failure.sentence, sentence_part))) {
		print_error("%s: %s\n", name, failure.sentence);
		fail();
	}
	failure_clear(&failure);
	fio_result_release(&result);
	text_release(&text);
}

/* A user learns why, in fio's own words where there are any. */
static void test_sentences(void **state)
{
	(void)state;
	expect_verdict("fio-3.12__lab-enospc_layout.out", "ENOSPC on laying out file, stopping", 0, NULL);
	expect_verdict("fio-3.33__lab-enospc.out", "No space left on device", 1 << 8, NULL);
	expect_verdict("fio-3.33__lab-einval.out", "Invalid argument", 1 << 8, NULL);
	expect_verdict("fio-3.33__lab-eacces.out", "Permission denied", 1 << 8, NULL);
	expect_verdict("fio-3.33__lab-sigint.out", "stopped by a signal", 128 << 8, NULL);
	expect_verdict("fio-3.33__lab-sigterm.out", "stopped by a signal", 0, NULL);
	expect_verdict("fio-3.33__lab-noengine.out", "exit status 1", 1 << 8, NULL);
	expect_verdict("fio-3.33__lab-noengine.out", "engine x not found", 1 << 8, "fio: engine x not found\n");
	expect_verdict("fio-3.16__derived-truncated-3000.out", "without a result", 0, NULL);
	expect_verdict("fio-3.33__lab-seqread.out", NULL, 0, NULL);
	expect_verdict("fio-3.33__lab-seqread.out", "exit status 1", 1 << 8, NULL);
	expect_verdict("fio-3.33__lab-seqread.out", "killed by SIGKILL", SIGKILL, NULL);
	expect_verdict("fio-3.33__lab-seqread.out", "ulimit -f", SIGXFSZ, NULL);
}

static void read_text(struct fio_result *result, const char *text)
{
	fio_result_read(result, text, strlen(text));
}

/* Unknown is not 0. */
static void test_unknown(void **state)
{
	struct fio_result result;
	const struct fio_direction *direction = &result.directions[TRANSFER_READ];

	(void)state;
	read_text(&result, "{\"jobs\":[{\"error\":0,\"read\":{\"io_bytes\":1,\"bw_bytes\":nan,\"bw\":3,\"iops\":-inf,"
					   "\"runtime\":7,\"clat_ns\":{\"percentile\":{\"50.000000\":nan,\"99.000000\":5}}}}]}");
	assert_true(result.found);
	assert_null(result.version);
	assert_number(direction->bandwidth_bytes_per_s, 3 * 1024, 0);
	assert_number(direction->iops, 0, 0);
	assert_true(isnan(direction->latency_p50_ns));
	assert_number(direction->latency_p99_ns, 5, 0);
	assert_number(direction->runtime_ms, 7, 0);
	assert_false(result.directions[TRANSFER_WRITE].present);
	assert_true(isnan(result.directions[TRANSFER_WRITE].latency_p50_ns));
	fio_result_release(&result);
}

static void test_aggregation(void **state)
{
	struct fio_result result;
	const struct fio_direction *direction = &result.directions[TRANSFER_WRITE];

	(void)state;
	read_text(&result,
		"{\"fio version\":\"fio-9\\u001b\",\"jobs\":["
		"{\"error\":0,\"write\":{\"io_bytes\":9007199254740992,\"total_ios\":1,\"bw_bytes\":5000000000,\"iops\":1.5,"
		"\"runtime\":3000,\"clat_ns\":{\"percentile\":{\"1.000000\":1,\"50.000000\":0,\"99.000000\":4000000000}}}},"
		"{\"error\":5,\"write\":{\"io_bytes\":0,\"total_ios\":0,\"bw_bytes\":0,\"iops\":0,\"runtime\":0,"
		"\"clat_ns\":{\"percentile\":{\"50.000000\":99,\"99.000000\":9000000000}}}},"
		"{\"error\":28,\"write\":{\"io_bytes\":10,\"total_ios\":1,\"bw_bytes\":1,\"iops\":2,\"runtime\":2000,"
		"\"clat_ns\":{\"percentile\":{\"50.00\":300,\"99\":70,\"99.900000\":71,\"0.00\":0,\"0.00\":0}}}}]}");
	assert_int_equal(result.jobs, 3);
	assert_int_equal(result.error, 5);
	assert_string_equal(result.version, "fio-9\\x1B");
	assert_number(direction->bandwidth_bytes_per_s, 5000000001.0, 0);
	assert_number(direction->iops, 3.5, 0);
	assert_number(direction->bytes, 9007199254741002.0, 0);
	assert_number(direction->runtime_ms, 2000, 0);
	assert_int_equal(direction->jobs_with_io, 2);
	assert_number(direction->latency_p50_ns, 150, 0);
	assert_number(direction->latency_p99_ns, 4e9, 0);
	fio_result_release(&result);
}

/* fdatasync(2) is timed apart from the write before it; the figures were taken out of the documents by hand. */
static void test_sync_section(void **state)
{
	static const struct {
		const char *name;
		double p50_ns, p99_ns, mean_ns, write_p50_ns, write_mean_ns;
	} cases[] = {
		{"fio-3.33__lab-fdatasync.out", (52992 + 53504) / 2.0, 96768, 56897.918, 2544, 2962.106},
		{"fio-3.33__lab-fsyncwrite.out", 142336, 782336, 178382.526930, 10560, 15063.336},
		{"fio-3.12__lab-fsyncwrite.out", 150528, 1957888, 229872.817361, (double)NAN, (double)NAN}, /* has no N */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct fio_direction *direction;
		struct text text = TEXT_EMPTY;
		struct fio_result result;

		read_recorded(&text, cases[i].name);
		fio_result_read(&result, text_string(&text), text.length);
		direction = &result.directions[TRANSFER_WRITE];
		assert_number(direction->sync_p50_ns, cases[i].p50_ns, 0.5);
		assert_number(direction->sync_p99_ns, cases[i].p99_ns, 0.5);
		assert_number(direction->sync_mean_ns, cases[i].mean_ns, 0.5);
		if (!isnan(cases[i].write_p50_ns)) {
			assert_number(direction->latency_p50_ns, cases[i].write_p50_ns, 0.5);
			assert_number(direction->latency_mean_ns, cases[i].write_mean_ns, 0.5);
		}
		assert_true(isnan(result.directions[TRANSFER_READ].sync_p50_ns));
		assert_int_equal(check_recorded(cases[i].name, &text, &result, TRANSFER_WRITE, false), 0);
		fio_result_release(&result);
		text_release(&text);
	}
}

/* A mean counts as often as there are requests in it; without a sync section, or an empty one, nothing is known. */
static void test_means(void **state)
{
	struct fio_result result;
	const struct fio_direction *direction = &result.directions[TRANSFER_WRITE];

	(void)state;
	read_text(&result, "{\"jobs\":["
					   "{\"write\":{\"io_bytes\":1,\"total_ios\":7,\"clat_ns\":{\"mean\":100,\"N\":1}},"
					   "\"sync\":{\"total_ios\":0,\"lat_ns\":{\"max\":9,\"mean\":8,\"N\":3}}},"
					   "{\"write\":{\"io_bytes\":1,\"total_ios\":3,\"clat_ns\":{\"mean\":200}},"
					   "\"sync\":{\"lat_ns\":{\"max\":9,\"mean\":4}}}]}");
	assert_number(direction->latency_mean_ns, 175, 1e-9);
	assert_number(direction->sync_mean_ns, 6, 1e-9);
	assert_true(isnan(direction->sync_p50_ns) && isnan(direction->sync_p99_ns));
	fio_result_release(&result);
	read_text(&result, "{\"jobs\":[{\"write\":{\"io_bytes\":1,\"total_ios\":1,\"clat_ns\":{\"mean\":null}},"
					   "\"sync\":{\"total_ios\":0,\"lat_ns\":{\"min\":0,\"max\":0,\"mean\":0.000000,\"N\":0,"
					   "\"percentile\":{\"50.000000\":0,\"99.000000\":0}}}}]}");
	assert_true(isnan(direction->latency_mean_ns) && isnan(direction->sync_mean_ns));
	assert_true(isnan(direction->sync_p50_ns) && isnan(direction->sync_p99_ns));
	fio_result_release(&result);
}

/* A rate three times what bytes and time make is none, whichever of the two it is. */
static void test_contradictions(void **state)
{
	static const struct {
		const char *bandwidth, *iops, *runtime;
		bool contradicts;
	} cases[] = {
		{"1000000", "250", "2000", false}, {"1000000", "250", "1960", false}, {"3000000", "250", "2000", true},
		{"1000000", "750", "2000", true}, {"300000", "250", "2000", true},
		{"3000000", "250", "199", false}, /* too short to be exact */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fio_result result;
		char *text = xasprintf("{\"jobs\":[{\"read\":{\"io_bytes\":2000000,\"total_ios\":500,\"bw_bytes\":%s,"
							   "\"iops\":%s,\"runtime\":%s}}]}",
			cases[i].bandwidth, cases[i].iops, cases[i].runtime);

		read_text(&result, text);
		assert_int_equal(result.directions[TRANSFER_READ].contradicts, cases[i].contradicts);
		fio_result_release(&result);
		free(text);
	}
}

/* The share of its time that a job spends in submitting, and the busiest job's processor time. */
static void test_submission_and_cpu(void **state)
{
	struct fio_result result;

	(void)state;
	read_text(&result, "{\"jobs\":["
					   "{\"usr_cpu\":10.5,\"sys_cpu\":20,\"read\":{\"io_bytes\":1,\"total_ios\":1,\"iops\":1000,"
					   "\"slat_ns\":{\"mean\":980000.0}}},"
					   "{\"usr_cpu\":1,\"sys_cpu\":95,\"read\":{\"io_bytes\":1,\"total_ios\":1,\"iops\":2000,"
					   "\"slat_ns\":{\"mean\":10000}}},"
					   "{\"usr_cpu\":2,\"read\":{\"io_bytes\":0,\"total_ios\":0,\"iops\":0,"
					   "\"slat_ns\":{\"mean\":0}}}]}");
	assert_number(result.directions[TRANSFER_READ].submit_saturation, (0.98 + 0.02) / 2, 1e-9);
	assert_number(result.busiest_job_cpu, 0.96, 1e-9);
	assert_true(isnan(result.directions[TRANSFER_WRITE].submit_saturation));
	fio_result_release(&result);
	read_text(&result, "{\"jobs\":[{\"read\":{\"io_bytes\":1,\"total_ios\":1,\"iops\":1000}}]}");
	assert_true(isnan(result.directions[TRANSFER_READ].submit_saturation));
	assert_true(isnan(result.busiest_job_cpu));
	fio_result_release(&result);
}

static void test_errors_of_any_size(void **state)
{
	static const char *const errors[] = {"-5", "2147483648", "1e300", "-1e300", "5000"};

	(void)state;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		struct fio_result result;
		char *text = xasprintf("{\"jobs\":[{\"error\":%s}]}", errors[i]);

		read_text(&result, text);
		assert_int_not_equal(result.error, 0);
		fio_result_release(&result);
		free(text);
	}
}

static void test_odd_documents(void **state)
{
	static const char *const odd[] = {"", "{\"jobs\":[]}", "{\"jobs\":[1,null,\"a\",[],{}]}",
		"{\"jobs\":[{\"read\":3,\"write\":[],\"error\":\"x\"}]}",
		"{\"jobs\":[{\"read\":{\"clat_ns\":7,\"io_bytes\":\"1\",\"total_ios\":2}}]}",
		"{\"jobs\":[{\"read\":{\"total_ios\":2,\"clat_ns\":{\"percentile\":[1,2]}}}]}",
		"{\"fio version\":3,\"jobs\":[{\"jobname\":7}]}", "\x80\xff{\x01\"jobs\x02\":[]}",
		"{\"jobs\":[{\"error\":-0}]}"};

	(void)state;
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		struct fio_job job = {.transfer = TRANSFER_READ, .jobs = 1, .runtime_s = 1};
		struct fio_ending ending = {0};
		struct failure failure = FAILURE_NONE;
		struct fio_result result;

		read_text(&result, odd[i]);
		assert_true(isnan(result.directions[TRANSFER_READ].latency_p50_ns) || !result.found);
		assert_false(fio_result_check(&result, &job, &ending, odd[i], &failure));
		failure_clear(&failure);
		fio_result_release(&result);
	}
}

static void test_marks(void **state)
{
	struct fio_result result;

	(void)state;
	read_text(&result, "{\"jobs\":[]}\n");
	assert_false(result.interrupted || result.cut_short);
	fio_result_read_marks(&result, "x\nfio: terminating on signal 15\n", 6);
	assert_false(result.interrupted);
	fio_result_read_marks(&result, "x\nfio: terminating on signal 15\n", 31);
	assert_true(result.interrupted);
	assert_false(result.cut_short);
	fio_result_read_marks(&result, "fio: EDQUOT on laying out file, stopping", 40);
	assert_true(result.cut_short);
	fio_result_release(&result);
	fio_result_read(&result, "a\0fio: job startup hung? exiting.\n", 34);
	assert_true(result.cut_short);
	fio_result_release(&result);
}

/* Random bytes, and recorded outputs with random bytes in them, are read without harm. */
static void test_garbage(void **state)
{
	struct text text = TEXT_EMPTY;

	(void)state;
	read_recorded(&text, "fio-3.33__lab-randrw_j4.out");
	srand(1);
	for (int round = 0; round < 200; round++) {
		struct fio_result result;
		char *bytes = xmalloc(text.length);
		size_t length = (size_t)rand() % text.length;

		memcpy(bytes, text.bytes, length);
		for (int i = 0; i < 1 << round % 12; i++) {
			bytes[(size_t)rand() % (length + 1)] = (char)rand();
		}
		fio_result_read(&result, bytes, length);
		fio_result_release(&result);
		free(bytes);
	}
	text_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_all_are_listed),
		cmocka_unit_test(test_recorded_refusals),
		cmocka_unit_test(test_sentences),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_aggregation),
		cmocka_unit_test(test_sync_section),
		cmocka_unit_test(test_means),
		cmocka_unit_test(test_contradictions),
		cmocka_unit_test(test_submission_and_cpu),
		cmocka_unit_test(test_errors_of_any_size),
		cmocka_unit_test(test_odd_documents),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_garbage),
	};

	return cmocka_run_group_tests(tests, read_expected, free_expected);
}
