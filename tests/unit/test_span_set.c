#include "compiler/base/span_set.h"

#include "tests/support/check.h"

static Span at(uint32_t source, uint32_t start, uint32_t end) {
    return (Span){ .source = source, .start = start, .end = end };
}

static void test_a_span_meets_what_it_holds_and_what_holds_it(void **state) {
    (void)state;
    Arena *arena = arena_create();
    const Span spans[] = { at(1, 50, 60), at(1, 10, 40), at(1, 20, 30), at(2, 10, 20) };
    SpanSet set = span_set(arena, spans, COUNT_OF(spans));

    assert_true(span_set_meets(&set, at(1, 22, 25)));
    assert_false(span_set_is_met(&set));
    assert_true(span_set_meets(&set, at(1, 45, 60)));
    assert_false(span_set_is_met(&set));
    assert_true(span_set_meets(&set, at(2, 10, 20)));
    assert_true(span_set_is_met(&set));
    arena_destroy(arena);
}

static void test_a_span_beside_all_meets_none(void **state) {
    (void)state;
    Arena *arena = arena_create();
    const Span spans[] = { at(1, 10, 20), at(1, 30, 40) };
    SpanSet set = span_set(arena, spans, COUNT_OF(spans));

    assert_false(span_set_meets(&set, at(1, 0, 9)));
    assert_false(span_set_meets(&set, at(1, 22, 28)));
    assert_false(span_set_meets(&set, at(1, 41, 90)));
    assert_false(span_set_meets(&set, at(1, 15, 25)));
    assert_false(span_set_meets(&set, at(2, 12, 18)));
    assert_false(span_set_is_met(&set));
    arena_destroy(arena);
}

// Whether one holds the other, asked of each pair.
static bool meets_one(const Span *spans, uint32_t count, Span span) {
    bool is_met = false;
    for (uint32_t i = 0; i < count; i++) {
        is_met = is_met || span_holds(spans[i], span) || span_holds(span, spans[i]);
    }
    return is_met;
}

static void test_nested_spans_answer_as_each_pair_does(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Span spans[64];
    uint32_t count = 0;
    for (uint32_t width = 64; width >= 8; width /= 2) {
        for (uint32_t start = 0; start < 64; start += width * 2) {
            spans[count++] = at(1, 100 + start, 100 + start + width);
        }
    }
    SpanSet set = span_set(arena, spans, count);

    for (uint32_t start = 95; start < 170; start++) {
        for (uint32_t end = start; end < 175; end++) {
            const Span span = at(1, start, end);
            if (span_set_meets(&set, span) != meets_one(spans, count, span)) {
                fail_msg("%u to %u", start, end);
            }
        }
    }
    assert_true(span_set_is_met(&set));
    arena_destroy(arena);
}

static void test_a_set_of_none_is_met(void **state) {
    (void)state;
    Arena *arena = arena_create();
    SpanSet set = span_set(arena, NULL, 0);

    assert_false(span_set_meets(&set, at(1, 0, 9)));
    assert_true(span_set_is_met(&set));
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_span_meets_what_it_holds_and_what_holds_it),
        cmocka_unit_test(test_a_span_beside_all_meets_none),
        cmocka_unit_test(test_nested_spans_answer_as_each_pair_does),
        cmocka_unit_test(test_a_set_of_none_is_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
