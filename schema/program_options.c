// The rows of program_options.def, and which values their options take.
#include "schema/program_options.h"

#include "compiler/base/words.h"

static const ProgramOption OPTIONS[] = {
#define PROGRAM_OPTION(program, name, takes, form, words) { program, name, takes, form, words },
#include "schema/program_options.def"
};

static const ProgramCommand COMMANDS[] = {
#define PROGRAM_COMMAND(program, before, is_whole, words) { program, before, is_whole, words },
#include "schema/program_options.def"
};

static const ProgramOther OTHERS[] = {
#define PROGRAM_OTHER(program, before, word, meant, with) { program, before, word, meant, with },
#include "schema/program_options.def"
};

const ProgramOption *program_option_row(size_t i) {
    return i < COUNT_OF(OPTIONS) ? &OPTIONS[i] : NULL;
}

const ProgramCommand *program_command_row(size_t i) {
    return i < COUNT_OF(COMMANDS) ? &COMMANDS[i] : NULL;
}

const ProgramOther *program_other_row(size_t i) {
    return i < COUNT_OF(OTHERS) ? &OTHERS[i] : NULL;
}

// ---- names -----------------------------------------------------------------------------------------------------------

// How a program spells a long name.
typedef struct {
    bool is_of_signs;    // `-` inside may be `_`, and the other way round
    bool is_of_one_dash; // one `-` may stand before it
    bool is_whole;       // the beginning of a name is none
} Spelling;

static const Spelling SPELLINGS[ARGS_COUNT] = {
    [ARGS_TORCHRUN] = { .is_of_signs = true },
    [ARGS_ACCELERATE] = { .is_of_signs = true, .is_whole = true },
    [ARGS_MPIRUN] = { .is_of_one_dash = true },
};

// Whether the row has this name, or begins with it.
static bool begins_with(const ProgramOption *row, Str name) {
    const Spelling *spelling = &SPELLINGS[row->program];
    const Str whole = str_of(row->name);
    const bool is_of_one = spelling->is_of_one_dash && str_starts_with(name, STR("-")) && str_at(name, 1) != '-';
    const Str own = is_of_one ? str_slice(whole, 1, whole.len) : whole;
    bool is = name.len <= own.len;
    for (size_t i = 0; is && i < name.len; i++) {
        const bool is_sign = spelling->is_of_signs && i > 1 && (own.data[i] == '-' || own.data[i] == '_') &&
                             (name.data[i] == '-' || name.data[i] == '_');
        is = own.data[i] == name.data[i] || is_sign;
    }
    return is;
}

const ProgramOption *program_option_named(ProgramArgs program, Str name) {
    const ProgramOption *begun = NULL;
    for (size_t i = 0; i < COUNT_OF(OPTIONS); i++) {
        const ProgramOption *row = &OPTIONS[i];
        const bool is_begun = row->program == program && name.len > 1 && begins_with(row, name);
        const size_t len = strlen(row->name);
        const bool is_whole =
            is_begun &&
            (name.len == len || (name.len + 1 == len && str_at(name, 1) != '-' && SPELLINGS[program].is_of_one_dash));
        if (is_whole) {
            return row;
        }
        begun = is_begun && begun == NULL && name.len > 3 && !SPELLINGS[program].is_whole ? row : begun;
    }
    return begun;
}

// ---- values ----------------------------------------------------------------------------------------------------------

static bool is_number(Str value) {
    const size_t start = str_at(value, 0) == '-' || str_at(value, 0) == '+' ? 1 : 0;
    bool is = value.len > start;
    for (size_t i = start; i < value.len; i++) {
        is = is && char_is_digit(value.data[i]);
    }
    return is;
}

static bool is_range(Str value) {
    const size_t colon = str_find(value, STR(":"), 0);
    return is_number(str_slice(value, 0, colon)) &&
           (colon == value.len || is_number(str_slice(value, colon + 1, value.len)));
}

// Of units the first letter counts; newer releases may have more of them.
static bool is_size(Str value) {
    size_t at = 0;
    while (char_is_digit(str_at(value, at)) || (at > 0 && str_at(value, at) == '.')) {
        at++;
    }
    return at > 0 && (at == value.len || strchr("kKmMgGtT", value.data[at]) != NULL);
}

// What of it is the word: `ppr` of `ppr:8:node`.
static Str head_of(Str value) {
    const size_t end = str_find(value, STR(":"), 0);
    return str_slice(value, 0, str_find(str_slice(value, 0, end), STR("="), 0));
}

bool program_value_fits(const ProgramOption *option, Str value) {
    const Str words = str_of(option->words);
    switch (option->form) {
    case ARGUMENT_TEXT:
        return true;
    case ARGUMENT_NUMBER:
        return is_number(value);
    case ARGUMENT_NUMBER_OR:
        return is_number(value) || words_have(words, value);
    case ARGUMENT_RANGE:
        return is_range(value);
    case ARGUMENT_SIZE:
        return is_size(value);
    case ARGUMENT_WORD:
        return words_have(words, value);
    case ARGUMENT_WORD_ANY_CASE:
        return words_have_in_any_case(words, value);
    case ARGUMENT_NEAR:
        return words_have_in_any_case(words, head_of(value));
    }
    return true;
}

const char *program_value_words(const ProgramOption *option) {
    switch (option->form) {
    case ARGUMENT_NUMBER:
        return "a number";
    case ARGUMENT_NUMBER_OR:
        return "a number or a word";
    case ARGUMENT_RANGE:
        return "a number, or two with `:` between";
    case ARGUMENT_SIZE:
        return "a size such as `128M`";
    case ARGUMENT_TEXT:
    case ARGUMENT_WORD:
    case ARGUMENT_WORD_ANY_CASE:
    case ARGUMENT_NEAR:
        return "a word of its own";
    }
    return "";
}
