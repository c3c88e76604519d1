// Claims about policies of IAM in files of others.
#include "compiler/readers/foreign_policies.h"

#include "compiler/base/yaml_read.h"
#include "compiler/readers/foreign_file.h"
#include "compiler/readers/foreign_subject.h"
#include "tests/support/check.h"

typedef struct {
    Session *session;
    const Data *document;
    PlanFile file;
} Read;

static Read read_text(const char *text) {
    Read read = { .session = session_create(), .file = { .form = FILE_OTHER } };
    const uint32_t source = source_add(read.session, STR("file.yaml"), str_of(text));
    YamlDocuments documents = { 0 };
    assert_true(yaml_read_documents(read.session, source, &documents));
    read.document = documents.items[0];
    foreign_add_document(read.session, &read.file, foreign_file(read.session, source), read.document);
    foreign_add_policies(read.session, &read.file, read.document);
    return read;
}

static void end(Read read) {
    session_destroy(read.session);
}

#define STATEMENT "[{\"Effect\": \"Allow\", \"Action\": \"s3:GetObject\", \"Resource\": \"*\"}]"

static void test_statements_make_a_policy(void **state) {
    (void)state;
    const Read policy = read_text("{\"Version\": \"2012-10-17\", \"Statement\": " STATEMENT "}");
    const Read misspelt = read_text("{\"Version\": \"2012-10-17\", \"Statements\": " STATEMENT "}");
    const Read template = read_text("{\"Resources\": {}, \"Statement\": " STATEMENT "}");
    const Read other = read_text("{\"Version\": 3, \"Statement\": [{\"Effect\": \"Allow\"}]}");
    assert_true(foreign_is_policy(policy.document));
    assert_true(foreign_is_policy(misspelt.document));
    assert_false(foreign_is_policy(template.document));
    assert_false(foreign_is_policy(other.document));
    end(policy);
    end(misspelt);
    end(template);
    end(other);
}

static void test_an_answer_is_no_request(void **state) {
    (void)state;
    const Read request = read_text("{\"RoleName\": \"nodes\", \"AssumeRolePolicyDocument\": \"{}\"}");
    const Read answer = read_text("{\"RoleName\": \"nodes\", \"Arn\": \"a\", \"AssumeRolePolicyDocument\": \"{}\"}");
    const Read nameless = read_text("{\"PolicyDocument\": \"{}\"}");
    assert_true(foreign_is_request_of_policy(request.document));
    assert_false(foreign_is_request_of_policy(answer.document));
    assert_false(foreign_is_request_of_policy(nameless.document));
    end(request);
    end(answer);
    end(nameless);
}

static PlanPolicyKind kind_of(const char *statement) {
    char text[256];
    snprintf(text, sizeof text, "{\"Statement\": [%s]}", statement);
    const Read read = read_text(text);
    assert_int_equal(read.file.policies.count, 1);
    const PlanPolicyKind kind = read.file.policies.items[0]->kind;
    end(read);
    return kind;
}

static void test_statements_say_the_kind(void **state) {
    (void)state;
    assert_int_equal(kind_of("{\"Effect\": \"Allow\", \"Action\": \"s3:*\", \"Resource\": \"*\"}"), POLICY_OF_IDENTITY);
    assert_int_equal(
        kind_of("{\"Effect\": \"Allow\", \"Action\": \"s3:*\", \"Principal\": \"*\", \"Resource\": \"*\"}"),
        POLICY_OF_RESOURCE);
    assert_int_equal(kind_of("{\"Effect\": \"Allow\", \"Action\": \"sts:AssumeRole\", \"Principal\": \"*\"}"),
                     POLICY_OF_TRUST);
}

static void test_a_policy_in_a_text_has_its_place(void **state) {
    (void)state;
    const char *const text = "attachPolicy: |\n  {\n    \"Statement\": " STATEMENT "\n  }\n";
    const Read read = read_text(text);
    assert_int_equal(read.file.policies.count, 1);
    const Data *statement = data_get(read.file.policies.items[0]->document, "Statement");
    assert_int_equal(statement->span.start, (size_t)(strstr(text, "[{") - text));
    end(read);
}

static void test_other_keys_have_no_policy(void **state) {
    (void)state;
    const Read read = read_text("data:\n  example: {Statement: " STATEMENT "}\n");
    assert_int_equal(read.file.policies.count, 0);
    end(read);
}

static void test_a_text_that_is_no_json_is_passed_over(void **state) {
    (void)state;
    const Read read = read_text("attachPolicy: '{\"Statement\": [{\"Effect\": \"Allow\",'\n");
    assert_int_equal(read.file.policies.count, 0);
    assert_false(has_errors(read.session));
    end(read);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statements_make_a_policy),  cmocka_unit_test(test_an_answer_is_no_request),
        cmocka_unit_test(test_statements_say_the_kind),   cmocka_unit_test(test_a_policy_in_a_text_has_its_place),
        cmocka_unit_test(test_other_keys_have_no_policy), cmocka_unit_test(test_a_text_that_is_no_json_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
