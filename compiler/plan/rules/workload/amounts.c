// A rule about amounts that nobody can mean: memory of some bytes, and CPUs by the GiB. Kubernetes takes each suffix for each
// resource, and `m` is a thousandth of a byte, too.
// source: Kubernetes, Resource Management for Pods and Containers, "Resource units in Kubernetes", read 2026-11; Amazon EC2 User
// Guide, instance types: 1920 CPUs and 32 TiB are the most, read 2026-11
#include "compiler/plan/rules/workload/amounts.h"

#include "compiler/plan/rules/rules.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/object_value.h"

typedef struct {
    const char *name;
    double least; // more than none, and less than this: a unit is missing
    double most;
    bool is_cpu;
} AmountRow;

static const AmountRow ROWS[] = {
    { "memory", 1e6, 1e14, false },
    { "ephemeral-storage", 1e6, 1e16, false },
    { "storage", 1e6, 1e18, false },
    { "cpu", 0, 4000, true },
};

// `requests.memory` of a quota is memory.
static const AmountRow *row_of(Str name) {
    const Str rest = str_starts_with(name, STR("requests.")) ? str_slice(name, STR("requests.").len, name.len)
                     : str_starts_with(name, STR("limits.")) ? str_slice(name, STR("limits.").len, name.len)
                                                             : name;
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (str_is(rest, ROWS[i].name)) {
            return &ROWS[i];
        }
    }
    return NULL;
}

bool amount_is_odd(Str resource, double amount) {
    const AmountRow *row = row_of(resource);
    return row != NULL && amount > 0 && (amount < row->least || amount > row->most);
}

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    double many; // of nodes or of containers together, which may have more CPUs than one: a factor
} AmountCheck;

static Str amount_text(Arena *arena, const AmountRow *row, double amount) {
    if (row->is_cpu) {
        return str_format(arena, "an amount of %.0f CPUs", amount);
    }
    return amount < row->least ? str_format(arena, "an amount of %.10g bytes", amount)
                               : str_format(arena, "an amount of %.0f TiB", amount / 0x1p40);
}

// The number that is written, without its unit.
static Str number_of(Str written) {
    size_t end = 0;
    while (end < written.len && (char_is_digit(written.data[end]) || written.data[end] == '.')) {
        end++;
    }
    return str_slice(written, 0, end);
}

// What is meant by it; empty where that is open.
static Str meant(Arena *arena, const AmountRow *row, Str written) {
    const Str number = number_of(written);
    const Str unit = str_slice(written, number.len, written.len);
    if (row->is_cpu) {
        return unit.len > 0 ? number : str_format(arena, "%.*sm", STR_ARG(number));
    }
    return str_is(unit, "m") ? str_format(arena, "%.*sMi", STR_ARG(number)) : STR_NONE;
}

static void check_amount(const AmountCheck *check, const AmountRow *row, Str name, const Value *value) {
    Session *session = check->rules->session;
    double amount = 0;
    if ((value->kind != VALUE_STRING && value->kind != VALUE_INT) || !quantity_read(value, &amount) || amount <= 0 ||
        (amount >= row->least && amount <= row->most * check->many)) {
        return;
    }
    const Str written =
        value->kind == VALUE_STRING ? value->string : str_format(session->arena, "%" PRId64, value->integer);
    const Str has = amount_text(session->arena, row, amount);
    Diag *diag = plan_report(session, check->object->subject, value->span, DIAG(pod_limits), STR_ARG(name),
                             str_c(session->arena, has));
    const Str word = meant(session->arena, row, written);
    if (word.len > 0) {
        rule_write_at(check->rules, diag, value->span, written, word);
    } else if (amount < row->least) {
        diag_help(session, diag, "write a unit: `%.*sGi`, or `Mi`", STR_ARG(number_of(written)));
    } else {
        diag_help(session, diag, "write a smaller unit: `%.*sMi`, or `Gi`", STR_ARG(number_of(written)));
    }
}

// Maps of amounts by the names of resources stand behind these keys, in each kind.
static bool has_amounts(Str key) {
    static const char *const KEYS[] = { "requests", "limits", "hard", "max", "min", "default", "defaultRequest" };
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        if (str_is(key, KEYS[i])) {
            return true;
        }
    }
    return false;
}

// `nominalQuota` of Kueue stands beside the name of its resource.
static void check_quota(const AmountCheck *check, const Value *map) {
    static const char *const KEYS[] = { "nominalQuota", "borrowingLimit", "lendingLimit" };
    const Str name = object_text(object_get(map, "name"));
    const AmountRow *row = row_of(name);
    for (size_t i = 0; row != NULL && i < COUNT_OF(KEYS); i++) {
        const Value *value = object_get(map, KEYS[i]);
        if (value != NULL) {
            check_amount(check, row, name, value);
        }
    }
}

static void check_map(const AmountCheck *check, Str key, const Value *map) {
    for (uint32_t i = 0; i < map->map.count; i++) {
        const ValueEntry *entry = &map->map.entries[i];
        const AmountRow *row = has_amounts(key) ? row_of(entry->key) : NULL;
        if (row != NULL) {
            check_amount(check, row, entry->key, entry->value);
        } else if (str_is(key, "emptyDir") && str_is(entry->key, "sizeLimit")) {
            const AmountRow volume = { "sizeLimit", 65536, 1e16, false };
            check_amount(check, &volume, entry->key, entry->value);
        }
    }
    check_quota(check, map);
}

// Quotas and pools have the sum of many nodes.
static double many_of(const PlanObject *object) {
    const bool is_of_one = object->pods.count > 0 || str_is(object->resource->type, "v1/LimitRange");
    return is_of_one ? 1 : 1e4;
}

static void search(const AmountCheck *check, Str key, const Value *value, int depth) {
    enum { DEPTH_MAX = 40 };
    if (depth > DEPTH_MAX) {
        return;
    }
    if (value->kind == VALUE_MAP) {
        check_map(check, key, value);
        for (uint32_t i = 0; i < value->map.count; i++) {
            search(check, value->map.entries[i].key, value->map.entries[i].value, depth + 1);
        }
    } else if (value->kind == VALUE_LIST) {
        for (uint32_t i = 0; i < value->list.count; i++) {
            search(check, STR_NONE, value->list.items[i], depth + 1);
        }
    }
}

void rule_amounts(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const AmountCheck check = { .rules = rules, .object = object, .many = many_of(object) };
    if (!object->is_changed && spec != NULL && object->row != NULL) {
        search(&check, STR("spec"), spec, 0);
    }
}
