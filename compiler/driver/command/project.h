// The project file `.dtc.yaml`: what rules count as, by code and by path, and which files are left alone.
#pragma once

#include "compiler/base/session.h"

#define PROJECT_FILE ".dtc.yaml"

typedef struct Project Project;

// The project file of the working directory, or of the next folder above that has one, up to the root of the
// repository. Outside of a repository only the working directory is looked at. NULL where there is none. What is wrong
// in it is reported, and so is a link that leads out of the repository.
const Project *project_find(Session *session);

// Reads a file in its place, with paths that begin at the working directory. NULL, reported, where it cannot be read.
const Project *project_read_named(Session *session, Str path);

// Reads a source as the project file of a folder, which is an absolute path. Never NULL.
const Project *project_read(Session *session, uint32_t source, Str folder);

// Whether a file is left alone. `path` is relative to the working directory, or absolute. `project` may be NULL, here
// and below.
bool project_ignores(Session *session, const Project *project, Str path);

// Writes what the project says of a file into `levels`, of which there is one for each DiagId.
void project_set_levels(Session *session, const Project *project, Str path, DiagLevel *levels);

// The file with the findings that the project accepts, as seen from the working directory; empty where it names none.
Str project_baseline(Session *session, const Project *project);

// Whether the project's folder is this one, or in it.
bool project_is_in(Session *session, const Project *project, Str folder);

// Reports each glob that no file of the project's folder matches. It reads all of the folder.
void project_check_paths(Session *session, const Project *project);
