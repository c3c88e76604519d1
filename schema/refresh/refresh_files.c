// Reads the files of dumps and of rows, and keeps the texts that are made of them.
#include "schema/refresh/refresh.h"
#include "schema/row_source.h"

#include "compiler/base/die.h"
#include "compiler/base/load.h"
#include "compiler/base/yaml_read.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

enum { LINE_MAX_CHARACTERS = 120 };

void remark(Refresh *refresh, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    strbuf_add(&refresh->remarks, STR("refresh: "));
    strbuf_add_format_list(&refresh->remarks, format, arguments);
    strbuf_add_char(&refresh->remarks, '\n');
    va_end(arguments);
}

static int compare_paths(const void *a, const void *b) {
    return str_compare(*(const Str *)a, *(const Str *)b);
}

Paths dumps_list(Refresh *refresh, const char *folder, const char *ending) {
    Paths paths = { 0 };
    const Str path = str_format(refresh->arena, "%.*s/%s", STR_ARG(refresh->dumps), folder);
    DIR *directory = opendir(str_c(refresh->arena, path));
    if (directory == NULL && errno == ENOENT) {
        remark(refresh, "there is no `%.*s`: what it would bring stays as it is", STR_ARG(path));
        return paths;
    }
    if (directory == NULL) {
        die("cannot read `%.*s`: %s", STR_ARG(path), strerror(errno));
    }
    for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (entry->d_name[0] != '.' && str_ends_with(str_of(entry->d_name), str_of(ending))) {
            vec_push(refresh->arena, &paths, str_format(refresh->arena, "%.*s/%s", STR_ARG(path), entry->d_name));
        }
    }
    closedir(directory);
    if (paths.count > 1) {
        qsort(paths.items, paths.count, sizeof(paths.items[0]), compare_paths);
    }
    return paths;
}

const Data *refresh_read(Refresh *refresh, Str path, Str *text) {
    const uint32_t source = source_load(refresh->session, path, SPAN_NONE);
    if (source == 0) {
        return NULL;
    }
    if (text != NULL) {
        *text = source_get(refresh->session, source)->text;
    }
    const uint32_t errors = refresh->session->diags.error_count;
    const Data *data = yaml_read(refresh->session, source);
    if (refresh->session->diags.error_count != errors) {
        return NULL;
    }
    if (data == NULL || data->kind != DATA_MAP) {
        cell_fault(refresh->session, (Span){ .source = source }, "this is no JSON object and no map");
        return NULL;
    }
    return data;
}

const Data *dump_read(Refresh *refresh, const char *name) {
    const Str path = str_format(refresh->arena, "%.*s/%s", STR_ARG(refresh->dumps), name);
    if (access(str_c(refresh->arena, path), F_OK) != 0) {
        remark(refresh, "there is no `%.*s`: what it would bring stays as it is", STR_ARG(path));
        return NULL;
    }
    return refresh_read(refresh, path, NULL);
}

const char *dump_source(Refresh *refresh, const char *dump) {
    const Data *source = data_get(refresh->dates, dump);
    if (source == NULL || source->kind != DATA_STRING) {
        const Span span = source == NULL ? SPAN_NONE : source->span;
        cell_fault(refresh->session, span, "`%.*s/sources.yaml` has no text `%s`: what the dump is, and its month",
                   STR_ARG(refresh->dumps), dump);
        return NULL;
    }
    const Str text = one_line(refresh->arena, source->string);
    SourceText dates;
    const SourceState state = source_read(text, &dates);
    if (state != SOURCE_DATED) {
        cell_fault(refresh->session, source->span,
                   state == SOURCE_TOO_YOUNG
                       ? "`%s` is younger than the month it was read in"
                       : "`%s` ends with its date and with the month it was read in: `…, 2026-08-21, read 2026-11`",
                   dump);
        return NULL;
    }
    for (size_t i = 0; i < text.len; i++) {
        if ((unsigned char)text.data[i] < ' ' || text.data[i] == 0x7f) {
            cell_fault(refresh->session, source->span, "`%s` holds a control character", dump);
            return NULL;
        }
    }
    return str_c(refresh->arena, text);
}

bool rows_text(Refresh *refresh, Str path, Str *text, const Data **file) {
    const Str full = str_format(refresh->arena, "%.*s/%.*s", STR_ARG(refresh->schema), STR_ARG(path));
    *text = STR_NONE;
    *file = NULL;
    if (access(str_c(refresh->arena, full), F_OK) != 0) {
        return false;
    }
    *file = refresh_read(refresh, full, text);
    return *file != NULL;
}

void change_add(Refresh *refresh, Str path, Str before, Str after) {
    if (!str_equal(before, after)) {
        const Change change = { .path = str_format(refresh->arena, "schema/%.*s", STR_ARG(path)),
                                .before = before,
                                .after = after };
        vec_push(refresh->arena, &refresh->changes, change);
    }
}

// ---- texts -----------------------------------------------------------------------------------------------------

Str one_line(Arena *arena, Str text) {
    StrBuf out = { .arena = arena };
    text = str_trim(text);
    for (size_t i = 0; i < text.len; i++) {
        const bool is_blank = text.data[i] == ' ' || text.data[i] == '\n' || text.data[i] == '\r';
        if (!is_blank) {
            strbuf_add_char(&out, text.data[i]);
        } else if (out.data[out.len - 1] != ' ') {
            strbuf_add_char(&out, ' ');
        }
    }
    return strbuf_str(&out);
}

bool is_word(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c == '-' && i > 0))) {
            return false;
        }
    }
    return text.len > 0 && text.data[0] >= 'a';
}

void put_quoted(StrBuf *out, int indent, const char *key, Str text) {
    StrBuf line = { .arena = out->arena };
    strbuf_add_repeated(&line, ' ', (size_t)indent);
    strbuf_add_format(&line, "%s: \"", key);
    for (size_t start = 0; start < text.len;) {
        const size_t end = str_find(text, STR(" "), start);
        const Str word = str_slice(text, start, end);
        const size_t closing = end == text.len ? 1 : 0;
        if (line.data[line.len - 1] != '"' && line.len + 1 + word.len + closing > LINE_MAX_CHARACTERS) {
            strbuf_add(out, strbuf_str(&line));
            strbuf_add_char(out, '\n');
            line.len = 0;
            strbuf_add_repeated(&line, ' ', (size_t)indent + 2);
        } else if (start > 0) {
            strbuf_add_char(&line, ' ');
        }
        for (size_t i = 0; i < word.len; i++) {
            if (word.data[i] == '"' || word.data[i] == '\\') {
                strbuf_add_char(&line, '\\');
            }
            strbuf_add_char(&line, word.data[i]);
        }
        start = end + 1;
    }
    strbuf_add(out, strbuf_str(&line));
    strbuf_add(out, STR("\"\n"));
}
