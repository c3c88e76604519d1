# shellcheck shell=sh disable=SC2034,SC2154
# The second stage of a look, for again.sh.

# `quick` is --quick where something may run here, beside which nothing is copied through GPUs. A program that leaves no
# verdict, as with an old C library, is no fault of the node. What the first stage has found stays: of two faults that
# of the hardware counts.
ask_again() { # RECORD
    first=$status
    # shellcheck disable=SC2086 # nothing, or a word
    devices=$(within /opt/dtc/dtc-collective device $quick --seconds 20 --expect "$1" --verdict /run/dtc/device.json)
    status=$?
    case $status in 124 | 137) ;; *) [ -s /run/dtc/device.json ] || status=0 ;; esac
    case $first:$status in 1:* | *:0) status=$first ;; esac
}
