// The forms of a call: `!Sub text`, `{ "Fn::Sub": text }`.
#include "compiler/readers/cloudformation/cfn_value.h"

bool cfn_call_of(const Data *data, CfnCall *intrinsic) {
    if (data->kind != DATA_MAP || data->count != 1) {
        return false;
    }
    const DataEntry *entry = &data->entries[0];
    const bool is_loop = str_starts_with(entry->key, STR("Fn::ForEach::"));
    const bool is_call = str_is(entry->key, "Ref") || str_is(entry->key, "Condition") ||
                         (str_starts_with(entry->key, STR("Fn::")) && !is_loop);
    *intrinsic = (CfnCall){ .name = entry->key, .name_span = entry->key_span, .argument = entry->value };
    return is_call;
}

static Str long_name(Arena *arena, Str tag) {
    const Str name = str_slice(tag, 1, tag.len);
    const bool is_bare = str_is(name, "Ref") || str_is(name, "Condition");
    return is_bare ? name : str_format(arena, "Fn::%.*s", STR_ARG(name));
}

void cfn_lengthen(Arena *arena, Data *data) {
    if (data->tag.len > 0) {
        const Str tag = data->tag;
        Data *argument = arena_new(arena, Data);
        *argument = *data;
        argument->tag = STR_NONE;
        *data = *data_map(arena);
        data->span = argument->span;
        data_put(arena, data, long_name(arena, tag), argument);
        data->entries[0].key_span = argument->span;
    }
    for (uint32_t i = 0; i < data->count; i++) {
        cfn_lengthen(arena, data->kind == DATA_MAP ? data->entries[i].value : data->items[i]);
    }
}
