// The texts of explanations.def, help.def and retired.def.
#include "compiler/base/diag/prose.h"

#include "compiler/base/session.h"

#include <stddef.h>

// One object, and the place of each text in it: of so many pointers each would be moved whenever dtc starts.
typedef struct {
#define EXPLANATION(name, text) char name[sizeof(text)];
#include "compiler/base/diag/explanations.def"
#undef EXPLANATION
} Explanations;

static const Explanations EXPLANATIONS = {
#define EXPLANATION(name_, text) .name_ = text,
#include "compiler/base/diag/explanations.def"
#undef EXPLANATION
};

// A code without an explanation does not compile.
static const uint32_t PLACES[DIAG_COUNT] = {
#undef DIAG
#define DIAG(code, severity, nature, name, format) [DIAG_##name] = offsetof(Explanations, name),
#include "compiler/base/diag/codes.def"
#undef DIAG
};

enum {
#define EXPLANATION(name, text) PLACE_##name,
#include "compiler/base/diag/explanations.def"
#undef EXPLANATION
};

// Nor does an explanation without a code, or one that stands elsewhere than its code does.
enum {
    OUT_OF_ORDER = 0
#define EXPLANATION(name, text) +((int)PLACE_##name != (int)DIAG_##name)
#include "compiler/base/diag/explanations.def"
#undef EXPLANATION
};
_Static_assert(OUT_OF_ORDER == 0, "the rows of explanations.def have the order of codes.def");

static const char *const HELPS[DIAG_COUNT] = {
#define HELP(name, text) [DIAG_##name] = text,
#include "compiler/base/diag/help.def"
#undef HELP
};

const char *diag_explanation(DiagId id) {
    return (const char *)&EXPLANATIONS + PLACES[id];
}

void diag_add_format(StrBuf *out, const char *format) {
    for (const char *c = format; *c != '\0';) {
        if (*c != '%') {
            strbuf_add_char(out, *c++);
        } else if (c[1] == '%') {
            strbuf_add_char(out, '%');
            c += 2;
        } else {
            strbuf_add(out, STR("…"));
            c += 1 + strspn(c + 1, "-+ #0123456789.*hljzt");
            c += *c != '\0'; // the conversion itself
        }
    }
}

void diag_add_title(StrBuf *out, DiagId id) {
    if (id == DIAG_combination) {
        strbuf_add(out, STR("keys or values that a service or a tool refuses together"));
    } else if (id == DIAG_combination_harmful) {
        strbuf_add(out, STR("keys or values that do harm together, and are taken"));
    } else {
        diag_add_format(out, diag_row(id)->format);
    }
}

void diag_complete(Session *session, Diag *diag) {
    if (diag->helps.count == 0 && !diag->is_allowed && HELPS[diag->id] != NULL) {
        diag_help(session, diag, "%s", HELPS[diag->id]);
    }
}

void diags_complete(Session *session) {
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        diag_complete(session, session->diags.items.items[i]);
    }
}

const RetiredDiag *diag_find_retired(Str code) {
    static const RetiredDiag ROWS[] = {
#define RETIRED(code_, format_, month_) { .code = code_, .format = format_, .month = month_ },
#include "compiler/base/diag/retired.def"
#undef RETIRED
    };
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (str_is(code, ROWS[i].code)) {
            return &ROWS[i];
        }
    }
    return NULL;
}
