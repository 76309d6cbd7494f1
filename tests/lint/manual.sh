#!/usr/bin/env bash
# The manual is correct mdoc for both formatters, and its plain text is up to date.
# shellcheck source=tests/lint/tap.sh
. "$(dirname "$0")/tap.sh"

has() { command -v "$1" >/dev/null 2>&1; }
up_to_date() { make -s --no-print-directory manual-text | diff -u man/speedtest-hd.txt -; }
not_ascii() { LC_ALL=C grep -n '[^ -~]' man/speedtest-hd.txt; }

if has mandoc; then
	nothing "mandoc -T lint" mandoc -T lint -W warning man/speedtest-hd.1
	if has col; then check "speedtest-hd.txt is up to date (make manual)" up_to_date
	else skip "speedtest-hd.txt is up to date" "col is not installed"; fi
else
	skip "mandoc -T lint" "mandoc is not installed"
	skip "speedtest-hd.txt is up to date" "mandoc is not installed"
fi
if has groff; then nothing "groff -mdoc" groff -mdoc -ww -b -z man/speedtest-hd.1
else skip "groff -mdoc" "groff is not installed"; fi
nothing "speedtest-hd.txt is plain ASCII" not_ascii
tap_end
