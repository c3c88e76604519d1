// Blocks of IPv4 addresses (CIDR), and how they are cut into smaller blocks.
#pragma once

#include "compiler/base/str.h"

typedef struct {
    uint32_t address; // of the network: bits behind the prefix are 0
    int prefix;       // 0 … 32
} Cidr;

// False where `text` is no block, of which 0.0.0.0/0 is in `cidr`, or has bits behind its prefix, which stay there;
// cidr_trim() takes them away.
bool cidr_parse(Str text, Cidr *cidr);
Cidr cidr_trim(Cidr cidr);
Str cidr_print(Arena *arena, Cidr cidr);

bool cidr_overlaps(Cidr a, Cidr b);
bool cidr_is_within(Cidr block, Cidr whole);
bool cidr_is_private(Cidr block); // within one of the three ranges of RFC 1918, 1996-02

// How many blocks of `prefix` there are in it, and number `index` of them. `prefix` is not below the block's own.
uint32_t cidr_capacity(Cidr cidr, int prefix);
Cidr cidr_cut(Cidr cidr, int prefix, uint32_t index);
