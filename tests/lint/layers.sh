#!/usr/bin/env bash
# Who may include whom. A layer may always include itself; main.c may include everything.
# shellcheck source=tests/lint/tap.sh
. "$(dirname "$0")/tap.sh"

declare -A may_include=(
	[support]=""
	[settings]="support"
	[probe]="support"
	[telemetry]="support probe"
	[plan]="support settings probe"
	[fio]="support plan"
	[dd]="support plan"
	[keeper]="support probe telemetry plan fio dd"
	[report]="support probe telemetry plan fio dd"
	[measure]="support settings probe telemetry plan fio dd keeper report"
	[record]="support probe telemetry plan report"
	[doctor]="support probe telemetry plan report record"
	[render]="support plan report record"
	[publish]="support settings plan report record doctor render"
)

wrong_includes() { # LAYER
	local allowed=" $1 ${may_include[$1]} " file line target
	grep -rHn '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "src/$1" "include/$1" 2>/dev/null |
		while IFS= read -r line; do
			target=${line#*\"}
			target=${target%%\"*}
			file=${line%%:*}
			case $target in
			*/*) case $allowed in *" ${target%%/*} "*) ;; *) echo "$line" ;; esac ;;
			*) [ -f "$(dirname "$file")/$target" ] || echo "$line (not layer/noun.h)" ;;
			esac
		done
}

unlisted_layers() {
	local folder
	for folder in src/*/ include/*/; do
		folder=$(basename "$folder")
		[ -n "${may_include[$folder]+listed}" ] || echo "'$folder' is not in the list of $0"
	done | sort -u
}

for layer in "${!may_include[@]}"; do
	[ -d "src/$layer" ] && nothing "includes of $layer" wrong_includes "$layer"
done
nothing "every folder is a listed layer" unlisted_layers
tap_end
