// Reads digits only. strtoul() would also take a sign, blanks and other bases.
#include "stdlib/node/collective/number.h"

bool number_read(const char *text, size_t len, uint32_t most, uint32_t *number) {
    uint64_t value = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        value = value * 10 + (uint64_t)(text[i] - '0');
        if (value > most) {
            return false;
        }
    }
    if (len == 0) {
        return false;
    }
    *number = (uint32_t)value;
    return true;
}
