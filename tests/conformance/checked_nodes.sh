#!/bin/bash
# Runs the check of the nodes from the user data that dtc writes, or that eksctl writes from dtc's file, as cloud-init
# does. Python's email package takes the message apart. The part is a file that is run by its first line. It runs in a
# mount namespace where the node's folders are empty and /usr/sbin has stand-ins. With cores that pass, the node takes
# work. With dtc's own it does not, because this machine is not what was asked for.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
dtc=$(realpath "$1")
if [ -z "${CHECKED_NODES:-}" ]; then
    unshare --map-root-user --mount true 2>/dev/null || skip_all 'this machine gives no mount namespace'
    python3 -c 'import yaml' 2>/dev/null || skip_all 'PyYAML is not installed'
    CHECKED_NODES=$(mktemp -d) || exit 3
    export CHECKED_NODES
    unshare --map-root-user --mount bash "$0" "$dtc"
    status=$?
    rm -rf "$CHECKED_NODES"
    exit $status
fi

world=$CHECKED_NODES
mkdir "$world"/{bin,etc,dev,run,opt,cores,none}
touch "$world/dev/null"
ln -s /proc/self/fd "$world/dev/fd"
mount --bind /dev/null "$world/dev/null"
for command in systemctl systemd-run logger; do
    # shellcheck disable=SC2016
    printf '#!/bin/sh\necho "${0##*/} $*" >>"$CHECKED_NODES/calls"\n' >"$world/bin/$command"
done
for machine in x86_64 aarch64; do
    # shellcheck disable=SC2016
    printf '#!/bin/sh\n[ -s /run/dtc/expect ] || exit 65\necho "{\\"machine\\":\\"%s\\",\\"verdict\\":\\"pass\\"}" | tee /run/dtc/verdict.json\n' \
        $machine >"$world/cores/dtc-node.$machine"
done
cp "$world/cores/dtc-node.x86_64" "$world/cores/dtc-node.sh"
cp fixtures/core/dtc-collective.* "$world/cores/"
# No network: nothing answers, and nothing is waited for.
for command in curl aws sleep; do printf '#!/bin/sh\nexit 7\n' >"$world/bin/$command"; done
chmod 755 "$world"/bin/* "$world"/cores/*

build() { # FIXTURE CORES…
    local fixture=fixtures/valid/$1
    [ -e "$fixture" ] || fixture=$world/$1
    shift
    rm -rf "$world/out" "$world/parts"
    mkdir "$world/parts"
    "$dtc" build "$fixture/main.dt" -o "$world/out" "$@" >"$world/said" 2>&1 || cat "$world/said"
    # Each check that nodes run, a file.
    python3 -B tests/conformance/node_checks.py "$world/out" "$world/parts"
}

# Runs the part and, where it has put a unit in front of the agent, what that runs.
boot() { # PART
    rm -rf "${world:?}"/{run,opt,etc}/* "$world/calls" "$world/dev/console"
    mkdir -p "$world/etc/eks/nodeadm.d" "$world/etc/systemd/system"
    : >"$world/calls"
    : >"$world/dev/console"
    chmod 700 "$1"
    (
        cd /
        exec "$1"
    ) >"$world/said" 2>&1 </dev/null
    status=$?
    if [ -e "$world/etc/systemd/system/dtc-node.service" ] && [ $status = 0 ]; then
        sed -i 's/ --wait [^ ]* / --wait 0 /' "$world/opt/dtc/check" # nothing here is late
        PATH=/usr/sbin:/usr/bin sh /opt/dtc/check run >>"$world/said" 2>&1 </dev/null
        status=$?
    fi
    about="$fixture, ${1##*/}"
}

evidence() {
    cat "$world/calls" "$world/said"
}

# A core that is a script, too.
mkdir "$world/script"
cat >"$world/script/main.dt" <<'END'
dt 1
network lab { zones = ["us-east-1a"] }
cluster train on batch {
  network = lab
  nodes gpu { instance = "p5.48xlarge", count = 0..4, validate { core = sh } }
}
END
projects='batch-validate script eks-stack eks-validate parallelcluster-validate'

# Before these the tools of this machine are in their place.
declare -A with_cores with_own
for fixture in $projects; do
    build "$fixture" --core "$world/cores"
    with_cores[$fixture]=$world/$fixture.cores
    mv "$world/parts" "$world/$fixture.cores"
    build "$fixture"
    with_own[$fixture]=$world/$fixture.own
    mv "$world/parts" "$world/$fixture.own"
done

mount --rbind "$world/dev" /dev || exit 3
for folder in run opt etc; do mount --bind "$world/$folder" /$folder || exit 3; done
mount --bind "$world/bin" /usr/sbin || exit 3

for fixture in $projects; do
    about=$fixture
    case $fixture in
    batch-validate | script) agent=ecs.service ;;
    eks-*) agent=nodeadm-run.service ;;
    *) agent= ;; # its status is all that is needed
    esac
    claim "user data has checks" [ "$(find "${with_cores[$fixture]}" -type f | wc -l)" -ge 1 ]
    for part in "${with_cores[$fixture]}"/*; do
        boot "$part"
        claim "a core that passes lets it take work" [ "$status" = 0 ]
        claim "and nothing is masked" [ "$(grep -c 'mask\|disable' "$world/calls")" = 0 ]
        [ -z "$agent" ] ||
            claim "behind a unit that the agent waits for" grep -qx "Before=$agent" "$world/etc/systemd/system/dtc-node.service"
        claim "the record is the compiler's" [ "$(head -n 1 "$world/run/dtc/expect")" = 'dtc-expect 1' ]
        own=$(sed -n "s/^taints='\(.*\)'$/\1/p" "$world/opt/dtc/check")
        if [ -z "$agent" ] || [ "$agent" = ecs.service ] || grep -q '^mild=.on_fail = warn' "$world/opt/dtc/check"; then
            claim "there is no taint to take back" [ ! -e "$world/etc/eks/nodeadm.d/dtc.yaml" ]
        else
            claim "the taint is taken back, and the author's stay" \
                grep -qF -- "'--register-with-taints=$own'" "$world/etc/eks/nodeadm.d/dtc.yaml"
        fi
    done
    for part in "${with_own[$fixture]}"/*; do
        boot "$part"
        if grep -q '^mild=.on_fail = warn' "$world/opt/dtc/check" 2>/dev/null; then
            claim "this machine is not what was asked for, and it is said" grep -q 'on_fail = warn' "$world/dev/console"
            claim "but it takes work" [ "$status" = 0 ]
        else
            # A core for another machine does not even start, which is not the hardware's fault, and leaves no verdict.
            if grep -qE "^# sha256 dtc-node\.(sh|$(uname -m)) " "$part"; then
                claim "this machine is not what was asked for" [ "$status" = 1 ]
                claim "its own core looked" grep -q '"id":"type","s":"fail"' "$world/run/dtc/verdict.json"
                claim "what would take work needs that" \
                    [ -z "$agent" -o "$(tail -n 1 "$world/etc/systemd/system/dtc-node.service" 2>&1)" = "RequiredBy=$agent" ]
                claim "the taint stays" [ ! -e "$world/etc/eks/nodeadm.d/dtc.yaml" ]
            else
                claim "a core for another machine is said" grep -qa 'status [0-9]* .*not its hardware' "$world/dev/console"
            fi
        fi
    done
done
finish
