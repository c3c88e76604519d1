#!/bin/sh
# Slurm's prolog and its health check on the nodes of a group that is checked: looks again before a job starts and every
# few minutes, with the core and the record that the node's bootstrap left, and drains the node where it fails. What
# runs there goes on. Slurm starts no other job there, and ParallelCluster ends an instance that is drained and runs
# nothing. Ends with 0 where jobs may start.
#
# It does no more harm than the fault: it looks as again.sh does, which an emitter puts here as well; what is not the
# hardware's fails only where the author wrote `on_fail`; and of all nodes that share the folder below so many are
# drained in an hour, no more: what all of them have is not theirs.
#
# It runs as root. The prolog, from /opt/slurm/etc/scripts/prolog.d/ (ParallelCluster 3.6 and later), has three minutes,
# with all others of that folder, and a job that it turns away waits for another node (BatchStartTimeout and
# nohold_on_prolog_fail; ParallelCluster User Guide, Slurm prolog and epilog, 2026-11). The health check
# (HealthCheckProgram), which has no job, has one: slurmd then ends it, and does nothing by itself about a node that
# fails (slurm.conf(5), 22.05). /opt/slurm is the head node's, which all may write to
# (aws-parallelcluster-cookbook@052d34ff, config_head_node.rb, 2026-11).
#
#   warns    names of the groups with on_fail = warn, with a blank before and behind each
#   written  of those with another on_fail, so that an image at fault counts as well
#   drains   nodes that may be drained in an hour
# shellcheck disable=SC2034,SC2154 # what again.sh reads and sets
: "${warns:?}" "${written:?}" "${drains:?}"
PATH=/usr/sbin:/usr/bin:/opt/slurm/bin
umask 22
shared=/opt/slurm/etc

# The wrapper makes this folder first of all: without it nothing is expected of this node.
[ -d /opt/dtc ] || exit 0
# A person's word, without a deployment.
read -r switch 2>/dev/null <$shared/dtc-validate
[ "$switch" != off ] || exit 0
mkdir -p /run/dtc
group=$(sed -n 's/^group //p' /opt/dtc/expect)
node=${SLURMD_NODENAME:-$(hostname -s)}

say() { # TEXT
    if [ "$SLURM_JOB_ID" ]; then
        logger -t dtc-node "prolog of job $SLURM_JOB_ID: $1"
    elif is_news "$1"; then
        logger -t dtc-node "health check: $1"
    fi
}

is_drained() {
    scontrol --oneliner show node "$node" 2>/dev/null | grep -q ' State=[^ ]*DRAIN'
}

# One of the places for an hour: who makes the file has it. It says who that is, so that a node whose drain Slurm
# did not hear, or whose question it did not answer, takes no second one. A new instance with an old name is another one.
# Looks at one time wait for each other. Of nodes that find an old place one takes it away, under a name of its own, and
# puts it back if another has made it anew in between. Ends with 1 where all places are taken, with 2 where none can be.
may_drain() (
    if ! { exec 9>>/run/dtc/place && flock 9 && mkdir -p "$shared/dtc-drains"; }; then
        return 2
    fi
    [ -s /run/dtc/place ] || echo "$node.$(date +%s)" >&9
    read -r me </run/dtc/place && [ "$me" ] || return 2
    ! grep -qsxF "$me" $shared/dtc-drains/* || return 0
    away=$shared/dtc-drains/.$me
    for place in "$shared/dtc-drains"/*; do
        if [ "$(find "$place" -maxdepth 0 -mmin +60 2>/dev/null)" ] && mv "$place" "$away" 2>/dev/null; then
            [ "$(find "$away" -maxdepth 0 -mmin +60)" ] || ln "$away" "$place" 2>/dev/null
            rm -rf "$away"
        fi
    done
    place=0
    while [ $((place += 1)) -le "$drains" ]; do
        if (set -C && echo "$me" >$shared/dtc-drains/$place) 2>/dev/null; then
            return 0
        fi
        [ -e $shared/dtc-drains/$place ] || return 2
    done
    return 1
)

# The first look after a start is the whole one: slurmd runs its health check before it registers, and a prolog comes
# before its job. That of the bootstrap is one, too.
record=/opt/dtc/expect quick=
if ! mkdir /run/dtc/whole 2>/dev/null || [ -e /run/dtc/device.json ]; then
    quick=--quick
    if [ -z "$SLURM_JOB_ID" ]; then
        beside_work
        record=/run/dtc/expect.again
    fi
fi
look_again "$record"
# Where the author has verdicts reported: the node's check knows how.
! grep -qs '^verdicts=' /opt/dtc/check || systemd-run /bin/sh /opt/dtc/check report 2>/dev/null
mild=$excuse
case $class in
pass)
    rm -f /run/dtc/said
    exit 0
    ;;
image) case "$written" in *" $group "*) ;; *) mild=${mild:-not its hardware} ;; esac ;;
esac
case "$warns" in *" $group "*) mild='on_fail = warn' ;; esac
[ "$switch" != warn ] || mild='dtc-validate = warn'
[ "$mild" ] || ! is_drained || exit 1
if [ -z "$mild" ]; then
    may_drain
    case $? in
    1) mild="$drains nodes were drained within the hour" ;;
    2) mild="nobody can count in $shared/dtc-drains" ;;
    esac
fi
say "status $status $found${mild:+; $mild: it takes jobs}"
[ -z "$mild" ] || exit 0
# Slurm keeps the first reason, and gives its own where this fails.
scontrol update nodename="$node" state=drain reason="dtc: status $status $found"
exit 1
