#!/bin/bash
# Removes, and then changes, every file of a tree: mutate.sh DTC [CORES]. If the file matters, the node fails, and the
# verdict names the device or the file. A list here names the files that do not matter, with the reason. They are under
# a tenth of all. LONG=1 takes the trees of all types.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
dtc=$1
core=$(realpath "${2:-build/node}")/dtc-node.$(uname -m)
files=0
free=0
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C PROCESSES=1

# Why it does not matter what a file says; empty: it matters.
reason_of() { # PATH
    local driver=
    case $1 in
    sys/bus/pci/devices/*/uevent)
        while IFS='=' read -r key driver && [ "$key" != DRIVER ]; do :; done <"$1"
        case $driver in efa | nvidia* | neuron) reason= ;; *) reason="a function of no family that is counted" ;; esac
        ;;
    sys/bus/pci/devices/*) reason= ;;
    dev/infiniband/*)
        for driver in sys/bus/pci/devices/*/infiniband_verbs/"${1##*/}"; do :; done
        grep -q '^DRIVER=efa$' "${driver%/infiniband_verbs/*}/uevent" && reason= || reason="RDMA that is no EFA"
        ;;
    sys/class/nvme/nvme0/model) reason="a volume, no disk of the instance" ;;
    proc/sys/kernel/hostname | sys/class/dmi/id/board_asset_tag) reason="names, for the verdict alone" ;;
    proc/1/comm) reason="a process that nobody asks for" ;;
    *) reason= ;;
    esac
}

# What a verdict has to say of a file.
name_of() { # PATH
    case $1 in
    sys/bus/pci/devices/*)
        name=${1#sys/bus/pci/devices/}
        name=${name%%/*}
        ;;
    dev/infiniband/*)
        for name in sys/bus/pci/devices/*/infiniband_verbs/"${1##*/}"; do :; done
        name=${name#sys/bus/pci/devices/}
        name=${name%%/*}
        ;;
    sys/class/nvme/*)
        name=${1#sys/class/nvme/}
        name=${name%%/*}=
        ;;
    sys/class/neuron_device/*)
        name=${1#sys/class/neuron_device/}
        name=${name%%/*}=
        ;;
    proc/77/comm) name='"want":"nv-fabricmanage"' ;;
    proc/mounts) name='"at":"/fsx"' ;;
    *) name=/$1 ;;
    esac
}

# Sets `found`: whether the node fails, with the name in a check that failed.
look() {
    found=
    verdict=$("$core" --root .) || case $verdict in *'"s":"fail"'*"$name"*) found=1 ;; esac
}

evidence() {
    echo "$verdict"
}

# Whether any text will do: another GID, or another message of the kernel's.
is_as_good() { # PATH
    case $1 in */gids/0 | dev/kmsg) ;; *) return 1 ;; esac
}

mutate() { # PATH
    local content
    files=$((files + 1))
    reason_of "$1"
    name_of "$1"
    content=$(tr -d '\0' <"$1")
    rm "$1"
    look
    local when_removed=$found
    if [ -n "$content" ]; then
        echo changed >"$1"
        look
        printf '%s\n' "$content" >"$1"
    else # a device node, or a file that is only there
        : >"$1"
    fi
    if [ -n "$reason" ]; then
        free=$((free + 1))
        reasons="$reasons    $1: $reason
"
        if [ -n "$when_removed$found" ]; then
            fail "$type: $1 matters, though it is said that it need not: $reason"
            return
        fi
    elif [ -z "$when_removed" ]; then
        fail "$type: $1 may be removed"
        return
    elif [ -n "$content" ] && [ -z "$found" ] && ! is_as_good "$1"; then
        fail "$type: $1 may be changed"
        return
    fi
    passed=$((passed + 1)) # in silence: there are thousands
}

if [ -n "${LONG:-}" ]; then
    types='p4d.24xlarge p5.48xlarge p5en.48xlarge p6-b200.48xlarge p6-b300.48xlarge trn1.32xlarge trn2.48xlarge hpc7g.16xlarge'
else
    types='p5.48xlarge p6-b200.48xlarge trn1.32xlarge hpc7g.16xlarge'
fi
for type in $types; do
    sh tests/node/mkroot.sh "$dtc" "$type" "$scratch/$type" || exit 3
    cd "$scratch/$type" || exit 3
    # What the second stage alone looks at: tests/faults.sh.
    find . \( -name 'current_link_*' -o -name 'max_link_*' -o -name core_count -o -name 'mem_ecc_repairable_*' \
        -o -name nvidia-uvm -o -name uptime -o -name mtu -o -name tainted \) -delete
    rm -r proc/66 proc/88
    case $type in p*) ;; *) rm dev/kmsg ;; esac
    reasons=
    while IFS= read -r file; do
        mutate "${file#./}"
    done < <(find . -path ./run -prune -o -type f -print | sort)
    cd "$OLDPWD" || exit 3
    printf '%s, files that do not matter:\n%s' "$type" "$reasons"
done
if [ $((free * 10)) -lt $files ]; then
    pass "$free of $files files do not matter"
else
    fail "$free of $files files do not matter" 'that is a tenth or more'
fi
finish
