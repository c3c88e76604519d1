// Lists of names that services, tools and images keep for themselves, know, or lack (names.def).
#pragma once

#include "compiler/base/str.h"

typedef enum {
#define NAMES(list, ...) NAMES_##list,
#include "schema/names.def"
#undef NAMES
    NAME_LIST_COUNT
} NameListId;

typedef struct {
    const char *const *items;
    size_t count;
} NameList;

NameList names_of(NameListId id);

// Whether `name` is one of them.
bool names_have(NameListId id, Str name);
bool names_have_in_any_case(NameListId id, Str name);

// The first of them with which `text` begins or ends; NULL without.
const char *names_beginning(NameListId id, Str text);
const char *names_end(NameListId id, Str text);

// Whether `name` is one of these domains, or within one.
bool names_have_domain(NameListId id, Str name);
