// Which form a text takes in YAML: the judgement, apart from the writing.
#pragma once

#include "emitters/doc.h"

// What one look at the bytes of a string tells.
typedef struct {
    bool is_plain;         // needs no quotes in block style
    bool is_plain_in_flow; // needs none between `[` and `]`
    bool prefers_single;   // holds `"` or `\`, and single quotes need no escape for it
    bool is_ascii;         // printable ASCII only: quotes, escaped or not, keep it as it is
    bool has_rare;         // holds the byte 0xEF, with which YAML_MARK begins
} YamlText;

YamlText yaml_text(Str text);

// Whether a text can be a literal block (`|`) with libyaml 0.2.5 and come back as it was: no tab, blank before a line
// end, control or non-BMP character; nothing that is all line ends.
bool yaml_is_literal(Str text);

// Whether a text that libyaml does not take can be a literal block all the same: with tabs, blanks before line ends and
// characters of any plane, as scripts have them; what libyaml reads, it does not write. It begins and ends, line ends
// aside, with a character that is no blank.
bool yaml_is_own_literal(Str text);

typedef struct {
    char bytes[20]; // a sign and 19 digits
} YamlDigits;

// A number in decimal; borrows from `digits`.
Str yaml_digits(int64_t value, YamlDigits *digits);

// Writes a list, or a call around one, in flow style: `!Select [0, !Cidr [10.0.0.0/16, 2, 15]]`. False, with part of it
// in `out`, where that is not how one would write it: it holds a map, a comment, a text that is not plain ASCII or that
// holds `: ` or ` #`, or it takes more than `room` bytes.
bool yaml_flow(StrBuf *out, const DocNode *node, size_t room);
