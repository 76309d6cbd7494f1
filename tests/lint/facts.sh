#!/usr/bin/env bash
# What is stated twice is stated alike: options, exit statuses, version.
# shellcheck source=tests/lint/tap.sh
. "$(dirname "$0")/tap.sh"

manual=man/speedtest-hd.1

help_options() { ./speedtest-hd --help | grep -oE '^ *(-[A-Za-z], )?--[a-z][a-z-]*' | grep -oE -- '--[a-z-]+' | sort -u; }
# The items of the manual's option list: ".It Fl y , Fl -yes" names both.
manual_options() { grep -E '^\.It .*Fl ' "$manual" | grep -oE 'Fl (Fl |-)[a-z-]+' | sed -E 's/^Fl (Fl |-)/--/' | sort -u; }
readme_options() { grep -oE -- '`(-[A-Za-z], |-[A-Za-z]`, `)?--[a-z][a-z-]*' README.md | grep -oE -- '--[a-z-]+' | sort -u; }
foreign='--prefix|--fdump'

only_in_first() { comm -23 <("$1") <("$2"); }

statuses_of_code() { sed -nE 's/^[[:space:]]*STATUS_[A-Z]+ = ([0-9]+),.*/\1/p' include/support/failure.h | sort -u; }
statuses_of_manual() {
	sed -nE '/^\.Sh EXIT STATUS/,/^\.Sh (ENV|FILES)/p' "$manual" | sed -nE 's/^\.It (Li |Sy |Cm |Ic )?([0-9]+)$/\2/p' |
		grep -vxE '1[0-9]{2}' | sort -u
}
statuses_of_readme() {
	sed -nE '/^#+ .*[Ee]xit status/,/^#+ [^Ee]/p' README.md | grep -oE '^(\| *|[-*] *)`?[0-9]+`?' | grep -oE '[0-9]+' |
		grep -vxE '1[0-9]{2}' | sort -u
}

# The ids of findings: in the code the strings that look like one, in the manual and the README those in brackets.
ids_of_code() { grep -oE '"[a-z]+(-[a-z]+)*"' src/report/finding.c | tr -d '"' | sort -u; }
ids_of_manual() { sed -nE '/^\.Sh FINDINGS/,/^\.Sh [^F]/s/^\.It Bq ([a-z-]+)$/\1/p' "$manual" | sort -u; }
ids_of_readme() { sed -nE '/^\| id \|/,/^$/s/^\| `\[([a-z-]+)\]`.*/\1/p' README.md | sort -u; }
# Elsewhere both speak of ids, too: only of such that exist.
ids_mentioned() { grep -ohE '\[[a-z]+(-[a-z]+)+\]' README.md man/speedtest-hd.txt | tr -d '[]' | sort -u; }

version=$(cat VERSION)
version_printed() { ./speedtest-hd --version | head -n 1 | grep -qxF "speedtest-hd $version"; }
other_versions() { # the manual, if it names a version, names this one
	grep -nE 'speedtest-hd( version)? [0-9]+[.][0-9]' "$manual" man/speedtest-hd.txt | grep -vF "$version"
}
manual_printed() { ./speedtest-hd --manual | cmp - man/speedtest-hd.txt; }

nothing "every option of --help is in the manual" only_in_first help_options manual_options
nothing "every option of the manual is in --help" only_in_first manual_options help_options
nothing "every option of --help is in the README" only_in_first help_options readme_options
check "the manual's options were found" test -n "$(manual_options)"
check "the README names no unknown option" bash -c '
	! comm -13 "$@" | grep -vE -- "^('"$foreign"')$" ' - <(help_options) <(readme_options)
nothing "every exit status is in the manual" only_in_first statuses_of_code statuses_of_manual
nothing "the manual has no other exit status" only_in_first statuses_of_manual statuses_of_code
nothing "every exit status is in the README" only_in_first statuses_of_code statuses_of_readme
check "the code's ids of findings were found" test -n "$(ids_of_code)"
nothing "every id of the code is in the manual" only_in_first ids_of_code ids_of_manual
nothing "the manual lists no other id" only_in_first ids_of_manual ids_of_code
nothing "every id of the code is in the README" only_in_first ids_of_code ids_of_readme
nothing "the README lists no other id" only_in_first ids_of_readme ids_of_code
nothing "no id is mentioned that is not listed" only_in_first ids_mentioned ids_of_code
check "--version prints VERSION" version_printed
nothing "the manual names no other version" other_versions
check "--manual prints man/speedtest-hd.txt" manual_printed
tap_end
