// Tokens of the dt language. Comments and blank lines are not tokens: they are the bytes between two tokens. All tokens
// with the bytes between them are the source again, byte for byte.
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
    // The index of the other token of a pair. An opening token (a bracket, the head of a string) has the token that
    // closes it, and the reverse. The middle of a string has its head. TOKEN_NO_PARTNER if the other one is missing,
    // and for all other tokens. In `(a]` the closing token is of a wrong kind. If a string breaks off, it is a
    // TOKEN_ERROR.
    uint32_t partner;
    Str text; // string pieces: their value, escapes resolved and indentation stripped; else the source bytes
} Token;

typedef VEC(Token) Tokens;

// All tokens of a source, ending in one TOKEN_EOF. What cannot be read is reported, and TOKEN_ERROR stands for it.
Tokens lex(Session *session, uint32_t source);

// The name of a kind in messages: "`}`", "a name", "the end of the file".
const char *token_describe(TokenKind kind);

// Whether the kind is a reserved word, which may still be a key of a map and stand behind a dot.
bool token_is_keyword(TokenKind kind);

// Whether a word is one of the units (units.def), case included.
bool token_is_unit(Str word);
