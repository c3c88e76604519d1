#!/bin/bash
# What the scripts below share. One that fails says so in a line, on the console and in the log, and keeps the node from
# work that would come to harm: it stays as it is, for whoever looks. `so` is what becomes of the node. /run/dtc is
# there. A mount names its place as the second argument. It travels in clear text, so that its names are short.
: "${so:?}"

fail() {
    line="user data: $1; $so"
    logger -st user-data -p user.err -- "$line"
    echo "$line" >>/dev/console
    touch /run/dtc/failed
    quarantine "$2"
    exit 1
}
