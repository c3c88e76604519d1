#!/bin/bash
# Unpacks the programs that builds carry to nodes and compares them with those that were built: core.sh DTC FOLDER.
# FOLDER has dtc-node.x86_64 and dtc-node.aarch64. The fixtures build with stand-ins (tests/golden.sh); this test takes
# the real programs.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
root=$PWD
dtc=$(realpath "$1") || exit 3
cores=$(realpath "$2") || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C NO_COLOR=1

# The streams of a script or template, one after the other. NUMBER is a stream, unpacked. NUMBER.core and NUMBER.check are
# the numbers of their bytes.
unpack() { # FILE FOLDER
    mkdir -p "$2"
    sed 's/^ *//' "$1" | awk -v folder="$2" '
        /^core=[0-9]+ check=/ { number++; split($1, core, "="); split($2, check, "=")
            print core[2] >(folder "/" number ".core"); print check[2] >(folder "/" number ".check") }
        $0 == "END" { inside = 0 }
        inside { print >(folder "/" number ".base64") }
        /^preflight <</ { inside = 1 }'
    for stream in "$2"/*.base64; do
        base64 -d <"$stream" | gzip -dc >"${stream%.base64}" || return 1
    done
}

# Whether a stream is a core whose sum is right, with a record of a group and the script of its check behind it.
holds() { # STREAM CORE GROUP TEMPLATE
    local core check
    core=$(cat "$1.core")
    check=$(cat "$1.check")
    head -c "$core" "$1" | cmp -s - "$2" &&
        tail -c +$((core + 1)) "$1" | head -c "$(wc -c <"$scratch/check.sh")" | cmp -s - "$scratch/check.sh" &&
        tail -c +$((core + 1)) "$1" | head -c "$check" | tail -n +$(($(wc -l <"$scratch/check.sh") + 1)) |
        head -n 1 | grep -qx 'limit=[0-9]*' &&
        tail -c +$((core + check + 1)) "$1" | head -n 2 | tail -n 1 | grep -qx "group $3" &&
        [ "$(tail -c +$((core + check + 1)) "$1" | grep -vc '^[?a-z]')" = 0 ] &&
        grep -q "# sha256 $(basename "$2") $(sha256sum <"$2" | cut -c 1-16)\$" "$4"
}

# As it travels.
sed 's/^[ \t]*//; s/[ \t]*$//; /^#/d; /^$/d' stdlib/node/check.sh >"$scratch/check.sh"
cp -R fixtures/valid/batch-validate fixtures/valid/parallelcluster-validate "$scratch"
cd "$scratch/batch-validate" || exit 3
"$dtc" build main.dt -o out >/dev/null 2>&1 && unpack out/train.cfn.yaml "$scratch/batch"
result $? 'a template unpacks'
holds "$scratch/batch/1" "$cores/dtc-node.x86_64" of-itself out/train.cfn.yaml
result $? 'a group with x86_64 carries that core and its own record'
holds "$scratch/batch/4" "$cores/dtc-node.aarch64" arm out/train.cfn.yaml
result $? 'a group with arm64 carries the other one'
holds "$scratch/batch/2" "$cores/dtc-node.x86_64" asked-for out/train.cfn.yaml &&
    grep -qxa 'file /opt/tools/bin/run 2' "$scratch/batch/2"
result $? 'what the author asks for travels'
"$dtc" build main.dt -o again --core "$cores" >/dev/null 2>&1 && cmp -s out/train.cfn.yaml again/train.cfn.yaml
result $? 'the same cores from a folder give the same bytes'

# As dtc-node(7) says it.
sed -n '/base64 -di/,/^\.Ed/{/^\.Ed/d;s/\\e/\\/g;p}' "$root/man/dtc-node.7" >by-hand
(cd out && sh ../by-hand) >summed && [ "$(cut -d ' ' -f 1 summed)" = "$(sha256sum <"$cores/dtc-node.x86_64" | cut -d ' ' -f 1)" ] &&
    [ "$(sed -n 2p out/record)" = 'group of-itself' ]
result $? 'a template unpacks by hand as the manual says'

cd "$scratch/parallelcluster-validate" || exit 3
"$dtc" build main.dt -o out >/dev/null 2>&1 && unpack out/slurm.gpu-node-*.sh "$scratch/slurm"
result $? 'a custom action unpacks'
holds "$scratch/slurm/1" "$cores/dtc-node.x86_64" gpu out/slurm.gpu-node-*.sh &&
    holds "$scratch/slurm/2" "$cores/dtc-node.aarch64" gpu out/slurm.gpu-node-*.sh
result $? 'it carries both cores'

# The part of the user data as cloud-init runs it, and then what its unit runs, on a machine that is no p5.48xlarge. It
# runs in a mount namespace where /run, /opt and /etc/systemd are empty folders. Programs that talk to systemd, to the
# metadata service and to the log only write down how they were called. Nothing here is late, so that it waits for
# nothing.
run_part() { # SHELL...
    rm -rf "$scratch/run" "$scratch/opt" "$scratch/systemd"
    mkdir -p "$scratch/run" "$scratch/opt" "$scratch/systemd/system"
    # shellcheck disable=SC2016 # of the shell inside
    unshare --map-root-user --mount bash -c 'mount --bind "$0/run" /run && mount --bind "$0/opt" /opt &&
        mount --bind "$0/systemd" /etc/systemd && "$@" "$0/part" &&
        sed -i "s/ --wait [^ ]* / --wait 0 /" /opt/dtc/check && PATH=$0/bin:$PATH "$@" /opt/dtc/check run' \
        "$scratch" "$@" >"$scratch/said" 2>&1
}
mkdir "$scratch/bin"
for command in systemctl systemd-run curl logger; do
    # shellcheck disable=SC2016
    printf '#!/bin/sh\necho "${0##*/} $*" >>/run/calls\n' >"$scratch/bin/$command"
    chmod +x "$scratch/bin/$command"
done
# Systems Manager counts it as the first one that fails.
printf '#!/bin/sh\necho 1\n' >"$scratch/bin/aws"
chmod +x "$scratch/bin/aws"
sed -n '/^  TrainOfItselfLaunchTemplate:/,/^  [A-Z]/s/^          //p' "$scratch/batch-validate/out/train.cfn.yaml" |
    sed -n '/^#!\/bin\/sh$/,/^END$/p' | sed "s#^PATH=#&$scratch/bin:#" >"$scratch/part"
for shell in dash bash 'busybox ash'; do
    if ! command -v "${shell%% *}" >/dev/null || ! unshare --map-root-user --mount true 2>/dev/null ||
        [ "$(uname -m)" != x86_64 ]; then
        skip "what user data runs, in $shell: no such shell here, or no mount namespace, or no x86_64"
        continue
    fi
    # shellcheck disable=SC2086 # two words
    run_part $shell
    [ $? = 1 ] && grep -q '"group":"of-itself"' "$scratch/run/dtc/verdict.json" &&
        grep -q "\"core\":\"sha256:$(sha256sum <"$cores/dtc-node.x86_64" | cut -d ' ' -f 1)\"" "$scratch/run/dtc/verdict.json" &&
        grep -q '"id":"type","s":"fail","want":"p5.48xlarge"' "$scratch/run/dtc/verdict.json" &&
        grep -qx 'RequiredBy=ecs.service' "$scratch/systemd/system/dtc-node.service" &&
        grep -qx 'systemctl enable dtc-node' "$scratch/run/calls" &&
        grep -qx 'systemd-run --unit=dtc-end --on-active=10min systemctl poweroff' "$scratch/run/calls"
    result $? "what user data runs finds another machine and keeps it from work, in $shell"
done

cd "$scratch" || exit 3
"$dtc" core -o out >listed
result $? 'dtc core writes'
cmp -s out/dtc-node.x86_64 "$cores/dtc-node.x86_64" && cmp -s out/dtc-node.aarch64 "$cores/dtc-node.aarch64" &&
    cmp -s out/dtc-node.sh "$root/stdlib/node/dtc-node.sh"
result $? 'what it writes are the bytes that travel'
diff -r out/core "$root/stdlib/node/core" && diff -r -x measured.c out/collective "$root/stdlib/node/collective" && diff -r out/device "$root/stdlib/node/device" &&
    cmp -s out/collective/measured.c "$cores/collective/measured.c" && cmp -s out/contract.h "$root/stdlib/node/contract.h"
result $? 'the source stands beside it, whole'
while read -r sum name _; do
    [ "$(sha256sum <"out/$name" | cut -d ' ' -f 1)" = "$sum" ] || echo "$name"
done <listed >wrong
[ ! -s wrong ] && [ "$(wc -l <listed)" = 5 ]
result $? 'what it lists has the sums that it says'

finish
