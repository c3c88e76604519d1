// Reads attributes of checked blocks for the Plan: the author's value as it is, or the default. The default is a value
// of the same kind whose origin is the schema's row. So everything that follows treats both alike.
#include "compiler/plan/declared/read.h"

// Of an attribute's row. Many blocks have the same defaults, and share it.
static const Origin *origin_of_row(Builder *builder, const KindRow *kind, int attribute) {
    const Origin ***origins = &builder->row_origins[kind - KIND_ROWS];
    if (*origins == NULL) {
        *origins = arena_new_array(builder->arena, const Origin *, (size_t)kind->attribute_count);
    }
    if ((*origins)[attribute] == NULL) {
        const Str name = str_format(builder->arena, "%s.%s", kind->name, kind->attributes[attribute].name);
        (*origins)[attribute] = origin_schema(builder->arena, str_c(builder->arena, name));
    }
    return (*origins)[attribute];
}

const Origin *plan_schema_origin(Builder *builder, const Block *block, int attribute) {
    return origin_join(builder->arena, block->subject.null_origins[attribute],
                       origin_of_row(builder, block->kind, attribute));
}

// The bucket whose name the deployment works out, where that is what makes a value late.
static const Block *bucket_in(const Value *value) {
    if (value->kind == VALUE_LATE && value->late->kind == LATE_OUTPUT) {
        return value->late->block->kind == &KIND_ROWS[KIND_BUCKET] ? value->late->block : NULL;
    }
    const Block *bucket = NULL;
    const Value *part;
    for (uint32_t i = 0; bucket == NULL && (part = value_part(value, i)) != NULL; i++) {
        bucket = bucket_in(part);
    }
    return bucket;
}

const Value *read_known(Builder *builder, const Block *block, int attribute) {
    const Value *value = block_value(block, attribute);
    if (value == NULL || value_is_known(value)) {
        return value;
    }
    const char *name = block->kind->attributes[attribute].name;
    Diag *diag = report(builder->session, value->span, DIAG(late_shape), name);
    // A plain name has the span of its declaration, which may be far from where it is used.
    bool is_param = value->kind == VALUE_LATE && value->late->kind == LATE_PARAM;
    if (is_param) {
        diag_primary_label(builder->session, diag, "late");
        diag_label(builder->session, diag, block->subject.attribute_spans[attribute], "used here");
    }
    const Block *bucket = bucket_in(value);
    if (bucket != NULL) {
        diag_help(builder->session, diag, "give `%.*s` a `name` that is known, and what is made of it is known too",
                  STR_ARG(bucket->name));
        return NULL;
    }
    diag_help(builder->session, diag, "declare %s as a `param` without `late`, or give it a value with -p",
              is_param ? "it" : "what is late in it");
    return NULL;
}

const Value *read_given(Builder *builder, const Block *block, int attribute) {
    const Value *value = block_value(block, attribute);
    if (value == NULL || !value_may_be_null(value)) {
        return value;
    }
    Diag *diag = report(builder->session, value->span, DIAG(late_optional), block->kind->attributes[attribute].name);
    diag_help(builder->session, diag, "say what stands there without it: `%.*s ?? …`",
              STR_ARG(value_print(builder->arena, value)));
    return NULL;
}

const Value *plan_default(Builder *builder, const Value *value, const Value *otherwise) {
    if (value == NULL || otherwise == NULL || !value_may_be_null(value)) {
        return value == NULL ? otherwise : value;
    }
    const Value **parts = arena_new_array(builder->arena, const Value *, 2);
    parts[0] = value;
    parts[1] = otherwise;
    Late *late = arena_new(builder->arena, Late);
    *late = (Late){ .kind = LATE_DEFAULT,
                    .type = value->late->type,
                    .is_optional = value_may_be_null(otherwise),
                    .parts = parts,
                    .part_count = 2 };
    const Origin *origin = origin_join(builder->arena, value->origin, otherwise->origin);
    Value *made = value_new(builder->arena, VALUE_LATE, value->span, origin);
    made->late = late;
    return made;
}

const Value *read_int(Builder *builder, const Block *block, int attribute, int64_t otherwise) {
    const Value *value = block_value(block, attribute);
    const Value *made =
        value_int(builder->arena, block->subject.name_span, plan_schema_origin(builder, block, attribute), otherwise);
    return plan_default(builder, value, made);
}

const Value *read_bool(Builder *builder, const Block *block, int attribute, bool otherwise) {
    const Value *value = read_known(builder, block, attribute);
    if (value != NULL) {
        return value;
    }
    Value *made =
        value_new(builder->arena, VALUE_BOOL, block->subject.name_span, plan_schema_origin(builder, block, attribute));
    made->boolean = otherwise;
    return made;
}

const Value *read_word(Builder *builder, const Block *block, int attribute, const char *otherwise) {
    const Value *value = read_known(builder, block, attribute);
    if (value != NULL) {
        return value;
    }
    Value *made =
        value_new(builder->arena, VALUE_WORD, block->subject.name_span, plan_schema_origin(builder, block, attribute));
    made->string = str_of(otherwise);
    return made;
}

const Value *read_known_list(Builder *builder, const Block *block, int attribute) {
    const Value *value = read_known(builder, block, attribute);
    return value != NULL ? value : value_list(builder->arena, block->subject.name_span, NULL, NULL, 0);
}

const Value *read_map(Builder *builder, const Block *block, int attribute) {
    const Value *value = block_value(block, attribute);
    return value != NULL ? value : value_new(builder->arena, VALUE_MAP, block->subject.name_span, NULL);
}

const Block *read_child(const Block *block, int kind) {
    for (uint32_t i = 0; i < block->children.count; i++) {
        if (block->children.items[i]->kind == &KIND_ROWS[kind]) {
            return block->children.items[i];
        }
    }
    return NULL;
}

bool read_is_off(const Block *block, int kind) {
    for (uint32_t i = 0; i < block->off.count; i++) {
        if (block->off.items[i] == &KIND_ROWS[kind]) {
            return true;
        }
    }
    return false;
}

bool read_is_written_there(Builder *builder, const Block *block, int attribute) {
    const Span name = block->subject.attribute_spans[attribute];
    const Span value = block->subject.values[attribute]->span;
    if (span_is_none(name) || name.source != value.source || value.start < name.end) {
        return false;
    }
    const Span between = { .source = name.source, .start = name.end, .end = value.start };
    return str_is(str_trim(source_text(builder->session, between)), "=");
}
