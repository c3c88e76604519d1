// The labels that Karpenter gives to each instance type.
// Source: computeRequirements of pkg/providers/instancetype/types.go of aws/karpenter-provider-aws@1d927085, 2026-08-21.
#pragma once

#include "compiler/base/str.h"
#include "schema/instance.h"

typedef enum { FACT_UNKNOWN, FACT_NONE, FACT_NUMBER, FACT_TEXT } FactKind;

// The value of a label of a type. FACT_NONE: the type does not have the label.
typedef struct {
    FactKind kind;
    int64_t number;
    Str text;
} Fact;

typedef enum {
    LABEL_TYPE,   // names types
    LABEL_FAMILY, // and families
    LABEL_PLACE,  // says what else the type is
    LABEL_FACT,
} LabelKind;

typedef struct {
    const char *name; // behind one of the prefixes
    bool is_of_aws;   // and behind one of AWS, or of Kubernetes
    LabelKind kind;
    Fact (*read)(const InstanceRow *row);
    const char *unit; // of its number; NULL: it is a count, or no number
} TypeLabel;

const TypeLabel *type_label(Str key); // NULL: it says nothing of the type

// A letter of a name as Karpenter writes it into a label: "Radeon Pro V520" is radeon-pro-v520.
char type_label_char(char c);
