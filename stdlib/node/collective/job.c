// Finds out which rank of which job this process is. What a command line says wins over what an orchestrator's
// environment says, and both over the record, so that a person can repeat by hand what a job did.
#include "stdlib/node/collective/job.h"

#include "stdlib/node/collective/number.h"
#include "stdlib/node/collective/record.h"
#include "stdlib/node/collective/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BYTES_DEFAULT = 64 << 20,
    BYTES_MIN = 4096,
    BYTES_MAX = 1 << 30,
    ITERATIONS_DEFAULT = 20,
    ITERATIONS_MAX = 1000000,
    OP_S_DEFAULT = 5,
    OP_S_MAX = 600,
    RENDEZVOUS_S_DEFAULT = 120,
    RENDEZVOUS_S_MAX = 3600,
    GBPS_MAX = 100000,
    PORT_MAX = 65535,
    GPU_MAX = ALL_DEVICES - 1,
    TOKEN_NAME_BYTES = 256,
};

typedef const char *(*Get)(const char *);

// What only the reading needs.
typedef struct Draft {
    Job *job;
    const char *hosts;
    const char *phases;
    const char *token;
    bool has_rank, has_n;
    Get get;
    char *reason;
    size_t reason_size;
} Draft;

static bool refuse(Draft *draft, const char *what, const char *value) {
    text_into(draft->reason, draft->reason_size, "%s: %s", what, value);
    return false;
}

// ---- options

typedef enum OptionKind { OPTION_TEXT, OPTION_NUMBER } OptionKind;

typedef struct Option {
    const char *name;
    OptionKind kind;
    void *place; // const char * or uint32_t
    uint32_t least, most;
    bool *is_given; // may be NULL
} Option;

static bool take_option(Draft *draft, const Option *option, const char *value) {
    if (option->is_given != NULL) {
        *option->is_given = true;
    }
    if (option->kind == OPTION_TEXT) {
        *(const char **)option->place = value;
        return true;
    }
    uint32_t number = 0;
    if (!number_read(value, strlen(value), option->most, &number) || number < option->least) {
        text_into(draft->reason, draft->reason_size, "%s takes a number from %u to %u, not %s", option->name,
                  option->least, option->most, value);
        return false;
    }
    *(uint32_t *)option->place = number;
    return true;
}

static bool take_options(Draft *draft, const Option *options, size_t count, int argc, char **argv) {
    for (int i = 0; i < argc; i += 2) {
        size_t k = 0;
        while (k < count && strcmp(options[k].name, argv[i]) != 0) {
            k++;
        }
        if (k == count) {
            return refuse(draft, "no such option", argv[i]);
        }
        if (i + 1 == argc) {
            return refuse(draft, "takes a value", argv[i]);
        }
        if (!take_option(draft, &options[k], argv[i + 1])) {
            return false;
        }
    }
    return true;
}

// ---- environments

static bool get_number(Draft *draft, const char *name, uint32_t most, uint32_t *number) {
    const char *value = draft->get(name);
    if (value == NULL) {
        return false;
    }
    if (!number_read(value, strlen(value), most, number)) {
        text_into(draft->reason, draft->reason_size, "%s: %s, which is not a number from 0 to %u", name, value, most);
        return false;
    }
    return true;
}

// A number or a span, the first of it, after `[`; then what follows `]`.
static const char *first_of_brackets(const char *at, Text *text) {
    while (*at >= '0' && *at <= '9') {
        text_put(text, "%c", *at++);
    }
    const char *close = strchr(at, ']');
    return close == NULL || (*at != '-' && *at != ',' && *at != ']') ? NULL : close + 1;
}

bool job_first_host(const char *list, char *host, size_t size) {
    Text text = { .data = host, .size = size };
    host[0] = '\0';
    for (const char *at = list; *at != '\0' && *at != ',';) {
        if (*at == '[') {
            at = first_of_brackets(at + 1, &text);
            if (at == NULL) {
                return false;
            }
        } else if (*at <= ' ' || *at > '~' || *at == ']') {
            return false;
        } else {
            text_put(&text, "%c", *at++);
        }
    }
    return text.len > 0 && !text.is_cut;
}

static bool take_slurm(Draft *draft) {
    Job *job = draft->job;
    uint32_t tasks = 0;
    uint32_t nodes = 0;
    const char *list = draft->get("SLURM_STEP_NODELIST");
    list = list != NULL ? list : draft->get("SLURM_JOB_NODELIST");
    if (!get_number(draft, "SLURM_PROCID", RANKS_MAX - 1, &job->rank) ||
        !get_number(draft, "SLURM_NTASKS", RANKS_MAX, &tasks)) {
        return draft->reason[0] != '\0' ? false : refuse(draft, "SLURM_NTASKS", "not set");
    }
    if (get_number(draft, "SLURM_STEP_NUM_NODES", RANKS_MAX, &nodes) && nodes != tasks) {
        return refuse(draft, "one task on each node is needed", "srun --ntasks-per-node=1");
    }
    job->n = tasks;
    draft->has_rank = draft->has_n = true;
    if (job->leader[0] == '\0' && (list == NULL || !job_first_host(list, job->leader, sizeof job->leader))) {
        return refuse(draft, "SLURM_STEP_NODELIST", list == NULL ? "not set" : list);
    }
    return draft->reason[0] == '\0';
}

// A multi-node job has no list of hosts, and the main node is not told its own address.
static bool take_batch(Draft *draft) {
    Job *job = draft->job;
    const char *leader = draft->get("AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS");
    if (!get_number(draft, "AWS_BATCH_JOB_NODE_INDEX", RANKS_MAX - 1, &job->rank) ||
        !get_number(draft, "AWS_BATCH_JOB_NUM_NODES", RANKS_MAX, &job->n)) {
        return draft->reason[0] != '\0' ? false : refuse(draft, "AWS_BATCH_JOB_NUM_NODES", "not set");
    }
    (void)get_number(draft, "AWS_BATCH_JOB_MAIN_NODE_INDEX", RANKS_MAX - 1, &job->leader_rank);
    draft->has_rank = draft->has_n = true;
    if (leader != NULL && job->leader[0] == '\0') {
        text_into(job->leader, sizeof job->leader, "%s", leader);
    }
    return draft->reason[0] == '\0';
}

static bool take_environment(Draft *draft) {
    if (draft->has_rank) {
        return true;
    }
    if (draft->get("AWS_BATCH_JOB_NODE_INDEX") != NULL) {
        return take_batch(draft);
    }
    if (draft->get("SLURM_PROCID") != NULL) {
        return take_slurm(draft);
    }
    draft->has_rank = get_number(draft, "JOB_COMPLETION_INDEX", RANKS_MAX - 1, &draft->job->rank);
    return draft->reason[0] == '\0';
}

// Jobs are told apart by their names. Batch gives each node of one its own: ID#INDEX.
static Token find_token(const Draft *draft) {
    static const char *const NAMES[] = { "DTC_JOB_TOKEN", "AWS_BATCH_JOB_ID", "SLURM_JOB_ID", "JOB_NAME" };
    const char *name = draft->token;
    for (size_t i = 0; name == NULL && i < sizeof NAMES / sizeof NAMES[0]; i++) {
        name = draft->get(NAMES[i]);
    }
    char shared[TOKEN_NAME_BYTES];
    text_into(shared, sizeof shared, "%s", name == NULL ? "" : name);
    shared[strcspn(shared, "#")] = '\0';
    return token_of(shared);
}

// ---- hosts, leader, phases

static bool is_me(const Job *job, const char *host, size_t len) {
    const size_t own = strcspn(job->host, ".");
    return (strlen(job->host) == len && memcmp(job->host, host, len) == 0) ||
           (own <= len && memcmp(job->host, host, own) == 0 && (own == len || host[own] == '.'));
}

static bool take_hosts(Draft *draft) {
    Job *job = draft->job;
    uint32_t count = 0;
    for (const char *at = draft->hosts; at != NULL; count++) {
        const size_t len = strcspn(at, ",");
        if (len == 0 || len >= sizeof job->leader || count == RANKS_MAX) {
            return refuse(draft, "--hosts takes up to 64 names, with commas", draft->hosts);
        }
        if (count == 0 && job->leader[0] == '\0') {
            text_into(job->leader, sizeof job->leader, "%.*s", (int)len, at);
        }
        if (!draft->has_rank && is_me(job, at, len)) {
            job->rank = count;
            draft->has_rank = true;
        }
        at = at[len] == ',' ? at + len + 1 : NULL;
    }
    job->n = count;
    draft->has_n = true;
    return draft->has_rank || refuse(draft, "this host is not among --hosts, and there is no --rank", job->host);
}

// HOST, HOST:PORT or [ADDRESS]:PORT; an IPv6 address without brackets is a host.
static bool split_leader(Draft *draft) {
    Job *job = draft->job;
    char *colon = strrchr(job->leader, ':');
    const bool is_bracketed = job->leader[0] == '[';
    const bool is_single = colon != NULL && strchr(job->leader, ':') == colon;
    if (colon != NULL && (is_single || (is_bracketed && colon[-1] == ']'))) {
        uint32_t port = 0;
        if (!number_read(colon + 1, strlen(colon + 1), PORT_MAX, &port) || port == 0) {
            return refuse(draft, "not a port", colon + 1);
        }
        job->port = (uint16_t)port;
        *colon = '\0';
    }
    const size_t len = strlen(job->leader);
    if (is_bracketed && len > 2 && job->leader[len - 1] == ']') {
        memmove(job->leader, job->leader + 1, len - 2);
        job->leader[len - 2] = '\0';
    }
    return true;
}

static bool take_phases(Draft *draft) {
    static const char *const NAMES[PHASES] = {
        [PHASE_PING] = "ping",   [PHASE_LINK] = "links",    [PHASE_EXACT] = "exact",
        [PHASE_TIMED] = "timed", [PHASE_DEVICE] = "device",
    };
    draft->job->phases = 0;
    for (const char *at = draft->phases; at != NULL;) {
        const size_t len = strcspn(at, ",");
        uint32_t phase = 0;
        while (phase < PHASES && (strlen(NAMES[phase]) != len || memcmp(NAMES[phase], at, len) != 0)) {
            phase++;
        }
        if (phase == PHASES) {
            return refuse(draft, "phases are ping, links, exact, timed and device, not", at);
        }
        draft->job->phases |= UINT32_C(1) << phase;
        at = at[len] == ',' ? at + len + 1 : NULL;
    }
    return true;
}

static int take_record(Draft *draft) {
    const bool is_read = record_load(draft->job->record, draft->job, draft->reason, draft->reason_size);
    return is_read ? NODE_EXIT_PASS : NODE_EXIT_RECORD;
}

static bool is_whole(Draft *draft) {
    const Job *job = draft->job;
    if (!draft->has_rank || !draft->has_n) {
        return refuse(draft, "which rank of how many is this", "say --rank and --n, or --hosts");
    }
    if (job->n < 2 || job->rank >= job->n || job->leader_rank >= job->n) {
        return refuse(draft, "a collective takes 2 to 64 ranks, each below their number", "see --rank and --n");
    }
    if (job->leader[0] == '\0' && job->rank != job->leader_rank) {
        return refuse(draft, "who leads", "say --leader");
    }
    if (((job->phases >> PHASE_DEVICE & 1) != 0) != (job->device >= 0) ||
        (job->device >= 0 && (job->phases & (1U << PHASE_EXACT | 1U << PHASE_TIMED)) != 0)) {
        return refuse(draft, "--gpu goes with the phases ping, links and device, and device with --gpu", "");
    }
    return true;
}

// The bounds of the options: a record has others.
static bool are_in_bounds(const Job *job) {
    return job->bytes >= BYTES_MIN && job->bytes <= BYTES_MAX && job->iterations > 0 &&
           job->iterations <= ITERATIONS_MAX && job->op_s > 0 && job->op_s <= OP_S_MAX && job->rendezvous_s > 0 &&
           job->rendezvous_s <= RENDEZVOUS_S_MAX && job->link_floor_gbps <= GBPS_MAX && job->link_warn_gbps <= GBPS_MAX;
}

static bool take_gpu(Draft *draft, const char *gpu) {
    uint32_t number = ALL_DEVICES;
    if (gpu == NULL) {
        return true;
    }
    if (strcmp(gpu, "all") != 0 && !number_read(gpu, strlen(gpu), GPU_MAX, &number)) {
        return refuse(draft, "--gpu takes a number from 0 to 63, or all, not", gpu);
    }
    draft->job->device = (int)number;
    return true;
}

// Options that stand over the record are read twice: first to find the record, then over what it said.
static int read_in_order(Draft *draft, const Option *options, size_t count, int argc, char **argv) {
    Job *job = draft->job;
    if (!take_options(draft, options, count, argc, argv)) {
        return NODE_EXIT_USAGE;
    }
    if (job->record != NULL) {
        const int status = take_record(draft);
        if (status != NODE_EXIT_PASS) {
            return status;
        }
        if (!are_in_bounds(job)) {
            refuse(draft, "a number of coll.* is out of bounds", job->record);
            return NODE_EXIT_RECORD;
        }
        (void)take_options(draft, options, count, argc, argv);
    }
    return NODE_EXIT_PASS;
}

int job_read(Job *job, JobSource source, int argc, char **argv, Get get, char *reason, size_t reason_size) {
    Draft draft = { .job = job, .get = get, .reason = reason, .reason_size = reason_size };
    *job = (Job){ .port = NODE_PEER_PORT,
                  .root = "",
                  .provider = "efa",
                  .lanes_max = LANES_MAX,
                  .device = -1,
                  .bytes = BYTES_DEFAULT,
                  .iterations = ITERATIONS_DEFAULT,
                  .op_s = OP_S_DEFAULT,
                  .rendezvous_s = RENDEZVOUS_S_DEFAULT };
    reason[0] = '\0';
    const char *gpu = NULL;
    const char *leader = NULL;
    const char *host = NULL;
    const Option options[] = {
        { "--rank", OPTION_NUMBER, &job->rank, 0, RANKS_MAX - 1, &draft.has_rank },
        { "--n", OPTION_NUMBER, &job->n, 2, RANKS_MAX, &draft.has_n },
        { "--leader", OPTION_TEXT, &leader, 0, 0, NULL },
        { "--hosts", OPTION_TEXT, &draft.hosts, 0, 0, NULL },
        { "--host", OPTION_TEXT, &host, 0, 0, NULL },
        { "--token", OPTION_TEXT, &draft.token, 0, 0, NULL },
        { "--phases", OPTION_TEXT, &draft.phases, 0, 0, NULL },
        { "--expect", OPTION_TEXT, &job->record, 0, 0, NULL },
        { "--root", OPTION_TEXT, &job->root, 0, 0, NULL },
        { "--verdict", OPTION_TEXT, &job->verdict_path, 0, 0, NULL },
        { "--libfabric", OPTION_TEXT, &job->library, 0, 0, NULL },
        { "--provider", OPTION_TEXT, &job->provider, 0, 0, NULL },
        { "--domain", OPTION_TEXT, &job->domain, 0, 0, NULL },
        { "--interfaces", OPTION_NUMBER, &job->lanes_max, 1, LANES_MAX, NULL },
        { "--gpu", OPTION_TEXT, &gpu, 0, 0, NULL },
        { "--bytes", OPTION_NUMBER, &job->bytes, BYTES_MIN, BYTES_MAX, NULL },
        { "--iters", OPTION_NUMBER, &job->iterations, 1, ITERATIONS_MAX, NULL },
        { "--op-s", OPTION_NUMBER, &job->op_s, 1, OP_S_MAX, NULL },
        { "--rdv-s", OPTION_NUMBER, &job->rendezvous_s, 1, RENDEZVOUS_S_MAX, NULL },
        { "--link-gbps", OPTION_NUMBER, &job->link_floor_gbps, 0, GBPS_MAX, NULL },
        { "--warn-link-gbps", OPTION_NUMBER, &job->link_warn_gbps, 0, GBPS_MAX, NULL },
        { "--bus-gbps", OPTION_NUMBER, &job->bus_floor_gbps, 0, GBPS_MAX, NULL },
    };
    const int status = read_in_order(&draft, options, sizeof options / sizeof options[0], argc, argv);
    if (status != NODE_EXIT_PASS) {
        return status;
    }
    if (!take_gpu(&draft, gpu)) {
        return NODE_EXIT_USAGE;
    }
    if (draft.phases == NULL) {
        draft.phases = source == JOB_PING ? "ping" : job->device >= 0 ? "ping,links,device" : "ping,links,exact,timed";
    }
    text_into(job->leader, sizeof job->leader, "%s", leader == NULL ? "" : leader);
    char name[HOST_BYTES] = "";
    (void)gethostname(name, sizeof name - 1);
    text_into(job->host, sizeof job->host, "%s", host == NULL ? name : host);
    const bool is_read = take_phases(&draft) && (draft.hosts == NULL || take_hosts(&draft)) &&
                         take_environment(&draft) && split_leader(&draft) && is_whole(&draft);
    job->token = find_token(&draft);
    return is_read ? NODE_EXIT_PASS : NODE_EXIT_USAGE;
}
