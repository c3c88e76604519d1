#include "compiler/plan/rules/check.h"
#include "compiler/readers/foreign.h"

#include "tests/support/check.h"

// How often lint finds a template of so many bytes too large: one topic, and a comment behind it.
static uint32_t too_large(size_t size) {
    static const char TOPIC[] = "Resources:\n  Topic: {Type: AWS::SNS::Topic}\n#";
    Session *session = session_create();
    char *text = arena_alloc(session->arena, size);
    memset(text, 'x', size);
    memcpy(text, TOPIC, strlen(TOPIC));
    text[size - 1] = '\n';
    const uint32_t source = source_add(session, STR("lab.yaml"), (Str){ .data = text, .len = size });
    const ForeignFile file = foreign_read(session, source, FOREIGN_NONE, READ_ALL);
    for (uint32_t i = 0; i < file.plans.count; i++) {
        plan_check(session, file.plans.items[i]);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        count += session->diags.items.items[i]->id == DIAG_template_too_large;
    }
    session_destroy(session);
    return count;
}

static void test_a_template_has_a_megabyte_at_most(void **state) {
    (void)state;
    assert_int_equal(too_large(1000000), 0);
    assert_int_equal(too_large(1000001), 1);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_template_has_a_megabyte_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
