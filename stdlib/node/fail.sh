#!/bin/bash
# What the parts below share, put where they find it at every boot. One that fails says so in a line, on the console and
# in the log, and keeps the node from work: it stays as it is, for whoever looks.
: "${consequence:?}"

fail() {
    local line="user data: $1; $consequence and this node takes no jobs"
    { echo "$line" >/dev/console; } 2>/dev/null
    logger -t user-data -p user.err -- "$line"
    echo "$line" >&2
    touch /run/dtc/failed
    quarantine
    exit 1
}

[ "$0" != "${BASH_SOURCE[0]}" ] || install -D -m 644 "$0" /run/dtc/fail.sh
