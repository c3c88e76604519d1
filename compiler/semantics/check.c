// Holds values against the types that the schema promises, and blocks against their kinds: what is required, what
// carries over to the cluster's target. Reports at the value, which is the least text that must change.
#include "compiler/semantics/evaluator.h"

#include "compiler/base/pattern.h"
#include "compiler/base/suggest.h"
#include "schema/instances.h"

static bool may_have(const Value *value, const Type *type);

// A block, a word, an instance type or the id of a subnet that a list names again; whoever reads the list would make everything of it
// twice.
static bool is_repeated(Evaluator *evaluator, const Value *list, uint32_t number, const Type *type, Str name) {
    const Value *item = list->list.items[number];
    const char *pattern = item->kind == VALUE_STRING && type->kind == TYPE_PATTERN ? type->pattern->name : "";
    const bool is_id = strcmp(pattern, "subnet_id") == 0 || strcmp(pattern, "instance_type") == 0;
    const bool is_name = is_id || item->kind == VALUE_BLOCK || item->kind == VALUE_WORD;
    for (uint32_t i = 0; is_name && i < number; i++) {
        const Value *other = list->list.items[i];
        if (value_equal(other, item)) {
            Diag *diag = report(evaluator->session, item->span, DIAG(listed_twice),
                                STR_ARG(value_print(evaluator->arena, item)), STR_ARG(name));
            if (!span_equal(other->span, item->span)) {
                diag_label(evaluator->session, diag, other->span, "first here");
            }
            return true;
        }
    }
    return false;
}

static bool check_list(Evaluator *evaluator, const Value *value, const Type *type, Str name, Span name_span) {
    bool is_good = true;
    for (uint32_t i = 0; i < value->list.count; i++) {
        const Value *item = value->list.items[i];
        bool is_right = may_have(item, type->element) || item->kind == VALUE_LATE || item->kind == VALUE_ERROR;
        Str place = is_right ? name : str_format(evaluator->arena, "%.*s[%" PRIu32 "]", STR_ARG(name), i);
        is_good = check_value(evaluator, item, type->element, place, name_span) && is_good;
        is_good = is_good && !is_repeated(evaluator, value, i, type->element, name);
    }
    return is_good;
}

static bool check_map(Evaluator *evaluator, const Value *value, const Type *type) {
    bool is_good = true;
    for (uint32_t i = 0; i < value->map.count; i++) {
        const ValueEntry *entry = &value->map.entries[i];
        is_good = check_value(evaluator, entry->value, type->element, entry->key, entry->key_span) && is_good;
    }
    return is_good;
}

static bool is_elsewhere(const Value *value, Span name_span) {
    return value->span.source != name_span.source || value->span.start > name_span.end + 200 ||
           value->span.start < name_span.start;
}

static Diag *with_use(Evaluator *evaluator, Diag *diag, const Value *value, Str name, Span name_span) {
    if (is_elsewhere(value, name_span) && !span_is_none(name_span)) {
        diag_label(evaluator->session, diag, name_span, "`%.*s` takes it here", STR_ARG(name));
    }
    return diag;
}

static bool is_number(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        if ((c < '0' || c > '9') && c != '_' && c != '.' && c != '-') {
            return false;
        }
    }
    return true;
}

void report_number(Evaluator *evaluator, Span span, Str digits, const Type *pattern) {
    Diag *diag = report(evaluator->session, span, DIAG(number_wants_quotes), STR_ARG(digits));
    Str text = source_text(evaluator->session, span);
    Str quoted = is_number(text) ? str_format(evaluator->arena, "\"%.*s\"", STR_ARG(digits))
                                 : str_format(evaluator->arena, "\"${%.*s}\"", STR_ARG(text));
    diag_help(evaluator->session, diag, "write `%.*s`", STR_ARG(quoted));
    diag_fix(evaluator->session, diag, span, quoted);
    if (pattern != NULL && pattern->pattern->fix_hint != NULL) {
        diag_note(evaluator->session, diag, "%s", pattern->pattern->fix_hint);
    }
}

// Whether a text is written as it is, between quotes, where its value is from.
static bool is_literal(const Value *value, Str source) {
    return source.len == value->string.len + 2 && source.data[0] == '"' &&
           str_equal(str_slice(source, 1, source.len - 1), value->string);
}

// A number without a unit, and `100MiB` for what flows in a second.
static void help_with_quantity(Evaluator *evaluator, Diag *diag, const Value *value, const Type *type) {
    static const struct {
        TypeKind type;
        ValueKind value;
    } KINDS[] = { { TYPE_SIZE, VALUE_SIZE }, { TYPE_RATE, VALUE_RATE }, { TYPE_DURATION, VALUE_DURATION } };
    const Str text = source_text(evaluator->session, value->span);
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        if (type_find_kind(type, KINDS[i].type) == NULL) {
            continue;
        }
        if (value->kind == VALUE_SIZE && KINDS[i].type == TYPE_RATE && str_ends_with(text, STR("B"))) {
            const Str rate = str_format(evaluator->arena, "%.*sps", STR_ARG(text));
            diag_help(evaluator->session, diag, "write `%.*s`", STR_ARG(rate));
            diag_fix(evaluator->session, diag, value->span, rate);
        } else if (value->kind == VALUE_LATE) {
            diag_help(evaluator->session, diag, "a quantity must be known: use a `param` without `late`");
        } else {
            diag_help(evaluator->session, diag, "write a number with one of these units behind it: %.*s",
                      STR_ARG(quantity_units(evaluator->arena, KINDS[i].value)));
        }
        return;
    }
}

// A string is the name of a block behind its kind only; a name that is known needs neither.
static void help_with_block(Evaluator *evaluator, Diag *diag, const Value *value, const char *kind, Span name_span) {
    const Str text = source_text(evaluator->session, value->span);
    if (is_elsewhere(value, name_span)) {
        diag_help(evaluator->session, diag, "the block of that name is `%s[…]`, with the string in the `[ ]`", kind);
    } else if (is_literal(value, text)) {
        diag_help(evaluator->session, diag, "a block is named without quotes");
        diag_fix(evaluator->session, diag, value->span, value->string);
    } else if (text.len > 0 && text.data[0] == '"') {
        const Str block = str_format(evaluator->arena, "%s[%.*s]", kind, STR_ARG(text));
        diag_help(evaluator->session, diag, "write `%.*s`", STR_ARG(block));
        diag_fix(evaluator->session, diag, value->span, block);
    } else {
        diag_help(evaluator->session, diag, "the block of that name is `%s[%.*s]`", kind, STR_ARG(text));
    }
}

// The only tag of a type, if a value can be its argument: a text with the form of the argument, or a resource, which has
// one. Of a name without a form nobody can tell.
static const Type *tag_around(Evaluator *evaluator, const Value *value, const Type *type) {
    const Type *tag = type_find_kind(type, TYPE_TAG);
    const Type *argument = tag == NULL || tag->option_count == 0 ? NULL : tag->options[0];
    for (int i = 0; type->kind == TYPE_UNION && i < type->option_count; i++) {
        argument = type->options[i]->kind == TYPE_TAG && type->options[i] != tag ? NULL : argument;
    }
    if (argument == NULL || argument->kind != TYPE_PATTERN) {
        return NULL;
    }
    const bool has_form =
        value->kind == VALUE_STRING && str_find(value->string, STR(":"), 0) < value->string.len &&
        pattern_match(evaluator->session, str_of(argument->pattern->pattern), value->string, NULL) == PATTERN_YES;
    return has_form || value->kind == VALUE_RESOURCE ? tag : NULL;
}

// The only way to write a text where a tag is taken: around what `file` is asked for, the path. Empty: there are more ways.
static Str script_of_file(Evaluator *evaluator, Str text, const Type *type) {
    const Type *tag = type_find_kind(type, TYPE_TAG);
    const Str call = STR("file(");
    int tags = 0;
    for (int i = 0; type->kind == TYPE_UNION && i < type->option_count; i++) {
        tags += type->options[i]->kind == TYPE_TAG;
    }
    const bool is_it = tag != NULL && tags <= 1 && tag->option_count > 0 && tag->options[0]->kind == TYPE_STRING &&
                       str_starts_with(text, call);
    return is_it ? str_format(evaluator->arena, "%s(%.*s", tag->name, STR_ARG(str_slice(text, call.len, text.len)))
                 : STR_NONE;
}

// A list that a type may be itself, and not what an argument of its tags takes.
static const Type *list_of(const Type *type) {
    return type->kind == TYPE_LIST || type->kind == TYPE_UNION ? type_find_kind(type, TYPE_LIST) : NULL;
}

// One value where a map of them is wanted. What its key would be is the author's.
static void help_with_map(Evaluator *evaluator, Diag *diag, const Value *value, const Type *type, Str name) {
    const Type *map = type->kind == TYPE_MAP ? type : NULL;
    if (map == NULL || value->kind == VALUE_MAP) {
        return;
    }
    const Str text = source_text(evaluator->session, value->span);
    const bool is_one = may_have(value, map->element);
    const bool is_in_text =
        value->kind == VALUE_STRING && is_literal(value, text) && literal_is_in_text(value->string, map->element);
    if (is_one || is_in_text) {
        diag_help(evaluator->session, diag, "write `%.*s = { \"…\" = %.*s }`, a key with each value", STR_ARG(name),
                  STR_ARG(is_one ? text : value->string));
    } else {
        diag_help(evaluator->session, diag, "write `%.*s = { \"…\" = … }`, a key with each value", STR_ARG(name));
    }
}

// Quotes around what is a word, a name or a number, and one value where a list of them is wanted, are easily put right.
static void help_with_type(Evaluator *evaluator, Diag *diag, const Value *value, const Type *type, Span name_span) {
    Str text = source_text(evaluator->session, value->span);
    const Type *list = list_of(type);
    const Str script =
        value->kind == VALUE_STRING ? script_of_file(evaluator, text, list == NULL ? type : list->element) : STR_NONE;
    Str better = STR_NONE;
    Suggestion word = suggest_for(evaluator->session, value->kind == VALUE_STRING ? value->string : STR_NONE);
    type_offer_words(list == NULL ? type : NULL, &word);
    if (suggest_is_sure(&word) && schema_find_word(type, word.best) != NULL) {
        better = word.best;
    } else if (value->kind == VALUE_STRING && is_literal(value, text) && literal_is_in_text(value->string, type) &&
               !is_elsewhere(value, name_span)) {
        better = value->string;
    } else if (script.len > 0) {
        better = list == NULL ? script : str_format(evaluator->arena, "[%.*s]", STR_ARG(script));
    } else if (tag_around(evaluator, value, type) != NULL && !is_elsewhere(value, name_span)) {
        better = str_format(evaluator->arena, "%s(%.*s)", tag_around(evaluator, value, type)->name, STR_ARG(text));
    } else if (value->kind == VALUE_STRING && type_find_kind(type, TYPE_BLOCK) != NULL) {
        help_with_block(evaluator, diag, value, type_find_kind(type, TYPE_BLOCK)->name, name_span);
    } else if (list != NULL && value->kind != VALUE_LIST && may_have(value, list->element)) {
        better = str_format(evaluator->arena, "[%.*s]", STR_ARG(text));
    }
    if (better.len > 0) {
        diag_help(evaluator->session, diag, "write `%.*s`", STR_ARG(better));
        diag_fix(evaluator->session, diag, value->span, better);
    }
}

static bool mismatch(Evaluator *evaluator, const Value *value, const Type *type, Str name, Span name_span) {
    Str wanted = type_describe(evaluator->arena, type);
    const Type *pattern = type_find_kind(type, TYPE_PATTERN);
    if (value->kind == VALUE_INT && (pattern != NULL || type_find_kind(type, TYPE_STRING) != NULL)) {
        report_number(evaluator, value->span, value_print(evaluator->arena, value), pattern);
        return false;
    }
    Diag *diag = report(evaluator->session, value->span, DIAG(type_mismatch), STR_ARG(name), STR_ARG(wanted),
                        value_describe(value));
    help_with_type(evaluator, diag, value, type, name_span);
    if (diag->helps.count == 0) {
        help_with_map(evaluator, diag, value, type, name);
    }
    if (diag->helps.count == 0) {
        help_with_quantity(evaluator, diag, value, type);
    }
    guess_value(evaluator, diag, value->span, type);
    with_use(evaluator, diag, value, name, name_span);
    return false;
}

static void offer_instance_type(Evaluator *evaluator, Diag *diag, const Value *value) {
    Suggestion suggestion = suggest_for(evaluator->session, value->string);
    for (int i = 0; i < schema_instance_count(evaluator->session); i++) {
        suggest_offer(&suggestion, str_of(schema_instance_at(evaluator->session, i)->name));
    }
    if (suggestion.best.len > 0) {
        diag_help(evaluator->session, diag, "did you mean \"%.*s\"?", STR_ARG(suggestion.best));
        if (suggest_is_sure(&suggestion) && is_literal(value, source_text(evaluator->session, value->span))) {
            diag_fix(evaluator->session, diag, value->span,
                     str_format(evaluator->arena, "\"%.*s\"", STR_ARG(suggestion.best)));
        }
    }
}

// An address where a block of addresses is wanted: the block of that one.
static bool offer_block(Evaluator *evaluator, Diag *diag, const Value *value, const PatternRow *row) {
    Str block = str_format(evaluator->arena, "%.*s/32", STR_ARG(value->string));
    const bool is_one = str_is(str_of(row->name), "cidr_or_prefix_list") &&
                        pattern_match(evaluator->session, str_of(row->pattern), block, NULL) == PATTERN_YES;
    if (is_one) {
        diag_help(evaluator->session, diag, "write \"%.*s\" for this one address", STR_ARG(block));
    }
    return is_one;
}

// An address of the web where an image is wanted: what stands behind `https://`.
static bool offer_image(Evaluator *evaluator, Diag *diag, const Value *value, const PatternRow *row) {
    const size_t sign = str_find(value->string, STR("://"), 0);
    const Str behind = str_slice(value->string, sign + 3, value->string.len);
    const bool is_one = str_is(str_of(row->name), "image_uri") && sign < value->string.len &&
                        pattern_match(evaluator->session, str_of(row->pattern), behind, NULL) == PATTERN_YES;
    if (is_one) {
        diag_help(evaluator->session, diag, "write \"%.*s\", without what stands before it", STR_ARG(behind));
    }
    return is_one;
}

static bool check_pattern(Evaluator *evaluator, const Value *value, const Type *type, Str name, Span name_span) {
    const PatternRow *row = type->pattern;
    if (!make_steps(evaluator, value->span, value->string.len)) {
        return false;
    }
    PatternResult result = pattern_match(evaluator->session, str_of(row->pattern), value->string, NULL);
    if (result == PATTERN_YES) {
        return true;
    }
    const ArenaMark mark = arena_mark(evaluator->arena);
    Diag *diag = report(evaluator->session, value->span, DIAG(pattern_mismatch),
                        STR_ARG(value_print(evaluator->arena, value)), row->name);
    if (diag->is_dropped) {
        arena_rewind(evaluator->arena, mark); // a text may be long, and stand in a loop
        return false;
    }
    if (str_is(str_of(row->name), "instance_type")) {
        offer_instance_type(evaluator, diag, value);
    } else if (!offer_block(evaluator, diag, value, row) && !offer_image(evaluator, diag, value, row)) {
        diag_help(evaluator->session, diag, "one looks like \"%s\"", row->example);
    }
    diag_note(evaluator->session, diag, "%s", row->doc);
    guess_value(evaluator, diag, value->span, type);
    with_use(evaluator, diag, value, name, name_span);
    return false;
}

// ---- late values -----------------------------------------------------------------------------------------------

static bool late_fits(const Type *late, const Type *type) {
    if (type->kind == TYPE_ANY || late == NULL) {
        return true;
    }
    if (type->kind == TYPE_UNION) {
        for (int i = 0; i < type->option_count; i++) {
            if (late_fits(late, type->options[i])) {
                return true;
            }
        }
        return false;
    }
    if (type->kind == TYPE_LIST) {
        return late->kind == TYPE_LIST && late_fits(late->element, type->element);
    }
    if (type->kind == TYPE_PATTERN) {
        return late->kind == TYPE_PATTERN && late->pattern == type->pattern;
    }
    return type->kind == late->kind || (type->kind == TYPE_STRING && late->kind == TYPE_PATTERN);
}

// A choice among values. A block has to be known: what it is decides what is written.
static bool check_choice(Evaluator *evaluator, const Value *value, const Type *type, Str name, Span name_span) {
    const Late *late = value->late;
    bool is_good = true;
    for (uint32_t i = late->kind == LATE_IF ? 1 : 0; i < late->part_count; i++) {
        const Value *part = late->parts[i];
        const bool is_absent = part->kind == VALUE_NULL;
        is_good = (is_absent || check_value(evaluator, part, type, name, name_span)) && is_good;
        if (is_good && part->kind == VALUE_BLOCK && type->kind != TYPE_ANY) {
            Diag *diag = report(evaluator->session, value->span, DIAG(late_shape), str_c(evaluator->arena, name));
            diag_help(evaluator->session, diag,
                      "choose with a `param` without `late`, or choose between outputs of the blocks");
            with_use(evaluator, diag, value, name, name_span);
            return false;
        }
    }
    return is_good;
}

// Where a text is made up of late params, the default of each.
static void label_defaults(Evaluator *evaluator, Diag *diag, const Value *value) {
    for (uint32_t i = 0; i < value->late->part_count; i++) {
        const Value *part = value->late->parts[i];
        if (value_by_default(part) != part) {
            diag_label(evaluator->session, diag, part->late->param->initial->span, "the default of `%.*s`",
                       STR_ARG(part->late->param->name));
        }
    }
}

// A text of which parts are late has the form that it is held to once these have their defaults.
static bool check_late_text(Evaluator *evaluator, const Value *value, const Type *type, Str name, Span name_span) {
    if (type_find_kind(type, TYPE_PATTERN) == NULL || type_find_kind(type, TYPE_STRING) != NULL) {
        return true;
    }
    Value by_default = { .kind = VALUE_STRING, .span = value->span, .origin = value->origin };
    if (!value_text_by_default(evaluator->arena, value, &by_default.string)) {
        return true;
    }
    const uint32_t diag_count = evaluator->session->diags.items.count;
    const bool is_good = check_value(evaluator, &by_default, type, name, name_span);
    if (evaluator->session->diags.items.count > diag_count) {
        label_defaults(evaluator, evaluator->session->diags.items.items[diag_count], value);
    }
    return is_good;
}

static bool check_late(Evaluator *evaluator, const Value *value, const Type *type, Str name, Span name_span) {
    const Late *late = value->late;
    switch (late->kind) {
    case LATE_IF:
    case LATE_DEFAULT:
        return check_choice(evaluator, value, type, name, name_span);
    case LATE_TEXT:
        if (type_find_kind(type, TYPE_STRING) != NULL || type_find_kind(type, TYPE_PATTERN) != NULL ||
            type->kind == TYPE_ANY) {
            return check_late_text(evaluator, value, type, name, name_span);
        }
        return mismatch(evaluator, value, type, name, name_span);
    case LATE_PARAM:
    case LATE_PSEUDO:
    case LATE_OUTPUT:
    case LATE_WRITTEN_OUTPUT:
    case LATE_REF:
    case LATE_ATTRIBUTE:
    case LATE_ITEM:
        break;
    }
    if (late->type == NULL && type->kind == TYPE_BLOCK) {
        return mismatch(evaluator, value, type, name, name_span); // what a resource has may be any value, but no block
    }
    if (late_fits(late->type, type)) {
        return true;
    }
    Diag *diag = report(evaluator->session, value->span, DIAG(late_type_mismatch), STR_ARG(name),
                        STR_ARG(type_describe(evaluator->arena, type)), late->type->name);
    if (late->kind == LATE_PARAM && type->kind == TYPE_PATTERN) {
        diag_help(evaluator->session, diag, "declare it as `%.*s : %s%s`", STR_ARG(late->param->name),
                  type->pattern->name, late->is_optional ? "?" : "");
    }
    with_use(evaluator, diag, value, name, name_span);
    return false;
}

// ---- by kind ---------------------------------------------------------------------------------------------------

// Whether a value of this kind can have the type at all; its content is checked afterwards.
static bool may_have(const Value *value, const Type *type) {
    switch (type->kind) {
    case TYPE_ANY:
        return true;
    case TYPE_BOOL:
        return value->kind == VALUE_BOOL;
    case TYPE_INT:
        return value->kind == VALUE_INT;
    case TYPE_STRING:
    case TYPE_PATTERN:
        return value->kind == VALUE_STRING;
    case TYPE_SIZE:
        return value->kind == VALUE_SIZE;
    case TYPE_RATE:
        return value->kind == VALUE_RATE;
    case TYPE_DURATION:
        return value->kind == VALUE_DURATION;
    case TYPE_RANGE:
        return value->kind == VALUE_RANGE || value->kind == VALUE_INT;
    case TYPE_LIST:
        return value->kind == VALUE_LIST;
    case TYPE_MAP:
        return value->kind == VALUE_MAP;
    case TYPE_BLOCK:
        return value->kind == VALUE_BLOCK;
    case TYPE_WORD:
        return value->kind == VALUE_WORD && str_is(value->string, type->name);
    case TYPE_TAG:
        return value->kind == VALUE_TAG && str_is(value->tag.name, type->name);
    case TYPE_UNION:
        for (int i = 0; i < type->option_count; i++) {
            if (may_have(value, type->options[i])) {
                return true;
            }
        }
        return false;
    }
    return false;
}

// A text where several patterns are possible: one of them must match, and the first is what the message shows.
static bool check_union(Evaluator *evaluator, const Value *value, const Type *type, Str name, Span name_span) {
    const Type *first = NULL;
    for (int i = 0; i < type->option_count; i++) {
        const Type *option = type->options[i];
        if (!may_have(value, option)) {
            continue;
        }
        first = first == NULL ? option : first;
        bool is_pattern = option->kind == TYPE_PATTERN;
        if (is_pattern &&
            pattern_match(evaluator->session, str_of(option->pattern->pattern), value->string, NULL) == PATTERN_YES) {
            return true;
        }
        if (option->kind == TYPE_STRING) {
            return true;
        }
    }
    return first == NULL ? mismatch(evaluator, value, type, name, name_span)
                         : check_value(evaluator, value, first, name, name_span);
}

static bool check_tag(Evaluator *evaluator, const Value *value, const Type *type, Str name, Span name_span) {
    const uint32_t most = (uint32_t)type->option_count;
    uint32_t least = most;
    while (least > 0 && type->options[least - 1]->is_optional) {
        least--;
    }
    if (value->tag.count < least || value->tag.count > most) {
        Span span = value->tag.count > most ? value->tag.arguments[most]->span : value->span;
        report(evaluator->session, span, DIAG(tag_arguments), type->name,
               STR_ARG(type_describe_arguments(evaluator->arena, type)));
        return false;
    }
    bool is_good = true;
    for (uint32_t i = 0; i < value->tag.count; i++) {
        is_good = check_value(evaluator, value->tag.arguments[i], type->options[i], name, name_span) && is_good;
    }
    return is_good;
}

bool check_value(Evaluator *evaluator, const Value *value, const Type *type, Str name, Span name_span) {
    if (value->kind == VALUE_ERROR) {
        return false;
    }
    if (value->kind == VALUE_LATE) {
        return check_late(evaluator, value, type, name, name_span);
    }
    if (value->kind == VALUE_NULL && type->is_optional) {
        return true;
    }
    if (type->kind == TYPE_UNION) {
        return check_union(evaluator, value, type, name, name_span);
    }
    if (!may_have(value, type)) {
        return mismatch(evaluator, value, type, name, name_span);
    }
    switch (type->kind) {
    case TYPE_PATTERN:
        return check_pattern(evaluator, value, type, name, name_span);
    case TYPE_LIST:
        return check_list(evaluator, value, type, name, name_span);
    case TYPE_MAP:
        return check_map(evaluator, value, type);
    case TYPE_TAG:
        return check_tag(evaluator, value, type, name, name_span);
    case TYPE_BLOCK:
        if (!str_is(str_of(value->block->kind->name), type->name)) {
            Diag *diag = report(evaluator->session, value->span, DIAG(block_kind), STR_ARG(name), type->name,
                                STR_ARG(value->block->name), value->block->kind->name);
            diag_label(evaluator->session, diag, value->block->subject.span, "a `%s`", value->block->kind->name);
            if (value->block->kind == &KIND_ROWS[KIND_QUEUE]) {
                diag_help(evaluator->session, diag,
                          "name a group of the queue: what runs on it goes through the queue");
            }
            return false;
        }
        return true;
    case TYPE_ANY:
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_STRING:
    case TYPE_SIZE:
    case TYPE_RATE:
    case TYPE_DURATION:
    case TYPE_RANGE:
    case TYPE_WORD:
    case TYPE_UNION:
        return true;
    }
    return true;
}
