// From a ClusterConfig of eksctl to what rules ask.
// Source: eksctl-io/eksctl@99984adb pkg/apis/eksctl.io/v1alpha5/types.go, 2026-08, read 2026-11.
#pragma once

#include "compiler/plan/model/cluster_config.h"
#include "compiler/plan/raw/raw.h"

// Whether a document is a ClusterConfig, which eksctl_read() takes.
bool eksctl_is(const Data *document);

// What it has. Never NULL. `value` is the document, evaluated: a map.
const PlanRaw *eksctl_read(Session *session, const Subject *file, const Value *value);
