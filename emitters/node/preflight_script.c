// Lays the files of stdlib/node/ and the record of a group end to end, as a script for any POSIX shell. The core
// travels as base64 of one gzip stream, with the script that runs it and the group's record behind it. The clear text
// names the core's SHA-256. So whoever finds a blob in a template can compare it with what `dtc core` writes. Comments
// and indentation of the shell files stay here: on a node nobody reads them, and user data has no room.
#include "emitters/node/preflight_script.h"

#include "compiler/base/file.h"
#include "compiler/base/gzip.h"
#include "compiler/base/sha256.h"
#include "compiler/base/shell.h"
#include "compiler/base/version.h"
#include "compiler/plan/model/declared_group.h"
#include "emitters/node/userdata.h"
#include "emitters/node/verdicts.h"
#include "stdlib/library.h"
#include "stdlib/node/contract.h"

enum {
    CORE_X86_64,
    CORE_AARCH64,
    CORE_SCRIPT,
    CORE_COLLECTIVE_X86_64,
    CORE_COLLECTIVE_AARCH64,
    CORE_COUNT,
    CORE_BYTES_MAX = 256 * 1024, // of a build that somebody brings; ours has a tenth of it
    SUM_DIGITS = 16,             // of a core's sum, in clear text: enough to find it, and user data has no room
    SECOND_MS = 1000,
    MINUTE_MS = 60 * SECOND_MS,
};

#define MILD "on_fail = warn" // as stdlib/node/check-eks.sh knows it

typedef struct {
    Str bytes;        // empty: not read yet, or reported
    Str sha256;       // of the file
    GzipStart *start; // of what streams begin with: the core, and what each check begins with; NULL of a script
} Core;

struct Cores {
    Core items[CORE_COUNT];
};

typedef struct {
    const char *file;
    const char *machine; // as uname prints it
} CoreRow;

static const CoreRow CORE_ROWS[CORE_COUNT] = {
    [CORE_X86_64] = { "dtc-node.x86_64", "x86_64" },
    [CORE_AARCH64] = { "dtc-node.aarch64", "aarch64" },
    [CORE_SCRIPT] = { "dtc-node.sh", NULL },
    [CORE_COLLECTIVE_X86_64] = { "dtc-collective.x86_64", "x86_64" },
    [CORE_COLLECTIVE_AARCH64] = { "dtc-collective.aarch64", "aarch64" },
};

// ---- cores -----------------------------------------------------------------------------------------------------

static Str library(Arena *arena, Str path) {
    return userdata_library(str_c(arena, path));
}

// What is read of a directory of somebody's own builds.
static Str read_build(Session *session, Str directory, const char *file) {
    const Str path = str_format(session->arena, "%.*s/%s", STR_ARG(directory), file);
    Str bytes = STR_NONE;
    const char *fault = file_read(session->arena, path, CORE_BYTES_MAX, &bytes);
    if (fault != NULL) {
        report(session, SPAN_NONE, DIAG(cannot_read), STR_ARG(path), fault);
        return STR_NONE;
    }
    if (!str_starts_with(bytes, STR("\x7f"
                                    "ELF")) &&
        !str_starts_with(bytes, STR("#!"))) {
        report(session, SPAN_NONE, DIAG(core_no_program), STR_ARG(path));
        return STR_NONE;
    }
    return bytes;
}

// What each check begins with, as it travels.
static Str common_check(void) {
    return userdata_library("pack/check.sh");
}

static Str with_check(Arena *arena, Str core) {
    StrBuf text = { .arena = arena };
    strbuf_add(&text, core);
    strbuf_add(&text, common_check());
    return strbuf_str(&text);
}

static GzipStart *packed_start(Arena *arena, const char *file) {
    return gzip_start_packed(arena, library(arena, str_format(arena, "pack/%s.stream", file)),
                             library(arena, str_format(arena, "pack/%s", file)));
}

static const Core *core_of(Session *session, Output *output, int which) {
    if (output->cores == NULL) {
        output->cores = arena_new(session->arena, Cores);
    }
    Core *core = &output->cores->items[which];
    if (core->bytes.len == 0) {
        Arena *arena = session->arena;
        const char *file = CORE_ROWS[which].file;
        const StdlibFile *own = stdlib_find(str_format(arena, "node/%s", file));
        core->bytes = output->core_directory.len > 0 ? read_build(session, output->core_directory, file) : own->text;
        // Of dtc's own programs, wherever they lie, these are known since it was built.
        const bool is_own = str_equal(core->bytes, own->text);
        core->sha256 = is_own ? str_of(own->sha256) : sha256_text(arena, core->bytes);
        if (which == CORE_SCRIPT) {
            core->bytes = userdata_bare_script(arena, core->bytes); // its sum stays that of the file
        } else if (which != CORE_COLLECTIVE_X86_64 && which != CORE_COLLECTIVE_AARCH64) {
            core->start = is_own ? packed_start(arena, file) : gzip_start(arena, with_check(arena, core->bytes));
        }
    }
    return core;
}

// ---- the script ------------------------------------------------------------------------------------------------

// What the check is told: stdlib/node/check.sh has the names.
static void add_settings(StrBuf *out, const PlanNodes *nodes, PreflightCarrier carrier) {
    const PlanValidate *validate = nodes->validate;
    const bool is_written = validate->on_fail_written;
    strbuf_add_format(out, "limit=%" PRId64 "\nmild=%s\nimage=%s\nkeep=", validate->limit->integer / SECOND_MS,
                      validate->on_fail == ON_FAIL_WARN ? "'" MILD "'" : "", is_written ? "" : "'not its hardware'");
    if (validate->on_fail == ON_FAIL_TERMINATE) {
        strbuf_add_format(out, "%" PRId64, validate->keep->integer / MINUTE_MS);
    }
    strbuf_add_char(out, '\n');
    if (carrier.parameter.len > 0) {
        strbuf_add_format(out, "parameter=%.*s\n", STR_ARG(carrier.parameter)); // names of blocks and slashes
    }
    if (carrier.taints.len > 0 && validate->on_fail != ON_FAIL_WARN) {
        strbuf_add_format(out, "taints='%.*s'\n", STR_ARG(carrier.taints)); // characters of labels alone
    }
}

// How many nodes of the group may fail in an hour and be kept from work. Two of a small group, so that one does not stand
// for all; and as many as Systems Manager keeps versions of a parameter, but for the newest.
static int64_t most_of(const PlanNodes *nodes) {
    enum { ALL = 100, LEAST = 2, MOST = 99 };
    const int64_t most = nodes->count.high->integer * schema_constant(CONSTANT_FAILS_PERCENT_AN_HOUR) / ALL;
    return most < LEAST ? LEAST : most > MOST ? MOST : most;
}

static void add_brake(StrBuf *out, const PlanNodes *nodes) {
    strbuf_add_format(out, "most=%" PRId64 "\n", most_of(nodes));
    userdata_add_code(out, userdata_library("node/brake.sh"));
}

// A node that looks at itself again while it takes work.
static void add_timer(StrBuf *out, PreflightCarrier carrier) {
    strbuf_add_format(out, "every=%" PRId64 "\n", schema_constant(CONSTANT_LOOK_AGAIN_S));
    if (carrier.program.len > 0) {
        userdata_add_code(out, userdata_library("node/ask-again.sh"));
    }
    userdata_add_code(out, userdata_library("node/again.sh"));
    userdata_add_code(out, library(out->arena, str_format(out->arena, "node/again-%s.sh", carrier.target)));
    userdata_add_code(out, userdata_library("node/timer.sh"));
}

static void add_sum(StrBuf *out, const char *name, Str url, const char *sum_name, Str sha256) {
    strbuf_add_format(out, "%s=", name);
    shell_add_word(out, url);
    strbuf_add_format(out, "\n%s=%.*s\n", sum_name, STR_ARG(sha256));
}

Str preflight_second(Arena *arena, const PlanNodes *nodes, PreflightCarrier carrier) {
    StrBuf out = { .arena = arena };
    if (carrier.program.len > 0) {
        add_sum(&out, "program", carrier.program, "program_sum", carrier.program_sha256);
        userdata_add_code(&out, userdata_library("node/device.sh"));
    }
    verdicts_add(&out, nodes);
    userdata_add_code(&out, userdata_library("node/stamp.sh"));
    if (carrier.is_fetched && plan_failures(arena, nodes).len > 0) {
        add_brake(&out, nodes);
        userdata_add_code(&out, userdata_library("node/patient.sh"));
    }
    if (carrier.is_watched) {
        add_timer(&out, carrier);
    }
    userdata_add_code(&out, userdata_library("node/after.sh"));
    return strbuf_str(&out);
}

// What follows the first stage travels with it, unless there is nothing but to say so.
static void add_what_follows(StrBuf *out, const PlanNodes *nodes, PreflightCarrier carrier) {
    const PlanValidate *validate = nodes->validate;
    if (carrier.second.len > 0) {
        strbuf_add_format(out, "every=%" PRId64 "\n", schema_constant(CONSTANT_LOOK_AGAIN_S));
        add_sum(out, "second", carrier.second, "sum", carrier.second_sha256);
        userdata_add_code(out, userdata_library("node/second.sh"));
    } else if (carrier.is_watched || carrier.program.len > 0 || validate->verdicts != NULL ||
               validate->textfile != NULL) {
        strbuf_add(out, preflight_second(out->arena, nodes, carrier));
        strbuf_add(out, STR("deepen() { go_on; }\n"));
    }
}

// What is the group's of the script that runs the core.
static Str check_script(Arena *arena, const PlanNodes *nodes, PreflightCarrier carrier) {
    StrBuf out = { .arena = arena };
    add_settings(&out, nodes, carrier);
    userdata_add_code(&out, library(arena, str_format(arena, "node/check-%s.sh", carrier.target)));
    const bool is_counted = carrier.is_counted && carrier.second.len == 0 && plan_failures(arena, nodes).len > 0;
    if (is_counted || carrier.second.len > 0) {
        userdata_add_code(&out, userdata_library("node/aws.sh"));
    }
    if (is_counted) {
        add_brake(&out, nodes);
    }
    if (carrier.has_agent && nodes->validate->on_fail == ON_FAIL_TERMINATE) {
        userdata_add_code(&out, userdata_library("node/end.sh"));
    }
    add_what_follows(&out, nodes, carrier);
    strbuf_add(&out, STR("look \"$@\"\n"));
    return strbuf_str(&out);
}

// A script that people can read travels as it is, where there is room.
static bool is_clear(const PlanNodes *nodes, PreflightCarrier carrier) {
    return nodes->validate->is_script && !carrier.is_tight;
}

static void add_core(StrBuf *out, Arena *scratch, const Core *core, Str record, Str check, bool is_readable) {
    StrBuf rest = { .arena = scratch };
    strbuf_add(&rest, check);
    strbuf_add(&rest, record);
    strbuf_add_format(out, "core=%zu check=%zu\npreflight ", core->bytes.len, common_check().len + check.len);
    if (is_readable) {
        StrBuf all = { .arena = scratch };
        strbuf_add(&all, with_check(scratch, core->bytes));
        strbuf_add(&all, strbuf_str(&rest));
        userdata_add_here_document(out, strbuf_str(&all));
        return;
    }
    GzipStart *start = core->start != NULL ? core->start : gzip_start(scratch, with_check(scratch, core->bytes));
    strbuf_add(out, STR("<<'END'\n"));
    gzip_add_base64(out, scratch, start, strbuf_str(&rest)); // has no line that is END
    strbuf_add(out, STR("END\n"));
}

// Without dtc's version and the name of the source: another text is another launch template, and that replaces nodes
// which would do the same.
static void add_head(Session *session, Output *output, StrBuf *out, const int *cores, int count) {
    strbuf_add(out, STR("#!/bin/sh\n# from dtc; `dtc core` writes what runs\n"));
    for (int i = 0; i < count; i++) {
        strbuf_add_format(out, "# sha256 %s %.*s\n", CORE_ROWS[cores[i]].file,
                          STR_ARG(str_slice(core_of(session, output, cores[i])->sha256, 0, SUM_DIGITS)));
    }
}

// The cores that travel, and how many they are.
static int cores_of(const PlanNodes *nodes, bool has_both, int *cores) {
    int count = 0;
    if (nodes->validate->is_script) {
        cores[count++] = CORE_SCRIPT;
        return count;
    }
    if (has_both || nodes->instance->architecture != ARCHITECTURE_ARM64) {
        cores[count++] = CORE_X86_64;
    }
    if (has_both || nodes->instance->architecture == ARCHITECTURE_ARM64) {
        cores[count++] = CORE_AARCH64;
    }
    return count;
}

static void add_script(Session *session, Output *output, const PlanNodes *nodes, PreflightCarrier carrier,
                       Arena *scratch, StrBuf *out) {
    const PlanValidate *validate = nodes->validate;
    int cores[CORE_COUNT];
    const int count = cores_of(nodes, carrier.has_both, cores);
    add_head(session, output, out, cores, count);
    const bool may_refuse = validate->on_fail_written && validate->on_fail != ON_FAIL_WARN;
    const char *quarantine = may_refuse ? carrier.target : "warn";
    userdata_add_code(out, library(scratch, str_format(scratch, "node/quarantine-%s.sh", quarantine)));
    userdata_add_code(out, userdata_library("node/preflight.sh"));
    const bool is_readable = is_clear(nodes, carrier);
    if (is_readable) {
        strbuf_add(out, STR("base64() { cat; }\ngzip() { cat; }\n"));
    }
    const Str check = check_script(scratch, nodes, carrier);
    strbuf_add(out, count > 1 ? STR("case $(uname -m) in\n") : STR_NONE);
    for (int i = 0; i < count; i++) {
        const Core *core = core_of(session, output, cores[i]);
        if (count > 1) {
            strbuf_add_format(out, "%s)\n", CORE_ROWS[cores[i]].machine);
        }
        add_core(out, scratch, core, validate->record, check, is_readable);
        strbuf_add(out, count > 1 ? STR(";;\n") : STR_NONE);
    }
    strbuf_add(out, count > 1 ? STR("esac\n") : STR_NONE);
}

// What the script is made of lies elsewhere, so that the script grows where it is.
Str preflight_script(Session *session, Output *output, const PlanNodes *nodes, PreflightCarrier carrier) {
    Arena *scratch = arena_create_beside(session->arena);
    StrBuf out = { .arena = carrier.arena == NULL ? session->arena : carrier.arena };
    add_script(session, output, nodes, carrier, scratch, &out);
    arena_destroy(scratch);
    return strbuf_end(&out);
}

NodeProgram preflight_collective(Session *session, Output *output, Architecture architecture) {
    const int which = architecture == ARCHITECTURE_ARM64 ? CORE_COLLECTIVE_AARCH64 : CORE_COLLECTIVE_X86_64;
    const Core *core = core_of(session, output, which);
    return (NodeProgram){ .file = str_of(CORE_ROWS[which].file), .bytes = core->bytes, .sha256 = core->sha256 };
}

void preflight_add_part(Session *session, Output *output, const PlanNodes *nodes, PreflightCarrier carrier,
                        UserDataParts *parts) {
    const UserDataPart part = {
        .kind = PART_BOOTHOOK, // at each boot, and in front of scripts that may restart the node
        .text = preflight_script(session, output, nodes, carrier),
        .span = preflight_span(nodes),
        .name = STR("`validate`"),
    };
    vec_push(session->arena, parts, part);
}

Str preflight_taint(const PlanNodes *nodes) {
    const bool is_held = nodes->validate != NULL && nodes->validate->on_fail != ON_FAIL_WARN;
    return is_held ? STR(NODE_TAINT "=true:NoSchedule") : STR_NONE;
}

Str preflight_switch(Arena *arena, const PlanNodes *nodes) {
    return str_format(arena, "/dtc/%.*s/%.*s", STR_ARG(nodes->cluster->head.id), STR_ARG(nodes->head.id));
}

Span preflight_span(const PlanNodes *nodes) {
    return nodes->validate->part != NULL ? nodes->validate->part->subject->span : nodes->head.subject->name_span;
}
