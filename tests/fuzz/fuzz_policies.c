// Any bytes as a file with policies of IAM: no crash, and each policy that is found is a map with statements whose place
// lies in the file, also where it stands in a text and is read once more.
#include "compiler/base/yaml_read.h"
#include "compiler/readers/foreign_file.h"
#include "compiler/readers/foreign_policies.h"
#include "compiler/readers/foreign_subject.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

// As in fuzz_yaml_read.c.
const char *__lsan_default_suppressions(void) {
    return "leak:libfyaml\nleak:fy_\n";
}

static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

static void read_policies(Session *session, uint32_t source, const Data *document, size_t size) {
    PlanFile file = { .form = FILE_OTHER };
    foreign_add_document(session, &file, foreign_file(session, source), document);
    foreign_add_policies(session, &file, document);
    for (uint32_t i = 0; i < file.policies.count; i++) {
        const PlanPolicy *policy = file.policies.items[i];
        require(policy->subject != NULL && policy->document->kind == DATA_MAP);
        require(policy->document->span.start <= policy->document->span.end && policy->document->span.end <= size);
    }
    require(!foreign_is_policy(document) || file.policies.count <= 1);
    (void)foreign_is_request_of_policy(document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Str text = { .data = (const char *)data, .len = size };
    Session *session = session_create();
    const uint32_t source = source_add(session, STR("policy.json"), text);
    YamlDocuments documents = { 0 };
    if (yaml_read_documents(session, source, &documents)) {
        for (uint32_t i = 0; i < documents.count; i++) {
            read_policies(session, source, documents.items[i], size);
        }
    }
    session_destroy(session);
    return 0;
}
