#!/usr/bin/env bash
# Rules of the code that a grep can hold.
# shellcheck source=tests/lint/tap.sh
. "$(dirname "$0")/tap.sh"

banned_functions() {
	local names='strcpy|strcat|sprintf|vsprintf|strncpy|strncat|strtok|gets|atoi|atol|atof|system|popen|tmpnam|mktemp'
	sources | xargs grep -nE "(^|[^A-Za-z0-9_])($names)[[:space:]]*\("
	sources | xargs grep -nE 'setlocale[[:space:]]*\(' | grep -v LC_CTYPE
}

# The others hold cJSON's node by its name alone, without looking inside.
json_elsewhere() { sources | grep -vE '^src/support/json(_parse|_write)?[.]c$' | xargs grep -nE 'cJSON_|include.*cJSON'; }

# fio's own option names, spelt as options or as the "name=" of a job.
fio_options_elsewhere() {
	local names='ioengine|iodepth|numjobs|time_based|randrepeat|refill_buffers|group_reporting|output-format|end_fsync'
	find src include -name '*.[ch]' ! -path '*/fio/*' -print0 | xargs -0 grep -nE "\"(--)?($names)(=|\")|--($names)"
}

feature_macros() { sources | xargs grep -nE '^#[[:space:]]*define[[:space:]]+_(GNU|POSIX_C|XOPEN|DEFAULT)_SOURCE'; }
kernel_headers() { sources | xargs grep -nE '^#[[:space:]]*include[[:space:]]*<linux/'; }
typedef_structs() { sources | xargs grep -nE '^[[:space:]]*typedef[[:space:]]+(struct|enum|union)'; }
constructors() { sources | xargs grep -nE '__attribute__\(\(.*(constructor|destructor)'; }
long_files() { sources | xargs wc -l | awk '$2 != "total" && $1 > 450 { print $2 ": " $1 " lines" }'; }
long_lines() { # a tab counts as four, as .editorconfig says
	sources | while IFS= read -r file; do
		expand -t 4 "$file" | awk -v file="$file" 'length($0) > 120 { print file ":" FNR ": " length($0) " columns" }'
	done
}
stray_whitespace() { sources | xargs grep -nE '[[:space:]]+$'; }
function_braces() { sources | xargs grep -nE '^[a-z].*\) \{$'; }
direct_proc() {
	# Captured machines are tested through the root prefix; only file.c may turn /proc and /sys into paths.
	sources | grep -vx 'src/support/file.c' | xargs grep -nE '(open|fopen|stat|readlink|opendir)\("/(proc|sys)/' |
		grep -v '/proc/self/fd'
}

nothing "no banned function" banned_functions
nothing "cJSON only in src/support/json*.c" json_elsewhere
nothing "fio's options only in src/fio" fio_options_elsewhere
nothing "no feature macro outside the Makefile" feature_macros
nothing "no kernel header" kernel_headers
nothing "no typedef of a struct" typedef_structs
nothing "no constructor function" constructors
nothing "no file over 450 lines" long_files
nothing "no line over 120 columns" long_lines
nothing "no space at a line's end" stray_whitespace
nothing "a function's brace has its own line" function_braces
nothing "/proc and /sys only through the root prefix" direct_proc
tap_end
