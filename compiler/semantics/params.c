// Params: matches what the command line and the params files give with what the files declare. The declared type
// decides how a text from outside is read. `-p` uses the same reader of expressions as the sources.
#include "compiler/semantics/evaluator.h"

#include "compiler/base/json.h"
#include "compiler/base/load.h"
#include "compiler/base/suggest.h"
#include "compiler/base/yaml_read.h"

void params_read(Evaluator *evaluator) {
    for (int i = 0; i < evaluator->inputs->param_file_count; i++) {
        Str path = evaluator->inputs->param_files[i];
        uint32_t source = source_load(evaluator->session, path, SPAN_NONE);
        const Data *data = source == 0 ? NULL : yaml_read(evaluator->session, source);
        if (data != NULL && data->kind != DATA_MAP) {
            report(evaluator->session, data->span, DIAG(params_not_map), STR_ARG(path));
        } else if (data != NULL) {
            vec_push(evaluator->arena, &evaluator->param_data, data);
            StrMap places = { .arena = evaluator->arena };
            for (uint32_t k = 0; k < data->count; k++) {
                str_map_add(&places, data->entries[k].key, data->entries[k].value);
            }
            vec_push(evaluator->arena, &evaluator->param_places, places);
        }
    }
}

// The text as an expression of the language: `8`, `1..4`, `["a", "b"]`. NULL, reported, where it is none.
static const Expr *parse_text(Evaluator *evaluator, Str name, Str text) {
    Str path = str_format(evaluator->arena, "-p %.*s", STR_ARG(name));
    Str source_text = str_format(evaluator->arena, "dt 1\nlet value = %.*s\n", STR_ARG(text));
    const File *file = parse(evaluator->session, source_add(evaluator->session, path, source_text));
    if (file->items.count == 1 && file->items.items[0]->kind == ITEM_LET) {
        return file->items.items[0]->let.value;
    }
    return NULL;
}

// A value that is given must have the type already here, where its place is known.
static bool has_type(Evaluator *evaluator, const Param *param, const Value *value) {
    if (value->kind == VALUE_NULL && param->is_optional) {
        return true;
    }
    return check_value(evaluator, value, param->type, param->name, param->span);
}

// The value with all its parts at `span`, but for what the files themselves say: a name of a `let` keeps its place.
static const Value *place_value(Evaluator *evaluator, const Value *value, uint32_t source, Span span) {
    if (value->span.source != source) {
        return value;
    }
    Value *copy = arena_new(evaluator->arena, Value);
    *copy = *value;
    copy->span = span;
    if (value->kind == VALUE_RANGE) {
        copy->range.low = place_value(evaluator, value->range.low, source, span);
        copy->range.high = place_value(evaluator, value->range.high, source, span);
    } else if (value->kind == VALUE_LIST || value->kind == VALUE_TAG) {
        const uint32_t count = value->kind == VALUE_LIST ? value->list.count : value->tag.count;
        const Value **parts = arena_new_array(evaluator->arena, const Value *, count);
        for (uint32_t i = 0; i < count; i++) {
            parts[i] = place_value(evaluator, value_part(value, i), source, span);
        }
        *(value->kind == VALUE_LIST ? &copy->list.items : &copy->tag.arguments) = parts;
    } else if (value->kind == VALUE_MAP) {
        ValueEntry *entries = arena_new_array(evaluator->arena, ValueEntry, value->map.count);
        for (uint32_t i = 0; i < value->map.count; i++) {
            entries[i] = value->map.entries[i];
            entries[i].key_span = span;
            entries[i].value = place_value(evaluator, entries[i].value, source, span);
        }
        copy->map.entries = entries;
    }
    return copy;
}

// A text that is written where another type is wanted, read as an expression of the language; NULL where it is none.
static const Value *expression_value(Evaluator *evaluator, const Param *param, const Type *type, Str text, Span span,
                                     const Origin *origin) {
    if (!span_is_none(span) && ++evaluator->param_text_count > PARAM_TEXTS_MAX) {
        if (!evaluator->is_exhausted) {
            report(evaluator->session, span, DIAG(too_many_param_texts), PARAM_TEXTS_MAX);
        }
        evaluator->is_exhausted = true;
        return NULL;
    }
    const uint32_t diag_count = evaluator->session->diags.items.count;
    const uint32_t errors = evaluator->session->diags.error_count;
    const Expr *expr = parse_text(evaluator, param->name, text);
    const Env env = { .module = evaluator->modules.items[0] };
    const Value *value = expr == NULL ? NULL : evaluate(evaluator, expr, &env, type);
    if (value == NULL || value->kind == VALUE_ERROR || evaluator->session->diags.error_count != errors) {
        diags_forget(evaluator->session, diag_count); // the caller says it of the whole
        return NULL;
    }
    Value *copy = arena_new(evaluator->arena, Value);
    *copy = *place_value(evaluator, value, expr->span.source, span);
    copy->span = span;
    copy->origin = origin;
    return copy;
}

static const Value *list_argument(Evaluator *evaluator, const Param *param, Str text, const Origin *origin) {
    VEC(const Value *) items = { 0 };
    for (size_t start = 0; start < text.len;) {
        size_t end = str_find(text, STR(","), start);
        vec_push(evaluator->arena, &items,
                 make_string(evaluator, param->span, origin, str_trim(str_slice(text, start, end))));
        start = end + 1;
    }
    return make_list(evaluator, param->span, origin, items.items, items.count);
}

// A number where text is wanted has lost or may lose what it was written with.
static const Value *fraction_value(Evaluator *evaluator, const Type *type, const Data *data) {
    if (type_is_text(type)) {
        report_number(evaluator, data->span, data->string, type_find_kind(type, TYPE_PATTERN));
    } else {
        report(evaluator->session, data->span, DIAG(fraction_without_unit), STR_ARG(data->string));
    }
    return make_error(evaluator, data->span);
}

// Data of a -p has no place of its own: its mistakes are shown at the param that it is for.
static const Value *data_value(Evaluator *evaluator, const Param *param, const Type *type, const Data *data) {
    Origin *origin = arena_new(evaluator->arena, Origin);
    *origin = (Origin){ .kind = ORIGIN_INPUT, .name = str_c(evaluator->arena, param->name), .span = data->span };
    switch (data->kind) {
    case DATA_NULL:
        return make_value(evaluator, VALUE_NULL, data->span, origin);
    case DATA_BOOL:
        return make_bool(evaluator, data->span, origin, data->boolean);
    case DATA_INT:
        return make_int(evaluator, data->span, origin, data->integer);
    case DATA_REAL:
        return fraction_value(evaluator, type, data);
    case DATA_STRING: {
        const Value *value =
            type_is_text(type) ? NULL : expression_value(evaluator, param, type, data->string, data->span, origin);
        return value != NULL ? value : make_string(evaluator, data->span, origin, data->string);
    }
    case DATA_LIST: {
        const Value **items = arena_new_array(evaluator->arena, const Value *, data->count);
        const Type *element = type->kind == TYPE_LIST ? type->element : schema_named_type(STR("string"));
        for (uint32_t i = 0; i < data->count; i++) {
            items[i] = data_value(evaluator, param, element, data->items[i]);
        }
        return make_list(evaluator, data->span, NULL, items, data->count);
    }
    case DATA_MAP: {
        Value *value = make_value(evaluator, VALUE_MAP, data->span, NULL);
        ValueEntry *entries = arena_new_array(evaluator->arena, ValueEntry, data->count);
        const Type *element = type->kind == TYPE_MAP ? type->element : schema_named_type(STR("string"));
        for (uint32_t i = 0; i < data->count; i++) {
            entries[i] = (ValueEntry){ .key = data->entries[i].key,
                                       .key_span = data->entries[i].key_span,
                                       .value = data_value(evaluator, param, element, data->entries[i].value) };
        }
        value->map.entries = entries;
        value->map.count = data->count;
        value->map.index = value_index(evaluator->arena, data->count);
        return make_whole(evaluator, value);
    }
    }
    return make_error(evaluator, data->span);
}

// ---- -p ---------------------------------------------------------------------------------------------------------

// A list or a map in brackets, as JSON has them.
static bool is_bracketed(const Type *type, Str text) {
    const Str trimmed = str_trim(text);
    const char first = trimmed.len == 0 ? '\0' : trimmed.data[0];
    return (type->kind == TYPE_LIST && first == '[') || (type->kind == TYPE_MAP && first == '{');
}

static void place_data(Data *data, Span span) {
    data->span = span;
    for (uint32_t i = 0; i < data->count; i++) {
        if (data->kind == DATA_MAP) {
            data->entries[i].key_span = span;
        }
        place_data(data->kind == DATA_MAP ? data->entries[i].value : data->items[i], span);
    }
}

// NULL, reported, where the text is no JSON. The reader's place is in a text that stands in no file.
static const Value *json_argument(Evaluator *evaluator, const Param *param, Str text) {
    const Str path = str_format(evaluator->arena, "-p %.*s", STR_ARG(param->name));
    Data *data = json_read(evaluator->session, source_add(evaluator->session, path, text));
    if (data == NULL) {
        return NULL;
    }
    place_data(data, param->span);
    return data_value(evaluator, param, param->type, data);
}

static const Value *read_argument(Evaluator *evaluator, const Param *param, Str text, const Origin *origin) {
    const bool is_list_of_texts = param->type->kind == TYPE_LIST && type_is_text(param->type->element);
    if (is_bracketed(param->type, text)) {
        const Value *value = json_argument(evaluator, param, text);
        if (value != NULL || is_list_of_texts) {
            return value;
        }
        const uint32_t diag_count = evaluator->session->diags.items.count;
        value = expression_value(evaluator, param, param->type, text, param->span, origin);
        if (value != NULL) {
            diags_forget(evaluator->session, diag_count - 1); // it is an expression, so that it need not be JSON
        }
        return value;
    }
    return is_list_of_texts            ? list_argument(evaluator, param, text, origin)
           : type_is_text(param->type) ? make_string(evaluator, param->span, origin, text)
                                       : expression_value(evaluator, param, param->type, text, param->span, origin);
}

// A shell takes the double quotes of `-p zones=["a"]` away, and leaves `[a]`.
static void help_with_brackets(Evaluator *evaluator, Diag *diag, const Param *param) {
    const Str name = param->name;
    if (param->type->kind == TYPE_MAP) {
        diag_help(evaluator->session, diag, "write JSON, in quotes for the shell: `-p '%.*s={\"KEY\": \"VALUE\"}'`",
                  STR_ARG(name));
    } else if (param->type->kind == TYPE_LIST) {
        const bool is_of_texts = type_is_text(param->type->element);
        diag_help(evaluator->session, diag, "write %s%.*s%sJSON, in quotes for the shell: `-p '%.*s=[\"A\", \"B\"]'`",
                  is_of_texts ? "`-p " : "", is_of_texts ? (int)name.len : 0, name.data,
                  is_of_texts ? "=A,B`, or " : "", STR_ARG(name));
    }
}

// The value of a -p. It stands in no file, so its mistake is shown at the param that it is for, in one message.
static const Value *argument_value(Evaluator *evaluator, const Param *param, Str text) {
    size_t bad;
    if (!str_is_utf8(text, &bad)) {
        const Str name = str_format(evaluator->arena, "-p %.*s", STR_ARG(param->name));
        report(evaluator->session, param->span, DIAG(not_utf8), STR_ARG(name), bad);
        return make_error(evaluator, param->span);
    }
    Origin *origin = arena_new(evaluator->arena, Origin);
    *origin = (Origin){ .kind = ORIGIN_INPUT, .name = str_c(evaluator->arena, param->name) };
    const uint32_t diag_count = evaluator->session->diags.items.count;
    const Value *value = read_argument(evaluator, param, text, origin);
    if (value != NULL && has_type(evaluator, param, value)) {
        return value;
    }
    const Diags *diags = &evaluator->session->diags;
    const Diag *reason = diags->items.count > diag_count ? diags->items.items[diag_count] : NULL;
    diags_forget(evaluator->session, diag_count);
    Diag *diag = report(evaluator->session, param->span, DIAG(param_text), STR_ARG(param->name), STR_ARG(text),
                        STR_ARG(type_describe(evaluator->arena, param->type)));
    if (reason != NULL && (reason->id == DIAG_pattern_mismatch || is_bracketed(param->type, text))) {
        diag_note(evaluator->session, diag, "%.*s", STR_ARG(reason->message));
    }
    if (reason == NULL || reason->id != DIAG_pattern_mismatch) {
        help_with_brackets(evaluator, diag, param);
    }
    return make_error(evaluator, param->span);
}

// What the build gives a param: the last -p, else the last params file that has it; NULL without.
static const Value *given_value(Evaluator *evaluator, const Param *param) {
    const Value *value = NULL;
    for (uint32_t i = 0; i < evaluator->param_data.count; i++) {
        const Data *data = str_map_get(&evaluator->param_places.items[i], param->name);
        value = data == NULL ? value : data_value(evaluator, param, param->type, data);
    }
    int count = 0;
    for (int i = 0; i < evaluator->inputs->argument_count; i++) {
        const ParamArgument *argument = &evaluator->inputs->arguments[i];
        if (str_equal(argument->name, param->name)) {
            value = argument_value(evaluator, param, argument->value);
            count++;
        }
    }
    if (count > 1) {
        Diag *diag = report(evaluator->session, param->span, DIAG(param_given_twice), STR_ARG(param->name));
        for (int i = 0; i < evaluator->inputs->argument_count; i++) {
            const ParamArgument *argument = &evaluator->inputs->arguments[i];
            if (str_equal(argument->name, param->name)) {
                diag_note(evaluator->session, diag, "`-p %.*s=%.*s`", STR_ARG(argument->name),
                          STR_ARG(argument->value));
            }
        }
    }
    return value;
}

static const Value *late_value(Evaluator *evaluator, const Param *param) {
    const Late late = { .kind = LATE_PARAM, .type = param->type, .is_optional = param->is_optional, .param = param };
    return make_late(evaluator, param->span, origin_span(evaluator->arena, param->span), &late);
}

// The default of a late list becomes one text, which CloudFormation takes apart at commas and trims.
static void check_default_list(Evaluator *evaluator, const Param *param) {
    const Value *list = param->initial;
    for (uint32_t i = 0; list->kind == VALUE_LIST && i < list->list.count; i++) {
        const Value *item = list->list.items[i];
        if (item->kind != VALUE_STRING || str_find(item->string, STR(","), 0) == item->string.len) {
            continue;
        }
        Diag *diag = report(evaluator->session, item->span, DIAG(comma_in_list), STR_ARG(item->string));
        diag_label(evaluator->session, diag, param->span, "a list that is given when the stack is deployed");
        diag_help(evaluator->session, diag, "write `param %.*s`, without `late`: the build gives it a value",
                  STR_ARG(param->name));
    }
}

static void work_out(Evaluator *evaluator, Param *param, const Item *item, const Env *env) {
    const Expr *initial = item->param.initial;
    if (initial != NULL) {
        param->initial = evaluate(evaluator, initial, env, param->type);
        if (!value_is_known(param->initial)) {
            param->initial = late_where_known(evaluator, initial, param->initial, "the default of a param");
        } else if (param->initial->kind == VALUE_NULL && !param->is_optional) {
            Diag *diag = report(evaluator->session, initial->span, DIAG(null_default), STR_ARG(param->name));
            diag_help(evaluator->session, diag, "write `%.*s?`, without a default",
                      STR_ARG(source_text(evaluator->session, item->param.type->span)));
            const Span type = item->param.type->span;
            diag_fix(evaluator->session, diag,
                     (Span){ .source = type.source, .start = type.end, .end = initial->span.end }, STR("?"));
            param->initial = make_error(evaluator, initial->span);
        } else if (!has_type(evaluator, param, param->initial)) {
            param->initial = make_error(evaluator, initial->span);
        }
    }
    const Value *given = given_value(evaluator, param);
    if (given != NULL && given->kind == VALUE_NULL && !param->is_optional) {
        given = NULL; // as if not given
    }
    if (given != NULL) {
        param->is_given = true;
        param->value = has_type(evaluator, param, given) ? given : make_error(evaluator, given->span);
    } else if (evaluator->param_data.count < (uint32_t)evaluator->inputs->param_file_count) {
        param->value = make_error(evaluator, param->span); // it may stand in the file that was reported
    } else if (param->is_late) {
        param->value = late_value(evaluator, param);
        if (param->initial != NULL) {
            check_default_list(evaluator, param);
        }
    } else if (param->initial != NULL) {
        param->value = param->initial;
    } else if (param->is_optional) {
        param->value = make_value(evaluator, VALUE_NULL, param->span, origin_span(evaluator->arena, param->span));
    }
}

static Str text_of(const Session *session, const Expr *expr) {
    return expr == NULL ? STR_NONE : source_text(session, expr->span);
}

// Two defaults for one input would make the order of the files decide.
static bool same_declaration(const Item *a, const Item *b, const Session *session) {
    return str_equal(source_text(session, a->param.type->span), source_text(session, b->param.type->span)) &&
           str_equal(text_of(session, a->param.initial), text_of(session, b->param.initial)) &&
           a->param.is_late == b->param.is_late;
}

// Params of quantities cannot be late: no template parameter knows a unit.
static bool may_be_late(const Type *type) {
    switch (type->kind) {
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_STRING:
    case TYPE_PATTERN:
        return true;
    case TYPE_LIST:
        return type_is_text(type->element);
    case TYPE_ANY:
    case TYPE_SIZE:
    case TYPE_RATE:
    case TYPE_DURATION:
    case TYPE_RANGE:
    case TYPE_MAP:
    case TYPE_BLOCK:
    case TYPE_WORD:
    case TYPE_TAG:
    case TYPE_UNION:
        return false;
    }
    return false;
}

static void declare_param(Evaluator *evaluator, Declaration *declaration) {
    const Item *item = declaration->item;
    Param *other = str_map_get_mutable(&evaluator->params, declaration->name);
    if (other != NULL) {
        declaration->param = other;
        if (!same_declaration(item, other->item, evaluator->session)) {
            Diag *diag = report(evaluator->session, declaration->span, DIAG(param_differs), STR_ARG(declaration->name));
            diag_label(evaluator->session, diag, other->span, "declared otherwise here");
        }
        return;
    }
    const Type *type = type_from_expr(evaluator, item->param.type);
    if (type == NULL) {
        return;
    }
    Param *param = arena_new(evaluator->arena, Param);
    *param = (Param){ .name = declaration->name,
                      .span = declaration->span,
                      .item = item,
                      .type = type,
                      .is_late = item->param.is_late,
                      .is_optional = type->is_optional,
                      .is_named = str_map_get(&evaluator->named, declaration->name) != NULL,
                      .doc = item->doc };
    declaration->param = param;
    str_map_add(&evaluator->params, param->name, param);
    vec_push(evaluator->arena, &evaluator->program->params, param);
    if (param->is_late && !has_logical_id(evaluator, &item->param.name, "a `late param`")) {
        param->value = make_error(evaluator, param->span);
        return;
    }
    if (param->is_late && !may_be_late(type)) {
        Diag *diag = report(evaluator->session, item->param.type->span, DIAG(late_param_type),
                            STR_ARG(source_text(evaluator->session, item->param.type->span)));
        diag_help(evaluator->session, diag, "write `param %.*s`, without `late`: the build gives it a value",
                  STR_ARG(param->name));
        param->value = make_error(evaluator, param->span);
        return;
    }
    const Env env = { .module = declaration->module };
    work_out(evaluator, param, item, &env);
}

static void unknown_param(Evaluator *evaluator, Str name, Span span) {
    Suggestion suggestion = suggest_for(evaluator->session, name);
    for (uint32_t i = 0; i < evaluator->program->params.count && !suggest_is_idle(&suggestion); i++) {
        suggest_offer(&suggestion, evaluator->program->params.items[i]->name);
    }
    Diag *diag = report(evaluator->session, span, DIAG(unknown_param), STR_ARG(name));
    if (suggestion.best.len > 0) {
        diag_help(evaluator->session, diag, "did you mean `%.*s`?", STR_ARG(suggestion.best));
    }
}

static bool is_declared(const Evaluator *evaluator, Str name) {
    for (uint32_t i = 0; i < evaluator->modules.count; i++) {
        const Declaration *declaration = scope_find(evaluator->modules.items[i], name);
        if (declaration != NULL && declaration->kind == DECLARATION_PARAM) {
            return true;
        }
    }
    return false;
}

void params_declare(Evaluator *evaluator) {
    for (uint32_t i = 0; i < evaluator->modules.count; i++) {
        Module *module = evaluator->modules.items[i];
        for (uint32_t j = 0; j < module->file->items.count; j++) {
            const Item *item = module->file->items.items[j];
            Declaration *declaration = item->kind == ITEM_PARAM ? scope_find(module, item->param.name.text) : NULL;
            if (declaration != NULL && declaration->item == item) {
                declare_param(evaluator, declaration);
            }
        }
    }
    for (int i = 0; i < evaluator->inputs->argument_count; i++) {
        if (!is_declared(evaluator, evaluator->inputs->arguments[i].name)) {
            unknown_param(evaluator, evaluator->inputs->arguments[i].name, SPAN_NONE);
        }
    }
    for (uint32_t i = 0; i < evaluator->param_data.count; i++) {
        for (uint32_t j = 0; j < evaluator->param_data.items[i]->count; j++) {
            const DataEntry *entry = &evaluator->param_data.items[i]->entries[j];
            if (!is_declared(evaluator, entry->key)) {
                unknown_param(evaluator, entry->key, entry->key_span);
            }
        }
    }
}
