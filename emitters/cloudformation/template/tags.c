// Merges two maps of tags, the author's order kept, `Name` first.
#include "emitters/cloudformation/template/tags.h"

#include "emitters/cloudformation/template/condition.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/template/intrinsic.h"

typedef struct {
    Str key;
    DocNode *value;
    const Condition *given; // of a late optional value; NULL: the tag is always there
    Why why_key;
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
        bool is_optional = value_may_be_null(entry->value);
        const Condition *given = is_optional ? condition_given(stack, entry->value) : NULL;
        DocNode *value = is_optional ? template_given_value(stack, entry->value) : template_value(stack, entry->value);
        Tag tag = { .key = entry->key, .value = value, .why_key = WHY_TAG };
        if (given != NULL) {
            condition_name(stack, given);
            tag.given = given;
        }
        vec_push(stack->arena, list, tag);
    }
}

static bool has_key(const TagList *list, Str key) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (str_equal(list->items[i].key, key)) {
            return true;
        }
    }
    return false;
}

static TagList gather(Stack *stack, Tags tags) {
    TagList list = { 0 };
    if (tags.name != NULL) {
        vec_push(stack->arena, &list, (Tag){ .key = STR("Name"), .value = tags.name, .why_key = WHY_TAG });
    }
    add_map(stack, &list, tags, tags.outer, tags.inner);
    add_map(stack, &list, tags, tags.inner, NULL);
    if (tags.mark != NULL && !has_key(&list, str_of(tags.mark))) {
        const Tag mark = {
            .key = str_of(tags.mark),
            .value = tree_text(stack->doc, tags.why_mark, "1"),
            .why_key = tags.why_mark,
        };
        vec_push(stack->arena, &list, mark);
    }
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
        const Tag *source = &gathered.items[i];
        DocNode *tag = doc_map(stack->doc);
        tree_put(stack->doc, tag, "Key", tree_string(stack->doc, source->why_key, source->key));
        tree_put(stack->doc, tag, "Value", source->value);
        doc_add(stack->doc, list,
                source->given == NULL ? tag : condition_if(stack, source->given, tag, intrinsic_no_value(stack)));
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
        const Tag *tag = &gathered.items[i];
        DocNode *value =
            tag->given == NULL ? tag->value : condition_if(stack, tag->given, tag->value, intrinsic_no_value(stack));
        doc_put(stack->doc, map, tag->key, value);
    }
    return map;
}
