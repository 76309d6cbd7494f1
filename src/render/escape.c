#include "escape.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* What Markdown reads as its own wherever it stands; the one of "://" and "www." makes links by itself. */
static const char markdown_special[] = "\\`*_{}[]<>#|~&$^";

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Whether a backslash belongs before `at`. */
static bool is_markdown_special(const char *string, const char *at)
{
	if (strchr(markdown_special, *at)) {
		return true;
	}
	if (*at == '/') {
		return at > string && at[-1] == ':' && at[1] == '/';
	}
	if (*at == '.') {
		return at - string >= 3 && strncasecmp(at - 3, "www", 3) == 0;
	}
	/* At the beginning these make lists and rules. */
	return at == string && (*at == '-' || *at == '+' || *at == '=');
}

/* "1. text" and "1) text" make lists at the beginning of a line. */
static const char *find_list_sign(const char *string)
{
	size_t digits = strspn(string, "0123456789");

	return digits > 0 && (string[digits] == '.' || string[digits] == ')') && is_blank(string[digits + 1])
			   ? string + digits
			   : NULL;
}

void escape_markdown(FILE *out, const char *string)
{
	const char *list_sign = find_list_sign(string);

	for (const char *at = string; *at; at++) {
		if (is_markdown_special(string, at) || at == list_sign) {
			fputc('\\', out);
		}
		fputc(is_blank(*at) ? ' ' : *at, out);
	}
}

void escape_markdown_cell(FILE *out, const char *string)
{
	char previous = ' ';

	for (const char *at = string; *at; at++) {
		if (is_blank(*at) && (is_blank(previous) || is_blank(at[1]) || at[1] == '\0')) {
			continue;
		}
		/* In a cell a lone "-" is text. */
		if (is_markdown_special(string, at) && at[0] != '-' && at[0] != '+') {
			fputc('\\', out);
		}
		fputc(is_blank(*at) ? ' ' : *at, out);
		previous = *at;
	}
}

void escape_markdown_code(FILE *out, const char *language, const char *code)
{
	size_t fence = 3, run = 0;

	for (const char *at = code; *at; at++) {
		run = *at == '`' ? run + 1 : 0;
		fence = run >= fence ? run + 1 : fence;
	}
	for (size_t i = 0; i < fence; i++) {
		fputc('`', out);
	}
	fprintf(out, "%s\n%s\n", language, code);
	for (size_t i = 0; i < fence; i++) {
		fputc('`', out);
	}
	fputc('\n', out);
}

void escape_csv(FILE *out, const char *string)
{
	if (!string || !*string) {
		return;
	}
	bool is_formula = strchr("=+-@\t\r", *string) != NULL;
	bool is_quoted =
		strpbrk(string, ",;\"\n\r\t'") != NULL || is_blank(*string) || is_blank(string[strlen(string) - 1]);

	if (!is_quoted) {
		fprintf(out, "%s%s", is_formula ? "'" : "", string);
		return;
	}
	fputs(is_formula ? "\"'" : "\"", out);
	for (const char *at = string; *at;) {
		size_t plain = strcspn(at, "\"");

		fprintf(out, "%.*s%s", (int)plain, at, at[plain] ? "\"\"" : "");
		at += plain + (at[plain] ? 1 : 0);
	}
	fputc('"', out);
}
