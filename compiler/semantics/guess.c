// What may have been meant where a value or an attribute is wrong and nothing says how. The driver builds with each
// guess, and believes what all of these builds say (driver/mended.h). So guesses lie far apart.
#include "compiler/semantics/evaluator.h"

#include "compiler/base/pattern.h"

enum {
    GUESSES_MAX = 60,      // of one mistake: each costs a build
    GUESS_DEPTH_MAX = 3,   // of lists and arguments in each other
    GUESS_BYTES_MAX = 200, // of a text that is guessed
    GUESS_TEXTS_MAX = 6,   // of those that the files name
    // Tokens and items that are looked at, of all mistakes: some milliseconds. A program of 1 MB with one mistake has
    // as many; one with hundreds gets no further guesses.
    GUESS_STEPS_MAX = 50 * 1000,
};

typedef VEC(Str) Texts;

// Whether one more token or item may be looked at. Where not, a mistake has no guesses: some alone would say too much.
static bool may_look(Evaluator *evaluator) {
    const bool may = evaluator->guess_step_count < GUESS_STEPS_MAX;
    evaluator->guess_step_count += may ? 1 : 0;
    return may;
}

static void add_text(Arena *arena, Texts *texts, Str text) {
    bool is_there = text.len == 0 || text.len > GUESS_BYTES_MAX || texts->count >= GUESSES_MAX;
    for (uint32_t i = 0; i < texts->count && !is_there; i++) {
        is_there = str_equal(texts->items[i], text);
    }
    if (!is_there) {
        vec_push(arena, texts, text);
    }
}

static void add_words(Arena *arena, Texts *texts, const char *const *words, size_t count) {
    for (size_t i = 0; i < count && words[i] != NULL; i++) {
        add_text(arena, texts, str_of(words[i]));
    }
}

static void add_values(Evaluator *evaluator, Texts *texts, const Type *type, int depth);

// The texts of a file that have the form, or may have it: another block may name what is meant here.
static void add_written(Evaluator *evaluator, Texts *texts, const PatternRow *pattern, const File *file) {
    for (uint32_t i = 0; i < file->tokens.count && texts->count < GUESS_TEXTS_MAX && may_look(evaluator); i++) {
        const Token *token = &file->tokens.items[i];
        const bool has_form =
            token->kind == TOKEN_STRING && token->text.len > 0 && token->text.len <= GUESS_BYTES_MAX &&
            pattern_match(evaluator->session, str_of(pattern->pattern), token->text, NULL) == PATTERN_YES;
        if (has_form || (token->kind == TOKEN_STRING_HEAD && token->partner != TOKEN_NO_PARTNER)) {
            const uint32_t end = has_form ? token->end : file->tokens.items[token->partner].end;
            const Span span = { .source = file->source, .start = token->start, .end = end };
            add_text(evaluator->arena, texts, source_text(evaluator->session, span));
        }
    }
}

// The example, and another text of its form: what holds for both does not depend on the one.
static void add_examples(Evaluator *evaluator, Texts *texts, const PatternRow *pattern) {
    const Str example = str_of(pattern->example);
    add_text(evaluator->arena, texts, str_format(evaluator->arena, "\"%.*s\"", STR_ARG(example)));
    const char last = example.len > 0 ? example.data[example.len - 1] : '\0';
    const Str other = str_format(evaluator->arena, "%.*s%c", STR_ARG(str_slice(example, 0, example.len - 1)),
                                 last == '1' ? '2' : '1');
    if (last >= '0' && last <= '9' &&
        pattern_match(evaluator->session, str_of(pattern->pattern), other, NULL) == PATTERN_YES) {
        add_text(evaluator->arena, texts, str_format(evaluator->arena, "\"%.*s\"", STR_ARG(other)));
    }
}

// In a list the example is one too many, where the files have what is meant.
static void add_pattern(Evaluator *evaluator, Texts *texts, const PatternRow *pattern, bool is_in_list) {
    // With EFA and without, of each processor, with GPUs, Neuron and neither.
    static const char *const INSTANCES[] = { "\"p5.48xlarge\"",   "\"m7i.large\"", "\"c7g.large\"",
                                             "\"trn1.32xlarge\"", "\"g6.xlarge\"", "\"hpc7g.16xlarge\"" };
    if (strcmp(pattern->name, "instance_type") == 0) {
        add_words(evaluator->arena, texts, INSTANCES, COUNT_OF(INSTANCES));
    } else {
        for (uint32_t i = 0; i < evaluator->modules.count; i++) {
            if (!evaluator->modules.items[i]->is_library) {
                add_written(evaluator, texts, pattern, evaluator->modules.items[i]->file);
            }
        }
        if (!is_in_list || texts->count == 0) {
            add_examples(evaluator, texts, pattern);
        }
    }
}

// The blocks of a kind that stand at file level.
static void add_blocks(Evaluator *evaluator, Texts *texts, const char *kind) {
    const Items *items = &evaluator->modules.items[0]->file->items;
    for (uint32_t i = 0; i < items->count && texts->count < GUESS_TEXTS_MAX && may_look(evaluator); i++) {
        const Item *item = items->items[i];
        if (item->kind == ITEM_BLOCK && str_is(item->block.kind.text, kind) && item->block.label != NULL &&
            item->block.label->kind == EXPR_STRING) {
            add_text(evaluator->arena, texts,
                     str_format(evaluator->arena, "%s[\"%.*s\"]", kind, STR_ARG(item->block.label->string)));
        }
    }
}

// `tag(value)`, with each value of the first argument, and one of each other that must be there.
static void add_tags(Evaluator *evaluator, Texts *texts, const Type *tag, int depth) {
    Texts first = { 0 };
    StrBuf rest = { .arena = evaluator->arena };
    for (int i = 0; i < tag->option_count && !tag->options[i]->is_optional; i++) {
        Texts values = { 0 };
        add_values(evaluator, i == 0 ? &first : &values, tag->options[i], depth + 1);
        if (i > 0 && values.count > 0) {
            strbuf_add_format(&rest, ", %.*s", STR_ARG(values.items[0]));
        }
    }
    for (uint32_t i = 0; i < first.count; i++) {
        add_text(evaluator->arena, texts,
                 str_format(evaluator->arena, "%s(%.*s%.*s)", tag->name, STR_ARG(first.items[i]),
                            STR_ARG(strbuf_str(&rest))));
    }
}

// The list of each item, and that of all whose texts are known.
static void add_lists(Evaluator *evaluator, Texts *texts, const Type *element, int depth) {
    Texts items = { 0 };
    add_values(evaluator, &items, element, depth + 1);
    StrBuf all = { .arena = evaluator->arena };
    for (uint32_t i = 0; i < items.count; i++) {
        const Str item = items.items[i];
        add_text(evaluator->arena, texts, str_format(evaluator->arena, "[%.*s]", STR_ARG(item)));
        if (str_find(item, STR("${"), 0) == item.len) {
            strbuf_add_format(&all, "%s%.*s", all.len == 0 ? "" : ", ", STR_ARG(item));
        }
    }
    if (all.len > 0) {
        add_text(evaluator->arena, texts, str_format(evaluator->arena, "[%.*s]", STR_ARG(strbuf_str(&all))));
    }
}

// Values of a kind: all of few, and of many the ends.
static void add_ends(Arena *arena, Texts *texts, TypeKind kind) {
    enum { ENDS_MAX = 3 };
    static const char *const ENDS[][ENDS_MAX] = {
        [TYPE_BOOL] = { "true", "false" },           [TYPE_INT] = { "1", "2", "1000" },
        [TYPE_SIZE] = { "1GiB", "100GiB", "16TiB" }, [TYPE_RATE] = { "125MBps", "10000MBps" },
        [TYPE_DURATION] = { "1s", "1h", "30d" },     [TYPE_RANGE] = { "1", "0..8", "1000" },
    };
    add_words(arena, texts, ENDS[kind], ENDS_MAX);
}

static void add_values(Evaluator *evaluator, Texts *texts, const Type *type, int depth) {
    Arena *arena = evaluator->arena;
    if (depth > GUESS_DEPTH_MAX) {
        return;
    }
    switch (type->kind) {
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_SIZE:
    case TYPE_RATE:
    case TYPE_DURATION:
    case TYPE_RANGE:
        add_ends(arena, texts, type->kind);
        return;
    case TYPE_STRING:
        add_text(arena, texts, STR("\"a\""));
        return;
    case TYPE_PATTERN:
        add_pattern(evaluator, texts, type->pattern, depth > 0);
        return;
    case TYPE_WORD:
        add_text(arena, texts, str_of(type->name));
        return;
    case TYPE_TAG:
        add_tags(evaluator, texts, type, depth);
        return;
    case TYPE_LIST:
        add_lists(evaluator, texts, type->element, depth);
        return;
    case TYPE_UNION:
        for (int i = 0; i < type->option_count; i++) {
            add_values(evaluator, texts, type->options[i], depth);
        }
        return;
    case TYPE_BLOCK:
        add_blocks(evaluator, texts, type->name);
        return;
    case TYPE_ANY:
    case TYPE_MAP:
        return;
    }
}

// The params of the very type.
static void add_params(Evaluator *evaluator, Texts *texts, const Type *type) {
    const Items *items = &evaluator->modules.items[0]->file->items;
    for (uint32_t i = 0; i < items->count && type->name != NULL && may_look(evaluator); i++) {
        const Item *item = items->items[i];
        if (item->kind == ITEM_PARAM && item->param.type != NULL &&
            str_is(source_text(evaluator->session, item->param.type->span), type->name)) {
            add_text(evaluator->arena, texts, item->param.name.text);
        }
    }
    for (int i = 0; i < type->option_count && type->kind == TYPE_UNION; i++) {
        add_params(evaluator, texts, type->options[i]);
    }
}

void guess_value(Evaluator *evaluator, Diag *diag, Span span, const Type *type) {
    if (diag->is_dropped || diag->fixes.count > 0 || type == NULL) {
        return;
    }
    Texts texts = { 0 };
    add_params(evaluator, &texts, type);
    add_values(evaluator, &texts, type, 0);
    if (!may_look(evaluator)) {
        return;
    }
    for (uint32_t i = 0; i < texts.count; i++) {
        diag_guess(evaluator->session, diag, span, span, texts.items[i]);
    }
    if (texts.count > 0) {
        diag_guess(evaluator->session, diag, span, span, STR("null"));
    }
}

// Whether a value as it is written may be of a type.
static bool may_fit(const Expr *value, const Type *type) {
    switch (value->kind) {
    case EXPR_STRING:
    case EXPR_TEMPLATE:
        return type_find_kind(type, TYPE_STRING) != NULL || type_find_kind(type, TYPE_PATTERN) != NULL ||
               type->kind == TYPE_ANY;
    case EXPR_BOOL:
        return type_find_kind(type, TYPE_BOOL) != NULL;
    case EXPR_INT:
        return type_find_kind(type, TYPE_INT) != NULL || type_find_kind(type, TYPE_RANGE) != NULL;
    case EXPR_RANGE:
        return type_find_kind(type, TYPE_RANGE) != NULL;
    case EXPR_QUANTITY:
        return type_find_kind(type, TYPE_SIZE) != NULL || type_find_kind(type, TYPE_RATE) != NULL ||
               type_find_kind(type, TYPE_DURATION) != NULL;
    case EXPR_LIST:
        return type_find_kind(type, TYPE_LIST) != NULL;
    case EXPR_MAP:
        return type_find_kind(type, TYPE_MAP) != NULL;
    case EXPR_ERROR:
    case EXPR_NULL:
    case EXPR_NAME:
    case EXPR_CALL:
    case EXPR_FIELD:
    case EXPR_INDEX:
    case EXPR_UNARY:
    case EXPR_BINARY:
    case EXPR_CONDITIONAL:
        return true;
    }
    return true;
}

// The text of an item, with the comma behind it: blocks of one line separate items so.
static Span with_comma(const Session *session, Span span) {
    const Str text = source_get(session, span.source)->text;
    uint32_t end = span.end;
    while (str_at(text, end) == ' ') {
        end++;
    }
    span.end = str_at(text, end) == ',' ? end + 1 : span.end;
    return span;
}

void guess_absence(Evaluator *evaluator, Diag *diag, Span item) {
    if (!diag->is_dropped && diag->fixes.count == 0) {
        diag_guess(evaluator->session, diag, item, with_comma(evaluator->session, item), STR_NONE);
    }
}

// Before the brace that closes a block.
static Span end_of(const Item *block) {
    return (Span){ .source = block->span.source, .start = block->span.end - 1, .end = block->span.end - 1 };
}

// Whether an attribute may have been meant for a block: its kind has it, and the block does not say it.
static bool may_lack(const Item *block, Str attribute) {
    const KindRow *kind = block->kind == ITEM_BLOCK ? schema_kind(block->block.kind.text) : NULL;
    bool may = kind != NULL && schema_attribute(kind, attribute) >= 0;
    for (uint32_t i = 0; may && i < block->block.body.count; i++) {
        const Item *item = block->block.body.items[i];
        may = item->kind != ITEM_ATTRIBUTE || !str_equal(item->attribute.name.text, attribute);
    }
    return may;
}

void guess_place(Evaluator *evaluator, Diag *diag, const Item *block, const Item *outer, const Item *attribute) {
    const Str name = attribute->attribute.name.text;
    guess_absence(evaluator, diag, attribute->span);
    if (diag->is_dropped || diag->guesses.count == 0) {
        return;
    }
    const Str moved =
        str_format(evaluator->arena, "\n%.*s\n", STR_ARG(source_text(evaluator->session, attribute->span)));
    const Items *body = &block->block.body;
    const DiagFix absence = diag->guesses.items[0];
    bool is_moved = false;
    for (uint32_t i = 0; i <= body->count && may_look(evaluator); i++) {
        const Item *other = i < body->count ? body->items[i] : outer;
        if (other != NULL && may_lack(other, name)) {
            if (!is_moved) {
                diag_guess(evaluator->session, diag, diag->doubt, absence.span, STR_NONE);
            }
            is_moved = true;
            diag_guess_also(evaluator->session, diag, end_of(other), moved);
        }
    }
}

void guess_missing(Evaluator *evaluator, Diag *diag, const Item *block, const AttributeRow *row) {
    if (diag->is_dropped) {
        return;
    }
    Texts texts = { 0 };
    add_params(evaluator, &texts, row->type);
    add_values(evaluator, &texts, row->type, 0);
    for (uint32_t i = 0; may_look(evaluator) && i < texts.count; i++) {
        diag_guess(evaluator->session, diag, end_of(block), end_of(block),
                   str_format(evaluator->arena, "\n%s = %.*s\n", row->name, STR_ARG(texts.items[i])));
    }
}

void guess_attribute(Evaluator *evaluator, Diag *diag, const KindRow *kind, Span name, const Expr *value) {
    if (diag->is_dropped || diag->fixes.count > 0) {
        return;
    }
    const Span item = span_join(name, value->span);
    guess_absence(evaluator, diag, item);
    for (int i = 0; i < kind->attribute_count && diag->guesses.count < GUESSES_MAX; i++) {
        if (may_fit(value, kind->attributes[i].type)) {
            diag_guess(evaluator->session, diag, item, name, str_of(kind->attributes[i].name));
        }
    }
}
