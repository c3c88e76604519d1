// Reads the text of a Dockerfile, as far as dtc asks: which images it is built on, and which arguments it takes.
#pragma once

#include "compiler/base/str.h"

// An instruction: "FROM" of `FROM --platform=linux/amd64 ubuntu:24.04 AS base`, and what stands behind it on its line.
typedef struct {
    Str name; // in capitals or not
    Str rest;
} DockerLine;

// The next instruction from `*at` on; false behind the last. Comments are left out, lines that go on behind a `\\`, and
// here-documents.
bool docker_next(Str text, size_t *at, DockerLine *line);

bool docker_is(const DockerLine *line, const char *name); // in capitals or not

// Whether an ARG of the text has the name.
bool docker_takes(Str text, Str name);

// The image behind FROM, without options and without `AS NAME`. Empty where it is `scratch` or
// another stage of the text, and where it has a variable in it.
Str docker_from(Str text, const DockerLine *line);
