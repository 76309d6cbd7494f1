#!/usr/bin/env bash
# Runs shellcheck over every shell script; Python files compile.
# shellcheck source=tests/lint/tap.sh
. "$(dirname "$0")/tap.sh"

# Those files of stdin whose first line is #! and such an interpreter (a regular expression; "" is any).
begun_with() { LC_ALL=C xargs -r -d '\n' awk -v wanted="^#!.*$1" 'FNR == 1 && $0 ~ wanted { print FILENAME } { nextfile }'; }

shell_scripts() {
	tree_files | grep -v '^tests/fixtures/' | grep -E '\.(sh|bash)$'
	tree_files | grep -v '^tests/fixtures/' | grep -vE '\.(sh|bash)$' | begun_with '[/ ](ba|da)?sh( |$)'
}

python_compiles() {
	tree_files | while IFS= read -r file; do
		case $file in *.py | tests/run) echo "$file" ;; esac
	done | xargs python3 -c 'import ast, sys
for name in sys.argv[1:]:
	with open(name, encoding="utf-8") as file:
		ast.parse(file.read(), name)'
}

bad_modes() {
	tree_files | begun_with '' | while IFS= read -r file; do
		[ -x "$file" ] || echo "$file: begins with #! but is not executable"
	done
}

if command -v shellcheck >/dev/null 2>&1; then
	while IFS= read -r file; do
		check "shellcheck $file" shellcheck -x "$file"
	done < <(shell_scripts)
else
	skip shellcheck "shellcheck is not installed"
fi
check "Python files are correct" python_compiles
nothing "scripts are executable" bad_modes
tap_end
