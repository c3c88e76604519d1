// Rules about words in user data that mean something to CloudFormation, to FSx, or to one image alone.
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/user_data_text.h"

// ---- what CloudFormation does not fill in --------------------------------------------------------------------------

// What Fn::Sub would fill in and no shell does: `${AWS::Region}`, `${Name.Attribute}`. `${Name}` alone may be the script's.
static bool is_of_template(const Rules *rules, Str name) {
    const size_t dot = str_find(name, STR("."), 0);
    return str_starts_with(name, STR("AWS::")) ||
           (dot < name.len && rule_find_resource(rules, str_slice(name, 0, dot)) != NULL);
}

// `Fn::Base64: !Sub |` of `Fn::Base64: |`, where each `${` of the text is the template's.
static void write_sub(const Rules *rules, Diag *diag, const PlanUserData *data) {
    const Str before = STR("Fn::Base64: ");
    const Str all = data->written;
    for (size_t at = str_find(all, STR("${"), 0); at < all.len; at = str_find(all, STR("${"), at + 1)) {
        if (!is_of_template(rules, str_slice(all, at + 2, str_find(all, STR("}"), at)))) {
            return;
        }
    }
    user_data_write_tag(rules, diag, data, before, STR("!Sub "));
}

void rule_launch_substitution(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    const Str open = STR("${");
    const bool is_read = data->is_literal && str_has(data->written, "${");
    const Str text = is_read ? user_data_shell(rules->session->arena, data, SHELL_READ) : STR_NONE;
    for (size_t at = str_find(text, open, 0); at < text.len; at = str_find(text, open, at + 1)) {
        const size_t end = str_find(text, STR("}"), at);
        const Str name = str_slice(text, at + open.len, end);
        const bool is_escaped = at > 0 && (text.data[at - 1] == '\\' || text.data[at - 1] == '$');
        if (end >= text.len || is_escaped || !is_of_template(rules, name)) {
            continue;
        }
        Diag *diag = plan_report(rules->session, launch->subject, user_data_place_in(rules, data, at),
                                 DIAG(text_not_filled_in), STR_ARG(name));
        rule_help_resource(rules, diag, launch->subject, "%s",
                           launch->subject->is_foreign ? "write `Fn::Base64: !Sub |`"
                                                       : "put the text into `{ \"Fn::Sub\" = … }`");
        write_sub(rules, diag, data);
        return; // the others have the same fault
    }
}

// ---- the name that Lustre is mounted by ----------------------------------------------------------------------------

// `${Scratch.DNSName}@tcp:/fsx`, `${Scratch}.fsx.${AWS::Region}.amazonaws.com@tcp:/fsx`: "Scratch".
static Str name_before(Str text, size_t at) {
    size_t start = at;
    while (start > 0 && strchr(" \t\n\"'=", text.data[start - 1]) == NULL) {
        start--;
    }
    const Str word = str_slice(text, start, at);
    if (!str_starts_with(word, STR("${"))) {
        return STR_NONE;
    }
    const size_t dot = str_find(word, STR("."), 0);
    const size_t brace = str_find(word, STR("}"), 0);
    return str_slice(word, 2, dot < brace ? dot : brace);
}

// FSx for Lustre User Guide, Mounting from an Amazon EC2 instance: SCRATCH_1 alone has `fsx`, read 2026-11.
void rule_launch_mount_name(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    const Str path = STR("@tcp:/fsx");
    const bool is_read = str_find(data->written, path, 0) < data->written.len;
    const Str text = is_read ? user_data_shell(rules->session->arena, data, SHELL_KEPT) : STR_NONE;
    for (size_t at = str_find(text, path, 0); at < text.len; at = str_find(text, path, at + 1)) {
        const char next = str_at(text, at + path.len);
        const Str name = next == '\0' || strchr(" \t\n\"'/", next) != NULL ? name_before(text, at) : STR_NONE;
        const PlanResource *storage = name.len == 0 ? NULL : rule_find_resource(rules, name);
        const bool is_lustre = storage != NULL && str_is(storage->resource->type, "AWS::FSx::FileSystem");
        const Value *lustre = !is_lustre ? NULL : resource_property(storage->resource, "LustreConfiguration");
        const Value *deployment = object_get(lustre, "DeploymentType");
        const Str kind = object_text(deployment);
        if (kind.len == 0 || str_is(kind, "SCRATCH_1")) {
            continue;
        }
        Diag *diag = plan_report(rules->session, launch->subject, user_data_place_in(rules, data, at),
                                 DIAG(lustre_mount_name), STR_ARG(name));
        diag_label(rules->session, diag, deployment->span, "has a name of its own");
        const Str new = str_format(rules->session->arena, "@tcp:/${%.*s.LustreMountName}", STR_ARG(name));
        diag_help(rules->session, diag, "write `%.*s`", STR_ARG(new));
        if (!data->is_literal) {
            rule_replace_part(rules, diag, diag->span, path, new);
        }
    }
}
