// Which brackets are open, and which token closes which. A closing bracket closes the nearest open one of its kind;
// what was opened inside of that was forgotten and stays without a partner. The `${` of a string is a bracket too:
// nothing but its `}` reaches past it.
#include "compiler/syntax/lexer.h"

TokenKind bracket_innermost(const Lexer *lexer) {
    return lexer->bracket_count == 0 ? TOKEN_EOF : lexer->brackets[lexer->bracket_count - 1].kind;
}

bool bracket_open(Lexer *lexer, Bracket bracket) {
    if (lexer->bracket_count == SYNTAX_DEPTH_MAX) {
        const Token *token = &lexer->tokens.items[bracket.token];
        report(lexer->session, lexer_span(lexer, token->start, token->end), DIAG(nested_too_deep), SYNTAX_DEPTH_MAX);
        lexer_stop(lexer);
        return false;
    }
    lexer->brackets[lexer->bracket_count++] = bracket;
    return true;
}

static bool closes(TokenKind closing, TokenKind opening) {
    return (closing == TOKEN_BRACE_CLOSE && (opening == TOKEN_BRACE_OPEN || opening == TOKEN_STRING_HEAD)) ||
           (closing == TOKEN_PAREN_CLOSE && opening == TOKEN_PAREN_OPEN) ||
           (closing == TOKEN_SQUARE_CLOSE && opening == TOKEN_SQUARE_OPEN);
}

// How many brackets stay open once `kind` closed one; the current count where it closes none. Where no bracket of its
// kind is open, `)` and `]` are taken for each other.
static uint32_t count_after(const Lexer *lexer, TokenKind kind) {
    for (uint32_t i = lexer->bracket_count; i > 0; i--) {
        const TokenKind open = lexer->brackets[i - 1].kind;
        if (closes(kind, open)) {
            return i - 1;
        }
        if (open == TOKEN_STRING_HEAD) {
            break;
        }
    }
    const TokenKind innermost = bracket_innermost(lexer);
    const bool is_mistaken =
        kind != TOKEN_BRACE_CLOSE && (innermost == TOKEN_PAREN_OPEN || innermost == TOKEN_SQUARE_OPEN);
    return lexer->bracket_count - (is_mistaken ? 1 : 0);
}

// A separator before a closing brace is dropped: its bytes become trivia of the brace.
static void drop_separator(Lexer *lexer) {
    const Token *last = lexer_last(lexer, 1);
    if (last != NULL && last->kind == TOKEN_SEPARATOR) {
        lexer->trivia_start = last->trivia_start;
        lexer->tokens.count--;
    }
}

void bracket_close(Lexer *lexer, TokenKind kind) {
    const uint32_t count = count_after(lexer, kind);
    const bool is_stray = count == lexer->bracket_count;
    const Bracket closed = is_stray ? (Bracket){ .token = TOKEN_NO_PARTNER } : lexer->brackets[count];
    lexer->bracket_count = count;
    if (!is_stray && closed.kind == TOKEN_STRING_HEAD) {
        lex_string_rest(lexer, closed.string, closed.token);
        return;
    }
    if (kind == TOKEN_BRACE_CLOSE) {
        drop_separator(lexer);
    }
    const uint32_t token = lexer_push(lexer, kind, lexer->position, lexer->position + 1);
    if (!is_stray) {
        lexer->tokens.items[token].partner = closed.token;
        lexer->tokens.items[closed.token].partner = token;
    }
}

static bool begins_declaration(TokenKind kind) {
    static const bool BEGINS[TOKEN_COUNT] = {
        [TOKEN_LATE] = true,   [TOKEN_PARAM] = true,  [TOKEN_LET] = true,   [TOKEN_USE] = true,
        [TOKEN_OUTPUT] = true, [TOKEN_ALLOW] = true,  [TOKEN_PATCH] = true, [TOKEN_RESOURCE] = true,
        [TOKEN_FOR] = true,    [TOKEN_ASSERT] = true, [TOKEN_IF] = true,
    };
    return BEGINS[kind];
}

// Offset of the first line end in the text between two tokens; `end` where there is none.
static uint32_t first_line_end(const Lexer *lexer, uint32_t start, uint32_t end) {
    while (start < end && lexer_line_end_length(lexer, start) == 0) {
        start++;
    }
    return start;
}

// The first token of the line that the current position ends, where what stands between is a block's head or an
// attribute's name; TOKEN_NO_PARTNER else. Behind the tokens it is the coming one itself.
static uint32_t first_of_line(const Lexer *lexer, uint32_t not_before) {
    enum { HEAD_TOKENS_MAX = 16 }; // a head is a handful of words; the bound keeps lexing linear
    uint32_t index = lexer->tokens.count;
    uint32_t trivia = lexer->trivia_start;
    uint32_t start = lexer->position;
    for (int i = 0; i < HEAD_TOKENS_MAX; i++) {
        if (first_line_end(lexer, trivia, start) < start) {
            return index;
        }
        if (index == not_before) {
            break;
        }
        const Token *before = &lexer->tokens.items[index - 1];
        if (before->kind != TOKEN_NAME && before->kind != TOKEN_STRING && before->kind != TOKEN_DOT &&
            !token_is_keyword(before->kind)) {
            break;
        }
        index--;
        trivia = before->trivia_start;
        start = before->start;
    }
    return TOKEN_NO_PARTNER;
}

// Puts a separator before a token, made of the first line end of its trivia.
static void insert_separator(Lexer *lexer, uint32_t before) {
    const bool is_last = before == lexer->tokens.count;
    const uint32_t trivia = is_last ? lexer->trivia_start : lexer->tokens.items[before].trivia_start;
    const uint32_t start = first_line_end(lexer, trivia, (uint32_t)lexer->text.len);
    const uint32_t end = start + lexer_line_end_length(lexer, start);
    const Token separator = { .kind = TOKEN_SEPARATOR,
                              .trivia_start = trivia,
                              .start = start,
                              .end = end,
                              .partner = TOKEN_NO_PARTNER,
                              .text = lexer_slice(lexer, start, end) };
    vec_push(lexer->session->arena, &lexer->tokens, separator);
    if (is_last) {
        lexer->trivia_start = end;
        return;
    }
    Token *items = lexer->tokens.items;
    memmove(&items[before + 1], &items[before], (lexer->tokens.count - 1 - before) * sizeof(items[0]));
    items[before] = separator;
    items[before + 1].trivia_start = end;
}

void bracket_give_up(Lexer *lexer, TokenKind kind) {
    const TokenKind innermost = bracket_innermost(lexer);
    const Token *last = lexer_last(lexer, 1);
    if (last == NULL || (innermost != TOKEN_PAREN_OPEN && innermost != TOKEN_SQUARE_OPEN)) {
        return;
    }
    const bool is_behind_name = last->kind == TOKEN_NAME || last->kind == TOKEN_STRING;
    const bool is_out_of_place = (kind == TOKEN_ASSIGN && is_behind_name) ||
                                 (kind == TOKEN_BRACE_OPEN && is_behind_name) ||
                                 (begins_declaration(kind) && last->kind != TOKEN_DOT);
    if (!is_out_of_place) {
        return;
    }
    const uint32_t opening = lexer->brackets[lexer->bracket_count - 1].token;
    const uint32_t first = first_of_line(lexer, opening + 1);
    if (first == TOKEN_NO_PARTNER || (begins_declaration(kind) && first != lexer->tokens.count)) {
        return;
    }
    uint32_t count = lexer->bracket_count;
    while (count > 0 && (lexer->brackets[count - 1].kind == TOKEN_PAREN_OPEN ||
                         lexer->brackets[count - 1].kind == TOKEN_SQUARE_OPEN)) {
        count--;
    }
    if (count > 0 && lexer->brackets[count - 1].kind == TOKEN_STRING_HEAD) {
        return; // no entry begins inside of a string
    }
    lexer->bracket_count = count;
    insert_separator(lexer, first);
}
