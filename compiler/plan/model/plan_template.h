// What a CloudFormation template declares by name, and where it uses these names, as both stand in the file. A rule about
// them holds in each way to deploy it.
#pragma once

#include "compiler/base/data.h"
#include "compiler/base/str_map.h"
#include "compiler/base/vec.h"
#include "compiler/semantics/subject.h"

typedef enum { NAMED_PARAMETER, NAMED_CONDITION, NAMED_RESOURCE, NAMED_OUTPUT, NAMED_KIND_COUNT } PlanNamedKind;

typedef struct PlanTest PlanTest;
typedef struct PlanRole PlanRole;

// A parameter, a condition, a resource or an output.
typedef struct {
    PlanNamedKind kind;
    Str name;
    Str type; // of a parameter or a resource; may be empty
    Span span;
    const Subject *subject; // what findings are about
    const Data *data;
    const PlanTest *test; // of a condition: what it asks; else NULL
    uint32_t index;       // among those of the template
} PlanNamed;

// A side of an `Fn::Equals`.
typedef struct {
    bool is_text;               // written as it is
    bool is_bool;               // then: true or false, not in quotes: YAML decides how it is spelt
    Str text;                   // then: what it is; else a spelling that the same value has wherever it stands
    const PlanNamed *parameter; // whose value it is; NULL: none's
    Span span;
} PlanTerm;

typedef enum { TEST_UNKNOWN, TEST_EQUALS, TEST_NOT, TEST_AND, TEST_OR, TEST_CONDITION } PlanTestKind;

struct PlanTest {
    PlanTestKind kind;
    Span span;
    PlanTerm sides[2];            // TEST_EQUALS
    const PlanNamed *condition;   // TEST_CONDITION; never NULL
    const PlanTest *const *parts; // TEST_NOT, TEST_AND, TEST_OR
    uint32_t part_count;
};

typedef enum {
    USE_REF,        // `Ref`, or `${Name}` in a text that `Fn::Sub` fills in
    USE_ATTRIBUTE,  // `Fn::GetAtt`, or `${Name.Attribute}`
    USE_DEPENDS_ON, // `DependsOn`
    USE_CONDITION,  // `Condition`, or the first of `Fn::If`
    USE_TEXT,       // a text that is such a name, and nothing says that it stands for that
} PlanUseKind;

// An arm of an `Fn::If`, or the condition of a resource: what holds where a use counts.
typedef struct PlanGuard {
    const PlanNamed *condition; // NULL: it is not declared
    bool holds;
    const Data *choice;            // the arguments of `Fn::If`; NULL: a resource's condition
    const struct PlanGuard *outer; // NULL: none
} PlanGuard;

typedef struct {
    PlanUseKind kind;
    bool is_sub;           // in a text
    bool is_whole;         // all of the value, or of an item in a list
    Str name;              // as it is written: may have a dot where no dot belongs
    Str attribute;         // USE_ATTRIBUTE
    Str key;               // the property that the value is given to, or a part of it is; empty: none
    Str outer;             // the property around that one
    Span span;             // of the name
    Span attribute_span;   // USE_ATTRIBUTE
    const PlanNamed *from; // that it stands in; NULL: another section
    const PlanNamed *to;   // a parameter or resource, or a condition, of that name; NULL: there is none
    const Subject *subject;
    const PlanGuard *guard; // NULL: it counts always
} PlanUse;

// A name of `Fn::ImportValue`, or of an export.
typedef struct {
    Str name;    // with HOLE for each part that the deployment decides
    Str written; // as messages show it
    Span span;
    const PlanNamed *from;
    const Subject *subject;
    Str key; // of an import: the property that it is given to, in `outer`
    Str outer;
    Str gives; // of an export: what it is (resource_types.h); empty: not known
} PlanShared;

// A function that CloudFormation does not have.
typedef struct {
    Str name;  // as it is written: "!Foo", "Fn::Foo"
    Span span; // of the name
    const Subject *subject;
} PlanForeignCall;

// A call of a function, as it is written.
typedef struct {
    Str name;
    Str key; // the property that it is given to, or a part of it is; empty: none
    const Data *argument;
    const Subject *subject;
    const PlanGuard *guard; // NULL: it counts always
} PlanCall;

#define HOLE '\x01'

typedef struct {
    bool is_open;            // macros or loops may add names, and use them
    bool has_macro;          // a macro rewrites all of it
    bool has_all_conditions; // open or not, all conditions are declared in it
    bool has_extensions;     // Ref and GetAtt may take functions
    bool has_rules;          // that refuse some values of parameters together
    VEC(const PlanNamed *) named;
    StrMap by_name[NAMED_KIND_COUNT]; // the same, to PlanNamed
    VEC(const PlanUse *) uses;
    VEC(const PlanShared *) exports;
    VEC(const PlanShared *) imports;
    VEC(const PlanForeignCall *) foreign_calls;
    VEC(const PlanCall *) calls;     // of Fn::FindInMap and Fn::Select
    VEC(const PlanCall *) all_calls; // of any function
    const Data *mappings;            // NULL: there are none
    const Data *description;         // likewise
    VEC(const PlanRole *) roles;
} PlanTemplate;

// NULL where the template declares none, and for no name.
static inline const PlanNamed *plan_named(const PlanTemplate *template, PlanNamedKind kind, Str name) {
    return name.len == 0 ? NULL : str_map_get(&template->by_name[kind], name);
}
