#!/bin/bash
# Runs the core of the nodes' check on trees of files like those of real nodes: node.sh DTC [CORES]. Each instance type
# passes its own record and the record that the compiler writes for it. The core finds each fault of a list, and names
# the device. Both architectures say the same.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
dtc=$(realpath "$1")
cores=$(realpath "${2:-build/node}")
core=$cores/dtc-node.$(uname -m)
# A tree has a thousand files, and is copied a hundred times: in memory, where there is room.
room=$(df --output=avail /dev/shm 2>/dev/null | tail -n 1)
[ "${room:-0}" -lt 300000 ] || export TMPDIR=/dev/shm
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C
types='p4d.24xlarge p5.48xlarge p5en.48xlarge p6-b200.48xlarge p6-b300.48xlarge trn1.32xlarge trn2.48xlarge hpc7g.16xlarge'

evidence() {
    printf '%s\n' "$verdict" | grep -o '{[^{}]*"s":"[wf][^}]*}'
}

# Runs the core on a tree; sets `verdict` and `status`.
look() { # ROOT [ARGUMENT...]
    verdict=$("$core" --root "$@")
    status=$?
}

ends_with() { # STATUS WORD
    [ "$status" = "$1" ] && [ "${verdict##*\"verdict\":}" = "\"$2\"}" ]
}

# Whether the check is there with that status, and its text says what it should.
says() { # ID STATUS TEXT
    local check=${verdict##*"\"id\":\"$1\",\"s\":\""}
    [ "$check" != "$verdict" ] || return 1
    check=${check%%\}*}
    case $check in "$2\""*"$3"*) ;; *) return 1 ;; esac
}

# Puts the record of a group of the type, as a template carries it, into `scratch`/compiled.
compile() { # TYPE
    mkdir -p "$scratch/project"
    printf 'dt 1\nnetwork lab { zones = ["us-east-1a"] }\ncluster c on batch {\n  network = lab\n  %s\n}\n' \
        "nodes n { instance = \"$1\", count = 0..4 }" >"$scratch/project/main.dt"
    (cd "$scratch/project" && "$dtc" build main.dt -o out >said 2>&1)
    sed '1,/preflight <</d; /^ *END$/,$d' "$scratch/project/out/c.cfn.yaml" | base64 -di | gzip -dc |
        tail -c +$((1 + $(sed -n 's/^ *core=\([0-9]*\) check=/\1 + /p' "$scratch/project/out/c.cfn.yaml"))) >"$scratch/compiled"
}

# ---- trees

for type in $types; do
    sh tests/node/mkroot.sh "$dtc" "$type" "$scratch/$type" || exit 3
    look "$scratch/$type"
    claim "$type passes its record" ends_with 0 pass
    claim "$type: the file is what was printed" [ "$verdict" = "$(cat "$scratch/$type/run/dtc/verdict.json")" ]
    compile "$type"
    look "$scratch/$type" --expect "$scratch/compiled"
    claim "$type passes the compiler's record" ends_with 0 pass
done
look "$scratch/p5.48xlarge" --expect "$scratch/compiled"
claim "no type passes that of another" ends_with 1 fail
p5=$scratch/p5.48xlarge
look "$p5"
claim "the verdict says whose it is" [ "${verdict#*'"instance":"i-0123456789abcdef0","time":'[1-9]}" != "$verdict" ]
# shellcheck disable=SC2016 # the arguments of sh
claim "the verdict is JSON" sh -c 'command -v jq >/dev/null || exit 0; printf %s "$1" | jq -e . >/dev/null' - "$verdict"

if command -v strace >/dev/null 2>&1 && strace -o "$scratch/calls" true 2>/dev/null; then
    strace -f -e trace=process -o "$scratch/calls" "$core" --root "$p5" >/dev/null
    # shellcheck disable=SC2016 # the arguments of sh
    claim "the verdict of p5.48xlarge takes no fork" sh -c '! grep -qE "^[0-9]+ +(clone3?|v?fork)[(]" "$1"' - "$scratch/calls"
else
    skip 'no fork' 'strace does not run here'
fi
echo "p5.48xlarge took ${verdict##*\"ms\":}" | sed 's/,.*/ ms/'

# ---- another architecture, and the script

# What the verdict is but for what may differ.
plain() {
    printf '%s\n' "$1" | sed 's/"ms":[0-9]*//; s/"time":[0-9]*//'
}

other=$cores/dtc-node.aarch64
[ "$(uname -m)" != aarch64 ] || other=$cores/dtc-node.x86_64
if emulator=$(command -v "qemu-${other##*.}-static"); then
    for type in $types; do
        look "$scratch/$type"
        claim "$type: ${other##*.} says the same" \
            [ "$(plain "$verdict")" = "$(plain "$("$emulator" "$other" --root "$scratch/$type")")" ]
    done
else
    skip "${other##*.}" "qemu-${other##*.}-static is not installed"
fi

# ---- the bytes

for folder in "$scratch/a" "$scratch/another/b"; do
    mkdir -p "$folder/stdlib"
    cp -r Makefile stdlib tests "$folder"
    (cd "$folder" && mkdir -p build && touch build/deps.stamp && make -s build/node/dtc-node.x86_64 build/node/dtc-node.aarch64 \
        >/dev/null 2>&1)
done
for file in dtc-node.x86_64 dtc-node.aarch64; do
    claim "$file is the same bytes from any folder" cmp "$scratch/a/build/node/$file" "$scratch/another/b/build/node/$file"
    claim "$file is what was built before" cmp "$cores/$file" "$scratch/a/build/node/$file"
done

# ---- faults

# A tree with one fault, and what it says of it: `fault` of the machine, `image_fault` of what was installed on it.
found_as() { # STATUS CLASS WHAT ID TEXT COMMAND
    rm -rf "$scratch/fault"
    cp -a "$p5" "$scratch/fault"
    (cd "$scratch/fault" && eval "$6")
    look "$scratch/fault"
    claim "$3: found" ends_with "$1" fail
    claim "$3: $4 names it" says "$4" fail "$5"
    claim "$3: it is of the $2" says "$4" fail "\"class\":\"$2\""
}

# The check that has to find it, what its text has to say, and how it is made.
fault() { # WHAT ID TEXT COMMAND
    found_as 1 hardware "$@"
}

image_fault() { # WHAT ID TEXT COMMAND
    found_as 4 image "$@"
}

# The fifth EFA of the tree.
efa=$(cd "$p5/sys/bus/pci/devices" && grep -l '^DRIVER=efa' ./*/uevent | sed -n '5s/^.\/\([^/]*\).*/\1/p')
gpu=$(cd "$p5/sys/bus/pci/devices" && grep -l '^DRIVER=nvidia$' ./*/uevent | sed -n '3s/^.\/\([^/]*\).*/\1/p')
here=sys/bus/pci/devices/$efa
fault 'a PCI function is missing' efa.count '"31"' "rm -r $here"
fault 'a function has no driver' efa.bound "$efa=unbound" "sed -i /DRIVER/d $here/uevent"
fault 'a function has another driver' efa.bound "$efa=vfio-pci" "sed -i s/DRIVER=.*/DRIVER=vfio-pci/ $here/uevent"
fault 'a function has no RDMA device' efa.ib "$efa=no-device" "rm -r $here/infiniband"
fault 'a GID is absent' efa.gid "$efa=no-gid" "rm $here/infiniband/*/ports/1/gids/0"
fault 'a GID is zero' efa.gid "$efa=no-gid" "echo 0000:0000:0000:0000:0000:0000:0000:0000 >$here/infiniband/*/ports/1/gids/0"
fault 'two GIDs are the same' efa.gid '=same-gid' "cat sys/bus/pci/devices/*/infiniband/rdmap0s0/ports/1/gids/0 >$here/infiniband/*/ports/1/gids/0"
fault 'a verbs node is absent' efa.uverbs "$efa=cannot-open" 'rm dev/infiniband/uverbs4'
fault 'a function has no verbs' efa.uverbs "$efa=no-uverbs" "rm -r $here/infiniband_verbs"
image_fault 'p2p is none' efa.p2p "$efa=none" "echo none >$here/p2p"
image_fault 'the driver of EFA is old' efa.driver '2.9.1' 'echo 2.9.1g >sys/module/efa/version'
image_fault 'the driver of EFA is not loaded' efa.driver '"got":""' 'rm -r sys/module/efa'
fault 'an EFA has another id' efa.pci "$efa=other-id" "sed -i s/EFA2/EFA0/ $here/uevent"
fault 'a GPU has no device node' gpu.count '/dev/nvidia2=absent' 'rm dev/nvidia2'
fault 'the driver has lost a GPU' gpu.count "$gpu=not-in-driver" "rmdir proc/driver/nvidia/gpus/$gpu"
fault 'a GPU is off the bus' gpu.count '7 proc=8' "rm -r sys/bus/pci/devices/$gpu"
fault 'a GPU is off the bus, says the log' klog '0000:53:00=79' "echo '3,9,9,-;NVRM: Xid (PCI:0000:53:00): 79, pid=1, GPU has fallen off the bus.' >>dev/kmsg"
fault 'an Xid has no device' klog '=48' "echo '3,9,9,-;NVRM: Xid ( x): 48' >>dev/kmsg"
log() { # MESSAGE: the command that puts it
    echo "echo '3,9,9,-;$1' >>dev/kmsg"
}
for code in 46 54 62 64 74 95 109 110 119 120 136 140 143 151 155 156 158; do
    fault "Xid $code" klog "PCI:0000:53:00=$code" "$(log "NVRM: Xid (PCI:0000:53:00): $code, pid=1, name=python")"
done
for code in 144 145 146 147 148 149 150; do
    fault "Xid $code, fatal" klog "PCI:0000:53:00=$code" "$(log "NVRM: Xid (PCI:0000:53:00): $code, NETIR_LINK_EVT  Fatal   XC0 i0 Link 08 (0x004505c6)")"
done
fault 'a GPU is to be reset' klog 'PCI:0000:53:00=154' \
    "$(log 'NVRM: Xid (PCI:0000:53:00): 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)')"
fault 'an NVSwitch has a fatal error' klog 'PCI:0000:c2:00.0=20034' \
    "$(log 'nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, Fatal, Link 28 LTSSM Fault Up')"
fault 'a GPU cannot be initialised' klog "$gpu:=RmInitAdapter" "$(log "NVRM: GPU $gpu: RmInitAdapter failed! (0x26:0x65:1482)")"
fault 'PCI Express reports a fatal error' klog '0000:52:01.0:=AER' \
    "$(log 'pcieport 0000:52:01.0: AER: Uncorrectable (Fatal) error message received from 0000:53:00.0')"
image_fault 'no GPU can be initialised' klog 'RmInitAdapter' \
    'for gpu in proc/driver/nvidia/gpus/*; do echo "3,9,9,-;NVRM: GPU ${gpu##*/}: RmInitAdapter failed! (0x26:0x65:1482)"; done >>dev/kmsg'
image_fault 'all GPUs have an Xid at once' klog '=119' \
    'for gpu in proc/driver/nvidia/gpus/*; do gpu=${gpu##*/}; echo "3,9,9,-;NVRM: Xid (PCI:${gpu%.*}): 119, pid=1"; done >>dev/kmsg'
fault 'all GPUs but one have an Xid' klog '=119' \
    'for gpu in $(ls proc/driver/nvidia/gpus | sed 1d); do echo "3,9,9,-;NVRM: Xid (PCI:${gpu%.*}): 119, pid=1"; done >>dev/kmsg'
image_fault 'the log cannot be read' klog 'log=unreadable' 'rm dev/kmsg'
fault 'a switch is missing' gpu.nvswitch '"3"' "rm -r sys/bus/pci/devices/\$(cd sys/bus/pci/devices && grep -l nvswitch ./*/uevent | sed -n '1s/^.\/\([^/]*\).*/\1/p')"
image_fault 'the driver of the GPUs is old' gpu.driver '535.1' 'echo 535.104.5 >sys/module/nvidia/version'
image_fault 'the fabric manager is not there' proc 'nv-fabricmanage' 'rm proc/77/comm'
image_fault 'a file system is absent' mount 'absent' 'sed -i /lustre/d proc/mounts'
image_fault 'a file system is of another type' mount '"xfs"' "sed -i 's/ lustre / xfs /' proc/mounts"
image_fault 'huge pages are not reserved' hugepages2m '"0"' 'echo 0 >sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages'
fault 'the type is another' type 'p5en' 'echo p5en.48xlarge >sys/class/dmi/id/product_name'
image_fault 'CPUs are off line' cpus '"191"' 'echo 0-95,97-191 >sys/devices/system/cpu/online'
fault 'memory is missing' mem.mib '"1024"' "echo 'MemTotal: 1048576 kB' >proc/meminfo"
fault 'a disk is missing' nvme.count '"7"' 'rm -r sys/class/nvme/nvme3'
fault 'a disk is of another model' nvme.count 'nvme3=other-model' 'echo Other >sys/class/nvme/nvme3/model'
image_fault 'a module is not loaded' module 'ib_uverbs' 'rm -r sys/module/ib_uverbs'
image_fault 'a file is absent' file 'libnccl-net.so' 'rm opt/amazon/ofi-nccl/lib/*'
image_fault 'no interface has a driver' efa.bound '=unbound' "sed -i /DRIVER=efa/d sys/bus/pci/devices/*/uevent"
image_fault 'no verbs node is there' efa.uverbs '=cannot-open' 'rm dev/infiniband/*'
image_fault 'the driver of the GPUs is not loaded' gpu.count '"8 proc=0 dev=0 ' 'rm -r proc/driver dev/nvidia* sys/module/nvidia'
image_fault 'the GPUs have no device nodes' gpu.count '"8 proc=8 dev=0' 'rm dev/nvidia*'
fault 'a GPU is off the bus of a node without the driver' gpu.count '"7 proc=0' "rm -r proc/driver sys/bus/pci/devices/$gpu"
fault 'a disk is missing where the driver is old' nvme.count '"7"' 'rm -r sys/class/nvme/nvme3; echo 535.104.5 >sys/module/nvidia/version'
fault 'nothing is there' efa.count '"0"' 'rm -r sys/bus/pci'

trn=$scratch/trn1.32xlarge
p5=$trn
fault 'a Neuron device has no node' neuron.count '/dev/neuron7=absent' 'rm dev/neuron7'
image_fault 'no Neuron device has a node' neuron.count '"16 dev=0' 'rm dev/neuron*'
fault 'a Neuron device has errors' neuron.ecc 'neuron7=3' 'echo 3 >sys/class/neuron_device/neuron7/stats/hardware/sram_ecc_uncorrected'
p5=$scratch/p5.48xlarge

# What a healthy node's log may well hold.
rm -rf "$scratch/fault"
cp -a "$p5" "$scratch/fault"
for message in 'NVRM: Xid (PCI:0000:53:00): 13, pid=1, name=python, Graphics SM Warp Exception' \
    'NVRM: Xid (PCI:0000:53:00): 31, pid=1' 'NVRM: Xid (PCI:0000:53:00): 43, pid=1' 'NVRM: Xid (PCI:0000:53:00): 63, pid=1' \
    'NVRM: Xid (PCI:0000:53:00): 94, pid=1' 'NVRM: Xid (PCI:0000:53:00): 145, RLW_REMAP  Nonfatal XC0 i0 Link 00 (0x4)' \
    'NVRM: Xid (PCI:0000:53:00): 154, GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)' \
    'nvidia-nvswitch4: SXid (PCI:0000:c6:00.0): 19084, Non-fatal, Link 29 AN1 Heartbeat Timeout Error (First)' \
    'NVRM: GPU at PCI:0000:53:00: GPU-0' 'pcieport 0000:52:01.0: AER: Corrected error message received from 0000:53:00.0' \
    'pcieport 0000:52:01.0: AER: Uncorrectable (Non-Fatal) error message received from 0000:53:00.0'; do
    eval "(cd '$scratch/fault' && $(log "$message"))"
done
look "$scratch/fault"
claim "errors of programs, and those that were contained, pass" ends_with 0 pass

rm -rf "$scratch/fault"
cp -a "$p5" "$scratch/fault"
mv "$scratch/fault/$here" "$scratch/late"
(sleep 0.7 && mv "$scratch/late" "$scratch/fault/$here") &
look "$scratch/fault" --wait 20
claim "an EFA that is late is waited for" ends_with 0 pass
wait

# ---- how long it looks

# A record for the fault's tree, with time to look again; sets `ms` as well.
wait_for() { # LINE...
    printf '%s\n' 'dtc-expect 1' "$@" >"$scratch/record"
    look "$scratch/fault" --expect "$scratch/record" --wait 20
    ms=${verdict##*\"ms\":}
    ms=${ms%%,*}
}

ends_at_once() { # STATUS WORD
    [ "$ms" -lt 10000 ] && ends_with "$1" "$2"
}

(sleep 0.7 && mkdir "$scratch/fault/sys/module/late") &
wait_for '?module late'
claim "what only warns is waited for" ends_with 0 pass
wait
wait_for 'type p5en.48xlarge' 'module none'
claim "another type fails at once" ends_at_once 1 fail
wait_for '?efa.driver 99'
claim "a driver that is loaded warns at once" ends_at_once 0 warn
wait_for 'efa.driver 99'
claim "or fails at once" ends_at_once 4 fail
mv "$scratch/fault/$here" "$scratch/late"
(sleep 0.7 && mv "$scratch/late" "$scratch/fault/$here") &
wait_for 'efa.driver 99' 'efa.count 32'
claim "an EFA that is late is waited for where the driver is old" ends_with 4 fail
wait
mv "$scratch/fault/proc/77/comm" "$scratch/late"
(sleep 0.7 && mv "$scratch/late" "$scratch/fault/proc/77/comm") &
wait_for 'proc nv-fabricmanage'
claim "the fabric manager is waited for" ends_with 0 pass
wait

# SIGTERM comes while it looks: neither a status of its checks nor a verdict.
terminated() { # COMMAND...
    rm -f "$scratch/fault/run/dtc/verdict.json"
    "$@" --root "$scratch/fault" --expect "$scratch/record" --wait 20 &
    sleep 0.7
    kill -TERM $!
    wait $!
    [ $? = 143 ] && [ ! -e "$scratch/fault/run/dtc/verdict.json" ]
}
printf 'dtc-expect 1\nmodule none\n' >"$scratch/record"
claim "a check that is told to end leaves no verdict" terminated "$core"
claim "nor does the script's" terminated sh stdlib/node/dtc-node.sh
claim "nor one that timeout was told to end" terminated timeout 60 "$core"

# ---- records

# A record of one's own, for the tree of p5.48xlarge.
record() { # LINE...
    printf '%s\n' "$@" >"$scratch/record"
    look "$p5" --expect "$scratch/record"
}

refused() { # WHY LINE
    ends_with 65 error && says record fail "\"got\":\"$1\",\"at\":\"line $2\""
}

record 'dtc-expect 1' '?hugepages2m 999999'
claim "a question mark makes a warning" ends_with 0 warn
record 'dtc-expect 2' 'cpus 1'
claim "another version is refused" refused 'another version' 1
record 'dtc-expect 1' 'cpus 1' 'cpu 1'
claim "an unknown key is refused" refused 'unknown key' 3
record 'dtc-expect 1' 'cpus 1' 'cpus 1'
claim "a key that stands twice is refused" refused 'key stands twice' 3
mkdir -p "$p5/opt/my tools"
record 'dtc-expect 1' 'file /opt/my  tools/run 2'
claim "a file that is not there is named with its blanks" says file fail '"want":"/opt/my  tools/run 2"'
mkdir -p "$p5/opt/my  tools" && touch "$p5/opt/my  tools/run 2"
record 'dtc-expect 1' 'file /opt/my  tools/run 2'
claim "a path may have blanks" ends_with 0 pass
record 'dtc-expect 1' 'module efa' 'module ib_uverbs'
claim "a key that may is not" ends_with 0 pass
for line in 'cpus one' 'cpus 1 2' 'cpus 2147483648' 'efa.driver new' 'libfabric opt' 'mount /fsx' 'mount /fsx lustre 1 2' 'klog 79 x'; do
    record 'dtc-expect 1' "$line"
    claim "'$line' has no form that is allowed" refused 'value of another form' 2
done
# shellcheck disable=SC2016 # the text itself
record 'dtc-expect 1' 'file /a$(b)'
claim "a byte outside the alphabet is refused" refused 'a byte that may not stand here' 2
record 'dtc-expect 1' 'file /a?'
claim "a question mark stands in front of keys alone" refused 'a byte that may not stand here' 2
printf 'dtc-expect 1\ncpus 1' >"$scratch/record"
look "$p5" --expect "$scratch/record"
claim "a record that was cut off is refused" refused 'a byte that may not stand here' 2
record 'dtc-expect 1'
claim "a record without a key is refused" ends_with 65 error
record 'dtc-expect 1' "peers $(printf '10.0.0.1%.0s ' $(seq 150))"
claim "a line that is too long is refused" refused 'too long' 2
record 'dtc-expect 1' "$(yes 'module efa' | head -n 300)"
claim "a record that is too long is refused" ends_with 65 error
look "$p5" --expect "$scratch/none"
claim "a record that is not there is refused" ends_with 65 error

"$core" --root 2>"$scratch/said"
claim "an option without its value is a matter of usage" [ $? = 64 ]
"$core" --loud 1 2>"$scratch/said"
claim "an unknown option is one, too" [ $? = 64 ]
claim "which is said" grep -qx 'see dtc-node(7)' "$scratch/said"
"$core" --root "$scratch/none" >/dev/null
claim "without a root there is no verdict" [ $? = 70 ]

# ---- what no tree has by itself

record 'dtc-expect 1' 'mount /fsx lustre 2000000000'
claim "a file system without the space is a failure" says mount fail '"got":"lustre '
if command -v strace >/dev/null 2>&1 && strace -o "$scratch/calls" true 2>/dev/null; then
    asks() { # LINE
        record 'dtc-expect 1' "$1"
        strace -o "$scratch/calls" -e trace=statfs "$core" --root "$p5" --expect "$scratch/record" >/dev/null
        grep -q '^statfs("fsx"' "$scratch/calls"
    }
    claim 'a file system that is mounted is not asked: its servers may be away' eval '! asks "mount /fsx lustre"'
    claim 'one whose space counts is asked' asks 'mount /fsx lustre 1'
    claim 'one that is not mounted is, for an automount' asks 'mount /fsx nfs4'
else
    skip 'what is mounted is not asked' 'strace does not run here'
fi
record 'dtc-expect 1' 'clock sync'
claim "the clock of a tree is skipped" says clock skip ''

record 'dtc-expect 1' 'cpus 1' 'peers 10.0.0.1' 'peer.port 1' 'peer.ms 100' 'libfabric /none' 'gpu.fabric /none' \
    'memlock unlimited none' 'nofile 1 none' 'mtu 65536' 'lnet efa'
claim "what the second stage looks at is left to it" ends_with 0 pass
claim "and is in no verdict of the first" [ "$(printf '%s\n' "$verdict" | grep -o '"id":"[^"]*"')" = '"id":"cpus"' ]

finish
