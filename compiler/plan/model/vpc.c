#include "compiler/plan/model/vpc.h"

// source: eksctl-io/eksctl@99984adb pkg/apis/eksctl.io/v1alpha5/vpc.go, DefaultCIDR, read 2026-11
static const char EKSCTL_BLOCK[] = "192.168.0.0/16";

PlanVpcBlock vpc_block_of_eksctl(const Subject *subject, Str name) {
    return (PlanVpcBlock){ .subject = subject,
                           .name = name,
                           .span = SPAN_NONE,
                           .block = field_known("cidr", SPAN_NONE, str_of(EKSCTL_BLOCK)) };
}

bool vpc_has_endpoint(const PlanVpc *vpc, const char *service) {
    for (uint32_t i = 0; i < vpc->endpoints.count; i++) {
        if (str_is(vpc->endpoints.items[i]->service, service)) {
            return true;
        }
    }
    return vpc->may_have_more;
}
