// Two forms of blocks of text that libfyaml 0.7 misreads, and is not given. A tag that stands alone before a block, on a
// line of its own, is taken for the start of a key:
//
//     UserData:
//       !Sub |
//         text
//
// The header moves to the place of the tag, and blanks fill the line. A block without a line of its own takes what stands
// beside it:
//
//     - |+
//
//     - text
//
// A `~` stands for it. The reader puts both back. A line of a quoted text that looks like such a header is not known.
#pragma once

#include "compiler/base/str.h"
#include "compiler/base/vec.h"

typedef struct {
    size_t at;
    Str text;
} HiddenText;

typedef VEC(HiddenText) HiddenTexts; // in the order of the file

typedef struct {
    HiddenTexts tags;  // "!Sub", where the block's text begins: behind the line of the tag
    HiddenTexts empty; // nothing, or line ends, where `|` or `>` stands
} YamlBlocks;

// The text without both, as long as it was; the text itself where it has none.
Str yaml_hide_blocks(Arena *arena, Str text, YamlBlocks *blocks);

// The tag of the block whose text begins there; empty: none was taken away.
Str yaml_block_tag(const YamlBlocks *blocks, size_t content);

// Whether an empty block was taken away there, with its text.
bool yaml_empty_block(const YamlBlocks *blocks, size_t header, Str *text);
