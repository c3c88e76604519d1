// Finds policies by their keys. A policy may be a map, or JSON in a text, which Fn::Sub may fill in: that is read once more
// from its place in the source, so that whatever is said of it has its line.
#include "compiler/readers/foreign_policies.h"

#include "compiler/base/yaml_read.h"
#include "compiler/plan/model/policy.h"

enum { TEXTS_BYTES_MAX = 4 << 20 }; // of the copies of one file: each policy in a text costs one

typedef struct {
    Session *session;
    PlanFile *file;
    const PlanTemplate *template; // NULL: none
    size_t bytes;                 // of the copies that were read
} Finder;

// ---- documents -----------------------------------------------------------------------------------------------------

static bool is_statement(const Data *data) {
    static const char *const WORDS[] = { "Effect",   "Action",      "NotAction",    "Principal",
                                         "Resource", "NotResource", "NotPrincipal", "Condition" };
    int found = 0;
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        found += data_get(data, WORDS[i]) != NULL ? 1 : 0;
    }
    return found >= 2;
}

// Whether a map has statements of IAM. Choices of statements may stand above them.
static bool has_statements(const Data *data) {
    const Data *statements = data->kind == DATA_MAP ? data_get(data, "Statement") : NULL;
    uint32_t at = 0;
    const Data *first = data_item(statements, 0);
    while (first != NULL && first->kind != DATA_STRING && !is_statement(first)) {
        first = data_item(statements, ++at);
    }
    return first != NULL && is_statement(first);
}

// A policy whose `Statement` is called otherwise: a rule says so.
static bool has_misspelt_statements(const Data *data) {
    for (uint32_t i = 0; i < data->count && data_get(data, "Version") != NULL; i++) {
        const Data *first = data_item(data->entries[i].value, 0);
        if (first != NULL && is_statement(first) && data_get(first, "Effect") != NULL) {
            return true;
        }
    }
    return false;
}

bool foreign_is_policy(const Data *document) {
    const bool is_map = document->kind == DATA_MAP && data_get(document, "Resources") == NULL;
    return is_map && (has_statements(document) || has_misspelt_statements(document));
}

bool foreign_is_request_of_policy(const Data *document) {
    return document->kind == DATA_MAP && data_get(document, "Arn") == NULL &&
           (data_get(document, "AssumeRolePolicyDocument") != NULL || data_get(document, "PolicyDocument") != NULL) &&
           (data_get(document, "RoleName") != NULL || data_get(document, "PolicyName") != NULL);
}

// ---- kinds ---------------------------------------------------------------------------------------------------------

// Whether each action of a statement is about taking a role.
static bool takes_roles(const Data *statement) {
    const Data *action = NULL;
    bool takes = data_get(statement, "Action") != NULL;
    for (uint32_t i = 0; (action = data_item(data_get(statement, "Action"), i)) != NULL; i++) {
        takes = takes && action->kind == DATA_STRING && str_starts_with_in_any_case(action->string, STR("sts:"));
    }
    return takes;
}

static PlanPolicyKind kind_of_statements(const Data *document) {
    const Data *statement = NULL;
    bool has_principal = false;
    bool has_resource = false;
    bool allows = false; // a resource control policy, which has principals as well, denies
    bool takes_all = true;
    for (uint32_t i = 0; (statement = data_item(data_get(document, "Statement"), i)) != NULL; i++) {
        has_principal = has_principal || data_get(statement, "Principal") != NULL;
        has_principal = has_principal || data_get(statement, "NotPrincipal") != NULL;
        has_resource = has_resource || data_get(statement, "Resource") != NULL;
        takes_all = takes_all && takes_roles(statement);
        allows = allows || str_is(data_text(statement, "Effect"), "Allow");
    }
    return takes_all && (has_principal ? allows || !has_resource : !has_resource) ? POLICY_OF_TRUST
           : has_principal                                                        ? POLICY_OF_RESOURCE
                                                                                  : POLICY_OF_IDENTITY;
}

// ---- texts ---------------------------------------------------------------------------------------------------------

// The source up to the end of a span, with blanks in the place of all but the JSON at it. Lines stay, since a line of many
// thousand blanks is slow to read. In a text in quotes `\"` is a quote, and `\n` a line: the blank for the other sign stands
// outside of what is quoted.
static Str alone(Arena *arena, Str text, Span span) {
    const size_t end = span.end < text.len ? span.end : text.len;
    char *copy = arena_alloc(arena, end);
    for (size_t i = 0; i < span.start; i++) {
        copy[i] = text.data[i] == '\n' ? '\n' : ' ';
    }
    memset(copy + span.start, ' ', end - span.start);
    bool is_inside = false;
    for (size_t i = span.start; i < end; i++) {
        const char c = text.data[i];
        const char next = i + 1 < end ? text.data[i + 1] : ' ';
        if (c == '\\' && next == '"') {
            copy[is_inside ? i : i + 1] = '"';
            is_inside = !is_inside;
            i++;
        } else if (c == '\\' && (next == 'n' || next == 't' || next == '\n')) {
            i++;
        } else {
            copy[i] = c == '\t' ? ' ' : c;
        }
    }
    return (Str){ .data = copy, .len = end };
}

// From the first brace to the last one: a text has quotes or a sign of YAML around it.
static Span braces_of(const Session *session, Span span) {
    const Str text = source_text(session, span);
    const size_t start = str_find(text, STR("{"), 0);
    size_t end = text.len;
    while (end > start && text.data[end - 1] != '}') {
        end--;
    }
    return (Span){ .source = span.source, .start = span.start + (uint32_t)start, .end = span.start + (uint32_t)end };
}

// The policy in a text; NULL where there is none.
static const Data *read_text(Finder *finder, const Data *data) {
    const Str trimmed = str_trim(data->string);
    const bool may_be =
        data->kind == DATA_STRING && str_starts_with(trimmed, STR("{")) && str_has(trimmed, "Statement");
    if (!may_be || span_is_none(data->span) || finder->bytes > TEXTS_BYTES_MAX) {
        return NULL;
    }
    Session *session = finder->session;
    const uint32_t before = session->diags.items.count;
    const Source *source = source_get(session, data->span.source);
    finder->bytes += source->text.len;
    const Str text = alone(session->arena, source->text, braces_of(session, data->span));
    YamlDocuments documents = { 0 };
    const bool is_read = yaml_read_part(session, data->span.source, text, &documents);
    diags_forget(session, before);
    return is_read && documents.count == 1 ? documents.items[0] : NULL;
}

// The policy that a value is; NULL: it is none, or only the deployment knows it.
static const Data *policy_in(Finder *finder, const Data *data) {
    const Data *sub = data_get(data, "Fn::Sub");
    const Data *text = data_item(sub == NULL ? data : sub, 0);
    const bool is_text = text != NULL && text->kind == DATA_STRING;
    const Data *policy = data->kind == DATA_MAP && sub == NULL ? data : is_text ? read_text(finder, text) : NULL;
    return policy != NULL && has_statements(policy) ? policy : NULL;
}

// ---- of a template -------------------------------------------------------------------------------------------------

static void add_document(Finder *finder, const PlanNamed *named, PlanPolicyKind kind, const Data *document) {
    PlanPolicy *policy = arena_new(finder->session->arena, PlanPolicy);
    *policy = (PlanPolicy){ .subject = named == NULL ? finder->file->pieces.items[0].subject : named->subject,
                            .kind = kind,
                            .document = document,
                            .template = finder->template,
                            .named = named,
                            .holder = named == NULL ? document : data_get(named->data, "Properties") };
    vec_push(finder->session->arena, &finder->file->policies, (const PlanPolicy *)policy);
}

static void add(Finder *finder, const PlanNamed *named, PlanPolicyKind kind, const Data *value) {
    const Data *document = value == NULL ? NULL : policy_in(finder, value);
    if (document != NULL) {
        add_document(finder, named, kind, document);
    }
}

static void add_of_resource(Finder *finder, const PlanNamed *named) {
    static const char *const KEYS[] = { "PolicyDocument", "KeyPolicy", "RepositoryPolicyText", "ResourcePolicy",
                                        "FileSystemPolicy" };
    const Data *properties = data_get(named->data, "Properties");
    const bool is_of_iam = str_starts_with(named->type, STR("AWS::IAM::"));
    const Data *policy = NULL;
    add(finder, named, POLICY_OF_TRUST, data_get(properties, "AssumeRolePolicyDocument"));
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        add(finder, named, is_of_iam ? POLICY_OF_IDENTITY : POLICY_OF_RESOURCE, data_get(properties, KEYS[i]));
    }
    for (uint32_t i = 0; is_of_iam && (policy = data_item(data_get(properties, "Policies"), i)) != NULL; i++) {
        add(finder, named, POLICY_OF_IDENTITY, data_get(policy, "PolicyDocument"));
    }
}

static void add_of_template(Finder *finder) {
    const PlanTemplate *template = finder->template;
    const bool is_whole = !template->is_open || (template->has_all_conditions && template->foreign_calls.count == 0);
    for (uint32_t i = 0; is_whole && i < template->named.count; i++) {
        const PlanNamed *named = finder->template->named.items[i];
        if (named->kind == NAMED_RESOURCE && named->data != NULL) {
            add_of_resource(finder, named);
        }
    }
}

// ---- of other files ------------------------------------------------------------------------------------------------

// Whether a key is one of those that have a policy behind them: `attachPolicy`, `AssumeRolePolicyDocument`.
static bool is_key_of_policy(Str key) {
    return str_ends_with(key, STR("olicyDocument")) || str_ends_with(key, STR("olicy"));
}

static void add_below(Finder *finder, const Data *data) {
    for (uint32_t i = 0; i < data->count; i++) {
        const Data *child = data->kind == DATA_MAP ? data->entries[i].value : data->items[i];
        const Str key = data->kind == DATA_MAP ? data->entries[i].key : STR_NONE;
        const Data *document = is_key_of_policy(key) ? policy_in(finder, child) : NULL;
        if (document != NULL) {
            add(finder, NULL, str_has(key, "ssumeRole") ? POLICY_OF_TRUST : kind_of_statements(document), document);
        } else if (child->kind == DATA_MAP || child->kind == DATA_LIST) {
            add_below(finder, child);
        }
    }
}

void foreign_add_policies(Session *session, PlanFile *file, const Data *document) {
    Finder finder = { .session = session, .file = file, .template = file->names };
    if (finder.template != NULL) {
        add_of_template(&finder);
    } else if (file->pieces.count > 0 && str_has(source_text(session, document->span), "Effect")) {
        if (foreign_is_policy(document)) {
            add_document(&finder, NULL, kind_of_statements(document), document);
        } else {
            add_below(&finder, document);
        }
    }
}
