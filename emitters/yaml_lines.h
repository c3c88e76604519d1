// Lines and comments of a YAML text that was written from a document.
#pragma once

#include "emitters/doc.h"

// What a reader met in the text, in its order: a scalar of any kind, keys included, counts as DOC_STRING.
typedef struct {
    uint32_t line; // from 1
    DocKind kind;  // DOC_STRING, DOC_LIST, DOC_MAP
} YamlNode;

typedef VEC(YamlNode) YamlNodes;

// Appends the leaves of `doc` to `lines` (may be NULL, its memory is of `arena`) and returns the text with the comments
// of the document above their entries, made in `scratch` where there are any.
Str yaml_place(Arena *scratch, Arena *arena, const Doc *doc, Str text, const YamlNodes *nodes, DocLines *lines);

// Appends each line of `text` as a comment that begins at a column.
void yaml_add_comment(StrBuf *out, Str text, size_t column);
