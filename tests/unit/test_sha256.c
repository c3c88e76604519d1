// Sums are those of the standard, for each length around the end of a block.
#include "tests/support/check.h"

#include "compiler/base/sha256.h"

static int make_arena(void **state) {
    *state = arena_create();
    return 0;
}

static int drop_arena(void **state) {
    arena_destroy(*state);
    return 0;
}

// `count` times the letter a.
static Str letters(Arena *arena, size_t count) {
    StrBuf text = { .arena = arena };
    strbuf_add_repeated(&text, 'a', count);
    return strbuf_str(&text);
}

// FIPS 180-4, examples of NIST: https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values
static void test_sums_are_those_of_the_standard(void **state) {
    assert_text(sha256_text(*state, STR("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_text(sha256_text(*state, STR("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    assert_text(sha256_text(*state, letters(*state, 1000000)),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void test_an_empty_text_has_a_sum(void **state) {
    assert_text(sha256_text(*state, STR_NONE), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

// Behind 55 bytes the length still fits in the block, behind 56 it does not.
static void test_padding_ends_the_right_block(void **state) {
    assert_text(sha256_text(*state, letters(*state, 55)),
                "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    assert_text(sha256_text(*state, letters(*state, 56)),
                "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
    assert_text(sha256_text(*state, letters(*state, 63)),
                "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
    assert_text(sha256_text(*state, letters(*state, 64)),
                "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    assert_text(sha256_text(*state, letters(*state, 65)),
                "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0");
    assert_text(sha256_text(*state, letters(*state, 119)),
                "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
    assert_text(sha256_text(*state, letters(*state, 120)),
                "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_arena, drop_arena)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_sums_are_those_of_the_standard),
        TEST(test_an_empty_text_has_a_sum),
        TEST(test_padding_ends_the_right_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
