#include "settings/help.h"

#include <string.h>

#include "settings/options.h"

/* Print a string with every byte of `special` behind a `prefix`. */
static void print_escaped(FILE *out, const char *string, const char *special, const char *prefix)
{
	for (; *string != '\0'; string++) {
		if (strchr(special, *string)) {
			fputs(prefix, out);
		}
		fputc(*string, out);
	}
}

/* The words of an option, blanks between them. */
static void print_words(FILE *out, const struct option_entry *option)
{
	for (size_t i = 0; option->words[i]; i++) {
		fprintf(out, "%s%s", i > 0 ? " " : "", option->words[i]);
	}
}

/* Whether two options exclude each other. */
static bool exclude(const struct option_entry *one, const struct option_entry *other)
{
	return one != other && one->group != OPTION_GROUP_NONE && one->group == other->group;
}

/* bash: the options of no group, or those of one group, each behind `before`, with `separator` between them. */
static void print_group(FILE *out, enum option_group group, const char *before, const char *separator)
{
	const char *between = "";

	for (size_t i = 0; i < options_count; i++) {
		if (!options[i].help || options[i].group != group) {
			continue;
		}
		fprintf(out, "%s%s%s", between, before, options[i].name);
		between = separator;
	}
}

/* bash: what may follow an option that takes an argument. */
static void print_bash_arguments(FILE *out)
{
	for (size_t i = 0; i < options_count; i++) {
		if (!options[i].help || options[i].argument == OPTION_ARGUMENT_NONE) {
			continue;
		}
		fputs("\t", out);
		if (options[i].short_name != 0) {
			fprintf(out, "-%c | ", options[i].short_name);
		}
		fprintf(out, "--%s) ", options[i].name);
		if (options[i].argument == OPTION_ARGUMENT_FILE) {
			fputs("files=yes ;;\n", out);
			continue;
		}
		fputs("words='", out);
		if (options[i].words) {
			print_words(out, &options[i]);
		}
		fputs("' ;;\n", out);
	}
}

static void print_bash(FILE *out)
{
	fputs("# bash completion for speedtest-hd; read it with: source <(speedtest-hd --completion bash)\n"
		  "_speedtest_hd() {\n"
		  "\tlocal word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} before='' words='' files=''\n"
		  "\tlocal -a earlier=(\"${COMP_WORDS[@]:1:COMP_CWORD - 1}\")\n"
		  "\tCOMPREPLY=()\n"
		  "\n"
		  "\t# Nothing but paths after '--': without a reply bash itself completes directories (-o dirnames).\n"
		  "\t[[ \" ${earlier[*]} \" == *' -- '* ]] && return\n"
		  "\n"
		  "\t# --engine=io is three words where COMP_WORDBREAKS holds '=', else it is one.\n"
		  "\tif [[ $word == '=' ]]; then\n"
		  "\t\tword=''\n"
		  "\telif [[ $previous == '=' && $COMP_CWORD -gt 1 ]]; then\n"
		  "\t\tprevious=${COMP_WORDS[COMP_CWORD - 2]}\n"
		  "\telif [[ $word == --*=* ]]; then\n"
		  "\t\tprevious=${word%%=*} before=${word%%=*}= word=${word#*=}\n"
		  "\tfi\n"
		  "\n"
		  "\tcase $previous in\n",
		out);
	print_bash_arguments(out);
	fputs("\t*)\n"
		  "\t\t[[ $word == -* ]] || return\n"
		  "\t\twords='",
		out);
	print_group(out, OPTION_GROUP_NONE, "--", " ");
	fputs("'\n", out);
	for (int group = OPTION_GROUP_NONE + 1; group < OPTION_GROUP_COUNT; group++) {
		fputs("\t\t[[ \" ${earlier[*]} \" == *' --'@(", out);
		print_group(out, (enum option_group)group, "", "|");
		fputs(")' '* ]] || words+=' ", out);
		print_group(out, (enum option_group)group, "--", " ");
		fputs("'\n", out);
	}
	fputs("\t\t;;\n"
		  "\tesac\n"
		  "\tif [[ $files ]]; then\n"
		  "\t\t# Without a reply bash itself completes files, and quotes what needs it.\n"
		  "\t\t[[ $before ]] && mapfile -t COMPREPLY < <(compgen -P \"$before\" -f -- \"$word\")\n"
		  "\t\tcompopt -o default +o dirnames 2>/dev/null\n"
		  "\t\treturn\n"
		  "\tfi\n"
		  "\tmapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$words\" -- \"$word\")\n"
		  "\tcompopt +o dirnames 2>/dev/null\n"
		  "}\n"
		  "complete -o dirnames -F _speedtest_hd speedtest-hd\n",
		out);
}

/* zsh: the options that cannot stand beside this one, in brackets; "*" for one that may be given again. */
static void print_zsh_exclusions(FILE *out, const struct option_entry *option)
{
	if (option->alone) {
		fputs("'(- *)'", out);
		return;
	}
	if (option->repeatable) {
		fputs("\\*", out);
		return;
	}
	fprintf(out, "'(--%s", option->name);
	if (option->short_name != 0) {
		fprintf(out, " -%c", option->short_name);
	}
	for (size_t i = 0; i < options_count; i++) {
		if (exclude(option, &options[i])) {
			fprintf(out, " --%s", options[i].name);
		}
	}
	fputs(")'", out);
}

static void print_zsh_option(FILE *out, const struct option_entry *option)
{
	fputs("\t\t", out);
	print_zsh_exclusions(out, option);
	bool has_value = option->argument != OPTION_ARGUMENT_NONE;
	if (option->short_name != 0) {
		fprintf(out, "{-%c%s,--%s%s}", option->short_name, has_value ? "+" : "", option->name, has_value ? "=" : "");
	} else {
		fprintf(out, "--%s%s", option->name, has_value ? "=" : "");
	}
	fputs("'[", out);
	for (const char *byte = option->help; *byte != '\0'; byte++) {
		if (*byte == '\'') {
			fputs("'\\''", out);
		} else {
			fprintf(out, "%s%c", strchr("[]\\:", *byte) ? "\\" : "", *byte);
		}
	}
	fputc(']', out);
	if (has_value) {
		fprintf(out, ":%s:", option->argument_name);
	}
	if (option->words) {
		fputc('(', out);
		print_words(out, option);
		fputc(')', out);
	} else if (has_value) {
		fputs(option->argument == OPTION_ARGUMENT_FILE ? "_files" : " ", out);
	}
	fputs("' \\\n", out);
}

static void print_zsh(FILE *out)
{
	fputs("#compdef speedtest-hd\n"
		  "# zsh completion for speedtest-hd; save it as _speedtest-hd in a folder of $fpath\n"
		  "_speedtest-hd() {\n"
		  "\t_arguments -s -S \\\n",
		out);
	for (size_t i = 0; i < options_count; i++) {
		if (options[i].help) {
			print_zsh_option(out, &options[i]);
		}
	}
	fputs("\t\t'1:directory:_files -/'\n"
		  "}\n"
		  "if [[ ${funcstack[1]} == _speedtest-hd ]]; then\n"
		  "\t_speedtest-hd \"$@\"\n"
		  "else\n"
		  "\tcompdef _speedtest-hd speedtest-hd\n"
		  "fi\n",
		out);
}

static void print_fish_option(FILE *out, const struct option_entry *option)
{
	fputs("complete -c speedtest-hd", out);
	if (option->group != OPTION_GROUP_NONE) {
		fputs(" -n 'not __fish_contains_opt", out);
		for (size_t i = 0; i < options_count; i++) {
			if (exclude(option, &options[i])) {
				fprintf(out, " %s", options[i].name);
			}
		}
		fputc('\'', out);
	}
	if (option->short_name != 0) {
		fprintf(out, " -s %c", option->short_name);
	}
	fprintf(out, " -l %s", option->name);
	if (option->argument != OPTION_ARGUMENT_NONE) {
		fputs(option->argument == OPTION_ARGUMENT_FILE ? " -r -F" : " -x", out);
	}
	if (option->words) {
		fputs(" -a '", out);
		print_words(out, option);
		fputc('\'', out);
	}
	fputs(" -d '", out);
	print_escaped(out, option->help, "'\\", "\\");
	fputs("'\n", out);
}

static void print_fish(FILE *out)
{
	fputs("# fish completion for speedtest-hd; read it with: speedtest-hd --completion fish | source\n"
		  "complete -c speedtest-hd -f -a '(__fish_complete_directories (commandline -ct) \"directory\")'\n",
		out);
	for (size_t i = 0; i < options_count; i++) {
		if (options[i].help) {
			print_fish_option(out, &options[i]);
		}
	}
}

void help_print_completion(FILE *out, const char *shell)
{
	if (strcmp(shell, "bash") == 0) {
		print_bash(out);
	} else if (strcmp(shell, "zsh") == 0) {
		print_zsh(out);
	} else {
		print_fish(out);
	}
}
