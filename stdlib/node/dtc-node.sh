#!/bin/sh
# dtc-node [--expect FILE] [--root DIR] [--wait S]: checks that this node is what dtc's record says, for those who want
# to read what runs: the record, the checks and the verdict of the program of that name, and the numbers it ends with
# (contract.h has them). What no shell can see it skips: peers, and the clock and the kernel's log where timedatectl and
# dmesg are missing. Files are read by the shell itself; whatever else runs and might hang on a broken driver has four
# seconds. The record is dtc's own and came whole, so that of its form only the alphabet is looked at.
#
# The working folder is the root, so that paths are relative to it. A check sets `got` and `at` and ends with a status:
# 0 passes, 77 is skipped, another one fails.
LC_ALL=C
expect=run/dtc/expect root=/ wait=0 wrong=''
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
# A path of --expect is the caller's, and so is that of this file.
case $expect in run/dtc/expect | /*) ;; *) expect=$PWD/$expect ;; esac
core=$(sha256sum <"$0")
cd "$root" || exit 70

# ---- text

line() { # FILE, whose first line it sets: empty where it cannot be read
    line=''
    { IFS= read -r line <"$1"; } 2>/dev/null
}

see() { # FILE, and the verdict says where
    at=/$1
    line "$1"
}

number() { # TEXT, that digits begin; none: 0
    number=${1%%[!0-9]*}
    number=${number#"${number%%[!0]*}"}
    number=${number:-0}
}

# Printable ASCII, at most 512 bytes.
quote() { # TEXT
    quoted=$1
    [ ${#1} -lt 510 ] || quoted=$(printf %.509s "$1")...
    case $quoted in
    *[!\ -~]* | *[\\\"]*)
        rest=$quoted quoted=''
        while [ "$rest" ]; do
            letter=${rest%"${rest#?}"} rest=${rest#?}
            case $letter in
            [\\\"]) letter=\\$letter ;;
            [!\ -~]) letter=\? ;;
            esac
            quoted=$quoted$letter
        done
        ;;
    esac
}

judge() {
    case $?:$warns in
    0:*) status=pass ;;
    77:*) status=skip ;;
    *:1) status=warn warnings=$((warnings + 1)) ;;
    *) status=fail fails=$((fails + 1)) ;;
    esac
    quote "$want"
    checks="$checks${checks:+,}{\"id\":\"$id\",\"s\":\"$status\",\"want\":\"$quoted\""
    quote "$got"
    checks="$checks,\"got\":\"$quoted\""
    quote "$at"
    checks="$checks,\"at\":\"$quoted\"}"
}

skip() {
    return 77
}

present() { # WORD: what the last command tells
    [ $? = 0 ] && got=$1
}

at_least() { # NUMBER
    number "$1"
    got=$number
    [ "$got" -ge "$values" ]
}

fault() { # DEVICE WHAT
    got="$got${got:+ }$1=$2"
}

# The first name in a folder; empty: there is none.
only() { # FOLDER
    set -- "$1"/*
    only=''
    [ ! -e "$1" ] && [ ! -L "$1" ] || only=${1##*/}
}

# Runs a program for what it prints; `got` is its end.
run() { # ARGUMENT…
    at=$values
    output=$(timeout 4 ".$values" "$@" 2>/dev/null)
    got=$?
    case $got in
    124 | 143) got=timeout ;;
    12[89] | 1[3-9]? | 2??) got=killed ;;
    *) got=exit=$got ;;
    esac
}

# ---- the PCI bus

# Sets `driver` to what a function is bound to.
bound() { # FOLDER
    driver=''
    if [ -d "$1/driver" ]; then
        driver=$(cd -P "$1/driver" && echo "${PWD##*/}")
    elif [ -L "$1/driver" ]; then
        driver=$(readlink "$1/driver")
        driver=${driver##*/}
    fi
}

read_pci() {
    functions=''
    for folder in sys/bus/pci/devices/*; do
        name=${folder##*/}
        line "$folder/device"
        device=$line
        line "$folder/vendor"
        vendor=$line
        [ "$line" != 0x10de ] || line "$folder/class"
        case $vendor:$device:$line in
        0x1d0f:0xefa?:*) functions="$functions efa:$name" ;;
        0x10de:*:0x030[02]??) functions="$functions gpu:$name" ;;
        0x10de:*:0x0680??) functions="$functions nvswitch:$name" ;;
        0x1d0f:0x7?6[4-7]:*) functions="$functions neuron:$name" ;;
        :* | *::*) [ ! -e "$folder" ] || functions="$functions unreadable:$name" ;;
        *) functions="$functions other:$name" ;;
        esac
    done
}

count() { # NAME…
    count=$#
    [ -e "$1" ] || count=0
}

# How many there are of a family, asked of everybody who should know, and which of them look lost.
count_devices() { # FAMILY DRIVER [PREFIX]
    at=/sys/bus/pci/devices rest=$functions pci=0
    for function in $functions; do
        case $function in "$1":*) pci=$((pci + 1)) ;; esac
    done
    got=${3:+pci=}$pci
    if [ "$1" = gpu ]; then
        count proc/driver/nvidia/gpus/*
        got="$got proc=$count"
        [ "$count" = "$pci" ] || pci=-1
    fi
    if [ "$3" ]; then
        count "dev/$3"[0-9]*
        got="$got dev=$count"
        [ "$count" = "$pci" ] || pci=-1
    fi
    [ "$pci" != "$values" ] || return 0
    for function in $functions; do
        name=${function#*:}
        case $function in
        "$1":*) [ "$1" != gpu ] || [ -e "proc/driver/nvidia/gpus/$name" ] || fault "$name" not-in-driver ;;
        *)
            bound "sys/bus/pci/devices/$name"
            case $driver:$function in
            "$2":*) fault "$name" other-id ;;
            *:unreadable:*) fault "$name" unreadable ;;
            esac
            ;;
        esac
    done
    count=0
    while [ "$3" ] && [ $count -lt "$values" ]; do
        [ -e "dev/$3$count" ] || fault "$3$count" no-node
        count=$((count + 1))
    done
    return 1
}

# ---- EFA

each_efa() { # ID WANT
    id=$1 want=$2 got='' at='' gids=''
    for function in $functions; do
        [ "${function%%:*}" = efa ] || continue
        name=${function#*:} reason=''
        folder=sys/bus/pci/devices/$name
        case $1 in
        efa.bound)
            bound "$folder"
            [ "$driver" = efa ] || reason=${driver:-unbound}
            ;;
        efa.ib)
            only "$folder/infiniband"
            [ "$only" ] || reason=no-device
            ;;
        efa.gid)
            only "$folder/infiniband"
            line "$folder/infiniband/$only/ports/1/gids/0"
            case $line in
            '') reason=no-gid ;;
            *[!0:]*) case $gids in *" $line "*) reason=same-gid ;; esac ;;
            *) reason=zero-gid ;;
            esac
            gids="$gids $line "
            ;;
        efa.uverbs)
            only "$folder/infiniband_verbs"
            file=dev/infiniband/$only
            if [ -z "$only" ]; then reason=no-uverbs; else
                # Only what is there: the shell would make a file of what is not.
                { [ -e "$file" ] && true <>"$file"; } 2>/dev/null || reason=cannot-open-$only
            fi
            ;;
        efa.pci)
            line "$folder/device"
            case " $values " in *" ${line#0x} "*) ;; *) reason=other-id ;; esac
            ;;
        efa.p2p)
            line "$folder/p2p"
            case $line in "$values"*) ;; *) reason=${line:-no-p2p} ;; esac
            ;;
        esac
        [ -z "$reason" ] || fault "$name" "$reason"
    done
    [ -z "$got" ]
}

# ---- drivers

# Dotted numbers; what follows them is ignored.
driver() { # PATH
    see "$1"
    got=${line:-absent} version=$line wanted=$values
    while [ "$got" != absent ]; do
        number "$version"
        is=$number
        number "$wanted"
        [ "$is" = "$number" ] || break
        case $wanted in *.*) wanted=${wanted#*.} ;; *) return 0 ;; esac
        version=${version#"${version%%[!0-9]*}"}
        version=${version#.}
    done
    [ "$got" != absent ] && [ "$is" -gt "$number" ]
}

neuron_ecc() {
    at=/sys/class/neuron_device known=''
    for folder in sys/class/neuron_device/neuron[0-9]*; do
        [ -e "$folder" ] || continue
        errors=0 missing=''
        for file in mem_ecc_uncorrected sram_ecc_uncorrected; do
            line "$folder/stats/hardware/$file"
            [ "$line" ] && known=1 || missing=1
            number "$line"
            errors=$((errors + number))
        done
        if [ "$missing" ]; then fault "${folder##*/}" unreadable; else
            [ "$errors" -le "$values" ] || fault "${folder##*/}" "$errors"
        fi
    done
    [ "$known" ] || return 77
    [ -z "$got" ]
}

# "NVRM: Xid (PCI:0000:53:00): 79, pid=..."
klog() {
    at=/dev/kmsg
    if [ -f dev/kmsg ]; then
        output=''
        while IFS= read -r text || [ "$text" ]; do
            case $text in *'NVRM: Xid ('*) output="$output$text" ;; esac
        done <dev/kmsg
    elif [ "$root" != / ]; then
        got=unreadable
        return 1
    else
        output=$(timeout 4 dmesg 2>/dev/null) || return 77
    fi
    while :; do
        case $output in *'NVRM: Xid ('*) ;; *) break ;; esac
        output=${output#*NVRM: Xid (}
        name=${output%%[\) ]*} code=${output#*): }
        number "$code"
        case " $values " in *" $number "*) fault "${name#PCI:}" "$number" ;; esac
    done
    [ -z "$got" ]
}

# ---- limits, of the daemon that starts work

limit() { # TEXT
    number "$1"
    case $1 in
    [iu]*) limit=1152921504606846976 ;;
    [0-9]*K*) limit=$((number << 10)) ;;
    [0-9]*M*) limit=$((number << 20)) ;;
    [0-9]*G*) limit=$((number << 30)) ;;
    [0-9]*T*) limit=$((number << 40)) ;;
    *) limit=$number ;;
    esac
}

# The word behind a label, in the last line of a file that has it.
word() { # FILE LABEL
    found=''
    while IFS= read -r text || [ "$text" ]; do
        case $text in "$2"*)
            text=${text#"$2"} found=1
            word=${text#"${text%%[! ]*}"}
            word=${word%% *}
            ;;
        esac
    done <"$1"
    [ "$found" ]
}

# systemd's rule: of the files of one name the first folder's counts, and of the drop-ins that set a value the one with
# the last name.
unit() { # DAEMON LABEL
    value='' last=''
    for file in usr/lib lib run etc; do
        file=$file/systemd/system/$1.service
        [ -e "$file" ] || continue
        at=/$file value=''
        word "$file" "$2" && value=1
    done
    for folder in usr/lib lib run etc; do
        for file in "$folder/systemd/system/$1.service.d"/*; do
            name=${file##*/}
            # shellcheck disable=SC3012 # dash, bash and busybox have it
            [ -f "$file" ] && [ ! "$name" \< "$last" ] && word "$file" "$2" || continue
            at=/$file value=1 last=$name
        done
    done
    [ "$value" ]
}

limits() { # LABEL UNIT-LABEL SHIFT
    word='' daemon=${values##* }
    case $processes in
    *" $daemon="*)
        at=${processes##*" $daemon="}
        at=/proc/${at%% *}/limits
        word ".$at" "$1"
        ;;
    *) unit "$daemon" "$2" || return 77 ;;
    esac
    limit "$values"
    should=$limit
    [ "$should" = 1152921504606846976 ] || should=$((should << $3))
    limit "$word"
    got=$((limit >> $3))
    [ "$limit" -lt 1152921504606846976 ] || got=unlimited
    [ "$word" ] && [ "$limit" -ge "$should" ]
}

# Those that lines of the record name, in one pass; of several of one name the last.
read_processes() {
    processes=' '
    for folder in proc/[0-9]*; do
        line "$folder/comm"
        case $daemons in *" ${line:- } "*) processes="$processes$line=${folder##*/} " ;; esac
    done
}

# ---- the machine

cpus() {
    see sys/devices/system/cpu/online
    count=0
    while :; do
        case $line in [0-9]*) ;; *) break ;; esac
        number "$line"
        first=$number range=${line%%,*}
        number "${range#*-}"
        count=$((count + number - first + 1))
        line=${line#"$range"}
        line=${line#,}
    done
    at_least $count
}

nvme() {
    at=/sys/class/nvme count=0
    for folder in sys/class/nvme/*; do
        [ -e "$folder" ] || continue
        line "$folder/model"
        case $line in
        'Amazon EC2 NVMe Instance Storage'*) count=$((count + 1)) ;;
        'Amazon Elastic Block Store'*) ;;
        '') fault "${folder##*/}" no-model ;;
        *) fault "${folder##*/}" other-model ;;
        esac
    done
    [ $count != "$values" ] || got=''
    got="$got${got:+ }$count"
    [ $count = "$values" ]
}

mtu() {
    at=/sys/class/net count=0
    for folder in sys/class/net/*; do
        [ -e "$folder/device" ] || continue
        count=$((count + 1))
        line "$folder/mtu"
        number "$line"
        [ "$number" -ge "$values" ] || fault "${folder##*/}" "$line"
    done
    [ $count -gt 0 ] || got=none
    [ -z "$got" ]
}

clock() {
    [ "$root" != / ] || got=$(timeout 4 timedatectl show --property NTPSynchronized --value 2>/dev/null)
    case $got in
    yes) got=sync ;;
    no) got=unsync && return 1 ;;
    *) got='' && return 77 ;;
    esac
}

mounted() { # PATH TYPE [GIB]
    at=$1 got=absent
    [ ! -r proc/mounts ] || while read -r _ path type _; do
        [ "$path" != "$1" ] || got=$type
    done <proc/mounts
    [ "$got" = "$2" ] || return
    [ "$3" ] || return 0
    output=$(timeout 4 df -Pk ".$1" 2>/dev/null)
    # shellcheck disable=SC2086 # its second line: device, size, used, available
    set -- "$3" ${output#*on}
    number "$5"
    got="$got $((number >> 20))"
    [ $((number >> 20)) -ge "$1" ]
}

# "10.0.1.5@efa up 1 ...": an address, and whether it works.
lnet() {
    while IFS= read -r text || [ "$text" ]; do
        case $text in *"@$values"*)
            text=${text#*"@$values"}
            text=${text#"${text%%[[:blank:]]*}"}
            text=${text#"${text%%[![:blank:]]*}"}
            [ "${text%%[[:blank:]]*}" = up ]
            return
            ;;
        esac
    done 2>/dev/null <".$at"
    return 1
}

# ---- a pass over the record

check() {
    case $key in
    type)
        see sys/class/dmi/id/product_name
        got=${line:-absent}
        [ "$line" = "$values" ]
        ;;
    efa.count)
        count_devices efa efa
        judge
        each_efa efa.bound efa
        judge
        each_efa efa.ib device
        judge
        each_efa efa.gid unique
        judge
        each_efa efa.uverbs opens
        ;;
    efa.pci | efa.p2p) each_efa "$key" "$values" ;;
    efa.driver) driver sys/module/efa/version ;;
    gpu.count) count_devices gpu nvidia nvidia ;;
    gpu.nvswitch) count_devices nvswitch nvidia-nvswitch ;;
    gpu.driver) driver sys/module/nvidia/version ;;
    gpu.fabric)
        run --version
        line sys/module/nvidia/version
        want=$line
        case $output in *'ersion is :'*)
            output=${output#*ersion is :}
            output=${output#"${output%%[! ]*}"}
            got=${output%%[!0-9.]*}
            ;;
        esac
        [ "$got" = "$want" ]
        ;;
    neuron.count) count_devices neuron neuron neuron ;;
    neuron.driver) driver sys/module/neuron/version ;;
    neuron.ecc) neuron_ecc ;;
    proc)
        got=absent
        case $processes in *" $values="*) got=running ;; *) false ;; esac
        ;;
    module)
        got=absent at=/sys/module/$values
        [ -e ".$at" ]
        present loaded
        ;;
    file)
        got=absent at=$values
        [ -r ".$at" ]
        present readable
        ;;
    libfabric)
        run -p efa
        want='provider: efa'
        case $got$output in exit=0*"$want"*) got=$want ;; *) false ;; esac
        ;;
    memlock) limits 'Max locked memory' LimitMEMLOCK= 10 ;;
    nofile) limits 'Max open files' LimitNOFILE= 0 ;;
    hugepages2m)
        see sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages
        at_least "$line"
        ;;
    cpus) cpus ;;
    mem.mib)
        at=/proc/meminfo
        word proc/meminfo MemTotal:
        number "$word"
        at_least $((number >> 10))
        ;;
    nvme.count) nvme ;;
    mtu) mtu ;;
    clock) clock ;;
    mount)
        # shellcheck disable=SC2086
        mounted $values
        ;;
    lnet)
        got=absent at=/sys/kernel/debug/lnet/nis
        lnet
        present up
        ;;
    klog) klog ;;
    peers) skip ;;
    esac
    judge
}

# Sets `wrong`, where the record is not one of ours.
read_record() {
    keys='' daemons='' group='' phase=preflight record='' count=0
    while IFS= read -r text || { [ "$text" ] && wrong='no line feed at the end'; }; do
        count=$((count + 1))
        key=${text%% *}
        case ${text#\?} in *[!A-Za-z0-9\ ._:/@+-]*) wrong='a byte outside the alphabet' ;; esac
        if [ "$wrong" ]; then :; elif [ $count = 1 ]; then
            [ "$text" = 'dtc-expect 1' ] || wrong='another version'
        else
            case ${key#\?} in
            proc | module | file | mount) ;;
            *) case $keys in *" ${key#\?} "*) wrong='key stands twice' ;; esac ;;
            esac
            case ${key#\?} in
            type | efa.count | efa.pci | efa.driver | efa.p2p | gpu.count | gpu.nvswitch | gpu.driver | gpu.fabric) ;;
            neuron.count | neuron.driver | neuron.ecc | module | file | libfabric | hugepages2m | cpus | mem.mib) ;;
            nvme.count | mtu | clock | mount | lnet | klog | peer.port | peer.ms) ;;
            coll.bytes | coll.link-gbps | coll.bus-gbps | coll.iters | coll.op-s | coll.rdv-s | coll.sha256) ;;
            proc | memlock | nofile) daemons="$daemons ${text##* } " ;;
            peers) phase=peers ;;
            group) group=${text#* } ;;
            *) wrong='unknown key' ;;
            esac
            [ "$key" != "$text" ] || wrong='unknown key'
        fi
        [ -z "$wrong" ] || { at="line $count" && return; }
        keys="$keys ${key#\?} " record="$record$text
"
    done 2>/dev/null <"$expect"
    [ -r "$expect" ] || wrong='cannot be read'
    record=${record#*
}
    [ "$record$wrong" ] || wrong='nothing in it'
}

look() {
    checks='' fails=0 warnings=0 warns=''
    if [ "$wrong" ]; then
        id=record want='dtc-expect 1' got=$wrong
        false
        judge
        return
    fi
    read_processes
    read_pci
    while IFS= read -r text; do
        key=${text%% *} values=${text#* } warns=''
        case $key in \?*) key=${key#\?} warns=1 ;; esac
        id=$key want=$values got='' at=''
        case $key in
        '' | group | peer.* | coll.*) ;;
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

now
started=$now at=''
read_record
while
    look
    now
    [ $fails -gt 0 ] && [ -z "$wrong" ] && [ $((now - started)) -lt $((wait * 100)) ]
do
    sleep 0.25 || sleep 1
done
verdict=pass
[ $warnings = 0 ] || verdict=warn
[ $fails = 0 ] || verdict=fail
[ -z "$wrong" ] || verdict=error
line proc/sys/kernel/hostname
quote "$line"
sum=$(sha256sum <"$expect")
verdict="{\"v\":1,\"phase\":\"$phase\",\"node\":\"$quoted\",\"group\":\"$group\",\"core\":\"sha256:${core%% *}\",\
\"record\":\"${sum:+sha256:}${sum%% *}\",\"checks\":[$checks],\"fail\":$fails,\"warn\":$warnings,\
\"ms\":$(((now - started) * 10)),\"verdict\":\"$verdict\"}"
mkdir -p run/dtc && printf '%s\n' "$verdict" >run/dtc/verdict.json.new &&
    mv run/dtc/verdict.json.new run/dtc/verdict.json && printf '%s\n' "$verdict" || exit 70
[ -z "$wrong" ] || exit 65
[ $fails = 0 ]
