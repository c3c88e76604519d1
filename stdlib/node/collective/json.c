// Recursive descent over JSON as RFC 8259 has it, but for two leniences: escapes in strings are passed over and not
// looked at, and numbers are runs of the characters that numbers have. What was cut off is never taken for whole.
#include "stdlib/node/collective/json.h"

#include <string.h>

typedef struct Walk {
    const char *text;
    size_t len, at;
    void (*take)(void *, const JsonEvent *);
    void *context;
} Walk;

static char peek(Walk *walk) {
    while (walk->at < walk->len && strchr(" \t\r\n", walk->text[walk->at]) != NULL && walk->text[walk->at] != '\0') {
        walk->at++;
    }
    return walk->at < walk->len ? walk->text[walk->at] : '\0';
}

static bool accept(Walk *walk, char byte) {
    if (peek(walk) != byte || walk->at == walk->len) {
        return false;
    }
    walk->at++;
    return true;
}

static bool string(Walk *walk, const char **data, size_t *len) {
    if (!accept(walk, '"')) {
        return false;
    }
    *data = walk->text + walk->at;
    for (const size_t begin = walk->at; walk->at < walk->len; walk->at++) {
        if (walk->text[walk->at] == '"') {
            *len = walk->at - begin;
            walk->at++;
            return true;
        }
        walk->at += walk->text[walk->at] == '\\';
    }
    return false;
}

static void tell(Walk *walk, JsonKind kind, unsigned depth, const char *key, const char *data, size_t len) {
    walk->take(walk->context, &(JsonEvent){ .kind = kind, .depth = depth, .key = key, .data = data, .len = len });
}

static bool value(Walk *walk, unsigned depth, const char *key);

static bool members(Walk *walk, unsigned depth, char close) {
    char key[JSON_KEY_BYTES] = "";
    if (accept(walk, close)) {
        return true;
    }
    do {
        if (close == '}') {
            const char *data = NULL;
            size_t len = 0;
            if (!string(walk, &data, &len) || !accept(walk, ':')) {
                return false;
            }
            const size_t kept = len < sizeof key ? len : sizeof key - 1;
            memcpy(key, data, kept);
            key[kept] = '\0';
        }
        if (!value(walk, depth + 1, key)) {
            return false;
        }
    } while (accept(walk, ','));
    return accept(walk, close);
}

static bool run(Walk *walk, JsonKind kind, unsigned depth, const char *key, const char *allowed) {
    const size_t begin = walk->at;
    while (walk->at < walk->len && walk->text[walk->at] != '\0' && strchr(allowed, walk->text[walk->at]) != NULL) {
        walk->at++;
    }
    tell(walk, kind, depth, key, walk->text + begin, walk->at - begin);
    return walk->at > begin;
}

static bool value(Walk *walk, unsigned depth, const char *key) {
    const char first = peek(walk);
    if (first == '{' || first == '[') {
        if (depth == JSON_DEPTH_MAX) {
            return false;
        }
        walk->at++;
        tell(walk, JSON_OPEN, depth, key, "", 0);
        if (!members(walk, depth, first == '{' ? '}' : ']')) {
            return false;
        }
        tell(walk, JSON_CLOSE, depth, key, "", 0);
        return true;
    }
    if (first == '"') {
        const char *data = NULL;
        size_t len = 0;
        if (!string(walk, &data, &len)) {
            return false;
        }
        tell(walk, JSON_STRING, depth, key, data, len);
        return true;
    }
    return (first >= '0' && first <= '9') || first == '-'
               ? run(walk, JSON_NUMBER, depth, key, "0123456789+-.eE")
               : run(walk, JSON_WORD, depth, key, "abcdefghijklmnopqrstuvwxyzN"); // and NaN, which some write
}

bool json_walk(const char *text, size_t len, void (*take)(void *, const JsonEvent *), void *context) {
    Walk walk = { .text = text, .len = len, .take = take, .context = context };
    return value(&walk, 0, "") && peek(&walk) == '\0' && walk.at == walk.len;
}
