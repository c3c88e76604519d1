// Commands for the head node.
#include "emitters/slurm/head_node.h"

#include "compiler/base/shell.h"
#include "emitters/tool/tool_values.h"
#include "schema/operating_systems.h"

// Whether it is more than the words of one command.
static bool is_of_shell(Str command) {
    for (size_t i = 0; i < command.len; i++) {
        if (strchr("$|&;<>()*", command.data[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static bool is_root(HeadUser user) {
    return user == AS_ROOT || user == AS_ROOT_TO_ITS_END;
}

// Inside of double quotes.
static void add_quoted(StrBuf *text, Str command) {
    for (size_t i = 0; i < command.len; i++) {
        strbuf_add(text, command.data[i] == '$' ? STR("\\$") : str_slice(command, i, i + 1));
    }
}

// Behind send-command: `aws ssm wait` knows instances, and there is only a tag.
static void add_wait(StrBuf *text, Str region) {
    strbuf_add(text, STR(" --query Command.CommandId --output text | xargs -I ID sh -c \"until aws ssm"
                         " list-command-invocations --command-id ID"));
    shell_add_given(text, "--region", region);
    strbuf_add(text, STR(" --query 'CommandInvocations[].Status' --output text |"
                         " grep -E 'Success|Failed|Cancelled|TimedOut'; do sleep 2; done\""));
}

// Without a key nobody gets in by ssh. Run Command does, as root, and takes no standard input: the file is in its text.
static void add_run_command(StrBuf *text, const PlanCluster *cluster, HeadUser user, Str command, Str file) {
    shell_add(text,
              "aws ssm send-command --document-name AWS-RunShellScript --targets "
              "Key=tag:parallelcluster:node-type,Values=HeadNode",
              str_format(text->arena, "Key=tag:parallelcluster:cluster-name,Values=%.*s",
                         STR_ARG(cluster->head.name->string)));
    shell_add_given(text, "--region", cluster->region);
    strbuf_add(text, STR(" --parameters \"commands=[\\\"echo $(base64"));
    shell_add(text, "<", file);
    strbuf_add(text, STR(" | tr -d '\\n') | base64 -d | "));
    const char *login = operating_system(cluster->os->string)->login;
    if (!is_root(user) && is_of_shell(command)) {
        strbuf_add_format(text, "runuser -l %s -c '", login);
        add_quoted(text, command);
        strbuf_add(text, STR("'"));
    } else if (!is_root(user)) {
        strbuf_add_format(text, "sudo -iu %s %.*s", login, STR_ARG(command));
    } else {
        strbuf_add(text, command);
    }
    strbuf_add(text, STR("\\\"]\""));
    if (user == AS_LOGIN_TO_ITS_END || user == AS_ROOT_TO_ITS_END) {
        add_wait(text, cluster->region);
    }
}

Str head_node_command(ToolFile *tool, const PlanCluster *cluster, HeadUser user, Str command, Str file) {
    StrBuf text = { .arena = tool->session->arena };
    if (tool_is_null(tool, cluster->slurm->head_node->key)) {
        add_run_command(&text, cluster, user, command, file);
        return strbuf_str(&text);
    }
    shell_add(&text, "pcluster ssh --cluster-name", cluster->head.name->string);
    shell_add_given(&text, "--region", cluster->region);
    if (is_of_shell(command)) {
        shell_add(&text, "", command);
    } else {
        strbuf_add_format(&text, " %s%.*s", is_root(user) ? "sudo " : "", STR_ARG(command));
    }
    shell_add(&text, "<", file);
    return strbuf_str(&text);
}
