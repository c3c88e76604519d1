// The functions of the language, as `dtc explain` and dt(5) show them.
#pragma once

#include "compiler/semantics/evaluator.h"

enum { BUILTIN_ARGUMENTS_MAX = 16 };

typedef struct {
    const char *name;
    int arguments_min;
    int arguments_max;
    const char *signature;
    const char *summary;
} BuiltinDoc;

const BuiltinDoc *builtin_doc(int index); // NULL past the last
