// Which reader takes a file.
#include "compiler/readers/foreign.h"

#include "compiler/base/yaml_read.h"
#include "compiler/readers/cloudformation/cfn_value.h"
#include "compiler/readers/cloudformation/cfn_stack.h"
#include "compiler/readers/foreign_subject.h"
#include "compiler/readers/foreign_value.h"
#include "compiler/readers/kubernetes/kubernetes_manifest.h"
#include "compiler/readers/parallelcluster/pcluster.h"

static bool read_template(Session *session, const Subject *file, Data *document, ForeignPlans *plans) {
    CfnTemplate template;
    cfn_lengthen(session->arena, document);
    if (!cfn_read(session, document, &template)) {
        return false;
    }
    const CfnWorlds worlds = cfn_worlds(&template);
    for (uint32_t i = 0; i < worlds.count; i++) {
        const RawResources resources = cfn_resources(&template, worlds.items[i], file);
        Plan *plan = arena_new(session->arena, Plan);
        *plan = (Plan){ 0 };
        vec_push(session->arena, &plan->raw, &raw_stack_of(session, resources)->parts);
        vec_push(session->arena, plans, (const Plan *)plan);
    }
    return true;
}

static bool read_configuration(Session *session, const Subject *file, Data *document, ForeignPlans *plans) {
    const Value *value = foreign_value(session->arena, document);
    const PlanRaw *raw = value->kind == VALUE_MAP ? pcluster_read(session, file, value) : NULL;
    if (raw == NULL) {
        return false;
    }
    Plan *plan = arena_new(session->arena, Plan);
    *plan = (Plan){ 0 };
    vec_push(session->arena, &plan->raw, raw);
    vec_push(session->arena, plans, (const Plan *)plan);
    return true;
}

static bool read_manifest(Session *session, const Subject *file, Data *document, ForeignPlans *plans) {
    Plan *plan = arena_new(session->arena, Plan);
    *plan = (Plan){ 0 };
    if (!kubernetes_read(session, file, document, plan)) {
        return false;
    }
    vec_push(session->arena, plans, (const Plan *)plan);
    return true;
}

// Words of which a file that is one of ours has at least one. Nobody needs to hear that another file is no YAML.
static bool looks_like_ours(Str text) {
    static const char *const words[] = {
        "AWSTemplateFormatVersion", "AWS::", "HeadNode:", "\"HeadNode\"", "apiVersion:", "\"apiVersion\""
    };
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (str_find(text, str_of(words[i]), 0) < text.len) {
            return true;
        }
    }
    return false;
}

// A source of Jinja or Helm: no YAML before it was rendered. `{{resolve:…}}` is CloudFormation's own.
static bool is_to_be_rendered(Str text) {
    for (size_t at = str_find(text, STR("{"), 0); at < text.len; at = str_find(text, STR("{"), at + 1)) {
        const Str rest = str_slice(text, at, text.len);
        if (str_starts_with(rest, STR("{%")) ||
            (str_starts_with(rest, STR("{{")) && !str_starts_with(rest, STR("{{resolve:")))) {
            return true;
        }
    }
    return false;
}

ForeignKind foreign_read(Session *session, uint32_t source, ForeignPlans *plans) {
    const Str text = source_get(session, source)->text;
    if (!looks_like_ours(text)) {
        return FOREIGN_NONE;
    }
    const uint32_t before = session->diags.items.count;
    YamlDocuments documents = { 0 };
    if (!yaml_read_documents(session, source, &documents)) {
        if (is_to_be_rendered(text)) {
            diags_forget(session, before);
            return FOREIGN_NONE;
        }
        return FOREIGN_CLOUDFORMATION;
    }
    ForeignKind kind = FOREIGN_NONE;
    const Subject *file = foreign_file(session, source);
    for (uint32_t i = 0; i < documents.count; i++) {
        if (read_manifest(session, file, documents.items[i], plans)) {
            kind = FOREIGN_KUBERNETES;
        } else if (read_configuration(session, file, documents.items[i], plans)) {
            kind = FOREIGN_PARALLELCLUSTER;
        } else if (read_template(session, file, documents.items[i], plans)) {
            kind = FOREIGN_CLOUDFORMATION;
        }
    }
    return kind;
}
