// The types of the settings of the kubelet, which a NodeConfig and eksctl hand on as they are written.
#pragma once

#include "compiler/base/str.h"

// What the kubelet wants for a key where its value is a text in quotes: "a number", "true or false". NULL where it is not
// known, and where the text would be no such value without its quotes. `${NAME}` stands for any value.
const char *kubelet_wants(Str key, Str text);
