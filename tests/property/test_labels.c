// Labels of random texts, with hostile ones among them, on nodes of a stack. dtc refuses what Kubernetes refuses. The
// test has these rules a second time, and shares no code with dtc. A label that is taken is read back from the
// kubelet's flag as it was written. The seed is fixed, so a failure repeats.
#include "compiler/base/json.h"
#include "tests/support/build_text.h"

enum { CASES = 400, TEXT_MAX = 70 };

static uint32_t next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

// ---- the rules of Kubernetes, told again -----------------------------------------------------------------------

static bool is_one_of(char c, const char *characters) {
    return c != 0 && strchr(characters, c) != NULL;
}

static const char ENDS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
static const char LOWER_ENDS[] = "abcdefghijklmnopqrstuvwxyz0123456789";

// Characters of `ends` and `middle`, those of `ends` alone at both ends.
static bool is_word(Str text, const char *ends, const char *middle) {
    if (text.len == 0 || !is_one_of(text.data[0], ends) || !is_one_of(text.data[text.len - 1], ends)) {
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        if (!is_one_of(text.data[i], ends) && !is_one_of(text.data[i], middle)) {
            return false;
        }
    }
    return true;
}

static bool is_domain(Str text) {
    for (size_t start = 0; start <= text.len;) {
        const size_t end = str_find(text, STR("."), start);
        if (!is_word(str_slice(text, start, end), LOWER_ENDS, "-")) {
            return false;
        }
        start = end + 1;
    }
    return true;
}

static bool is_key(Str text) {
    const size_t slash = str_find(text, STR("/"), 0);
    const Str name = slash == text.len ? text : str_slice(text, slash + 1, text.len);
    return name.len <= 63 && is_word(name, ENDS, "-_.") && (slash == text.len || is_domain(str_slice(text, 0, slash)));
}

static bool is_value(Str text) {
    return text.len == 0 || (text.len <= 63 && is_word(text, ENDS, "-_."));
}

// ---- cases -----------------------------------------------------------------------------------------------------

// Mostly what a label takes, so that many are good.
static Str random_text(Arena *arena, uint32_t *seed, const char *rare) {
    static const char COMMON[] = "abcxyz019ABZ";
    StrBuf text = { .arena = arena };
    const uint32_t length = next_random(seed) % (next_random(seed) % 4 == 0 ? TEXT_MAX : 8);
    for (uint32_t i = 0; i < length; i++) {
        const bool is_rare = next_random(seed) % 12 == 0;
        strbuf_add_char(&text, is_rare ? rare[next_random(seed) % strlen(rare)]
                                       : COMMON[next_random(seed) % (sizeof COMMON - 1)]);
    }
    return strbuf_str(&text);
}

static Str source_of(Arena *arena, Str key, Str value) {
    StrBuf text = { .arena = arena };
    strbuf_add(&text,
               STR("dt 1\nnetwork lab { region = \"us-west-2\", vpc = \"vpc-0123456789abcdef0\", "
                   "private = [\"subnet-0123456789abcdef0\"] }\ncluster train on eks {\n  existing = \"shared\"\n  "
                   "network = lab\n  version = \"1.36\"\n  nodes gpu {\n    group = stack\n    instance = "
                   "\"c5.2xlarge\"\n    count = 1\n    efa = none\n    labels = { "));
    json_add_string(&text, key);
    strbuf_add(&text, STR(" = "));
    json_add_string(&text, value);
    strbuf_add(&text, STR(" }\n  }\n}\n"));
    return strbuf_str(&text);
}

// The label of the flag in the NodeConfig.
static Str flag_of(BuiltText *built) {
    static const char *const KEYS[] = {
        "Resources", "TrainGpuLaunchTemplate", "Properties", "LaunchTemplateData", "UserData", "Fn::Base64", "Fn::Sub"
    };
    const Artifact *artifact = artifact_of(built, "train.cfn.json");
    assert_non_null(artifact);
    const Data *data = json_read(built->session, source_add(built->session, artifact->name, artifact->content));
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        data = data_get(data, KEYS[i]);
        assert_non_null(data);
    }
    const Str text = data->kind == DATA_STRING ? data->string : data->items[0]->string;
    const Str flag = STR("      - \"--node-labels=");
    const size_t start = str_find(text, flag, 0) + flag.len;
    assert_true(start < text.len);
    return str_slice(text, start, str_find(text, STR("\"\n"), start));
}

static void test_labels_are_refused_or_read_back_as_they_are(void **state) {
    Arena *arena = *state;
    uint32_t seed = 20261121;
    int taken = 0;
    for (int i = 0; i < CASES; i++) {
        const Str key = random_text(arena, &seed, "-_./ ,=\"'");
        const Str value = random_text(arena, &seed, "-_. ,=:/\"'\\\n");
        BuiltText built = build_text(source_of(arena, key, value));
        const Str codes = codes_of(built.session, SEVERITY_ERROR);
        const Str expected = !is_value(value) ? STR("DT0202") : !is_key(key) ? STR("DT0526") : STR_NONE;
        if (!str_equal(codes, expected)) {
            fail_msg("`%.*s` = `%.*s`: %.*s, not %.*s", STR_ARG(key), STR_ARG(value), STR_ARG(codes),
                     STR_ARG(expected));
        }
        if (codes.len == 0) {
            taken++;
            assert_text(flag_of(&built), str_c(arena, str_format(arena, "%.*s=%.*s", STR_ARG(key), STR_ARG(value))));
        }
        session_destroy(built.session);
    }
    assert_in_range(taken, CASES / 5, CASES - CASES / 5);
}

static int arena_setup(void **state) {
    *state = arena_create();
    return 0;
}

static int arena_teardown(void **state) {
    arena_destroy(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_labels_are_refused_or_read_back_as_they_are, arena_setup, arena_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
