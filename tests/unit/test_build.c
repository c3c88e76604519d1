// A plan finds what it holds by the block that it is of, and nothing by another block.
#include "tests/support/check.h"

#include "compiler/plan/model/plan.h"
#include "compiler/semantics/program.h"

static void test_what_is_planned_is_found_by_its_block(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Plan plan = { 0 };
    const Block blocks[3] = { 0 };
    PlanNetwork network = { .head = { .block = &blocks[0] } };
    PlanCluster cluster = { .head = { .block = &blocks[1] } };
    PlanImage image = { .head = { .block = &blocks[2] } };

    plan_add_network(arena, &plan, &network);
    plan_add_cluster(arena, &plan, &cluster);
    plan_add_image(arena, &plan, &image);

    assert_ptr_equal(plan_network(&plan, &blocks[0]), &network);
    assert_ptr_equal(plan_cluster(&plan, &blocks[1]), &cluster);
    assert_ptr_equal(plan_image(&plan, &blocks[2]), &image);
    arena_destroy(arena);
}

static void test_nothing_is_found_by_another_block(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Plan plan = { 0 };
    const Block blocks[2] = { 0 };
    PlanCluster cluster = { .head = { .block = &blocks[0] } };

    assert_null(plan_cluster(&plan, &blocks[0]));
    plan_add_cluster(arena, &plan, &cluster);

    assert_null(plan_cluster(&plan, &blocks[1]));
    assert_null(plan_network(&plan, &blocks[0]));
    assert_null(plan_image(&plan, &blocks[0]));
    arena_destroy(arena);
}

static void test_order_is_the_one_of_adding(void **state) {
    (void)state;
    enum { COUNT = 100 };
    Arena *arena = arena_create();
    Plan plan = { 0 };
    Block blocks[COUNT] = { 0 };
    PlanCluster clusters[COUNT] = { 0 };

    for (int i = 0; i < COUNT; i++) {
        clusters[i].head.block = &blocks[i];
        plan_add_cluster(arena, &plan, &clusters[i]);
    }

    assert_int_equal(plan.clusters.count, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_ptr_equal(plan.clusters.items[i], &clusters[i]);
        assert_ptr_equal(plan_cluster(&plan, &blocks[i]), &clusters[i]);
    }
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_planned_is_found_by_its_block),
        cmocka_unit_test(test_nothing_is_found_by_another_block),
        cmocka_unit_test(test_order_is_the_one_of_adding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
