// Values that libraries of a job read of their variables (variable_values.def).
#pragma once

#include "compiler/base/str.h"

typedef enum {
    VALUES_WORD,
    VALUES_LEVEL,
    VALUES_LIST,
    VALUES_MAP,
    VALUES_NUMBER,
    VALUES_PREFIXES,
    VALUES_NAMES,
    VALUES_KEYS,
} VariableValueShape;

typedef struct {
    const char *name;
    VariableValueShape shape;
    const char *words; // with `|` between; empty where the shape has none
    const char *effect;
    bool is_fatal;
} VariableValues;

const VariableValues *variable_values(Str name); // NULL: there is no row

// The part of a value that is not read; empty where all of it is, or where nobody knows all of it.
Str variable_value_unread(const VariableValues *row, Str value);
