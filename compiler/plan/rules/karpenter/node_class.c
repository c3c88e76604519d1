// Rules about an EC2NodeClass of Karpenter: what Karpenter refuses, and images and volumes that somebody should look at.
// Source: the validation rules of pkg/apis/crds of aws/karpenter-provider-aws@1d927085, 2026-08-21, read 2026-11.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/rule_remove.h"
#include "compiler/plan/model/object_value.h"

static const double GIB = 1024.0 * 1024 * 1024;

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const Value *spec;
} NodeClassCheck;

// What is before `@` in an alias, and what it is called as `amiFamily`.
static const struct {
    const char *alias;
    const char *family;
} FAMILIES[] = {
    { "al2", "AL2" },
    { "al2023", "AL2023" },
    { "bottlerocket", "Bottlerocket" },
    { "windows2019", "Windows2019" },
    { "windows2022", "Windows2022" },
    { "windows2025", "Windows2025" },
};

static void refuse(const NodeClassCheck *check, Span span, const char *why, const char *help) {
    Diag *diag = plan_report(check->rules->session, check->object->subject, span, DIAG(class_refused), why);
    diag_help(check->rules->session, diag, "%s", help);
}

static Span name_span(const NodeClassCheck *check) {
    const Value *name = object_get(object_get(check->object->fields, "metadata"), "name");
    return name != NULL ? name->span : check->object->resource->span;
}

// ---- images ------------------------------------------------------------------------------------------------------

static const Value *alias_of(const NodeClassCheck *check) {
    const Value *terms = object_get(check->spec, "amiSelectorTerms");
    const Value *alias = NULL;
    for (uint32_t i = 0; i < object_count(terms); i++) {
        const Value *found = object_get(terms->list.items[i], "alias");
        alias = found != NULL ? found : alias;
    }
    return alias;
}

static const char *family_of(Str alias) {
    const Str name = str_slice(alias, 0, str_find(alias, STR("@"), 0));
    for (size_t i = 0; i < COUNT_OF(FAMILIES); i++) {
        if (str_is(name, FAMILIES[i].alias)) {
            return FAMILIES[i].family;
        }
    }
    return NULL;
}

static void check_alias(const NodeClassCheck *check, const Value *alias) {
    Session *session = check->rules->session;
    const Value *family = object_get(check->spec, "amiFamily");
    const Str text = object_text(alias);
    const char *meant = family_of(text);
    if (text.len == 0) {
        return;
    }
    if (str_find(text, STR("@"), 0) == text.len) {
        refuse(check, alias->span, "an alias has a version behind `@`", "write it as `al2023@v20260210`");
    } else if (meant == NULL) {
        refuse(check, alias->span, "no images have this alias", "begin it with `al2023@` or `bottlerocket@`");
    } else if (object_text(family).len > 0 && !str_is(family->string, meant) && !str_is(family->string, "Custom")) {
        Diag *diag = plan_report(session, check->object->subject, family->span, DIAG(class_refused),
                                 "`amiFamily` is another one than that of the alias");
        diag_label(session, diag, alias->span, "is of `%s`", meant);
        diag_help(session, diag, "remove `amiFamily`: the alias says it");
        rule_remove(check->rules, diag, family->span, false);
    }
}

// A version of the rows' last one for Amazon Linux 2 has come to its end.
static void check_end(const NodeClassCheck *check, const Value *alias) {
    const Value *family = object_get(check->spec, "amiFamily");
    const bool is_old_alias = str_starts_with(object_text(alias), STR("al2@"));
    const bool is_old_family = str_is(object_text(family), "AL2");
    const SystemRow *row = schema_system(STR("al2"));
    if (row == NULL || row->last == UNKNOWN || (!is_old_alias && !is_old_family)) {
        return;
    }
    Diag *diag = plan_report(check->rules->session, check->object->subject, is_old_alias ? alias->span : family->span,
                             DIAG(class_image_ended), row->last);
    diag_help(check->rules->session, diag, "write `alias%s al2023@…`, and a NodeConfig in place of bootstrap.sh",
              check->object->is_manifest ? ":" : " =");
}

// `#!` alone would be a comment of TOML. The commands behind it are none.
static void check_user_data(const NodeClassCheck *check, const Value *alias) {
    static const char *const STARTS[] = { "#!", "MIME-Version:", "#cloud-config", "apiVersion:", "kind:", "---" };
    const Value *data = object_get(check->spec, "userData");
    const Value *family = object_get(check->spec, "amiFamily");
    const Str text = str_trim(object_text(data));
    const bool is_custom = str_is(object_text(family), "Custom"); // Karpenter hands it on as it is
    const Value *cause = str_starts_with(object_text(alias), STR("bottlerocket@"))      ? alias
                         : alias == NULL && str_is(object_text(family), "Bottlerocket") ? family
                                                                                        : NULL;
    for (size_t i = 0; cause != NULL && !is_custom && i < COUNT_OF(STARTS); i++) {
        if (str_starts_with(text, str_of(STARTS[i]))) {
            Session *session = check->rules->session;
            Diag *diag = plan_report(session, check->object->subject, data->span, DIAG(bootstrap_refused), "Karpenter",
                                     "userData", "Bottlerocket reads TOML, and runs no scripts");
            diag_label(session, diag, cause->span, "the image");
            diag_help(session, diag, "write settings, such as `[settings.kernel.sysctl]`");
            return;
        }
    }
}

static void check_images(const NodeClassCheck *check) {
    const Value *terms = object_get(check->spec, "amiSelectorTerms");
    const Value *alias = alias_of(check);
    if (alias != NULL) {
        check_alias(check, alias);
    } else if (object_count(terms) > 0 && object_get(check->spec, "amiFamily") == NULL) {
        refuse(check, terms->span, "without an alias it needs `amiFamily`", "write `amiFamily`");
    }
    check_end(check, alias);
    check_user_data(check, alias);
}

// ---- the rest ----------------------------------------------------------------------------------------------------

static void check_terms(const NodeClassCheck *check) {
    static const struct {
        const char *name;
        const char *why;
    } TERMS[] = {
        { "amiSelectorTerms", "`amiSelectorTerms` is empty" },
        { "subnetSelectorTerms", "`subnetSelectorTerms` is empty" },
        { "securityGroupSelectorTerms", "`securityGroupSelectorTerms` is empty" },
    };
    for (size_t i = 0; i < COUNT_OF(TERMS); i++) {
        const Value *terms = object_get(check->spec, TERMS[i].name);
        if (terms != NULL && terms->kind == VALUE_LIST && terms->list.count == 0) {
            refuse(check, terms->span, TERMS[i].why, "write what it selects, by `id` or `tags`");
        }
    }
}

static void check_role(const NodeClassCheck *check) {
    const Value *role = object_get(check->spec, "role");
    const Value *profile = object_get(check->spec, "instanceProfile");
    if (role != NULL && profile != NULL) {
        refuse(check, profile->span, "`role` and `instanceProfile` stand beside each other", "remove one of them");
    } else if (role == NULL && profile == NULL) {
        refuse(check, name_span(check), "it has no `role`", "write `role`, or `instanceProfile`");
    }
}

// Karpenter hands it on as the name in a launch template. Of a role, newer releases take what stands behind the last `/`.
static void check_profile(const NodeClassCheck *check) {
    const Value *profile = object_get(check->spec, "instanceProfile");
    const Str text = object_text(profile);
    if (str_starts_with(text, STR("arn:"))) {
        Diag *diag = plan_report(check->rules->session, check->object->subject, profile->span, DIAG(takes_other),
                                 "instanceProfile", "a name", "an ARN");
        rule_write_at(check->rules, diag, profile->span, text, str_after_last(text, '/'));
    }
}

static PlanField field_of(Arena *arena, const Value *ebs, const char *name) {
    const Value *value = object_get(ebs, name);
    PlanField field = { .name = name, .key = SPAN_NONE, .span = value == NULL ? SPAN_NONE : value->span };
    if (value != NULL) {
        const bool is_known = value->kind == VALUE_INT || value->kind == VALUE_STRING;
        field.state = is_known ? FIELD_KNOWN : FIELD_LATE;
        field.text = value->kind == VALUE_STRING ? value->string
                     : value->kind == VALUE_INT  ? str_format(arena, "%" PRId64, value->integer)
                                                 : STR_NONE;
    }
    return field;
}

// Karpenter hands it on to EC2, with the type of the image where none is written.
static void check_ebs(const NodeClassCheck *check, const Value *ebs) {
    Arena *arena = check->rules->session->arena;
    PlanVolume volume = { .subject = check->object->subject,
                          .taker = VOLUME_OF_EC2,
                          .type = field_of(arena, ebs, "volumeType"),
                          .size = field_of(arena, ebs, "volumeSize"),
                          .iops = field_of(arena, ebs, "iops"),
                          .rate = field_of(arena, ebs, "throughput") };
    double bytes = 0;
    const Value *size = object_get(ebs, "volumeSize");
    if (size != NULL && quantity_read(size, &bytes) && bytes < 1e18) {
        const int64_t gib = (int64_t)(bytes / GIB);
        volume.size.state = (double)gib * GIB < bytes ? FIELD_LATE : FIELD_KNOWN; // a part of a GiB
        volume.size.text = str_format(arena, "%" PRId64 "Gi", gib);
    } else if (size != NULL) {
        volume.size.state = FIELD_LATE;
    }
    rule_volume(check->rules, &volume);
}

// True where it has another unit. The definition of the class takes digits and one of four units: `500GB` has none of
// them, and `500` none at all.
static bool check_unit(const NodeClassCheck *check, const Value *size) {
    const Str text = object_text(size);
    size_t digits = 0;
    while (digits < text.len && char_is_digit(text.data[digits])) {
        digits++;
    }
    const Str unit = str_slice(text, digits, text.len);
    const bool is_right = str_is(unit, "Gi") || str_is(unit, "G") || str_is(unit, "Ti") || str_is(unit, "T");
    if (digits == 0 || is_right) {
        return false; // somebody fills it in
    }
    Diag *diag = plan_report(check->rules->session, check->object->subject, size->span, DIAG(class_refused),
                             "`volumeSize` is a number with `Gi`, `G`, `Ti` or `T`");
    if (str_at(unit, 0) == '.') {
        diag_help(check->rules->session, diag, "write a whole number of `Gi`");
        return true;
    }
    const bool is_tera = str_at(unit, 0) == 'T' || str_at(unit, 0) == 't';
    rule_write_at(
        check->rules, diag, size->span, text,
        str_format(check->rules->session->arena, "%.*s%s", STR_ARG(str_slice(text, 0, digits)), is_tera ? "Ti" : "Gi"));
    return true;
}

static void check_volumes(const NodeClassCheck *check) {
    const Value *mappings = object_get(check->spec, "blockDeviceMappings");
    for (uint32_t i = 0; i < object_count(mappings); i++) {
        const Value *ebs = object_get(mappings->list.items[i], "ebs");
        const Value *encrypted = object_get(ebs, "encrypted");
        if (!check_unit(check, object_get(ebs, "volumeSize"))) {
            check_ebs(check, ebs);
        }
        if (encrypted != NULL && encrypted->kind == VALUE_BOOL && !encrypted->boolean) {
            Diag *diag =
                plan_report(check->rules->session, check->object->subject, encrypted->span, DIAG(class_unencrypted));
            rule_write_at(check->rules, diag, encrypted->span, STR("false"), STR("true"));
        }
    }
}

void rule_node_class(const Rules *rules, const PlanObject *object) {
    const NodeClassCheck check = { .rules = rules, .object = object, .spec = object_get(object->fields, "spec") };
    const bool is_class = str_is(object->resource->type, "karpenter.k8s.aws/v1/EC2NodeClass");
    const bool is_older = str_is(object->resource->type, "karpenter.k8s.aws/v1beta1/EC2NodeClass");
    if (object->is_changed || check.spec == NULL || check.spec->kind != VALUE_MAP) {
        return;
    }
    if (is_older) {
        check_end(&check, NULL); // it has no aliases
    }
    if (is_class) {
        check_images(&check);
        check_terms(&check);
    }
    if (is_class || is_older) { // these fields are the same in both
        check_role(&check);
        check_profile(&check);
        check_volumes(&check);
    }
}
