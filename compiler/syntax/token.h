// Tokens of the dt language. Comments and blank lines are no tokens: they are the bytes between two tokens, so that
// trivia and tokens laid end to end are the source again, byte for byte.
#pragma once

#include "compiler/base/session.h"

typedef enum {
#define TOKEN(name, text) TOKEN_##name,
#include "compiler/syntax/token.def"
#undef TOKEN
    TOKEN_COUNT
} TokenKind;

#define TOKEN_NO_PARTNER UINT32_MAX

typedef struct {
    TokenKind kind;
    uint32_t trivia_start; // blanks, comments and dropped line ends from here to `start` belong to this token
    uint32_t start;
    uint32_t end;
    // Of an opening token (a bracket, the head of a string): index of the token that closes it, and the reverse; of the
    // middle of a string: its head. TOKEN_NO_PARTNER where the other one is missing, and of every other token. What
    // closes is of another kind than expected in `(a]`, and a TOKEN_ERROR where a string breaks off.
    uint32_t partner;
    Str text; // string pieces: their value, escapes resolved and indentation stripped; else the source bytes
} Token;

typedef VEC(Token) Tokens;

// All tokens of a source, ending in one TOKEN_EOF. What cannot be read is reported, and TOKEN_ERROR stands for it.
Tokens lex(Session *session, uint32_t source);

// As people call it: "`}`", "a name", "the end of the file".
const char *token_describe(TokenKind kind);

// Whether the kind is a reserved word, which may still be a key of a map and stand behind a dot.
bool token_is_keyword(TokenKind kind);

// Whether a word is one of the units (units.def), case included.
bool token_is_unit(Str word);
