// Operators over evaluated values. If a value has failed, the result fails silently. A late value is an error, except
// in `?:`, `??` and interpolation, which evaluate.c handles.
#include "compiler/semantics/evaluator.h"

#include "compiler/base/suggest.h"

static const char *const OPERATOR_TEXTS[] = {
    [BINARY_DEFAULT] = "??",       [BINARY_OR] = "||",       [BINARY_AND] = "&&",        [BINARY_EQUAL] = "==",
    [BINARY_NOT_EQUAL] = "!=",     [BINARY_LESS] = "<",      [BINARY_LESS_EQUAL] = "<=", [BINARY_GREATER] = ">",
    [BINARY_GREATER_EQUAL] = ">=", [BINARY_ADD] = "+",       [BINARY_SUBTRACT] = "-",    [BINARY_MULTIPLY] = "*",
    [BINARY_DIVIDE] = "/",         [BINARY_REMAINDER] = "%",
};

const Value *operate_unary(Evaluator *evaluator, const Expr *expr, const Value *operand) {
    const char *op = expr->unary.op == UNARY_NOT ? "!" : "-";
    if (operand->kind == VALUE_ERROR) {
        return operand;
    }
    if (operand->kind == VALUE_LATE) {
        return late_operand(evaluator, expr->unary.operand, operand, op);
    }
    if (expr->unary.op == UNARY_NOT && operand->kind == VALUE_BOOL) {
        return make_bool(evaluator, expr->span, operand->origin, !operand->boolean);
    }
    if (expr->unary.op == UNARY_MINUS && operand->kind == VALUE_INT) {
        int64_t result = 0;
        if (__builtin_sub_overflow(0, operand->integer, &result)) {
            report(evaluator->session, expr->span, DIAG(overflow), op);
            return make_error(evaluator, expr->span);
        }
        return make_int(evaluator, expr->span, operand->origin, result);
    }
    bool is_not = expr->unary.op == UNARY_NOT;
    report(evaluator->session, expr->unary.operand->span, DIAG(operand_type), is_not ? "`!`" : "`-`",
           is_not ? "a bool" : "an int", value_describe(operand));
    return make_error(evaluator, expr->span);
}

static bool is_quantity(ValueKind kind) {
    return kind == VALUE_SIZE || kind == VALUE_RATE || kind == VALUE_DURATION;
}

static const Value *wrong_operands(Evaluator *evaluator, const Expr *expr, const Value *left, const Value *right) {
    const char *op = OPERATOR_TEXTS[expr->binary.op];
    Diag *diag = report(evaluator->session, expr->binary.op_span, DIAG(operand_types), op, value_describe(left),
                        value_describe(right));
    diag_label(evaluator->session, diag, expr->binary.left->span, "%s", value_describe(left));
    diag_label(evaluator->session, diag, expr->binary.right->span, "%s", value_describe(right));
    if (expr->binary.op == BINARY_ADD && (left->kind == VALUE_STRING || right->kind == VALUE_STRING)) {
        diag_help(evaluator->session, diag, "a text takes values in by interpolation: `\"node-${n}\"`");
    }
    return make_error(evaluator, expr->span);
}

static const Value *divide(Evaluator *evaluator, const Expr *expr, const Value *left, const Value *right,
                           ValueKind kind) {
    if (right->integer == 0) {
        Diag *diag = report(evaluator->session, expr->binary.right->span, DIAG(division_by_zero));
        if (!span_equal(right->span, expr->binary.right->span)) {
            diag_label(evaluator->session, diag, right->span, "0 comes from here");
        }
        return make_error(evaluator, expr->span);
    }
    if (left->integer == INT64_MIN && right->integer == -1) {
        report(evaluator->session, expr->span, DIAG(overflow), "/");
        return make_error(evaluator, expr->span);
    }
    if (left->integer % right->integer != 0) {
        report(evaluator->session, expr->span, DIAG(division_uneven), STR_ARG(value_print(evaluator->arena, left)),
               STR_ARG(value_print(evaluator->arena, right)));
        return make_error(evaluator, expr->span);
    }
    Value *value = make_value(evaluator, kind, expr->span, origin_join(evaluator->arena, left->origin, right->origin));
    value->integer = left->integer / right->integer;
    return value;
}

static const Value *arithmetic(Evaluator *evaluator, const Expr *expr, const Value *left, const Value *right,
                               ValueKind kind) {
    int64_t result = 0;
    bool overflows = false;
    switch (expr->binary.op) {
    case BINARY_ADD:
        overflows = __builtin_add_overflow(left->integer, right->integer, &result);
        break;
    case BINARY_SUBTRACT:
        overflows = __builtin_sub_overflow(left->integer, right->integer, &result);
        break;
    case BINARY_MULTIPLY:
        overflows = __builtin_mul_overflow(left->integer, right->integer, &result);
        break;
    case BINARY_DIVIDE:
        return divide(evaluator, expr, left, right, kind);
    case BINARY_DEFAULT:
    case BINARY_OR:
    case BINARY_AND:
    case BINARY_EQUAL:
    case BINARY_NOT_EQUAL:
    case BINARY_LESS:
    case BINARY_LESS_EQUAL:
    case BINARY_GREATER:
    case BINARY_GREATER_EQUAL:
    case BINARY_REMAINDER:
        return wrong_operands(evaluator, expr, left, right);
    }
    if (overflows) {
        report(evaluator->session, expr->span, DIAG(overflow), OPERATOR_TEXTS[expr->binary.op]);
        return make_error(evaluator, expr->span);
    }
    Value *value = make_value(evaluator, kind, expr->span, origin_join(evaluator->arena, left->origin, right->origin));
    value->integer = result;
    return value;
}

static const Value *join_lists(Evaluator *evaluator, const Expr *expr, const Value *left, const Value *right) {
    uint32_t count = left->list.count + right->list.count;
    make_steps(evaluator, expr->span, count);
    if (count > LIST_ITEMS_MAX || !make_room(evaluator, expr->span, count * sizeof(Value *))) {
        return make_list(evaluator, expr->span, NULL, NULL, count);
    }
    const Value **items = arena_new_array(evaluator->arena, const Value *, count);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = i < left->list.count ? left->list.items[i] : right->list.items[i - left->list.count];
    }
    return make_list(evaluator, expr->span, origin_join(evaluator->arena, left->origin, right->origin), items, count);
}

static const Value *join_strings(Evaluator *evaluator, const Expr *expr, const Value *left, const Value *right) {
    StrBuf text = { .arena = evaluator->arena };
    if (left->string.len + right->string.len <= STRING_BYTES_MAX) {
        strbuf_add(&text, left->string);
        strbuf_add(&text, right->string);
    } else {
        text.len = left->string.len + right->string.len; // make_string() refuses it by its length alone
    }
    return make_string(evaluator, expr->span, origin_join(evaluator->arena, left->origin, right->origin),
                       strbuf_str(&text));
}

static const Value *compare(Evaluator *evaluator, const Expr *expr, const Value *left, const Value *right) {
    const Origin *origin = origin_join(evaluator->arena, left->origin, right->origin);
    BinaryOp op = expr->binary.op;
    if (op == BINARY_EQUAL || op == BINARY_NOT_EQUAL) {
        bool is_null = left->kind == VALUE_NULL || right->kind == VALUE_NULL;
        if (left->kind != right->kind && !is_null) {
            return wrong_operands(evaluator, expr, left, right);
        }
        if (!make_steps(evaluator, expr->span, make_steps_of(left))) {
            return make_error(evaluator, expr->span);
        }
        return make_bool(evaluator, expr->span, origin, value_equal(left, right) == (op == BINARY_EQUAL));
    }
    bool is_ordered = left->kind == right->kind && (left->kind == VALUE_INT || is_quantity(left->kind));
    if (!is_ordered) {
        return wrong_operands(evaluator, expr, left, right);
    }
    bool result = op == BINARY_LESS         ? left->integer < right->integer
                  : op == BINARY_LESS_EQUAL ? left->integer <= right->integer
                  : op == BINARY_GREATER    ? left->integer > right->integer
                                            : left->integer >= right->integer;
    return make_bool(evaluator, expr->span, origin, result);
}

// Which kind `left op right` has. There are int with int, two quantities of one kind (their quotient is an int), and a
// quantity times or divided by an int. VALUE_ERROR where there is none.
static ValueKind arithmetic_kind(BinaryOp op, ValueKind left, ValueKind right) {
    if (left == VALUE_INT && right == VALUE_INT) {
        return VALUE_INT;
    }
    if (is_quantity(left) && left == right && op != BINARY_MULTIPLY) {
        return op == BINARY_DIVIDE ? VALUE_INT : left;
    }
    if (is_quantity(left) && right == VALUE_INT && (op == BINARY_MULTIPLY || op == BINARY_DIVIDE)) {
        return left;
    }
    return left == VALUE_INT && is_quantity(right) && op == BINARY_MULTIPLY ? right : VALUE_ERROR;
}

const Value *operate_binary(Evaluator *evaluator, const Expr *expr, const Value *left, const Value *right) {
    BinaryOp op = expr->binary.op;
    if (left->kind == VALUE_ERROR || right->kind == VALUE_ERROR) {
        return make_error(evaluator, expr->span);
    }
    if (op == BINARY_REMAINDER) {
        Diag *diag = report(evaluator->session, expr->binary.op_span, DIAG(no_remainder));
        diag_help(evaluator->session, diag, "write `/`: it is an error where it does not come out even");
        return make_error(evaluator, expr->span);
    }
    if (left->kind == VALUE_LATE || right->kind == VALUE_LATE) {
        bool is_left = left->kind == VALUE_LATE;
        return late_operand(evaluator, is_left ? expr->binary.left : expr->binary.right, is_left ? left : right,
                            OPERATOR_TEXTS[op]);
    }
    if (op >= BINARY_EQUAL && op <= BINARY_GREATER_EQUAL) {
        return compare(evaluator, expr, left, right);
    }
    if (op == BINARY_ADD && left->kind == VALUE_LIST && right->kind == VALUE_LIST) {
        return join_lists(evaluator, expr, left, right);
    }
    if (op == BINARY_ADD && left->kind == VALUE_STRING && right->kind == VALUE_STRING) {
        return join_strings(evaluator, expr, left, right);
    }
    ValueKind kind = arithmetic_kind(op, left->kind, right->kind);
    return kind == VALUE_ERROR ? wrong_operands(evaluator, expr, left, right)
                               : arithmetic(evaluator, expr, left, right, kind);
}

static const Value *index_list(Evaluator *evaluator, const Expr *expr, const Value *list, const Value *index) {
    if (index->kind != VALUE_INT) {
        report(evaluator->session, expr->index.index->span, DIAG(operand_type), "`[ ]` of a list", "an int",
               value_describe(index));
        return make_error(evaluator, expr->span);
    }
    if (index->integer < 0 || index->integer >= list->list.count) {
        Diag *diag =
            report(evaluator->session, expr->index.index->span, DIAG(index_outside), index->integer, list->list.count);
        diag_help(evaluator->session, diag, "items are counted from 0");
        return make_error(evaluator, expr->span);
    }
    return make_because(evaluator, list->list.items[index->integer], index->origin);
}

void operate_offer_key(Evaluator *evaluator, Diag *diag, const Suggestion *suggestion, const Expr *key) {
    if (suggestion->best.len == 0) {
        return;
    }
    diag_help(evaluator->session, diag, "did you mean `%.*s`?", STR_ARG(suggestion->best));
    if (suggest_is_sure(suggestion) && key->kind == EXPR_STRING &&
        key->span.end - key->span.start == key->string.len + 2) {
        diag_fix(evaluator->session, diag, key->span,
                 str_format(evaluator->arena, "\"%.*s\"", STR_ARG(suggestion->best)));
    }
}

static const Value *index_map(Evaluator *evaluator, const Expr *expr, const Value *map, const Value *key) {
    if (key->kind != VALUE_STRING) {
        report(evaluator->session, expr->index.index->span, DIAG(operand_type), "`[ ]` of a map", "a string",
               value_describe(key));
        return make_error(evaluator, expr->span);
    }
    const Value *found = value_find(map, key->string);
    if (found != NULL) {
        return make_because(evaluator, found, key->origin);
    }
    Suggestion suggestion = suggest_for(evaluator->session, key->string);
    for (uint32_t i = 0; i < map->map.count && !suggest_is_idle(&suggestion); i++) {
        suggest_offer(&suggestion, map->map.entries[i].key);
    }
    Diag *diag = report(evaluator->session, expr->index.index->span, DIAG(no_such_key), STR_ARG(key->string));
    operate_offer_key(evaluator, diag, &suggestion, expr->index.index);
    return make_error(evaluator, expr->span);
}

const Value *operate_index(Evaluator *evaluator, const Expr *expr, const Value *object, const Value *index) {
    if (object->kind == VALUE_ERROR || index->kind == VALUE_ERROR) {
        return make_error(evaluator, expr->span);
    }
    if (object->kind == VALUE_LATE || index->kind == VALUE_LATE) {
        bool is_object = object->kind == VALUE_LATE;
        return late_operand(evaluator, is_object ? expr->index.object : expr->index.index, is_object ? object : index,
                            "[ ]");
    }
    if (object->kind == VALUE_LIST) {
        return index_list(evaluator, expr, object, index);
    }
    if (object->kind == VALUE_MAP) {
        return index_map(evaluator, expr, object, index);
    }
    report(evaluator->session, expr->index.object->span, DIAG(operand_type), "`[ ]`", "a list or a map",
           value_describe(object));
    return make_error(evaluator, expr->span);
}
