// Turns a source into its tree: the first line, then items. What is wrong is reported, and the rest is parsed; items
// too broken to mean anything are left out of the tree.
#include "compiler/syntax/parser.h"

static void report_missing_edition(Parser *parser) {
    const Str text = source_get(parser->session, parser->source)->text;
    const uint32_t start = str_starts_with(text, STR("\xEF\xBB\xBF")) ? 3 : 0;
    const Span first = parser_span(parser, 0);
    Diag *diag = report(parser->session, first, DIAG(missing_edition));
    diag_fix(parser->session, diag, (Span){ .source = parser->source, .start = start, .end = start }, STR("dt 1\n\n"));
}

// 'dt' INT. Returns the edition, 0 where there is none.
static int64_t parse_edition(Parser *parser) {
    if (!parser_at(parser, TOKEN_DT)) {
        const bool is_unreadable = parser_at(parser, TOKEN_ERROR) && parser_peek(parser)->kind == TOKEN_EOF;
        if (!is_unreadable) {
            report_missing_edition(parser);
        }
        return 0;
    }
    parser_advance(parser);
    int64_t edition = 0;
    if (parser_at(parser, TOKEN_INT)) {
        const uint32_t index = parser_advance(parser);
        const Str digits = parser->tokens[index].text;
        edition = 1;
        const bool has_zeros = digits.len > 1 && digits.data[0] == '0'; // which the lexer has reported
        if (!str_is(digits, "1") && !has_zeros) {
            edition = 0;
            // No fix: the file may come from a newer dtc, and would say something else.
            report(parser->session, parser_span(parser, index), DIAG(unknown_edition), STR_ARG(digits));
        }
    } else {
        parser_unexpected(parser, "the edition, `1`");
    }
    parser_end_entry(parser);
    return edition;
}

const File *parse(Session *session, uint32_t source) {
    const uint32_t error_count = session->diags.error_count;
    File *file = arena_new(session->arena, File);
    *file = (File){ .source = source, .tokens = lex(session, source) };
    Parser parser = {
        .session = session,
        .source = source,
        .tokens = file->tokens.items,
        .count = file->tokens.count,
    };
    file->edition = parse_edition(&parser);
    file->items = parse_items(&parser);
    file->is_whole = session->diags.error_count == error_count;
    return file;
}
