// Reads parts of a Kubernetes object, or of another document, as an author wrote it. Any key may be absent, null, or of a wrong kind.
#pragma once

#include "compiler/semantics/value.h"

// The value of a key; NULL where it is absent or null, and where `value` is NULL or no map.
static inline const Value *object_get(const Value *value, const char *key) {
    const Value *found = value != NULL && value->kind == VALUE_MAP ? value_get(value, key) : NULL;
    return found != NULL && found->kind != VALUE_NULL ? found : NULL;
}

// How many items a list has; 0 of NULL and of what is no list.
static inline uint32_t object_count(const Value *value) {
    return value != NULL && value->kind == VALUE_LIST ? value->list.count : 0;
}

// The text of a string; empty of NULL and of what is none.
static inline Str object_text(const Value *value) {
    return value != NULL && value->kind == VALUE_STRING ? value->string : STR_NONE;
}

// A count as Kubernetes has it, 0 to INT32_MAX: `absent` of NULL, and -1 of what is none.
static inline int64_t object_int32(const Value *value, int64_t absent) {
    const bool is_count =
        value != NULL && value->kind == VALUE_INT && value->integer >= 0 && value->integer <= INT32_MAX;
    return value == NULL ? absent : is_count ? value->integer : -1;
}
