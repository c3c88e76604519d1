// Where a cluster's subnets come from. eksctl names subnets that are there already by any text; a zone's name would be
// the best one, but is not known of every subnet.
#include "emitters/eksctl/cluster_config.h"

#include "compiler/plan/model/network_ids.h"
#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_tree.h"
#include "emitters/tool/tool_values.h"

// `public:` or `private:` of `subnets`; nothing where there are none.
static void add_subnets(ToolFile *file, DocNode *subnets, const char *side, const Value *ids) {
    Doc *doc = file->doc;
    if (ids == NULL || tool_is_null(file, ids)) {
        return;
    }
    DocNode *list = tool_list(file, ids);
    if (doc_count(list) == 0) {
        return;
    }
    DocNode *map = tree_put_map(doc, subnets, side);
    uint32_t number = 1;
    for (const DocNode *id = list->first; id != NULL; id = id->next) {
        Str name = str_format(file->arena, "%s-%" PRIu32, side, number++);
        DocNode *subnet = doc_put(doc, map, name, doc_map(doc));
        doc_because(doc, id->origin);
        tree_put(doc, subnet, "id", tree_string(doc, WHY_EKS_SUBNET, id->string));
        doc_unbecause(doc);
    }
}

void eksctl_network(ToolFile *file, const PlanCluster *cluster, DocNode *root) {
    Doc *doc = file->doc;
    const PlanNetwork *network = cluster->network;
    if (network == NULL) {
        tree_put(doc, root, "availabilityZones", tool_list(file, cluster->eks->zones));
        return;
    }
    doc_because(doc, network->head.origin);
    DocNode *vpc = tree_put_map(doc, root, "vpc");
    PlanNetworkIds ids = plan_network_ids(file->arena, network);
    tree_put(doc, vpc, "id", tool_value(file, ids.vpc));
    DocNode *subnets = tree_put_map(doc, vpc, "subnets");
    add_subnets(file, subnets, "public", ids.public);
    add_subnets(file, subnets, "private", ids.private);
    doc_unbecause(doc);
}

// eksctl makes the public endpoint, and leaves the private one out.
void eksctl_endpoints(ToolFile *file, DocNode *root) {
    Doc *doc = file->doc;
    DocNode *vpc = doc_get(root, STR("vpc"));
    DocNode *endpoints = tree_put_map(doc, vpc == NULL ? tree_put_map(doc, root, "vpc") : vpc, "clusterEndpoints");
    tree_put(doc, endpoints, "privateAccess", tree_bool(doc, WHY_EKS_ENDPOINTS, true));
}
