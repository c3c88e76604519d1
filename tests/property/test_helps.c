// Follows the helps of every fixture: a help that names what to write, or what to take out, is done to the text, and the
// same message must not come again, nor another one. A help leaves open where the text goes, as people know. So each place
// is tried that the words can mean, and one has to do.
//
// A help in prose cannot be followed by a program. fixtures/helps.tsv has an edit for some of them, and a reason for each
// code whose helps name a text and cannot be followed. The rest is counted. `SAMPLE=N` tries one fixture of N.
#include "compiler/driver/lint/lint_file.h"
#include "compiler/driver/mended.h"

#include "compiler/base/edit.h"
#include "compiler/base/file.h"
#include "compiler/base/load.h"
#include "tests/support/check.h"
#include "tests/support/sample.h"

#include <glob.h>

typedef enum { FOLLOWED, BY_TABLE, PROSE, EXCUSED, WRONG, OUTCOME_COUNT } Outcome;

static const char *const OUTCOMES[OUTCOME_COUNT] = {
    [FOLLOWED] = "followed", [BY_TABLE] = "followed by an edit of the table",
    [PROSE] = "in prose",    [EXCUSED] = "named a text, and have a reason in the table",
    [WRONG] = "wrong",
};

typedef struct {
    Arena *arena;
    Str table; // fixtures/helps.tsv
    uint32_t counts[OUTCOME_COUNT];
} Tally;

// What came up in the last try that took the message away: where the help may lead to.
typedef struct {
    const char *code; // NULL: the message stayed in all of them
} Nearest;

typedef struct {
    Arena *arena;
    Nearest *nearest;
    Str path;
    bool is_foreign;
    Str text;
    const Session *before;
} Case;

// ---- one reading of a text -----------------------------------------------------------------------------------------

static Session *judge(const Case *the_case, Str text) {
    Session *session = session_create();
    Overlay *overlay = arena_new(session->arena, Overlay);
    const StandIn stand_in = { .path = the_case->path, .text = text };
    vec_push(session->arena, overlay, stand_in);
    session->overlay = overlay;
    if (!the_case->is_foreign) {
        const BuildRequest request = { .path = the_case->path };
        build_mended(session, &request);
        return session;
    }
    const uint32_t source = source_load(session, the_case->path, SPAN_NONE);
    const Beside alone = { .arena = session->arena };
    lint_file(session, source, FOREIGN_NONE, &alone);
    return session;
}

static uint32_t count_of(const Session *session, const Diag *diag) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        const Diag *other = session->diags.items.items[i];
        count += !other->is_allowed && other->id == diag->id;
    }
    return count;
}

static bool is_of_syntax(const Diag *diag) {
    static const char *const AREAS[] = { "DT01", "DT04", "DT09" };
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(AREAS); i++) {
        is = is || strncmp(diag_row(diag->id)->code, AREAS[i], 4) == 0;
    }
    return is;
}

// What the fault was the only use of: an `allow`, or a param.
static bool is_idle_now(const Diag *diag) {
    return diag->id == DIAG_allow_unused || diag->id == DIAG_param_unused;
}

// Whether a text has less of the code than before, and no code that was not there.
static bool is_better(const Case *the_case, const Diag *diag, Str text) {
    Session *after = judge(the_case, text);
    bool is = count_of(after, diag) < count_of(the_case->before, diag);
    for (uint32_t i = 0; i < after->diags.items.count && is; i++) {
        const Diag *other = after->diags.items.items[i];
        is = other->is_allowed || count_of(the_case->before, other) > 0 || is_idle_now(other);
        // A try in the wrong place breaks the syntax, and says nothing of the help.
        if (!is && !is_of_syntax(other)) {
            the_case->nearest->code = diag_row(other->id)->code;
        }
    }
    session_destroy(after);
    return is;
}

static Str spliced(const Case *the_case, size_t start, size_t end, Str instead) {
    return str_format(the_case->arena, "%.*s%.*s%.*s", STR_ARG(str_slice(the_case->text, 0, start)), STR_ARG(instead),
                      STR_ARG(str_slice(the_case->text, end, the_case->text.len)));
}

static bool try_splice(const Case *the_case, const Diag *diag, size_t start, size_t end, Str instead) {
    return is_better(the_case, diag, spliced(the_case, start, end, instead));
}

// ---- where a text may go -------------------------------------------------------------------------------------------

static size_t line_start(Str text, size_t at) {
    while (at > 0 && text.data[at - 1] != '\n') {
        at--;
    }
    return at;
}

static size_t line_end(Str text, size_t at) {
    return str_find(text, STR("\n"), at);
}

static Str indent_at(const Case *the_case, size_t at) {
    const size_t start = line_start(the_case->text, at);
    size_t end = start;
    while (end < the_case->text.len && the_case->text.data[end] == ' ') {
        end++;
    }
    return str_slice(the_case->text, start, end);
}

// The key of `KEY = VALUE` or `KEY: VALUE`; empty of another text.
static Str key_of(Str text) {
    const size_t equal = str_find(text, STR(" = "), 0);
    const size_t colon = str_find(text, STR(": "), 0);
    const size_t end = equal < colon ? equal : colon;
    return end < text.len ? str_slice(text, 0, end) : STR_NONE;
}

// The end of an entry that goes on at a place: brackets count, and so does what YAML indents deeper.
static size_t entry_end(Str text, size_t at) {
    int depth = 0;
    size_t end = at;
    for (; end < text.len; end++) {
        const char c = text.data[end];
        if (depth == 0 && (c == ',' || c == '\n' || c == '}' || c == ']' || c == ')')) {
            break;
        }
        depth += (c == '{' || c == '[' || c == '(') - (c == '}' || c == ']' || c == ')');
    }
    return end;
}

// The start of the value that a place is in: behind `: `, `= ` or `- `.
static size_t value_start(Str text, size_t at) {
    while (at > 1 && text.data[at - 1] != '\n' &&
           !(text.data[at - 1] == ' ' && strchr(":=-", text.data[at - 2]) != NULL)) {
        at--;
    }
    return at;
}

// The lines that YAML has below one, deeper than it.
static size_t end_of_deeper(const Case *the_case, size_t at) {
    const Str text = the_case->text;
    const size_t indent = indent_at(the_case, at).len;
    size_t end = line_end(text, at);
    while (end + 1 < text.len && indent_at(the_case, end + 1).len > indent) {
        end = line_end(text, end + 1);
    }
    return end;
}

// In place of a value of the key that is written: on the line of the fault, or anywhere.
static bool try_for_key(const Case *the_case, const Diag *diag, Str key, Str instead) {
    const Str text = the_case->text;
    for (size_t at = str_find(text, key, 0); at < text.len; at = str_find(text, key, at + 1)) {
        if (try_splice(the_case, diag, at, entry_end(text, at), instead) ||
            try_splice(the_case, diag, at, line_end(text, at), instead)) {
            return true;
        }
    }
    return false;
}

// On a line of its own, behind each line of the text, as deep as it and two deeper.
static bool try_as_line(const Case *the_case, const Diag *diag, Str line) {
    const Str text = the_case->text;
    for (size_t at = 0; at < text.len; at = line_end(text, at) + 1) {
        const size_t end = line_end(text, at);
        const Str indent = indent_at(the_case, at);
        const Str same = str_format(the_case->arena, "\n%.*s%.*s", STR_ARG(indent), STR_ARG(line));
        const Str deeper = str_format(the_case->arena, "\n%.*s  %.*s", STR_ARG(indent), STR_ARG(line));
        const bool opens = end > at && (text.data[end - 1] == '{' || text.data[end - 1] == ':');
        if (try_splice(the_case, diag, end, end, opens ? deeper : same)) {
            return true;
        }
    }
    return false;
}

// At the end of what stands in brackets.
static bool try_in_braces(const Case *the_case, const Diag *diag, Str entry) {
    const Str text = the_case->text;
    for (size_t at = 0; at < text.len; at++) {
        const Str with_comma = str_format(the_case->arena, ", %.*s", STR_ARG(entry));
        if ((text.data[at] == '}' || text.data[at] == ']') &&
            (try_splice(the_case, diag, at, at, with_comma) || try_splice(the_case, diag, at, at, entry))) {
            return true;
        }
    }
    return false;
}

// A text with the sign of a key and its value, in the words of the other kind of file.
static bool is_of_other_language(const Case *the_case, Str literal) {
    const Str sign = the_case->is_foreign ? STR(" = ") : STR(": ");
    return str_find(literal, sign, 0) < str_find(literal, STR("\""), 0);
}

static bool try_text(const Case *the_case, const Diag *diag, Str literal) {
    const Span span = diag->span;
    if (is_of_other_language(the_case, literal)) {
        return false;
    }
    Session *scratch = session_create();
    Diag fake = { .id = diag->id };
    const Source *source = source_get(the_case->before, span.source);
    const uint32_t number = source_add(scratch, source->path, source->text);
    diag_fix(scratch, &fake, (Span){ number, span.start, span.end }, literal);
    const Str quoted = str_copy(the_case->arena, fake.fixes.items[0].replacement);
    session_destroy(scratch);
    if (try_splice(the_case, diag, span.start, span.end, literal) ||
        try_splice(the_case, diag, span.start, span.end, quoted) ||
        try_splice(the_case, diag, span.start, span.end, str_format(the_case->arena, "\"%.*s\"", STR_ARG(literal))) ||
        try_splice(the_case, diag, span.start, span.start, literal) ||
        try_splice(the_case, diag, span.end, span.end, literal)) {
        return true;
    }
    const size_t start = value_start(the_case->text, span.start);
    if (try_splice(the_case, diag, start, entry_end(the_case->text, span.start), literal) ||
        try_splice(the_case, diag, start, end_of_deeper(the_case, span.start), literal)) {
        return true;
    }
    for (uint32_t i = 0; i < diag->labels.count; i++) {
        const Span label = diag->labels.items[i].span;
        if (label.source == span.source && try_splice(the_case, diag, label.start, label.end, literal)) {
            return true;
        }
    }
    const Str key = key_of(literal);
    return (key.len > 0 && try_for_key(the_case, diag, key, literal)) || try_in_braces(the_case, diag, literal) ||
           try_as_line(the_case, diag, literal);
}

// An entry, its line, or a block.
static bool try_without_at(const Case *the_case, const Diag *diag, size_t at, size_t end) {
    const Str text = the_case->text;
    size_t before = at;
    while (before > 0 && (text.data[before - 1] == ' ' || text.data[before - 1] == ',')) {
        before--;
    }
    const size_t last = entry_end(text, at);
    const size_t next = line_end(text, end);
    const size_t line = line_start(text, at);
    const size_t whole = line_end(text, entry_end(text, line));
    return try_splice(the_case, diag, line, next < text.len ? next + 1 : next, STR_NONE) ||
           try_splice(the_case, diag, at, end, STR_NONE) || try_splice(the_case, diag, before, last, STR_NONE) ||
           try_splice(the_case, diag, at, last + 1 < text.len ? last + 1 : last, STR_NONE) ||
           try_splice(the_case, diag, line, whole < text.len ? whole + 1 : whole, STR_NONE) ||
           try_splice(the_case, diag, line, end_of_deeper(the_case, at) + 1, STR_NONE);
}

// What the help names, wherever it stands, or what the message points to, and then with the key in front of it.
static bool try_without(const Case *the_case, const Diag *diag, Str word) {
    const Str text = the_case->text;
    if (word.len == 0) {
        size_t key = value_start(text, diag->span.start);
        while (key > 0 && strchr(" ,{\n", text.data[key - 1]) != NULL) {
            key--;
        }
        while (key > 0 && strchr(",{\n", text.data[key - 1]) == NULL) {
            key--;
        }
        return try_without_at(the_case, diag, diag->span.start, diag->span.end) ||
               try_splice(the_case, diag, key, entry_end(text, diag->span.start), STR_NONE) ||
               try_splice(the_case, diag, key > 0 ? key - 1 : 0, entry_end(text, diag->span.start), STR_NONE);
    }
    for (size_t at = str_find(text, word, 0); at < text.len; at = str_find(text, word, at + 1)) {
        if (try_without_at(the_case, diag, at, at + word.len)) {
            return true;
        }
    }
    return false;
}

// ---- helps ---------------------------------------------------------------------------------------------------------

static bool next_literal(Str help, size_t *at, Str *literal) {
    const size_t start = str_find(help, STR("`"), *at);
    const size_t end = start < help.len ? str_find(help, STR("`"), start + 1) : help.len;
    if (end >= help.len) {
        return false;
    }
    *literal = str_slice(help, start + 1, end);
    *at = end + 1;
    return true;
}

static bool begins_with_one_of(Str help, const char *const *beginnings, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (str_starts_with(help, str_of(beginnings[i]))) {
            return true;
        }
    }
    return false;
}

static bool names_text(Str help) {
    static const char *const BEGINNINGS[] = { "write `", "did you mean `", "a text stands in quotes: `", "it takes `" };
    return begins_with_one_of(help, BEGINNINGS, COUNT_OF(BEGINNINGS));
}

static bool takes_out(Str help) {
    static const char *const BEGINNINGS[] = { "leave it out", "leave `", "remove it", "remove `" };
    return begins_with_one_of(help, BEGINNINGS, COUNT_OF(BEGINNINGS));
}

static bool try_fixes(const Case *the_case, const Diag *diag) {
    Edits edits = { 0 };
    for (uint32_t i = 0; i < diag->fixes.count; i++) {
        const DiagFix *fix = &diag->fixes.items[i];
        (void)edits_add(the_case->arena, &edits,
                        (Edit){ .start = fix->span.start, .end = fix->span.end, .replacement = fix->replacement });
    }
    return edits.count > 0 && is_better(the_case, diag, edits_apply(the_case->arena, the_case->text, &edits));
}

// "did you mean `A`?", where the message points to a path, and names the part of it that is meant.
static bool try_part(const Case *the_case, const Diag *diag, Str help) {
    Str literal;
    Str part;
    size_t at = 0;
    if (!str_starts_with(help, STR("did you mean `")) || !next_literal(help, &at, &literal)) {
        return false;
    }
    for (at = 0; next_literal(diag->message, &at, &part);) {
        const size_t place = str_find(the_case->text, part, diag->span.start);
        if (part.len > 0 && place < diag->span.end && try_splice(the_case, diag, place, place + part.len, literal)) {
            return true;
        }
    }
    return false;
}

// "write `A` in place of `B`"
static bool try_in_place_of(const Case *the_case, const Diag *diag, Str help) {
    Str new_text = STR_NONE;
    Str old_text = STR_NONE;
    size_t at = 0;
    if (!next_literal(help, &at, &new_text) || !str_starts_with(str_slice(help, at, help.len), STR(" in place of `")) ||
        !next_literal(help, &at, &old_text)) {
        return false;
    }
    const size_t place = str_find(the_case->text, old_text, diag->span.start);
    return place < diag->span.end && try_splice(the_case, diag, place, place + old_text.len, new_text);
}

// Whether each text of a help has a part that the author fills in.
static bool is_to_be_filled_in(Str help) {
    static const char *const PARTS[] = {
        "…", "NAME", "ZONE", "CLUSTER", "REGISTRY", "BUCKET", "SHA-256", "condition ?"
    };
    Str literal;
    uint32_t filled = 0;
    uint32_t count = 0;
    for (size_t at = 0; next_literal(help, &at, &literal); count++) {
        bool is = false;
        for (size_t i = 0; i < COUNT_OF(PARTS); i++) {
            is = is || str_find(literal, str_of(PARTS[i]), 0) < literal.len;
        }
        filled += is;
    }
    return count > 0 && filled > 0;
}

// Whether what follows these words is to be written: any other text says where, or what is there.
static bool is_to_be_written(Str before) {
    static const char *const ENDS[] = { "write ", "or ", ", ", "mean ", "quotes: ", "takes ", "item ", "alone: " };
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(ENDS); i++) {
        is = is || str_ends_with(before, str_of(ENDS[i]));
    }
    return is;
}

static bool follow(const Case *the_case, const Diag *diag, Str help) {
    Str literal = STR_NONE;
    size_t at = 0;
    if (try_fixes(the_case, diag) || try_in_place_of(the_case, diag, help) || try_part(the_case, diag, help)) {
        return true;
    }
    if (str_find(help, STR("leave it out"), 0) < help.len || str_find(help, STR("remove it"), 0) < help.len ||
        str_find(help, STR("remove the"), 0) < help.len) {
        if (try_without(the_case, diag, STR_NONE)) {
            return true;
        }
    }
    while (next_literal(help, &at, &literal)) {
        const Str before = str_slice(help, 0, at - literal.len - 2);
        const bool is_out = str_ends_with(before, STR("leave ")) || str_ends_with(before, STR("remove "));
        if (literal.len > 0 && ((is_out && try_without(the_case, diag, literal)) ||
                                (is_to_be_written(before) && try_text(the_case, diag, literal)))) {
            return true;
        }
    }
    return false;
}

// The line of the table with a code and a fixture, or "*" for each; from behind the two. Empty without.
static Str row_of(const Tally *tally, const char *code, Str fixture) {
    Str line;
    for (size_t at = 0; at < tally->table.len;) {
        const size_t end = str_find(tally->table, STR("\n"), at);
        line = str_slice(tally->table, at, end);
        at = end + 1;
        const size_t first = str_find(line, STR("\t"), 0);
        const size_t second = str_find(line, STR("\t"), first + 1);
        const Str where = str_slice(line, first + 1, second);
        if (second < line.len && str_is(str_slice(line, 0, first), code) &&
            (str_is(where, "*") || str_equal(where, fixture))) {
            return str_slice(line, second + 1, line.len);
        }
    }
    return STR_NONE;
}

static Str unescaped(Arena *arena, Str text) {
    StrBuf out = { .arena = arena };
    for (size_t i = 0; i < text.len; i++) {
        const bool is_line_end = text.data[i] == '\\' && i + 1 < text.len && text.data[i + 1] == 'n';
        strbuf_add_char(&out, is_line_end ? '\n' : text.data[i]);
        i += is_line_end ? 1 : 0;
    }
    return strbuf_str(&out);
}

// "FROM => TO" of the table.
static bool follow_row(const Case *the_case, const Diag *diag, Str row) {
    const size_t arrow = str_find(row, STR(" => "), 0);
    const Str from = unescaped(the_case->arena, str_slice(row, 0, arrow));
    const Str to = unescaped(the_case->arena, str_slice(row, arrow + 4, row.len));
    const size_t at = str_find(the_case->text, from, 0);
    return at < the_case->text.len && try_splice(the_case, diag, at, at + from.len, to);
}

static Outcome follow_help(const Tally *tally, const Case *the_case, const Diag *diag, Str help) {
    const Str row = row_of(tally, diag_row(diag->id)->code, str_after_last(the_case->path, '/'));
    if (str_find(row, STR(" => "), 0) < row.len) {
        return follow_row(the_case, diag, row) ? BY_TABLE : WRONG;
    }
    if (!names_text(help) && !takes_out(help)) {
        return PROSE;
    }
    if (follow(the_case, diag, help)) {
        return FOLLOWED;
    }
    return is_to_be_filled_in(help) ? PROSE : row.len > 0 ? EXCUSED : WRONG;
}

static void check_diag(Tally *tally, const Case *the_case, const Diag *diag) {
    const bool is_here =
        diag->span.source != 0 && str_equal(source_get(the_case->before, diag->span.source)->path, the_case->path);
    for (uint32_t i = 0; i < diag->helps.count && is_here && !diag->is_allowed; i++) {
        *the_case->nearest = (Nearest){ 0 };
        const Outcome outcome = follow_help(tally, the_case, diag, diag->helps.items[i]);
        tally->counts[outcome]++;
        if (outcome == WRONG) {
            print_error("%.*s: %s: help: %.*s (%s)\n", STR_ARG(the_case->path), diag_row(diag->id)->code,
                        STR_ARG(diag->helps.items[i]),
                        the_case->nearest->code == NULL ? "the message stays" : the_case->nearest->code);
        }
    }
}

// ---- fixtures ------------------------------------------------------------------------------------------------------

static void check_fixture(Tally *tally, const char *path, bool is_foreign) {
    Session *session = session_create();
    Nearest nearest;
    Case the_case = { .arena = session->arena, .nearest = &nearest, .path = str_of(path), .is_foreign = is_foreign };
    size_t bad;
    assert_null(file_read(session->arena, the_case.path, SOURCE_BYTES_MAX, &the_case.text));
    if (str_is_utf8(the_case.text, &bad) && memchr(the_case.text.data, 0, the_case.text.len) == NULL &&
        the_case.text.len < 20000) {
        Session *before = judge(&the_case, the_case.text);
        the_case.before = before;
        for (uint32_t i = 0; i < before->diags.items.count; i++) {
            check_diag(tally, &the_case, before->diags.items.items[i]);
        }
        session_destroy(before);
    }
    session_destroy(session);
}

static void check_fixtures(const char *pattern, bool is_foreign) {
    Arena *arena = arena_create();
    Tally tally = { .arena = arena };
    assert_null(file_read(arena, STR("fixtures/helps.tsv"), SOURCE_BYTES_MAX, &tally.table));
    glob_t found;
    assert_int_equal(glob(pattern, GLOB_BRACE, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i += sample_size()) {
        check_fixture(&tally, found.gl_pathv[i], is_foreign);
    }
    globfree(&found);
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        print_message("%" PRIu32 " helps %s\n", tally.counts[i], OUTCOMES[i]);
    }
    assert_true(tally.counts[FOLLOWED] > 100 / sample_size());
    assert_int_equal(tally.counts[WRONG], 0);
    arena_destroy(arena);
}

static void test_a_help_of_the_language_leads_to_no_other_mistake(void **state) {
    (void)state;
    check_fixtures("fixtures/invalid/DT*.dt", false);
}

static void test_a_help_of_a_file_of_others_leads_to_no_other_mistake(void **state) {
    (void)state;
    check_fixtures("fixtures/foreign/DT*.{yaml,dockerfile}", true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_help_of_the_language_leads_to_no_other_mistake),
        cmocka_unit_test(test_a_help_of_a_file_of_others_leads_to_no_other_mistake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
