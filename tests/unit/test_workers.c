#include "compiler/base/workers.h"

#include "tests/support/check.h"

#include <stdatomic.h>

enum { ITEMS_MAX = 5000 };

typedef struct {
    uint32_t results[SLOTS_MAX]; // by slot: its item and one
    uint32_t taken[ITEMS_MAX];
    uint32_t taken_count;
    uint32_t count_of_spoiled; // slots that somebody else wrote to
    atomic_uint worked[ITEMS_MAX];
} Seen;

static void work(void *context, uint32_t item, uint32_t slot) {
    Seen *seen = context;
    atomic_fetch_add(&seen->worked[item], 1);
    seen->results[slot] = item + 1;
}

static void take(void *context, uint32_t item, uint32_t slot) {
    Seen *seen = context;
    seen->count_of_spoiled += seen->results[slot] != item + 1;
    seen->taken[seen->taken_count++] = item;
}

static void check_all(uint32_t count, uint32_t workers) {
    static Seen seen;
    memset(&seen, 0, sizeof(seen));

    work_in_order(&(Job){ .work = work, .take = take, .context = &seen }, count, workers);

    assert_int_equal(seen.taken_count, count);
    assert_int_equal(seen.count_of_spoiled, 0);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(seen.taken[i], i);
        assert_int_equal(seen.worked[i], 1);
    }
}

static void test_one_worker_takes_all_in_order(void **state) {
    (void)state;
    check_all(100, 1);
}

static void test_many_workers_take_each_item_once_and_in_order(void **state) {
    (void)state;
    check_all(ITEMS_MAX, WORKERS_MAX);
    check_all(ITEMS_MAX, 2);
}

static void test_fewer_items_than_workers(void **state) {
    (void)state;
    check_all(0, 4);
    check_all(1, 4);
    check_all(3, 4);
}

static void test_there_are_no_more_workers_than_items(void **state) {
    (void)state;
    assert_int_equal(workers_of(0), 1);
    assert_int_equal(workers_of(1), 1);
    assert_in_range(workers_of(2), 1, 2);
    assert_in_range(workers_of(ITEMS_MAX), 1, WORKERS_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_worker_takes_all_in_order),
        cmocka_unit_test(test_many_workers_take_each_item_once_and_in_order),
        cmocka_unit_test(test_fewer_items_than_workers),
        cmocka_unit_test(test_there_are_no_more_workers_than_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
