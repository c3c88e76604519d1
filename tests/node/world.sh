# shellcheck shell=bash disable=SC2034
# A node that tests can break, for preflight.sh and prolog.sh to source. It is a mount namespace where /run, /opt, /etc
# and /dev are folders of NODE_WORLD, the working folder. The commands that speak to systemd, Slurm, AWS and the log
# are stand-ins. They write down how they were called, into `calls` or `asked`, and run the piece of shell in
# `answers/COMMAND`.
. tests/support/claims.sh

if [ -z "${NODE_WORLD:-}" ]; then
    unshare --map-root-user --mount true 2>/dev/null || skip_all 'this machine gives no mount namespace'
    NODE_WORLD=$(mktemp -d) || exit 3
    export NODE_WORLD
    unshare --map-root-user --mount bash "$0"
    status=$?
    rm -rf "$NODE_WORLD"
    exit $status
fi

library=$PWD/stdlib/node
cd "$NODE_WORLD" || exit 3
mkdir bin etc dev run opt
touch dev/null
ln -s /proc/self/fd dev/fd
mount --bind /dev/null dev/null
mount --rbind dev /dev || exit 3
mount --bind run /run || exit 3
mount --bind opt /opt || exit 3
mount --bind etc /etc || exit 3
for command in systemctl systemd-run logger scontrol; do
    # shellcheck disable=SC2016
    printf '#!/bin/sh\necho "${0##*/} $*" >>"$NODE_WORLD/calls"\n%s\n' \
        '[ ! -e "$NODE_WORLD/answers/${0##*/}" ] || . "$NODE_WORLD/answers/${0##*/}"' >"bin/$command"
done
# What only answers, and where nothing is written down for it fails, as without a network.
for command in curl aws sleep; do
    # shellcheck disable=SC2016
    printf '#!/bin/sh\necho "${0##*/} $*" >>"$NODE_WORLD/asked"\n. "$NODE_WORLD/answers/${0##*/}"\n' >"bin/$command"
done
chmod 755 bin/*

# A node before its first boot.
begin() { # TEST
    umount opt/dtc run/dtc /opt /run 2>/dev/null
    mount --bind run /run && mount --bind opt /opt
    rm -rf run/* opt/* etc/* calls asked dev/console out answers
    mkdir -p etc/eks/nodeadm.d etc/systemd/system answers
    : >calls
    : >asked
    : >dev/console
    : >answers/sleep
    written=yes mild='' keep='' taints='' verdicts='' textfile='' every='' # what the author wrote; preflight.sh has them
    about="$shell: $1"
}

with_tools() { # COMMAND…
    env PATH="$NODE_WORLD/bin:$shell_tools" "$@"
}

evidence() {
    cat calls asked out dev/console 2>/dev/null
}

# Slurm's prolog on this node, before a job that starts on nodes of a group.
prolog() { # [GROUP]
    look_again 7 "$@"
}

# Slurm's health check on this node, while whatever runs.
health_check() { # [GROUP]
    look_again '' "$@"
}

look_again() { # JOB [GROUP]
    {
        cat "$library/stamp.sh" "$library/ask-again.sh" "$library/again.sh"
        sed "s|^PATH=.*|PATH=$NODE_WORLD/bin:$shell_tools|" "$library/prolog.sh"
    } >script
    if [ -d opt/dtc ] && { [ ! -e opt/dtc/expect ] || [ -n "${2-}" ]; }; then
        printf 'dtc-expect 1\ngroup %s\n?libfabric /opt/fi_info\nmtu 9001\n?mount /fsx lustre 100\n' "${2-queue}" >opt/dtc/expect
    fi
    : >calls
    # shellcheck disable=SC2086
    SLURM_JOB_ID=$1 SLURMD_NODENAME=queue-st-p5-1 warns=' casual ' written=' strict ' drains=2 \
        $shell script >out 2>&1 </dev/null
    status=$?
}

# Sets `shell`, what runs a script; `shell_tools`, the PATH with which it does; and `timed_out`, the status of a program
# that timeout has ended. No image of a node that dtc knows has busybox's: LONG=1 tries that as well.
in_each_shell() { # FUNCTION
    local each
    shell_tools=$PATH
    timed_out=124
    for each in dash bash; do
        if ! command -v "$each" >/dev/null; then
            skip "$each is not installed"
            continue
        fi
        shell=$(command -v "$each")
        "$1"
    done
    [ -n "${LONG:-}" ] || return
    if ! command -v busybox >/dev/null; then
        skip 'busybox is not installed'
        return
    fi
    mkdir -p applets
    for each in base64 gzip dd timeout chmod sh grep mkdir cat tee uname rm cp tr cut env find rmdir ln hostname sha256sum sed sort date mv shuf; do
        ln -sf "$(command -v busybox)" "applets/$each"
    done
    ln -sf "$(command -v flock)" applets/flock
    shell="$(command -v busybox) ash"
    shell_tools=$NODE_WORLD/applets
    timed_out=143
    "$1"
}
