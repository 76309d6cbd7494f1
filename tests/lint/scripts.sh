#!/usr/bin/env bash
# Runs shellcheck over every shell script; Python files compile.
# shellcheck source=tests/lint/tap.sh
. "$(dirname "$0")/tap.sh"

shell_scripts() {
	tree_files | grep -v '^tests/fixtures/' | while IFS= read -r file; do
		case $file in
		*.sh | *.bash) echo "$file" ;;
		*) head -n 1 "$file" | tr -d '\0' | grep -qE '^#!.*[/ ](ba|da)?sh( |$)' && echo "$file" ;;
		esac
	done
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
	tree_files | while IFS= read -r file; do
		if head -c 2 "$file" | tr -d '\0' | grep -q '^#!'; then
			[ -x "$file" ] || echo "$file: begins with #! but is not executable"
		fi
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
