// The table of commands. Finds the command of a command line, runs it, and returns its exit status.
#include "compiler/driver/command/command.h"

#include "compiler/driver/render/display.h"

#include "compiler/base/file.h"
#include "compiler/base/suggest.h"

#include <errno.h>
#include <unistd.h>

enum {
    OPTIONS_PROGRAM = OPTION_BIT(OPTION_PARAM) | OPTION_BIT(OPTION_PARAMS) | OPTION_BIT(OPTION_SCHEMA) |
                      OPTION_BIT(OPTION_FACTS) | OPTION_BIT(OPTION_COMPLETE) | OPTION_BIT(OPTION_CORE) |
                      OPTION_BIT(OPTION_STRICT) | OPTION_BIT(OPTION_CONFIG) | OPTION_BIT(OPTION_NO_CONFIG) |
                      OPTION_BIT(OPTION_DIAGNOSTICS) | OPTION_BIT(OPTION_COLOR),
    OPTIONS_BUILD =
        OPTIONS_PROGRAM | OPTION_BIT(OPTION_OUTPUT) | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_SOURCE_MAP),
    OPERANDS_ANY = INT32_MAX, // the kernel limits a command line
};

const CommandRow COMMAND_ROWS[] = {
    { .name = "build",
      .operands = "[FILE]",
      .operands_max = 1,
      .options = OPTIONS_BUILD,
      .summary = "check a file and write what it describes",
      .text = "Checks FILE (infra.dt where none is given) and writes what it describes: a CloudFormation template for "
              "each network and each cluster on AWS Batch and AWS PCS, a configuration for each cluster on "
              "ParallelCluster, and "
              "plan.json, which says in which order they are applied and taken away again.\n\n"
              "A file that needs what only a deployed stack can tell waits: plan.json lists it with what it needs, and "
              "a build with `--facts` writes it.\n\n"
              "Nothing is written while there is an error. Each file is whole or absent; files that an earlier build "
              "wrote and this one no longer makes are removed; nothing else in the directory is touched.\n\n"
              "Standard output has a line for each thing that was decided and not written in FILE, one for each file, "
              "and the commands to type next.",
      .run = command_build },
    { .name = "check",
      .operands = "[FILE...]",
      .operands_max = OPERANDS_ANY,
      .options = OPTIONS_PROGRAM | OPTION_BIT(OPTION_FIX) | OPTION_BIT(OPTION_DIFF),
      .summary = "check a file and write no output",
      .text = "Does all that `dtc build` does, up to writing. Says nothing where nothing is wrong. Each FILE is a "
              "program of its own.\n\n"
              "With `--fix` the fixes that are safe are applied to FILE and to the files of the project that it uses; "
              "no params file and no library file is changed. A fix is kept only where the check that follows finds "
              "its mistake gone and no new one that it could have made. Standard error has a line for each fix, then "
              "what remains, with the places of the text as it is now. All files are written, or none.",
      .run = command_check },
    { .name = "lint",
      .operands = "PATH...",
      .operands_min = 1,
      .operands_max = OPERANDS_ANY,
      .options = OPTION_BIT(OPTION_FIX) | OPTION_BIT(OPTION_DIFF) | OPTION_BIT(OPTION_KIND) | OPTION_BIT(OPTION_ONLY) |
                 OPTION_BIT(OPTION_SKIP) | OPTION_BIT(OPTION_SCHEMA) | OPTION_BIT(OPTION_STRICT) |
                 OPTION_BIT(OPTION_ERRORS) | OPTION_BIT(OPTION_CONFIG) | OPTION_BIT(OPTION_NO_CONFIG) |
                 OPTION_BIT(OPTION_BASELINE) | OPTION_BIT(OPTION_WRITE_BASELINE) | OPTION_BIT(OPTION_NAME) |
                 OPTION_BIT(OPTION_DIAGNOSTICS) | OPTION_BIT(OPTION_COLOR),
      .summary = "find mistakes in files that dtc did not write",
      .text =
          "Reads each PATH, and says what is wrong in it. Of a folder it takes all files below that end in .yaml, "
          ".yml, .json, .template, .sbatch, .slurm, .sh or .bash; what begins with a dot is passed over. `-` is "
          "standard input.\n\n"
          "It reads CloudFormation templates, cluster configurations of ParallelCluster and of eksctl, manifests of "
          "Kubernetes, the JSON that the AWS CLI takes, and scripts of a shell for Slurm or with another launcher. The "
          "content decides what a file "
          "is; another file "
          "is passed over and counted. A template is looked at in each way in which it can be deployed: with the "
          "defaults of its parameters, and with each of its conditions turned around. What only the deployment "
          "knows is never a mistake.\n\n"
          "A comment `# dtc-allow: CODE reason` inside a resource silences CODE there, and above the first line of "
          "the file in all of it. One that silences nothing, or gives no reason, is a finding itself. `.dtc.yaml` can "
          "silence codes too. The last line counts what was silenced, and by what: a change that should be reviewed "
          "may bring such a comment or such a file with it. `--no-config` reads no project file.\n\n"
          "A mistake of dtc that ends it on one file does not end it on the others: that file has an error of its "
          "own.\n\n"
          "With `--fix` the fixes that are safe are applied to the files. A fix is kept only where the check that "
          "follows "
          "finds its mistake gone and no new one. Standard input stays as it is.\n\n"
          "`--baseline FILE --write-baseline` accepts what is found now, so that new findings stand out from then on; "
          "`baseline: FILE` in `.dtc.yaml` does so for everybody. A row of FILE is for a file, a code and the text of "
          "a "
          "line: lines may move. It accepts no file that cannot be read.\n\n"
          "Where a text has more than ten findings, a table at its end counts them by code. `--errors` leaves warnings "
          "out of what is printed; they never decide the status.\n\n"
          "The status is 0 where there is no error, 1 where there is one (with `--strict` a warning, too), 2 where the "
          "command line is wrong, 3 where a file could not be read, and 70 where dtc crashed on a file.",
      .run = command_lint },
    { .name = "fmt",
      .operands = "PATH...",
      .operands_min = 1,
      .operands_max = OPERANDS_ANY,
      .options = OPTION_BIT(OPTION_CHECK) | OPTION_BIT(OPTION_DIFF) | OPTION_BIT(OPTION_NAME) |
                 OPTION_BIT(OPTION_DIAGNOSTICS) | OPTION_BIT(OPTION_COLOR),
      .summary = "write dt files in the one style",
      .text =
          "Writes each PATH in the one style of the language; of a folder all files below that end in .dt, but for "
          "what begins with a dot. `-` is standard input, and the result goes to standard output.\n\n"
          "Only blanks, blank lines, and commas and line ends between entries change. Comments stay, and so does the "
          "line on which an entry stands: a block of one line is broken where it is longer than 140 columns. The entry "
          "around a mistake stays as it is, byte for byte, and the rest is formatted. All files are written, or none.",
      .run = command_fmt },
    { .name = "explain",
      .operands = "TOPIC",
      .operands_min = 1,
      .operands_max = OPERANDS_ANY,
      .options = OPTION_BIT(OPTION_SCHEMA),
      .summary = "say what a code, kind, attribute, type or line means",
      .text = "TOPIC is one of\n"
              "  DT0304                  a code: what it means, why it is so, the way out\n"
              "  nodes                   a kind of block, with its attributes\n"
              "  nodes.efa_layout        an attribute: type, default, where it carries over\n"
              "  p5.48xlarge             an instance type: what is known of it, and how its\n"
              "                          network interfaces are placed\n"
              "  capacity_reservation    a type whose values follow a pattern\n"
              "  join                    a function\n"
              "  L-417A185B              a quota of EC2: which types it counts, how to see yours\n"
              "  batch.shm, job_shm_mib  what dtc writes or goes by unasked, and why\n"
              "  NCCL_NET                a variable of NCCL, libfabric or Neuron: where it is\n"
              "                          needed, idle or harmful; `variables` lists them\n"
              "  std/eks-p5              a module of the library; `std` lists them\n"
              "  out/lab.cfn.yaml:23     a line of an output: where it comes from; needs a\n"
              "                          build with --source-map\n"
              "  placement group         words: what speaks of them, by title and text",
      .run = command_explain },
    { .name = "instances",
      .operands = "[FILTER...]",
      .operands_max = OPERANDS_ANY,
      .options = OPTION_BIT(OPTION_SCHEMA),
      .summary = "list instance types",
      .text = "A table of the instance types that dtc knows, those that match every FILTER. What no source says is "
              "`?`. A FILTER is\n"
              "  p5, 48xlarge            a part of the name\n"
              "  'p5.*'                  a glob over the whole name; here the family p5 alone\n"
              "  H100, nvidia, neuron    the accelerator or who makes it, in small letters too\n"
              "  efa                     types with EFA; efa=0 those without\n"
              "  efa=16, efa=8..16       so many EFA interfaces; efa=8.. at least 8\n"
              "  arm64, x86_64           the processor's architecture\n"
              "  us-east-1               types that the region is known to offer; a last line\n"
              "                          counts those of which no source says so",
      .run = command_instances },
    { .name = "core",
      .operands = "",
      .options = OPTION_BIT(OPTION_OUTPUT),
      .summary = "show what nodes run to check themselves",
      .text =
          "Prints the programs by which nodes check themselves before they take work, with the SHA-256 that user data "
          "names.\n\n"
          "With `-o DIR` they are written there, and the source that they were made from: the core in C, the shell "
          "around it, and contract.h, which says what is asked of a node and what the answer looks like. `dtc build "
          "--core DIR` takes builds of your own.",
      .run = command_core },
    { .name = "init",
      .operands = "[NAME [DIR]]",
      .operands_max = 2,
      .summary = "list what a project can start from, or start one",
      .text =
          "Lists what a project can start from. With NAME it writes that into the working directory, or into DIR: "
          "infra.dt, and what it needs beside it. Overwrites nothing.\n\n"
          "`small` is the least that builds. The others use a module of the library, each with the parts of a whole "
          "project, from the network to a job. What cannot be known before stands in params.yaml and is asked for: "
          "a Capacity Block, an image.",
      .run = command_init },
    { .name = "version",
      .operands = "",
      .summary = "print the version",
      .text = "Prints the version of dtc and the edition of the language it reads.",
      .run = command_version },
    { .name = "help",
      .operands = "[COMMAND]",
      .operands_max = 1,
      .summary = "explain dtc, or a command",
      .text = "Explains dtc, or COMMAND with its options.",
      .run = command_help },
};

const int COMMAND_ROW_COUNT = (int)COUNT_OF(COMMAND_ROWS);

const CommandRow *command_find(Str name) {
    for (int i = 0; i < COMMAND_ROW_COUNT; i++) {
        if (str_is(name, COMMAND_ROWS[i].name)) {
            return &COMMAND_ROWS[i];
        }
    }
    return NULL;
}

ExitStatus command_fail(Run *run, ExitStatus status, Str message, Str hint) {
    strbuf_add(&run->err, STR("dtc: "));
    display_add_all(&run->err, display_message(run->arena, message, DISPLAY_WORD_COLUMNS));
    if (hint.len > 0) {
        strbuf_add(&run->err, STR("\n  "));
        display_add_all(&run->err, display_message(run->arena, hint, DISPLAY_HELP_COLUMNS));
    }
    strbuf_add_char(&run->err, '\n');
    return status;
}

ExitStatus command_check_diff(Run *run) {
    const Options *options = &run->options;
    if (options->wants_diff && !options->wants_fixes) {
        return command_fail(run, STATUS_USAGE, STR("`--diff` shows what `--fix` would change"),
                            STR("write `--fix --diff`"));
    }
    if (options->wants_diff && options->diagnostics != DIAGNOSTICS_TEXT) {
        return command_fail(run, STATUS_USAGE, STR("`--diff` and `--diagnostics` both print to standard output"),
                            STR("leave one of them out"));
    }
    return STATUS_CLEAN;
}

static ExitStatus fail_unknown(Run *run, Str name) {
    Suggestion suggestion = { .name = name };
    for (int i = 0; i < COMMAND_ROW_COUNT; i++) {
        suggest_offer(&suggestion, str_of(COMMAND_ROWS[i].name));
    }
    Str hint = STR("`dtc help` lists the commands");
    if (suggestion.best.len > 0) {
        hint = str_format(run->arena, "did you mean `dtc %.*s`?", STR_ARG(suggestion.best));
    } else if (str_ends_with(name, STR(".dt"))) {
        hint = str_format(run->arena, "did you mean `dtc build %.*s`?", STR_ARG(name));
    } else if (str_ends_with(name, STR(".dts"))) {
        hint = STR("device tree sources are compiled by another dtc, of the package device-tree-compiler");
    }
    return command_fail(run, STATUS_USAGE, str_format(run->arena, "there is no command `%.*s`", STR_ARG(name)), hint);
}

static Str usage_line(const Run *run, const CommandRow *row) {
    return str_format(run->arena, "usage: dtc %s%s%s%s", row->name, row->options != 0 ? " [OPTIONS]" : "",
                      row->operands[0] != '\0' ? " " : "", row->operands);
}

// What the row does not take, as a fault; false where all is well.
static bool find_misuse(Run *run, const CommandRow *row, UsageFault *fault) {
    const unsigned wrong = run->options.seen & ~(row->options | OPTION_BIT(OPTION_HELP));
    for (int id = 0; id < OPTION_COUNT; id++) {
        if ((wrong & OPTION_BIT(id)) != 0) {
            *fault = (UsageFault){
                .message = str_format(run->arena, "`dtc %s` takes no `%s`", row->name, OPTION_ROWS[id].spelling),
                .hint = str_format(run->arena, "`dtc help %s` lists what it takes", row->name),
            };
            return true;
        }
    }
    if (run->operand_count < row->operands_min) {
        fault->message = str_format(run->arena, "`dtc %s` needs a %s", row->name, row->operands);
    } else if (run->operand_count > row->operands_max) {
        fault->message =
            str_format(run->arena, "`dtc %s` cannot take `%.*s`", row->name, STR_ARG(run->operands[row->operands_max]));
    } else {
        return false;
    }
    fault->hint = usage_line(run, row);
    return true;
}

// Options that say opposite things.
static bool find_contradiction(const Run *run, UsageFault *fault) {
    const Options *options = &run->options;
    if (options->has_no_config && options->config.len > 0) {
        *fault = (UsageFault){ .message = STR("`--no-config` and `--config` say opposite things"),
                               .hint = STR("leave one of them out") };
    } else if (options->wants_errors && options->is_strict) {
        *fault = (UsageFault){ .message = STR("`--errors` prints no warning, and `--strict` counts each as an error"),
                               .hint = STR("leave one of them out") };
    } else {
        return false;
    }
    return true;
}

static ExitStatus dispatch(Run *run) {
    Options *options = &run->options;
    if (options->wants_version) {
        return command_version(run);
    }
    if (options->operands.count == 0) {
        help_overview(run, options->wants_help ? &run->out : &run->err);
        return options->wants_help ? STATUS_CLEAN : STATUS_USAGE;
    }
    const CommandRow *row = command_find(options->operands.items[0]);
    if (row == NULL) {
        return fail_unknown(run, options->operands.items[0]);
    }
    if (options->wants_help) {
        help_command(run, row);
        return STATUS_CLEAN;
    }
    run->operands = options->operands.items + 1;
    run->operand_count = options->operands.count - 1;
    UsageFault fault;
    if (find_misuse(run, row, &fault) || find_contradiction(run, &fault)) {
        return command_fail(run, STATUS_USAGE, fault.message, fault.hint);
    }
    return row->run(run);
}

// False where not all of it could be written: a full disk behind a redirection, a reader that went away.
static bool print(FILE *file, Str text) {
    bool is_written = text.len == 0 || fwrite(text.data, 1, text.len, file) == text.len;
    return fflush(file) == 0 && is_written;
}

// Whatever a source, a file or an argument put into it: a terminal gets nothing that it acts upon. A diff that goes to
// another program is left as it is, byte for byte.
static Str safe_output(Run *run) {
    if ((run->options.wants_diff || run->is_text_out) && isatty(STDOUT_FILENO) == 0) {
        return strbuf_str(&run->out);
    }
    StrBuf shown = { .arena = run->arena };
    display_add_lines(&shown, strbuf_str(&run->out));
    return strbuf_str(&shown);
}

ExitStatus command_main(const char *build, int count, const char *const *arguments) {
    Session *session = session_create();
    Arena *arena = session->arena;
    Run run = {
        .session = session, .arena = arena, .out = { .arena = arena }, .err = { .arena = arena }, .build = build
    };
    UsageFault fault;
    ExitStatus status = options_parse(arena, count, arguments, &run.options, &fault)
                            ? dispatch(&run)
                            : command_fail(&run, STATUS_USAGE, fault.message, fault.hint);
    bool is_printed = print(stdout, safe_output(&run));
    if (!is_printed) {
        strbuf_add_format(&run.err, "dtc: cannot write to standard output: %s\n", file_fault(arena, errno));
    }
    is_printed = print(stderr, strbuf_str(&run.err)) && is_printed;
    session_destroy(session);
    return is_printed ? status : STATUS_FILES;
}
