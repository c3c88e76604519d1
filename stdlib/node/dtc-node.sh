#!/bin/sh
# dtc-node [--expect FILE] [--root DIR] [--wait S]: checks that this node is what dtc's record says, for those who want
# to read what runs: the record, the checks and the verdict of the program of that name, and the numbers it ends with
# (contract.h has them). What no shell can see it skips: the clock and the kernel's log where timedatectl and dmesg are
# missing. Files are read by the shell itself; whatever else runs and might hang has four seconds. The
# record is dtc's own and came whole, so that of its form only alphabet and keys are looked at.
#
# The working folder is the root, and paths are relative to it. A check sets `got`, and `at` by what it looked at last,
# and ends with a status: 0 passes, 77 is skipped, another one fails. `class` is its key's, but where all devices have a
# fault: that is their driver's, and so the image's. `fixed` is what no waiting mends, `patience` the seconds after the
# start in which to look again.
LC_ALL=C
expect=run/dtc/expect root=/ wait=0
while [ $# -gt 1 ]; do
    case $1 in
    --expect) expect=$2 ;;
    --root) root=$2 ;;
    --wait) wait=$2 ;;
    *) break ;;
    esac
    shift 2
done
case $#$wait in *[!0-9]* | [!0]* | 0)
    echo 'usage: dtc-node [--expect FILE] [--root DIR] [--wait SECONDS]' >&2
    exit 64
    ;;
esac
# A path of --expect is the caller's.
case $expect in run/dtc/expect | /*) ;; *) expect=$PWD/$expect ;; esac
cd "$root" && mkdir -p run/dtc || exit 70

# ---- text

# Sets `line` to the first line of a file, and `at` to its path; where it cannot be read, the line is empty.
look() { # FILE
    line='' at=/$1
    { IFS= read -r line <"$1"; } 2>/dev/null
}

has() { # FILE
    at=/$1
    [ -r "$1" ]
}

# Sets `word` to the first word of a text, behind blanks.
word() { # TEXT
    word=${1#"${1%%[![:blank:]]*}"}
    word=${word%%[[:cntrl:] ]*}
}

# Sets `number` to what the digits in front of a text say; none: 0.
number() { # TEXT
    number=${1%%[!0-9]*}
    number=${number#"${number%%[!0]*}"}
    number=${number:-0}
}

# Sets `quoted` to at most 512 bytes of printable ASCII without quotes.
quote() { # TEXT
    quoted=${1%%[[:cntrl:]]*}
    [ ${#quoted} -lt 510 ] || quoted=$(printf %.509s "$quoted")...
    case $quoted in *[!\ -~]* | *[\\\"]*)
        rest=$quoted quoted=''
        while [ "$rest" ]; do
            letter=${rest%"${rest#?}"} rest=${rest#?}
            case $letter in [!\ -~] | [\\\"]) letter=\? ;; esac
            quoted=$quoted$letter
        done
        ;;
    esac
}

judge() { # ID WANT, for the last command
    case $?:$warns in
    0:*) status=pass ;;
    77:*) status=skip ;;
    *:1)
        status=warn warnings=$((warnings + 1))
        [ "$fixed" ] || [ $patience -gt $mild ] || patience=$mild
        ;;
    *)
        status=fail fails=$((fails + 1))
        [ "$fixed" ] || patience=$wait
        [ $class = image ] || broken=1
        [ $class$fixed != hardware1 ] || hopeless=1
        ;;
    esac
    quote "$2"
    checks="$checks${checks:+,}{\"id\":\"$1\",\"s\":\"$status\",\"want\":\"$quoted\""
    quote "$got"
    checks="$checks,\"got\":\"$quoted\""
    quote "$at"
    checks="$checks,\"at\":\"$quoted\",\"class\":\"$class\"}"
    got='' at=''
}

at_least() { # NUMBER
    number "$1"
    got=$number
    [ "$got" -ge "$values" ]
}

fault() { # DEVICE WHAT
    word "$2"
    got="$got${got:+ }$1=$word"
}

# Sets `only` to the first name in a folder; empty: there is none.
only() { # FOLDER
    set -- "$1"/*
    only=''
    [ ! -e "$1" ] && [ ! -L "$1" ] || only=${1##*/}
}

# Sets `found` to what is behind a label in the first line of a file that has it.
find() { # FILE LABEL
    found='' at=/$1
    while IFS= read -r text || [ "$text" ]; do
        case $text in *"$2"*) found=${text#*"$2"} && return ;; esac
    done 2>/dev/null <"$1"
    return 1
}

# ---- devices on the PCI bus, by their ids

# One pass: the kernel says of each function DRIVER=efa, PCI_CLASS=20000 and PCI_ID=1D0F:EFA2, a line each.
read_bus() {
    functions=' '
    for folder in sys/bus/pci/devices/*; do
        driver='' class='' id=''
        while IFS= read -r text; do
            case $text in
            DRIVER=*) driver=${text#*=} ;;
            PCI_CLASS=*) class=${text#*=} ;;
            PCI_ID=*) id=${text#*=} ;;
            esac
        done 2>/dev/null <"$folder/uevent"
        case $id/$class in
        1[Dd]0[Ff]:[Ee][Ff][Aa]?/*) family=efa ;;
        10[Dd][Ee]:*/3????) family=nvidia ;;
        10[Dd][Ee]:*/680??) family=nvidia-nvswitch ;;
        1[Dd]0[Ff]:7?6[4-7]/*) family=neuron ;;
        *:*) family=other ;;
        *) family=none ;;
        esac
        word "$driver"
        functions="$functions$family,$word,${id#*:},${folder##*/} "
    done
}

# Sets `folders` and so on to the parts of one of `functions`.
take() { # FUNCTION
    family=${1%%,*} name=${1##*,} id=${1#*,}
    driver=${id%%,*} id=${id#*,}
    id=${id%%,*}
}

count() { # NAME…
    count=$#
    [ -e "$1" ] || count=0
}

# Where there are none of those that the bus has, their driver is missing, which comes with the image.
counted() { # WHERE
    got="$got $1=$count"
    [ $count = "$values" ] || right=''
    [ $bus$count != "${values}0" ] || class=image
}

# Those of a family, named for its driver, and who else should know of them; where the numbers differ, what looks lost.
check_count() { # FAMILY
    bus=0 right=$values
    for function in $functions; do
        case $function in "$1",*) bus=$((bus + 1)) ;; esac
    done
    got=$bus
    [ $bus = "$values" ] || right=''
    if [ "$1" = nvidia ]; then
        count proc/driver/nvidia/gpus/*
        counted proc
    fi
    case $1 in nvidia | neuron)
        count "dev/$1"[0-9]*
        counted dev
        ;;
    esac
    [ "$right" ] || lost "$1"
    at=/sys/bus/pci/devices
    [ "$right" ]
}

lost() { # FAMILY
    for function in $functions; do
        take "$function"
        case $function in
        nvidia,*) [ "$1" != nvidia ] || [ -r "proc/driver/nvidia/gpus/$name" ] || fault "$name" not-in-driver ;;
        "$1",*) ;;
        none,* | *",$1,"*) fault "$name" other-id ;;
        esac
    done
    count=0
    case $1 in nvidia | neuron)
        while [ $count -lt "$values" ]; do
            [ -r "dev/$1$count" ] || fault "/dev/$1$count" absent
            count=$((count + 1))
        done
        ;;
    esac
}

each_efa() { # WHAT
    gids=' ' healthy=''
    for function in $functions; do
        take "$function"
        folder=sys/bus/pci/devices/$name reason=''
        case $family-$1 in
        efa-bound) [ "$driver" = efa ] || reason=${driver:-unbound} ;;
        efa-ib)
            only "$folder/infiniband"
            [ "$only" ] || reason=no-device
            ;;
        efa-gid)
            only "$folder/infiniband"
            look "$folder/infiniband/$only/ports/1/gids/0"
            word "$line"
            case $gids in *" $word "*) reason=same-gid ;; esac
            case $word in *[!0:]*) ;; *) reason=no-gid ;; esac
            gids="$gids$word "
            ;;
        efa-uverbs)
            only "$folder/infiniband_verbs"
            # Only what is there: the shell would make a file of what is not.
            { [ -e "dev/infiniband/$only" ] && true <>"dev/infiniband/$only"; } 2>/dev/null || reason=cannot-open
            [ "$only" ] || reason=no-uverbs
            ;;
        efa-pci)
            reason=other-id
            for word in $values; do
                case $id in [Ee][Ff][Aa]"${word#efa}") reason='' ;; esac
            done
            ;;
        efa-p2p)
            look "$folder/p2p"
            case $line in "$values"*) ;; *) reason=${line:-no-p2p} ;; esac
            ;;
        esac
        if [ "$reason" ]; then
            fault "$name" "$reason"
        elif [ $family = efa ]; then
            healthy=1
        fi
    done
    [ $healthy ] || class=image
    at=/sys/bus/pci/devices
    [ -z "$got" ]
}

neuron_ecc() {
    known=''
    for folder in sys/class/neuron_device/neuron[0-9]*; do
        [ -e "$folder" ] || continue
        errors=0 missing=''
        for file in mem_ecc_uncorrected sram_ecc_uncorrected; do
            look "$folder/stats/hardware/$file"
            case $line in [0-9]*) known=1 ;; *) missing=unreadable ;; esac
            number "$line"
            errors=$((errors + number))
        done
        [ "$errors" -le "$values" ] || missing=${missing:-$errors}
        [ -z "$missing" ] || fault "${folder##*/}" "$missing"
    done
    at=/sys/class/neuron_device
    [ "$known" ] || return 77
    [ -z "$got" ]
}

# "NVRM: Xid (PCI:0000:53:00): 79, pid=1", "nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, Fatal, Link 28",
# "NVRM: GPU 0000:53:00.0: RmInitAdapter failed! (0x26:0x65:1482)" and "pcieport 0000:52:01.0: AER: Uncorrectable (Fatal)
# error". Errors of NVLink say whether they are fatal, and 154 what a GPU needs: "to 0x0 (None)" is nothing.
message() { # TEXT
    case $1 in
    *'RmInitAdapter f'*)
        word "${1#*GPU }"
        is_new "${word#*:}" || return
        fault "$word" RmInitAdapter
        return
        ;;
    *'(Fatal)'*)
        text=${1%%: *}
        fault "${text##* }:" AER
        elsewhere=1
        return
        ;;
    *'Xid ('*) text=${1#*Xid \(} ;;
    *) return ;;
    esac
    number "${text#*): }"
    case $text in
    *onfatal* | *'to 0x0'*) return ;;
    *', Fatal'*) ;;
    *) case " $values " in *" $number "*) ;; *) return ;; esac ;;
    esac
    # Those of NVSwitches have five digits.
    if [ "$number" -gt 999 ]; then
        elsewhere=1
    else
        xid=1 word=${text#*:}
        is_new "${word#*:}"
    fi
    fault "${text%%[\) ]*}" "$number"
}

# Whether the bus, with which the text begins, is that of no GPU before.
is_new() { # TEXT
    case $buses in *" ${1%%[!0-9A-Fa-f]*} "*) return 1 ;; esac
    buses="$buses${1%%[!0-9A-Fa-f]*} "
    lost=$((lost + 1))
}

# Where no GPU can be initialised, their driver cannot, and that came with the image. So it is where all GPUs of several
# have an Xid at once: they do not break together.
klog() {
    lost=0 xid=0 elsewhere='' buses=' '
    if [ -f dev/kmsg ]; then
        cp dev/kmsg run/dtc/output
    elif [ "$root" = / ]; then
        timeout 4 dmesg >run/dtc/output || return 77
    else
        fault log unreadable
        class=image
    fi
    [ "$got" ] || while IFS= read -r text || [ "$text" ]; do
        message "$text"
    done <run/dtc/output
    number "${record#*gpu.count }"
    [ "$elsewhere" ] || [ $lost -le $xid ] || [ $lost != "$number" ] || class=image
    at=/dev/kmsg
    [ -z "$got" ]
}

# Dotted numbers; what follows them is ignored. A driver that is loaded keeps its version; one that is not may come.
driver() { # MODULE
    ! has "sys/module/$1" || fixed=1
    look "sys/module/$1/version"
    word "$line"
    got=$word version=$word wanted=$values
    case $version in [0-9]*) ;; *) return 1 ;; esac
    while number "$version" && is=$number && number "$wanted" && [ "$is" = "$number" ]; do
        case $wanted in *.*) wanted=${wanted#*.} ;; *) return 0 ;; esac
        version=${version#"${version%%[!0-9]*}"}
        version=${version#.}
    done
    [ "$is" -gt "$number" ]
}

# ---- processes

# Sets `process` to the folder of one that runs, by its name as the kernel has it.
process() { # NAME
    for process in proc/[0-9]*; do
        look "$process/comm"
        [ "$line" != "$1" ] || return 0
    done
    return 1
}

# ---- the machine

cpus() {
    look sys/devices/system/cpu/online
    count=0
    while
        case $line in [0-9]*) ;; *) false ;; esac
    do
        range=${line%%,*}
        number "$range"
        count=$((count + 1 - number))
        number "${range#*-}"
        count=$((count + number))
        line=${line#"$range"}
        line=${line#,}
    done
    at_least $count
}

nvme() {
    count=0
    for folder in sys/class/nvme/nvme[0-9]*; do
        [ -e "$folder" ] || continue
        look "$folder/model"
        case $line in
        'Amazon EC2 NVMe Instance Storage'*) count=$((count + 1)) ;;
        'Amazon Elastic Block Store'*) ;;
        *) fault "${folder##*/}" other-model ;;
        esac
    done
    [ $count != "$values" ] || got=''
    got="$got${got:+ }$count"
    [ $count = "$values" ]
}

clock() {
    [ "$root" = / ] || return 77
    timeout 4 timedatectl show --property NTPSynchronized --value >run/dtc/output || return 77
    look run/dtc/output
    at=''
    [ "$line" = yes ]
}

# Sets `got` to the type of what is mounted. The last line with the path counts: what was mounted there before is hidden by
# it.
type_at() { # PATH
    got=absent
    while read -r _ path type _ || [ "$path" ]; do
        [ "$path" != "$1" ] || got=$type
    done 2>/dev/null <proc/mounts
}

# Who asks for space makes an automount mount first. What is mounted is not asked: it hangs while its servers are away.
mounted() { # PATH TYPE [GIB]
    type_at "$1"
    if [ "$3" ] || [ "$got" != "$2" ]; then
        timeout 4 df -Pk ".$1" >run/dtc/output 2>/dev/null
        type_at "$1"
    fi
    at=$1
    [ "$got" = "$2" ] || return
    [ "$3" ] || return 0
    while read -r _ _ _ text _; do number "$text"; done <run/dtc/output
    got="$got $((number >> 20))"
    [ $((number >> 20)) -ge "$3" ]
}

# ---- a pass over the record

check() {
    class=image fixed=''
    case $key in
    efa.count | gpu.count | gpu.nvswitch | neuron.count | nvme.count) class=hardware ;;
    type | efa.pci | neuron.ecc | mem.mib | klog) class=hardware fixed=1 ;;
    esac
    case $key in
    type)
        look sys/class/dmi/id/product_name
        word "$line"
        got=$word
        [ "$got" = "$values" ]
        ;;
    efa.count)
        check_count efa
        judge efa.count "$values"
        each_efa bound
        judge efa.bound efa
        each_efa ib
        judge efa.ib device
        each_efa gid
        judge efa.gid unique
        each_efa uverbs
        judge efa.uverbs opens
        return
        ;;
    efa.pci | efa.p2p) each_efa "${key#efa.}" ;;
    gpu.count) check_count nvidia ;;
    gpu.nvswitch) check_count nvidia-nvswitch ;;
    neuron.count) check_count neuron ;;
    efa.driver | neuron.driver) driver "${key%.*}" ;;
    gpu.driver) driver nvidia ;;
    neuron.ecc) neuron_ecc ;;
    proc) process "$values" ;;
    module) has "sys/module/$values" ;;
    file) has "${values#/}" ;;
    hugepages2m)
        look sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages
        at_least "$line"
        ;;
    cpus) cpus ;;
    mem.mib)
        find proc/meminfo MemTotal:
        word "$found"
        number "$word"
        at_least $((number >> 10))
        ;;
    nvme.count) nvme ;;
    clock) clock ;;
    mount)
        # shellcheck disable=SC2086 # three words
        mounted $values
        ;;
    klog) klog ;;
    *) (exit 77) ;;
    esac
    judge "$key" "$values"
}

# Sets `wrong` where the record is not one of ours.
read_record() {
    keys='' wrong='' group='' record='' count=0
    while IFS= read -r text || [ "$text" ]; do
        count=$((count + 1))
        key=${text%% *}
        key=${key#\?}
        if [ $count = 1 ]; then
            [ "$text" = 'dtc-expect 1' ] && continue
            wrong='another version'
            break
        fi
        case ${text#\?} in *[!A-Za-z0-9\ ._:/@+-]*) wrong='a byte that may not stand here' && break ;; esac
        case $text in *\ *) ;; *) wrong='unknown key' && break ;; esac
        case $keys in *" $key "*) wrong='key stands twice' ;; esac
        [ -z "$wrong" ] || break
        case $key in
        proc | module | file | mount) ;;
        type | efa.count | efa.pci | efa.driver | efa.p2p | gpu.count | gpu.nvswitch | gpu.driver | gpu.fabric) ;;
        neuron.count | neuron.driver | neuron.ecc | libfabric | memlock | nofile | hugepages2m | cpus | mem.mib) ;;
        nvme.count | mtu | clock | lnet | klog | peer* | coll.*) ;;
        group) group=${text#* } ;;
        *) wrong='unknown key' && break ;;
        esac
        case $key in proc | module | file | mount) ;; *) keys="$keys $key " ;; esac
        record="$record$text
"
    done 2>/dev/null <"$expect"
    at="line $count"
    [ "$record$wrong" ] || wrong='nothing in it' at='line 0'
    [ -r "$expect" ] || wrong='cannot be read'
}

pass() {
    checks='' fails=0 broken='' warnings=0 warns='' got=$wrong class=image fixed='' patience=0 hopeless=''
    if [ "$wrong" ]; then
        false
        judge record 'dtc-expect 1'
        return
    fi
    read_bus
    while IFS= read -r text; do
        key=${text%% *} values=${text#* } warns=''
        case $key in \?*) key=${key#\?} warns=1 ;; esac
        case $key in
        '' | group | gpu.fabric | libfabric | memlock | nofile | mtu | lnet | peer* | coll.*) ;; # the second stage's
        *) check </dev/null ;;
        esac
    done <<RECORD
$record
RECORD
}

now() { # in hundredths of a second
    read -r now _ </proc/uptime
    now=${now%.*}${now#*.}
}

# As long as Fabric Manager waits for the GPUs' side of it.
mild=30
[ "$wait" -gt $mild ] || mild=$wait
now
started=$now
read_record
while
    pass
    now
    [ -z "$wrong$hopeless" ] && [ $((now - started)) -lt $((patience * 100)) ]
do
    sleep 0.25 || sleep 1
done
verdict=pass
[ $warnings = 0 ] || verdict=warn
[ $fails = 0 ] || verdict=fail
[ -z "$wrong" ] || verdict=error
look sys/class/dmi/id/board_asset_tag
quote "$line"
instance=$quoted
look proc/sys/kernel/hostname
quote "$line"
printf '%s\n' "{\"v\":1,\"phase\":\"preflight\",\"node\":\"$quoted\",\"instance\":\"$instance\",\
\"time\":$(date +%s),\"group\":\"$group\",\"checks\":[$checks],\"fail\":$fails,\"warn\":$warnings,\
\"ms\":$(((now - started) * 10)),\"verdict\":\"$verdict\"}" >run/dtc/verdict.json.new &&
    mv run/dtc/verdict.json.new run/dtc/verdict.json && cat run/dtc/verdict.json || exit 70
[ -z "$wrong" ] || exit 65
[ -z "$broken" ] || exit 1
[ $fails = 0 ] || exit 4
