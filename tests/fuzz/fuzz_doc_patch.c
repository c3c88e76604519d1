// A path of a patch is text from outside. The first byte chooses whether the patch sets or removes, the rest is the
// path. Whatever it is, the document can be written, and a refused patch says so once and changes nothing.
#include "emitters/doc/doc.h"

#include "compiler/base/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const Origin ORIGIN = { .kind = ORIGIN_CONSTANT, .name = "fuzz", .text = "because of the test" };

static DocNode *text(Doc *doc, const char *value) {
    return doc_string(doc, str_of(value), &ORIGIN);
}

// One of everything that a step may meet.
static Doc *make_document(Session *session) {
    Doc *doc = doc_create(session, session->arena);
    DocNode *root = doc_root(doc);
    DocNode *list = doc_put(doc, root, STR("l"), doc_list(doc));
    DocNode *item = doc_add(doc, list, doc_map(doc));
    doc_put(doc, item, STR("N"), text(doc, "w"));
    doc_put(doc, item, STR("a.b"), doc_int(doc, 1, &ORIGIN));
    doc_add(doc, list, doc_list(doc));
    DocNode *arguments = doc_list(doc);
    doc_add(doc, arguments, text(doc, "C"));
    doc_add(doc, arguments, doc_call(doc, CALL_REF, text(doc, "X")));
    doc_put(doc, root, STR("c"), doc_call(doc, CALL_IF, arguments));
    doc_put(doc, root, STR("b"), doc_block(doc, STR("x\ny\n"), &ORIGIN));
    return doc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    Session *session = session_create();
    Doc *doc = make_document(session);
    const Str before = yaml_write(session->arena, doc, STR_NONE, NULL);
    const Str path = { .data = (const char *)data + 1, .len = size - 1 };
    size_t bad;
    if (str_is_utf8(path, &bad)) {
        const bool is_done = doc_patch(doc, path, SPAN_NONE, data[0] % 2 == 0 ? text(doc, "new") : NULL);
        DocLines lines = { 0 };
        const Str after = yaml_write(session->arena, doc, STR_NONE, &lines);
        doc_json_write(session->arena, doc, NULL);
        if (session->diags.items.count != (is_done ? 0 : 1) || (!is_done && !str_equal(before, after))) {
            abort();
        }
        // Every leaf's own path leads back to it.
        for (uint32_t i = 0; i < lines.count; i++) {
            if (!doc_patch(doc, lines.items[i].path, SPAN_NONE, text(doc, "again"))) {
                abort();
            }
        }
    }
    session_destroy(session);
    return 0;
}
