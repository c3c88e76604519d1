// The names of kinds of tokens in messages, which kinds are words, and which words are units.
#include "compiler/syntax/token.h"

const char *token_describe(TokenKind kind) {
    static const char *const NAMES[] = {
#define TOKEN(name, text) [TOKEN_##name] = text,
#include "compiler/syntax/token.def"
#undef TOKEN
    };
    return NAMES[kind];
}

bool token_is_keyword(TokenKind kind) {
    static const bool IS_KEYWORD[TOKEN_COUNT] = {
#define TOKEN(name, text)
#define SYMBOL(name, spelling)
#define KEYWORD(name, spelling) [TOKEN_##name] = true,
#include "compiler/syntax/token.def"
#undef TOKEN
    };
    return IS_KEYWORD[kind];
}

bool token_is_unit(Str word) {
    static const char *const UNITS[] = {
#define UNIT(name, quantity, base_units) #name,
#include "compiler/syntax/units.def"
#undef UNIT
    };
    for (size_t i = 0; i < COUNT_OF(UNITS); i++) {
        if (str_is(word, UNITS[i])) {
            return true;
        }
    }
    return false;
}
