# speedtest-hd: build, test, install. `make help` lists the targets.
#
# CC, CPPFLAGS, CFLAGS, LDFLAGS, LDLIBS, PREFIX and DESTDIR are honoured; the caller's flags come last. The hardening
# flags and -O2 are only ours to choose while the caller sets no CFLAGS: distributions bring their own.

VERSION := $(shell cat VERSION)
PREFIX ?= /usr/local
bindir ?= $(PREFIX)/bin
datarootdir ?= $(PREFIX)/share
mandir ?= $(datarootdir)/man
bashcompletiondir ?= $(datarootdir)/bash-completion/completions
zshcompletiondir ?= $(datarootdir)/zsh/site-functions
fishcompletiondir ?= $(datarootdir)/fish/vendor_completions.d
INSTALL ?= install
PKG_CONFIG ?= pkg-config
TARGET ?= .
ARGS ?=

# A variant is a set of flags with its own folder of objects: default, clang, sanitize, fuzz, static.
VARIANT ?= default
B := build/$(VARIANT)
ifeq ($(VARIANT),default)
BINARY := speedtest-hd
else ifeq ($(VARIANT),static)
BINARY := speedtest-hd-static
else
BINARY := $(B)/speedtest-hd
endif

SOURCES := $(sort $(wildcard src/*.c src/*/*.c))
OBJECTS := $(SOURCES:%.c=$(B)/%.o) $(B)/manual_lines.o
LIBRARY := $(B)/libspeedtest-hd.a
UNIT_SOURCES := $(sort $(wildcard tests/unit/test_*.c))
UNIT_TESTS := $(UNIT_SOURCES:tests/unit/%.c=$(B)/tests/%)
OWN_CLOCK_TESTS := test_keeper_direct test_keeper_pace test_keeper_witness test_pool_watch test_power_reading

# What the code needs, what we want to be warned of, and what makes a binary harder to attack. Of the last two each
# compiler gets the flags it knows (tools/probe_flags.sh).
OWN_CPPFLAGS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DVERSION='"$(VERSION)"' -Iinclude
OWN_CFLAGS := -std=c17
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wformat=2 -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
	-Wmissing-declarations -Wold-style-definition -Wvla -Wcast-qual -Wwrite-strings -Wundef -Wpointer-arith \
	-Wimplicit-fallthrough -Wnull-dereference -Wdouble-promotion -Wlogical-op -Wduplicated-cond \
	-Wduplicated-branches -Wtrampolines
# With DEVELOPER=1 a warning is an error. The objects are the same, so switching compiles nothing anew.
STRICT := $(if $(DEVELOPER),-Werror)
HARDENING :=
HARDENING_LINK :=
ifeq ($(origin CFLAGS),undefined)
CFLAGS := -O2 -g
ifneq ($(VARIANT),static)
HARDENING := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection \
	-fcf-protection=full -ftrivial-auto-var-init=zero -fPIE
HARDENING_LINK := -pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,-z,nodlopen
endif
endif

ifeq ($(VARIANT),static)
# cJSON is compiled in: distributions ship no static library of it. CJSON_DIR is laid out by tools/fetch_cjson.sh.
CJSON_DIR := build/cjson
CJSON_CPPFLAGS := -isystem $(CJSON_DIR)/include
CJSON_LIBS :=
OBJECTS += $(B)/cJSON.o
HARDENING += -fstack-protector-strong -fstack-clash-protection -ftrivial-auto-var-init=zero
OWN_CFLAGS += -fno-pie -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables -ffile-prefix-map=$(CURDIR)=.
OWN_LDFLAGS := -static -no-pie -s -Wl,--gc-sections -Wl,--build-id=none -Wl,-z,noexecstack -Wl,-z,relro
else
CJSON_CPPFLAGS := $(shell $(PKG_CONFIG) --cflags libcjson 2>/dev/null)
CJSON_LIBS := $(shell $(PKG_CONFIG) --libs libcjson 2>/dev/null)
OWN_LDFLAGS :=
endif
CMOCKA_CPPFLAGS = $(shell $(PKG_CONFIG) --cflags cmocka 2>/dev/null)
CMOCKA_LIBS = $(shell $(PKG_CONFIG) --libs cmocka 2>/dev/null || echo -lcmocka)

COMPILE = $(CC) @$(B)/compile.flags $(OWN_CPPFLAGS) $(CJSON_CPPFLAGS) $(OWN_CFLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP
LINK = $(CC) @$(B)/compile.flags $(OWN_CFLAGS) $(CFLAGS) @$(B)/link.flags $(OWN_LDFLAGS) $(LDFLAGS)
LIBS = $(CJSON_LIBS) -lm $(LDLIBS)

# One short line for each file; V=1 shows the commands.
quietly = $(if $(V),,@echo '  $(1) $@';)

.PHONY: all run check unit units sanitize fuzz fuzzers static lint manual manual-text bench bench-truth dist install uninstall clean help FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: $(BINARY) ## build ./speedtest-hd

# --- objects -------------------------------------------------------------------------------------------------------

# The stamp changes only when the flags do, and everything compiled depends on it.
$(B)/stamp: FORCE
	@mkdir -p $(B)
	@printf '%s\n' '$(subst ','\'',$(COMPILE) $(WARNINGS) $(HARDENING) $(HARDENING_LINK) $(LINK) $(LIBS))' >$@.new
	@if cmp -s $@.new $@; then rm -f $@.new; else mv -f $@.new $@; fi

$(B)/compile.flags: $(B)/stamp Makefile tools/probe_flags.sh
	@tools/probe_flags.sh '$(CC)' compile $(WARNINGS) $(HARDENING) >$@

$(B)/link.flags: $(B)/stamp Makefile tools/probe_flags.sh
	@tools/probe_flags.sh '$(CC)' link $(HARDENING_LINK) >$@

$(B)/cjson.ok: $(B)/compile.flags tools/check_cjson.sh
	@tools/check_cjson.sh '$(PKG_CONFIG)'
	@touch $@

ifeq ($(VARIANT),static)
$(OBJECTS): $(CJSON_DIR)/include/cjson/cJSON.h
else
$(OBJECTS): $(B)/cjson.ok
endif

$(B)/%.o: %.c $(B)/compile.flags VERSION Makefile
	@mkdir -p $(@D)
	$(call quietly,CC  )$(COMPILE) $(STRICT) -c -o $@ $<

$(B)/manual_lines.o: build/manual_lines.c $(B)/compile.flags Makefile
	$(call quietly,CC  )$(COMPILE) $(STRICT) -c -o $@ $<

# The manual travels inside the binary (--manual), for machines where it cannot be installed.
build/manual_lines.c: man/speedtest-hd.txt Makefile
	@mkdir -p build
	@{ echo '#include "settings/manual_lines.h"'; \
	   echo; \
	   echo 'const char *const manual_lines[] = {'; \
	   sed 's/\\/\\\\/g; s/"/\\"/g; s/^/	"/; s/$$/",/' man/speedtest-hd.txt; \
	   echo '	0};'; } >$@.$(VARIANT)
	@mv -f $@.$(VARIANT) $@

$(LIBRARY): $(filter-out $(B)/src/main.o,$(OBJECTS))
	@rm -f $@
	@$(AR) rcs $@ $^

$(BINARY): $(OBJECTS) $(B)/link.flags
	$(call quietly,LINK)$(LINK) -o $@ $(OBJECTS) $(LIBS)
ifeq ($(VARIANT),static)
	@tools/check_static.sh $@
endif

-include $(wildcard $(B)/src/*.d $(B)/src/*/*.d $(B)/*.d $(B)/tests/*.d $(B)/fuzz/*.d)

# --- static --------------------------------------------------------------------------------------------------------

static: ## build ./speedtest-hd-static: one file without any library (CJSON_SRC=DIR: folder with cJSON.c, cJSON.h)
	@$(MAKE) --no-print-directory VARIANT=static CC='$(shell tools/static_compiler.sh "$(origin CC)" "$(CC)")' \
		CFLAGS='$(if $(filter command line environment,$(origin CFLAGS)),$(CFLAGS),-Os)' speedtest-hd-static

$(B)/cJSON.o: build/cjson/include/cjson/cJSON.h $(B)/compile.flags
	$(call quietly,CC  )$(CC) -std=c99 -DENABLE_LOCALES -w $(OWN_CFLAGS) $(CPPFLAGS) $(CFLAGS) -c -o $@ build/cjson/include/cjson/cJSON.c

build/cjson/include/cjson/cJSON.h: tools/fetch_cjson.sh $(if $(CJSON_SRC),FORCE)
	@tools/fetch_cjson.sh build/cjson '$(CJSON_SRC)'

# --- tests ---------------------------------------------------------------------------------------------------------

# Where the test decides how time passes: tests/unit/own_clock.h.
$(OWN_CLOCK_TESTS:%=$(B)/tests/%): UNIT_LDFLAGS := -Wl,--wrap=clock_now_ns,--wrap=clock_used_ns,--wrap=ppoll

$(B)/tests/%: tests/unit/%.c $(LIBRARY) $(B)/link.flags
	@mkdir -p $(@D)
	$(call quietly,CC  )$(COMPILE) $(STRICT) $(CMOCKA_CPPFLAGS) -Itests/unit -MF $@.d -MT $@ -o $@ $< @$(B)/link.flags $(OWN_LDFLAGS) $(LDFLAGS) $(UNIT_LDFLAGS) \
		$(LIBRARY) $(CMOCKA_LIBS) $(LIBS)

units: $(UNIT_TESTS) ## build the unit tests (build/VARIANT/tests/test_*)

unit: units ## build and run the unit tests
	@tests/run --units $(B)/tests

# Without warnings: gcc gives false ones where it instruments, and the other builds give the true ones.
SANITIZERS := -w -fsanitize=address,undefined -fno-sanitize-recover=all
sanitize: ## build program and unit tests with the address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory VARIANT=sanitize CFLAGS='-O0 -g -fno-omit-frame-pointer $(SANITIZERS)' all units

# Float to integer is not among the undefined behaviour that clang looks for by itself.
FUZZ_SECONDS ?= 600
FUZZ_CC ?= clang
FUZZ_CFLAGS := -O1 -g -fno-omit-frame-pointer -w -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow \
	-fno-sanitize-recover=all
FUZZ_SOURCES := $(sort $(wildcard tests/fuzz/fuzz_*.c))
fuzz: ## fuzz the readers of saved files and of fio's output, each for FUZZ_SECONDS (600)
	@tests/fuzz/run.sh check '$(FUZZ_CC)'
	@$(MAKE) --no-print-directory VARIANT=fuzz CC='$(FUZZ_CC)' CFLAGS='$(FUZZ_CFLAGS)' fuzzers
	@tests/fuzz/run.sh fuzz build/fuzz/fuzz '$(FUZZ_SECONDS)'

fuzzers: $(FUZZ_SOURCES:tests/fuzz/%.c=$(B)/fuzz/%)

$(B)/fuzz/%: tests/fuzz/%.c $(LIBRARY) $(B)/link.flags
	@mkdir -p $(@D)
	$(call quietly,CC  )$(COMPILE) -fsanitize=fuzzer -MF $@.d -MT $@ -o $@ $< @$(B)/link.flags $(OWN_LDFLAGS) $(LDFLAGS) \
		$(LIBRARY) $(LIBS)

check: ## install what the tests need, then build and run them all
	@tools/setup.sh check-deps
	@tests/run

lint: all ## run the checks of tests/lint
	@tests/run lint

# The plain text that --manual prints is committed, so that building needs no formatter.
manual: ## bring man/speedtest-hd.txt up to date with the manual
	@$(MAKE) -s --no-print-directory manual-text >build/manual.txt
	mv build/manual.txt man/speedtest-hd.txt

manual-text:
	@mandoc -T ascii -I os=speedtest-hd man/speedtest-hd.1 | col -bx

bench: all ## compare with bare fio
	python3 tests/bench/bench.py --binary ./speedtest-hd

bench-truth: all ## put it into situations with a known truth, and count what it names (about 25 minutes, root)
	python3 tests/bench/truth.py --binary ./speedtest-hd

# --- use -----------------------------------------------------------------------------------------------------------

run: ## install what is needed, build, and measure TARGET (default: this folder); more options in ARGS
	@tools/setup.sh run-deps
	@$(MAKE) --no-print-directory all
	./speedtest-hd '$(subst ','\'',$(value TARGET))' --yes $(value ARGS)

install: all ## install program, manual and completions below $(DESTDIR)$(PREFIX)
	$(INSTALL) -d '$(DESTDIR)$(bindir)' '$(DESTDIR)$(mandir)/man1' '$(DESTDIR)$(bashcompletiondir)' \
		'$(DESTDIR)$(zshcompletiondir)' '$(DESTDIR)$(fishcompletiondir)'
	$(INSTALL) -m 755 speedtest-hd '$(DESTDIR)$(bindir)/speedtest-hd'
	$(INSTALL) -m 644 man/speedtest-hd.1 '$(DESTDIR)$(mandir)/man1/speedtest-hd.1'
	@mkdir -p build/completions
	for shell in bash zsh fish; do ./speedtest-hd --completion $$shell >build/completions/$$shell || exit 1; done
	$(INSTALL) -m 644 build/completions/bash '$(DESTDIR)$(bashcompletiondir)/speedtest-hd'
	$(INSTALL) -m 644 build/completions/zsh '$(DESTDIR)$(zshcompletiondir)/_speedtest-hd'
	$(INSTALL) -m 644 build/completions/fish '$(DESTDIR)$(fishcompletiondir)/speedtest-hd.fish'

uninstall: ## remove what install put there
	rm -f '$(DESTDIR)$(bindir)/speedtest-hd' '$(DESTDIR)$(mandir)/man1/speedtest-hd.1' \
		'$(DESTDIR)$(bashcompletiondir)/speedtest-hd' '$(DESTDIR)$(zshcompletiondir)/_speedtest-hd' \
		'$(DESTDIR)$(fishcompletiondir)/speedtest-hd.fish'

dist: ## make speedtest-hd-VERSION.tar.gz from the last commit; twice the same bytes
	git archive --format=tar --prefix=speedtest-hd-$(VERSION)/ HEAD >build/dist.tar
	gzip -n -9 <build/dist.tar >speedtest-hd-$(VERSION).tar.gz
	@rm -f build/dist.tar

clean: ## remove everything built
	rm -rf build speedtest-hd speedtest-hd-static speedtest-hd-*.tar.gz

help: ## list the targets
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' Makefile | while IFS='	' read -r name text; do \
		printf '  %-12s %s\n' "$$name" "$$text"; done
