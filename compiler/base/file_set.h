// A set of files in one folder: all of them become new, or none.
#pragma once

#include "compiler/base/str.h"

// The files of a set are first written into `.dtc-set` inside of the folder, with a journal. The journal says which
// file gets which name, and which file goes. When all that is on the disk, the files get their names. A dtc that is
// killed before that leaves the old files. One that is killed later leaves the journal, and the next dtc that opens the
// folder does what it says. Only one dtc at a time works on a folder. Faults are texts for people, as those of
// file_read().
typedef struct FileSet FileSet;

// What was found of a dtc that was killed, and mended.
typedef struct {
    uint32_t put_count;     // files that got their name
    uint32_t removed_count; // files that went
    bool has_leftovers;     // something was found
} SetRepair;

FileSet *files_open(Arena *arena, Str directory);

// For files of people, not of dtc: nobody finishes such a set for them, since they may have changed a file since.
FileSet *files_open_sources(Arena *arena, Str directory);

// Makes the folder where it is absent, waits for its turn and mends what an earlier dtc left. From here on SIGINT and
// SIGTERM are held back. Done by file_stage() where it was not done before.
const char *files_begin(FileSet *files);
bool files_is_new(const FileSet *files);               // begun, and the folder was made for it
const SetRepair *files_repaired(const FileSet *files); // by files_begin()

// One file of the set. Owner and permissions of a file of that name are kept. NULL, or what went wrong.
const char *file_stage(FileSet *files, Str name, Str content);
const char *file_stage_summed(FileSet *files, Str name, Str content, Str sha256); // where the sum is known

// One file that goes with the commit, if it has this sum then; absent is fine.
const char *file_remove(FileSet *files, Str name, Str sha256);

// Takes the steps in the order in which they came. Where it fails it has aborted, unless some files are new and others
// old: files_is_partial() then, and the next dtc finishes.
const char *files_commit(FileSet *files);
bool files_is_partial(const FileSet *files); // also where files_begin() could not finish what it found
void files_abort(FileSet *files);

// For whoever reads files of a folder: waits for its turn and mends what an earlier dtc left. Costs one look where
// there is nothing to mend.
const char *files_repair(Arena *arena, Str directory, SetRepair *repair);
