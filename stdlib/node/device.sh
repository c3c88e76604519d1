# shellcheck shell=sh disable=SC2034,SC2094,SC2154
# The second stage of a node's check: dtc-collective asks the drivers, and what else takes no room in user data. Its sum
# is compared. If it cannot be fetched, the first stage's verdict stands. `program`, its URL, and `program_sum` are set
# in front of it.
has_program() {
    PATH=$PATH:/usr/local/bin # where ParallelCluster puts the AWS CLI
    file=/opt/dtc/dtc-collective
    [ -s $file ] || timeout 60 aws s3 cp --only-show-errors "$program" $file
    if [ "$(sha256sum <$file)" != "$program_sum  -" ]; then
        rm -f $file
        return 1
    fi
    chmod 700 $file
}

ask_drivers() {
    for try in 1 2 3 4 5; do
        ! has_program || break
        if [ $try = 5 ]; then
            say 'no second stage: its program cannot be fetched'
            return
        fi
        sleep $((try * 5))
    done
    first=$status
    rm -f device.json
    timeout -k 5 150 $file device --expect expect --verdict device.json >device
    status=$?
    # A program that does not start, as with an old C library, is no fault of the node.
    [ -s device.json ] || {
        say "no second stage: status $status"
        status=0
    }
    # What the first stage has found stays; of two faults that of the hardware counts.
    case $first:$status in 1:* | *:0) status=$first ;; esac
}

# What could not be fetched at boot.
[ "$1" != again ] || has_program
