#include "compiler/readers/dockerfile/dockerfile_read.h"

#include "compiler/readers/foreign_subject.h"
#include "tests/support/check.h"

typedef struct {
    Session *session;
    const PlanDockerfile *file;
} Read;

static Read read_text(const char *text) {
    Read read = { .session = session_create() };
    const uint32_t source = source_add(read.session, STR("Dockerfile"), str_of(text));
    read.file = dockerfile_read(read.session, source, foreign_file(read.session, source));
    return read;
}

static void end(Read read) {
    session_destroy(read.session);
}

// "git clone x|make": the commands of a step.
static Str commands_of(const Read *read, uint32_t step) {
    StrBuf text = { .arena = read->session->arena };
    const ShellCommands *commands = &read->file->steps.items[step].commands;
    for (uint32_t i = 0; i < commands->count; i++) {
        for (uint32_t k = 0; k < commands->items[i].words.count; k++) {
            strbuf_add_format(&text, "%s%.*s",
                              k > 0   ? " "
                              : i > 0 ? "|"
                                      : "",
                              STR_ARG(commands->items[i].words.items[k]));
        }
    }
    return strbuf_str(&text);
}

// The value of a variable behind the last step.
static Str value_of(const Read *read, const char *name) {
    Str value;
    const DockerSetting *setting;
    const DockerState state =
        docker_variable(read->session->arena, read->file, read->file->steps.count - 1, str_of(name), &value, &setting);
    static const char *const STATES[] = { "unset", "outside", "given", "" };
    return state == DOCKER_SET ? value : str_of(STATES[state]);
}

static void test_names_say_what_is_a_dockerfile(void **state) {
    (void)state;
    assert_true(dockerfile_is_called(STR("a/Dockerfile")));
    assert_true(dockerfile_is_called(STR("Dockerfile.gpu")));
    assert_true(dockerfile_is_called(STR("0.nccl-tests.Dockerfile")));
    assert_true(dockerfile_is_called(STR("train.dockerfile")));
    assert_true(dockerfile_is_called(STR("Containerfile")));
    assert_false(dockerfile_is_called(STR("Dockerfile.dockerignore")));
    assert_false(dockerfile_is_called(STR("dockerfile.c")));
}

static void test_comments_stand_between_lines_that_go_on(void **state) {
    (void)state;
    const Read read = read_text("FROM a\nRUN one \\  \n# no\n\n  && two \\\r\n  three\nRUN four\n");

    assert_int_equal(read.file->steps.count, 3);
    assert_text(commands_of(&read, 1), "one|two three");
    assert_text(commands_of(&read, 2), "four");
    end(read);
}

static void test_a_here_document_is_a_script(void **state) {
    (void)state;
    const Read read = read_text("FROM a\nRUN --mount=type=cache,target=/x <<EOF\none a\ntwo\nEOF\n"
                                "RUN cat <<'END' > /f\nthree\nEND\nRUN four\n");

    assert_text(commands_of(&read, 1), "one a|two");
    assert_text(commands_of(&read, 2), "cat");
    assert_text(commands_of(&read, 3), "four");
    end(read);
}

static void test_a_list_is_words(void **state) {
    (void)state;
    const Read read = read_text("FROM a\nRUN [\"make\", \"-j\", \"src.build\"]\n");

    assert_true(read.file->steps.items[1].is_exec);
    assert_text(commands_of(&read, 1), "make -j src.build");
    end(read);
}

static void test_the_escape_is_another_sign(void **state) {
    (void)state;
    const Read read = read_text("# escape=`\nFROM a\nRUN one `\n  two\n");

    assert_text(commands_of(&read, 1), "one two");
    end(read);
}

static void test_variables_have_scopes(void **state) {
    (void)state;
    const Read read =
        read_text("ARG A=1\nARG B=2\nARG C\nFROM x:${A} AS one\nARG B\nENV D=${B}.0 E=\"e f\"\nENV F g h\n"
                  "FROM one\nARG I=i${D}\nRUN x\n");

    assert_text(value_of(&read, "A"), "outside");
    assert_text(value_of(&read, "B"), "2");
    assert_text(value_of(&read, "D"), "2.0");
    assert_text(value_of(&read, "E"), "e f");
    assert_text(value_of(&read, "F"), "g h");
    assert_text(value_of(&read, "I"), "i2.0");
    assert_text(value_of(&read, "Z"), "unset");
    assert_text(docker_root(read.file, 1), "x:1");
    end(read);
}

static void test_what_fills_itself_in_ends(void **state) {
    (void)state;
    const Read read = read_text("FROM a\nENV A=$B$B$B B=$A$A$A\nENV A=$A$B\nENV B=$A$B$A\nRUN x\n");

    assert_text(value_of(&read, "A"), "given");
    end(read);
}

static void test_images_have_names_and_tags(void **state) {
    (void)state;
    Session *session = session_create();

    assert_text(docker_image_name(STR("docker.io/nvidia/cuda:12.4.1-devel@sha256:00")), "nvidia/cuda");
    assert_text(docker_image_tag(STR("localhost:5000/a/b")), "");
    assert_text(docker_cuda_of(session->arena, STR("nvidia/cuda:12.4.1-devel-ubuntu22.04")), "12.4.1");
    assert_text(docker_cuda_of(session->arena, STR("pytorch/pytorch:2.9.1-cuda12.8-cudnn9-runtime")), "12.8");
    assert_text(docker_cuda_of(session->arena, STR("763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:"
                                                   "2.6.0-gpu-py312-cu126-ubuntu22.04-ec2")),
                "12.6");
    session_destroy(session);
}

static void test_releases_are_found(void **state) {
    (void)state;
    const Read read = read_text("FROM a\nARG V=2.27.7\nRUN git clone -b v${V}-1 https://github.com/NVIDIA/nccl.git\n"
                                "ADD https://efa-installer.amazonaws.com/aws-efa-installer-1.47.0.tar.gz /tmp/\n");

    assert_int_equal(read.file->releases.count, 2);
    assert_text(read.file->releases.items[0].version, "v2.27.7-1");
    assert_text(source_text(read.session, read.file->releases.items[0].span), "2.27.7");
    assert_text(read.file->releases.items[1].version, "1.47.0");
    end(read);
}

static void test_versions_compare_by_numbers(void **state) {
    (void)state;
    Str nearest;
    assert_true(image_version_compare(STR("v1.9.2-aws"), STR("1.13.0")) < 0);
    assert_int_equal(image_version_compare(STR("1.48"), STR("1.48.0")), 0);
    assert_true(image_release_is_none(SOFTWARE_PLUGIN, STR("v1.9.2"), &nearest));
    assert_text(nearest, "v1.9.2-aws");
    assert_false(image_release_is_none(SOFTWARE_PLUGIN, STR("v99.0.0"), &nearest));
    assert_true(image_is_release(STR("v1.9.2-aws")) && image_is_release(STR("v2.27.7-1")));
    assert_false(image_is_release(STR("v2.30.1-beta")) || image_is_release(STR("main")));
    assert_text(image_efa_libfabric(STR("1.31.0")), "1.21.0");
    assert_text(image_efa_libfabric(STR("9.0.0")), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_say_what_is_a_dockerfile),
        cmocka_unit_test(test_comments_stand_between_lines_that_go_on),
        cmocka_unit_test(test_a_here_document_is_a_script),
        cmocka_unit_test(test_a_list_is_words),
        cmocka_unit_test(test_the_escape_is_another_sign),
        cmocka_unit_test(test_variables_have_scopes),
        cmocka_unit_test(test_what_fills_itself_in_ends),
        cmocka_unit_test(test_images_have_names_and_tags),
        cmocka_unit_test(test_releases_are_found),
        cmocka_unit_test(test_versions_compare_by_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
