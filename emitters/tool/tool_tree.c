// Values as nodes of a tool's document.
#include "emitters/tool/tool_tree.h"

#include "compiler/plan/model/allow.h"
#include "emitters/doc/tree.h"
#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_values.h"

static DocNode *map_node(ToolFile *file, const Value *value) {
    DocNode *map = doc_map(file->doc);
    for (uint32_t i = 0; i < value->map.count; i++) {
        DocNode *node = tool_value(file, value->map.entries[i].value);
        if (node != NULL) {
            doc_put(file->doc, map, value->map.entries[i].key, node);
        }
    }
    return map;
}

static void add_items(ToolFile *file, DocNode *list, const Value *value) {
    const Value *found = tool_known(file, value);
    if (found == NULL) {
        return;
    }
    if (found->kind != VALUE_LIST) {
        doc_add(file->doc, list, tool_value(file, found));
        return;
    }
    for (uint32_t i = 0; i < found->list.count; i++) {
        add_items(file, list, found->list.items[i]);
    }
}

DocNode *tool_list(ToolFile *file, const Value *value) {
    DocNode *list = doc_list(file->doc);
    doc_because(file->doc, value == NULL ? NULL : value->origin);
    add_items(file, list, value);
    doc_unbecause(file->doc);
    return list;
}

static DocNode *known_node(ToolFile *file, const Value *value) {
    switch (value->kind) {
    case VALUE_BOOL:
        return doc_bool(file->doc, value->boolean, value->origin);
    case VALUE_INT:
        return doc_int(file->doc, value->integer, value->origin);
    case VALUE_STRING:
    case VALUE_WORD: {
        bool is_long = str_find(value->string, STR("\n"), 0) < value->string.len;
        return is_long ? doc_block(file->doc, value->string, value->origin)
                       : doc_string(file->doc, value->string, value->origin);
    }
    case VALUE_LIST:
        return tool_list(file, value);
    case VALUE_MAP:
        return map_node(file, value);
    case VALUE_NULL:
    case VALUE_LATE:
    case VALUE_RESOURCE:
    case VALUE_TAG:
    case VALUE_SIZE:
    case VALUE_RATE:
    case VALUE_DURATION:
    case VALUE_RANGE:
    case VALUE_BLOCK:
    case VALUE_MODULE:
    case VALUE_ERROR:
    case VALUE_KIND_COUNT:
        break;
    }
    plan_report(file->session, file->head->subject, value->span, DIAG(no_plain_value), value_describe(value),
                file->suffix);
    return doc_string(file->doc, STR_NONE, value->origin);
}

DocNode *tool_value(ToolFile *file, const Value *value) {
    if (tool_is_null(file, value)) {
        return NULL;
    }
    const Value *found = tool_known(file, value);
    if (found == NULL) {
        return doc_string(file->doc, STR_NONE, value->origin); // missing: the file will not be written
    }
    doc_because(file->doc, value->origin);
    DocNode *node = known_node(file, found);
    doc_unbecause(file->doc);
    return node;
}

DocNode *tool_amount(ToolFile *file, const Value *value, int64_t unit) {
    if (value == NULL) {
        return NULL;
    }
    return doc_int(file->doc, value->integer / unit, value->origin);
}

void tool_put_upper(ToolFile *file, DocNode *map, const char *key, const Value *word) {
    StrBuf text = { .arena = file->arena };
    for (size_t i = 0; i < word->string.len; i++) {
        const char c = word->string.data[i];
        strbuf_add_char(&text, c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
    }
    tree_put(file->doc, map, key, doc_string(file->doc, strbuf_str(&text), word->origin));
}

DocNode *tool_policy_arns(ToolFile *file, Str region, const Value *policies) {
    const RegionRow *row = schema_region(region);
    const char *partition = row == NULL ? "aws" : row->partition;
    DocNode *list = doc_list(file->doc);
    for (uint32_t i = 0; i < policies->list.count; i++) {
        const Value *policy = policies->list.items[i];
        Str text = tool_text(file, policy);
        bool is_arn = str_starts_with(text, STR("arn:"));
        Str arn = is_arn ? text
                         : str_format(file->arena, "arn:%s:iam::aws:policy/%.*s%.*s", partition,
                                      STR_ARG(schema_policy_path(text)), STR_ARG(text));
        if (!tree_has_text(list, arn)) {
            doc_add(file->doc, list, doc_string(file->doc, arn, policy->origin));
        }
    }
    return list;
}
