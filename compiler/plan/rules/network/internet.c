// Rules about what nodes fetch from the internet, in a network from which there is no way there.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"

// Nodes are in private subnets.
static bool is_closed(const PlanNetwork *network) {
    return network != NULL && network->vpc->private_way == WAY_NONE;
}

// S3 and ECR are reached by endpoints, which rule_way_out() asks for.
static bool is_by_endpoint(Str host) {
    const bool is_of_aws = str_ends_with(host, STR(".amazonaws.com")) || str_ends_with(host, STR(".amazonaws.com.cn"));
    const bool is_service = str_find(host, STR(".s3."), 0) < host.len || str_starts_with(host, STR("s3.")) ||
                            str_find(host, STR(".dkr.ecr."), 0) < host.len;
    return is_of_aws && is_service;
}

static Diag *out_of_reach(const Rules *rules, const Subject *subject, const PlanNetwork *network, Span span, Str host) {
    Diag *diag =
        plan_report(rules->session, subject, span, DIAG(out_of_reach), STR_ARG(network->head.id), STR_ARG(host));
    diag_label(rules->session, diag, network->vpc->private_span, "so there is no NAT gateway");
    return diag;
}

// "nvcr.io" of "nvcr.io/nvidia/pytorch:25.06"; a name without a host is one of Docker Hub.
static Str registry_of(Str image) {
    const Str first = str_slice(image, 0, str_find(image, STR("/"), 0));
    const bool is_host =
        first.len < image.len && (str_find(first, STR("."), 0) < first.len || str_find(first, STR(":"), 0) < first.len);
    return is_host ? first : STR("docker.io");
}

void rule_image_in_reach(const Rules *rules, const PlanJob *job) {
    const PlanNetwork *network = job->cluster->network;
    if (!is_closed(network) || job->image_uri == NULL || job->image_uri->kind != VALUE_STRING) {
        return;
    }
    const Str host = registry_of(job->image_uri->string);
    if (!is_by_endpoint(host)) {
        Diag *diag = out_of_reach(rules, job->head.subject, network, job->image_uri->span, host);
        diag_help(rules->session, diag, "copy the image into ECR, and name it there: `image NAME { … }`");
    }
}

void rule_scripts_in_reach(const Rules *rules, const PlanNodes *nodes) {
    const Str scheme = STR("https://");
    for (uint32_t i = 0; is_closed(nodes->cluster->network) && i < nodes->setup.count; i++) {
        const PlanScript *script = &nodes->setup.items[i];
        const Str rest =
            str_starts_with(script->name, scheme) ? str_slice(script->name, scheme.len, script->name.len) : STR_NONE;
        const Str host = str_slice(rest, 0, str_find(rest, STR("/"), 0));
        if (host.len > 0 && !is_by_endpoint(host)) {
            Diag *diag = out_of_reach(rules, nodes->head.subject, nodes->cluster->network, script->value->span, host);
            diag_help(rules->session, diag, "copy the script into the project, or into S3");
        }
    }
}
