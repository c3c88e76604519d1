// What a foreign file consists of.
#include "compiler/readers/foreign_file.h"

#include "compiler/readers/foreign_subject.h"

static void add_piece(Session *session, PlanFile *file, const Subject *subject, const DataEntry *entry) {
    const Span whole = span_join(entry->key_span, entry->value->span);
    vec_push(session->arena, &file->pieces,
             (PlanPiece){ .subject = foreign_subject(session, subject, entry->key_span, whole),
                          .key = entry->key,
                          .type = data_text(entry->value, "Type"),
                          .data = entry->value });
}

static void add_template(Session *session, PlanFile *file, const Subject *subject, const Data *document) {
    for (uint32_t i = 0; i < document->count; i++) {
        const DataEntry *section = &document->entries[i];
        const bool is_resources = str_is(section->key, "Resources") && section->value->kind == DATA_MAP;
        if (!is_resources) {
            add_piece(session, file, subject, section);
        }
        for (uint32_t k = 0; is_resources && k < section->value->count; k++) {
            add_piece(session, file, subject, &section->value->entries[k]);
        }
    }
}

void foreign_add_document(Session *session, PlanFile *file, const Subject *subject, const Data *document) {
    if (file->form == FILE_TEMPLATE) {
        add_template(session, file, subject, document);
        return;
    }
    vec_push(
        session->arena, &file->pieces,
        (PlanPiece){ .subject = foreign_subject(session, subject, document->span, document->span), .data = document });
}
