// The instance types that a run knows: dtc's own rows, and those of the files that `--schema` names. A row of such a
// file replaces dtc's own row of the same name.
#pragma once

#include "compiler/base/session.h"
#include "schema/instance.h"

enum { ADDED_INSTANCES_MAX = 10000 }; // of all files together; AWS has some 1,450 types

// Reads files of instance types: rows in our own format (schema/README.md), or what `aws ec2 describe-instance-types`
// prints. What is wrong with one is reported, and then none of its rows is known; false where anything was wrong.
bool schema_add_files(Session *session, const Str *paths, int count);

// Like schema_add_files(), for a source that is loaded already. Whether anything was wrong shows in the reports alone.
void schema_add_source(Session *session, uint32_t source);

// Gives a session the rows that files added to another one, which outlives it.
void schema_share(Session *session, const Session *other);

const InstanceRow *schema_instance(Session *session, Str name); // NULL where unknown

// All instance types, sorted by the bytes of their names. schema_instance_at() takes 0 … schema_instance_count() - 1.
int schema_instance_count(const Session *session);
const InstanceRow *schema_instance_at(Session *session, int index);

// The same row, of which numbers alone may be read: it costs nothing to pass it over.
const InstanceRow *schema_instance_numbers(Session *session, int index);

// dtc's own rows, whatever files say, in the same order: of 0 … INSTANCE_ROW_COUNT - 1.
InstanceRow schema_own_row(int index);
bool schema_has_own(Str name);

// Why dtc cannot plan a node of a type, although the type has a row. It is the first needed fact that no source has
// ("how many network cards it has"). NULL if no fact is missing.
const char *schema_instance_gap(const InstanceRow *row);

// Whether a type has no accelerators, and no EFA that any source mentions.
bool schema_is_plain(const InstanceRow *row);

// Like schema_instance_gap(), for a node without EFA and accelerators, such as the head of a cluster.
const char *schema_plain_gap(const InstanceRow *row);
