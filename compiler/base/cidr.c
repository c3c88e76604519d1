// Address arithmetic, so that templates hold subnets as people write them and not as Fn::Cidr counts them.
#include "compiler/base/cidr.h"

static bool read_number(Str text, size_t *offset, uint32_t max, uint32_t *number) {
    size_t start = *offset;
    uint32_t value = 0;
    while (*offset < text.len && text.data[*offset] >= '0' && text.data[*offset] <= '9' && value <= max) {
        value = value * 10 + (uint32_t)(text.data[(*offset)++] - '0');
    }
    bool has_leading_zero = *offset - start > 1 && text.data[start] == '0';
    *number = value;
    return *offset > start && value <= max && !has_leading_zero;
}

static uint32_t mask(int prefix) {
    return prefix == 0 ? 0 : UINT32_MAX << (32 - prefix);
}

bool cidr_parse(Str text, Cidr *cidr) {
    size_t offset = 0;
    uint32_t address = 0;
    uint32_t number = 0;
    *cidr = (Cidr){ 0 };
    for (int i = 0; i < 4; i++) {
        if (!read_number(text, &offset, 255, &number) || offset == text.len ||
            text.data[offset] != (i < 3 ? '.' : '/')) {
            return false;
        }
        offset++;
        address = address << 8 | number;
    }
    if (!read_number(text, &offset, 32, &number) || offset != text.len) {
        return false;
    }
    *cidr = (Cidr){ .address = address, .prefix = (int)number };
    return (address & ~mask(cidr->prefix)) == 0;
}

Cidr cidr_trim(Cidr cidr) {
    return (Cidr){ .address = cidr.address & mask(cidr.prefix), .prefix = cidr.prefix };
}

Str cidr_print(Arena *arena, Cidr cidr) {
    return str_format(arena, "%u.%u.%u.%u/%d", cidr.address >> 24, cidr.address >> 16 & 255, cidr.address >> 8 & 255,
                      cidr.address & 255, cidr.prefix);
}

bool cidr_overlaps(Cidr a, Cidr b) {
    uint32_t common = mask(a.prefix < b.prefix ? a.prefix : b.prefix);
    return (a.address & common) == (b.address & common);
}

bool cidr_is_within(Cidr block, Cidr whole) {
    return block.prefix >= whole.prefix && cidr_overlaps(block, whole);
}

bool cidr_is_private(Cidr block) {
    static const char *const RANGES[] = { "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16" };
    for (size_t i = 0; i < COUNT_OF(RANGES); i++) {
        Cidr range;
        if (cidr_parse(str_of(RANGES[i]), &range) && cidr_is_within(block, range)) {
            return true;
        }
    }
    return false;
}

uint32_t cidr_capacity(Cidr cidr, int prefix) {
    assert(prefix >= cidr.prefix && prefix - cidr.prefix < 32);
    return UINT32_C(1) << (prefix - cidr.prefix);
}

Cidr cidr_cut(Cidr cidr, int prefix, uint32_t index) {
    assert(prefix > 0 && index < cidr_capacity(cidr, prefix));
    return (Cidr){ .address = cidr.address + (index << (32 - prefix)), .prefix = prefix };
}
