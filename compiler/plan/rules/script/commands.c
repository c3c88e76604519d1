// A rule about the word behind a program that says what it is to do: `apply` of kubectl, `cp` of `aws s3`. It is asked in scripts, in
// user data, in the commands of containers and in the RUN of an image. Plug-ins bring commands of their own, so that most words are
// known alone by one that is near.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/model/plan_dockerfile.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/user_data_text.h"
#include "compiler/script/shell_commands.h"
#include "schema/program_options.h"

typedef struct {
    const Rules *rules;
    const Subject *subject;
    Str script; // that the commands are of

    // Of one of these.
    const PlanSlurmScript *slurm;
    const PlanDockerfile *file;
    const CommandWord *word;
    const PlanUserData *data;
    size_t at;                // of the script, in `data`
    const CommandWords *list; // whose words are the command
} CommandsOf;

static Span span_in_list(const CommandsOf *place, Str word) {
    for (uint32_t i = 0; i < place->list->count; i++) {
        if (place->list->items[i].text.data == word.data) {
            return command_part_place(place->rules->session, &place->list->items[i], 0, word.len);
        }
    }
    return SPAN_NONE;
}

static Span span_of(const CommandsOf *place, Str word) {
    if (place->list != NULL) {
        return span_in_list(place, word);
    }
    const size_t start = shell_word_place(place->script, word);
    return place->slurm != NULL  ? slurm_span(place->slurm, start, start + word.len)
           : place->file != NULL ? docker_span(place->file, word)
           : place->word != NULL ? command_part_place(place->rules->session, place->word, start, start + word.len)
                                 : user_data_place_in(place->rules, place->data, place->at + start);
}

static bool is_plain(Str word) {
    bool is = word.len > 1;
    for (size_t i = 0; i < word.len; i++) {
        is = is && (char_is_of_name(word.data[i]) || (i > 0 && word.data[i] == '-'));
    }
    return is;
}

// Whether one of the options stands behind a word; it may have its value behind `=`.
static bool has_option(const ShellSimple *command, uint32_t from, Str options) {
    bool has = options.len == 0;
    for (uint32_t i = from; i < command->words.count; i++) {
        const Str word = command->words.items[i];
        has = has || words_have(options, str_slice(word, 0, str_find(word, STR("="), 0)));
    }
    return has;
}

static const ProgramOther *other_of(const ProgramCommand *row, const ShellSimple *command, uint32_t i) {
    const ProgramOther *other;
    for (size_t k = 0; (other = program_other_row(k)) != NULL; k++) {
        if (strcmp(other->program, row->program) == 0 && strcmp(other->before, row->before) == 0 &&
            str_is_word(command->words.items[i], other->word) && has_option(command, i + 1, str_of(other->with))) {
            return other;
        }
    }
    return NULL;
}

// scontrol takes the beginning of a word for the whole.
static bool is_known(const ProgramCommand *row, Str word) {
    const bool is_begun = strcmp(row->program, "scontrol") == 0;
    bool is = false;
    Str known;
    for (size_t at = 0; words_next(str_of(row->words), &at, &known);) {
        is = is || str_equal(known, word) ||
             (is_begun && word.len <= known.len && str_starts_with_in_any_case(known, word));
    }
    return is;
}

// A letter too many, too few, another one or in another place. Of short words that may be a plug-in.
static bool is_meant(const Suggestion *suggestion) {
    enum { LETTERS_MIN = 5, DISTANCE_OF_ONE = 2 };
    const bool is_near = suggestion->best.len > 0 && suggestion->distance <= DISTANCE_OF_ONE;
    return is_near && (suggestion->name.len >= LETTERS_MIN || suggest_is_sure(suggestion));
}

static void check_word(const CommandsOf *place, const ProgramCommand *row, const ShellSimple *command, uint32_t i) {
    Session *session = place->rules->session;
    const Str word = command->words.items[i];
    const ProgramOther *other = other_of(row, command, i);
    if (other == NULL && (!is_plain(word) || is_known(row, word))) {
        return;
    }
    Suggestion suggestion = other == NULL ? suggest_for(session, word) : (Suggestion){ .name = STR_NONE };
    Str known;
    for (size_t at = 0; words_next(str_of(row->words), &at, &known);) {
        suggest_offer(&suggestion, known);
    }
    if (other == NULL && !row->is_whole && !is_meant(&suggestion)) {
        return;
    }
    const Str shown =
        row->before[0] == '\0' ? str_of(row->program) : str_format(session->arena, "%s %s", row->program, row->before);
    const Span span = span_of(place, word);
    Diag *diag = plan_report(session, place->subject, span, DIAG(program_no_command), STR_ARG(shown), STR_ARG(word));
    if (other != NULL) {
        rule_write_at(place->rules, diag, span, word, str_of(other->meant));
    } else if (!rule_suggest(place->rules, diag, &suggestion, span)) {
        diag_help(session, diag, "write one of %.*s", STR_ARG(words_list(session->arena, str_of(row->words))));
    }
}

// Options before the word may have values of their own: of those nothing is said.
static void check_command(const CommandsOf *place, const ShellSimple *command) {
    const uint32_t i = command->program;
    const Str program = i + 1 < command->words.count ? str_after_last(command->words.items[i], '/') : STR_NONE;
    const ProgramCommand *row;
    for (size_t k = 0; program.len > 0 && (row = program_command_row(k)) != NULL; k++) {
        const bool is_behind = row->before[0] != '\0';
        const uint32_t at = i + (is_behind ? 2 : 1);
        if (str_is_word(program, row->program) && at < command->words.count &&
            (!is_behind || str_is_word(command->words.items[i + 1], row->before))) {
            check_word(place, row, command, at);
        }
    }
}

static void check_commands(const CommandsOf *place, const ShellCommands *commands) {
    for (uint32_t i = 0; i < commands->count; i++) {
        ShellCommands given;
        check_command(place, &commands->items[i]);
        const bool is_given = shell_commands_given(place->rules->session->arena, &commands->items[i], &given);
        for (uint32_t k = 0; is_given && k < given.count; k++) {
            check_command(place, &given.items[k]);
        }
    }
}

static void check_script(CommandsOf place, Str script) {
    ShellCommands commands = { 0 };
    place.script = script;
    if (shell_commands(place.rules->session->arena, script, &commands)) {
        check_commands(&place, &commands);
    }
}

// ---- where scripts are -----------------------------------------------------------------------------------------------

void rule_script_commands(const Rules *rules, const PlanSlurmScript *script) {
    if (!script->is_rendered) {
        check_script((CommandsOf){ .rules = rules, .subject = script->subject, .slurm = script }, script->text);
    }
}

void rule_launch_commands(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    const UserDataParts parts = user_data_parts(rules->session->arena, data);
    for (uint32_t i = 0; i < parts.count; i++) {
        const UserDataPart *part = &parts.items[i];
        if (user_data_is_script(part->body)) {
            const CommandsOf place = { .rules = rules, .subject = launch->subject, .data = data, .at = part->at };
            check_script(place, part->body);
        }
    }
}

static Str text_at(const void *words, uint32_t i) {
    return ((const CommandWords *)words)->items[i].text;
}

// A list is a command of its own, and a word of it may be a script.
static void check_words(const Rules *rules, const Subject *subject, const CommandWords *words) {
    for (uint32_t i = 0; i < words->count; i++) {
        const CommandWord *word = &words->items[i];
        if (word->is == SHELL_WORD_SCRIPT) {
            check_script((CommandsOf){ .rules = rules, .subject = subject, .word = word }, word->run);
        }
    }
    const uint32_t start = shell_started(text_at, words, words->count);
    ShellSimple command = { .program = 0 };
    for (uint32_t i = start; i < words->count; i++) {
        vec_push(rules->session->arena, &command.words, words->items[i].text);
    }
    const CommandsOf place = { .rules = rules, .subject = subject, .list = words };
    if (start < words->count && words->items[start].is != SHELL_WORD_SCRIPT) {
        check_command(&place, &command);
    }
}

void rule_pod_commands(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        check_words(rules, object->subject, &object->workloads.items[i]->launcher->words);
    }
}

void rule_definition_commands(const Rules *rules, const PlanContainer *container) {
    if (container->form == FORM_RESOURCE) {
        check_words(rules, container->subject, &container->launcher->words);
    }
}

void rule_commands_of_job(const Rules *rules, const PlanJob *job) {
    check_words(rules, job->head.subject, &job->workload->launcher->words);
}

void rule_docker_commands(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        const CommandsOf place = { .rules = rules, .subject = file->subject, .file = file, .script = step->script };
        if (step->kind == DOCKER_RUN && step->is_read) {
            check_commands(&place, &step->commands);
        }
    }
}
