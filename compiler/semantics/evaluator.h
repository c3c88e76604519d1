// What the passes of the semantics layer share. Only files of compiler/semantics include this.
#pragma once

#include "compiler/base/data.h"
#include "compiler/base/str_map.h"
#include "compiler/base/suggest.h"
#include "compiler/semantics/program.h"

typedef struct Evaluator Evaluator;
typedef struct Module Module;
typedef struct Draft Draft;
typedef VEC(Draft *) Drafts;

typedef struct Env Env;

// An item that stays an item once `if` and `for` are worked out: output, assert, resource, patch, allow.
typedef struct {
    const Item *item;
    const Env *env;
} Placed;

// The variable of a `for`, seen by what stands inside.
typedef struct Loop {
    Str name;
    const Value *value;
    const struct Loop *outer;
} Loop;

// Where an expression was written: it is always evaluated there, wherever `like` carries it.
struct Env {
    Module *module;
    Draft *draft; // the enclosing block, or NULL at file level
    const Loop *loops;
    const Origin *because; // what the enclosing `if` and `for` rest on
};

typedef enum { PROGRESS_NEW, PROGRESS_ACTIVE, PROGRESS_DONE } Progress;

// An attribute as it was written; shared by all blocks that have it through `like`, so it is evaluated once.
typedef struct {
    int attribute;
    Name name;
    const Expr *expr;
    const Env *env;
    Progress progress;
    bool is_checked;
    bool is_null_checked; // of an attribute that must not be null by a name
    bool is_bad;          // it has not the type
    const Value *value;
} Slot;

typedef enum { DECLARATION_PARAM, DECLARATION_LET, DECLARATION_USE, DECLARATION_BLOCK } DeclarationKind;

// A name at file level. Blocks with an interpolated label, or inside of `if` and `for`, come in when expanded.
typedef struct Declaration {
    DeclarationKind kind;
    Str name;
    Span span;
    const Item *item;
    Module *module;
    Progress progress;
    const Value *value;             // DECLARATION_LET, once evaluated
    Param *param;                   // DECLARATION_PARAM
    Module *used;                   // DECLARATION_USE
    Draft *draft;                   // DECLARATION_BLOCK, once expanded
    struct Declaration *other_kind; // another DECLARATION_BLOCK of the name, of another kind
} Declaration;

// A block that is there only once expanded: inside of `if` and `for`, or with an interpolated label.
typedef struct {
    const Item *item;
    bool is_sure; // only a condition that is false can keep it from being made
} Maker;

typedef VEC(Maker) Makers;

// What stands in the `[ ]` of KIND["name"].
typedef struct {
    const Module *module; // whose blocks are meant
    const KindRow *kind;
    const Expr *label;
} KindLabel;

struct Module {
    Str path;        // as messages show it
    Str identity;    // real path, or the library's name: a file is one module however it is reached
    Str directory;   // of the file, "" for the working directory; paths of `use` and file() start here
    bool is_library; // std/…
    bool is_used;    // not the main file
    const File *file;
    StrMap declarations;
    VEC(const Declaration *) declared; // the same, in their order
    Makers makers;                     // in their order in the file
    unsigned lost_kinds; // bits: 1 << KindId; blocks of them could not be made, for a mistake that is reported
    Progress progress;   // of its own `use`s: a module met while ACTIVE is a cycle
    bool has_begun;
};

// `NAME = null` or `KIND["name"] = null` of a nested block that came through `like`.
typedef struct {
    Name name;
    const KindRow *kind; // with its label; NULL: any of the name
    const Expr *label;
} TakenAway;

// A block in the making.
struct Draft {
    Block block;
    int kind_id;       // KindId
    uint32_t number;   // among all, nested ones too; of leave_out.c
    bool is_left_out;  // of the program, for its own mistake or that of one that it stands on
    bool is_bad;       // an attribute of it was reported
    bool has_bad_on;   // its `on` was reported
    bool has_bad_like; // its `like`, or that of the block it is like, was reported: what is missing may be from there
    const Item *item;
    const Env *env;   // of the block's own items
    const Env *outer; // of the block itself
    VEC(TakenAway) taken_away;
    StrMap taken_names;               // of them: a name of any kind, or "kind name"
    VEC(const KindRow *) taken_kinds; // `KIND = null`: none of them comes through `like`, nor does that it is off
    VEC(Name) off_names;              // of the block's own `KIND = off`, beside `block.off`
    Slot **slots;                     // one for each attribute of the kind, or NULL
    Drafts children;
    StrMap child_names; // "kind name" -> Draft
    bool has_children;  // all of them: those that come through the block's own `like`, too
    Drafts amends;      // blocks of its name that the parent's `like` brings: copied once its own `like` is
    VEC(Placed) placed;
    Draft *like;         // known once it is found, before it is linked itself
    Progress progress;   // of `like`
    Progress evaluation; // of all attributes
    StrMap resources;
    VEC(Resource *) declared; // the same, in their order
    StrMap output_names;      // name -> Item
    StrMap output_slots;      // the same: name -> Slot, from before the first of them is worked out
};

// The draft that a block is; NULL where there is no block.
static inline Draft *draft_of(const Block *block) {
    return block == NULL ? NULL : block->draft;
}

// A value that is being worked out, for the message about a circle.
typedef struct Active {
    Str name;
    Str block;        // of an attribute; else empty
    Span use;         // where it is needed
    const void *what; // the Slot or the Declaration
    const struct Active *outer;
} Active;

struct Evaluator {
    Session *session;
    Arena *arena;
    Program *program;
    const Inputs *inputs;
    Str root;                      // real path of the project root
    VEC(Module *) modules;         // [0] is the main file
    StrMap params;                 // name -> Param of any module
    StrMap named;                  // names that stand in an expression or behind `like`, of any module: once resolved
    VEC(KindLabel) labels;         // of KIND["name"], of any module: texts, once resolved
    VEC(KindLabel) unknown_labels; // and those that only an evaluation knows
    StrMap texts;                  // path -> number of its source, of load_text()
    VEC(const Data *) param_data;
    VEC(StrMap) param_places;  // of each of them: name -> Data
    uint32_t param_text_count; // that were read as expressions, against PARAM_TEXTS_MAX
    Drafts drafts;             // at file level, all modules, in order
    VEC(Placed) placed;        // at file level: asserts
    bool is_expanding;         // blocks are being made: none can be read yet
    const Active *active;      // the innermost; NULL while nothing is worked out
    uint32_t depth;
    uint32_t block_count;
    uint32_t repetition_count; // of every `for`
    size_t bytes_made;         // by evaluation, against EVALUATION_BYTES_MAX
    uint64_t step_count;       // of evaluation, against EVALUATION_STEPS_MAX
    uint32_t guess_step_count; // of guess.c, against GUESS_STEPS_MAX
    bool is_exhausted;         // a limit was hit and reported; nothing more is evaluated
    uint32_t diag_count;       // those that leave_out.c has seen
    bool is_quiet;             // a used file's block is read: params without a value are absent, not wrong
};

enum {
    EVALUATION_DEPTH_MAX = 2000,             // of nested evaluations
    EVALUATION_BYTES_MAX = 96 * 1024 * 1024, // of values made: a build may take four times as much in all
    EVALUATION_STEPS_MAX = 50 * 1000 * 1000, // expressions, and what functions and comparisons look at: under a second
    STEP_BYTES = 16,                         // of a text that one step looks at
    STRING_BYTES_MAX = 1024 * 1024,
    CHAIN_SHOWN_MAX = 6, // places that a message about a circle shows
    LIST_ITEMS_MAX = 1000000,
    VALUE_PARTS_MAX = 1000000, // of a list, a map or a late value, at any depth
    VALUE_DEPTH_MAX = 500,     // of lists, maps and late values in each other
    BLOCKS_MAX = 20000,        // after `for` and `like`; each takes some kilobytes
    REPETITIONS_MAX = 200000,  // of all `for` together
    KIND_LABELS_MAX = 1000,    // that a block is held against, to see whether something refers to it
    NAME_BYTES_MAX = 100,      // of a block: a file's name and a logical id have room for more
    FILES_MAX = 200,           // of one build
    PARAM_TEXTS_MAX = 10000,   // of params files: each is parsed as a source of its own
};

// ---- scope.c: names

Declaration *scope_find(const Module *module, Str name); // NULL where there is none

// Blocks of different kinds may share a name: the one of the kind that is wanted, or the only one. Where neither is
// clear the first is returned, and `*is_ambiguous` (may be NULL) says so.
Declaration *scope_find_kind(const Module *module, Str name, const char *kind, bool *is_ambiguous);
Declaration *scope_find_block(const Module *module, Str name, const KindRow *kind); // NULL where there is none
bool scope_add(Module *module, Declaration *declaration); // false: the name is taken, by scope_find()'s
const Loop *scope_find_loop(const Env *env, Str name);
const Resource *scope_find_resource(const Env *env, Str name);
void scope_offer_names(const Module *module, Suggestion *suggestion, const char *kind); // of blocks; NULL: any
void scope_offer_blocks(const Module *module, Suggestion *suggestion); // what `like` and `on` may begin with

// The block item that may make a block of this name, inside of `if` and `for` or with an interpolated label. NULL if
// there is none. `kind` may be NULL: any. `*is_sure` (may be NULL): only a condition that is false can keep it from
// being made.
void scope_collect_makers(Arena *arena, Module *module);
const Item *scope_may_make(const Module *module, Str name, const KindRow *kind, bool *is_sure);
const Item *scope_may_make_nested(Arena *arena, const Draft *draft, Str name, const KindRow *kind, bool *is_sure);
bool scope_label_fits(const Expr *label, Str name); // whether it can become the name
bool scope_holds_resource(const Items *items, Str name);

// True where the name was lost with a mistake that is reported: its declaration could not be read, or stands where none
// may. Who misses the name then stays silent.
bool scope_is_lost(const Session *session, const Module *module, Str name);

// Whether a mistake that is reported kept a block of the kind from being made.
bool scope_has_lost(const Module *module, Str kind);

// ---- types.c

// The type that a TypeExpr names; reports and returns NULL where there is none.
const Type *type_from_expr(Evaluator *evaluator, const TypeExpr *expr);
const Type *type_find_kind(const Type *type, TypeKind kind); // the type itself or a union's option; NULL
Str type_describe(Arena *arena, const Type *type);           // "a size", "`none` or a list of subnet ids"
Str type_describe_arguments(Arena *arena, const Type *tag);  // "one argument, a string"
const Type *type_any_tag(Str name); // of any attribute, for tags that stand in a `let`; NULL where there is none
const Type *type_of_argument(const Type *tag, uint32_t number);         // NULL: it takes none, or `tag` is NULL
void type_offer_words(const Type *type, Suggestion *suggestion);        // words and tags
bool type_is_text(const Type *type);                                    // string-like: its values are written as text
bool type_knows_text(Evaluator *evaluator, const Type *type, Str text); // has a form of the type that no other name has

// ---- evaluate.c

const Value *evaluate(Evaluator *evaluator, const Expr *expr, const Env *env, const Type *expected);
const Value *evaluate_slot(Evaluator *evaluator, const KindRow *kind, Slot *slot, Span use);
const Value *evaluate_declaration(Evaluator *evaluator, Declaration *declaration, Span use);
const Value *evaluate_draft_reference(Evaluator *evaluator, Draft *draft, Span use);
const Value *evaluate_field(Evaluator *evaluator, const Expr *expr, const Env *env);
const Value *evaluate_field_object(Evaluator *evaluator, const Expr *expr, const Env *env);  // NULL: it is `aws`
const Value *evaluate_field_of(Evaluator *evaluator, const Expr *expr, const Value *object); // of its value, or NULL
const Value *evaluate_unknown_name(Evaluator *evaluator, const Expr *expr, const Module *module); // other.NAME
const Value *evaluate_part(Evaluator *evaluator, const Expr *expr, Draft *draft);                 // BLOCK.NAME
void report_too_early(Evaluator *evaluator, Span span, Str name); // a block that is read while blocks are being made
void report_not_yet(Evaluator *evaluator, Span span, Str name);   // one that is named then, and not made yet
const Value *evaluate_template(Evaluator *evaluator, const Expr *expr, const Env *env);
const Value *evaluate_joined(Evaluator *evaluator, const Expr *expr, const Value *const *parts, uint32_t count);
const Value *evaluate_conditional(Evaluator *evaluator, const Expr *expr, const Env *env, const Type *expected); // ? :
const Value *evaluate_default(Evaluator *evaluator, const Expr *expr, const Env *env, const Type *expected);     // ??
bool has_logical_id(Evaluator *evaluator, const Name *name, const char *what); // a letter or digit in it, or reported
bool evaluate_text(Evaluator *evaluator, const Value *value, Str *text); // of a known value; false where it has none

// The names that stand behind a dot: the nearest is offered, else all of them where they are few.
enum { OFFERED_NAMES_MAX = 7 };

typedef struct {
    Suggestion suggestion;
    StrBuf all;
    int count;
    bool shows_some; // where they are many, the first of them
} Offers;

Offers offers_for(Evaluator *evaluator, Str name);
void offers_add(Offers *offers, Str name);
bool offers_are_settled(const Offers *offers); // another name makes no difference
const Value *evaluate_unknown_field(Evaluator *evaluator, const Expr *expr, const Offers *offers, const char *object);

// A known value of one type, or reported with what it is for ("the condition of `if`") and VALUE_ERROR.
const Value *evaluate_known(Evaluator *evaluator, const Expr *expr, const Env *env, ValueKind kind, const char *what);

// ---- make.c: values in the making

Value *make_value(Evaluator *evaluator, ValueKind kind, Span span, const Origin *origin);
const Value *make_error(Evaluator *evaluator, Span span);
const Value *make_int(Evaluator *evaluator, Span span, const Origin *origin, int64_t integer);
const Value *make_bool(Evaluator *evaluator, Span span, const Origin *origin, bool boolean);
const Value *make_string(Evaluator *evaluator, Span span, const Origin *origin, Str string);
const Value *make_list(Evaluator *evaluator, Span span, const Origin *origin, const Value **items, uint32_t count);
// The value, once its parts are set; reported and VALUE_ERROR where they are too many or too deep. A part that stands
// in two places is walked twice by everybody, so it counts twice: what is doubled over and over ends here.
const Value *make_whole(Evaluator *evaluator, Value *value);
const Value *make_late(Evaluator *evaluator, Span span, const Origin *origin, const Late *late);
const Value *make_because(Evaluator *evaluator, const Value *value, const Origin *reason); // deep in lists and maps
bool make_room(Evaluator *evaluator, Span span, size_t bytes);    // false, reported: over EVALUATION_BYTES_MAX
bool make_steps(Evaluator *evaluator, Span span, uint64_t steps); // false, reported: over EVALUATION_STEPS_MAX
uint64_t make_steps_of(const Value *value);                       // to look at all of it

// ---- guess.c: what may have been meant by what a diagnostic without a fix is about

void guess_value(Evaluator *evaluator, Diag *diag, Span span, const Type *type); // `type` may be NULL: nobody knows
// That what is written there is not meant at all; that an attribute is meant for a block within, or for `outer`, which is
// NULL where there is none; and values of an attribute that is missing.
void guess_absence(Evaluator *evaluator, Diag *diag, Span item);
void guess_place(Evaluator *evaluator, Diag *diag, const Item *block, const Item *outer, const Item *attribute);
void guess_missing(Evaluator *evaluator, Diag *diag, const Item *block, const AttributeRow *row);
void guess_attribute(Evaluator *evaluator, Diag *diag, const KindRow *kind, Span name, const Expr *value);

// ---- resolve.c

void report_renamed(Session *session, const Name *name, const char *today); // a former word, with the fix

// Reports a name that nothing has, with the nearest of the file's names and of what the caller offered before.
void resolve_unknown_name(Evaluator *evaluator, const Module *module, const Expr *expr, const Type *expected,
                          Suggestion *suggestion);

// ---- late.c: a late value where a known one is needed, reported at the expression; `what` needs it

const Value *late_operand(Evaluator *evaluator, const Expr *expr, const Value *value, const char *what);
const Value *late_where_known(Evaluator *evaluator, const Expr *expr, const Value *value, const char *what);
const char *late_describe(Evaluator *evaluator, const Value *value); // "a late `string?`", or as value_describe()

// ---- operators.c

const Value *operate_unary(Evaluator *evaluator, const Expr *expr, const Value *operand);
const Value *operate_binary(Evaluator *evaluator, const Expr *expr, const Value *left, const Value *right);
const Value *operate_index(Evaluator *evaluator, const Expr *expr, const Value *object, const Value *index);

// On a diagnostic about what stands in `[ ]`: the nearest name, with a fix where that is sure.
void operate_offer_key(Evaluator *evaluator, Diag *diag, const Suggestion *suggestion, const Expr *key);

// ---- quantity.c

// The value of digits with a unit ("1.5", "TiB"). If it is not whole, too large or without a unit, that is reported and
// the value is VALUE_ERROR.
const Value *quantity_value(Evaluator *evaluator, const Expr *expr, const Type *expected);
Str quantity_units(Arena *arena, ValueKind kind); // "`KiB`, `MiB`, …"

// Whether a text is a bool, a number, a range or a quantity as the language writes it, and the type takes that.
bool literal_is_in_text(Str text, const Type *type);

// ---- builtins.c

typedef struct BuiltinRow BuiltinRow;
const BuiltinRow *builtin_find(Str name);
void builtin_offer_names(Suggestion *suggestion);
const Value *builtin_call(Evaluator *evaluator, const BuiltinRow *row, const Expr *expr, const Env *env);

// ---- params.c

void params_read(Evaluator *evaluator);    // the files of --params; then every -p is matched
void params_declare(Evaluator *evaluator); // every `param` of every module, with value or default

// ---- load.c

// The text of a file inside of the root, each read once however often it is asked for; else reported and 0.
uint32_t load_text(Evaluator *evaluator, const Module *from, Str path, Span span);

// ---- reference.c: which block is named

// The kind that a word means before `[ ]`. NULL where it is none, or where the file calls something else so.
const KindRow *reference_kind(const Module *module, Str word);

// What stands in the `[ ]` behind the word of a kind. Unless it is a known string, that is reported.
const Value *reference_label(Evaluator *evaluator, const KindRow *kind, const Expr *label, const Env *env);

// An item of a list or map, or KIND["name"].
const Value *evaluate_index(Evaluator *evaluator, const Expr *expr, const Env *env);

// The block behind `like` or `on`; NULL, reported, where there is none. `kind` is the one that is wanted.
Draft *reference_find(Evaluator *evaluator, const Ref *ref, const Env *env, const char *kind, const Draft *self);

// Of KIND["name"] in what is not evaluated: a name that no block has.
void reference_check(Evaluator *evaluator);

// ---- expand.c, link.c, check.c, check_null.c

void expand(Evaluator *evaluator);
void link_blocks(Evaluator *evaluator); // `like` and `on`
void link_like(Evaluator *evaluator, Draft *draft);
void report_like_cycle(Evaluator *evaluator, const Draft *draft, const Draft *base);
void check_draft(Evaluator *evaluator, Draft *draft);

// False, reported, where an attribute whose absence costs money has a value that may be null. What it would be if it
// were not written must then be written behind it.
bool check_null(Evaluator *evaluator, const Draft *draft, const AttributeRow *row, Slot *slot);

// The child of that kind and name, NULL where there is none; draft_add_child() returns the one that is there already.
Draft *draft_find_child(Evaluator *evaluator, const Draft *parent, const KindRow *kind, Str name);
Str draft_child_key(Evaluator *evaluator, const KindRow *kind, Str name); // "kind name"
Draft *draft_add_child(Evaluator *evaluator, Draft *parent, Draft *child);

// True where the value has the type; else reported at the value. `name` is what it is for ("`count`").
void report_number(Evaluator *evaluator, Span span, Str digits, const Type *pattern); // where text is wanted; or NULL
bool check_value(Evaluator *evaluator, const Value *value, const Type *type, Str name, Span name_span);
