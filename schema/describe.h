// Instance types as EC2's DescribeInstanceTypes describes them.
#pragma once

#include "schema/row_instance.h"

// Whether this is what `aws ec2 describe-instance-types` prints, as JSON or as YAML.
bool is_described(const Data *file);

// Adds a row for each type; what is wrong is reported. What the file does not say is UNKNOWN: EFA's generation,
// bandwidth and RDMA always are. If a card has no `InterfaceTypes`, the number of EFA interfaces tells which cards take
// EFA. As many as cards: all. One fewer: all but card 0. Otherwise `takes` of every card is 0. `offered` and `origin`
// are left to the caller.
void described_read(Session *session, const Data *file, ReadInstances *rows);
