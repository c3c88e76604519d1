// Values in a file where nothing may stay late. A late optional that nothing gave is null, because such a file has no
// input that may come later.
#include "emitters/tool/tool_values.h"

#include "compiler/plan/model/allow.h"
#include "emitters/tool/tool_facts.h"
#include "emitters/tool/tool_file.h"

static const Value *param_value(ToolFile *file, const Value *value) {
    const Param *param = value->late->param;
    if (param->initial != NULL) {
        return tool_known(file, param->initial);
    }
    if (!param->is_optional) {
        tool_miss(file, (MissingFact){ .name = param->name });
    }
    return NULL;
}

static const Value *joined(ToolFile *file, const Value *value) {
    StrBuf text = { .arena = file->arena };
    for (uint32_t i = 0; i < value->late->part_count; i++) {
        strbuf_add(&text, tool_text(file, value->late->parts[i]));
    }
    return value_string(file->arena, value->span, value->origin, strbuf_str(&text));
}

static const Value *item(ToolFile *file, const Value *value) {
    const Value *list = tool_known(file, value->late->parts[0]);
    if (list == NULL || list->kind != VALUE_LIST) {
        return list;
    }
    if (value->late->index >= list->list.count) {
        report(file->session, value->span, DIAG(facts_short_list), value->late->index + 1, list->list.count);
        return NULL;
    }
    return tool_known(file, list->list.items[value->late->index]);
}

// What follows from the region alone, where the source says that. NULL for what only a stack knows.
static const Value *pseudo_of_region(ToolFile *file, const Value *value) {
    const PlanCluster *cluster = file->head->part->cluster;
    const RegionRow *region = cluster == NULL ? NULL : schema_region(cluster->region);
    const Str name = value->late->name;
    const char *text = region == NULL               ? NULL
                       : str_is(name, "region")     ? region->name
                       : str_is(name, "partition")  ? region->partition
                       : str_is(name, "url_suffix") ? region->url_suffix
                                                    : NULL;
    return text == NULL ? NULL : value_string(file->arena, value->span, value->origin, str_of(text));
}

static const Value *late_value(ToolFile *file, const Value *value) {
    const Late *late = value->late;
    switch (late->kind) {
    case LATE_PARAM:
        return param_value(file, value);
    case LATE_OUTPUT:
        return tool_output(file, value);
    case LATE_TEXT:
        return joined(file, value);
    case LATE_DEFAULT:
        return tool_is_null(file, late->parts[0]) ? tool_known(file, late->parts[1]) : tool_known(file, late->parts[0]);
    case LATE_ITEM:
        return item(file, value);
    case LATE_IF: {
        const Value *condition = tool_known(file, late->parts[0]);
        return condition == NULL ? NULL : tool_known(file, late->parts[condition->boolean ? 1 : 2]);
    }
    case LATE_REF:
    case LATE_ATTRIBUTE:
    case LATE_WRITTEN_OUTPUT:
        return tool_of_author(file, value);
    case LATE_PSEUDO:
        if (pseudo_of_region(file, value) != NULL) {
            return pseudo_of_region(file, value);
        }
        break;
    }
    plan_report(file->session, file->head->subject, value->span, DIAG(no_plain_value), "what a stack alone knows",
                file->suffix);
    return NULL;
}

const Value *tool_known(ToolFile *file, const Value *value) {
    if (value == NULL || value->kind == VALUE_NULL) {
        return NULL;
    }
    if (value->kind == VALUE_RESOURCE) {
        return tool_of_author(file, value);
    }
    return value->kind == VALUE_LATE ? late_value(file, value) : value;
}

bool tool_is_null(ToolFile *file, const Value *value) {
    if (value == NULL || value->kind == VALUE_NULL) {
        return true;
    }
    if (value->kind != VALUE_LATE) {
        return false;
    }
    const Late *late = value->late;
    switch (late->kind) {
    case LATE_PARAM:
        return late->param->is_optional && tool_is_null(file, late->param->initial);
    case LATE_DEFAULT:
        return tool_is_null(file, late->parts[0]) && tool_is_null(file, late->parts[1]);
    case LATE_IF: {
        const Value *condition = tool_known(file, late->parts[0]);
        return condition != NULL && tool_is_null(file, late->parts[condition->boolean ? 1 : 2]);
    }
    case LATE_WRITTEN_OUTPUT:
    case LATE_OUTPUT:
    case LATE_TEXT:
    case LATE_ITEM:
    case LATE_PSEUDO:
    case LATE_REF:
    case LATE_ATTRIBUTE:
        break;
    }
    return false;
}

Str tool_text(ToolFile *file, const Value *value) {
    const Value *found = tool_known(file, value);
    if (found == NULL) {
        return STR_NONE;
    }
    if (found->kind == VALUE_STRING || found->kind == VALUE_WORD) {
        return found->string;
    }
    return value_print(file->arena, found);
}
