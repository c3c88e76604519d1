// The rank's side of a collective. All that the leader says goes through one function, which only notes it; what
// follows from it is decided in one loop, so that a message may come between two steps as well as within one.
#include "stdlib/node/collective/member.h"

#include "stdlib/node/collective/clock.h"
#include "stdlib/node/collective/counters.h"
#include "stdlib/node/collective/memlock.h"
#include "stdlib/node/collective/outcome.h"
#include "stdlib/node/collective/signals.h"
#include "stdlib/node/collective/step.h"
#include "stdlib/node/collective/wire.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    CONNECT_MS = 2000,
    RETRY_MS = 200,
    IDLE_MS = 20, // between two looks at the fabric while there is nothing to do
    // The leader beats twice a second and waits at most WIRE_SEND_MS for one who does not read.
    SILENCE_MS = 6000,
};

typedef struct Member {
    const Job *job;
    Inbox inbox;
    Fabric *fabric; // NULL: it could not be opened
    Worker worker;
    Report report;                    // of the last step
    uint64_t counters[COUNTER_COUNT]; // before the first one
    uint32_t memlock_mib;             // before anything was locked
    uint32_t gpu_count;               // whose memory is used
    uint64_t heard_ns;
    bool is_lost, is_stopped, has_reported, has_ended;
    bool is_told;          // by a signal, to end
    bool is_misconfigured; // why there is no leader for it
    bool has_go;
    Go go;
    Text *verdict;
    uint32_t exit_code;
    char reason[REASON_BYTES];
} Member;

static void take(Member *member, const Message *message) {
    member->heard_ns = clock_ns();
    switch (message->kind) {
    case MESSAGE_GO:
        member->has_go = true;
        member->go = message->as.go;
        break;
    case MESSAGE_STOP:
        member->is_stopped = true;
        break;
    case MESSAGE_LANE:
        // A refused address shows as a ping that is not answered, with this peer's name on it.
        if (member->fabric != NULL) {
            (void)fabric_add_peer(member->fabric, &message->as.lane);
        }
        break;
    case MESSAGE_PIECE:
        text_put(member->verdict, "%s", message->as.text);
        break;
    case MESSAGE_END:
        member->has_ended = true;
        member->exit_code = message->as.exit_code;
        break;
    case MESSAGE_REFUSE:
        text_into(member->reason, sizeof member->reason, "refused: %.140s", message->as.text);
        member->is_misconfigured = strcmp(message->as.text, REFUSED_LATE) != 0;
        break;
    case MESSAGE_BEAT:
    case MESSAGE_JOIN:
    case MESSAGE_DONE:
    case MESSAGE_REPORT:
    case MESSAGE_KINDS:
        break;
    }
}

// Takes all that has arrived.
static void drain(Member *member) {
    Message message;
    Received received = RECEIVED_MESSAGE;
    while (!member->is_lost && !member->has_ended && received == RECEIVED_MESSAGE) {
        received = inbox_take(&member->inbox, &message);
        if (received == RECEIVED_MESSAGE && token_equal(&message.token, &member->job->token)) {
            take(member, &message);
        } else if (received == RECEIVED_MESSAGE && message.kind == MESSAGE_REFUSE) {
            text_into(member->reason, sizeof member->reason, "refused: it leads another job, or has another token");
            member->is_misconfigured = true;
        } else if (received == RECEIVED_END || received == RECEIVED_NONSENSE) {
            member->is_lost = true;
        }
    }
    if (clock_ns() - member->heard_ns > (uint64_t)SILENCE_MS * NS_PER_MS) {
        member->is_lost = true;
    }
    member->is_told |= signals_have_come();
}

static bool is_at_end(const Member *member) {
    return member->is_lost || member->is_told || member->has_ended;
}

static bool is_over(void *context) {
    Member *member = context;
    drain(member);
    return is_at_end(member) || member->is_stopped;
}

static void hang_up(Member *member) {
    if (member->inbox.fd >= 0) {
        close(member->inbox.fd);
    }
    member->inbox.fd = -1;
}

static bool say(Member *member, Message *message) {
    message->token = member->job->token;
    message->rank = member->job->rank;
    const bool is_sent = wire_send(member->inbox.fd, message);
    member->is_lost |= !is_sent;
    return is_sent;
}

// ---- joining

static bool join(Member *member) {
    const Job *job = member->job;
    Message message = { .kind = MESSAGE_JOIN,
                        .as.join = { .n = job->n,
                                     .memlock_mib = member->memlock_mib,
                                     .gpu_count = member->gpu_count,
                                     .lane_count = member->fabric == NULL ? 0 : fabric_lane_count(member->fabric) } };
    text_into(message.as.join.host, HOST_BYTES, "%s", job->host);
    text_into(message.as.join.provider, PROVIDER_BYTES, "%s",
              member->fabric == NULL ? job->provider : fabric_provider(member->fabric));
    text_into(message.as.join.reason, REASON_BYTES, "%s", member->reason);
    bool is_sent = say(member, &message);
    for (uint32_t i = 0; is_sent && member->fabric != NULL && i < fabric_lane_count(member->fabric); i++) {
        Message lane = { .kind = MESSAGE_LANE };
        fabric_address(member->fabric, i, &lane.as.lane);
        lane.as.lane.rank = job->rank;
        is_sent = say(member, &lane);
    }
    return is_sent;
}

static bool is_first_word(Member *member) {
    const uint64_t deadline = clock_ns() + (uint64_t)SILENCE_MS * NS_PER_MS;
    const uint64_t before = member->heard_ns;
    while (clock_ns() < deadline && !is_at_end(member) && member->heard_ns == before && member->reason[0] == '\0') {
        struct pollfd waited = { .fd = member->inbox.fd, .events = POLLIN };
        (void)poll(&waited, 1, IDLE_MS);
        drain(member);
    }
    return !is_at_end(member) && member->reason[0] == '\0';
}

// Until the time for the rendezvous is over: the leader's node may be up last, and its port may still be that of the
// job before.
static bool rendezvous(Member *member) {
    const Job *job = member->job;
    const uint64_t deadline = clock_ns() + (uint64_t)job->rendezvous_s * NS_PER_S;
    char own_reason[REASON_BYTES];
    text_into(own_reason, sizeof own_reason, "%s", member->reason);
    // By number: a container may have no name for itself.
    const char *leader = job->rank == job->leader_rank ? "127.0.0.1" : job->leader;
    char failure[REASON_BYTES] = "";
    char refusal[REASON_BYTES] = "";
    do {
        member->inbox = (Inbox){ .fd = wire_connect(leader, job->port, CONNECT_MS, failure, sizeof failure) };
        member->is_misconfigured = member->inbox.fd == WIRE_NO_NAME;
        member->is_lost = false;
        member->heard_ns = clock_ns();
        if (member->inbox.fd >= 0) {
            text_into(member->reason, sizeof member->reason, "%s", own_reason);
            const bool is_sent = join(member);
            member->reason[0] = '\0';
            if (is_sent && is_first_word(member)) {
                return true;
            }
            text_into(failure, sizeof failure, "%s", member->reason[0] != '\0' ? member->reason : "it hung up");
            if (member->is_misconfigured) {
                text_into(refusal, sizeof refusal, "%s", failure);
            }
            hang_up(member);
        }
        nanosleep(&(struct timespec){ .tv_nsec = RETRY_MS * NS_PER_MS }, NULL);
        member->is_told |= signals_have_come();
    } while (clock_ns() < deadline && !member->is_told);
    // One that refused it is gone when its own time is over: that it did is the reason all the same.
    member->is_misconfigured |= refusal[0] != '\0';
    text_into(member->reason, sizeof member->reason, "no leader: %.140s", refusal[0] != '\0' ? refusal : failure);
    member->is_lost = true;
    return false;
}

// ---- working

static void report(Member *member, MessageKind kind) {
    Message message = { .kind = kind, .as.report = member->report };
    uint64_t now[COUNTER_COUNT];
    counters_read(member->job->root, now);
    for (size_t i = 0; i < COUNTER_COUNT; i++) {
        // A device that went away takes its count with it.
        message.as.report.counters[i] = now[i] > member->counters[i] ? now[i] - member->counters[i] : 0;
    }
    (void)say(member, &message);
}

static void work(Member *member) {
    while (!is_at_end(member)) {
        drain(member);
        if (member->has_go && !member->is_stopped) {
            member->has_go = false;
            step_perform(&member->worker, &member->go, &member->report);
            if (!member->is_stopped && !is_at_end(member)) {
                report(member, MESSAGE_DONE);
            }
        } else if (member->is_stopped && !member->has_reported) {
            member->has_reported = true;
            report(member, MESSAGE_REPORT);
        } else if (!is_at_end(member)) {
            struct pollfd waited = { .fd = member->inbox.fd, .events = POLLIN };
            (void)poll(&waited, 1, IDLE_MS);
            if (member->fabric != NULL) {
                fabric_progress(member->fabric);
            }
        }
    }
}

// Takes memory of each GPU that is wanted. False, with a reason, where one gives none.
static bool open_devices(Member *member, FabricOptions *options) {
    const Job *job = member->job;
    const bool is_all = job->device == ALL_DEVICES;
    uint32_t count = is_all ? device_count(member->reason, sizeof member->reason) : 1;
    count = count < DEVICES_MAX ? count : DEVICES_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const int number = is_all ? (int)i : job->device;
        Device *device = device_open(number, options->bytes, member->reason, sizeof member->reason);
        if (device == NULL) {
            return false;
        }
        member->worker.devices[i] = device;
        options->gpus[i] = (FabricGpu){ .memory = device_memory(device), .number = number, .bus = device_bus(device) };
    }
    options->gpu_count = count;
    member->worker.scratch = malloc(job->bytes);
    if (count > 0 && member->worker.scratch == NULL) {
        text_into(member->reason, sizeof member->reason, "no memory");
    }
    return count > 0 && member->worker.scratch != NULL;
}

static void open_fabric(Member *member) {
    const Job *job = member->job;
    FabricOptions options = {
        .library = job->library,
        .provider = job->provider,
        .domain = job->domain,
        .lanes_max = job->lanes_max,
        .bytes = step_memory_bytes(job->bytes, job->n),
        .root = job->root,
    };
    if (job->device >= 0 && !open_devices(member, &options)) {
        return;
    }
    member->gpu_count = options.gpu_count;
    member->fabric = fabric_open(&options, member->reason, sizeof member->reason);
    if (member->fabric == NULL && member->memlock_mib != MEMLOCK_NO_LIMIT) {
        char reason[REASON_BYTES];
        text_into(reason, sizeof reason, "%s", member->reason);
        text_into(member->reason, sizeof member->reason, "%.120s; it may lock %u MiB", reason, member->memlock_mib);
    }
}

int member_run(const Job *job, Text *verdict) {
    Member member = { .job = job, .verdict = verdict, .exit_code = NODE_EXIT_LOST };
    member.memlock_mib = memlock_raise();
    open_fabric(&member);
    member.worker.fabric = member.fabric;
    member.worker.rank = job->rank;
    member.worker.n = job->n;
    member.worker.bytes = job->bytes;
    member.worker.op_ns = (uint64_t)job->op_s * NS_PER_S;
    member.worker.is_stopped = is_over;
    member.worker.context = &member;
    counters_read(job->root, member.counters);
    if (rendezvous(&member)) {
        work(&member);
    }
    // Before the leader is waited for: who hangs up is missed at once.
    hang_up(&member);
    if (member.has_ended) {
        return (int)member.exit_code;
    }
    const char *reason = member.reason[0] != '\0' ? member.reason : "the leader was lost";
    verdict->len = 0;
    outcome_write_lost(verdict, job, member.is_told ? "told to end by a signal" : reason);
    return member.is_told ? NODE_EXIT_OTHER : member.is_misconfigured ? NODE_EXIT_USAGE : NODE_EXIT_LOST;
}
