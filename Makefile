# wb and its subject. The verbs:
#
#	make		the tool, build/wb, and with cmark its man pages
#	make demo	set-up, then the main job on the shipped stack
#	make check	set-up, then every test (check-fast: 3 minutes,
#			check-long: longer properties, the sanitizers too)
#	make lint	the rules of the house (make format: a hint)
#	make fuzz T=600	so many seconds for each fuzz target (clang)
#	make soak SOAK=9	the core at random, so many rounds (make mutants:
#			its tests against defects made on purpose)
#	make install	prefix=/usr/local, DESTDIR
#
# Variables: CC CFLAGS V=1 SAN=asan|ubsan|tsan prefix DESTDIR.
#
# wb builds a prefix of series/ by running this file, taken from HEAD and not
# from the prefix, with WB_BUILD set: all output then lands there. Those
# targets (lib, bench) need a compiler and nothing else.

MAKEFLAGS += --no-builtin-rules
comma := ,
.SUFFIXES:
.DELETE_ON_ERROR:

B := $(or $(WB_BUILD),build$(if $(SAN),/$(SAN)))
CC ?= cc
ifeq ($(origin CC),default)
CC := cc
endif
CFLAGS ?= -O2 -g
prefix ?= /usr/local
version := 0.1

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
STD := -std=gnu11 -D_GNU_SOURCE
SAN_asan := -fsanitize=address -fno-omit-frame-pointer
SAN_ubsan := -fsanitize=undefined -fno-sanitize-recover=all
SAN_tsan := -fsanitize=thread
SAN_fuzz := -fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-recover=all
SANFLAGS := $(if $(SAN),$(or $(SAN_$(SAN)),$(error SAN is asan, ubsan or tsan)))
COMPILE = $(CC) $(STD) $(WARN) $(CFLAGS) $(SANFLAGS) -MMD -MP -c -o $@ $<
say = @$(if $(V),,printf '  %-5s %s\n' $(1) '$(@:$(B)/%=%)';)
run = $(if $(V),,@)

all: $(B)/wb $(B)/wb-qemu.so pages

# ---- core, bench: the subject ---------------------------------------------
#
# One set of flags for every prefix; nothing from the environment but CC. The
# library is built twice: for timing, and with PA_STATS=1 for event counts. Tests
# have it a third time, with PA_DEBUG=1 too: see core/page_note.h.
# Functions begin at cache lines, so that a patch does not shift the code of
# those it leaves alone: that alone could make a list free 9 % slower.

# Two stores are not joined through a vector register, which takes more
# instructions than it saves.

# Prefixes differ in few files, so a compiler cache is used where there is one;
# for it, no path of the build shows in an object.
CCACHE := $(if $(findstring ccache,$(CC)),,$(shell command -v ccache))

CORE_FLAGS := $(STD) $(WARN) -O2 -g -fno-lto \
	-fdebug-prefix-map=$(CURDIR)=. \
	-falign-functions=64 -fno-tree-slp-vectorize \
	$(if $(WERROR),-Werror) $(SANFLAGS) -pthread -Icore

# WB_LAYOUT=N lays the same code out differently, for each N the same: a pad in
# front, the archive's members in another order, and functions shuffled by lld
# where it is there. 0 is the plain layout.
LAYOUT := $(filter-out 0,$(WB_LAYOUT))
LLD := $(if $(LAYOUT),$(shell command -v ld.lld))
PAD := $(LAYOUT:%=$(B)/obj/pad.o)
CORE_FLAGS += $(if $(LAYOUT),-ffunction-sections)
CORE_LINK := $(PAD) $(if $(LAYOUT),-Wl$(comma)--whole-archive) \
	$(if $(LLD),-fuse-ld=lld '-Wl$(comma)--shuffle-sections=.text*=$(LAYOUT)')
CORE_END := $(if $(LAYOUT),-Wl$(comma)--no-whole-archive)
shuffle = $(if $(LAYOUT),$(shell printf '%s\n' $(1) | awk 'BEGIN { \
	srand($(LAYOUT)) } { print rand(), $$0 }' | sort -n | cut -d' ' -f2),$(1))

$(B)/obj/pad.o:
	$(run)mkdir -p $(@D) && printf '.section .text.pad,"ax"\n.skip %d\n' \
		$$(( $(LAYOUT) * 37 % 64 * 64 )) | $(CC) -x assembler -c -o $@ -

CORE_SRC := $(filter-out core/malloc_front.c,$(wildcard core/*.c))
BENCH_SHARED := harness slices throughput
BENCH_SRC := $(filter-out $(BENCH_SHARED:%=bench/%.c),$(wildcard bench/*.c))
BENCHES := $(BENCH_SRC:bench/%.c=$(B)/%) $(BENCH_SRC:bench/%.c=$(B)/%-stats)

lib: $(B)/libpa.a $(B)/libpa-stats.a
bench: $(BENCHES)
# what .wbconfig measures: of every prefix, so no more than that
measured: $(addprefix $(B)/,pagealloc pcplist pcplist-stats slab)

$(B)/libpa.a: $(CORE_SRC:%.c=$(B)/obj/%.o)
$(B)/libpa-stats.a: $(CORE_SRC:%.c=$(B)/obj-stats/%.o)
$(B)/libpa-debug.a: $(CORE_SRC:%.c=$(B)/obj-debug/%.o)
$(B)/libpa.a $(B)/libpa-stats.a $(B)/libpa-debug.a:
	$(call say,AR)
	$(run)rm -f $@ && $(AR) rcs $@ $(call shuffle,$^)

$(B)/obj/core/%.o: core/%.c
	$(call say,CC)
	$(run)mkdir -p $(@D) && $(CCACHE) $(CC) $(CORE_FLAGS) -MMD -MP \
		-c -o $@ $<
$(B)/obj-stats/core/%.o: core/%.c
	$(call say,CC)
	$(run)mkdir -p $(@D) && \
		$(CCACHE) $(CC) $(CORE_FLAGS) -DPA_STATS=1 -MMD -MP -c -o $@ $<
$(B)/obj-debug/core/%.o: core/%.c
	$(call say,CC)
	$(run)mkdir -p $(@D) && $(CCACHE) $(CC) $(CORE_FLAGS) -DPA_STATS=1 \
		-DPA_DEBUG=1 -MMD -MP -c -o $@ $<
$(B)/obj/bench/%.o: bench/%.c
	$(call say,CC)
	$(run)mkdir -p $(@D) && $(CCACHE) $(CC) $(CORE_FLAGS) -MMD -MP \
		-c -o $@ $<
$(B)/obj-stats/bench/%.o: bench/%.c
	$(call say,CC)
	$(run)mkdir -p $(@D) && \
		$(CCACHE) $(CC) $(CORE_FLAGS) -DPA_STATS=1 -MMD -MP -c -o $@ $<

$(BENCH_SRC:bench/%.c=$(B)/%): $(B)/%: $(B)/obj/bench/%.o \
		$(BENCH_SHARED:%=$(B)/obj/bench/%.o) $(B)/libpa.a $(PAD)
	$(call say,LD)
	$(run)$(CC) $(CORE_FLAGS) -o $@ $(CORE_LINK) $(filter-out $(PAD),$^) \
		$(CORE_END) -lm
$(BENCH_SRC:bench/%.c=$(B)/%-stats): $(B)/%-stats: $(B)/obj-stats/bench/%.o \
		$(BENCH_SHARED:%=$(B)/obj-stats/bench/%.o) $(B)/libpa-stats.a $(PAD)
	$(call say,LD)
	$(run)$(CC) $(CORE_FLAGS) -o $@ $(CORE_LINK) $(filter-out $(PAD),$^) \
		$(CORE_END) -lm

# The core as the malloc of programs that know nothing of it:
# LD_PRELOAD=build/libpagemalloc.so PROGRAM. Not installed; for tests and
# measurements.
FRONTS := $(B)/libpagemalloc.so $(B)/libpagemalloc-debug.so
front: $(FRONTS)
$(B)/libpagemalloc-debug.so: WATCH := -DPA_MALLOC_DEBUG=1
$(FRONTS): $(CORE_SRC) core/malloc_front.c $(wildcard core/*.h)
	$(call say,LD)
	$(run)mkdir -p $(@D) && $(CC) $(CORE_FLAGS) $(WATCH) -DPA_POPULATE=0 \
		-fPIC -fvisibility=hidden -ftls-model=initial-exec \
		-fno-builtin-malloc -fno-builtin-calloc -shared -o $@ \
		$(filter %.c,$^)

# Tests of the core, run for each prefix as well.
PA_UNIT := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/test-pa-*.c))
PA_PROP := $(patsubst tests/prop/%.c,$(B)/tests/%,$(wildcard tests/prop/pa-*.c))

# Those on debugging have the library that does it.
PA_TESTS := $(PA_UNIT) $(PA_PROP)
PA_DEBUGS := $(filter $(B)/tests/test-pa-debug% $(B)/tests/pa-debug%,$(PA_TESTS))
PA_OBJ := $(PA_TESTS:$(B)/tests/%=$(B)/obj-stats/tests/%.o)

vpath test-pa-%.c tests/unit
vpath pa-%.c tests/prop
$(PA_DEBUGS:$(B)/tests/%=$(B)/obj-stats/tests/%.o): NOTES := -DPA_DEBUG=1
$(PA_OBJ): $(B)/obj-stats/tests/%.o: %.c
	$(call say,CC)
	$(run)mkdir -p $(@D) && $(CCACHE) $(CC) $(CORE_FLAGS) -Itests/unit \
		-DPA_STATS=1 $(NOTES) -MMD -MP -c -o $@ $<
$(B)/tests/test-pa-failures: WRAP := -Wl,--wrap=pa_alloc_pages
$(PA_UNIT): LIBS := -lcmocka
$(PA_DEBUGS): $(B)/libpa-debug.a
$(filter-out $(PA_DEBUGS),$(PA_TESTS)): $(B)/libpa-stats.a
$(PA_TESTS): $(B)/tests/%: $(B)/obj-stats/tests/%.o
	$(call say,LD)
	$(run)mkdir -p $(@D) && $(CC) $(CORE_FLAGS) $(WRAP) -o $@ \
		$(filter %.o,$^) $(filter %.a,$^) $(LIBS) -lm

# WB_TEST=PROGRAM[:CASE] runs one of them, CASE being a pattern; WB_SKIP leaves
# cases out (at most one pattern for each program): see wb-series(1), --test.
CORE_TESTS := $(PA_TESTS)
ifneq ($(WB_TEST),)
CORE_TESTS := $(filter %/$(firstword $(subst :, ,$(WB_TEST))),$(CORE_TESTS))
$(if $(CORE_TESTS),,$(error WB_TEST: no test $(WB_TEST)))
endif

check-core: $(CORE_TESTS)
	PA_APPLIED="$$(head -n $${WB_PREFIX:-0} $${WB_TOP:-.}/series/series)" \
		CMOCKA_MESSAGE_OUTPUT=TAP \
		TSAN_OPTIONS=suppressions=$${WB_TOP:-.}/tests/tsan.supp \
		prove $(if $(WB_TEST),-v) -j$(or $(WB_JOBS),1) -e '' $^

# ---- wb: the tool ------------------------------------------------------------
#
# A library's flags go to the files of its edge alone; "make lint" checks that
# its header appears nowhere else.

WB_SRC := $(wildcard wb/*.c)
WB_OBJ := $(WB_SRC:%.c=$(B)/obj/%.o)
WB_LIBS := libgit2 jansson sqlite3 gmime-3.0 glib-2.0 libcmark zlib liblzma libcrypto
WB_LINK = $$(pkg-config --libs $(WB_LIBS)) -lbz2 -lpfm -lm

$(B)/obj/wb/git%.o: PKG := libgit2
$(B)/obj/wb/json.o: PKG := jansson
$(B)/obj/wb/db%.o: PKG := sqlite3
$(B)/obj/wb/mime.o: PKG := gmime-3.0
$(B)/obj/wb/text.o: PKG := glib-2.0
$(B)/obj/wb/render.o: PKG := libcmark
$(B)/obj/wb/hash.o: PKG := libcrypto

# Which wb made what is remembered: see series-memory.h.
$(B)/obj/wb/series-memory.o: DEFS = -DWB_SOURCES='"$(shell \
	cat wb/*.[ch] | sha256sum | cut -c1-64)"'
$(B)/obj/wb/series-memory.o: $(wildcard wb/*.[ch])
$(B)/obj/wb/zip.o: PKG := zlib liblzma

# The style and the script of a report page, as strings.
$(B)/gen/report-%.h: templates/report.%
	$(run)mkdir -p $(@D) && { echo 'static const char report_$*[] ='; \
		sed 's/[\\"]/\\&/g; s/\t/\\t/g; s/.*/\t"&\\n"/' $<; \
		echo '	"";'; } >$@
$(B)/obj/wb/format-html.o $(B)/obj/wb/cmd-plot.o: \
	$(B)/gen/report-css.h $(B)/gen/report-js.h
$(B)/obj/wb/format-html.o $(B)/obj/wb/cmd-plot.o: DEFS = -I$(B)/gen

$(B)/obj/wb/%.o: wb/%.c | have-libs
	$(call say,CC)
	$(run)mkdir -p $(@D) && $(COMPILE) -DWB_VERSION='"$(version)"' $(DEFS) \
		$(if $(WERROR),-Werror) $(if $(PKG),$$(pkg-config --cflags $(PKG)))

$(B)/wb: $(WB_OBJ)
	$(call say,LD)
	$(run)$(CC) $(CFLAGS) $(SANFLAGS) -o $@ $^ \
		$(WB_LINK)

# Loaded by qemu-user, which must not be there for it: see wb/count-qemu.h. Not
# sanitized, as qemu is not.
$(B)/wb-qemu.so: wb/qemu/count.c
	$(call say,LD)
	$(run)mkdir -p $(@D) && $(CC) $(STD) $(WARN) $(CFLAGS) \
		$(if $(WERROR),-Werror) -fPIC -shared -fvisibility=hidden \
		-o $@ $<

# Unit tests of wb link everything below the commands.
UNIT := $(patsubst tests/unit/%.c,$(B)/tests/%,\
	$(filter-out $(wildcard tests/unit/test-pa-*.c),$(wildcard tests/unit/test-*.c)))
$(UNIT): $(B)/tests/%: tests/unit/%.c $(filter-out %/main.o $(B)/obj/wb/cmd%,$(WB_OBJ))
	$(call say,LD)
	$(run)mkdir -p $(@D) && $(CC) $(STD) $(WARN) $(CFLAGS) $(SANFLAGS) \
		-Iwb -MMD -MP -o $@ $(filter-out %.h,$^) -lcmocka \
		$(WB_LINK)

# Modules of wb, without its processes, against simulated worlds.
SIMS := $(B)/bisect-sim $(B)/verdicts-sim
$(B)/bisect-sim: $(wildcard tests/perf/bisect-*.c)
$(B)/verdicts-sim: $(wildcard tests/perf/verdicts*.[ch] tests/perf/figure.[ch]) \
		tests/perf/noise.h
$(SIMS): $(filter-out %/main.o $(B)/obj/wb/cmd%,$(WB_OBJ))
	$(call say,LD)
	$(run)$(CC) $(STD) $(WARN) $(CFLAGS) $(SANFLAGS) -Iwb \
		-o $@ $(filter-out %.h,$^) \
		$(WB_LINK)

# Fuzz targets: libFuzzer drives them under SAN=fuzz, else a loop over files.
FUZZ := $(patsubst tests/fuzz/%.c,$(B)/tests/%,$(wildcard tests/fuzz/fuzz-*.c))
$(B)/tests/fuzz-pages: $(B)/libpa-debug.a
$(B)/tests/fuzz-pages: INC := -Icore -DPA_DEBUG=1 -DPA_STATS=1
$(FUZZ): $(B)/tests/%: tests/fuzz/%.c $(if $(filter fuzz,$(SAN)),,\
		tests/fuzz/replay.c) \
		$(filter-out %/main.o $(B)/obj/wb/cmd%,$(WB_OBJ))
	$(call say,LD)
	$(run)mkdir -p $(@D) && $(CC) $(STD) $(WARN) $(CFLAGS) $(SANFLAGS) \
		$(if $(filter fuzz,$(SAN)),-fsanitize=fuzzer) \
		$(INC) -Iwb -MMD -MP -o $@ $(filter-out %.h,$^) \
		$(WB_LINK)

# Man pages; without cmark there are none, and that stops nothing but "man".
MAN := $(patsubst wb/man/%.md,$(B)/man/%,$(wildcard wb/man/*.md))
PAGES := $(if $(shell command -v cmark),$(MAN))
pages: $(PAGES)
man: $(MAN)
$(B)/man/%: wb/man/%.md
	@command -v cmark >/dev/null || \
		{ echo 'man pages need cmark (package cmark)' >&2; exit 1; }
	$(call say,MAN)
	$(run)mkdir -p $(@D) && { printf '.TH "%s" "%s" "" "wb $(version)" "wb"\n' \
		"$(basename $*)" "$(patsubst .%,%,$(suffix $*))"; \
		cmark -t man $<; } > $@

# ---- set-up ------------------------------------------------------------------

# package:what-tells-that-it-is-there (a pkg-config module, a program, a header)
NEEDED := gcc:cc git:git pkg-config:pkg-config libgit2-dev:libgit2 \
	libjansson-dev:jansson libsqlite3-dev:sqlite3.h \
	libgmime-3.0-dev:gmime-3.0 libglib2.0-dev:glib-2.0 \
	libcmark-dev:libcmark zlib1g-dev:zlib \
	liblzma-dev:liblzma libssl-dev:libcrypto libbz2-dev:bzlib.h libpfm4-dev:perfmon/pfmlib.h libc6-dev:stdio.h
WANTED := valgrind:valgrind qemu-user:qemu-$(shell uname -m) cmark:cmark libcmocka-dev:cmocka perl:prove \
	quilt:quilt stgit:stg patch:patch man-db:man procps:ps jq:jq sqlite3:sqlite3 \
	bubblewrap:bwrap ccache:ccache lld:ld.lld linux-perf:perf rt-tests:hackbench \
	git-email:/usr/lib/git-core/git-send-email libmailtools-perl:Mail/Address.pm

# have-libs: what the tool cannot be built without, by name of its package
have-libs:
	@sh .ci/packages.sh missing $(NEEDED)
deps:
	@sh .ci/packages.sh install $(NEEDED) $(WANTED)
.PHONY: have-libs deps

# ---- verbs -------------------------------------------------------------------

# One bench, so that three minutes give verdicts and counts. The prefixes share a
# compiler cache, which their sandbox has to let in.
demo: deps
	@$(MAKE) --no-print-directory all
	@echo 'demo: the commands of .wbconfig, trusted for this user:'
	@$(B)/wb trust
	@mkdir -p $(B)/ccache
	CCACHE_DIR=$(abspath $(B)/ccache) \
		$(B)/wb -c wb.sandbox-write=$(abspath $(B)/ccache) \
		run --bench=pagealloc --budget=3m || [ $$? = 125 ]

# check-fast leaves out what takes minutes: properties, the shipped stack.
# check-long adds longer properties, the sanitizers and a fresh machine.
check: deps
	@$(MAKE) --no-print-directory check-all
check-fast: deps
	@$(MAKE) --no-print-directory check-unit check-core lint check-cli \
		CLI_TESTS='$(filter-out tests/cli/21%,$(CLI_TESTS))'
check-long: deps
	@$(MAKE) --no-print-directory check-all LONG=1
	@sh .ci/packages.sh install clang:clang
	@$(MAKE) --no-print-directory fuzz T=60
	@$(MAKE) --no-print-directory check-all SAN=asan
	@$(MAKE) --no-print-directory check-all SAN=ubsan
	@$(MAKE) --no-print-directory check-core SAN=tsan LONG=1
	@$(MAKE) --no-print-directory series-check mutants
	sh tests/fresh-machine.sh || [ $$? = 77 ]

# The stack: exact, a fixed point, headers, dependencies; every prefix builds
# with -Werror and passes its tests but for what series/expect names.
series-check: all
	$(B)/wb -c wb-build.command='make -f Makefile -j$$WB_JOBS WERROR=1 lib bench' \
		-c wb-build.test='make -f Makefile -j$$WB_JOBS WERROR=1 check-core' \
		series check --build --test

# Defects put into the core on purpose: each must be caught.
mutants:
	sh tests/mutants.sh

# The core for as long as you like, SOAK rounds of some minutes each, with a
# seed of its own every time; the first finding ends it.
SOAK ?= 10
SOAKED := pa-model pa-slab-model pa-debug-stress pa-storm
soak: $(SOAKED:%=$(B)/tests/%) $(B)/tests/pa-small $(B)/tests/pa-debug-interleave
	$(B)/tests/pa-small 8
	$(B)/tests/pa-debug-interleave 3
	n=0; while [ $$n -lt $(SOAK) ]; do n=$$((n + 1)); s=$$(date +%s)$$n; \
		echo "round $$n of $(SOAK), seed $$s"; \
		$(B)/tests/pa-model $$s 400000 && \
		$(B)/tests/pa-slab-model $$s 400000 && \
		$(B)/tests/pa-debug-stress 2000000 $$s && \
		$(B)/tests/pa-storm $$s 2000 || exit 1; done

check-all: lint check-unit check-core check-fuzz check-prop check-cli

CLI_TESTS := $(sort $(wildcard tests/cli/*.t))

check-unit: $(UNIT)
	CMOCKA_MESSAGE_OUTPUT=TAP prove -e '' $^
check-cli: all
	B=$(abspath $(B)) prove --timer -e sh $(CLI_TESTS)
check-prop: $(B)/wb $(SIMS)
	B=$(abspath $(B)) LONG=$(LONG) prove --timer -e sh $(sort $(wildcard tests/prop/*.t))
# Every input that once was a finding, and some that lead deep into the code.
check-fuzz: $(FUZZ)
	for t in $^; do LSAN_OPTIONS=suppressions=tests/lsan.supp \
		$$t tests/fuzz/corpus/$${t##*/fuzz-} || exit 1; done
# New inputs stay in build/, a finding in build/fuzz/finding-*: after the mend
# it goes to tests/fuzz/corpus.
T ?= 60
fuzz:
	@command -v clang >/dev/null || \
		{ echo 'SKIPPED: fuzzing needs clang (package clang)' >&2; exit 0; } && \
		$(MAKE) --no-print-directory SAN=fuzz CC=clang fuzz-all
fuzz-all: $(FUZZ)
	for t in $^; do n=$${t##*/fuzz-}; mkdir -p $(B)/corpus/$$n; \
		LSAN_OPTIONS=suppressions=tests/lsan.supp $$t \
		-max_total_time=$(T) -timeout=10 -rss_limit_mb=512 \
		-max_len=4096 -dict=tests/fuzz/$$n.dict -print_final_stats=1 \
		-artifact_prefix=$(B)/finding-$$n- $(B)/corpus/$$n \
		tests/fuzz/corpus/$$n >$(B)/$$n.log 2>&1 || \
		{ tail -n 40 $(B)/$$n.log; exit 1; }; \
		grep -E 'DONE|number_of_executed|peak_rss' $(B)/$$n.log; done
lint:
	@sh tests/lint.sh
# What clang-format would change; a hint, no rule.
FORMAT := clang-format-14
format:
	@command -v $(FORMAT) >/dev/null || { echo 'no $(FORMAT)' >&2; exit 1; }
	@for f in $(wildcard $(addsuffix /*.[ch],wb core bench tests/unit)); do \
		$(FORMAT) $$f | diff -u --label $$f --label $$f $$f -; done; :

install: all
	install -d $(DESTDIR)$(prefix)/bin
	install $(B)/wb $(DESTDIR)$(prefix)/bin/wb
	ln -sf wb $(DESTDIR)$(prefix)/bin/git-wb
	install -d $(DESTDIR)$(prefix)/lib/wb
	install -m 644 $(B)/wb-qemu.so $(DESTDIR)$(prefix)/lib/wb/
	install -d $(DESTDIR)$(prefix)/share/bash-completion/completions \
		$(DESTDIR)$(prefix)/share/zsh/site-functions \
		$(DESTDIR)$(prefix)/share/fish/vendor_completions.d
	install -m 644 wb/completion/wb.bash \
		$(DESTDIR)$(prefix)/share/bash-completion/completions/wb
	install -m 644 wb/completion/_wb \
		$(DESTDIR)$(prefix)/share/zsh/site-functions/_wb
	install -m 644 wb/completion/wb.fish \
		$(DESTDIR)$(prefix)/share/fish/vendor_completions.d/wb.fish
	install -d $(DESTDIR)$(prefix)/share/wb/templates
	install -m 644 templates/*.md templates/*.yml $(DESTDIR)$(prefix)/share/wb/templates/
	for m in $(PAGES); do \
		d=$(DESTDIR)$(prefix)/share/man/man$${m##*.}; \
		install -d $$d && install -m 644 $$m $$d/ || exit 1; done
	$(if $(PAGES),ln -sf wb.1 $(DESTDIR)$(prefix)/share/man/man1/git-wb.1)

clean:
	rm -rf build

.PHONY: all lib bench measured front man pages demo check check-fast check-long check-all check-unit \
	check-core check-cli check-prop series-check mutants soak lint format install clean

-include $(wildcard $(B)/obj/*/*.d $(B)/obj-stats/*/*.d $(B)/obj-debug/*/*.d $(B)/tests/*.d)
