#!/bin/bash
# Tells the stack whether this node has joined its cluster: creating and updating the group wait for that. nodeadm starts
# the kubelet behind the last script of cloud-init, so this goes on in the background.
: "${stack:?}" "${resource:?}" "${region:?}" "${minutes:?}"
PATH=$PATH:/opt/aws/bin

if [ "$1" != wait ]; then
    exec systemd-run --unit=node-joined --no-block /bin/bash "$0" wait
fi

# The kubelet writes this when the cluster has its node, a new one or one of that name.
has_joined() {
    journalctl --unit=kubelet.service --boot --output=cat --no-pager | grep --quiet 'Successfully registered node'
}

has_failed() {
    [ -e /run/dtc/failed ] || systemctl --quiet is-failed nodeadm-config.service nodeadm-run.service
}

success=false
for ((try = 0; try < minutes * 12; try++)); do
    if has_joined; then
        success=true
        break
    fi
    has_failed && break
    sleep 5
done
if [ "$success" = false ]; then
    line='user data: this node has not joined its cluster'
    { echo "$line" >/dev/console; } 2>/dev/null
    logger -t user-data -p user.err -- "$line"
fi

for try in 1 2 3 4 5; do
    answer=$(cfn-signal --success "$success" --stack "$stack" --resource "$resource" \
        --region "$region" 2>&1) && exit
    case $answer in
    *'cannot be signaled'*) exit 0 ;; # nobody waits: the group grew by itself
    esac
    sleep $((try * 5))
done
logger -t user-data -p user.err -- "user data: the stack was not told: $answer"
exit 1
