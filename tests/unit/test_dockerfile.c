#include "compiler/plan/model/dockerfile.h"

#include "compiler/plan/model/image.h"
#include "tests/support/check.h"

// "FROM|RUN": the names of all instructions.
static Str names_of(Arena *arena, Str text) {
    StrBuf names = { .arena = arena };
    DockerLine line;
    for (size_t at = 0; docker_next(text, &at, &line);) {
        strbuf_add_format(&names, "%s%.*s", names.len == 0 ? "" : "|", STR_ARG(line.name));
    }
    return strbuf_str(&names);
}

// "ubuntu:24.04|-": what stands behind each FROM, `-` where that is no image.
static Str images_of(Arena *arena, Str text) {
    StrBuf images = { .arena = arena };
    DockerLine line;
    for (size_t at = 0; docker_next(text, &at, &line);) {
        if (docker_is(&line, "from")) {
            const Str image = docker_from(text, &line);
            strbuf_add_format(&images, "%s%.*s", images.len == 0 ? "" : "|",
                              STR_ARG(image.len == 0 ? STR("-") : image));
        }
    }
    return strbuf_str(&images);
}

static void check(Str got, const char *expected) {
    assert_text(got, expected);
}

static void test_instructions_begin_lines(void **state) {
    (void)state;
    Arena *arena = arena_create();

    check(names_of(arena, STR_NONE), "");
    check(names_of(arena, STR("# syntax=docker/dockerfile:1\n\nFROM a\n  run b\r\nCMD c")), "FROM|run|CMD");
    check(names_of(arena, STR("RUN a \\\n  FROM b \\\n# RUN c\n\n  d\nCMD e\n")), "RUN|CMD");
    check(names_of(arena, STR("RUN a \\")), "RUN");
    arena_destroy(arena);
}

static void test_here_documents_hold_no_instructions(void **state) {
    (void)state;
    Arena *arena = arena_create();

    check(names_of(arena, STR("RUN <<END\nFROM a\nEND\nCMD b\n")), "RUN|CMD");
    check(names_of(arena, STR("RUN <<-'END' bash\n\tFROM a\n\tEND\nCMD b\n")), "RUN|CMD");
    check(names_of(arena, STR("COPY <<\"END\" /x\nFROM a\nEND\nCMD b\n")), "COPY|CMD");
    check(names_of(arena, STR("ENV A=<<END\nCMD b\n")), "ENV|CMD");
    check(names_of(arena, STR("RUN cat <<END\nCMD b\n")), "RUN|CMD"); // never closed: nothing is left out
    arena_destroy(arena);
}

static void test_images_are_those_of_other_registries(void **state) {
    (void)state;
    Arena *arena = arena_create();

    check(images_of(arena, STR("FROM ubuntu:24.04\n")), "ubuntu:24.04");
    check(images_of(arena, STR("from --platform=linux/amd64 a:1 as b\nFROM b AS c\nFROM c\n")), "a:1|-|-");
    check(images_of(arena, STR("FROM scratch\nFROM ${BASE}\nFROM a:$TAG\n")), "-|-|-");
    check(images_of(arena, STR("FROM b\nFROM a AS b\n")), "b|a"); // a stage that comes later is not meant
    arena_destroy(arena);
}

static void test_arguments_are_found_by_their_names(void **state) {
    (void)state;
    const Str text = STR("FROM a\nARG ONE=1 TWO\narg THREE\nENV FOUR=4\nRUN ARG FIVE\n");

    assert_true(docker_takes(text, STR("ONE")));
    assert_true(docker_takes(text, STR("TWO")));
    assert_true(docker_takes(text, STR("THREE")));
    assert_false(docker_takes(text, STR("FOUR")));
    assert_false(docker_takes(text, STR("FIVE")));
    assert_false(docker_takes(text, STR("ON")));
}

static void test_private_registries_have_a_region(void **state) {
    (void)state;
    static const struct {
        const char *image;
        const char *host;
        const char *region;
    } ROWS[] = {
        { "123456789012.dkr.ecr.us-east-1.amazonaws.com/a/b:1", "123456789012.dkr.ecr.us-east-1.amazonaws.com",
          "us-east-1" },
        { "123456789012.dkr.ecr-fips.us-gov-west-1.amazonaws.com/a",
          "123456789012.dkr.ecr-fips.us-gov-west-1.amazonaws.com", "us-gov-west-1" },
        { "123456789012.dkr-ecr.eu-west-1.on.aws/a", "123456789012.dkr-ecr.eu-west-1.on.aws", "eu-west-1" },
        { "public.ecr.aws/a/b", NULL, NULL },
        { "ubuntu", NULL, NULL },
        { "123456789012.dkr.ecr.us-east-1.amazonaws.com", NULL, NULL }, // a repository of Docker Hub
        { "x/123456789012.dkr.ecr.us-east-1.amazonaws.com/a", NULL, NULL },
    };
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        Str host = STR("untouched");
        Str region = STR_NONE;
        assert_int_equal(plan_image_registry(str_of(ROWS[i].image), &host, &region), ROWS[i].host != NULL);
        assert_text(host, ROWS[i].host == NULL ? "untouched" : ROWS[i].host);
        assert_text(region, ROWS[i].region == NULL ? "" : ROWS[i].region);
    }
}

static void test_an_image_moves_without_a_version(void **state) {
    (void)state;
    assert_true(plan_image_moves(STR("ubuntu")));
    assert_true(plan_image_moves(STR("ubuntu:latest")));
    assert_true(plan_image_moves(STR("localhost:5000/ubuntu")));
    assert_false(plan_image_moves(STR("localhost:5000/ubuntu:24.04")));
    assert_false(plan_image_moves(STR("ubuntu:latest-1")));
    assert_false(plan_image_moves(STR("ubuntu@sha256:0123")));
    assert_false(plan_image_moves(STR("ubuntu:latest@sha256:0123")));
}

static void test_containers_for_training_are_aws_own(void **state) {
    (void)state;
    assert_true(plan_image_is_dlc(STR("763104351884.dkr.ecr.us-west-2.amazonaws.com/pytorch-training-neuronx:2.8.0")));
    assert_true(plan_image_is_dlc(STR("446045086412.dkr.ecr.us-gov-east-1.amazonaws.com/pytorch-training:2.8.0")));
    assert_true(plan_image_is_dlc(STR("public.ecr.aws/deep-learning-containers/pytorch-training:2.8.0")));
    assert_true(plan_image_is_dlc(STR("public.ecr.aws/neuron/pytorch-training-neuronx:2.8.0")));
    assert_false(plan_image_is_dlc(STR("763104351884.dkr.ecr.ap-east-1.amazonaws.com/pytorch-training:2.8.0")));
    assert_false(plan_image_is_dlc(STR("123456789012.dkr.ecr.us-west-2.amazonaws.com/my-training:1")));
    assert_false(plan_image_is_dlc(STR("public.ecr.aws/deep-learning-containers/pytorch-inference:2.6")));
    assert_false(plan_image_is_dlc(STR("pytorch-training:2.8.0")));
    assert_false(plan_image_is_dlc(STR("")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions_begin_lines),
        cmocka_unit_test(test_here_documents_hold_no_instructions),
        cmocka_unit_test(test_images_are_those_of_other_registries),
        cmocka_unit_test(test_arguments_are_found_by_their_names),
        cmocka_unit_test(test_private_registries_have_a_region),
        cmocka_unit_test(test_an_image_moves_without_a_version),
        cmocka_unit_test(test_containers_for_training_are_aws_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
