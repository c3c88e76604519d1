#!/bin/bash
# Mounts the cluster's file systems, at every boot. A node that does not reach one of them takes no jobs: what they write
# would be lost on its own disk. Packages are of Amazon Linux; version 2 has its Lustre client among the extras.
. /run/dtc/fail.sh

mount_at() { # TYPE PACKAGE OPTIONS DEVICE PLACE
    local try
    for try in 0 1 2 3 4 5; do
        ! mountpoint -q "$5" || return 0
        sleep $((try * 9))
        command -v "mount.$1" || yum -yq install "$2" || amazon-linux-extras install -y lustre || continue
        mkdir -p "$5"
        timeout 60 mount -t "$1" -o "$3" "$4" "$5"
    done
    mountpoint -q "$5" || fail "mount: $4 cannot be mounted at $5"
}

: "${mounts:?}"
