#!/usr/bin/env bash
# The completion scripts in their shells: check_completion.sh BINARY. Prints TAP.
set -u
export LC_ALL=C

binary=${1:?usage: check_completion.sh BINARY}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
count=0
failed=0

# check NAME GOT EXPECTED
check() {
	count=$((count + 1))
	if [[ $2 == "$3" ]]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		printf '# got:      %q\n# expected: %q\n' "$2" "$3"
		failed=1
	fi
}

skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

for shell in bash zsh fish; do
	"$binary" --completion "$shell" >"$folder/$shell" || failed=1
done

# --- bash: the function, driven as bash drives it -------------------------------------------------------------------

# complete_words WORD...: the replies for the last word, sorted, on one line.
complete_words() {
	bash --norc -c '
		source "$1" || exit
		shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
		_speedtest_hd "$1" "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
		((${#COMPREPLY[@]} == 0)) || printf "%s\n" "${COMPREPLY[@]}" | sort | tr "\n" " "
	' bash "$folder/bash" "$@" 2>&1
}

visible='--buffered --color --compare --completion --dd --diagnose --direct --engine --fail-above --fail-below --fail-slower --fio '
visible+='--format --help --interval --label --load --manual --no-sudo --output --ramp --runs --runtime --score --size '
visible+='--slog --slog-detail --verbose --version --warmup --yes '
check 'bash: every option' "$(complete_words speedtest-hd --)" "$visible"
check 'bash: a single dash' "$(complete_words speedtest-hd -)" "$visible"
check 'bash: options by their beginning' "$(complete_words speedtest-hd /tmp --s)" '--score --size --slog --slog-detail '
check 'bash: the internal option is hidden' "$(complete_words speedtest-hd --k)" ''
check 'bash: one profile only' "$(complete_words speedtest-hd --slog --fi)" ''
check 'bash: --direct excludes --buffered' "$(complete_words speedtest-hd --direct --b)" ''
check 'bash: words of --engine' "$(complete_words speedtest-hd --engine '')" 'io_uring libaio posixaio sync '
check 'bash: words by their beginning' "$(complete_words speedtest-hd --engine io)" 'io_uring '
check 'bash: --engine= in three words' "$(complete_words speedtest-hd --engine = io)" 'io_uring '
check 'bash: --engine= with nothing behind' "$(complete_words speedtest-hd --engine =)" \
	'io_uring libaio posixaio sync '
check 'bash: --engine=io in one word' "$(complete_words speedtest-hd --engine=io)" '--engine=io_uring '
check 'bash: words of --color' "$(complete_words speedtest-hd --color '')" 'always auto never '
check 'bash: words of --completion' "$(complete_words speedtest-hd --completion '')" 'bash fish zsh '
check 'bash: words of --format' "$(complete_words speedtest-hd --format '')" 'csv json markdown table '
check 'bash: nothing for a number' "$(complete_words speedtest-hd --runtime '')" ''
check 'bash: no options after --' "$(complete_words speedtest-hd -- --f)" ''

# --- bash: real keys on a real terminal -----------------------------------------------------------------------------

# type_keys KEYS: what the program got as arguments after these keys and Enter, each in < >.
type_keys() {
	rm -f "$folder/arguments"
	{
		sleep 0.3
		printf '%s\n' "PS1=; source $folder/bash; cd $folder/area"
		printf '%s\n' "speedtest-hd() { printf '<%s>' \"\$@\" >$folder/arguments; }"
		printf '%b\n' "speedtest-hd $1"
		printf 'exit\n'
		sleep 0.3
	} | TERM=xterm script -qc 'bash --norc --noprofile -i' /dev/null >/dev/null 2>&1
	cat "$folder/arguments" 2>&1
}

mkdir -p "$folder/area/disk one" "$folder/area/tank/data"
touch "$folder/area/tank.txt" "$folder/area/a file.json"
if [[ $(type script 2>/dev/null) ]]; then
	check 'terminal: a directory, not a file' "$(type_keys 'tan\t')" '<tank/>'
	check 'terminal: a directory with a blank' "$(type_keys 'di\t')" '<disk one/>'
	check 'terminal: a directory inside quotes' "$(type_keys '"disk o\t')" '<disk one/>'
	check 'terminal: an option' "$(type_keys '--verb\t tan\t')" '<--verbose><tank/>'
	check 'terminal: --engine io' "$(type_keys '--engine io\t tan\t')" '<--engine><io_uring><tank/>'
	check 'terminal: --engine=io' "$(type_keys '--engine=io\t tan\t')" '<--engine=io_uring><tank/>'
	check 'terminal: no directory where a word is due' "$(type_keys '--engine tan\t')" '<--engine><tan>'
	check 'terminal: a file after -o' "$(type_keys '-o tank.\t di\t')" '<-o><tank.txt><disk one/>'
	check 'terminal: a file with a blank' "$(type_keys '--load a\t')" '<--load><a file.json>'
	check 'terminal: a file behind =' "$(type_keys '--compare=tank.\t --dd')" '<--compare=tank.txt><--dd>'
	check 'terminal: a directory after --' "$(type_keys '-- tan\t')" '<--><tank/>'
else
	skip 'terminal: real keys' 'script(1) is not installed'
fi

# --- the other shells, and the linter ------------------------------------------------------------------------------

if [[ $(type shellcheck 2>/dev/null) ]]; then
	check 'bash: shellcheck has nothing to say' "$(shellcheck -s bash "$folder/bash" 2>&1)" ''
else
	skip 'bash: shellcheck' 'shellcheck is not installed'
fi

# complete_zsh KEYS: the command line that zsh makes of these keys, between < and >.
complete_zsh() {
	zsh -f -c '
		zmodload zsh/zpty || exit
		zpty shell zsh -f -i
		zpty -w shell "PS1=; unsetopt zle_bracketed_paste 2>/dev/null; cd $2/area; fpath=($2/functions \$fpath)"
		zpty -w shell "autoload -U compinit; compinit -u -D; unset zle_bracketed_paste"
		zpty -w shell "show() { print -r -- \"<\$BUFFER>\" >$2/line; }; zle -N show; bindkey \"^X\" show; : ready"
		for i in {1..50}; do zpty -r -t shell line >/dev/null || sleep 0.02; done
		zpty -w -n shell "speedtest-hd $1"$'"'\t'"'
		sleep 0.4
		zpty -w -n shell $'"'\\x18'"'
		for i in {1..200}; do [[ -s $2/line ]] && break; zpty -r -t shell line >/dev/null || sleep 0.05; done
		zpty -d shell
	' zsh "$1" "$folder" >/dev/null 2>&1
	cat "$folder/line" 2>&1
	rm -f "$folder/line"
}

if [[ $(type zsh 2>/dev/null) ]]; then
	mkdir -p "$folder/functions"
	cp "$folder/zsh" "$folder/functions/_speedtest-hd"
	check 'zsh: the syntax' "$(zsh -n "$folder/zsh" 2>&1)" ''
	check 'zsh: an option' "$(complete_zsh '--verb')" '<speedtest-hd --verbose >'
	check 'zsh: a word of --engine' "$(complete_zsh '--engine io')" '<speedtest-hd --engine io_uring >'
	check 'zsh: a word behind =' "$(complete_zsh '--engine=io')" '<speedtest-hd --engine=io_uring >'
	check 'zsh: a directory, not a file' "$(complete_zsh 'ta')" '<speedtest-hd tank/>'
	check 'zsh: a file after -o' "$(complete_zsh '-o tank.')" '<speedtest-hd -o tank.txt >'
	check 'zsh: a file behind =' "$(complete_zsh '--load=a')" '<speedtest-hd --load=a\ file.json >'
	check 'zsh: -o once more' "$(complete_zsh '-o x --outp')" '<speedtest-hd -o x --output=>'
	check 'zsh: one profile only' "$(complete_zsh '--slog --fi')" '<speedtest-hd --slog --fi>'
else
	skip 'zsh' 'zsh is not installed'
fi

# complete_fish LINE: the words that fish offers, sorted, on one line.
complete_fish() {
	(cd "$folder/area" && HOME=$folder fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$folder/fish" "$1") 2>&1 |
		cut -f1 | sort | tr '\n' ' '
}

if [[ $(type fish 2>/dev/null) ]]; then
	check 'fish: the syntax' "$(HOME=$folder fish -n "$folder/fish" 2>&1)" ''
	check 'fish: options by their beginning' "$(complete_fish 'speedtest-hd --s')" '--score --size --slog --slog-detail '
	check 'fish: words of --engine' "$(complete_fish 'speedtest-hd --engine ')" 'io_uring libaio posixaio sync '
	check 'fish: a word behind =' "$(complete_fish 'speedtest-hd --engine=io')" '--engine=io_uring '
	check 'fish: directories, not files' "$(complete_fish 'speedtest-hd ta')" 'tank/ '
	check 'fish: a file after -o' "$(complete_fish 'speedtest-hd -o tank.')" 'tank.txt '
	check 'fish: a file after --load' "$(complete_fish 'speedtest-hd --load a')" 'a file.json '
	check 'fish: one profile only' "$(complete_fish 'speedtest-hd --slog --fi')" ''
else
	skip 'fish' 'fish is not installed'
fi

echo "1..$count"
exit "$failed"
