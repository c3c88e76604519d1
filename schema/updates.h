// What an update of a property does to what is deployed (updates.def), for fixes and for whoever compares two builds.
#pragma once

#include "compiler/base/str.h"

// The worse, the later.
typedef enum {
    UPDATE_IN_PLACE,
    UPDATE_LATER,
    UPDATE_UNKNOWN, // no row
    UPDATE_KEEPS,
    UPDATE_INTERRUPTS,
    UPDATE_CONDITIONAL,
    UPDATE_REPLACES,
    UPDATE_REFUSED,
} Update;

// `owner` is a type of CloudFormation ("AWS::EFS::FileSystem"), the apiVersion and kind of an object of Kubernetes
// ("batch/v1/Job"), or a tool ("parallelcluster"). `path` is a property with those around it, lists left out:
// "LaunchTemplateData.MetadataOptions.HttpTokens".
Update update_of(Str owner, Str path);

// Whether it neither replaces nor interrupts.
bool update_is_safe(Update update);

// What it costs, and another way; empty of a safe one.
Str update_price(Str owner, Str path, Update update);

// Whether an attribute of a resource changes with each update of that: what takes it is updated too.
bool update_moves(Str type, Str attribute);

// Whether what is given to a property goes on to other stacks, so that nobody sees here what follows.
bool update_hands_on(Str owner, Str path);
