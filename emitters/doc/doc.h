// A document as a tree. Emitters build it, patches change it, and the YAML and JSON writers print it. Every leaf has an
// origin.
#pragma once

#include "compiler/base/data.h"
#include "compiler/base/origin.h"
#include "compiler/base/session.h"

typedef struct Doc Doc;
typedef struct DocNode DocNode;

typedef enum {
    DOC_BOOL,
    DOC_INT,
    DOC_STRING,
    DOC_BLOCK, // text of several lines: a literal block in YAML, a string in JSON
    DOC_LIST,
    DOC_MAP,
    DOC_CALL, // a CloudFormation intrinsic around its one child: `!Sub …`, {"Fn::Sub": …}
} DocKind;

// An intrinsic: as YAML's short form and as the key of the long form spell it.
typedef enum {
    CALL_REF,
    CALL_SUB,
    CALL_GET_ATT, // child: the string "Name.Attribute"; JSON splits it at the first dot
    CALL_IF,
    CALL_EQUALS,
    CALL_NOT,
    CALL_AND,
    CALL_OR,
    CALL_CONDITION,
    CALL_SELECT,
    CALL_SPLIT,
    CALL_JOIN,
    CALL_CIDR,
    CALL_BASE64,
    CALL_IMPORT_VALUE, // with an intrinsic inside it is written `Fn::ImportValue: !Sub …`
    CALL_COUNT
} DocCall;

// One cache line: a build of ten thousand stacks makes millions of them.
struct DocNode {
    DocKind kind;
    union {
        DocCall call;   // DOC_CALL
        uint32_t count; // of children: DOC_LIST, DOC_MAP
    };
    Str key;              // where the parent is a map
    const char *comment;  // written above the entry as `# …` in YAML, one for each line; usually NULL
    const Origin *origin; // of a leaf: all that decides it
    union {
        bool boolean;
        int64_t integer;
        Str string;
        struct { // DOC_LIST, DOC_MAP; a call has its one child as `first`
            DocNode *first;
            DocNode *last;
        };
    };
    DocNode *next;
};

// How an intrinsic is spelt: "!GetAtt" and "Fn::GetAtt".
typedef struct {
    const char *tag;
    const char *key;
} DocCallRow;

const DocCallRow *doc_call_row(DocCall call);

// A document in an arena of the caller's, valid as long as that. `session` is for reports (patches).
Doc *doc_create(Session *session, Arena *arena);
Arena *doc_arena(const Doc *doc);
Session *doc_session(const Doc *doc);
DocNode *doc_root(const Doc *doc); // a map

// Until the matching doc_unbecause(), `reason` is joined to the origin of every leaf that is made. These leaves are
// there because of a value, though the value does not stand in them. Nests. NULL is fine.
void doc_because(Doc *doc, const Origin *reason);
void doc_unbecause(Doc *doc);
bool doc_is_balanced(const Doc *doc); // whether each doc_because() has had its doc_unbecause()

// New nodes, not yet anywhere. Strings are borrowed; an origin of NULL is an assertion failure unless a reason is in
// force.
DocNode *doc_bool(Doc *doc, bool value, const Origin *origin);
DocNode *doc_int(Doc *doc, int64_t value, const Origin *origin);
DocNode *doc_string(Doc *doc, Str value, const Origin *origin);
DocNode *doc_block(Doc *doc, Str text, const Origin *origin);
DocNode *doc_list(Doc *doc);
DocNode *doc_map(Doc *doc);
DocNode *doc_call(Doc *doc, DocCall call, DocNode *child);

// Add to a map (the key must be new) or to a list. Both return what was added.
DocNode *doc_put(Doc *doc, DocNode *map, Str key, DocNode *value);
DocNode *doc_add(Doc *doc, DocNode *list, DocNode *value);

DocNode *doc_get(const DocNode *map, Str key); // NULL where absent
uint32_t doc_count(const DocNode *collection); // of a list or a map
bool doc_is_leaf(const DocNode *node);         // a scalar: what has an origin

// ---- patches ---------------------------------------------------------------------------------------------------

// Sets what stands at `path` (keys, [0], [Name=workers], [+], ["a.b/c"]; see compiler/base/doc_path.h) to `value`, a
// node that is not yet anywhere. If `value` is NULL, removes it. All but the last step must exist, and the last one too
// where it is removed. An intrinsic is a map of one key: `Key.Fn::If[1]`. If the path leads nowhere, reports the step
// that fails and what is there instead, and returns false. The document is then as it was. `path_span` is that of the
// quoted path in the source.
bool doc_patch(Doc *doc, Str path, Span path_span, DocNode *value);

// ---- writers ---------------------------------------------------------------------------------------------------

// One line of an output file and the leaf on it, for source maps and `dtc explain FILE:LINE`.
typedef struct {
    uint32_t line; // from 1, of the leaf's first byte; of a literal block that is its `|`
    Str path;      // "Resources.VPC.Properties.CidrBlock", "[3]" for items, "Fn::Sub" for an intrinsic
    const DocNode *leaf;
} DocLine;

typedef VEC(DocLine) DocLines;

// The whole document as text. Strings are quoted wherever a YAML 1.1 reader would take them for something else. No
// tag but those of intrinsics, no anchor, no line folding; "\n" line ends; deterministic. Leaves are appended to
// `lines` in the order of the text; it may be NULL. `header` (may be empty) is written as comment lines on top.
Str yaml_write(Arena *arena, const Doc *doc, Str header, DocLines *lines);

// Like yaml_write(), but each value of the root's map is a document of its own, with `---` between them. The keys are
// the names of the documents in patches and source maps, and do not stand in the text. Without documents the text is
// the header alone.
Str yaml_write_documents(Arena *arena, const Doc *doc, Str header, DocLines *lines);
Str doc_json_write(Arena *arena, const Doc *doc, DocLines *lines);

// Like doc_json_write(), but on one line without blanks, for places where size counts. `lines` come from
// doc_json_write(); if NULL, each line is 1.
Str doc_json_write_line(Arena *arena, const Doc *doc, DocLines *lines);

// The source map: {"version":1,"file":…,"leaves":[{"path","line","origins":[{"kind":"span","file","line","column",
// "end_line","end_column"} | {"kind":"schema","name"} | {"kind":"constant","name","text"} | {"kind":"input","name", and
// the members of a span where a file holds the value}]}]}. An origin is listed once for a leaf; a leaf with very many
// has `"truncated":true` beside the first ones.
Str doc_map_write(Session *session, Arena *arena, Str file, const DocLines *lines);
