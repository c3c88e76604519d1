// What every part of the Plan has: a head, a key, and lines that say what dtc decided.
#include "compiler/plan/declared/builder.h"

#include <stdarg.h>

#include "compiler/plan/declared/read.h"

Str builder_key(Builder *builder, const Block *block) {
    const Block **address = arena_new(builder->arena, const Block *);
    *address = block;
    return (Str){ .data = (const char *)address, .len = sizeof(*address) };
}

PlanHead builder_head(Builder *builder, const Block *block, int name_attribute) {
    const Value *name = name_attribute < 0 ? NULL : read_known(builder, block, name_attribute);
    if (name == NULL) {
        name = value_string(builder->arena, block->subject.name_span, block->origin, block->name);
    }
    return (PlanHead){ .subject = &block->subject,
                       .part = plan_part(builder->plan, block),
                       .block = block,
                       .id = block->name,
                       .name = name,
                       .doc = block->doc,
                       .origin = block->origin };
}

Str builder_subject(Builder *builder, const Block *block) {
    if (block->on != NULL) {
        return str_format(builder->arena, "%.*s on %.*s", STR_ARG(block->name), STR_ARG(block->on->name));
    }
    return block->parent == NULL
               ? block->name
               : str_format(builder->arena, "%.*s.%.*s", STR_ARG(block->parent->name), STR_ARG(block->name));
}

Str builder_subject_on(Builder *builder, const Block *block, const PlanCluster *cluster) {
    return str_format(builder->arena, "%.*s on %.*s", STR_ARG(block->name), STR_ARG(cluster->head.id));
}

void builder_add_decision(Builder *builder, Span span, Str subject, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    PlanDecision *decision = arena_new(builder->arena, PlanDecision);
    *decision = (PlanDecision){
        .span = span,
        .subject = subject,
        .text = str_format_list(builder->arena, format, arguments),
    };
    va_end(arguments);
    vec_push(builder->arena, &builder->plan->decisions, decision);
}
