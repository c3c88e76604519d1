// The commands to type after a build. Those of plan.json are typed in the directory of the files, and the next build
// where this one was run. Each names its files as seen from there.
#include "compiler/driver/command/next.h"

#include "compiler/base/shell.h"
#include "emitters/deployment/order.h"
#include "emitters/deployment/variable.h"
#include "emitters/deployment/waiting.h"

#include <unistd.h>

static Str apply_commands(Arena *arena, const Output *output) {
    const Steps steps = order_steps(arena, output);
    StrBuf commands = { .arena = arena };
    for (uint32_t i = 0; i < steps.count; i++) {
        const DeploymentStep *step = steps.items[i].step;
        if (!step->must_wait) {
            strbuf_add_format(&commands, "  %.*s\n", STR_ARG(step->apply));
        }
    }
    return strbuf_str(&commands);
}

// ---- the way to the files and back -----------------------------------------------------------------------------

static void add_cd(StrBuf *out, Str directory) {
    strbuf_add(out, str_starts_with(directory, STR("-")) ? STR("  cd --") : STR("  cd"));
    shell_add(out, "", directory);
    strbuf_add_char(out, '\n');
}

// From the directory of the files to the one of the build: "..", "../..". The whole path where the way there has a `..`
// of its own or does not begin here.
static Str way_back(Arena *arena, Str directory) {
    StrBuf back = { .arena = arena };
    bool is_simple = !str_starts_with(directory, STR("/"));
    for (size_t start = 0; start < directory.len && is_simple;) {
        const size_t end = str_find(directory, STR("/"), start);
        const Str part = str_slice(directory, start, end);
        start = end + 1;
        if (part.len > 0 && !str_is(part, ".")) {
            strbuf_add(&back, back.len == 0 ? STR("..") : STR("/.."));
            is_simple = !str_is(part, "..");
        }
    }
    enum { PATH_BYTES_MAX = 4096 };
    char here[PATH_BYTES_MAX];
    if (is_simple || getcwd(here, sizeof(here)) == NULL) {
        return strbuf_str(&back);
    }
    return str_copy(arena, str_of(here));
}

static Str in_directory(Arena *arena, Str directory, Str file) {
    if (directory.len == 0) {
        return file;
    }
    return str_format(arena, "%.*s%s%.*s", STR_ARG(directory), str_ends_with(directory, STR("/")) ? "" : "/",
                      STR_ARG(file));
}

// ---- the next build --------------------------------------------------------------------------------------------

static void add_files(StrBuf *command, const char *option, const Str *files, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        shell_add(command, option, files[i]);
    }
}

// The build that was run, as it was asked for.
static void add_build(Run *run, StrBuf *command, Str path) {
    const Options *options = &run->options;
    strbuf_add(command, STR("  dtc build"));
    if (run->operand_count > 0) {
        const char *before = str_starts_with(path, STR("-")) ? "./" : "";
        shell_add(command, "", str_format(run->arena, "%s%.*s", before, STR_ARG(path)));
    }
    if ((options->seen & OPTION_BIT(OPTION_OUTPUT)) != 0) {
        shell_add(command, "-o", options->output);
    }
    for (uint32_t i = 0; i < options->arguments.count; i++) {
        const ParamArgument *argument = &options->arguments.items[i];
        shell_add(command, "-p",
                  str_format(run->arena, "%.*s=%.*s", STR_ARG(argument->name), STR_ARG(argument->value)));
    }
    add_files(command, "--params", options->param_files.items, options->param_files.count);
    add_files(command, "--schema", options->schema_files.items, options->schema_files.count);
    shell_add_given(command, "--core", options->core_directory);
    strbuf_add(command, options->format == FORMAT_JSON ? STR(" --format json") : STR_NONE);
    strbuf_add(command, options->wants_map ? STR(" --source-map") : STR_NONE);
    strbuf_add(command, options->is_strict ? STR(" --strict") : STR_NONE);
    add_files(command, "--facts", options->fact_files.items, options->fact_files.count);
}

typedef struct {
    Str directory;   // that the commands are typed in, as seen from where the build was run; empty: that very one
    StrBuf commands; // that get facts
    StrBuf options;  // that give them to the next build
    StrMap seen;
} Lacking;

// Once each: a stack that two files wait for is asked once.
static void add_fact(Arena *arena, Lacking *lacking, const Output *output, const MissingFact *fact) {
    const Str key = fact->stack.len > 0 ? fact->stack : str_format(arena, "-p %.*s", STR_ARG(fact->name));
    if (str_map_add(&lacking->seen, key, fact) != NULL) {
        return;
    }
    if (fact->stack.len == 0) {
        strbuf_add_format(&lacking->options, " -p %.*s=\"${", STR_ARG(fact->name));
        variable_add(&lacking->options, fact->name);
        strbuf_add(&lacking->options, STR(":?}\""));
    } else if (order_can_ask(arena, output, fact->stack)) {
        strbuf_add_format(&lacking->commands, "  %.*s\n", STR_ARG(waiting_command(arena, fact)));
        strbuf_add(&lacking->options, STR(" --facts "));
        shell_add_word(&lacking->options, in_directory(arena, lacking->directory, waiting_file(arena, fact->stack)));
    }
}

static void print_waiting(Run *run, Str path, const Output *output, Str directory) {
    Arena *arena = run->arena;
    Lacking lacking = { .directory = directory,
                        .commands = { .arena = arena },
                        .options = { .arena = arena },
                        .seen = { .arena = arena } };
    bool is_any = false;
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        const Artifact *artifact = &output->artifacts.items[i];
        for (uint32_t k = 0; k < artifact->missing.count; k++) {
            add_fact(arena, &lacking, output, &artifact->missing.items[k]);
        }
        if (artifact->missing.count > 0) {
            strbuf_add_format(&run->out, "%s  %.*s needs %.*s\n", is_any ? "" : "\nwaiting:\n", STR_ARG(artifact->name),
                              STR_ARG(waiting_describe(arena, artifact)));
            is_any = true;
        }
    }
    if (lacking.options.len > 0) {
        strbuf_add(&run->out, STR("\nthen:\n"));
        strbuf_add(&run->out, strbuf_str(&lacking.commands));
        if (directory.len > 0) {
            add_cd(&run->out, way_back(arena, directory));
        }
        add_build(run, &run->out, path);
        strbuf_add(&run->out, strbuf_str(&lacking.options));
        strbuf_add_char(&run->out, '\n');
    }
}

void next_print(Run *run, Str path, const Output *output) {
    const Str commands = apply_commands(run->arena, output);
    const Str written = run->options.output;
    const bool is_here = str_is(written, ".") || str_is(written, "./");
    const Str directory = commands.len == 0 || is_here ? STR_NONE : written;
    if (commands.len > 0) {
        strbuf_add(&run->out, STR("\nnext:\n"));
    }
    if (directory.len > 0) {
        add_cd(&run->out, directory);
    }
    strbuf_add(&run->out, commands);
    print_waiting(run, path, output, directory);
}
