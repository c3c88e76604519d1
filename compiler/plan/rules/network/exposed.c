// Rules about what everybody reaches: ports of security groups, the ssh of a cluster, and the keys of a node's role.
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/head_machine.h"
#include "compiler/plan/model/object_value.h"

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
    const Span where = !is_absent                           ? rule_span(&launch->tokens)
                       : span_is_none(launch->metadata_key) ? rule_span(image)
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

// Ports behind which whoever comes in needs a password at most.
static const struct {
    int64_t port;
    const char *service;
} PORTS[] = {
    { 22, "ssh" },
    { 3389, "remote desktop" },
    { 2049, "NFS, which asks for no password" },
    { 988, "Lustre, which asks for no password" },
};

static bool takes_port(const PlanOpening *opening, int64_t port) {
    const bool is_tcp = field_is(&opening->protocol, "tcp") || field_is(&opening->protocol, "6");
    return is_tcp && opening->first_port >= 0 && opening->first_port <= port && port <= opening->last_port;
}

void rule_opening(const Rules *rules, const PlanOpening *opening) {
    if (!field_is(&opening->range, "0.0.0.0/0") && !field_is(&opening->range, "::/0")) {
        return;
    }
    Str what = opening->is_all_ports ? STR("all ports") : STR_NONE;
    for (size_t i = 0; i < COUNT_OF(PORTS) && what.len == 0; i++) {
        if (takes_port(opening, PORTS[i].port)) {
            what = str_format(rules->session->arena, "port %" PRId64 " (%s)", PORTS[i].port, PORTS[i].service);
        }
    }
    if (what.len == 0) {
        return;
    }
    Diag *diag = plan_report(rules->session, opening->subject, rule_span(&opening->range), DIAG(open_to_all),
                             STR_ARG(opening->range.text), STR_ARG(what));
    rule_label_use(rules, diag, &opening->range);
    diag_help(
        rules->session, diag,
        "name the addresses that people come from, or a security group; AWS Systems Manager opens a shell without "
        "a port");
}

// ---- ssh of ParallelCluster --------------------------------------------------------------------------------------

// Source: aws/aws-parallelcluster@451cc532 cli/src/pcluster/schemas/common_schema.py, is_cidr_or_prefix_list, and
// templates/cluster_stack.py, read 2026-11. It takes no ranges of IPv6.
static const char EVERYBODY[] = "0.0.0.0/0";

static void check_range(const Rules *rules, const PlanConfiguration *configuration, Span span) {
    Diag *diag = plan_report(rules->session, configuration_subject(configuration, span), span, DIAG(open_to_all),
                             STR_ARG(str_of(EVERYBODY)), STR_ARG(STR("port 22 (ssh)")));
    diag_help(rules->session, diag,
              "name the addresses that people come from, or a prefix list; AWS Systems Manager opens a shell without "
              "a port");
}

// Login nodes that name no range have that of the head. Whether their subnet is a public one, the file does not show.
static void check_login(const Rules *rules, const PlanConfiguration *configuration) {
    const Value *pools = object_get(object_get(configuration->document, "LoginNodes"), "Pools");
    for (uint32_t i = 0; i < object_count(pools); i++) {
        const Value *range = object_get(object_get(pools->list.items[i], "Ssh"), "AllowedIps");
        if (str_is(object_text(range), EVERYBODY)) {
            check_range(rules, configuration, range->span);
        }
    }
}

void rule_configuration_ssh(const Rules *rules, const PlanConfiguration *configuration) {
    const PlanHeadMachine head = head_of_configuration(rules->session->arena, configuration);
    const PlanField *written = &configuration->head.allowed_ips;
    if (field_is(written, EVERYBODY) && !head_is_open(&head)) { // of one that is open, rule configuration_head speaks
        check_range(rules, configuration, rule_span(written));
    }
    check_login(rules, configuration);
}
