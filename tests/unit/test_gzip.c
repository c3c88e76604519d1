#include "compiler/base/gzip.h"

#include "tests/support/check.h"

#include <zlib.h>

static int make(void **state) {
    *state = arena_create();
    return 0;
}

static int drop(void **state) {
    arena_destroy(*state);
    return 0;
}

static uint32_t digit_value(char digit) {
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return digit == '=' ? 0 : (uint32_t)((const char *)memchr(DIGITS, digit, sizeof(DIGITS) - 1) - DIGITS);
}

// What the lines of base64 say.
static Str decode(Arena *arena, Str lines) {
    StrBuf out = { .arena = arena };
    size_t padding = 0;
    for (size_t at = 0; at < lines.len; at += 4) {
        at += lines.data[at] == '\n' ? 1 : 0;
        uint32_t bits = 0;
        for (size_t i = at; i < at + 4 && at < lines.len; i++) {
            bits = bits << 6 | digit_value(lines.data[i]);
            padding += lines.data[i] == '=' ? 1 : 0;
        }
        for (int shift = 16; shift >= 0 && at < lines.len; shift -= 8) {
            strbuf_add_char(&out, (char)(bits >> shift & 255));
        }
    }
    return str_slice(strbuf_str(&out), 0, out.len - padding);
}

static Str gzip_finish(Arena *arena, GzipStart *start, Str rest) {
    StrBuf out = { .arena = arena };
    gzip_add_base64(&out, arena, start, rest);
    return decode(arena, strbuf_str(&out));
}

static Str unpack(Arena *arena, Str packed) {
    enum { ROOM = 1 << 20, ANY_HEADER = 15 + 32 };
    char *out = arena_alloc(arena, ROOM);
    z_stream stream = { .next_in = (z_const Bytef *)packed.data,
                        .avail_in = (uInt)packed.len,
                        .next_out = (Bytef *)out,
                        .avail_out = ROOM };
    assert_int_equal(inflateInit2(&stream, ANY_HEADER), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END); // its sums are right too
    assert_int_equal(stream.avail_in, 0);
    assert_int_equal(inflateEnd(&stream), Z_OK);
    return (Str){ .data = out, .len = ROOM - stream.avail_out };
}

static Str numbers(Arena *arena, int count) {
    StrBuf text = { .arena = arena };
    for (int i = 0; i < count; i++) {
        strbuf_add_format(&text, "%d,", i * 7919 % 65537);
    }
    return strbuf_str(&text);
}

static void test_stream_unpacks_to_both_texts(void **state) {
    const Str text = numbers(*state, 4000);

    const Str packed = gzip_finish(*state, gzip_start(*state, text), STR("efa.count 32\n"));

    const Str both = str_format(*state, "%.*sefa.count 32\n", STR_ARG(text));
    assert_true(str_equal(unpack(*state, packed), both));
    assert_true(packed.len < both.len);
}

// "ab" as a block with fixed codes, which is not the last, and an empty one that is stored: RFC 1951, 3.2.4 and 3.2.6.
#define BLOCKS_OF_AB "\x4A\x4C\x02\x00\x00\x00\xFF\xFF"

static void test_stream_may_begin_with_known_bytes(void **state) {
    const Str pack = STR("9e83486d 0\n\x1F\x8B\x08\0\0\0\0\0\x02\x03" BLOCKS_OF_AB);

    const Str packed = gzip_finish(*state, gzip_start_packed(*state, STR("ab"), pack), STR("c\n"));

    assert_text(unpack(*state, packed), "abc\n");
}

static void test_stream_may_begin_with_known_lines(void **state) {
    const Str pack = STR("9e83486d 13\nH4sIAAAAAAAC\n\x03" BLOCKS_OF_AB);

    const Str packed = gzip_finish(*state, gzip_start_packed(*state, STR("ab"), pack), STR("c\n"));

    assert_text(unpack(*state, packed), "abc\n");
}

static void test_start_serves_several_streams(void **state) {
    GzipStart *start = gzip_start(*state, numbers(*state, 4000));

    const Str first = gzip_finish(*state, start, STR("one\n"));
    const Str second = gzip_finish(*state, start, STR("two\n"));
    const Str again = gzip_finish(*state, start, STR("one\n"));

    assert_true(str_equal(first, again));
    assert_false(str_equal(first, second));
    assert_true(str_ends_with(unpack(*state, second), STR("two\n")));
}

static void test_rest_is_found_at_the_end_of_the_start(void **state) {
    const Str text = numbers(*state, 4000);
    GzipStart *start = gzip_start(*state, text);

    const size_t empty = gzip_finish(*state, start, STR_NONE).len;
    const size_t repeated = gzip_finish(*state, start, str_slice(text, text.len - 300, text.len - 100)).len;

    assert_in_range(repeated, empty, empty + 16);
}

static void test_empty_texts_are_a_stream(void **state) {
    const Str packed = gzip_finish(*state, gzip_start(*state, STR_NONE), STR_NONE);

    assert_int_equal(unpack(*state, packed).len, 0);
}

static void test_stream_has_no_time_in_it(void **state) {
    const Str packed = gzip_finish(*state, gzip_start(*state, STR("a")), STR("b"));

    assert_memory_equal(packed.data, "\x1f\x8b\x08\0\0\0\0\0", 8);
}

static void test_a_stream_that_ends_early_or_has_another_byte_is_broken(void **state) {
    Arena *arena = *state;
    const Str stream = gzip_finish(arena, gzip_start(arena, STR("a text that is compressed")), STR(" and its rest"));
    char *other = arena_alloc(arena, stream.len);
    memcpy(other, stream.data, stream.len);
    other[stream.len - 6] ^= 1; // of its sum

    assert_false(gzip_is_broken(arena, stream));
    assert_true(gzip_is_broken(arena, str_slice(stream, 0, stream.len / 2)));
    assert_true(gzip_is_broken(arena, str_slice(stream, 0, 4)));
    assert_true(gzip_is_broken(arena, (Str){ .data = other, .len = stream.len }));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_stream_unpacks_to_both_texts, make, drop),
        cmocka_unit_test_setup_teardown(test_stream_may_begin_with_known_bytes, make, drop),
        cmocka_unit_test_setup_teardown(test_stream_may_begin_with_known_lines, make, drop),
        cmocka_unit_test_setup_teardown(test_start_serves_several_streams, make, drop),
        cmocka_unit_test_setup_teardown(test_rest_is_found_at_the_end_of_the_start, make, drop),
        cmocka_unit_test_setup_teardown(test_empty_texts_are_a_stream, make, drop),
        cmocka_unit_test_setup_teardown(test_stream_has_no_time_in_it, make, drop),
        cmocka_unit_test_setup_teardown(test_a_stream_that_ends_early_or_has_another_byte_is_broken, make, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
