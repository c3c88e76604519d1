#!/bin/bash
# Tells the stack that this node has joined its cluster: creating and updating the group wait for that. One that does
# not join tells nothing, since one failure that is told rolls the stack back, and with it the nodes that work; the
# stack counts it as away when its time is over. nodeadm starts the kubelet behind the last script of cloud-init, so
# this goes on in the background. At each boot: a script of the author's may restart the node before it has joined.
: "${stack:?}" "${resource:?}" "${region:?}" "${minutes:?}"
PATH=$PATH:/opt/aws/bin

if [ "$1" != wait ]; then
    exec systemd-run --unit=node-joined --no-block /bin/bash "$0" wait
fi

# The kubelet writes this when the cluster has its node, a new one or one of that name.
has_joined() {
    journalctl --unit=kubelet.service --boot --output=cat --no-pager | grep --quiet 'Successfully registered node'
}

say() {
    { echo "user data: $1" >/dev/console; } 2>/dev/null
    logger -t user-data -p user.err -- "user data: $1"
}

for ((try = 0; try < minutes * 12; try++)); do
    has_joined && break
    sleep 5
done
if ((try == minutes * 12)); then
    say 'this node has not joined its cluster'
    exit 1
fi

for try in 1 2 3 4 5; do
    answer=$(cfn-signal --success true --stack "$stack" --resource "$resource" \
        --region "$region" 2>&1) && exit
    case $answer in
    *'cannot be signaled'*) exit 0 ;; # nobody waits: the group grew by itself
    esac
    sleep $((try * 5))
done
say "the stack was not told: $answer"
exit 1
