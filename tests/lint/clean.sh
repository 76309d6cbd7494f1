#!/usr/bin/env bash
# After a build git sees nothing but what was there before it: everything made is ignored, and nothing made is ignored
# that was committed.
# shellcheck source=tests/lint/tap.sh
. "$(dirname "$0")/tap.sh"

untracked() {
	git status --porcelain --untracked-files=all | grep -E '^\?\?' |
		grep -vE '^\?\? "?(src|include|man|tests|tools|\.ci)/.*[^/]$|^\?\? [A-Z][A-Za-z]*(\.md)?$|^\?\? \.[a-z-]*$'
}
ignored_but_tracked() { git ls-files --cached --ignored --exclude-standard; }
executables() { tree_files | LC_ALL=C xargs -d '\n' grep -laP '^\x7fELF'; }

if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
	if [ "${CI:-}" = true ]; then nothing "git status is clean" git status --porcelain
	else nothing "the build leaves nothing untracked" untracked; fi
	nothing "nothing committed is ignored" ignored_but_tracked
else
	skip "git status is clean" "not a git checkout"
fi
nothing "no compiled file in the tree" executables
tap_end
