#!/bin/sh
# Usage: run.sh check COMPILER | run.sh fuzz FOLDER SECONDS
# check: says in one sentence what is missing to build the fuzzers with that compiler.
# fuzz: runs each fuzzer of FOLDER for SECONDS, from the committed seeds and from what earlier runs found. What makes
# one crash, hang or eat memory is kept as build/NAME-*, and run by giving it to the fuzzer as its argument.
set -u
cd "$(dirname "$0")/../.." || exit 1

check() {
	if ! command -v "$1" >/dev/null 2>&1; then
		echo "make: $1 is missing; the fuzzers need clang" >&2
		exit 1
	fi
	echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d && n > 9 ? 0 : 0; }' |
		"$1" -xc -w -fsanitize=fuzzer,address,undefined -o /dev/null - 2>/dev/null && return
	version=$("$1" -dumpversion 2>/dev/null | cut -d . -f 1)
	echo "make: $1 cannot build fuzzers: its run time is missing (libclang-rt-${version:-VERSION}-dev on Debian," \
		"compiler-rt elsewhere)" >&2
	exit 1
}

fuzz() { # FOLDER SECONDS
	failed=0
	for source in tests/fuzz/fuzz_*.c; do
		name=$(basename "$source" .c)
		mkdir -p "$1/corpus/$name"
		echo "fuzz: $name for $2 s"
		"$1/$name" -max_total_time="$2" -max_len=32768 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
			-dict="tests/fuzz/${name#fuzz_}.dict" -artifact_prefix="build/$name-" \
			"$1/corpus/$name" "tests/fuzz/corpus/$name" >"$1/$name.log" 2>&1
		status=$?
		grep -E '^stat::(number_of_executed_units|slowest_unit_time_sec|peak_rss_mb)' "$1/$name.log"
		if [ "$status" -ne 0 ]; then
			failed=1
			tail -n 40 "$1/$name.log"
			echo "fuzz: $name failed; its input is kept as build/$name-*"
		fi
	done
	return "$failed"
}

case ${1:-} in
check) check "$2" ;;
fuzz) fuzz "$2" "$3" ;;
*)
	sed -n '2,5s/^# //p' "$0" >&2
	exit 2
	;;
esac
