// One line for each step, then the sum of the lines before: a text without its whole last line was not finished.
//
//   dtc journal 1
//   put 9f86d08…15b0f00a08 lab.cfn.yaml
//   remove 2c26b46…a80ed31 old.cfn.yaml
//   end 5feceb6…7f8d3cb9
#include "compiler/base/journal.h"

#include "compiler/base/sha256.h"

enum { SUM_DIGITS = 64 };

static const char HEAD[] = "dtc journal 1\n";
static const char *const WORDS[] = { [STEP_PUT] = "put ", [STEP_REMOVE] = "remove " };

bool journal_takes_name(Str name) {
    for (size_t i = 0; i < name.len; i++) {
        const unsigned char byte = (unsigned char)name.data[i];
        if (byte < ' ' || byte == '/') {
            return false;
        }
    }
    return name.len > 0 && !str_is(name, ".") && !str_is(name, "..");
}

Str journal_write(Arena *arena, const SetSteps *steps) {
    StrBuf text = { .arena = arena };
    strbuf_add(&text, str_of(HEAD));
    for (uint32_t i = 0; i < steps->count; i++) {
        const SetStep *step = &steps->items[i];
        strbuf_add(&text, str_of(WORDS[step->action]));
        strbuf_add(&text, step->sha256);
        strbuf_add_char(&text, ' ');
        strbuf_add(&text, step->name);
        strbuf_add_char(&text, '\n');
    }
    const Str sum = sha256_text(arena, strbuf_str(&text));
    strbuf_add(&text, STR("end "));
    strbuf_add(&text, sum);
    strbuf_add_char(&text, '\n');
    return strbuf_str(&text);
}

static bool is_sum(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        const bool is_digit = text.data[i] >= '0' && text.data[i] <= '9';
        const bool is_letter = text.data[i] >= 'a' && text.data[i] <= 'f';
        if (!is_digit && !is_letter) {
            return false;
        }
    }
    return text.len == SUM_DIGITS;
}

static bool read_step(Arena *arena, Str line, SetSteps *steps) {
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        if (!str_starts_with(line, str_of(WORDS[i]))) {
            continue;
        }
        const size_t start = strlen(WORDS[i]);
        const SetStep step = {
            .action = (StepAction)i,
            .name = str_slice(line, start + SUM_DIGITS + 1, line.len),
            .sha256 = str_slice(line, start, start + SUM_DIGITS),
        };
        if (!is_sum(step.sha256) || line.len <= start + SUM_DIGITS || line.data[start + SUM_DIGITS] != ' ' ||
            !journal_takes_name(step.name)) {
            return false;
        }
        vec_push(arena, steps, step);
        return true;
    }
    return false;
}

bool journal_read(Arena *arena, Str text, SetSteps *steps) {
    *steps = (SetSteps){ 0 };
    const size_t end_line = strlen("end ") + SUM_DIGITS + 1;
    const size_t head = strlen(HEAD);
    if (text.len < head + end_line || !str_starts_with(text, str_of(HEAD))) {
        return false;
    }
    const Str lines = str_slice(text, 0, text.len - end_line);
    const Str end = str_format(arena, "end %.*s\n", STR_ARG(sha256_text(arena, lines)));
    if (!str_equal(str_slice(text, lines.len, text.len), end)) {
        return false;
    }
    for (size_t start = head; start < lines.len;) {
        const size_t stop = str_find(lines, STR("\n"), start);
        if (stop == lines.len || !read_step(arena, str_slice(lines, start, stop), steps)) {
            *steps = (SetSteps){ 0 };
            return false;
        }
        start = stop + 1;
    }
    return true;
}
