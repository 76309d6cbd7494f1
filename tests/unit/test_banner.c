/* The circumstances of a measurement in lines. */
#include "stage.h"

#include "record/banner.h"
#include "render/render.h"

static void set_verdict(struct report *report, enum honour read, enum honour write)
{
	report->direct_verdict.honours[TRANSFER_READ] = read;
	report->direct_verdict.honours[TRANSFER_WRITE] = write;
}

/* The banner of a record as text; the caller frees it. */
static char *record_banner_text(const struct record *record, bool use_color)
{
	struct render_style style = {.use_color = use_color};
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);

	assert_non_null(out);
	render_banner(out, record, &style);
	assert_int_equal(fclose(out), 0);
	return bytes;
}

/* The same of what a report holds. */
static char *banner_text(const struct stage *stage, bool use_color)
{
	struct record record;

	stage_record(&record, stage);
	char *text = record_banner_text(&record, use_color);
	record_release(&record);
	return text;
}

static void expect_banner(const struct stage *stage, const char *right)
{
	char *found = banner_text(stage, false), *colored = banner_text(stage, true);
	char *stripped = without_escapes(colored);

	assert_string_equal(found, right);
	assert_string_equal(stripped, right);
	free(found);
	free(colored);
	free(stripped);
}

static void test_banner(void **state)
{
	static char type[] = "ext4", source[] = "/dev/sd\033a1", point[] = "/mnt/\ttank";
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_cdm);
	stage.target.mount.type = type;
	stage.target.mount.source = source;
	stage.target.mount.mount_point = point;
	stage.target.space_known = true;
	stage.target.free_bytes = UINT64_C(3) << 29;
	stage.target.total_bytes = UINT64_C(4) << 40;
	stage.report.engine = ENGINE_LIBAIO;
	report_add_note(&stage.report, "a note with %d word", 1);
	report_add_note(&stage.report, "another");
	expect_banner(&stage, "     Target: /mnt/tank\n"
						  "File system: ext4, /dev/sd\\x1Ba1 mounted on /mnt/\\ttank\n"
						  "     Device: unknown\n"
						  " Free space: 1.5 GiB of 4 TiB\n"
						  "    Profile: CrystalDiskMark\n"
						  "     Engine: libaio (fio 3.33, as root)\n"
						  "   O_DIRECT: enabled\n"
						  "  Test file: 1 GiB\n"
						  "    Runtime: 5 s for each of 8 runs\n"
						  "       Note: a note with 1 word.\n"
						  "       Note: another.\n"
						  "\n");
	stage_close(&stage);
}

static void test_dd_banner(void **state)
{
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_dd);
	stage.report.direct = DIRECT_NOT_WANTED;
	expect_banner(&stage, "   Target: /mnt/tank\n"
						  "   Device: unknown\n"
						  "  Profile: dd (basic sequential test)\n"
						  "   Engine: dd, as root\n"
						  " O_DIRECT: DISABLED (buffered I/O: --buffered was given)\n"
						  "Test file: 1 GiB\n"
						  "\n");
	stage_close(&stage);
}

static void expect_direct(enum direct_state direct, const char *reason, const char *line, bool is_red)
{
	struct stage stage;
	char *colored, *plain;
	char *red = xasprintf("\033[31m O_DIRECT: %s\033[0m\n", line), *black = xasprintf("\n O_DIRECT: %s\n", line);

	stage_open(&stage, &profile_cdm);
	stage.report.direct = direct;
	stage.report.direct_reason = xstrdup(reason);
	colored = banner_text(&stage, true);
	plain = banner_text(&stage, false);
	assert_non_null(strstr(plain, black));
	assert_non_null(strstr(colored, is_red ? red : black));
	free(colored);
	free(plain);
	free(red);
	free(black);
	stage_close(&stage);
}

static void test_direct(void **state)
{
	(void)state;
	expect_direct(DIRECT_ENABLED, NULL, "enabled", false);
	expect_direct(DIRECT_REFUSED, NULL, "DISABLED (buffered I/O: the target refuses it)", true);
	expect_direct(
		DIRECT_REFUSED, "Invalid argument", "DISABLED (buffered I/O: the target refuses it, Invalid argument)", true);
	expect_direct(DIRECT_NOT_WANTED, NULL, "DISABLED (buffered I/O: --buffered was given)", true);
	expect_direct(DIRECT_NOT_FOR_SLOG, NULL, "not used (every write is synchronous, O_SYNC)", false);
}

static bool banner_has(const struct stage *stage, const char *words)
{
	char *banner = banner_text(stage, false);
	bool found = strstr(banner, words) != NULL;

	free(banner);
	return found;
}

static void test_pool(void **state)
{
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_slog);
	stage.report.engine = ENGINE_PSYNC;
	assert_false(banner_has(&stage, "ZFS pool"));
	stage.report.pool.pool = xstrdup("tank");
	assert_true(banner_has(&stage, "Log device: unknown (zpool gave no answer)\n"));
	stage.report.pool.asked = true;
	assert_true(banner_has(&stage, "Log device: none: synchronous writes go to the pool's own disks\n"));
	stage.report.pool.log_devices = xstrdup("nvme0n1p1");
	assert_true(banner_has(&stage, "Log device: nvme0n1p1\n"));
	assert_true(banner_has(&stage, "ZFS pool: tank\n"));
	assert_true(banner_has(&stage, "zpool iostat -vl tank 1\n"));
	stage.report.storage.zfs_version = xstrdup("zfs-fuse");
	assert_true(banner_has(&stage, "zpool iostat -v tank 1\n"));
	stage_close(&stage);
	stage_open(&stage, &profile_cdm);
	stage.report.pool.pool = xstrdup("tank");
	assert_false(banner_has(&stage, "ZFS pool"));
	stage_close(&stage);
}

static void add_vdev(struct zfs_pool *pool, enum zfs_class class, const char *name, const char *state, bool is_mirror)
{
	bool begins = pool->vdev_count == 0 || pool->vdevs[pool->vdev_count - 1].class != class;
	unsigned group = pool->vdev_count == 0 ? 0 : pool->vdevs[pool->vdev_count - 1].group;

	pool->vdevs = xrealloc(pool->vdevs, (pool->vdev_count + 1) * sizeof(*pool->vdevs));
	pool->vdevs[pool->vdev_count++] = (struct zfs_vdev){.name = xstrdup(name),
		.class = class,
		.state = xstrdup(state),
		.is_active = strcmp(state, "ONLINE") == 0,
		.group = begins || !is_mirror ? group + 1 : group,
		.copies = 1,
		.layout = is_mirror ? xstrdup("mirror") : NULL,
		.width = is_mirror ? 2 : 1};
}

static void add_property(struct zfs_pool *pool, const char *name, const char *value)
{
	pool->properties = xrealloc(pool->properties, (pool->property_count + 1) * sizeof(*pool->properties));
	pool->properties[pool->property_count++] = (struct zfs_property){.name = xstrdup(name), .value = xstrdup(value)};
}

/* A pool of a mirror with a mirrored log, in these states. */
static void set_pool(struct stage *stage, const char *pool_state, const char *log_state)
{
	struct zfs_pool *pool = &stage->report.pool;

	pool->pool = xstrdup("tank");
	pool->dataset = xstrdup("tank/vm");
	pool->asked = true;
	pool->state = xstrdup(pool_state);
	add_vdev(pool, ZFS_DATA, "/dev/sda1", "ONLINE", true);
	add_vdev(pool, ZFS_DATA, "/dev/sdb1", pool_state, true);
	add_vdev(pool, ZFS_LOG, "/dev/nvme0n1p1", "ONLINE", true);
	add_vdev(pool, ZFS_LOG, "/dev/nvme1n1p1", log_state, true);
	pool->log_devices = xstrdup("nvme0n1p1, nvme1n1p1");
	add_property(pool, "primarycache", "all");
	add_property(pool, "sync", "always");
	add_property(pool, "recordsize", "16384");
	stage->report.storage.zfs_version = xstrdup("2.1.11");
}

/* The pool's lines, and which of them are red. */
static void expect_pool(const char *pool_state, const char *log_state, bool is_pool_red, bool is_log_red)
{
	struct stage stage;
	char *pool = xasprintf("%s  ZFS pool: tank (OpenZFS 2.1.11, mirror of 2, %s)%s\n", is_pool_red ? "\033[31m" : "\n",
		pool_state, is_pool_red ? "\033[0m" : "");
	char *log = xasprintf("%sLog device: mirror of nvme0n1p1 (ONLINE) and nvme1n1p1 (%s)%s\n",
		is_log_red ? "\033[31m" : "\n", log_state, is_log_red ? "\033[0m" : "");

	stage_open(&stage, &profile_slog);
	set_pool(&stage, pool_state, log_state);
	char *colored = banner_text(&stage, true);
	assert_non_null(strstr(colored, pool));
	assert_non_null(strstr(colored, log));
	assert_non_null(strstr(colored, "\n   Dataset: tank/vm: recordsize 16 KiB, sync=always, primarycache=all\n"));
	assert_non_null(strstr(colored, "\n       Tip: watch it work in another shell: zpool iostat -vl tank 1\n"));
	free(colored);
	free(pool);
	free(log);
	stage_close(&stage);
}

static void test_pool_health(void **state)
{
	(void)state;
	expect_pool("ONLINE", "ONLINE", false, false);
	expect_pool("ONLINE", "FAULTED", false, true);
	expect_pool("DEGRADED", "FAULTED", true, true);
	expect_pool("DEGRADED", "ONLINE", true, false);
}

/* The command can be copied into a shell. */
static void test_pool_tip(void **state)
{
	struct stage stage;

	(void)state;
	stage_open(&stage, &profile_slog);
	stage.report.pool.pool = xstrdup("my pool");
	assert_true(banner_has(&stage, "Tip: watch it work in another shell: zpool iostat -vl \"my pool\" 1\n"));
	stage_close(&stage);
}

static void expect_summary(const char *version, const char *state, const char *line)
{
	struct stage stage;

	stage_open(&stage, &profile_slog);
	stage.report.pool.pool = xstrdup("tank");
	stage.report.pool.dataset = xstrdup("tank");
	stage.report.pool.state = xstrdup(state);
	stage.report.storage.zfs_version = xstrdup(version);
	assert_true(banner_has(&stage, line));
	assert_false(banner_has(&stage, "Dataset:"));
	stage_close(&stage);
}

/* What is unknown is left out. */
static void test_pool_summary(void **state)
{
	(void)state;
	expect_summary(NULL, NULL, " ZFS pool: tank\n");
	expect_summary("2.3.0", NULL, " ZFS pool: tank (OpenZFS 2.3.0)\n");
	expect_summary("zfs-fuse", "ONLINE", " ZFS pool: tank (zfs-fuse, ONLINE)\n");
	expect_summary(NULL, "DEGRADED", " ZFS pool: tank (DEGRADED)\n");
}

/* What the trial showed in one direction or both, and how the banner says so. */
static void test_direct_verdict(void **state)
{
	static const struct {
		enum honour read, write;
		const char *cause;
		enum storage_kind kind;
		const char *blind_spot;
		const char *line;
		bool is_red;
	} cases[] = {
		{HONOUR_NO, HONOUR_NO, "ext4 data=journal", STORAGE_BLOCK, NULL,
			"accepted but not honoured (ext4 data=journal)", true},
		{HONOUR_NO, HONOUR_NO, "tmpfs: RAM", STORAGE_RAM, NULL, "accepted but not honoured (tmpfs: RAM)", true},
		{HONOUR_YES, HONOUR_NO, "btrfs with checksums", STORAGE_BLOCK, NULL,
			"accepted but not honoured (btrfs with checksums): writes are buffered", true},
		{HONOUR_NO, HONOUR_YES, "ZFS: through the ARC", STORAGE_ZFS, NULL,
			"accepted but not honoured (ZFS: through the ARC): reads are buffered", true},
		{HONOUR_NO, HONOUR_UNKNOWN, NULL, STORAGE_BLOCK, NULL,
			"accepted but not honoured (cause unknown): reads are buffered", true},
		{HONOUR_UNKNOWN, HONOUR_UNKNOWN, NULL, STORAGE_UNKNOWN, "FUSE: only its server knows",
			"accepted, whether it is honoured is unknown (FUSE: only its server knows)", false},
		{HONOUR_UNKNOWN, HONOUR_YES, NULL, STORAGE_NFS, NULL,
			"accepted, whether it is honoured is unknown (a network file system)", false},
		{HONOUR_UNKNOWN, HONOUR_UNKNOWN, NULL, STORAGE_BLOCK, NULL,
			"accepted, whether it is honoured is unknown (no counters)", false},
		{HONOUR_UNKNOWN, HONOUR_UNKNOWN, NULL, STORAGE_UNKNOWN, NULL,
			"accepted, whether it is honoured is unknown (no device is known)", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct stage stage;
		char *red = xasprintf("\033[31m O_DIRECT: %s\033[0m\n", cases[i].line);
		char *black = xasprintf("\n O_DIRECT: %s\n", cases[i].line);

		stage_open(&stage, &profile_cdm);
		set_verdict(&stage.report, cases[i].read, cases[i].write);
		stage.report.direct_verdict.cause = xstrdup(cases[i].cause);
		stage.report.storage.kind = cases[i].kind;
		stage.report.storage.blind_spot = xstrdup(cases[i].blind_spot);
		char *colored = banner_text(&stage, true), *plain = banner_text(&stage, false);
		assert_non_null(strstr(plain, black));
		assert_non_null(strstr(colored, cases[i].is_red ? red : black));
		free(colored);
		free(plain);
		free(red);
		free(black);
		stage_close(&stage);
	}
}

/* The line about the runs, with what was chosen. */
static void expect_runs(const struct profile *profile, struct plan_choice choice, const char *line)
{
	struct stage stage;

	choice.size_bytes = UINT64_C(1) << 30;
	choice.runtime_s = 5;
	stage_open_choice(&stage, profile, choice);
	char *text = banner_text(&stage, false);
	if (line) {
		char *found = strstr(text, line);

		assert_non_null(found);
		assert_int_equal(found[strlen(line)], '\n');
	} else {
		assert_null(strstr(text, "Runs:"));
		assert_null(strstr(text, "Runtime:"));
	}
	free(text);
	stage_close(&stage);
}

static void test_runs(void **state)
{
	(void)state;
	expect_runs(&profile_cdm, (struct plan_choice){.runs = 1}, "\n  Runtime: 5 s for each of 8 runs");
	expect_runs(
		&profile_cdm, (struct plan_choice){.runs = 5}, "\n  Runtime: 5 s for each of 40 runs (8 tests, 5 times)");
	expect_runs(
		&profile_slog, (struct plan_choice){.runs = 100}, "\n  Runtime: 5 s for each of 400 runs (4 tests, 100 times)");
	expect_runs(&profile_cdm, (struct plan_choice){.runs = 1, .warmup = true},
		"\n  Runtime: 5 s for each of 8 runs, after one warm-up pass");
	expect_runs(&profile_cdm, (struct plan_choice){.runs = 5, .warmup = true, .ramp_s = 2, .interval_s = 90},
		"\n  Runtime: 5 s for each of 40 runs (8 tests, 5 times), after one warm-up pass, each after 2 s of ramp, 1 "
		"min "
		"30 s pause between runs");
	expect_runs(&profile_dd, (struct plan_choice){.runs = 1}, NULL);
	expect_runs(&profile_dd, (struct plan_choice){.runs = 5, .interval_s = 10},
		"\n     Runs: 15 runs (3 tests, 5 times), 10 s pause between runs");
	expect_runs(
		&profile_dd, (struct plan_choice){.runs = 1, .warmup = true}, "\n     Runs: 3 runs, after one warm-up pass");
}

/* The experiment has rounds of its own, and no warm-up. */
static void test_runs_of_an_experiment(void **state)
{
	static const unsigned stages[] = {0, POWER_HOLD_IDLE, POWER_HOLD_IDLE | POWER_HOLD_GOVERNOR};
	static const struct {
		struct plan_choice choice;
		const char *line;
	} cases[] = {
		{{.runs = 1}, "Runtime: 5 s for each of 19 runs (4 tests, and an experiment of 15)"},
		{{.runs = 6, .warmup = true},
			"Runtime: 5 s for each of 42 runs (4 tests, 6 times, and an experiment of 18), after one warm-up pass"},
		{{.runs = 1, .detail = true}, "Runtime: 5 s for each of 28 runs (13 tests, and an experiment of 15)"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct plan_choice choice = cases[i].choice;
		struct stage stage;

		choice.size_bytes = UINT64_C(1) << 30;
		choice.runtime_s = 5;
		stage_open_choice(&stage, &profile_slog, choice);
		plan_add_experiment(&stage.plan, stages, 3);
		report_grow(&stage.report);
		char *text = banner_text(&stage, false);
		assert_non_null(strstr(text, cases[i].line));
		free(text);
		stage_close(&stage);
	}
}

static void test_label(void **state)
{
	struct stage stage;
	struct record record;

	(void)state;
	stage_open(&stage, &profile_dd);
	record_make(&record, &stage.report, &(struct record_frame){.label = "CN-08R2\033[2J", .started_at = ""});
	char *text = record_banner_text(&record, false);
	assert_int_equal(strncmp(text, "    Label: CN-08R2\\x1B[2J\n   Target: /mnt/tank\n", 45), 0);
	free(text);
	record_release(&record);
	stage_close(&stage);
}

/* A saved file may lack nearly everything, or hold numbers that nobody measured. */
static void test_bare_record(void **state)
{
	struct record record = {.settings = {.profile = &profile_slog,
								.size_bytes = 1e300,
								.runtime_s = (double)NAN,
								.ramp_s = 1e300,
								.interval_s = -1,
								.runs = 2},
		.target = {.file_system = (char[]){"ext4"}, .free_bytes = -1, .total_bytes = (double)NAN},
		.pool = {.name = (char[]){"tank"}}};

	(void)state;
	char *text = record_banner_text(&record, false);
	assert_string_equal(text,
		"     Target: unknown\n"
		"File system: ext4, unknown mounted on unknown\n"
		"     Device: unknown\n"
		" Free space: 0 B of unknown\n"
		"    Profile: SLOG (synchronous 4K random writes)\n"
		"     Engine: unknown (unknown, as unknown)\n"
		"   O_DIRECT: unknown\n"
		"   ZFS pool: tank\n"
		" Log device: unknown\n"
		"        Tip: watch it work in another shell: zpool iostat -vl tank 1\n"
		"  Test file: 8 EiB\n"
		"    Runtime: unknown for each of 0 runs (0 tests, 2 times), each after 2562047788015215 h "
		"30 min of ramp\n"
		"\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_banner),
		cmocka_unit_test(test_dd_banner),
		cmocka_unit_test(test_direct),
		cmocka_unit_test(test_pool),
		cmocka_unit_test(test_pool_health),
		cmocka_unit_test(test_pool_tip),
		cmocka_unit_test(test_pool_summary),
		cmocka_unit_test(test_direct_verdict),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_runs_of_an_experiment),
		cmocka_unit_test(test_label),
		cmocka_unit_test(test_bare_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
