#!/bin/bash
# Runs Slurm's prolog and health check (stdlib/node/prolog.sh) in each shell that is installed, on the node of tests/node/world.sh.
# Cores are scripts that end as a core may.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/node/world.sh

verdict='{"v":1,"checks":[{"id":"mtu","s":"pass","got":""},{"id":"efa.count","s":"fail","want":"32","got":"31"}],"verdict":"fail"}'

# Puts a core where the bootstrap leaves one.
leave() { # STATUS
    mkdir -p opt/dtc
    printf '#!/bin/sh\necho run >>%s\necho "%s"\nexit %s\n' "$NODE_WORLD/runs" "${verdict//\"/\\\"}" "$1" >opt/dtc/dtc-node
    chmod 755 opt/dtc/dtc-node
    rm -f runs
}

# What has passed since the node's boot.
was_right() { # ID WANT
    mkdir -p run/dtc
    printf '{"checks":[{"id":"%s","s":"pass","want":"%s","got":""}]}\n' "$1" "$2" >run/dtc/verdict.json
}

drained() { # REASON
    claim "refuses the job" [ "$status" = 1 ]
    claim "drains its node, with a reason" grep -qxF "scontrol update nodename=queue-st-p5-1 state=drain reason=dtc: $1" calls
}

# An instance that takes the name of the one before, and the folder of all.
another_node() {
    echo "queue-st-p5-1.$((++others))" >run/dtc/place
}
others=0

not_drained() {
    claim "takes the job" [ "$status" = 0 ]
    claim "drains nothing" [ "$(grep -c 'scontrol update' calls)" = 0 ]
}

in_shell() {
    local each

    begin "a node that nothing is expected of"
    prolog
    claim "takes the job" [ "$status" = 0 ]

    for each in 0 2; do
        begin "a prolog whose check ends with $each"
        leave $each
        prolog
        not_drained
        claim "says nothing" [ ! -s calls ]
    done

    for each in 1 3; do
        begin "a prolog whose check ends with $each"
        leave $each
        prolog
        drained "status $each efa.count,s:fail,want:32,got:31;"
        claim "has looked twice" [ "$(grep -c run runs)" = 2 ]
    done

    begin "a prolog whose second look is good"
    leave 0
    sed -i "s|^exit 0|[ -e '$NODE_WORLD/run/once' ] \|\| { echo >'$NODE_WORLD/run/once'; exit 1; }|" opt/dtc/dtc-node
    prolog
    not_drained

    for each in 124 137; do
        begin "a prolog whose check has always taken too long: $each"
        leave $each
        for _ in 1 2 3; do
            prolog
            not_drained
        done
        claim "it is said" grep -qF '3 looks in a row took too long; not its hardware: it takes jobs' calls

        begin "a prolog whose check takes too long: $each"
        was_right mtu 9001
        leave $each
        prolog
        not_drained
        claim "it is said" grep -qF "look 1 that takes too long: it takes jobs" calls
        prolog
        not_drained
        claim "and counted" grep -qF "look 2 that takes too long" calls
        prolog
        drained "status $each 3 looks in a row took too long"
        claim "no verdict of an earlier look is left" [ ! -e run/dtc/verdict.json ]
    done

    begin "a prolog whose check takes too long now and then"
    for each in 124 124 0 124 124; do
        leave $each
        prolog
        not_drained
    done

    for each in 4 65 70; do
        begin "a prolog whose check ends with $each"
        leave $each
        prolog
        not_drained
        claim "it is said" grep -qF "status $each efa.count,s:fail,want:32,got:31;; not its hardware: it takes jobs" calls

        begin "a prolog whose check ends with $each, where on_fail is written"
        leave $each
        prolog strict
        drained "status $each efa.count,s:fail,want:32,got:31;"
    done

    begin "a prolog in an hour with many that fail"
    leave 1
    prolog
    drained "status 1 efa.count,s:fail,want:32,got:31;"
    for _ in 1 2; do
        prolog
        drained "status 1 efa.count,s:fail,want:32,got:31;"
    done
    claim "a node that Slurm did not hear takes one place" [ ! -e opt/slurm/etc/dtc-drains/2 ]
    another_node
    prolog
    drained "status 1 efa.count,s:fail,want:32,got:31;"
    another_node
    prolog
    not_drained
    claim "it is said" grep -qF '2 nodes were drained within the hour: it takes jobs' calls
    touch -d '2 hours ago' opt/slurm/etc/dtc-drains/1
    prolog
    drained "status 1 efa.count,s:fail,want:32,got:31;"

    begin "a prolog on a node that is drained already"
    leave 1
    echo 'case $* in *show*) echo "NodeName=queue-st-p5-1 State=ALLOCATED+DRAIN Reason=x" ;; esac' >answers/scontrol
    prolog
    claim "refuses the job" [ "$status" = 1 ]
    claim "and takes no place of another node" [ ! -e opt/slurm/etc/dtc-drains/1 ]
    echo 'case $* in *show*) echo "NodeName=queue-st-p5-1 State=IDLE Reason=DRAIN" ;; esac' >answers/scontrol
    prolog
    drained "status 1 efa.count,s:fail,want:32,got:31;"

    begin "a prolog that cannot count what others drain"
    leave 1
    mkdir opt/slurm
    echo >opt/slurm/etc
    prolog
    not_drained
    claim "it is said" grep -qF 'nobody can count in /opt/slurm/etc/dtc-drains: it takes jobs' calls

    begin "a prolog in a group that only warns"
    leave 1
    prolog casual
    not_drained

    begin "a prolog that a file of the head node switches off"
    leave 1
    mkdir -p opt/slurm/etc
    echo off >opt/slurm/etc/dtc-validate
    prolog
    not_drained
    claim "does not look" [ ! -e runs ]
    echo warn >opt/slurm/etc/dtc-validate
    prolog
    not_drained
    claim "or only warns" grep -qF 'dtc-validate = warn: it takes jobs' calls

    in_shell_with_a_second_stage

    begin "a prolog without its core"
    mkdir opt/dtc
    prolog
    not_drained
    claim "it is said" grep -qF 'status 127 ; not its hardware' calls
}

# Puts the program of a second stage beside the core.
leave_devices() { # STATUS [LINE]
    printf '#!/bin/sh\necho "$*" >>%s\n%s\necho "%s" | tee /run/dtc/device.json\nexit %s\n' "$NODE_WORLD/asked" "${2-}" \
        '{\"checks\":[{\"id\":\"nvml.ecc\",\"s\":\"fail\",\"want\":\"0\",\"got\":\"a=1\"}]}' "$1" >opt/dtc/dtc-collective
    chmod 755 opt/dtc/dtc-collective
    : >asked
}

in_shell_with_a_second_stage() {
    local each record=' --seconds 20 --expect /opt/dtc/expect --verdict /run/dtc/device.json'

    begin "a prolog with a second stage"
    leave 0
    leave_devices 0
    prolog
    not_drained
    claim "it looks at all of it once after a start" [ "$(cat asked)" = "device$record" ]
    : >asked
    prolog
    not_drained
    claim "and then copies nothing through GPUs" [ "$(cat asked)" = "device --quick$record" ]
    rm -r run/dtc
    : >asked
    prolog
    claim "as again after the next start" [ "$(cat asked)" = "device$record" ]

    begin "a prolog behind a bootstrap that has looked at all of it"
    leave 0
    leave_devices 0
    mkdir run/dtc
    echo '{}' >run/dtc/device.json
    prolog
    not_drained
    claim "copies nothing through GPUs" [ "$(cat asked)" = "device --quick$record" ]

    begin "a prolog whose second stage finds hardware at fault"
    leave 0
    leave_devices 1
    prolog
    drained "status 1 efa.count,s:fail,want:32,got:31;nvml.ecc,s:fail,want:0,got:a=1;"
    claim "has looked twice" [ "$(grep -c device asked)" = 2 ]

    begin "a prolog whose second stage finds the image at fault"
    leave 0
    leave_devices 4
    prolog
    not_drained
    claim "it is said" grep -qF 'not its hardware: it takes jobs' calls
    prolog strict
    claim "and drains where on_fail is written" [ "$status" = 1 ]

    begin "a prolog whose first stage fails"
    leave 1
    leave_devices 0
    prolog
    claim "drains by that" [ "$status" = 1 ]
    claim "and asks drivers, which may name what is broken" [ "$(grep -c device asked)" = 2 ]

    begin "a prolog whose first stage finds the image at fault"
    leave 4
    leave_devices 1
    prolog
    drained "status 1 efa.count,s:fail,want:32,got:31;nvml.ecc,s:fail,want:0,got:a=1;"

    begin "a prolog whose second stage finds what was right before"
    was_right nvml.ecc 0
    leave 0
    leave_devices 4
    prolog
    drained "status 4 efa.count,s:fail,want:32,got:31;nvml.ecc,s:fail,want:0,got:a=1; it was right before"

    begin "a prolog whose second stage finds something else that was right"
    was_right nvml.ecc 1
    leave 0
    leave_devices 4
    prolog
    not_drained

    for each in 1 127; do
        begin "a prolog whose second stage does not start: $each"
        leave 0
        leave_devices 0 "exit $each"
        prolog
        not_drained
        claim "says nothing" [ ! -s calls ]
    done

    begin "a prolog whose second stage takes too long"
    leave 0
    leave_devices 0 'exit 124'
    prolog
    not_drained
    claim "it is said, and counted" grep -qF "look 1 that takes too long: it takes jobs" calls
}

# What differs where no job starts.
in_shell_beside_a_job() {
    begin "a health check of a node that nothing is expected of"
    health_check
    claim "ends well" [ "$status" = 0 ]

    begin "a health check that finds nothing"
    leave 0
    sed -i 's|^exit 0|cp "$2" /run/dtc/read; exit 0|' opt/dtc/dtc-node
    health_check
    not_drained
    claim "looks at the whole record once after a start" cmp -s run/dtc/read opt/dtc/expect
    health_check
    not_drained
    claim "says nothing" [ ! -s calls ]
    claim "starts no program and counts no free space" \
        [ "$(cat run/dtc/read)" = "$(printf 'dtc-expect 1\ngroup queue\nmtu 9001\n?mount /fsx lustre')" ]
    claim "the record stays whole" grep -qx '?mount /fsx lustre 100' opt/dtc/expect

    begin "a health check that finds a fault"
    leave 1
    health_check
    drained "status 1 efa.count,s:fail,want:32,got:31;"
    claim "it is said whose word it is" grep -qF 'logger -t dtc-node health check: status 1 efa.count' calls
    claim "has looked twice" [ "$(grep -c run runs)" = 2 ]

    begin "a health check that finds for long what only warns"
    leave 4
    health_check
    not_drained
    claim "it is said" grep -qF 'health check: status 4 efa.count,s:fail,want:32,got:31;; not its hardware: it takes jobs' calls
    health_check
    claim "once" [ "$(grep -c logger calls)" = 0 ]
    leave 0
    health_check
    leave 4
    health_check
    claim "and again when it was gone" grep -qF 'health check: status 4' calls
    health_check strict
    drained "status 4 efa.count,s:fail,want:32,got:31;"

    begin "a health check with a second stage"
    leave 0
    leave_devices 0
    health_check
    not_drained
    claim "looks at all of it once after a start, before a job comes" \
        [ "$(cat asked)" = 'device --seconds 20 --expect /opt/dtc/expect --verdict /run/dtc/device.json' ]
    : >asked
    health_check
    not_drained
    claim "and then at what is cheap beside a job" \
        [ "$(cat asked)" = 'device --quick --seconds 20 --expect /run/dtc/expect.again --verdict /run/dtc/device.json' ]

    begin "a health check of a node whose verdicts are reported"
    leave 0
    printf 'limit=60\nverdicts=s3://lab/runs\n' >opt/dtc/check
    health_check
    not_drained
    claim "has them reported" [ "$(cat calls)" = 'systemd-run /bin/sh /opt/dtc/check report' ]

    begin "a health check in a group that only warns"
    leave 1
    health_check casual
    not_drained
}

in_each_shell in_shell
in_each_shell in_shell_beside_a_job
finish
