#include "settings/help.h"

#include <stdlib.h>
#include <string.h>

#include "settings/options.h"
#include "support/memory.h"
#include "support/text.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

#define HELP_COLUMNS 80

static const char usage[] = "Usage: speedtest-hd PATH [--fio | --dd | --slog] [OPTION]...\n";
static const char usage_of_saved[] = "       speedtest-hd --load FILE [OPTION]...\n";

static const char examples[] = "Examples:\n"
							   "  speedtest-hd /mnt/disk               sequential and random, read and write\n"
							   "  speedtest-hd . -y --size 4g          the current directory, not asking first\n"
							   "  speedtest-hd /mnt/tank --slog        latency of synchronous writes (ZFS SLOG)\n"
							   "  speedtest-hd /mnt/tank --slog --diagnose\n"
							   "                                       why they are slow, and what to do\n"
							   "  speedtest-hd /mnt/disk --runtime 30  longer runs, past a drive's own cache\n"
							   "  speedtest-hd /mnt/nas --dd           where fio is not installed\n"
							   "  speedtest-hd /mnt/disk -y >disk.txt  only the results go into the file\n"
							   "  speedtest-hd /mnt/disk --runs 5 -o before.json -o before.html\n"
							   "                                       medians of five, saved and drawn\n"
							   "  speedtest-hd /mnt/disk --runs 5 --compare before.json\n"
							   "                                       is it faster than it was?\n"
							   "  speedtest-hd /mnt/disk -y --fail-below 'RND4K Q1T1 read iops=10000'\n"
							   "                                       for scripts: status 5 if it is not\n";

/* By enum option_section. */
static const char *const section_titles[OPTION_SECTION_COUNT] = {"Tests", "Repeats", "Output", "Comparison", "Other"};

static const char after_options[] = "Exit status:\n"
									"  0 measured, 1 a run failed, 2 wrong command line, 3 the target cannot be\n"
									"  measured, 4 fio is missing or does not start, 5 a limit of --fail-below,\n"
									"  --fail-above or --fail-slower was missed; when interrupted, the signal's\n"
									"\n"
									"Environment:\n"
									"  NO_COLOR, FORCE_COLOR and TERM decide on colour, COLUMNS on the width\n"
									"\n"
									"Manual: speedtest-hd --manual\n";

/* The left column of an option: "  -y, --yes", "      --size SIZE". The caller frees it. */
static char *option_label(const struct option_entry *option)
{
	const char *blank = option->argument_name ? " " : "";
	const char *argument = option->argument_name ? option->argument_name : "";

	if (option->short_name != 0) {
		return xasprintf("  -%c, --%s%s%s", option->short_name, option->name, blank, argument);
	}
	return xasprintf("      --%s%s%s", option->name, blank, argument);
}

static size_t label_columns(void)
{
	size_t widest = 0;

	for (size_t i = 0; i < options_count; i++) {
		char *label = options[i].help ? option_label(&options[i]) : xstrdup("");
		size_t columns = strlen(label);
		free(label);
		if (columns > widest) {
			widest = columns;
		}
	}
	return widest + 2;
}

/* Print words from column `indent` on, in lines that end before HELP_COLUMNS. */
static void print_wrapped(FILE *out, const char *words, size_t indent)
{
	size_t column = indent;

	while (*words != '\0') {
		size_t length = strcspn(words, " ");
		if (column > indent && column + 1 + length > HELP_COLUMNS) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		}
		if (column > indent) {
			fputc(' ', out);
			column++;
		}
		fwrite(words, 1, length, out);
		column += length;
		words += length;
		words += strspn(words, " ");
	}
	fputc('\n', out);
}

static void print_options(FILE *out)
{
	size_t indent = label_columns();

	for (size_t i = 0; i < options_count; i++) {
		if (!options[i].help) {
			continue;
		}
		if (i == 0 || options[i].section != options[i - 1].section) {
			fprintf(out, "\n%s:\n", section_titles[options[i].section]);
		}
		char *label = option_label(&options[i]);
		fprintf(out, "%-*s", (int)indent, label);
		free(label);
		print_wrapped(out, options[i].help, indent);
	}
}

void help_print(FILE *out)
{
	fprintf(out, "%s%sMeasure the storage under the directory PATH.\n\n%s", usage, usage_of_saved, examples);
	print_options(out);
	fprintf(out, "\n%s", after_options);
}

void help_print_short(FILE *out)
{
	fprintf(out,
		"%sMeasure the storage under a directory; one is needed, for example:\n"
		"  speedtest-hd /mnt/disk           speed of reading and writing\n"
		"  speedtest-hd /mnt/tank --slog    latency of synchronous writes\n"
		"All options: speedtest-hd --help\n",
		usage);
}

void help_print_version(FILE *out)
{
	fprintf(out,
		"speedtest-hd %s\n"
		"Copyright (C) 2026 the speedtest-hd authors\n"
		"License MIT; free software, no warranty\n",
		VERSION);
}
