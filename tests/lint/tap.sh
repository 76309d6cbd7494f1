# shellcheck shell=bash
# For the checks: bash "tap.sh" is sourced by each; it changes to the repository's root and counts what is reported.
#   check NAME COMMAND...   one test, passed when COMMAND succeeds; what it prints is shown when it fails
#   nothing NAME COMMAND... one test, passed when COMMAND prints nothing
#   skip NAME REASON        one test that cannot run here
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
tap_count=0
tap_failed=0

tap_report() { # NAME DIAGNOSTICS, passed when DIAGNOSTICS is empty
	tap_count=$((tap_count + 1))
	if [ -z "$2" ]; then
		echo "ok $tap_count - $1"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_count - $1"
		printf '%s\n' "$2" | sed 's/^/# /'
	fi
}

check() {
	local name=$1 output
	shift
	if output=$("$@" 2>&1 </dev/null); then tap_report "$name" ""; else tap_report "$name" "${output:-failed: $*}"; fi
}

nothing() {
	local name=$1
	shift
	tap_report "$name" "$("$@" 2>&1 </dev/null)"
}

skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

tap_end() {
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ]
	exit
}

# The text files of the tree, relative to the root; what git does not know yet counts too.
tree_files() {
	if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
		git ls-files --cached --others --exclude-standard | while IFS= read -r file; do
			if [ -f "$file" ]; then echo "$file"; fi
		done
	else
		find . -path ./build -prune -o -path ./.git -prune -o -type f ! -path '*/__pycache__/*' -print | sed 's|^\./||' |
			grep -vxE 'speedtest-hd|speedtest-hd-static|speedtest-hd-.*\.tar\.gz'
	fi
}

# Every line of C with its place, comments and strings included.
sources() { find src include -name '*.[ch]' | sort; }
