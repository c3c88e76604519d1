// Lays the files of stdlib/node/ and the record of a group end to end, as a script for any POSIX shell. The core travels as
// base64 of one gzip stream with the record behind it, and the script names its SHA-256, so that whoever finds a blob in a
// template can hold it against what `dtc core` writes. Comments and indentation of the shell files stay here: on a node
// nobody reads them, and user data has no room.
#include "emitters/preflight.h"

#include "compiler/base/base64.h"
#include "compiler/base/file.h"
#include "compiler/base/gzip.h"
#include "compiler/base/sha256.h"
#include "compiler/base/version.h"
#include "emitters/userdata.h"
#include "stdlib/node/contract.h"

enum {
    CORE_X86_64,
    CORE_AARCH64,
    CORE_SCRIPT,
    CORE_COLLECTIVE_X86_64,
    CORE_COLLECTIVE_AARCH64,
    CORE_COUNT,
    CORE_BYTES_MAX = 256 * 1024, // of a build that somebody brings; ours has a tenth of it
    SECOND_MS = 1000,
};

typedef struct {
    Str bytes;  // empty: not read yet, or reported
    Str sha256; // of the file
    Sha256Start *sum;
    GzipStart *start; // NULL of a script, which travels as it is
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

// A file of stdlib/node/.
static Str library(Arena *arena, Str name) {
    return userdata_library(str_c(arena, str_format(arena, "node/%.*s", STR_ARG(name))));
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

static const Core *core_of(Session *session, Output *output, int which) {
    if (output->cores == NULL) {
        output->cores = arena_new(session->arena, Cores);
    }
    Core *core = &output->cores->items[which];
    if (core->bytes.len == 0) {
        const char *file = CORE_ROWS[which].file;
        core->bytes = output->core_directory.len > 0 ? read_build(session, output->core_directory, file)
                                                     : library(session->arena, str_of(file));
        core->sum = sha256_start(session->arena, core->bytes);
        core->sha256 = sha256_finish(session->arena, core->sum, STR_NONE);
        if (which == CORE_SCRIPT) {
            core->bytes = userdata_bare_script(session->arena, core->bytes); // its sum stays that of the file
            core->sum = sha256_start(session->arena, core->bytes);
        } else if (which != CORE_COLLECTIVE_X86_64 && which != CORE_COLLECTIVE_AARCH64) {
            core->start = gzip_start(session->arena, core->bytes);
        }
    }
    return core;
}

// ---- the script ------------------------------------------------------------------------------------------------

static void add_core(StrBuf *out, const Core *core, Str record) {
    strbuf_add_format(out, "core=%zu sum=%.*s\npreflight ", core->bytes.len,
                      STR_ARG(sha256_finish(out->arena, core->sum, record)));
    if (core->start == NULL) {
        StrBuf both = { .arena = out->arena };
        strbuf_add(&both, core->bytes);
        strbuf_add(&both, record);
        userdata_add_here_document(out, strbuf_str(&both));
        return;
    }
    strbuf_add(out, STR("<<'END'\n"));
    base64_add_lines(out, gzip_finish(out->arena, core->start, record)); // has no line that is END
    strbuf_add(out, STR("END\n"));
}

static void add_program(Session *session, Output *output, StrBuf *out, int which, Str record) {
    const Core *core = core_of(session, output, which);
    if (core->bytes.len > 0) {
        add_core(out, core, record);
    }
}

static Str source_name(const Session *session, const Plan *plan) {
    const Program *program = plan->program;
    const Str path = program->main == NULL ? STR_NONE : source_get(session, program->main->source)->path;
    size_t start = path.len;
    while (start > 0 && path.data[start - 1] != '/') {
        start--;
    }
    return str_slice(path, start, path.len);
}

static void add_head(Session *session, const Plan *plan, Output *output, StrBuf *out, const int *cores, int count) {
    strbuf_add_format(
        out, "#!/bin/sh\n# dtc " DTC_VERSION " from %.*s; what runs is of stdlib/node/, `dtc core` writes it\n",
        STR_ARG(source_name(session, plan)));
    for (int i = 0; i < count; i++) {
        strbuf_add_format(out, "# sha256 %s %.*s\n", CORE_ROWS[cores[i]].file,
                          STR_ARG(core_of(session, output, cores[i])->sha256));
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

Str preflight_script(Session *session, const Plan *plan, Output *output, const PlanNodes *nodes,
                     PreflightCarrier carrier) {
    const PlanValidate *validate = nodes->validate;
    Arena *arena = session->arena;
    int cores[CORE_COUNT];
    const int count = cores_of(nodes, carrier.has_both, cores);
    StrBuf out = { .arena = arena };
    add_head(session, plan, output, &out, cores, count);
    strbuf_add_format(&out, "limit=%" PRId64 "\n", validate->limit->integer / SECOND_MS);
    if (carrier.taints.len > 0 && !validate->only_warns) {
        strbuf_add_format(&out, "taints='%.*s'\n", STR_ARG(carrier.taints)); // characters of labels alone
    }
    const char *quarantine = validate->only_warns ? "warn" : carrier.quarantine;
    userdata_add_code(&out, library(arena, str_format(arena, "quarantine-%s.sh", quarantine)));
    userdata_add_code(&out, library(arena, STR("preflight.sh")));
    if (validate->is_script) {
        strbuf_add(&out, STR("base64() { cat; }\ngzip() { cat; }\n"));
    }
    if (count == 1) {
        add_program(session, output, &out, cores[0], validate->record);
        return strbuf_str(&out);
    }
    strbuf_add(&out, STR("case $(uname -m) in\n"));
    for (int i = 0; i < count; i++) {
        strbuf_add_format(&out, "%s)\n", CORE_ROWS[cores[i]].machine);
        add_program(session, output, &out, cores[i], validate->record);
        strbuf_add(&out, STR(";;\n"));
    }
    strbuf_add(&out, STR("esac\n"));
    return strbuf_str(&out);
}

NodeProgram preflight_collective(Session *session, Output *output, const PlanNodes *nodes) {
    const int which =
        nodes->instance->architecture == ARCHITECTURE_ARM64 ? CORE_COLLECTIVE_AARCH64 : CORE_COLLECTIVE_X86_64;
    const Core *core = core_of(session, output, which);
    return (NodeProgram){ .file = str_of(CORE_ROWS[which].file), .bytes = core->bytes, .sha256 = core->sha256 };
}

void preflight_add_part(Session *session, const Plan *plan, Output *output, const PlanNodes *nodes,
                        PreflightCarrier carrier, UserDataParts *parts) {
    const UserDataPart part = {
        .kind = PART_SHELL,
        .text = preflight_script(session, plan, output, nodes, carrier),
        .span = preflight_span(nodes),
        .name = STR("`validate`"),
    };
    vec_push(session->arena, parts, part);
}

Str preflight_taint(const PlanNodes *nodes) {
    const bool is_held = nodes->validate != NULL && !nodes->validate->only_warns;
    return is_held ? STR(NODE_TAINT "=true:NoSchedule") : STR_NONE;
}

Span preflight_span(const PlanNodes *nodes) {
    return nodes->validate->block != NULL ? nodes->validate->block->span : nodes->head.block->name_span;
}
