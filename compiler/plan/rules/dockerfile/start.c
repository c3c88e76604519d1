// Rules about what a container starts: that CMD, ENTRYPOINT and SHELL are the lists that they look like, and that the container
// starts what each of them says.
// source: Docker, Dockerfile reference, Shell and exec form, CMD, ENTRYPOINT and SHELL; moby/buildkit
// frontend/dockerfile/parser/line_parsers.go, parseMaybeJSON, 2026-11, read 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/plan_dockerfile.h"
#include "compiler/script/shell_program.h"

enum { WORDS_MAX = 64, SHOWN_MAX = 40 };

// ---- lists -----------------------------------------------------------------------------------------------------------

typedef struct {
    VEC(Str) words; // without their quotes
    bool is_json;
} List;

static bool is_between(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\';
}

// `["torchrun", "train.py"]`, over several lines as well.
static List read_list(Arena *arena, Str text) {
    List list = { 0 };
    size_t at = 1;
    bool wants_word = false;
    while (str_at(text, 0) == '[' && at < text.len) {
        const char c = text.data[at];
        const bool may_be_word = list.words.count == 0 || wants_word;
        if (is_between(c)) {
            at++;
        } else if (c == '"' && may_be_word) {
            size_t end = at + 1;
            while (end < text.len && text.data[end] != '"') {
                end += text.data[end] == '\\' ? 2 : 1;
            }
            if (end >= text.len) {
                return list;
            }
            vec_push(arena, &list.words, str_slice(text, at + 1, end));
            wants_word = false;
            at = end + 1;
        } else if (c == ',' && list.words.count > 0 && !wants_word) {
            wants_word = true;
            at++;
        } else {
            list.is_json = c == ']' && !wants_word && str_trim(str_slice(text, at + 1, text.len)).len == 0;
            return list;
        }
    }
    return list;
}

// Whether what is no list is meant as one: it has the brackets of one, and is no condition of a shell.
static bool looks_like_list(Str text) {
    const char second = str_at(text, 1);
    return str_at(text, 0) == '[' && str_ends_with(text, STR("]")) &&
           (second == '\'' || second == '"' || str_has(text, "',") || str_has(text, "\","));
}

static const char *fault_of_list(Str text) {
    return str_has(text, "'") && !str_has(text, "\"")    ? "JSON has words in `\"`, not in `'`"
           : str_has(text, ",]") || str_has(text, ", ]") ? "behind its last word stands a comma"
                                                         : "a comma or a quote of its words is missing";
}

// What a SHELL lacks; NULL: nothing.
static const char *fault_of_shell(const List *list) {
    if (!list->is_json || list->words.count == 0) {
        return "it takes a list of words in JSON alone";
    }
    const Str program = list->words.items[0];
    const Str last = list->words.items[list->words.count - 1];
    const bool is_bare = list->words.count == 1 && shell_is_shell(program);
    return is_bare || (shell_is_shell(program) && str_at(last, 0) == '-' && !str_has(last, "c"))
               ? "without `-c` the shell takes each RUN for the name of a file"
               : NULL;
}

static bool check_list(const Rules *rules, const PlanDockerfile *file, const DockerStep *step) {
    const Str text = str_trim(step->rest);
    const Str name = docker_text(file, step->name);
    const List list = read_list(rules->session->arena, text);
    const bool is_shell = str_is_in_any_case(name, "SHELL");
    const char *fault = is_shell                                 ? fault_of_shell(&list)
                        : !list.is_json && looks_like_list(text) ? fault_of_list(text)
                                                                 : NULL;
    if (fault == NULL) {
        return true;
    }
    const size_t line = str_find(text, STR("\n"), 0);
    Diag *diag = plan_report(rules->session, file->subject, docker_span(file, str_slice(text, 0, line)),
                             DIAG(docker_no_list), STR_ARG(name), fault);
    if (is_shell) {
        diag_help(rules->session, diag, "write `SHELL [\"/bin/bash\", \"-c\"]`");
    } else if (line == text.len && str_has(text, "'") && !str_has(text, "\"")) {
        const Str better = str_replaced(rules->session->arena, text, STR("'"), STR("\""));
        diag_help(rules->session, diag, "write `%.*s %.*s`", STR_ARG(name), STR_ARG(better));
    } else {
        diag_help(rules->session, diag, "write `%.*s [\"PROGRAM\", \"WORD\"]`", STR_ARG(name));
    }
    return false;
}

// ---- what is not started ---------------------------------------------------------------------------------------------

// The last CMD and ENTRYPOINT of a stage; NULL: none.
typedef struct {
    const DockerStep *command;
    const DockerStep *entry;
} Start;

static Diag *report_start(const Rules *rules, const PlanDockerfile *file, Span span, Str what, const char *reason) {
    return plan_report(rules->session, file->subject, span, DIAG(docker_not_started), STR_ARG(what), reason);
}

// A second one of a kind in a stage.
static void check_twice(const Rules *rules, const PlanDockerfile *file, const DockerStep *before,
                        const DockerStep *step) {
    if (before != NULL && before->stage == step->stage) {
        Diag *diag = report_start(rules, file, before->name, docker_text(file, before->name),
                                  "another one below takes its place");
        diag_label(rules->session, diag, step->name, "this one counts");
        diag_help(rules->session, diag, "leave it out, or join the two");
    }
}

static bool is_list(Str text) {
    return str_at(text, 0) == '[';
}

static bool is_one_of(Str word, const char *const *words, size_t count) {
    bool is = false;
    for (size_t i = 0; i < count; i++) {
        is = is || str_is_word(word, words[i]);
    }
    return is;
}

// Programs that take their words as they are, and fill in no variables.
static bool is_launcher(Str word) {
    static const char *const NAMES[] = {
        "torchrun", "python",  "python3", "accelerate", "deepspeed", "nvidia-smi",
        "mpirun",   "mpiexec", "sleep",   "ray",        "jupyter",   "/usr/sbin/sshd"
    };
    return is_one_of(word, NAMES, COUNT_OF(NAMES));
}

// What ENTRYPOINT and CMD come to together.
static void check_together(const Rules *rules, const PlanDockerfile *file, const Start *start) {
    if (start->entry == NULL || start->command == NULL || start->command->stage != start->entry->stage) {
        return;
    }
    const Str entry = str_trim(start->entry->rest);
    const Str command = str_trim(start->command->rest);
    const bool takes_words =
        str_has(entry, "$@") || str_has(entry, "$*") || str_has(entry, "$0") || str_has(entry, "$1");
    if (!is_list(entry) && entry.len > 0 && !takes_words) {
        Diag *diag = report_start(rules, file, start->command->name, docker_text(file, start->command->name),
                                  "the ENTRYPOINT is run by a shell, which gives it no words");
        diag_label(rules->session, diag, start->entry->name, "%s", "");
        diag_help(rules->session, diag, "write the ENTRYPOINT as a list: `ENTRYPOINT [\"PROGRAM\", \"WORD\"]`");
        return;
    }
    const List list = read_list(rules->session->arena, entry);
    if (list.is_json && list.words.count > 0 && is_launcher(list.words.items[0]) && !is_list(command) &&
        command.len > 0) {
        Diag *diag = report_start(rules, file, start->command->name, docker_text(file, start->command->name),
                                  "the ENTRYPOINT gets it as one word, behind `/bin/sh -c`");
        diag_label(rules->session, diag, start->entry->name, "%s", "");
        diag_help(rules->session, diag, "write the CMD as a list: `CMD [\"WORD\", \"WORD\"]`");
    }
}

static bool has_shell(const List *list) {
    bool has = list->words.count == 0;
    for (uint32_t i = 0; i < list->words.count; i++) {
        has = has || shell_is_any(list->words.items[i]);
    }
    return has;
}

// What of a word a shell alone does; NULL: nothing that is sure. Programs that are not known may fill variables in themselves.
static const char *lack_of_word(const List *list, uint32_t i) {
    static const char *const SIGNS[] = { "&&", "||", "|", ">>", "2>&1", "&" };
    static const char *const BUILTINS[] = { "cd", "source", ".", "export", "exec", "set" };
    const Str word = list->words.items[i];
    size_t at = 0;
    if (is_one_of(word, SIGNS, COUNT_OF(SIGNS))) {
        return "no shell is there, and the first program gets it as a word";
    }
    if (i == 0 && is_one_of(word, BUILTINS, COUNT_OF(BUILTINS))) {
        return "it is a command of a shell, and no program";
    }
    const bool has_variable = docker_next_variable(word, &at).len > 0 && !str_has(word, "\\");
    return has_variable && is_launcher(list->words.items[0]) ? "no shell is there to fill the variable in" : NULL;
}

// Words of a list that are meant for a shell, which no list has.
static void check_words(const Rules *rules, const PlanDockerfile *file, const DockerStep *step) {
    const List list = read_list(rules->session->arena, str_trim(step->rest));
    const bool is_asked = list.is_json && !has_shell(&list);
    for (uint32_t i = 0; is_asked && i < list.words.count && i < WORDS_MAX; i++) {
        const Str word = list.words.items[i];
        const char *lack = word.len <= SHOWN_MAX ? lack_of_word(&list, i) : NULL;
        if (lack != NULL) {
            Diag *diag = report_start(rules, file, docker_span(file, word), word, lack);
            diag_help(rules->session, diag, "let a shell start it: `[\"bash\", \"-c\", \"…\"]`");
            return;
        }
    }
}

void rule_docker_start(const Rules *rules, const PlanDockerfile *file) {
    Start start = { 0 };
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        const bool is_command = docker_step_is(file, step, "CMD");
        const bool is_entry = docker_step_is(file, step, "ENTRYPOINT");
        if (step->kind == DOCKER_FROM) {
            check_together(rules, file, &start);
            start = (Start){ 0 };
        }
        if (!is_command && !is_entry) {
            if (docker_step_is(file, step, "SHELL")) {
                (void)check_list(rules, file, step);
            }
            continue;
        }
        check_twice(rules, file, is_command ? start.command : start.entry, step);
        if (is_command) {
            start.command = step;
        } else {
            start.entry = step;
        }
        if (!check_list(rules, file, step)) {
            return;
        }
        if (is_entry || start.entry == NULL) {
            check_words(rules, file, step);
        }
    }
    check_together(rules, file, &start);
}
