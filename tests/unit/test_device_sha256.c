// Sums are those of the standard, though its constants are worked out here.
#include "stdlib/node/device/sha256.h"

#include "tests/support/check.h"

// `count` times the letter a, in pieces of `piece`.
static const char *sum_of_letters(char digits[65], int count, int piece) {
    Sha256 hash;
    char letters[64];
    memset(letters, 'a', sizeof letters);
    sha256_begin(&hash);
    for (int left = count; left > 0; left -= piece) {
        sha256_add(&hash, letters, left < piece ? left : piece);
    }
    sha256_end(&hash, digits);
    digits[SHA256_DIGITS] = '\0';
    return digits;
}

static void test_an_empty_text_has_a_sum(void **state) {
    (void)state;
    char digits[65];

    assert_string_equal(sum_of_letters(digits, 0, 1),
                        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

// FIPS 180-4, examples of NIST: https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values
static void test_sums_are_those_of_the_standard(void **state) {
    (void)state;
    char digits[65];

    assert_string_equal(sum_of_letters(digits, 1000000, 64),
                        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void test_pieces_do_not_matter(void **state) {
    (void)state;
    char digits[65];

    assert_string_equal(sum_of_letters(digits, 1000000, 37),
                        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Behind 55 bytes the length still fits in the block, behind 56 it does not.
static void test_padding_ends_the_right_block(void **state) {
    (void)state;
    char digits[65];

    assert_string_equal(sum_of_letters(digits, 55, 1),
                        "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    assert_string_equal(sum_of_letters(digits, 56, 1),
                        "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_text_has_a_sum),
        cmocka_unit_test(test_sums_are_those_of_the_standard),
        cmocka_unit_test(test_pieces_do_not_matter),
        cmocka_unit_test(test_padding_ends_the_right_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
