// A rule about functions of Lambda whose code stands in the template: CloudFormation puts it into a file `index`, and Lambda
// looks there for the handler.
// source: CloudFormation Template Reference, AWS::Lambda::Function Code, ZipFile; Lambda Developer Guide, Define Lambda function handler in
// Python and in Node.js, 2026-11, read 2026-12
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

// Words before the name of a handler, by the first letters of a runtime.
static const struct {
    const char *runtime;
    const char *before[6];
} WAYS[] = {
    { "python", { "def ", "import ", "", "", "", "" } },
    { "nodejs", { "exports.", "function ", "const ", "let ", "var ", "{ " } },
};

// Whether the code declares any function: a comment may be there for somebody to fill in.
static bool has_functions(Str code) {
    static const char *const WORDS[] = { "def ", "exports", "export ", "function" };
    return str_has_any(code, WORDS, COUNT_OF(WORDS));
}

// Whether the text ends in a word and the blank behind it, which may be a tab.
static bool ends_in_word(Str text, const char *word) {
    const size_t last = strlen(word) - 1;
    const bool is_blank = word[last] == ' ' && str_ends_with(text, STR("\t"));
    return is_blank ? str_ends_with(str_slice(text, 0, text.len - 1), (Str){ .data = word, .len = last })
                    : str_ends_with(text, str_of(word));
}

// Whether the code has the name where a declaration may have it. `import *` may bring in any.
static bool declares(Str code, Str runtime, Str name) {
    if (str_has(code, "import *") || str_has(code, "module.exports")) {
        return true;
    }
    for (size_t at = str_find(code, name, 0); at < code.len; at = str_find(code, name, at + 1)) {
        const bool is_whole = !char_is_of_name(str_at(code, at + name.len));
        const Str line = str_slice(code, 0, at);
        const Str rest = str_trim(str_slice(code, at + name.len, code.len));
        const bool is_set = str_at(rest, 0) == '=' && str_at(rest, 1) != '=';
        const char before = at == 0 ? '\n' : code.data[at - 1];
        for (size_t i = 0; i < COUNT_OF(WAYS) && is_whole; i++) {
            for (size_t k = 0; str_starts_with(runtime, str_of(WAYS[i].runtime)) && k < COUNT_OF(WAYS[i].before); k++) {
                const bool is_declared = WAYS[i].before[k][0] != '\0' && ends_in_word(line, WAYS[i].before[k]);
                if (is_declared || (is_set && !char_is_of_name(before))) {
                    return true;
                }
            }
        }
    }
    return false;
}

static Str code_of(const Value *properties) {
    const Value *text = object_get(object_get(properties, "Code"), "ZipFile");
    const Value *sub = object_get(text, "Fn::Sub");
    return sub == NULL ? object_text(text) : object_text(sub);
}

void rule_lambda_handler(const Rules *rules, const PlanResource *resource) {
    Session *session = rules->session;
    const Resource *raw = resource->resource;
    const Value properties = { .kind = VALUE_MAP, .map = { .entries = raw->properties, .count = raw->property_count } };
    const Value *handler = object_get(&properties, "Handler");
    const Str runtime = object_text(object_get(&properties, "Runtime"));
    const Str code = code_of(&properties);
    const Str text = object_text(handler);
    const size_t dot = str_find(text, STR("."), 0);
    const bool is_read = str_starts_with(runtime, STR("python")) || str_starts_with(runtime, STR("nodejs"));
    if (!str_is(raw->type, "AWS::Lambda::Function") || code.len == 0 || dot >= text.len || !is_read) {
        return;
    }
    const Str file = str_slice(text, 0, dot);
    const Str name = str_slice(text, dot + 1, text.len);
    if (!str_is(file, "index")) {
        Diag *diag = plan_report(session, resource->subject, handler->span, DIAG(lambda_handler), STR_ARG(text),
                                 "code of a template is in the file `index`");
        diag_help(session, diag, "write `index.%.*s`", STR_ARG(name));
    } else if (name.len > 0 && !str_has(name, ".") && has_functions(code) && !declares(code, runtime, name)) {
        Diag *diag = plan_report(session, resource->subject, handler->span, DIAG(lambda_handler), STR_ARG(text),
                                 "the code has no function of this name");
        diag_help(session, diag, "write the name of the function that is to be called");
    }
}
