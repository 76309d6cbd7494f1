#include "zil.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/text.h"

#define KSTATS "/proc/spl/kstat/zfs"
#define OBJSET "objset-0x"

/**
 * A kstat's line holds a name, blanks, the number of its type, and the value. The metaslab counters count one for each
 * log block that is issued, in all versions, although ZFS's own comments call them transactions.
 */
static bool parse(struct zil_counters *counters, const char *kstat)
{
	return numbers_named(kstat, "zil_commit_count ", 1, &counters->commits) &&
		   numbers_named(kstat, "zil_itx_indirect_count ", 1, &counters->indirect) &&
		   numbers_named(kstat, "zil_itx_metaslab_slog_count ", 1, &counters->log_blocks) &&
		   numbers_named(kstat, "zil_itx_metaslab_normal_count ", 1, &counters->pool_blocks);
}

/* Whether the kstat is that dataset's. Its name may hold blanks. */
static bool is_of_dataset(const char *kstat, const char *dataset)
{
	const char *value = numbers_find(kstat, "dataset_name ");

	if (!value) {
		return false;
	}
	value += strspn(value, " ");
	value += strspn(value, "0123456789");
	value += strspn(value, " ");
	size_t length = strcspn(value, "\n");
	return length == strlen(dataset) && strncmp(value, dataset, length) == 0;
}

/* The pool's name, which is a folder's name too; NULL where it would lead elsewhere. */
static char *pool_of(const char *dataset)
{
	size_t length = strcspn(dataset, "/@");

	return length == 0 || dataset[0] == '.' ? NULL : xstrndup(dataset, length);
}

static bool take_objset(
	struct zil_counters *counters, const char *root, const char *pool, const char *dataset, uint64_t objset)
{
	struct text kstat = TEXT_EMPTY;
	bool known = file_read(&kstat, root, KSTATS "/%s/" OBJSET "%" PRIx64, pool, objset) &&
				 is_of_dataset(text_string(&kstat), dataset) && parse(counters, text_string(&kstat));

	text_release(&kstat);
	return known;
}

uint64_t zil_find_objset(const char *root, const char *dataset)
{
	char *pool = pool_of(dataset);
	char **names = pool ? file_names(root, KSTATS "/%s", pool) : NULL;
	uint64_t found = 0;

	for (size_t i = 0; names && names[i] && found == 0; i++) {
		struct zil_counters counters;
		uint64_t objset = text_starts_with(names[i], OBJSET) ? strtoull(names[i] + strlen(OBJSET), NULL, 16) : 0;

		if (objset != 0 && take_objset(&counters, root, pool, dataset, objset)) {
			found = objset;
		}
	}
	if (names) {
		file_names_free(names);
	}
	free(pool);
	return found;
}

bool zil_take_dataset(struct zil_counters *counters, const char *root, const char *dataset, uint64_t objset)
{
	char *pool = pool_of(dataset);
	bool known = pool && take_objset(counters, root, pool, dataset, objset);

	free(pool);
	return known;
}

bool zil_take_all(struct zil_counters *counters, const char *root)
{
	struct text kstat = TEXT_EMPTY;
	bool known = file_read(&kstat, root, KSTATS "/zil") && parse(counters, text_string(&kstat));

	text_release(&kstat);
	return known;
}
