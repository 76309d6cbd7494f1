#!/bin/sh
# Usage: fetch_cjson.sh DIR [CJSON_SRC]
# Lays out DIR/include/cjson/cJSON.c and cJSON.h for the static build: from the folder CJSON_SRC, else from the source
# package of this machine's Debian-like distribution. The package lists and the package stay inside DIR, and nothing
# outside it changes: root is not needed, nor a deb-src line in the machine's own configuration.
set -eu
directory=$1
source=${2:-}
include=$directory/include/cjson

fail() {
	echo "make: $1" >&2
	echo "make: give the folder that holds cJSON.c and cJSON.h: make static CJSON_SRC=DIR" >&2
	exit 1
}

place() {
	if [ ! -f "$1/cJSON.c" ] || [ ! -f "$1/cJSON.h" ]; then fail "no cJSON.c and cJSON.h in '$1'"; fi
	mkdir -p "$include"
	for file in cJSON.c cJSON.h; do
		# An unchanged file keeps its time, so that nothing is compiled again.
		cmp -s "$1/$file" "$include/$file" || cp "$1/$file" "$include/$file"
	done
	[ -z "$(find "$0" -newer "$include/cJSON.h")" ] || touch "$include/cJSON.h"
}

# The machine's own sources as source-package entries. Only those of the release itself are kept, where that can be
# told: other vendors' archives have nothing to say about cJSON.
derive_sources() {
	release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release 2>/dev/null | tr -d '"')
	parts=$directory/apt/sources
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ -f "$file" ] || continue
		sed -n 's/^[[:space:]]*deb[[:space:]]/deb-src /p' "$file" | grep -E "[[:space:]]$release(-[a-z]*)?[[:space:]]" \
			>"$parts/$(basename "$file" .list).list" || true
	done
	for file in /etc/apt/sources.list.d/*.sources; do
		[ -f "$file" ] || continue
		awk -v release="$release" 'BEGIN { RS = ""; ORS = "\n\n" }
			{
				kept = release == ""
				if (match($0, /(^|\n)Suites:[^\n]*/)) {
					count = split(substr($0, RSTART, RLENGTH), words, /[ \t\n]+/)
					for (i = 1; i <= count; i++)
						if (words[i] == release || index(words[i], release "-") == 1)
							kept = 1
				}
				sub(/(^|\n)Types:[^\n]*/, "\nTypes: deb-src")
				sub(/^\n/, "")
				if (kept)
					print
			}' "$file" >"$parts/$(basename "$file")"
	done
	find "$parts" -type f -empty -delete
}

if [ -n "$source" ]; then
	place "$source"
	exit 0
fi
[ -f "$include/cJSON.c" ] && [ -f "$include/cJSON.h" ] && { touch "$include/cJSON.h"; exit 0; }

command -v apt-get >/dev/null 2>&1 || fail "cannot fetch cJSON's source: there is no apt-get here"
command -v dpkg-source >/dev/null 2>&1 || fail "cannot unpack cJSON's source: install dpkg-dev"
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
include=$directory/include/cjson
rm -rf "$directory/apt" "$directory/source"
mkdir -p "$directory/apt/sources" "$directory/apt/state/lists/partial" "$directory/apt/cache/archives/partial" \
	"$directory/source"
derive_sources

apt() {
	apt-get -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$directory/apt/sources" \
		-o Dir::State="$directory/apt/state" -o Dir::State::status=/var/lib/dpkg/status \
		-o Dir::Cache="$directory/apt/cache" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
		-o APT::Sandbox::User="$(id -un)" -o APT::Get::List-Cleanup=false "$@"
}
echo "fetching the source package of cJSON into '$directory'"
log=$directory/apt/log
apt update >"$log" 2>&1 || true # one unreachable archive of several is no reason to give up
(cd "$directory/source" && apt source cjson) >>"$log" 2>&1 || { cat "$log" >&2; fail "cannot fetch cJSON's source"; }
place "$(dirname "$(find "$directory/source" -name cJSON.c | head -n 1)")"
rm -rf "$directory/apt"
