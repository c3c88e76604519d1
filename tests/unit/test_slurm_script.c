#include "compiler/plan/model/slurm_script.h"

#include "compiler/readers/foreign_subject.h"
#include "compiler/readers/slurm/slurm_script.h"
#include "tests/support/check.h"

static const PlanSlurmScript *read_text(Session *session, const char *text) {
    const uint32_t source = source_add(session, STR("job.sbatch"), str_of(text));
    return slurm_read(session, foreign_file(session, source), source);
}

// The options of a script, each between `[` and `]`, with `?` for one that Slurm does not have.
static Str options_of(Session *session, const PlanSlurmOptions *options) {
    StrBuf said = { .arena = session->arena };
    for (uint32_t i = 0; i < options->count; i++) {
        const PlanSlurmOption *option = &options->items[i];
        strbuf_add_format(&said, "[%s %.*s]", option->row == NULL ? "?" : option->row->name,
                          STR_ARG(option->value.text));
    }
    return strbuf_str(&said);
}

static void check_options(const char *lines, const char *expected) {
    Session *session = session_create();
    const Str said = options_of(session, &read_text(session, lines)->options);
    if (!str_is_word(said, expected)) {
        fail_msg("%s: %.*s", lines, STR_ARG(said));
    }
    session_destroy(session);
}

static void test_lines_are_read_as_getopt_does(void **state) {
    (void)state;
    check_options("#!/bin/sh\n#SBATCH --nodes=2 --ntasks 4 # two\n", "[nodes 2][ntasks 4]");
    check_options("#!/bin/sh\n#SBATCH -N2 -n 4\n#SBATCH -HJ train\n", "[nodes 2][ntasks 4][hold ][job-name train]");
    check_options("#!/bin/sh\n#SBATCH -J \"a b\" --part=gpu\n", "[job-name a b][partition gpu]");
    check_options("#!/bin/sh\n#SBATCH --foo=1 -N=2\n", "[? 1][nodes =2]");
}

static void test_lines_end_at_the_first_command(void **state) {
    (void)state;
    Session *session = session_create();

    const PlanSlurmScript *script =
        read_text(session, "#!/bin/sh\n\n# a\n#SBATCH -N2\nset -e\n#SBATCH -n4\ncat <<EOF\n#SBATCH -n8\nEOF\n");

    assert_int_equal(script->options.count, 1);
    assert_int_equal(script->late.count, 1);
    assert_int_equal(script->command.end - script->command.start, strlen("set -e"));
    session_destroy(session);
}

static void test_words_that_are_no_options_are_told_once_a_line(void **state) {
    (void)state;
    Session *session = session_create();

    const PlanSlurmScript *script =
        read_text(session, "#!/bin/sh\n#SBATCH --exclusive user a -N 2\n#SBATCH b c\n#SBATCH <X> d\n");

    assert_int_equal(script->strays.count, 2);
    assert_int_equal(slurm_number(&script->options, "nodes"), 2);
    session_destroy(session);
}

// What a step is told, in `nodes/each/gpus/words`.
static void check_step(const char *text, const char *expected) {
    Session *session = session_create();
    const PlanSlurmScript *script = read_text(session, text);
    StrBuf said = { .arena = session->arena };
    for (uint32_t i = 0; i < script->steps.count; i++) {
        const PlanSlurmStep *step = &script->steps.items[i];
        strbuf_add_format(&said, "%" PRId64 "/%" PRId64 "/%" PRId64, step->node_count, step->each, step->gpus);
        for (uint32_t k = 0; k < step->launcher->words.count; k++) {
            strbuf_add_format(&said, " %.*s", STR_ARG(step->launcher->words.items[k].text));
        }
        strbuf_add(&said, STR(";"));
    }
    if (!str_is_word(strbuf_str(&said), expected)) {
        fail_msg("%s: %.*s", text, STR_ARG(strbuf_str(&said)));
    }
    session_destroy(session);
}

static void test_a_step_has_the_numbers_of_its_job_or_its_own(void **state) {
    (void)state;
    check_step("#!/bin/sh\n#SBATCH -N2 --ntasks-per-node=8 --gres=gpu:a100:4\nsrun a\n", "2/8/4 a;");
    check_step("#!/bin/sh\n#SBATCH -N2 --ntasks-per-node=8 --gpus=16\nsrun -n 2 a\n", "2/1/8 a;");
    check_step("#!/bin/sh\n#SBATCH -N4 -n 8\nsrun --nodes 2 --gpus-per-node=1 a -n 3\n", "2/4/1 a -n 3;");
    check_step("#!/bin/sh\nsrun a\n", "-1/-1/-1 a;");
    check_step("#!/bin/sh\n#SBATCH -N2\nsrun $A a\n", "-1/-1/-1 $A a;");
}

static void test_lists_and_texts_stand_in_the_place_of_their_variables(void **state) {
    (void)state;
    check_step("#!/bin/sh\nB=2\nA=( --x=$B # c\n  y )\nsrun z \"${A[@]}\"\n", "-1/-1/-1 z --x=$B y;");
    check_step("#!/bin/sh\nL=\"t --x \\\n  1\"\nsrun bash -c \"$L --y \\$Z\"\n", "-1/-1/-1 t --x 1 --y $Z;");
    check_step("#!/bin/sh\nA=1\nA=\"b c\"\nsrun x $A\n", "-1/-1/-1 x $A;");
    check_step("#!/bin/sh\nR=\nif a; then\n  R=--auto-resume=1\nfi\nsrun $R x\n", "-1/-1/-1 x;");
}

static void test_the_first_node_fills_in_what_is_not_quoted(void **state) {
    (void)state;
    check_step("#!/bin/sh\nsrun t --r $SLURM_NODEID --a $(hostname) --b $B\n",
               "-1/-1/-1 t --r 0 --a $__________ --b $B;");
    check_step("#!/bin/sh\nip=localhost\nsrun t --a $ip:1 --b \"${ip}\" --c $iq\n",
               "-1/-1/-1 t --a localhost:1 --b localhost --c $iq;");
    check_step("#!/bin/sh\nsrun bash -c 't --r $SLURM_NODEID --a $(hostname)'\n",
               "-1/-1/-1 t --r $SLURM_NODEID --a $(hostname);");
    check_step("#!/bin/sh\nsrun bash -c \"t --r \\$SLURM_NODEID --a $HOSTNAME\"\n",
               "-1/-1/-1 t --r $SLURM_NODEID --a $________;");
}

static void test_a_script_is_told_by_its_first_lines(void **state) {
    (void)state;

    assert_true(slurm_is_of_shell(STR("a"), STR("#!/usr/bin/env -S bash -e\nls\n")));
    assert_true(slurm_is_of_shell(STR("a.sh"), STR("ls\n")));
    assert_false(slurm_is_of_shell(STR("a.sh"), STR("#!/usr/bin/env python3\n")));
    assert_false(slurm_is_of_shell(STR("a"), STR("ls\n")));
    assert_true(slurm_is(STR("a.sh"), STR("#!/bin/bash\n#SBATCH -N 1\n")));
    assert_true(slurm_is(STR("a.slurm"), STR("#SBATCH -N 1\n")));
    assert_false(slurm_is(STR("a.sh"), STR("#SBATCH -N 1\n")));
    assert_false(slurm_is(STR("a.sh"), STR("#!/bin/bash\nsrun a\n")));
    assert_false(slurm_is(STR("a.sh"), STR("#!/bin/bash\ncat <<EOF > b\n#SBATCH -N 1\nEOF\n")));
    assert_false(slurm_is(STR("a.sh"), STR("#!/bin/bash\necho '#SBATCH -N 1'\n")));
}

static void test_values_are_those_that_slurm_takes(void **state) {
    (void)state;
    static const struct {
        SlurmForm form;
        const char *right;
        const char *wrong;
    } ROWS[] = {
        { SLURM_TIME, "30", "24h" },
        { SLURM_TIME, "1-12", "1:2:3:4" },
        { SLURM_TIME, "2-00:00:00", "1:2-3" },
        { SLURM_TIME, "UNLIMITED", "" },
        { SLURM_MEMORY, "64GB", "64 GB" },
        { SLURM_MEMORY, "0", "1.5G" },
        { SLURM_NODES, "2-4", "4-2" },
        { SLURM_NODES, "1,2,4", "two" },
        { SLURM_NUMBER, "8", "0" },
        { SLURM_SHARING, "user", "yes" },
        { SLURM_MAIL, "END,fail", "FAILED" },
        { SLURM_GRES, "gpu:8", "gpus:8" },
        { SLURM_ARRAY, "0-15:4%2", "8-1" },
        { SLURM_ARRAY, "1,,3,5-7", "1,3;5" },
        { SLURM_ARRAY, "[0-7]", "0..7" },
        { SLURM_ARRAY, "0", "5-" },
        { SLURM_MOUNTS, "/a:/b:ro+rprivate,./c", "~/a:/b" },
        { SLURM_MOUNTS, "tmpfs:/tmp", "/a:b" },
        { SLURM_MOUNTS, "/a", "/a:/b:ro,rprivate" },
        { SLURM_MOUNTS, "/a:/b", "/a:/b," },
        { SLURM_IMAGE, "nvcr.io#nvidia/pytorch:24.12-py3", "nvcr.io/nvidia#pytorch:24.12-py3" },
        { SLURM_IMAGE, "docker://nvcr.io/nvidia/pytorch:24.12-py3", "docker://nvcr.io/nvidia#pytorch" },
        { SLURM_IMAGE, "./images/pytorch.sqsh", "images/pytorch.sqsh" },
        { SLURM_IMAGE, "/a/b.sqsh", "b.sqfs" },
        { SLURM_IMAGE, "dockerd://a:b", "a.squashfs" },
        { SLURM_MPI, "pmix_v4", "pmi9" },
    };

    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        assert_true(slurm_form_fits(ROWS[i].form, str_of(ROWS[i].right)));
        assert_false(slurm_form_fits(ROWS[i].form, str_of(ROWS[i].wrong)));
    }
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_are_read_as_getopt_does),
        cmocka_unit_test(test_lines_end_at_the_first_command),
        cmocka_unit_test(test_words_that_are_no_options_are_told_once_a_line),
        cmocka_unit_test(test_a_step_has_the_numbers_of_its_job_or_its_own),
        cmocka_unit_test(test_lists_and_texts_stand_in_the_place_of_their_variables),
        cmocka_unit_test(test_the_first_node_fills_in_what_is_not_quoted),
        cmocka_unit_test(test_a_script_is_told_by_its_first_lines),
        cmocka_unit_test(test_values_are_those_that_slurm_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
