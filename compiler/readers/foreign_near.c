// Knows a kind by one of its keys, where the other one is missing.
#include "compiler/readers/foreign_near.h"

#include "compiler/base/suggest.h"

typedef struct {
    ForeignKind kind;
    const char *has;   // this key says what the file is
    const char *lacks; // this one has to be there as well
    bool is_certain;   // nothing else has the first one; else the other must be there with another spelling
} NearRow;

static const NearRow ROWS[] = {
    { FOREIGN_CLOUDFORMATION, "AWSTemplateFormatVersion", "Resources", true },
    { FOREIGN_PARALLELCLUSTER, "HeadNode", "Scheduling", false },
    { FOREIGN_PARALLELCLUSTER, "Scheduling", "HeadNode", false },
};

// Macros may add a section.
static bool is_open(const Data *document) {
    return data_get(document, "Transform") != NULL || data_get(document, "Fn::Transform") != NULL;
}

// The key that was to be `wanted`; NULL: none is sure to be.
static const DataEntry *misspelt(Session *session, const Data *document, const char *wanted) {
    for (uint32_t i = 0; i < document->count; i++) {
        Suggestion suggestion = suggest_for(session, document->entries[i].key);
        suggest_offer(&suggestion, str_of(wanted));
        if (suggest_is_sure(&suggestion)) {
            return &document->entries[i];
        }
    }
    return NULL;
}

ForeignKind foreign_report_near(Session *session, const Data *document) {
    for (size_t i = 0; document->kind == DATA_MAP && i < COUNT_OF(ROWS); i++) {
        const NearRow *row = &ROWS[i];
        const DataEntry *mark = data_entry(document, row->has);
        const DataEntry *empty = data_entry(document, row->lacks);
        if (mark == NULL || is_open(document) ||
            (empty != NULL && (empty->value->kind == DATA_MAP || !row->is_certain))) {
            continue;
        }
        const DataEntry *near = empty == NULL ? misspelt(session, document, row->lacks) : NULL;
        if (near == NULL && !row->is_certain) {
            continue;
        }
        const Span span = near != NULL ? near->key_span : empty != NULL ? empty->key_span : mark->key_span;
        Diag *diag = report(session, span, DIAG(kind_lacks_key), FOREIGN_ROWS[row->kind].title, row->lacks);
        if (near == NULL) {
            diag_help(session, diag, "write `%s`, with at least one entry", row->lacks);
        } else {
            diag_help(session, diag, "did you mean `%s`?", row->lacks);
            diag_fix(session, diag, span, str_of(row->lacks));
        }
        return row->kind;
    }
    return FOREIGN_NONE;
}
