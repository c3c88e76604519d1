#include "compiler/base/arena.h"

#include "tests/support/check.h"

static void test_memory_is_zeroed_and_aligned(void **state) {
    (void)state;
    Arena *arena = arena_create();

    const unsigned char *odd = arena_alloc(arena, 3);
    const unsigned char *next = arena_alloc(arena, 100);

    assert_int_equal((uintptr_t)odd % _Alignof(max_align_t), 0);
    assert_int_equal((uintptr_t)next % _Alignof(max_align_t), 0);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(next[i], 0);
    }
    arena_destroy(arena);
}

static void test_nothing_may_be_asked_for(void **state) {
    (void)state;
    Arena *arena = arena_create();

    assert_non_null(arena_alloc(arena, 0));
    assert_non_null(arena_new_array(arena, int, 0));

    arena_destroy(arena);
}

static void test_memory_larger_than_a_chunk_is_whole(void **state) {
    (void)state;
    const size_t size = 5 * 1024 * 1024;
    Arena *arena = arena_create();

    char *small = arena_alloc(arena, 8);
    char *large = arena_alloc(arena, size);
    memset(large, 1, size);

    assert_int_equal(small[0], 0);
    assert_int_equal(large[size - 1], 1);
    arena_destroy(arena);
}

static void test_what_was_handed_out_stays_where_it_is(void **state) {
    (void)state;
    Arena *arena = arena_create();
    int *first = arena_new(arena, int);
    *first = 42;

    for (int i = 0; i < 100000; i++) {
        memset(arena_alloc(arena, 40), 0xFF, 40);
    }

    assert_int_equal(*first, 42);
    arena_destroy(arena);
}

static void test_rewound_memory_is_handed_out_again_zeroed(void **state) {
    (void)state;
    Arena *arena = arena_create();
    arena_alloc(arena, 10);
    const ArenaMark mark = arena_mark(arena);
    char *before = arena_alloc(arena, 50);
    memset(before, 0xFF, 50);

    arena_rewind(arena, mark);
    const char *after = arena_alloc(arena, 50);

    assert_ptr_equal(before, after);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(after[i], 0);
    }
    arena_destroy(arena);
}

static void test_rewind_passes_chunks(void **state) {
    (void)state;
    Arena *arena = arena_create();
    char *kept = arena_alloc(arena, 1);
    *kept = 'k';
    const ArenaMark mark = arena_mark(arena);

    for (int i = 0; i < 100; i++) {
        arena_alloc(arena, 64 * 1024);
    }
    arena_rewind(arena, mark);

    assert_int_equal(*kept, 'k');
    assert_ptr_equal(arena_mark(arena).chunk, mark.chunk);
    arena_destroy(arena);
}

static void test_rewind_to_the_very_start_gives_all_back(void **state) {
    (void)state;
    Arena *arena = arena_create();
    const ArenaMark mark = arena_mark(arena);

    arena_alloc(arena, 1000);
    arena_rewind(arena, mark);

    assert_null(arena_mark(arena).chunk);
    arena_destroy(arena);
}

static void test_trimmed_memory_is_handed_out_again_zeroed(void **state) {
    (void)state;
    Arena *arena = arena_create();
    char *kept = arena_alloc(arena, 100);
    memset(kept, 0xFF, 100);

    arena_trim(arena, kept, 100, 16);
    const char *next = arena_alloc(arena, 50);

    assert_true(next >= kept + 16 && next < kept + 100);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(next[i], 0);
    }
    assert_int_equal((unsigned char)kept[15], 0xFF);
    arena_destroy(arena);
}

static void test_what_has_something_behind_it_is_not_trimmed(void **state) {
    (void)state;
    Arena *arena = arena_create();
    char *first = arena_alloc(arena, 100);
    char *last = arena_alloc(arena, 16);
    memset(first, 1, 100);
    memset(last, 1, 16);

    arena_trim(arena, first, 100, 16);

    assert_int_equal(first[99] + last[15], 2);
    assert_true((const char *)arena_alloc(arena, 16) > last);
    arena_destroy(arena);
}

static void test_memory_goes_from_one_arena_beside_to_the_next_zeroed(void **state) {
    (void)state;
    Arena *owner = arena_create();
    Arena *first = arena_create_beside(owner);
    char *before = arena_alloc(first, 50);
    memset(before, 0xFF, 50);

    arena_destroy(first);
    Arena *second = arena_create_beside(owner);
    const char *after = arena_alloc(second, 50);

    assert_ptr_equal(before, after);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(after[i], 0);
    }
    arena_destroy(second);
    arena_destroy(owner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_is_zeroed_and_aligned),
        cmocka_unit_test(test_nothing_may_be_asked_for),
        cmocka_unit_test(test_memory_larger_than_a_chunk_is_whole),
        cmocka_unit_test(test_what_was_handed_out_stays_where_it_is),
        cmocka_unit_test(test_rewound_memory_is_handed_out_again_zeroed),
        cmocka_unit_test(test_rewind_passes_chunks),
        cmocka_unit_test(test_rewind_to_the_very_start_gives_all_back),
        cmocka_unit_test(test_trimmed_memory_is_handed_out_again_zeroed),
        cmocka_unit_test(test_what_has_something_behind_it_is_not_trimmed),
        cmocka_unit_test(test_memory_goes_from_one_arena_beside_to_the_next_zeroed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
