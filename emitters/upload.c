// Files that nodes fetch: each is written beside the template, and a step of the plan, before that of what fetches it,
// copies it to S3. Names hold a sum of the content, so that what stands in one place never changes under a node.
#include "emitters/upload.h"

#include "compiler/base/shell.h"

Str upload_place(Str artifacts) {
    return str_ends_with(artifacts, STR("/")) ? str_slice(artifacts, 0, artifacts.len - 1) : artifacts;
}

Str upload_url(Arena *arena, Str artifacts, Str file) {
    return str_format(arena, "%.*s/%.*s", STR_ARG(upload_place(artifacts)), STR_ARG(file));
}

static bool is_written(const Output *output, Str name) {
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        if (str_equal(output->artifacts.items[i].name, name)) {
            return true;
        }
    }
    return false;
}

static Str command(Arena *arena, const char *verb, Str file, Str url) {
    StrBuf text = { .arena = arena };
    strbuf_add_format(&text, "aws s3 %s ", verb);
    if (file.len > 0) {
        shell_add_word(&text, file);
        strbuf_add_char(&text, ' ');
    }
    shell_add_word(&text, url);
    return strbuf_str(&text);
}

bool upload_add(Session *session, Output *output, Str file, Str content, Str url) {
    if (is_written(output, file)) {
        return false;
    }
    const PlanStep step = {
        .file = file,
        .kind = STR("upload"),
        .name = url,
        .apply = command(session->arena, "cp", file, url),
        .remove = command(session->arena, "rm", STR_NONE, url),
    };
    vec_push(session->arena, &output->artifacts, ((Artifact){ .name = file, .content = content, .step = step }));
    return true;
}
