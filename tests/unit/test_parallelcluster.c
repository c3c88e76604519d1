#include "schema/operating_systems.h"
#include "emitters/parallelcluster/parallelcluster.h"

#include "compiler/base/sha256.h"
#include "emitters/parallelcluster/configuration.h"
#include "emitters/tool/tool_file.h"
#include "tests/support/cloudformation_plan.h"

// ---- a small cluster ---------------------------------------------------------------------------------------------

// A `text` of NULL: fetched from its name. `arguments` may be NULL.
static PlanScript a_script(Session *session, const char *name, const char *text, const Value *arguments) {
    const Value **items = arena_new_array(session->arena, const Value *, 1);
    items[0] = a_string(session, name);
    Value tag = { .kind = VALUE_TAG };
    tag.tag.name = STR("script");
    tag.tag.arguments = items;
    tag.tag.count = 1;
    tag.tag.source = text == NULL ? 0 : 1;
    return (PlanScript){
        .value = a_value(session, tag),
        .name = str_of(name),
        .text = text == NULL ? STR_NONE : str_of(text),
        .arguments = arguments,
    };
}

static PlanCluster *a_cluster(Session *session, const char *artifacts) {
    PlanCluster *cluster = arena_new(session->arena, PlanCluster);
    cluster->head = a_head(session, "train", &KIND_ROWS[KIND_CLUSTER]);
    cluster->target = TARGET_PARALLELCLUSTER;
    cluster->artifacts = artifacts == NULL ? NULL : a_string(session, artifacts);
    PlanSlurm *slurm = arena_new(session->arena, PlanSlurm);
    cluster->slurm = slurm;
    PlanHeadNode *head = arena_new(session->arena, PlanHeadNode);
    head->head = a_head(session, "head", &KIND_ROWS[KIND_HEAD]);
    slurm->head_node = head;
    return cluster;
}

static void run_on_head(Session *session, PlanCluster *cluster, PlanScript script) {
    PlanHeadNode *head = (PlanHeadNode *)cluster->slurm->head_node;
    vec_push(session->arena, &head->setup, script);
}

static Configuration a_configuration(Session *session, const PlanCluster *cluster) {
    return (Configuration){
        .file = tool_open(session, a_plan(session), &cluster->head, "pcluster", "parallelcluster"),
        .cluster = cluster,
    };
}

// The document as text, without the line about who wrote it. Gives the document back.
static Str written(Session *session, const Configuration *configuration) {
    Str text = yaml_write(session->arena, configuration->file->doc, STR("#\n"), NULL);
    arena_destroy(configuration->file->arena);
    return str_slice(text, str_find(text, STR("\n"), 0) + 1, text.len);
}

static Str actions_of(Session *session, const PlanCluster *cluster) {
    const Configuration configuration = a_configuration(session, cluster);
    parallelcluster_actions(&configuration, doc_root(configuration.file->doc), &cluster->slurm->head_node->setup);
    return written(session, &configuration);
}

static Str iam_of(Session *session, const PlanCluster *cluster) {
    const Configuration configuration = a_configuration(session, cluster);
    parallelcluster_iam(&configuration, doc_root(configuration.file->doc), NULL, &cluster->slurm->head_node->setup);
    return written(session, &configuration);
}

// ---- claims ------------------------------------------------------------------------------------------------------

static void test_one_script_stands_by_itself(void **state) {
    Session *session = *state;
    PlanCluster *cluster = a_cluster(session, NULL);
    run_on_head(session, cluster, a_script(session, "s3://lab/a.sh", NULL, NULL));

    Str text = actions_of(session, cluster);

    assert_text(text, "CustomActions:\n  OnNodeConfigured:\n    Script: s3://lab/a.sh\n");
}

static void test_several_scripts_keep_their_order_and_arguments(void **state) {
    Session *session = *state;
    PlanCluster *cluster = a_cluster(session, NULL);
    const Value *path = a_string(session, "/fsx");
    run_on_head(session, cluster, a_script(session, "s3://lab/b.sh", NULL, a_list(session, 1, &path)));
    run_on_head(session, cluster, a_script(session, "s3://lab/a.sh", NULL, NULL));

    Str text = actions_of(session, cluster);

    assert_text(text, "CustomActions:\n  OnNodeConfigured:\n    Sequence:\n    - Script: s3://lab/b.sh\n      Args:\n"
                      "      - /fsx\n    - Script: s3://lab/a.sh\n");
}

static void test_name_of_a_script_of_the_project_holds_its_sum(void **state) {
    Session *session = *state;
    PlanCluster *cluster = a_cluster(session, "s3://lab/train/");
    run_on_head(session, cluster, a_script(session, "tools/set up.sh", "#!/bin/bash\n", NULL));
    Str sum = sha256_text(session->arena, STR("#!/bin/bash\n"));

    Str text = actions_of(session, cluster);

    Str expected =
        str_format(session->arena,
                   "CustomActions:\n  OnNodeConfigured:\n    Script: s3://lab/train/train.set-up-%.12s.sh\n", sum.data);
    assert_text(text, str_c(session->arena, expected));
}

static void test_role_may_read_the_one_object(void **state) {
    Session *session = *state;
    PlanCluster *cluster = a_cluster(session, NULL);
    run_on_head(session, cluster, a_script(session, "s3://lab/tools/a.sh", NULL, NULL));

    Str text = iam_of(session, cluster);

    assert_text(text, "Iam:\n  S3Access:\n  - BucketName: lab\n    KeyName: tools/a.sh\n");
}

static void test_role_may_read_below_artifacts(void **state) {
    Session *session = *state;
    PlanCluster *cluster = a_cluster(session, "s3://lab/train");
    run_on_head(session, cluster, a_script(session, "a.sh", "#!/bin/bash\n", NULL));

    Str text = iam_of(session, cluster);

    assert_text(text, "Iam:\n  S3Access:\n  - BucketName: lab\n    KeyName: train/*\n");
}

static void test_bucket_of_several_objects_is_named_once(void **state) {
    Session *session = *state;
    PlanCluster *cluster = a_cluster(session, NULL);
    run_on_head(session, cluster, a_script(session, "s3://lab/a.sh", NULL, NULL));
    run_on_head(session, cluster, a_script(session, "s3://lab/b.sh", NULL, NULL));

    Str text = iam_of(session, cluster);

    assert_text(text, "Iam:\n  S3Access:\n  - BucketName: lab\n");
}

static void test_url_needs_no_role(void **state) {
    Session *session = *state;
    PlanCluster *cluster = a_cluster(session, NULL);
    run_on_head(session, cluster, a_script(session, "https://example.com/a.sh", NULL, NULL));

    Str text = iam_of(session, cluster);

    assert_text(text, "{}\n");
}

static void test_script_of_head_and_nodes_is_uploaded_once_before_the_cluster(void **state) {
    Session *session = *state;
    PlanCluster *cluster = a_cluster(session, "s3://lab");
    const PlanScript script = a_script(session, "a.sh", "#!/bin/bash\n", NULL);
    run_on_head(session, cluster, script);
    PlanNodes *nodes = arena_new(session->arena, PlanNodes);
    vec_push(session->arena, &nodes->setup, script);
    vec_push(session->arena, &cluster->nodes, nodes);
    const Configuration configuration = a_configuration(session, cluster);
    Output output = { 0 };

    parallelcluster_scripts(&configuration, &output);

    assert_int_equal(output.artifacts.count, 1);
    assert_int_equal(configuration.file->step.needs.count, 1);
    assert_true(str_equal(configuration.file->step.needs.items[0], output.artifacts.items[0].step.name));
    assert_true(str_equal(output.artifacts.items[0].content, STR("#!/bin/bash\n")));
    arena_destroy(configuration.file->arena);
}

static void test_systems_that_a_release_dropped_have_no_spelling(void **state) {
    (void)state;

    assert_string_equal(operating_system(STR("al2023"))->parallelcluster, "alinux2023");
    assert_null(operating_system(STR("ubuntu2004"))->parallelcluster);
    assert_null(operating_system(STR("bottlerocket"))->parallelcluster);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        session_test(test_one_script_stands_by_itself),
        session_test(test_several_scripts_keep_their_order_and_arguments),
        session_test(test_name_of_a_script_of_the_project_holds_its_sum),
        session_test(test_role_may_read_the_one_object),
        session_test(test_role_may_read_below_artifacts),
        session_test(test_bucket_of_several_objects_is_named_once),
        session_test(test_url_needs_no_role),
        session_test(test_script_of_head_and_nodes_is_uploaded_once_before_the_cluster),
        cmocka_unit_test(test_systems_that_a_release_dropped_have_no_spelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
