// Settings of Slurm that a patch writes into ParallelCluster's file. They become the same lines of slurm.conf as the
// settings of the language.
#include "compiler/plan/rules/rules_slurm.h"

#include "compiler/base/doc_path.h"

// Which line of slurm.conf the settings are for: the section that is nearest around them says it.
typedef struct {
    const char *key;
    SlurmPlace place;
} SectionRow;

static const SectionRow SECTION_ROWS[] = {
    { "SlurmSettings", SLURM_CLUSTER },
    { "SlurmQueues", SLURM_PARTITION },
    { "ComputeResources", SLURM_NODE },
};

typedef struct {
    const Rules *rules;
    const Subject *subject;
    SlurmPlace place;
    bool is_inside; // of CustomSlurmSettings
} Search;

static Search step_into(const Search *search, Str key) {
    Search inner = *search;
    for (size_t i = 0; i < COUNT_OF(SECTION_ROWS); i++) {
        inner.place = str_is(key, SECTION_ROWS[i].key) ? SECTION_ROWS[i].place : inner.place;
    }
    inner.is_inside = str_is(key, "CustomSlurmSettings");
    return inner;
}

static void search_value(const Search *search, const Value *value) {
    if (value->kind == VALUE_LIST) {
        for (uint32_t i = 0; i < value->list.count; i++) {
            search_value(search, value->list.items[i]);
        }
    } else if (value->kind == VALUE_MAP && search->is_inside) {
        slurm_check_names(search->rules, search->subject, value, search->place);
        slurm_check_values(search->rules, search->subject, value, search->place);
    } else if (value->kind == VALUE_MAP) {
        for (uint32_t i = 0; i < value->map.count; i++) {
            const Search inner = step_into(search, value->map.entries[i].key);
            search_value(&inner, value->map.entries[i].value);
        }
    }
}

// A path to one setting, `….CustomSlurmSettings.MaxTime`, makes a map of it.
static void check_patch(const Rules *rules, const Subject *subject, const BlockPatch *patch) {
    Search search = { .rules = rules, .subject = subject, .place = SLURM_CLUSTER };
    DocPath path = { .arena = rules->session->arena, .text = patch->path };
    DocStep step;
    const Value *value = patch->value;
    while (doc_path_next(&path, &step)) {
        if (step.kind == STEP_KEY && search.is_inside) {
            Value *map = value_new(rules->session->arena, VALUE_MAP, value->span, value->origin);
            ValueEntry *entry = arena_new(rules->session->arena, ValueEntry);
            *entry = (ValueEntry){ .key = step.key, .key_span = patch->path_span, .value = patch->value };
            map->map.entries = entry;
            map->map.count = 1;
            value = map;
            break;
        }
        search = step.kind == STEP_KEY ? step_into(&search, step.key) : search;
    }
    if (path.fault == NULL) {
        search_value(&search, value);
    }
}

void rule_patch_of_slurm(const Rules *rules, const PlanPart *part) {
    const bool is_on_slurm = part->cluster != NULL && part->cluster->slurm != NULL;
    for (uint32_t i = 0; is_on_slurm && i < part->patches.count; i++) {
        const BlockPatch *patch = &part->patches.items[i];
        if (patch->file.len == 0 || str_is(patch->file, "pcluster")) {
            check_patch(rules, part->subject, patch);
        }
    }
}
