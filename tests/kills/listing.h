// What a folder holds, held against the files of the builds that are known.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { NAMES_MAX = 64, SET_COUNT = 3 };

typedef struct {
    char *name;
    char *content;
    size_t size;
} File;

typedef struct {
    File files[NAMES_MAX];
    int count;
    bool has_staging;
    bool has_journal;
} Listing;

extern Listing sets[SET_COUNT]; // what each source builds

char *read_file(const char *folder, const char *name, size_t *size); // malloc()ed; NULL where it is not there
Listing list(const char *folder);
void drop(Listing *listing);

// The number of the set that the folder holds, whole and alone; -1 for none of them, -2 for an empty folder.
int set_of(const Listing *listing);

// True where a file is that of no build.
bool is_torn(const Listing *listing);

void remove_folder(const char *folder);

// Makes `out` what a build of a set leaves; -2 for no folder at all.
void put_set(int set);
