#!/bin/sh
# Usage: setup.sh run-deps|check-deps
# Installs what is missing to build and run (run-deps) or to test as well (check-deps), with the package manager that
# is here, through sudo when not root. It says what it does, and leaves alone what is there already. What only some of
# the program or of the tests needs may stay missing: that is said, and the rest goes on.
set -u

say() { echo "setup: $*"; }
have() { command -v "$1" >/dev/null 2>&1; }

manager=none
for candidate in apt-get dnf yum pacman zypper apk; do
	have "$candidate" && { manager=$candidate; break; }
done

# as_root COMMAND...: as it is for root, else through sudo; without a terminal sudo must not ask for a password.
as_root() {
	if [ "$(id -u)" -eq 0 ]; then "$@"
	elif ! have sudo; then return 1
	elif [ -t 0 ]; then sudo "$@"
	else sudo -n "$@"
	fi
}

refreshed=no
refresh() {
	[ "$refreshed" = no ] || return 0
	refreshed=yes
	case $manager in
	apt-get) as_root apt-get -q update >"$log" 2>&1 || { say "refreshing the package lists failed:"; tail -n 5 "$log"; } ;;
	pacman) as_root pacman -Sy --noconfirm >"$log" 2>&1 ;;
	apk) as_root apk update >"$log" 2>&1 ;;
	esac
}

install_packages() {
	case $manager in
	apt-get) as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "$@" ;;
	dnf | yum) as_root "$manager" -y install "$@" ;;
	pacman) as_root pacman -S --noconfirm --needed "$@" ;;
	zypper) as_root zypper --non-interactive install "$@" ;;
	apk) as_root apk add "$@" ;;
	*) return 1 ;;
	esac </dev/null >"$log" 2>&1
}

# package NAME: what this package manager calls it; empty where there is none to ask for, or where it comes with
# another. The first column is the name used below, "-" means the manager has nothing of the kind.
package() {
	case $manager in
	apt-get) column=2 ;; dnf | yum) column=3 ;; pacman) column=4 ;; zypper) column=5 ;; apk) column=6 ;; *) return ;;
	esac
	awk -v name="$1" -v column="$column" '$1 == name && $column != "-" { gsub(",", " ", $column); print $column }' <<-'TABLE'
		compiler    gcc,libc6-dev   gcc,glibc-devel  gcc            gcc               gcc,musl-dev,linux-headers
		make        make            make             make           make              make
		pkg-config  pkg-config      pkgconf-pkg-config pkgconf      pkg-config        pkgconf
		libcjson    libcjson-dev    cjson-devel      cjson          cJSON-devel       cjson-dev
		fio         fio             fio              fio            fio               fio
		cmocka      libcmocka-dev   libcmocka-devel  cmocka         libcmocka-devel   cmocka-dev
		python3     python3         python3          python         python3           python3
		sudo        sudo            sudo             sudo           sudo              sudo
		xfsprogs    xfsprogs        xfsprogs         xfsprogs       xfsprogs          xfsprogs
		btrfs       btrfs-progs     btrfs-progs      btrfs-progs    btrfsprogs        btrfs-progs
		e2fsprogs   e2fsprogs       e2fsprogs        e2fsprogs      e2fsprogs         e2fsprogs,e2fsprogs-extra
		zfs-fuse    zfs-fuse        -                -              -                 -
		mount       mount,util-linux util-linux      util-linux     util-linux        util-linux,mount,losetup
		procps      procps          procps-ng        procps-ng      procps            procps
		mandoc      mandoc          mandoc           mandoc         mandoc            mandoc
		groff       groff-base      groff-base       groff          groff             groff
		shellcheck  shellcheck      ShellCheck       shellcheck     ShellCheck        shellcheck
		cppcheck    cppcheck        cppcheck         cppcheck       cppcheck          cppcheck
		valgrind    valgrind,libc6-dbg valgrind      valgrind       valgrind          valgrind
		clang       clang           clang            clang          clang             clang
		clang-rt    libclang-rt-dev compiler-rt      compiler-rt    -                 compiler-rt
		musl        musl-tools      musl-gcc         musl           -                 -
		dpkg-dev    dpkg-dev        -                -              -                 -
		fuse        fuse3,libfuse3-dev fuse3,fuse3-devel fuse3      fuse3,fuse3-devel fuse3,fuse3-dev
		binutils    binutils        binutils         binutils       binutils          binutils
		col         bsdextrautils   util-linux       util-linux     util-linux        util-linux-misc
		git         git             git              git            git               git
		bash        bash            bash             bash           bash              bash
		chromium    chromium,fonts-dejavu-core chromium chromium     chromium          chromium,font-dejavu
		chromedriver chromium-driver chromedriver    -              chromedriver      chromium-chromedriver
		jsonschema  python3-jsonschema python3-jsonschema python-jsonschema python3-jsonschema py3-jsonschema
		dmsetup     dmsetup         device-mapper    device-mapper  device-mapper     device-mapper
	TABLE
}

# present NAME: is it usable here already?
present() {
	case $1 in
	compiler) printf '#include <stdio.h>\nint main(void) { return 0; }\n' | cc -xc -o /dev/null - 2>/dev/null ;;
	pkg-config) have pkg-config || have pkgconf ;;
	libcjson | cmocka | fuse) has_library "$1" ;;
	xfsprogs) have mkfs.xfs ;;
	btrfs) have mkfs.btrfs ;;
	e2fsprogs) have mkfs.ext4 && have debugfs ;;
	zfs-fuse) have zfs-fuse && { have zpool || have zpool.zfs-fuse; } ;;
	mount) have mount && have losetup && have unshare ;;
	procps) have ps && have pgrep ;;
	valgrind) have valgrind && valgrind -q true >/dev/null 2>&1 ;;
	clang-rt) echo 'int main(void) { return 0; }' | clang -xc -fsanitize=fuzzer-no-link,address -o /dev/null - 2>/dev/null ;;
	musl) have musl-gcc || ldd --version 2>&1 | grep -qi musl ;;
	dpkg-dev) have dpkg-source ;;
	binutils) have readelf ;;
	chromium) have chromium || have chromium-browser ;;
	jsonschema) /usr/bin/python3 -c 'import jsonschema' 2>/dev/null ;;
	*) have "$1" ;;
	esac
}

has_library() {
	case $1 in
	fuse) module=fuse3; have fusermount3 || return 1 ;;
	*) module=$1 ;;
	esac
	pkg-config --exists "$module" 2>/dev/null
}

# The sanitizer and fuzzer run times of clang are packaged by clang's version on Debian.
clang_runtime() {
	version=$(clang -dumpversion 2>/dev/null | cut -d . -f 1)
	[ -n "$version" ] && echo "libclang-rt-$version-dev"
}

packages_of() {
	if [ "$1" = clang-rt ] && [ "$manager" = apt-get ]; then clang_runtime; else package "$1"; fi
}

missing_of() {
	for name in "$@"; do
		present "$name" || printf '%s ' "$name"
	done
}

# bring NAME...: installs the missing ones, all together or, if that fails, one by one.
bring() {
	missing=$(missing_of "$@")
	[ -n "$missing" ] || return 0
	packages=
	for name in $missing; do
		wanted=$(packages_of "$name")
		if [ -n "$wanted" ]; then packages="$packages $wanted"; fi
	done
	[ -n "$packages" ] || return 0
	if [ "$(id -u)" -ne 0 ] && ! as_root true 2>/dev/null; then
		say "not root and no sudo without questions: cannot install$packages"
		return 0
	fi
	say "installing with $manager:$packages"
	refresh
	# shellcheck disable=SC2086
	install_packages $packages && return 0
	# Red Hat's rebuilds keep cJSON and some of the test tools in the extra packages.
	case $manager in dnf | yum) install_packages epel-release ;; esac
	for name in $missing; do
		wanted=$(packages_of "$name")
		[ -n "$wanted" ] || continue
		# shellcheck disable=SC2086
		install_packages $wanted || say "could not install $wanted: $(grep -iE '^(E|error|no match|unable)' "$log" | tail -n 1)"
	done
}

# need NAME WHAT: ends with a sentence unless NAME is there.
need() {
	present "$1" && return 0
	wanted=$(packages_of "$1")
	say "$2 is missing and could not be installed${wanted:+ (package $wanted)}: install it by hand and start again" >&2
	exit 1
}

need_to_build() {
	need compiler "a C compiler"
	need make "make"
	need pkg-config "pkg-config"
	need libcjson "the cJSON library with its headers (libcjson)"
}

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
# Tools of administrators are not on every user's path.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
export PATH LC_ALL=C

build="compiler make pkg-config libcjson"
tests="cmocka python3 sudo xfsprogs btrfs e2fsprogs zfs-fuse mount procps mandoc groff shellcheck cppcheck valgrind clang
musl dpkg-dev fuse binutils col git bash dmsetup chromium chromedriver jsonschema"

case ${1:-} in
run-deps)
	# shellcheck disable=SC2086
	bring $build fio
	need_to_build
	present fio || say "fio is missing and could not be installed: the measurement falls back to dd"
	;;
check-deps)
	# shellcheck disable=SC2086
	bring $build fio $tests
	bring clang-rt # after clang, whose version names the package
	need_to_build
	need cmocka "the cmocka library with its headers"
	need python3 "python3"
	# shellcheck disable=SC2086
	missing=$(missing_of fio $tests clang-rt)
	[ -z "$missing" ] || say "still missing, the tests that need it are skipped: $missing"
	;;
*)
	echo "usage: setup.sh run-deps|check-deps" >&2
	exit 2
	;;
esac
