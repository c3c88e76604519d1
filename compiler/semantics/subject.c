// Answers what is written about a subject.
#include "compiler/semantics/subject.h"

const Value *subject_value(const Subject *subject, int attribute) {
    return subject->values[attribute];
}

Span subject_key(const Subject *subject, int attribute) {
    return subject->attribute_spans[attribute];
}
