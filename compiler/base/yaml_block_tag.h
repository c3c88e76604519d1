// Tags that stand alone before a block of text, on a line of their own:
//
//     UserData:
//       !Sub |
//         text
//
// libfyaml 0.7 takes such a tag for the start of a key, and refuses the text. So it is given the file without it: the
// header moves to its place, and blanks fill the line. The reader puts the tag back.
#pragma once

#include "compiler/base/str.h"
#include "compiler/base/vec.h"

typedef struct {
    size_t content; // where the block's text begins: behind the line of the tag
    Str tag;        // "!Sub"
} BlockTag;

typedef VEC(BlockTag) BlockTags;

// The text without such tags, as long as it was; the text itself where it has none.
Str yaml_hide_block_tags(Arena *arena, Str text, BlockTags *tags);

// The tag of the block whose text begins there; empty: none was taken away.
Str yaml_block_tag(const BlockTags *tags, size_t content);
