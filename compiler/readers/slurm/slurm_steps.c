// Reads what srun starts in a script, and launchers beside it. What a word comes to depends on who expands it: the shell of
// the script expands all that is not in `'…'` and has no `\` before it. That of a batch script runs on the first node alone:
// there `$(hostname)` is the first node, and SLURM_NODEID is 0. Another script may be run by each node.
#include "compiler/readers/slurm/slurm_steps.h"

#include "compiler/readers/slurm/slurm_options.h"
#include "compiler/readers/slurm/slurm_sets.h"
#include "compiler/script/shell_commands.h"
#include "compiler/script/shell_sourced.h"

typedef struct {
    Session *session;
    SlurmShell *shell;
    PlanSlurmScript *script;
    bool has_others; // other variables may be set, by files that the script reads
    Span step;       // of the last srun or launcher, with all of its words
} StepReader;

// ---- what the shell of the script makes of a word ----------------------------------------------------------------------

// Variables that differ in each task. To the shell of the script they are those of the first.
static const char *const OF_TASK[] = { "SLURM_NODEID", "SLURM_PROCID", "SLURM_LOCALID" };

// What nobody knows, but is the same for all: `$___`.
static void add_unknown(StrBuf *buffer, size_t len) {
    strbuf_add(buffer, STR("$"));
    for (size_t i = 1; i < len; i++) {
        strbuf_add(buffer, STR("_"));
    }
}

// The text of a variable of the script that rules about launchers do not follow, since its name has small letters; empty of
// another one.
static Str value_of_small(SlurmShell *shell, Str name) {
    enum { VALUE_MAX = 100, PUT_MAX = 1000 }; // bytes of one, and values of one script
    const SlurmVariable *variable = slurm_variable(shell, name);
    bool has_small = false;
    for (size_t i = 0; i < name.len; i++) {
        has_small = has_small || !command_is_of_variable(name.data[i]);
    }
    const bool is_known = has_small && variable != NULL && variable->set.state == FIELD_KNOWN &&
                          variable->set.text.len <= VALUE_MAX && !str_has(variable->set.text, "$");
    return is_known && ++shell->expanded <= PUT_MAX ? variable->set.text : STR_NONE;
}

// How many bytes at `$` are a variable, which is written into the buffer; 0: none is.
static size_t add_variable(SlurmShell *shell, StrBuf *buffer, Str text) {
    const size_t start = str_at(text, 1) == '{' ? 2 : 1;
    size_t end = start;
    while (char_is_of_name(str_at(text, end))) {
        end++;
    }
    const Str name = str_slice(text, start, end);
    const bool is_whole = start == 1 || str_at(text, end) == '}';
    const size_t len = end + (start == 2 ? 1 : 0);
    bool is_of_task = str_is_any(name, OF_TASK, COUNT_OF(OF_TASK));
    if (name.len == 0 || !is_whole) {
        return 0;
    }
    if (shell->is_each && (is_of_task || str_has(name, "HOSTNAME") || str_is(name, "RANDOM"))) {
        strbuf_add(buffer, str_slice(text, 0, len));
    } else if (is_of_task) {
        strbuf_add(buffer, STR("0"));
    } else if (str_is(name, "HOSTNAME") || str_is(name, "SLURMD_NODENAME") || str_is(name, "RANDOM")) {
        add_unknown(buffer, len);
    } else {
        const Str value = value_of_small(shell, name);
        strbuf_add(buffer, value.len > 0 ? value : str_slice(text, 0, len));
    }
    return len;
}

// How many bytes a piece of a text takes that the shell expands; 1 of any other.
static size_t add_piece(SlurmShell *shell, StrBuf *buffer, Str text) {
    const size_t end = command_end_of_substitution(text, 0);
    const size_t variable = end == 0 && text.data[0] == '$' ? add_variable(shell, buffer, text) : 0;
    const bool is_escaped = text.data[0] == '\\' && text.len > 1 && strchr("$`\"\\", text.data[1]) != NULL;
    if (end > 0 && !shell->is_each) {
        add_unknown(buffer, end);
    } else if (end > 0) {
        strbuf_add(buffer, str_slice(text, 0, end));
    } else if (variable == 0) {
        strbuf_add(buffer, str_slice(text, is_escaped ? 1 : 0, is_escaped ? 2 : 1));
    }
    return end > 0 ? end : variable > 0 ? variable : is_escaped ? 2 : 1;
}

static Str expanded(SlurmShell *shell, Str text) {
    if (!str_has(text, "$") && !str_has(text, "`") && !str_has(text, "\\")) {
        return text;
    }
    StrBuf buffer = { .arena = shell->arena };
    for (size_t at = 0; at < text.len;) {
        at += add_piece(shell, &buffer, str_slice(text, at, text.len));
    }
    return strbuf_end(&buffer);
}

// ---- words of a step -------------------------------------------------------------------------------------------------

static void add_word(const StepReader *reader, CommandWords *words, Str text, bool is_own) {
    Arena *arena = reader->shell->arena;
    command_words_add(arena, words, is_own ? text : expanded(reader->shell, text), slurm_place(reader->shell, text));
}

// Whether a script of a shell is one command, whose words may stand in its place.
static bool is_one_command(Str script) {
    const Str text = str_trim(script);
    for (size_t at = 0; at < text.len; at++) {
        const size_t end = command_end_of_substitution(text, at);
        const bool goes_on = at > 0 && text.data[at - 1] == '\\';
        if (end > at) {
            at = end - 1;
        } else if (strchr(";&|<>(){}#", text.data[at]) != NULL && str_at(text, at - (at > 0 ? 1 : 0)) != '$' &&
                   !(strchr("{}", text.data[at]) != NULL)) {
            return false;
        } else if (text.data[at] == '\n' && !goes_on) {
            return false;
        }
    }
    return true;
}

// The words of `bash -c "…"` from `from` on that are its script; the count of the words where they are something else.
static uint32_t script_of_shell(const SlurmWords *words, uint32_t from) {
    ShellArguments arguments = { 0 };
    for (uint32_t i = from; i < words->count && i < from + 4; i++) {
        const ShellWordIs is = shell_argument(&arguments, words->items[i].text);
        if (is == SHELL_WORD_SCRIPT) {
            return i;
        }
        if (i == from && !shell_is_shell(words->items[i].text)) {
            break;
        }
    }
    return words->count;
}

static void add_words(const StepReader *reader, CommandWords *all, const SlurmWords *words, uint32_t from) {
    const uint32_t script = script_of_shell(words, from);
    const SlurmWord *given = script < words->count ? &words->items[script] : NULL;
    if (given == NULL || given->quote == '\0' || !is_one_command(given->text)) {
        for (uint32_t i = from; i < words->count; i++) {
            add_word(reader, all, words->items[i].text, words->items[i].quote == '\'');
        }
        return;
    }
    SlurmWords inner = { 0 };
    SlurmWords split = { 0 };
    slurm_split(reader->shell, given->text, &split);
    for (uint32_t i = 0; i < split.count; i++) {
        slurm_expand(reader->shell, &split.items[i], &inner);
    }
    for (uint32_t i = 0; i < inner.count; i++) {
        add_word(reader, all, inner.items[i].text, given->quote == '\'');
    }
}

// ---- the environment of a step -----------------------------------------------------------------------------------------

// What Slurm says of a job by variables.
static PlanField value_of_slurm(const StepReader *reader, const PlanSlurmStep *step, Str name) {
    const PlanSlurmOption *nodes = slurm_option(&reader->script->options, "nodes");
    const PlanSlurmOption *gpus = slurm_option(&reader->script->options, "gpus-per-node");
    const bool is_nodes = str_is(name, "SLURM_NNODES") || str_is(name, "SLURM_JOB_NUM_NODES");
    if (is_nodes && step->node_count > 0) {
        const Span span = nodes == NULL ? step->span : nodes->value.span;
        return field_known("value", span, str_format(reader->shell->arena, "%" PRId64, step->node_count));
    }
    if (str_is(name, "SLURM_GPUS_PER_NODE") && gpus != NULL && field_number(&gpus->value, -1) > 0 &&
        slurm_variable(reader->shell, name) == NULL) {
        return gpus->value;
    }
    for (size_t i = 0; i < COUNT_OF(OF_TASK) && reader->script->is_batch; i++) {
        if (str_is_word(name, OF_TASK[i])) {
            return field_known("value", step->span, STR("0"));
        }
    }
    return (PlanField){ .state = FIELD_LATE, .name = "value" };
}

// `--export=ALL,NAME=VALUE` gives them to what srun starts.
static void add_exported(const StepReader *reader, const PlanSlurmStep *step, PlanLauncherVariables *variables) {
    const PlanSlurmOption *option = slurm_option(&step->options, "export");
    const Span span = option == NULL ? SPAN_NONE : option->value.span;
    const Str list = option == NULL ? STR_NONE : str_slice(reader->shell->text, span.start, span.end);
    for (size_t at = 0; at < list.len && !str_has(list, "$") && !str_has(list, "\"");) {
        const size_t end = str_find(list, STR(","), at);
        const Str item = str_slice(list, at, end);
        const size_t sign = str_find(item, STR("="), 0);
        const Str name = str_slice(item, 0, sign);
        const Str value = str_slice(item, sign + 1, item.len);
        if (sign > 0 && value.len > 0) {
            const PlanVariable variable = { .name = field_known("name", slurm_place(reader->shell, name), name),
                                            .value = field_known("value", slurm_place(reader->shell, value), value) };
            vec_push(reader->shell->arena, variables, variable);
        }
        at = end + 1;
    }
}

static void add_variables(const StepReader *reader, const PlanSlurmStep *step, PlanLauncherVariables *variables) {
    static const char *const OF_JOB[] = { "SLURM_NNODES", "SLURM_JOB_NUM_NODES", "SLURM_GPUS_PER_NODE" };
    Arena *arena = reader->shell->arena;
    add_exported(reader, step, variables);
    for (uint32_t i = 0; i < reader->shell->variables.count; i++) {
        const SlurmVariable *own = &reader->shell->variables.items[i];
        const Str name = slurm_name_in(own->set.text);
        PlanVariable variable = { .name = field_known("name", slurm_place(reader->shell, own->name), own->name),
                                  .value = own->set,
                                  .fallback = own->fallback };
        if (name.len > 0) {
            variable.value = value_of_slurm(reader, step, name);
            variable.value.span = own->set.span;
        }
        vec_push(arena, variables, variable);
    }
    if (step->each == 1 &&
        slurm_variable(reader->shell, STR("SLURM_LOCALID")) == NULL) { // of the one task of each node
        const PlanVariable variable = { .name = field_known("name", step->span, STR("SLURM_LOCALID")),
                                        .value = field_known("value", step->each_span, STR("0")) };
        vec_push(arena, variables, variable);
    }
    for (size_t i = 0; i < COUNT_OF(OF_JOB); i++) {
        const Str name = str_of(OF_JOB[i]);
        if (slurm_variable(reader->shell, name) == NULL) {
            const PlanVariable variable = { .name = field_known("name", step->span, name),
                                            .value = value_of_slurm(reader, step, name) };
            vec_push(arena, variables, variable);
        }
    }
}

// `CUDA_VISIBLE_DEVICES=0,1 torchrun`. Others of a command are looked at where they stand: in its own words `$NAME` is what the
// shell has by that name.
static void add_before(const StepReader *reader, const ShellSimple *command, PlanLauncherVariables *variables) {
    const Str start = STR("CUDA_VISIBLE_DEVICES=");
    for (uint32_t i = 0; i < command->program && i < command->words.count; i++) {
        const Str word = command->words.items[i];
        const Str value = str_starts_with(word, start) ? str_slice(word, start.len, word.len) : STR_NONE;
        if (value.len > 0 && !str_has(value, "$")) {
            const Str name = str_slice(word, 0, start.len - 1);
            const PlanVariable variable = { .name = field_known("name", slurm_place(reader->shell, name), name),
                                            .value = field_known("value", slurm_place(reader->shell, value), value) };
            vec_push(reader->shell->arena, variables, variable);
        }
    }
}

static void fill_launcher(const StepReader *reader, PlanSlurmStep *step, const ShellSimple *command,
                          const SlurmWords *words, uint32_t from) {
    CommandWords all = { 0 };
    PlanLauncherVariables variables = { 0 };
    add_before(reader, command, &variables);
    add_variables(reader, step, &variables);
    add_words(reader, &all, words, from);
    step->launcher = launcher_of_step(reader->session, &all, &variables, reader->has_others);
}

// ---- numbers of a step -----------------------------------------------------------------------------------------------

typedef struct {
    int64_t count;
    Span span;
} Counted;

static Counted counted(const PlanSlurmOptions *options, const char *name) {
    const PlanSlurmOption *option = slurm_option(options, name);
    return option == NULL ? (Counted){ .count = -1 }
                          : (Counted){ .count = slurm_number(options, name), .span = option->value.span };
}

static Counted tasks_each(const PlanSlurmOptions *options) {
    const Counted each = counted(options, "ntasks-per-node");
    return slurm_option(options, "tasks-per-node") == NULL ? each : counted(options, "tasks-per-node");
}

// Tasks of all nodes, by one node.
static Counted divided(Counted all, int64_t nodes) {
    const bool is_even = all.count > 0 && nodes > 0 && all.count % nodes == 0;
    return (Counted){ .count = is_even ? all.count / nodes : -1, .span = all.span };
}

// source: srun(1), `--ntasks-per-node` and SLURM_NTASKS_PER_NODE; SchedMD/slurm@284c3b95 src/srun/opt.c, read 2026-11
static Counted each_of(const PlanSlurmScript *script, const PlanSlurmStep *step) {
    const PlanSlurmOptions *own = &step->options;
    if (step->is_vague) {
        return (Counted){ .count = -1 };
    }
    if (slurm_option(own, "ntasks") != NULL) {
        return divided(counted(own, "ntasks"), step->node_count);
    }
    if (tasks_each(own).count >= 0 || slurm_option(own, "ntasks-per-node") != NULL) {
        return tasks_each(own);
    }
    const bool has_all = slurm_option(&script->options, "ntasks") != NULL;
    const Counted each = tasks_each(&script->options);
    return has_all ? divided(counted(&script->options, "ntasks"), step->node_count) : each;
}

static void count(const PlanSlurmScript *script, PlanSlurmStep *step) {
    const PlanSlurmOption *nodes = slurm_option(&step->options, "nodes");
    const PlanSlurmOption *given = nodes != NULL ? nodes : slurm_option(&script->options, "nodes");
    const bool is_known = given != NULL && !step->is_vague && !script->is_het;
    step->node_count = is_known ? field_number(&given->value, -1) : -1;
    const Counted each = each_of(script, step);
    step->each = script->is_het ? -1 : each.count;
    step->each_span = each.span;
    step->gpus = step->is_vague ? -1 : slurm_gpus(&step->options, step->node_count, &step->gpus_span);
    const bool has_own = slurm_option(&step->options, "gres") != NULL || slurm_option(&step->options, "gpus") != NULL ||
                         slurm_option(&step->options, "gpus-per-node") != NULL ||
                         slurm_option(&step->options, "gpus-per-task") != NULL ||
                         slurm_option(&script->options, "gpus-per-task") != NULL;
    if (!has_own && !step->is_vague && !script->is_het) {
        step->gpus = slurm_gpus(&script->options, slurm_number(&script->options, "nodes"), &step->gpus_span);
    }
    // One task has the GPUs of a task alone, and several are another rule's.
    const PlanSlurmOption *own_task = slurm_option(&step->options, "gpus-per-task");
    const PlanSlurmOption *task = own_task != NULL ? own_task : slurm_option(&script->options, "gpus-per-task");
    if (step->gpus < 0 && task != NULL && step->each == 1 && !step->is_vague) {
        step->gpus = field_number(&task->value, -1);
        step->gpus_span = task->value.span;
    }
}

// ---- commands --------------------------------------------------------------------------------------------------------

// Whether other nodes than those of a step may run something else, by its options.
static bool is_of_some(const PlanSlurmStep *step) {
    static const char *const NAMES[] = { "nodelist",  "exclude",    "relative",  "nodefile",
                                         "het-group", "multi-prog", "pack-group" };
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        is = is || slurm_option(&step->options, NAMES[i]) != NULL;
    }
    return is;
}

// Whether a command ends in `&`, from the end of its last word on: what it writes to comes first, and what reads it.
static bool ends_in_background(Str text, size_t at) {
    at += str_at(text, at) == '"' || str_at(text, at) == '\'' ? 1 : 0; // that of the last word
    for (char quote = '\0'; at < text.len; at++) {
        const char c = text.data[at];
        const char next = str_at(text, at + 1);
        if (quote != '\0') {
            quote = c == quote ? '\0' : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '\\') {
            at++;
        } else if (c == '\n' || c == ';' || c == ')' || c == '#') {
            return false;
        } else if (c == '&' && next != '>' && text.data[at - 1] != '>' && text.data[at - 1] != '<') {
            return next != '&';
        } else if (c == '|' && next == '|') {
            return false;
        }
    }
    return false;
}

// The words of a command from `from` on. A slice has lost the quotes around it.
static SlurmWords words_of(const StepReader *reader, const ShellSimple *command, uint32_t from) {
    SlurmWords words = { 0 };
    for (uint32_t i = from; i < command->words.count; i++) {
        const Str text = command->words.items[i];
        const size_t at = slurm_place(reader->shell, text).start;
        const char before = at == 0 ? '\0' : reader->shell->text.data[at - 1];
        const bool is_quoted =
            (before == '"' || before == '\'') && str_at(reader->shell->text, at + text.len) == before;
        const SlurmWord word = { .text = text, .quote = is_quoted ? before : '\0' };
        slurm_expand(reader->shell, &word, &words);
    }
    return words;
}

static uint32_t find_srun(const ShellSimple *command) {
    for (uint32_t i = 0; i <= command->program && i < command->words.count; i++) {
        if (launcher_program(command->words.items[i]) == PROGRAM_SRUN) {
            return i;
        }
    }
    return command->words.count;
}

// sbatch, with its options.
static void read_submit(StepReader *reader, const ShellSimple *command) {
    PlanSlurmStep step = { .span = slurm_place(reader->shell, command->words.items[command->program]),
                           .node_count = -1,
                           .each = -1,
                           .gpus = -1 };
    const SlurmWords words = words_of(reader, command, command->program + 1);
    slurm_read_options(reader->shell, &words, SLURM_SBATCH, &step.options, &step.is_vague);
    slurm_add_options(reader->shell, &step.options, &reader->script->sets);
    vec_push(reader->shell->arena, &reader->script->submits, step);
}

static void read_step(StepReader *reader, const ShellSimple *command, uint32_t srun) {
    const Str last = command->words.items[command->words.count - 1];
    PlanSlurmStep step = {
        .span = slurm_place(reader->shell, command->words.items[srun]), .node_count = -1, .each = -1, .gpus = -1
    };
    const SlurmWords words = words_of(reader, command, srun + 1);
    const uint32_t from = slurm_read_options(reader->shell, &words, SLURM_SRUN, &step.options, &step.is_vague);
    slurm_add_options(reader->shell, &step.options, &reader->script->sets);
    step.is_of_some = is_of_some(&step);
    step.is_background = ends_in_background(reader->shell->text, slurm_place(reader->shell, last).end);
    count(reader->script, &step);
    fill_launcher(reader, &step, command, &words, from);
    reader->step = span_join(step.span, slurm_place(reader->shell, last));
    vec_push(reader->shell->arena, &reader->script->steps, step);
}

// Whether a command may start a launcher: by its own name, as a module of Python, by a shell, or by a variable.
static bool may_be_launcher(Str program) {
    return launcher_program(program) != PROGRAM_ANY || str_starts_with(str_after_last(program, '/'), STR("python")) ||
           shell_is_shell(program) || str_at(program, 0) == '$';
}

// Whether it does, by what variables and shells come to.
static bool is_launcher(const PlanLauncher *launcher) {
    const CommandWords *words = &launcher->words;
    const Str program = words->count == 0 ? STR_NONE : words->items[0].text;
    const bool is_python = str_starts_with(str_after_last(program, '/'), STR("python"));
    bool is = launcher_program(program) != PROGRAM_ANY;
    for (uint32_t i = 1; is_python && i + 1 < words->count; i++) {
        const Str module = str_is(words->items[i].text, "-m") ? words->items[i + 1].text : STR_NONE;
        is = is || launcher_program(module) != PROGRAM_ANY || str_starts_with(module, STR("torch.distributed"));
    }
    return is;
}

// Another shell reads it.
static bool is_in_heredoc(const SlurmShell *shell, Span span) {
    bool is = false;
    for (uint32_t i = 0; i < shell->heredocs.count; i++) {
        is = is || (span.start > shell->heredocs.items[i].start && span.start < shell->heredocs.items[i].end);
    }
    return is;
}

static bool is_sbatch(const StepReader *reader, const ShellSimple *command) {
    const Str program = command->program < command->words.count ? command->words.items[command->program] : STR_NONE;
    return str_is(str_after_last(program, '/'), "sbatch") &&
           !is_in_heredoc(reader->shell, slurm_place(reader->shell, program));
}

// The word that is started: of `bash -c SCRIPT` the shell.
static uint32_t find_started(const ShellSimple *command) {
    uint32_t i = 0;
    while (i < command->program && i < command->words.count && !shell_is_shell(command->words.items[i])) {
        i++;
    }
    return i;
}

// A launcher that the shell of the script starts itself.
static void read_own(StepReader *reader, const ShellSimple *command) {
    const uint32_t started = find_started(command);
    const Str program = started < command->words.count ? command->words.items[started] : STR_NONE;
    const Span span = slurm_place(reader->shell, program);
    const bool is_of_step = !span_is_none(reader->step) && span.start < reader->step.end; // a shell that srun starts
    if (is_of_step || !may_be_launcher(program) || is_in_heredoc(reader->shell, span)) {
        return;
    }
    PlanSlurmStep step = { .span = span, .each = -1, .gpus = -1 };
    count(reader->script, &step);
    const SlurmWords words = words_of(reader, command, started);
    const Str last = command->words.items[command->words.count - 1];
    step.is_of_some = is_of_some(&step);
    step.is_background = ends_in_background(reader->shell->text, slurm_place(reader->shell, last).end);
    reader->shell->is_each = !reader->script->is_batch;
    fill_launcher(reader, &step, command, &words, 0);
    reader->shell->is_each = false;
    if (step.launcher->programs != 0 && is_launcher(step.launcher)) {
        reader->step = span_join(span, slurm_place(reader->shell, last));
        vec_push(reader->shell->arena, &reader->script->own, step);
    }
}

// `docker run IMAGE torchrun`
static bool is_container(const ShellSimple *command) {
    const bool has_next = command->program + 1 < command->words.count;
    const Str program = has_next ? str_after_last(command->words.items[command->program], '/') : STR_NONE;
    return has_next && (str_is(program, "docker") || str_is(program, "podman")) &&
           str_is(command->words.items[command->program + 1], "run");
}

static void read_container(StepReader *reader, const ShellSimple *command) {
    const Span span = slurm_place(reader->shell, command->words.items[command->program]);
    PlanSlurmStep step = { .span = span, .node_count = -1, .each = -1, .gpus = -1 };
    const bool is_of_step = !span_is_none(reader->step) && span.start < reader->step.end;
    const SlurmWords words = words_of(reader, command, command->program);
    if (is_of_step || is_in_heredoc(reader->shell, span)) {
        return;
    }
    fill_launcher(reader, &step, command, &words, 0);
    if (step.launcher->programs != 0) {
        vec_push(reader->shell->arena, &reader->script->containers, step);
    }
}

static void add_exports(const StepReader *reader) {
    for (uint32_t i = 0; i < reader->shell->variables.count; i++) {
        const SlurmVariable *own = &reader->shell->variables.items[i];
        if (own->is_exported && own->set.state == FIELD_KNOWN && !str_has(own->set.text, "$")) {
            const PlanVariable variable = { .name =
                                                field_known("name", slurm_place(reader->shell, own->name), own->name),
                                            .value = own->set };
            vec_push(reader->shell->arena, &reader->script->exports, variable);
        }
    }
}

// What goes on beside another step may be on other nodes than that. The only one has them all.
static void judge_background(PlanSlurmScript *script) {
    const bool is_only = script->steps.count + script->own.count == 1;
    for (uint32_t i = 0; i < script->steps.count + script->own.count; i++) {
        PlanSlurmStep *step =
            i < script->steps.count ? &script->steps.items[i] : &script->own.items[i - script->steps.count];
        const bool is_once = is_only && slurm_is_at_margin(script, step->span);
        step->is_of_some = step->is_of_some || (step->is_background && !is_once);
    }
}

void slurm_read_steps(Session *session, SlurmShell *shell, PlanSlurmScript *script) {
    enum { STEPS_MAX = 200 };
    ShellCommands commands = { 0 };
    StepReader reader = {
        .session = session, .shell = shell, .script = script, .has_others = shell_reads_others(shell->text)
    };
    script->launcher = launcher_of_script(session, shell->text, script->file);
    const bool may_launch = script->launcher != NULL || str_has(shell->text, "sbatch") ||
                            str_has(shell->text, "NCCL_") || str_has(shell->text, "FI_");
    if (!may_launch || !shell_commands(shell->arena, shell->text, &commands)) {
        return;
    }
    shell->nodes = script->is_batch && !script->is_het ? slurm_number(&script->options, "nodes") : -1;
    slurm_find_variables(shell);
    add_exports(&reader);
    for (uint32_t i = 0; i < commands.count; i++) {
        slurm_add_sets(shell, &commands.items[i], &script->sets);
    }
    slurm_add_options(shell, &script->options, &script->sets);
    for (uint32_t i = 0; i < commands.count; i++) {
        const ShellSimple *command = &commands.items[i];
        const uint32_t srun = find_srun(command);
        if (script->steps.count + script->own.count + script->containers.count + script->submits.count >= STEPS_MAX) {
            break;
        }
        if (srun < command->words.count) {
            read_step(&reader, command, srun);
        } else if (is_sbatch(&reader, command)) {
            read_submit(&reader, command);
        } else if (is_container(command)) {
            read_container(&reader, command);
        } else {
            read_own(&reader, command);
        }
    }
    judge_background(script);
}
