// The fields of Kubernetes objects: the rows of objects.yaml.
#pragma once

#include "compiler/base/str.h"

typedef enum { OBJECT_ONE, OBJECT_LIST, OBJECT_MAP } ObjectShape;

typedef enum {
    OBJECT_ANY, // nothing is said of it
    OBJECT_STRING,
    OBJECT_INT,
    OBJECT_BOOL,
    OBJECT_NUMBER,
    OBJECT_QUANTITY, // "16Gi", 2
    OBJECT_TEXT,     // a number or a string
    OBJECT_FIELDS,   // has fields of its own
} ObjectForm;

// The rows hold no pointers, which would each be moved whenever dtc starts: a text is a place in OBJECT_TEXTS, and stands
// there once.

// What a value has to be, where that is more than its type. The first row is of what has no limit.
typedef struct {
    uint32_t words;   // "A|B": it is one of these; 0: any
    uint32_t pattern; // it matches; 0: any
    int64_t least;    // of a number, of the characters of a text, or of the items of a list
    int64_t most;
} ObjectLimitRow;

// A field of an object of Kubernetes: one value, a list or a map of such.
typedef struct {
    uint32_t name;
    uint8_t shape; // ObjectShape
    uint8_t form;  // ObjectForm
    bool is_required;
    int16_t type;   // of OBJECT_FIELDS: a row of OBJECT_TYPE_ROWS; -1
    uint16_t limit; // of one value: a row of OBJECT_LIMIT_ROWS
    uint16_t count; // of a list
} ObjectFieldRow;

typedef struct {
    uint32_t name;
    uint32_t fields; // the first of OBJECT_FIELD_ROWS
    int field_count;
    bool is_open; // the cluster keeps fields that are not here
} ObjectTypeRow;

typedef struct {
    uint32_t name; // "apps/v1/Deployment"
    int type;
} ObjectKindRow;

extern const char OBJECT_TEXTS[];
extern const ObjectLimitRow OBJECT_LIMIT_ROWS[];
extern const ObjectFieldRow OBJECT_FIELD_ROWS[];
extern const ObjectTypeRow OBJECT_TYPE_ROWS[];
extern const ObjectKindRow OBJECT_KIND_ROWS[];
extern const int OBJECT_KIND_COUNT;
extern const char OBJECT_VERSION[]; // the newest one of Kubernetes that the rows know

const ObjectKindRow *schema_object(Str name); // NULL where there is none
const ObjectTypeRow *schema_object_type(const ObjectKindRow *kind);
const ObjectFieldRow *schema_object_fields(const ObjectTypeRow *type);          // the first
const ObjectFieldRow *schema_object_field(const ObjectTypeRow *type, Str name); // NULL where there is none
const char *schema_object_text(uint32_t place);
