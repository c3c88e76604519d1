// Rules about the options of programs that start training, or try out what it runs on: a name that the program does not have, and a
// value that it does not take. They are read up to the script, of which nothing is known. Of what is not known nothing is said: of
// a value in a variable, and of a name that is near to none.
#include "compiler/plan/rules/launcher/launcher_words.h"

#include "compiler/base/suggest.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher_option.h"
#include "compiler/plan/rules/rule_word.h"
#include "schema/program_options.h"

// ---- programs --------------------------------------------------------------------------------------------------------

typedef struct {
    const char *name;   // of the program, or the end of it
    const char *behind; // the word behind it; NULL: none has to be there
    bool is_module;     // behind `-m`
    ProgramArgs args;
    const char *shown;
} ProgramRow;

static const ProgramRow PROGRAMS[] = {
    { "torchrun", NULL, false, ARGS_TORCHRUN, "torchrun" },
    { "torch.distributed.run", NULL, true, ARGS_TORCHRUN, "torchrun" },
    { "torch.distributed.launch", NULL, true, ARGS_TORCHRUN, "torchrun" },
    { "accelerate", "launch", false, ARGS_ACCELERATE, "accelerate launch" },
    { "accelerate-launch", NULL, false, ARGS_ACCELERATE, "accelerate launch" },
    { "accelerate.commands.launch", NULL, true, ARGS_ACCELERATE, "accelerate launch" },
    { "deepspeed", NULL, false, ARGS_DEEPSPEED, "deepspeed" },
    { "deepspeed.launcher.runner", NULL, true, ARGS_DEEPSPEED, "deepspeed" },
    { "mpirun", NULL, false, ARGS_MPIRUN, "mpirun" },
    { "mpiexec", NULL, false, ARGS_MPIRUN, "mpiexec" },
    { "orterun", NULL, false, ARGS_MPIRUN, "orterun" },
    { "all_reduce_perf", NULL, false, ARGS_NCCL_TESTS, "all_reduce_perf" },
    { "all_gather_perf", NULL, false, ARGS_NCCL_TESTS, "all_gather_perf" },
    { "alltoall_perf", NULL, false, ARGS_NCCL_TESTS, "alltoall_perf" },
    { "broadcast_perf", NULL, false, ARGS_NCCL_TESTS, "broadcast_perf" },
    { "gather_perf", NULL, false, ARGS_NCCL_TESTS, "gather_perf" },
    { "hypercube_perf", NULL, false, ARGS_NCCL_TESTS, "hypercube_perf" },
    { "reduce_perf", NULL, false, ARGS_NCCL_TESTS, "reduce_perf" },
    { "reduce_scatter_perf", NULL, false, ARGS_NCCL_TESTS, "reduce_scatter_perf" },
    { "scatter_perf", NULL, false, ARGS_NCCL_TESTS, "scatter_perf" },
    { "sendrecv_perf", NULL, false, ARGS_NCCL_TESTS, "sendrecv_perf" },
};

// What starts a program that stands among its words.
static const char *const STARTERS[] = { "srun",    "mpirun",     "mpiexec",     "orterun",   "python",
                                        "python3", "python3.10", "python3.11",  "nsys",      "numactl",
                                        "docker",  "podman",     "singularity", "apptainer", "enroot" };

static const ProgramRow *program_at(const LauncherWords *words, uint32_t i) {
    const Str name = str_after_last(launcher_word_at(words, i), '/');
    const bool is_of_module = i > 0 && str_is(launcher_word_at(words, i - 1), "-m");
    for (size_t k = 0; k < COUNT_OF(PROGRAMS); k++) {
        const ProgramRow *row = &PROGRAMS[k];
        const bool goes_on =
            row->behind == NULL || (i + 1 < words->count && str_is_word(launcher_word_at(words, i + 1), row->behind));
        if (str_is_word(name, row->name) && row->is_module == is_of_module && goes_on) {
            return row;
        }
    }
    return NULL;
}

static Str word_of(const void *words, uint32_t i) {
    return launcher_word_at(words, i);
}

// The first program whose options are known, from a word on: the one that is started, or one that this starts. A word behind an option
// of docker is a name.
static uint32_t next_program(const LauncherWords *words, uint32_t from) {
    const Str first = from < words->count ? str_after_last(launcher_word_at(words, from), '/') : STR_NONE;
    const bool starts = str_is_any(first, STARTERS, COUNT_OF(STARTERS));
    const bool has_names = starts && launcher_program(first) == PROGRAM_ANY && !str_starts_with(first, STR("python"));
    uint32_t i = from;
    while (i < words->count) {
        const bool may_be_name = has_names && i > from && str_at(launcher_word_at(words, i - 1), 0) == '-';
        if ((i == from || starts) && !may_be_name && program_at(words, i) != NULL) {
            return i;
        }
        i = starts ? i + 1 : words->count;
    }
    return words->count;
}

// ---- options ---------------------------------------------------------------------------------------------------------

typedef struct {
    const LauncherWords *words;
    const ProgramRow *program;
} Command;

static bool is_literal(Str text) {
    bool is = text.len > 0;
    for (size_t i = 0; i < text.len; i++) {
        is = is && (char_is_of_name(text.data[i]) || strchr("-.:,+", text.data[i]) != NULL);
    }
    return is;
}

static void offer(Session *session, Suggestion *suggestion, const ProgramOption *row, Str name) {
    const bool is_of_one = row->program == ARGS_MPIRUN && str_at(name, 1) != '-';
    const Str usual = str_of(is_of_one ? row->name + 1 : row->name);
    suggest_offer(suggestion, usual);
    if (row->program == ARGS_TORCHRUN || row->program == ARGS_ACCELERATE) {
        suggest_offer(suggestion, str_format(session->arena, "--%.*s",
                                             STR_ARG(str_replaced(session->arena, str_slice(usual, 2, usual.len),
                                                                  STR("_"), STR("-")))));
        suggest_offer(suggestion, str_format(session->arena, "--%.*s",
                                             STR_ARG(str_replaced(session->arena, str_slice(usual, 2, usual.len),
                                                                  STR("-"), STR("_")))));
    }
}

// torchrun has a rule of its own. The option that is meant; NULL where nobody knows.
static const ProgramOption *check_name(const Command *command, uint32_t i, Str name) {
    enum { NAME_MIN = 5 };
    Session *session = command->words->rules->session;
    if (command->program->args == ARGS_TORCHRUN || name.len < NAME_MIN || !is_literal(name)) {
        return NULL;
    }
    Suggestion suggestion = suggest_for(session, name);
    const ProgramOption *row;
    for (size_t k = 0; (row = program_option_row(k)) != NULL; k++) {
        if (row->program == command->program->args && strlen(row->name) > 3) {
            offer(session, &suggestion, row, name);
        }
    }
    if (suggestion.best.len > 0) {
        const Span place = launcher_word_span(command->words, i, name);
        Diag *diag = plan_report(session, command->words->subject, place, DIAG(program_no_option),
                                 command->program->shown, STR_ARG(name));
        rule_suggest(command->words->rules, diag, &suggestion, place);
    }
    return suggestion.best.len > 0 ? program_option_named(command->program->args, suggestion.best) : NULL;
}

// A word in capitals is one that somebody fills in.
static bool is_to_fill_in(Str value) {
    bool is = true;
    for (size_t i = 0; i < value.len; i++) {
        is = is && command_is_of_variable(value.data[i]) && !char_is_digit(value.data[0]);
    }
    return is;
}

// Whether the script sets a variable of this name, by `NAME=`.
static bool is_set(const LauncherWords *words, Str name) {
    const Str text = words->script == NULL ? STR_NONE : words->script->run;
    for (size_t at = str_find(text, name, 0); at < text.len; at = str_find(text, name, at + 1)) {
        const char before = at == 0 ? '\n' : text.data[at - 1];
        if (char_is_in(before, " \t\n;") && str_at(text, at + name.len) == '=') {
            return true;
        }
    }
    return false;
}

// `--master_port MASTER_PORT`: the name of a variable of the script in the place of its value, where no such text is taken, or where
// it would be the name of a host.
static bool lacks_sign(const Command *command, const ProgramOption *row, Str name, Str value) {
    enum { NAME_MIN = 4 };
    const bool is_taken = program_value_fits(row, value) && launcher_option_starts(name, LAUNCHER_OPTION(address)) == 0;
    return value.len >= NAME_MIN && !is_taken && is_to_fill_in(value) && is_set(command->words, value);
}

static void say_sign(const Command *command, uint32_t i, Str name, Str value) {
    Session *session = command->words->rules->session;
    const Span place = launcher_word_span(command->words, i, value);
    Diag *diag = plan_report(session, command->words->subject, place, DIAG(program_value), STR_ARG(name),
                             command->program->shown, STR_ARG(value));
    const Str better = str_format(session->arena, "$%.*s", STR_ARG(value));
    diag_help(session, diag, "write `%.*s`", STR_ARG(better));
    diag_fix(session, diag, place, better);
}

static void check_value(const Command *command, const ProgramOption *row, uint32_t i, Str name, Str value) {
    const Rules *rules = command->words->rules;
    Session *session = rules->session;
    if (lacks_sign(command, row, name, value)) {
        say_sign(command, i, name, value);
        return;
    }
    if (!is_literal(value) || is_to_fill_in(value) || program_value_fits(row, value)) {
        return;
    }
    const Str list = str_of(row->words);
    Suggestion suggestion = suggest_for(session, value);
    Str word;
    for (size_t at = 0; words_next(list, &at, &word);) {
        suggest_offer(&suggestion, word);
    }
    if (row->form == ARGUMENT_NEAR && suggestion.best.len == 0) {
        return;
    }
    const Span place = launcher_word_span(command->words, i, value);
    Diag *diag = plan_report(session, command->words->subject, place, DIAG(program_value), STR_ARG(name),
                             command->program->shown, STR_ARG(value));
    if (row->form == ARGUMENT_NUMBER || row->form == ARGUMENT_RANGE || row->form == ARGUMENT_SIZE) {
        diag_help(session, diag, "write %s", program_value_words(row));
    } else if (!rule_suggest(rules, diag, &suggestion, place)) {
        diag_help(session, diag, "write %s%.*s", row->form == ARGUMENT_NUMBER_OR ? "a number, or " : "one of ",
                  STR_ARG(words_list(session->arena, list)));
    }
}

static Str without_quotes(Str text) {
    const char first = str_at(text, 0);
    const bool is_quoted = text.len > 1 && (first == '"' || first == '\'') && text.data[text.len - 1] == first;
    return is_quoted ? str_slice(text, 1, text.len - 1) : text;
}

// `--standalone=true`
static void check_none(const Command *command, uint32_t i, Str name, Str value) {
    Session *session = command->words->rules->session;
    if (command->program->args != ARGS_MPIRUN && is_literal(value)) {
        const Span place = launcher_word_span(command->words, i, value);
        Diag *diag = plan_report(session, command->words->subject, place, DIAG(program_value), STR_ARG(name),
                                 command->program->shown, STR_ARG(value));
        diag_help(session, diag, "write `%.*s` alone", STR_ARG(name));
    }
}

// `-b8`: the row of the letter; NULL: there is none.
static const ProgramOption *lettered(const Command *command, Str word) {
    const bool may_be = command->program->args != ARGS_MPIRUN && str_at(word, 1) != '-' && word.len > 2;
    return may_be ? program_option_named(command->program->args, str_slice(word, 0, 2)) : NULL;
}

// From the word behind the program on. Whether an option that is not known takes the next word is not known either. The word where
// they end.
static uint32_t check_options(const Command *command, uint32_t from) {
    const LauncherWords *words = command->words;
    uint32_t i = from;
    while (i < words->count && str_at(launcher_word_at(words, i), 0) == '-') {
        const Str word = launcher_word_at(words, i);
        const size_t sign = str_find(word, STR("="), 0);
        const Str name = str_slice(word, 0, sign);
        const ProgramOption *row = program_option_named(command->program->args, name);
        const ProgramOption *letter = row == NULL ? lettered(command, word) : NULL;
        if (row == NULL && letter == NULL) {
            row = check_name(command, i, name);
        }
        if ((row == NULL && letter == NULL && sign == word.len) || (row != NULL && row->takes < 0)) {
            return words->count;
        }
        const bool is_next = row != NULL && row->takes > 0 && sign == word.len;
        if (is_next && row->takes == 1 && i + 1 < words->count) {
            check_value(command, row, i + 1, name, launcher_word_at(words, i + 1));
        } else if (row != NULL && sign < word.len && row->takes == 1) {
            check_value(command, row, i, name, without_quotes(str_slice(word, sign + 1, word.len)));
        } else if (row != NULL && sign < word.len && row->takes == 0) {
            check_none(command, i, name, without_quotes(str_slice(word, sign + 1, word.len)));
        }
        i += 1 + (is_next ? (uint32_t)row->takes : 0);
    }
    return i;
}

void launcher_check_programs(const LauncherWords *words) {
    uint32_t i = next_program(words, words->count == 0 ? 0 : shell_started(word_of, words, words->count));
    while (i < words->count) {
        const Command command = { .words = words, .program = program_at(words, i) };
        const uint32_t end = check_options(&command, i + (command.program->behind == NULL ? 1 : 2));
        i = command.program->args == ARGS_MPIRUN && end < words->count ? next_program(words, end) : words->count;
    }
}
