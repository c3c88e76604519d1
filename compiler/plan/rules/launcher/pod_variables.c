// Rules about `$(NAME)` in the commands and variables of pods, which Kubernetes fills in from the variables of the
// container. In a command other texts in such brackets are for a shell: there a name that nearly is one is a mistake.
#include "compiler/plan/model/launcher_option.h"
#include "compiler/plan/rules/job.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/base/str_map.h"
#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

enum { NAMES_MAX = 16 };

// What the maker of pods gives each container.
typedef struct {
    const char *own; // all variables that begin so are the maker's; NULL: there is no such beginning
    Str names[NAMES_MAX];
    size_t count;
    Str starts[NAMES_MAX]; // of others that it gives
    size_t start_count;
    bool is_whole; // the pods of such objects have no others
    bool is_last;  // the maker's come behind those of the container
} Maker;

static Maker maker_of(const WorkloadKind *kind, bool is_indexed) {
    Maker maker = { .own = kind->own, .is_whole = true, .is_last = is_indexed };
    size_t at = 0;
    for (Str next = workload_next(kind->variables, &at); next.len > 0 && maker.count < NAMES_MAX;
         next = workload_next(kind->variables, &at)) {
        if (str_is(next, "*")) {
            maker.is_whole = false;
        } else if (str_ends_with(next, STR("*")) && maker.start_count < NAMES_MAX) {
            maker.starts[maker.start_count++] = str_slice(next, 0, next.len - 1);
        } else {
            maker.names[maker.count++] = next;
        }
    }
    return maker;
}

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const Maker *maker;
    const Value *env;    // of the container
    const StrMap *first; // by the name of a variable, the first of `env->list.items` that sets it
    bool has_unnamed;    // one whose name nobody knows
    Str before;          // the word before the one that is looked at, or the name of the variable; empty: there is none
} PodVariablesCheck;

// The name in `$(NAME)` at a place; empty where something else stands there, or `$$(NAME)`, which is a text.
static Str name_at(Str text, size_t at) {
    const bool is_text = at > 0 && text.data[at - 1] == '$';
    return is_text ? STR_NONE : command_bracketed(text, at);
}

// Whether the container has the variable; offers those that it has.
static bool is_there(const PodVariablesCheck *check, Str name, Suggestion *suggestion) {
    bool is = check->has_unnamed || str_map_get(check->first, name) != NULL;
    for (size_t i = 0; i < check->maker->count; i++) {
        is = is || str_equal(name, check->maker->names[i]);
        suggest_offer(suggestion, check->maker->names[i]);
    }
    for (size_t i = 0; i < check->maker->start_count; i++) {
        is = is || str_starts_with(name, check->maker->starts[i]);
    }
    return is;
}

// The variable of the maker that goes on behind the name, or the other way round: of LWS_LEADER_ADDR that is
// LWS_LEADER_ADDRESS.
static Str longer_or_shorter(const Maker *maker, Str name) {
    const size_t least = strlen("MASTER_");
    for (size_t i = 0; i < maker->count; i++) {
        const Str own = maker->names[i];
        if (name.len > least && own.len > least && (str_starts_with(own, name) || str_starts_with(name, own))) {
            return own;
        }
    }
    return STR_NONE;
}

// The place of a name in a text, where that is written as it is; else of the whole text.
static Span place_of(const Session *session, const Value *word, Str name) {
    const Str written = source_text(session, word->span);
    const size_t at = str_find(written, name, 0);
    Span span = word->span;
    if (at < written.len) {
        span.start += (uint32_t)at;
        span.end = span.start + (uint32_t)name.len;
    }
    return span;
}

static bool check_name(const PodVariablesCheck *check, const Value *word, Str name) {
    Session *session = check->rules->session;
    Suggestion suggestion = { .name = name };
    if (is_there(check, name, &suggestion)) {
        return false;
    }
    const Str other = longer_or_shorter(check->maker, name);
    const Str best = other.len > 0 ? other : suggestion.best;
    const bool is_own = check->maker->own != NULL && str_starts_with(name, str_of(check->maker->own));
    if (best.len == 0 && !is_own) {
        return false;
    }
    const Span place = place_of(session, word, name);
    Diag *diag = plan_report(session, check->object->subject, place, DIAG(variable_of_none), STR_ARG(name));
    if (other.len > 0) {
        diag_help(session, diag, "did you mean `%.*s`?", STR_ARG(best));
        if (str_starts_with(other, name)) {
            rule_replace_part(check->rules, diag, place, name, other);
        }
    } else if (!rule_suggest(check->rules, diag, &suggestion, place)) {
        diag_help(session, diag, "write it under `env`, or one of `%.*s`, `%.*s` and `%.*s`",
                  STR_ARG(check->maker->names[0]), STR_ARG(check->maker->names[1]), STR_ARG(check->maker->names[2]));
    }
    return true;
}

// ---- names that are nowhere ----------------------------------------------------------------------------------------

// Services of the namespace give each pod variables, and so do webhooks of EKS.
static bool may_be_elsewhere(Str name) {
    static const char *const PARTS[] = { "_SERVICE_HOST", "_SERVICE_PORT", "_PORT", "AWS_", "KUBERNETES_", "EKS_" };
    for (size_t i = 0; i < COUNT_OF(PARTS); i++) {
        if (str_find(name, str_of(PARTS[i]), 0) < name.len) {
            return true;
        }
    }
    return false;
}

// The runtime sets it when Kubernetes has filled in the texts.
static bool is_of_runtime(Str name) {
    return str_is(name, "HOSTNAME");
}

// Whether each pod is told to go to the host of this name: `--rdzv-endpoint=$(HOSTNAME):29500`, in one word or in two, or
// MASTER_ADDR.
static bool is_meeting_place(Str before, Str word, Str name) {
    static const size_t OPTIONS[] = { LAUNCHER_OPTION(endpoint), LAUNCHER_OPTION(address) };
    const Str host =
        word.len > name.len + 2 && str_starts_with(word, STR("$(")) ? str_slice(word, 2, word.len) : STR_NONE;
    const bool is_host = str_starts_with(host, name);
    bool is_place = str_is(before, "MASTER_ADDR") && is_host;
    for (size_t i = 0; i < COUNT_OF(OPTIONS); i++) {
        const size_t end = launcher_option_starts(word, OPTIONS[i]);
        const bool is_behind = before.len > 0 && launcher_option_starts(before, OPTIONS[i]) == before.len && is_host;
        const bool is_one = end > 0 && str_starts_with(str_slice(word, end, word.len), STR("=$("));
        is_place = is_place || is_behind || is_one;
    }
    return is_place;
}

// `is_literal`: a program gets the text that stays, and no shell reads it.
static void check_nowhere(const PodVariablesCheck *check, const Value *word, Str name, bool is_literal) {
    Session *session = check->rules->session;
    Suggestion suggestion = { .name = name };
    if (check->rules->plan->is_opened || is_there(check, name, &suggestion) || may_be_elsewhere(name) ||
        (!is_literal && !is_of_runtime(name))) {
        return;
    }
    Diag *diag = plan_report(session, check->object->subject, place_of(session, word, name), DIAG(variable_of_none),
                             STR_ARG(name));
    if (is_of_runtime(name) && is_meeting_place(check->before, object_text(word), name)) {
        diag_help(session, diag,
                  "write the address of the pod of index 0: all pods meet there, and each has another name");
    } else if (is_of_runtime(name)) {
        diag_help(session, diag, "write `%s` under `env`, with the `fieldRef` of `metadata.name`", "HOSTNAME");
    } else {
        diag_help(session, diag, "write it under `env` of the container");
    }
}

// ---- names that come later -----------------------------------------------------------------------------------------

// Where the container sets the variable; the count of its variables where it does not.
static uint32_t index_of(const PodVariablesCheck *check, Str name) {
    const Value **item = str_map_get_mutable(check->first, name);
    return item == NULL ? object_count(check->env) : (uint32_t)(item - check->env->list.items);
}

static bool is_of_maker(const Maker *maker, Str name) {
    for (size_t i = 0; i < maker->count; i++) {
        if (str_equal(name, maker->names[i])) {
            return true;
        }
    }
    return false;
}

// Kubernetes goes through the variables in their order, and fills in those that it has had.
static void check_order(const PodVariablesCheck *check, uint32_t at, const Value *value, Str name) {
    Session *session = check->rules->session;
    const uint32_t count = object_count(check->env);
    const uint32_t place = index_of(check, name);
    const bool is_last =
        place == count && check->maker != NULL && check->maker->is_last && is_of_maker(check->maker, name);
    if (place == at) {
        rules_env_text(check->rules, check->object->subject, value->span, name);
        return;
    }
    if ((place <= at && place < count) || (place == count && !is_last) || may_be_elsewhere(name)) {
        if (place == count && check->maker != NULL && check->maker->is_whole) {
            check_nowhere(check, value, name, true);
        }
        return;
    }
    Diag *diag = plan_report(session, check->object->subject, place_of(session, value, name), DIAG(variable_later),
                             STR_ARG(name));
    if (is_last) {
        diag_help(session, diag,
                  "give this variable the `fieldRef` of "
                  "`metadata.annotations['batch.kubernetes.io/job-completion-index']`");
    } else {
        diag_label(session, diag, object_get(check->env->list.items[place], "name")->span, "gets its value here");
        diag_help(session, diag, "write `%.*s` above this variable", STR_ARG(name));
    }
}

// ----------------------------------------------------------------------------------------------------------------------

// Kustomize has put its own variables in before Kubernetes looks.
static bool is_filled_in(const Plan *plan, Str name) {
    for (uint32_t i = 0; i < plan->filled_in.count; i++) {
        if (str_equal(plan->filled_in.items[i], name)) {
            return true;
        }
    }
    return false;
}

typedef void CheckName(const PodVariablesCheck *check, const Value *word, Str name, uint32_t at);

static void each_name(const PodVariablesCheck *check, const Value *word, uint32_t place, CheckName *see) {
    const Str text = object_text(word);
    for (size_t at = str_find(text, STR("$("), 0); at < text.len; at = str_find(text, STR("$("), at + 1)) {
        const Str name = name_at(text, at);
        if (name.len > 0 && !is_filled_in(check->rules->plan, name)) {
            see(check, word, name, place);
        }
    }
}

// Where the maker may give others, nobody else gives the variable of the runtime either.
static void see(const PodVariablesCheck *check, const Value *word, Str name, uint32_t is_literal) {
    if ((check->maker->is_last || !check_name(check, word, name)) && (check->maker->is_whole || is_of_runtime(name))) {
        check_nowhere(check, word, name, is_literal == 1);
    }
}

static void see_order(const PodVariablesCheck *check, const Value *value, Str name, uint32_t at) {
    check_order(check, at, value, name);
}

static bool has_shell(const Value *words) {
    bool has = false;
    for (uint32_t i = 0; i < object_count(words); i++) {
        has = has || shell_is_any(object_text(words->list.items[i])) || object_text(words->list.items[i]).len == 0;
    }
    return has;
}

// Without a `command` the image says which program reads the words.
static void check_words(const PodVariablesCheck *check, const Value *container) {
    const Value *const lists[] = { object_get(container, "command"), object_get(container, "args") };
    const bool is_literal = object_count(lists[0]) > 0 && !has_shell(lists[0]) && !has_shell(lists[1]);
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        for (uint32_t k = 0; k < object_count(lists[i]); k++) {
            const Value *word = lists[i]->list.items[k];
            PodVariablesCheck here = *check;
            here.before = k == 0 ? STR_NONE : object_text(lists[i]->list.items[k - 1]);
            each_name(&here, word, is_literal ? 1 : 0, see);
        }
    }
}

static void check_container(const Rules *rules, const PlanObject *object, const Maker *maker, const Value *container) {
    StrMap first = { .arena = rules->session->arena };
    PodVariablesCheck check = {
        .rules = rules, .object = object, .maker = maker, .env = object_get(container, "env"), .first = &first
    };
    if (object_get(container, "envFrom") != NULL || (check.env != NULL && check.env->kind != VALUE_LIST)) {
        return;
    }
    for (uint32_t i = 0; i < object_count(check.env); i++) {
        const Str name = object_text(object_get(check.env->list.items[i], "name"));
        check.has_unnamed = check.has_unnamed || name.len == 0;
        str_map_add(&first, name, &check.env->list.items[i]);
    }
    for (uint32_t i = 0; i < object_count(check.env); i++) {
        check.before = object_text(object_get(check.env->list.items[i], "name"));
        each_name(&check, object_get(check.env->list.items[i], "value"), i, see_order);
    }
    if (maker != NULL) {
        check_words(&check, container);
    }
}

void rule_pod_variables(const Rules *rules, const PlanObject *object) {
    static const char *const KEYS[] = { "initContainers", "containers" };
    const Maker maker =
        object->kind == NULL ? (Maker){ 0 } : maker_of(object->kind, plan_object_is(object, IS_INDEXED));
    for (uint32_t i = 0; !object->is_changed && i < object->pods.count * COUNT_OF(KEYS); i++) {
        const Value *containers = object_get(object->pods.items[i / COUNT_OF(KEYS)].spec, KEYS[i % COUNT_OF(KEYS)]);
        for (uint32_t n = 0; n < object_count(containers); n++) {
            check_container(rules, object, object->kind == NULL ? NULL : &maker, containers->list.items[n]);
        }
    }
}
