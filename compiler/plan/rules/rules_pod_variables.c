// Rules about `$(NAME)` in the commands of pods, which Kubernetes fills in from the variables of the container. A name that
// nearly is one of them is a mistake. Other texts in such brackets are for a shell.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/object_value.h"

// What the maker of pods gives each container.
// source: kubernetes-sigs/lws@060ab4da api/leaderworkerset/v1/leaderworkerset_types.go; kubeflow/training-operator v1.9.0
// (6f74c7f6) pkg/controller.v1/pytorch/envvar.go and master.go; read 2026-11-26
typedef struct {
    const char *type;
    const char *own; // all variables that begin so are the maker's; NULL: there is no such beginning
    const char *names[10];
} MakerRow;

static const MakerRow MAKERS[] = {
    { "leaderworkerset.x-k8s.io/v1/LeaderWorkerSet",
      "LWS_",
      { "LWS_LEADER_ADDRESS", "LWS_GROUP_SIZE", "LWS_WORKER_INDEX" } },
    { "kubeflow.org/v1/PyTorchJob",
      NULL,
      { "MASTER_ADDR", "MASTER_PORT", "WORLD_SIZE", "RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT", "PET_NODE_RANK",
        "PET_NNODES", "PET_NPROC_PER_NODE" } },
};

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const MakerRow *maker;
    const Value *env; // of the container
} Check;

// The name in `$(NAME)` at a place; empty where something else stands there, or `$$(NAME)`, which is a text.
static Str name_at(Str text, size_t at) {
    const size_t start = at + 2;
    size_t end = start;
    while (end < text.len && (text.data[end] == '_' || char_is_digit(text.data[end]) ||
                              (text.data[end] >= 'A' && text.data[end] <= 'Z'))) {
        end++;
    }
    const bool is_text = at > 0 && text.data[at - 1] == '$';
    return str_at(text, end) == ')' && !is_text ? str_slice(text, start, end) : STR_NONE;
}

// Whether the container has the variable; offers those that it has.
static bool is_there(const Check *check, Str name, Suggestion *suggestion) {
    bool is = false;
    for (uint32_t i = 0; i < object_count(check->env); i++) {
        const Str own = object_text(object_get(check->env->list.items[i], "name"));
        is = is || own.len == 0 || str_equal(own, name);
    }
    for (size_t i = 0; i < COUNT_OF(check->maker->names) && check->maker->names[i] != NULL; i++) {
        is = is || str_is(name, check->maker->names[i]);
        suggest_offer(suggestion, str_of(check->maker->names[i]));
    }
    return is;
}

// The variable of the maker that goes on behind the name, or the other way round: of LWS_LEADER_ADDR that is
// LWS_LEADER_ADDRESS.
static Str longer_or_shorter(const MakerRow *maker, Str name) {
    const size_t least = strlen("MASTER_");
    for (size_t i = 0; i < COUNT_OF(maker->names) && maker->names[i] != NULL; i++) {
        const Str own = str_of(maker->names[i]);
        if (name.len > least && own.len > least && (str_starts_with(own, name) || str_starts_with(name, own))) {
            return own;
        }
    }
    return STR_NONE;
}

static void check_name(const Check *check, const Value *word, Str name) {
    Session *session = check->rules->session;
    Suggestion suggestion = { .name = name };
    if (is_there(check, name, &suggestion)) {
        return;
    }
    const Str other = longer_or_shorter(check->maker, name);
    const Str best = other.len > 0 ? other : suggestion.best;
    const bool is_own = check->maker->own != NULL && str_starts_with(name, str_of(check->maker->own));
    if (best.len == 0 && !is_own) {
        return;
    }
    const Str written = source_text(session, word->span);
    const size_t at = str_find(written, name, 0);
    Span span = word->span;
    if (at < written.len) {
        span.start += (uint32_t)at;
        span.end = span.start + (uint32_t)name.len;
    }
    Diag *diag = plan_report(session, check->object->subject, span, DIAG(variable_of_none), STR_ARG(name));
    if (best.len > 0) {
        diag_help(session, diag, "did you mean `%.*s`?", STR_ARG(best));
    } else {
        diag_help(session, diag, "write it under `env`, or one of `%s`, `%s` and `%s`", check->maker->names[0],
                  check->maker->names[1], check->maker->names[2]);
    }
}

static void check_words(const Check *check, const Value *words) {
    for (uint32_t i = 0; i < object_count(words); i++) {
        const Str text = object_text(words->list.items[i]);
        for (size_t at = str_find(text, STR("$("), 0); at < text.len; at = str_find(text, STR("$("), at + 1)) {
            const Str name = name_at(text, at);
            if (name.len > 0) {
                check_name(check, words->list.items[i], name);
            }
        }
    }
}

static void check_container(const Rules *rules, const PlanObject *object, const MakerRow *maker,
                            const Value *container) {
    const Check check = { .rules = rules, .object = object, .maker = maker, .env = object_get(container, "env") };
    const bool is_open =
        object_get(container, "envFrom") != NULL || (check.env != NULL && check.env->kind != VALUE_LIST);
    if (!is_open) {
        check_words(&check, object_get(container, "command"));
        check_words(&check, object_get(container, "args"));
    }
}

void rule_pod_variables(const Rules *rules, const PlanObject *object) {
    for (size_t i = 0; i < COUNT_OF(MAKERS) && !object->is_changed; i++) {
        for (uint32_t k = 0; str_is(object->resource->type, MAKERS[i].type) && k < object->pods.count; k++) {
            const Value *containers = object_get(object->pods.items[k].spec, "containers");
            for (uint32_t n = 0; n < object_count(containers); n++) {
                check_container(rules, object, &MAKERS[i], containers->list.items[n]);
            }
        }
    }
}
