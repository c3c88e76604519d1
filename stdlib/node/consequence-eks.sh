# shellcheck shell=sh disable=SC2034
# What fail.sh says of a node that quarantine-eks.sh keeps away from work.
so='kubelet stays off and this node takes no jobs'
