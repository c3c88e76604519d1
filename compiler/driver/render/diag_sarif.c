// Diagnostics as SARIF 2.1.0 (OASIS, https://docs.oasis-open.org/sarif/sarif/v2.1.0/): one run, whose rules are the
// rows of codes.def that have a result, in the order of their codes.
#include "compiler/base/diag/prose.h"
#include "compiler/base/json.h"
#include "compiler/base/str_map.h"
#include "compiler/base/version.h"
#include "compiler/driver/render/fingerprint.h"
#include "compiler/driver/render/render.h"

static void put(Arena *arena, Data *map, const char *key, Data *value) {
    data_put(arena, map, str_of(key), value);
}

static Data *text_of(Arena *arena, const char *text) {
    return data_string(arena, str_of(text));
}

// {"text": …}, which SARIF calls a message.
static Data *message_of(Arena *arena, Str text) {
    Data *message = data_map(arena);
    put(arena, message, "text", data_string(arena, text));
    return message;
}

// A path as a URI reference: what has a meaning in a URI is escaped, an absolute path becomes file://….
static Str uri_of(Arena *arena, Str path) {
    static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    StrBuf uri = { .arena = arena };
    strbuf_add(&uri, str_starts_with(path, STR("/")) ? STR("file://") : STR_NONE);
    for (size_t i = 0; i < path.len; i++) {
        if (path.data[i] != 0 && strchr(safe, path.data[i]) != NULL) {
            strbuf_add_char(&uri, path.data[i]);
        } else {
            strbuf_add_format(&uri, "%%%02X", (unsigned)(unsigned char)path.data[i]);
        }
    }
    return strbuf_str(&uri);
}

static Data *artifact_of(Session *session, uint32_t source) {
    Data *artifact = data_map(session->arena);
    const Str uri = uri_of(session->arena, source_get(session, source)->path);
    put(session->arena, artifact, "uri", data_string(session->arena, uri));
    return artifact;
}

static Data *region_of(Session *session, Span span) {
    Arena *arena = session->arena;
    const Place start = source_place(session, span.source, span.start);
    const Place end = source_place(session, span.source, span.end);
    Data *region = data_map(arena);
    put(arena, region, "startLine", data_int(arena, start.line));
    put(arena, region, "startColumn", data_int(arena, start.column));
    put(arena, region, "endLine", data_int(arena, end.line));
    put(arena, region, "endColumn", data_int(arena, end.column));
    return region;
}

static Data *location_of(Session *session, Span span, Str text) {
    Arena *arena = session->arena;
    Data *physical = data_map(arena);
    put(arena, physical, "artifactLocation", artifact_of(session, span.source));
    put(arena, physical, "region", region_of(session, span));
    Data *location = data_map(arena);
    put(arena, location, "physicalLocation", physical);
    if (text.len > 0) {
        put(arena, location, "message", message_of(arena, text));
    }
    return location;
}

static Str full_message(Arena *arena, const Diag *diag) {
    StrBuf text = { .arena = arena };
    strbuf_add(&text, diag->message);
    for (uint32_t i = 0; i < diag->helps.count; i++) {
        strbuf_add_format(&text, "\nhelp: %.*s", STR_ARG(diag->helps.items[i]));
    }
    for (uint32_t i = 0; i < diag->notes.count; i++) {
        strbuf_add_format(&text, "\nnote: %.*s", STR_ARG(diag->notes.items[i]));
    }
    return strbuf_str(&text);
}

static Data *related_of(Session *session, const Diag *diag) {
    Data *related = data_list(session->arena);
    for (uint32_t i = 0; i < diag->labels.count; i++) {
        const DiagLabel *label = &diag->labels.items[i];
        if (!span_is_none(label->span)) {
            data_add(session->arena, related, location_of(session, label->span, label->text));
        }
    }
    return related;
}

// All replacements of a diagnostic are one fix: they are applied together.
static Data *fixes_of(Session *session, const Diag *diag) {
    Arena *arena = session->arena;
    Data *changes = data_list(arena);
    for (uint32_t i = 0; i < diag->fixes.count; i++) {
        const DiagFix *fix = &diag->fixes.items[i];
        Data *replacement = data_map(arena);
        put(arena, replacement, "deletedRegion", region_of(session, fix->span));
        put(arena, replacement, "insertedContent", message_of(arena, fix->replacement));
        Data *replacements = data_list(arena);
        data_add(arena, replacements, replacement);
        Data *change = data_map(arena);
        put(arena, change, "artifactLocation", artifact_of(session, fix->span.source));
        put(arena, change, "replacements", replacements);
        data_add(arena, changes, change);
    }
    Data *whole = data_map(arena);
    put(arena, whole, "artifactChanges", changes);
    Data *fixes = data_list(arena);
    data_add(arena, fixes, whole);
    return fixes;
}

// How often a fingerprint came up to now.
typedef struct {
    int count;
} Seen;

// By which a finding is known again in a later run. Equal ones of one file are told apart by their order.
static Data *fingerprints_of(Session *session, const Diag *diag, StrMap *by_sum) {
    Arena *arena = session->arena;
    const Str named = source_get(session, diag->span.source)->path;
    const Str path = str_slice(named, str_starts_with(named, STR("./")) ? STR("./").len : 0, named.len);
    const Str sum = fingerprint_of(arena, path, diag_row(diag->id)->code, fingerprint_line(session, diag));
    Seen *seen = str_map_get_mutable(by_sum, sum);
    if (seen == NULL) {
        seen = arena_new(arena, Seen);
        *seen = (Seen){ 0 };
        str_map_add(by_sum, sum, seen);
    }
    seen->count++;
    Data *fingerprints = data_map(arena);
    put(arena, fingerprints, "dtcLine/v1", data_string(arena, str_format(arena, "%.*s:%d", STR_ARG(sum), seen->count)));
    return fingerprints;
}

static Data *result_of(Session *session, const Diag *diag, int rule, StrMap *by_sum) {
    Arena *arena = session->arena;
    Data *result = data_map(arena);
    put(arena, result, "ruleId", text_of(arena, diag_row(diag->id)->code));
    put(arena, result, "ruleIndex", data_int(arena, rule));
    put(arena, result, "level", text_of(arena, severity_name(diag->severity)));
    put(arena, result, "message", message_of(arena, full_message(arena, diag)));
    if (!span_is_none(diag->span)) {
        Data *locations = data_list(arena);
        data_add(arena, locations, location_of(session, diag->span, diag->label));
        put(arena, result, "locations", locations);
        put(arena, result, "partialFingerprints", fingerprints_of(session, diag, by_sum));
    }
    Data *related = related_of(session, diag);
    if (related->count > 0) {
        put(arena, result, "relatedLocations", related);
    }
    if (diag->fixes.count > 0) {
        put(arena, result, "fixes", fixes_of(session, diag));
    }
    return result;
}

static Data *rule_of(Arena *arena, const DiagRow *row) {
    StrBuf words = { .arena = arena };
    for (const char *c = row->name; *c != 0; c++) {
        strbuf_add_char(&words, *c == '_' ? ' ' : *c);
    }
    Data *level = data_map(arena);
    put(arena, level, "level", text_of(arena, severity_name(row->severity)));
    Data *rule = data_map(arena);
    put(arena, rule, "id", text_of(arena, row->code));
    put(arena, rule, "name", text_of(arena, row->name));
    put(arena, rule, "shortDescription", message_of(arena, strbuf_str(&words)));
    put(arena, rule, "fullDescription", message_of(arena, str_of(diag_explanation(diag_id(row)))));
    put(arena, rule, "help",
        message_of(arena, str_format(arena, "%s\n\ndtc explain %s", diag_explanation(diag_id(row)), row->code)));
    put(arena, rule, "defaultConfiguration", level);
    return rule;
}

// Adds the rows that are used to `rules` and notes the index of each in `indices` (DIAG_COUNT of them).
static void add_rules(Arena *arena, const DiagList *list, Data *rules, int *indices) {
    bool *is_used = arena_new_array(arena, bool, DIAG_COUNT);
    for (uint32_t i = 0; i < list->count; i++) {
        is_used[list->items[i]->id] = true;
    }
    for (size_t id = 0; id < DIAG_COUNT; id++) {
        if (is_used[id]) {
            indices[id] = (int)rules->count;
            data_add(arena, rules, rule_of(arena, diag_row((DiagId)id)));
        }
    }
}

Str render_sarif(Session *session, const DiagList *list) {
    Arena *arena = session->arena;
    Data *rules = data_list(arena);
    int *indices = arena_new_array(arena, int, DIAG_COUNT);
    add_rules(arena, list, rules, indices);
    Data *results = data_list(arena);
    StrMap by_sum = { .arena = arena };
    for (uint32_t i = 0; i < list->count; i++) {
        data_add(arena, results, result_of(session, list->items[i], indices[list->items[i]->id], &by_sum));
    }

    Data *driver = data_map(arena);
    put(arena, driver, "name", text_of(arena, "dtc"));
    put(arena, driver, "version", text_of(arena, DTC_VERSION));
    put(arena, driver, "semanticVersion", text_of(arena, DTC_VERSION));
    put(arena, driver, "rules", rules);
    Data *tool = data_map(arena);
    put(arena, tool, "driver", driver);
    Data *run = data_map(arena);
    put(arena, run, "tool", tool);
    put(arena, run, "columnKind", text_of(arena, "unicodeCodePoints"));
    put(arena, run, "results", results);
    Data *runs = data_list(arena);
    data_add(arena, runs, run);
    Data *document = data_map(arena);
    put(arena, document, "$schema", text_of(arena, "https://json.schemastore.org/sarif-2.1.0.json"));
    put(arena, document, "version", text_of(arena, "2.1.0"));
    put(arena, document, "runs", runs);
    return json_write(arena, document);
}
