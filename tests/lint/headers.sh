#!/usr/bin/env bash
# Each header compiles alone, has a guard named after its path, and says at its top what it is.
# shellcheck source=tests/lint/tap.sh
. "$(dirname "$0")/tap.sh"

compiles_alone() {
	${CC:-cc} -std=c17 -D_GNU_SOURCE -Iinclude -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c \
		-include "$1" /dev/null
}

missing_guards() {
	local header guard
	find include -name '*.h' | sort | while IFS= read -r header; do
		guard=$(echo "${header#include/}" | tr 'a-z/.' 'A-Z__')
		grep -qx "#ifndef $guard" "$header" || echo "$header: no guard $guard"
		head -n 1 "$header" | grep -q '^/\*' || echo "$header: does not begin with a comment that says what it is"
	done
}

while IFS= read -r header; do
	check "$header compiles alone" compiles_alone "$header"
done < <(find include -name '*.h' | sort)
nothing "guards and opening comments" missing_guards
tap_end
