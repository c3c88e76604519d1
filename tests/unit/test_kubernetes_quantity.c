#include "compiler/plan/model/kubernetes_quantity.h"

#include "tests/support/check.h"

typedef struct {
    const char *text;
    double amount;
} Row;

static Value text_of(const char *text) {
    return (Value){ .kind = VALUE_STRING, .string = str_of(text) };
}

static void test_each_suffix_has_its_factor(void **state) {
    (void)state;
    static const Row ROWS[] = {
        { "25", 25 },      { "2Ki", 2048 },   { "3Mi", 3145728 }, { "4Gi", 0x1p32 }, { "5Ti", 0x5p40 },
        { "6Pi", 0x6p50 }, { "7Ei", 0x7p60 }, { "2n", 2e-9 },     { "3u", 3e-6 },    { "500m", 0.5 },
        { "16k", 16000 },  { "17M", 17e6 },   { "18G", 18e9 },    { "19T", 19e12 },  { "20P", 20e15 },
        { "21E", 21e18 },  { "1e3", 1000 },   { "12E-1", 1.2 },   { "9e+2", 900 },   { "1.5Gi", 0x3p29 },
        { "0.25", 0.25 },  { "2.", 2 },       { ".5", 0.5 },      { "-90", -90 },    { "+9Ki", 9216 },
        { "1e12", 1e12 },  { "1e30", 1e30 },  { "1e31", 1e30 },   { "1e300", 1e30 },
    };
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        const Value value = text_of(ROWS[i].text);
        double amount = 0;
        if (!quantity_read(&value, &amount)) {
            fail_msg("%s is read as none", ROWS[i].text);
        }
        assert_float_equal((float)(amount / ROWS[i].amount), 1, 1e-6F);
    }
}

static void test_what_lies_behind_the_text_is_not_of_it(void **state) {
    (void)state;
    static const Row ROWS[] = { { "256", 25 }, { "1e35", 1e3 }, { "2Gib", 0x2p30 } };
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        Value value = text_of(ROWS[i].text);
        value.string.len--;
        double amount = 0;
        assert_true(quantity_read(&value, &amount));
        assert_float_equal((float)(amount / ROWS[i].amount), 1, 1e-6F);
    }
}

static void test_an_integer_is_itself(void **state) {
    (void)state;
    const Value value = { .kind = VALUE_INT, .integer = 64 };
    double amount = 0;
    assert_true(quantity_read(&value, &amount));
    assert_int_equal((int)amount, 64);
}

static void test_what_kubernetes_refuses_is_none(void **state) {
    (void)state;
    static const char *const TEXTS[] = { "",    "-",    "+",  ".",   "Gi",  "1.2.3", "5 Gi",
                                         "5gi", "5GiB", "1e", "1e-", "1x3", "1e3x",  "--1" };
    for (size_t i = 0; i < COUNT_OF(TEXTS); i++) {
        const Value value = text_of(TEXTS[i]);
        double amount = 0;
        if (quantity_read(&value, &amount)) {
            fail_msg("`%s` is read as %g", TEXTS[i], amount);
        }
    }
    const Value other = { .kind = VALUE_BOOL, .boolean = true };
    double amount = 0;
    assert_false(quantity_read(&other, &amount));
}

static void test_devices_are_whole(void **state) {
    (void)state;
    const Value eight = text_of("8");
    const Value none = text_of("${GPUS}");
    const Value less = text_of("-1");
    const Value many = text_of("1M");
    assert_int_equal(quantity_whole(&eight, 0), 8);
    assert_int_equal(quantity_whole(&none, 0), -1);
    assert_int_equal(quantity_whole(&less, 0), -1);
    assert_int_equal(quantity_whole(&many, 0), -1);
    assert_int_equal(quantity_whole(NULL, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_suffix_has_its_factor),
        cmocka_unit_test(test_what_lies_behind_the_text_is_not_of_it),
        cmocka_unit_test(test_an_integer_is_itself),
        cmocka_unit_test(test_what_kubernetes_refuses_is_none),
        cmocka_unit_test(test_devices_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
