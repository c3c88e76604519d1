// Any bytes as tokens. There is no crash, and there is an end. Trivia and tokens laid end to end are the source.
// Partners are mutual. Every message points into the source.
#include "compiler/syntax/token.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

static void check_tokens(Tokens tokens, size_t size) {
    uint32_t end = 0;
    require(tokens.count > 0 && tokens.items[tokens.count - 1].kind == TOKEN_EOF);
    for (uint32_t i = 0; i < tokens.count; i++) {
        const Token *token = &tokens.items[i];
        require(token->trivia_start == end && token->start >= end && token->end >= token->start);
        require((token->kind == TOKEN_EOF) == (i + 1 == tokens.count));
        end = token->end;
        if (token->partner != TOKEN_NO_PARTNER) {
            require(token->partner < tokens.count && token->partner != i);
            const uint32_t back = tokens.items[token->partner].partner;
            require(token->kind == TOKEN_STRING_MIDDLE || back == i);
        }
    }
    require(end == size);
}

static void check_span(Span span, uint32_t source, size_t size) {
    require(span.source == source && span.start <= span.end && span.end <= size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Session *session = session_create();
    const uint32_t source = source_add(session, STR("fuzz.dt"), (Str){ .data = (const char *)data, .len = size });
    const Tokens tokens = lex(session, source);
    check_tokens(tokens, size);
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        const Diag *diag = session->diags.items.items[i];
        check_span(diag->span, source, size);
        for (uint32_t j = 0; j < diag->labels.count; j++) {
            check_span(diag->labels.items[j].span, source, size);
        }
        for (uint32_t j = 0; j < diag->fixes.count; j++) {
            check_span(diag->fixes.items[j].span, source, size);
        }
    }
    session_destroy(session);
    return 0;
}
