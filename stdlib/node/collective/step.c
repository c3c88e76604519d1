// Does a step: a ping over every lane, one link lane by lane, or a ring. In a ring each rank sends to the one after it
// and receives from the one before it, in n-1 steps of reducing and n-1 of gathering; step s moves the chunk that began
// s ranks before. Whatever comes in is known beforehand, so a wrong partial sum names who sent it. It is mended before
// it goes on, so that nobody sends on the fault of another: of several ranks each is named, in one run.
//
// Memory: the chunks of the all-reduce, then a chunk to receive into, then the small messages of ping and link.
#include "stdlib/node/collective/step.h"

#include "stdlib/node/collective/clock.h"
#include "stdlib/node/collective/text.h"

#include <string.h>

typedef enum Use { USE_PING, USE_PING_ANSWER, USE_LINK, USE_LINK_ANSWER, USE_RING } Use;

enum {
    ANSWER_MORE = 1,
    ANSWER_ENOUGH = 2,
    SMALL_BYTES = 4 * LANES_MAX * PING_BYTES,
};

static uint64_t tag_of(uint32_t serial, uint32_t iteration, uint32_t step, uint32_t sender, Use use) {
    return (uint64_t)(serial & 0xfffff) << 44 | (uint64_t)(iteration & 0xfffff) << 24 | (uint64_t)(step & 0xff) << 16 |
           (uint64_t)(sender & 0xff) << 8 | (uint64_t)use;
}

static size_t chunk_bytes(size_t bytes, uint32_t n) {
    const size_t unit = sizeof(float) * LANES_MAX; // so that each lane carries whole numbers
    const size_t chunk = bytes / n / unit * unit;
    return chunk > 0 ? chunk : unit;
}

static size_t link_bytes(size_t bytes) {
    return bytes < LINK_BYTES_MAX ? bytes : LINK_BYTES_MAX;
}

static size_t room_bytes(size_t bytes, uint32_t n) {
    const size_t ring = chunk_bytes(bytes, n) * (n + 1); // and room to receive a chunk into
    return ring > link_bytes(bytes) ? ring : link_bytes(bytes);
}

size_t step_ring_bytes(size_t bytes, uint32_t n) {
    return chunk_bytes(bytes, n) * n;
}

size_t step_memory_bytes(size_t bytes, uint32_t n) {
    return room_bytes(bytes, n) + SMALL_BYTES;
}

// Where small message number `index` (0 to 3) of a lane stands.
static size_t small_offset(const Worker *worker, uint32_t lane, uint32_t index) {
    return room_bytes(worker->bytes, worker->n) + ((size_t)lane * 4 + index) * PING_BYTES;
}

static void write_byte(Worker *worker, uint32_t lane, size_t offset, uint8_t byte) {
    Device *device = worker->devices[fabric_region_of(worker->fabric, lane)];
    if (device != NULL) {
        (void)device_write(device, offset, &byte, 1);
    } else {
        fabric_memory(worker->fabric)[offset] = byte;
    }
}

static uint8_t read_byte(Worker *worker, uint32_t lane, size_t offset) {
    Device *device = worker->devices[fabric_region_of(worker->fabric, lane)];
    uint8_t byte = 0;
    if (device != NULL) {
        (void)device_read(device, offset, &byte, 1);
    } else {
        byte = fabric_memory(worker->fabric)[offset];
    }
    return byte;
}

static Patience patience_of(const Worker *worker, uint64_t deadline_ns) {
    return (Patience){ .deadline_ns = deadline_ns, .is_stopped = worker->is_stopped, .context = worker->context };
}

// Takes over how a wait ended.
static void conclude(const Worker *worker, Carried carried, Report *report) {
    switch (carried) {
    case CARRIED:
        report->outcome = OUTCOME_DONE;
        break;
    case CARRIED_TOO_LATE:
        report->outcome = OUTCOME_TIMED_OUT;
        break;
    case CARRIED_STOPPED:
        report->outcome = OUTCOME_STOPPED;
        break;
    case CARRIED_BROKEN:
        report->outcome = OUTCOME_BROKEN;
        text_into(report->reason, sizeof report->reason, "%s", fabric_reason(worker->fabric));
        break;
    }
}

// Notes the first transfer that is not done: its direction, and its peer.
static void note_stuck(const Transfer *transfers, size_t count, Report *report) {
    for (size_t i = 0; i < count; i++) {
        // Receives first: a send that waits is often waiting for a peer that itself waits.
        if (!transfers[i].is_done && (transfers[i].kind == TRANSFER_RECEIVE || report->stuck == STUCK_NOWHERE)) {
            report->stuck = transfers[i].kind == TRANSFER_RECEIVE ? STUCK_RECEIVING : STUCK_SENDING;
            report->peer = transfers[i].peer;
            if (report->stuck == STUCK_RECEIVING) {
                return;
            }
        }
    }
}

// ---- ping

// Both halves of a ping fit into half of the time of an operation: two strides make a whole one.
static void ping(Worker *worker, const Go *go, Report *report) {
    const uint32_t lanes = fabric_lane_count(worker->fabric);
    const uint32_t before = (worker->rank + worker->n - go->stride) % worker->n;
    const uint32_t after = (worker->rank + go->stride) % worker->n;
    const uint64_t start = clock_ns();
    Transfer calls[2 * LANES_MAX] = { 0 };
    for (uint32_t i = 0; i < lanes; i++) {
        const uint32_t region = fabric_region_of(worker->fabric, i);
        calls[2 * i] = (Transfer){ .kind = TRANSFER_RECEIVE,
                                   .lane = i,
                                   .region = region,
                                   .peer = before,
                                   .offset = small_offset(worker, i, 0),
                                   .len = PING_BYTES,
                                   .tag = tag_of(go->serial, 0, 0, before, USE_PING) };
        calls[2 * i + 1] = (Transfer){ .kind = TRANSFER_SEND,
                                       .lane = i,
                                       .region = region,
                                       .peer = after,
                                       .offset = small_offset(worker, i, 1),
                                       .len = PING_BYTES,
                                       .tag = tag_of(go->serial, 0, 0, worker->rank, USE_PING) };
    }
    Patience patience = patience_of(worker, start + worker->op_ns * 3 / 10);
    patience.outlasts_failures = true;
    Carried carried = fabric_carry(worker->fabric, calls, (size_t)lanes * 2, &patience);
    Transfer answers[2 * LANES_MAX] = { 0 };
    size_t count = 0;
    for (uint32_t i = 0; i < lanes; i++) {
        const uint32_t region = fabric_region_of(worker->fabric, i);
        answers[count++] = (Transfer){ .kind = TRANSFER_RECEIVE,
                                       .lane = i,
                                       .region = region,
                                       .peer = after,
                                       .offset = small_offset(worker, i, 2),
                                       .len = PING_BYTES,
                                       .tag = tag_of(go->serial, 0, 0, after, USE_PING_ANSWER) };
        if (calls[2 * i].is_done) {
            report->heard_lanes |= UINT32_C(1) << i;
            answers[count++] = (Transfer){ .kind = TRANSFER_SEND,
                                           .lane = i,
                                           .region = region,
                                           .peer = before,
                                           .offset = small_offset(worker, i, 3),
                                           .len = PING_BYTES,
                                           .tag = tag_of(go->serial, 0, 0, worker->rank, USE_PING_ANSWER) };
        }
    }
    if (carried != CARRIED_STOPPED) {
        patience.deadline_ns = start + worker->op_ns / 2;
        carried = fabric_carry(worker->fabric, answers, count, &patience);
    }
    for (size_t i = 0; i < count; i++) {
        if (answers[i].kind == TRANSFER_RECEIVE && answers[i].is_done) {
            report->acknowledged_lanes |= UINT32_C(1) << answers[i].lane;
        }
    }
    // What was not heard is in the bits: that is no reason to end the run before all links have been tried.
    conclude(worker, carried == CARRIED_STOPPED ? carried : CARRIED, report);
}

// ---- one link

static Carried send_sample(Worker *worker, const Go *go, uint32_t lane, uint32_t sample, Report *report) {
    Transfer transfers[] = {
        { .kind = TRANSFER_SEND,
          .lane = lane,
          .region = fabric_region_of(worker->fabric, lane),
          .peer = go->to,
          .len = link_bytes(worker->bytes),
          .tag = tag_of(go->serial, lane, sample, worker->rank, USE_LINK) },
        { .kind = TRANSFER_RECEIVE,
          .lane = lane,
          .region = fabric_region_of(worker->fabric, lane),
          .peer = go->to,
          .offset = small_offset(worker, lane, 2),
          .len = PING_BYTES,
          .tag = tag_of(go->serial, lane, sample, go->to, USE_LINK_ANSWER) },
    };
    const Patience patience = patience_of(worker, clock_ns() + worker->op_ns / 2);
    const Carried carried = fabric_carry(worker->fabric, transfers, 2, &patience);
    note_stuck(transfers, 2, report);
    return carried;
}

static Carried receive_sample(Worker *worker, const Go *go, uint32_t lane, uint32_t sample, bool is_last,
                              Report *report) {
    Transfer transfer = { .kind = TRANSFER_RECEIVE,
                          .lane = lane,
                          .region = fabric_region_of(worker->fabric, lane),
                          .peer = go->from,
                          .len = link_bytes(worker->bytes),
                          .tag = tag_of(go->serial, lane, sample, go->from, USE_LINK) };
    const Patience patience = patience_of(worker, clock_ns() + worker->op_ns / 2);
    Carried carried = fabric_carry(worker->fabric, &transfer, 1, &patience);
    if (carried == CARRIED) {
        const size_t offset = small_offset(worker, lane, 3);
        write_byte(worker, lane, offset, is_last ? ANSWER_ENOUGH : ANSWER_MORE);
        transfer = (Transfer){ .kind = TRANSFER_SEND,
                               .lane = lane,
                               .region = fabric_region_of(worker->fabric, lane),
                               .peer = go->from,
                               .offset = offset,
                               .len = PING_BYTES,
                               .tag = tag_of(go->serial, lane, sample, worker->rank, USE_LINK_ANSWER) };
        carried = fabric_carry(worker->fabric, &transfer, 1, &patience);
    }
    note_stuck(&transfer, 1, report);
    return carried;
}

// Slow lanes get fewer samples: what matters of them is known from the first.
static bool is_enough(const Go *go, uint32_t samples, uint64_t ns) {
    const uint64_t ms = ns / NS_PER_MS;
    return ms > LINK_ENOUGH_MS || (samples >= LINK_SAMPLES && ms >= go->least_ms);
}

// The receiver decides when there have been enough samples, since both have to know it.
static Carried measure_lane(Worker *worker, const Go *go, uint32_t lane, Report *report) {
    const bool is_sender = worker->rank == go->from;
    const uint64_t first = clock_ns();
    uint64_t best = UINT64_MAX;
    bool has_more = true;
    for (uint32_t sample = 0; has_more; sample++) {
        const uint64_t start = clock_ns();
        const bool is_last = is_enough(go, sample + 1, start - first);
        const Carried carried = is_sender ? send_sample(worker, go, lane, sample, report)
                                          : receive_sample(worker, go, lane, sample, is_last, report);
        if (carried != CARRIED) {
            return carried;
        }
        const uint64_t took = clock_ns() - start;
        best = took < best ? took : best;
        has_more = is_sender ? read_byte(worker, lane, small_offset(worker, lane, 2)) == ANSWER_MORE : !is_last;
    }
    if (is_sender) {
        const uint64_t mbps = (uint64_t)link_bytes(worker->bytes) * 8 * 1000 / (best > 0 ? best : 1);
        report->mbps[lane] = mbps < UINT32_MAX ? (uint32_t)mbps : UINT32_MAX;
    }
    return CARRIED;
}

static void measure_link(Worker *worker, const Go *go, Report *report) {
    const uint64_t start = clock_ns();
    const uint64_t waited = clock_waited_ns();
    Carried carried = CARRIED;
    for (uint32_t i = 0; i < fabric_lane_count(worker->fabric) && carried == CARRIED; i++) {
        report->step = i;
        carried = measure_lane(worker, go, i, report);
    }
    const uint64_t share = (clock_waited_ns() - waited) * PERCENT / (clock_ns() - start + 1);
    report->waited_percent = share < PERCENT ? (uint32_t)share : PERCENT;
    conclude(worker, carried, report);
}

// ---- rings

float step_partial_sum(uint32_t element, uint32_t salt, uint32_t first, uint32_t count, uint32_t n) {
    // Rank r puts in a + b(r+1), with a below 256 and b below 32: of 64 ranks that is less than 2^17. b differs from
    // element to element, so one rank's share taken for another's does not go unseen.
    uint32_t hash = (element + salt * 0x9e3779b9U) * 0x85ebca6bU;
    hash ^= hash >> 15;
    const uint32_t a = hash & 255;
    const uint32_t b = hash >> 8 & 31;
    const uint32_t wrapped = first + count > n ? first + count - n : 0;
    const uint32_t straight = count - wrapped;
    const uint32_t ranks = straight * (2 * first + straight + 1) / 2 + wrapped * (wrapped + 1) / 2;
    return (float)(count * a + b * ranks);
}

static float *chunk_at(const Worker *worker, uint32_t chunk) {
    return (float *)(void *)(fabric_memory(worker->fabric) + chunk_bytes(worker->bytes, worker->n) * chunk);
}

static size_t chunk_elements(const Worker *worker) {
    return chunk_bytes(worker->bytes, worker->n) / sizeof(float);
}

static void fill(Worker *worker, float *to, uint32_t chunk, uint32_t salt, uint32_t rank) {
    const size_t count = chunk_elements(worker);
    for (size_t i = 0; i < count; i++) {
        to[i] = step_partial_sum((uint32_t)(chunk * count + i), salt, rank, 1, worker->n);
    }
}

// Whether these numbers are what they have to be. They are so afterwards.
static bool mend(const Worker *worker, float *numbers, uint32_t chunk, uint32_t salt, uint32_t first, uint32_t count) {
    const size_t elements = chunk_elements(worker);
    size_t wrong = 0;
    for (size_t i = 0; i < elements; i++) {
        const float expected = step_partial_sum((uint32_t)(chunk * elements + i), salt, first, count, worker->n);
        // As bits: a minus before a zero is wrong too.
        wrong += memcmp(&numbers[i], &expected, sizeof expected) != 0;
        numbers[i] = expected;
    }
    return wrong == 0;
}

static void note_wrong(const Worker *worker, Report *report) {
    if (report->wrong_count++ == 0) {
        report->wrong_peer = (worker->rank + worker->n - 1) % worker->n;
        report->wrong_iteration = report->iteration;
        report->wrong_step = report->step;
    }
}

// Sends one chunk of a region on and receives one, spread over the lanes that use it.
static Carried exchange(Worker *worker, const Go *go, Report *report, uint32_t region, size_t send_offset,
                        size_t receive_offset, uint64_t deadline_ns) {
    const uint32_t used = fabric_lanes_of(worker->fabric, region);
    const uint32_t before = (worker->rank + worker->n - 1) % worker->n;
    const uint32_t after = (worker->rank + 1) % worker->n;
    const size_t units = chunk_bytes(worker->bytes, worker->n) / sizeof(float);
    Transfer transfers[2 * LANES_MAX] = { 0 };
    uint32_t lanes[LANES_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < fabric_lane_count(worker->fabric); i++) {
        if ((used >> i & 1) != 0) {
            lanes[count++] = i;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const size_t begin = units * i / count * sizeof(float);
        const size_t end = units * (i + 1) / count * sizeof(float);
        transfers[2 * i] = (Transfer){ .kind = TRANSFER_RECEIVE,
                                       .lane = lanes[i],
                                       .region = region,
                                       .peer = before,
                                       .offset = receive_offset + begin,
                                       .len = end - begin,
                                       .tag = tag_of(go->serial, report->iteration, report->step, before, USE_RING) };
        transfers[2 * i + 1] =
            (Transfer){ .kind = TRANSFER_SEND,
                        .lane = lanes[i],
                        .region = region,
                        .peer = after,
                        .offset = send_offset + begin,
                        .len = end - begin,
                        .tag = tag_of(go->serial, report->iteration, report->step, worker->rank, USE_RING) };
    }
    const Patience patience = patience_of(worker, deadline_ns);
    const Carried carried = fabric_carry(worker->fabric, transfers, (size_t)count * 2, &patience);
    note_stuck(transfers, (size_t)count * 2, report);
    return carried;
}

// One all-reduce. `is_checked`: what comes in is compared.
static bool all_reduce(Worker *worker, const Go *go, Report *report, bool is_checked) {
    const uint32_t n = worker->n;
    const size_t size = chunk_bytes(worker->bytes, n);
    const uint64_t deadline = clock_ns() + worker->op_ns;
    for (uint32_t step = 0; step < 2 * (n - 1); step++) {
        const bool is_reducing = step < n - 1;
        const uint32_t s = is_reducing ? step : step - (n - 1);
        // Reducing, a rank first sends its own chunk; gathering, the one it finished, which is the next one's.
        const uint32_t sent = (worker->rank + 2 * n - s + (is_reducing ? 0 : 1)) % n;
        const uint32_t received = (sent + n - 1) % n;
        report->step = step;
        const size_t into = is_reducing ? size * n : size * received;
        const Carried carried = exchange(worker, go, report, 0, size * sent, into, deadline);
        if (carried != CARRIED) {
            conclude(worker, carried, report);
            return false;
        }
        float *arrived = chunk_at(worker, is_reducing ? n : received);
        if (is_checked && !mend(worker, arrived, received, go->serial + report->iteration, is_reducing ? received : 0,
                                is_reducing ? s + 1 : n)) {
            note_wrong(worker, report);
        }
        if (is_reducing) {
            float *sum = chunk_at(worker, received);
            for (size_t i = 0; i < size / sizeof(float); i++) {
                sum[i] += arrived[i];
            }
        }
    }
    return true;
}

static void fill_all(Worker *worker, uint32_t salt) {
    for (uint32_t chunk = 0; chunk < worker->n; chunk++) {
        fill(worker, chunk_at(worker, chunk), chunk, salt, worker->rank);
    }
}

static void sum_exactly(Worker *worker, const Go *go, Report *report) {
    for (uint32_t i = 0; i < go->iterations; i++) {
        report->iteration = i;
        fill_all(worker, go->serial + i);
        if (!all_reduce(worker, go, report, true)) {
            return;
        }
    }
    report->outcome = report->wrong_count > 0 ? OUTCOME_WRONG : OUTCOME_DONE;
}

// The numbers grow until they are infinite, which adds as fast as any other; what they are was checked before.
static void sum_timed(Worker *worker, const Go *go, Report *report) {
    fill_all(worker, go->serial);
    report->best_ns = UINT64_MAX;
    for (uint32_t i = 0; i < go->iterations; i++) {
        const uint64_t start = clock_ns();
        report->iteration = i;
        if (!all_reduce(worker, go, report, false)) {
            return;
        }
        const uint64_t took = clock_ns() - start;
        report->best_ns = took < report->best_ns ? took : report->best_ns;
        report->total_ns += took;
    }
}

// Each rank's chunk goes once around, from GPU to GPU of one number: what comes in at step s began s+1 ranks before.
static bool rotate(Worker *worker, const Go *go, Report *report, uint32_t region) {
    const uint32_t n = worker->n;
    const size_t size = chunk_bytes(worker->bytes, n);
    Device *device = worker->devices[region];
    float *scratch = (float *)(void *)worker->scratch;
    const uint32_t salt = go->serial + region;
    const uint64_t deadline = clock_ns() + worker->op_ns;
    fill(worker, scratch, 0, salt, worker->rank);
    bool is_copied = device_write(device, 0, scratch, size);
    for (uint32_t step = 0; is_copied && step < n - 1; step++) {
        const size_t from = step % 2 == 0 ? 0 : size;
        const size_t into = size - from;
        report->step = step;
        const Carried carried = exchange(worker, go, report, region, from, into, deadline);
        if (carried != CARRIED) {
            conclude(worker, carried, report);
            return false;
        }
        const uint32_t origin = (worker->rank + n - 1 - step) % n;
        is_copied = device_read(device, into, scratch, size);
        if (is_copied && !mend(worker, scratch, 0, salt, origin, 1)) {
            note_wrong(worker, report);
            is_copied = device_write(device, into, scratch, size);
        }
    }
    if (!is_copied) {
        report->outcome = OUTCOME_BROKEN;
        text_into(report->reason, sizeof report->reason, "a copy from or to the GPU failed");
    }
    return is_copied;
}

// One GPU after the other, so that each has its interfaces for itself, and the one that fails is known.
static void rotate_all(Worker *worker, const Go *go, Report *report) {
    for (uint32_t i = 0; i < fabric_region_count(worker->fabric); i++) {
        report->iteration = i;
        if (!rotate(worker, go, report, i)) {
            return;
        }
    }
    report->outcome = report->wrong_count > 0 ? OUTCOME_WRONG : OUTCOME_DONE;
}

void step_perform(Worker *worker, const Go *go, Report *report) {
    *report = (Report){ .serial = go->serial, .phase = go->phase };
    switch (go->phase) {
    case PHASE_PING:
        ping(worker, go, report);
        break;
    case PHASE_LINK:
        measure_link(worker, go, report);
        break;
    case PHASE_EXACT:
        sum_exactly(worker, go, report);
        break;
    case PHASE_TIMED:
        sum_timed(worker, go, report);
        break;
    case PHASE_DEVICE:
        rotate_all(worker, go, report);
        break;
    case PHASES:
        break;
    }
}
