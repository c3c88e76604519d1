// The facts of an instance type as a text for people.
#pragma once

#include "compiler/base/str.h"
#include "schema/schema.h"

Str instance_memory(Arena *arena, int64_t mib);                  // "1152 GiB", "512 MiB", "?"
Str instance_gbps(Arena *arena, int mbps);                       // "3200", "12.5", "?"
Str instance_accelerators(Arena *arena, const InstanceRow *row); // "8 x H100", "1/8 L4", "-", "?"
Str instance_nvme(Arena *arena, const InstanceRow *row);         // "8 x 1000 GB", "-", "?"

Str instance_origin(Arena *arena, const InstanceRow *row); // "types.json:12", of a row of dtc's own ""

// The whole sheet: what is known, what is not, and the network interfaces of each layout as they would be placed.
void instance_sheet(StrBuf *out, const InstanceRow *row);
