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

// A field of an object of Kubernetes: one value, a list or a map of such.
enum { OBJECT_FIELD_NAME_MAX = 59 }; // bytes of a name

// The name stands in the row: of thousands of pointers each would be moved whenever dtc starts.
typedef struct {
    char name[OBJECT_FIELD_NAME_MAX + 1];
    ObjectShape shape;
    ObjectForm form;
    int type; // of OBJECT_FIELDS: a row of OBJECT_TYPE_ROWS; -1
    bool is_required;
} ObjectFieldRow;

typedef struct {
    const char *name;
    const ObjectFieldRow *fields;
    int field_count;
} ObjectTypeRow;

typedef struct {
    const char *name; // "apps/v1/Deployment"
    const ObjectTypeRow *type;
} ObjectKindRow;

extern const ObjectTypeRow OBJECT_TYPE_ROWS[];
extern const ObjectKindRow OBJECT_KIND_ROWS[];
extern const int OBJECT_KIND_COUNT;
extern const char OBJECT_VERSION[]; // the newest one of Kubernetes that the rows know

const ObjectKindRow *schema_object(Str name); // NULL where there is none
