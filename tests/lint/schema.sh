#!/usr/bin/env bash
# The members of saved files: each of the schema is explained in the manual, and the manual explains no other.
# shellcheck source=tests/lint/tap.sh
. "$(dirname "$0")/tap.sh"

manual=man/speedtest-hd.1

keys_of_schema() {
	python3 - <<-'END'
		import json

		def walk(value):
		    if isinstance(value, dict):
		        if value.get("additionalProperties") is False:
		            yield from value["properties"]
		        for each in value.values():
		            yield from walk(each)
		    elif isinstance(value, list):
		        for each in value:
		            yield from walk(each)

		print("\n".join(walk(json.load(open("tests/schema/result.schema.json")))))
	END
}
schema_keys() { keys_of_schema | sort -u; }
# The items of the section's lists: ".It Li time_s , bandwidth_bytes_per_s" explains two.
manual_keys() {
	sed -nE '/^\.Sh JSON/,/^\.Sh [^J]/s/^\.It Li //p' "$manual" | tr -s ' ,' '\n' | sort -u
}
words_of_schema() { # the words that a member can be: "not-for-slog"
	grep -oE '"enum": \[[^]]*\]' tests/schema/result.schema.json | grep -oE '"[a-z][a-z -]+"' | tr -d '"' |
		grep -vx enum | sort -u
}
words_unexplained() {
	local section word
	section=$(sed -n '/^\.Sh JSON/,/^\.Sh [^J]/p' "$manual" | sed 's/[\\]//g' | tr '\n' ' ')
	words_of_schema | while IFS= read -r word; do
		case $section in *"$word"*) ;; *) echo "$word" ;; esac
	done
}
only_in_first() { comm -23 <("$1") <("$2"); }

if command -v python3 >/dev/null 2>&1; then
	check "the schema's keys were found" test -n "$(schema_keys)"
	nothing "every key of the schema is in the manual" only_in_first schema_keys manual_keys
	nothing "the manual explains no other key" only_in_first manual_keys schema_keys
	nothing "every word of the schema is in the manual" words_unexplained
else
	skip "every key of the schema is in the manual" "python3 is not installed"
fi
tap_end
