// Takes options of sbatch and srun apart.
#include "compiler/readers/slurm/slurm_options.h"

typedef struct {
    const SlurmShell *shell;
    const SlurmWords *words;
    SlurmProgram program;
    bool is_command; // that a shell reads
    PlanSlurmOptions *options;
    uint32_t at;
    bool is_vague;
} OptionReader;

// What a shell makes of a value; as it stands where that is plain, or a line of `#SBATCH` has it.
static PlanField value_of(const OptionReader *reader, Str text) {
    const char quote = str_at(text, 0);
    const bool is_quoted = (quote == '"' || quote == '\'') && text.len > 1 && text.data[text.len - 1] == quote;
    const Str inner = is_quoted ? str_slice(text, 1, text.len - 1) : text;
    const Span span = slurm_place(reader->shell, text);
    const Str name = reader->is_command ? slurm_name_in(inner) : STR_NONE;
    const SlurmVariable *variable = name.len == 0 ? NULL : slurm_variable(reader->shell, name);
    const bool is_late = reader->is_command && (str_has(inner, "$") || str_has(inner, "`"));
    if (variable != NULL && variable->set.state == FIELD_KNOWN && !str_has(variable->set.text, "$")) {
        return field_known("value", span, variable->set.text);
    }
    return is_late ? (PlanField){ .state = FIELD_LATE, .name = "value", .span = span }
                   : field_known("value", span, inner);
}

static void add(OptionReader *reader, const SlurmOptionRow *row, Str name, PlanField value) {
    const PlanSlurmOption option = { .row = row,
                                     .name = field_known(row == NULL ? "option" : row->name,
                                                         slurm_place(reader->shell, name), name),
                                     .value = value };
    vec_push(reader->shell->arena, reader->options, option);
}

// The word behind an option, which is its value; absent where there is none.
static PlanField next_word(OptionReader *reader) {
    if (reader->at + 1 >= reader->words->count) {
        return (PlanField){ .state = FIELD_ABSENT, .name = "value" };
    }
    reader->at++;
    const Str text = reader->words->items[reader->at].text;
    const bool is_home = reader->is_command && str_at(text, 0) == '~'; // a shell fills it in, but not behind `=`
    return is_home ? (PlanField){ .state = FIELD_LATE, .name = "value", .span = slurm_place(reader->shell, text) }
                   : value_of(reader, text);
}

static void read_long(OptionReader *reader, Str word) {
    const size_t sign = str_find(word, STR("="), 0);
    const Str name = str_slice(word, 0, sign);
    const SlurmOptionRow *row = slurm_option_named(str_slice(name, 2, name.len), reader->program);
    PlanField value = { .state = FIELD_ABSENT, .name = "value" };
    if (sign < word.len) {
        value = value_of(reader, str_slice(word, sign + 1, word.len));
    } else if (row != NULL && row->takes == SLURM_VALUE) {
        value = next_word(reader);
    }
    reader->is_vague = reader->is_vague || (row == NULL && sign >= word.len);
    add(reader, row, name, value);
    const bool may_take = row == NULL && sign >= word.len && !reader->is_command &&
                          reader->at + 1 < reader->words->count &&
                          str_at(reader->words->items[reader->at + 1].text, 0) != '-';
    reader->at += may_take ? 1 : 0; // it may be its value
}

// `-N2`, `-N 2`, `-lN2`
static void read_short(OptionReader *reader, Str word) {
    for (size_t i = 1; i < word.len; i++) {
        const SlurmOptionRow *row = slurm_option_lettered(word.data[i], reader->program);
        const Str rest = str_slice(word, i + 1, word.len);
        const bool takes = row != NULL && row->takes != SLURM_NO_VALUE;
        PlanField value = { .state = FIELD_ABSENT, .name = "value" };
        if (takes && rest.len > 0) {
            value = value_of(reader, rest);
        } else if (takes && row->takes == SLURM_VALUE) {
            value = next_word(reader);
        }
        add(reader, row, i == 1 ? str_slice(word, 0, 2) : str_slice(word, i, i + 1), value);
        reader->is_vague = reader->is_vague || row == NULL;
        if (takes || row == NULL) {
            return;
        }
    }
}

// Whether a word that begins with a variable is a path: `$NCCL_TESTS_PATH/all_reduce_perf`. No option is one.
static bool is_path(Str word) {
    const bool is_braced = str_at(word, 1) == '{';
    size_t end = is_braced ? str_find(word, STR("}"), 0) : 1;
    while (!is_braced && char_is_of_name(str_at(word, end))) {
        end++;
    }
    end += is_braced ? 1 : 0;
    end += str_at(word, end) == '"' ? 1 : 0; // `"$NAME"/program`
    return end > 1 && str_at(word, end) == '/' && str_find(word, STR(" "), 0) == word.len;
}

static uint32_t read_all(OptionReader *reader) {
    for (; reader->at < reader->words->count; reader->at++) {
        const Str word = reader->words->items[reader->at].text;
        if (str_is(word, "--")) {
            reader->at++;
            break;
        }
        if (reader->is_command && str_at(word, 0) == '$' && is_path(word)) {
            break;
        }
        if (reader->is_command && str_at(word, 0) == '$') {
            reader->is_vague = true; // options that nobody sees, or the program
            break;
        }
        if (str_starts_with(word, STR("--"))) {
            read_long(reader, word);
        } else if (str_at(word, 0) == '-' && word.len > 1) {
            read_short(reader, word);
        } else {
            break;
        }
    }
    return reader->at;
}

uint32_t slurm_read_options(const SlurmShell *shell, const SlurmWords *words, SlurmProgram program,
                            PlanSlurmOptions *options, bool *is_vague) {
    OptionReader reader = {
        .shell = shell, .words = words, .program = program, .is_command = true, .options = options
    };
    const uint32_t end = read_all(&reader);
    *is_vague = *is_vague || reader.is_vague;
    return end;
}

uint32_t slurm_read_lines(const SlurmShell *shell, const SlurmWords *words, PlanSlurmOptions *options) {
    OptionReader reader = { .shell = shell, .words = words, .program = SLURM_SBATCH, .options = options };
    return read_all(&reader);
}
