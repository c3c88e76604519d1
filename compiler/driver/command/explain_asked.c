// What stands behind `dtc explain DT0304`: the forms in which a fixture of the matrix has the fault, and dtc finds it.
#include "compiler/driver/command/explain.h"

#include "compiler/driver/output/print.h"

typedef enum {
#define FORM(name, title) FORM_##name,
#define ASKED(code, form)
#include "compiler/driver/command/asked.def"
#undef FORM
#undef ASKED
} Form;

static const char *const TITLES[] = {
#define FORM(name, title) [FORM_##name] = title,
#define ASKED(code, form)
#include "compiler/driver/command/asked.def"
#undef FORM
#undef ASKED
};

// The code stands in the row: of thousands of pointers each would be moved whenever dtc starts.
typedef struct {
    char code[sizeof("DT0000")];
    uint8_t form; // Form
} AskedRow;

static const AskedRow ROWS[] = {
#define FORM(name, title)
#define ASKED(code_, form_) { .code = code_, .form = FORM_##form_ },
#include "compiler/driver/command/asked.def"
#undef FORM
#undef ASKED
};

// How much of a title is that of the one before: "nodes of infra.dt on batch" and "… on eks" are one thing on two targets.
static size_t shared_head(Str title, Str before) {
    const Str sign = STR(" on ");
    const size_t end = str_find(title, sign, 0) + sign.len;
    return end < title.len && str_starts_with(before, str_slice(title, 0, end)) ? end : 0;
}

void explain_asked(Run *run, const char *code) {
    StrBuf text = { .arena = run->arena };
    Str before = STR_NONE;
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (strcmp(ROWS[i].code, code) != 0) {
            continue;
        }
        const Str title = str_of(TITLES[ROWS[i].form]);
        const size_t head = shared_head(title, before);
        strbuf_add(&text, before.len == 0 ? STR("dtc finds it in these forms of a group or a job: ")
                          : head > 0      ? STR(", ")
                                          : STR("; "));
        strbuf_add(&text, str_slice(title, head, title.len));
        before = title;
    }
    if (before.len > 0) {
        strbuf_add(&text, STR("."));
        strbuf_add(&run->out, STR("\n"));
        print_wrapped(&run->out, strbuf_str(&text), 0);
    }
}
