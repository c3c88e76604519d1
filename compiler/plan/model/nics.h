// Places network interfaces on network cards: one pure function over a row of the schema. No other place in dtc knows
// the rule, and no author writes an index.
#pragma once

#include "schema/schema.h"

// A network interface of a node.
typedef struct {
    int card;   // NetworkCardIndex
    int device; // DeviceIndex
    NicKind kind;
} Nic;

typedef enum {
    LAYOUT_MIN_IP,
    LAYOUT_ALL_IP,
    LAYOUT_MAX_BANDWIDTH,
    LAYOUT_SPARE, // min_ip with a combined primary, which leaves a place on card 0; no author names it
} NicLayout;

// All network interfaces of a node, by card and then by device.
typedef struct {
    Nic items[NICS_MAX];
    int count;
} Nics;

typedef enum {
    NICS_PLACED,
    NICS_UNKNOWN,  // the row does not say which cards or how many EFA interfaces there are
    NICS_TOO_MANY, // more EFA interfaces than the type has; nics_efa_all() says how many
    NICS_NO_LAYOUT // the type has no such layout
} NicsResult;

// How many EFA interfaces `all` means under a layout. UNKNOWN if the row does not say, or if the type has no such
// layout (nics_place() tells which). Not always efa_max: p6e-gb200 under min_ip is 4.
int nics_efa_all(const InstanceRow *row, NicLayout layout);

// Places `efa` EFA interfaces: 0 is one plain primary under any layout, UNKNOWN is never placed, and max_bandwidth
// takes all or none. NICS_PLACED promises this. Exactly one interface is (0,0), pairs are unique, and the primary is
// never efa-only. A card has at most one EFA, and only if it takes one. Device indices are within the card's limit. The
// order is by card, then by device. `*nics` is written only then.
NicsResult nics_place(const InstanceRow *row, NicLayout layout, int efa, Nics *nics);

// Whether the nodes of a target are launched with these interfaces as they are placed.
bool nics_pass(const char *target, const Nics *nics);

// The layout of `auto` on a target. A launch template of AWS Batch for several types: rules of its own, see
// nics_min_ip_fills_card().
NicLayout nics_layout_on(const char *target);

const char *nics_layout_name(NicLayout layout); // "min_ip"; "auto" of LAYOUT_SPARE
NicLayout nics_layout(Str name);                // LAYOUT_MIN_IP of any other name, such as "auto"

// Whether min_ip fills card 0 though it has room for two interfaces. AWS Batch attaches the interface of a multi-node
// job's container there, so its nodes are better off with LAYOUT_SPARE.
bool nics_min_ip_fills_card(const InstanceRow *row);
bool nics_fill_card(const InstanceRow *row, int on_card); // as many on card 0, where a combined one would leave room

// Whether several nodes of the type get EFA where nobody says, if it has any: it is made for nodes that work as one. Other
// types with EFA mostly work alone.
bool nics_efa_is_default(const InstanceRow *row);

// Whether several nodes of the type without EFA are a mistake: it is made for nodes that work as one, and has EFA on
// several interfaces. One interface is also found on types that mostly work alone.
bool nics_efa_is_the_point(const InstanceRow *row);

// Whether a source says which cards there are, and what they take.
bool nics_has_cards(const InstanceRow *row);
const char *nic_kind_name(NicKind kind); // "efa-only", as EC2 spells InterfaceType
int nics_private_ips(const Nics *nics);  // interfaces that take an address of the subnet
