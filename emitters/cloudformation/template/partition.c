// Where the deployment decides on the region, a condition tells China from the rest: what else differs there is written
// with AWS::Partition and AWS::URLSuffix.
#include "emitters/cloudformation/template/partition.h"

#include "emitters/cloudformation/template/intrinsic.h"

static const char CHINA[] = "aws-cn";

typedef struct {
    const char *service;
    const char *in_china;
} PrincipalRow;

static const PrincipalRow PRINCIPAL_ROWS[] = {
#define PRINCIPAL(service, in_china) { service, in_china },
#include "schema/principals.def"
#undef PRINCIPAL
};

const char *partition_of(const Stack *stack) {
    const RegionRow *region = schema_region(stack->region);
    return region == NULL ? "aws" : region->partition;
}

DocNode *partition_choice(Stack *stack, Why reason, DocNode *in_china, DocNode *elsewhere) {
    static const char CONDITION[] = "InChina";
    if (stack->region.len > 0) {
        return strcmp(partition_of(stack), CHINA) == 0 ? in_china : elsewhere;
    }
    if (doc_get(stack->conditions, str_of(CONDITION)) == NULL) {
        DocNode *partition = intrinsic_pseudo(stack, reason, "AWS::Partition");
        DocNode *china = tree_text(stack->doc, reason, CHINA);
        doc_put(stack->doc, stack->conditions, str_of(CONDITION), intrinsic_call(stack, CALL_EQUALS, partition, china));
    }
    DocNode *choice = doc_list(stack->doc);
    doc_add(stack->doc, choice, tree_text(stack->doc, reason, CONDITION));
    doc_add(stack->doc, choice, in_china);
    doc_add(stack->doc, choice, elsewhere);
    return doc_call(stack->doc, CALL_IF, choice);
}

DocNode *partition_principal(Stack *stack, Why reason, const char *service) {
    DocNode *principal = tree_text(stack->doc, reason, service);
    for (size_t i = 0; i < COUNT_OF(PRINCIPAL_ROWS); i++) {
        if (strcmp(service, PRINCIPAL_ROWS[i].service) == 0) {
            return partition_choice(stack, reason, tree_text(stack->doc, reason, PRINCIPAL_ROWS[i].in_china),
                                    principal);
        }
    }
    return principal;
}
