// `dtc explain out/lab.cfn.yaml:23`: finds what decided a line of an output, by the source map beside the file. That is
// a text of the source, a row of the schema, or a reason of dtc's own.
#include "compiler/driver/command/explain.h"
#include "compiler/driver/output/line_map.h"
#include "compiler/driver/output/print.h"
#include "compiler/driver/output/write.h"
#include "emitters/doc/constants.h"

#include "compiler/base/file.h"
#include "compiler/base/json.h"

enum { MAP_BYTES_MAX = 256 * 1024 * 1024, LINE_DIGITS_MAX = 9 };

// Splits FILE:LINE; false where the topic has another form.
static bool split_topic(Str topic, Str *file, uint32_t *line) {
    size_t start = topic.len;
    while (start > 0 && topic.data[start - 1] >= '0' && topic.data[start - 1] <= '9') {
        start--;
    }
    if (start == topic.len || topic.len - start > LINE_DIGITS_MAX || start < 2 || topic.data[start - 1] != ':') {
        return false;
    }
    *file = str_slice(topic, 0, start - 1);
    *line = 0;
    for (size_t i = start; i < topic.len; i++) {
        *line = *line * 10 + (uint32_t)(topic.data[i] - '0');
    }
    return true;
}

// With the slash at its end; empty for the working folder.
static Str folder_of(Str path) {
    return str_slice(path, 0, path.len - str_after_last(path, '/').len);
}

static uint32_t number_of(const Data *map, const char *key) {
    const Data *value = data_get(map, key);
    const bool is_fit = value != NULL && value->kind == DATA_INT && value->integer > 0 && value->integer <= UINT32_MAX;
    return is_fit ? (uint32_t)value->integer : 0;
}

// The map's "leaves", or NULL with a fault.
static const Data *read_map(Run *run, Str file, Str *fault) {
    const Str folder = folder_of(file);
    const Str name = str_slice(file, folder.len, file.len);
    const Str path = str_format(run->arena, "%.*s%.*s", STR_ARG(folder), STR_ARG(output_map_name(run->arena, name)));
    Str text;
    const char *why_not = file_read(run->arena, path, MAP_BYTES_MAX, &text);
    if (why_not != NULL) {
        *fault = str_format(run->arena, "there is no source map `%.*s`: %s", STR_ARG(path), why_not);
        return NULL;
    }
    size_t bad;
    const Data *map = str_is_utf8(text, &bad) ? json_read(run->session, source_add(run->session, path, text)) : NULL;
    const Data *leaves = line_map_leaves(map, name);
    if (leaves == NULL) {
        *fault = str_format(run->arena, "`%.*s` is no source map of `%.*s`", STR_ARG(path), STR_ARG(name));
        return NULL;
    }
    return leaves;
}

static void print_span(Run *run, const Data *origin) {
    StrBuf *out = &run->out;
    const Str path = data_text(origin, "file");
    const uint32_t line = number_of(origin, "line");
    const uint32_t column = number_of(origin, "column");
    strbuf_add_format(out, "\n%.*s:%" PRIu32 ":%" PRIu32 "\n", STR_ARG(path), line, column);
    Str text;
    if (file_read(run->arena, path, SOURCE_BYTES_MAX, &text) != NULL) {
        return; // the source is not here; its place is said
    }
    const Str code = source_line(run->session, source_add(run->session, path, text), line);
    strbuf_add_format(out, "  %.*s\n", STR_ARG(code));
    const uint32_t end = number_of(origin, "end_line") == line ? number_of(origin, "end_column") : 0;
    const size_t width = end > column ? end - column : 1;
    if (column == 0 || column > print_columns(code)) {
        return; // the source was changed since
    }
    strbuf_add_repeated(out, ' ', column + 1);
    strbuf_add_repeated(out, '^', width);
    strbuf_add_char(out, '\n');
}

// The row's own words if it is an attribute. An instance type has a page of its own.
static void print_schema(Run *run, Str name) {
    StrBuf *out = &run->out;
    strbuf_add_format(out, "\nschema, `%.*s`\n", STR_ARG(name));
    const size_t dot = str_find(name, STR("."), 0);
    const KindRow *kind = schema_kind(str_slice(name, 0, dot));
    const int number = kind == NULL ? -1 : schema_attribute(kind, str_slice(name, dot + 1, name.len));
    if (number >= 0) {
        print_wrapped(out, str_of(kind->attributes[number].doc), 2);
    } else {
        strbuf_add_format(out, "  `dtc explain %.*s` has it\n", STR_ARG(name));
    }
}

static void print_origin(Run *run, const Data *origin) {
    StrBuf *out = &run->out;
    const Str kind = data_text(origin, "kind");
    const Str name = data_text(origin, "name");
    if (str_is(kind, "span")) {
        print_span(run, origin);
    } else if (str_is(kind, "schema")) {
        print_schema(run, name);
    } else if (str_is(kind, "constant")) {
        strbuf_add_format(out, "\ndtc itself, `%.*s`\n", STR_ARG(name));
        print_wrapped(out, data_text(origin, "text"), 2);
    } else if (str_is(kind, "input")) {
        strbuf_add_format(out, "\ngiven to the build, `%.*s`\n", STR_ARG(name));
        if (data_text(origin, "file").len > 0) {
            print_span(run, origin);
        }
    }
}

bool explain_line(Run *run, Str topic, ExitStatus *status) {
    Str file;
    uint32_t line;
    Str content;
    if (!split_topic(topic, &file, &line)) {
        return false;
    }
    // Before anything is read: the file and its map may be those of two builds.
    const bool is_whole = output_repair(run->session, folder_of(file));
    command_print_diagnostics(run);
    if (!is_whole) {
        *status = STATUS_FILES;
        return true;
    }
    const char *why_not = file_read(run->arena, file, MAP_BYTES_MAX, &content);
    if (why_not != NULL) {
        *status = command_fail(run, STATUS_FILES,
                               str_format(run->arena, "cannot read `%.*s`: %s", STR_ARG(file), why_not), STR_NONE);
        return true;
    }
    if (str_ends_with(file, STR(".dt"))) {
        *status = command_fail(
            run, STATUS_USAGE,
            str_format(run->arena, "`%.*s` is a source, and lines of what a build writes are explained", STR_ARG(file)),
            STR("`dtc build --source-map`, then `dtc explain out/FILE:LINE`"));
        return true;
    }
    Str fault;
    const Data *leaves = read_map(run, file, &fault);
    if (leaves == NULL) {
        *status =
            command_fail(run, STATUS_FILES, fault,
                         STR("`dtc build --source-map` writes one beside each template and config; scripts have none"));
        return true;
    }
    const uint32_t output = source_add(run->session, file, content);
    const Data *leaf = line_map_find(run->session, leaves, output, line);
    if (leaf == NULL) {
        *status = command_fail(run, STATUS_USAGE,
                               str_format(run->arena, "line %" PRIu32 " of `%.*s` holds no value", line, STR_ARG(file)),
                               STR("ask for a line with a key or a value"));
        return true;
    }
    strbuf_add_format(&run->out, "%.*s\n", STR_ARG(data_text(leaf, "path")));
    const Data *origins = data_get(leaf, "origins");
    for (uint32_t i = 0; origins != NULL && origins->kind == DATA_LIST && i < origins->count; i++) {
        print_origin(run, origins->items[i]);
    }
    *status = STATUS_CLEAN;
    return true;
}
