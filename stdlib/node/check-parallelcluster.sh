# shellcheck shell=sh disable=SC2034,SC2154
# AWS ParallelCluster: a custom action, which runs at the first boot alone; the prolog looks again before each job.
agent=

# A file on the head node, of a folder that all nodes share.
switch() {
    cat /opt/slurm/etc/dtc-validate
}

admit() { :; }

# The cluster has one of its own, its protected mode.
brake() { :; }

# The cluster ends the instance when its bootstrap fails, which that waits for; 30 minutes at most.
end() {
    say "ends in $keep minutes; later: aws ec2 get-console-output --instance-id $id"
    sleep $((keep*60))
}
