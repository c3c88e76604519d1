// Rules about a managed group of EKS and its launch template, which EKS puts together. Both are resources of
// CloudFormation: dtc writes the pair itself where a group is declared.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/names.h"
#include "compiler/plan/rules/image_fit.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/rules/rule_remove.h"
#include "schema/ami_types.h"
#include "schema/gpu_drivers.h"
#include "schema/instances.h"
#include "schema/names.h"

static const char BLOCK[] = "CAPACITY_BLOCK"; // EKS API Reference, CreateNodegroup, capacityType

// How a group buys its nodes, beside the launch template that says it, too.
typedef struct {
    const char *key; // of the group
    const PlanField *bought;
    const PlanField *market; // of the template
    Span template_key;
    bool lacks_market; // the template is known, and has none
    bool is_other;     // the group buys something else
} BlockPair;

static void check_block(const Rules *rules, const Subject *subject, const BlockPair *pair) {
    Session *session = rules->session;
    if (pair->lacks_market && field_is(pair->bought, BLOCK)) {
        Diag *diag = plan_report(session, subject, rule_span(pair->bought), DIAG(managed_group_block),
                                 "the template has no market type");
        diag_label(session, diag, pair->template_key, "the launch template");
        rule_help_resource(
            rules, diag, subject,
            "write `InstanceMarketOptions = { MarketType = \"capacity-block\" }` into the launch template");
    }
    if (pair->is_other && field_is(pair->market, "capacity-block")) {
        const bool is_written = pair->bought->state == FIELD_KNOWN;
        Diag *diag = plan_report(session, subject, is_written ? rule_span(pair->bought) : pair->template_key,
                                 DIAG(managed_group_block), "the group buys something else");
        diag_label(session, diag, rule_span(pair->market), "a block is bought here");
        rule_help_resource(rules, diag, subject, "write `%s = \"CAPACITY_BLOCK\"` into the group", pair->key);
        if (!is_written) {
            rule_insert_beside(rules, diag, pair->template_key, str_of(pair->key), str_of(BLOCK));
        }
    }
}

void rule_managed_group_block(const Rules *rules, const PlanGroup *group) {
    const PlanManagedGroup *managed = group->managed;
    if (managed == NULL || !managed->has_launch) {
        return;
    }
    const FieldState state = managed->capacity.state;
    const BlockPair pair = {
        .key = "CapacityType",
        .bought = &managed->capacity,
        .market = &managed->market,
        .template_key = managed->template_key,
        .lacks_market = !span_is_none(managed->template_key) && managed->market.state == FIELD_ABSENT,
        .is_other = state == FIELD_ABSENT || (state == FIELD_KNOWN && !field_is(&managed->capacity, BLOCK))
    };
    check_block(rules, group->subject, &pair);
}

// What PCS takes is asked for the same: `PurchaseOption`, which is ONDEMAND where nothing is said.
// source: AWS PCS User Guide, Using Capacity Blocks for ML with AWS PCS, 2026-11, read 2026-11
void rule_pcs_group_block(const Rules *rules, const PlanGroup *group) {
    const PlanPcsPurchase *purchase = group->pcs_purchase;
    if (purchase == NULL) {
        return;
    }
    const BlockPair pair = { .key = "PurchaseOption",
                             .bought = &purchase->purchase,
                             .market = &purchase->market,
                             .template_key = purchase->template_key,
                             .lacks_market = purchase->market.state == FIELD_ABSENT,
                             .is_other = purchase->purchase.state == FIELD_ABSENT ||
                                         field_is(&purchase->purchase, "ONDEMAND") };
    check_block(rules, group->subject, &pair);
}

// A key as its file has it: the AWS CLI begins it in lower case.
static const char *written(const Rules *rules, const PlanField *field) {
    const Str text = source_text(rules->session, field->key);
    const char first = str_at(text, str_starts_with(text, STR("\"")) ? 1 : 0);
    if (first < 'a' || first - 'a' + 'A' != field->name[0]) {
        return field->name;
    }
    return str_c(rules->session->arena, str_format(rules->session->arena, "%c%s", first, field->name + 1));
}

static Diag *refuse(const Rules *rules, const PlanGroup *group, Span span, const char *name, Span other,
                    const char *beside, const char *help) {
    Diag *diag = plan_report(rules->session, group->subject, span, DIAG(managed_group_twice), name, beside);
    diag_label(rules->session, diag, other, "beside this");
    diag_help(rules->session, diag, "%s", help);
    return diag;
}

// What the template of a managed group may not say: the group says it.
static void refuse_in_template(const Rules *rules, const PlanGroup *group, Span span, const char *name,
                               const char *help) {
    Diag *diag = refuse(rules, group, span, name, group->managed->template_key, "a managed group that uses it", help);
    rule_remove(rules, diag, span, false);
}

void rule_managed_group_twice(const Rules *rules, const PlanGroup *group) {
    const PlanManagedGroup *managed = group->managed;
    if (managed == NULL || span_is_none(managed->template_key)) {
        return;
    }
    if (field_is_there(&managed->disk)) {
        refuse(rules, group, rule_span(&managed->disk), written(rules, &managed->disk), managed->template_key,
               "a launch template", "write the size into `BlockDeviceMappings` of the launch template");
    }
    if (field_is_there(&managed->remote)) {
        refuse(rules, group, managed->remote.key, written(rules, &managed->remote), managed->template_key,
               "a launch template", "write the key and the security groups into the launch template");
    }
    if (!managed->has_launch) {
        return;
    }
    if (managed->types.state != FIELD_ABSENT && managed->types.count > 0 && field_is_there(&managed->type)) {
        refuse(rules, group, managed->types.key, "InstanceTypes", rule_span(&managed->type),
               "`InstanceType` of its launch template", "leave one of the two out");
    }
    if (field_is_there(&managed->image) && !field_is(&managed->image, "CUSTOM") &&
        field_is_there(&group->launch->image)) {
        refuse(rules, group, rule_span(&managed->image), "AmiType", rule_span(&group->launch->image),
               "`ImageId` of its launch template", "leave `AmiType` out, or write `CUSTOM`");
    }
    if (field_is_there(&managed->profile)) {
        refuse_in_template(rules, group, managed->profile.key, "IamInstanceProfile",
                           "leave it out: the group has its `NodeRole`");
    }
    if (field_is_there(&managed->subnet)) {
        refuse_in_template(rules, group, rule_span(&managed->subnet), "SubnetId",
                           "leave it out: the group has its `Subnets`");
    }
}

// ---- words ---------------------------------------------------------------------------------------------------------

static Str capacity_type_name(size_t index) {
    const NameList names = names_of(NAMES_EKS_CAPACITY_TYPES);
    return index < names.count ? str_of(names.items[index]) : STR_NONE;
}

// The key as its author wrote it: requests of the AWS CLI begin it with a small letter.
static Str written_key(const Rules *rules, const PlanField *field) {
    const Str file = span_is_none(field->key) ? STR_NONE : source_get(rules->session, field->key.source)->text;
    const Str key = str_slice(file, field->key.start, field->key.end);
    const size_t quote = str_starts_with(key, STR("\"")) ? 1 : 0;
    const Str name = str_slice(key, quote, key.len - quote);
    return name.len > 0 ? name : str_of(field->name);
}

// A name of the words that a field takes; empty behind the last.
typedef Str NameAt(size_t index);

// Those that begin as the text does, up to `_`; of no such text, all.
static Str words_like(Arena *arena, NameAt *name_at, Str text) {
    const Str first = str_slice(text, 0, str_find(text, STR("_"), 0));
    StrBuf like = { .arena = arena };
    StrBuf all = { .arena = arena };
    Str name;
    for (size_t i = 0; (name = name_at(i)).len > 0; i++) {
        const bool is_like = str_equal(str_slice(name, 0, str_find(name, STR("_"), 0)), first);
        strbuf_add_format(&all, "%s`%.*s`", all.len == 0 ? "" : ", ", STR_ARG(name));
        if (is_like) {
            strbuf_add_format(&like, "%s`%.*s`", like.len == 0 ? "" : ", ", STR_ARG(name));
        }
    }
    return strbuf_str(like.len > 0 ? &like : &all);
}

static void check_word(const Rules *rules, const PlanGroup *group, const PlanField *field, NameAt *name_at) {
    Session *session = rules->session;
    Suggestion suggestion = suggest_for(session, field->text);
    Str name;
    for (size_t i = 0; (name = name_at(i)).len > 0; i++) {
        if (field->state != FIELD_KNOWN || str_equal(name, field->text)) {
            return;
        }
        suggest_offer(&suggestion, name);
    }
    Diag *diag = plan_report(session, group->subject, rule_span(field), DIAG(service_word),
                             STR_ARG(written_key(rules, field)), STR_ARG(field->text));
    if (!rule_suggest(rules, diag, &suggestion, rule_span(field))) {
        diag_help(session, diag, "it takes %.*s", STR_ARG(words_like(session->arena, name_at, field->text)));
    }
}

void rule_managed_group_words(const Rules *rules, const PlanGroup *group) {
    const PlanManagedGroup *managed = group->managed;
    if (managed == NULL) {
        return;
    }
    check_word(rules, group, &managed->image, ami_type_name);
    check_word(rules, group, &managed->capacity, capacity_type_name);
}

// ---- the image of EKS ------------------------------------------------------------------------------------------

static const char *image_with_drivers(const InstanceRow *type) {
    return type->accelerator == ACCELERATOR_NEURON    ? "AL2023_x86_64_NEURON"
           : type->architecture == ARCHITECTURE_ARM64 ? "AL2023_ARM_64_NVIDIA"
                                                      : "AL2023_x86_64_NVIDIA";
}

// Whether the branch of the driver in the image is said not to work with the type.
static bool check_branch(const Rules *rules, const PlanGroup *group, const ImageUse *use) {
    const int minor =
        group->managed->version.state == FIELD_KNOWN ? plan_kubernetes_minor(group->managed->version.text) : 0;
    Diag *diag = image_check_branch(rules, use, group->managed->image.text, minor);
    const char *newest = "AL2023_x86_64_NVIDIA";
    if (diag != NULL && gpu_driver_at_odds(rules->session->arena, str_of(newest), minor, use->type) == 0) {
        rule_write_field(rules, diag, &group->managed->image, newest);
    } else if (diag != NULL) {
        diag_help(rules->session, diag, "name an image of your own, by the launch template, with `CUSTOM`");
    }
    return diag != NULL;
}

// Whether the image is said not to fit the type.
static bool check_image(const Rules *rules, const PlanGroup *group, const AmiType *image, const PlanType *type) {
    const ImageUse use = { .subject = group->subject,
                           .image = rule_span(&group->managed->image),
                           .type = type->row,
                           .type_span = rule_span(&type->field) };
    if (image_check_architecture(rules, &use, image->architecture)) {
        return true;
    }
    if (!image_needs_drivers(use.type)) {
        return false;
    }
    if (use.type->accelerator == ACCELERATOR_NEURON ? image->has_neuron : image->has_nvidia) {
        return check_branch(rules, group, &use);
    }
    Diag *diag = image_report_drivers(rules, &use);
    rule_write_field(rules, diag, &group->managed->image, image_with_drivers(use.type));
    return true;
}

void rule_managed_group_version(const Rules *rules, const PlanGroup *group) {
    const PlanManagedGroup *managed = group->managed;
    if (managed == NULL) {
        return;
    }
    static const char *const AFTER[][2] = {
        { "AL2_x86_64", "AL2023_x86_64_STANDARD" },
        { "AL2_x86_64_GPU", "AL2023_x86_64_NVIDIA` or `AL2023_x86_64_NEURON" },
        { "AL2_ARM_64", "AL2023_ARM_64_STANDARD" },
    };
    const PlanField *version = &managed->version;
    const SystemRow *row = schema_system(STR("al2"));
    const int minor = version->state == FIELD_KNOWN ? plan_kubernetes_minor(version->text) : 0;
    for (size_t i = 0; i < COUNT_OF(AFTER) && row->last != UNKNOWN && minor > row->last; i++) {
        if (field_is(&managed->image, AFTER[i][0])) {
            Diag *diag = plan_report(rules->session, group->subject, rule_span(&managed->image),
                                     DIAG(version_without_image), STR_ARG(managed->image.text), STR_ARG(version->text));
            diag_label(rules->session, diag, rule_span(version), "1.%d is the last with images", row->last);
            diag_help(rules->session, diag, "write `%s`", AFTER[i][1]);
        }
    }
}

void rule_managed_group_image(const Rules *rules, const PlanGroup *group) {
    const PlanManagedGroup *managed = group->managed;
    if (managed == NULL) {
        return;
    }
    const AmiType *image = managed->image.state == FIELD_KNOWN ? ami_type(managed->image.text) : NULL;
    if (image == NULL || (managed->has_launch && field_is_there(&group->launch->image))) {
        return; // a custom image beside it is what EKS refuses
    }
    bool is_said = false;
    for (uint32_t i = 0; i < group->types.count && !is_said; i++) {
        is_said = check_image(rules, group, image, &group->types.items[i]);
    }
}

// ---- who joins the cluster -------------------------------------------------------------------------------------------

void rule_managed_group_joins(const Rules *rules, const PlanGroup *group) {
    const PlanManagedGroup *managed = group->managed;
    if (managed == NULL) {
        return;
    }
    const PlanLaunch *launch = group->launch;
    const bool is_own =
        managed->has_launch && (managed->image.state == FIELD_ABSENT || field_is(&managed->image, "CUSTOM"));
    if (!is_own || !field_is_there(&launch->image) || launch->user_data.field.state != FIELD_ABSENT) {
        return;
    }
    Diag *diag = plan_report(rules->session, group->subject, managed->template_key, DIAG(nodes_without_bootstrap),
                             STR_ARG(group->name));
    diag_label(rules->session, diag, rule_span(&launch->image), "with an image of its own, and no `UserData`");
    diag_help(rules->session, diag, "write `UserData` with a NodeConfig, or leave `ImageId` out and write `AmiType`");
}
