// Writes the commands that make and delete a stack, and that fill its secret. Required parameters are taken from the
// environment, so that a command can be pasted as it is and says what is missing: `Odcr="${ODCR:?}"`.
#include "emitters/cloudformation/template/stack_step.h"

#include "compiler/base/shell.h"
#include "emitters/deployment/variable.h"

static void add_override(StrBuf *text, bool *has_any, Str parameter) {
    strbuf_add(text, *has_any ? STR(" ") : STR(" --parameter-overrides "));
    strbuf_add_format(text, "%.*s=", STR_ARG(parameter));
    *has_any = true;
}

// What the template's defaults say of params is for who deploys first: afterwards the AWS CLI keeps the value that the
// stack has. Of images the source decides, so that another version of Kubernetes or another order of the groups gets
// its own.
static void add_overrides(const Stack *stack, StrBuf *text) {
    const DeploymentStep *step = &stack->step;
    bool has_any = false;
    for (uint32_t i = 0; i < step->parameters.count; i++) {
        Str parameter = step->parameters.items[i];
        add_override(text, &has_any, parameter);
        strbuf_add(text, STR("\"${"));
        variable_add(text, parameter);
        strbuf_add(text, STR(":?}\""));
    }
    for (uint32_t i = 0; i < stack->answers.count; i++) {
        const StackAnswer *answer = &stack->answers.items[i];
        add_override(text, &has_any, str_of(answer->id));
        strbuf_add_format(text, "\"$(%.*s)\"", STR_ARG(answer->command));
    }
    for (uint32_t i = 0; i < stack->images.count; i++) {
        add_override(text, &has_any, stack->images.items[i].id);
        shell_add_word(text, stack->images.items[i].path);
    }
}

static Str apply_command(const Stack *stack, size_t size) {
    const DeploymentStep *step = &stack->step;
    StrBuf text = { .arena = stack->session->arena };
    shell_add(&text, "aws cloudformation deploy --template-file", step->file);
    shell_add(&text, "--stack-name", step->name);
    shell_add_given(&text, "--region", stack->region);
    if (size > (size_t)schema_constant(CONSTANT_TEMPLATE_BODY_BYTES_MAX)) {
        strbuf_add(&text, STR(" --s3-bucket \"${S3_BUCKET:?}\""));
    }
    if (stack->has_named_roles) {
        strbuf_add(&text, STR(" --capabilities CAPABILITY_NAMED_IAM"));
    } else if (stack->has_roles) {
        strbuf_add(&text, STR(" --capabilities CAPABILITY_IAM"));
    }
    add_overrides(stack, &text);
    return strbuf_str(&text);
}

// `delete-stack` returns at once, and what this stack stands on cannot be deleted before it is gone.
static Str remove_command(const Stack *stack) {
    StrBuf text = { .arena = stack->session->arena };
    shell_add(&text, "aws cloudformation delete-stack --stack-name", stack->step.name);
    shell_add_given(&text, "--region", stack->region);
    shell_add(&text, "&& aws cloudformation wait stack-delete-complete --stack-name", stack->step.name);
    shell_add_given(&text, "--region", stack->region);
    return strbuf_str(&text);
}

void step_fill(Stack *stack, size_t size) {
    DeploymentStep *step = &stack->step;
    step->kind = STR("cloudformation");
    step->name = stack->head->name->string;
    step->region = stack->region;
    step->apply = apply_command(stack, size);
    step->remove = remove_command(stack);
}

Str step_ssh_key(Arena *arena, Str stack) {
    return str_format(arena, "ssh key of %.*s", STR_ARG(stack));
}

// In a subshell, so that the private copy goes whatever happens. The secret has no name of its own: the stack knows it.
void step_add_ssh_key(const Stack *stack, Str id, Output *output) {
    Arena *arena = stack->session->arena;
    const Str name = stack->head->name->string;
    StrBuf text = { .arena = arena };
    strbuf_add(&text, STR("(umask 077 && dir=$(mktemp -d) && trap 'rm -rf \"$dir\"' EXIT &&"));
    shell_add(&text, "ssh-keygen -q -t ed25519 -N '' -C", name);
    shell_add(&text, "-f \"$dir/key\" && id=$(aws cloudformation describe-stack-resource --stack-name", name);
    shell_add_given(&text, "--region", stack->region);
    shell_add(&text, "--logical-resource-id", id);
    strbuf_add(&text, STR(" --query StackResourceDetail.PhysicalResourceId --output text) && "
                          "aws secretsmanager put-secret-value --secret-id \"$id\""));
    shell_add_given(&text, "--region", stack->region);
    strbuf_add(&text, STR(" --secret-string \"file://$dir/key\")"));
    DeploymentStep step = {
        .kind = STR("secret"), .name = str_copy(arena, id), .key = step_ssh_key(arena, name), .apply = strbuf_str(&text)
    };
    vec_push(arena, &step.needs, name);
    vec_push(arena, &output->steps, step);
}
