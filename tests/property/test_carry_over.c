// Nothing that a block says is ignored: each attribute of a cluster and of what stands in it, given a value that is not
// its default, changes what is built on each target, or is refused. An attribute without a value here fails the test.
#include "tests/property/build_text.h"

typedef struct {
    int kind;
    const char *attribute;
    const char *value; // NULL: another test has it
} Sample;

#define SCRIPT "[script(\"https://raw.githubusercontent.com/a/b/0123456789abcdef0123456789abcdef01234567/x.sh\")]"

static const Sample SAMPLES[] = {
    { KIND_CLUSTER, "name", "\"other\"" },
    { KIND_CLUSTER, "network", "second" },
    { KIND_CLUSTER, "storage", "[data]" },
    { KIND_CLUSTER, "os", "ubuntu2404" },
    { KIND_CLUSTER, "ami", "\"ami-0123456789abcdef0\"" },
    { KIND_CLUSTER, "artifacts", NULL }, // for scripts of the project's own: fixtures/valid/parallelcluster-setup
    { KIND_CLUSTER, "tags", "{ Team = \"research\" }" },
    { KIND_CLUSTER, "priority", "2" },
    { KIND_CLUSTER, "service_role", "\"arn:aws:iam::123456789012:role/batch\"" },
    { KIND_CLUSTER, "region", "\"us-east-2\"" },
    { KIND_CLUSTER, "zones", "[\"us-west-2a\", \"us-west-2b\"]" },
    { KIND_CLUSTER, "version", "\"1.33\"" },
    { KIND_CLUSTER, "existing", "\"other\"" },
    { KIND_CLUSTER, "control_plane_group", "\"sg-0123456789abcdef0\"" },
    { KIND_CLUSTER, "oidc", "false" },
    { KIND_NODES, "instance", "\"g5.24xlarge\"" },
    { KIND_NODES, "count", "1..5" },
    { KIND_NODES, "desired", "2" },
    { KIND_NODES, "capacity", "spot" },
    { KIND_NODES, "efa", "none" },
    { KIND_NODES, "efa_layout", "all_ip" },
    { KIND_NODES, "placement", "\"training\"" },
    { KIND_NODES, "zone", "\"us-west-2b\"" },
    { KIND_NODES, "subnet", "\"subnet-0123456789abcdef7\"" },
    { KIND_NODES, "ami", "\"ami-0123456789abcdef0\"" },
    { KIND_NODES, "key", "\"me\"" },
    { KIND_NODES, "disk", "300GiB" },
    { KIND_NODES, "disk_type", "gp2" },
    { KIND_NODES, "scratch", "\"/scratch\"" },
    { KIND_NODES, "setup", SCRIPT },
    { KIND_NODES, "install", "[efa]" },
    { KIND_NODES, "policies", "[\"AmazonS3ReadOnlyAccess\"]" },
    { KIND_NODES, "addon_policies", "[ebs]" },
    { KIND_NODES, "group", "eksctl" },
    { KIND_NODES, "launch_template", "own" },
    { KIND_NODES, "prefix", "\"llm\"" },
    { KIND_NODES, "labels", "{ team = \"research\" }" },
    { KIND_NODES, "taints", "[taint(\"gpu\", \"only\", \"NoSchedule\")]" },
    { KIND_NODES, "bootstrap_args", "\"--verbose\"" },
    { KIND_NODES, "imds_hops", "3" },
    { KIND_NODES, "imds_v1", "true" },
    { KIND_NODES, "exclusive", "true" },
    { KIND_NODES, "compute_resource", "\"machines\"" },
    { KIND_NODES, "settings", "{ Sockets = \"2\" }" },
    { KIND_NODES, "detailed_monitoring", "true" },
    { KIND_NODES, "instance_profile", "\"arn:aws:iam::123456789012:instance-profile/nodes\"" },
    { KIND_NODES, "tags", "{ Team = \"research\" }" },
    { KIND_HEAD, "instance", "\"m5.4xlarge\"" },
    { KIND_HEAD, "disk", "100GiB" },
    { KIND_HEAD, "key", "\"me\"" },
    { KIND_HEAD, "allowed_ips", "\"203.0.113.0/24\"" },
    { KIND_HEAD, "policies", "[\"AmazonS3ReadOnlyAccess\"]" },
    { KIND_HEAD, "setup", SCRIPT },
    { KIND_HEAD, "subnet", "\"subnet-0123456789abcdef7\"" },
    { KIND_SLURM, "scaledown", "20min" },
    { KIND_SLURM, "settings", "{ JobCompType = \"jobcomp/none\" }" },
    { KIND_SLURM, "database", NULL }, // several values belong together: fixtures/valid/parallelcluster-everything
    { KIND_MONITORING, "detailed", "true" },
    { KIND_MONITORING, "logs", "false" },
    { KIND_MONITORING, "dashboard", "false" },
    { KIND_ADDON, "version", "\"v0.17.4\"" },
    { KIND_ADDON, "queue", "\"jobs\"" },
    { KIND_ADDON, "off", "true" },
};

static const Sample *sample_of(int kind, const char *attribute) {
    for (size_t i = 0; i < COUNT_OF(SAMPLES); i++) {
        if (SAMPLES[i].kind == kind && strcmp(SAMPLES[i].attribute, attribute) == 0) {
            return &SAMPLES[i];
        }
    }
    return NULL;
}

static const char *const TARGETS[] = { "batch", "parallelcluster", "eks" };
static const int KINDS[] = { KIND_CLUSTER, KIND_NODES, KIND_HEAD, KIND_SLURM, KIND_MONITORING, KIND_ADDON };

// ---- sources -----------------------------------------------------------------------------------------------------

// `NAME = VALUE`: the sample's value where it is this attribute, else `otherwise`; nothing where that is NULL.
static void add(StrBuf *text, const Sample *sample, int kind, const char *name, const char *otherwise) {
    const bool is_it = sample != NULL && sample->kind == kind && strcmp(sample->attribute, name) == 0;
    const char *value = is_it ? sample->value : otherwise;
    if (value != NULL) {
        strbuf_add_format(text, "  %s = %s\n", name, value);
    }
}

// Those that every source has.
static bool is_written(const char *name) {
    static const char *const NAMES[] = { "network", "version", "instance", "count" };
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        if (strcmp(NAMES[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void add_sample(StrBuf *text, const Sample *sample, int kind) {
    if (sample != NULL && sample->kind == kind && (kind == KIND_ADDON || !is_written(sample->attribute))) {
        add(text, sample, kind, sample->attribute, NULL);
    }
}

static bool is_of(const Sample *sample, int kind) {
    return sample != NULL && sample->kind == kind;
}

static Str source_of(Arena *arena, const char *target, const Sample *sample) {
    const bool is_slurm = strcmp(target, "parallelcluster") == 0;
    const bool is_eks = strcmp(target, "eks") == 0;
    StrBuf text = { .arena = arena };
    strbuf_add(&text, STR("dt 1\n"));
    for (int i = 0; i < 2; i++) {
        strbuf_add_format(&text,
                          "network %s {\n  vpc = \"vpc-0123456789abcdef%d\"\n  public = "
                          "[\"subnet-0123456789abcde%d0\", \"subnet-0123456789abcde%d3\"]\n"
                          "  private = [\"subnet-0123456789abcde%d1\", \"subnet-0123456789abcde%d2\"]\n"
                          "  zones = [\"us-west-2a\", \"us-west-2b\"]\n}\n",
                          i == 0 ? "lab" : "second", i, i, i, i, i);
    }
    strbuf_add(&text, STR("storage data {\n  kind = efs\n  mount = \"/data\"\n}\n"));
    strbuf_add_format(&text, "cluster llm on %s {\n", target);
    add(&text, sample, KIND_CLUSTER, "network", "lab");
    add(&text, sample, KIND_CLUSTER, "version", is_eks ? "\"1.34\"" : NULL);
    add_sample(&text, sample, KIND_CLUSTER);
    if (is_slurm || is_of(sample, KIND_HEAD)) {
        strbuf_add(&text, STR("  head {\n"));
        add(&text, sample, KIND_HEAD, "instance", "\"m5.8xlarge\"");
        add_sample(&text, sample, KIND_HEAD);
        strbuf_add(&text, STR("  }\n"));
    }
    static const int OTHERS[] = { KIND_SLURM, KIND_MONITORING, KIND_ADDON };
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        if (is_of(sample, OTHERS[i])) {
            strbuf_add_format(&text, "  %s%s {\n", KIND_ROWS[OTHERS[i]].name, OTHERS[i] == KIND_ADDON ? " nvidia" : "");
            add_sample(&text, sample, OTHERS[i]);
            strbuf_add(&text, STR("  }\n"));
        }
    }
    strbuf_add(&text, STR("  nodes gpu {\n"));
    add(&text, sample, KIND_NODES, "instance", "\"g5.48xlarge\"");
    add(&text, sample, KIND_NODES, "count", "0..4");
    if (sample == NULL || strcmp(sample->attribute, "zone") != 0) {
        add(&text, sample, KIND_NODES, "subnet", "\"subnet-0123456789abcdef6\"");
    }
    if (sample == NULL || strcmp(sample->attribute, "subnet") != 0) {
        add_sample(&text, sample, KIND_NODES);
    }
    strbuf_add(&text, STR("  }\n}\n"));
    return strbuf_str(&text);
}

// ---- the claim ---------------------------------------------------------------------------------------------------

// All that comes out: files and the commands that apply them.
static Str output_text(const BuiltText *built) {
    StrBuf text = { .arena = built->session->arena };
    for (uint32_t i = 0; i < built->output.artifacts.count; i++) {
        strbuf_add(&text, built->output.artifacts.items[i].content);
        strbuf_add(&text, built->output.artifacts.items[i].step.apply);
    }
    return strbuf_str(&text);
}

static void print_faults(const Session *session) {
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        print_error("  %s\n", diag_row(session->diags.items.items[i]->id)->code);
    }
}

static uint32_t check_target(Arena *arena, const char *target) {
    BuiltText plain = build_text(source_of(arena, target, NULL));
    print_faults(plain.session);
    assert_false(has_errors(plain.session));
    const Str before = output_text(&plain);
    uint32_t ignored = 0;
    for (size_t i = 0; i < COUNT_OF(SAMPLES); i++) {
        if (SAMPLES[i].value == NULL) {
            continue;
        }
        BuiltText built = build_text(source_of(arena, target, &SAMPLES[i]));
        if (!has_errors(built.session) && str_equal(output_text(&built), before)) {
            ignored++;
            print_error("on %s, %s.%s is ignored\n", target, KIND_ROWS[SAMPLES[i].kind].name, SAMPLES[i].attribute);
        }
        session_destroy(built.session);
    }
    session_destroy(plain.session);
    return ignored;
}

static void test_no_attribute_is_ignored_on_any_target(void **state) {
    (void)state;
    Arena *arena = arena_create();
    uint32_t ignored = 0;

    for (size_t t = 0; t < COUNT_OF(TARGETS); t++) {
        ignored += check_target(arena, TARGETS[t]);
    }

    assert_int_equal(ignored, 0);
    arena_destroy(arena);
}

static void test_every_attribute_has_a_sample(void **state) {
    (void)state;
    for (size_t k = 0; k < COUNT_OF(KINDS); k++) {
        const KindRow *kind = &KIND_ROWS[KINDS[k]];
        for (int i = 0; i < kind->attribute_count; i++) {
            if (sample_of(KINDS[k], kind->attributes[i].name) == NULL) {
                fail_msg("%s.%s has no sample", kind->name, kind->attributes[i].name);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_attribute_is_ignored_on_any_target),
        cmocka_unit_test(test_every_attribute_has_a_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
