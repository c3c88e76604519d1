// Walks along the place of a row: first to where its first word stands, then along its keys.
#include "compiler/plan/model/object_part.h"

#include "compiler/base/words.h"

typedef struct {
    const char *part;
    const char *place;
} PartRow;

static const PartRow PARTS[] = {
#define OBJECT_PART(...) { __VA_ARGS__ },
#include "schema/object_rules.def"
};

typedef struct {
    Str now;
    Str then; // where that ends
} Path;

typedef struct {
    ObjectPartVisit *visit;
    void *context;
    bool each_item;
    bool is_of_pods;
} Walk;

// Takes the first word of a path off it.
static Str next_word(Str *path) {
    const size_t end = str_find(*path, STR("/"), 0);
    const Str word = str_slice(*path, 0, end);
    *path = str_slice(*path, end + 1, path->len);
    return word;
}

static void walk(const Walk *all, const Value *value, Path path, ObjectPart part);

static void walk_map(const Walk *all, const Value *map, Path path) {
    const Str word = next_word(&path.now);
    for (uint32_t i = 0; i < map->map.count; i++) {
        const ValueEntry *entry = &map->map.entries[i];
        if (str_is(word, "*") || words_have(word, entry->key)) {
            walk(all, entry->value, path, (ObjectPart){ .span = entry->key_span, .key = entry->key });
        }
    }
}

// No path is longer than its row.
static void walk(const Walk *all, const Value *value, Path path, ObjectPart part) {
    if (path.now.len == 0) {
        path = (Path){ .now = path.then };
    }
    if (value->kind == VALUE_LIST && (path.now.len > 0 || all->each_item)) {
        for (uint32_t i = 0; i < value->list.count; i++) {
            const Value *item = value->list.items[i];
            if (item->kind == VALUE_MAP) {
                walk(all, item, path, (ObjectPart){ .span = item->span, .key = part.key, .is_item = true });
            }
        }
    } else if (path.now.len == 0 && path.then.len == 0) {
        part.value = value;
        part.is_of_pods = all->is_of_pods;
        all->visit(all->context, &part);
    } else if (value->kind == VALUE_MAP) {
        walk_map(all, value, path);
    }
}

// A specification of which the rest stands elsewhere is left out: what it lacks may be there.
static void walk_pods(Walk all, const PlanObject *object, Path path) {
    all.is_of_pods = true;
    for (uint32_t i = 0; i < object->pods.count && !plan_object_is(object, LIES_OVER); i++) {
        const PlanPod *pod = &object->pods.items[i];
        if (!pod->is_part) {
            walk(&all, pod->spec, path, (ObjectPart){ .span = pod->span, .key = STR("spec") });
        }
    }
}

// True where the place begins with pods or with the kind of the object.
static bool walk_place(const Walk *all, const PlanObject *object, Path path) {
    const Str type = object->resource->type;
    const Str first = next_word(&path.now);
    if (str_is(first, "PodSpec")) {
        walk_pods(*all, object, path);
        return true;
    }
    if (!str_starts_with(type, first) || str_at(type, first.len) != '/') {
        return false;
    }
    if (words_have(next_word(&path.now), str_after_last(type, '/'))) {
        walk(all, object->fields, path, (ObjectPart){ .span = object->subject->name_span });
    }
    return true;
}

void object_parts_visit(const PlanObject *object, Str place, bool each_item, ObjectPartVisit *visit, void *context) {
    const Walk all = { .visit = visit, .context = context, .each_item = each_item };
    if (walk_place(&all, object, (Path){ .now = place })) {
        return;
    }
    Str rest = place;
    const Str part = next_word(&rest);
    for (size_t i = 0; i < COUNT_OF(PARTS); i++) {
        if (str_is(part, PARTS[i].part)) {
            (void)walk_place(&all, object, (Path){ .now = str_of(PARTS[i].place), .then = rest });
        }
    }
}
