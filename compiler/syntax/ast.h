// The tree of one dt file. Nodes point to their tokens by span. Comments and blank lines stand between tokens
// (token.h), so a formatter or an editor needs no second parser. Nothing changes the tree after parsing.
#pragma once

#include "compiler/syntax/token.h"

typedef struct Expr Expr;
typedef struct Item Item;

// A name as it was written: `text` is the source's bytes, or the content of a quoted label or key.
typedef struct {
    Str text;
    Span span;
} Name;

typedef enum {
    EXPR_ERROR, // could not be parsed, and said so
    EXPR_NULL,
    EXPR_BOOL,
    EXPR_INT,
    EXPR_QUANTITY,
    EXPR_STRING,
    EXPR_TEMPLATE, // a string with interpolation
    EXPR_NAME,
    EXPR_CALL,
    EXPR_FIELD,
    EXPR_INDEX,
    EXPR_UNARY,
    EXPR_BINARY,
    EXPR_CONDITIONAL,
    EXPR_RANGE,
    EXPR_LIST,
    EXPR_MAP,
} ExprKind;

typedef enum { UNARY_NOT, UNARY_MINUS } UnaryOp;

typedef enum {
    BINARY_DEFAULT, // ??
    BINARY_OR,
    BINARY_AND,
    BINARY_EQUAL,
    BINARY_NOT_EQUAL,
    BINARY_LESS,
    BINARY_LESS_EQUAL,
    BINARY_GREATER,
    BINARY_GREATER_EQUAL,
    BINARY_ADD,
    BINARY_SUBTRACT,
    BINARY_MULTIPLY,
    BINARY_DIVIDE,
    BINARY_REMAINDER, // %: parsed, refused with the way out
} BinaryOp;

typedef struct {
    Name key;
    const Expr *value;
} MapEntry;

typedef struct {
    const Expr **items;
    uint32_t count;
} Exprs;

struct Expr {
    ExprKind kind;
    Span span;
    union {
        bool boolean;    // EXPR_BOOL
        int64_t integer; // EXPR_INT
        struct {         // EXPR_QUANTITY: `digits` as written ("1.5", "1_000"), unit a row of units.def
            Str digits;
            Str unit;
        } quantity;
        Str string; // EXPR_STRING
        struct {    // EXPR_TEMPLATE: pieces[0] exprs[0] pieces[1] … exprs[n-1] pieces[n]
            const Str *pieces;
            Exprs exprs;
        } template;
        Str name; // EXPR_NAME
        struct {  // EXPR_CALL
            Name function;
            Exprs arguments;
        } call;
        struct { // EXPR_FIELD
            const Expr *object;
            Name name;
        } field;
        struct { // EXPR_INDEX
            const Expr *object;
            const Expr *index;
        } index;
        struct { // EXPR_UNARY
            UnaryOp op;
            const Expr *operand;
        } unary;
        struct { // EXPR_BINARY
            BinaryOp op;
            Span op_span;
            const Expr *left;
            const Expr *right;
        } binary;
        struct { // EXPR_CONDITIONAL
            const Expr *condition;
            const Expr *then;
            const Expr *otherwise;
        } conditional;
        struct { // EXPR_RANGE
            const Expr *low;
            const Expr *high;
        } range;
        Exprs list; // EXPR_LIST
        struct {    // EXPR_MAP
            const MapEntry *entries;
            uint32_t count;
        } map;
    };
};

// list(zone)?, in source order from the outside in.
typedef struct TypeExpr {
    Name name;
    const struct TypeExpr *argument; // NULL where there is none
    bool is_optional;
    Span span;
} TypeExpr;

// A name, or the word of a kind with the name of a block of that kind: cluster["llm"].
typedef struct {
    Name name;
    const Expr *label; // what stands in `[ ]`; NULL without
    Span span;         // of both
} RefStep;

// lab, ml.gpu, ml.nodes["gpu-2"]: steps with dots between.
typedef struct {
    const RefStep *steps; // NULL and 0 where the clause is absent
    uint32_t count;
    Span span;
} Ref;

typedef enum {
    ITEM_ATTRIBUTE,
    ITEM_REMOVAL,
    ITEM_BLOCK,
    ITEM_PARAM,
    ITEM_LET,
    ITEM_USE,
    ITEM_OUTPUT,
    ITEM_ASSERT,
    ITEM_ALLOW,
    ITEM_PATCH,
    ITEM_RESOURCE,
    ITEM_IF,
    ITEM_FOR,
} ItemKind;

typedef struct {
    const Item **items;
    uint32_t count;
    bool is_open; // the file ends before its `}`
} Items;

struct Item {
    ItemKind kind;
    Span span;    // from its first to its last token
    Span keyword; // the first word: `param`, `nodes`, an attribute's name
    Str doc;      // text of the `##` lines right above, joined by line ends; empty without
    union {
        struct { // ITEM_ATTRIBUTE: also `NAME = off`, whose value is the name `off`
            Name name;
            const Expr *value;
        } attribute;
        struct { // ITEM_REMOVAL: KIND["name"] = null
            Name kind;
            const Expr *label;
            const Expr *value;
        } removal;
        struct { // ITEM_BLOCK
            Name kind;
            const Expr *label; // EXPR_STRING for a name or a plain string, EXPR_TEMPLATE, or NULL
            Ref like;
            Ref on;
            Items body;
        } block;
        struct { // ITEM_PARAM
            Name name;
            bool is_late;
            const TypeExpr *type;
            const Expr *initial; // NULL without
        } param;
        struct { // ITEM_LET, ITEM_OUTPUT
            Name name;
            const Expr *value;
        } let;
        struct { // ITEM_USE
            Name path;
            Name name;
        } use;
        struct { // ITEM_ASSERT
            const Expr *condition;
            const Expr *message;
        } assertion;
        struct { // ITEM_ALLOW
            Name code;
            const Expr *reason;
        } allow;
        struct { // ITEM_PATCH: `file.text` is empty without
            Name file;
            const Expr *map;
        } patch;
        struct { // ITEM_RESOURCE
            Name type;
            const Expr *label;
            Items body;
        } resource;
        struct { // ITEM_IF
            const Expr *condition;
            Items body;
        } branch;
        struct { // ITEM_FOR
            Name variable;
            const Expr *sequence;
            Items body;
        } loop;
    };
};

typedef struct {
    uint32_t source;
    int64_t edition; // 1; 0 where the first line is missing
    bool is_whole;   // nothing was wrong; else items may be left out, and a name that is not there is no mistake
    Tokens tokens;
    Items items;
} File;

enum {
    SYNTAX_DEPTH_MAX = 200,        // of nested brackets, blocks, types and operators before a value
    SYNTAX_EXPR_HEIGHT_MAX = 1000, // operators that build on each other: whoever walks an expression may recurse
};

// Parses a source. Never NULL: what is wrong is reported, one message for one mistake, and the rest is parsed.
const File *parse(Session *session, uint32_t source);
