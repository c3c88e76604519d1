#include "compiler/plan/model/queue.h"

const PlanQueue *plan_queue_of(const PlanCluster *cluster, Str group) {
    for (uint32_t i = 0; i < cluster->queues.count; i++) {
        const PlanQueue *queue = cluster->queues.items[i];
        for (uint32_t k = 0; k < queue->nodes.count; k++) {
            if (str_equal(queue->nodes.items[k]->head.id, group)) {
                return queue;
            }
        }
    }
    return NULL;
}

uint32_t plan_place_in_queue(const PlanQueue *queue, const PlanNodes *nodes) {
    uint32_t place = 0;
    while (place < queue->nodes.count && queue->nodes.items[place]->head.subject != nodes->head.subject) {
        place++;
    }
    return place;
}
