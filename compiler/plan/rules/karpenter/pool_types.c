// The rule about the requirements of a NodePool on instance types: some type meets them all. Karpenter gives each type
// the labels below. A NodePool that no type fits is ready all the same, and the pods wait.
// Source: computeRequirements of pkg/providers/instancetype/types.go of aws/karpenter-provider-aws@1d927085, 2026-08-21,
// and pkg/scheduling/requirement.go of kubernetes-sigs/karpenter@22664681, 2026-08-20, read 2026-11.
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/field.h"
#include "compiler/plan/model/object_value.h"
#include "schema/instances.h"

enum { REQUIREMENTS_MAX = 100 }; // as many as a NodePool takes: karpenter.sh_nodepools.yaml, the same commit

// ---- what a type has ---------------------------------------------------------------------------------------------

typedef enum { FACT_UNKNOWN, FACT_NONE, FACT_NUMBER, FACT_TEXT } FactKind;

// The value of a label of a type. FACT_NONE: the type does not have the label.
typedef struct {
    FactKind kind;
    int64_t number;
    Str text;
} Fact;

static Fact fact_number(int64_t number) {
    return (Fact){ .kind = number < 0 ? FACT_UNKNOWN : FACT_NUMBER, .number = number };
}

static Fact fact_text(Str text) {
    return (Fact){ .kind = text.len == 0 ? FACT_UNKNOWN : FACT_TEXT, .text = text };
}

static Fact read_type(const InstanceRow *row) {
    return fact_text(str_of(row->name));
}

static Fact read_family(const InstanceRow *row) {
    return fact_text(str_of(row->family));
}

static Fact read_size(const InstanceRow *row) {
    const Str name = str_of(row->name);
    return fact_text(str_slice(name, str_find(name, STR("."), 0) + 1, name.len));
}

static Fact read_architecture(const InstanceRow *row) {
    return row->architecture == ARCHITECTURE_UNKNOWN
               ? (Fact){ .kind = FACT_UNKNOWN }
               : fact_text(row->architecture == ARCHITECTURE_X86_64
                               ? STR("amd64")
                               : str_of(schema_architecture_name(row->architecture)));
}

static size_t letters_end(Str family) {
    size_t end = 0;
    while (str_at(family, end) >= 'a' && str_at(family, end) <= 'z') {
        end++;
    }
    return end;
}

static Fact read_category(const InstanceRow *row) {
    const Str family = str_of(row->family);
    return fact_text(str_slice(family, 0, letters_end(family)));
}

// The digits behind the letters: 6 of p6-b200. Karpenter passes over the memory in names such as u-6tb1, and so those
// are left out here.
static Fact read_generation(const InstanceRow *row) {
    const Str family = str_of(row->family);
    int64_t number = -1;
    for (size_t at = letters_end(family); char_is_digit(str_at(family, at)); at++) {
        number = (number < 0 ? 0 : number * 10) + (family.data[at] - '0');
    }
    return fact_number(number);
}

static Fact read_cpu(const InstanceRow *row) {
    return fact_number(row->vcpus);
}

static Fact read_memory(const InstanceRow *row) {
    return fact_number(row->memory_mib);
}

static Fact read_nvme(const InstanceRow *row) {
    return row->nvme_count == 0 ? (Fact){ .kind = FACT_NONE } : fact_number(row->nvme_total_gb);
}

typedef enum { LABELLED_GPU, LABELLED_ACCELERATOR } Labelled;

// A type with GPUs has no label of accelerators, and the other way round. What EC2 says of other makers is left out.
static Fact fact_of(const InstanceRow *row, Labelled labelled, Fact fact) {
    const Str vendor = str_of(row->accelerator_vendor);
    const bool is_gpu = str_is(vendor, "NVIDIA") || str_is(vendor, "AMD");
    const bool is_of_aws = str_is(vendor, "AWS");
    const bool is_of_other = vendor.len > 0 && !is_gpu && !is_of_aws;
    if (is_of_other || (vendor.len == 0 && row->accelerators == UNKNOWN)) {
        return (Fact){ .kind = FACT_UNKNOWN };
    }
    return (labelled == LABELLED_GPU ? is_gpu : is_of_aws) ? fact : (Fact){ .kind = FACT_NONE };
}

// EC2 says that a type with a part of a GPU has 0: aws/karpenter-provider-aws#8368, read 2026-11.
static Fact read_gpus(const InstanceRow *row) {
    const Fact fact = row->accelerator_share != NULL ? (Fact){ .kind = FACT_UNKNOWN } : fact_number(row->accelerators);
    return fact_of(row, LABELLED_GPU, fact);
}

// "B200 (GB200)" says which one it is in words of our own.
static Fact read_gpu_name(const InstanceRow *row) {
    const Str name = str_of(row->accelerator_name);
    return fact_of(row, LABELLED_GPU, fact_text(str_ends_with(name, STR(")")) ? STR_NONE : name));
}

static Fact read_gpu_maker(const InstanceRow *row) {
    return fact_of(row, LABELLED_GPU, fact_text(str_of(row->accelerator_vendor)));
}

static Fact read_gpu_memory(const InstanceRow *row) {
    return fact_of(row, LABELLED_GPU, fact_number(row->accelerator_memory_mib));
}

static Fact read_accelerators(const InstanceRow *row) {
    return fact_of(row, LABELLED_ACCELERATOR, fact_number(row->accelerators));
}

static Fact read_accelerator_name(const InstanceRow *row) {
    return fact_of(row, LABELLED_ACCELERATOR, fact_text(str_of(row->accelerator_name)));
}

static Fact read_accelerator_maker(const InstanceRow *row) {
    return fact_of(row, LABELLED_ACCELERATOR, fact_text(str_of(row->accelerator_vendor)));
}

// ---- labels ------------------------------------------------------------------------------------------------------

typedef enum {
    LABEL_TYPE,   // names types
    LABEL_FAMILY, // and families
    LABEL_PLACE,  // says what else the type is
    LABEL_FACT,
} LabelKind;

// EKS Auto Mode has labels of the same names and units under a prefix of its own: EKS User Guide, Create a Node Pool for
// EKS Auto Mode, read 2026-11.
static const char *const PREFIXES[] = { "karpenter.k8s.aws/", "eks.amazonaws.com/", "node.kubernetes.io/",
                                        "kubernetes.io/" };
enum { PREFIXES_OF_AWS = 2 };

typedef struct {
    const char *name; // behind one of the prefixes
    bool is_of_aws;   // and behind one of AWS, or of Kubernetes
    LabelKind kind;
    Fact (*read)(const InstanceRow *row);
    const char *unit; // of its number; NULL: it is a count, or no number
} LabelRow;

static const LabelRow LABELS[] = {
    { "instance-type", false, LABEL_TYPE, read_type, NULL },
    { "instance-family", true, LABEL_FAMILY, read_family, NULL },
    { "instance-category", true, LABEL_PLACE, read_category, NULL },
    { "arch", false, LABEL_PLACE, read_architecture, NULL },
    { "instance-generation", true, LABEL_FACT, read_generation, NULL },
    { "instance-size", true, LABEL_FACT, read_size, NULL },
    { "instance-cpu", true, LABEL_FACT, read_cpu, NULL },
    { "instance-memory", true, LABEL_FACT, read_memory, "MiB" },
    { "instance-local-nvme", true, LABEL_FACT, read_nvme, "GB" },
    { "instance-gpu-count", true, LABEL_FACT, read_gpus, NULL },
    { "instance-gpu-name", true, LABEL_FACT, read_gpu_name, NULL },
    { "instance-gpu-manufacturer", true, LABEL_FACT, read_gpu_maker, NULL },
    { "instance-gpu-memory", true, LABEL_FACT, read_gpu_memory, "MiB" },
    { "instance-accelerator-count", true, LABEL_FACT, read_accelerators, NULL },
    { "instance-accelerator-name", true, LABEL_FACT, read_accelerator_name, NULL },
    { "instance-accelerator-manufacturer", true, LABEL_FACT, read_accelerator_maker, NULL },
};

static const LabelRow *label_of(Str key) {
    for (size_t i = 0; i < COUNT_OF(PREFIXES); i++) {
        const Str prefix = str_of(PREFIXES[i]);
        for (size_t k = 0; str_starts_with(key, prefix) && k < COUNT_OF(LABELS); k++) {
            if (str_is(str_slice(key, prefix.len, key.len), LABELS[k].name) &&
                LABELS[k].is_of_aws == (i < PREFIXES_OF_AWS)) {
                return &LABELS[k];
            }
        }
    }
    return NULL;
}

// ---- requirements ------------------------------------------------------------------------------------------------

typedef enum {
    RELATION_IN,
    RELATION_NOT_IN,
    RELATION_EXISTS,
    RELATION_DOES_NOT_EXIST,
    RELATION_GT,
    RELATION_GTE,
    RELATION_LT,
    RELATION_LTE,
} Relation;

static const char *const OPERATORS[] = { "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Gte", "Lt", "Lte" };

typedef struct {
    const LabelRow *label;
    const Value *item;
    Str key;
    Relation relation;
    const Value *values; // NULL without
    int64_t bound;       // of the last four operators
} Requirement;

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
        .label = label_of(key), .item = item, .key = key, .relation = (Relation)relation, .values = values
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

// As Karpenter writes names into labels: "Radeon Pro V520" is radeon-pro-v520.
static char label_char(char c) {
    return c == ' ' ? '-' : char_small(c);
}

static bool is_same_name(Str name, Str value) {
    bool is_same = name.len == value.len;
    for (size_t i = 0; i < name.len && is_same; i++) {
        is_same = label_char(name.data[i]) == value.data[i];
    }
    return is_same;
}

static bool has_value(const Requirement *requirement, const Fact *fact) {
    for (uint32_t i = 0; i < object_count(requirement->values); i++) {
        const Str value = object_text(requirement->values->list.items[i]);
        int64_t number = 0;
        if (fact->kind == FACT_TEXT ? is_same_name(fact->text, value)
                                    : read_number(value, &number) && number == fact->number) {
            return true;
        }
    }
    return false;
}

// A label that a type lacks meets no requirement but those of absence.
static bool is_met(const Requirement *requirement, const InstanceRow *row) {
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

// ---- types that are left -----------------------------------------------------------------------------------------

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    Requirement requirements[REQUIREMENTS_MAX]; // those of a lower kind first
    uint32_t count;
    bool is_of_names;         // whether types or families are named
    const InstanceRow **rows; // that meet the requirements so far
    uint32_t row_count;
} Pool;

static void read_requirements(Pool *pool, const Value *list) {
    for (int kind = LABEL_TYPE; kind <= LABEL_FACT; kind++) {
        for (uint32_t i = 0; i < object_count(list) && i < REQUIREMENTS_MAX; i++) {
            Requirement requirement;
            if (read_requirement(list->list.items[i], &requirement) && (int)requirement.label->kind == kind) {
                pool->requirements[pool->count++] = requirement;
            }
        }
    }
}

// Types or families that are all known. There may be newer ones than the rows.
static bool names_known(const Pool *pool, const Requirement *requirement) {
    Session *session = pool->rules->session;
    for (uint32_t i = 0; i < object_count(requirement->values); i++) {
        const Str value = object_text(requirement->values->list.items[i]);
        bool is_known = false;
        for (int k = 0; k < schema_instance_count(session) && !is_known; k++) {
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

// All types. One that nobody names is as good as not there yet, if little more than its name is public.
static void read_rows(Pool *pool) {
    Session *session = pool->rules->session;
    pool->rows = arena_new_array(session->arena, const InstanceRow *, (size_t)schema_instance_count(session));
    for (int i = 0; i < schema_instance_count(session); i++) {
        const InstanceRow *row = schema_instance_at(session, i);
        if (pool->is_of_names || !str_is(str_of(row->status), "named-only")) {
            pool->rows[pool->row_count++] = row;
        }
    }
}

// The types before the requirement that no type meets.
static const Requirement *narrow(Pool *pool) {
    for (uint32_t i = 0; i < pool->count; i++) {
        uint32_t met = 0;
        for (uint32_t k = 0; k < pool->row_count; k++) {
            met += is_met(&pool->requirements[i], pool->rows[k]) ? 1 : 0;
        }
        if (met == 0) {
            return &pool->requirements[i];
        }
        uint32_t kept = 0;
        for (uint32_t k = 0; k < pool->row_count; k++) {
            if (is_met(&pool->requirements[i], pool->rows[k])) {
                pool->rows[kept++] = pool->rows[k];
            }
        }
        pool->row_count = kept;
    }
    return NULL;
}

// Whether a type that is newer than the rows might meet it: a larger number is there one day. A label that no type of a
// category has, none of its types gets.
static bool may_be_newer(const Pool *pool, const Requirement *requirement) {
    for (uint32_t i = 0; i < pool->row_count; i++) {
        const bool is_there = requirement->label->read(pool->rows[i]).kind != FACT_NONE;
        if (is_there != (requirement->relation == RELATION_DOES_NOT_EXIST)) {
            return true;
        }
    }
    return false;
}

// ---- what is said ------------------------------------------------------------------------------------------------

// The one that comes closest: with the most, if there is too little, and the other way round.
static const InstanceRow *nearest(const Pool *pool, const Requirement *requirement) {
    const InstanceRow *best = pool->rows[0];
    for (uint32_t i = 1; i < pool->row_count; i++) {
        const int64_t number = requirement->label->read(pool->rows[i]).number;
        const int64_t other = requirement->label->read(best).number;
        const bool is_least = requirement->relation == RELATION_LT || requirement->relation == RELATION_LTE;
        best = (is_least ? number < other : number > other) ? pool->rows[i] : best;
    }
    return best;
}

// As the label has it: "radeon-pro-v520".
static Str text_print(const Pool *pool, Str name) {
    StrBuf text = { .arena = pool->rules->session->arena };
    for (size_t i = 0; i < name.len; i++) {
        strbuf_add_char(&text, label_char(name.data[i]));
    }
    return strbuf_end(&text);
}

static Str fact_print(const Pool *pool, const LabelRow *label, const Fact *fact) {
    if (fact->kind == FACT_TEXT) {
        return text_print(pool, fact->text);
    }
    return fact->kind != FACT_NUMBER
               ? STR("none")
               : str_format(pool->rules->session->arena, "%" PRId64 "%s%s", fact->number,
                            label->unit == NULL ? "" : " ", label->unit == NULL ? "" : label->unit);
}

// "Gt 8", "In a, b"
static Str condition_print(const Pool *pool, const Requirement *requirement) {
    enum { PRINTED_MAX = 4 };
    StrBuf text = { .arena = pool->rules->session->arena };
    strbuf_add(&text, str_of(OPERATORS[requirement->relation]));
    for (uint32_t i = 0; i < object_count(requirement->values) && i < PRINTED_MAX; i++) {
        strbuf_add_format(&text, "%s%.*s", i == 0 ? " " : ", ",
                          STR_ARG(object_text(requirement->values->list.items[i])));
    }
    strbuf_add(&text, object_count(requirement->values) > PRINTED_MAX ? STR(", …") : STR_NONE);
    return strbuf_end(&text);
}

// Where the file says that the type is one of the pool.
static Span place_of(const Pool *pool, const InstanceRow *row) {
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

// The label of the devices that each type of the pool has, in the place of the other one.
static void fix_label(const Pool *pool, Diag *diag, const Requirement *requirement, Str label) {
    const Value *key = object_get(requirement->item, "key");
    const char *first = pool->rows[0]->accelerator_vendor;
    bool has_all = first != NULL;
    for (uint32_t i = 0; has_all && i < pool->row_count; i++) {
        const Str vendor = str_of(pool->rows[i]->accelerator_vendor);
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
                             STR_ARG(requirement->key), STR_ARG(condition_print(pool, requirement)));
    const Span named = place_of(pool, row);
    if (!span_is_none(named)) {
        diag_label(session, diag, named, "`%s` has %.*s", row->name,
                   STR_ARG(fact_print(pool, requirement->label, &fact)));
    }
    help(pool, diag, requirement, row);
}

// Rule node_pool holds types against architectures.
static bool is_told(const Pool *pool, const Requirement *requirement) {
    return requirement->label->read == read_architecture && pool->requirements[0].label->kind == LABEL_TYPE;
}

void rule_pool_types(const Rules *rules, const PlanObject *object) {
    const Value *template = object_get(object_get(object->fields, "spec"), "template");
    const Value *requirements = object_get(object_get(template, "spec"), "requirements");
    if (!str_is(object->resource->type, "karpenter.sh/v1/NodePool") || object->is_changed ||
        object_count(requirements) == 0) {
        return;
    }
    Pool *pool = arena_new(rules->session->arena, Pool);
    *pool = (Pool){ .rules = rules, .object = object };
    read_requirements(pool, requirements);
    for (uint32_t i = 0; i < pool->count; i++) {
        const bool is_name = are_names(&pool->requirements[i]);
        if (is_name && !names_known(pool, &pool->requirements[i])) {
            return;
        }
        pool->is_of_names = pool->is_of_names || is_name;
    }
    read_rows(pool);
    const Requirement *unmet = narrow(pool);
    if (unmet != NULL && !is_told(pool, unmet) && (pool->is_of_names || !may_be_newer(pool, unmet))) {
        report_requirement(pool, unmet);
    }
}
