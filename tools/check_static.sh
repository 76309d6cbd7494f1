#!/bin/sh
# Usage: check_static.sh FILE
# Fails unless FILE needs no program interpreter and no library, and is small enough to be copied about.
set -eu
limit=655360
headers=$(LC_ALL=C readelf -lW "$1")
dynamic=$(LC_ALL=C readelf -dW "$1")
case $headers in
*INTERP*) echo "make: '$1' is not static: it asks for a program interpreter" >&2; rm -f "$1"; exit 1 ;;
esac
case $dynamic in
*NEEDED*) echo "make: '$1' is not static: it needs shared libraries" >&2; rm -f "$1"; exit 1 ;;
esac
size=$(wc -c <"$1")
if [ "$size" -ge "$limit" ]; then
	if grep -qa 'glibc\.malloc' "$1"; then
		echo "make: '$1' has $size bytes since it holds glibc; with musl-gcc installed it is a tenth of that" >&2
	else
		echo "make: '$1' has $size bytes, $limit are the limit" >&2
		rm -f "$1"
		exit 1
	fi
fi
echo "$1: static, $size bytes"
