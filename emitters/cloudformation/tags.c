// Merges two maps of tags, the author's order kept, `Name` first.
#include "emitters/cloudformation/tags.h"

#include "emitters/cloudformation/late.h"
#include "emitters/cloudformation/node.h"

typedef struct {
    Str key;
    DocNode *value;
} Tag;

typedef VEC(Tag) TagList;

static void add_map(Stack *stack, TagList *list, Tags tags, const Value *map, const Value *hiding) {
    if (map == NULL || map->kind != VALUE_MAP) {
        return;
    }
    for (uint32_t i = 0; i < map->map.count; i++) {
        const ValueEntry *entry = &map->map.entries[i];
        bool is_name = str_is(entry->key, "Name") && (tags.skips_name || tags.name != NULL);
        bool is_hidden =
            hiding != NULL && hiding->kind == VALUE_MAP && value_get(hiding, str_c(stack->arena, entry->key)) != NULL;
        if (is_name || is_hidden || entry->value->kind == VALUE_NULL) {
            continue;
        }
        vec_push(stack->arena, list, (Tag){ .key = entry->key, .value = late_node(stack, entry->value) });
    }
}

static TagList gather(Stack *stack, Tags tags) {
    TagList list = { 0 };
    if (tags.name != NULL) {
        vec_push(stack->arena, &list, (Tag){ .key = STR("Name"), .value = tags.name });
    }
    add_map(stack, &list, tags, tags.outer, tags.inner);
    add_map(stack, &list, tags, tags.inner, NULL);
    return list;
}

DocNode *tags_list(Stack *stack, Tags tags) {
    TagList gathered = gather(stack, tags);
    if (gathered.count == 0) {
        return NULL;
    }
    DocNode *list = doc_list(stack->doc);
    for (uint32_t i = 0; i < gathered.count; i++) {
        // The key is the author's as much as the value is.
        DocNode *tag = node_add_map(stack, list);
        node_put(stack, tag, "Key", node_string(stack, WHY_TAG, gathered.items[i].key));
        node_put(stack, tag, "Value", gathered.items[i].value);
    }
    return list;
}

DocNode *tags_map(Stack *stack, Tags tags) {
    TagList gathered = gather(stack, tags);
    if (gathered.count == 0) {
        return NULL;
    }
    DocNode *map = doc_map(stack->doc);
    for (uint32_t i = 0; i < gathered.count; i++) {
        doc_put(stack->doc, map, gathered.items[i].key, gathered.items[i].value);
    }
    return map;
}
