// The command line, read by one table. Options and operands mix; `--` ends options; a value stands behind its option
// (`--params x`, `-o out`) or joined to it (`--params=x`, `-oout`). Nothing is abbreviated: a script that works today
// must not change its meaning when an option is added.
#include "compiler/driver/command/options.h"

#include "compiler/base/suggest.h"

static const OptionWord FORMAT_WORDS[] = { { "yaml", FORMAT_YAML }, { "json", FORMAT_JSON }, { NULL, 0 } };

static const OptionWord DIAGNOSTICS_WORDS[] = { { "text", DIAGNOSTICS_TEXT },   { "json", DIAGNOSTICS_JSON },
                                                { "sarif", DIAGNOSTICS_SARIF }, { "github", DIAGNOSTICS_GITHUB },
                                                { "junit", DIAGNOSTICS_JUNIT }, { NULL, 0 } };

static const OptionWord COLOR_WORDS[] = {
    { "auto", COLOR_AUTO }, { "always", COLOR_ALWAYS }, { "never", COLOR_NEVER }, { NULL, 0 }
};

static const OptionWord KIND_WORDS[] = { { "aws-cli", FOREIGN_AWS_CLI },
                                         { "dockerfile", FOREIGN_DOCKERFILE },
                                         { "eksctl", FOREIGN_EKSCTL },
                                         { "cloudformation", FOREIGN_CLOUDFORMATION },
                                         { "iam-policy", FOREIGN_POLICY },
                                         { "kubernetes", FOREIGN_KUBERNETES },
                                         { "parallelcluster", FOREIGN_PARALLELCLUSTER },
                                         { "script", FOREIGN_SCRIPT },
                                         { "slurm", FOREIGN_SLURM },
                                         { NULL, 0 } };

const OptionRow OPTION_ROWS[OPTION_COUNT] = {
    [OPTION_OUTPUT] = { .spelling = "-o", .value = "DIR", .doc = "Where the files go; `out` by default." },
    [OPTION_PARAM] = { .spelling = "-p",
                       .value = "NAME=VALUE",
                       .is_repeatable = true,
                       .doc = "Gives a `param` its value: plain text where its type is written as text, a list by "
                              "commas, else an expression of the language." },
    [OPTION_PARAMS] = { .spelling = "--params",
                        .value = "FILE",
                        .is_repeatable = true,
                        .doc = "Gives several, from a JSON or YAML file; `-p` goes before it." },
    [OPTION_SCHEMA] = { .spelling = "--schema",
                        .value = "FILE",
                        .is_repeatable = true,
                        .doc = "More instance types: rows as dtc has them, or what `aws ec2 describe-instance-types` "
                               "prints. They go before dtc's own." },
    [OPTION_FACTS] = { .spelling = "--facts",
                       .value = "FILE",
                       .is_repeatable = true,
                       .doc =
                           "What `aws cloudformation describe-stacks` prints of stacks that are deployed: finishes the "
                           "files that wait for it." },
    [OPTION_FORMAT] = { .spelling = "--format",
                        .value = "FORMAT",
                        .words = FORMAT_WORDS,
                        .doc = "How CloudFormation templates are written; `yaml` by default." },
    [OPTION_SOURCE_MAP] = { .spelling = "--source-map",
                            .doc = "Writes NAME.map.json beside each file: where every line comes from, for "
                                   "`dtc explain FILE:LINE`." },
    [OPTION_COMPLETE] = { .spelling = "--complete", .doc = "Makes a file that has to wait for facts an error." },
    [OPTION_CORE] = { .spelling = "--core",
                      .value = "DIR",
                      .doc = "Takes the programs by which nodes check themselves from DIR in place of those inside of "
                             "dtc: "
                             "dtc-node.x86_64, dtc-node.aarch64, dtc-node.sh." },
    [OPTION_STRICT] = { .spelling = "--strict", .doc = "Counts warnings as errors." },
    [OPTION_ERRORS] = { .spelling = "--errors", .doc = "Prints errors alone, and how many warnings that leaves out." },
    [OPTION_FIX] = { .spelling = "--fix",
                     .doc = "Applies the fixes that are safe to the files: of `check`, those of the project." },
    [OPTION_CHECK] = { .spelling = "--check",
                       .doc = "Lists the files that differ from the style and writes nothing; status 1 where there "
                              "is one." },
    [OPTION_DIFF] = { .spelling = "--diff",
                      .doc = "With `--fix`, and for `fmt`: prints the changes as a unified diff and writes nothing." },
    [OPTION_NAME] = { .spelling = "--name",
                      .value = "NAME",
                      .doc = "What messages call standard input, which is read where a PATH is `-`." },
    [OPTION_KIND] = { .spelling = "--kind",
                      .value = "KIND",
                      .words = KIND_WORDS,
                      .doc = "What all files are; else the content of each decides." },
    [OPTION_ONLY] = { .spelling = "--only",
                      .value = "CODES",
                      .is_repeatable = true,
                      .doc = "Asks these rules alone: codes with commas between them." },
    [OPTION_SKIP] = { .spelling = "--skip",
                      .value = "CODES",
                      .is_repeatable = true,
                      .doc = "Says nothing of these codes." },
    [OPTION_CONFIG] = { .spelling = "--config",
                        .value = "FILE",
                        .doc = "Takes FILE in place of `.dtc.yaml`; its paths begin at the working directory." },
    [OPTION_NO_CONFIG] = { .spelling = "--no-config",
                           .doc = "Reads no `.dtc.yaml`: all rules count as they are, and no file is left alone." },
    [OPTION_BASELINE] = { .spelling = "--baseline",
                          .value = "FILE",
                          .doc = "Leaves out the findings that FILE accepts; by default the file that the project "
                                 "file names." },
    [OPTION_WRITE_BASELINE] = { .spelling = "--write-baseline",
                                .doc = "Writes that file: it accepts all that is found now." },
    [OPTION_DIAGNOSTICS] = { .spelling = "--diagnostics",
                             .value = "FORMAT",
                             .words = DIAGNOSTICS_WORDS,
                             .doc = "How messages are printed: `text` on standard error by default; the others are "
                                    "alone on standard output." },
    [OPTION_COLOR] = { .spelling = "--color",
                       .value = "WHEN",
                       .words = COLOR_WORDS,
                       .doc = "Whether messages are coloured; by default where standard error is a terminal and "
                              "NO_COLOR is not set." },
    [OPTION_HELP] = { .spelling = "--help", .short_spelling = "-h", .doc = "Explains dtc, or the command before it." },
    [OPTION_VERSION] = { .spelling = "--version", .short_spelling = "-V", .doc = "Prints the version." },
};

// What its value is called, or "yaml|json": all that it may be.
static Str describe_value(Arena *arena, const OptionRow *row) {
    if (row->words == NULL) {
        return str_of(row->value);
    }
    StrBuf text = { .arena = arena };
    for (const OptionWord *word = row->words; word->word != NULL; word++) {
        strbuf_add_format(&text, "%s%s", word == row->words ? "" : "|", word->word);
    }
    return strbuf_str(&text);
}

Str option_describe(Arena *arena, OptionId id) {
    const OptionRow *row = &OPTION_ROWS[id];
    StrBuf text = { .arena = arena };
    if (row->short_spelling != NULL) {
        strbuf_add_format(&text, "%s, ", row->short_spelling);
    }
    strbuf_add(&text, str_of(row->spelling));
    if (row->value != NULL) {
        strbuf_add_format(&text, " %.*s", STR_ARG(describe_value(arena, row)));
    }
    return strbuf_str(&text);
}

typedef struct {
    Arena *arena;
    int count;
    const char *const *arguments;
    int next;
    Options *options;
    UsageFault *fault;
} Reader;

static bool fail(Reader *reader, Str message, Str hint) {
    *reader->fault = (UsageFault){ .message = message, .hint = hint };
    return false;
}

static bool fail_unknown(Reader *reader, Str name) {
    Suggestion suggestion = { .name = name };
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (str_starts_with(str_of(OPTION_ROWS[id].spelling), STR("--"))) {
            suggest_offer(&suggestion, str_of(OPTION_ROWS[id].spelling));
        }
    }
    Str hint = suggestion.best.len > 0
                   ? str_format(reader->arena, "did you mean `%.*s`?", STR_ARG(suggestion.best))
                   : STR("`dtc help` lists the options; a file whose name begins with `-` stands behind `--`");
    return fail(reader, str_format(reader->arena, "there is no option `%.*s`", STR_ARG(name)), hint);
}

static const OptionWord *find_word(const OptionWord *words, Str value) {
    while (words->word != NULL && !str_is(value, words->word)) {
        words++;
    }
    return words->word == NULL ? NULL : words;
}

static bool take_param(Reader *reader, Str value) {
    size_t equals = str_find(value, STR("="), 0);
    if (equals == 0 || equals == value.len) {
        return fail(reader, str_format(reader->arena, "`-p` takes NAME=VALUE, not `%.*s`", STR_ARG(value)),
                    STR("such as `-p key=ops`; NAME is that of a `param` of the file"));
    }
    ParamArgument argument = { .name = str_slice(value, 0, equals), .value = str_slice(value, equals + 1, value.len) };
    vec_push(reader->arena, &reader->options->arguments, argument);
    return true;
}

static bool take_code(Reader *reader, OptionId id, Str code) {
    const char *spelling = OPTION_ROWS[id].spelling;
    const DiagRow *row = diag_find(code);
    if (row == NULL) {
        return fail(reader, str_format(reader->arena, "there is no code `%.*s`", STR_ARG(code)),
                    str_format(reader->arena, "`%s` takes codes of messages: `%s DT0305,DT1633`", spelling, spelling));
    }
    if (row->nature == FAULT) {
        return fail(reader, str_format(reader->arena, "`%s` cannot take `%.*s`", spelling, STR_ARG(code)),
                    STR("only what a rule says is a matter of judgement"));
    }
    if (id == OPTION_ONLY) {
        vec_push(reader->arena, &reader->options->only, diag_id(row));
    } else {
        vec_push(reader->arena, &reader->options->skip, diag_id(row));
    }
    return true;
}

static bool take_codes(Reader *reader, OptionId id, Str list) {
    for (size_t start = 0; start <= list.len;) {
        const size_t end = str_find(list, STR(","), start);
        if (!take_code(reader, id, str_trim(str_slice(list, start, end)))) {
            return false;
        }
        start = end + 1;
    }
    return true;
}

// The field of an option that is there or not; NULL of an option with a value.
static bool *switch_of(Options *options, OptionId id) {
    switch (id) {
    case OPTION_SOURCE_MAP:
        return &options->wants_map;
    case OPTION_COMPLETE:
        return &options->is_complete;
    case OPTION_STRICT:
        return &options->is_strict;
    case OPTION_ERRORS:
        return &options->wants_errors;
    case OPTION_FIX:
        return &options->wants_fixes;
    case OPTION_CHECK:
        return &options->wants_check;
    case OPTION_DIFF:
        return &options->wants_diff;
    case OPTION_NO_CONFIG:
        return &options->has_no_config;
    case OPTION_WRITE_BASELINE:
        return &options->writes_baseline;
    case OPTION_HELP:
        return &options->wants_help;
    case OPTION_VERSION:
        return &options->wants_version;
    case OPTION_OUTPUT:
    case OPTION_PARAM:
    case OPTION_PARAMS:
    case OPTION_SCHEMA:
    case OPTION_FACTS:
    case OPTION_FORMAT:
    case OPTION_CORE:
    case OPTION_NAME:
    case OPTION_KIND:
    case OPTION_ONLY:
    case OPTION_SKIP:
    case OPTION_CONFIG:
    case OPTION_BASELINE:
    case OPTION_DIAGNOSTICS:
    case OPTION_COLOR:
    case OPTION_COUNT:
        break;
    }
    return NULL;
}

// `enumerator` is what the value stands for, where the row has words.
static bool apply(Reader *reader, OptionId id, Str value, int enumerator) {
    Options *options = reader->options;
    bool *is_on = switch_of(options, id);
    if (is_on != NULL) {
        *is_on = true;
        return true;
    }
    switch (id) {
    case OPTION_OUTPUT:
        options->output = value;
        return true;
    case OPTION_PARAM:
        return take_param(reader, value);
    case OPTION_PARAMS:
        vec_push(reader->arena, &options->param_files, value);
        return true;
    case OPTION_SCHEMA:
        vec_push(reader->arena, &options->schema_files, value);
        return true;
    case OPTION_FACTS:
        vec_push(reader->arena, &options->fact_files, value);
        return true;
    case OPTION_FORMAT:
        options->format = (OutputFormat)enumerator;
        return true;
    case OPTION_CORE:
        options->core_directory = value;
        return true;
    case OPTION_NAME:
        options->name = value;
        return true;
    case OPTION_KIND:
        options->kind = (ForeignKind)enumerator;
        return true;
    case OPTION_ONLY:
    case OPTION_SKIP:
        return take_codes(reader, id, value);
    case OPTION_CONFIG:
        options->config = value;
        return true;
    case OPTION_BASELINE:
        options->baseline = value;
        return true;
    case OPTION_DIAGNOSTICS:
        options->diagnostics = (DiagnosticsFormat)enumerator;
        return true;
    case OPTION_COLOR:
        options->color = (ColorMode)enumerator;
        return true;
    case OPTION_SOURCE_MAP:
    case OPTION_COMPLETE:
    case OPTION_STRICT:
    case OPTION_ERRORS:
    case OPTION_FIX:
    case OPTION_CHECK:
    case OPTION_DIFF:
    case OPTION_NO_CONFIG:
    case OPTION_WRITE_BASELINE:
    case OPTION_HELP:
    case OPTION_VERSION:
    case OPTION_COUNT:
        break;
    }
    assert(false);
    return false;
}

// An option without a value may stand as often as one likes: it says the same each time.
static bool take(Reader *reader, OptionId id, Str name, Str value) {
    const OptionRow *row = &OPTION_ROWS[id];
    int enumerator = 0;
    if (row->value != NULL) {
        if ((reader->options->seen & OPTION_BIT(id)) != 0 && !row->is_repeatable) {
            return fail(reader, str_format(reader->arena, "`%.*s` is given twice", STR_ARG(name)), STR("remove one"));
        }
        if (value.len == 0) {
            return fail(reader, str_format(reader->arena, "`%.*s` has an empty value", STR_ARG(name)),
                        str_format(reader->arena, "write `%.*s %s`", STR_ARG(name), row->value));
        }
        if (row->words != NULL) {
            const OptionWord *word = find_word(row->words, value);
            if (word == NULL) {
                return fail(
                    reader, str_format(reader->arena, "`%.*s` cannot be `%.*s`", STR_ARG(name), STR_ARG(value)),
                    str_format(reader->arena, "it is one of %.*s", STR_ARG(describe_value(reader->arena, row))));
            }
            enumerator = word->value;
        }
    }
    reader->options->seen |= OPTION_BIT(id);
    return apply(reader, id, value, enumerator);
}

// The option that an argument names, and where its joined value begins (0: none is joined).
static OptionId find_option(Str argument, size_t *joined) {
    bool is_long = str_starts_with(argument, STR("--"));
    size_t name_end = is_long ? str_find(argument, STR("="), 0) : 2;
    Str name = str_slice(argument, 0, name_end);
    *joined = name_end < argument.len ? name_end + (is_long ? 1 : 0) : 0;
    for (int id = 0; id < OPTION_COUNT; id++) {
        const OptionRow *row = &OPTION_ROWS[id];
        if (str_is(name, row->spelling) || (row->short_spelling != NULL && str_is(name, row->short_spelling))) {
            return (OptionId)id;
        }
    }
    return OPTION_COUNT;
}

static bool read_option(Reader *reader, Str argument) {
    size_t joined = 0;
    OptionId id = find_option(argument, &joined);
    if (id == OPTION_COUNT) {
        return fail_unknown(reader, str_slice(argument, 0, str_find(argument, STR("="), 0)));
    }
    const OptionRow *row = &OPTION_ROWS[id];
    Str name = str_starts_with(argument, STR("--")) ? str_of(row->spelling) : str_slice(argument, 0, 2);
    if (row->value == NULL) {
        if (joined > 0) {
            return fail(reader, str_format(reader->arena, "`%.*s` takes no value", STR_ARG(name)),
                        str_format(reader->arena, "write `%.*s` alone", STR_ARG(name)));
        }
        return take(reader, id, name, STR_NONE);
    }
    if (joined > 0) {
        return take(reader, id, name, str_slice(argument, joined, argument.len));
    }
    if (reader->next == reader->count) {
        return fail(
            reader, str_format(reader->arena, "`%.*s` needs a value", STR_ARG(name)),
            str_format(reader->arena, "write `%.*s %.*s`", STR_ARG(name), STR_ARG(describe_value(reader->arena, row))));
    }
    return take(reader, id, name, str_of(reader->arguments[reader->next++]));
}

bool options_parse(Arena *arena, int count, const char *const *arguments, Options *options, UsageFault *fault) {
    *options = (Options){ .output = STR("out") };
    *fault = (UsageFault){ 0 };
    Reader reader = { .arena = arena, .count = count, .arguments = arguments, .options = options, .fault = fault };
    bool are_options_over = false;
    while (reader.next < count) {
        Str argument = str_of(arguments[reader.next++]);
        if (!are_options_over && str_is(argument, "--")) {
            are_options_over = true;
        } else if (!are_options_over && argument.len > 1 && argument.data[0] == '-') {
            if (!read_option(&reader, argument)) {
                return false;
            }
        } else {
            vec_push(arena, &options->operands, argument);
        }
    }
    return true;
}
