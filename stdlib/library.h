// The files inside the binary.
#pragma once

#include "compiler/base/str.h"

// A file inside the binary: a module of the library ("std/nccl.dt"), of what `dtc init` starts projects with
// ("start/batch-p5/infra.dt"), of what runs on nodes ("node/preflight.sh", the programs
// among it: "node/dtc-node.x86_64") or in jobs ("job/mpirun.sh").
typedef struct {
    const char *path;
    Str text;
    const char *sha256; // of the text, as sha256_text() has it
} StdlibFile;

extern const StdlibFile STDLIB_FILES[]; // in the order of their paths, folder by folder
extern const int STDLIB_FILE_COUNT;

const StdlibFile *stdlib_find(Str path);       // NULL where there is none
bool stdlib_is_module(const StdlibFile *file); // for `use`
