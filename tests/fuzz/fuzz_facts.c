// Any bytes as a facts file: no crash, no leak, and every stack that is read has a name.
#include "compiler/base/arn.h"
#include "compiler/plan/model/facts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Str text = { .data = (const char *)data, .len = size };
    size_t bad = 0;
    if (!str_is_utf8(text, &bad) || memchr(data, 0, size) != NULL) {
        return 0; // source_load() refuses these
    }
    Session *session = session_create();
    Facts facts = { 0 };
    facts_read(session, source_add(session, STR("facts.json"), text), &facts);
    for (uint32_t i = 0; i < facts.stacks.count; i++) {
        const FactStack *stack = facts.stacks.items[i];
        if (facts_stack(&facts, stack->name) != stack) {
            abort();
        }
        facts_output(stack, STR("VPC"));
        arn_field(stack->id, ARN_REGION);
        facts_is_good(stack);
    }
    session_destroy(session);
    return 0;
}
