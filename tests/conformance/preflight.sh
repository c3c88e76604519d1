#!/bin/bash
# Runs the node's check (stdlib/node/preflight.sh and check.sh) as an emitter puts it together. It runs in each shell
# that is installed, on the node of tests/node/world.sh. Cores are scripts that end as a core may. quarantine.sh tests
# what the systemd unit does, and prolog.sh tests Slurm's prolog.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/node/world.sh

# What follows the first stage, as preflight_second() has it.
later() { # TARGET
    [ -z "${program:-}" ] || {
        printf 'program=s3://place/program\nprogram_sum=%s\n' "$program"
        code device.sh
    }
    if [ -n "$verdicts$textfile" ]; then
        printf "verdicts=%s\nkey=%s\ntextfile=%s\n" "$verdicts" "${key:-}" "$textfile"
        code report.sh
    fi
    code stamp.sh
    if [ -n "$every" ]; then
        echo "every=$every"
        [ -z "${program:-}" ] || code ask-again.sh
        code again.sh "again-$1.sh" timer.sh
    fi
    code after.sh
}

# As userdata_add_code() has it.
code() { # FILE…
    (cd "$library" && sed 's/^[ \t]*//; /^#/d; /^$/d' "$@")
}

# What an emitter makes of `core`, a record and the settings of a target, in `script`. Unless `written` is empty the
# author wrote `on_fail`.
pack() { # TARGET
    printf 'dtc-expect 1\ngroup train\n' >record
    {
        code check.sh
        printf "limit=%s\nmild='%s'\nimage='%s'\nkeep=%s\n" "${LIMIT:-60}" "$mild" \
            "$([ -n "$written" ] || echo 'not its hardware')" "$keep"
        [ "$1" != eks ] || printf "parameter=/dtc/train/gpu\ntaints='%s'\n" "$taints"
        code "check-$1.sh"
        if [ "$1" != parallelcluster ] && [ -z "$mild" ]; then
            echo "parameter=/dtc/train/gpu"
            echo "most=${MOST:-2}"
            code aws.sh brake.sh patient.sh
        elif [ -n "${is_fetched:-}" ]; then
            code aws.sh
        fi
        [ "$1" = parallelcluster ] || [ -z "$keep" ] || code end.sh
        if [ -n "${is_fetched:-}" ]; then
            later "$1" >second
            printf 'every=300\nsecond=s3://place/second\nsum=%s\n' "$(sha256sum <second | cut -d ' ' -f 1)"
            code second.sh
        elif [ -n "${program:-}$verdicts$textfile$every" ]; then
            later "$1"
            echo 'deepen() { go_on; }'
        fi
        echo 'look "$@"'
    } >check
    cat core check record >stream
    {
        printf '#!/bin/sh\n# of a test\n'
        code "quarantine-$([ -n "$written" ] && [ -z "$mild" ] && echo "$1" || echo warn).sh" preflight.sh
        echo "core=$(wc -c <core) check=$(wc -c <check)"
        echo "preflight <<'END'"
        gzip -9 -n <stream | base64
        echo END
    } >script
}

# Makes the program of the second stage out of standard input; `program` is its sum. `stale` stays for a node whose
# program is another one, which cannot be fetched here.
second_stage() { # [stale]
    mkdir -p opt/dtc
    { printf '#!/bin/sh\nverdict() { echo "$1" >/run/dtc/device.json; echo "$1"; }\n'; cat; } >opt/dtc/dtc-collective
    program=$(sha256sum <opt/dtc/dtc-collective | cut -d ' ' -f 1)
    [ "${1:-}" != stale ] || program=$(echo | sha256sum | cut -d ' ' -f 1)
}

# Buckets that have the script of the second stage and its program, as `second_stage` left it.
serve_artifacts() {
    [ ! -e opt/dtc/dtc-collective ] || mv opt/dtc/dtc-collective program
    printf 'case $4 in */second) cp "%s/second" "$5" ;; */program) cp "%s/program" "$5" ;; verdict.stored) ;; *) exit 1 ;; esac\n' \
        "$NODE_WORLD" "$NODE_WORLD" >answers/aws
}

# Systems Manager counts nodes that fail: these have, so many seconds ago.
serve_count() { # SECONDS…
    local each
    : >history
    for each in "$@"; do echo $(($(date +%s) - each)) >>history; done
    cat >>answers/aws <<END
case \$* in
"ssm put-parameter "*" --name /dtc/train/gpu/failed "*)
    echo "\${*##*--value }" >>"$NODE_WORLD/history"
    grep -c . "$NODE_WORLD/history"
    exit
    ;;
"ssm get-parameter "*" --name /dtc/train/gpu/failed:"*)
    set -- "\${*#*failed:}"
    sed -n "\${1%% *}p" "$NODE_WORLD/history"
    exit
    ;;
esac
END
}

# Systems Manager, which turns calls away, as many as said.
turn_away() { # CALL MESSAGE TIMES
    cat >answers/aws <<END
if printf '%s\n' "\$*" | grep -q '$1' && [ "\$(grep -c '$1' "$NODE_WORLD/asked")" -le $3 ]; then
    echo '$2' >&2
    exit 254
fi
END
}

# The core is standard input.
emit() { # TARGET
    { printf '#!/bin/sh\nverdict() { echo "$1" >/run/dtc/verdict.json; echo "$1"; }\n'; cat; } >core
    pack "$1"
}

# Runs `script` in a shell, with the shell's tools instead of those of the PATH that the script sets. Then it runs the
# check as the unit does, if the script has made a unit.
boot() {
    rm -f etc/systemd/system/dtc-node.service
    sed -i "s|^PATH=.*|PATH=$NODE_WORLD/bin:$shell_tools|" script
    # shellcheck disable=SC2086
    with_tools $shell script >out 2>&1 </dev/null
    status=$?
    [ ! -e etc/systemd/system/dtc-node.service ] || [ $status != 0 ] || check
}

check() {
    # shellcheck disable=SC2086
    with_tools $shell /opt/dtc/check run >>out 2>&1 </dev/null
    status=$?
}

calls_are() { # TEXT
    [ "$(grep '^systemctl' calls | grep -v 'daemon-reload\|dtc-node\|dtc-end')" = "$1" ]
}

says() { # TEXT
    grep -qF -- "dtc-node: $1" dev/console && grep -qF -- "logger -t dtc-node $1" calls && grep -qF -- "dtc-node: $1" out
}

refused() { # WHY
    claim "its status is 1" [ "$status" = 1 ]
    claim "console, log and output hear why" says "$1; ecs.service fails"
    claim "and how to get at it" says "to look: aws ssm start-session --target "
    claim "nothing is masked: the unit holds the agent, until it is asked again" calls_are ''
    claim "whoever looks finds why" [ -s run/dtc/failed ]
}

admitted() {
    claim "its status is 0" [ "$status" = 0 ]
    claim "nothing is masked" calls_are ''
    claim "and nothing is left that says it failed" [ ! -e run/dtc/failed ]
    [ -z "$keep" ] || claim "and no timer of an earlier look ends it" grep -qx 'systemctl stop dtc-end.timer' calls
}

# What does not even come to a check.
held() {
    claim "its status is 1" [ "$status" = 1 ]
    claim "it is said" grep -qxF -- 'logger -st dtc-node no check' calls
    claim "the agent is masked" calls_are 'systemctl mask --now --no-block ecs.service'
}

verdict='{"v":1,"checks":[{"id":"mtu","s":"pass","got":""},{"id":"efa.count","s":"fail","want":"32","got":"31"}],"verdict":"fail"}'

good='[ -s /run/dtc/expect ] || exit 65; verdict "{\"v\":1,\"verdict\":\"pass\"}"'

in_shell() {
    begin "a core that passes"
    emit batch <<'END'
echo "$*" >/run/dtc/arguments
[ "$(cat /run/dtc/expect)" = "$(printf 'dtc-expect 1\ngroup train')" ] || exit 65
verdict '{"v":1,"verdict":"pass"}'
END
    boot
    admitted
    claim "console, log and output hear of it" says "passed"
    claim "its verdict is kept" [ "$(cat run/dtc/verdict.json)" = '{"v":1,"verdict":"pass"}' ]
    claim "it waits for late devices" [ "$(cat run/dtc/arguments)" = '--wait 45' ]
    claim "the core is kept" cmp -s core opt/dtc/dtc-node
    claim "the record is kept" cmp -s record opt/dtc/expect
    claim "a unit runs it" [ "$(cat etc/systemd/system/dtc-node.service)" = '[Unit]
After=cloud-final.service
Before=ecs.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh /opt/dtc/check run
[Install]
RequiredBy=ecs.service' ]
    claim "which is known and enabled before it starts" [ "$(grep systemctl calls)" = 'systemctl daemon-reload
systemctl enable dtc-node
systemctl start --no-block dtc-node' ]

    for target in batch eks parallelcluster; do
        begin "the wrapper for $target"
        emit $target <<<"$good"
        size=$(sed '/^# /d; /^preflight <</,/^END/{/^preflight/n;/^END/!d}' script | wc -c)
        claim "has at most 700 bytes with the two lines around its payload: $size" [ "$size" -le 700 ]
    done

    begin "a core that warns"
    emit batch <<'END'
verdict '{"checks":[{"id":"mtu","s":"pass","got":""},{"id":"clock","s":"warn","got":"unsync"}],"verdict":"warn"}'
END
    boot
    admitted
    claim "what warns is said" says 'passed "clock","s":"warn","got":"unsync"'

    begin "a check without a second stage"
    emit batch <<<"$good"
    boot
    admitted
    claim "it says so" says "drivers not asked"

    begin "a second stage that passes"
    second_stage <<'END'
[ "$*" = 'device --expect expect --verdict device.json' ] || exit 64
verdict '{"checks":[{"id":"pci.speed","s":"warn","got":"a=8.0-of-16.0"}],"verdict":"warn"}'
END
    emit batch <<<"$good"
    boot
    admitted
    claim "what warns is said" says 'passed "pci.speed","s":"warn","got":"a=8.0-of-16.0"'

    begin "a second stage that finds hardware at fault"
    second_stage <<'END'
verdict '{"checks":[{"id":"nvml.ecc","s":"fail","got":"a=volatile:1"}],"verdict":"fail"}'
exit 1
END
    emit batch <<<"$good"
    boot
    refused 'status 1 "nvml.ecc","s":"fail","got":"a=volatile:1"'

    begin "a second stage without a verdict"
    second_stage <<<'exit 1'
    emit batch <<<"$good"
    boot
    admitted
    claim "it is said" says "no second stage: status 1"

    begin "a second stage that cannot be fetched"
    second_stage stale <<<'exit 1'
    emit batch <<<"$good"
    boot
    admitted
    claim "it is said" says "no second stage: its program cannot be fetched"
    claim "its program is gone" [ ! -e opt/dtc/dtc-collective ]
    program=

    in_shell_with_a_second_stage
    in_shell_with_a_brake

    begin "an image at fault in front of a second stage"
    written=''
    second_stage <<'END'
verdict '{"checks":[{"id":"nvml.ecc","s":"fail","want":"0","got":"a=volatile:1"}],"verdict":"fail"}'
exit 1
END
    emit batch <<<"verdict '{\"checks\":[{\"id\":\"cpus\",\"s\":\"fail\",\"got\":\"191\"}]}'; exit 4"
    boot
    claim "its status is 1" [ "$status" = 1 ]
    claim "both are said" says 'status 1 "cpus","s":"fail","got":"191"'
    claim "with the hardware's" grep -qF '"nvml.ecc","s":"fail","want":"0","got":"a=volatile:1"; ecs.service fails' dev/console

    begin "an image at fault in front of a second stage that passes"
    written=''
    second_stage <<<"verdict '{\"checks\":[]}'"
    emit batch <<<"exit 4"
    boot
    admitted
    claim "what the first one says stays" says 'status 4 ; not its hardware: it takes work'

    begin "hardware at fault that only warns, in front of a second stage"
    mild='on_fail = warn'
    second_stage <<<"verdict '{\"checks\":[]}'; exit 4"
    emit batch <<<"exit 1"
    boot
    admitted
    claim "drivers are asked, since the node takes work" [ -s run/dtc/device.json ]
    claim "what the first one says stays" says 'status 1 ; on_fail = warn: it takes work'
    program=

    begin "a core that fails"
    emit batch <<END
verdict '$verdict'
exit 1
END
    boot
    refused 'status 1 "efa.count","s":"fail","want":"32","got":"31"'
    claim "its verdict is kept" [ "$(cat run/dtc/verdict.json)" = "$verdict" ]
    claim "it is not ended" [ "$(grep -c systemd-run calls)" = 0 ]
    check
    claim "who asks again is told again" [ "$status" = 1 ]
    printf '#!/bin/sh\necho 1 >/run/dtc/verdict.json\n' >opt/dtc/dtc-node
    check
    admitted

    begin "a node that is to be ended"
    keep=10
    serve_count
    emit batch <<<'exit 1'
    boot
    refused 'status 1 '
    claim "a timer ends it" grep -qxF 'systemd-run --unit=dtc-end --on-active=10min systemctl poweroff' calls
    claim "it is said, with what stops the timer, and how to read this later" \
        says 'ends in 10 minutes, unless: systemctl stop dtc-end.timer; later: aws ec2 get-console-output --instance-id '

    begin "a node that is to be ended, and whose timer does not start"
    keep=10
    serve_count
    echo 'exit 1' >answers/systemd-run
    emit batch <<<'exit 1'
    boot
    refused 'status 1 '
    claim "no end is said" [ "$(grep -c 'ends in' dev/console)" = 0 ]

    for code in 1 2 3 4 64 65 70 "$timed_out" 137; do
        begin "a core that ends with $code"
        emit batch <<END
verdict '{"v":1,"verdict":"pass"}'
exit $code
END
        boot
        refused "status $code "
    done

    # An image at fault is at fault on every node.
    for code in 2 3 4 64 65 70 "$timed_out" 137; do
        begin "a core that ends with $code, and nobody wrote on_fail"
        written='' keep=10
        emit batch <<<"exit $code"
        boot
        admitted
        claim "it is said" says "status $code ; not its hardware: it takes work"
    done
    begin "a core that ends with 1, and nobody wrote on_fail"
    written='' keep=10
    emit batch <<<"exit 1"
    boot
    refused "status 1 "

    begin "a core that is killed, and nobody wrote on_fail"
    written=''
    emit batch <<<'kill -9 $$'
    boot
    admitted

    begin "a core without a verdict, and nobody wrote on_fail"
    written=''
    emit batch <<<'exit 0'
    boot
    admitted
    claim "it is said" says 'status 0 ; not its hardware: it takes work'

    begin "a check that ends in the middle, and nobody wrote on_fail"
    written=''
    emit batch <<<"$good"
    boot
    sed -i 's|^cp /opt/dtc/expect .*|exit 3|' opt/dtc/check
    check
    admitted
    claim "it is said" says 'no verdict; not its hardware: it takes work'

    begin "a unit that cannot be made, and nobody wrote on_fail"
    written=''
    echo 'exit 1' >answers/systemctl
    emit batch <<<"$good"
    rm -f etc/systemd/system/dtc-node.service
    sed -i "s|^PATH=.*|PATH=$NODE_WORLD/bin:$shell_tools|" script
    # shellcheck disable=SC2086
    with_tools $shell script >out 2>&1 </dev/null
    status=$?
    claim "its status is 0" [ "$status" = 0 ]
    claim "it is said" says 'no unit; not its hardware: it takes work'
    claim "the agent stays" [ "$(grep -c 'disable --now' calls)" = 0 ]

    begin "a core without a verdict"
    emit batch <<<'echo "{\"v\":1,\"verdict\":\"pass\"}"'
    boot
    refused "status 0 "

    begin "a core whose verdict is that of an earlier boot"
    emit batch <<<"$good"
    boot
    printf '#!/bin/sh\n' >opt/dtc/dtc-node
    check
    refused "status 0 "

    begin "a core that hangs"
    LIMIT=1 emit batch <<<'exec /bin/sleep 1000'
    boot
    refused "status $timed_out "

    begin "a check that a shutdown ends"
    keep=10
    LIMIT=2 emit batch <<<'echo >/run/dtc/runs; exec /bin/sleep 1000'
    sed -i 's/^\[ "$agent" \] .*//' check
    boot_in_background
    claim "ends by that" [ "$status" = 143 ]
    claim "says nothing" [ ! -s dev/console ]
    claim "has no verdict" [ ! -e run/dtc/failed ]
    claim "masks nothing and ends nothing" [ "$(grep -c 'mask\|disable\|systemd-run' calls)" = 0 ]

    begin "a wrapper that a shutdown ends"
    emit batch <<<"$good"
    sed -i 's/^base64 -d/echo >started; exec <\&-; \/bin\/sleep 2; &/' script
    sed -i "s|^PATH=.*|PATH=$NODE_WORLD/bin:$shell_tools|" script
    # shellcheck disable=SC2086
    (exec env PATH="$NODE_WORLD/bin:$shell_tools" $shell script) >out 2>&1 </dev/null &
    until [ -e opt/dtc/started ]; do /bin/sleep 0.05; done
    kill -TERM $!
    wait $!
    claim "says nothing" [ ! -s dev/console ]
    claim "masks nothing" calls_are ''

    begin "a core that is killed"
    emit batch <<<'kill -9 $$'
    boot
    refused "status 137 "

    begin "a core for another machine"
    printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\363\0\1\0\0\0' >core
    pack batch
    boot
    claim "its status is 1" [ "$status" = 1 ]
    claim "console and output hear why" grep -qa '^dtc-node: status 12[67] ' dev/console out

    begin "a payload with another letter"
    emit batch <<<"$good"
    sed -i '/^preflight <</{n;s/^\(.\{20\}\)./\1-/}' script
    boot
    held
    claim "nothing of it runs" [ ! -e run/dtc/verdict.json ]

    begin "a payload with another letter, and nobody wrote on_fail"
    written=''
    emit batch <<<"$good"
    sed -i '/^preflight <</{n;s/^\(.\{20\}\)./\1-/}' script
    boot
    claim "its status is 0" [ "$status" = 0 ]
    claim "it is said" grep -qxF -- 'logger -st dtc-node no check' calls
    claim "nothing is masked" calls_are ''

    begin "a payload that was cut off"
    emit batch <<<"$good"
    sed -i '/^END/{x;d}' script
    truncate -s -40 script
    boot
    held

    begin "an empty payload"
    emit batch <<<"$good"
    sed -i '/^preflight <</,/^END/{/^preflight/n;/^END/!d}' script
    boot
    held

    begin "a script that was cut off in front of the payload"
    emit batch <<<"$good"
    sed -i '/^core=/,$d' script
    boot
    held

    begin "a script that was cut off in its function"
    emit batch <<<"$good"
    sed -i '/^dd /,$d' script
    boot
    claim "its status is not 0" [ "$status" != 0 ]
    claim "the agent is masked" calls_are 'systemctl mask --now --no-block ecs.service'

    begin "an architecture that did not travel"
    emit batch <<<"$good"
    sed -i "s/^core=.*/case \$(uname -m) in\nriscv0)\n&/; s/^END\$/&\n;;\nesac/" script
    boot
    held

    begin "a part before it that failed"
    emit batch <<<"$good"
    mkdir run/dtc
    touch run/dtc/failed
    boot
    claim "its status is 1" [ "$status" = 1 ]
    claim "the core does not run" [ ! -e run/dtc/verdict.json ]

    begin "an /opt without programs"
    mount -t tmpfs -o noexec none /opt
    emit batch <<<"$good"
    boot
    refused "status 126 "

    begin "a unit that cannot be enabled"
    echo '[ "$1" != enable ]' >answers/systemctl
    emit batch <<<"$good"
    boot
    claim "its status is 1" [ "$status" = 1 ]
    claim "it is said" says 'no unit; ecs.service fails'
    claim "the agent's start is called off" calls_are 'systemctl disable --now --no-block ecs.service'

    begin "a failure that only warns"
    mild='on_fail = warn'
    emit batch <<<"verdict '$verdict'; exit 1"
    boot
    admitted
    claim "it is said" says 'status 1 "efa.count","s":"fail","want":"32","got":"31"; on_fail = warn: it takes work'
    claim "the agent wants the check, and needs it not" grep -qx 'WantedBy=ecs.service' etc/systemd/system/dtc-node.service

    begin "a core that is a script for people to read"
    printf '#!/bin/sh\n# Why, in `words` and $signs.\necho 1 >/run/dtc/verdict.json\n' >core
    pack batch
    {
        sed '/^core=/,$d' script
        printf 'base64() { cat; }\ngzip() { cat; }\n'
        grep '^core=' script
        printf "preflight <<'END'\n%s\nEND\n" "$(cat stream)"
    } >other && mv other script
    boot
    admitted
    claim "it is kept as it was" cmp -s core opt/dtc/dtc-node

    in_shell_with_a_switch
    in_shell_with_reports
    in_shell_with_a_timer
    in_shell_on_eks
    in_shell_on_parallelcluster
    without_tools
}

# Runs the check, ends it while its core runs, and waits for it.
boot_in_background() {
    mkdir -p opt/dtc run/dtc
    cp core opt/dtc/dtc-node
    chmod 755 opt/dtc/dtc-node
    cp record opt/dtc/expect
    # shellcheck disable=SC2086
    (exec env PATH="$NODE_WORLD/bin:$shell_tools" $shell ./check run) >out 2>&1 </dev/null &
    until [ -e run/dtc/runs ]; do /bin/sleep 0.05; done
    kill -TERM $!
    wait $!
    status=$?
}

# The metadata service: a token for a PUT, the tag for who shows it.
serve() { # TAG
    printf 'case $* in *" PUT "*) echo secret ;; *": secret "*/tags/instance/dtc-validate) echo "%s" ;; *) exit 22 ;; esac\n' \
        "$1" >answers/curl
}

# What the unit of a report does.
report() {
    : >calls
    : >asked
    # shellcheck disable=SC2086
    with_tools $shell /opt/dtc/check report >>out 2>&1 </dev/null
    status=$?
    claim "nothing of the check follows a report" [ -z "$(grep -E '^(systemctl|systemd-run)' calls)" ]
}

stores() { # COUNT
    claim "verdicts stored: $1" [ "$(grep -c '^aws s3 cp --only-show-errors verdict.stored s3://lab/runs/.*/[0-9]*T[0-9]*Z.json$' asked)" = "$1" ]
}

# All that follows the first stage is fetched.
in_shell_with_a_second_stage() {
    local target
    for target in batch eks; do
        begin "a node of $target that fetches its second stage"
        every=300 is_fetched=yes
        second_stage <<'END'
[ "$*" = 'device --expect expect --verdict device.json' ] || exit 64
verdict '{"checks":[{"id":"nvml.ecc","s":"warn","got":"a=volatile:1"}],"verdict":"warn"}'
END
        serve_artifacts
        emit $target <<<"$good"
        boot
        admitted
        claim "what it finds is said" says 'passed "nvml.ecc","s":"warn","got":"a=volatile:1"'
        claim "a timer looks again" grep -qxF \
            'systemd-run --unit=dtc-again --on-active=300 --on-unit-active=300 /bin/sh /opt/dtc/check again' calls
        claim "two things are fetched" [ "$(grep -c '^aws s3 cp' asked)" = 2 ]
        : >asked
        check
        admitted
        claim "and kept" [ "$(grep -c '^aws s3 cp' asked)" = 0 ]
        echo >>opt/dtc/second
        : >asked
        check
        claim "what was changed is fetched again" [ "$(grep -c '^aws s3 cp' asked)" = 1 ]
        admitted
        core_ends 0
        timer_looks
        claim "the timer is among them" [ "$(tail -n 1 run/dtc/runs)" = run ]
    done

    begin "a second stage that cannot be fetched"
    every=300 is_fetched=yes
    echo 'exit 1' >answers/aws
    emit batch <<<"$good"
    boot
    admitted
    claim "the first stage's verdict stands, and it is said" says "no second stage: it cannot be fetched"
    claim "five times" [ "$(grep -c '^aws s3 cp' asked)" = 5 ]
    claim "the timer is there all the same" grep -qxF \
        'systemd-run --unit=dtc-again --on-active=300 --on-unit-active=300 /bin/sh /opt/dtc/check again' calls
    timer_looks
    claim "it finds nothing that could look" [ ! -s calls ]
    claim "and has tried" [ "$(grep -c '^aws s3 cp' asked)" = 1 ]
    second_stage <<<"verdict '{\"checks\":[{\"id\":\"nvml.ecc\",\"s\":\"warn\",\"want\":\"0\",\"got\":\"a=1\"}]}'"
    serve_artifacts
    pack batch
    sed -i "s/^sum=.*/sum=$(sha256sum <second | cut -d ' ' -f 1)/" opt/dtc/check
    core_ends 0
    timer_looks
    claim "when it can be fetched, it looks" [ "$(tail -n 1 run/dtc/runs)" = run ]
    claim "and has its program" [ -s run/dtc/device.json ]
    program=

    begin "a program of the second stage that comes late"
    is_fetched=''
    second_stage <<<"verdict '{\"checks\":[]}'"
    mv opt/dtc/dtc-collective program
    printf '[ "$(grep -c "^aws s3" "%s/asked")" -lt 3 ] || cp "%s/program" "$5"\n' "$NODE_WORLD" "$NODE_WORLD" >answers/aws
    emit batch <<<"$good"
    boot
    admitted
    claim "it is waited for" [ "$(grep -c '^aws s3 cp' asked)" = 3 ]
    claim "and runs" [ -s run/dtc/device.json ]
    program=

    begin "a second stage that somebody has changed"
    every=300 is_fetched=yes
    serve_artifacts
    emit batch <<<"$good"
    echo 'touch /run/dtc/changed' >>second
    boot
    admitted
    claim "it does not run" [ ! -e run/dtc/changed ]
    claim "it is said" says "no second stage: it cannot be fetched"
    timer_looks
    claim "nothing of it is left" [ -z "$(ls opt/dtc/second* 2>/dev/null)" ]

    begin "a core that fails in front of a second stage"
    every=300 is_fetched=yes verdicts=s3://lab/runs
    second_stage <<<'touch /run/dtc/asked; exit 0'
    serve_artifacts
    emit batch <<<"verdict '$verdict'; exit 1"
    boot
    refused 'status 1 "efa.count","s":"fail","want":"32","got":"31"'
    claim "drivers are not asked" [ ! -e run/dtc/asked ]
    serve_count
    rm run/dtc/failed
    claim "its verdict is reported" grep -qxF 'systemd-run /bin/sh /opt/dtc/check report' calls
    report
    stores 1
    is_fetched='' program='' every='' verdicts=''
}

in_shell_with_reports() {
    begin "a node whose verdicts are reported"
    verdicts=s3://lab/runs textfile=$NODE_WORLD/run/exporter
    : >answers/aws
    serve_count
    emit batch <<<"verdict '$verdict'; exit 1"
    boot
    refused 'status 1 "efa.count","s":"fail","want":"32","got":"31"'
    claim "a unit reports, once" [ "$(grep '^systemd-run' calls)" = 'systemd-run /bin/sh /opt/dtc/check report' ]
    report
    claim "it ends well" [ "$status" = 0 ]
    stores 1
    sums="\"core\":\"sha256:$(sha256sum <core | cut -d ' ' -f 1)\",\"record\":\"sha256:$(sha256sum <record | cut -d ' ' -f 1)\","
    claim "what is stored is the verdict, with the sums of core and record" \
        [ "$(cat run/dtc/verdict.stored)" = "{\"v\":1,$sums${verdict#*,}" ]
    claim "a folder of the node exporter is not made" [ ! -e run/exporter ]
    mkdir run/exporter
    report
    stores 0
    claim "the node exporter finds what failed" [ "$(grep -v '^#' run/exporter/dtc_node.prom | grep -v time)" = 'dtc_node_check{check="efa.count",result="fail"} 1' ]
    claim "and when it was" grep -q '^dtc_node_look_time_seconds [0-9]*$' run/exporter/dtc_node.prom
    claim "nothing else is left in its folder" [ "$(ls run/exporter)" = dtc_node.prom ]
    verdict_of '{"v":1,"phase":"preflight","checks":[{"id":"mount","s":"warn"},{"id":"mount","s":"warn"}],"fail":0,"warn":2,"ms":5,"verdict":"warn"}'
    report
    stores 1
    claim "a name stands there once" [ "$(grep -v '^#' run/exporter/dtc_node.prom | grep -v time)" = 'dtc_node_checks{phase="preflight",result="fail"} 0
dtc_node_checks{phase="preflight",result="warn"} 2
dtc_node_check{check="mount",result="warn"} 1' ]
    verdict_of '{"v":1,"checks":[],"fail":0,"warn":0,"ms":5,"verdict":"pass"}'
    report
    stores 1
    report
    stores 0

    begin "a node with a second stage whose verdicts are reported"
    verdicts=s3://lab/runs textfile=$NODE_WORLD/run/exporter
    second_stage <<'END'
verdict '{"v":1,"phase":"device","checks":[{"id":"nvml.ecc","s":"fail"}],"fail":1,"warn":0,"ms":5,"verdict":"fail"}'
exit 1
END
    : >answers/aws
    serve_count
    emit batch <<<"$good"
    boot
    refused 'status 1 "nvml.ecc","s":"fail"'
    mkdir run/exporter
    report
    stores 1
    claim "a line of what is stored is its" grep -q '^{"v":1,"phase":"device"' run/dtc/verdict.stored
    claim "another is the first stage's" [ "$(wc -l <run/dtc/verdict.stored)" = 2 ]
    claim "the node exporter knows both" grep -qxF 'dtc_node_checks{phase="device",result="fail"} 1' run/exporter/dtc_node.prom
    program=''

    begin "a node whose verdicts cannot be stored"
    verdicts=s3://lab/runs textfile=''
    refusal='not authorized to perform: kms:GenerateDataKey on resource: arn:aws:kms:us-east-1:123456789012:key/0'
    printf 'printf "upload failed\\n%%s\\n" "%s" >&2\nexit 1\n' "$refusal" >answers/aws
    emit batch <<<"$good"
    boot
    admitted
    report
    stores 5
    refusal="the verdict could not be stored in s3://lab/runs: status 1 upload failed $refusal "
    claim "the log says so, and why" grep -qxF "logger -t dtc-node $refusal" calls
    claim "so does the console" says "$refusal"
    : >dev/console
    report
    stores 5
    claim "the log says it again" grep -qxF "logger -t dtc-node $refusal" calls
    claim "the console does not" [ ! -s dev/console ]
    : >answers/aws
    report
    stores 1
    echo 'exit 1' >answers/aws
    verdict_of '{"v":1,"checks":[{"id":"mtu","s":"warn"}],"fail":0,"warn":1,"ms":5,"verdict":"warn"}'
    report
    claim "what was stored meanwhile is said anew" says 'the verdict could not be stored in s3://lab/runs: status 1 '
    echo 'exit 124' >answers/aws
    report
    claim "what does not answer is said, too" says 'the verdict could not be stored in s3://lab/runs: status 124 '

    begin "a node that reports while it reports"
    verdicts=s3://lab/runs textfile=$NODE_WORLD/run/exporter
    : >answers/aws
    emit batch <<<"$good"
    boot
    mkdir run/exporter
    /bin/sleep 100 &
    echo $! >run/dtc/reporting
    report
    stores 0
    claim "leaves the files of the first one alone" [ -z "$(ls run/exporter)" ]
    kill $!
    wait $! 2>/dev/null
    report
    stores 1
    claim "one that was killed holds nobody up, and one that ends says so" [ ! -e run/dtc/reporting ]

    begin "a node whose verdicts are encrypted with a key"
    verdicts=s3://lab/runs textfile='' key=arn:aws:kms:us-east-1:123456789012:key/0
    : >answers/aws
    emit batch <<<"$good"
    boot
    report
    claim "names it" grep -q "^aws s3 cp --only-show-errors --sse aws:kms --sse-kms-key-id $key verdict.stored s3://lab/runs/" asked
    key=''

    begin "a node that has no verdict"
    verdicts=s3://lab/runs textfile=$NODE_WORLD/run
    : >answers/aws
    emit batch <<<"exit 1"
    boot
    report
    stores 0

    begin "a node without an agent whose verdicts are reported"
    verdicts=s3://lab/runs textfile=''
    : >answers/aws
    emit parallelcluster <<<"$good"
    boot
    admitted
    claim "a unit reports, once" [ "$(grep -c '^systemd-run' calls)" = 1 ]
    verdicts='' textfile=''
}

in_shell_with_a_brake() {
    local braked='status 1 "efa.count","s":"fail","want":"32","got":"31"; more than 2 of its group failed within an hour: it takes work'
    local target

    begin "a node that fails as the second of its group"
    keep=10
    serve_count 60
    emit batch <<<"verdict '$verdict'; exit 1"
    boot
    refused 'status 1 "efa.count","s":"fail","want":"32","got":"31"'
    claim "a timer ends it" grep -q '^systemd-run --unit=dtc-end' calls
    check
    claim "it counts once" [ "$(grep -c . history)" = 2 ]

    for target in batch eks; do
        begin "a node of $target that fails as the third one in an hour"
        keep=10
        serve_count 3500 60
        emit $target <<<"verdict '$verdict'; exit 1"
        boot
        admitted
        claim "it is said" says "$braked"
        claim "it has counted" [ "$(grep -c . history)" = 3 ]
        [ $target != eks ] || claim "the taint is taken back" [ -e etc/eks/nodeadm.d/dtc.yaml ]
        check
        admitted
        claim "once" [ "$(grep -c . history)" = 3 ]
        touch -d '2 hours ago' run/dtc/braked
        check
        admitted
        claim "an hour later it counts again, and others may still not end" [ "$(grep -c . history)" = 4 ]
    done

    begin "a node that fails as the third one in more than an hour"
    keep=10
    serve_count 3700 60
    emit batch <<<"verdict '$verdict'; exit 1"
    boot
    refused 'status 1 "efa.count","s":"fail","want":"32","got":"31"'

    begin "a node that fails as one of many, an hour ago"
    keep=10
    serve_count 4000 3900 3800 3700
    emit batch <<<"verdict '$verdict'; exit 1"
    boot
    refused 'status 1 "efa.count","s":"fail","want":"32","got":"31"'

    begin "a node that fails, and cannot be counted"
    keep=10
    emit batch <<<"verdict '$verdict'; exit 1"
    boot
    refused 'status 1 "efa.count","s":"fail","want":"32","got":"31"'
    claim "stays, and no other one is bought" [ "$(grep -c 'dtc-end --' calls)" = 0 ]

    begin "a node that fails, and may not count"
    keep=10
    echo 'echo "An error occurred (AccessDeniedException) when calling the PutParameter operation" >&2; exit 254' >answers/aws
    emit batch <<<"verdict '$verdict'; exit 1"
    boot
    refused 'status 1 "efa.count","s":"fail","want":"32","got":"31"'
    claim "asks once" [ "$(grep -c '^aws ssm put-parameter' asked)" = 1 ]
    claim "and stays, too" [ "$(grep -c 'dtc-end --' calls)" = 0 ]

    begin "a node that fails beside many, and is heard in the end"
    keep=10
    turn_away 'put-parameter' 'An error occurred (ThrottlingException) when calling the PutParameter operation: Rate exceeded' 5
    serve_count 60
    emit batch <<<"verdict '$verdict'; exit 1"
    boot
    refused 'status 1 "efa.count","s":"fail","want":"32","got":"31"'
    claim "it has asked six times" [ "$(grep -c '^aws ssm put-parameter' asked)" = 6 ]
    claim "it has waited in between" [ "$(grep -c '^sleep' asked)" = 5 ]
    claim "it is ended, as it has counted" grep -q '^systemd-run --unit=dtc-end' calls

    begin "a node that fails beside many, and writes as another does"
    keep=10
    turn_away 'put-parameter' 'An error occurred (TooManyUpdates) when calling the PutParameter operation' 1
    serve_count 60
    emit batch <<<"verdict '$verdict'; exit 1"
    boot
    refused 'status 1 "efa.count","s":"fail","want":"32","got":"31"'
    claim "it has counted" [ "$(grep -c . history)" = 2 ]

    begin "a node that fails beside so many that it is never heard"
    keep=10
    turn_away 'put-parameter' 'An error occurred (ThrottlingException) when calling the PutParameter operation: Rate exceeded' 99
    serve_count 60
    emit batch <<<"verdict '$verdict'; exit 1"
    boot
    admitted
    claim "it is said" says \
        'status 1 "efa.count","s":"fail","want":"32","got":"31"; too many fail at once to be counted: it takes work'
    claim "it has asked six times" [ "$(grep -c '^aws ssm put-parameter' asked)" = 6 ]
    claim "in less than eight minutes" \
        [ "$(($(sed -n 's/^sleep //p' asked | paste -s -d +)))" -le 450 ]
    check
    claim "it asks again at the next look" [ "$(grep -c '^aws ssm put-parameter' asked)" = 12 ]

    begin "a node that fails beside so many that it cannot read the count"
    keep=10
    turn_away 'get-parameter.*failed:' 'An error occurred (ThrottlingException) when calling the GetParameter operation: Rate exceeded' 99
    serve_count 60 60 60 60
    emit batch <<<"verdict '$verdict'; exit 1"
    boot
    admitted

    begin "a node that fails, and whose count nobody reads"
    keep=10
    serve_count 60 60 60 60
    sed -i 's/"ssm get-parameter /"none /' answers/aws
    emit batch <<<"verdict '$verdict'; exit 1"
    boot
    admitted

    begin "a node that fails and only warns"
    mild='on_fail = warn' keep=''
    serve_count
    emit batch <<<"verdict '$verdict'; exit 1"
    boot
    admitted
    claim "does not count" [ ! -s history ]

    begin "a node of AWS Batch that breaks as the third one in an hour"
    keep=10
    serve_count 60 60
    starts_watched batch
    core_ends 1
    agent_has '{"Tasks":[]}'
    timer_looks
    goes_on
    claim "it is said" says "again: $fault; more than 2 of its group failed within an hour: it takes work"
    touch -d '2 hours ago' run/dtc/braked
    serve_count 9000 9000 7200
    timer_looks
    claim "when that is long ago, it goes" grep -q '^systemd-run --unit=dtc-end' calls

    begin "a node of AWS Batch that breaks, and cannot be counted"
    keep=10
    starts_watched batch
    core_ends 1
    agent_has '{"Tasks":[]}'
    timer_looks
    claim "takes no work" grep -qxF 'systemctl stop --no-block dtc-node' calls
    claim "and stays" [ "$(grep -c 'dtc-end --' calls)" = 0 ]
}

# What the timer's unit does.
timer_looks() {
    : >calls
    : >asked
    # shellcheck disable=SC2086
    with_tools $shell /opt/dtc/check again >>out 2>&1 </dev/null
    status=$?
}

# A core that ends so from now on.
core_ends() { # STATUS
    printf '#!/bin/sh\ncp "$2" /run/dtc/read\necho run >>/run/dtc/runs\ncat <<"END"\n%s\nEND\nexit %s\n' "$verdict" "$1" >opt/dtc/dtc-node
}

# The ECS agent, which knows these tasks, and no tag.
agent_has() { # TASKS
    printf 'case $* in *51678/v1/tasks*) echo %s ;; *) exit 22 ;; esac\n' "'$1'" >answers/curl
}

starts_watched() { # TARGET
    every=300
    emit "$1" <<<"$good"
    boot
    admitted
    claim "a timer looks again" grep -qxF \
        'systemd-run --unit=dtc-again --on-active=300 --on-unit-active=300 /bin/sh /opt/dtc/check again' calls
}

# A core whose image fails so from now on.
fails_now() { # ID WANT
    verdict="{\"v\":1,\"checks\":[{\"id\":\"$1\",\"s\":\"fail\",\"want\":\"$2\",\"got\":\"\"}]}" core_ends 4
    sed -i 's|^cat <<|tee /run/dtc/verdict.json <<|' opt/dtc/dtc-node
}

goes_on() {
    claim "nothing is stopped" [ "$(grep -c '^systemctl stop\|^systemctl disable\|^systemd-run' calls)" = 0 ]
    claim "it has not failed" [ ! -e run/dtc/failed ]
}

fault='status 1 efa.count,s:fail,want:32,got:31;'

in_shell_with_a_timer() {
    begin "a node of AWS Batch that looks again"
    keep=10
    serve_count
    starts_watched batch
    printf 'dtc-expect 1\ngroup train\nlibfabric /opt/fi_info\n' >opt/dtc/expect
    core_ends 0
    timer_looks
    goes_on
    claim "it says nothing" [ ! -s calls ]
    claim "no other program is started for it" [ "$(cat run/dtc/read)" = "$(printf 'dtc-expect 1\ngroup train')" ]
    core_ends 1
    agent_has '{"Tasks":[{"KnownStatus":"STOPPED"},{"KnownStatus":"RUNNING"}]}'
    timer_looks
    goes_on
    claim "a fault beside a job is said" says "again: $fault"
    claim "it has looked twice" [ "$(grep -c run run/dtc/runs)" = 3 ]
    timer_looks
    goes_on
    claim "once" [ "$(grep -c '^logger' calls)" = 0 ]
    echo 'exit 7' >answers/curl
    timer_looks
    goes_on
    agent_has '{"Tasks":[{"KnownStatus":"STOPPED"}]}'
    timer_looks
    claim "without a job the agent stops, by the unit that it needs" grep -qxF 'systemctl stop --no-block dtc-node' calls
    claim "it is said as at boot" says "$fault; ecs.service fails"
    claim "and it ends as at boot" grep -q '^systemd-run --unit=dtc-end' calls
    claim "whoever looks finds why" grep -qxF "$fault" run/dtc/failed
    timer_looks
    claim "then there is nothing to look at" [ ! -s calls ]

    begin "a node of AWS Batch whose tag switches the check off"
    starts_watched batch
    core_ends 1
    printf 'case $* in *" PUT "*) echo secret ;; *51678*) echo "{}" ;; *) echo off ;; esac\n' >answers/curl
    timer_looks
    goes_on

    begin "a node of AWS Batch whose image is at fault"
    written=''
    starts_watched batch
    core_ends 4
    agent_has '{"Tasks":[]}'
    timer_looks
    goes_on
    claim "it is said" says "again: status 4 efa.count,s:fail,want:32,got:31;; not its hardware: it takes work"

    begin "a node of AWS Batch whose first look takes too long, and each later one"
    written=''
    starts_watched batch
    rm -f run/dtc/verdict.json
    core_ends 124
    agent_has '{"Tasks":[]}'
    for _ in 1 2 3; do
        timer_looks
        goes_on
    done
    claim "that is said" says 'again: status 124 3 looks in a row took too long; not its hardware: it takes work'

    begin "a node of AWS Batch on which something fails that was right at boot"
    written='' keep=10
    serve_count
    good='verdict "{\"v\":1,\"checks\":[{\"id\":\"proc\",\"s\":\"pass\",\"want\":\"nv-fabricmanage\"},{\"id\":\"mount\",\"s\":\"pass\",\"want\":\"/fsx lustre\"}]}"' \
        starts_watched batch
    agent_has '{"Tasks":[]}'
    fails_now module ib_uverbs
    timer_looks
    goes_on
    claim "what was never right is the image's" says 'again: status 4 module,s:fail,want:ib_uverbs,got:;; not its hardware: it takes work'
    fails_now mount '/fsx lustre'
    timer_looks
    goes_on
    claim "and what hangs on a server is nobody's" says 'again: status 4 mount,s:fail,want:/fsx lustre,got:;; not its hardware: it takes work'
    fails_now proc nv-fabricmanage
    timer_looks
    claim "what was right is the node's" grep -qxF 'status 4 proc,s:fail,want:nv-fabricmanage,got:; it was right before' run/dtc/failed
    claim "and it ends" grep -q '^systemd-run --unit=dtc-end' calls

    begin "a node of AWS Batch whose driver fails after its boot, asked beside an image at fault"
    written='' keep=10
    serve_count
    second_stage <<<"verdict '{\"checks\":[{\"id\":\"nvml\",\"s\":\"pass\",\"want\":\"driver\",\"got\":\"\"}]}'"
    starts_watched batch
    agent_has '{"Tasks":[]}'
    printf '#!/bin/sh\necho %s | tee /run/dtc/device.json\nexit 4\n' \
        "'{\"checks\":[{\"id\":\"nvml\",\"s\":\"fail\",\"want\":\"driver\",\"got\":\"init=another-version\"}]}'" >opt/dtc/dtc-collective
    chmod 755 opt/dtc/dtc-collective
    sed -i 's/^has_program() {/&\nreturn/' opt/dtc/check
    fails_now cpus 192
    timer_looks
    claim "it has been asked" grep -q 'nvml,s:fail,want:driver,got:init=another-version; it was right before' run/dtc/failed
    program=

    begin "a node of AWS Batch that is busy for a while"
    keep=10
    serve_count
    starts_watched batch
    core_ends 1
    printf 'case $* in *51678/v1/tasks*) [ -e "%s/idle" ] && echo "{\\"Tasks\\":[]}" || echo "{\\"KnownStatus\\":\\"RUNNING\\"}" ;; *) exit 22 ;; esac\n' "$NODE_WORLD" >answers/curl
    printf '[ "$(grep -c "^sleep 1$" "%s/asked")" -lt 7 ] || : >"%s/idle"\n' "$NODE_WORLD" "$NODE_WORLD" >answers/sleep
    timer_looks
    claim "it waits for the moment between two jobs" grep -qxF 'systemctl stop --no-block dtc-node' calls
    claim "which comes" [ "$(grep -c '^sleep 1$' asked)" = 7 ]
    rm idle

    begin "a node of AWS Batch whose look takes too long"
    written=''
    good='verdict "{\"checks\":[{\"id\":\"mtu\",\"s\":\"pass\",\"want\":\"9001\"}]}"' starts_watched batch
    core_ends 124
    agent_has '{"Tasks":[]}'
    timer_looks
    goes_on
    timer_looks
    goes_on
    timer_looks
    claim "the third one in a row fails, as hardware does" grep -qxF 'status 124 3 looks in a row took too long' run/dtc/failed
    claim "and no verdict of an earlier look is left" [ ! -e run/dtc/verdict.json ]

    begin "a node of EKS that looks again"
    serve_count
    starts_watched eks
    printf '#!/bin/sh\n[ "$*" = "token -i train" ] && echo "{\\"status\\": {\\"token\\": \\"k8s-aws-v1.abc\\"}}"\n' >bin/authenticator
    chmod 755 bin/authenticator
    printf '%s\n' '    certificate-authority: /etc/ca.crt' '    server: https://train.eks' '      command: authenticator' \
        '      args:' "        - 'token'" '        - -i' '        - "train"' >kubeconfig
    sed -i "s|/var/lib/kubelet/kubeconfig|$NODE_WORLD/kubeconfig|" opt/dtc/check
    printf 'cat >"%s/header"\n[ -e "%s/may" ]\n' "$NODE_WORLD" "$NODE_WORLD" >answers/curl
    core_ends 0
    timer_looks
    goes_on
    claim "it has the kubelet's token" [ "$(cat header)" = 'Authorization: Bearer k8s-aws-v1.abc' ]
    claim "which no command line has" [ "$(grep -c k8s-aws asked)" = 0 ]
    claim "the cluster is the kubelet's" grep -q -- "--cacert /etc/ca.crt https://train.eks/api/v1/nodes/$(hostname)/status" asked
    claim "it says so where kubectl describes it" grep -q '"type":"dtc.dev/Checked","status":"True","reason":"Passed"' asked
    timer_looks
    claim "until it is heard" grep -q '"reason":"Passed"' asked
    : >may
    timer_looks
    timer_looks
    claim "and then no more" [ "$(grep -c curl asked)" = 0 ]
    verdict='{"v":1,"checks":[{"id":"clock","s":"warn","want":"sync","got":"none"}],"verdict":"warn"}' core_ends 0
    timer_looks
    claim "what only warns is said there" grep -qF '"status":"True","reason":"Passed","message":"as expected; warns: clock,s:warn,want:sync,got:none;"' asked
    core_ends 1
    echo 'echo warn' >answers/aws
    timer_looks
    goes_on
    claim "and so is a fault that takes no node away" \
        grep -qF "\"status\":\"True\",\"reason\":\"Warned\",\"message\":\"$fault; dtc-validate is set: it takes work\"" asked
    core_ends 124
    timer_looks
    claim "a look that is only counted says nothing there" [ "$(grep -c curl asked)" = 0 ]
    rm answers/aws
    core_ends 1
    timer_looks
    goes_on
    claim "a fault is said" says "again: $fault"
    claim "with the same words where kubectl describes it" grep -qF "\"status\":\"False\",\"reason\":\"Failed\",\"message\":\"$fault\"" asked
    claim "no pod comes any more" grep -q -- '-d {"spec":{"unschedulable":true}}' asked
    claim "which is said" says "cordoned: $fault"
    timer_looks
    goes_on
    claim "who uncordons it has decided" [ "$(grep -c curl asked)" = 0 ]
    core_ends 0
    timer_looks
    claim "a fault that is gone is gone there" grep -q '"status":"True"' asked
    rm may header kubeconfig bin/authenticator
}

verdict_of() { # VERDICT
    echo "$1" >run/dtc/verdict.json
}

in_shell_with_a_switch() {
    begin "a tag that switches the check off"
    keep=10
    serve off
    emit batch <<<'echo >/run/dtc/ran; exit 1'
    boot
    admitted
    claim "the core does not run" [ ! -e run/dtc/ran ]
    claim "it is said" says 'dtc-validate = off: not checked'
    claim "no answer is waited for longer than two seconds" [ "$(grep -c -- '-fsm 2 ' asked):$(grep -c curl asked)" = 2:2 ]

    begin "a tag by which it only warns"
    keep=10
    serve warn
    emit batch <<<"verdict '$verdict'; exit 1"
    boot
    admitted
    claim "it is said" says 'status 1 "efa.count","s":"fail","want":"32","got":"31"; dtc-validate = warn: it takes work'

    begin "a tag by which it only warns, on a node that passes"
    serve warn
    emit batch <<<"$good"
    boot
    admitted
    claim "nothing is said of it" says 'passed'

    begin "a tag with another value"
    serve quarantine
    emit batch <<<'exit 1'
    boot
    refused 'status 1 '

    begin "a metadata service without tags"
    echo 'case $* in *" PUT "*) echo secret ;; *) exit 22 ;; esac' >answers/curl
    emit batch <<<'exit 1'
    boot
    refused 'status 1 '

    begin "a metadata service that does not answer"
    echo 'exit 28' >answers/curl
    emit batch <<<"$good"
    boot
    admitted

    begin "a parameter that switches the check off"
    echo 'echo off' >answers/aws
    taints=a=b:NoSchedule
    emit eks <<<'exit 1'
    boot
    admitted
    claim "it is the group's" grep -qxF 'aws ssm get-parameter --name /dtc/train/gpu --query Parameter.Value --output text' asked
    claim "the taint is taken back" grep -qF "['--register-with-taints=a=b:NoSchedule']" etc/eks/nodeadm.d/dtc.yaml

    begin "a file of the head node that switches the check off"
    mkdir -p opt/slurm/etc
    echo off >opt/slurm/etc/dtc-validate
    emit parallelcluster <<<'exit 1'
    boot
    admitted
}

in_shell_on_eks() {
    begin "a node of EKS that passes"
    emit eks <<<"$good"
    boot
    admitted
    claim "registers without the taint" [ "$(cat etc/eks/nodeadm.d/dtc.yaml)" = "{apiVersion: node.eks.aws/v1alpha1,kind: NodeConfig,spec: {kubelet: {flags: ['--register-with-taints=']}}}" ]
    claim "its kubelet's starter needs the check" grep -qx 'RequiredBy=nodeadm-run.service' etc/systemd/system/dtc-node.service

    begin "a node of EKS with taints of its author's"
    taints=a=b:NoSchedule,c:NoExecute
    emit eks <<<"$good"
    boot
    claim "registers with those" grep -qF "['--register-with-taints=a=b:NoSchedule,c:NoExecute']" etc/eks/nodeadm.d/dtc.yaml

    begin "a node of EKS that fails"
    emit eks <<<'exit 1'
    boot
    claim "its status is 1" [ "$status" = 1 ]
    claim "it is said" says 'status 1 ; nodeadm-run.service fails'
    claim "the taint stays" [ ! -e etc/eks/nodeadm.d/dtc.yaml ]

    begin "a node of EKS whose image is at fault"
    written=''
    emit eks <<<'exit 4'
    boot
    admitted
    claim "the taint is taken back" [ -e etc/eks/nodeadm.d/dtc.yaml ]

    begin "a node of EKS that fails and only warns"
    mild='on_fail = warn'
    emit eks <<<'exit 1'
    boot
    admitted
    claim "has no taint to lose" [ ! -e etc/eks/nodeadm.d/dtc.yaml ]

    begin "a node of EKS without the folder"
    rm -r etc/eks/nodeadm.d
    emit eks <<<"$good"
    boot
    claim "does not end well" [ "$status" != 0 ]
}

in_shell_on_parallelcluster() {
    begin "a node of ParallelCluster that fails"
    emit parallelcluster <<<'exit 1'
    boot
    claim "fails its bootstrap" [ "$status" = 1 ]
    claim "by its status alone" calls_are ''
    claim "it is said" says 'status 1 ; bootstrap fails'
    claim "at once" [ ! -s asked ]

    begin "a node of ParallelCluster that is kept for a person"
    keep=12
    emit parallelcluster <<<'exit 1'
    boot
    claim "fails its bootstrap" [ "$status" = 1 ]
    claim "behind that time" [ "$(cat asked)" = 'sleep 720' ]
    claim "it is said" says 'ends in 12 minutes; later: aws ec2 get-console-output --instance-id '

    begin "a node of ParallelCluster that warns"
    emit parallelcluster <<<'verdict "{\"v\":1,\"verdict\":\"warn\"}"'
    boot
    admitted
    claim "has no unit" [ ! -e etc/systemd/system/dtc-node.service ]

    begin "a node of ParallelCluster that is restarted"
    emit parallelcluster <<<'[ "$*" != "--expect /opt/dtc/expect" ] || cat "$2" >>/opt/dtc/looked; verdict "{\"v\":1}"'
    boot
    rm -r run/dtc
    prolog
    claim "takes the job" [ "$status" = 0 ]
    claim "has looked again, with the record of its bootstrap" cmp -s opt/dtc/looked record
}

# Each tool that it needs is missing once.
without_tools() {
    local tool other with=$shell_tools
    for tool in base64 gzip dd cat timeout chmod; do
        begin "no $tool"
        emit batch <<<"$good"
        rm -rf fewer
        mkdir fewer
        for other in base64 gzip dd timeout chmod mkdir cat tee grep cp rm env sh; do
            [ "$other" = "$tool" ] || ln -s "$(PATH=$with command -v $other)" "fewer/$other"
        done
        shell_tools=$NODE_WORLD/fewer
        boot
        shell_tools=$with
        claim "its status is 1" [ "$status" = 1 ]
        claim "the agent stays off" grep -qE 'dtc-node no check|; ecs.service fails' calls
    done
}

in_each_shell in_shell
finish
