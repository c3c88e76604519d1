# shellcheck shell=sh disable=SC2034,SC2154
# A node of AWS Batch or EKS looks at itself again every few minutes while it takes work, and the whole check runs again
# at each boot. What runs on the node goes on: again-TARGET.sh defines `hold`, by which it takes no more work, and
# `tell`, which says elsewhere how the node is. It reacts to what check.sh reacts to, and to the same switch.
#
#   every=300            seconds between two looks
#   mild, image          as check.sh has them
#   verdicts, textfile   as report.sh has them
watch() {
    # Nothing is to be found on a node that takes no work.
    if ! cd /run/dtc || [ -e failed ]; then
        exit 0
    fi
    beside_work
    quick=--quick
    look_again expect.again
    [ -z "$verdicts$textfile" ] || systemd-run /bin/sh /opt/dtc/check report
    case $status in
    0 | 2)
        tell True Passed 'as expected'
        rm -f said
        exit 0
        ;;
    1 | 124 | 137) ;;
    *) mild=${mild:-$image} ;;
    esac
    mild=${mild:-$excuse}
    if [ -z "$mild" ]; then
        case $(switch) in off | warn) mild='dtc-validate is set' ;; esac
    fi
    ! is_news "again: status $status $found${mild:+; $mild: it takes work}" || say "again: status $status $found${mild:+; $mild: it takes work}"
    [ -z "$mild" ] || exit 0
    hold "status $status $found"
}
