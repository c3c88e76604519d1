// A Dockerfile, as rules ask for it: its stages, its instructions, what its variables come to, and which software of a
// training image it brings in. Its text is a copy of what somebody wrote, of the same length: comments inside an instruction
// are blanks there, and each line that goes on ends in `\`. So a place in it is a place in the file.
#pragma once

#include "compiler/base/source.h"
#include "compiler/base/vec.h"
#include "compiler/script/shell_commands.h"
#include "compiler/semantics/subject.h"
#include "schema/image_software.h"

typedef enum {
    DOCKER_FROM,
    DOCKER_ARG,
    DOCKER_ENV,
    DOCKER_RUN,
    DOCKER_COPY, // or ADD
    DOCKER_OTHER,
    DOCKER_NONE, // no instruction of a Dockerfile has this name
} DockerKind;

// An instruction, and what a step of it is.
typedef struct {
    const char *name;
    DockerKind kind;
    bool is_old; // Docker takes it, and nobody is told of it
} DockerInstruction;

// By its number, which begins at 0; NULL behind the last.
const DockerInstruction *docker_instruction(size_t i);

enum { DOCKER_BEFORE = -1 }; // the stage of what stands above the first FROM

// `NAME=VALUE` of an ARG or an ENV.
typedef struct {
    Str name;
    Str value; // without quotes, its variables not filled in
    bool has_value;
    bool is_apart; // `ENV NAME VALUE`: all of the line is the value
    Span name_span;
    Span span; // of the value, without quotes around it
} DockerSetting;

typedef struct {
    DockerKind kind;
    int stage;
    Span name;   // "RUN"
    Span whole;  // up to its last line
    Str rest;    // what stands behind the name, in the text of the PlanDockerfile; of RUN and COPY without options
    Str options; // of RUN and COPY: `--from=build --chown=…`
    VEC(DockerSetting) settings;
    ShellWords words;       // of COPY
    Str script;             // of RUN: what a shell runs
    bool is_exec;           // it is a list of words, and no shell runs it
    bool is_read;           // the script is understood
    ShellCommands commands; // of it
    Span open;              // a here-document that is never closed; SPAN_NONE: there is none
} DockerStep;

typedef struct {
    Str name;      // behind AS; empty: none
    Str image;     // that it begins with, with ARGs filled in; empty: another stage, or not known
    Str written;   // the same as it stands there
    Span span;     // of that
    int parent;    // the stage that it begins with; -1: an image
    uint32_t step; // its FROM
    uint32_t end;  // behind its last step
} DockerStage;

// A release that an image brings in.
typedef struct {
    ImageSoftware software;
    Str version;   // as it is asked for: "v1.9.2-aws", "1.38.0"
    Str cuda;      // of a package of NCCL: "12.2"; empty: none
    Span span;     // where somebody wrote it: the default of an ARG, or the word itself
    uint32_t step; // that brings it in
    bool is_tag;   // of git: one with this name has to be there
} DockerRelease;

typedef struct {
    const Subject *subject;
    uint32_t source;
    Str text;
    VEC(DockerStep) steps;
    VEC(DockerStage) stages;
    VEC(DockerRelease) releases;
} PlanDockerfile;

// What a variable is at a step.
typedef enum {
    DOCKER_UNSET,   // neither an ARG nor an ENV of the file sets it there; the image that the stage begins with may
    DOCKER_OUTSIDE, // an ARG above the first FROM sets it, and none of the stage asks for that
    DOCKER_GIVEN,   // whoever builds the image gives it a value
    DOCKER_SET,     // it has the value that is written there, unless whoever builds the image gives another one
} DockerState;

// The variable at a step, and the setting that says so. `*value` has its variables filled in; DOCKER_GIVEN where one of them
// is not known.
DockerState docker_variable(Arena *arena, const PlanDockerfile *file, uint32_t step, Str name, Str *value,
                            const DockerSetting **setting);

// A text with its variables filled in, as a shell of the step or Docker itself does. False where one of them is not known, or
// the text is too long.
bool docker_fill(Arena *arena, const PlanDockerfile *file, uint32_t step, Str text, Str *filled);

// The next `$NAME` or `${NAME…}` at or behind `*at`: its name, and `*at` behind it. Empty: there is none.
Str docker_next_variable(Str text, size_t *at);

// Where a part of what a word comes to is written: in the word, or in the value of the variable that brings it in.
Span docker_place_of(Arena *arena, const PlanDockerfile *file, uint32_t step, Str word, Str part);

// The place of a slice of the text of the file, or of a script of it; SPAN_NONE of an empty one.
Span docker_span(const PlanDockerfile *file, Str slice);

// The text at a place of the file, as a slice of the copy.
Str docker_text(const PlanDockerfile *file, Span span);

// Whether a step is an instruction of a name, in capitals or not.
bool docker_step_is(const PlanDockerfile *file, const DockerStep *step, const char *name);

// Whether a step runs in the image of a stage, or in that of a stage which it begins with, before the step `before`.
bool docker_is_in(const PlanDockerfile *file, int stage, uint32_t step, uint32_t before);

// The stage that a stage begins with in the end, and the image that this one begins with; empty: nobody knows. The stage above
// the first FROM is its own.
int docker_root_stage(const PlanDockerfile *file, int stage);
Str docker_root(const PlanDockerfile *file, int stage);

// "nvidia/cuda" of "docker.io/nvidia/cuda:12.4.1-devel-ubuntu22.04@sha256:…", and "12.4.1-devel-ubuntu22.04"; empty: no tag.
Str docker_image_name(Str image);
Str docker_image_tag(Str image);

// The version of CUDA in an image whose name says it: "12.4.1" of nvidia/cuda, "12.8" of pytorch/pytorch; empty: unknown.
Str docker_cuda_of(Arena *arena, Str image);

// Which packages the system of an image has, by the name of the image.
typedef enum {
    DOCKER_PACKAGES_UNKNOWN,
    DOCKER_PACKAGES_APT, // Debian, Ubuntu
    DOCKER_PACKAGES_RPM, // Amazon Linux, Rocky Linux, RHEL
} DockerPackages;

DockerPackages docker_packages(Str image);

// Whether an image has no software of training beside what its name says, and no variables of its own but those of CUDA.
bool docker_is_plain(Str image);

// Whether the script of a step may set a variable itself: its name stands there, and not as `$NAME`.
bool docker_may_set(const DockerStep *step, Str name);

// The name of a program without its folder, of a command; empty where there is none.
Str docker_program(const ShellSimple *command);
bool docker_has_word(const ShellSimple *command, const char *word);

// What an option of a command says: `--prefix=/opt`, `--prefix /opt`, and of one letter `-b v1`; empty: it is not there.
Str docker_option(const ShellSimple *command, const char *option);

bool docker_is_efa_installer(const ShellSimple *command);
