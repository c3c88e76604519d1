// A cluster's `artifacts`: a place in S3 where steps of the plan put files of a build.
#pragma once

#include "emitters/emitter.h"

// "s3://bucket/llm" of that or of "s3://bucket/llm/", which are one place.
Str upload_place(Str artifacts);

// The name of a file that nodes of a group fetch: "llm.gpu-node-0123456789ab.END". It has the beginning of the file's sum.
// Names of one group begin alike, for the role that may read them.
Str upload_group_file(Arena *arena, const PlanNodes *nodes, Str sha256, Str end);

// The objects with such names, where the cluster has `artifacts`: "bucket/prefix/llm.gpu-node-*". The pattern covers later
// files of the group, too: the role stays when a new template names another one.
Str upload_group_objects(Arena *arena, const PlanNodes *nodes);

// Where a file of that name stands in it.
Str upload_url(Arena *arena, Str artifacts, Str file);

// Writes a file beside the others, with the step that puts it to `url`. `region` is the one of the nodes that fetch it,
// and may be empty. A bucket of the plan is made first. False, and nothing is done, where there is a file of that name
// already: it has the same content.
bool upload_add(Session *session, const Plan *plan, Output *output, Str file, Str content, Str url, Str region);
