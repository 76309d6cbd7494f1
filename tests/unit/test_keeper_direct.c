/* The trial of O_DIRECT. */
#include "keeper_scene.h"

/* The answer to a trial, after the signs of life before it. */
static uint32_t take_answer(struct scene *scene, struct direct_truth *truth)
{
	struct text buffered = TEXT_EMPTY;
	struct keeper_message message;
	bool broken = false;
	char bytes[4096];

	for (;;) {
		while (keeper_take(&buffered, &message, &broken)) {
			uint32_t type = message.type;

			if (type == KEEPER_DIRECT) {
				demand(message.payload.length == sizeof(*truth) && keeper_payload(&message, truth, sizeof(*truth)));
			}
			text_release(&message.payload);
			if (type != KEEPER_PROGRESS) {
				text_release(&buffered);
				return type;
			}
		}
		ssize_t size = read(scene->answer, bytes, sizeof(bytes));
		demand(size > 0 && !broken);
		text_add_bytes(&buffered, bytes, (size_t)size);
	}
}

static void try_sizes(void)
{
	static const size_t sizes[] = {16 * MIB, 4 * MIB, MIB, 300 * 1024, 4096};
	struct direct_truth truth;
	struct scene scene;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		set_scene(&scene, sizes[i]);
		watch(&scene, &no_watch);
		keeper_serve_direct(&scene.keeper);
		demand(take_answer(&scene, &truth) == KEEPER_DIRECT);
		demand(truth.size_bytes <= sizes[i] && truth.size_bytes <= 4 * MIB && truth.device_known == 0);
		demand(truth.size_bytes > 0 || sizes[i] < 65536 || truth.error != 0);
		demand(truth.written_device_bytes == 0 && truth.journals_data <= 1);
		if (truth.error == 0 && truth.size_bytes < MIB) {
			demand(truth.dirtied_known == 0);
		}
		demand(scene.keeper.witness.resting.at_ns != 0);
		clear_scene(&scene);
	}
}

static void test_direct(void **state)
{
	(void)state;
	run_as_both(try_sizes);
}

/* A device whose counters stand still bears no witness on O_DIRECT. */
static void try_uncounted(void)
{
	struct direct_truth truth;
	struct scene scene;

	for (int i = 0; i < 2; i++) {
		put_disk(MIB, MIB, 0);
		set_scene(&scene, MIB);
		scene.keeper.witness.root = "m";
		watch(&scene, &disk_watch);
		put_disk(MIB, i == 0 ? MIB + MIB / 2 - 512 : MIB + MIB / 2, 0);
		keeper_serve_direct(&scene.keeper);
		demand(take_answer(&scene, &truth) == KEEPER_DIRECT);
		demand(truth.device_known == (i == 1 && truth.error == 0 ? 1U : 0U));
		clear_scene(&scene);
	}
}

static void test_uncounted(void **state)
{
	(void)state;
	run_as(geteuid(), try_uncounted);
}

/* The file keeps its size, and a stop is obeyed between two steps. */
static void try_unwanted(void)
{
	struct direct_truth truth;
	struct stat status;
	struct scene scene;

	set_scene(&scene, 4 * MIB);
	watch(&scene, &no_watch);
	demand(keeper_send_struct(scene.ask, KEEPER_STOP, NULL, 0));
	keeper_serve_direct(&scene.keeper);
	demand(take_answer(&scene, &truth) == KEEPER_DIRECT);
	demand(truth.error == ECANCELED || truth.error == EINVAL);
	demand(fstat(scene.keeper.test_file, &status) == 0 && status.st_size == 4 * MIB);
	/* And without the file there is no trial. */
	demand(unlinkat(scene.keeper.folder.directory, TEST_FILE_NAME, 0) == 0);
	demand(symlinkat("/etc/passwd", scene.keeper.folder.directory, TEST_FILE_NAME) == 0);
	keeper_serve_direct(&scene.keeper);
	demand(take_answer(&scene, &truth) == KEEPER_REFUSED);
	file_close(&scene.keeper.test_file);
	keeper_serve_direct(&scene.keeper);
	demand(take_answer(&scene, &truth) == KEEPER_REFUSED);
	clear_scene(&scene);
}

static void test_direct_unwanted(void **state)
{
	(void)state;
	run_as(geteuid(), try_unwanted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_direct),
		cmocka_unit_test(test_uncounted),
		cmocka_unit_test(test_direct_unwanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
