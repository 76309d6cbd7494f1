#include "telemetry/pool_activity.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"

/** The columns behind the name. All versions have the first six; -l adds the others, and newer versions more. */
enum {
	COLUMN_WRITES = 3,
	COLUMN_WRITTEN = 5,
	COLUMNS = 6,
	COLUMN_DISK_WAIT = 9, /* of writes; in ns */
	COLUMNS_WITH_WAITS = 14,
};

/** A line of a report. */
struct row {
	char *name;
	bool is_indented;
	double values[COLUMNS_WITH_WAITS]; /* NAN: no sample */
	size_t count;
};

/** What one report says so far. */
struct sums {
	bool has_pool; /* the line of the whole pool, which is its first */
	size_t logs;   /* leaves that were seen */
	size_t datas;
	struct pool_activity activity;
	double waits; /* of log devices, with how many writes waited */
	double waited;
};

/** The report being read, and the last whole one. */
struct reports {
	const struct zfs_pool *pool;
	enum pool_watch_way way;
	bool is_first;
	struct sums current;
	struct sums last;
};

/** "1.10K", in powers of 1024; other languages write "1,10K". Exact numbers are whole. "-" is NAN. */
static bool parse_value(double *value, const char *text, enum pool_watch_way way)
{
	static const char units[] = "KMGTPE";
	double number = 0, step = 1;
	const char *at = text;

	if (strcmp(text, "-") == 0) {
		*value = (double)NAN;
		return true;
	}
	for (; isdigit((unsigned char)*at); at++) {
		number = number * 10 + (*at - '0');
	}
	if (at == text) {
		return false;
	}
	if (way == POOL_WATCH_PLAIN && (*at == '.' || *at == ',')) {
		for (at++; isdigit((unsigned char)*at); at++) {
			step /= 10;
			number += step * (*at - '0');
		}
	}
	const char *unit = way == POOL_WATCH_PLAIN && *at != '\0' ? strchr(units, *at) : NULL;
	if (unit) {
		number = ldexp(number, 10 * (int)(unit - units + 1));
		at++;
	}
	*value = number;
	return *at == '\0';
}

/** The name is what stands before the first tab. */
static bool parse_exact(struct row *row, char *line)
{
	char *rest = line;

	row->name = strsep(&rest, "\t");
	while (rest && row->count < COLUMNS_WITH_WAITS) {
		if (!parse_value(&row->values[row->count], strsep(&rest, "\t"), POOL_WATCH_EXACT)) {
			/* What this version may have behind the numbers is of no interest. */
			return row->count >= COLUMNS;
		}
		row->count++;
	}
	return row->count >= COLUMNS;
}

/** The name is what stands before the last six columns: that of a file may hold blanks. */
static bool parse_plain(struct row *row, char *line)
{
	size_t length = strlen(line);

	row->is_indented = *line == ' ';
	for (row->count = 0; row->count < COLUMNS; row->count++) {
		while (length > 0 && line[length - 1] == ' ') {
			line[--length] = '\0';
		}
		while (length > 0 && line[length - 1] != ' ') {
			length--;
		}
		if (length == 0 || !parse_value(&row->values[COLUMNS - 1 - row->count], line + length, POOL_WATCH_PLAIN)) {
			return false;
		}
	}
	while (length > 0 && line[length - 1] == ' ') {
		line[--length] = '\0';
	}
	row->name = line + strspn(line, " ");
	return *row->name != '\0';
}

/** Whether zpool means that path by its short name: without the folder, and of a whole disk without its partition. */
static bool is_short_for(const char *name, const char *path)
{
	const char *last = strrchr(path, '/');

	if (!last || !text_starts_with(last + 1, name)) {
		return false;
	}
	last += 1 + strlen(name);
	return *last == '\0' || strcmp(last, "1") == 0 || strcmp(last, "p1") == 0 || strcmp(last, "-part1") == 0;
}

static const struct zfs_vdev *find_vdev(const struct reports *reports, const char *name)
{
	const struct zfs_pool *pool = reports->pool;

	for (size_t i = 0; i < pool->vdev_count; i++) {
		if (strcmp(pool->vdevs[i].name, name) == 0) {
			return &pool->vdevs[i];
		}
	}
	for (size_t i = 0; i < pool->vdev_count && strchr(name, '/') == NULL; i++) {
		if (is_short_for(name, pool->vdevs[i].name)) {
			return &pool->vdevs[i];
		}
	}
	return NULL;
}

static void add_log(struct sums *sums, const struct row *row)
{
	double writes = row->values[COLUMN_WRITES];

	sums->logs++;
	sums->activity.log_writes_per_s += writes;
	sums->activity.log_bytes_per_s += row->values[COLUMN_WRITTEN];
	if (row->count == COLUMNS_WITH_WAITS && !isnan(row->values[COLUMN_DISK_WAIT])) {
		double weight = writes > 0 ? writes : 0.5; /* it was rounded down, as there was one that waited */

		sums->waited += weight;
		sums->waits += weight * row->values[COLUMN_DISK_WAIT];
	}
}

static void add_row(struct reports *reports, const struct row *row)
{
	const struct zfs_vdev *vdev = find_vdev(reports, row->name);
	struct sums *sums = &reports->current;

	if (!vdev || isnan(row->values[COLUMN_WRITES]) || isnan(row->values[COLUMN_WRITTEN])) {
		return;
	}
	if (vdev->class == ZFS_LOG) {
		add_log(sums, row);
	} else if (vdev->class == ZFS_DATA) {
		sums->datas++;
		sums->activity.data_writes_per_s += row->values[COLUMN_WRITES];
		sums->activity.data_bytes_per_s += row->values[COLUMN_WRITTEN];
	}
}

/** How many devices of that class take part; those that do not may have other names. */
static size_t count_active(const struct zfs_pool *pool, enum zfs_class class)
{
	size_t count = 0;

	for (size_t i = 0; i < pool->vdev_count; i++) {
		count += pool->vdevs[i].class == class && pool->vdevs[i].is_active ? 1 : 0;
	}
	return count;
}

static bool is_whole(const struct reports *reports, const struct sums *sums)
{
	return sums->has_pool && sums->datas >= count_active(reports->pool, ZFS_DATA) &&
		   sums->logs >= count_active(reports->pool, ZFS_LOG);
}

/**
 * A report has ended. It stands unless it lacks something that the one before does not. In the plain way the first is
 * of all the time since the pool was imported.
 */
static void end_report(struct reports *reports)
{
	if (!reports->current.has_pool) {
		return;
	}
	bool counts = reports->way == POOL_WATCH_EXACT || !reports->is_first;
	if (counts && (is_whole(reports, &reports->current) || !is_whole(reports, &reports->last))) {
		reports->last = reports->current;
	}
	reports->is_first = false;
	reports->current = (struct sums){.has_pool = false};
}

static void read_line(struct reports *reports, char *line)
{
	struct row row = {.name = NULL};
	bool is_row = reports->way == POOL_WATCH_EXACT ? parse_exact(&row, line) : parse_plain(&row, line);

	/* A pool may be called "logs": the heading has no numbers. */
	if (is_row && !row.is_indented && !isnan(row.values[COLUMN_WRITES]) && strcmp(row.name, reports->pool->pool) == 0) {
		end_report(reports);
		reports->current.has_pool = true;
	} else if (is_row && reports->current.has_pool) {
		add_row(reports, &row);
	}
}

/** A class of which a device was not seen is not known. */
static void take(struct pool_activity *activity, const struct zfs_pool *pool, const struct sums *sums)
{
	bool logs = sums->has_pool && sums->logs >= count_active(pool, ZFS_LOG);
	bool datas = sums->has_pool && sums->datas >= count_active(pool, ZFS_DATA) && sums->datas > 0;

	activity->present = datas || (logs && sums->logs > 0);
	if (activity->present && logs) {
		activity->log_writes_per_s = sums->activity.log_writes_per_s;
		activity->log_bytes_per_s = sums->activity.log_bytes_per_s;
		activity->log_disk_wait_ns = sums->waited > 0 ? sums->waits / sums->waited : (double)NAN;
	}
	if (datas) {
		activity->data_writes_per_s = sums->activity.data_writes_per_s;
		activity->data_bytes_per_s = sums->activity.data_bytes_per_s;
	}
}

bool pool_activity_parse(
	struct pool_activity *activity, const char *output, enum pool_watch_way way, const struct zfs_pool *pool)
{
	struct reports reports = {.pool = pool, .way = way, .is_first = true};
	char *copy = xstrdup(output), *rest = copy, *line;

	*activity = POOL_ACTIVITY_UNKNOWN;
	/* A last line without an end is a part of one. */
	while (pool->pool && way != POOL_WATCH_NONE && (line = strsep(&rest, "\n")) != NULL && rest != NULL) {
		read_line(&reports, line);
	}
	end_report(&reports);
	if (pool->pool && way != POOL_WATCH_NONE) {
		take(activity, pool, &reports.last);
	}
	free(copy);
	return activity->present;
}
