// What nodes run once they are configured. ParallelCluster's nodes fetch each script from its URL. A script of the
// project is written beside the configuration, and a step of the plan puts it under the cluster's `artifacts`. Its name
// holds its sum, so that a changed script is a changed configuration. So nodes that start later run the same script as
// those that are there. A script with a SHA-256, which ParallelCluster does not compare, is fetched by such a script
// (stdlib/node/pinned.sh).
#include "emitters/parallelcluster/configuration.h"

#include "compiler/base/sha256.h"
#include "compiler/base/shell.h"
#include "emitters/node/first_job.h"
#include "emitters/node/preflight_script.h"
#include "emitters/node/upload.h"
#include "emitters/node/userdata.h"
#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_tree.h"

enum {
    SUM_DIGITS = 12,      // of the sum, in a name: enough to tell the scripts of one cluster apart
    STEM_BYTES_MAX = 100, // of the file's own name, in that name
};

// Whether a script is a file of the project or of dtc, which a step has to upload. Otherwise its name is the URL that
// nodes fetch it from.
static bool is_file(const PlanScript *script) {
    return script->text.len > 0;
}

// "tools/set up.sh" as part of a name of a file and of a key: "set-up".
static Str stem_of(Arena *arena, Str path) {
    Str name = str_after_last(path, '/');
    name = str_ends_with(name, STR(".sh")) ? str_slice(name, 0, name.len - 3) : name;
    StrBuf out = { .arena = arena };
    for (size_t i = 0; i < name.len && i < STEM_BYTES_MAX; i++) {
        const char c = name.data[i];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        strbuf_add_char(&out, is_plain ? c : '-');
    }
    return strbuf_str(&out);
}

static Str file_of(const Configuration *configuration, const PlanScript *script) {
    Arena *arena = configuration->file->session->arena;
    Str sum = str_slice(sha256_text(arena, script->text), 0, SUM_DIGITS);
    return str_format(arena, "%.*s.%.*s-%.*s.sh", STR_ARG(configuration->cluster->head.id),
                      STR_ARG(stem_of(arena, script->name)), STR_ARG(sum));
}

// Where the nodes fetch a script.
static Str url_of(const Configuration *configuration, const PlanScript *script) {
    const Value *artifacts = configuration->cluster->artifacts;
    if (!is_file(script) || artifacts == NULL) {
        return script->name; // a file without a place for it is reported
    }
    return upload_url(configuration->file->session->arena, artifacts->string, file_of(configuration, script));
}

// ---- scripts with a sum ----------------------------------------------------------------------------------------

// Whether a script of dtc's has to stand before it. Without `artifacts` there is no place for one, which is reported.
static bool is_pinned(const Configuration *configuration, const PlanScript *script) {
    return !is_file(script) && script->sha256.len > 0 && configuration->cluster->artifacts != NULL;
}

// The script of dtc's: it has the name of the author's, so that both are found by it.
static PlanScript pinned(const Configuration *configuration, const PlanScript *script) {
    Arena *arena = configuration->file->session->arena;
    StrBuf words = { .arena = arena };
    strbuf_add(&words, STR("url="));
    shell_add_word(&words, script->name);
    strbuf_add(&words, STR("\nsum="));
    shell_add_word(&words, script->sha256);
    strbuf_add_char(&words, '\n');
    PlanScript own = *script;
    own.text = userdata_script_with(arena, userdata_library("node/pinned.sh"), "url", strbuf_str(&words));
    own.is_fetching = true;
    return own;
}

static PlanScripts with_pinned(const Configuration *configuration, const PlanScripts *setup) {
    PlanScripts scripts = { 0 };
    for (uint32_t i = 0; i < setup->count; i++) {
        const PlanScript *script = &setup->items[i];
        vec_push(configuration->file->session->arena, &scripts,
                 is_pinned(configuration, script) ? pinned(configuration, script) : *script);
    }
    return scripts;
}

PlanScripts parallelcluster_head_setup(const Configuration *configuration) {
    return with_pinned(configuration, &configuration->cluster->slurm->head_node->setup);
}

// ---- the check of a node ---------------------------------------------------------------------------------------

// The author's scripts and, behind them, the check: they may install what it looks for, and slurmd starts behind it. It
// carries the cores of both architectures, as a custom action has no limit of size and one script then is right on
// each.
PlanScripts parallelcluster_setup(const Configuration *configuration, const PlanNodes *nodes) {
    PlanScripts setup = with_pinned(configuration, &nodes->setup);
    if (nodes->validate == NULL) {
        return setup;
    }
    Session *session = configuration->file->session;
    Value *value = arena_new(session->arena, Value);
    *value = (Value){ .kind = VALUE_TAG, .span = preflight_span(nodes), .origin = nodes->validate->origin };
    PreflightCarrier carrier = { .target = "parallelcluster", .has_both = true };
    if (nodes->validate->has_program) {
        const FirstJob second = first_job(session, configuration->output, nodes);
        carrier.program = second.url;
        carrier.program_sha256 = second.program.sha256;
    }
    const PlanScript check = {
        .value = value,
        .name = str_format(session->arena, "%.*s-node.sh", STR_ARG(nodes->head.id)),
        .text = preflight_script(session, configuration->output, nodes, carrier),
    };
    vec_push(session->arena, &setup, check);
    return setup;
}

// ---- actions ---------------------------------------------------------------------------------------------------

static void add_script(const Configuration *configuration, DocNode *map, const PlanScript *script) {
    ToolFile *file = configuration->file;
    const Origin *origin = script->value->origin;
    if (is_file(script) && configuration->cluster->artifacts != NULL) {
        origin = origin_join(file->arena, origin, configuration->cluster->artifacts->origin);
    }
    tree_put(file->doc, map, "Script", doc_string(file->doc, url_of(configuration, script), origin));
    if (script->arguments != NULL && script->arguments->list.count > 0) {
        tree_put(file->doc, map, "Args", tool_list(file, script->arguments));
    }
}

// One script stands by itself, several in a sequence, which runs in its order.
void parallelcluster_actions(const Configuration *configuration, DocNode *map, const PlanScripts *setup) {
    Doc *doc = configuration->file->doc;
    if (setup->count == 0) {
        return;
    }
    DocNode *action = tree_put_map(doc, tree_put_map(doc, map, "CustomActions"), "OnNodeConfigured");
    if (setup->count == 1) {
        add_script(configuration, action, &setup->items[0]);
        return;
    }
    DocNode *sequence = tree_put_list(doc, action, "Sequence");
    for (uint32_t i = 0; i < setup->count; i++) {
        add_script(configuration, tree_add_map(doc, sequence), &setup->items[i]);
    }
}

// ---- what the role may read ------------------------------------------------------------------------------------

typedef struct {
    Str bucket;
    Str key;      // in it, or what keys begin with, with a `*`
    bool is_wide; // several keys: the whole bucket
    const Origin *origin;
} Access;

typedef VEC(Access) Accesses;

// One entry a bucket: ParallelCluster tells them apart by it when a cluster is updated.
static void add_access(const Configuration *configuration, Accesses *accesses, Str bucket, Str key,
                       const Origin *origin) {
    for (uint32_t i = 0; i < accesses->count; i++) {
        Access *access = &accesses->items[i];
        if (str_equal(access->bucket, bucket)) {
            access->is_wide = access->is_wide || !str_equal(access->key, key);
            access->origin = origin_join(configuration->file->arena, access->origin, origin);
            return;
        }
    }
    vec_push(configuration->file->arena, accesses, ((Access){ .bucket = bucket, .key = key, .origin = origin }));
}

// The object that a URL names; nothing where it is no place in S3.
static void add_object(const Configuration *configuration, Accesses *accesses, Str url, const Origin *origin) {
    const size_t start = sizeof "s3://" - 1;
    if (str_starts_with(url, STR("s3://"))) {
        const size_t slash = str_find(url, STR("/"), start);
        const Str key = str_slice(url, slash < url.len ? slash + 1 : url.len, url.len);
        add_access(configuration, accesses, str_slice(url, start, slash), key, origin);
    }
}

// All that is below `artifacts`: the role stays when a script has another name.
static void add_artifacts(const Configuration *configuration, Accesses *accesses, const Origin *origin) {
    const Str place = upload_place(configuration->cluster->artifacts->string);
    add_object(configuration, accesses, upload_url(configuration->file->arena, place, STR("*")), origin);
}

static Accesses accesses_of(const Configuration *configuration, const PlanScripts *setup) {
    Accesses accesses = { 0 };
    for (uint32_t i = 0; i < setup->count; i++) {
        const PlanScript *script = &setup->items[i];
        const Origin *origin = script->value->origin;
        if (is_file(script) && configuration->cluster->artifacts != NULL) {
            add_artifacts(configuration, &accesses, origin);
        }
        if (!is_file(script) || script->is_fetching) {
            add_object(configuration, &accesses, script->name, origin);
        }
    }
    return accesses;
}

void parallelcluster_iam(const Configuration *configuration, DocNode *map, const Value *policies,
                         const PlanScripts *setup) {
    ToolFile *file = configuration->file;
    const Accesses accesses = accesses_of(configuration, setup);
    const bool has_policies = policies != NULL && policies->list.count > 0;
    if (!has_policies && accesses.count == 0) {
        return;
    }
    DocNode *iam = tree_put_map(file->doc, map, "Iam");
    if (accesses.count > 0) {
        DocNode *list = tree_put_list(file->doc, iam, "S3Access");
        for (uint32_t i = 0; i < accesses.count; i++) {
            const Access *access = &accesses.items[i];
            DocNode *entry = tree_add_map(file->doc, list);
            doc_because(file->doc, access->origin);
            tree_put(file->doc, entry, "BucketName", tree_string(file->doc, WHY_PARALLELCLUSTER_READ, access->bucket));
            if (!access->is_wide) {
                tree_put(file->doc, entry, "KeyName", tree_string(file->doc, WHY_PARALLELCLUSTER_READ, access->key));
            }
            doc_unbecause(file->doc);
        }
    }
    if (has_policies) {
        parallelcluster_policies(configuration, iam, policies);
    }
}

// ---- files -----------------------------------------------------------------------------------------------------

static void write_scripts(const Configuration *configuration, const PlanScripts *setup, Output *output) {
    ToolFile *file = configuration->file;
    for (uint32_t i = 0; i < setup->count; i++) {
        const PlanScript *script = &setup->items[i];
        if (!is_file(script) || configuration->cluster->artifacts == NULL) {
            continue;
        }
        const Str url = url_of(configuration, script);
        if (upload_add(file->session, file->plan, output, file_of(configuration, script), script->text, url,
                       configuration->cluster->region)) {
            vec_push(file->session->arena, &file->step.needs, url); // once: the head and the groups may run the same
        }
    }
}

// The program of a check's second stage, which the first job of a group shares.
static void write_second_stage(const Configuration *configuration, const PlanNodes *nodes, Output *output) {
    ToolFile *file = configuration->file;
    const FirstJob second = first_job(file->session, output, nodes);
    if (upload_add(file->session, file->plan, output, second.file, second.program.bytes, second.url,
                   configuration->cluster->region)) {
        vec_push(file->session->arena, &file->step.needs, second.url);
    }
}

void parallelcluster_scripts(const Configuration *configuration, Output *output) {
    const PlanCluster *cluster = configuration->cluster;
    if (cluster->slurm->head_node != NULL) {
        const PlanScripts setup = parallelcluster_head_setup(configuration);
        write_scripts(configuration, &setup, output);
    }
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanScripts setup = parallelcluster_setup(configuration, cluster->nodes.items[i]);
        write_scripts(configuration, &setup, output);
        if (cluster->nodes.items[i]->validate != NULL && cluster->nodes.items[i]->validate->has_program) {
            write_second_stage(configuration, cluster->nodes.items[i], output);
        }
    }
}
