// Fills what a command starts from its words, and answers questions about it.
#include "compiler/plan/model/launcher.h"

#include "compiler/plan/model/launcher_option.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/user_data.h"
#include "compiler/script/shell_lines.h"
#include "compiler/script/shell_sourced.h"

static const struct {
    PlanProgram program;
    const char *name;
} PROGRAMS[] = {
#define PROGRAM(program, name) { program, name },
#include "compiler/plan/model/launcher.def"
};

static const struct {
    size_t field;
    PlanProgram program;
    const char *name;
} BEHINDS[] = {
#define BEHIND(field, program, name) { LAUNCHER_OPTION(field), program, name },
#include "compiler/plan/model/launcher.def"
};

// ---- programs --------------------------------------------------------------------------------------------------------

// Where a word of a script stands behind `from`, as a word of its own or the end of a path; the length of the text where
// it does not.
static size_t find_program(Str text, const char *name, size_t from) {
    const Str wanted = str_of(name);
    for (size_t at = str_find(text, wanted, from); at < text.len; at = str_find(text, wanted, at + 1)) {
        const char before = at == 0 ? ' ' : text.data[at - 1];
        const char after = at + wanted.len < text.len ? text.data[at + wanted.len] : ' ';
        if (strchr(" \t\n/;&(\"'", before) != NULL && strchr(" \t\n\\\"'", after) != NULL) {
            return at;
        }
    }
    return text.len;
}

static bool has_program(Str text, PlanProgram program, const char *name) {
    return (program == PROGRAM_TORCHRUN ? str_find(text, str_of(name), 0) : find_program(text, name, 0)) < text.len;
}

static unsigned programs_of(const CommandWords *words) {
    unsigned programs = 0;
    for (uint32_t i = 0; i < words->count; i++) {
        for (size_t k = 0; k < COUNT_OF(PROGRAMS); k++) {
            const bool is_run = has_program(words->items[i].run, PROGRAMS[k].program, PROGRAMS[k].name);
            programs |= is_run ? PROGRAMS[k].program : 0U;
        }
    }
    return programs;
}

bool launcher_runs(const PlanLauncher *launcher, PlanProgram program) {
    return (launcher->programs & program) == program;
}

const char *launcher_program_name(PlanProgram program) {
    for (size_t i = 0; i < COUNT_OF(PROGRAMS); i++) {
        if (PROGRAMS[i].program == program) {
            return PROGRAMS[i].name;
        }
    }
    return "";
}

PlanProgram launcher_program(Str word) {
    const Str name = str_after_last(word, '/');
    for (size_t i = 0; i < COUNT_OF(PROGRAMS); i++) {
        if (str_is_word(name, PROGRAMS[i].name)) {
            return PROGRAMS[i].program;
        }
    }
    return PROGRAM_ANY;
}

// ---- options ---------------------------------------------------------------------------------------------------------

static PlanField field_of(const Session *session, const PlanLauncher *launcher, const CommandSetting *setting,
                          const char *name) {
    PlanField field = field_known(name, command_value_place(session, &launcher->words, setting), setting->value);
    field.key = command_name_place(session, &launcher->words, setting);
    field.is_own = true;
    return field;
}

// Whether a text ends what a launcher says to itself: it names a script of Python, or a module.
static bool names_trainer(Str text) {
    static const char *const NAMES[] = { ".py", "-m", "--module" };
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        const Str name = str_of(NAMES[i]);
        for (size_t at = str_find(text, name, 0); at < text.len; at = str_find(text, name, at + 1)) {
            const char before = at == 0 ? ' ' : text.data[at - 1];
            const char after = at + name.len < text.len ? text.data[at + name.len] : ' ';
            if (strchr(" \t\n\\\"'", after) != NULL && (i == 0 || strchr(" \t\n", before) != NULL)) {
                return true;
            }
        }
    }
    return false;
}

// Whether torchrun, accelerate or deepspeed hands an option on: what stands behind the script is the script's.
static bool is_handed_on(const PlanLauncher *launcher, const CommandSetting *setting) {
    bool is_behind = false; // the name of a launcher
    for (uint32_t i = 0; i <= setting->word; i++) {
        const Str run = launcher->words.items[i].run;
        Str text = i == setting->word ? shell_command_before(run, setting->at) : run;
        for (size_t k = 0; !is_behind && k < COUNT_OF(PROGRAMS); k++) {
            const bool takes_all = PROGRAMS[k].program != PROGRAM_MPIRUN && PROGRAMS[k].program != PROGRAM_SRUN;
            const size_t at = takes_all ? find_program(text, PROGRAMS[k].name, 0) : text.len;
            is_behind = at < text.len;
            text = is_behind ? str_slice(text, at, text.len) : text;
        }
        if (is_behind && names_trainer(text)) {
            return true;
        }
    }
    return false;
}

// The first of this name that has a number, or else the first that has a value, or any; NULL: there is none.
static const CommandSetting *find_setting(const PlanLauncher *launcher, const char *name) {
    const CommandSetting *found = NULL;
    for (uint32_t i = 0; i < launcher->settings.count; i++) {
        const CommandSetting *setting = &launcher->settings.items[i];
        if (command_is_called(setting, name) && !is_handed_on(launcher, setting)) {
            if (command_number(setting->value) >= 0) {
                return setting;
            }
            found = found == NULL || (found->value.len == 0 && setting->value.len > 0) ? setting : found;
        }
    }
    return found;
}

static PlanField *field_at(PlanLauncher *launcher, size_t field) {
    return (PlanField *)(void *)((char *)launcher + field);
}

static void read_options(const Session *session, PlanLauncher *launcher) {
    const LauncherOption *row;
    for (size_t i = 0; launcher->settings.count > 0 && (row = launcher_option_row(i)) != NULL; i++) {
        PlanField *field = field_at(launcher, row->field);
        const CommandSetting *setting = field->state == FIELD_ABSENT && launcher_runs(launcher, row->program)
                                            ? find_setting(launcher, row->name)
                                            : NULL;
        if (setting != NULL && (row->with == NULL || find_setting(launcher, row->with) != NULL)) {
            *field = field_of(session, launcher, setting, row->name);
        }
    }
}

// ---- mpirun ----------------------------------------------------------------------------------------------------------

// A place in the words, behind the name of a program.
typedef struct {
    uint32_t word;
    size_t at;
} Behind;

// The only such program among the words; false where there are none or several.
static bool find_only(const CommandWords *words, PlanProgram program, Behind *behind) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < words->count * COUNT_OF(PROGRAMS); i++) {
        const Str text = words->items[i / COUNT_OF(PROGRAMS)].run;
        const size_t k = i % COUNT_OF(PROGRAMS);
        size_t at = PROGRAMS[k].program == program ? find_program(text, PROGRAMS[k].name, 0) : text.len;
        for (; at < text.len; at = find_program(text, PROGRAMS[k].name, at + 1)) {
            *behind = (Behind){ .word = i / COUNT_OF(PROGRAMS), .at = at + strlen(PROGRAMS[k].name) };
            found++;
        }
    }
    return found == 1;
}

// What of a word belongs to the command.
static Str command_in(const CommandWords *words, uint32_t i, const Behind *behind) {
    const Str text = words->items[i].run;
    const size_t start = i == behind->word ? behind->at : 0;
    return i < behind->word ? STR_NONE : str_slice(text, 0, shell_end_of_command(text, start));
}

// `mpirun -np 8 driver : -np 8 worker` starts more than its first number says.
static bool has_second_part(const CommandWords *words, const Behind *behind) {
    bool has = false;
    for (uint32_t i = behind->word; i < words->count; i++) {
        const Str all = command_in(words, i, behind);
        const Str command = i == behind->word ? str_slice(all, behind->at, all.len) : all;
        has = has || str_is(command, ":") || str_has(command, " : ");
    }
    return has;
}

// The first of this name in the command; NULL: there is none.
static const CommandSetting *find_behind(const PlanLauncher *launcher, const Behind *behind, const char *name) {
    for (uint32_t i = 0; i < launcher->settings.count; i++) {
        const CommandSetting *setting = &launcher->settings.items[i];
        const bool is_behind =
            setting->word > behind->word || (setting->word == behind->word && setting->at >= behind->at);
        if (is_behind && setting->at < command_in(&launcher->words, setting->word, behind).len &&
            str_is(setting->name, name)) {
            return setting;
        }
    }
    return NULL;
}

static void read_behind(const Session *session, PlanLauncher *launcher) {
    for (size_t i = 0; i < COUNT_OF(BEHINDS); i++) {
        Behind behind = { 0 };
        PlanField *field = field_at(launcher, BEHINDS[i].field);
        const bool is_only = field->state == FIELD_ABSENT && launcher_runs(launcher, BEHINDS[i].program) &&
                             find_only(&launcher->words, BEHINDS[i].program, &behind) &&
                             !has_second_part(&launcher->words, &behind);
        const CommandSetting *setting = is_only ? find_behind(launcher, &behind, BEHINDS[i].name) : NULL;
        if (setting != NULL) {
            *field = field_of(session, launcher, setting, BEHINDS[i].name);
        }
    }
}

// ---- the ways in -----------------------------------------------------------------------------------------------------

void launcher_words_of_list(Arena *arena, CommandWords *words, const Value *list) {
    for (uint32_t i = 0; i < object_count(list); i++) {
        const Value *item = list->list.items[i];
        const Str text = item->kind == VALUE_INT ? str_format(arena, "%" PRId64, item->integer) : object_text(item);
        command_words_add(arena, words, text, item->span);
    }
}

static const PlanLauncher *fill(Session *session, PlanLauncher *launcher) {
    launcher->programs = programs_of(&launcher->words);
    launcher->settings = command_settings(session->arena, &launcher->words);
    read_options(session, launcher);
    read_behind(session, launcher);
    return launcher;
}

static void add_variable(Arena *arena, PlanLauncher *launcher, Str name, Span span, const Value *value) {
    PlanVariable variable = { .name = field_known("name", span, name) };
    if (value != NULL && (value->kind == VALUE_STRING || value->kind == VALUE_INT)) {
        const Str text = value->kind == VALUE_STRING ? value->string : value_print(arena, value);
        variable.value = field_known("value", value->span, text);
    } else {
        variable.value = (PlanField){ .state = FIELD_LATE, .name = "value", .span = span };
    }
    vec_push(arena, &launcher->variables, variable);
}

static void add_variable_of_pod(Arena *arena, PlanLauncher *launcher, const Value *item) {
    const Value *name = object_get(item, "name");
    const Value *from = object_get(object_get(item, "valueFrom"), "fieldRef");
    add_variable(arena, launcher, object_text(name), name == NULL ? item->span : name->span, object_get(item, "value"));
    launcher->variables.items[launcher->variables.count - 1].of_pod = object_text(object_get(from, "fieldPath"));
}

const PlanLauncher *launcher_of_pod(Session *session, const Value *container) {
    PlanLauncher *launcher = arena_new(session->arena, PlanLauncher);
    const Value *env = object_get(container, "env");
    *launcher = (PlanLauncher){ .is_of_pod = true,
                                .has_other_variables = object_get(container, "envFrom") != NULL ||
                                                       (env != NULL && env->kind != VALUE_LIST) };
    for (uint32_t i = 0; i < object_count(env); i++) {
        const bool has_name = object_text(object_get(env->list.items[i], "name")).len > 0;
        launcher->has_other_variables = launcher->has_other_variables || !has_name;
        add_variable_of_pod(session->arena, launcher, env->list.items[i]);
    }
    launcher_words_of_list(session->arena, &launcher->words, object_get(container, "command"));
    launcher_words_of_list(session->arena, &launcher->words, object_get(container, "args"));
    return fill(session, launcher);
}

const PlanLauncher *launcher_of_job(Session *session, const Value *command, const Value *env) {
    PlanLauncher *launcher = arena_new(session->arena, PlanLauncher);
    *launcher = (PlanLauncher){ .has_other_variables = env != NULL && env->kind != VALUE_MAP };
    for (uint32_t i = 0; env != NULL && env->kind == VALUE_MAP && i < env->map.count; i++) {
        const ValueEntry *entry = &env->map.entries[i];
        add_variable(session->arena, launcher, entry->key, entry->key_span, entry->value);
    }
    launcher_words_of_list(session->arena, &launcher->words, command);
    return fill(session, launcher);
}

const PlanLauncher *launcher_of_definition(Session *session, const PlanContainer *container) {
    PlanLauncher *launcher = arena_new(session->arena, PlanLauncher);
    *launcher = (PlanLauncher){ 0 };
    for (uint32_t i = 0; i < container->variables.count; i++) {
        vec_push(session->arena, &launcher->variables, container->variables.items[i]);
    }
    for (uint32_t i = 0; i < container->command.count; i++) {
        const PlanField *word = &container->command.items[i];
        command_words_add(session->arena, &launcher->words, word->text, word->span);
    }
    return fill(session, launcher);
}

// ---- scripts of nodes ------------------------------------------------------------------------------------------------

static bool names_launcher(Str text) {
    bool names = false;
    for (size_t i = 0; i < COUNT_OF(PROGRAMS) && !names; i++) {
        names = has_program(text, PROGRAMS[i].program, PROGRAMS[i].name);
    }
    return names;
}

static const PlanLauncher *fill_scripts(Session *session, const CommandWords *words) {
    PlanLauncher *launcher = arena_new(session->arena, PlanLauncher);
    *launcher = (PlanLauncher){ .words = *words };
    fill(session, launcher);
    return launcher->programs == 0 ? NULL : launcher;
}

// What CloudFormation puts into a text may be anything: that is one more word, which nobody knows.
static void add_late(Session *session, CommandWords *words, const PlanUserData *data) {
    if (data->pieces.count == 0 && !data->is_whole) {
        command_words_add(session->arena, words, STR_NONE, data->text);
    }
}

// `run` is the text with blanks in place of what is no command.
static void add_texts(Arena *arena, CommandWords *words, const PlanUserData *data, Str run) {
    for (uint32_t i = 0; i < data->pieces.count; i++) {
        const PlanUserPiece *piece = &data->pieces.items[i];
        const size_t end = i + 1 < data->pieces.count ? piece[1].at : run.len;
        command_words_add_script(arena, words, str_slice(data->written, piece->at, end), str_slice(run, piece->at, end),
                                 piece->text);
    }
    if (data->pieces.count == 0) {
        command_words_add_script(arena, words, data->written, run, data->text);
    }
}

const PlanLauncher *launcher_of_user_data(Session *session, const PlanUserData *data) {
    CommandWords words = { 0 };
    if (!names_launcher(data->written)) {
        return NULL;
    }
    add_texts(session->arena, &words, data, user_data_scripts(session->arena, data));
    add_texts(session->arena, &words, data, user_data_started(session->arena, data));
    add_late(session, &words, data);
    return fill_scripts(session, &words);
}

const PlanLauncher *launcher_of_scripts(Session *session, const PlanScripts *scripts) {
    CommandWords words = { 0 };
    for (uint32_t i = 0; i < scripts->count; i++) {
        const PlanScript *script = &scripts->items[i];
        if (names_launcher(script->text)) {
            const Span span = { .source = script->value->tag.source, .end = (uint32_t)script->text.len };
            command_words_add_script(session->arena, &words, script->text,
                                     shell_text(session->arena, script->text, SHELL_HELD), span);
        }
    }
    return words.count == 0 ? NULL : fill_scripts(session, &words);
}

const PlanLauncher *launcher_of_script(Session *session, Str script, Span span) {
    CommandWords words = { 0 };
    if (!names_launcher(script)) {
        return NULL;
    }
    command_words_add_script(session->arena, &words, script, shell_text(session->arena, script, SHELL_HELD), span);
    return fill_scripts(session, &words);
}

const PlanLauncher *launcher_of_step(Session *session, const CommandWords *words,
                                     const PlanLauncherVariables *variables, bool has_others) {
    PlanLauncher *launcher = arena_new(session->arena, PlanLauncher);
    *launcher = (PlanLauncher){ .words = *words, .variables = *variables, .has_other_variables = has_others };
    return fill(session, launcher);
}

// ---- questions -------------------------------------------------------------------------------------------------------

const PlanVariable *launcher_variable(const PlanLauncher *launcher, Str name) {
    for (uint32_t i = 0; name.len > 0 && i < launcher->variables.count; i++) {
        if (str_equal(launcher->variables.items[i].name.text, name)) {
            return &launcher->variables.items[i];
        }
    }
    return NULL;
}

bool launcher_sets(const PlanLauncher *launcher, const char *start) {
    bool sets = false;
    for (uint32_t i = 0; i < launcher->variables.count; i++) {
        sets = sets || str_starts_with(launcher->variables.items[i].name.text, str_of(start));
    }
    return sets;
}

bool launcher_may_set(const PlanLauncher *launcher, const char *start) {
    return launcher->has_other_variables || launcher_sets(launcher, start);
}

static bool is_set_by_script(const PlanLauncher *launcher, Str name) {
    bool is = false;
    for (uint32_t i = 0; i < launcher->settings.count; i++) {
        is = is || (str_equal(launcher->settings.items[i].name, name) && launcher->settings.items[i].value.len > 0);
    }
    return is;
}

static Str variable_in(const PlanLauncher *launcher, Str text) {
    const bool is_command = str_starts_with(text, STR("$(")) && !launcher->is_of_pod;
    return is_command ? STR_NONE : command_variable(text);
}

// Whether the setting stands alone: `NAME=VALUE program` is for that program.
static bool is_for_all(const PlanLauncher *launcher, const CommandSetting *setting) {
    const Str run = launcher->words.items[setting->word].run;
    size_t at = setting->value_word == setting->word ? setting->value_at + setting->value.len : run.len;
    while (at < run.len && strchr(" \t\"'", run.data[at]) != NULL) {
        at++;
    }
    return at == run.len || strchr("\n;&", run.data[at]) != NULL;
}

// The only value that scripts give a variable; NULL: there are several, or none.
static const CommandSetting *only_setting(const PlanLauncher *launcher, Str name) {
    const CommandSetting *found = NULL;
    for (uint32_t i = 0; i < launcher->settings.count; i++) {
        const CommandSetting *setting = &launcher->settings.items[i];
        if (str_equal(setting->name, name) && setting->value.len > 0) {
            if (found != NULL || !is_for_all(launcher, setting)) {
                return NULL;
            }
            found = setting;
        }
    }
    return found;
}

static Str variable_before_port(const PlanLauncher *launcher, const PlanField *field) {
    return variable_in(launcher, str_slice(field->text, 0, str_find(field->text, STR(":"), 0)));
}

const PlanVariable *launcher_named(const PlanLauncher *launcher, const PlanField *field) {
    const Str name = variable_before_port(launcher, field);
    return name.len == 0 || is_set_by_script(launcher, name) ? NULL : launcher_variable(launcher, name);
}

PlanField launcher_value(const Session *session, const PlanLauncher *launcher, const PlanField *field) {
    const Str name = variable_before_port(launcher, field);
    const PlanVariable *variable = launcher_named(launcher, field);
    const CommandSetting *only = name.len > 0 && is_set_by_script(launcher, name) ? only_setting(launcher, name) : NULL;
    return only != NULL ? field_of(session, launcher, only, field->name) : variable == NULL ? *field : variable->value;
}

PlanField launcher_nodes(const PlanLauncher *launcher) {
    const PlanVariable *variable = launcher_variable(launcher, STR("PET_NNODES"));
    const bool is_read = launcher->nodes.state == FIELD_ABSENT && launcher_runs(launcher, PROGRAM_TORCHRUN) &&
                         variable != NULL && variable->value.state == FIELD_KNOWN;
    PlanField field = is_read ? variable->value : launcher->nodes;
    field.name = is_read ? "PET_NNODES" : field.name;
    field.key = is_read ? variable->value.span : field.key;
    return field;
}

int64_t launcher_number(const PlanLauncher *launcher, const PlanField *field) {
    const Str name = variable_in(launcher, field->text);
    if (name.len > 0 && is_set_by_script(launcher, name)) {
        return command_assigned(&launcher->words, name);
    }
    const PlanVariable *variable = launcher_variable(launcher, name);
    return command_number(variable == NULL ? field->text : variable->value.text);
}

int64_t launcher_node_count(const PlanLauncher *launcher) {
    const PlanField nodes = launcher_nodes(launcher);
    return launcher_number(launcher, &nodes);
}

int64_t launcher_each(const PlanLauncher *launcher) {
    const Str start = STR("ppr:");
    const Str map = launcher->map.text;
    if (!launcher_runs(launcher, PROGRAM_MPIRUN)) {
        return -1;
    }
    const int64_t each = launcher_number(launcher, &launcher->each);
    const bool is_mapped = each < 0 && str_starts_with(map, start) && str_has(map, ":node");
    return is_mapped ? command_number(str_slice(map, start.len, map.len)) : each;
}

Span launcher_number_place(const Session *session, const PlanField *field) {
    const bool is_written = field_number(field, -1) >= 0 && str_equal(source_text(session, field->span), field->text);
    return is_written ? field->span : SPAN_NONE;
}

PlanField launcher_setting(const Session *session, const PlanLauncher *launcher, const char *name) {
    for (uint32_t i = 0; i < launcher->settings.count; i++) {
        const CommandSetting *setting = &launcher->settings.items[i];
        if (setting->value.len > 0 && command_is_called(setting, name)) {
            return field_of(session, launcher, setting, name);
        }
    }
    return (PlanField){ .state = FIELD_ABSENT, .name = name };
}

bool launcher_mentions(const PlanLauncher *launcher, const char *text) {
    return launcher_mentions_any(launcher, &text, 1);
}

bool launcher_mentions_any(const PlanLauncher *launcher, const char *const *texts, size_t count) {
    for (uint32_t i = 0; i < launcher->words.count; i++) {
        for (size_t k = 0; k < count; k++) {
            if (str_has(launcher->words.items[i].text, texts[k])) {
                return true;
            }
        }
    }
    return false;
}

bool launcher_reads_others(const PlanLauncher *launcher) {
    bool reads = false;
    for (uint32_t i = 0; i < launcher->words.count; i++) {
        reads = reads || shell_reads_others(launcher->words.items[i].text);
    }
    return reads;
}

bool launcher_shares_slots(const PlanLauncher *launcher) {
    static const char *const WORDS[] = { "oversubscribe", "OVERSUBSCRIBE", "use-hwthread-cpus" };
    return launcher_mentions_any(launcher, WORDS, COUNT_OF(WORDS)) || launcher_may_set(launcher, "OMPI_") ||
           launcher_may_set(launcher, "PRTE_");
}

const CommandWord *launcher_says(const PlanLauncher *launcher, const char *text) {
    for (uint32_t i = 0; i < launcher->words.count; i++) {
        if (str_has(launcher->words.items[i].run, text)) {
            return &launcher->words.items[i];
        }
    }
    return NULL;
}

bool launcher_has_late_words(const PlanLauncher *launcher) {
    bool has = false;
    for (uint32_t i = 0; i < launcher->words.count; i++) {
        has = has || launcher->words.items[i].text.len == 0;
    }
    return has;
}

bool launcher_has_branches(const PlanLauncher *launcher) {
    bool has = false;
    for (uint32_t i = 0; i < launcher->words.count; i++) {
        has = has || command_asks(launcher->words.items[i].run);
    }
    return has;
}

Span launcher_part(const Session *session, Span span, Str text) {
    const size_t at = str_find(source_text(session, span), text, 0);
    Span part = span;
    if (at < span.end - span.start) {
        part.start = span.start + (uint32_t)at;
        part.end = part.start + (uint32_t)text.len;
    }
    return part;
}
