// Builds a source that a test has written as it builds behind its last stack: with facts for all that its files wait
// for.
#pragma once

#include "tests/support/build_text.h"

#define STACK_ID "arn:aws:cloudformation:us-west-2:123456789012:stack/x/0123abcd-0000-0000-0000-0123456789ab"

// What a deployed stack might say under a name with this at its end: another one other subnets.
static inline Str fact_of(Arena *arena, Str stack, Str name) {
    static const struct {
        const char *end;
        const char *value;
    } FACTS[] = {
        { "LaunchTemplate", "lt-0123456789abcdef0" },
        { "LaunchTemplateVersion", "1" },
        { "VPC", "vpc-0123456789abcdef5" },
        { "PublicSubnet", "subnet-0123456789abcd050,subnet-0123456789abcd053,subnet-0123456789abcd056" },
        { "PrivateSubnet", "subnet-0123456789abcd051,subnet-0123456789abcd052,subnet-0123456789abcd055" },
        { "SecurityGroup", "sg-0123456789abcde51" },
        { "SecurityGroupId", "sg-0123456789abcde52" },
        { "Bucket", "data-databucket-0123456789ab" },
        { "AccessPolicy", "arn:aws:iam::123456789012:policy/access-0123456789AB" },
    };
    for (size_t i = 0; i < COUNT_OF(FACTS); i++) {
        if (str_ends_with(name, str_of(FACTS[i].end))) {
            StrBuf text = { .arena = arena };
            const Str value = str_of(FACTS[i].value);
            for (size_t at = 0; at < value.len;) {
                const size_t end = str_find(value, STR("abcd0"), at);
                strbuf_add(&text, str_slice(value, at, end));
                if (end < value.len) {
                    strbuf_add_format(&text, "abcd%zu", stack.len % 10);
                }
                at = end + sizeof("abcd0") - 1;
            }
            return strbuf_str(&text);
        }
    }
    fail_msg("what is `%.*s` of a stack?", STR_ARG(name));
    return STR_NONE; // not reached
}

// What files wait for, each stack once; empty where none waits. The stack's name is followed by where it stands.
static inline Str facts_of(Arena *arena, const BuiltText *built, Str stacks) {
    StrBuf text = { .arena = arena };
    Str stack;
    for (size_t at = 0; next_line(stacks, &at, &stack);) {
        strbuf_add_format(&text,
                          "%s{\"StackId\": \"" STACK_ID
                          "\", \"StackName\": \"%.*s\", \"StackStatus\": \"CREATE_COMPLETE\", \"Outputs\": [",
                          text.len == 0 ? "{\"Stacks\": [" : ", ", STR_ARG(stack));
        const char *comma = "";
        for (uint32_t i = 0; i < built->output.artifacts.count; i++) {
            const MissingFacts *missing = &built->output.artifacts.items[i].missing;
            for (uint32_t j = 0; j < missing->count; j++) {
                if (str_equal(missing->items[j].stack, stack) && !str_is(missing->items[j].name, "StackId")) {
                    strbuf_add_format(&text, "%s{\"OutputKey\": \"%.*s\", \"OutputValue\": \"%.*s\"}", comma,
                                      STR_ARG(missing->items[j].name),
                                      STR_ARG(fact_of(arena, stack, missing->items[j].name)));
                    comma = ", ";
                }
            }
        }
        strbuf_add(&text, STR("]}"));
    }
    strbuf_add(&text, text.len == 0 ? STR_NONE : STR("]}"));
    return strbuf_str(&text);
}

static inline Str stacks_of(Arena *arena, const BuiltText *built) {
    StrBuf text = { .arena = arena };
    for (uint32_t i = 0; i < built->output.artifacts.count; i++) {
        const MissingFacts *missing = &built->output.artifacts.items[i].missing;
        for (uint32_t j = 0; j < missing->count; j++) {
            const Str line = str_format(arena, "%.*s\n", STR_ARG(missing->items[j].stack));
            if (str_find(strbuf_str(&text), line, 0) == text.len) {
                strbuf_add(&text, line);
            }
        }
    }
    return strbuf_str(&text);
}

static inline BuiltText build_complete(Arena *arena, Str source) {
    BuiltText built = build_text(source);
    const Str facts = facts_of(arena, &built, stacks_of(arena, &built));
    if (facts.len == 0 || has_errors(built.session)) {
        return built;
    }
    session_destroy(built.session);
    return build_text_with(source, facts);
}
