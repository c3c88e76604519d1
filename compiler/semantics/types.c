// Types as a param writes them, and questions about types: which words and tags they admit, and how messages write
// them.
#include "compiler/semantics/evaluator.h"

#include "compiler/base/pattern.h"
#include "compiler/base/suggest.h"

static Type *wrap(Arena *arena, TypeKind kind, const Type *element, const char *name) {
    Type *type = arena_new(arena, Type);
    *type = (Type){ .kind = kind, .name = name, .element = element };
    return type;
}

static const Type *type_optional(Arena *arena, const Type *type) {
    Type *copy = arena_new(arena, Type);
    *copy = *type;
    copy->is_optional = true;
    return copy;
}

static const Type *unknown_type(Evaluator *evaluator, const TypeExpr *expr) {
    Suggestion suggestion = suggest_for(evaluator->session, expr->name.text);
    for (int i = 0; i < PATTERN_ROW_COUNT; i++) {
        suggest_offer(&suggestion, str_of(PATTERN_ROWS[i].name));
    }
    static const char *const BASIC_NAMES[] = { "bool",     "int",   "string", "size", "rate",
                                               "duration", "range", "list",   "map" };
    for (size_t i = 0; i < COUNT_OF(BASIC_NAMES); i++) {
        suggest_offer(&suggestion, str_of(BASIC_NAMES[i]));
    }
    Diag *diag = report(evaluator->session, expr->name.span, DIAG(unknown_type), STR_ARG(expr->name.text));
    if (str_ends_with(expr->name.text, STR("s")) && suggestion.best.len > 0) {
        // `zones` may be `zone` misspelt, or a `list(zone)`.
        diag_help(evaluator->session, diag, "did you mean `%.*s`?", STR_ARG(suggestion.best));
    } else {
        suggest_say(evaluator->session, diag, &suggestion, expr->name.span);
    }
    diag_note(evaluator->session, diag, "`dtc explain types` lists all");
    return NULL;
}

const Type *type_from_expr(Evaluator *evaluator, const TypeExpr *expr) {
    bool is_list = str_is(expr->name.text, "list");
    bool takes_argument = is_list || str_is(expr->name.text, "map");
    if (takes_argument != (expr->argument != NULL)) {
        report(evaluator->session, expr->span, DIAG(type_argument), STR_ARG(expr->name.text),
               takes_argument ? "takes the type of its items, as in `list(string)`" : "takes no argument");
        return NULL;
    }
    const Type *type = NULL;
    if (takes_argument) {
        const Type *element = type_from_expr(evaluator, expr->argument);
        if (element == NULL) {
            return NULL;
        }
        const char *name =
            str_c(evaluator->arena, str_format(evaluator->arena, "%s(%s)", is_list ? "list" : "map", element->name));
        type = wrap(evaluator->arena, is_list ? TYPE_LIST : TYPE_MAP, element, name);
    } else {
        type = schema_named_type(expr->name.text);
    }
    if (type == NULL) {
        return unknown_type(evaluator, expr);
    }
    return expr->is_optional ? type_optional(evaluator->arena, type) : type;
}

const Type *type_find_kind(const Type *type, TypeKind kind) {
    if (type == NULL || type->kind == kind) {
        return type;
    }
    for (int i = 0; i < type->option_count; i++) {
        if (type->options[i]->kind == kind) {
            return type->options[i];
        }
    }
    return NULL;
}

const Type *type_any_tag(Str name) {
    for (int i = 0; i < KIND_COUNT; i++) {
        for (int j = 0; j < KIND_ROWS[i].attribute_count; j++) {
            const Type *tag = schema_find_tag(KIND_ROWS[i].attributes[j].type, name);
            if (tag != NULL) {
                return tag;
            }
        }
    }
    return NULL;
}

const Type *type_of_argument(const Type *tag, uint32_t number) {
    return tag != NULL && number < (uint32_t)tag->option_count ? tag->options[number] : NULL;
}

void type_offer_words(const Type *type, Suggestion *suggestion) {
    if (type == NULL) {
        return;
    }
    if (type->kind == TYPE_WORD || type->kind == TYPE_TAG) {
        suggest_offer(suggestion, str_of(type->name));
    }
    if (type->kind == TYPE_LIST || type->kind == TYPE_MAP) {
        type_offer_words(type->element, suggestion);
    }
    for (int i = 0; i < type->option_count; i++) {
        type_offer_words(type->options[i], suggestion);
    }
}

bool type_is_text(const Type *type) {
    return type->kind == TYPE_STRING || type->kind == TYPE_PATTERN;
}

static const char *const TYPE_PHRASES[] = {
    [TYPE_ANY] = "any value",
    [TYPE_BOOL] = "a bool (`true` or `false`)",
    [TYPE_INT] = "an int",
    [TYPE_STRING] = "a string",
    [TYPE_SIZE] = "a size such as `500GiB`",
    [TYPE_RATE] = "a rate such as `250MBps`",
    [TYPE_DURATION] = "a duration such as `10min`",
    [TYPE_RANGE] = "a range such as `1..4`",
    [TYPE_PATTERN] = NULL,
    [TYPE_LIST] = NULL,
    [TYPE_MAP] = NULL,
    [TYPE_BLOCK] = NULL,
    [TYPE_WORD] = NULL,
    [TYPE_TAG] = NULL,
    [TYPE_UNION] = NULL,
};

// Any name has the form of a loose one, such as that of a key pair.
static bool is_loose(Evaluator *evaluator, const PatternRow *pattern) {
    return pattern_match(evaluator->session, str_of(pattern->pattern), STR("name"), NULL) == PATTERN_YES;
}

bool type_knows_text(Evaluator *evaluator, const Type *type, Str text) {
    bool knows = type != NULL && type->kind == TYPE_PATTERN && !is_loose(evaluator, type->pattern) &&
                 pattern_match(evaluator->session, str_of(type->pattern->pattern), text, NULL) == PATTERN_YES;
    for (int i = 0; type != NULL && type->kind == TYPE_UNION && i < type->option_count && !knows; i++) {
        knows = type_knows_text(evaluator, type->options[i], text);
    }
    return knows;
}

static const char *article(const char *name) {
    return memchr("aeiou", name[0], 5) != NULL ? "an" : "a";
}

static void describe(StrBuf *out, const Type *type) {
    switch (type->kind) {
    case TYPE_ANY:
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_STRING:
    case TYPE_SIZE:
    case TYPE_RATE:
    case TYPE_DURATION:
    case TYPE_RANGE:
        strbuf_add(out, str_of(TYPE_PHRASES[type->kind]));
        return;
    case TYPE_PATTERN:
        strbuf_add_format(out, "%s `%s` such as \"%s\"", article(type->pattern->name), type->pattern->name,
                          type->pattern->example);
        return;
    case TYPE_LIST:
    case TYPE_MAP:
        strbuf_add(out, type->kind == TYPE_LIST ? STR("a list, each item ") : STR("a map, each value "));
        describe(out, type->element);
        return;
    case TYPE_BLOCK:
        strbuf_add_format(out, "the name of %s `%s` block", article(type->name), type->name);
        return;
    case TYPE_WORD:
        strbuf_add_format(out, "`%s`", type->name);
        return;
    case TYPE_TAG:
        strbuf_add_format(out, "`%s(…)`", type->name);
        return;
    case TYPE_UNION:
        for (int i = 0; i < type->option_count; i++) {
            strbuf_add(out, i == 0 ? STR("") : i + 1 < type->option_count ? STR(", ") : STR(" or "));
            describe(out, type->options[i]);
        }
        return;
    }
}

Str type_describe(Arena *arena, const Type *type) {
    StrBuf out = { .arena = arena };
    describe(&out, type);
    return strbuf_str(&out);
}

Str type_describe_arguments(Arena *arena, const Type *tag) {
    StrBuf out = { .arena = arena };
    strbuf_add(&out, tag->option_count == 1 ? STR("one argument, ") : STR_NONE);
    for (int i = 0; i < tag->option_count; i++) {
        strbuf_add(&out, i == 0 ? STR_NONE : tag->options[i]->is_optional ? STR(", then perhaps ") : STR(", then "));
        describe(&out, tag->options[i]);
    }
    return strbuf_str(&out);
}
