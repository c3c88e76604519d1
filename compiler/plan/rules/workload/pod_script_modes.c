// Rules about scripts of a ConfigMap or a Secret that a container runs: their files have the mode that the volume says.
// source: Kubernetes API Reference, ConfigMapVolumeSource, SecretVolumeSource and KeyToPath, read 2026-11-26
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/script/shell_program.h"

enum { MODE_DEFAULT = 0644, MODE_RUNS = 0111, MODE_MAX = 0777 };

// What a volume has its files from.
typedef struct {
    const char *key;
    const char *what;
} SourceRow;

static const SourceRow SOURCES[] = { { "configMap", "ConfigMap" }, { "secret", "Secret" } };

// ---- the file that a container runs --------------------------------------------------------------------------------

// The first word of a script, if that is an absolute path.
static Str path_at_start(Str script) {
    size_t start = 0;
    while (start < script.len && strchr(" \t\n", script.data[start]) != NULL) {
        start++;
    }
    start += str_starts_with(str_slice(script, start, script.len), STR("exec ")) ? strlen("exec ") : 0;
    size_t end = start;
    while (end < script.len && strchr(" \t\n;&|", script.data[end]) == NULL) {
        end++;
    }
    return str_slice(script, start, end);
}

// The path of what a container starts, by the system or by a shell, and the word that has it. Without a `command` the
// image says what reads the words.
static Str program_of(const Value *container, const Value **word) {
    const Value *command = object_get(container, "command");
    const Value *args = object_get(container, "args");
    const Value *first = object_count(command) > 0 ? command->list.items[0] : NULL;
    const uint32_t count = object_count(command);
    Str path = object_text(first);
    *word = first;
    if (shell_is_any(path)) {
        const Value *option = count > 1 ? command->list.items[1] : NULL;
        *word = count > 2 ? command->list.items[2] : object_count(args) > 0 ? args->list.items[0] : NULL;
        path = str_is(object_text(option), "-c") ? path_at_start(object_text(*word)) : STR_NONE;
    }
    const bool is_plain = str_at(path, 0) == '/' && str_find(path, STR("$"), 0) == path.len;
    return is_plain ? path : STR_NONE;
}

// ---- its mode ------------------------------------------------------------------------------------------------------

// What of a path stands below a folder; empty where it is not in there.
static Str below(Str path, Str folder) {
    const size_t length = str_ends_with(folder, STR("/")) ? folder.len - 1 : folder.len;
    const bool is_in =
        path.len > length + 1 && str_starts_with(path, str_slice(folder, 0, length)) && path.data[length] == '/';
    return is_in ? str_slice(path, length + 1, path.len) : STR_NONE;
}

// The mount that a path is in: of several the innermost. `*file` is the path in the volume.
static const Value *mount_of(const Value *container, Str path, Str *file) {
    const Value *mounts = object_get(container, "volumeMounts");
    const Value *found = NULL;
    size_t most = 0;
    for (uint32_t i = 0; i < object_count(mounts); i++) {
        const Value *mount = mounts->list.items[i];
        const Str place = object_text(object_get(mount, "mountPath"));
        const Str part = object_text(object_get(mount, "subPath"));
        const Str rest = below(path, place);
        const bool is_file = str_equal(place, path) && part.len > 0;
        if (place.len >= most && (is_file || rest.len > 0)) {
            most = place.len;
            *file = is_file ? part : part.len == 0 && object_get(mount, "subPathExpr") == NULL ? rest : STR_NONE;
            found = mount;
        }
    }
    return found;
}

// Programs that read manifests for Kubernetes take a number with a 0 in front as an octal one. -1: not known.
static int64_t mode_in(const Rules *rules, const Value *value) {
    const Str written = value == NULL || value->kind != VALUE_INT ? STR_NONE : source_text(rules->session, value->span);
    int64_t mode = written.len > 0 ? value->integer : -1;
    if (written.len > 1 && written.data[0] == '0' && char_is_digit(written.data[1])) {
        mode = 0;
        for (size_t i = 1; i < written.len && mode >= 0; i++) {
            const bool is_octal = written.data[i] >= '0' && written.data[i] <= '7' && mode <= MODE_MAX;
            mode = is_octal ? mode * 8 + (written.data[i] - '0') : -1;
        }
    }
    return mode <= MODE_MAX ? mode : -1;
}

typedef struct {
    int64_t mode; // -1: not known
    const Value *said;
    bool is_of_item;
} Mode;

static Mode mode_of_file(const Rules *rules, const Value *source, Str file) {
    const Value *items = object_get(source, "items");
    const Value *said = object_get(source, "defaultMode");
    bool is_of_item = false;
    for (uint32_t i = 0; i < object_count(items); i++) {
        const Value *own = object_get(items->list.items[i], "mode");
        if (own != NULL && str_equal(object_text(object_get(items->list.items[i], "path")), file)) {
            said = own;
            is_of_item = true;
        }
    }
    return (Mode){ .mode = said == NULL ? MODE_DEFAULT : mode_in(rules, said), .said = said, .is_of_item = is_of_item };
}

static const Value *volume_called(const Value *pod, Str name) {
    const Value *volumes = object_get(pod, "volumes");
    for (uint32_t i = 0; name.len > 0 && i < object_count(volumes); i++) {
        if (str_equal(object_text(object_get(volumes->list.items[i], "name")), name)) {
            return volumes->list.items[i];
        }
    }
    return NULL;
}

// ----------------------------------------------------------------------------------------------------------------------

// The same mode, and that anybody may run it, in the words of the file.
static void write_mode(const Rules *rules, Diag *diag, const Value *source, const Mode *mode) {
    Arena *arena = rules->session->arena;
    const unsigned runs = (unsigned)mode->mode | MODE_RUNS;
    const bool is_read_by_all = (mode->mode & 0444) == 0444; // else who may run it is the author's to say
    if (!is_read_by_all || (mode->said == NULL && object_get(source, "items") != NULL)) {
        return;
    }
    const Span place = mode->said != NULL ? mode->said->span : source->span;
    const bool is_json = str_ends_with(source_get(rules->session, place.source)->path, STR(".json"));
    const Str old = mode->said == NULL ? STR_NONE : source_text(rules->session, mode->said->span);
    const bool is_octal = mode->said == NULL ? !is_json : old.data[0] == '0';
    const Str words = str_format(arena, is_octal ? "0%o" : "%u", runs);
    if (mode->said != NULL) {
        diag_fix(rules->session, diag, place, words);
    } else if (source->kind == VALUE_MAP && source->map.count > 0) {
        rule_insert_beside(rules, diag, source->map.entries[0].key_span, STR("defaultMode"), words);
    }
}

static void check_container(const Rules *rules, const PlanObject *object, const Value *pod, const Value *container) {
    Session *session = rules->session;
    const Value *word = NULL;
    Str file = STR_NONE;
    const Str path = program_of(container, &word);
    const Value *mount = path.len == 0 ? NULL : mount_of(container, path, &file);
    const Value *volume = file.len == 0 ? NULL : volume_called(pod, object_text(object_get(mount, "name")));
    for (size_t i = 0; i < COUNT_OF(SOURCES); i++) {
        const Value *source = object_get(volume, SOURCES[i].key);
        const Mode mode = source == NULL ? (Mode){ .mode = -1 } : mode_of_file(rules, source, file);
        if (mode.mode < 0 || (mode.mode & MODE_RUNS) != 0) {
            continue;
        }
        const Str what = str_of(SOURCES[i].what);
        Diag *diag = plan_report(session, object->subject, word->span, DIAG(script_mode), STR_ARG(path), STR_ARG(what),
                                 (unsigned)mode.mode);
        diag_label(session, diag, mode.said != NULL ? mode.said->span : source->span,
                   mode.said != NULL ? "the mode" : "without a `defaultMode`");
        diag_help(session, diag,
                  object->is_manifest ? "write `%s: 0755`, or run the script by `bash`"
                                      : "write `%s = 493`, which is 0755, or run the script by `bash`",
                  mode.is_of_item ? "mode" : "defaultMode");
        write_mode(rules, diag, source, &mode);
    }
}

void rule_pod_script_modes(const Rules *rules, const PlanObject *object) {
    static const char *const KEYS[] = { "initContainers", "containers" };
    for (uint32_t i = 0; !object->is_changed && i < object->pods.count * COUNT_OF(KEYS); i++) {
        const Value *pod = object->pods.items[i / COUNT_OF(KEYS)].spec;
        const Value *containers = object_get(pod, KEYS[i % COUNT_OF(KEYS)]);
        for (uint32_t k = 0; k < object_count(containers); k++) {
            check_container(rules, object, pod, containers->list.items[k]);
        }
    }
}
