// A ring of slots: item i stands in slot i modulo their number. A worker takes the next item whose slot is free, and the
// caller's thread empties the slots in order. There are some more of them than workers, so that none waits for another one
// whose item takes longer; and no more results wait than there are slots, so that memory has a bound.
#include "compiler/base/workers.h"

#include "compiler/base/diag/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/signal_stack.h"

#include <pthread.h>
#include <sched.h>

enum { STACK_BYTES = 8 * 1024 * 1024 }; // as a process has: the limits of depth in dtc are made for it

typedef struct {
    const Job *job;
    uint32_t count;
    uint32_t slots;
    pthread_mutex_t mutex;   // of what follows
    pthread_cond_t done;     // another slot waits to be taken
    pthread_cond_t room;     // another slot is free
    uint32_t next;           // the item that nobody works on yet
    uint32_t taken;          // items that were taken: each below
    bool is_done[SLOTS_MAX]; // by slot: it waits to be taken
} Ring;

// A mutex fails only where the program uses it wrongly.
static void must(int fault) {
    if (fault != 0) {
        die("threads do not work: %s", strerror(fault));
    }
}

static void *run_worker(void *argument) {
    Ring *ring = argument;
    signal_stack_set();
    must(pthread_mutex_lock(&ring->mutex));
    while (ring->next < ring->count) {
        const uint32_t item = ring->next;
        if (item - ring->taken >= ring->slots) {
            must(pthread_cond_wait(&ring->room, &ring->mutex));
            continue;
        }
        ring->next++;
        must(pthread_mutex_unlock(&ring->mutex));
        ring->job->work(ring->job->context, item, item % ring->slots);
        must(pthread_mutex_lock(&ring->mutex));
        ring->is_done[item % ring->slots] = true;
        must(pthread_cond_signal(&ring->done)); // the caller's thread alone waits for it
    }
    must(pthread_mutex_unlock(&ring->mutex));
    return NULL;
}

static void take_all(Ring *ring) {
    for (uint32_t item = 0; item < ring->count; item++) {
        const uint32_t slot = item % ring->slots;
        must(pthread_mutex_lock(&ring->mutex));
        while (!ring->is_done[slot]) {
            must(pthread_cond_wait(&ring->done, &ring->mutex));
        }
        must(pthread_mutex_unlock(&ring->mutex));
        ring->job->take(ring->job->context, item, slot);
        must(pthread_mutex_lock(&ring->mutex));
        ring->is_done[slot] = false;
        ring->taken++;
        must(pthread_cond_broadcast(&ring->room));
        must(pthread_mutex_unlock(&ring->mutex));
    }
}

static void work_alone(const Job *job, uint32_t count) {
    for (uint32_t item = 0; item < count; item++) {
        job->work(job->context, item, 0);
        job->take(job->context, item, 0);
    }
}

uint32_t workers_of(uint32_t count) {
    cpu_set_t allowed;
    const int processors = sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
    const uint32_t most = processors > WORKERS_MAX ? WORKERS_MAX : (uint32_t)processors;
    return count < 1 ? 1 : count < most ? count : most;
}

// How many threads there are now. A machine that has none left gives fewer than were asked for, or none.
static uint32_t start_workers(Ring *ring, pthread_t *threads, uint32_t wanted) {
    pthread_attr_t attributes;
    uint32_t started = 0;
    must(pthread_attr_init(&attributes));
    must(pthread_attr_setstacksize(&attributes, STACK_BYTES));
    while (started < wanted && pthread_create(&threads[started], &attributes, run_worker, ring) == 0) {
        started++;
    }
    must(pthread_attr_destroy(&attributes));
    return started;
}

void work_in_order(const Job *job, uint32_t count, uint32_t workers) {
    assert(workers >= 1 && workers <= WORKERS_MAX);
    Ring ring = { .job = job,
                  .count = count,
                  .slots = workers * SLOTS_PER_WORKER,
                  .mutex = PTHREAD_MUTEX_INITIALIZER,
                  .done = PTHREAD_COND_INITIALIZER,
                  .room = PTHREAD_COND_INITIALIZER };
    pthread_t threads[WORKERS_MAX];
    const uint32_t started = workers > 1 ? start_workers(&ring, threads, workers) : 0;
    if (started == 0) {
        work_alone(job, count);
        return;
    }
    take_all(&ring);
    for (uint32_t i = 0; i < started; i++) {
        must(pthread_join(threads[i], NULL));
    }
}
