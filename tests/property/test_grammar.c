// Holds the grammar page of dt(5) and the parser together. The page is read as data. Random sentences are made from it,
// written as sources with random blanks, comments and spellings, and must parse. In other sentences one token is
// changed. The parser must refuse them exactly where an LL(1) recogniser built from the page does.
#include "compiler/base/file.h"
#include "compiler/syntax/ast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum {
    SENTENCES = 10000,
    SENTENCE_TOKENS_SOFT_MAX = 80, // from here on the shortest way out of every rule is taken
    SYMBOLS_MAX = 200,
    NONE = -1,
};

typedef struct {
    int left;
    int right[8];
    int length;
    int height; // of the lowest tree that it begins
} Production;

// Symbols are numbers; terminals are the names in quotes and in upper case.
typedef struct {
    Arena *arena;
    Str names[SYMBOLS_MAX];
    bool is_terminal[SYMBOLS_MAX];
    int symbol_count;
    VEC(Production) productions;
    bool first[SYMBOLS_MAX][SYMBOLS_MAX];
    bool follow[SYMBOLS_MAX][SYMBOLS_MAX];
    bool is_nullable[SYMBOLS_MAX];
    int height[SYMBOLS_MAX];
    int table[SYMBOLS_MAX][SYMBOLS_MAX]; // nonterminal and terminal to production
    int conflict_count;
    bool is_growing; // while the sets are worked out
} Grammar;

typedef VEC(int) Sentence;

// ---- random numbers: xorshift64*, seeded, so that each run is the same

typedef struct {
    uint64_t state;
} Random;

static uint32_t random_below(Random *random, uint32_t limit) {
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return (uint32_t)((random->state * UINT64_C(2685821657736338717)) >> 33) % limit;
}

static int symbol_of(Grammar *grammar, Str name) {
    for (int i = 0; i < grammar->symbol_count; i++) {
        if (str_equal(grammar->names[i], name)) {
            return i;
        }
    }
    assert_true(grammar->symbol_count < SYMBOLS_MAX);
    const bool is_quoted = name.data[0] == '\'';
    bool is_upper = true;
    for (size_t i = 0; i < name.len; i++) {
        is_upper = is_upper && name.data[i] >= 'A' && name.data[i] <= 'Z';
    }
    grammar->names[grammar->symbol_count] = name;
    grammar->is_terminal[grammar->symbol_count] = is_quoted || is_upper;
    return grammar->symbol_count++;
}

static int symbol(Grammar *grammar, const char *name) {
    return symbol_of(grammar, str_of(name));
}

static bool is_keyword(const Grammar *grammar, int terminal) {
    const Str name = grammar->names[terminal];
    return name.data[0] == '\'' && name.data[1] >= 'a' && name.data[1] <= 'z';
}

// The next word of a line; empty at its end.
static Str next_word(Str *line) {
    *line = str_trim(*line);
    const size_t end = str_find(*line, STR(" "), 0);
    const Str word = str_slice(*line, 0, end);
    *line = str_slice(*line, end, line->len);
    return word;
}

static void read_rule(Grammar *grammar, Str line) {
    Production production = { .left = symbol_of(grammar, next_word(&line)) };
    assert_true(str_is(next_word(&line), "->"));
    for (Str word = next_word(&line);; word = next_word(&line)) {
        if (word.len == 0 || str_is(word, "|")) {
            vec_push(grammar->arena, &grammar->productions, production);
            production = (Production){ .left = production.left };
            if (word.len == 0) {
                return;
            }
        } else if (!str_is(word, "~")) {
            assert_true(production.length < (int)COUNT_OF(production.right));
            production.right[production.length++] = symbol_of(grammar, word);
        }
    }
}

static void read_page(Grammar *grammar) {
    Str page = STR_NONE;
    assert_true(file_read(grammar->arena, STR("man/dt.5"), SOURCE_BYTES_MAX, &page) == NULL);
    const size_t start = str_find(page, STR("grammar begins\n"), 0);
    const size_t end = str_find(page, STR(".\\\" grammar ends"), start);
    assert_true(end < page.len);
    for (size_t line = start; line < end;) {
        const size_t next = str_find(page, STR("\n"), line) + 1;
        const Str text = str_slice(page, line, next);
        if (str_find(text, STR("->"), 0) < text.len) {
            read_rule(grammar, text);
        }
        line = next;
    }
}

// Adds `from` to `to`.
static void unite(Grammar *grammar, bool *to, const bool *from) {
    for (int i = 0; i < grammar->symbol_count; i++) {
        grammar->is_growing = grammar->is_growing || (from[i] && !to[i]);
        to[i] = to[i] || from[i];
    }
}

// Adds FIRST of what stands in a production from `start` on; true where all of that may be empty.
static bool add_first(Grammar *grammar, const Production *production, int start, bool *set) {
    bool is_empty = true;
    for (int i = start; i < production->length && is_empty; i++) {
        unite(grammar, set, grammar->first[production->right[i]]);
        is_empty = grammar->is_nullable[production->right[i]];
    }
    return is_empty;
}

static void grow(Grammar *grammar, Production *production) {
    const int left = production->left;
    int height = 1;
    for (int i = 0; i < production->length; i++) {
        const int next = production->right[i];
        height = grammar->height[next] + 1 > height ? grammar->height[next] + 1 : height;
        if (add_first(grammar, production, i + 1, grammar->follow[next])) {
            unite(grammar, grammar->follow[next], grammar->follow[left]);
        }
    }
    const bool is_nullable = add_first(grammar, production, 0, grammar->first[left]);
    grammar->is_growing |= (is_nullable && !grammar->is_nullable[left]) || height < grammar->height[left];
    grammar->is_nullable[left] |= is_nullable;
    grammar->height[left] = height < grammar->height[left] ? height : grammar->height[left];
    production->height = height;
}

static void make_table(Grammar *grammar) {
    memset(grammar->table, 0xFF, sizeof(grammar->table)); // NONE everywhere
    for (uint32_t i = 0; i < grammar->productions.count; i++) {
        const Production *production = &grammar->productions.items[i];
        bool set[SYMBOLS_MAX] = { 0 };
        if (add_first(grammar, production, 0, set)) {
            unite(grammar, set, grammar->follow[production->left]);
        }
        for (int terminal = 0; terminal < grammar->symbol_count; terminal++) {
            if (set[terminal]) {
                grammar->conflict_count += grammar->table[production->left][terminal] != NONE;
                grammar->table[production->left][terminal] = (int)i;
            }
        }
    }
}

static Grammar *grammar_create(void) {
    enum { HEIGHT_UNKNOWN = 1000 };
    Arena *arena = arena_create();
    Grammar *grammar = arena_new(arena, Grammar);
    grammar->arena = arena;
    read_page(grammar);
    symbol(grammar, "'else'"); // reserved, and in no rule
    for (int i = 0; i < grammar->symbol_count; i++) {
        grammar->first[i][i] = grammar->is_terminal[i];
        grammar->height[i] = grammar->is_terminal[i] ? 0 : HEIGHT_UNKNOWN;
    }
    do {
        grammar->is_growing = false;
        for (uint32_t i = 0; i < grammar->productions.count; i++) {
            grow(grammar, &grammar->productions.items[i]);
        }
    } while (grammar->is_growing);
    make_table(grammar);
    return grammar;
}

// The production by which a nonterminal reads on before this token, or NONE.
static int predict(Grammar *grammar, int nonterminal, int terminal) {
    const int production = grammar->table[nonterminal][terminal];
    const bool is_word = is_keyword(grammar, terminal) || terminal == symbol(grammar, "NAME");
    return production == NONE && is_word ? grammar->table[nonterminal][symbol(grammar, "WORD")] : production;
}

static bool is_sentence(Grammar *grammar, const Sentence *sentence) {
    const int word = symbol(grammar, "WORD");
    VEC(int) stack = { 0 };
    uint32_t position = 0;
    vec_push(grammar->arena, &stack, symbol(grammar, "File"));
    while (stack.count > 0) {
        const int top = stack.items[--stack.count];
        const int next = sentence->items[position];
        if (!grammar->is_terminal[top]) {
            const int index = predict(grammar, top, next);
            if (index == NONE) {
                return false;
            }
            const Production *production = &grammar->productions.items[index];
            for (int i = production->length; i > 0; i--) {
                vec_push(grammar->arena, &stack, production->right[i - 1]);
            }
        } else {
            const bool is_word = is_keyword(grammar, next) || next == symbol(grammar, "NAME");
            if (top != next && !(top == word && is_word)) {
                return false;
            }
            position++;
        }
    }
    return position == sentence->count;
}

// ---- sentences

// A terminal that a source can show, or one of the reserved words only.
static int random_terminal(Grammar *grammar, Random *random, bool wants_keyword) {
    for (;;) {
        const int terminal = (int)random_below(random, (uint32_t)grammar->symbol_count);
        const bool is_shown =
            grammar->is_terminal[terminal] && terminal != symbol(grammar, "EOF") && terminal != symbol(grammar, "WORD");
        if (is_shown && (!wants_keyword || is_keyword(grammar, terminal))) {
            return terminal;
        }
    }
}

// The empty word is chosen less often, so that sentences grow.
static const Production *choose(Grammar *grammar, Random *random, int left, bool is_short) {
    const Production *chosen = NULL;
    uint32_t weights = 0;
    for (uint32_t i = 0; i < grammar->productions.count; i++) {
        const Production *production = &grammar->productions.items[i];
        const bool is_offered = production->left == left && (!is_short || production->height == grammar->height[left]);
        const uint32_t weight = !is_offered ? 0 : production->length > 0 ? 3 : 2;
        weights += weight;
        if (weight > 0 && random_below(random, weights) < weight) {
            chosen = production;
        }
    }
    assert_non_null(chosen);
    return chosen;
}

// SEPs that cannot be seen in a source: the page says that they are none.
static void add_terminal(Grammar *grammar, Sentence *sentence, int terminal) {
    const int sep = symbol(grammar, "SEP");
    const int last = sentence->count > 0 ? sentence->items[sentence->count - 1] : NONE;
    if (terminal == sep && (last == NONE || last == sep || last == symbol(grammar, "'{'"))) {
        return;
    }
    if (terminal == symbol(grammar, "'}'") && last == sep) {
        sentence->count--;
    }
    vec_push(grammar->arena, sentence, terminal);
}

static Sentence generate(Grammar *grammar, Random *random, bool *is_used) {
    Sentence sentence = { 0 };
    VEC(int) stack = { 0 };
    vec_push(grammar->arena, &stack, symbol(grammar, "File"));
    while (stack.count > 0) {
        const int top = stack.items[--stack.count];
        if (grammar->is_terminal[top]) {
            const bool is_word = top == symbol(grammar, "WORD");
            const bool is_name = !is_word || random_below(random, 3) > 0;
            const int name = is_word ? symbol(grammar, "NAME") : top;
            add_terminal(grammar, &sentence, is_name ? name : random_terminal(grammar, random, true));
            continue;
        }
        const bool is_short = sentence.count + stack.count > SENTENCE_TOKENS_SOFT_MAX;
        const Production *production = choose(grammar, random, top, is_short);
        is_used[production - grammar->productions.items] = true;
        for (int i = production->length; i > 0; i--) {
            vec_push(grammar->arena, &stack, production->right[i - 1]);
        }
    }
    return sentence;
}

// ---- sources

// `open` is what is open around the next token. It is a bracket's character, `s` for the `${` of a string of one line,
// or `t` for that of a text.
typedef struct {
    Grammar *grammar;
    Random *random;
    StrBuf text;
    char open[SYMBOLS_MAX * 4];
    int depth;
} Writer;

// Whether a terminal is one of some names with blanks between them.
static bool is(const Writer *writer, int terminal, const char *names) {
    Str rest = str_of(names);
    for (Str name = next_word(&rest); name.len > 0; name = next_word(&rest)) {
        if (terminal != NONE && str_equal(writer->grammar->names[terminal], name)) {
            return true;
        }
    }
    return false;
}

static bool goes_on_behind(const Writer *writer, int terminal) {
    return is(writer, terminal, "'=' '..' '?\?' '||' '&&' CMPOP '+' '-' MULOP '!'");
}

static bool is_in_line_string(const Writer *writer) {
    return memchr(writer->open, 's', (size_t)writer->depth) != NULL;
}

static bool is_among_entries(const Writer *writer) {
    return writer->depth == 0 || writer->open[writer->depth - 1] == '{';
}

static void put(Writer *writer, const char *text) {
    strbuf_add(&writer->text, str_of(text));
}

// `texts` ends in NULL.
static void put_one_of(Writer *writer, const char *const *texts) {
    uint32_t count = 0;
    while (texts[count] != NULL) {
        count++;
    }
    put(writer, texts[random_below(writer->random, count)]);
}

#define PUT_ONE_OF(writer, ...) put_one_of((writer), (const char *const[]){ __VA_ARGS__, NULL })

// Blanks, comments and line ends that mean nothing between two tokens.
static void put_blanks(Writer *writer, int last, int next) {
    const bool is_joined = is(writer, last, "'{' '}' '(' ')' '[' ']' ',' HEAD MID") ||
                           is(writer, next, "'{' '}' '(' ')' '[' ']' ',' MID TAIL SEP EOF");
    if (!is_joined || random_below(writer->random, 2) == 0) {
        PUT_ONE_OF(writer, " ", " ", "  ");
    }
    const bool is_dropped = is(writer, last, "SEP") || is(writer, last, "'{'") || last == NONE ||
                            is(writer, next, "'}'") || goes_on_behind(writer, last);
    const bool may_end_line = !is_in_line_string(writer) && (!is_among_entries(writer) || is_dropped);
    if (may_end_line && random_below(writer->random, 3) == 0) {
        PUT_ONE_OF(writer, "\n", "\r\n", "\n\n  ", "# a comment\n", " ## doc \"x\" ${\n ");
    }
}

static void put_separator(Writer *writer, int last) {
    if (is_in_line_string(writer) || goes_on_behind(writer, last)) {
        PUT_ONE_OF(writer, ",", ", ,", " , ");
    } else {
        PUT_ONE_OF(writer, "\n", "\r\n", ",", ",\n", " # note\n", "\n,\n", "\n\n ## doc\n");
    }
}

static void put_string(Writer *writer) {
    if (is_in_line_string(writer)) {
        PUT_ONE_OF(writer, "\"\"", "\"a\"", "\"x \\\" } $ {\"", "r\"\\d${\"");
    } else {
        PUT_ONE_OF(writer, "\"\"", "\"a b\"", "\"\\n\\t\\\\\\$\\u{1F600}\xC3\xA9 # { [\"", "r\"\\w+ ${x\"",
                   "\"\"\"\n  text \"quoted\"\n\n  \"\"\"", "r\"\"\"\n\\raw ${\n\"\"\"");
    }
}

// A string with interpolation: its head opens, its tail closes. The text form has an indentation of two blanks.
static void put_piece(Writer *writer, int terminal) {
    const bool is_text = writer->depth > 0 && writer->open[writer->depth - 1] == 't';
    if (is(writer, terminal, "HEAD")) {
        const bool opens_text = !is_in_line_string(writer) && random_below(writer->random, 3) == 0;
        put(writer, opens_text ? "\"\"\"\n  a\n\n  b ${" : "\"a ${");
        writer->open[writer->depth++] = opens_text ? 't' : 's';
    } else if (is(writer, terminal, "MID")) {
        put(writer, is_text ? "} c\n  d ${" : "} c ${");
    } else {
        writer->depth--;
        put(writer, is_text ? "} e\n  \"\"\"" : "} e\"");
    }
}

static void put_token(Writer *writer, const Sentence *sentence, uint32_t index) {
    static const struct {
        const char *terminal;
        const char *spellings[11];
    } SPELLINGS[] = {
        { "NAME", { "a", "compute-gpu", "r", "_x1", "dt1", "off", "x--y", "GiB", "elseif", "n-1" } },
        { "INT", { "0", "7", "1_000", "9223372036854775807" } },
        { "DEC", { "1.30", "0.5", "1_0.2_5" } },
        { "QTY", { "1.5TiB", "10min", "0s", "1_000GBps", "3ms" } },
        { "CMPOP", { "==", "!=", "<", "<=", ">", ">=" } },
        { "MULOP", { "*", "/", "%" } },
    };
    const int terminal = sentence->items[index];
    const int last = index > 0 ? sentence->items[index - 1] : NONE;
    const Str name = writer->grammar->names[terminal];
    for (size_t i = 0; i < COUNT_OF(SPELLINGS); i++) {
        if (is(writer, terminal, SPELLINGS[i].terminal)) {
            const bool is_edition = index == 1 && is(writer, last, "'dt'") && is(writer, terminal, "INT");
            put_one_of(writer, is_edition ? (const char *const[]){ "1", NULL } : SPELLINGS[i].spellings);
            return;
        }
    }
    if (is(writer, terminal, "SEP")) {
        put_separator(writer, last);
    } else if (is(writer, terminal, "STR")) {
        put_string(writer);
    } else if (is(writer, terminal, "HEAD MID TAIL")) {
        put_piece(writer, terminal);
    } else if (!is(writer, terminal, "EOF")) {
        strbuf_add(&writer->text, str_slice(name, 1, name.len - 1));
    }
}

static bool is_string(char opening) {
    return opening == 's' || opening == 't';
}

static bool closes(char closing, char opening) {
    return (closing == '}' && (opening == '{' || is_string(opening))) || (closing == ')' && opening == '(') ||
           (closing == ']' && opening == '[');
}

// Follows what the lexer knows of brackets, also where they do not fit.
static void follow_brackets(Writer *writer, int terminal) {
    const Str name = writer->grammar->names[terminal];
    const char c = name.len == 3 && name.data[0] == '\'' ? name.data[1] : '\0';
    if (c == '{' || c == '(' || c == '[') {
        writer->open[writer->depth++] = c;
    } else if (c == '}' || c == ')' || c == ']') {
        int depth = writer->depth;
        while (depth > 0 && !closes(c, writer->open[depth - 1]) && !is_string(writer->open[depth - 1])) {
            depth--;
        }
        const char innermost = writer->depth > 0 ? writer->open[writer->depth - 1] : '{';
        if (depth > 0 && closes(c, writer->open[depth - 1])) {
            writer->depth = depth - 1;
        } else if (c != '}' && innermost != '{' && !is_string(innermost)) {
            writer->depth--;
        }
    }
}

static Str write_source(Grammar *grammar, Random *random, const Sentence *sentence) {
    Writer writer = { .grammar = grammar, .random = random, .text = { .arena = grammar->arena } };
    for (uint32_t i = 0; i < sentence->count; i++) {
        put_blanks(&writer, i > 0 ? sentence->items[i - 1] : NONE, sentence->items[i]);
        put_token(&writer, sentence, i);
        follow_brackets(&writer, sentence->items[i]);
    }
    return strbuf_str(&writer.text);
}

// ---- mutations

// What a source made of this sentence reads as: `,` and SEP look alike, and which is which depends on the brackets.
// False where no source has these tokens: a piece of a string where none is open, or a `}` that would go on with one.
static bool settle(Grammar *grammar, const Sentence *mutated, Sentence *settled) {
    Writer writer = { .grammar = grammar };
    *settled = (Sentence){ 0 };
    for (uint32_t i = 0; i < mutated->count; i++) {
        int terminal = mutated->items[i];
        const bool is_piece = is(&writer, terminal, "MID TAIL");
        if (is_piece || is(&writer, terminal, "'}'")) {
            int depth = writer.depth;
            while (depth > 0 && !closes('}', writer.open[depth - 1])) {
                depth--;
            }
            const bool leads_into_string = depth > 0 && writer.open[depth - 1] != '{';
            if (is_piece != leads_into_string) {
                return false;
            }
            writer.depth = is_piece ? depth - is(&writer, terminal, "TAIL") : writer.depth;
        } else if (is(&writer, terminal, "HEAD")) {
            writer.open[writer.depth++] = 's';
        } else if (is(&writer, terminal, "',' SEP")) {
            terminal = symbol(grammar, is_among_entries(&writer) ? "SEP" : "','");
        }
        follow_brackets(&writer, terminal);
        add_terminal(grammar, settled, terminal);
    }
    return true;
}

// One token deleted, added, replaced or swapped with the one behind it. EOF stays where it is.
static Sentence mutate(Grammar *grammar, Random *random, const Sentence *sentence) {
    typedef enum { DELETE, INSERT, REPLACE, SWAP, MUTATIONS } Mutation;
    const Mutation mutation = (Mutation)random_below(random, MUTATIONS);
    const uint32_t place = random_below(random, sentence->count - 1);
    Sentence mutated = { 0 };
    for (uint32_t i = 0; i < sentence->count; i++) {
        const bool is_here = i == place;
        if (is_here && mutation == SWAP && i + 2 < sentence->count) {
            vec_push(grammar->arena, &mutated, sentence->items[i + 1]);
            vec_push(grammar->arena, &mutated, sentence->items[i]);
            i++;
            continue;
        }
        if (is_here && (mutation == INSERT || mutation == REPLACE)) {
            vec_push(grammar->arena, &mutated, random_terminal(grammar, random, false));
        }
        if (!is_here || (mutation != DELETE && mutation != REPLACE)) {
            vec_push(grammar->arena, &mutated, sentence->items[i]);
        }
    }
    return mutated;
}

static uint32_t count_errors(Str source) {
    Session *session = session_create();
    parse(session, source_add(session, STR("sentence.dt"), source));
    const uint32_t count = session->diags.error_count;
    session_destroy(session);
    return count;
}

static void test_page_is_ll1(void **state) {
    (void)state;
    Grammar *grammar = grammar_create();
    assert_true(grammar->productions.count > 80);
    assert_int_equal(grammar->conflict_count, 0);
    arena_destroy(grammar->arena);
}

static void test_every_sentence_of_the_page_parses(void **state) {
    (void)state;
    Grammar *grammar = grammar_create();
    Random random = { .state = 20261121 };
    bool *is_used = arena_new_array(grammar->arena, bool, grammar->productions.count);

    for (int i = 0; i < SENTENCES; i++) {
        const ArenaMark mark = arena_mark(grammar->arena);
        const Sentence sentence = generate(grammar, &random, is_used);
        const Str source = write_source(grammar, &random, &sentence);
        assert_true(is_sentence(grammar, &sentence));
        if (count_errors(source) > 0) {
            fail_msg("refused:\n%.*s", STR_ARG(source));
        }
        arena_rewind(grammar->arena, mark);
    }
    for (uint32_t i = 0; i < grammar->productions.count; i++) {
        assert_true(is_used[i]);
    }
    arena_destroy(grammar->arena);
}

static void test_parser_refuses_what_the_page_refuses(void **state) {
    (void)state;
    Grammar *grammar = grammar_create();
    Random random = { .state = 19700101 };
    bool *is_used = arena_new_array(grammar->arena, bool, grammar->productions.count);
    int accepted = 0;
    int compared = 0;

    while (compared < SENTENCES) {
        const ArenaMark mark = arena_mark(grammar->arena);
        const Sentence sentence = generate(grammar, &random, is_used);
        const Sentence mutated = mutate(grammar, &random, &sentence);
        Sentence settled = { 0 };
        if (settle(grammar, &mutated, &settled)) {
            const Str source = write_source(grammar, &random, &settled);
            const bool is_accepted = is_sentence(grammar, &settled);
            if (is_accepted != (count_errors(source) == 0)) {
                fail_msg("the page %s:\n%.*s", is_accepted ? "accepts" : "refuses", STR_ARG(source));
            }
            compared++;
            accepted += is_accepted;
        }
        arena_rewind(grammar->arena, mark);
    }
    // Both verdicts must have been there, or the comparison says nothing.
    assert_true(accepted > SENTENCES / 20);
    assert_true(accepted < SENTENCES - SENTENCES / 4);
    arena_destroy(grammar->arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page_is_ll1),
        cmocka_unit_test(test_every_sentence_of_the_page_parses),
        cmocka_unit_test(test_parser_refuses_what_the_page_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
