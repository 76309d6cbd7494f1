#!/usr/bin/env bash
# Every saved measurement in every format, byte for byte as in this folder; and some of them compared with each other.
# Saved files are never changed: whoever kept one can still read it.
#
# usage: tests/golden/run.sh            compare
#        tests/golden/run.sh --update   write what it is now; look at the difference before you keep it
#        BINARY=FILE tests/golden/run.sh   another program than ./speedtest-hd
# shellcheck source=tests/lint/tap.sh
. "$(dirname "$0")/../lint/tap.sh"

# Wide characters are measured as on a terminal.
export LC_ALL=C.UTF-8 TZ=UTC
unset NO_COLOR FORCE_COLOR
binary=${BINARY:-./speedtest-hd}
saved=tests/fixtures/saved
golden=tests/golden
update=no
[ "${1:-}" = --update ] && update=yes
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
written=" run.sh case-study.txt " # the latter is a unit test's

# What belongs together: a name, and its files, the latest first.
comparisons=(
	"compare-two cdm-tuned cdm-stock"
	"compare-two-slog slog-optane slog-hdd-only"
	"compare-slog-doctor slog-doctor slog-optane"
	"compare-once cdm-stock cdm-one-run"
	"compare-three cdm-tuned cdm-one-run cdm-stock"
	"compare-hostile hostile cdm-interrupted"
	"compare-three-hostile cdm-stock hostile cdm-interrupted"
)

matches() { # NAME FILE
	if [ "$update" = yes ]; then
		cp "$2" "$golden/$1"
	else
		diff -u "$golden/$1" "$2" | head -n 40
	fi
}

load() { # FORMAT OUTPUT ARGUMENT...
	local format=$1 output=$2 status
	shift 2
	rm -f "$output"
	case $format in
	html)
		"$binary" -o "$output.html" "$@" >/dev/null
		status=$?
		mv "$output.html" "$output"
		;;
	*)
		"$binary" --format "$format" "$@" >"$output"
		status=$?
		;;
	esac
	return "$status"
}

# What has failed runs ends with status 1, as its measurement did.
expect_status() { # STATUS FILE
	local wanted=0
	grep -q '"outcome":[[:space:]]*"failed"' "$2" && wanted=1
	[ "$1" -eq "$wanted" ] || echo "status $1 instead of $wanted"
}

# One document in one format; what it prints is wrong.
renders() { # FORMAT NAME --load FILE ARGUMENT...
	local format=$1 name=$2 status
	load "$format" "$scratch/out" "${@:3}" 2>"$scratch/err"
	status=$?
	expect_status "$status" "$4"
	cat "$scratch/err"
	matches "$name" "$scratch/out"
}

file_is_the_same() { # NAME FIXTURE: -o NAME.txt holds what stdout showed
	"$binary" --load "$saved/$2.json" -o "$scratch/$2.txt" >/dev/null
	diff -u "$golden/$1" "$scratch/$2.txt"
	rm -f "$scratch/$2.txt"
}

# What is loaded and saved is the same, byte for byte; what an older version saved gets the members that came later.
comes_back() { # FIXTURE
	local wanted=$saved/$1.json
	"$binary" --load "$saved/$1.json" --format json >"$scratch/out"
	if ! grep -q '"idle_states":' "$wanted"; then
		nothing_is_lost "$wanted" "$scratch/out"
		cp "$scratch/out" "$scratch/wanted.json"
		wanted=$scratch/wanted.json
		"$binary" --load "$wanted" --format json >"$scratch/out"
	fi
	cmp "$wanted" "$scratch/out"
	"$binary" --load "$saved/$1.json" -o "$scratch/out.json" >/dev/null
	cmp "$wanted" "$scratch/out.json"
	rm -f "$scratch/out.json" "$scratch/wanted.json"
}

nothing_is_lost() { # OLDER LATER: each member of the older file, in its order, with its value
	python3 - "$@" <<-'PYTHON'
		import json, sys

		def compare(old, new, path):
		    if isinstance(old, dict) and isinstance(new, dict):
		        if [key for key in new if key in old] != list(old):
		            print(f"{path}: members are missing, or in another order")
		        for key in old:
		            compare(old[key], new.get(key), f"{path}.{key}")
		    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
		        for number, each in enumerate(old):
		            compare(each, new[number], f"{path}[{number}]")
		    elif repr(old) != repr(new):
		        print(f"{path}: {new!r} instead of {old!r}")

		compare(*(json.load(open(path, encoding="utf-8")) for path in sys.argv[1:]), "")
	PYTHON
}

# A reader of its own makes the same of it: as many cells in each line, all numbers whole, no formula.
csv_is_read() { # NAME
	python3 - "$golden/$1" <<-'PYTHON'
		import csv, sys
		text = open(sys.argv[1], encoding="utf-8", newline="").read()
		rows = list(csv.reader(text.splitlines(True), strict=True))
		header, lines = rows[0], rows[1:]
		words = set("record label started_at host target device file_system profile engine tool o_direct state test "
		            "direction mark findings bandwidth_verdict iops_verdict latency_p99_verdict part stage".split())
		if len(set(header)) != len(header) or not lines:
		    print("header or lines are wrong")
		for number, line in enumerate(lines, 2):
		    if len(line) != len(header):
		        print(f"line {number} has {len(line)} cells, the header {len(header)}")
		    for key, cell in zip(header, line):
		        if key in words:
		            if cell[:1] in tuple("=+-@\t\r"):
		                print(f"line {number}, {key}: a formula: {cell}")
		        elif cell and not cell.lstrip("-").isdigit():
		            print(f"line {number}, {key}: not a whole number: {cell}")
	PYTHON
}

# No character that a terminal obeys, no line end but "\n".
controls() { LC_ALL=C grep -nP '[\x00-\x09\x0b-\x1f\x7f]' "$golden"/*.txt "$golden"/*.csv "$golden"/*.md; }

# The formats that people read are made of characters, so a reader of Markdown can be asked what it sees.
markdown_is_harmless() { # NAME
	cmark-gfm --unsafe -e table -e strikethrough -e autolink "$golden/$1" >"$scratch/page"
	grep -nE '<(a|img|script|b|i|u|del|em)[ >]' "$scratch/page"
	grep -q '<table>' "$scratch/page" || echo "no table"
}

left_over() {
	local file
	for file in "$golden"/*; do
		case $written in
		*" $(basename "$file") "*) ;;
		*) if [ "$update" = yes ]; then rm -f "$file"; else echo "$file belongs to no test"; fi ;;
		esac
	done
}

one() { # FIXTURE
	local name=$1 file=$saved/$1.json
	nothing "$name: table" renders table "$name.txt" --load "$file"
	nothing "$name: csv" renders csv "$name.csv" --load "$file"
	nothing "$name: markdown" renders markdown "$name.md" --load "$file"
	nothing "$name: html" renders html "$name.html" --load "$file"
	written+="$name.txt $name.csv $name.md $name.html "
	nothing "$name: the text file is what stdout shows" file_is_the_same "$name.txt" "$name"
	nothing "$name: load and save" comes_back "$name"
	nothing "$name: csv as others read it" csv_is_read "$name.csv"
}

compared() { # NAME LAST EARLIER...
	local name=$1 arguments=(--load "$saved/$2.json") earlier format
	shift 2
	for earlier in "$@"; do
		arguments+=(--compare "$saved/$earlier.json")
	done
	for format in table:txt csv:csv markdown:md html:html; do
		nothing "$name: ${format%:*}" renders "${format%:*}" "$name.${format#*:}" "${arguments[@]}"
		written+="$name.${format#*:} "
	done
	nothing "$name: csv as others read it" csv_is_read "$name.csv"
}

misses() { # thresholds stand in the file, and the status is 5
	"$binary" --load "$saved/slog-optane.json" --fail-above 'T1 p99_us=100' --fail-below 'T16 iops=1000' \
		-o "$scratch/missed.md" >/dev/null 2>&1
	[ $? -eq 5 ] || echo "not status 5"
	matches thresholds.md "$scratch/missed.md"
}

for file in "$saved"/*.json; do
	one "$(basename "$file" .json)"
done
for comparison in "${comparisons[@]}"; do
	read -r -a words <<<"$comparison"
	compared "${words[@]}"
done
nothing "the best instead of the median" renders table cdm-stock.best.txt --load "$saved/cdm-stock.json" --score best
nothing "thresholds that were missed" misses
written+="cdm-stock.best.txt thresholds.md "
nothing "no control character" controls
if command -v cmark-gfm >/dev/null 2>&1; then
	nothing "hostile text means nothing in Markdown" markdown_is_harmless hostile.md
	nothing "nor where it is compared" markdown_is_harmless compare-three-hostile.md
else
	skip "hostile text means nothing in Markdown" "cmark-gfm is not installed"
fi
nothing "no golden file without a test" left_over
tap_end
