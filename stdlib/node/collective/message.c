// Turns messages into bytes and back. One walk describes each kind's fields for both directions, so that the two cannot
// disagree: a Wire either writes or reads, and each `pass_` function moves one field in that direction.
#include "stdlib/node/collective/message.h"

#include "stdlib/node/collective/topology.h"

#include <assert.h>
#include <string.h>

static const uint8_t MAGIC[8] = { 'D', 'T', 'C', 'O', 'L', 'L', '\r', '\n' };

typedef struct Wire {
    uint8_t *out;      // NULL: this one reads
    const uint8_t *in; // NULL: this one writes
    size_t at;
    bool is_bad;
} Wire;

static void pass_bytes(Wire *wire, uint8_t *bytes, size_t len) {
    assert(wire->at + len <= MESSAGE_BYTES);
    if (wire->out != NULL) {
        memcpy(wire->out + wire->at, bytes, len);
    } else {
        memcpy(bytes, wire->in + wire->at, len);
    }
    wire->at += len;
}

static void pass_u64(Wire *wire, uint64_t *number) {
    uint8_t bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(*number >> (8 * i));
    }
    pass_bytes(wire, bytes, sizeof bytes);
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof bytes; i++) {
        value |= (uint64_t)bytes[i] << (8 * i);
    }
    *number = value;
}

// At most `most`.
static void pass_u32(Wire *wire, uint32_t *number, uint32_t most) {
    uint8_t bytes[4];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(*number >> (8 * i));
    }
    pass_bytes(wire, bytes, sizeof bytes);
    uint32_t value = 0;
    for (size_t i = 0; i < sizeof bytes; i++) {
        value |= (uint32_t)bytes[i] << (8 * i);
    }
    wire->is_bad |= value > most;
    *number = value;
}

static void pass_string(Wire *wire, char *string, size_t size) {
    if (wire->out != NULL) {
        // What stands behind the end would travel too; names and reasons come from elsewhere, and may hold anything.
        const size_t len = strnlen(string, size - 1);
        memset(string + len, 0, size - len);
        for (size_t i = 0; i < len; i++) {
            string[i] = string[i] >= ' ' && string[i] <= '~' ? string[i] : '?';
        }
    }
    pass_bytes(wire, (uint8_t *)string, size);
    const size_t len = strnlen(string, size);
    wire->is_bad |= len == size;
    for (size_t i = 0; i < size; i++) {
        wire->is_bad |= i < len ? string[i] < ' ' || string[i] > '~' : string[i] != '\0';
    }
}

static void pass_join(Wire *wire, Join *join) {
    pass_u32(wire, &join->n, RANKS_MAX);
    pass_u32(wire, &join->lane_count, LANES_MAX);
    pass_u32(wire, &join->memlock_mib, UINT32_MAX);
    pass_u32(wire, &join->gpu_count, DEVICES_MAX);
    pass_string(wire, join->host, sizeof join->host);
    pass_string(wire, join->provider, sizeof join->provider);
    pass_string(wire, join->reason, sizeof join->reason);
}

static void pass_lane(Wire *wire, LaneAddress *lane) {
    pass_u32(wire, &lane->rank, RANKS_MAX - 1);
    pass_u32(wire, &lane->lane, LANES_MAX - 1);
    pass_u32(wire, &lane->len, ADDRESS_BYTES);
    pass_bytes(wire, lane->address, sizeof lane->address);
    pass_string(wire, lane->name, sizeof lane->name);
}

static void pass_go(Wire *wire, Go *go) {
    uint32_t phase = (uint32_t)go->phase;
    pass_u32(wire, &go->serial, UINT32_MAX);
    pass_u32(wire, &phase, PHASES - 1);
    pass_u32(wire, &go->stride, RANKS_MAX - 1);
    pass_u32(wire, &go->from, RANKS_MAX - 1);
    pass_u32(wire, &go->to, RANKS_MAX - 1);
    pass_u32(wire, &go->least_ms, NODE_NUMBER_MAX);
    pass_u32(wire, &go->iterations, NODE_NUMBER_MAX);
    go->phase = (Phase)phase;
}

static void pass_report(Wire *wire, Report *report) {
    uint32_t phase = (uint32_t)report->phase;
    uint32_t outcome = (uint32_t)report->outcome;
    uint32_t stuck = (uint32_t)report->stuck;
    pass_u32(wire, &report->serial, UINT32_MAX);
    pass_u32(wire, &phase, PHASES - 1);
    pass_u32(wire, &outcome, OUTCOMES - 1);
    pass_u32(wire, &report->heard_lanes, UINT32_MAX);
    pass_u32(wire, &report->acknowledged_lanes, UINT32_MAX);
    pass_u32(wire, &report->iteration, NODE_NUMBER_MAX);
    pass_u32(wire, &report->step, 2 * RANKS_MAX);
    pass_u32(wire, &stuck, STUCK_SIDES - 1);
    pass_u32(wire, &report->peer, RANKS_MAX - 1);
    pass_u32(wire, &report->wrong_count, NODE_NUMBER_MAX);
    pass_u32(wire, &report->wrong_peer, RANKS_MAX - 1);
    pass_u32(wire, &report->wrong_iteration, NODE_NUMBER_MAX);
    pass_u32(wire, &report->wrong_step, 2 * RANKS_MAX);
    pass_u64(wire, &report->best_ns);
    pass_u64(wire, &report->total_ns);
    for (size_t i = 0; i < LANES_MAX; i++) {
        pass_u32(wire, &report->mbps[i], UINT32_MAX);
    }
    pass_u32(wire, &report->waited_percent, PERCENT);
    for (size_t i = 0; i < COUNTER_COUNT; i++) {
        pass_u64(wire, &report->counters[i]);
    }
    pass_string(wire, report->reason, sizeof report->reason);
    report->phase = (Phase)phase;
    report->outcome = (Outcome)outcome;
    report->stuck = (Stuck)stuck;
}

static void pass_body(Wire *wire, Message *message) {
    switch (message->kind) {
    case MESSAGE_JOIN:
        pass_join(wire, &message->as.join);
        break;
    case MESSAGE_LANE:
        pass_lane(wire, &message->as.lane);
        break;
    case MESSAGE_GO:
        pass_go(wire, &message->as.go);
        break;
    case MESSAGE_DONE:
    case MESSAGE_REPORT:
        pass_report(wire, &message->as.report);
        break;
    case MESSAGE_REFUSE:
    case MESSAGE_PIECE:
        pass_string(wire, message->as.text, sizeof message->as.text);
        break;
    case MESSAGE_END:
        pass_u32(wire, &message->as.exit_code, UINT8_MAX);
        break;
    case MESSAGE_BEAT:
    case MESSAGE_STOP:
    case MESSAGE_KINDS:
        break;
    }
}

static void pass_message(Wire *wire, Message *message) {
    uint32_t version = MESSAGE_VERSION;
    uint32_t kind = (uint32_t)message->kind;
    pass_u32(wire, &version, UINT32_MAX);
    pass_u32(wire, &kind, MESSAGE_KINDS - 1);
    pass_bytes(wire, message->token.bytes, TOKEN_BYTES);
    pass_u32(wire, &message->rank, RANKS_MAX - 1);
    wire->is_bad |= version != MESSAGE_VERSION;
    if (!wire->is_bad) {
        message->kind = (MessageKind)kind;
        pass_body(wire, message);
    }
}

void message_encode(const Message *message, uint8_t bytes[MESSAGE_BYTES]) {
    Message copy = *message;
    memset(bytes, 0, MESSAGE_BYTES);
    memcpy(bytes, MAGIC, sizeof MAGIC);
    Wire wire = { .out = bytes, .at = sizeof MAGIC };
    pass_message(&wire, &copy);
    assert(!wire.is_bad);
}

bool message_decode(const uint8_t bytes[MESSAGE_BYTES], Message *message) {
    *message = (Message){ 0 };
    if (memcmp(bytes, MAGIC, sizeof MAGIC) != 0) {
        return false;
    }
    Wire wire = { .in = bytes, .at = sizeof MAGIC };
    pass_message(&wire, message);
    for (size_t i = wire.at; i < MESSAGE_BYTES; i++) {
        wire.is_bad |= bytes[i] != 0;
    }
    return !wire.is_bad;
}

Token token_of(const char *job) {
    // FNV-1a, twice from different beginnings: names of jobs differ in few digits, and no one has to be kept from
    // finding two that collide.
    uint64_t halves[2] = { 0xcbf29ce484222325U, 0x84222325cbf29ce4U };
    for (size_t i = 0; i < 2; i++) {
        for (const char *byte = job; *byte != '\0'; byte++) {
            halves[i] = (halves[i] ^ (uint8_t)*byte) * 0x100000001b3U;
        }
    }
    Token token = { 0 };
    Wire wire = { .out = token.bytes };
    pass_u64(&wire, &halves[0]);
    pass_u64(&wire, &halves[1]);
    return token;
}

bool token_equal(const Token *a, const Token *b) {
    return memcmp(a->bytes, b->bytes, TOKEN_BYTES) == 0;
}
