#!/bin/sh
# Usage: static_compiler.sh ORIGIN CC
# Prints the compiler for the static build: the caller's choice, else musl-gcc (a tenth of glibc's size), else CC.
case $1 in
command\ line | environment*) echo "$2" ;;
*) if command -v musl-gcc >/dev/null 2>&1; then echo musl-gcc; else echo "$2"; fi ;;
esac
