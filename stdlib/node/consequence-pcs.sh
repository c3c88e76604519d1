# shellcheck shell=sh disable=SC2034
# What fail.sh says of a node that quarantine-pcs.sh keeps away from work.
so='the node shuts down in 10 minutes'
