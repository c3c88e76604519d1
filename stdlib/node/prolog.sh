#!/bin/sh
# Slurm's prolog on the nodes of a group that is checked: looks again before a job starts, with the core and the record
# that the node's bootstrap left, and drains the node where it fails. Slurm then starts the job elsewhere, and
# ParallelCluster ends an instance that is drained. Ends with 0 where the job may start: also where another node is at
# fault (status 2 of a collective), since each prolog that fails drains its own node.
#
# It runs as root, from /opt/slurm/etc/scripts/prolog.d/ (ParallelCluster 3.6 and later), and has three minutes, with all
# others of that folder (BatchStartTimeout; ParallelCluster User Guide, Slurm prolog and epilog, 2026-11).
: "${warns:?}" # names of the groups with on_fail = warn, with a blank before and behind each
PATH=/usr/sbin:/usr/bin:/opt/slurm/bin
umask 22

# The wrapper makes this folder first of all: without it nothing is expected of this node.
[ -d /opt/dtc ] || exit 0

core=/run/dtc/dtc-node
[ ! -e /opt/dtc/dtc-node ] || core=/opt/dtc/dtc-node
expect=/run/dtc/expect
[ -e $expect ] || expect=/opt/dtc/expect # the node was restarted since
for _ in 1 2; do
    verdict=$(timeout 60 $core --expect $expect)
    status=$?
    # The leader of a collective was lost: once more, in case it was only late.
    [ $status = 3 ] || break
done
case $status in
0 | 2) exit 0 ;;
esac
found=$(echo "$verdict" | grep -o '"[^"]*","s":"fail","want":"[^"]*","got":"[^"]*"' | tr -d '"' | tr '\n' ';' | cut -c 1-200)
logger -t dtc-node "prolog of job $SLURM_JOB_ID: status $status $found"
case "$warns" in
*" $SLURM_JOB_PARTITION "*) exit 0 ;;
esac
# Slurm keeps the first reason, and gives its own where this fails.
scontrol update nodename="${SLURMD_NODENAME:-$(hostname -s)}" state=drain reason="dtc: status $status $found"
exit 1
