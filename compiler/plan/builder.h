// What the files that build the Plan share among themselves.
#pragma once

#include "compiler/base/str_map.h"
#include "compiler/base/suggest.h"
#include "compiler/plan/plan.h"

typedef struct {
    Session *session;
    Arena *arena;
    Plan *plan;
    StrMap nodes;     // by the bytes of a block's address; see builder_key()
    StrMap makers[2]; // repository -> PlanImage that makes it; of those that are to be made, of those that exist
} Builder;

Str builder_key(Builder *builder, const Block *block);
PlanHead builder_head(Builder *builder, const Block *block, int name_attribute); // -1: the kind has no `name`
void builder_decide(Builder *builder, Span span, const char *format, ...) PRINTF_LIKE(3, 4);

// ---- reading attributes: what the author gave, or the default, with the schema's row as its origin

const Value *read_value(const Block *block, int attribute); // NULL where not given

// A value that must be known, since it decides the shape of what is written: NULL where not given, or late and
// reported.
const Value *read_known(Builder *builder, const Block *block, int attribute);

// A value that may be late, but must be there at deployment: a late optional is reported. NULL where not given.
const Value *read_given(Builder *builder, const Block *block, int attribute);

const Value *read_int(Builder *builder, const Block *block, int attribute, int64_t otherwise);      // may be late
const Value *read_bool(Builder *builder, const Block *block, int attribute, bool otherwise);        // known
const Value *read_word(Builder *builder, const Block *block, int attribute, const char *otherwise); // known; as string
const Value *read_known_list(Builder *builder, const Block *block, int attribute); // every item known; empty without
const Value *read_map(Builder *builder, const Block *block, int attribute);

// The one block of a nested kind; NULL where there is none. And whether `KIND = off` stands in its place.
const Block *read_child(const Block *block, int kind);
bool read_is_off(const Block *block, int kind);

// Whether the value of an attribute is written behind its `=`, and not where a `let` or a `param` got it: only there
// may a fix put a word of the attribute's own type.
bool read_is_written_there(Builder *builder, const Block *block, int attribute);

// Values of the Plan's own making.
Value *plan_value(Builder *builder, ValueKind kind, Span span, const Origin *origin);
const Value *plan_int(Builder *builder, Span span, const Origin *origin, int64_t integer);
const Value *plan_string(Builder *builder, Span span, const Origin *origin, Str string);
const Value *plan_list(Builder *builder, Span span, const Origin *origin, const Value **items, uint32_t count);
// Whether there is no value, or one that may turn out to be null; and `value`, or `otherwise` where it is null.
bool plan_may_be_null(const Value *value);
const Value *plan_default(Builder *builder, const Value *value, const Value *otherwise);

const Origin *plan_schema_origin(Builder *builder, const Block *block, int attribute); // "nodes.imds_hops"

// ---- the parts

const PlanNetwork *build_network(Builder *builder, const Block *block);
const PlanNodes *build_nodes(Builder *builder, const Block *block, const PlanCluster *cluster); // NULL: reported
const PlanCapacity *build_capacity(Builder *builder, const Block *block);                       // never NULL
void build_placement(Builder *builder, PlanNodes *nodes);
void build_objects(Builder *builder, const Block *block, PlanEks *eks); // of the block, and of all in it
bool build_interfaces(Builder *builder, const Block *block, PlanNodes *nodes); // false: reported
void build_subnets(Builder *builder, PlanNodes *nodes);
void build_ami(Builder *builder, const Block *block, PlanNodes *nodes);
void build_template(Builder *builder, PlanNodes *nodes); // sets is_template; once capacity and EFA are known
bool plan_is_placed_by_eksctl(const InstanceRow *row);   // each interface of EFA where the type takes it
bool plan_wants_one_zone(const PlanNodes *nodes);        // for EFA, or for a placement group
uint32_t plan_subnet_count(const PlanNetwork *network);  // private ones, as far as is known; else 0
Str plan_zones_region(const Value *zones); // of the first whose region is known; empty without; `zones` may be NULL
const RegionRow *plan_region(const PlanNodes *nodes, Span *reason); // NULL where nothing written says; what does
void build_setup(Builder *builder, const Block *block, PlanNodes *nodes);
void build_validate(Builder *builder, const Block *block, PlanNodes *nodes); // behind all that a node has
void build_scripts(Builder *builder, const Block *block, int attribute, PlanScripts *scripts);
const PlanStorage *build_storage(Builder *builder, const Block *block, const PlanCluster *cluster);
void build_slurm(Builder *builder, const Block *block, PlanCluster *cluster); // head, slurm, monitoring of a cluster

void build_eks(Builder *builder, const Block *block, PlanCluster *cluster); // what only a cluster on EKS has
void build_eks_start(Builder *builder, const PlanCluster *cluster); // says where a new cluster begins without nodes

// Item `index` of a list that may be late.
const Value *build_item(Builder *builder, const Value *list, uint32_t index, const Origin *origin);

// The row of an instance type; NULL where the value is NULL or there is no such type, and that was reported.
const InstanceRow *build_instance(Builder *builder, const Value *value);

// False, reported, where a fact is missing: one of the schema_…_gap() of the row.
bool build_has_facts(Builder *builder, Span span, const InstanceRow *row, const char *gap);

// Says what no source says of a type that is used all the same.
void build_decide_gap(Builder *builder, const Block *block, const InstanceRow *row);
void build_image(Builder *builder, const Block *block);
const PlanJob *build_job(Builder *builder, const Block *block, const PlanCluster *cluster); // NULL: reported
void build_quotas(Builder *builder);                                // of all groups, which are built
int64_t plan_allocatable_mib(const InstanceRow *row);               // memory that a job may ask for
const char *capacity_name(CapacityKind kind);                       // "on_demand"
bool capacity_has(const PlanCapacity *capacity, CapacityKind kind); // in any of its alternatives
bool capacity_is_reserved(CapacityKind kind);                       // brings the place of its instances with it
const PlanCapacity *capacity_last(const PlanCapacity *capacity);    // what holds where nothing before it is given
