#!/bin/bash
# Runs the wrapper of the node's check (stdlib/node/preflight.sh) as an emitter puts it together, in each shell that is
# here, in a mount namespace where /run, /opt, /etc/eks and /dev are empty folders, and systemctl and logger are
# stand-ins that write down how they were called. Cores are scripts that end as a core may.
set -u
cd "$(dirname "$0")/../.." || exit 3
if [ -z "${PREFLIGHT_TEST:-}" ]; then
    if ! unshare --map-root-user --mount true 2>/dev/null; then
        echo "skipped: this machine gives no mount namespace"
        echo "0 passed, 0 failed, 1 skipped"
        exit 0
    fi
    PREFLIGHT_TEST=$(mktemp -d) || exit 3
    export PREFLIGHT_TEST
    unshare --map-root-user --mount bash "$0"
    status=$?
    rm -rf "$PREFLIGHT_TEST"
    exit $status
fi

passed=0
failed=0
skipped=0
library=$PWD/stdlib/node
tools=$PATH
cd "$PREFLIGHT_TEST" || exit 3
mkdir bin etc dev run opt
touch dev/null
ln -s /proc/self/fd dev/fd
mount --bind /dev/null dev/null
mount --rbind dev /dev || exit 3
mount --bind run /run || exit 3
mount --bind opt /opt || exit 3
mount --bind etc /etc || exit 3
for command in systemctl logger scontrol; do
    # shellcheck disable=SC2016
    printf '#!/bin/sh\necho "${0##*/} $*" >>"$PREFLIGHT_TEST/calls"\n' >"bin/$command"
done
# Where masking fails, as for a unit whose file lies in /etc.
echo '[ "$1" != mask ] || [ ! -e "$PREFLIGHT_TEST/unmaskable" ]' >>bin/systemctl
chmod 755 bin/*

# As userdata_add_code() has it.
code() { # FILE…
    (cd "$library" && sed 's/^[ \t]*//; /^#/d; /^$/d' "$@")
}

# The core that is standard input, and a record; in `script` what an emitter makes of them.
emit() { # QUARANTINE…
    { printf '#!/bin/sh\nverdict() { echo "$1" >/run/dtc/verdict.json; echo "$1"; }\n'; cat; } >core
    printf 'dtc-expect 1\ngroup train\n' >record
    cat core record >stream
    {
        printf '#!/bin/sh\n# of a test\nlimit=%s\n' "${LIMIT:-60}"
        code "$@" preflight.sh
        echo "core=$(wc -c <core) sum=$(sha256sum stream | cut -d ' ' -f 1)"
        echo "preflight <<'END'"
        gzip -9 -n <stream | base64
        echo END
    } >script
}

# A node before its first boot.
begin() { # TEST
    umount opt/dtc run/dtc /opt /run 2>/dev/null
    mount --bind run /run && mount --bind opt /opt
    rm -rf run/* opt/* etc/* calls dev/console out unmaskable
    mkdir -p etc/eks/nodeadm.d
    : >calls
    : >dev/console
    name=$1
}

# Runs `script` in the shell at hand, with its tools instead of those of the PATH that it sets.
boot() {
    sed -i "s|^PATH=.*|PATH=$PREFLIGHT_TEST/bin:$shell_tools|" script
    # shellcheck disable=SC2086
    $shell script >out 2>&1 </dev/null
    status=$?
}

claim() { # TEXT COMMAND…
    local text=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "ok $shell: $name: $text"
    else
        failed=$((failed + 1))
        echo "not ok $shell: $name: $text"
        sed 's/^/    /' calls out dev/console 2>/dev/null
    fi
}

calls_are() { # TEXT
    [ "$(grep '^systemctl' calls)" = "$1" ]
}

says() { # TEXT
    grep -qF -- "dtc-node: $1" dev/console && grep -qF -- "logger -t dtc-node $1" calls && grep -qF -- "dtc-node: $1" out
}

refused() { # WHY
    claim "its status is 1" [ "$status" = 1 ]
    claim "console, log and output hear why" says "$1; the ECS agent stays off"
    claim "the agent is masked" calls_are 'systemctl mask --now --no-block ecs.service'
    claim "the parts behind it hear of it" [ -e run/dtc/failed ]
}

admitted() {
    claim "its status is 0" [ "$status" = 0 ]
    claim "nothing is masked" calls_are ''
    claim "the parts behind it may run" [ ! -e run/dtc/failed ]
}

verdict='{"v":1,"checks":[{"id":"mtu","s":"pass","got":""},{"id":"efa.count","s":"fail","want":"32","got":"31"}],"verdict":"fail"}'

good='[ -s /run/dtc/expect ] || exit 65; verdict "{\"v\":1,\"verdict\":\"pass\"}"'

in_shell() { # COMMAND TOOLS
    shell=$1
    shell_tools=$2

    begin "a core that passes"
    emit quarantine-batch.sh <<'END'
echo "$*" >/run/dtc/arguments
[ "$(cat /run/dtc/expect)" = "$(printf 'dtc-expect 1\ngroup train')" ] || exit 65
verdict '{"v":1,"verdict":"pass"}'
END
    boot
    admitted
    claim "console, log and output hear of it" says "passed"
    claim "its verdict is kept" [ "$(cat run/dtc/verdict.json)" = '{"v":1,"verdict":"pass"}' ]
    claim "it waits for late devices" [ "$(cat run/dtc/arguments)" = '--wait 45' ]
    claim "the core is kept" cmp -s core run/dtc/dtc-node
    claim "the record is kept" cmp -s record run/dtc/expect

    for target in batch eks parallelcluster; do
        begin "the wrapper for $target"
        emit "quarantine-$target.sh" <<<"$good"
        size=$(sed '/^# /d; /^preflight <</,/^END/{/^preflight/n;/^END/!d}' script | wc -c)
        claim "has at most 1200 bytes with the two lines around its payload: $size" [ "$size" -le 1200 ]
    done

    begin "a core that warns"
    emit quarantine-batch.sh <<'END'
verdict '{"checks":[{"id":"mtu","s":"pass","got":""},{"id":"clock","s":"warn","got":"unsync"}],"verdict":"warn"}'
END
    boot
    admitted
    claim "what warns is said" says 'passed "clock","s":"warn","got":"unsync"'

    begin "a core that fails"
    emit quarantine-batch.sh <<END
verdict '$verdict'
exit 1
END
    boot
    refused 'status 1 "efa.count","s":"fail","want":"32","got":"31"'
    claim "its verdict is kept" [ "$(cat run/dtc/verdict.json)" = "$verdict" ]
    boot
    claim "at the next part it stays so" [ "$status" = 1 ]

    for code in 2 3 64 65 70 124 137; do
        begin "a core that ends with $code"
        emit quarantine-batch.sh <<END
verdict '{"v":1,"verdict":"pass"}'
exit $code
END
        boot
        refused "status $code "
    done

    begin "a core without a verdict"
    emit quarantine-batch.sh <<<'echo "{\"v\":1,\"verdict\":\"pass\"}"'
    boot
    refused "status 0 "

    begin "a core that hangs"
    LIMIT=1 emit quarantine-batch.sh <<<'exec sleep 1000'
    boot
    refused "status ${timed_out:-124} "

    begin "a wrapper that is ended"
    LIMIT=2 emit quarantine-batch.sh <<<'echo >/run/dtc/runs; exec sleep 1000'
    sed -i "s|^PATH=.*|PATH=$PREFLIGHT_TEST/bin:$shell_tools|" script
    # shellcheck disable=SC2086
    $shell script >out 2>&1 </dev/null &
    until [ -e run/dtc/runs ]; do sleep 0.1; done
    kill -TERM $!
    wait $!
    status=$?
    refused "no verdict"

    begin "a core that is killed"
    emit quarantine-batch.sh <<<'kill -9 $$'
    boot
    refused "status 137 "

    begin "a core for another machine"
    emit quarantine-batch.sh </dev/null
    printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\363\0\1\0\0\0' >core
    cat core record >stream
    {
        sed '/^core=/,$d' script
        echo "core=$(wc -c <core) sum=$(sha256sum stream | cut -d ' ' -f 1)"
        printf "preflight <<'END'\n%s\nEND\n" "$(gzip -n <stream | base64)"
    } >other && mv other script
    boot
    claim "its status is 1" [ "$status" = 1 ]
    claim "console and output hear why" grep -qa '^dtc-node: status 12[67] ' dev/console out
    claim "the agent is masked" calls_are 'systemctl mask --now --no-block ecs.service'

    begin "a payload with another SHA-256"
    emit quarantine-batch.sh <<<"$good"
    sed -i 's/ sum=./ sum=x/' script
    boot
    refused "damaged"
    claim "nothing of it runs" [ ! -e run/dtc/dtc-node ]

    begin "a payload with another letter"
    emit quarantine-batch.sh <<<"$good"
    sed -i '/^preflight <</{n;s/^\(.\{20\}\)./\1-/}' script
    boot
    refused "damaged"

    begin "a payload that was cut off"
    emit quarantine-batch.sh <<<"$good"
    sed -i '/^END/{x;d}' script
    truncate -s -40 script
    boot
    refused "damaged"

    begin "an empty payload"
    emit quarantine-batch.sh <<<"$good"
    sed -i '/^preflight <</,/^END/{/^preflight/n;/^END/!d}' script
    boot
    refused "damaged"

    begin "a script that was cut off in front of the payload"
    emit quarantine-batch.sh <<<"$good"
    sed -i '/^core=/,$d' script
    boot
    refused "no verdict"

    begin "a script that was cut off in its function"
    emit quarantine-batch.sh <<<"$good"
    sed -i '/^for file/,$d' script
    boot
    claim "its status is not 0" [ "$status" != 0 ]
    claim "the agent is masked" calls_are 'systemctl mask --now --no-block ecs.service'

    begin "an architecture that did not travel"
    emit quarantine-batch.sh <<<"$good"
    sed -i "s/^core=.*/case \$(uname -m) in\nriscv0)\n&/; s/^END\$/&\n;;\nesac/" script
    boot
    refused "no verdict"

    begin "a part before it that failed"
    emit quarantine-batch.sh <<<"$good"
    mkdir run/dtc
    touch run/dtc/failed
    boot
    refused "no verdict"
    claim "the core does not run" [ ! -e run/dtc/verdict.json ]

    begin "a /run without programs"
    mount -t tmpfs -o noexec none /run
    emit quarantine-batch.sh <<<"$good"
    boot
    claim "its status is 0" [ "$status" = 0 ]
    claim "the core is in /opt" cmp -s core opt/dtc/dtc-node
    claim "the verdict is in /run" [ -s /run/dtc/verdict.json ]

    begin "a /run and an /opt without programs"
    mount -t tmpfs -o noexec none /run
    mount -t tmpfs -o noexec none /opt
    emit quarantine-batch.sh <<<"$good"
    boot
    claim "its status is 1" [ "$status" = 1 ]
    claim "console, log and output hear why" says "status 126 "
    claim "the agent is masked" calls_are 'systemctl mask --now --no-block ecs.service'

    begin "a unit that cannot be masked"
    touch unmaskable
    emit quarantine-batch.sh <<<'exit 1'
    boot
    claim "is disabled" calls_are 'systemctl mask --now --no-block ecs.service
systemctl disable --now --no-block ecs.service'

    begin "a failure that only warns"
    emit quarantine-warn.sh <<<"verdict '$verdict'; exit 1"
    boot
    admitted
    claim "it is said" says 'status 1 "efa.count","s":"fail","want":"32","got":"31"; on_fail = warn: it takes work'

    begin "a core that is a script for people to read"
    emit quarantine-batch.sh </dev/null
    printf '#!/bin/sh\n# Why, in `words` and $signs.\necho 1 >/run/dtc/verdict.json\n' >core
    cat core record >stream
    {
        sed '/^core=/,$d' script
        printf 'base64() { cat; }\ngzip() { cat; }\n'
        echo "core=$(wc -c <core) sum=$(sha256sum stream | cut -d ' ' -f 1)"
        printf "preflight <<'END'\n%s\nEND\n" "$(cat stream)"
    } >other && mv other script
    boot
    admitted
    claim "it is kept as it was" cmp -s core run/dtc/dtc-node

    in_shell_on_eks
    in_shell_on_parallelcluster
    in_shell_of_slurm
    without_tools
}

in_shell_on_eks() {
    begin "a node of EKS that passes"
    emit quarantine-eks.sh <<<"$good"
    boot
    admitted
    claim "registers without the taint" [ "$(cat etc/eks/nodeadm.d/dtc.yaml)" = "{apiVersion: node.eks.aws/v1alpha1,kind: NodeConfig,spec: {kubelet: {flags: ['--register-with-taints=']}}}" ]

    begin "a node of EKS with taints of its author's"
    emit quarantine-eks.sh <<<"$good"
    sed -i "s/^limit=.*/&\ntaints=a=b:NoSchedule,c:NoExecute/" script
    boot
    claim "registers with those" grep -qF "['--register-with-taints=a=b:NoSchedule,c:NoExecute']" etc/eks/nodeadm.d/dtc.yaml

    begin "a node of EKS that fails"
    emit quarantine-eks.sh <<<'exit 1'
    boot
    claim "its status is 1" [ "$status" = 1 ]
    claim "nodeadm does not start" calls_are 'systemctl disable --now --no-block nodeadm-run kubelet'
    claim "the taint stays" [ ! -e etc/eks/nodeadm.d/dtc.yaml ]

    begin "a node of EKS that fails and only warns"
    emit quarantine-warn.sh <<<'exit 1'
    boot
    admitted
    claim "has no taint to lose" [ ! -e etc/eks/nodeadm.d/dtc.yaml ]

    begin "a node of EKS without the folder"
    rm -r etc/eks/nodeadm.d
    emit quarantine-eks.sh <<<"$good"
    boot
    claim "does not end well" [ "$status" != 0 ]
}

in_shell_on_parallelcluster() {
    begin "a node of ParallelCluster that fails"
    emit quarantine-parallelcluster.sh <<<'exit 1'
    boot
    claim "fails its bootstrap" [ "$status" = 1 ]
    claim "by its status alone" calls_are ''

    begin "a node of ParallelCluster that warns"
    emit quarantine-parallelcluster.sh <<<'verdict "{\"v\":1,\"verdict\":\"warn\"}"'
    boot
    admitted

    begin "a node of ParallelCluster that is restarted"
    emit quarantine-parallelcluster.sh <<<'[ "$*" = "--expect /opt/dtc/expect" ] && cat "$2" >>/opt/dtc/looked; verdict "{\"v\":1}"'
    boot
    rm -r run/dtc && mkdir run/dtc # by whatever else writes there
    prolog
    claim "takes the job" [ "$status" = 0 ]
    claim "has looked again, with the record of its bootstrap" cmp -s opt/dtc/looked record

    begin "a node of ParallelCluster that cannot keep its core"
    emit quarantine-parallelcluster.sh <<<"rmdir /opt/dtc; $good"
    boot
    admitted
}

# Puts a core where the bootstrap leaves one.
leave() { # STATUS
    mkdir opt/dtc
    printf '#!/bin/sh\necho run >>%s\necho "%s"\nexit %s\n' "$PREFLIGHT_TEST/runs" "${verdict//\"/\\\"}" "$1" >opt/dtc/dtc-node
    chmod 755 opt/dtc/dtc-node
    rm -f runs
}

prolog() {
    sed "s|^PATH=.*|PATH=$PREFLIGHT_TEST/bin:$shell_tools|" "$library/prolog.sh" >script
    # shellcheck disable=SC2086
    SLURM_JOB_ID=7 SLURMD_NODENAME=queue-st-p5-1 SLURM_JOB_PARTITION=${1-queue} warns=' casual ' $shell script >out 2>&1 </dev/null
    status=$?
}

in_shell_of_slurm() {
    local each

    begin "a node that nothing is expected of"
    prolog
    claim "takes the job" [ "$status" = 0 ]

    for each in 0 2; do
        begin "a prolog whose check ends with $each"
        leave $each
        prolog
        claim "takes the job" [ "$status" = 0 ]
        claim "drains nothing" [ ! -s calls ]
    done

    for each in 1 3 65 137; do
        begin "a prolog whose check ends with $each"
        leave $each
        prolog
        claim "refuses the job" [ "$status" = 1 ]
        claim "drains its node, with a reason" grep -qxF "scontrol update nodename=queue-st-p5-1 state=drain \
reason=dtc: status $each efa.count,s:fail,want:32,got:31;" calls
        claim "looks again only where the leader was lost" [ "$(grep -c run runs)" = $((1 + (each == 3))) ]
    done

    begin "a prolog in a group that only warns"
    leave 1
    prolog casual
    claim "takes the job" [ "$status" = 0 ]
    claim "drains nothing" [ "$(grep -c scontrol calls)" = 0 ]

    begin "a prolog without its core"
    mkdir opt/dtc
    prolog
    claim "refuses the job" [ "$status" = 1 ]
}

# Each tool that it needs is missing once.
without_tools() {
    local tool other with=$shell_tools
    for tool in base64 gzip sha256sum head tail timeout chmod; do
        begin "no $tool"
        emit quarantine-batch.sh <<<"$good"
        rm -rf fewer
        mkdir fewer
        for other in base64 gzip sha256sum head tail timeout chmod mkdir cat tee grep; do
            [ "$other" = "$tool" ] || ln -s "$(PATH=$with command -v $other)" "fewer/$other"
        done
        shell_tools=$PREFLIGHT_TEST/fewer
        boot
        shell_tools=$with
        claim "its status is 1" [ "$status" = 1 ]
        claim "the agent is masked" calls_are 'systemctl mask --now --no-block ecs.service'
    done
}

for each in dash bash; do
    if command -v "$each" >/dev/null; then
        in_shell "$(command -v "$each")" "$tools"
    else
        skipped=$((skipped + 1))
        echo "skipped: $each is not installed"
    fi
done
if command -v busybox >/dev/null; then
    mkdir applets
    for each in base64 gzip sha256sum head tail timeout chmod grep mkdir cat tee uname rm cp sleep tr cut; do
        ln -s "$(command -v busybox)" "applets/$each"
    done
    timed_out=143
    in_shell "$(command -v busybox) ash" "$PREFLIGHT_TEST/applets"
else
    skipped=$((skipped + 1))
    echo "skipped: busybox is not installed"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
