#include "keeper/access.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "probe/host.h"
#include "support/clock.h"
#include "support/memory.h"
#include "support/process.h"
#include "support/signals.h"

enum { SUDO_TIMEOUT_MS = 20000, HANG_UP_MS = 5000, ANSWER_MS = 1000 };

/* How an attempt to get a keeper went. */
enum attempt {
	ATTEMPT_OPEN,
	ATTEMPT_NO_KEEPER, /* it did not come up: sudo refused, or the program cannot be read by root */
	ATTEMPT_NO_ACCESS, /* it came up, but may not write to the target */
	ATTEMPT_FINAL,     /* it said no for a reason that holds for everybody */
	ATTEMPT_SIGNAL,
};

char *access_user_name(void)
{
	const char *name = getenv("USER");

	/* Only a name that is used in sentences: not worth the libraries that getpwuid would load. */
	return geteuid() == 0  ? xstrdup("root")
		   : name && *name ? text_printable(name)
						   : xasprintf("user %u", (unsigned)geteuid());
}

void access_release(struct access *access)
{
	free(access->note);
	*access = (struct access){ACCESS_USER, NULL};
}

/* What sudo said, without "sudo: ", on one line: the first that is no mere warning. The caller frees it. */
static char *sudo_words(const char *text)
{
	const char *words = "it does not say why";

	for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
		if (*line != '\n' && *line != '\r' && !text_starts_with(line, "sudo: unable to resolve host")) {
			words = text_starts_with(line, "sudo: ") ? strchr(line, ' ') + 1 : line;
			break;
		}
	}
	char *line = xstrndup(words, strcspn(words, "\r\n"));
	char *printable = text_printable(line);
	size_t length = strlen(printable);
	if (length > 0 && printable[length - 1] == '.') {
		printable[length - 1] = '\0'; /* it goes into a sentence of ours */
	}
	free(line);
	return printable;
}

/* Wait for one message of the opening; anything but a message is an answer too. */
static enum attempt await(struct keeper_link *link, struct keeper_message *message)
{
	for (;;) {
		switch (keeper_link_wait(link, message, ANSWER_MS)) {
		case LINK_MESSAGE:
			return ATTEMPT_OPEN;
		case LINK_SIGNAL:
			return ATTEMPT_SIGNAL;
		case LINK_GONE:
			return ATTEMPT_NO_KEEPER;
		case LINK_TICK:
			break; /* a slow sudo (LDAP, a terminal prompt) is not a refusal */
		}
	}
}

static bool greets_properly(const struct keeper_message *message, bool through_sudo, bool needs_fio, char **why)
{
	struct keeper_hello hello;

	if (message->type != KEEPER_HELLO || !keeper_payload(message, &hello, sizeof(hello)) ||
		hello.magic != KEEPER_MAGIC || hello.layout_version != KEEPER_LAYOUT_VERSION) {
		*why = xstrdup("another version of speedtest-hd answered");
		return false;
	}
	if (through_sudo && hello.effective_uid != 0) {
		*why = xasprintf("sudo makes it user %u, not root", (unsigned)hello.effective_uid);
		return false;
	}
	if (through_sudo && needs_fio && !hello.has_fio) {
		*why = xstrdup("root finds no fio in the system's program folders");
		return false;
	}
	return true;
}

/* Have a keeper that was just started make the test folder. `*why` says why not, where it does not. */
static enum attempt open_folder(struct keeper_link *link, const struct access_request *request, bool through_sudo,
	char **why, struct failure *failure)
{
	struct keeper_open open_request = {.device = request->device, .inode = request->inode};
	struct keeper_message message = {0};
	struct keeper_refusal refusal = {0};
	enum attempt attempt = await(link, &message);

	if (attempt == ATTEMPT_OPEN && !greets_properly(&message, through_sudo, request->fio != NULL, why)) {
		attempt = ATTEMPT_NO_KEEPER;
	}
	text_release(&message.payload);
	if (attempt == ATTEMPT_OPEN) {
		keeper_link_send(link, KEEPER_OPEN, &open_request, sizeof(open_request));
		attempt = await(link, &message);
	}
	if (attempt == ATTEMPT_NO_KEEPER && !*why) {
		*why = sudo_words(text_string(&link->error_text));
	}
	if (attempt == ATTEMPT_OPEN && message.type == KEEPER_REFUSED &&
		keeper_payload(&message, &refusal, sizeof(refusal))) {
		const char *sentence = text_string(&message.payload) + sizeof(refusal);
		bool no_access = refusal.error == EACCES || refusal.error == EPERM || refusal.error == ESTALE;

		attempt = no_access ? ATTEMPT_NO_ACCESS : ATTEMPT_FINAL;
		failure_set(failure, (enum status)refusal.status, "cannot measure '%s': %s", request->shown_path, sentence);
		*why = xstrdup(refusal.error ? strerror(refusal.error) : sentence);
	}
	if (attempt == ATTEMPT_OPEN && message.type != KEEPER_READY) {
		*why = xstrdup("it was ended at once");
		attempt = ATTEMPT_NO_KEEPER;
	}
	text_release(&message.payload);
	if (attempt != ATTEMPT_OPEN) {
		keeper_link_close(link, HANG_UP_MS);
	}
	return attempt;
}

static enum attempt try_copy(
	struct keeper_link *link, const struct access_request *request, const char *sudo, struct failure *failure)
{
	char *why = NULL;

	if (!keeper_link_start_copy(link, request->directory, request->fio, sudo)) {
		failure_set(failure, STATUS_FAILED, "cannot start a helper process: %s", strerror(errno));
		return ATTEMPT_FINAL;
	}
	enum attempt attempt = open_folder(link, request, false, &why, failure);
	if (attempt == ATTEMPT_NO_KEEPER) {
		failure_set(failure, STATUS_FAILED, "the helper process died (%s)", why ? why : "no word from it");
	}
	free(why);
	return attempt;
}

static enum attempt try_sudo(struct keeper_link *link, const struct access_request *request, const char *sudo,
	const char *program, bool may_ask, char **why, struct failure *failure)
{
	free(*why);
	*why = NULL;
	if (!keeper_link_start_sudo(link, request->directory, sudo, program, may_ask)) {
		*why = xasprintf("sudo cannot be started, %s", strerror(errno));
		return ATTEMPT_NO_KEEPER;
	}
	return open_folder(link, request, true, why, failure);
}

/* Run `sudo` with some arguments, silently. Whether it succeeded; `*said` is what it wrote on both streams. */
static bool ask_sudo(const char *sudo, const char *const *arguments, struct text *said)
{
	const char *argv[8] = {sudo};
	int wait_status = -1;

	for (size_t i = 0; i < 6 && arguments[i]; i++) {
		argv[i + 1] = arguments[i];
	}
	return process_capture(sudo, argv, SUDO_TIMEOUT_MS, said, said, &wait_status) == PROCESS_ENDED && wait_status == 0;
}

/* Have the user prove who he is, on the terminal, before anything else is shown. False where that did not work. */
static bool validate(const char *sudo)
{
	const char *const argv[] = {
		sudo, "-v", "-p", "[sudo] password for %p (fio runs as root; --no-sudo measures without): ", NULL};
	struct process_spec spec = PROCESS_SPEC_NONE;
	struct termios before;
	bool have_terminal = tcgetattr(STDIN_FILENO, &before) == 0;
	int wait_status = -1;

	spec.program = sudo;
	spec.argv = argv;
	spec.in = STDIN_FILENO;
	spec.out = STDERR_FILENO; /* stdout is for results */
	spec.err = STDERR_FILENO;
	pid_t pid = process_start(&spec);
	if (pid < 0) {
		return false;
	}
	while (waitpid(pid, &wait_status, WNOHANG) == 0 && !signals_received()) {
		struct timespec tick = {.tv_sec = 1};

		ppoll(NULL, 0, &tick, signals_wait_mask());
	}
	if (signals_received() && wait_status == -1) {
		/* It is root's and cannot be killed; Ctrl-C ended it, and otherwise it ends when it cannot read any more. */
		struct timespec moment = {.tv_nsec = 200 * 1000000L};

		nanosleep(&moment, NULL);
		waitpid(pid, &wait_status, WNOHANG);
		if (have_terminal) {
			tcsetattr(STDIN_FILENO, TCSANOW, &before);
		}
	}
	return wait_status == 0;
}

/* Whether this user could get anywhere by typing a password. */
static bool password_may_help(const char *sudo, const char *why)
{
	const char *const arguments[] = {"-n", "-v", NULL};
	struct text said = TEXT_EMPTY;
	bool wanted = strstr(why, "password is required") != NULL;

	if (wanted) {
		ask_sudo(sudo, arguments, &said);
		wanted = strstr(text_string(&said), "may not run sudo") == NULL;
	}
	text_release(&said);
	return wanted;
}

/* Whether sudo lets this user run fio, if nothing else; of use only where he can make the folder himself. */
static bool may_run_fio(const char *sudo, const struct access_request *request)
{
	const char *const arguments[] = {"-n", "-u", "root", "--", request->fio, "--version", NULL};
	struct text said = TEXT_EMPTY;
	bool may = request->fio && request->writable && ask_sudo(sudo, arguments, &said) &&
			   strstr(text_string(&said), "fio-") != NULL;

	text_release(&said);
	return may;
}

/* A keeper as root, after the user has typed a password where that may help. */
static enum attempt ask_for_root(struct keeper_link *link, const struct access_request *request, const char *sudo,
	const char *program, char **why, struct failure *failure)
{
	enum attempt attempt = ATTEMPT_NO_KEEPER;

	if (!request->may_ask || !password_may_help(sudo, *why)) {
		return attempt;
	}
	bool validated = !signals_received() && validate(sudo);
	if (signals_received()) {
		return ATTEMPT_SIGNAL;
	}
	if (validated) {
		attempt = try_sudo(link, request, sudo, program, false, why, failure);
	}
	if (attempt == ATTEMPT_NO_KEEPER && validated && strstr(*why, "password is required")) {
		/* sudo keeps no ticket (timestamp_timeout=0): it has to ask for each command. */
		attempt = try_sudo(link, request, sudo, program, true, why, failure);
	}
	return attempt;
}

/* Root's rights, for the keeper or at least for fio. Sets the kind where it returns ATTEMPT_OPEN. */
static enum attempt get_root(struct access *access, struct keeper_link *link, const struct access_request *request,
	const char *sudo, char **why, struct failure *failure)
{
	char *program = realpath("/proc/self/exe", NULL);
	enum attempt attempt = ATTEMPT_NO_KEEPER;
	bool fio_alone = false;

	if (program) {
		attempt = try_sudo(link, request, sudo, program, false, why, failure);
	} else {
		*why = xstrdup("this program cannot find itself in /proc");
	}
	if (attempt == ATTEMPT_NO_KEEPER) {
		fio_alone = may_run_fio(sudo, request);
	}
	if (attempt == ATTEMPT_NO_KEEPER && !fio_alone && program) {
		attempt = ask_for_root(link, request, sudo, program, why, failure);
		fio_alone = attempt == ATTEMPT_NO_KEEPER && may_run_fio(sudo, request);
	}
	free(program);
	access->kind = fio_alone ? ACCESS_SUDO_FIO : ACCESS_SUDO;
	return fio_alone ? try_copy(link, request, sudo, failure) : attempt;
}

/* The user's own rights, with a note that says what that changes. */
static bool open_as_user(struct access *access, struct keeper_link *link, const struct access_request *request,
	const char *why, struct failure *failure)
{
	char *user = access_user_name();
	enum attempt attempt;

	access->kind = ACCESS_USER;
	failure_clear(failure);
	if (!request->writable) {
		failure_set(failure, STATUS_TARGET, "'%s' is not writable for %s%s%s; run speedtest-hd as root",
			request->shown_path, user, why ? ", and sudo does not help: " : "", why ? why : "");
		free(user);
		return false;
	}
	attempt = try_copy(link, request, NULL, failure);
	if (attempt == ATTEMPT_OPEN && why && request->needs_root) {
		access->note = xasprintf("fio runs as %s, not as root (%s)", user, why);
	}
	free(user);
	return attempt == ATTEMPT_OPEN;
}

static bool open_through_sudo(
	struct access *access, struct keeper_link *link, const struct access_request *request, struct failure *failure)
{
	char *sudo = host_find_program("sudo");
	char *why = NULL;
	enum attempt attempt = ATTEMPT_NO_KEEPER;
	bool opened = false;

	if (sudo) {
		attempt = get_root(access, link, request, sudo, &why, failure);
	} else {
		why = xstrdup("sudo is not installed");
	}
	if (attempt == ATTEMPT_OPEN) {
		opened = true;
	} else if (attempt == ATTEMPT_NO_KEEPER || attempt == ATTEMPT_NO_ACCESS) {
		char *reason = attempt == ATTEMPT_NO_ACCESS ? xasprintf("root may not write there, %s", why) : xstrdup(why);

		opened = open_as_user(access, link, request, reason, failure);
		free(reason);
	}
	free(why);
	free(sudo);
	return opened;
}

bool access_open(
	struct access *access, struct keeper_link *link, const struct access_request *request, struct failure *failure)
{
	*access = (struct access){ACCESS_USER, NULL};
	*link = KEEPER_LINK_NONE;
	if (geteuid() == 0) {
		access->kind = ACCESS_ROOT;
		return try_copy(link, request, NULL, failure) == ATTEMPT_OPEN;
	}
	if (request->no_sudo || (!request->needs_root && request->writable)) {
		return open_as_user(access, link, request, NULL, failure);
	}
	return open_through_sudo(access, link, request, failure);
}
