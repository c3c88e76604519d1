#!/bin/sh
# Makes a tree of the files that a node of an instance type shows to the core: mkroot.sh DTC TYPE DIR. The schema's
# rows say how many devices there are. This script says what kinds they are. DIR/run/dtc/expect is the record that the
# tree passes.
#
# It makes only the files of /sys and /proc that a check may look at, and a few others of their kind that must not
# mislead it. PROCESSES=N: threads of the kernel.
set -eu
dtc=$(realpath "$1")
type=$2
dir=$3
mkdir -p "$dir"
cd "$dir"

# Columns that two blanks part: "8 x A100" are accelerators, and "8 x 3800 GB" disks; none is "-", and what no source says
# is "?".
tab=$(printf '\t')
row=$("$dtc" instances "$type" | tail -n 1 | sed "s/   */$tab/g")
IFS=$tab read -r _ cpus memory devices efas _ nvme _ <<END
$row
END
memory_gib=${memory% GiB}
accelerators=${devices%% *}
disks=${nvme%% *}
[ "$devices" != - ] || accelerators=0
[ "$nvme" != - ] || disks=0
[ "$efas" != '?' ] || efas=4

switches=0
others=0 # RDMA devices that are no EFA
case $type in
p4d.* | p4de.*) efa=EFA0 gpu=20B0 switches=6 ;;
p5.4xlarge) efa=EFA2 gpu=2330 ;;
p5.* | p5e.* | p5en.*) efa=EFA2 gpu=2330 switches=4 ;;
g5.*) efa=EFA1 gpu=2237 ;;
g6.*) efa=EFA1 gpu=27B8 ;;
g6e.*) efa=EFA2 gpu=26B9 ;;
g7e.*) efa=EFA3 gpu=2BB5 ;;
p6e-*) efa=EFA3 gpu=2941 ;;
p6-*) efa=EFA3 gpu=2901 others=2 ;;
trn1.*) efa=EFA1 neuron=7164 ;;
trn2.*) efa=EFA2 neuron=7364 ;;
inf2.*) efa=EFA1 neuron=7264 ;;
hpc8a.*) efa=EFA3 ;;
*) efa=EFA1 ;;
esac

put() { # FILE TEXT
    printf '%s\n' "$2" >"$1"
}

bus=sys/bus/pci/devices
number=16
# A bus of its own for each; `function` becomes its name.
pci() { # DRIVER CLASS VENDOR DEVICE
    function=$(printf '0000:%02x:00.0' $number)
    number=$((number + 1))
    mkdir -p "$bus/$function" "sys/bus/pci/drivers/$1"
    printf 'DRIVER=%s\nPCI_CLASS=%s\nPCI_ID=%s:%s\nPCI_SLOT_NAME=%s\n' "$1" "$2" "$3" "$4" "$function" \
        >"$bus/$function/uevent"
}

# The link of the function that was made last.
link() { # WIDTH SPEED
    printf '%s\n' "$1" | tee "$bus/$function/current_link_width" >"$bus/$function/max_link_width"
    printf '%s GT/s PCIe\n' "$2" | tee "$bus/$function/current_link_speed" >"$bus/$function/max_link_speed"
}

mkdir -p $bus dev/infiniband proc/sys/kernel sys/class/dmi/id sys/class/infiniband sys/class/net sys/class/nvme run/dtc \
    sys/devices/system/cpu sys/kernel/mm/hugepages/hugepages-2048kB sys/module/efa sys/module/ib_uverbs fsx
put sys/class/dmi/id/product_name "$type"
put sys/class/dmi/id/board_asset_tag i-0123456789abcdef0
put proc/sys/kernel/hostname ip-10-0-1-23
put sys/devices/system/cpu/online "0-$((cpus - 1))"
put sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages 5128
put sys/module/efa/version 2.13.0g
mkdir -p sys/module/ib_uverbs/parameters
put proc/sys/kernel/tainted 12288 # modules that are not of the kernel, and not signed
{
    echo "MemTotal:       $((memory_gib * 1024 * 1024 - 4000000)) kB"
    echo "MemFree:        1 kB"
} >proc/meminfo
echo 90.52 100.00 >proc/uptime
{
    echo 'rootfs / rootfs ro 0 0'
    echo '/dev/nvme0n1p1 / xfs rw,noatime 0 0'
    echo 'proc /proc proc rw 0 0'
    echo '10.0.9.9@tcp:/abcdef /fsx lustre rw,flock 0 0'
} >proc/mounts

# An interface with an address, which is a function of its own, and one that is no device.
pci ena 20000 1D0F EC20
mkdir sys/class/net/ens32
put sys/class/net/ens32/mtu 9001
ln -s "../../../bus/pci/devices/$function" sys/class/net/ens32/device
mkdir sys/class/net/lo
put sys/class/net/lo/mtu 65536

i=0
while [ $i -lt "$efas" ]; do
    pci efa 20000 1D0F $efa
    link 8 16.0
    device=$bus/$function
    mkdir -p "$device/infiniband/rdmap${i}s0/ports/1/gids" "$device/infiniband_verbs/uverbs$i"
    printf 'fe80:0000:0000:0000:0c7f:00ff:fe00:%04x\n' $((i + 1)) >"$device/infiniband/rdmap${i}s0/ports/1/gids/0"
    case $type in
    p*) put "$device/p2p" NVIDIA ;;
    trn*) put "$device/p2p" NEURON ;;
    esac
    : >dev/infiniband/uverbs$i
    i=$((i + 1))
done
while [ $others -gt 0 ]; do
    pci mlx5_core 20700 15B3 1021
    device=$bus/$function
    mkdir -p "$device/infiniband/ibp${others}s0f0/ports/1/gids" "$device/infiniband_verbs/uverbs$i"
    : >dev/infiniband/uverbs$i
    i=$((i + 1))
    others=$((others - 1))
done

i=0
while [ $i -lt "$accelerators" ]; do
    case $type in
    trn* | inf*)
        pci neuron 88000 1D0F "$neuron"
        link 16 16.0
        errors=sys/class/neuron_device/neuron$i/stats/hardware
        mkdir -p $errors
        put sys/class/neuron_device/neuron$i/core_count 2
        put $errors/mem_ecc_repairable_uncorrected 0
        put $errors/mem_ecc_uncorrected 0
        put $errors/sram_ecc_uncorrected 0
        : >dev/neuron$i
        ;;
    *)
        pci nvidia 30200 10DE "$gpu"
        link 16 32.0
        mkdir -p "proc/driver/nvidia/gpus/$function"
        : >dev/nvidia$i
        ;;
    esac
    i=$((i + 1))
done
while [ $switches -gt 0 ]; do
    pci nvidia-nvswitch 68000 10DE 22A3
    switches=$((switches - 1))
done
pci pcieport 60400 1D0F 0200

mkdir -p sys/class/nvme/nvme0
put sys/class/nvme/nvme0/model 'Amazon Elastic Block Store              '
i=1
while [ $i -le "$disks" ]; do
    mkdir -p sys/class/nvme/nvme$i
    put sys/class/nvme/nvme$i/model 'Amazon EC2 NVMe Instance Storage        '
    i=$((i + 1))
done

# Processes: threads of the kernel, and the daemons that are asked for.
i=1
while [ $i -le "${PROCESSES:-300}" ]; do
    mkdir proc/$i
    echo "kworker/$i:0" >proc/$i/comm
    i=$((i + 1))
done
mkdir -p proc/66 proc/88
put proc/66/comm containerd
put proc/88/comm slurmd
cat >proc/88/limits <<'END'
Limit                     Soft Limit           Hard Limit           Units
Max locked memory         unlimited            unlimited            bytes
Max open files            131072               131072               files
END
cp proc/88/limits proc/66/limits

# ---- what the tree passes

{
    echo 'dtc-expect 1'
    echo 'group train-a'
    echo "type $type"
    echo "efa.count $efas"
    echo "efa.pci $(echo $efa | tr 'EFA' 'efa')"
    echo 'efa.driver 2.10.0'
    case $type in
    p*) echo 'efa.p2p NVIDIA' ;;
    trn*) echo 'efa.p2p NEURON' ;;
    esac
} >run/dtc/expect
printf '6,1,0,-;Linux version 6.1\n' >dev/kmsg
case $type in
p* | g*)
    mkdir -p sys/module/nvidia opt/amazon/ofi-nccl/lib
    : >dev/nvidia-uvm
    put sys/module/nvidia/version 550.54.15
    : >opt/amazon/ofi-nccl/lib/libnccl-net.so
    printf '6,1,0,-;Linux version 6.1\n6,2,10,-;NVRM: loading NVIDIA UNIX x86_64 Kernel Module\n' >dev/kmsg
    case $type in p*)
        mkdir -p proc/77
        put proc/77/comm nv-fabricmanage
        ;;
    esac
    {
        echo "gpu.count $accelerators"
        case $type in
        p4d.*) echo 'gpu.nvswitch 6' ;;
        p5*) echo 'gpu.nvswitch 4' ;;
        esac
        echo 'gpu.driver 550.54.15'
        case $type in p*) echo 'proc nv-fabricmanage' ;; esac
        echo 'file /opt/amazon/ofi-nccl/lib/libnccl-net.so'
        echo 'klog 46 48 54 62 64 74 79 95 109 110 119 120 136 140 143 144 145 146 147 148 149 150 151 154 155 156 158'
    } >>run/dtc/expect
    ;;
trn* | inf*)
    mkdir -p sys/module/neuron
    put sys/module/neuron/version 2.24.7.0
    printf 'neuron.count %d\nneuron.driver 2.19\nneuron.ecc 0\n' "$accelerators" >>run/dtc/expect
    ;;
esac
{
    echo 'module ib_uverbs'
    echo 'memlock unlimited slurmd'
    echo 'nofile 65536 slurmd'
    echo 'hugepages2m 5128'
    echo "cpus $cpus"
    echo "mem.mib $((memory_gib * 950))"
    [ "$disks" = 0 ] || echo "nvme.count $disks"
    echo 'mtu 9001'
    echo '?clock sync'
    echo 'mount /fsx lustre 0'
} >>run/dtc/expect
