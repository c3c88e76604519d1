// The text of user data: the headers of its parts, and what of them a shell runs.
#pragma once

#include "compiler/base/vec.h"
#include "compiler/plan/model/launch.h"
#include "compiler/script/shell_lines.h"
#include "compiler/script/shell_text.h"

// The header's value in the lines before the first empty one, its name in any case; empty where there is none.
Str user_data_header(Str text, const char *name);
bool user_data_is_header(Str line);       // of a part, or the rest of one on a line of its own
Str user_data_boundary(Str content_type); // of MIME; empty where there is none

// A part of a MIME multipart; of another text, all of it.
typedef struct {
    Str type;       // of its header Content-Type, without what is behind `;`; empty where there is none
    size_t type_at; // the line of the header
    Str body;       // behind the empty line, or from the first line on that is no header
    size_t at;      // of the body in the text
} UserDataPart;

typedef VEC(UserDataPart) UserDataParts;

bool user_data_is_mime(const PlanUserData *data);
// None where nothing is known, and of a text that is several times what EC2 takes.
UserDataParts user_data_parts(Arena *arena, const PlanUserData *data);
bool user_data_is_script(Str body); // of sh or bash

// The text with blanks in place of what no shell runs or reads, and of comments. Places stay the same.
Str user_data_shell(Arena *arena, const PlanUserData *data, ShellPart part);

// The text with blanks in place of all but what shells run. Places stay the same.
Str user_data_scripts(Arena *arena, const PlanUserData *data);

// The text with blanks in place of all but the commands that systemd and cloud-init start: ExecStart of a unit that the user
// data writes, and lines of `runcmd`. Places stay the same.
Str user_data_started(Arena *arena, const PlanUserData *data);

// Where a node runs a program whatever it asked before, like shell_runs(); the length of the text where it does not.
size_t user_data_runs(Arena *arena, const PlanUserData *data, Str program);
