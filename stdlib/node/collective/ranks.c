// Counts ranks and the hosts that they are on. An output may hold several runs, and a peak over them is of no number of
// nodes where they differ: that is said, and left to the judge.
#include "stdlib/node/collective/ranks.h"

#include <string.h>

void ranks_add(Ranks *ranks, uint64_t number, const char *host, size_t len, bool is_of_other_group) {
    ranks->count++;
    ranks->highest = number > ranks->highest ? number : ranks->highest;
    ranks->is_split |= is_of_other_group;
    for (uint32_t i = 0; i < ranks->host_count && i < RANKS_HOSTS_MAX; i++) {
        if (ranks->hosts[i].len == len && memcmp(ranks->hosts[i].data, host, len) == 0) {
            return;
        }
    }
    if (ranks->host_count < RANKS_HOSTS_MAX) {
        ranks->hosts[ranks->host_count] = (RankHost){ .data = host, .len = len };
        ranks->host_count++;
    } else {
        ranks->host_count = RANKS_HOSTS_MAX + 1;
    }
}

void ranks_end(Ranks *ranks, Benchmark *benchmark) {
    if (ranks->count == 0) {
        return;
    }
    const bool is_first = benchmark->ranks == 0;
    if (ranks->is_split) {
        benchmark->mixed = "its ranks are in several groups, each with a collective of its own";
    } else if (!is_first && (benchmark->nodes != ranks->host_count || benchmark->ranks != ranks->count)) {
        benchmark->mixed = "it has runs on different numbers of nodes or ranks";
    }
    // More ranks than numbers: processes that print beside each other, and know nothing of each other.
    const bool is_alone = ranks->count > ranks->highest + 1;
    benchmark->nodes = is_alone ? 1 : ranks->host_count;
    benchmark->ranks = ranks->count;
    ranks->host_count = 0;
    ranks->count = 0;
    ranks->highest = 0;
    ranks->is_split = false;
}
