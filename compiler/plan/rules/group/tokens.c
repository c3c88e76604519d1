// A rule about the metadata of instances: whoever reads the keys of a node's role shows a token.
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launch.h"

// Whether something in the file reads the metadata of its instance, and nothing there asks for a token.
static bool reads_without_token(const Session *session, Span span) {
    const Str text = span_is_none(span) ? STR_NONE : source_get(session, span.source)->text;
    return str_has(text, "169.254.169.254") && !str_has(text, "X-aws-ec2-metadata-token");
}

// Without a token, whoever makes a program on the instance fetch a page gets the keys of its role. Where nothing is
// said, the image decides: AWS's own of Amazon Linux 2023 want one, and those of Amazon Linux 2 do not. Services have
// images of their own where none is named.
void rule_launch_tokens(const Rules *rules, const PlanLaunch *launch) {
    const PlanField *image = &launch->image;
    const bool is_old_image =
        image->state == FIELD_KNOWN && (str_find(image->text, STR("amzn2-ami"), 0) < image->text.len ||
                                        str_find(image->text, STR("amazon-linux-2/"), 0) < image->text.len ||
                                        str_find(image->text, STR("amazon-linux-2-"), 0) < image->text.len);
    const bool is_absent = launch->form == FORM_RESOURCE && launch->tokens.state == FIELD_ABSENT && is_old_image;
    if (!is_absent && !field_is(&launch->tokens, "optional")) {
        return;
    }
    // The image may stand in the default of a parameter: what is to be written stands beside its key.
    const Span beside = span_is_none(image->key) ? rule_span(image) : image->key;
    const Span where = !is_absent                           ? rule_span(&launch->tokens)
                       : span_is_none(launch->metadata_key) ? beside
                                                            : launch->metadata_key;
    Diag *diag = plan_report(rules->session, launch->subject, where, DIAG(launch_tokens));
    if (is_absent) {
        diag_label(rules->session, diag, rule_span(image), "asks for none where nothing is said");
    }
    const bool is_karpenter = launch->tokens.state == FIELD_KNOWN && strcmp(launch->tokens.name, "httpTokens") == 0;
    if (launch->form == FORM_EKSCTL) {
        diag_help(rules->session, diag, "write `disableIMDSv1: true`, or leave it out");
    } else if (is_karpenter) {
        rule_help_resource(rules, diag, launch->subject, "write `httpTokens = \"required\"` in `metadataOptions`");
    } else {
        rule_help_resource(rules, diag, launch->subject, "write `HttpTokens = \"required\"` in `MetadataOptions`");
    }
    if (reads_without_token(rules->session, where)) {
        return; // what reads it would stop
    }
    if (launch->form == FORM_EKSCTL) {
        rule_replace(rules, diag, where, STR("false"), STR("true"));
    } else if (!is_absent) {
        rule_fix_word(rules, diag, &launch->tokens, "required");
    } else if (span_is_none(launch->metadata_key)) {
        rule_insert_beside(rules, diag, image->key, STR("MetadataOptions|HttpTokens"), STR("required"));
    } else {
        rule_insert_into(rules, diag, launch->metadata_key, STR("HttpTokens"), STR("required"));
    }
}
