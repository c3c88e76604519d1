#!/bin/sh
# Slurm's prolog and its health check on the nodes of a group that is checked: looks again before a job starts and every
# few minutes, with the core and the record that the node's bootstrap left, and drains the node where it fails. What runs
# there goes on. Slurm starts no other job there, and ParallelCluster ends an instance that is drained and runs nothing.
# Ends with 0 where jobs may start.
#
# It does no more harm than the fault: a look that finds one is taken twice; one that takes too long is only counted, and
# the third in a row fails; what is not the hardware's fails only where the author wrote `on_fail`; and of all nodes that
# share the folder below so many are drained in an hour, no more: what all of them have is not theirs.
#
# It runs as root. The prolog, from /opt/slurm/etc/scripts/prolog.d/ (ParallelCluster 3.6 and later), has three minutes,
# with all others of that folder (BatchStartTimeout; ParallelCluster User Guide, Slurm prolog and epilog, 2026-11). The
# health check (HealthCheckProgram), which has no job, has one: slurmd then ends it, and does nothing by itself about a
# node that fails (slurm.conf(5), 22.05). /opt/slurm is the head node's, which all may write to
# (aws-parallelcluster-cookbook@052d34ff, config_head_node.rb, 2026-11).
#
#   warns    names of the groups with on_fail = warn, with a blank before and behind each
#   written  of those with another on_fail, so that an image at fault counts as well
#   drains   nodes that may be drained in an hour
: "${warns:?}" "${written:?}" "${drains:?}"
PATH=/usr/sbin:/usr/bin:/opt/slurm/bin
umask 22
shared=/opt/slurm/etc
expect=/opt/dtc/expect

# The wrapper makes this folder first of all: without it nothing is expected of this node.
[ -d /opt/dtc ] || exit 0
# A person's word, without a deployment.
read -r switch 2>/dev/null <$shared/dtc-validate
[ "$switch" != off ] || exit 0
mkdir -p /run/dtc
group=$(sed -n 's/^group //p' $expect)
node=${SLURMD_NODENAME:-$(hostname -s)}
if [ "$SLURM_JOB_ID" ]; then
    who="prolog of job $SLURM_JOB_ID"
    limit=60
else
    who='health check'
    limit=20
    # Beside a job that runs: no other program is started, and a disk that the job fills is no fault of the node.
    sed -E '/^\??(gpu\.fabric|libfabric|peers) /d; s/^(\??mount [^ ]+ [^ ]+) .*/\1/' $expect >/run/dtc/expect.again
    expect=/run/dtc/expect.again
fi

# A health check says a thing once, and again when something else came between.
say() { # TEXT
    if [ -z "$SLURM_JOB_ID" ]; then
        read -r said 2>/dev/null </run/dtc/said
        [ "$said" != "$1" ] || return 0
        printf '%s\n' "$1" >/run/dtc/said
    fi
    logger -t dtc-node "$who: $1"
}

look() {
    verdict=$(timeout $limit /opt/dtc/dtc-node --expect $expect)
    status=$?
}

# It takes no second of the places below.
is_drained() {
    scontrol --oneliner show node "$node" 2>/dev/null | grep -q ' State=[^ ]*DRAIN'
}

# One of the places for an hour: who makes the folder has it.
may_drain() {
    place=0
    mkdir -p $shared/dtc-drains
    while [ $((place += 1)) -le "$drains" ]; do
        find $shared/dtc-drains/$place -maxdepth 0 -mmin +60 -exec rmdir {} \; 2>/dev/null
        ! mkdir $shared/dtc-drains/$place 2>/dev/null || return 0
    done
    return 1
}

look
case $status in
0 | 2 | 124 | 137) ;;
*)
    sleep 5
    look
    ;;
esac
# Where the author has verdicts reported: the node's check knows how.
! grep -qs '^verdicts=' /opt/dtc/check || systemd-run /bin/sh /opt/dtc/check report 2>/dev/null
found=$(echo "$verdict" | grep -o '"[^"]*","s":"fail","want":"[^"]*","got":"[^"]*"' | tr -d '"' | tr '\n' ';' | cut -c 1-200)
slow=0
case $status in
124 | 137)
    read -r slow 2>/dev/null </run/dtc/slow
    slow=$((slow + 1))
    ;;
esac
echo $slow >/run/dtc/slow
mild=
case $status in
0 | 2) # nothing, or another node
    : >/run/dtc/said
    exit 0
    ;;
124 | 137) [ $slow -ge 3 ] || mild="look $slow that takes too long" ;;
1 | 3) ;;
*) case "$written" in *" $group "*) ;; *) mild='not its hardware' ;; esac ;;
esac
case "$warns" in *" $group "*) mild='on_fail = warn' ;; esac
[ "$switch" != warn ] || mild='dtc-validate = warn'
[ "$mild" ] || ! is_drained || exit 1
[ "$mild" ] || may_drain || mild="$drains nodes were drained within the hour"
say "status $status $found${mild:+; $mild: it takes jobs}"
[ -z "$mild" ] || exit 0
# Slurm keeps the first reason, and gives its own where this fails.
scontrol update nodename="$node" state=drain reason="dtc: status $status $found"
exit 1
