// printf() for the formats that dtc uses most. It is faster than that of libc.
#pragma once

#include <stdarg.h>

#include "compiler/base/str.h"

// Adds what vsnprintf() would write. False where the format has a conversion that is not known here; then nothing was
// added.
bool format_add(StrBuf *buffer, const char *format, va_list arguments) PRINTF_LIKE(2, 0);

// The digits of a number; `digits` must live as long as they are used.
typedef struct {
    char bytes[20];
} Digits;

Str format_digits(int64_t value, Digits *digits);
