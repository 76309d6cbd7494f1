#include "circumstances.h"

#include <stdlib.h>

#include "converse.h"
#include "pool_watch.h"
#include "probe/host.h"
#include "support/memory.h"
#include "telemetry/watch.h"

char *circumstances_search_path(void)
{
	const char *path = getenv("PATH");

	return xasprintf("%s:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin", path ? path : "");
}

static void find_pool(struct session *session)
{
	char *search_path = circumstances_search_path();

	zfs_pool_find(&session->report.pool, &session->target->mount, search_path);
	free(search_path);
}

void circumstances_find(struct session *session)
{
	struct report *report = &session->report;
	const struct target *target = session->target;

	if (target->is_zfs) {
		find_pool(session);
	}
	storage_find(&report->storage, "", &target->mount, target->device_major, target->device_minor, &report->pool);
	pool_watch_find(session);
	power_find(&report->power, "", &report->storage);
	environment_collect(&report->environment, "", target, &report->storage, &report->pool, &report->power);
	report->cache_bytes = host_memory_total_bytes(""); /* page cache and ARC may both come near it */
}

bool circumstances_watch(struct session *session, struct failure *failure)
{
	struct watch watch;
	struct keeper_message answer = {0};

	watch_init(&watch, &session->report.storage);
	enum reply reply = converse(session, KEEPER_WATCH, &watch, sizeof(watch), &answer);
	if (reply != REPLY_MESSAGE) {
		return converse_fail(session, reply, failure);
	}
	bool done = answer.type == KEEPER_DONE;
	if (!done) {
		enum status status;
		int error = 0;

		failure_set(failure, STATUS_FAILED, "%s", converse_refusal(&answer, &error, &status));
	}
	text_release(&answer.payload);
	return done;
}

void circumstances_describe(struct session *session, bool fio_absent)
{
	struct report *report = &session->report;
	char *user = access_user_name();

	report->tool = session->fio.version ? xasprintf("fio %s", session->fio.version) : xstrdup("dd");
	report->runs_as = session->access.kind == ACCESS_SUDO || session->access.kind == ACCESS_SUDO_FIO
						  ? xstrdup("root through sudo")
						  : xstrdup(user);
	if (fio_absent) {
		report_add_note(report, "fio is not installed (%s): dd measures one stream only", host_install_command());
	}
	if (session->access.note) {
		/* The SLOG profile has but one engine, which everybody may use. */
		report_add_note(report, "%s%s", session->access.note,
			session->plan.profile->synchronous ? "" : ": an I/O engine that the kernel keeps for root is left out");
	}
	if (session->plan.profile->tool == LOAD_DD && session->settings->runtime_given) {
		report_add_note(report, "dd runs until its file is done: --runtime changes nothing here, --size does");
	}
	if (session->plan.profile->tool == LOAD_DD && session->settings->ramp_s > 0) {
		report_add_note(report, "dd counts from its first byte on: --ramp changes nothing here");
	}
	free(user);
}
