// Reads decimal numbers from outside.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Reads all of `text` as digits. False where it is none, or above `most`.
bool number_read(const char *text, size_t len, uint32_t most, uint32_t *number);
