#!/bin/bash
# Mounts the cluster's file systems, at every boot. A node that does not reach one of them writes nothing to its own
# disk in its place: what becomes of it is the target's. Packages are of Amazon Linux; version 2 has its Lustre client
# among the extras. mount-apt.sh, where it stands behind this, has those of Ubuntu.
. /run/dtc/fail.sh

# client and has_client take TYPE and PACKAGE.

client() {
    yum -yq install "$2" || amazon-linux-extras install -y lustre
}

# A newer kernel starts without the modules that were installed for the one before it.
has_client() {
    command -v "mount.$1" && { [ "$1" != lustre ] || modprobe lustre; }
}

mount_at() { # TYPE PACKAGE OPTIONS DEVICE PLACE
    local try
    for try in 0 1 2 3 4 5; do
        ! mountpoint -q "$5" || return 0
        sleep $((try * 9))
        has_client "$1" || client "$1" "$2" || continue
        mkdir -p "$5"
        timeout 60 mount -t "$1" -o "$3" "$4" "$5"
    done
    # The others are mounted all the same.
    mountpoint -q "$5" || (fail "mount: $4 cannot be mounted at $5" "$5")
}

: "${mounts:?}"
