// Checks a finished template against CloudFormation's limits. CloudFormation itself would say so only when the stack is
// made.
#include "emitters/cloudformation/template/limits.h"

#include "compiler/plan/model/allow.h"

typedef struct {
    const char *section;
    const char *what;
    enum ConstantId max;
} CountRow;

static const CountRow COUNT_ROWS[] = {
    { "Resources", "resources", CONSTANT_TEMPLATE_RESOURCES_MAX },
    { "Parameters", "parameters", CONSTANT_TEMPLATE_PARAMETERS_MAX },
    { "Outputs", "outputs", CONSTANT_TEMPLATE_OUTPUTS_MAX },
};

static void too_many(const Stack *stack, size_t count, const char *what, int64_t max) {
    Span span = stack->head->subject->name_span;
    Diag *diag = plan_report(stack->session, stack->head->subject, span, DIAG(template_too_many),
                             STR_ARG(stack->head->id), count, what, max);
    diag_help(stack->session, diag, "split the block into two, each with a stack of its own");
}

static bool check_counts(const Stack *stack) {
    bool is_good = true;
    for (size_t i = 0; i < COUNT_OF(COUNT_ROWS); i++) {
        const CountRow *row = &COUNT_ROWS[i];
        const DocNode *section = doc_get(doc_root(stack->doc), str_of(row->section));
        if (section != NULL && section->kind != DOC_MAP) { // a patch can do that
            plan_report(stack->session, stack->head->subject, stack->head->subject->name_span, DIAG(section_no_map),
                        STR_ARG(stack->head->id), row->section);
            is_good = false;
            continue;
        }
        uint32_t count = section == NULL ? 0 : doc_count(section);
        if (count > schema_constant(row->max)) {
            too_many(stack, count, row->what, schema_constant(row->max));
            is_good = false;
        }
    }
    return is_good;
}

static void check_description(const Stack *stack) {
    const DocNode *description = doc_get(doc_root(stack->doc), STR("Description"));
    bool is_text = description != NULL && (description->kind == DOC_STRING || description->kind == DOC_BLOCK);
    if (is_text && description->string.len > LIMIT_TEMPLATE_DESCRIPTION_MAX) {
        Diag *diag = plan_report(stack->session, stack->head->subject, stack->head->subject->name_span,
                                 DIAG(template_too_many), STR_ARG(stack->head->id), description->string.len,
                                 "bytes of description", (int64_t)LIMIT_TEMPLATE_DESCRIPTION_MAX);
        diag_help(stack->session, diag, "shorten the `##` lines above the block");
    }
}

static size_t body_max(void) {
    return (size_t)schema_constant(CONSTANT_TEMPLATE_BODY_BYTES_MAX);
}

bool limits_fits_request(Str content) {
    return content.len <= body_max();
}

static void check_size(const Stack *stack, Str content) {
    Span span = stack->head->subject->name_span;
    size_t bucket_max = (size_t)schema_constant(CONSTANT_TEMPLATE_URL_BYTES_MAX);
    if (content.len > bucket_max) {
        Diag *diag = plan_report(stack->session, stack->head->subject, span, DIAG(template_too_large),
                                 STR_ARG(stack->step.file), content.len, bucket_max);
        diag_help(stack->session, diag, "split the block into two, each with a stack of its own");
    } else if (!limits_fits_request(content)) {
        Diag *diag = plan_report(stack->session, stack->head->subject, span, DIAG(template_needs_bucket),
                                 STR_ARG(stack->step.file), content.len, body_max());
        const DocNode *resources = doc_get(doc_root(stack->doc), STR("Resources"));
        diag_note(stack->session, diag, "%" PRIu32 " resources, of %" PRId64 " that a stack takes",
                  resources == NULL ? 0 : doc_count(resources), schema_constant(CONSTANT_TEMPLATE_RESOURCES_MAX));
        diag_help(stack->session, diag,
                  "the command of the plan takes it through a bucket: `export S3_BUCKET=…` before it");
        const Str line = doc_json_write_line(stack->arena, stack->doc, NULL);
        if (limits_fits_request(line)) {
            diag_help(stack->session, diag, "or write `--format json`: without blanks it is %zu bytes", line.len);
        }
    }
}

static size_t text_bytes(Str text) {
    size_t bytes = text.len + 2;
    for (size_t i = 0; i < text.len; i++) {
        bytes += strchr("\"\\\n", text.data[i]) != NULL;
    }
    return bytes;
}

// Of compact JSON; what is late counts as the empty text.
static size_t node_bytes(const DocNode *node) {
    switch (node->kind) {
    case DOC_BOOL:
        return 4;
    case DOC_INT: {
        char digits[24];
        return (size_t)snprintf(digits, sizeof digits, "%" PRId64, node->integer);
    }
    case DOC_STRING:
    case DOC_BLOCK:
        return text_bytes(node->string);
    case DOC_CALL:
        return 2;
    case DOC_LIST:
    case DOC_MAP: {
        size_t bytes = node->count == 0 ? 2 : node->count + 1; // brackets and commas
        for (const DocNode *child = node->first; child != NULL; child = child->next) {
            bytes += node_bytes(child) + (node->kind == DOC_MAP ? text_bytes(child->key) + 1 : 0);
        }
        return bytes;
    }
    }
    return 0;
}

void limits_check_definition(const Stack *stack, const PlanJob *job, const DocNode *properties) {
    const size_t bytes = node_bytes(properties);
    const int64_t most = schema_constant(CONSTANT_JOB_DEFINITION_BYTES_MAX);
    if ((int64_t)bytes > most) {
        const Subject *subject = job->head.subject;
        Diag *diag = plan_report(stack->session, subject, subject->name_span, DIAG(definition_too_large),
                                 STR_ARG(job->head.id), bytes, most);
        diag_help(stack->session, diag, "put long commands into the image, or into a file that it fetches");
    }
}

// Of a text for Fn::Sub, what stands between the references.
static size_t literal_bytes(Str text) {
    size_t bytes = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '$' && i + 1 < text.len && text.data[i + 1] == '{') {
            i = str_find(text, STR("}"), i);
        } else {
            bytes += text.data[i] != ' ';
        }
    }
    return bytes;
}

// At least as much as IAM will count, whatever late values turn out to be.
static size_t least_bytes(const DocNode *node) {
    if (node->kind == DOC_CALL) {
        const DocNode *text = node->call != CALL_SUB          ? NULL
                              : node->first->kind == DOC_LIST ? node->first->first
                                                              : node->first;
        return text == NULL ? 2 : 2 + literal_bytes(text->string);
    }
    if (node->kind != DOC_LIST && node->kind != DOC_MAP) {
        return node_bytes(node);
    }
    size_t bytes = node->count == 0 ? 2 : node->count + 1;
    for (const DocNode *child = node->first; child != NULL; child = child->next) {
        bytes += least_bytes(child) + (node->kind == DOC_MAP ? text_bytes(child->key) + 1 : 0);
    }
    return bytes;
}

static const char POLICY_HELP[] = "name the folders or buckets that hold several of what jobs read and write";

void limits_check_role(const Stack *stack, const PlanHead *head, const DocNode *properties) {
    const DocNode *policies = doc_get(properties, STR("Policies"));
    size_t bytes = 0;
    for (const DocNode *policy = policies == NULL ? NULL : policies->first; policy != NULL; policy = policy->next) {
        bytes += least_bytes(doc_get(policy, STR("PolicyDocument")));
    }
    if (bytes > LIMIT_ROLE_INLINE_CHARACTERS_MAX) {
        Diag *diag = plan_report(stack->session, head->subject, head->subject->name_span, DIAG(role_too_large),
                                 STR_ARG(head->id), bytes, (int)LIMIT_ROLE_INLINE_CHARACTERS_MAX);
        diag_help(stack->session, diag, "%s", POLICY_HELP);
    }
}

void limits_check_policy(const Stack *stack, const PlanHead *head, const DocNode *properties) {
    const size_t bytes = least_bytes(doc_get(properties, STR("PolicyDocument")));
    if (bytes > LIMIT_MANAGED_POLICY_CHARACTERS_MAX) {
        Diag *diag = plan_report(stack->session, head->subject, head->subject->name_span, DIAG(policy_too_large),
                                 STR_ARG(head->id), bytes, (int)LIMIT_MANAGED_POLICY_CHARACTERS_MAX);
        diag_help(stack->session, diag, "%s", POLICY_HELP);
    }
}

bool limits_check(const Stack *stack, Str content) {
    const bool is_good = check_counts(stack);
    check_description(stack);
    if (is_good) { // what is too many is too large as well
        check_size(stack, content);
    }
    return is_good;
}
