// Takes the commands of launchers apart for the rules about their words, of which one is here: it is about options that torchrun
// does not have. torchrun reads them up to the script, of which it knows nothing: so does dtc, and it says nothing where a word
// is not known, or where the option is near to none.
#include "compiler/plan/rules/launcher/launcher_words.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher_option.h"
#include "compiler/plan/rules/rule_word.h"

Str launcher_word_at(const LauncherWords *words, uint32_t i) {
    return words->script != NULL ? words->shell->items[i] : words->list->items[i].text;
}

Span launcher_word_span(const LauncherWords *words, uint32_t i, Str part) {
    const CommandWord *word = words->script != NULL ? words->script : &words->list->items[i];
    const bool is_in = part.data >= word->run.data && part.data < word->run.data + word->run.len;
    const size_t at = words->script != NULL || is_in ? shell_word_place(word->run, part) : 0;
    return command_part_place(words->rules->session, word, at, at + part.len);
}

uint32_t launcher_word_of(const LauncherWords *words, PlanProgram program) {
    uint32_t i = 0;
    while (i < words->count && launcher_program(launcher_word_at(words, i)) != program) {
        i++;
    }
    return i;
}

static Str name_of(Str word) {
    return str_slice(word, 0, str_find(word, STR("="), 0));
}

// With `-` inside, or with `_`.
static Str spelled(Arena *arena, const char *name, char sign) {
    const Str text = str_format(arena, "--%s", name);
    char *copy = arena_alloc(arena, text.len);
    for (size_t i = 0; i < text.len; i++) {
        copy[i] = i > 1 && text.data[i] == '-' ? sign : text.data[i];
    }
    return (Str){ .data = copy, .len = text.len };
}

// The option that is meant; empty where none is near. argparse takes the beginning of a name for the whole.
static Suggestion meant(Session *session, Str name) {
    Suggestion suggestion = suggest_for(session, name);
    const LauncherWord *row;
    for (size_t i = 0; (row = launcher_word_row(i)) != NULL; i++) {
        if (row->program != PROGRAM_TORCHRUN || strlen(row->name) == 1) {
            continue;
        }
        const Str usual = spelled(session->arena, row->name, '-');
        const Str older = spelled(session->arena, row->name, '_');
        if (str_starts_with(usual, name) || str_starts_with(older, name)) {
            return (Suggestion){ .name = name };
        }
        suggest_offer(&suggestion, usual);
        suggest_offer(&suggestion, older);
    }
    return suggestion;
}

static uint32_t behind_torchrun(const LauncherWords *words) {
    for (uint32_t i = 0; i < words->count; i++) {
        const Str name = str_after_last(launcher_word_at(words, i), '/');
        if (str_is(name, launcher_program_name(PROGRAM_TORCHRUN))) {
            return i + 1;
        }
    }
    return words->count;
}

static void check_option(const LauncherWords *words, uint32_t i) {
    const Str name = name_of(launcher_word_at(words, i));
    const bool is_long = str_starts_with(name, STR("--")) && name.len > 2;
    const Suggestion suggestion = is_long ? meant(words->rules->session, name) : (Suggestion){ .name = name };
    if (suggestion.best.len > 0) {
        const Span place = launcher_word_span(words, i, name);
        Diag *diag = plan_report(words->rules->session, words->subject, place, DIAG(launcher_no_option), STR_ARG(name));
        rule_suggest(words->rules, diag, &suggestion, place);
    }
}

// Options behind torchrun, up to the script. Whether one that is not known takes the next word is not known either.
static void check_options(const LauncherWords *words, uint32_t from) {
    uint32_t i = from;
    while (i < words->count && str_at(launcher_word_at(words, i), 0) == '-') {
        const Str word = launcher_word_at(words, i);
        const bool has_value = name_of(word).len < word.len;
        const LauncherWord *row = launcher_word(PROGRAM_TORCHRUN, word);
        if (row == NULL) {
            check_option(words, i);
        }
        if (row == NULL && !has_value) {
            return;
        }
        i += 1 + (has_value ? 0 : (uint32_t)row->words);
    }
}

static void check_command(const LauncherWords *words) {
    check_options(words, behind_torchrun(words));
    launcher_check_words(words);
    launcher_check_mpirun(words);
    launcher_check_programs(words);
}

static LauncherWords words_of(const Rules *rules, const Subject *subject, const CommandWord *script,
                              const ShellSimple *command) {
    return (LauncherWords){
        .rules = rules, .subject = subject, .script = script, .shell = &command->words, .count = command->words.count
    };
}

// Where a command begins.
static size_t place_of(const CommandWord *script, const ShellSimple *command) {
    return command->words.count == 0 ? 0 : shell_word_place(script->run, command->words.items[0]);
}

// The command above that at `i`; none is empty. What stands in its own words, in `$(…)`, comes before it in the list.
static ShellSimple command_above(const CommandWord *script, const ShellCommands *commands, uint32_t i) {
    const size_t place = place_of(script, &commands->items[i]);
    while (i > 0 && place_of(script, &commands->items[i - 1]) > place) {
        i--;
    }
    return i == 0 ? (ShellSimple){ 0 } : commands->items[i - 1];
}

// What srun gives a shell.
static void check_given(const Rules *rules, const Subject *subject, const CommandWord *script,
                        const ShellSimple *command) {
    ShellCommands given;
    const bool is_given = shell_commands_given(rules->session->arena, command, &given);
    for (uint32_t i = 0; is_given && i < given.count; i++) {
        const LauncherWords words = words_of(rules, subject, script, &given.items[i]);
        check_command(&words);
    }
}

static void check_script(const Rules *rules, const Subject *subject, const CommandWord *script) {
    ShellCommands commands = { 0 };
    if (!shell_commands(rules->session->arena, script->run, &commands)) {
        return;
    }
    for (uint32_t i = 0; i < commands.count; i++) {
        const ShellSimple above = command_above(script, &commands, i);
        const LauncherWords words = words_of(rules, subject, script, &commands.items[i]);
        const LauncherWords before = words_of(rules, subject, script, &above);
        check_command(&words);
        launcher_check_cut(&words, &before);
        check_given(rules, subject, script, &commands.items[i]);
    }
}

static void check_launcher(const Rules *rules, const Subject *subject, const PlanLauncher *launcher) {
    if (launcher->programs == 0) {
        return;
    }
    const LauncherWords list = {
        .rules = rules, .subject = subject, .list = &launcher->words, .count = launcher->words.count
    };
    check_command(&list);
    launcher_check_ports(rules, subject, launcher);
    for (uint32_t i = 0; i < launcher->words.count; i++) {
        if (launcher->words.items[i].is == SHELL_WORD_SCRIPT) {
            check_script(rules, subject, &launcher->words.items[i]);
        }
    }
}

// What a script starts, with the words of its lists in their places: those that stand in the command itself are said already.
static void check_step(const Rules *rules, const Subject *subject, const PlanSlurmStep *step) {
    const LauncherWords list = {
        .rules = rules, .subject = subject, .list = &step->launcher->words, .count = step->launcher->words.count
    };
    if (step->launcher->programs != 0) {
        check_command(&list);
    }
}

void rule_script_launchers(const Rules *rules, const PlanSlurmScript *script) {
    if (script->launcher == NULL) {
        return;
    }
    check_launcher(rules, script->subject, script->launcher);
    for (uint32_t i = 0; i < script->steps.count; i++) {
        check_step(rules, script->subject, &script->steps.items[i]);
    }
    for (uint32_t i = 0; i < script->own.count; i++) {
        check_step(rules, script->subject, &script->own.items[i]);
    }
    for (uint32_t i = 0; i < script->containers.count; i++) {
        check_step(rules, script->subject, &script->containers.items[i]);
    }
}

void rule_pod_options(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        check_launcher(rules, object->subject, object->workloads.items[i]->launcher);
    }
}

// dtc's own launcher stands before the words.
void rule_options_of_job(const Rules *rules, const PlanJob *job) {
    const PlanLauncher *launcher = job->workload->launcher;
    const LauncherWords words = {
        .rules = rules, .subject = job->head.subject, .list = &launcher->words, .count = launcher->words.count
    };
    if (job->launcher == LAUNCHER_TORCHRUN) {
        check_options(&words, 0);
    } else {
        check_launcher(rules, job->head.subject, launcher);
    }
}

void rule_definition_options(const Rules *rules, const PlanContainer *container) {
    if (container->form == FORM_RESOURCE) {
        check_launcher(rules, container->subject, container->launcher);
    }
}

void rule_group_options(const Rules *rules, const PlanGroup *group) {
    if (group->launch->launcher != NULL) {
        check_launcher(rules, group->launch->subject, group->launch->launcher);
    }
}
