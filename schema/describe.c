// What EC2's DescribeInstanceTypes answers to rows. EC2 adds fields each year, so that an unknown key is skipped. What
// EC2 leaves out is UNKNOWN. Devices are the exception: EC2 lists those of a type, so that a type without a list has
// none. Field names: EC2 API Reference, InstanceTypeInfo, 2026-11.
#include "schema/describe.h"

#include "compiler/base/session.h"

// One type while it is read.
typedef struct {
    Session *session;
    Str name;
    InstanceRow *row;
    bool knows_cards;
} Reader;

static const char *kind_name(DataKind kind) {
    switch (kind) {
    case DATA_NULL:
        return "null";
    case DATA_BOOL:
        return "true or false";
    case DATA_INT:
        return "a whole number";
    case DATA_REAL:
        return "a number";
    case DATA_STRING:
        return "a text";
    case DATA_LIST:
        return "a list";
    case DATA_MAP:
        return "an object";
    }
    assert(false);
    return "";
}

static void fault(const Reader *reader, Span span, const char *key, const char *wanted) {
    report(reader->session, span, DIAG(described_field), key, STR_ARG(reader->name), wanted);
}

// The value of a key; NULL where it is absent or null, and where it is of another kind, which is reported.
static const Data *get(const Reader *reader, const Data *map, const char *key, DataKind kind) {
    const Data *value = data_get(map, key);
    if (value == NULL || value->kind == DATA_NULL || value->kind == kind) {
        return value == NULL || value->kind == DATA_NULL ? NULL : value;
    }
    fault(reader, value->span, key, kind_name(kind));
    return NULL;
}

// UNKNOWN where it is absent, and where it is out of bounds, which is reported.
static int64_t get_int(const Reader *reader, const Data *map, const char *key, int64_t least, int64_t most) {
    const Data *value = get(reader, map, key, DATA_INT);
    if (value == NULL) {
        return UNKNOWN;
    }
    if (value->integer < least || value->integer > most) {
        const Str wanted =
            str_format(reader->session->arena, "a whole number from %" PRId64 " to %" PRId64, least, most);
        fault(reader, value->span, key, str_c(reader->session->arena, wanted));
        return UNKNOWN;
    }
    return value->integer;
}

static int get_count(const Reader *reader, const Data *map, const char *key, int most) {
    return (int)get_int(reader, map, key, 0, most);
}

static const char *get_text(const Reader *reader, const Data *map, const char *key) {
    const Data *value = get(reader, map, key, DATA_STRING);
    return value == NULL ? NULL : str_c(reader->session->arena, value->string);
}

// Whether a list of texts has one; UNKNOWN where there is no list.
static int list_has(const Data *list, const char *word) {
    if (list == NULL) {
        return UNKNOWN;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i]->kind == DATA_STRING && str_is(list->items[i]->string, word)) {
            return 1;
        }
    }
    return 0;
}

// A row writes it without quotes.
static const char *get_name(const Reader *reader, const Data *map, const char *key) {
    const Data *value = get(reader, map, key, DATA_STRING);
    const Str text = value == NULL ? STR_NONE : value->string;
    bool is_right = value == NULL || (text.len > 0 && str_equal(text, str_trim(text)));
    for (size_t i = 0; i < text.len; i++) {
        is_right = is_right && text.data[i] >= ' ' && strchr("\"#&'*,:[]`{|}\\", text.data[i]) == NULL;
    }
    if (!is_right) {
        fault(reader, value->span, key, "a name of letters, digits, blanks and hyphens");
        return NULL;
    }
    return value == NULL ? NULL : str_c(reader->session->arena, text);
}

static void read_processor(Reader *reader, const Data *type) {
    enum { VCPUS_MOST = 100000 };
    InstanceRow *row = reader->row;
    const Data *vcpus = get(reader, type, "VCpuInfo", DATA_MAP);
    row->vcpus = (int)get_int(reader, vcpus, "DefaultVCpus", 1, VCPUS_MOST);
    row->cores = (int)get_int(reader, vcpus, "DefaultCores", 1, VCPUS_MOST);
    row->threads_per_core = (int)get_int(reader, vcpus, "DefaultThreadsPerCore", 1, 8);
    if (row->vcpus != UNKNOWN && row->cores != UNKNOWN && row->threads_per_core != UNKNOWN &&
        row->vcpus != row->cores * row->threads_per_core) {
        const Str wanted = str_format(reader->session->arena, "%d, as many as cores with their threads",
                                      row->cores * row->threads_per_core);
        fault(reader, data_get(vcpus, "DefaultVCpus")->span, "DefaultVCpus", str_c(reader->session->arena, wanted));
    }
    row->memory_mib = get_int(reader, get(reader, type, "MemoryInfo", DATA_MAP), "SizeInMiB", 1, INT64_C(1) << 30);
    const Data *processor = get(reader, type, "ProcessorInfo", DATA_MAP);
    const Data *architectures = get(reader, processor, "SupportedArchitectures", DATA_LIST);
    row->architecture = list_has(architectures, "x86_64") == 1  ? ARCHITECTURE_X86_64
                        : list_has(architectures, "arm64") == 1 ? ARCHITECTURE_ARM64
                                                                : ARCHITECTURE_UNKNOWN;
}

// ---- accelerators ----------------------------------------------------------------------------------------------

// Where EC2 lists devices, by what they are for. Neuron devices stand first: older ones are listed as inference
// accelerators, too.
typedef struct {
    const char *info;
    const char *devices;
} DeviceList;

static const DeviceList DEVICE_LISTS[] = {
    { "NeuronInfo", "NeuronDevices" },
    { "GpuInfo", "Gpus" },
    { "InferenceAcceleratorInfo", "Accelerators" },
    { "FpgaInfo", "Fpgas" },
    { "MediaAcceleratorInfo", "Accelerators" },
};

// "1/8" of 0.125; NULL where it is no such part.
static const char *share_of(Str part) {
    static const struct {
        const char *part;
        const char *share;
    } SHARES[] = { { "0.5", "1/2" }, { "0.25", "1/4" }, { "0.125", "1/8" }, { "0.0625", "1/16" } };
    for (size_t i = 0; i < COUNT_OF(SHARES); i++) {
        if (str_is(part, SHARES[i].part)) {
            return SHARES[i].share;
        }
    }
    return NULL;
}

static void read_device(Reader *reader, const Data *device, bool is_neuron) {
    InstanceRow *row = reader->row;
    const char *vendor = is_neuron ? "AWS" : get_name(reader, device, "Manufacturer");
    row->accelerator_vendor = vendor == NULL ? "unknown" : vendor;
    row->accelerator = accelerator_kind(str_of(row->accelerator_vendor));
    row->accelerator_name = get_name(reader, device, "Name");
    row->accelerators = get_count(reader, device, "Count", 1000);
    const int64_t memory =
        get_int(reader, get(reader, device, "MemoryInfo", DATA_MAP), "SizeInMiB", 0, INT64_C(1) << 30);
    row->accelerator_memory_mib = memory == 0 ? UNKNOWN : memory;
    if (is_neuron) {
        row->neuron_cores = get_count(reader, get(reader, device, "CoreInfo", DATA_MAP), "Count", 1000);
    }
    if (row->accelerator_name == NULL) {
        row->accelerator_name = "device";
    }
    if (row->accelerators == 0) {
        const Data *part = data_get(device, "GpuPartitionSize");
        row->accelerator_share = part == NULL || part->kind != DATA_REAL ? NULL : share_of(part->string);
        row->accelerators = row->accelerator_share == NULL ? UNKNOWN : 0;
    }
}

// Of several kinds of devices beside each other none stands for all, so that nothing is said of them.
static void read_accelerator(Reader *reader, const Data *type) {
    for (size_t i = 0; i < COUNT_OF(DEVICE_LISTS); i++) {
        const Data *info = get(reader, type, DEVICE_LISTS[i].info, DATA_MAP);
        const Data *devices = get(reader, info, DEVICE_LISTS[i].devices, DATA_LIST);
        if (info == NULL) {
            continue;
        }
        if (devices != NULL && devices->count == 1 && devices->items[0]->kind == DATA_MAP) {
            read_device(reader, devices->items[0], i == 0);
        } else {
            reader->row->accelerators = UNKNOWN;
        }
        return;
    }
}

// ---- network ---------------------------------------------------------------------------------------------------

// The interfaces that EC2 says a card takes; 0 where it does not say. An `efa` interface is EFA and ENA in one. Of a
// secondary network dtc knows nothing, nor of kinds that are newer than it.
static unsigned takes_of(const Reader *reader, const Data *card) {
    static const struct {
        const char *word;
        unsigned takes;
    } KINDS[] = {
        { "interface", CARD_ENA },
        { "efa", CARD_ENA | CARD_EFA },
        { "efa-only", CARD_EFA },
    };
    const Data *types = get(reader, card, "InterfaceTypes", DATA_LIST);
    unsigned takes = 0;
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        takes |= list_has(types, KINDS[i].word) == 1 ? KINDS[i].takes : 0;
    }
    for (uint32_t i = 0; types != NULL && i < types->count; i++) {
        if (types->items[i]->kind != DATA_STRING) {
            fault(reader, types->items[i]->span, "InterfaceTypes", "a list of texts");
        }
    }
    return takes;
}

// Puts each listed card in its place. False where the list is no list of cards 0 … n - 1, which is reported.
static bool read_cards(const Reader *reader, const Data *list, Cards *cards) {
    *cards = (Cards){ 0 };
    if (list->count == 0 || list->count > CARDS_MAX) {
        const Str wanted = str_format(reader->session->arena, "a list of 1 to %d network cards", CARDS_MAX);
        fault(reader, list->span, "NetworkCards", str_c(reader->session->arena, wanted));
        return false;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        const Data *item = list->items[i];
        const int64_t number =
            item->kind == DATA_MAP ? get_count(reader, item, "NetworkCardIndex", CARDS_MAX) : UNKNOWN;
        if (number < 0 || number >= list->count || cards->items[number].is_set) {
            fault(reader, item->span, "NetworkCards", "a list of network cards that are numbered from 0 on, each once");
            return false;
        }
        cards->items[number] = (Card){ .is_set = true };
        cards->items[number].interfaces_max =
            (int)get_int(reader, item, "MaximumNetworkInterfaces", number == 0 ? 1 : 0, CARD_INTERFACES_MAX);
        cards->items[number].takes = takes_of(reader, item);
    }
    // Cards that take no interface are no cards to a launch: p6e-gb300r lists nine, and has interfaces on card 0 alone.
    cards->count = (int)list->count;
    while (cards->items[cards->count - 1].interfaces_max == 0) {
        cards->count--;
    }
    for (int i = 0; i < cards->count; i++) {
        if (cards->items[i].interfaces_max == 0) {
            fault(reader, list->span, "MaximumNetworkInterfaces", "1 or more before a card that has some");
            return false;
        }
    }
    return true;
}

// Whether EC2 said of each card which interfaces it takes.
static bool is_said(const Cards *cards) {
    for (int i = 0; i < cards->count; i++) {
        if (cards->items[i].takes == 0) {
            return false;
        }
    }
    return true;
}

// Card 0 has the address of the node, and each EFA interface is on a card that takes it.
static void check_said(const Reader *reader, Span span, const Cards *cards) {
    const int efa_max = reader->row->efa_max;
    int efa_cards = 0;
    for (int i = 0; i < cards->count; i++) {
        efa_cards += (cards->items[i].takes & CARD_EFA) != 0 ? 1 : 0;
    }
    if ((cards->items[0].takes & CARD_ENA) == 0) {
        fault(reader, span, "InterfaceTypes",
              "`interface` or `efa` on network card 0, which has the primary interface");
    }
    if (efa_max != UNKNOWN && (efa_max > efa_cards || (efa_max == 0 && efa_cards > 0))) {
        const Str wanted = str_format(reader->session->arena,
                                      "as many network cards with EFA as `NetworkInfo` says EFA interfaces: %d, not %d",
                                      efa_max, efa_cards);
        fault(reader, span, "InterfaceTypes", str_c(reader->session->arena, wanted));
    }
}

// Without `InterfaceTypes` EC2 says how many EFA interfaces a type has, and not on which cards. Every type with EFA
// that both know (2026-11) has one on each card, or on each but card 0. Then card 0 has only the node's address
// (p6-b300: 17 cards, 16 EFA).
static void place_efa(InstanceRow *row, Cards *cards) {
    const bool is_all = row->efa_max == cards->count;
    const bool is_all_but_first = row->efa_max != UNKNOWN && row->efa_max == cards->count - 1;
    for (int i = 0; i < cards->count; i++) {
        const bool has_efa = is_all || (is_all_but_first && i > 0);
        const unsigned takes = has_efa ? CARD_ENA | CARD_EFA : CARD_ENA;
        cards->items[i].takes = is_all || is_all_but_first || row->efa_max == 0 ? takes : 0;
    }
    if (is_all_but_first && row->efa_max > 0) {
        row->note = "EC2 does not say which network card is without EFA: that it is card 0 is taken from the number of "
                    "EFA interfaces, one fewer than the cards";
    }
}

// What all cards sustain together, in Mbps; UNKNOWN where one of them does not say.
static int sum_of_bandwidths(const Reader *reader, const Data *list) {
    int sum = 0;
    for (uint32_t i = 0; i < list->count && i < CARDS_MAX; i++) {
        const Data *value = data_get(list->items[i], "BaselineBandwidthInGbps");
        const bool is_number = value != NULL && (value->kind == DATA_INT || value->kind == DATA_REAL);
        const int mbps = is_number ? mbps_of(value->string) : UNKNOWN;
        if (value != NULL && value->kind != DATA_NULL && !is_number) {
            fault(reader, value->span, "BaselineBandwidthInGbps", kind_name(DATA_REAL));
        }
        if (mbps == UNKNOWN || sum > INT32_MAX - mbps) {
            return UNKNOWN;
        }
        sum += mbps;
    }
    return sum;
}

static int read_efa_max(const Reader *reader, const Data *network) {
    const Data *efa = get(reader, network, "EfaInfo", DATA_MAP);
    const Data *is_supported = get(reader, network, "EfaSupported", DATA_BOOL);
    if (efa != NULL) {
        return get_count(reader, efa, "MaximumEfaInterfaces", CARDS_MAX);
    }
    return is_supported != NULL && !is_supported->boolean ? 0 : UNKNOWN;
}

static void read_network(Reader *reader, const Data *type) {
    InstanceRow *row = reader->row;
    const Data *network = get(reader, type, "NetworkInfo", DATA_MAP);
    const Data *list = get(reader, network, "NetworkCards", DATA_LIST);
    row->network_cards = (int)get_int(reader, network, "MaximumNetworkCards", 1, CARDS_MAX);
    row->efa_max = read_efa_max(reader, network);
    row->efa_gbps = row->efa_max == 0 ? 0 : UNKNOWN;
    row->rdma_read = row->efa_gbps;
    row->rdma_write = row->efa_gbps;
    row->network_mbps = UNKNOWN;
    Cards cards;
    if (list == NULL || !read_cards(reader, list, &cards)) {
        return;
    }
    if (row->network_cards != UNKNOWN && row->network_cards != (int)list->count) {
        const Str wanted =
            str_format(reader->session->arena, "%" PRIu32 ", as many as `NetworkCards` lists", list->count);
        fault(reader, data_get(network, "MaximumNetworkCards")->span, "MaximumNetworkCards",
              str_c(reader->session->arena, wanted));
    }
    row->network_cards = cards.count;
    row->network_mbps = sum_of_bandwidths(reader, list);
    reader->knows_cards = is_said(&cards);
    if (reader->knows_cards) {
        check_said(reader, list->span, &cards);
    } else {
        place_efa(row, &cards);
    }
    cards_put(reader->session->arena, &cards, row);
}

// ---- what is left ----------------------------------------------------------------------------------------------

static void read_storage(Reader *reader, const Data *type) {
    InstanceRow *row = reader->row;
    const Data *is_supported = get(reader, type, "InstanceStorageSupported", DATA_BOOL);
    const Data *storage = get(reader, type, "InstanceStorageInfo", DATA_MAP);
    const Data *disks = get(reader, storage, "Disks", DATA_LIST);
    const char *nvme = get_text(reader, storage, "NvmeSupport");
    const bool is_none =
        (is_supported != NULL && !is_supported->boolean) || (nvme != NULL && str_is(str_of(nvme), "unsupported"));
    row->nvme_count = is_none ? 0 : UNKNOWN;
    row->nvme_total_gb = row->nvme_count;
    if (is_none || disks == NULL || disks->count != 1 || disks->items[0]->kind != DATA_MAP) {
        return; // disks of several sizes beside each other have no size that stands for all
    }
    row->nvme_count = (int)get_int(reader, disks->items[0], "Count", 1, 1000);
    row->nvme_total_gb = get_int(reader, storage, "TotalSizeInGB", 1, 10000000);
}

static void read_capacity(Reader *reader, const Data *type) {
    InstanceRow *row = reader->row;
    const Data *classes = get(reader, type, "SupportedUsageClasses", DATA_LIST);
    row->capacity_on_demand = list_has(classes, "on-demand");
    row->capacity_spot = list_has(classes, "spot");
    row->capacity_block = list_has(classes, "capacity-block");
    const Data *groups = get(reader, type, "PlacementGroupInfo", DATA_MAP);
    row->placement_cluster = list_has(get(reader, groups, "SupportedStrategies", DATA_LIST), "cluster");
}

static void read_type(Session *session, const Data *type, ReadInstances *rows) {
    Reader reader = { .session = session, .name = STR("a type") };
    const Data *name = type->kind == DATA_MAP ? get(&reader, type, "InstanceType", DATA_STRING) : NULL;
    if (name == NULL) {
        fault(&reader, type->span, "InstanceType", kind_name(DATA_STRING));
        return;
    }
    const size_t dot = str_find(name->string, STR("."), 0);
    reader.name = name->string;
    reader.row = arena_new(session->arena, InstanceRow);
    *reader.row = (InstanceRow){
        .name = str_c(session->arena, name->string),
        .family = str_c(session->arena, str_slice(name->string, 0, dot)),
        .status = "described",
        .sources = "what EC2's DescribeInstanceTypes printed",
    };
    read_processor(&reader, type);
    read_accelerator(&reader, type);
    read_network(&reader, type);
    read_storage(&reader, type);
    read_capacity(&reader, type);
    vec_push(session->arena, rows,
             (ReadInstance){ .row = reader.row, .span = name->span, .knows_cards = reader.knows_cards });
}

bool is_described(const Data *file) {
    const Data *types = data_get(file, "InstanceTypes");
    return types != NULL && types->kind == DATA_LIST;
}

void described_read(Session *session, const Data *file, ReadInstances *rows) {
    const Data *types = data_get(file, "InstanceTypes");
    for (uint32_t i = 0; i < types->count; i++) {
        read_type(session, types->items[i], rows);
    }
}
