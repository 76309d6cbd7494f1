#!/bin/sh
# Usage: probe_flags.sh CC compile|link FLAG...
# Prints those flags that the compiler takes without a word, one on a line, in the given order.
set -u
compiler=$1
stage=$2
shift 2

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
echo 'int main(void) { return 0; }' >"$work/probe.c"

accepts() {
	if [ "$stage" = compile ]; then
		# -O2, since _FORTIFY_SOURCE wants it; $compiler unquoted, since it may carry arguments.
		# shellcheck disable=SC2086
		$compiler -O2 -Werror "$1" -c -o "$work/probe.o" "$work/probe.c" >"$work/log" 2>&1
	else
		# shellcheck disable=SC2086
		$compiler -Werror -fPIE "$1" -o "$work/probe" "$work/probe.c" >"$work/log" 2>&1
	fi && [ ! -s "$work/log" ]
}

for flag in "$@"; do
	accepts "$flag" && printf '%s\n' "$flag"
done
exit 0
