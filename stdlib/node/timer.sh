# shellcheck shell=sh disable=SC2034,SC2154
# A node of AWS Batch or EKS looks at itself again every few minutes while it takes work, and the whole check runs again
# at each boot. What runs on the node goes on: again-TARGET.sh defines `hold`, by which it takes no more work, and
# `tell`, which says elsewhere how the node is, what only warns too. It reacts to what check.sh reacts to, and to what
# was right since the node's boot, with the same switch and the same brake.
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
    mild=${mild:-$excuse}
    case $class in
    pass)
        warned=$(checks_that warn)
        tell True Passed "as expected${warned:+; warns: $warned}"
        rm -f said
        exit 0
        ;;
    image) mild=${mild:-$image} ;;
    once-good) image= ;;
    esac
    if [ -z "$mild" ]; then
        case $(switch) in off | warn) mild='dtc-validate is set' ;; esac
    fi
    [ "$mild" ] || brake || keep=
    found="status $status $found"
    line="$found${mild:+; $mild: it takes work}"
    ! is_news "again: $line" || say "again: $line"
    if [ "$mild" ]; then
        [ "$excuse" ] || tell True Warned "$line"
        exit 0
    fi
    hold "$found"
}
