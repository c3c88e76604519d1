// Rules about the commands of containers, whoever wrote them: of jobs, of job definitions, and of pods with their probes. The
// runtime takes the words one by one: it looks for no program in a text with blanks, and it fills nothing in.
// Source: Kubernetes, Define a Command and Arguments for a Container; core/v1, Container, `command`, and ExecAction: "it
// is not run inside a shell"; read 2026-11.
#include "compiler/plan/model/launcher_option.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_count.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/script/shell_commands.h"

static const CommandWords NO_WORDS;

// A command, and what is said of it.
typedef struct {
    const Rules *rules;
    const Subject *subject;
    const char *what; // "container"
    Str name;
    const CommandWords *words;
    bool is_declared;             // by a job of infra.dt: Kubernetes fills in nothing there
    const PlanLauncher *launcher; // of the container of a pod, in which it does; NULL: it is none
    bool has_index;               // the pod: Kubernetes gives its containers JOB_COMPLETION_INDEX
} Command;

// ---- the program ---------------------------------------------------------------------------------------------------

// Whether what stands behind the first blank can only be an argument: `/bin/bash -c …`, `/app/train.sh /data`. A path may
// hold blanks, as in "/opt/My Tools/run".
static bool has_argument(Str text, size_t blank) {
    const Str program = str_slice(text, 0, blank);
    const Str rest = str_trim(str_slice(text, blank, text.len));
    const char first = str_at(rest, 0);
    return first == '-' || first == '/' || first == '.' || first == '$' || first == '"' || first == '\'' ||
           shell_is_any(program) || str_starts_with(str_after_last(program, '/'), STR("python")) ||
           str_ends_with(program, STR(".sh")) || str_ends_with(program, STR(".py"));
}

// Batch hands the words on as they are, so that a blank in the first is a blank in the name of a file. Such files
// exist, with a path; "python train.py" is none.
static const char *fault_of_program(Str first) {
    const Str text = str_trim(first);
    if (text.len == 0) {
        return "its first word is empty";
    }
    const size_t blank = str_find(text, STR(" "), 0);
    const bool has_blanks = blank < text.len || str_find(text, STR("\n"), 0) < text.len;
    const bool may_be_file = text.data[0] == '/' && (blank == text.len || !has_argument(text, blank));
    return has_blanks && !may_be_file ? "its first word holds blanks, and no shell takes it apart" : NULL;
}

static Diag *say_program(const Command *command, Span span, const char *fault, const char *help) {
    Diag *diag = plan_report(command->rules->session, command->subject, span, DIAG(command_without_program),
                             command->what, STR_ARG(command->name), fault);
    diag_help(command->rules->session, diag, "%s", help);
    return diag;
}

// Whether a word that a shell would take for the name of a script is the script itself.
static bool is_script(Str word) {
    static const char *const SIGNS[] = { " -", "&&", ";", "\n", " | ", "$" };
    const Str text = str_trim(word);
    const size_t blank = str_find(text, STR(" "), 0);
    const Str first = str_slice(text, 0, blank);
    bool has_sign = !str_has(first, "/") && !str_has(first, ".") && !str_has(text, "Ref::");
    for (size_t i = 0; i < COUNT_OF(SIGNS); i++) {
        has_sign = has_sign || str_has(text, SIGNS[i]);
    }
    return (blank < text.len || str_has(text, "\n")) && has_sign && str_at(text, 0) != '<' && str_at(text, 0) != '{';
}

// The word behind a shell and options without `-c` that is a script; NULL: none.
static const CommandWord *script_without_c(const CommandWords *words) {
    const Str shell = words->count < 2 ? STR_NONE : words->items[0].text;
    uint32_t i = 1;
    while (i < words->count && str_at(words->items[i].text, 0) == '-' && !str_has(words->items[i].text, "c") &&
           !str_has(words->items[i].text, "o") && words->items[i].text.len > 1) {
        i++;
    }
    const bool is_last = shell_is_any(shell) && i + 1 == words->count;
    return is_last && is_script(words->items[i].text) ? &words->items[i] : NULL;
}

// True where its first word is no program. Batch puts parameters in the place of `Ref::name`, and other programs fill in a
// text such as `<your command>`.
static bool check_program(const Command *command, Str first) {
    const bool is_filled_in = str_starts_with(first, STR("Ref::")) || str_at(first, 0) == '<';
    const char *fault = is_filled_in && !command->is_declared ? NULL : fault_of_program(first);
    const char *help = !command->is_declared ? "write each word as an item of its own, or begin with `bash` and `-c`"
                       : command->words->count == 1 && str_trim(first).len > 0
                           ? "write `words(\"…\")` around it, or `[\"bash\", \"-c\", \"…\"]`"
                           : "write `command = [\"PROGRAM\", \"ARGUMENT\"]`";
    if (fault != NULL) {
        const Span span = command->words->items[0].span;
        Diag *diag = say_program(command, span, fault, help);
        if (!command->is_declared) {
            rule_split_words(command->rules, diag, span, first);
        }
    }
    const CommandWord *script = fault == NULL ? script_without_c(command->words) : NULL;
    if (script != NULL) {
        say_program(command, script->span, "the shell looks for a script of this name", "write `-c` before it");
    }
    return fault != NULL || script != NULL;
}

// ---- what only a shell understands ---------------------------------------------------------------------------------

static const char *const OPERATORS[] = { "&&", "||", "|", ">", ">>", "<", "2>", "2>&1", "&>" };

// To these `|`, `<` and `>` are signs as any other: they part fields, or compare.
static const char *const SIGN_READERS[] = { "[",    "awk",      "column", "cut",  "expr", "find", "gawk", "join",
                                            "mawk", "parallel", "paste",  "sort", "test", "tr",   "xargs" };

static bool is_any_of(Str word, const char *const *words, size_t count) {
    bool is_any = false;
    for (size_t i = 0; i < count; i++) {
        is_any = is_any || str_is(word, words[i]);
    }
    return is_any;
}

static Str word_at(const void *words, uint32_t i) {
    const CommandWords *all = words;
    return all->items[i].text;
}

// Whether the program, or one that starts it, takes signs of a shell; `ssh` has a shell at its other end.
static bool takes_sign(const CommandWords *words, Str sign) {
    const uint32_t program = shell_started(word_at, words, words->count);
    bool takes = false;
    for (uint32_t i = 0; i < words->count && i <= program; i++) {
        const Str name = str_after_last(words->items[i].text, '/');
        takes = takes || (i == program && str_is(name, "ssh")) ||
                (sign.len == 1 && is_any_of(name, SIGN_READERS, COUNT_OF(SIGN_READERS)));
    }
    return takes;
}

static bool is_of_shell(const CommandWords *words, Str word) {
    return (is_any_of(word, OPERATORS, COUNT_OF(OPERATORS)) && !takes_sign(words, word)) || rules_has_variable(word);
}

// `$(NAME)` as a word or behind a sign, which Kubernetes would fill in: dtc writes each word so that it stays as it is.
static bool has_name_in_brackets(Str word) {
    for (size_t at = str_find(word, STR("$("), 0); at < word.len; at = str_find(word, STR("$("), at + 1)) {
        const char before = at == 0 ? '=' : word.data[at - 1];
        if (command_bracketed(word, at).len > 0 && (before == '=' || before == '/' || before == ':')) {
            return true;
        }
    }
    return false;
}

// The end of the name that begins at `start`: of letters that variables of a container have.
static size_t end_of_name(Str text, size_t start) {
    size_t end = start;
    while (command_is_of_variable(str_at(text, end)) && (end > start || !char_is_digit(text.data[end]))) {
        end++;
    }
    return end;
}

// Whether the container has the variable, with a value that no program is to fill in before the cluster sees it.
static bool has_variable(const Command *command, Str name) {
    const PlanVariable *variable = launcher_variable(command->launcher, name);
    return variable == NULL ? str_is(name, "JOB_COMPLETION_INDEX") || str_is(name, "HOSTNAME")
                            : !str_has(variable->value.text, "$");
}

// The name in `$NAME` or `${NAME}` of a variable that the container has; empty where there is none. Others may be for
// envsubst, which fills in a file before it is applied.
static Str variable_in(const Command *command, Str text) {
    for (size_t at = str_find(text, STR("$"), 0); at < text.len; at = str_find(text, STR("$"), at + 1)) {
        const bool has_brace = str_at(text, at + 1) == '{';
        const size_t start = at + (has_brace ? 2 : 1);
        const size_t end = end_of_name(text, start);
        const bool is_whole = !has_brace || str_at(text, end) == '}';
        const Str name = is_whole ? str_slice(text, start, end) : STR_NONE;
        if (name.len > 0 && has_variable(command, name)) {
            return name;
        }
    }
    return STR_NONE;
}

// Whether it is an option that a launcher takes as a number or an address: of such a text it makes neither, and ends.
static bool is_option_of_launcher(Str word) {
    static const size_t FIELDS[] = { LAUNCHER_OPTION(nodes), LAUNCHER_OPTION(tasks),        LAUNCHER_OPTION(rank),
                                     LAUNCHER_OPTION(port),  LAUNCHER_OPTION(machine_rank), LAUNCHER_OPTION(total) };
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(FIELDS); i++) {
        const size_t end = launcher_option_starts(word, FIELDS[i]);
        is = is || (end > 0 && str_at(word, end) == '=');
    }
    return is;
}

static void say_shell(const Command *command, Diag *diag) {
    diag_help(command->rules->session, diag,
              command->is_declared ? "write `command = [\"bash\", \"-c\", \"…\"]`, or a script"
                                   : "begin the command with `bash` and `-c`, or write a script");
}

// Kubernetes fills in what stands under `env`, and the index that it gives. The name of the host comes by the container.
static void say_variable(const Command *command, Diag *diag, const CommandWord *word, Str name) {
    Arena *arena = command->rules->session->arena;
    const bool is_own = launcher_variable(command->launcher, name) != NULL;
    if (!is_own && str_is(name, "HOSTNAME")) {
        diag_help(command->rules->session, diag,
                  "write `HOSTNAME` under `env`, with the `fieldRef` of `metadata.name`, and `$(HOSTNAME)` here");
        return;
    }
    if (!is_own && !command->has_index) {
        say_shell(command, diag);
        return;
    }
    const Str new = str_format(arena, "$(%.*s)", STR_ARG(name));
    diag_help(command->rules->session, diag, "write `%.*s`, which Kubernetes fills in", STR_ARG(new));
    if (is_option_of_launcher(word->text) && !str_is(name, "HOSTNAME")) {
        const Str form = str_format(arena, str_has(word->text, "${") ? "${%.*s}" : "$%.*s", STR_ARG(name));
        rule_replace_part(command->rules, diag, word->span, form, new);
    }
}

// In a pod, a word of several lines is a script for whatever program reads it, and other variables than the container's may
// be filled in before the cluster sees them.
static bool check_word(const Command *command, const CommandWord *word) {
    Session *session = command->rules->session;
    const bool is_of_pod = command->launcher != NULL;
    const bool is_name = command->is_declared && has_name_in_brackets(word->text);
    if ((is_of_pod && str_has(word->text, "\n")) || (!is_of_shell(command->words, word->text) && !is_name)) {
        return false;
    }
    const Str name = is_of_pod ? variable_in(command, word->text) : STR_NONE;
    if (is_of_pod && name.len == 0 && rules_has_variable(word->text)) {
        return false;
    }
    Diag *diag = plan_report(session, command->subject, word->span, DIAG(command_without_shell), command->what,
                             STR_ARG(command->name), STR_ARG(word->text));
    if (name.len > 0) {
        say_variable(command, diag, word, name);
    } else {
        say_shell(command, diag);
    }
    return true;
}

// A word that is not known may be a shell, but for those of infra.dt.
static void check_words(const Command *command) {
    const CommandWords *words = command->words;
    for (uint32_t i = 0; i < words->count; i++) {
        if (shell_is_any(words->items[i].text) || (words->items[i].text.len == 0 && !command->is_declared)) {
            return;
        }
    }
    for (uint32_t i = command->launcher == NULL ? 0 : 1; i < words->count && !check_word(command, &words->items[i]);
         i++) {}
}

// ---- jobs ----------------------------------------------------------------------------------------------------------

// Without words where there is no list.
static Command command_of_job(const Rules *rules, const PlanJob *job) {
    return (Command){ .rules = rules,
                      .subject = job->head.subject,
                      .what = "job",
                      .name = job->head.id,
                      .words = &job->workload->launcher->words,
                      .is_declared = true };
}

void rule_command(const Rules *rules, const PlanJob *job) {
    const Command command = command_of_job(rules, job);
    const bool is_list = job->command != NULL && job->command->kind == VALUE_LIST;
    if (is_list && command.words->count == 0) {
        say_program(&command, job->command->span, "it is empty", "leave `command` out: the image's own runs");
    } else if (is_list && job->command->list.items[0]->kind == VALUE_STRING) {
        check_program(&command, job->command->list.items[0]->string);
    }
}

void rule_command_without_shell(const Rules *rules, const PlanJob *job) {
    const Command command = command_of_job(rules, job);
    check_words(&command);
}

// ---- job definitions -----------------------------------------------------------------------------------------------

// Without words where the form is another one, or their number is not known.
static Command command_of_definition(const Rules *rules, const PlanContainer *container) {
    const bool is_known = container->form == FORM_RESOURCE && container->command.state == FIELD_KNOWN;
    return (Command){ .rules = rules,
                      .subject = container->subject,
                      .what = "job",
                      .name = container->name,
                      .words = is_known ? &container->launcher->words : &NO_WORDS };
}

void rule_definition_command(const Rules *rules, const PlanContainer *container) {
    const Command command = command_of_definition(rules, container);
    if (command.words->count > 0 && container->command.items[0].state == FIELD_KNOWN) {
        check_program(&command, container->command.items[0].text);
    }
}

void rule_definition_shell(const Rules *rules, const PlanContainer *container) {
    const Command command = command_of_definition(rules, container);
    check_words(&command);
}

// ---- pods ----------------------------------------------------------------------------------------------------------

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

// Without a `command` the image says which program reads the words.
static void check_workload(const Rules *rules, const PlanObject *object, const PlanWorkload *workload) {
    const Str own = object_text(object_get(workload->container, "name"));
    for (size_t i = 0; i < COUNT_OF(PLACES); i++) {
        const Value *list = object_get(holder_at(workload->container, &PLACES[i]), "command");
        CommandWords words = { 0 };
        launcher_words_of_list(rules->session->arena, &words, list);
        const Command command = { .rules = rules,
                                  .subject = object->subject,
                                  .what = "container",
                                  .name = own.len > 0 ? own : plan_name_of_object(object),
                                  .words = PLACES[i].key == NULL ? &workload->launcher->words : &words,
                                  .launcher = workload->launcher,
                                  .has_index = pod_has_index(object, workload->place) };
        const bool is_text = words.count > 0 && list->list.items[0]->kind == VALUE_STRING;
        if (words.count > 0 && (!is_text || !check_program(&command, list->list.items[0]->string))) {
            check_words(&command);
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
    for (uint32_t i = 0; !plan_object_is(object, RUNS_BY_SHELL) && i < object->workloads.count; i++) {
        if (!is_of_windows(object->workloads.items[i]->pod)) {
            check_workload(rules, object, object->workloads.items[i]);
        }
    }
}
