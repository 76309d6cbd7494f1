#!/bin/sh
# Usage: check_cjson.sh PKG_CONFIG
# Says in one sentence what to install when the cJSON library cannot be found.
pkg_config=$1

fail() {
	echo "make: $1; install it with:" >&2
	if command -v apt-get >/dev/null 2>&1; then echo "    apt-get install pkg-config libcjson-dev" >&2
	elif command -v dnf >/dev/null 2>&1; then echo "    dnf install pkgconf-pkg-config cjson-devel" >&2
	elif command -v yum >/dev/null 2>&1; then echo "    yum install pkgconfig cjson-devel" >&2
	elif command -v pacman >/dev/null 2>&1; then echo "    pacman -S pkgconf cjson" >&2
	elif command -v zypper >/dev/null 2>&1; then echo "    zypper install pkg-config cJSON-devel" >&2
	elif command -v apk >/dev/null 2>&1; then echo "    apk add pkgconf cjson-dev" >&2
	else echo "    your system's package of cJSON with its headers, and pkg-config" >&2
	fi
	echo "('make run' does this by itself)" >&2
	exit 1
}

command -v "$pkg_config" >/dev/null 2>&1 || fail "$pkg_config is missing, which finds the cJSON library"
"$pkg_config" --exists libcjson || fail "the cJSON library (libcjson) or its headers are missing"
