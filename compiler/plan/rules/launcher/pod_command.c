// Rules about the commands of containers in pods. The runtime takes the words one by one: it looks for no program in a
// text with blanks, and it fills nothing in.
// Source: Kubernetes, Define a Command and Arguments for a Container; core/v1, Container, `command`, and ExecAction: "it
// is not run inside a shell"; read 2026-11.
#include "compiler/plan/rules/launch_words.h"
#include "compiler/plan/rules/job.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const Value *container;
} Check;

// Where the command of a program stands that is started beside that of the container. `args` belong to the latter alone.
typedef struct {
    const char *around;
    const char *key;
} PlaceRow;

static const PlaceRow PLACES[] = {
    { NULL, NULL },           { NULL, "livenessProbe" },    { NULL, "readinessProbe" },
    { NULL, "startupProbe" }, { "lifecycle", "postStart" }, { "lifecycle", "preStop" },
};

static const Value *holder_at(const Value *container, const PlaceRow *place) {
    const Value *around = place->around == NULL ? container : object_get(container, place->around);
    return place->key == NULL ? around : object_get(object_get(around, place->key), "exec");
}

static Str name_of(const Check *check) {
    const Str name = object_text(object_get(check->container, "name"));
    return name.len > 0 ? name : plan_name_of_object(check->object);
}

// ---- the program ---------------------------------------------------------------------------------------------------

// Other programs fill in a text such as `<your command>`.
static bool check_program(const Check *check, const Value *command) {
    const Value *first = object_count(command) == 0 ? NULL : command->list.items[0];
    const bool is_known = first != NULL && first->kind == VALUE_STRING && str_at(first->string, 0) != '<';
    const char *fault = is_known ? rules_program_fault(first->string) : NULL;
    if (fault != NULL) {
        Diag *diag = plan_report(check->rules->session, check->object->subject, first->span,
                                 DIAG(command_without_program), "container", STR_ARG(name_of(check)), fault);
        diag_help(check->rules->session, diag, "write each word as an item of its own, or begin with `bash` and `-c`");
    }
    return fault != NULL;
}

// ---- what only a shell reads ---------------------------------------------------------------------------------------

// The end of the name that begins at `start`: of letters that variables of a container have.
static size_t end_of_name(Str text, size_t start) {
    size_t end = start;
    while (launch_is_of_variable(str_at(text, end)) && (end > start || !char_is_digit(text.data[end]))) {
        end++;
    }
    return end;
}

// Whether the container has the variable, with a value that no program is to fill in before the cluster sees it.
static bool has_variable(const Check *check, Str name) {
    const Value *env = object_get(check->container, "env");
    for (uint32_t i = 0; i < object_count(env); i++) {
        const Value *item = env->list.items[i];
        const Str value = object_text(object_get(item, "value"));
        if (str_equal(object_text(object_get(item, "name")), name)) {
            return str_find(value, STR("$"), 0) == value.len;
        }
    }
    return str_is(name, "JOB_COMPLETION_INDEX") || str_is(name, "HOSTNAME");
}

// The name in `$NAME` or `${NAME}` of a variable that the container has; empty where there is none. Others may be for
// envsubst, which fills in a file before it is applied.
static Str variable_in(const Check *check, Str text) {
    for (size_t at = str_find(text, STR("$"), 0); at < text.len; at = str_find(text, STR("$"), at + 1)) {
        const bool has_brace = str_at(text, at + 1) == '{';
        const size_t start = at + (has_brace ? 2 : 1);
        const size_t end = end_of_name(text, start);
        const bool is_whole = !has_brace || str_at(text, end) == '}';
        const Str name = is_whole ? str_slice(text, start, end) : STR_NONE;
        if (name.len > 0 && has_variable(check, name)) {
            return name;
        }
    }
    return STR_NONE;
}

static Diag *say_word(const Check *check, const LaunchWord *word) {
    return plan_report(check->rules->session, check->object->subject, word->span, DIAG(command_without_shell),
                       "container", STR_ARG(name_of(check)), STR_ARG(word->text));
}

// A word of several lines is a script for whatever program reads it.
static bool check_word(const Check *check, Str program, const LaunchWord *word) {
    if (str_find(word->text, STR("\n"), 0) < word->text.len || !rules_is_of_shell(program, word->text)) {
        return false;
    }
    const Str name = variable_in(check, word->text);
    if (name.len > 0) {
        diag_help(check->rules->session, say_word(check, word), "write `$(%.*s)`, which Kubernetes fills in",
                  STR_ARG(name));
    } else if (!rules_has_variable(word->text)) {
        diag_help(check->rules->session, say_word(check, word),
                  "begin the command with `bash` and `-c`, or write a script");
        return true;
    }
    return name.len > 0;
}

// Without a `command` the image says which program reads the words.
static void check_words(const Check *check, const Value *holder) {
    const LaunchWords words = launch_words_of(check->rules->session->arena, holder);
    bool is_open = object_count(object_get(holder, "command")) == 0;
    for (uint32_t i = 0; i < words.count; i++) {
        is_open = is_open || words.items[i].text.len == 0 || rules_is_shell(words.items[i].text);
    }
    for (uint32_t i = 1; !is_open && i < words.count && !check_word(check, words.items[0].text, &words.items[i]); i++) {
    }
}

// ----------------------------------------------------------------------------------------------------------------------

static void check_container(const Check *check) {
    for (size_t i = 0; i < COUNT_OF(PLACES); i++) {
        const Value *holder = holder_at(check->container, &PLACES[i]);
        if (!check_program(check, object_get(holder, "command"))) {
            check_words(check, holder);
        }
    }
}

// Windows starts a program with a line of text.
static bool is_of_windows(const Value *pod) {
    const Value *os = object_get(object_get(pod, "os"), "name");
    const Value *selected = object_get(object_get(pod, "nodeSelector"), "kubernetes.io/os");
    return str_is(object_text(os), "windows") || str_is(object_text(selected), "windows");
}

void rule_pod_command(const Rules *rules, const PlanObject *object) {
    const bool is_by_shell = plan_object_is(object, RUNS_BY_SHELL);
    static const char *const KEYS[] = { "initContainers", "containers" };
    for (uint32_t i = 0; !object->is_changed && i < object->pods.count * COUNT_OF(KEYS); i++) {
        const Value *pod = object->pods.items[i / COUNT_OF(KEYS)].spec;
        const Value *containers = object_get(pod, KEYS[i % COUNT_OF(KEYS)]);
        for (uint32_t k = 0; !is_of_windows(pod) && !is_by_shell && k < object_count(containers); k++) {
            check_container(&(Check){ .rules = rules, .object = object, .container = containers->list.items[k] });
        }
    }
}
