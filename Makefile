# Builds dtc, tests it and installs it. `make help` lists the targets. Variants have a build folder each, so that a
# sanitized build never mixes with a plain one. Nothing here runs pkg-config or the compiler before `deps` had its
# turn: on a fresh machine neither is there while this file is read.

# ---- variables for the command line

# CI=1: warnings are errors; `check` tests the sanitized build as well
CI ?=
# SAN=1: address, undefined behaviour and leak sanitizers, in build/san
SAN ?=
# COV=1: counts what is executed, in build/cov
COV ?=
# LINK=dynamic: against shared libraries; static where that works, by default
LINK ?= static
# PREFIX=DIR: where `install` puts things, /usr/local by default
PREFIX ?= /usr/local
# DESTDIR=DIR: before PREFIX, for packagers
DESTDIR ?=
# PROGRAM=NAME: name to install as; device-tree-compiler has a dtc too
PROGRAM ?= dtc
# STRANGERS=DIR: for `strangers`: checkouts, as DIR/OWNER/NAME
STRANGERS ?=
# T=NAME: for `make test`: unit/test_str, tests/docs.sh, DT0304, vpc-one-az
T ?=
# NAME=NAME: for `new-rule`: of the rule and its message
NAME ?=
# ROOM=FOLDER: for `new-rule`: a folder of compiler/plan/rules
ROOM ?=
# CODE=DT0304: for `new-rule`: the next one that was never given, by default
CODE ?=
# SUBJECT=WORD: for `new-rule`: as rules.def has it, without RULE_; what most rules of the room are about, by default
SUBJECT ?=
# FILE=NAME.c: for `new-rule`: of the room; a new one, by default
FILE ?=
# V=1: show whole command lines
V ?=
# DUMPS=DIR: for `refresh`: where the dumps lie
DUMPS ?=
# FILES=SOURCES: for `mutants`: which emitters and rules it breaks
FILES ?=
# FUZZ_SECONDS=N: for each fuzz target, 60 by default
FUZZ_SECONDS ?= 60
# N=NUMBER: how many mutants `mutate` or `mutants` builds (0 of `mutants`: all), or how many builds `kills` kills
N ?= 100000
# SEED=NUMBER: which ones; the same number gives the same ones
SEED ?= 1
# CORE_GCC=NAME: compiler of the nodes' core. One release makes the same bytes on each Debian, and newer ones make more of them
CORE_GCC ?= gcc-12
# CI looks at no variables in a debugger, and what it compiles has lines and functions alone.
CFLAGS ?= -O2 $(if $(CI),-g1,-g)

# ---- variants

ifneq ($(SAN),)
BUILD := build/san
# -Og finds the same, runs as quickly as -O1, and compiles in four fifths of its time. A program that is not moved starts in
# half the time: the list of its variables, which the address sanitizer has, is full of addresses.
# Without the checks for NULL, sizes of objects, sums of addresses and their alignment it compiles in half the time: the
# address sanitizer reports whoever reads or writes out of bounds all the same, and FUZZ=1 has them all.
VARIANT := -Og -g1 -fno-pie -no-pie -fsanitize=address,undefined -fno-sanitize=null,object-size,pointer-overflow,alignment \
           -fno-sanitize-recover=all -fno-omit-frame-pointer
else ifneq ($(COV),)
BUILD := build/cov
VARIANT := --coverage -O0
else ifneq ($(FUZZ),)
BUILD := build/fuzz
CC := clang
VARIANT := -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all -O1
else ifneq ($(MUTANTS),)
BUILD := build/mutants
# A shared library, so that what is loaded before it takes the place of any of its functions.
VARIANT := -O1 -g1 -fPIC
else ifneq ($(CROSS),)
# The programs for the other architecture, which `dist` packs: as the plain ones, against libraries in a folder. What
# runs while it is built comes from the plain build, which has to be there.
BUILD := build/$(CROSS)
SYSROOT := build/sysroot/$(CROSS)
override CC := $(filter ccache,$(CC)) $(CROSS)-linux-gnu-gcc --sysroot=$(SYSROOT)
override AR := $(CROSS)-linux-gnu-ar
VARIANT :=
else
BUILD := build
VARIANT :=
endif

# Where gcc sees how a text comes to be empty, it takes that for NULL given to "%.*s", which prints nothing of it.
WARNINGS := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wswitch-enum -Walloca \
            -Wvla -Wwrite-strings -Wno-format-overflow $(if $(CI),-Werror)
# What dtc calls; and libyaml, which tests and benchmarks hold it against.
PROGRAM_MODULES := libfyaml jansson libpcre2-8 nettle zlib
MODULES := yaml-0.1 $(PROGRAM_MODULES)
# What nodes run is built for both architectures, whichever this machine's is.
HOST_MACHINE := $(shell uname -m)
MACHINE := $(or $(CROSS),$(HOST_MACHINE))
OTHER_MACHINE := $(if $(filter aarch64,$(MACHINE)),x86_64,aarch64)
CROSS_aarch64 := gcc-aarch64-linux-gnu gcc-12-aarch64-linux-gnu libc6-dev-arm64-cross
CROSS_x86_64 := gcc-x86-64-linux-gnu gcc-12-x86-64-linux-gnu libc6-dev-amd64-cross
PACKAGES := gcc gcc-12 libc6-dev pkg-config libyaml-dev libfyaml-dev libjansson-dev libpcre2-dev nettle-dev zlib1g-dev \
            libzopfli-dev libcmocka-dev libfabric-dev $(CROSS_$(if $(filter aarch64,$(HOST_MACHINE)),x86_64,aarch64))
# What packages are made with, and what the other architecture's dtc is linked with.
PACKERS := dpkg-dev git lintian make
LINKED := libc6 libc6-dev linux-libc-dev libfabric-dev libfyaml-dev libjansson-dev libpcre2-dev nettle-dev zlib1g-dev

# What tests use where it is there, from Debian and from npm. What is Python's (cfn-lint, AWS CLI, moto, boto3) is left to
# the machine.
JUDGES := bash busybox clang-format dash iproute2 libfabric1 mandoc munge nftables openssh-client patch pre-commit procps \
          python3 qemu-user-static shellcheck slurm-client slurmctld slurmd
NODE_JUDGES := dockerfile-utils@0.16.3 @aws/cloudformation-validate@1.9.0-beta

# Each is worked out once, when a recipe first needs it.
MODULE_FLAGS = $(eval MODULE_FLAGS := $$(shell pkg-config --cflags $(MODULES)))$(MODULE_FLAGS)
SHARED_LIBS = $(eval SHARED_LIBS := $$(shell pkg-config --libs $(MODULES)))$(SHARED_LIBS)
CALLED_LIBS = $(eval CALLED_LIBS := $$(shell pkg-config --libs $(PROGRAM_MODULES)))$(CALLED_LIBS)
STATIC_LIBS = $(eval STATIC_LIBS := $$(shell pkg-config --static --libs $(PROGRAM_MODULES)))$(STATIC_LIBS)
STATIC_WORKS = $(shell echo 'int main(void) { return 0; }' | \
                 $(CC) -static-pie -fPIE -x c -o /dev/null - $(STATIC_LIBS) 2>/dev/null && echo yes)
# A static program moves its own tables when it starts. The list of what to move takes a bit for each place where the
# linker knows how, and 24 bytes elsewhere. A linker that does not know says so, or only that it ignores the flag.
PACK_FLAG := -Wl,-z,pack-relative-relocs
PACKED = $(shell echo 'int main(void) { return 0; }' | \
           $(CC) -static-pie -fPIE $(PACK_FLAG) -x c -o /dev/null - 2>&1 | grep -q . || echo $(PACK_FLAG))
ifeq ($(LINK)$(VARIANT),static)
PROGRAM_LIBS = $(eval PROGRAM_LIBS := $$(if $$(STATIC_WORKS),-static-pie $$(PACKED) $$(STATIC_LIBS),\
                        -pie $$(CALLED_LIBS)))$(PROGRAM_LIBS)
else
PROGRAM_LIBS = $(if $(VARIANT),,-pie) $(CALLED_LIBS)
endif
# Addresses differ from run to run, tables that are filled in at the start are read-only afterwards, and a buffer that
# overflows ends the program. tests/hardening.sh checks it.
HARDENED := -fPIE -fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
HARDENED_LINK := -Wl,-z,relro,-z,now,-z,noexecstack,--as-needed
# No folder of the machine stands in what is built, so that the same source gives the same bytes wherever it lies.
PREFIX_MAP = -ffile-prefix-map=$(CURDIR)=.

# Whether sanitized programs run here: they need /proc, and some containers have no room for their shadow memory.
SANITIZER_PROBE = echo 'int main(void) { return 0; }' | $(CC) -fsanitize=address,undefined -x c -o build/probe - && \
                  { build/probe || ASAN_OPTIONS=detect_leaks=0 build/probe; } >/dev/null 2>&1

COMPILE = $(CC) -std=c17 -D_GNU_SOURCE -I. -I$(BUILD)/generated $(WARNINGS) $(if $(VARIANT),,$(HARDENED)) \
          $(CFLAGS) $(VARIANT) $(PREFIX_MAP) $(MODULE_FLAGS) -MMD -MP
LINK_WITH = $(CC) $(CFLAGS) $(HARDENED_LINK) $(LDFLAGS) $(VARIANT) -o $@ $(filter %.o %.a %.so,$^)

# `make demo` is about what dtc does, so that it does not say each file that it compiles.
SAY = $(if $(V),,@$(if $(filter demo,$(MAKECMDGOALS)),,printf '  %-9s %s\n' $(1) $@;))

# ---- what there is

object = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
BASE_SOURCES := $(wildcard compiler/base/*.c compiler/base/*/*.c)
SCHEMAGEN_SOURCES := $(wildcard schema/generator/*.c)
# What holds dumps of AWS against the rows.
REFRESH_SOURCES := $(wildcard schema/refresh/*.c)
# Readers of rows, for the generator and for --schema alike: they know nothing that is generated.
ROW_SOURCES := $(wildcard schema/row_*.c)
# What knows which commit it is made of: it is not in the library, so that a commit links dtc alone anew.
MAIN_SOURCES := compiler/driver/main.c compiler/driver/crash.c
SOURCES := $(filter-out $(MAIN_SOURCES) compiler/driver/memory.c \
             $(BASE_SOURCES) $(SCHEMAGEN_SOURCES) $(REFRESH_SOURCES) $(ROW_SOURCES),\
             $(wildcard compiler/*/*.c compiler/*/*/*.c compiler/*/*/*/*.c schema/*.c emitters/*.c emitters/*/*.c emitters/*/*/*.c) \
             stdlib/library.c)
TEST_SOURCES := $(wildcard tests/unit/test_*.c tests/property/test_*.c)
FUZZ_SOURCES := $(wildcard tests/fuzz/fuzz_*.c)
BENCH_SOURCES := $(wildcard tests/bench/*.c) tests/support/measure.c
CORE_SOURCES := $(wildcard stdlib/node/core/*.c)
# The published measurements that dtc-collective compares with. They travel with the program's source, so they lie
# beside the programs.
MEASURED := build/node/collective/measured.c
COLLECTIVE_SOURCES := $(wildcard stdlib/node/collective/*.c stdlib/node/device/*.c) $(MEASURED)
SCHEMA_ROWS := $(wildcard schema/*.yaml schema/*/*.yaml schema/*.def)
STDLIB := $(wildcard stdlib/*.dt stdlib/start/*/* stdlib/image/*.sh stdlib/job/*.sh stdlib/node/*.sh stdlib/node/*.h stdlib/node/core/*.c \
            stdlib/node/core/*.h stdlib/node/core/*.ld stdlib/node/collective/*.c stdlib/node/collective/*.h \
            stdlib/node/device/*.c stdlib/node/device/*.h) $(MEASURED)

GENERATED := $(BUILD)/generated/schema_tables.c $(BUILD)/generated/schema_kinds.h $(BUILD)/generated/measured.c \
             $(BUILD)/generated/sources.tsv
GENERATED_OBJECTS := $(BUILD)/obj/schema_tables.o $(BUILD)/obj/stdlib.o
BASE_OBJECTS := $(call object,$(BASE_SOURCES))
# The explanations of messages. The generator prints none, so that a corrected word leaves its tables as they are.
PROSE_OBJECT := $(call object,compiler/base/diag/prose.c)
ROW_OBJECTS := $(call object,$(ROW_SOURCES))
SCHEMAGEN_OBJECTS := $(call object,$(SCHEMAGEN_SOURCES))
REFRESH_OBJECTS := $(call object,$(REFRESH_SOURCES) schema/describe.c)
OBJECTS := $(call object,$(SOURCES))
MAIN_OBJECTS := $(call object,$(MAIN_SOURCES))
BUILD_VERSION := $(BUILD)/generated/dtc_build.h
# malloc() that ends the program where there is no memory: one object for static links, one for dynamic ones. Sanitizers
# have a malloc() of their own.
MEMORY_STATIC := $(BUILD)/obj/memory.static.o
MEMORY_SHARED := $(BUILD)/obj/memory.shared.o
MEMORY_OBJECT = $(if $(filter -static%,$(PROGRAM_LIBS)),$(MEMORY_STATIC),$(if $(VARIANT),,$(MEMORY_SHARED)))
MEMORY_WRAPS = $(if $(filter -static%,$(PROGRAM_LIBS)),$(addprefix -Wl$(COMMA)--wrap=,malloc calloc realloc))
COMMA := ,
LIBRARY := $(BUILD)/libdtc.$(if $(MUTANTS),so,a)
COLLECTIVE_OBJECTS := $(call object,$(COLLECTIVE_SOURCES))
COLLECTIVE_LIBRARY := $(BUILD)/libcollective.a
# The core of the nodes' check, for both architectures, whatever this machine's is: without a C library, and as small as
# it gets, since it travels in user data. It is the same in all variants.
CORES := build/node/dtc-node.x86_64 build/node/dtc-node.aarch64
# The core and what each check begins with: what all streams of a core begin with.
STREAMS := $(CORES:build/node/%=build/pack/%.stream)
PACKS := build/pack/check.sh $(STREAMS) $(STREAMS:.stream=)
CORE_FLAGS := -std=c17 -I. $(WARNINGS) -Oz -flto -fwhole-program -frandom-seed=dtc-node -ffreestanding -nostdlib \
    -static -fno-pic -no-pie -fno-stack-protector -fno-asynchronous-unwind-tables -fno-unwind-tables \
    -fomit-frame-pointer -fno-ident -fno-strict-aliasing -fno-tree-loop-distribute-patterns -ffunction-sections \
    -fdata-sections
# These leave the program as large as it is, and make its gzip stream smaller.
CORE_FLAGS += -fno-schedule-insns2 -fno-move-loop-invariants -fno-guess-branch-probability -fno-tree-loop-im \
    -fno-cse-follow-jumps -fno-forward-propagate -fno-tree-forwprop -fno-tree-tail-merge -fno-tree-fre \
    -fmerge-all-constants
CORE_LINK := -nostdlib -static -no-pie -Wl,-T,stdlib/node/core/core.ld,--gc-sections,--build-id=none,-z,norelro \
    -Wl,-z,noseparate-code,-z,noexecstack -s
# The core without its calls of the kernel, for tests that answer those calls themselves.
CORE_OBJECTS := $(call object,$(filter-out %/sys_linux.c,$(CORE_SOURCES)))
CORE_LIBRARY := $(BUILD)/libcore.a
CORE_TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_node_*.c))
CORE_FUZZERS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/fuzz/fuzz_node_*.c))
# dtc-collective, with which nodes measure each other. The two that travel, one for each architecture, are the same in
# all variants; the third one is for this machine and its tests. libfabric is loaded at run time, so its headers are
# enough.
TRAVELLERS := build/node/dtc-collective.x86_64 build/node/dtc-collective.aarch64
COLLECTIVES := $(BUILD)/node/dtc-collective $(TRAVELLERS)
# A network that damages data, for tests/collective.sh.
CORRUPT := $(BUILD)/node/corrupt.so
# Libraries of GPUs that there are not, for tests/faults.sh.
STAND_IN := $(BUILD)/node/stand_in.so
# What disturbs builds while they write, for tests/kills.sh.
KILLS := $(BUILD)/tests/kills/kills
TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(TEST_SOURCES))
PROPERTY_TESTS := $(filter $(BUILD)/tests/property/%,$(TESTS))
# The whole-build fuzzer's mutants of values, which need no libFuzzer.
MUTATE_SOURCES := $(filter-out %/libfuzzer.c,$(wildcard tests/mutate/*.c))
# With libFuzzer, the fuzzer of whole builds changes its inputs as these do.
MUTATOR_OBJECTS := $(call object,$(filter-out %/main.c,$(wildcard tests/mutate/*.c)))
MUTATE := $(BUILD)/tests/mutate/mutate
# Each key of each file that dtc lints with each odd value.
SWEEP := $(BUILD)/tests/sweep/sweep
# Runs dtc many times, with one start.
SERVE := $(BUILD)/tests/serve/serve
SERVE_MAIN := $(BUILD)/obj/tests/serve/dtc_main.o
# A machine without memory. Not with sanitizers, whose malloc() is another.
OOM := $(if $(VARIANT),,$(BUILD)/tests/oom/oom)
FUZZERS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(FUZZ_SOURCES))
COMPILER_FUZZERS := $(filter-out $(CORE_FUZZERS),$(FUZZERS))
# In CI the sanitized tests and fuzz targets are one program and links to it, since a link takes as long as two of them to
# compile. The core's have another library, and these fuzz targets let libfyaml lose memory, as no other may.
LOSERS := $(addprefix $(BUILD)/tests/fuzz/fuzz_,foreign policies project schema_file yaml_read)
ONE := $(BUILD)/tests/one/one
ONE_PROGRAMS := $(if $(CI),$(if $(SAN),$(filter-out $(CORE_TESTS) $(LOSERS),$(TESTS) $(COMPILER_FUZZERS))))
ONE_OBJECTS := $(ONE_PROGRAMS:$(BUILD)/%=$(BUILD)/obj/one/%.o) $(BUILD)/obj/one/tests/fuzz/replay.o
LIMITS := $(BUILD)/tests/limits/limits
BENCHES := $(BUILD)/tests/bench/bench $(BUILD)/tests/bench/replay $(BUILD)/tests/bench/empty
TEST_OBJECTS := $(call object,$(TEST_SOURCES) $(FUZZ_SOURCES) tests/fuzz/replay.c $(BENCH_SOURCES) \
    tests/limits/limits.c $(wildcard tests/mutate/*.c) tests/sweep/sweep.c tests/oom/oom.c tests/serve/serve.c \
    tests/one/one.c) $(SERVE_MAIN) $(ONE_OBJECTS)
DEPS := build/deps.stamp

# ---- targets

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:

.PHONY: all
all: $(BUILD)/dtc $(CORES) $(COLLECTIVES) ## build the compiler, build/dtc, and what runs on nodes, build/node (default)

.PHONY: help
help: ## list targets and variables
	@echo 'usage: make [TARGET] [VARIABLE=VALUE]'; echo; echo 'targets:'
	@sed -n 's/^\([a-z_-]*\):[^#]*## \(.*\)/\1\t\2/p' Makefile | while IFS='	' read -r name text; do \
	    printf '  %-16s %s\n' "$$name" "$$text"; done
	@echo; echo 'variables:'
	@sed -n 's/^# \([A-Z_]*=[A-Za-z0-9]*\): \(.*\)/\1\t\2/p' Makefile | while IFS='	' read -r name text; do \
	    printf '  %-16s %s\n' "$$name" "$$text"; done

.PHONY: demo
demo: $(BUILD)/dtc ## start a project in build/demo, build it and show the result
	@sh tests/demo.sh $(BUILD)/dtc build/demo
ifeq ($(MAKECMDGOALS) $(wildcard $(BUILD)/dtc),demo )
$(info compiling dtc, which takes a minute or two)
endif

.PHONY: check
ifneq ($(CI),)
# What waits needs the plain programs alone, so it begins before the sanitized ones are compiled: tests/run calls make.
check: $(DEPS) ## run every test; ends with `N passed, N failed, N skipped`
	@+if $(SANITIZER_PROBE); then \
	    $(MAKE) --no-print-directory BOTH=1 programs && \
	    SANITIZE="$(MAKE) --no-print-directory SAN=1 programs" bash tests/run $(BUILD) build/san; \
	else \
	    rm -rf build/san && $(MAKE) --no-print-directory programs && bash tests/run $(BUILD) build/san; \
	fi
else
check: programs
	@bash tests/run $(BUILD)
endif

# What T does not need is not linked, so that the first answer comes soon.
.PHONY: test
ifneq ($(filter DT%,$(T)),)
test: $(BUILD)/dtc $(SERVE)
else ifneq ($(filter unit/test_%,$(T)),)
test: $(filter $(BUILD)/tests/$(T)%,$(TESTS))
else
test: programs
endif
test: ## run the suites with T in their names, or the fixtures with T in theirs
	@ONLY=$(T) bash tests/run $(BUILD)

.PHONY: programs
programs: $(BUILD)/dtc $(CORES) $(COLLECTIVES) ## build the compiler and all test programs, run nothing
programs: $(SERVE) $(PROPERTY_TESTS)
# BOTH=1: a sanitized build is tested as well, and what finds the same in both is left to that.
ifeq ($(BOTH),)
programs: $(TESTS) $(FUZZERS) $(MUTATE) $(SWEEP)
endif
# Of these, tests/suites runs no sanitized ones.
ifeq ($(SAN),)
programs: $(BUILD)/refresh $(CORRUPT) $(STAND_IN) $(KILLS) $(OOM) $(BENCHES) $(LIMITS)
endif

.PHONY: golden
golden: $(BUILD)/dtc ## run the fixtures alone
	@ONLY=dtc:fixtures bash tests/run $(BUILD)

.PHONY: matrix
matrix: $(BUILD)/dtc $(SERVE) ## which faults dtc finds in which forms: rules down, forms across
	@TABLE=1 bash tests/forms.sh $(BUILD)/dtc

.PHONY: fixes
fixes: $(BUILD)/dtc $(SERVE) ## count the findings that `lint --fix` repairs, and hold each fix against a clean twin
	@bash tests/fixes.sh $(BUILD)/dtc

.PHONY: codes
codes: ## print where each code is reported: its severity and name, then files and functions
	@TABLE=1 bash tests/codes.sh

.PHONY: new-rule
new-rule: ## lay what a new rule needs: rows, a function, fixtures, with NEW-RULE where words are to be written
	@bash compiler/plan/rules/new_rule.sh '$(NAME)' '$(ROOM)' '$(CODE)' '$(SUBJECT)' '$(FILE)'

.PHONY: own-files
own-files: $(BUILD)/dtc $(SERVE) ## hold what dtc writes for the fixtures against `dtc lint`, and sources with changed values
	@bash tests/own_files.sh $(BUILD)/dtc

.PHONY: golden-update
golden-update: $(BUILD)/dtc ## rewrite what the fixtures expect; read the difference
	@UPDATE=1 bash tests/golden.sh $(BUILD)/dtc
	@UPDATE=1 bash tests/origins.sh $(BUILD)/dtc
	@UPDATE=1 bash tests/own_files.sh $(BUILD)/dtc

.PHONY: layers
layers: ## check that includes point upwards only
	@sh tests/layers.sh

.PHONY: format
format: ## write C as .clang-format has it (needs clang-format)
	@find compiler schema emitters stdlib tests -name '*.[ch]' | xargs clang-format -i

# What editors and their language servers read: how each file is compiled.
.PHONY: compile_commands
compile_commands: $(GENERATED) $(BUILD_VERSION) ## write build/compile_commands.json, for editors
	@sh tests/compile_commands.sh '$(CURDIR)' '$(COMPILE)' \
	    $(sort $(BASE_SOURCES) $(ROW_SOURCES) $(SCHEMAGEN_SOURCES) $(REFRESH_SOURCES) $(SOURCES) $(TEST_SOURCES) \
	    $(COLLECTIVE_SOURCES) $(CORE_SOURCES) $(MAIN_SOURCES)) > $(BUILD)/compile_commands.json

.PHONY: conformance
conformance: $(BUILD)/dtc ## hold all of the outputs against third-party tools, where present (minutes)
	@LONG=1 ONLY=tests/conformance bash tests/run $(BUILD)

.PHONY: strangers
strangers: $(BUILD)/dtc ## lint public repositories of strangers, and compare with the errors that were read (needs a network)
	@bash tests/strangers.sh $(BUILD)/dtc $(STRANGERS)

.PHONY: corpus
corpus: $(BUILD)/dtc ## what dtc, cfn-lint and cloudformation-validate find in fixtures/foreign, file by file
	@bash tests/corpus.sh $(BUILD)/dtc

.PHONY: collective
collective: $(COLLECTIVES) $(CORRUPT) ## dtc-collective at length: 100 clean runs and each fault at each size
	@LONG=34 bash tests/collective.sh $(BUILD)/node/dtc-collective $(CORRUPT)

.PHONY: fleet
fleet: $(BUILD)/dtc $(CORES) ## fleets of 64 nodes with faults, each node of which is started (minutes)
	@EVERY=1 bash tests/fleet.sh $(BUILD)/dtc

.PHONY: kills
kills: N = 1000
kills: $(BUILD)/dtc $(KILLS) ## kill and fail builds at each system call, then kill N builds at random moments
	@bash tests/kills.sh $(KILLS) $(BUILD)/dtc $(N)

.PHONY: refresh
refresh: $(BUILD)/refresh ## what DUMPS of AWS would change in schema/, as a difference (schema/README.md)
	@$(BUILD)/refresh schema '$(DUMPS)'

.PHONY: refresh-proof
refresh-proof: $(BUILD)/refresh $(BUILD)/dtc ## build a dtc of the rows that tests/refresh changes
	@PROOF=$(BUILD)/refresh-proof bash tests/refresh.sh $(BUILD)/refresh $(BUILD)/schemagen $(BUILD)/dtc

.PHONY: helps
helps: $(BUILD)/tests/property/test_helps ## do what each help of the fixtures says, and count what comes of it
	@$<

.PHONY: size
size: $(CORES) $(BUILD)/dtc ## what travels to a node, in bytes; fails where it is more than it may be
	@bash tests/size.sh build/node $(BUILD)/dtc

.PHONY: bench
bench: $(BUILD)/dtc $(BENCHES) $(CORES) ## what dtc costs beside libyaml, m4, jsonnet and other linters: ratios, in one run
	@sh tests/bench/run.sh $(BUILD)

.PHONY: limits
limits: $(BUILD)/dtc $(LIMITS) ## inputs of a megabyte that ask for much: time and peak memory of each
	@sh tests/limits.sh $(BUILD) long

.PHONY: reproducible
reproducible: ## build in two folders and compare the programs, byte by byte
	@bash tests/reproducible.sh

.PHONY: debian
debian: ## type `make demo` and `make check` in bare roots of Debian 12 and 13 (root, debootstrap, an hour)
	@bash tests/debian.sh

.PHONY: coverage
coverage: ## line coverage by file, and what no fixture reaches
	@find build/cov -name '*.gcda' -delete 2>/dev/null || true
	@+$(MAKE) --no-print-directory COV=1 programs
	@bash tests/run build/cov || true
	@bash tests/coverage.sh build/cov

.PHONY: fuzz
fuzz: ## fuzz each target for FUZZ_SECONDS (needs clang)
	@+$(MAKE) --no-print-directory FUZZ=1 fuzzers
	@sh tests/fuzz/fuzz.sh build/fuzz $(FUZZ_SECONDS)

.PHONY: mutate
mutate: $(MUTATE) ## build N sources that are nearly right, made of the fixtures by changing values
	@$(MUTATE) fixtures seed=$(SEED) count=$(N)

.PHONY: sweep
sweep: $(SWEEP) ## give each key of each file that dtc lints each odd value, one at a time, and N pairs of changes to each file
	@$(SWEEP) fixtures/foreign same=8 pairs=$(if $(filter file,$(origin N)),100,$(N)) seed=$(SEED)

.PHONY: mutate-each
mutate-each: $(MUTATE) ## change each value of each fixture in each way, one at a time
	@$(MUTATE) fixtures each

# The variant builds itself.
.PHONY: mutants
ifeq ($(MUTANTS),)
mutants: ## break emitters and rules in N small ways, one at a time, in FILES or in all: which does no test notice?
	@+$(MAKE) --no-print-directory MUTANTS=1 mutants
else
mutants: N = 200
mutants: $(BUILD)/dtc $(filter-out $(CORE_TESTS),$(TESTS))
	@COMPILE='$(filter-out -MMD -MP,$(COMPILE))' bash tests/mutants.sh $(BUILD) $(N) $(SEED) \
	    $(if $(FILES),$(FILES),$(MUTABLE))
endif

.PHONY: oom
oom: $(OOM) $(BUILD)/dtc ## let each allocation of a small build fail in turn
	@bash tests/oom.sh $(BUILD) all

.PHONY: dropped
dropped: programs ## look for attributes that are dropped in silence, beside each other of their block (minutes)
	@DROPPED=block $(BUILD)/tests/property/test_dropped

.PHONY: fuzzers
fuzzers: $(FUZZERS)

.PHONY: install
install: $(BUILD)/dtc $(CORES) $(COLLECTIVES) ## install the programs and their manual pages
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man5 \
	    $(DESTDIR)$(PREFIX)/share/man/man7 $(DESTDIR)$(PREFIX)/libexec/dtc
	install -m 755 $(BUILD)/dtc $(DESTDIR)$(PREFIX)/bin/$(PROGRAM)
	install -m 755 $(BUILD)/node/dtc-collective $(DESTDIR)$(PREFIX)/bin/dtc-collective
	install -m 755 build/node/dtc-collective.$(OTHER_MACHINE) $(DESTDIR)$(PREFIX)/libexec/dtc/
	install -m 644 man/dtc.1 $(DESTDIR)$(PREFIX)/share/man/man1/$(PROGRAM).1
	install -m 644 man/dtc-collective.1 $(DESTDIR)$(PREFIX)/share/man/man1/dtc-collective.1
	install -m 644 man/dtc-node.7 $(DESTDIR)$(PREFIX)/share/man/man7/dtc-node.7
	install -m 644 man/dt.5 $(DESTDIR)$(PREFIX)/share/man/man5/dt.5

.PHONY: dist
dist: ## tarballs and Debian packages for x86_64 and aarch64, in build/dist
	@sh tests/deps.sh $(PACKAGES) $(PACKERS)
	@+$(MAKE) --no-print-directory all
	@sh debian/sysroot.sh $(OTHER_MACHINE) build/sysroot/$(OTHER_MACHINE) $(LINKED)
	@+$(MAKE) --no-print-directory CROSS=$(OTHER_MACHINE) all
	@rm -rf build/dist
	@bash debian/package.sh $(MACHINE) build/dist
	@bash debian/package.sh $(OTHER_MACHINE) build/dist
	@lintian --allow-root --quiet --fail-on error,warning build/dist/*.deb
	@cd build/dist && LC_ALL=C sha256sum *.deb *.tar.gz > SHA256SUMS && cat SHA256SUMS

.PHONY: uninstall
uninstall: ## remove what `install` put there
	rm -f $(DESTDIR)$(PREFIX)/bin/dtc-collective $(DESTDIR)$(PREFIX)/libexec/dtc/dtc-collective.$(OTHER_MACHINE) \
	    $(DESTDIR)$(PREFIX)/share/man/man1/dtc-collective.1 $(DESTDIR)$(PREFIX)/share/man/man7/dtc-node.7
	rm -f $(DESTDIR)$(PREFIX)/bin/$(PROGRAM) $(DESTDIR)$(PREFIX)/share/man/man1/$(PROGRAM).1 \
	    $(DESTDIR)$(PREFIX)/share/man/man5/dt.5
	[ ! -d $(DESTDIR)$(PREFIX)/libexec/dtc ] || rmdir --ignore-fail-on-non-empty $(DESTDIR)$(PREFIX)/libexec/dtc

.PHONY: deps
deps: ## install the Debian packages that a build needs
	@sh tests/deps.sh $(PACKAGES)
	@mkdir -p build && touch $(DEPS)

.PHONY: judges
judges: ## install the packages with which tests judge; without one, what it judges is skipped
	@sh tests/deps.sh $(JUDGES)
	@! command -v npm >/dev/null 2>&1 || \
	    npm install --silent --no-audit --no-fund --ignore-scripts --prefix build/judges $(NODE_JUDGES)

.PHONY: clean
clean: ## remove build/
	rm -rf build

# ---- rules

$(DEPS):
	@sh tests/deps.sh $(PACKAGES)
	@mkdir -p build && touch $@

$(BASE_OBJECTS) $(ROW_OBJECTS) $(SCHEMAGEN_OBJECTS) $(REFRESH_OBJECTS): | $(DEPS)
$(COLLECTIVE_OBJECTS) $(CORE_OBJECTS): | $(DEPS)
$(OBJECTS) $(MAIN_OBJECTS) $(TEST_OBJECTS) $(GENERATED_OBJECTS): | $(DEPS) $(GENERATED)

# A fifth of what is compiled is tests, and that takes half of the time where nothing is optimized.
$(call object,$(TEST_SOURCES)) $(filter $(BUILD)/obj/one/tests/unit/% $(BUILD)/obj/one/tests/property/%,$(ONE_OBJECTS)): \
    private VARIANT += -O0

# Before the next rule, which takes whatever this one takes.
$(BUILD)/obj/one/%.o: %.c
	@mkdir -p $(@D)
	$(call SAY,compile)$(COMPILE) -Dmain=$(*F)_main $(if $(filter fuzz_%,$(*F)),-DLLVMFuzzerTestOneInput=$(*F)_one_input) \
	    -Wno-missing-prototypes -c -o $@ $<

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call SAY,compile)$(COMPILE) -c -o $@ $<

$(BUILD)/obj/%.o: $(BUILD)/generated/%.c
	@mkdir -p $(@D)
	$(call SAY,compile)$(COMPILE) -c -o $@ $<

# The generator's own libraries are those of the base objects, so it is linked like a test: shared.
$(BUILD)/schemagen: $(SCHEMAGEN_OBJECTS) $(ROW_OBJECTS) $(filter-out $(PROSE_OBJECT),$(BASE_OBJECTS))
	$(call SAY,link)$(LINK_WITH) $(SHARED_LIBS)

$(BUILD)/refresh: $(REFRESH_OBJECTS) $(ROW_OBJECTS) $(filter-out $(PROSE_OBJECT),$(BASE_OBJECTS))
	$(call SAY,link)$(LINK_WITH) $(SHARED_LIBS)

# What comes out the same stays, so that a new row compiles the tables alone. Leaks are left to the tests: where
# LeakSanitizer cannot run at all, the build should.
SCHEMAGEN := $(if $(CROSS),build,$(BUILD))/schemagen
$(BUILD)/generated/stamp: $(SCHEMAGEN) $(SCHEMA_ROWS)
	@mkdir -p $(BUILD)/generated/new
	$(call SAY,generate)ASAN_OPTIONS=detect_leaks=0 $(SCHEMAGEN) schema $(BUILD)/generated/new
	@for file in $(notdir $(GENERATED)); do \
	    cmp -s $(@D)/new/$$file $(@D)/$$file || mv $(@D)/new/$$file $(@D)/$$file || exit; done
	@touch $@

$(GENERATED): $(BUILD)/generated/stamp ;

# git is asked each time, and what comes out the same stays. Several `make install` may do so at once.
$(MAIN_OBJECTS) $(SERVE_MAIN): $(BUILD_VERSION)
$(BUILD_VERSION): FORCE
	@mkdir -p $(@D)
	@version=$$(sh compiler/base/version.sh) && echo "#define DTC_BUILD \"$$version\"" > $@.$$$$ && \
	    if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi

.PHONY: FORCE
FORCE:

$(BUILD)/generated/stdlib.c: stdlib/embed.sh $(STDLIB) $(CORES) $(PACKS) $(TRAVELLERS)
	@mkdir -p $(@D)
	$(call SAY,generate)sh stdlib/embed.sh $(STDLIB) $(CORES) $(PACKS) $(TRAVELLERS) > $@

build/packer: stdlib/pack.c | $(DEPS)
	@mkdir -p $(@D)
	$(call SAY,link)$(CC) -std=c17 -O2 $(WARNINGS) -o $@ $< -lzopfli

# As userdata_add_code() has it: nobody reads comments and indentation on a node.
build/pack/check.sh: stdlib/node/check.sh
	@mkdir -p $(@D)
	@sed 's/^[ \t]*//; s/[ \t]*$$//; /^#/d; /^$$/d' $< > $@

$(STREAMS): build/pack/%.stream: build/node/% build/pack/check.sh
	@cat $^ > $@

$(STREAMS:.stream=): build/pack/%: build/pack/%.stream build/packer
	$(call SAY,pack)build/packer $< > $@

$(BUILD)/libdtc.a: $(BASE_OBJECTS) $(ROW_OBJECTS) $(OBJECTS) $(GENERATED_OBJECTS)
	@rm -f $@
	$(call SAY,archive)$(AR) rcs $@ $^

# What tests/mutants.sh breaks says which of its lines a test runs.
MUTABLE := $(filter compiler/plan/% emitters/%,$(SOURCES))
ifneq ($(MUTANTS),)
$(call object,$(MUTABLE)): VARIANT += -O0 -fsanitize-coverage=trace-pc
endif

$(BUILD)/libdtc.so: $(BASE_OBJECTS) $(ROW_OBJECTS) $(OBJECTS) $(GENERATED_OBJECTS) $(call object,tests/mutants/reached.c)
	$(call SAY,link)$(CC) $(LDFLAGS) $(VARIANT) -shared -Wl,-soname,$(@F) -o $@ $^ $(CALLED_LIBS)

# Which of the two objects is known when the libraries are.
$(MEMORY_STATIC) $(MEMORY_SHARED): compiler/driver/memory.c | $(DEPS)
	@mkdir -p $(@D)
	$(call SAY,compile)$(COMPILE) $(if $(filter %.static.o,$@),-DMEMORY_IS_WRAPPED) -c -o $@ $<

# Whoever runs it meanwhile has the whole of it, the one or the other.
$(BUILD)/dtc: $(MAIN_OBJECTS) $(LIBRARY) $(MEMORY_STATIC) $(MEMORY_SHARED)
	$(call SAY,link)$(CC) $(CFLAGS) $(HARDENED_LINK) $(LDFLAGS) $(VARIANT) -o $@.new $(MAIN_OBJECTS) $(MEMORY_OBJECT) \
	    $(LIBRARY) $(MEMORY_WRAPS) $(PROGRAM_LIBS)
	@mv $@.new $@

$(SERVE_MAIN): compiler/driver/main.c
	@mkdir -p $(@D)
	$(call SAY,compile)$(COMPILE) -Dmain=dtc_main -Wno-missing-prototypes -c -o $@ $<

# Linked behind dtc: one that is older than dtc is not used.
$(SERVE): $(call object,tests/serve/serve.c) $(SERVE_MAIN) $(call object,compiler/driver/crash.c) $(LIBRARY) \
    $(if $(VARIANT),,$(MEMORY_SHARED)) | $(BUILD)/dtc
	@mkdir -p $(@D)
	$(call SAY,link)$(LINK_WITH) $(SHARED_LIBS)

# Between dtc's malloc() and libc's, each call may be made to fail.
$(OOM): $(call object,tests/oom/oom.c) $(LIBRARY) $(MEMORY_SHARED)
	@mkdir -p $(@D)
	$(call SAY,link)$(LINK_WITH) -Wl,--wrap=__libc_malloc,--wrap=__libc_calloc,--wrap=__libc_realloc $(SHARED_LIBS)

# Each variant writes the same, and what is the same stays, so that programs that travel are not built anew.
$(MEASURED): $(BUILD)/generated/measured.c
	@mkdir -p $(@D)
	@cmp -s $< $@ || cp $< $@

# Nobody on a node reads the section headers, which cost 90 bytes of a gzip stream. They follow what is loaded, whose
# size is that of the first segment, at byte 96. Where the headers are, and how many, stands at bytes 40 and 60 of ELF's
# header.
define WITHOUT_SECTIONS
	@truncate -s $$(od -An -t u8 -j 96 -N 8 $@) $@
	@head -c 8 /dev/zero | dd of=$@ bs=1 seek=40 conv=notrunc status=none
	@head -c 4 /dev/zero | dd of=$@ bs=1 seek=60 conv=notrunc status=none
endef

# The compiler's own link is thrown away. What it gave to the linker is linked anew, with texts that may not be merged:
# each release of the linker orders merged texts in its own way.
define CORE
	@rm -rf build/core.$(1) && mkdir -p $(@D) build/core.$(1)
	$(call SAY,core)$(1)-linux-gnu-$(CORE_GCC) $(CORE_FLAGS) $(2) -save-temps -dumpdir build/core.$(1)/ -o $@ $(CORE_SOURCES)
	@$(1)-linux-gnu-objcopy --set-section-flags '.rodata*=alloc,load,readonly,data,contents' build/core.$(1)/ltrans0.ltrans.o
	@$(1)-linux-gnu-$(CORE_GCC) $(CORE_LINK) $(3) -o $@ build/core.$(1)/ltrans0.ltrans.o && rm -r build/core.$(1)
	$(WITHOUT_SECTIONS)
endef
CORE_PARTS := $(CORE_SOURCES) $(wildcard stdlib/node/*.h stdlib/node/core/*.h) stdlib/node/core/core.ld

build/node/dtc-node.x86_64: $(CORE_PARTS) Makefile | $(DEPS)
	$(call CORE,x86_64,-mno-sse -fno-tree-loop-optimize)

# Its pages are 64 KiB, so that kernels with such pages load it as well.
build/node/dtc-node.aarch64: $(CORE_PARTS) Makefile | $(DEPS)
	$(call CORE,aarch64,-mgeneral-regs-only -mcmodel=tiny -fno-peephole2 -fno-shrink-wrap,-Wl$(COMMA)-z$(COMMA)max-page-size=65536)

$(COLLECTIVE_LIBRARY): $(filter-out %/main.o,$(COLLECTIVE_OBJECTS))
	@rm -f $@
	$(call SAY,archive)$(AR) rcs $@ $^

$(BUILD)/node/dtc-collective: $(call object,stdlib/node/collective/main.c) $(COLLECTIVE_LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,link)$(LINK_WITH) $(if $(VARIANT),,-pie)

# The headers of libfabric are the same on all architectures; those of libc stand before them.
COLLECTIVE_HEADERS := $(wildcard stdlib/node/*.h stdlib/node/collective/*.h stdlib/node/device/*.h)
$(TRAVELLERS): build/node/dtc-collective.%: $(COLLECTIVE_SOURCES) $(COLLECTIVE_HEADERS) | $(DEPS)
	@mkdir -p $(@D)
	$(call SAY,cross)$*-linux-gnu-gcc -std=c17 -D_GNU_SOURCE -I. -idirafter /usr/include $(WARNINGS) -O2 $(HARDENED) \
	    $(PREFIX_MAP) -pie $(HARDENED_LINK) -s -o $@ $(COLLECTIVE_SOURCES)

$(KILLS): $(wildcard tests/kills/*.c) $(wildcard tests/kills/*.h) | $(DEPS)
	@mkdir -p $(@D)
	$(call SAY,link)$(CC) -std=c17 -D_GNU_SOURCE -I. $(WARNINGS) -O2 -o $@ $(filter %.c,$^)

$(CORRUPT): tests/collective/corrupt.c | $(DEPS)
	@mkdir -p $(@D)
	$(call SAY,link)$(CC) -std=c17 $(WARNINGS) -O2 -fPIC -shared -o $@ $<

$(STAND_IN): tests/node/stand_in.c stdlib/node/device/nvml.h | $(DEPS)
	@mkdir -p $(@D)
	$(call SAY,link)$(CC) -std=c17 -D_GNU_SOURCE -I. $(WARNINGS) -O2 -fPIC -fvisibility=hidden -shared -o $@ $<

$(CORE_TESTS): $(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(CORE_LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,link)$(LINK_WITH) -lcmocka

# What comes out the same stays, as for the version.
$(BUILD)/generated/one.def: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(patsubst %,'TEST(%)',$(notdir $(filter $(TESTS),$(ONE_PROGRAMS)))) \
	    $(patsubst %,'TARGET(%)',$(notdir $(filter $(FUZZERS),$(ONE_PROGRAMS)))) > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(call object,tests/one/one.c): $(BUILD)/generated/one.def

$(ONE): $(call object,tests/one/one.c) $(ONE_OBJECTS) $(LIBRARY) $(COLLECTIVE_LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,link)$(LINK_WITH) $(SHARED_LIBS) -lcmocka

$(ONE_PROGRAMS): $(ONE)
	@mkdir -p $(@D)
	@ln -sf ../one/one $@

$(filter-out $(CORE_TESTS) $(ONE_PROGRAMS),$(TESTS)): $(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(LIBRARY) $(COLLECTIVE_LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,link)$(LINK_WITH) $(SHARED_LIBS) -lcmocka

$(CORE_LIBRARY): $(CORE_OBJECTS)
	@rm -f $@
	$(call SAY,archive)$(AR) rcs $@ $^

# libFuzzer brings a main() of its own; elsewhere replay.c is one.
FUZZ_MAIN := $(if $(FUZZ),,$(BUILD)/obj/tests/fuzz/replay.o)
$(CORE_FUZZERS): $(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(FUZZ_MAIN) $(CORE_LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,link)$(LINK_WITH) $(if $(FUZZ),-fsanitize=fuzzer)

$(filter-out $(ONE_PROGRAMS),$(COMPILER_FUZZERS)): $(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(FUZZ_MAIN) $(LIBRARY) $(COLLECTIVE_LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,link)$(LINK_WITH) $(if $(FUZZ),-fsanitize=fuzzer) $(SHARED_LIBS)

ifneq ($(FUZZ),)
$(BUILD)/tests/fuzz/fuzz_build: $(MUTATOR_OBJECTS)
endif

$(MUTATE): $(call object,$(MUTATE_SOURCES)) $(LIBRARY) $(COLLECTIVE_LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,link)$(LINK_WITH) $(SHARED_LIBS)

$(SWEEP): $(call object,tests/sweep/sweep.c) $(LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,link)$(LINK_WITH) $(SHARED_LIBS)

$(BUILD)/tests/bench/bench: $(call object,tests/bench/bench.c tests/bench/lint.c tests/support/measure.c) $(LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,link)$(LINK_WITH) $(SHARED_LIBS) -lm

# As dtc itself is: against shared libraries each call costs more.
$(BUILD)/tests/bench/replay: $(call object,tests/bench/replay.c) $(LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,link)$(LINK_WITH) $(filter -static%,$(PROGRAM_LIBS)) -lyaml $(filter-out -static%,$(PROGRAM_LIBS))

$(LIMITS): $(call object,tests/limits/limits.c tests/support/measure.c) $(LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,link)$(LINK_WITH) $(SHARED_LIBS)

$(BUILD)/tests/bench/empty: $(call object,tests/bench/empty.c)
	@mkdir -p $(@D)
	$(call SAY,link)$(LINK_WITH)

-include $(BASE_OBJECTS:.o=.d) $(ROW_OBJECTS:.o=.d) $(SCHEMAGEN_OBJECTS:.o=.d) $(REFRESH_OBJECTS:.o=.d) \
         $(OBJECTS:.o=.d) $(MAIN_OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d) $(GENERATED_OBJECTS:.o=.d) \
         $(COLLECTIVE_OBJECTS:.o=.d) $(CORE_OBJECTS:.o=.d) $(MEMORY_STATIC:.o=.d) $(MEMORY_SHARED:.o=.d)
