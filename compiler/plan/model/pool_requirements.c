// Reads the requirements of a NodePool, and holds instance types against them.
#include "compiler/plan/model/pool_requirements.h"

#include "compiler/plan/model/field.h"
#include "compiler/plan/model/node_room.h"
#include "compiler/plan/model/object_value.h"
#include "schema/instances.h"

static const char *const OPERATORS[] = { "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Gte", "Lt", "Lte" };

static bool read_number(Str text, int64_t *number) {
    const PlanField field = { .state = FIELD_KNOWN, .text = text };
    return field_integer(&field, number);
}

// False of a requirement that says nothing of a type, or which nobody knows yet.
static bool read_requirement(const Value *item, Requirement *requirement) {
    const Str key = object_text(object_get(item, "key"));
    const Str word = object_text(object_get(item, "operator"));
    const Value *values = object_get(item, "values");
    size_t relation = 0;
    while (relation < COUNT_OF(OPERATORS) && !str_is(word, OPERATORS[relation])) {
        relation++;
    }
    *requirement = (Requirement){
        .label = type_label(key), .item = item, .key = key, .relation = (Relation)relation, .values = values
    };
    if (requirement->label == NULL || relation == COUNT_OF(OPERATORS)) {
        return false;
    }
    for (uint32_t i = 0; i < object_count(values); i++) {
        if (object_text(values->list.items[i]).len == 0) {
            return false;
        }
    }
    const bool has_values = object_count(values) > 0;
    switch (requirement->relation) {
    case RELATION_IN:
    case RELATION_NOT_IN:
        return has_values;
    case RELATION_EXISTS:
    case RELATION_DOES_NOT_EXIST:
        return values == NULL || values->kind == VALUE_LIST;
    case RELATION_GT:
    case RELATION_GTE:
    case RELATION_LT:
    case RELATION_LTE:
        return has_values && read_number(object_text(values->list.items[0]), &requirement->bound);
    }
    return false;
}

static bool is_same_name(Str name, Str value) {
    bool is_same = name.len == value.len;
    for (size_t i = 0; i < name.len && is_same; i++) {
        is_same = type_label_char(name.data[i]) == value.data[i];
    }
    return is_same;
}

static bool is_value(const Fact *fact, Str value) {
    int64_t number = 0;
    return fact->kind == FACT_TEXT ? is_same_name(fact->text, value)
                                   : read_number(value, &number) && number == fact->number;
}

bool type_may_have(const InstanceRow *row, Str key, Str value) {
    const TypeLabel *label = value.len == 0 ? NULL : type_label(key);
    const Fact fact = label == NULL ? (Fact){ .kind = FACT_UNKNOWN } : label->read(row);
    return fact.kind == FACT_UNKNOWN || (fact.kind != FACT_NONE && is_value(&fact, value));
}

static bool has_value(const Requirement *requirement, const Fact *fact) {
    bool has = false;
    for (uint32_t i = 0; i < object_count(requirement->values); i++) {
        has = has || is_value(fact, object_text(requirement->values->list.items[i]));
    }
    return has;
}

bool requirement_is_met(const Requirement *requirement, const InstanceRow *row) {
    const Fact fact = requirement->label->read(row);
    const bool is_number = fact.kind == FACT_NUMBER;
    if (fact.kind == FACT_UNKNOWN) {
        return true;
    }
    const bool is_there = fact.kind != FACT_NONE;
    switch (requirement->relation) {
    case RELATION_IN:
        return is_there && has_value(requirement, &fact);
    case RELATION_NOT_IN:
        return !is_there || !has_value(requirement, &fact);
    case RELATION_EXISTS:
        return is_there;
    case RELATION_DOES_NOT_EXIST:
        return !is_there;
    case RELATION_GT:
        return is_number && fact.number > requirement->bound;
    case RELATION_GTE:
        return is_number && fact.number >= requirement->bound;
    case RELATION_LT:
        return is_number && fact.number < requirement->bound;
    case RELATION_LTE:
        return is_number && fact.number <= requirement->bound;
    }
    return true;
}

Str requirement_print(Arena *arena, const Requirement *requirement) {
    enum { PRINTED_MAX = 4 };
    StrBuf text = { .arena = arena };
    strbuf_add(&text, str_of(OPERATORS[requirement->relation]));
    for (uint32_t i = 0; i < object_count(requirement->values) && i < PRINTED_MAX; i++) {
        strbuf_add_format(&text, "%s%.*s", i == 0 ? " " : ", ",
                          STR_ARG(object_text(requirement->values->list.items[i])));
    }
    strbuf_add(&text, object_count(requirement->values) > PRINTED_MAX ? STR(", …") : STR_NONE);
    return strbuf_end(&text);
}

// ---- types that are left -----------------------------------------------------------------------------------------

static void read_requirements(PoolTypes *pool, const Value *list) {
    for (int kind = LABEL_TYPE; kind <= LABEL_FACT; kind++) {
        for (uint32_t i = 0; i < object_count(list) && i < POOL_REQUIREMENTS_MAX; i++) {
            Requirement requirement;
            if (read_requirement(list->list.items[i], &requirement) && (int)requirement.label->kind == kind) {
                pool->requirements[pool->count++] = requirement;
            }
        }
    }
}

// Types or families that are all known. There may be newer ones than the rows.
static bool names_known(Session *session, const Requirement *requirement) {
    for (uint32_t i = 0; i < object_count(requirement->values); i++) {
        const Str value = object_text(requirement->values->list.items[i]);
        const bool is_type = requirement->label->kind == LABEL_TYPE;
        bool is_known = is_type && schema_instance(session, value) != NULL;
        for (int k = 0; !is_type && k < schema_instance_count(session) && !is_known; k++) {
            const Fact fact = requirement->label->read(schema_instance_at(session, k));
            is_known = str_equal(fact.text, value);
        }
        if (!is_known) {
            return false;
        }
    }
    return true;
}

static bool are_names(const Requirement *requirement) {
    return requirement->relation == RELATION_IN && requirement->label->kind <= LABEL_FAMILY;
}

bool type_may_meet_expression(Session *session, const InstanceRow *row, const Value *expression) {
    Requirement requirement;
    return !read_requirement(expression, &requirement) || requirement_is_met(&requirement, row) ||
           (are_names(&requirement) && !names_known(session, &requirement));
}

bool type_may_meet(Session *session, const InstanceRow *row, const Value *term) {
    const Value *expressions = object_get(term, "matchExpressions");
    bool is_met = true;
    for (uint32_t i = 0; i < object_count(expressions) && is_met; i++) {
        is_met = type_may_meet_expression(session, row, expressions->list.items[i]);
    }
    return is_met;
}

// Each of them is known.
static void read_named_rows(PoolTypes *pool, const Value *names) {
    pool->rows = arena_new_array(pool->session->arena, const InstanceRow *, object_count(names));
    for (uint32_t i = 0; i < object_count(names); i++) {
        pool->rows[pool->row_count++] = schema_instance(pool->session, object_text(names->list.items[i]));
    }
}

// All types, or those that are named. One that nobody names is as good as not there yet, if little more than its name is public.
static void read_rows(PoolTypes *pool) {
    Session *session = pool->session;
    if (pool->count > 0 && are_names(&pool->requirements[0]) && pool->requirements[0].label->kind == LABEL_TYPE) {
        read_named_rows(pool, pool->requirements[0].values);
        return;
    }
    pool->rows = arena_new_array(session->arena, const InstanceRow *, (size_t)schema_instance_count(session));
    for (int i = 0; i < schema_instance_count(session); i++) {
        const InstanceRow *row = schema_instance_at(session, i);
        if (pool->is_of_names || !str_is(str_of(row->status), "named-only")) {
            pool->rows[pool->row_count++] = row;
        }
    }
}

const Requirement *pool_types_narrow(PoolTypes *pool) {
    for (uint32_t i = 0; i < pool->count; i++) {
        uint32_t kept = 0;
        for (uint32_t k = 0; k < pool->row_count; k++) {
            if (requirement_is_met(&pool->requirements[i], pool->rows[k])) {
                pool->rows[kept++] = pool->rows[k];
            }
        }
        if (kept == 0) {
            return &pool->requirements[i]; // no row was moved
        }
        pool->row_count = kept;
    }
    return NULL;
}

PoolTypes *pool_types_of(Session *session, const Value *requirements) {
    PoolTypes *pool = arena_new(session->arena, PoolTypes);
    *pool = (PoolTypes){ .session = session, .are_known = true };
    read_requirements(pool, requirements);
    for (uint32_t i = 0; i < pool->count; i++) {
        const bool is_name = are_names(&pool->requirements[i]);
        pool->are_known = pool->are_known && (!is_name || names_known(session, &pool->requirements[i]));
        pool->is_of_names = pool->is_of_names || is_name;
    }
    if (pool->are_known) {
        read_rows(pool);
    }
    return pool;
}

const InstanceRow *pool_types_least(const PoolTypes *pool, const char *name, double *least) {
    const InstanceRow *found = NULL;
    for (uint32_t i = 0; i < pool->row_count; i++) {
        const double amount = node_amount(pool->rows[i], name);
        if (amount < 0) {
            return NULL;
        }
        if (found == NULL || amount < *least) {
            found = pool->rows[i];
            *least = amount;
        }
    }
    return found;
}

Span pool_types_place(const PoolTypes *pool, const InstanceRow *row) {
    Span place =
        pool->count == 0 || pool->requirements[0].values == NULL ? SPAN_NONE : pool->requirements[0].values->span;
    for (uint32_t i = 0; i < pool->count; i++) {
        const Requirement *requirement = &pool->requirements[i];
        for (uint32_t k = 0; k < object_count(requirement->values) && are_names(requirement); k++) {
            const Value *value = requirement->values->list.items[k];
            if (str_equal(object_text(value), requirement->label->read(row).text)) {
                place = value->span;
            }
        }
    }
    return place;
}

// ---- labels ------------------------------------------------------------------------------------------------------

static const Value *next_on(const Value *requirements, Str key, uint32_t from, uint32_t *at) {
    for (*at = from; *at < object_count(requirements); (*at)++) {
        const Value *item = requirements->list.items[*at];
        if (str_equal(object_text(object_get(item, "key")), key)) {
            return item;
        }
    }
    return NULL;
}

// Values that nobody knows yet may be the wanted one.
static bool has_text(const Value *values, Str wanted, bool is_unknown) {
    for (uint32_t i = 0; i < object_count(values); i++) {
        const Str text = object_text(values->list.items[i]);
        if (text.len == 0 ? is_unknown : str_equal(text, wanted)) {
            return true;
        }
    }
    return false;
}

static bool allows(const Value *item, Str wanted) {
    const Str word = object_text(object_get(item, "operator"));
    const Value *values = object_get(item, "values");
    const bool is_list = object_count(values) > 0;
    return str_is(word, "In")      ? !is_list || has_text(values, wanted, true)
           : str_is(word, "NotIn") ? !has_text(values, wanted, false)
                                   : !str_is(word, "DoesNotExist");
}

bool requirements_allow(const Value *requirements, Str key, Str wanted) {
    uint32_t at = 0;
    bool do_allow = true;
    for (const Value *item = next_on(requirements, key, 0, &at); item != NULL;
         item = next_on(requirements, key, at + 1, &at)) {
        do_allow = do_allow && allows(item, wanted);
    }
    return do_allow;
}

const Value *requirements_on(const Value *requirements, Str key) {
    uint32_t at = 0;
    return next_on(requirements, key, 0, &at);
}

const Value *requirements_in(const Value *requirements, Str key) {
    const Value *item = requirements_on(requirements, key);
    return str_is(object_text(object_get(item, "operator")), "In") ? object_get(item, "values") : NULL;
}

Span requirements_place(const Value *requirements, Str key) {
    const Value *item = requirements_on(requirements, key);
    const Value *values = object_get(item, "values");
    return item == NULL ? SPAN_NONE : values == NULL ? item->span : values->span;
}
