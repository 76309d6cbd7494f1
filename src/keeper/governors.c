#include "governors.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "setting.h"
#include "support/file.h"
#include "support/text.h"

#define CPUFREQ "/sys/devices/system/cpu/cpufreq"
#define PERFORMANCE "performance"

enum { NAME_SIZE = 24, VALUE_SIZE = SETTING_VALUE_SIZE, PATH_SIZE = SETTING_PATH_SIZE, LIST_SIZE = 1024 };
/* The kernel's own governors have up to nine settings. */
enum { POLICY_NOTES_MAX = 24, SHARED_NOTES_MAX = 64 };

/* How far one of them is, for whoever has to go on. */
enum policy_state {
	POLICY_FREE,      /* not touched, or done with */
	POLICY_SET,       /* "performance" was written, or is about to be */
	POLICY_RETURNING, /* its governor is being put back */
	POLICY_RETURNED,  /* it is put back; what it shares with others is not */
};

/* A file and what stood in it. */
struct note {
	char path[PATH_SIZE]; /* below the folder */
	char value[VALUE_SIZE];
};

/* A frequency domain whose governor was not "performance". */
struct policy {
	char name[NAME_SIZE]; /* "policy0" */
	atomic_uint state;    /* enum policy_state */
	struct note governor;
	struct note notes[POLICY_NOTES_MAX]; /* what goes with it, to be written in this order */
	unsigned note_count;
};

struct governors {
	size_t mapped_bytes;
	char folder[PATH_MAX];
	unsigned performing;                  /* they need no entry */
	struct note shared[SHARED_NOTES_MAX]; /* settings of governors that serve several domains */
	unsigned shared_count;
	unsigned policy_count;
	struct policy policies[];
};

static bool is_policy(const char *name)
{
	const char *number = name + strlen("policy");

	return text_starts_with(name, "policy") && *number && strspn(number, "0123456789") == strlen(number) &&
		   strlen(name) < NAME_SIZE;
}

/* The governor of a domain; false where there is no such domain, or none of its processors is running. */
static bool read_governor(const char *folder, const char *name, struct note *governor)
{
	snprintf(governor->path, sizeof(governor->path), "%s/scaling_governor", name);
	return setting_read(folder, governor->path, governor->value, sizeof(governor->value)) && governor->value[0];
}

/* Whether the domain's governor could be set to "performance"; false with errno set. */
static bool can_perform(const char *folder, const char *name)
{
	char path[PATH_SIZE], list[LIST_SIZE], *rest = list, *word;

	snprintf(path, sizeof(path), "%s/scaling_available_governors", name);
	if (!setting_read(folder, path, list, sizeof(list))) {
		return false;
	}
	while ((word = strsep(&rest, " ")) && strcmp(word, PERFORMANCE) != 0) {
	}
	snprintf(path, sizeof(path), "%s/scaling_governor", name);
	errno = EOPNOTSUPP;
	return word && setting_is_writable(folder, path);
}

static bool format_folder(char *folder, size_t size, const char *root)
{
	return snprintf(folder, size, "%s" CPUFREQ, root) < (int)size;
}

void governors_survey(struct governors_survey *survey, const char *root)
{
	char folder[PATH_MAX] = "";
	char **names = file_names(root, CPUFREQ);
	struct note governor;

	*survey = (struct governors_survey){.error = ENOENT};
	for (size_t i = 0; format_folder(folder, sizeof(folder), root) && names[i]; i++) {
		if (!is_policy(names[i]) || !read_governor(folder, names[i], &governor)) {
			continue;
		}
		survey->policies++;
		survey->performing += strcmp(governor.value, PERFORMANCE) == 0 ? 1 : 0;
		if (!survey->possible && can_perform(folder, names[i])) {
			survey->possible = true;
		} else if (!survey->possible) {
			survey->error = errno;
		}
	}
	survey->error = survey->possible ? 0 : survey->error;
	file_names_free(names);
}

/* Remember a file, where there is room, it can be read and could be written again. */
static void add_note(const char *folder, struct note *notes, unsigned *count, unsigned max, const char *path)
{
	struct note *note = &notes[*count];

	if (*count < max && strlen(path) < PATH_SIZE && setting_read(folder, path, note->value, sizeof(note->value)) &&
		setting_is_writable(folder, path)) {
		snprintf(note->path, sizeof(note->path), "%s", path);
		(*count)++;
	}
}

/* A governor that nobody uses any more forgets its settings: those in its folder, of one domain or for all. */
static void add_settings(const char *folder, struct note *notes, unsigned *count, unsigned max, const char *below)
{
	char **names = file_names(folder, "/%s", below);
	char path[PATH_SIZE];

	for (size_t i = 0; names[i]; i++) {
		if (snprintf(path, sizeof(path), "%s/%s", below, names[i]) < (int)sizeof(path)) {
			add_note(folder, notes, count, max, path);
		}
	}
	file_names_free(names);
}

/* Whether the note is a setting of this governor's for all domains. */
static bool is_setting_of(const struct note *shared, const char *governor)
{
	size_t length = strlen(governor);

	return strncmp(shared->path, governor, length) == 0 && shared->path[length] == '/';
}

static bool has_settings_of(const struct governors *governors, const char *governor)
{
	for (unsigned i = 0; i < governors->shared_count; i++) {
		if (is_setting_of(&governors->shared[i], governor)) {
			return true;
		}
	}
	return false;
}

/* The preference comes last: with the governor "performance" it cannot be written. */
static void remember_policy(struct governors *governors, const char *name, const struct note *governor)
{
	struct policy *policy = &governors->policies[governors->policy_count++];
	char path[PATH_SIZE];

	snprintf(policy->name, sizeof(policy->name), "%s", name);
	policy->governor = *governor;
	if (strcmp(governor->value, "userspace") == 0) {
		snprintf(path, sizeof(path), "%s/scaling_setspeed", name);
		add_note(governors->folder, policy->notes, &policy->note_count, POLICY_NOTES_MAX - 1, path);
	}
	snprintf(path, sizeof(path), "%s/%s", name, governor->value);
	add_settings(governors->folder, policy->notes, &policy->note_count, POLICY_NOTES_MAX - 1, path);
	snprintf(path, sizeof(path), "%s/energy_performance_preference", name);
	add_note(governors->folder, policy->notes, &policy->note_count, POLICY_NOTES_MAX, path);
	if (!has_settings_of(governors, governor->value)) {
		add_settings(governors->folder, governors->shared, &governors->shared_count, SHARED_NOTES_MAX, governor->value);
	}
}

struct governors *governors_remember(const char *root)
{
	char **names = file_names(root, CPUFREQ);
	size_t count = 0;
	struct note governor;

	while (names[count]) {
		count++;
	}
	size_t bytes = sizeof(struct governors) + count * sizeof(struct policy);
	struct governors *governors = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int error = errno;
	if (governors == MAP_FAILED) {
		governors = NULL;
	} else {
		governors->mapped_bytes = bytes;
	}
	for (size_t i = 0; governors && format_folder(governors->folder, sizeof(governors->folder), root) && names[i];
		 i++) {
		if (!is_policy(names[i]) || !read_governor(governors->folder, names[i], &governor)) {
			continue;
		}
		if (strcmp(governor.value, PERFORMANCE) == 0) {
			governors->performing++;
		} else if (strchr(governor.value, '/') == NULL) {
			remember_policy(governors, names[i], &governor);
		}
	}
	file_names_free(names);
	errno = error;
	return governors;
}

void governors_forget(struct governors *governors)
{
	if (governors) {
		munmap(governors, governors->mapped_bytes);
	}
}

bool governors_differ(const struct governors *governors)
{
	return governors->policy_count > 0;
}

unsigned governors_performing(const struct governors *governors)
{
	return governors->performing;
}

const char *governors_folder(const struct governors *governors)
{
	return governors->folder;
}

/* Whether its governor is "performance" now, whatever the writing said. */
static bool set_policy(const struct governors *governors, struct policy *policy)
{
	char now[VALUE_SIZE];

	atomic_store(&policy->state, POLICY_SET); /* first: this process may be killed at any point */
	int error = setting_write(governors->folder, policy->governor.path, PERFORMANCE) ? EIO : errno;
	if (setting_read(governors->folder, policy->governor.path, now, sizeof(now)) && strcmp(now, PERFORMANCE) == 0) {
		return true;
	}
	atomic_store(&policy->state, POLICY_FREE);
	errno = error;
	return false;
}

bool governors_set(struct governors *governors, int *error)
{
	unsigned set = 0;

	*error = governors->policy_count == 0 && governors->performing == 0 ? ENOENT : 0;
	for (unsigned i = 0; i < governors->policy_count; i++) {
		if (set_policy(governors, &governors->policies[i])) {
			set++;
		} else {
			*error = errno;
		}
	}
	return set > 0 || (governors->policy_count == 0 && governors->performing > 0);
}

static bool is_gone(int error)
{
	return error == ENOENT || error == ENODEV;
}

/* Note the first thing that could not be put back; returns false. */
static bool leave(struct governors_left *left, const struct note *note)
{
	if (left && !left->path) {
		*left = (struct governors_left){.path = note->path, .value = note->value, .error = errno};
	}
	return false;
}

static bool put_back_note(const struct governors *governors, const struct note *note, struct governors_left *left)
{
	char now[VALUE_SIZE];

	if (!setting_read(governors->folder, note->path, now, sizeof(now))) {
		return is_gone(errno) || leave(left, note);
	}
	return strcmp(now, note->value) == 0 || setting_write(governors->folder, note->path, note->value) ||
		   is_gone(errno) || leave(left, note);
}

/* The governor first. Sets `*ours` to false where somebody else changed it meanwhile, or the domain is gone. */
static bool put_back_governor(
	const struct governors *governors, struct policy *policy, bool *ours, struct governors_left *left)
{
	bool was_returning = atomic_load(&policy->state) == POLICY_RETURNING;
	char now[VALUE_SIZE];

	*ours = true;
	if (!setting_read(governors->folder, policy->governor.path, now, sizeof(now))) {
		*ours = !is_gone(errno);
		return !*ours || leave(left, &policy->governor);
	}
	if (was_returning && strcmp(now, policy->governor.value) == 0) {
		return true;
	}
	if (strcmp(now, PERFORMANCE) != 0) {
		*ours = false;
		return true;
	}
	atomic_store(&policy->state, POLICY_RETURNING);
	if (setting_write(governors->folder, policy->governor.path, policy->governor.value)) {
		return true;
	}
	*ours = !is_gone(errno);
	return !*ours || leave(left, &policy->governor);
}

static bool put_back_policy(const struct governors *governors, struct policy *policy, struct governors_left *left)
{
	unsigned state = atomic_load(&policy->state);
	bool ours = true, done = true;

	if (state == POLICY_FREE || state == POLICY_RETURNED) {
		return true;
	}
	if (!put_back_governor(governors, policy, &ours, left)) {
		return false;
	}
	for (unsigned i = 0; ours && i < policy->note_count; i++) {
		done = put_back_note(governors, &policy->notes[i], left) && done;
	}
	if (done) {
		atomic_store(&policy->state, ours ? POLICY_RETURNED : POLICY_FREE);
	}
	return done;
}

/* What several domains share, where one of them has its governor back. */
static bool put_back_shared(struct governors *governors, struct governors_left *left)
{
	bool done = true;

	for (unsigned i = 0; i < governors->shared_count; i++) {
		bool is_back = false;

		for (unsigned j = 0; j < governors->policy_count && !is_back; j++) {
			is_back = atomic_load(&governors->policies[j].state) == POLICY_RETURNED &&
					  is_setting_of(&governors->shared[i], governors->policies[j].governor.value);
		}
		done = (!is_back || put_back_note(governors, &governors->shared[i], left)) && done;
	}
	return done;
}

bool governors_put_back(struct governors *governors, struct governors_left *left)
{
	bool done = true;

	if (left) {
		*left = (struct governors_left){.path = NULL};
	}
	for (unsigned i = 0; i < governors->policy_count; i++) {
		done = put_back_policy(governors, &governors->policies[i], left) && done;
	}
	if (!put_back_shared(governors, left)) {
		return false;
	}
	for (unsigned i = 0; i < governors->policy_count; i++) {
		unsigned returned = POLICY_RETURNED;

		atomic_compare_exchange_strong(&governors->policies[i].state, &returned, POLICY_FREE);
	}
	return done;
}
