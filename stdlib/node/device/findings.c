// Checks into JSON, in the words of the first stage.
#include "stdlib/node/device/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef enum { HARDWARE, IMAGE, SHARED, ALIKE } Class;

static const struct {
    const char *id, *want;
    Class class;
} CHECKS[DEVICE_CHECKS] = {
#define NODE_DEVICE_CHECK(ID, id, want, class, text) [DEVICE_##ID] = { id, want, class },
    NODE_DEVICE_CHECKS(NODE_DEVICE_CHECK)
#undef NODE_DEVICE_CHECK
};

const char *findings_id(DeviceCheck check) {
    return CHECKS[check].id;
}

void finding_look(Finding *finding) {
    finding->devices++;
}

PRINTF_LIKE(3, 0)
static void put(Finding *finding, const char *device, const char *format, va_list arguments) {
    char *at = finding->got + finding->got_len;
    const size_t room = sizeof finding->got - finding->got_len;
    const int head = snprintf(at, room, "%s%s=", finding->got_len > 0 ? " " : "", device);
    if (head < 0 || (size_t)head >= room) {
        *at = '\0';
        return;
    }
    const int tail = vsnprintf(at + head, room - (size_t)head, format, arguments);
    if (tail < 0 || (size_t)tail >= room - (size_t)head) {
        *at = '\0';
        return;
    }
    finding->got_len += (size_t)head + (size_t)tail;
}

void finding_fault(Finding *finding, Level level, const char *device, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    put(finding, device, format, arguments);
    va_end(arguments);
    if (level == LEVEL_FAIL && (finding->failed == 0 || strcmp(finding->last_failed, device) != 0)) {
        finding->failed++;
        text_into(finding->last_failed, sizeof finding->last_failed, "%s", device);
    }
    finding->level = level > finding->level ? level : finding->level;
}

void finding_note(Finding *finding, const char *device, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    put(finding, device, format, arguments);
    va_end(arguments);
}

static bool is_of_image(const Finding *finding) {
    switch (CHECKS[finding->check].class) {
    case HARDWARE:
        return finding->is_of_image;
    case IMAGE:
        return true;
    case SHARED:
        return finding->is_of_image || (finding->devices > 0 && finding->failed >= finding->devices);
    case ALIKE:
        return finding->is_of_image || (finding->devices > 1 && finding->failed >= finding->devices);
    }
    return false;
}

void findings_put(Findings *findings, const Finding *finding) {
    static const char *const WORDS[LEVELS] = {
        [LEVEL_PASS] = NODE_PASS, [LEVEL_WARN] = NODE_WARN, [LEVEL_FAIL] = NODE_FAIL, [LEVEL_SKIP] = NODE_SKIP
    };
    const bool is_image = is_of_image(finding);
    Text text = { .data = findings->room + findings->len, .size = sizeof findings->room - findings->len };
    text_put(&text, "%s{\"id\":\"%s\",\"s\":\"%s\",\"want\":", findings->len > 0 ? "," : "", CHECKS[finding->check].id,
             WORDS[finding->level]);
    text_put_quoted(&text, finding->want != NULL ? finding->want : CHECKS[finding->check].want);
    text_put(&text, ",\"got\":");
    text_put_quoted(&text, finding->got);
    text_put(&text, ",\"at\":");
    text_put_quoted(&text, finding->at);
    text_put(&text, ",\"class\":\"%s\"}", is_image ? NODE_CLASS_IMAGE : NODE_CLASS_HARDWARE);
    if (text.is_cut) {
        *text.data = '\0';
    } else {
        findings->len += text.len;
    }
    findings->counts[finding->level]++;
    findings->hardware_fails += finding->level == LEVEL_FAIL && !is_image;
}

void findings_skip(Findings *findings, DeviceCheck check, const char *why) {
    Finding finding = { .check = check, .level = LEVEL_SKIP };
    text_into(finding.got, sizeof finding.got, "%s", why);
    findings_put(findings, &finding);
}
