// Commands for the head node.
#include "emitters/slurm/head_node.h"

#include "compiler/base/shell.h"
#include "emitters/tool/tool_values.h"
#include "schema/operating_systems.h"

// Without a key nobody gets in by ssh. Run Command does, as root, and takes no standard input: the file is in its text.
static void add_run_command(StrBuf *text, const PlanCluster *cluster, HeadUser user, const char *command, Str file) {
    shell_add(text,
              "aws ssm send-command --document-name AWS-RunShellScript --targets "
              "Key=tag:parallelcluster:node-type,Values=HeadNode",
              str_format(text->arena, "Key=tag:parallelcluster:cluster-name,Values=%.*s",
                         STR_ARG(cluster->head.name->string)));
    shell_add_given(text, "--region", cluster->region);
    strbuf_add(text, STR(" --parameters \"commands=[\\\"echo $(base64"));
    shell_add(text, "<", file);
    strbuf_add(text, STR(" | tr -d '\\n') | base64 -d | "));
    if (user == AS_LOGIN) {
        strbuf_add_format(text, "sudo -iu %s ", operating_system(cluster->os->string)->login);
    }
    strbuf_add_format(text, "%s\\\"]\"", command);
}

Str head_node_command(ToolFile *tool, const PlanCluster *cluster, HeadUser user, const char *command, Str file) {
    StrBuf text = { .arena = tool->session->arena };
    if (tool_is_null(tool, cluster->slurm->head_node->key)) {
        add_run_command(&text, cluster, user, command, file);
        return strbuf_str(&text);
    }
    shell_add(&text, "pcluster ssh --cluster-name", cluster->head.name->string);
    shell_add_given(&text, "--region", cluster->region);
    strbuf_add_format(&text, " %s%s", user == AS_ROOT ? "sudo " : "", command);
    shell_add(&text, "<", file);
    return strbuf_str(&text);
}
