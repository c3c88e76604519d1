// `dtc fmt`: writes dt files in the one style.
#include "compiler/driver/command/paths.h"

#include "compiler/base/load.h"
#include "compiler/driver/fix/fix.h"
#include "compiler/driver/render/display.h"
#include "compiler/syntax/style.h"

static bool is_wanted(Str name) {
    return str_ends_with(name, STR(".dt"));
}

static bool is_changed(const FixedFile *file) {
    return !str_equal(file->text, file->original);
}

static FixedFile format_source(Run *run, uint32_t number) {
    const Source *source = source_get(run->session, number);
    const FixedFile file = { .path = source->path, .original = source->text, .has_mark = source->has_mark };
    FixedFile result = file;
    result.text = style_apply(run->session, number);
    return result;
}

static void list_changed(Run *run, const Fixes *files) {
    for (uint32_t i = 0; i < files->files.count; i++) {
        if (is_changed(&files->files.items[i])) {
            display_add_all(&run->out, files->files.items[i].path);
            strbuf_add_char(&run->out, '\n');
        }
    }
}

// All files but standard input. Returns how many differ from the style.
static uint32_t format_all(Run *run, const FilePaths *paths, Fixes *files, bool is_dry) {
    uint32_t changed = 0;
    for (uint32_t i = 0; i < paths->count; i++) {
        const bool is_input = str_is(paths->items[i], "-");
        const StandardInput input = is_input ? standard_input_read(run->arena) : (StandardInput){ 0 };
        const uint32_t number = is_input ? standard_input_add(run->session, &run->options, &input)
                                         : source_load(run->session, paths->items[i], SPAN_NONE);
        if (number == 0) {
            continue;
        }
        const FixedFile file = format_source(run, number);
        changed += is_changed(&file) ? 1 : 0;
        if (is_input && !is_dry) {
            strbuf_add(&run->out, file.text);
            run->is_text_out = true;
        } else {
            vec_push(run->arena, &files->files, file);
        }
    }
    return changed;
}

ExitStatus command_fmt(Run *run) {
    const Options *options = &run->options;
    const bool is_dry = options->wants_check || options->wants_diff;
    const FilePaths paths = paths_of(run, is_wanted, NULL);
    for (uint32_t i = 0; i < paths.count; i++) {
        if (path_is_foreign(paths.items[i])) {
            return command_fail(
                run, STATUS_USAGE, str_format(run->arena, "`%.*s` is no source of dt", STR_ARG(paths.items[i])),
                STR("`dtc fmt` formats files such as infra.dt, and `dtc lint` reads those of other tools"));
        }
    }
    Fixes files = { 0 };
    const uint32_t changed = format_all(run, &paths, &files, is_dry);
    if (options->wants_diff) {
        strbuf_add(&run->out, fixes_diff(run->arena, &files));
    } else if (is_dry) {
        list_changed(run, &files);
    } else {
        fixes_write(run->session, &files);
    }
    command_print_diagnostics(run);
    const ExitStatus status = command_status(run);
    return status == STATUS_CLEAN && is_dry && changed > 0 ? STATUS_ERRORS : status;
}
