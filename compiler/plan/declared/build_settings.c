// Gathers the settings of Slurm that somebody writes: in the cluster, in its groups, and in patches of
// ParallelCluster's file, which end in the same lines of slurm.conf.
#include "compiler/plan/declared/builder.h"

#include "compiler/base/doc_path.h"

// `like` says all of a setting but itself. A value that is no map holds none.
static void add_settings(Builder *builder, PlanSettings *settings, const PlanSetting *like, const Value *map) {
    for (uint32_t i = 0; map != NULL && map->kind == VALUE_MAP && i < map->map.count; i++) {
        PlanSetting setting = *like;
        setting.entry = &map->map.entries[i];
        setting.before = map->map.entries;
        setting.before_count = i;
        vec_push(builder->arena, settings, setting);
    }
}

// ---- patches ---------------------------------------------------------------------------------------------------

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
    Builder *builder;
    PlanSettings *settings;
    PlanSetting like;
    bool is_inside; // of CustomSlurmSettings
} Search;

static Search step_into(const Search *search, Str key) {
    Search inner = *search;
    for (size_t i = 0; i < COUNT_OF(SECTION_ROWS); i++) {
        inner.like.place = str_is(key, SECTION_ROWS[i].key) ? SECTION_ROWS[i].place : inner.like.place;
    }
    inner.is_inside = str_is(key, "CustomSlurmSettings");
    return inner;
}

static void search_value(const Search *search, const Value *value) {
    if (value->kind == VALUE_LIST) {
        for (uint32_t i = 0; i < value->list.count; i++) {
            search_value(search, value->list.items[i]);
        }
    } else if (search->is_inside) {
        add_settings(search->builder, search->settings, &search->like, value);
    } else if (value->kind == VALUE_MAP) {
        for (uint32_t i = 0; i < value->map.count; i++) {
            const Search inner = step_into(search, value->map.entries[i].key);
            search_value(&inner, value->map.entries[i].value);
        }
    }
}

// A path to one setting, `….CustomSlurmSettings.MaxTime`, makes a map of it.
static void search_patch(Search search, const BlockPatch *patch) {
    Arena *arena = search.builder->arena;
    DocPath path = { .arena = arena, .text = patch->path };
    DocStep step;
    const Value *value = patch->value;
    while (doc_path_next(&path, &step)) {
        if (step.kind == STEP_KEY && search.is_inside) {
            Value *map = value_new(arena, VALUE_MAP, value->span, value->origin);
            ValueEntry *entry = arena_new(arena, ValueEntry);
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

static void search_part(Builder *builder, const PlanCluster *cluster, PlanSettings *settings, const PlanPart *part) {
    const PlanSetting like = { .subject = part->subject, .cluster = cluster, .is_patched = true };
    for (uint32_t i = 0; i < part->patches.count; i++) {
        const BlockPatch *patch = &part->patches.items[i];
        if (patch->file.len == 0 || str_is(patch->file, "pcluster")) {
            search_patch((Search){ .builder = builder, .settings = settings, .like = like }, patch);
        }
    }
    for (uint32_t i = 0; i < part->inner.count; i++) {
        search_part(builder, cluster, settings, part->inner.items[i]);
    }
}

// ---- all of them -----------------------------------------------------------------------------------------------

void build_settings(Builder *builder, const PlanCluster *cluster, PlanSlurm *slurm) {
    const PlanSetting of_cluster = { .subject = cluster->head.subject, .cluster = cluster, .place = SLURM_CLUSTER };
    add_settings(builder, &slurm->all_settings, &of_cluster, slurm->settings);
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        const PlanSetting of_nodes = { .subject = nodes->head.subject, .cluster = cluster, .place = SLURM_NODE };
        add_settings(builder, &slurm->all_settings, &of_nodes, nodes->slurm->settings);
    }
    search_part(builder, cluster, &slurm->all_settings, cluster->head.part);
}
