// How a command of the plan reaches the head node of a cluster.
#pragma once

#include "emitters/tool/tool_file.h"

typedef enum {
    AS_LOGIN,
    AS_LOGIN_TO_ITS_END, // other commands need what it leaves behind: Run Command alone would not wait
    AS_ROOT,
    AS_ROOT_TO_ITS_END,
} HeadUser;

// A command for the machine of whoever deploys. It runs `command` on the head node as the login of all who use the
// cluster, or as root, with `file` as its standard input. By ssh where the head has a key; else by Run Command, which
// takes no standard input: the file is in its text. `command` is for the shell of the head node to read, and holds
// neither quotes nor a backslash. As root it holds one command, and no dollar.
Str head_node_command(ToolFile *tool, const PlanCluster *cluster, HeadUser user, Str command, Str file);
