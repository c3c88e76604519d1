// The built-in functions. All are pure and total over known values. `len`, `contains` and `merge` also take collections
// that hold late values, because they do not look at those values. (`script`, `ssm` and `taint` are tags of an
// attribute's type.)
#include "compiler/semantics/builtins.h"

#include "compiler/base/pattern.h"
#include "compiler/base/suggest.h"

typedef struct {
    Evaluator *evaluator;
    const Expr *expr;
    const Env *env;
    const char *signature;
    const Value *arguments[BUILTIN_ARGUMENTS_MAX];
    int count;
    const Origin *origin;
} Call;

static const Value *fail(const Call *call) {
    return make_error(call->evaluator, call->expr->span);
}

// What a function cannot work on is shown in the call, wherever the value comes from.
static Span argument_span(const Call *call, int index) {
    return call->expr->call.arguments.items[index]->span;
}

static const Value *wrong_argument(const Call *call, int index, const char *wanted) {
    Diag *diag = report(call->evaluator->session, argument_span(call, index), DIAG(argument_type), index + 1,
                        STR_ARG(call->expr->call.function.text), wanted, value_describe(call->arguments[index]));
    diag_note(call->evaluator->session, diag, "%s", call->signature);
    return fail(call);
}

// An argument of the wrong kind, reported; true where it is right.
static bool expect(const Call *call, int index, ValueKind kind) {
    if (call->arguments[index]->kind == kind) {
        return true;
    }
    const Value wanted = { .kind = kind };
    wrong_argument(call, index, value_describe(&wanted));
    return false;
}

static const Value *string_result(const Call *call, const StrBuf *text) {
    return make_string(call->evaluator, call->expr->span, call->origin, strbuf_str(text));
}

static const Value *builtin_len(const Call *call) {
    const Value *argument = call->arguments[0];
    int64_t count = 0;
    if (argument->kind == VALUE_LIST) {
        count = argument->list.count;
    } else if (argument->kind == VALUE_MAP) {
        count = argument->map.count;
    } else if (argument->kind == VALUE_STRING) {
        count = (int64_t)str_count_characters(argument->string);
    } else {
        return wrong_argument(call, 0, "a list, a map or a string");
    }
    return make_int(call->evaluator, call->expr->span, call->origin, count);
}

static const Value *builtin_join(const Call *call) {
    if (!expect(call, 0, VALUE_STRING) || !expect(call, 1, VALUE_LIST)) {
        return fail(call);
    }
    StrBuf text = { .arena = call->evaluator->arena };
    const Value *list = call->arguments[1];
    for (uint32_t i = 0; i < list->list.count && text.len <= STRING_BYTES_MAX; i++) {
        const Value *item = list->list.items[i];
        if (item->kind == VALUE_LATE || item->kind == VALUE_RESOURCE) {
            return late_operand(call->evaluator, call->expr->call.arguments.items[1], item, "join");
        }
        Str piece = STR_NONE;
        if (!evaluate_text(call->evaluator, item, &piece)) {
            report(call->evaluator->session, item->span, DIAG(no_text), value_describe(item));
            return fail(call);
        }
        strbuf_add(&text, i == 0 ? STR_NONE : call->arguments[0]->string);
        strbuf_add(&text, piece);
    }
    return string_result(call, &text);
}

typedef VEC(const Value *) Pieces;

static void add_piece(const Call *call, Pieces *pieces, Str text) {
    vec_push(call->evaluator->arena, pieces, make_string(call->evaluator, call->expr->span, call->origin, text));
}

static const Value *builtin_split(const Call *call) {
    if (!expect(call, 0, VALUE_STRING) || !expect(call, 1, VALUE_STRING)) {
        return fail(call);
    }
    Str separator = call->arguments[0]->string;
    Str text = call->arguments[1]->string;
    if (separator.len == 0) {
        report(call->evaluator->session, argument_span(call, 0), DIAG(empty_argument), "the separator of `split`");
        return fail(call);
    }
    Pieces pieces = { 0 };
    for (size_t start = 0; start <= text.len && !call->evaluator->is_exhausted;) {
        size_t end = str_find(text, separator, start);
        add_piece(call, &pieces, str_slice(text, start, end));
        start = end + separator.len;
    }
    return make_list(call->evaluator, call->expr->span, NULL, pieces.items, pieces.count);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const Value *builtin_words(const Call *call) {
    if (!expect(call, 0, VALUE_STRING)) {
        return fail(call);
    }
    Str text = call->arguments[0]->string;
    Pieces pieces = { 0 };
    for (size_t i = 0; i < text.len && !call->evaluator->is_exhausted;) {
        size_t start = i;
        while (i < text.len && !is_blank(text.data[i])) {
            i++;
        }
        if (i > start) {
            add_piece(call, &pieces, str_slice(text, start, i));
        }
        i++;
    }
    return make_list(call->evaluator, call->expr->span, NULL, pieces.items, pieces.count);
}

static const Value *builtin_replace(const Call *call) {
    if (!expect(call, 0, VALUE_STRING) || !expect(call, 1, VALUE_STRING) || !expect(call, 2, VALUE_STRING)) {
        return fail(call);
    }
    Str text = call->arguments[0]->string;
    Str from = call->arguments[1]->string;
    if (from.len == 0) {
        report(call->evaluator->session, argument_span(call, 1), DIAG(empty_argument),
               "the text that `replace` looks for");
        return fail(call);
    }
    StrBuf result = { .arena = call->evaluator->arena };
    for (size_t start = 0; start < text.len && result.len <= STRING_BYTES_MAX;) {
        size_t end = str_find(text, from, start);
        strbuf_add(&result, str_slice(text, start, end));
        strbuf_add(&result, end < text.len ? call->arguments[2]->string : STR_NONE);
        start = end + from.len;
    }
    return string_result(call, &result);
}

static const Value *builtin_lower(const Call *call) {
    if (!expect(call, 0, VALUE_STRING)) {
        return fail(call);
    }
    StrBuf result = { .arena = call->evaluator->arena };
    Str text = call->arguments[0]->string;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        strbuf_add_char(&result, c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
    }
    return string_result(call, &result);
}

static const Value *builtin_contains(const Call *call) {
    const Value *where = call->arguments[0];
    const Value *what = call->arguments[1];
    bool is_there = false;
    if (where->kind == VALUE_LIST) {
        for (uint32_t i = 0; i < where->list.count && !is_there; i++) {
            is_there = value_equal(where->list.items[i], what);
        }
    } else if (where->kind != VALUE_MAP && where->kind != VALUE_STRING) {
        return wrong_argument(call, 0, "a list, a map or a string");
    } else if (!expect(call, 1, VALUE_STRING)) {
        return fail(call);
    } else if (where->kind == VALUE_MAP) {
        is_there = value_find(where, what->string) != NULL;
    } else {
        is_there = what->string.len == 0 || str_find(where->string, what->string, 0) < where->string.len;
    }
    return make_bool(call->evaluator, call->expr->span, call->origin, is_there);
}

static const Value *builtin_matches(const Call *call) {
    if (!expect(call, 0, VALUE_STRING) || !expect(call, 1, VALUE_STRING)) {
        return fail(call);
    }
    Str fault = STR_NONE;
    uint64_t steps = 0;
    PatternResult result = pattern_match_counted(call->evaluator->session, call->arguments[1]->string,
                                                 call->arguments[0]->string, &fault, &steps);
    if (!make_steps(call->evaluator, call->expr->span, steps)) {
        return fail(call);
    }
    if (result == PATTERN_BAD) {
        report(call->evaluator->session, argument_span(call, 1), DIAG(bad_pattern), STR_ARG(fault));
        return fail(call);
    }
    if (result == PATTERN_LIMIT) {
        report(call->evaluator->session, argument_span(call, 1), DIAG(pattern_limit));
        return fail(call);
    }
    return make_bool(call->evaluator, call->expr->span, call->origin, result == PATTERN_YES);
}

static const Value *builtin_merge(const Call *call) {
    enum { SLOTS_PER_KEY = 4 }; // slots of `places` for each key, those that it has outgrown included
    VEC(ValueEntry) entries = { 0 };
    StrMap places = { .arena = call->evaluator->arena }; // key -> its index in `entries`, counted from 1
    for (int i = 0; i < call->count; i++) {
        if (!expect(call, i, VALUE_MAP)) {
            return fail(call);
        }
        const size_t room = call->arguments[i]->map.count * (SLOTS_PER_KEY * sizeof(StrMapSlot) + sizeof(ValueEntry));
        if (!make_room(call->evaluator, call->expr->span, room)) {
            return fail(call);
        }
        for (uint32_t j = 0; j < call->arguments[i]->map.count; j++) {
            const ValueEntry *entry = &call->arguments[i]->map.entries[j];
            uintptr_t place = (uintptr_t)str_map_add(&places, entry->key, (void *)(uintptr_t)(entries.count + 1));
            if (place == 0) {
                vec_push(call->evaluator->arena, &entries, *entry);
            } else {
                entries.items[place - 1] = *entry;
            }
        }
    }
    Value *value = make_value(call->evaluator, VALUE_MAP, call->expr->span, NULL);
    value->map.entries = entries.items;
    value->map.count = entries.count;
    value->map.index = value_index(call->evaluator->arena, entries.count);
    return make_whole(call->evaluator, value);
}

static const Value *builtin_file(const Call *call) {
    if (!expect(call, 0, VALUE_STRING)) {
        return fail(call);
    }
    const Value *argument = call->arguments[0];
    uint32_t source = load_text(call->evaluator, call->env->module, argument->string, argument->span);
    if (source == 0) {
        return fail(call);
    }
    return make_string(call->evaluator, call->expr->span, call->origin,
                       source_get(call->evaluator->session, source)->text);
}

typedef const Value *Builtin(const Call *call);

struct BuiltinRow {
    BuiltinDoc doc;
    Builtin *body;
};

static const BuiltinRow BUILTINS[] = {
#define BUILTIN(function, least, most, text, what)                                                                     \
    { .doc = { .name = #function, .arguments_min = least, .arguments_max = most, .signature = text, .summary = what }, \
      .body = builtin_##function },
#include "compiler/semantics/builtins.def"
#undef BUILTIN
};

const BuiltinDoc *builtin_doc(int index) {
    return index >= 0 && index < (int)COUNT_OF(BUILTINS) ? &BUILTINS[index].doc : NULL;
}

const BuiltinRow *builtin_find(Str name) {
    for (size_t i = 0; i < COUNT_OF(BUILTINS); i++) {
        if (str_is(name, BUILTINS[i].doc.name)) {
            return &BUILTINS[i];
        }
    }
    return NULL;
}

void builtin_offer_names(Suggestion *suggestion) {
    for (size_t i = 0; i < COUNT_OF(BUILTINS); i++) {
        suggest_offer(suggestion, str_of(BUILTINS[i].doc.name));
    }
}

// Worked out once for each list: a loop may ask for it in every turn.
static const Origin *origin_of_items(Evaluator *evaluator, const Value *list) {
    if (list->list.joined != NULL && *list->list.joined != NULL) {
        return *list->list.joined;
    }
    make_room(evaluator, list->span, list->list.count * sizeof(Origin));
    const Origin *origin = NULL;
    for (uint32_t i = 0; i < list->list.count; i++) {
        origin = origin_join(evaluator->arena, origin, list->list.items[i]->origin);
    }
    if (list->list.joined != NULL) {
        *list->list.joined = origin;
    }
    return origin;
}

const Value *builtin_call(Evaluator *evaluator, const BuiltinRow *row, const Expr *expr, const Env *env) {
    Call call = { .evaluator = evaluator,
                  .expr = expr,
                  .env = env,
                  .signature = row->doc.signature,
                  .count = (int)expr->call.arguments.count };
    if (call.count < row->doc.arguments_min || call.count > row->doc.arguments_max) {
        bool is_fixed = row->doc.arguments_min == row->doc.arguments_max;
        int wanted = call.count > row->doc.arguments_max ? row->doc.arguments_max : row->doc.arguments_min;
        Diag *diag = report(evaluator->session, expr->span, DIAG(argument_count), row->doc.name,
                            is_fixed                           ? ""
                            : wanted == row->doc.arguments_min ? "at least "
                                                               : "at most ",
                            wanted, wanted == 1 ? "" : "s", call.count);
        diag_note(evaluator->session, diag, "%s", row->doc.signature);
        return fail(&call);
    }
    bool is_good = true;
    call.origin = NULL;
    for (int i = 0; i < call.count; i++) {
        call.arguments[i] = evaluate(evaluator, expr->call.arguments.items[i], env, NULL);
        call.origin = origin_join(evaluator->arena, call.origin, call.arguments[i]->origin);
        if (call.arguments[i]->kind == VALUE_LIST && !evaluator->is_exhausted) {
            call.origin = origin_join(evaluator->arena, call.origin, origin_of_items(evaluator, call.arguments[i]));
        }
        if (call.arguments[i]->kind == VALUE_LATE) {
            late_operand(evaluator, expr->call.arguments.items[i], call.arguments[i], row->doc.name);
        }
        const bool is_in_time = make_steps(evaluator, expr->span, make_steps_of(call.arguments[i]));
        is_good =
            is_good && is_in_time && call.arguments[i]->kind != VALUE_LATE && call.arguments[i]->kind != VALUE_ERROR;
    }
    return is_good ? row->body(&call) : fail(&call);
}
