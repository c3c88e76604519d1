// Lays parts end to end with a boundary between them (RFC 2046, 1996-11). The line end before a boundary belongs to the
// boundary, so that an empty line follows each part. No line has a blank too many. If AWS Batch cannot read the user
// data, it calls the compute environment INVALID.
#include "emitters/node/userdata.h"

#include "compiler/plan/model/plan.h"
#include "stdlib/library.h"

static const char *const CONTENT_TYPES[] = {
    [PART_BOOTHOOK] = "text/cloud-boothook",
    [PART_CLOUD_CONFIG] = "text/cloud-config",
    [PART_NODE_CONFIG] = "application/node.eks.aws",
    [PART_SHELL] = "text/x-shellscript",
};

// A part that a program reads by itself has the type of that program's documentation, without a charset.
static bool has_charset(UserDataKind kind) {
    return kind != PART_NODE_CONFIG;
}

// A boundary begins with `=`, which is rare in what travels as base64.
static bool holds(Str text, Str boundary) {
    for (size_t at = str_find(text, STR("="), 0); at < text.len; at = str_find(text, STR("="), at + 1)) {
        if (str_starts_with(str_slice(text, at, text.len), boundary)) {
            return true;
        }
    }
    return false;
}

static bool is_free(const UserDataParts *parts, Str boundary) {
    for (uint32_t i = 0; i < parts->count; i++) {
        if (holds(parts->items[i].text, boundary)) {
            return false;
        }
    }
    return true;
}

// Ends: a text that holds the first n boundaries has more than n bytes.
static Str boundary_of(Arena *arena, const UserDataParts *parts) {
    Str boundary = STR("==PART==");
    for (uint32_t i = 2; !is_free(parts, boundary); i++) {
        boundary = str_format(arena, "==PART-%" PRIu32 "==", i);
    }
    return boundary;
}

Str userdata_whole(Arena *arena, const UserDataParts *parts, uint32_t first) {
    StrBuf out = { .arena = arena };
    strbuf_add(&out, parts->items[first].text);
    for (uint32_t i = first + 1; i < parts->count && parts->items[i].goes_on; i++) {
        strbuf_add(&out, parts->items[i].text);
    }
    return strbuf_str(&out);
}

Str userdata_write(Arena *arena, const UserDataParts *parts) {
    if (parts->count == 0) {
        return STR_NONE;
    }
    const Str boundary = boundary_of(arena, parts);
    StrBuf out = { .arena = arena };
    strbuf_add_format(&out, "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"%.*s\"\n\n",
                      STR_ARG(boundary));
    for (uint32_t i = 0; i < parts->count; i++) {
        const UserDataPart *part = &parts->items[i];
        if (part->goes_on) {
            continue;
        }
        const Str text = userdata_whole(arena, parts, i);
        const bool is_plain = str_ascii_end(text, 0) == text.len;
        strbuf_add_format(&out, "--%.*s\nContent-Type: %s", STR_ARG(boundary), CONTENT_TYPES[part->kind]);
        if (has_charset(part->kind)) {
            strbuf_add_format(&out, "; charset=\"%s\"", is_plain ? "us-ascii" : "utf-8");
        }
        strbuf_add_char(&out, '\n');
        strbuf_add(&out, is_plain ? STR_NONE : STR("Content-Transfer-Encoding: 8bit\n"));
        strbuf_add_char(&out, '\n');
        strbuf_add(&out, text); // may be long: not by a format
        strbuf_add_char(&out, '\n');
    }
    strbuf_add_format(&out, "--%.*s--\n", STR_ARG(boundary));
    return strbuf_str(&out);
}

// ---- here-documents --------------------------------------------------------------------------------------------

static bool has_line(Str text, Str line) {
    for (size_t start = 0; start < text.len;) {
        const size_t end = str_find(text, STR("\n"), start);
        if (str_equal(str_slice(text, start, end), line)) {
            return true;
        }
        start = end + 1;
    }
    return false;
}

void userdata_add_here_document(StrBuf *out, Str text) {
    Str word = STR("END");
    for (uint32_t i = 2; has_line(text, word); i++) {
        word = str_format(out->arena, "END-%" PRIu32, i);
    }
    strbuf_add_format(out, "<<'%.*s'\n", STR_ARG(word));
    strbuf_add(out, text);
    strbuf_add_format(out, "%.*s\n", STR_ARG(word));
}

// ---- code ------------------------------------------------------------------------------------------------------

void userdata_add_code(StrBuf *out, Str script) {
    for (size_t start = 0; start < script.len;) {
        const size_t end = str_find(script, STR("\n"), start);
        const Str line = str_trim(str_slice(script, start, end));
        if (line.len > 0 && line.data[0] != '#') {
            strbuf_add(out, line);
            strbuf_add_char(out, '\n');
        }
        start = end + 1;
    }
}

// ---- library ---------------------------------------------------------------------------------------------------

Str userdata_bare_script(Arena *arena, Str script) {
    const size_t end = str_find(script, STR("\n"), 0);
    StrBuf out = { .arena = arena };
    strbuf_add_format(&out, "%.*s\n", STR_ARG(str_slice(script, 0, end)));
    userdata_add_code(&out, str_slice(script, end, script.len));
    return strbuf_str(&out);
}

Str userdata_library(const char *path) {
    const StdlibFile *file = stdlib_find(str_of(path));
    assert(file != NULL); // the binary holds it
    return file->text;
}

Str userdata_script_with(Arena *arena, Str script, const char *variable, Str text) {
    const size_t start = str_find(script, str_format(arena, ": \"${%s:?}\"", variable), 0);
    const size_t end = str_find(script, STR("\n"), start);
    assert(end < script.len);
    StrBuf out = { .arena = arena };
    strbuf_add(&out, str_slice(script, 0, start));
    strbuf_add(&out, text);
    strbuf_add(&out, str_slice(script, end + 1, script.len));
    return strbuf_str(&out);
}
