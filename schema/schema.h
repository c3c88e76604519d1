// What dtc knows of AWS and of the language's kinds: tables that schemagen writes from schema/**/*.yaml when dtc is
// built. Everything here is constant and lives as long as the program.
#pragma once

#include "schema/instance.h"
#include "schema/limits.h"

// ---- types ----------------------------------------------------------------------------------------------------

typedef enum {
    TYPE_ANY, // no promise: property values of a raw resource
    TYPE_BOOL,
    TYPE_INT,
    TYPE_STRING,
    TYPE_SIZE,
    TYPE_RATE,
    TYPE_DURATION,
    TYPE_RANGE,
    TYPE_PATTERN, // a string that matches `pattern`
    TYPE_LIST,    // of `element`
    TYPE_MAP,     // of `element`
    TYPE_BLOCK,   // a reference to a block of kind `name`
    TYPE_WORD,    // the bare word `name`
    TYPE_TAG,     // name(arguments): `options` are the arguments' types, `element` the first of them
    TYPE_UNION,   // one of `options`
} TypeKind;

typedef struct Type Type;
typedef struct PatternRow PatternRow;

struct Type {
    TypeKind kind;
    const char *name; // TYPE_BLOCK, TYPE_WORD, TYPE_TAG; else how the type is written ("list(zone)?")
    const char *doc;  // TYPE_WORD, TYPE_TAG: what it means where it may stand; else NULL
    unsigned targets; // TYPE_WORD, TYPE_TAG: as of an attribute; with 0 in both it is wherever its attribute is
    unsigned later;
    const char *instead; // as of an attribute; NULL
    bool is_optional;    // written with `?`: null is a value of it
    const PatternRow *pattern;
    const Type *element;
    const Type *const *options; // TYPE_UNION: words and tags first, else as written; TYPE_TAG: of the arguments
    int option_count;
};

// A pattern type of schema/types.yaml.
struct PatternRow {
    const char *name;    // "capacity_reservation"
    const char *pattern; // anchored; the subset of PCRE2 that AllowedPattern understands too
    const char *example;
    const char *doc;
    const char *source;
    const char *counterexample; // nearly right, and refused
    const char *cfn_type;       // template parameter type, "String" where CloudFormation has none of its own
    const char *cfn_list_type;  // of a list of it, "CommaDelimitedList" where there is none
    const char *fix_hint;       // may be NULL: what a number written for it most likely meant
};

extern const PatternRow PATTERN_ROWS[];
extern const int PATTERN_ROW_COUNT;
const PatternRow *schema_pattern(Str name); // NULL where unknown

// The type of a name as it is written in `param x : NAME`, without argument; NULL where unknown. "list" and "map"
// are built by the caller.
const Type *schema_named_type(Str name);
extern const Type *const NAMED_TYPES[]; // what it looks through: built-in types first, then the pattern types
extern const int NAMED_TYPE_COUNT;

// The word or tag of a type, through unions, lists and what tags take; NULL where it has none of that name.
const Type *schema_find_word(const Type *type, Str name);
const Type *schema_find_tag(const Type *type, Str name);

// Whether an attribute of any kind has such a word: then it is no other one, misspelt.
bool schema_has_word(Str name);

// ---- kinds ----------------------------------------------------------------------------------------------------

enum {
#define TARGET(NAME, word) TARGET_NUMBER_##NAME,
#include "schema/targets.def"
    TARGET_COUNT
};

typedef enum {
#define TARGET(NAME, word) TARGET_##NAME = 1 << TARGET_NUMBER_##NAME,
#include "schema/targets.def"
} TargetSet; // bits

extern const TargetSet CLUSTER_TARGETS[]; // those that stand behind `on`
extern const int CLUSTER_TARGET_COUNT;

// One attribute of a kind. Its number in KindRow.attributes is the enumerator KIND_ATTRIBUTE (NODES_EFA_LAYOUT).
typedef struct {
    const char *name;
    const Type *type;
    bool is_required;
    const char *default_text; // in words, for people; "" without a default
    const char *null_means;   // what a value that turns out null would cost; NULL: null is as if it were not written
    const char *null_word;    // that is written behind a value which may be null, to say so; NULL
    unsigned targets;         // where it carries over: bits of TargetSet
    unsigned later;           // targets that will take it but whose emitter does not write it yet
    const char *instead;      // what to write for those of `later`; NULL where there is none
    const char *doc;
    const char *source; // may be NULL
} AttributeRow;

// What `block.NAME` may stand for beside the block itself: a value that the block's stack makes.
typedef struct {
    const char *name; // "private"
    const Type *type; // list(subnet_id)
    unsigned targets; // as of an attribute
    unsigned later;
    const char *export_key; // what a stack exports it as, behind its own name and "-"; NULL: it depends on the block
    const char *doc;
} OutputRow;

typedef struct {
    const char *name; // "nodes"
    const char *doc;
    unsigned targets;    // whose emitter writes it: bits of TargetSet
    unsigned later;      // that will take it; never one of `targets`
    const char *instead; // what to write for those of `later`; NULL where there is none
    bool is_nested;      // stands inside `parents`, and at file level only for `like`
    bool is_singleton;   // nested without a label: head, slurm, monitoring
    unsigned parents;    // bits: 1 << KindId
    bool is_offable;     // `NAME = off` may stand in its place
    const AttributeRow *attributes;
    int attribute_count;
    const OutputRow *outputs; // NULL where there are none
    int output_count;
} KindRow;

#include "schema_kinds.h" // generated: enum KindId { KIND_NETWORK, … }, enum { NETWORK_NAME, NETWORK_REGION, … },
                          // and enum ConstantId { CONSTANT_TEMPLATE_BODY_BYTES_MAX, … }

extern const KindRow KIND_ROWS[KIND_COUNT];
const KindRow *schema_kind(Str name);                          // NULL where unknown
int schema_attribute(const KindRow *kind, Str name);           // -1 where unknown
const OutputRow *schema_output(const KindRow *kind, Str name); // NULL where unknown
const char *schema_target_name(TargetSet target);              // "parallelcluster"

// ---- instance types: see schema/instance.h for a row, schema/instances.h for those that a run knows

extern const StoredInstance STORED_INSTANCES[]; // dtc's own; sorted by name, by bytes
extern const int INSTANCE_ROW_COUNT;
extern const char INSTANCE_TEXTS[];
extern const CardRun INSTANCE_CARDS[];
extern const LayoutRow INSTANCE_LAYOUTS[];

// ---- regions ---------------------------------------------------------------------------------------------------

typedef struct {
    const char *name;       // "us-east-1"
    const char *partition;  // "aws"
    const char *url_suffix; // "amazonaws.com"
    const char *zones;      // letters of its zones: "abcdef"; NULL: no source says
    const char *zone_id;    // what its zone ids begin with: "use1"; NULL: no source says
    const char *zone_ids;   // numbers of the zone ids that some source names, "1 2 4"; NULL with `zone_id`
    bool has_offers;        // some source lists what it offers
    bool has_parallelcluster;
    bool has_pcs;                    // some source says so
    const char *without_eks_ids;     // numbers of zone ids without control planes of EKS, "3"; NULL: none
    const char *without_eks_letters; // what most accounts know them by: "e"; NULL: no source says
} RegionRow;

extern const RegionRow REGION_ROWS[]; // sorted by name
extern const int REGION_ROW_COUNT;
const RegionRow *schema_region(Str name); // NULL where unknown

// The region of a zone's name ("us-east-1a", "us-east-1-dfw-2a") or id ("use1-az4"); NULL where none is known. A
// letter or number that no source names is no fault: accounts see different ones.
const RegionRow *schema_zone_region(Str zone);

// Whether some source names an Availability Zone of a known region, by its letter or id: 1, 0, or UNKNOWN where none
// names any, and for Local Zones and Wavelength Zones.
int schema_zone_is_named(Str zone);

// Whether control planes of EKS can be in a zone of a known region: 1, 0, or UNKNOWN where they cannot in most
// accounts.
int schema_zone_has_eks(Str zone);

typedef enum { ZONE_AVAILABILITY, ZONE_LOCAL, ZONE_WAVELENGTH } ZoneKind;
ZoneKind schema_zone_kind(Str zone); // of its name or id

// ---- names with a number -----------------------------------------------------------------------------------------

// Rows sorted by name, by bytes; the names stand in one text, so that a program that starts has nothing to relocate.
typedef struct {
    uint32_t name; // where it begins in the text
    uint32_t number;
} StoredName;

// ---- addresses of interfaces -------------------------------------------------------------------------------------

extern const StoredName STORED_ADDRESSES[]; // types of instances, by the IPv4 addresses of an interface
extern const int ADDRESS_ROW_COUNT;
extern const char ADDRESS_TEXTS[];

int schema_interface_addresses(Str type); // IPv4 addresses that one interface can have; UNKNOWN where no source says

// ---- managed policies of AWS's own -------------------------------------------------------------------------------

typedef struct {
    const char *path; // before the name in its ARN, behind `policy/`: "service-role/", or nothing
    int attachable;   // 1, 0 or UNKNOWN: by a role of the account's own
} PolicyPath;

extern const StoredName STORED_POLICIES[]; // by their rows of POLICY_PATHS
extern const int POLICY_ROW_COUNT;
extern const char POLICY_TEXTS[];
extern const PolicyPath POLICY_PATHS[];

const PolicyPath *schema_policy(Str name); // NULL where unknown

// The path of a policy; nothing where it is unknown.
Str schema_policy_path(Str name);

// Whether a region offers a type: 1, 0, or UNKNOWN where no source speaks of the type or the region. A type that only
// a local zone of the region has counts as offered.
int schema_offered(const InstanceRow *row, const RegionRow *region);

// ---- device plugins --------------------------------------------------------------------------------------------

// A plugin that offers devices to pods. Lists end with a NULL.
typedef struct {
    const char *addon;                  // as `addon` blocks call it
    const char *title;                  // for people
    const char *version;                // that dtc installs
    const char *resource;               // that pods ask for, or what its names begin with: "nvidia.com/gpu"
    const char *taint;                  // whose nodes the plugin always runs on
    const char *eksctl_version;         // that eksctl installs
    const char *const *eksctl_families; // whose types with the device eksctl's runs on; NULL: it runs on every node
    const char *const *eksctl_lacks;    // types of these that it does not run on
} PluginRow;

extern const PluginRow PLUGIN_ROWS[];
extern const int PLUGIN_ROW_COUNT;

typedef struct {
    const char *region; // the first row is of all that have none: ""
    const char *account;
} RegistryRow;

extern const RegistryRow REGISTRY_ROWS[];
extern const int REGISTRY_ROW_COUNT;

const PluginRow *schema_plugin(const char *addon); // NULL where unknown
const char *schema_registry(Str region);           // the account that EKS keeps its own images in

// ---- machine images --------------------------------------------------------------------------------------------

// The service's own image for a combination.
typedef struct {
    TargetSet target;
    const char *os;
    AcceleratorKind accelerator;
    Architecture architecture;
    const char *parameter;  // SSM parameter that holds the image's id
    const char *image_type; // AWS Batch's ImageType; NULL: Batch has no word for it and needs the id
    const char *note;       // may be NULL
} ImageRow;

extern const ImageRow IMAGE_ROWS[];
extern const int IMAGE_ROW_COUNT;

// NULL where there is none. An accelerator that no image has drivers for (ACCELERATOR_OTHER) gets the plain image.
const ImageRow *schema_image_row(TargetSet target, Str os, AcceleratorKind accelerator, Architecture architecture);

typedef enum { SUPPORT_STANDARD, SUPPORT_EXTENDED, SUPPORT_ENDED } KubernetesSupport;

// A version of Kubernetes on EKS, newest first; days are texts, NULL where no source says.
typedef struct {
    const char *version;
    const char *standard_end;
    const char *extended_end;
    bool ends_soon;            // its standard support, within three months of the day of the table, or before that
    KubernetesSupport support; // on the day of the table; SUPPORT_STANDARD where nothing is known
} KubernetesRow;

extern const KubernetesRow KUBERNETES_ROWS[];
extern const int KUBERNETES_ROW_COUNT;

// The versions of Kubernetes that an operating system has images of EKS for, as what stands behind "1."; UNKNOWN: no
// source says that there is a first, or a last one.
typedef struct {
    const char *os;
    int first;
    int last;
} SystemRow;

extern const SystemRow SYSTEM_ROWS[];
extern const int SYSTEM_ROW_COUNT;
const SystemRow *schema_system(Str os); // NULL: it has images for every version

// A public parameter of AWS that holds the id of a machine image. In `path`, `*` is any text without a `/`.
typedef struct {
    const char *path;
    Architecture architecture; // ARCHITECTURE_UNKNOWN: no source says, or it has both
    int drivers;               // the AcceleratorKind that it has drivers of; UNKNOWN: no source says
    const char *source;        // NULL in what schema_parameter() makes of an ImageRow
    const char *note;          // why it should no longer be used; NULL mostly
} ParameterRow;

// A path that is often written, and what is meant by it; a `*` is the same text in both.
typedef struct {
    const char *path;
    const char *instead;
} MistakenRow;

extern const ParameterRow PARAMETER_ROWS[];
extern const int PARAMETER_ROW_COUNT;
extern const MistakenRow MISTAKEN_ROWS[];
extern const int MISTAKEN_ROW_COUNT;

// What is known of the image behind a path, from PARAMETER_ROWS and IMAGE_ROWS; false where nothing is: a parameter of
// one's own, or one of AWS that no source names.
bool schema_parameter(Str path, ParameterRow *row);

// Whether a path is no public parameter but nearly is one that holds an id; that one is `*meant`, in the arena.
bool schema_parameter_meant(Arena *arena, Str path, Str *meant);

// ---- quotas ----------------------------------------------------------------------------------------------------

// How capacity is bought, as EC2's quotas tell it apart. Capacity reservations are on demand.
typedef enum { MARKET_ON_DEMAND, MARKET_SPOT, MARKET_BLOCK } Market;

// vCPUs that an account may have in a region at once, of some families.
typedef struct {
    const char *code; // "L-417A185B"
    const char *name; // "Running On-Demand P instances"
    Market market;
    const char *source;
    const char *letters;  // beginnings of families up to the first digit, a blank on either side of each: " g gr vt "
    const char *families; // whole families, likewise
} QuotaRow;

extern const QuotaRow QUOTA_ROWS[];
extern const int QUOTA_ROW_COUNT;
int schema_sold(const InstanceRow *row, Market market);              // 1, 0 or UNKNOWN
const QuotaRow *schema_quota(const InstanceRow *row, Market market); // NULL: no source says which it is
const QuotaRow *schema_quota_row(Str code);                          // NULL where unknown

// ---- devices of a node -----------------------------------------------------------------------------------------

// An id of EFA on the PCI bus, of the vendor 1d0f.
typedef struct {
    const char *id;     // "efa0"
    const char *driver; // the release of the driver that first knew it; NULL: no source says
} EfaDeviceRow;

// An error of the kernel's log that asks for a reset or a repair of a GPU.
typedef struct {
    int code;
    const char *action; // "reset", "reboot", "repair" or "flow"
    const char *what;
} XidRow;

extern const EfaDeviceRow EFA_DEVICE_ROWS[];
extern const int EFA_DEVICE_ROW_COUNT;
extern const XidRow XID_ROWS[]; // ascending
extern const int XID_ROW_COUNT;
const EfaDeviceRow *schema_efa_device(Str id); // NULL where unknown

// What somebody measured: an all-reduce over the GPUs of some nodes of a type.
typedef struct {
    const char *type;
    int interfaces; // of EFA, all that the type has
    int nodes;
    int ranks;                    // of all nodes together, each with a GPU
    int64_t bytes;                // of a message
    int64_t megabytes_per_second; // bus bandwidth as nccl-tests counts it; of 1,000,000 bytes
    const char *source;           // with its month
} CollectiveRow;

extern const CollectiveRow COLLECTIVE_ROWS[];
extern const int COLLECTIVE_ROW_COUNT;

// What is held against a measurement of `nodes` nodes of a type: of the largest message that somebody measured on as
// many; NULL where nobody did.
const CollectiveRow *schema_collective(const InstanceRow *row, int64_t nodes);

// ---- constants -------------------------------------------------------------------------------------------------

// A number that dtc goes by and no author writes. The enumerators of ConstantId are CONSTANT_ and the name.
typedef struct {
    const char *name; // "template_body_bytes_max"
    int64_t value;
    const char *unit; // "bytes"; "" where it counts nothing
    const char *doc;
    const char *source;
} ConstantRow;

extern const ConstantRow CONSTANT_ROWS[CONSTANT_COUNT];
int64_t schema_constant(ConstantId id);
const ConstantRow *schema_constant_row(Str name); // NULL where unknown
