// Any bytes as a source, in the one style: the same text but for blanks, line ends and commas. A source without mistakes
// is in the style after one turn, and has none in it.
#include "compiler/syntax/style.h"

#include "compiler/syntax/ast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

static bool is_bare(char c) {
    return c != '\0' && strchr(" ,\t\r\n", c) != NULL;
}

static size_t next_bare(Str text, size_t from) {
    while (from < text.len && is_bare(text.data[from])) {
        from++;
    }
    return from;
}

static void check_same(Str before, Str after) {
    size_t a = next_bare(before, str_starts_with(before, STR("\xEF\xBB\xBF")) ? 3 : 0);
    size_t b = next_bare(after, str_starts_with(after, STR("\xEF\xBB\xBF")) ? 3 : 0);
    while (a < before.len && b < after.len) {
        require(before.data[a] == after.data[b]);
        a = next_bare(before, a + 1);
        b = next_bare(after, b + 1);
    }
    require(a == before.len && b == after.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Session *session = session_create();
    const Str text = { .data = (const char *)data, .len = size };
    const Str once = style_apply(session, source_add(session, STR("fuzz.dt"), text));
    check_same(text, once);
    if (!has_errors(session)) {
        require(str_equal(once, style_apply(session, source_add(session, STR("again.dt"), once))));
        require(!has_errors(session));
    }
    session_destroy(session);
    return 0;
}
