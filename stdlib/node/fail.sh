#!/bin/bash
# What the parts below share, put where they find it at every boot. One that fails says so in a line, on the console and
# in the log. The ECS agent then never starts: the node takes no jobs and stays as it is, for whoever looks.
fail() {
    local line="user data: $1; the ECS agent stays off and this node takes no jobs"
    { echo "$line" >/dev/console; } 2>/dev/null
    logger -t user-data -p user.err -- "$line"
    echo "$line" >&2
    touch /run/dtc/failed
    # Without waiting: the agent starts behind cloud-init, which waits for this.
    systemctl mask --now --no-block ecs.service || systemctl disable --now --no-block ecs.service
    exit 1
}

[ "$0" != "${BASH_SOURCE[0]}" ] || install -D -m 644 "$0" /run/dtc/fail.sh
