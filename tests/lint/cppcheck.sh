#!/usr/bin/env bash
# shellcheck source=tests/lint/tap.sh
. "$(dirname "$0")/tap.sh"

analyse() {
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --error-exitcode=1 --inline-suppr -j 2 \
		--suppress=missingIncludeSystem -D_GNU_SOURCE -DVERSION='"0"' -Iinclude src
}

if command -v cppcheck >/dev/null 2>&1; then check cppcheck analyse
else skip cppcheck "cppcheck is not installed"; fi
tap_end
