// The rule about the requirements of a NodePool on instance types: some type meets them all. Karpenter gives each type
// its labels. A NodePool that no type fits is ready all the same, and the pods wait.
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pool_requirements.h"

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    PoolTypes *types;
} Pool;

// Whether a type that is newer than the rows might meet it: a larger number is there one day. A label that no type of a
// category has, none of its types gets.
static bool may_be_newer(const Pool *pool, const Requirement *requirement) {
    for (uint32_t i = 0; i < pool->types->row_count; i++) {
        const bool is_there = requirement->label->read(pool->types->rows[i]).kind != FACT_NONE;
        if (is_there != (requirement->relation == RELATION_DOES_NOT_EXIST)) {
            return true;
        }
    }
    return false;
}

// ---- what is said ------------------------------------------------------------------------------------------------

// The one that comes closest: with the most, if there is too little, and the other way round.
static const InstanceRow *nearest(const Pool *pool, const Requirement *requirement) {
    const InstanceRow *best = pool->types->rows[0];
    for (uint32_t i = 1; i < pool->types->row_count; i++) {
        const int64_t number = requirement->label->read(pool->types->rows[i]).number;
        const int64_t other = requirement->label->read(best).number;
        const bool is_least = requirement->relation == RELATION_LT || requirement->relation == RELATION_LTE;
        best = (is_least ? number < other : number > other) ? pool->types->rows[i] : best;
    }
    return best;
}

// As the label has it: "radeon-pro-v520".
static Str text_print(const Pool *pool, Str name) {
    StrBuf text = { .arena = pool->rules->session->arena };
    for (size_t i = 0; i < name.len; i++) {
        strbuf_add_char(&text, type_label_char(name.data[i]));
    }
    return strbuf_end(&text);
}

static Str fact_print(const Pool *pool, const TypeLabel *label, const Fact *fact) {
    if (fact->kind == FACT_TEXT) {
        return text_print(pool, fact->text);
    }
    return fact->kind != FACT_NUMBER
               ? STR("none")
               : str_format(pool->rules->session->arena, "%" PRId64 "%s%s", fact->number,
                            label->unit == NULL ? "" : " ", label->unit == NULL ? "" : label->unit);
}

// The label of the devices that each type of the pool has, in the place of the other one.
static void fix_label(const Pool *pool, Diag *diag, const Requirement *requirement, Str label) {
    const Value *key = object_get(requirement->item, "key");
    const char *first = pool->types->rows[0]->accelerator_vendor;
    bool has_all = first != NULL;
    for (uint32_t i = 0; has_all && i < pool->types->row_count; i++) {
        const Str vendor = str_of(pool->types->rows[i]->accelerator_vendor);
        has_all = vendor.len > 0 && str_is(vendor, "AWS") == str_is(str_of(first), "AWS");
    }
    if (has_all) {
        rule_replace(pool->rules, diag, key->span, requirement->key, label);
    }
}

static void help(const Pool *pool, Diag *diag, const Requirement *requirement, const InstanceRow *row) {
    Session *session = pool->rules->session;
    const Fact fact = requirement->label->read(row);
    const Str name = str_of(requirement->label->name);
    const Str prefix = str_slice(requirement->key, 0, requirement->key.len - name.len);
    const Str rest = str_after_last(name, '-');
    const bool is_there = fact.kind != FACT_NONE;
    const int64_t step = requirement->relation == RELATION_GT ? -1 : requirement->relation == RELATION_LT ? 1 : 0;
    if (requirement->relation == RELATION_DOES_NOT_EXIST || (!is_there && row->accelerator_vendor == NULL)) {
        diag_help(session, diag, "leave it out, or write other types");
    } else if (!is_there && str_starts_with(name, STR("instance-accelerator-"))) {
        const Str label = str_format(session->arena, "%.*sinstance-gpu-%.*s", STR_ARG(prefix), STR_ARG(rest));
        diag_help(session, diag, "GPUs have `%.*s`", STR_ARG(label));
        fix_label(pool, diag, requirement, label);
    } else if (!is_there && str_starts_with(name, STR("instance-gpu-")) && !str_is(rest, "memory")) {
        const Str label = str_format(session->arena, "karpenter.k8s.aws/instance-accelerator-%.*s", STR_ARG(rest));
        diag_help(session, diag, "accelerators of AWS have `%.*s`", STR_ARG(label));
        fix_label(pool, diag, requirement, label);
    } else if (!is_there) {
        diag_help(session, diag, "leave it out, or write other types");
    } else if (requirement->relation >= RELATION_GT && fact.kind == FACT_NUMBER) {
        diag_help(session, diag, "write `%" PRId64 "`, or other types", fact.number + step);
    } else {
        diag_help(session, diag, "write other values, or other types");
    }
}

static Span span_of(const Requirement *requirement) {
    const Value *values = requirement->values;
    return object_count(values) == 1   ? values->list.items[0]->span
           : object_count(values) == 0 ? object_get(requirement->item, "operator")->span
                                       : values->span;
}

static void report_requirement(const Pool *pool, const Requirement *requirement) {
    Session *session = pool->rules->session;
    const InstanceRow *row = nearest(pool, requirement);
    const Fact fact = requirement->label->read(row);
    Diag *diag = plan_report(session, pool->object->subject, span_of(requirement), DIAG(pool_no_type),
                             STR_ARG(requirement->key), STR_ARG(requirement_print(session->arena, requirement)));
    const Span named = pool_types_place(pool->types, row);
    if (!span_is_none(named)) {
        diag_label(session, diag, named, "`%s` has %.*s", row->name,
                   STR_ARG(fact_print(pool, requirement->label, &fact)));
    }
    help(pool, diag, requirement, row);
}

// Rule node_pool holds types against architectures.
static bool is_told(const Pool *pool, const Requirement *requirement) {
    return str_is(str_of(requirement->label->name), "arch") && pool->types->requirements[0].label->kind == LABEL_TYPE;
}

void rule_pool_types(const Rules *rules, const PlanObject *object) {
    const Value *template = object_get(object_get(object->fields, "spec"), "template");
    const Value *requirements = object_get(object_get(template, "spec"), "requirements");
    if (!str_is(object->resource->type, "karpenter.sh/v1/NodePool") || object->is_changed ||
        object_count(requirements) == 0) {
        return;
    }
    const Pool pool = { .rules = rules, .object = object, .types = pool_types_of(rules->session, requirements) };
    const Requirement *unmet = pool.types->are_known ? pool_types_narrow(pool.types) : NULL;
    if (unmet != NULL && !is_told(&pool, unmet) && (pool.types->is_of_names || !may_be_newer(&pool, unmet))) {
        report_requirement(&pool, unmet);
    }
}
