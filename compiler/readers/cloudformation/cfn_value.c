// One function for each intrinsic that a file can decide. A value that is not decided keeps the call, with its argument
// as far as that is known.
#include "compiler/readers/cloudformation/cfn_value.h"

#include "compiler/base/yaml_scalar.h"

enum {
    VALUES_MAX = 200000, // of one world, in which loops multiply; the 500 resources of a stack have some 50,000
    LOOP_ITEMS_MAX = 1000,
    KEY_BYTES_MAX = 4096, // that a loop fills in
    DEPTH_MAX = 200,      // of values and calls in each other
};

// A loop's variable, or the start of all.
struct CfnScope {
    const CfnWorld *world;
    const struct CfnScope *outer;
    Str name; // empty: no variable
    Str text;
    uint32_t *budget;
    int depth;
};

static Arena *arena_of(const CfnScope *scope) {
    return scope->world->template->session->arena;
}

static Value *new_value(const CfnScope *scope, ValueKind kind, Span span) {
    return value_of_span(arena_of(scope), kind, span);
}

static const Value *new_text(const CfnScope *scope, Span span, Str text) {
    Value *value = new_value(scope, VALUE_STRING, span);
    value->string = text;
    return value;
}

static const Value *new_map(const CfnScope *scope, Span span, const ValueEntry *entries, uint32_t count) {
    Value *value = new_value(scope, VALUE_MAP, span);
    value->map.entries = entries;
    value->map.count = count;
    return value;
}

static const Value *new_call(const CfnScope *scope, Span span, const CfnCall *call, const Value *argument) {
    ValueEntry *entry = arena_new(arena_of(scope), ValueEntry);
    *entry = (ValueEntry){ .key = call->name, .key_span = call->name_span, .value = argument };
    return new_map(scope, span, entry, 1);
}

// ---- limits --------------------------------------------------------------------------------------------------------

static void report_too_much(const CfnScope *scope, Span span, int most, const char *what) {
    CfnMade *made = scope->world->template->made;
    if (!made->is_too_much) {
        made->is_too_much = true;
        report(scope->world->template->session, span, DIAG(template_too_much), most, what);
    }
}

// Whether so many values more can be made. What cannot be is not known.
static bool take_values(const CfnScope *scope, Span span, uint32_t count) {
    CfnMade *made = scope->world->template->made;
    if (count > MADE_VALUES_MAX - made->values) {
        report_too_much(scope, span, MADE_VALUES_MAX, "values");
        return false;
    }
    made->values += count;
    return true;
}

static bool take_text(const CfnScope *scope, Span span, size_t bytes) {
    const size_t most = (size_t)MADE_MIB_MAX * 1024 * 1024;
    CfnMade *made = scope->world->template->made;
    if (bytes > most - made->text_bytes) {
        report_too_much(scope, span, MADE_MIB_MAX, "MiB of text");
        return false;
    }
    made->text_bytes += bytes;
    return true;
}

// ---- what a value is --------------------------------------------------------------------------------------------

static bool text_of(Arena *arena, const Value *value, Str *text) {
    if (value->kind == VALUE_STRING) {
        *text = value->string;
    } else if (value->kind == VALUE_INT) {
        *text = str_format(arena, "%" PRId64, value->integer);
    } else if (value->kind == VALUE_BOOL) {
        *text = value->boolean ? STR("true") : STR("false");
    } else {
        return false;
    }
    return true;
}

// ---- parameters ------------------------------------------------------------------------------------------------

static uint32_t count_of(Str text, Str by) {
    uint32_t count = 0;
    for (size_t at = 0; at <= text.len; at = str_find(text, by, at) + by.len) {
        count++;
    }
    return count;
}

static const Value *split(const CfnScope *scope, Span span, Str text, Str by, bool is_trimmed) {
    const uint32_t count = count_of(text, by);
    if (!take_values(scope, span, count)) {
        return new_value(scope, VALUE_ERROR, span);
    }
    Value *list = new_value(scope, VALUE_LIST, span);
    list->list.items = arena_new_array(arena_of(scope), const Value *, count);
    for (size_t at = 0; at <= text.len;) {
        const size_t end = str_find(text, by, at);
        const Str item = str_slice(text, at, end);
        list->list.items[list->list.count++] = new_text(scope, span, is_trimmed ? str_trim(item) : item);
        at = end + by.len;
    }
    return list;
}

// NULL where nobody knows it. A parameter of the type AWS::SSM::Parameter::Value has the name of the parameter in the
// store as its default, and not its value. Of an image that is as good as a dynamic reference.
static const Value *parameter_value(const CfnScope *scope, int index, Span span) {
    const CfnWorld *world = scope->world;
    const AssumedParameter *assumed = &world->parameters[index];
    const Data *parameter = world->template->parameters->entries[index].value;
    const Data *initial = data_get(parameter, "Default");
    const Str type = data_text(parameter, "Type");
    const bool is_scalar = initial != NULL && initial->kind != DATA_MAP && initial->kind != DATA_LIST;
    if (str_is(type, "AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>") && is_scalar &&
        assumed->state == PARAMETER_DEFAULT && str_starts_with(initial->string, STR("/aws/service/"))) {
        return new_text(scope, initial->span,
                        str_format(arena_of(scope), "{{resolve:ssm:%.*s}}", STR_ARG(initial->string)));
    }
    if (assumed->state == PARAMETER_LATE || (assumed->state == PARAMETER_DEFAULT && !is_scalar) ||
        str_starts_with(type, STR("AWS::SSM::Parameter::Value"))) {
        return NULL;
    }
    const Str text = assumed->state == PARAMETER_ASSUMED ? assumed->text : initial->string;
    const bool is_list = str_is(type, "CommaDelimitedList") || str_starts_with(type, STR("List<"));
    return is_list ? split(scope, span, text, STR(","), true) : new_text(scope, span, text);
}

static const CfnScope *variable(const CfnScope *scope, Str name) {
    while (scope != NULL && (scope->name.len == 0 || !str_equal(scope->name, name))) {
        scope = scope->outer;
    }
    return scope;
}

// NULL where it is a resource, a pseudo parameter, or not known.
static const Value *name_value(const CfnScope *scope, Str name, Span span) {
    const CfnScope *loop = variable(scope, name);
    if (loop != NULL) {
        return new_text(scope, span, loop->text);
    }
    const int index = cfn_parameter(scope->world->template, name);
    return index < 0 ? NULL : parameter_value(scope, index, span);
}

static const Value *call_ref(const CfnScope *scope, const CfnCall *call, const Value *argument, Span span) {
    if (argument->kind != VALUE_STRING) {
        return new_call(scope, span, call, argument);
    }
    if (str_is(argument->string, "AWS::NoValue")) {
        return new_value(scope, VALUE_NULL, span);
    }
    const Value *value = name_value(scope, argument->string, span);
    return value == NULL ? new_call(scope, span, call, argument) : value;
}

// ---- texts -------------------------------------------------------------------------------------------------------

// A text for Fn::Sub. It is gone through twice: what is known of it decides what is made of it, and how long that is.
typedef struct {
    const CfnScope *scope;
    const Value *text;
    const Value *own; // the names that the call gives values to; NULL: none
    bool is_late;     // a text for Fn::Sub is made of it again, with what is not known
    bool is_known;    // found on the way: all of it is
    size_t size;      // likewise
    StrBuf *out;      // NULL: nothing is made yet
} Filling;

static void add_part(Filling *filling, Str part) {
    filling->size += part.len;
    if (filling->out != NULL) {
        strbuf_add(filling->out, part);
    }
}

// A text that is known.
static void add_known(Filling *filling, Str text) {
    if (!filling->is_late) {
        add_part(filling, text);
        return;
    }
    for (size_t at = 0; at < text.len;) {
        const size_t found = str_find(text, STR("${"), at);
        add_part(filling, str_slice(text, at, found));
        if (found < text.len) {
            add_part(filling, STR("${!"));
        }
        at = found + 2;
    }
}

// The value of what stands between `${` and `}`.
static const Value *sub_value(const CfnScope *scope, const Value *own, Str name, Span span) {
    const Value *given = own == NULL ? NULL : value_find(own, name);
    return given != NULL ? given : name_value(scope, str_trim(name), span);
}

// `hole` is all of `${Name}`.
static void fill_hole(Filling *filling, Str hole) {
    Arena *arena = arena_of(filling->scope);
    const Str name = str_slice(hole, 2, hole.len - 1);
    if (str_starts_with(name, STR("!"))) {
        add_known(filling, str_format(arena, "${%.*s}", STR_ARG(str_slice(name, 1, name.len))));
        return;
    }
    Str text;
    const Value *value = sub_value(filling->scope, filling->own, name, filling->text->span);
    if (value != NULL && text_of(arena, value, &text)) {
        add_known(filling, text);
    } else {
        filling->is_known = false;
        add_part(filling, str_format(arena, "${%.*s}", STR_ARG(str_trim(name)))); // as CloudFormation reads `${Name }`
    }
}

static void fill(Filling *filling) {
    const Str source = filling->text->string;
    filling->is_known = true;
    filling->size = 0;
    for (size_t at = 0; at < source.len;) {
        const size_t found = str_find(source, STR("${"), at);
        add_known(filling, str_slice(source, at, found));
        const size_t end = str_find(source, STR("}"), found);
        if (end >= source.len) {
            add_known(filling, str_slice(source, found, source.len));
            return;
        }
        fill_hole(filling, str_slice(source, found, end + 1));
        at = end + 1;
    }
}

static const Value *substitute(const CfnScope *scope, const CfnCall *call, const Value *text, const Value *own) {
    Filling filling = { .scope = scope, .text = text, .own = own };
    fill(&filling);
    filling.is_late = !filling.is_known;
    if (filling.is_late) {
        fill(&filling);
    }
    if (!take_text(scope, text->span, filling.size)) {
        return new_value(scope, VALUE_ERROR, text->span);
    }
    StrBuf out = { .arena = arena_of(scope) };
    filling.out = &out;
    fill(&filling);
    const Value *made = new_text(scope, text->span, strbuf_str(&out));
    return filling.is_late ? new_call(scope, text->span, call, made) : made;
}

static const Value *call_sub(const CfnScope *scope, const CfnCall *call, const Value *argument, Span span) {
    const bool has_map = argument->kind == VALUE_LIST && argument->list.count == 2;
    const Value *text = has_map ? argument->list.items[0] : argument;
    if (text->kind != VALUE_STRING) {
        return new_call(scope, span, call, argument);
    }
    const Value *own = has_map && argument->list.items[1]->kind == VALUE_MAP ? argument->list.items[1] : NULL;
    return substitute(scope, call, text, own);
}

static const Value *join_late(const CfnScope *scope, const Value *list, Str by, Span span) {
    Late *late = arena_new(arena_of(scope), Late);
    const Value **parts = arena_new_array(arena_of(scope), const Value *, (size_t)list->list.count * 2);
    *late = (Late){ .kind = LATE_TEXT, .parts = parts };
    for (uint32_t i = 0; i < list->list.count; i++) {
        if (i > 0 && by.len > 0) {
            parts[late->part_count++] = new_text(scope, span, by);
        }
        parts[late->part_count++] = list->list.items[i];
    }
    Value *value = new_value(scope, VALUE_LATE, span);
    value->late = late;
    return value;
}

static const Value *call_join(const CfnScope *scope, const CfnCall *call, const Value *argument, Span span) {
    if (argument->kind != VALUE_LIST || argument->list.count != 2 || argument->list.items[0]->kind != VALUE_STRING ||
        argument->list.items[1]->kind != VALUE_LIST) {
        return new_call(scope, span, call, argument);
    }
    const Str by = argument->list.items[0]->string;
    const Value *list = argument->list.items[1];
    size_t size = 0;
    for (uint32_t i = 0; i < list->list.count; i++) {
        Str item;
        if (!text_of(arena_of(scope), list->list.items[i], &item)) {
            return join_late(scope, list, by, span);
        }
        size += item.len + (i == 0 ? 0 : by.len);
    }
    if (!take_text(scope, span, size)) {
        return new_value(scope, VALUE_ERROR, span);
    }
    StrBuf text = { .arena = arena_of(scope) };
    for (uint32_t i = 0; i < list->list.count; i++) {
        Str item = STR_NONE;
        (void)text_of(arena_of(scope), list->list.items[i], &item);
        strbuf_add(&text, i == 0 ? STR_NONE : by);
        strbuf_add(&text, item);
    }
    return new_text(scope, span, strbuf_str(&text));
}

// ---- lists and maps ----------------------------------------------------------------------------------------------

static const Value *call_split(const CfnScope *scope, const CfnCall *call, const Value *argument, Span span) {
    const bool is_pair = argument->kind == VALUE_LIST && argument->list.count == 2 &&
                         argument->list.items[0]->kind == VALUE_STRING && argument->list.items[1]->kind == VALUE_STRING;
    if (!is_pair || argument->list.items[0]->string.len == 0) {
        return new_call(scope, span, call, argument);
    }
    return split(scope, span, argument->list.items[1]->string, argument->list.items[0]->string, false);
}

static const Value *call_select(const CfnScope *scope, const CfnCall *call, const Value *argument, Span span) {
    Str text;
    const bool is_known = argument->kind == VALUE_LIST && argument->list.count == 2 &&
                          argument->list.items[1]->kind == VALUE_LIST &&
                          text_of(arena_of(scope), argument->list.items[0], &text);
    const Data *index = is_known ? yaml_scalar(arena_of(scope), text) : NULL;
    if (index == NULL || index->kind != DATA_INT || index->integer < 0 ||
        index->integer >= (int64_t)argument->list.items[1]->list.count) {
        return new_call(scope, span, call, argument);
    }
    return argument->list.items[1]->list.items[index->integer];
}

static const Data *find_data(const Data *map, Str key) {
    for (uint32_t i = 0; map != NULL && map->kind == DATA_MAP && i < map->count; i++) {
        if (str_equal(map->entries[i].key, key)) {
            return map->entries[i].value;
        }
    }
    return NULL;
}

// The third key of the call is a map with the DefaultValue.
static const Value *call_find(const CfnScope *scope, const CfnCall *call, const Value *argument, Span span) {
    Str keys[3];
    bool is_known = argument->kind == VALUE_LIST && argument->list.count >= 3;
    for (uint32_t i = 0; is_known && i < COUNT_OF(keys); i++) {
        is_known = text_of(arena_of(scope), argument->list.items[i], &keys[i]);
    }
    const Data *found = is_known ? scope->world->template->mappings : NULL;
    for (uint32_t i = 0; found != NULL && i < COUNT_OF(keys); i++) {
        found = find_data(found, keys[i]);
    }
    return found == NULL ? new_call(scope, span, call, argument) : cfn_value_in(scope, found);
}

// Which arm a world takes: the condition is known in each.
static const Data *arm_of(const CfnScope *scope, const Data *argument) {
    if (argument->kind != DATA_LIST || argument->count != 3) {
        return NULL;
    }
    const int index = cfn_condition(scope->world->template, argument->items[0]->string);
    return index < 0 ? NULL : argument->items[scope->world->conditions[index] == TRUTH_TRUE ? 1 : 2];
}

typedef const Value *Call(const CfnScope *scope, const CfnCall *call, const Value *argument, Span span);

typedef struct {
    const char *name;
    Call *call;
} CallRow;

static const CallRow CALLS[] = {
    { "Ref", call_ref },         { "Fn::Sub", call_sub },       { "Fn::Join", call_join },
    { "Fn::Split", call_split }, { "Fn::Select", call_select }, { "Fn::FindInMap", call_find },
};

static const Value *evaluate_call(const CfnScope *scope, const Data *data, const CfnCall *call) {
    const Data *arm = str_is(call->name, "Fn::If") ? arm_of(scope, call->argument) : NULL;
    if (arm != NULL) {
        return cfn_value_in(scope, arm);
    }
    const Value *argument = cfn_value_in(scope, call->argument);
    for (size_t i = 0; i < COUNT_OF(CALLS); i++) {
        if (str_is(call->name, CALLS[i].name)) {
            return CALLS[i].call(scope, call, argument, data->span);
        }
    }
    return new_call(scope, data->span, call, argument);
}

// ---- all values --------------------------------------------------------------------------------------------------

typedef VEC(ValueEntry) Entries;

static void add_entry(void *context, const CfnScope *scope, Str key, Span key_span, const Data *value) {
    Entries *entries = context;
    vec_push(arena_of(scope), entries,
             (ValueEntry){ .key = key, .key_span = key_span, .value = cfn_value_in(scope, value) });
}

// A key with the variables of the loops around it. `&{Name}` leaves out what no logical id may hold; here it is the same.
static Str key_in(const CfnScope *scope, Str key) {
    for (; scope != NULL && str_find(key, STR("{"), 0) < key.len; scope = scope->outer) {
        for (int i = 0; i < 2 && scope->name.len > 0; i++) {
            const Str spelled = str_format(arena_of(scope), i == 0 ? "${%.*s}" : "&{%.*s}", STR_ARG(scope->name));
            const Str filled = str_replaced(arena_of(scope), key, spelled, scope->text);
            key = filled.len <= KEY_BYTES_MAX ? filled : key;
        }
    }
    return key;
}

static void each_entry(const CfnScope *scope, const Data *map, CfnVisit *visit, void *context);

// `Fn::ForEach::Loop: [Name, [items], { entries }]`.
static void each_turn(const CfnScope *scope, const Data *loop, CfnVisit *visit, void *context) {
    if (loop->kind != DATA_LIST || loop->count != 3 || loop->items[0]->kind != DATA_STRING ||
        loop->items[2]->kind != DATA_MAP) {
        return;
    }
    const Value *items = cfn_value_in(scope, loop->items[1]);
    for (uint32_t i = 0; items->kind == VALUE_LIST && i < items->list.count && i < LOOP_ITEMS_MAX; i++) {
        CfnScope turn = *scope;
        turn.outer = scope;
        turn.name = loop->items[0]->string;
        turn.depth++;
        if (text_of(arena_of(scope), items->list.items[i], &turn.text)) {
            each_entry(&turn, loop->items[2], visit, context);
        }
    }
}

static void each_entry(const CfnScope *scope, const Data *map, CfnVisit *visit, void *context) {
    for (uint32_t i = 0; (i < map->count) && (*scope->budget > 0); i++) {
        const DataEntry *entry = &map->entries[i];
        if (str_starts_with(entry->key, STR("Fn::ForEach::"))) {
            each_turn(scope, entry->value, visit, context);
        } else {
            visit(context, scope, key_in(scope, entry->key), entry->key_span, entry->value);
        }
    }
}

static const Value *evaluate_list(const CfnScope *scope, const Data *data) {
    Value *list = new_value(scope, VALUE_LIST, data->span);
    list->list.items = arena_new_array(arena_of(scope), const Value *, data->count);
    for (uint32_t i = 0; i < data->count; i++) {
        const Value *item = cfn_value_in(scope, data->items[i]);
        if (item->kind != VALUE_NULL) {
            list->list.items[list->list.count++] = item;
        }
    }
    return list;
}

static const Value *evaluate_scalar(const CfnScope *scope, const Data *data) {
    if (data->kind == DATA_BOOL || data->kind == DATA_INT) {
        Value *value = new_value(scope, data->kind == DATA_BOOL ? VALUE_BOOL : VALUE_INT, data->span);
        if (data->kind == DATA_BOOL) {
            value->boolean = data->boolean;
        } else {
            value->integer = data->integer;
        }
        return value;
    }
    return data->kind == DATA_NULL ? new_value(scope, VALUE_NULL, data->span)
                                   : new_text(scope, data->span, data->string);
}

const Value *cfn_value_in(const CfnScope *scope, const Data *data) {
    CfnScope inner = *scope;
    inner.outer = scope->name.len > 0 ? scope : scope->outer;
    inner.name = STR_NONE;
    inner.depth++;
    if (*inner.budget == 0 || inner.depth > DEPTH_MAX) {
        return new_value(scope, VALUE_ERROR, data->span); // which is late to whoever reads it
    }
    if (!take_values(scope, data->span, 1)) {
        return new_value(scope, VALUE_ERROR, data->span);
    }
    --*inner.budget;
    CfnCall call;
    if (cfn_call_of(data, &call)) {
        return evaluate_call(&inner, data, &call);
    }
    if (data->kind == DATA_LIST) {
        return evaluate_list(&inner, data);
    }
    if (data->kind != DATA_MAP) {
        return evaluate_scalar(&inner, data);
    }
    Entries entries = { .items = arena_new_array(arena_of(&inner), ValueEntry, data->count), .capacity = data->count };
    each_entry(&inner, data, add_entry, &entries);
    return new_map(&inner, data->span, entries.items, entries.count);
}

const Value *cfn_value(const CfnWorld *world, const Data *data) {
    uint32_t budget = VALUES_MAX;
    const CfnScope scope = { .world = world, .budget = &budget };
    return cfn_value_in(&scope, data);
}

bool cfn_text(const CfnWorld *world, const Data *data, Str *text) {
    return text_of(world->template->session->arena, cfn_value(world, data), text);
}

void cfn_each_entry(const CfnWorld *world, const Data *map, CfnVisit *visit, void *context) {
    uint32_t budget = VALUES_MAX;
    const CfnScope scope = { .world = world, .budget = &budget };
    each_entry(&scope, map, visit, context);
}
