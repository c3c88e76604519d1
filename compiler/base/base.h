// What every file of dtc includes: the integer types, and the functions of libc that are forbidden.
#pragma once

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// These write without knowing how much room there is. Str and StrBuf do.
#pragma GCC poison strcpy strcat sprintf vsprintf strtok gets strncpy strncat

#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
