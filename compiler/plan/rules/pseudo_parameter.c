// Stand-ins for pseudo parameters. AWS::StackId is left out, since nobody makes names of it, and so is AWS::NoValue.
#include "compiler/plan/rules/pseudo_parameter.h"

typedef struct {
    const char *name;
    const char *text;
} PseudoRow;

// source: CloudFormation User Guide, Pseudo parameters reference; AWS General Reference, Amazon Resource Names; read 2026-11
static const PseudoRow PSEUDO_ROWS[] = {
    { "AWS::Partition", "aws" },           { "AWS::Region", "us-east-1" }, { "AWS::AccountId", "100000000001" },
    { "AWS::URLSuffix", "amazonaws.com" }, { "AWS::StackName", "abc" }, // one letter is a name too
};

static Str pseudo_text(Str name) {
    for (size_t i = 0; i < COUNT_OF(PSEUDO_ROWS); i++) {
        if (str_is(name, PSEUDO_ROWS[i].name)) {
            return str_of(PSEUDO_ROWS[i].text);
        }
    }
    return STR_NONE;
}

// A text for Fn::Sub; `${!Name}` is `${Name}`.
static bool add_sub(StrBuf *out, Str text, bool is_written) {
    for (size_t at = 0; at < text.len;) {
        const size_t found = str_find(text, STR("${"), at);
        const size_t end = str_find(text, STR("}"), found);
        strbuf_add(out, str_slice(text, at, found));
        if (end >= text.len) {
            strbuf_add(out, str_slice(text, found, text.len));
            return true;
        }
        const Str name = str_slice(text, found + 2, end);
        const bool is_escape = str_starts_with(name, STR("!"));
        const Str known = is_escape ? STR_NONE : pseudo_text(str_trim(name));
        if (is_written || is_escape) {
            strbuf_add(out, str_slice(text, found, end + 1));
        } else if (known.len > 0) {
            strbuf_add(out, known);
        } else {
            return false;
        }
        at = end + 1;
    }
    return true;
}

static bool add(StrBuf *out, const Value *value, bool is_written) {
    const Str sub = object_text(object_get(value, "Fn::Sub"));
    const Str ref = object_text(object_get(value, "Ref"));
    const Str known = pseudo_text(ref);
    if (value->kind == VALUE_STRING) {
        strbuf_add(out, value->string);
        return true;
    }
    if (ref.len > 0 && (is_written || known.len > 0)) {
        if (is_written) {
            strbuf_add_format(out, "${%.*s}", STR_ARG(ref));
        } else {
            strbuf_add(out, known);
        }
        return true;
    }
    return sub.len > 0 && add_sub(out, sub, is_written);
}

static bool is_joined(const Value *value) {
    return value->kind == VALUE_LATE && value->late->kind == LATE_TEXT;
}

bool pseudo_parameter_is(const Value *value) {
    return value != NULL && (is_joined(value) || (value->kind == VALUE_MAP && value->map.count == 1 &&
                                                  (object_text(object_get(value, "Fn::Sub")).len > 0 ||
                                                   pseudo_text(object_text(object_get(value, "Ref"))).len > 0)));
}

static Str text_of(Arena *arena, const Value *value, bool is_written) {
    StrBuf out = { .arena = arena };
    if (value != NULL && value->kind == VALUE_STRING) {
        return value->string;
    }
    bool is_known = pseudo_parameter_is(value);
    for (uint32_t i = 0; is_known && is_joined(value) && i < value->late->part_count; i++) {
        is_known = add(&out, value->late->parts[i], is_written);
    }
    return is_known && (is_joined(value) || add(&out, value, is_written)) ? strbuf_str(&out) : STR_NONE;
}

Str pseudo_parameter_text(Arena *arena, const Value *value) {
    return text_of(arena, value, false);
}

Str pseudo_parameter_written(Arena *arena, const Value *value) {
    return text_of(arena, value, true);
}
