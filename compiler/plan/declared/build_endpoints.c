// `endpoints = all`: those that the clusters of this build need in a network. They are known when all clusters are.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/model/endpoints.h"

// Whether a cluster in the network uses the endpoints of a word.
static bool is_used(const Builder *builder, const PlanNetwork *network, const char *word) {
    for (uint32_t i = 0; i < builder->plan->clusters.count; i++) {
        const PlanCluster *cluster = builder->plan->clusters.items[i];
        if (cluster->network == network && endpoint_use(cluster, word) != ENDPOINT_UNUSED) {
            return true;
        }
    }
    return false;
}

static bool is_first_of_word(size_t row) {
    return row == 0 || strcmp(ENDPOINT_ROWS[row].word, ENDPOINT_ROWS[row - 1].word) != 0;
}

static Str clusters_in(const Builder *builder, const PlanNetwork *network) {
    StrBuf names = { .arena = builder->arena };
    for (uint32_t i = 0; i < builder->plan->clusters.count; i++) {
        const PlanCluster *cluster = builder->plan->clusters.items[i];
        if (cluster->network == network) {
            strbuf_add_format(&names, "%s`%.*s`", names.len == 0 ? "" : ", ", STR_ARG(cluster->head.id));
        }
    }
    return strbuf_str(&names);
}

static void find_endpoints(Builder *builder, PlanNetwork *network, const Value *written) {
    const Value **items = arena_new_array(builder->arena, const Value *, ENDPOINT_ROW_COUNT);
    StrBuf words = { .arena = builder->arena };
    uint32_t count = 0;
    for (size_t i = 0; i < ENDPOINT_ROW_COUNT; i++) {
        const char *word = ENDPOINT_ROWS[i].word;
        // The one that a network has by default is there without clusters too.
        if (is_first_of_word(i) && (i == 0 || is_used(builder, network, word))) {
            items[count++] = value_string(builder->arena, written->span, written->origin, str_of(word));
            strbuf_add_format(&words, "%s%s", words.len == 0 ? "" : ", ", word);
        }
    }
    network->made.endpoints = value_list(builder->arena, written->span, written->origin, items, count);
    const Str clusters = clusters_in(builder, network);
    if (clusters.len > 0) {
        builder_add_decision(builder, written->span, network->head.id, "endpoints of %.*s, for %.*s",
                             STR_ARG(strbuf_str(&words)), STR_ARG(clusters));
    }
}

void build_endpoints(Builder *builder) {
    for (uint32_t i = 0; i < builder->plan->networks.count; i++) {
        const Block *block = builder->plan->networks.items[i]->head.block;
        PlanNetwork *network = plan_own_network(builder->plan, block);
        const Value *written = block_value(block, NETWORK_ENDPOINTS);
        if (network->mode == NETWORK_MADE && !block->is_used && written != NULL && written->kind == VALUE_WORD) {
            find_endpoints(builder, network, written);
        }
    }
}
