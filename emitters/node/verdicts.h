// Where the verdicts of a group's nodes go, beside the node's own log: a folder in S3, and a file for Prometheus' node
// exporter. stdlib/node/report.sh does it.
#pragma once

#include "emitters/emitter.h"

// What the check of a group is told, and has done with a verdict; nothing where its verdicts stay with it.
void verdicts_add(StrBuf *out, const PlanNodes *nodes);

// Says what a role that is the author's needs for it, and to count nodes that fail.
void verdicts_decide_role(Arena *arena, PlanDecisions *decisions, const PlanNodes *nodes);
