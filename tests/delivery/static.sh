#!/usr/bin/env bash
# The static binary: built, of one piece, small, and the same program.
# shellcheck source=tests/lint/tap.sh
. "$(dirname "$0")/../lint/tap.sh"

binary=./speedtest-hd-static
build() { make --no-print-directory static; }
same() { [ "$("$binary" "$1")" = "$(./speedtest-hd "$1")" ]; }
is_static() { ! LC_ALL=C readelf -lW "$binary" | grep -E 'INTERP|DYNAMIC'; }
is_small() { [ "$(wc -c <"$binary")" -lt 655360 ]; }
no_build_path() { ! grep -aF "$PWD" "$binary"; }

runs_alone() { # in an empty root: no library, no data file
	local empty status
	empty=$(mktemp -d)
	cp "$binary" "$empty/program"
	chroot "$empty" /program --version
	status=$?
	rm -rf "$empty"
	return "$status"
}

if ! command -v musl-gcc >/dev/null 2>&1; then
	skip "static build" "musl-gcc is not installed"
	tap_end
fi
if ! command -v apt-get >/dev/null 2>&1 && [ ! -f build/cjson/include/cjson/cJSON.h ]; then
	skip "static build" "no source package of cJSON here; make static CJSON_SRC=DIR"
	tap_end
fi
check "make static" build
check "neither interpreter nor libraries" is_static
check "below 640 KiB" is_small
check "no path of the build in it" no_build_path
check "the same --version" same --version
check "the same --help" same --help
check "the same --manual" same --manual
if [ "$(id -u)" -eq 0 ]; then check "runs in an empty root" runs_alone
else skip "runs in an empty root" "needs root"; fi
tap_end
