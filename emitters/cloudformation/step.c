// Writes the commands that make and delete a stack, and that fill its secret. Required parameters are taken from the
// environment, so that a command can be pasted as it is and says what is missing: `Odcr="${ODCR:?}"`.
#include "emitters/cloudformation/step.h"

#include "compiler/base/shell.h"

// Variables that a shell or a login sets (POSIX, XBD 8.3 and XCU 2.5.3; bash(1), Shell Variables, 2026-11), and the one
// that the command takes itself: `Path="${PATH:?}"` would always find a value, and never the one that is meant.
static const char *const TAKEN[] = {
    "BASH",
    "BASHOPTS",
    "BASHPID",
    "CDPATH",
    "COLUMNS",
    "DIRSTACK",
    "DISPLAY",
    "EDITOR",
    "ENV",
    "EUID",
    "FUNCNAME",
    "GROUPS",
    "HISTFILE",
    "HISTSIZE",
    "HOME",
    "HOST",
    "HOSTNAME",
    "HOSTTYPE",
    "IFS",
    "LANG",
    "LANGUAGE",
    "LINENO",
    "LINES",
    "LOGNAME",
    "MACHTYPE",
    "MAIL",
    "MAILPATH",
    "NLSPATH",
    "OLDPWD",
    "OPTARG",
    "OPTERR",
    "OPTIND",
    "OSTYPE",
    "PAGER",
    "PATH",
    "PIPESTATUS",
    "POSIXLY_CORRECT",
    "PPID",
    "PWD",
    "RANDOM",
    "REPLY",
    "S3_BUCKET",
    "SECONDS",
    "SHELL",
    "SHELLOPTS",
    "SHLVL",
    "SRANDOM",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
    "TERM",
    "TMPDIR",
    "TZ",
    "UID",
    "USER",
    "USERNAME",
    "VISUAL",
};

// Beginnings of such; the AWS CLI's own mean something to the very command.
static const char *const TAKEN_BEGINNINGS[] = { "AWS_", "BASH_", "LC_" };

static bool is_taken(Str name) {
    bool is_found = false;
    for (size_t i = 0; i < COUNT_OF(TAKEN) && !is_found; i++) {
        is_found = str_is(name, TAKEN[i]);
    }
    for (size_t i = 0; i < COUNT_OF(TAKEN_BEGINNINGS) && !is_found; i++) {
        is_found = str_starts_with(name, str_of(TAKEN_BEGINNINGS[i]));
    }
    return is_found;
}

// "BlockId" as an environment variable: "BLOCK_ID"; "Path" as "PATH_", which no other parameter becomes.
void step_add_variable(StrBuf *text, Str parameter) {
    const size_t start = text->len;
    for (size_t i = 0; i < parameter.len; i++) {
        char c = parameter.data[i];
        bool is_upper = c >= 'A' && c <= 'Z';
        if (is_upper && i > 0) {
            strbuf_add_char(text, '_');
        }
        strbuf_add_char(text, c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
    }
    if (is_taken(str_slice(strbuf_str(text), start, text->len))) {
        strbuf_add_char(text, '_');
    }
}

static void add_override(StrBuf *text, bool *has_any, Str parameter) {
    strbuf_add(text, *has_any ? STR(" ") : STR(" --parameter-overrides "));
    strbuf_add_format(text, "%.*s=", STR_ARG(parameter));
    *has_any = true;
}

// What the template's defaults say of params is for who deploys first: afterwards the AWS CLI keeps the value that the stack
// has. Of images the source decides, so that another version of Kubernetes or another order of the groups gets its own.
static void add_overrides(const Stack *stack, StrBuf *text) {
    const PlanStep *step = &stack->step;
    bool has_any = false;
    for (uint32_t i = 0; i < step->parameters.count; i++) {
        Str parameter = step->parameters.items[i];
        add_override(text, &has_any, parameter);
        strbuf_add(text, STR("\"${"));
        step_add_variable(text, parameter);
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
    const PlanStep *step = &stack->step;
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

void step_fill(Stack *stack, size_t size) {
    PlanStep *step = &stack->step;
    step->kind = STR("cloudformation");
    step->name = stack->head->name->string;
    step->region = stack->region;
    step->apply = apply_command(stack, size);
    StrBuf remove = { .arena = stack->session->arena };
    shell_add(&remove, "aws cloudformation delete-stack --stack-name", step->name);
    shell_add_given(&remove, "--region", stack->region);
    step->remove = strbuf_str(&remove);
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
    PlanStep step = { .kind = STR("secret"), .name = str_copy(arena, id), .apply = strbuf_str(&text) };
    vec_push(arena, &step.needs, name);
    vec_push(arena, &output->steps, step);
}

// The stack that a step makes.
static Str made_stack(Arena *arena, const PlanStep *step) {
    return str_is(step->kind, "eksctl") ? plan_eksctl_stack(arena, step->name) : step->name;
}

bool step_makes(Arena *arena, const PlanStep *step, Str stack) {
    return str_equal(made_stack(arena, step), stack);
}

// One more than the latest of what it needs. A need that no stack of this build meets is there already.
static void set_wave(const StrMap *stacks, PlanStep *step) {
    step->wave = 0;
    for (uint32_t k = 0; k < step->needs.count; k++) {
        const PlanStep *needed = str_map_get(stacks, step->needs.items[k]);
        if (needed != NULL && needed->wave >= step->wave) {
            step->wave = needed->wave + 1;
        }
    }
}

// Stacks are emitted after what they can need, so one walk suffices.
void step_order(Arena *arena, Output *output) {
    StrMap stacks = { .arena = arena };
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        PlanStep *step = &output->artifacts.items[i].step;
        set_wave(&stacks, step);
        str_map_add(&stacks, made_stack(arena, step), step);
    }
    for (uint32_t i = 0; i < output->steps.count; i++) {
        set_wave(&stacks, &output->steps.items[i]);
    }
}
