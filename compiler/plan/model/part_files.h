// The files that a part makes, and for which of them a patch of it is.
#pragma once

#include "compiler/plan/model/part.h"

// By the suffix that a `patch` may name.
typedef enum { FILE_CFN = 1, FILE_PCLUSTER = 2, FILE_EKSCTL = 4, FILE_K8S = 8 } PartFile;

// Those of a part at file level, as bits; 0: none.
unsigned plan_files_of(const PlanPart *part);

// The same of a cluster.
unsigned plan_files_of_cluster(const struct PlanCluster *cluster);

// The file of a word behind `patch`; 0: there is none.
unsigned plan_file_named(Str suffix);

// The files for which a patch without a word is: one, or several, of which it would have to name one. Beside another file
// that of the objects is always named.
unsigned plan_files_of_plain_patch(unsigned files);
