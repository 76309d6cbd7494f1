#!/usr/bin/env bash
# The tree speaks of the product alone: no path, host or habit of the machine it was written on.
# shellcheck source=tests/lint/tap.sh
. "$(dirname "$0")/tap.sh"

# Spelt in pieces, so that this file does not find itself.
words="/wo""rk/|sha""red/|deb[.]deb""ian[.]org|archive[.]ubu""ntu|registry[.]np""m|proxy[.]gol""ang|/tmp/con""ventions|"
words+="DES""IGN[.]md|STY""LE[.]md|iss""ue #?[0-9]|iss""ues show|cla""ude|anth""ropic|open""ai|co-authored-""by"

# Recorded outputs of other people's machines are as they are.
found() { tree_files | grep -v '^tests/fixtures/' | tr '\n' '\0' | xargs -0 grep -nIiE "$words"; }
leftovers() { tree_files | grep -E '\.(orig|rej|swp|o|d|pyc)$|~$'; }
unfinished() { tree_files | grep -v '^tests/fixtures/' | tr '\n' '\0' | xargs -0 grep -nIE '(TO''DO|FIX''ME|(^|[^X])XX''X([^X]|$))'; }

nothing "no word of the workplace" found
nothing "no leftover file" leftovers
nothing "nothing marked as unfinished" unfinished
tap_end
