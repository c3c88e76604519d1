// Decides which form a text takes in YAML. It writes nothing.
#pragma once

#include "emitters/doc/doc.h"

// What one look at the bytes of a string tells.
typedef struct {
    bool is_plain;         // needs no quotes in block style
    bool is_plain_in_flow; // needs none between `[` and `]`
    bool prefers_single;   // holds `"` or `\`, and single quotes need no escape for it
    bool is_ascii;         // printable ASCII only: quotes, escaped or not, keep it as it is
} YamlText;

YamlText yaml_text(Str text);

// Adds a text in the quotes that it prefers, on one line, whatever is in it.
void yaml_add_quoted(StrBuf *out, Str text, YamlText form);

// Whether there is what a reader of YAML 1.1 takes for a line end: LF, CR, NEL, LS or PS.
bool yaml_has_break(Str text);

// Whether a text can be a literal block (`|`) and come back as it was: no control character but tabs, nothing that is
// all line ends, no blank at its end; one with tabs, with blanks before line ends or with characters beyond the BMP, as
// scripts have them, begins and ends, line ends aside, with a character that is no blank.
bool yaml_is_literal(Str text);

// Writes a list, or a call around one, in flow style: `!Select [0, !Cidr [10.0.0.0/16, 2, 15]]`. False, with part of it
// in `out`, if nobody would write it in this way. Then it holds a map, a comment, or a text that is not plain ASCII or
// that holds `: ` or ` #`. Or it takes more than `room` bytes.
bool yaml_flow(StrBuf *out, const DocNode *node, size_t room);
