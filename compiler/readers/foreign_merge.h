// `<<: *name` in a map of YAML: the map takes over the entries of another one.
#pragma once

#include "compiler/base/data.h"

// Takes over what is merged, in all maps of the document. Who reads the document afterwards meets no `<<`. A map that
// several aliases name is changed once.
void foreign_merge(Arena *arena, Data *document);
