// Writes artifacts as plan.json, and reads the list of files back. Nothing in it depends on the machine or the moment:
// it has no absolute path and no time. So two builds of one source give the same bytes.
#include "compiler/driver/output/steps.h"

#include "compiler/base/journal.h"
#include "compiler/base/json.h"
#include "compiler/base/shell.h"
#include "compiler/base/str_map.h"
#include "compiler/base/version.h"
#include "emitters/deployment/order.h"
#include "emitters/deployment/waiting.h"

enum { PLAN_VERSION = 1 };

static void put_string(Arena *arena, Data *map, const char *key, Str value) {
    data_put(arena, map, str_of(key), data_string(arena, value));
}

static void put_strings(Arena *arena, Data *map, const char *key, const Str *items, uint32_t count) {
    Data *list = data_list(arena);
    for (uint32_t i = 0; i < count; i++) {
        data_add(arena, list, data_string(arena, items[i]));
    }
    data_put(arena, map, str_of(key), list);
}

static Data *step_data(Arena *arena, const Step *entry, const StrMap *listed) {
    const DeploymentStep *step = entry->step;
    Data *map = data_map(arena);
    if (entry->artifact != NULL) {
        put_string(arena, map, "file", step->file);
    }
    put_string(arena, map, "kind", step->kind);
    put_string(arena, map, "name", step->name);
    put_string(arena, map, "apply", step->apply);
    put_strings(arena, map, "needs", step->needs.items, step->needs.count);
    put_strings(arena, map, "provides", step->provides.items, step->provides.count);
    put_strings(arena, map, "parameters", step->parameters.items, step->parameters.count);
    if (entry->artifact != NULL) {
        const ListedFile *file = str_map_get(listed, entry->artifact->name);
        put_string(arena, map, "sha256", file->sha256);
    }
    return map;
}

static Data *waves_data(Arena *arena, const Steps *steps, const StrMap *listed) {
    Data *waves = data_list(arena);
    Data *wave = NULL;
    for (uint32_t i = 0; i < steps->count; i++) {
        if (i == 0 || steps->items[i].step->wave != steps->items[i - 1].step->wave) {
            wave = data_list(arena);
            data_add(arena, waves, wave);
        }
        data_add(arena, wave, step_data(arena, &steps->items[i], listed));
    }
    return waves;
}

// Backwards: what was applied last goes first. Files that wait are there as well. The network of this build may have a
// cluster in it, from a build that had the facts.
static Data *deletions_data(Arena *arena, const Output *output) {
    const Steps steps = order_all_steps(arena, output);
    Data *deletions = data_list(arena);
    for (uint32_t i = steps.count; i-- > 0;) {
        const DeploymentStep *step = steps.items[i].step;
        if (step->remove.len > 0) {
            Data *map = data_map(arena);
            put_string(arena, map, "name", step->name);
            put_string(arena, map, "command", step->remove);
            data_add(arena, deletions, map);
        }
    }
    return deletions;
}

static Str quota_command(Arena *arena, const PlanQuota *quota) {
    StrBuf text = { .arena = arena };
    shell_add(&text, "aws service-quotas get-service-quota --service-code ec2 --quota-code", str_of(quota->row->code));
    shell_add_given(&text, "--region", quota->region == NULL ? STR_NONE : str_of(quota->region->name));
    return strbuf_str(&text);
}

static Data *quotas_data(Arena *arena, const PlanQuotas *quotas) {
    Data *list = data_list(arena);
    for (uint32_t i = 0; quotas != NULL && i < quotas->count; i++) {
        const PlanQuota *quota = &quotas->items[i];
        Data *map = data_map(arena);
        put_string(arena, map, "code", str_of(quota->row->code));
        put_string(arena, map, "name", str_of(quota->row->name));
        data_put(arena, map, STR("region"),
                 quota->region == NULL ? data_null(arena) : data_string(arena, str_of(quota->region->name)));
        data_put(arena, map, STR("vcpus"), data_int(arena, quota->vcpus));
        put_string(arena, map, "command", quota_command(arena, quota));
        data_add(arena, list, map);
    }
    return list;
}

Str steps_write(Arena *arena, Str source, const Output *output, const ListedFiles *files) {
    const Steps steps = order_steps(arena, output);
    StrMap listed = { .arena = arena };
    Data *list = data_list(arena);
    for (uint32_t i = 0; i < files->count; i++) {
        str_map_add(&listed, files->items[i].name, &files->items[i]);
        Data *map = data_map(arena);
        put_string(arena, map, "name", files->items[i].name);
        put_string(arena, map, "sha256", files->items[i].sha256);
        data_add(arena, list, map);
    }
    Data *plan = data_map(arena);
    data_put(arena, plan, STR("version"), data_int(arena, PLAN_VERSION));
    put_string(arena, plan, "dtc", STR(DTC_VERSION));
    put_string(arena, plan, "source", str_after_last(source, '/'));
    data_put(arena, plan, STR("waves"), waves_data(arena, &steps, &listed));
    data_put(arena, plan, STR("waiting"), waiting_data(arena, output));
    data_put(arena, plan, STR("delete"), deletions_data(arena, output));
    data_put(arena, plan, STR("quotas"), quotas_data(arena, output->quotas));
    data_put(arena, plan, STR("files"), list);
    return json_write(arena, plan);
}

// A name that stays in its directory whoever wrote it.
static bool is_plain_name(Str name) {
    return journal_takes_name(name) && name.data[0] != '.' && !str_is(name, PLAN_FILE);
}

static bool is_string(const Data *data) {
    return data != NULL && data->kind == DATA_STRING;
}

static bool read_entries(Arena *arena, const Data *list, ListedFiles *files) {
    for (uint32_t i = 0; i < list->count; i++) {
        const Data *name = data_get(list->items[i], "name");
        const Data *sum = data_get(list->items[i], "sha256");
        if (!is_string(name) || !is_string(sum) || !is_plain_name(name->string)) {
            return false;
        }
        const ListedFile file = { .name = str_copy(arena, name->string), .sha256 = str_copy(arena, sum->string) };
        vec_push(arena, files, file);
    }
    return true;
}

bool steps_read_files(Arena *arena, Str text, ListedFiles *files) {
    *files = (ListedFiles){ 0 };
    // A session of its own: what is wrong with an old plan.json is no mistake of the source that is being built.
    Session *session = session_create();
    size_t bad;
    const Data *plan = str_is_utf8(text, &bad) ? json_read(session, source_add(session, STR(PLAN_FILE), text)) : NULL;
    const Data *version = data_get(plan, "version");
    const Data *list = data_get(plan, "files");
    bool is_ours = version != NULL && version->kind == DATA_INT && version->integer == PLAN_VERSION &&
                   is_string(data_get(plan, "dtc")) && list != NULL && list->kind == DATA_LIST &&
                   read_entries(arena, list, files);
    session_destroy(session);
    if (!is_ours) {
        *files = (ListedFiles){ 0 };
    }
    return is_ours;
}
