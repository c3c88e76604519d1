// Files that nodes fetch. Each is written beside the template. A step of the plan copies it to S3, before the step of
// what fetches it. Names hold a sum of the content, so that what stands in one place never changes under a node.
#include "emitters/node/upload.h"

#include "compiler/base/shell.h"

Str upload_place(Str artifacts) {
    return str_ends_with(artifacts, STR("/")) ? str_slice(artifacts, 0, artifacts.len - 1) : artifacts;
}

Str upload_url(Arena *arena, Str artifacts, Str file) {
    return str_format(arena, "%.*s/%.*s", STR_ARG(upload_place(artifacts)), STR_ARG(file));
}

static Str group_file(Arena *arena, const PlanNodes *nodes, Str end) {
    return str_format(arena, "%.*s.%.*s-node-%.*s", STR_ARG(nodes->cluster->head.id), STR_ARG(nodes->head.id),
                      STR_ARG(end));
}

Str upload_group_file(Arena *arena, const PlanNodes *nodes, Str sha256, Str end) {
    enum { SUM_DIGITS = 12 };
    return group_file(arena, nodes, str_format(arena, "%.*s.%.*s", SUM_DIGITS, sha256.data, STR_ARG(end)));
}

Str upload_group_objects(Arena *arena, const PlanNodes *nodes) {
    const Str url = upload_url(arena, nodes->cluster->artifacts->string, group_file(arena, nodes, STR("*")));
    return str_slice(url, sizeof("s3://") - 1, url.len);
}

static bool is_written(const Output *output, Str name) {
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        if (str_equal(output->artifacts.items[i].name, name)) {
            return true;
        }
    }
    return false;
}

// Without a file the command takes it away again. The CLI follows a bucket into its own region; the partition, China's,
// has to be right.
static Str command(Arena *arena, Str file, Str url, Str region) {
    StrBuf text = { .arena = arena };
    shell_add_given(&text, "aws s3 cp", file);
    shell_add(&text, file.len > 0 ? "" : "aws s3 rm", url);
    shell_add_given(&text, "--region", region);
    return strbuf_str(&text);
}

bool upload_add(Session *session, const Plan *plan, Output *output, Str file, Str content, Str url, Str region) {
    if (is_written(output, file)) {
        return false;
    }
    DeploymentStep step = {
        .file = file,
        .kind = STR("upload"),
        .name = url,
        .region = region,
        .apply = command(session->arena, file, url, region),
        .remove = command(session->arena, STR_NONE, url, region),
    };
    const PlanBucket *bucket = plan_bucket_of(plan, url);
    if (bucket != NULL) {
        vec_push(session->arena, &step.needs, bucket->head.name->string);
    }
    emitter_add(session, output, ((Artifact){ .name = file, .content = content, .step = step }));
    return true;
}
