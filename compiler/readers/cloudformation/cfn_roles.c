// The roles of a template, as far as their policies are written there, and who uses them.
#include "compiler/readers/cloudformation/cfn_roles.h"

#include "compiler/plan/model/role.h"

enum { USES_MAX = 5000 }; // CloudFormation takes 500 resources: where a file has far more, nothing is asked

// The text of a value, or the one that Fn::Sub fills in; empty where it is another one, or something is filled in before
// its first dot.
static Str text_of(const Data *data) {
    const Data *sub = data_get(data, "Fn::Sub");
    const Data *text = sub != NULL ? sub : data;
    const Str string = text->kind == DATA_STRING ? text->string : STR_NONE;
    return str_find(string, STR("${"), 0) < str_find(string, STR("."), 0) ? STR_NONE : string;
}

static const Data *child_of(const Data *data, uint32_t i) {
    return data->kind == DATA_MAP ? data->entries[i].value : data->items[i];
}

// ---- trust ---------------------------------------------------------------------------------------------------------

static PlanTrust read_statement(Arena *arena, const Data *statement) {
    const Data *principal = data_get(statement, "Principal");
    const Data *action = data_get(statement, "Action");
    const Data *item = NULL;
    PlanTrust trust = role_trust(principal->kind != DATA_MAP || data_get(principal, "Fn::If") != NULL ||
                                 data_get(principal, "AWS") != NULL);
    const Data *first = data_item(action, 0);
    if (first != NULL && data_item(action, 1) == NULL && first->kind == DATA_STRING &&
        str_is(first->string, "sts:AssumeRole")) {
        trust.takes = first->span;
    }
    for (uint32_t i = 0; (item = data_item(action, i)) != NULL || (action == NULL && i == 0); i++) {
        role_add_action(&trust, item == NULL || item->kind != DATA_STRING ? STR_NONE : item->string);
    }
    for (uint32_t i = 0; (item = data_item(data_get(principal, "Service"), i)) != NULL; i++) {
        role_add_service(arena, &trust, text_of(item), item->span);
    }
    return trust;
}

static void read_trust(Arena *arena, const Data *properties, PlanRole *role) {
    const Data *document = data_get(properties, "AssumeRolePolicyDocument");
    const Data *statements = data_get(document, "Statement");
    const Data *statement = NULL;
    role->is_trust_known = statements != NULL;
    for (uint32_t i = 0; (statement = data_item(statements, i)) != NULL; i++) {
        const Data *effect = data_get(statement, "Effect");
        const bool is_written = effect != NULL && effect->kind == DATA_STRING;
        role->is_trust_known = role->is_trust_known && is_written;
        if (str_is(data_text(statement, "Effect"), "Allow") && data_get(statement, "Principal") != NULL) {
            vec_push(arena, &role->trusts, read_statement(arena, statement));
        }
    }
}

// ---- policies ------------------------------------------------------------------------------------------------------

// The text whose end is the name of a policy, of the ARN or the part of one that a function makes; empty where it is
// another one, or something is filled in there.
static Str named_text(const Data *data) {
    const Data *sub = data_get(data, "Fn::Sub");
    const Data *join = data_get(data, "Fn::Join");
    const Data *delimiter = data_item(join, 0);
    const Data *parts = data_item(join, 1);
    const bool is_joined = delimiter != NULL && delimiter->kind == DATA_STRING && delimiter->string.len == 0;
    const bool has_last = is_joined && parts != NULL && parts->kind == DATA_LIST && parts->count > 0;
    const Data *text = sub != NULL ? data_item(sub, 0) : has_last ? parts->items[parts->count - 1] : data;
    const Str string = text->kind == DATA_STRING ? text->string : STR_NONE;
    const size_t name = str_find(string, STR(":policy/"), 0);
    return name < string.len && (sub == NULL || str_find(string, STR("${"), name) == string.len) ? string : STR_NONE;
}

// Adds the policies that the value may be; false where it may be others.
static bool add_policy(Arena *arena, const Data *data, PlanRole *role) {
    const Data *arms = data_get(data, "Fn::If");
    if (arms != NULL && arms->kind == DATA_LIST && arms->count == 3) {
        const bool is_known = add_policy(arena, arms->items[1], role);
        return add_policy(arena, arms->items[2], role) && is_known;
    }
    const Str text = named_text(data);
    if (text.len > 0) {
        vec_push(arena, &role->policies, text);
    }
    return text.len > 0 || str_is(data_text(data, "Ref"), "AWS::NoValue");
}

// Adds what statements at any depth allow; false where there is none, or it is not known. One that denies gives nothing.
static bool add_actions(Arena *arena, const Data *data, PlanRole *role) {
    if (str_is(data_text(data, "Effect"), "Deny")) {
        return true;
    }
    const Data *actions = data_get(data, "Action");
    const Data *action = NULL;
    bool has_some = actions != NULL;
    for (uint32_t i = 0; (action = data_item(actions, i)) != NULL; i++) {
        const bool is_text = action->kind == DATA_STRING;
        role->may_allow_more = role->may_allow_more || !is_text || str_is(action->string, "*");
        vec_push(arena, &role->actions, action->string);
    }
    role->may_allow_more = role->may_allow_more || data_get(data, "NotAction") != NULL;
    for (uint32_t i = 0; i < data->count; i++) {
        has_some = add_actions(arena, child_of(data, i), role) || has_some;
    }
    return has_some;
}

static void read_policies(Arena *arena, const Data *properties, PlanRole *role) {
    const Data *arns = data_get(properties, "ManagedPolicyArns");
    const Data *own = data_get(properties, "Policies");
    const bool are_lists = (arns == NULL || arns->kind == DATA_LIST) && (own == NULL || own->kind == DATA_LIST);
    role->may_allow_more = role->may_allow_more || !are_lists;
    for (uint32_t i = 0; are_lists && arns != NULL && i < arns->count; i++) {
        const bool is_known = add_policy(arena, arns->items[i], role);
        role->may_allow_more = role->may_allow_more || !is_known;
    }
    for (uint32_t i = 0; are_lists && own != NULL && i < own->count; i++) {
        const bool is_known = add_actions(arena, own->items[i], role);
        role->may_allow_more = role->may_allow_more || !is_known;
    }
}

// ---- a role --------------------------------------------------------------------------------------------------------

static PlanField field_of(const Data *properties, const char *name) {
    const DataEntry *entry = data_entry(properties, name);
    return entry == NULL ? (PlanField){ .name = name, .key = SPAN_NONE, .span = SPAN_NONE }
                         : (PlanField){ .state = entry->value->kind == DATA_STRING ? FIELD_KNOWN : FIELD_LATE,
                                        .name = name,
                                        .key = entry->key_span,
                                        .span = entry->value->span,
                                        .text = entry->value->kind == DATA_STRING ? entry->value->string : STR_NONE };
}

// What a text surely begins with that Fn::Sub or Fn::Join makes: it stands before the first value of the deployment.
static Str start_of(const Data *data) {
    const Data *join = data_get(data, "Fn::Join");
    const Data *part = join != NULL ? data_item(data_item(join, 1), 0) : data_item(data_get(data, "Fn::Sub"), 0);
    const Str text = part != NULL && part->kind == DATA_STRING && part->tag.len == 0 ? part->string : STR_NONE;
    return join != NULL && !str_has(text, "$") ? text : str_slice(text, 0, str_find(text, STR("${"), 0));
}

static PlanRole *role_of(Arena *arena, const PlanTemplate *template, const PlanNamed *named) {
    const Data *properties = data_get(named->data, "Properties");
    PlanRole *role = arena_new(arena, PlanRole);
    *role = (PlanRole){ .subject = named->subject,
                        .name = named->name,
                        .span = named->span,
                        .template = template,
                        .named = named,
                        .given_name = field_of(properties, "RoleName"),
                        .name_start = start_of(data_get(properties, "RoleName")),
                        .path = field_of(properties, "Path") };
    read_trust(arena, properties, role);
    read_policies(arena, properties, role);
    return role;
}

// ---- links ---------------------------------------------------------------------------------------------------------

typedef struct {
    Arena *arena;
    PlanTemplate *template;
    PlanRole **by_index; // of each name; NULL: it is no role
} Link;

static PlanRole *find_role(const Link *link, const PlanNamed *named) {
    return named == NULL || named->kind != NAMED_RESOURCE ? NULL : link->by_index[named->index];
}

// The role itself, or the one of an instance profile; NULL where it is none of the template.
static PlanRole *role_behind(const Link *link, const PlanNamed *named) {
    PlanRole *role = find_role(link, named);
    const bool is_profile = named != NULL && str_is(named->type, "AWS::IAM::InstanceProfile");
    for (uint32_t i = 0; is_profile && role == NULL && i < link->template->uses.count; i++) {
        const PlanUse *use = link->template->uses.items[i];
        role = use->from == named && str_is(use->key, "Roles") && use->guard == NULL ? find_role(link, use->to) : NULL;
    }
    return role;
}

// A policy that stands by itself.
static bool attaches(const PlanUse *use) {
    return use->from != NULL && (str_is(use->from->type, "AWS::IAM::RolePolicy") ||
                                 (str_is(use->key, "Roles") && !str_is(use->from->type, "AWS::IAM::InstanceProfile")));
}

// Nodes of AWS Batch on EKS have the role of EKS's nodes.
static bool is_of_eks(const PlanUse *use) {
    const Data *properties = data_get(use->from->data, "Properties");
    return str_is(use->from->type, "AWS::Batch::ComputeEnvironment") &&
           data_get(properties, "EksConfiguration") != NULL;
}

static void add_use(const Link *link, const PlanUse *use) {
    PlanRole *attached = find_role(link, use->to);
    if (attached != NULL && attaches(use)) {
        attached->may_allow_more = true;
    }
    const bool is_given = use->from != NULL && !use->is_sub && (use->kind == USE_REF || use->kind == USE_ATTRIBUTE);
    PlanRole *role = is_given ? role_behind(link, use->to) : NULL;
    const RoleUse *row = role == NULL || is_of_eks(use) ? NULL : role_use(use->from->type, use->key);
    if (row != NULL) {
        vec_push(link->arena, &role->users,
                 ((PlanRoleUser){ .use = row, .from = use->from, .subject = use->subject, .span = use->span }));
    }
}

void cfn_add_roles(Arena *arena, PlanTemplate *template) {
    const Link link = { .arena = arena,
                        .template = template,
                        .by_index = arena_new_array(arena, PlanRole *, template->named.count) };
    const bool is_read = !template->is_open && template->uses.count <= USES_MAX;
    for (uint32_t i = 0; is_read && i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        const bool is_role = named->kind == NAMED_RESOURCE && str_is(named->type, "AWS::IAM::Role");
        link.by_index[i] = is_role && named->data != NULL ? role_of(arena, template, named) : NULL;
        if (link.by_index[i] != NULL) {
            vec_push(arena, &template->roles, (const PlanRole *)link.by_index[i]);
        }
    }
    for (uint32_t i = 0; is_read && i < template->uses.count; i++) {
        add_use(&link, template->uses.items[i]);
    }
}
