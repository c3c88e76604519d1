// Holds the keys of `patch eksctl` and `patch pcluster` against those that the tools take (schema/patches.def). Both stop at a
// key that they do not know, when the cluster is made. What CloudFormation takes is cfn-lint's business.
#include "compiler/plan/rules.h"

#include "compiler/base/doc_path.h"

typedef enum { PATCH_EKSCTL, PATCH_PCLUSTER } PatchTool;

typedef struct {
    PatchTool tool;
    const char *name;
    const char *keys;
} KeysRow;

static const KeysRow KEYS_ROWS[] = {
#define KEYS(tool, name, keys) { tool, name, keys },
#include "schema/patches.def"
#undef KEYS
};

typedef struct {
    const char *suffix;
    const char *name;
    const char *release;
} ToolRow;

static const ToolRow TOOL_ROWS[] = {
    [PATCH_EKSCTL] = { "eksctl", "eksctl", "eksctl 0.230" },
    [PATCH_PCLUSTER] = { "pcluster", "ParallelCluster", "ParallelCluster 3.12" },
};

static const KeysRow *find_map(PatchTool tool, Str name) {
    for (size_t i = 0; i < COUNT_OF(KEYS_ROWS); i++) {
        if (KEYS_ROWS[i].tool == tool && (name.len == 0 || str_is(name, KEYS_ROWS[i].name))) {
            return &KEYS_ROWS[i]; // without a name, the tool's first: the whole file
        }
    }
    return NULL;
}

// The next key of a row, and the map under it, which may be empty; false at the end.
static bool next_key(const KeysRow *row, size_t *offset, Str *key, Str *map) {
    const Str keys = str_of(row->keys);
    if (*offset >= keys.len) {
        return false;
    }
    const size_t end = str_find(keys, STR(" "), *offset);
    const Str word = str_slice(keys, *offset, end);
    const size_t colon = str_find(word, STR(":"), 0);
    *key = str_slice(word, 0, colon);
    *map = colon < word.len ? str_slice(word, colon + 1, word.len) : STR_NONE;
    *offset = end + 1;
    return true;
}

typedef struct {
    const Rules *rules;
    const Block *block;
    PatchTool tool;
} Check;

static void unknown(const Check *check, const KeysRow *row, Str key, Span span) {
    Session *session = check->rules->session;
    const ToolRow *tool = &TOOL_ROWS[check->tool];
    Diag *diag = plan_report(session, check->block, span, DIAG(patch_key_unknown), STR_ARG(key), row->name, tool->name);
    Suggestion suggestion = suggest_for(session, key);
    size_t offset = 0;
    Str candidate;
    Str map;
    while (next_key(row, &offset, &candidate, &map)) {
        suggest_offer(&suggestion, candidate);
    }
    if (suggestion.best.len > 0) {
        diag_help(session, diag, "did you mean `%.*s`?", STR_ARG(suggestion.best));
    } else {
        diag_help(session, diag, "remove it, or say why: `allow DT1329, \"…\"`");
    }
    diag_note(session, diag, "the keys are those of %s", tool->release);
}

// The map under a key of `row`; NULL where nothing is known of it. An unknown key is reported.
static const KeysRow *step(const Check *check, const KeysRow *row, Str key, Span span) {
    size_t offset = 0;
    Str candidate;
    Str map;
    while (next_key(row, &offset, &candidate, &map)) {
        if (str_equal(candidate, key)) {
            return map.len == 0 ? NULL : find_map(check->tool, map);
        }
    }
    unknown(check, row, key, span);
    return NULL;
}

static void check_value(const Check *check, const KeysRow *row, const Value *value) {
    for (uint32_t i = 0; value->kind == VALUE_LIST && i < value->list.count; i++) {
        check_value(check, row, value->list.items[i]);
    }
    for (uint32_t i = 0; value->kind == VALUE_MAP && i < value->map.count; i++) {
        const ValueEntry *entry = &value->map.entries[i];
        const KeysRow *below = step(check, row, entry->key, entry->key_span);
        if (below != NULL) {
            check_value(check, below, entry->value);
        }
    }
}

// A path that cannot be read is reported where it is used.
static void check_patch(const Check *check, const BlockPatch *patch) {
    const KeysRow *row = find_map(check->tool, STR_NONE);
    DocPath path = { .arena = check->rules->session->arena, .text = patch->path };
    DocStep found;
    while (row != NULL && doc_path_next(&path, &found)) {
        if (found.kind == STEP_KEY) {
            row = step(check, row, found.key, patch->path_span);
        }
    }
    if (row != NULL && path.fault == NULL) {
        check_value(check, row, patch->value);
    }
}

// Without a suffix it is about the one file that the block makes: on ParallelCluster there is no other.
static bool is_of_pcluster(const Rules *rules, const Block *block) {
    const PlanCluster *cluster = plan_cluster(rules->plan, block);
    return cluster != NULL && cluster->target == TARGET_PARALLELCLUSTER;
}

void rule_patch_keys(const Rules *rules, const Block *block) {
    for (uint32_t i = 0; i < block->patches.count; i++) {
        const BlockPatch *patch = &block->patches.items[i];
        for (size_t t = 0; t < COUNT_OF(TOOL_ROWS); t++) {
            const bool is_it = str_is(patch->file, TOOL_ROWS[t].suffix) ||
                               (patch->file.len == 0 && t == PATCH_PCLUSTER && is_of_pcluster(rules, block));
            if (is_it) {
                const Check check = { .rules = rules, .block = block, .tool = (PatchTool)t };
                check_patch(&check, patch);
            }
        }
    }
}
