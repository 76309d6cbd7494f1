#!/usr/bin/env bash
# install puts everything in its place, uninstall leaves nothing, dist is reproducible and builds.
# shellcheck source=tests/lint/tap.sh
. "$(dirname "$0")/../lint/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expected="usr/bin/speedtest-hd
usr/share/bash-completion/completions/speedtest-hd
usr/share/fish/vendor_completions.d/speedtest-hd.fish
usr/share/man/man1/speedtest-hd.1
usr/share/zsh/site-functions/_speedtest-hd"

quiet_make() { make -s --no-print-directory "$@"; }
install_it() { quiet_make install DESTDIR="$work/a b" PREFIX=/usr; }
installed() { diff <(echo "$expected") <(cd "$work/a b" && find . -type f | sed 's|^\./||' | sort); }
filled() { cd "$work/a b" && find . -type f -empty; }
uninstall_it() { quiet_make uninstall DESTDIR="$work/a b" PREFIX=/usr; }
left_over() { find "$work/a b" -type f; }
dist_twice() {
	quiet_make dist && cp "speedtest-hd-$(cat VERSION).tar.gz" "$work/first.tar.gz" && sleep 1 && quiet_make dist &&
		cmp "speedtest-hd-$(cat VERSION).tar.gz" "$work/first.tar.gz"
}
dist_builds() {
	mkdir "$work/dist" && tar -xzf "$work/first.tar.gz" -C "$work/dist" &&
		make -s -C "$work/dist/speedtest-hd-$(cat VERSION)" -j2 CFLAGS=-O0 && "$work/dist/speedtest-hd-$(cat VERSION)/speedtest-hd" --version
}
help_lists_targets() { for target in all run check static install bench; do make help | grep -q "^  $target " || return; done; }
user_flags_last() {
	make -n -W src/main.c VARIANT=flags CFLAGS='-O0 -DMARK' LDFLAGS=-Wl,--as-needed 2>/dev/null | grep -qE 'std=c17.* -O0 -DMARK'
}
without_cjson() { # a sentence with the install command, not a compiler's complaint
	local output
	output=$(make --no-print-directory VARIANT=nocjson PKG_CONFIG_LIBDIR=/nonexistent PKG_CONFIG_PATH= \
		PKG_CONFIG="$work/no-pkg-config" 2>&1) && return 1
	rm -rf build/nocjson
	echo "$output"
	echo "$output" | grep -q 'install it with' && ! echo "$output" | grep -q 'fatal error'
}

check "make install" install_it
check "files in their places" installed
nothing "no empty file installed" filled
check "make uninstall" uninstall_it
nothing "uninstall leaves nothing" left_over
if git rev-parse --verify -q HEAD >/dev/null 2>&1; then
	check "make dist gives the same bytes twice" dist_twice
	check "what dist packs builds" dist_builds
else
	skip "make dist" "not a git checkout with a commit"
fi
check "make help lists the targets" help_lists_targets
check "the caller's CFLAGS come last" user_flags_last
check "a missing cJSON is said with the command that installs it" without_cjson
tap_end
