// Rules about the environment of a job of several nodes with EFA, row by row of schema/variables.def: what turns EFA off
// is copied from one script to the next, for years after the release that needed it.
#include "compiler/plan/rules.h"

typedef enum { VALUE_ONE_OF, VALUE_LACKS, VALUE_BEGINS, NAME_BEGINS } VariableTest;

typedef enum {
    ON_EFA,
    ON_RDMA_READ,
    WITHOUT_RDMA_READ,
    ON_RDMA_WRITE,
    WITHOUT_RDMA_WRITE,
    ON_RAILS,
    ON_AL2023,
} VariablePlace;

typedef struct {
    const char *name;
    VariableTest test;
    const char *values; // with commas between
    VariablePlace place;
    bool is_certain;
    const char *releases; // empty: all that are known
    const char *reason;
} VariableRow;

static const VariableRow VARIABLE_ROWS[] = {
#define VARIABLE(name, test, values, place, is_certain, releases, reason) \
    { name, test, values, place, is_certain, releases, reason },
#include "schema/variables.def"
#undef VARIABLE
};

// ---- values --------------------------------------------------------------------------------------------------------

// The next item of a list; false at its end.
static bool next_item(Str list, size_t *offset, Str *item) {
    if (*offset >= list.len) {
        return false;
    }
    size_t end = *offset;
    while (end < list.len && list.data[end] != ',' && list.data[end] != ';') {
        end++;
    }
    *item = str_trim(str_slice(list, *offset, end));
    *offset = end + 1;
    return true;
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// Whether a text begins with another, which is of small letters, whatever its own case.
static bool begins(Str text, Str start) {
    bool does = start.len <= text.len;
    for (size_t i = 0; does && i < start.len; i++) {
        does = lower(text.data[i]) == start.data[i];
    }
    return does;
}

static bool is_one_of(Str text, Str list) {
    size_t offset = 0;
    Str item;
    while (next_item(list, &offset, &item)) {
        if (item.len == text.len && begins(text, item)) {
            return true;
        }
    }
    return false;
}

static bool begins_with_one_of(Str text, Str list) {
    size_t offset = 0;
    Str item;
    while (next_item(list, &offset, &item)) {
        if (begins(text, item)) {
            return true;
        }
    }
    return false;
}

// `^` in front of a list of libfabric's or NCCL's means all but these.
static bool is_negated(Str value) {
    return value.len > 0 && value.data[0] == '^';
}

static bool lacks(Str value, Str wanted) {
    size_t offset = is_negated(value) ? 1 : 0;
    bool is_there = false;
    Str item;
    while (next_item(value, &offset, &item)) {
        is_there = is_there || is_one_of(item, wanted);
    }
    return is_there == is_negated(value);
}

// NCCL takes prefixes, and whole names behind `=`.
static bool all_begin(Str value, Str starts) {
    size_t offset = value.len > 0 && value.data[0] == '=' ? 1 : 0;
    bool do_all = offset < value.len && !is_negated(value);
    Str item;
    while (do_all && next_item(value, &offset, &item)) {
        do_all = begins_with_one_of(item, starts);
    }
    return do_all;
}

static bool is_it(const VariableRow *row, Str name, Str value) {
    const Str values = str_of(row->values);
    if (row->test == NAME_BEGINS) {
        return str_starts_with(name, str_of(row->name));
    }
    if (!str_is(name, row->name) || value.len == 0) {
        return false;
    }
    switch (row->test) {
    case VALUE_ONE_OF:
        return is_one_of(str_trim(value), values);
    case VALUE_LACKS:
        return lacks(str_trim(value), values);
    case VALUE_BEGINS:
        return all_begin(str_trim(value), values);
    case NAME_BEGINS:
        break;
    }
    return false;
}

// ---- places --------------------------------------------------------------------------------------------------------

static bool is_on(const PlanNodes *nodes, VariablePlace place) {
    const InstanceRow *row = nodes->instance;
    switch (place) {
    case ON_EFA:
        return true;
    case ON_RDMA_READ:
        return row->rdma_read == 1 && row->accelerator != ACCELERATOR_NONE;
    case WITHOUT_RDMA_READ:
        return row->rdma_read == 0;
    case ON_RDMA_WRITE:
        return row->rdma_write == 1 && row->accelerator == ACCELERATOR_NVIDIA;
    case WITHOUT_RDMA_WRITE:
        return row->rdma_write == 0 && row->accelerator == ACCELERATOR_NVIDIA;
    case ON_RAILS:
        return row->accelerator == ACCELERATOR_NVIDIA && row->accelerators > 0 && row->efa_max > row->accelerators;
    case ON_AL2023:
        return nodes->ami == NULL && str_is(nodes->cluster->os->string, "al2023");
    }
    return false;
}

// ---- the rule ------------------------------------------------------------------------------------------------------

static void say(const Rules *rules, const PlanJob *job, const ValueEntry *entry, const VariableRow *row) {
    const Block *block = job->head.block;
    const Span span = row->test == NAME_BEGINS ? entry->key_span : entry->value->span;
    const Str value = value_print(rules->session->arena, entry->value);
    Diag *diag = row->is_certain ? plan_report(rules->session, block, span, DIAG(variable_fails), STR_ARG(entry->key),
                                               STR_ARG(value), row->reason)
                                 : plan_report(rules->session, block, span, DIAG(variable_breaks_efa),
                                               STR_ARG(entry->key), STR_ARG(value), row->reason);
    diag_label(rules->session, diag, job->group->instance_value->span, "%d EFA interface%s a node",
               job->group->efa_count, job->group->efa_count == 1 ? "" : "s");
    if (row->releases[0] != '\0') {
        diag_note(rules->session, diag, "%s", row->releases);
    }
    diag_help(rules->session, diag, "remove it, or say why: `allow %s, \"…\"`", row->is_certain ? "DT1327" : "DT1326");
}

void rule_variables_of_efa(const Rules *rules, const PlanJob *job) {
    const bool is_asked = job->env->kind == VALUE_MAP && job->group->efa_count > 0 && job->nodes->integer > 1;
    for (uint32_t i = 0; is_asked && i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        for (size_t k = 0; entry->value->kind == VALUE_STRING && k < COUNT_OF(VARIABLE_ROWS); k++) {
            const VariableRow *row = &VARIABLE_ROWS[k];
            if (is_it(row, entry->key, entry->value->string) && is_on(job->group, row->place)) {
                say(rules, job, entry, row);
                break;
            }
        }
    }
}
