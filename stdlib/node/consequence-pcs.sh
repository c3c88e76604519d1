# shellcheck shell=sh disable=SC2034
# What fail.sh says of a place that quarantine-pcs.sh seals.
so='jobs find an empty place there, and cannot write to it'
