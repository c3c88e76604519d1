// Regular expressions over whole texts. Compiled patterns are kept, dtc's own for all files of a worker, and those of a
// file for that file: what it may cost must not depend on the file before. The oldest is dropped first: a schema has a few
// dozen, and a loop that makes a new pattern each time must not fill the memory.
#include "compiler/base/pattern.h"

#include "compiler/base/die.h"

#include "compiler/base/session.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum {
    PATTERNS_MAX = 256,        // kept compiled at once
    PATTERN_BYTES_MAX = 4096,  // CloudFormation's own limit for a parameter's text
    MATCH_STEPS_MAX = 1000000, // a few milliseconds; a sane pattern over a sane text needs hundreds
    MATCH_STEPS_FIRST = 100,   // tried first: the library does not say how many it took
    MATCH_STEPS_GROWTH = 100,
    COMPILE_STEPS = 10, // for each byte of a pattern
    MATCH_DEPTH_MAX = 10000,
    MATCH_HEAP_KIB_MAX = 16 * 1024,
    FAULT_BYTES = 256,
};

typedef struct {
    Str pattern;      // a copy on the heap: files come and go
    pcre2_code *code; // NULL where the pattern is bad
    int error;        // then: why
    size_t offset;    // and where
} CompiledPattern;

struct PatternCache {
    CompiledPattern items[PATTERNS_MAX];
    uint32_t count;
    uint32_t oldest; // the next to be replaced, once all places are taken
    pcre2_compile_context *compile_context;
    pcre2_match_context *match_context;
};

static void drop(CompiledPattern *pattern) {
    free((char *)pattern->pattern.data);
    pcre2_code_free(pattern->code);
}

static void cache_free(void *held) {
    struct PatternCache *cache = held;
    for (uint32_t i = 0; i < cache->count; i++) {
        drop(&cache->items[i]);
    }
    pcre2_compile_context_free(cache->compile_context);
    pcre2_match_context_free(cache->match_context);
}

static struct PatternCache *cache_create(Session *session) {
    struct PatternCache *cache = arena_new(session->arena, struct PatternCache);
    cache->compile_context = pcre2_compile_context_create(NULL);
    cache->match_context = pcre2_match_context_create(NULL);
    if (cache->compile_context == NULL || cache->match_context == NULL) {
        die("out of memory");
    }
    pcre2_set_max_pattern_length(cache->compile_context, PATTERN_BYTES_MAX);
    pcre2_set_depth_limit(cache->match_context, MATCH_DEPTH_MAX);
    pcre2_set_heap_limit(cache->match_context, MATCH_HEAP_KIB_MAX);
    const SessionEnd end = { .free = cache_free, .held = cache };
    vec_push(session->arena, &session->ends, end);
    return cache;
}

static CompiledPattern compile(const struct PatternCache *cache, Str pattern) {
    // `\C` would let a match end inside a character. A `$` is the very end of the text, as it is for CloudFormation.
    const uint32_t options =
        PCRE2_UTF | PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C;
    char *copy = malloc(pattern.len + 1);
    if (copy == NULL) {
        die("out of memory");
    }
    memcpy(copy, pattern.len == 0 ? "" : pattern.data, pattern.len);
    CompiledPattern compiled = { .pattern = { .data = copy, .len = pattern.len } };
    compiled.code = pcre2_compile((PCRE2_SPTR)copy, pattern.len, options, &compiled.error, &compiled.offset,
                                  cache->compile_context);
    return compiled;
}

static Str fault_of(Session *session, const CompiledPattern *compiled) {
    PCRE2_UCHAR text[FAULT_BYTES] = { 0 };
    pcre2_get_error_message(compiled->error, text, sizeof(text));
    return str_format(session->arena, "%s, at byte %zu", (const char *)text, compiled->offset + 1);
}

static struct PatternCache *cache_of(Session *keeper) {
    if (keeper->patterns == NULL) {
        keeper->patterns = cache_create(keeper);
    }
    return keeper->patterns;
}

static const CompiledPattern *pattern_find(struct PatternCache *cache, Str pattern, uint64_t *steps) {
    for (uint32_t i = 0; i < cache->count; i++) {
        if (str_equal(cache->items[i].pattern, pattern)) {
            return &cache->items[i];
        }
    }
    CompiledPattern *place;
    if (cache->count < PATTERNS_MAX) {
        place = &cache->items[cache->count++];
    } else {
        place = &cache->items[cache->oldest];
        cache->oldest = (cache->oldest + 1) % PATTERNS_MAX;
        drop(place);
    }
    *place = compile(cache, pattern);
    *steps += pattern.len * COMPILE_STEPS;
    return place;
}

static int match_within(const struct PatternCache *cache, const pcre2_code *code, Str text, uint32_t steps_max) {
    pcre2_match_data *match = pcre2_match_data_create_from_pattern(code, NULL);
    if (match == NULL) {
        die("out of memory");
    }
    pcre2_set_match_limit(cache->match_context, steps_max);
    const int result =
        pcre2_match(code, (PCRE2_SPTR)(text.len == 0 ? "" : text.data), text.len, 0, 0, match, cache->match_context);
    pcre2_match_data_free(match);
    if (result == PCRE2_ERROR_NOMEMORY) {
        die("out of memory");
    }
    return result;
}

static PatternResult match(Session *session, Session *keeper, Str pattern, Str text, Str *fault, uint64_t *steps) {
    struct PatternCache *cache = cache_of(keeper);
    const CompiledPattern *compiled = pattern_find(cache, pattern, steps);
    if (compiled->code == NULL) {
        if (fault != NULL) {
            *fault = fault_of(session, compiled);
        }
        return PATTERN_BAD;
    }
    for (uint32_t most = MATCH_STEPS_FIRST;; most *= MATCH_STEPS_GROWTH) {
        const int result = match_within(cache, compiled->code, text, most);
        *steps += most + text.len;
        if (result >= 0) {
            return PATTERN_YES;
        }
        if (result == PCRE2_ERROR_MATCHLIMIT && most < MATCH_STEPS_MAX) {
            continue;
        }
        const bool is_limit =
            result == PCRE2_ERROR_MATCHLIMIT || result == PCRE2_ERROR_DEPTHLIMIT || result == PCRE2_ERROR_HEAPLIMIT;
        // What is left is no match, or a text that is not UTF-8, which no pattern describes.
        return is_limit ? PATTERN_LIMIT : PATTERN_NO;
    }
}

PatternResult pattern_match(Session *session, Str pattern, Str text, Str *fault) {
    uint64_t steps = 0;
    return match(session, session->owner, pattern, text, fault, &steps);
}

PatternResult pattern_match_counted(Session *session, Str pattern, Str text, Str *fault, uint64_t *steps) {
    return match(session, session, pattern, text, fault, steps);
}

Str pattern_replace(Session *session, Str pattern, Str text, Str words) {
    enum { GROWS_BY_MAX = 2 };
    if (pattern_match(session, pattern, text, NULL) != PATTERN_YES) {
        return STR_NONE;
    }
    uint64_t steps = 0;
    const CompiledPattern *compiled = pattern_find(cache_of(session->owner), pattern, &steps);
    size_t len = GROWS_BY_MAX * text.len + words.len + 1;
    char *out = arena_alloc(session->arena, len);
    const int count = pcre2_substitute(compiled->code, (PCRE2_SPTR)text.data, text.len, 0, 0, NULL, NULL,
                                       (PCRE2_SPTR)words.data, words.len, (PCRE2_UCHAR *)out, &len);
    return count == 1 ? (Str){ .data = out, .len = len } : STR_NONE;
}
