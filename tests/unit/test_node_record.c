#include "stdlib/node/core/record.h"

#include "tests/support/check.h"

typedef struct {
    char text[NODE_RECORD_BYTES_MAX + 2];
    Record record;
} World;

// The fault of a text; NULL: there is none.
static const char *fault_of(World *world, const char *text) {
    const size_t len = strlen(text);
    assert_true(len < sizeof world->text);
    memcpy(world->text, text, len + 1);
    record_read(&world->record, world->text, (int)len);
    return world->record.fault;
}

static void test_lines_have_their_keys_and_values(void **state) {
    (void)state;
    World world;

    assert_null(fault_of(&world, "dtc-expect 1\ngroup train-a\n?mount /fsx lustre 100\n"));

    assert_int_equal(world.record.count, 2);
    assert_string_equal(record_values(&world.record, KEY_GROUP), "train-a");
    assert_int_equal(world.record.lines[1].key, KEY_MOUNT);
    assert_string_equal(world.record.lines[1].values, "/fsx lustre 100");
    assert_true(world.record.lines[1].only_warns);
    assert_null(record_values(&world.record, KEY_CPUS));
}

static void test_the_line_at_fault_is_told(void **state) {
    (void)state;
    World world;

    assert_string_equal(fault_of(&world, "dtc-expect 1\ncpus 1\ncolour blue\n"), "unknown key");
    assert_int_equal(world.record.fault_line, 3);
}

static void test_a_key_alone_is_unknown(void **state) {
    (void)state;
    World world;

    assert_string_equal(fault_of(&world, "dtc-expect 1\ncpus\n"), "unknown key");
    assert_string_equal(fault_of(&world, "dtc-expect 1\ncpus \n"), "value of another form");
}

static void test_numbers_have_a_limit(void **state) {
    (void)state;
    World world;

    assert_null(fault_of(&world, "dtc-expect 1\ncpus 2147483647\n"));
    assert_string_equal(fault_of(&world, "dtc-expect 1\ncpus 2147483648\n"), "value of another form");
}

static void test_each_form_has_what_it_takes(void **state) {
    (void)state;
    World world;

    assert_null(fault_of(&world, "dtc-expect 1\nmemlock unlimited slurmd\nnofile 65536 slurmd\nefa.driver 2.10.0\n"));
    assert_null(fault_of(&world, "dtc-expect 1\nfile /a\nmount /a xfs\nklog 48 79\npeers 10.0.0.1\n"));
}

static void test_each_form_refuses_what_it_does_not(void **state) {
    (void)state;
    static const char *const LINES[] = {
        "memlock much slurmd", "memlock 1", "efa.driver v2", "libfabric a", "klog 48 x",
        "mount /a xfs 1 2",    "mount /a",  "cpus 1x",       "group a b"
    };
    World world;

    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "dtc-expect 1\n%s\n", LINES[i]);
        assert_string_equal(fault_of(&world, text), "value of another form");
    }
}

// A line with so many peers.
static const char *peers(char text[2000], int count) {
    int len = snprintf(text, 2000, "dtc-expect 1\npeers");
    for (int i = 0; i < count; i++) {
        len += snprintf(text + len, (size_t)(2000 - len), " 10.0.0.1");
    }
    snprintf(text + len, (size_t)(2000 - len), "\n");
    return text;
}

static void test_a_line_has_a_limit(void **state) {
    (void)state;
    World world;
    char text[2000];

    assert_null(fault_of(&world, peers(text, NODE_LINE_VALUES_MAX)));
    assert_string_equal(fault_of(&world, peers(text, NODE_LINE_VALUES_MAX + 1)), "value of another form");
    assert_string_equal(fault_of(&world, peers(text, NODE_LINE_BYTES_MAX / 9)), "too long");
}

static void test_a_record_ends_with_a_line_feed(void **state) {
    (void)state;
    World world;

    assert_string_equal(fault_of(&world, "dtc-expect 1\ncpus 1"), "a byte that may not stand here");
    assert_string_equal(fault_of(&world, ""), "nothing in it");
}

static void test_what_cannot_be_read_is_at_fault(void **state) {
    (void)state;
    World world;

    record_read(&world.record, world.text, -1);

    assert_string_equal(world.record.fault, "cannot be read");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_have_their_keys_and_values),
        cmocka_unit_test(test_the_line_at_fault_is_told),
        cmocka_unit_test(test_a_key_alone_is_unknown),
        cmocka_unit_test(test_numbers_have_a_limit),
        cmocka_unit_test(test_each_form_has_what_it_takes),
        cmocka_unit_test(test_each_form_refuses_what_it_does_not),
        cmocka_unit_test(test_a_line_has_a_limit),
        cmocka_unit_test(test_a_record_ends_with_a_line_feed),
        cmocka_unit_test(test_what_cannot_be_read_is_at_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
