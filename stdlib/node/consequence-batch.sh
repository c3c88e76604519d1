# shellcheck shell=sh disable=SC2034
# What fail.sh says of a node that quarantine-batch.sh keeps away from work.
so='the ECS agent stays off and this node takes no jobs'
