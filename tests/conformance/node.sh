#!/bin/bash
# Runs what nodes run (stdlib/node/) in a mount namespace of its own. /run, /var/lib and /dev are empty folders there.
# The commands that would touch a machine are stand-ins, which write down how they were called. A test puts a piece of
# shell into `answers/COMMAND`, and the stand-in answers with it.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
if [ -z "${NODE_TEST:-}" ]; then
    unshare --map-root-user --mount true 2>/dev/null || skip_all 'this machine gives no mount namespace'
    NODE_TEST=$(mktemp -d) || exit 3
    export NODE_TEST
    unshare --map-root-user --mount bash "$0"
    status=$?
    rm -rf "$NODE_TEST"
    exit $status
fi

library=$PWD/stdlib/node
cd "$NODE_TEST" || exit 3
mkdir bin run lib dev
touch dev/null
ln -s /proc/self/fd dev/fd
ln -s fd/0 dev/stdin
mount --bind /dev/null dev/null
sed -e "/^: .*so:/r $library/consequence-batch.sh" \
    -e "/^: .*so:/r $library/quarantine-batch.sh" -e "/^: .*so:/r $library/setup.sh" \
    -e "/^: .*so:/r $library/fetch.sh" -e '/^: .*so:/d' "$library/fail.sh" >fail.sh
{
    cat fail.sh
    echo 'mkdir -p /run/dtc'
} >shared # as it stands in front of the scripts where all of it is one script
cat "$library/share.sh" >>fail.sh
for folder in run lib dev; do
    case $folder in lib) mount --bind lib /var/lib ;; *) mount --rbind "$folder" "/$folder" ;; esac || exit 3
done
for command in systemctl logger udevadm lsblk blkid mdadm mkfs.xfs mount mountpoint curl aws sleep dnf \
    journalctl systemd-run cfn-signal; do
    # shellcheck disable=SC2016
    printf '#!/bin/bash\necho "${0##*/} $*" >>"$NODE_TEST/calls"\n[ ! -e "$NODE_TEST/answers/${0##*/}" ] || . "$NODE_TEST/answers/${0##*/}"\n' >"bin/$command"
    chmod 700 "bin/$command"
done

# A node before its first boot.
begin() {
    rm -rf answers calls mnt run/* lib/* dev/disk dev/console out
    mkdir -p answers dev/disk/by-id
    : >calls
    : >dev/console
    echo 'exit 1' >answers/mountpoint
    echo 'exit 2' >answers/blkid
}

# A boot: the boothooks, then, with an argument, the parts in that file.
boot() { # [SCRIPT]
    bash fail.sh && [ $# = 0 ] || bash "$1" >out 2>&1
}

disk() { # NAME...
    local name
    for name; do
        : >"dev/$name"
        ln -s "/dev/$name" "dev/disk/by-id/nvme-Amazon_EC2_NVMe_Instance_Storage_AWS$name"
        ln -s "/dev/$name" "dev/disk/by-id/nvme-Amazon_EC2_NVMe_Instance_Storage_AWS$name-ns-1"
        ln -s "/dev/$name" "dev/disk/by-id/nvme-Amazon_EC2_NVMe_Instance_Storage_AWS$name-part1"
    done
    ln -sf /dev/nvme0n1 dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_vol0
}

scratch() {
    boot
    mount_point=$NODE_TEST/mnt bash "$library/scratch.sh" >out 2>&1
}

calls_are() { # TEXT
    [ "$(grep -v '^udevadm\|^lsblk\|^mountpoint\|^blkid' calls)" = "$1" ]
}

evidence() {
    cat calls out 2>/dev/null
}

export PATH=$NODE_TEST/bin:$PATH

# ---- setup

begin
cat >part <<'END'
. /run/dtc/fail.sh
setup 1 'it'\''s good.sh' <<'EOF'
#!/bin/bash
echo "$0 $#" >"$NODE_TEST/first"
EOF
END
boot part
claim "a script that ends well leaves no verdict" calls_are ''
claim "a script runs as a file of its own, without arguments" grep -qx '/var/lib/dtc/setup-1 0' first

begin
cat >part <<'END'
. /run/dtc/fail.sh
setup 1 bad.sh <<'EOF'
#!/bin/bash
exit 7
EOF
END
cat >next <<'END'
. /run/dtc/fail.sh
setup 2 good.sh <<'EOF'
#!/bin/bash
touch "$NODE_TEST/second"
EOF
END
boot part
status=$?
verdict='user data: setup: bad.sh failed with status 7; the ECS agent stays off and this node takes no jobs'
claim "a script that fails is named on the console" grep -qxF "$verdict" dev/console
claim "a script that fails is named in the log" grep -qxF "logger -st user-data -p user.err -- $verdict" calls
claim "a script that fails keeps the ECS agent off" grep -qx 'systemctl mask --now --no-block ecs.service' calls
claim "its part fails" [ "$status" = 1 ]
bash next >>out 2>&1
claim "the scripts behind it do not run" [ ! -e second ]

begin
printf '#!/bin/bash\ntouch "$NODE_TEST/fetched"\n' >script
sum=$(sha256sum script)
sum=${sum%% *}
cat >part <<END
. /run/dtc/fail.sh
fetch 1 https://example.com/a.sh $sum
END
echo '[ "$(grep -c ^curl "$NODE_TEST/calls")" -lt 3 ] && exit 22; cp "$NODE_TEST/script" /run/dtc/setup-1' >answers/curl
boot part
claim "a fetch that fails twice is tried a third time" [ "$(grep -c ^curl calls)" = 3 ]
claim "what was fetched runs" [ -e fetched ]
claim "a fetch that succeeds leaves no verdict" [ ! -s dev/console ]

rm -f fetched
echo 'echo changed >/run/dtc/setup-1' >answers/curl
boot part
claim "another SHA-256 does not run" [ ! -e fetched ]
claim "another SHA-256 is named" grep -q "a.sh has another SHA-256 than $sum;" dev/console

begin
echo 'exit 22' >answers/curl
boot part
claim "a fetch is given up after five times" [ "$(grep -c ^curl calls)" = 5 ]
claim "a fetch that is given up is named" grep -q 'a.sh could not be fetched, five times;' dev/console

begin
echo 'cp "$NODE_TEST/script" /run/dtc/setup-1' >answers/aws
echo 'cp "$NODE_TEST/script" /run/dtc/setup-2' >answers/curl
cat >part <<END
. /run/dtc/fail.sh
fetch 1 s3://lab/a.sh $sum
fetch 2 https://example.com/a.sh $sum
END
boot part
claim "what is in S3 is fetched by the role of the node, and nothing else is" \
    [ "$(cut -d ' ' -f 1-3 calls)" = 'aws s3 cp
curl -fsSLg --proto' ]

# One script of all: nothing was there before it.
begin
rm -f fetched
echo 'cp "$NODE_TEST/script" /run/dtc/setup-1' >answers/curl
{
    cat shared
    echo "fetch 1 https://example.com/a.sh $sum"
    cat
} >part <<'END'
setup 2 bad.sh <<'EOF'
#!/bin/bash
exit 7
EOF
setup 3 last.sh <<'EOF'
#!/bin/bash
touch "$NODE_TEST/third"
EOF
END
bash part >out 2>&1
status=$?
claim "scripts in one script run until one fails" [ -e fetched -a ! -e third ]
claim "that is its failure" [ "$status" = 1 ]
claim "it is named" grep -q 'setup: bad.sh failed with status 7;' dev/console
claim "it leaves word for the check of the node" [ -f run/dtc/failed -a ! -s run/dtc/failed ]

# What a script does to its own shell is no other script's.
begin
rm -f second where left
{
    cat shared
    cat
} >part <<'END'
setup 1 wild.sh <<'EOF'
#!/bin/bash
set -euo pipefail
trap 'exit 0' EXIT
cd /
umask 777
cat
exec >/dev/null
/bin/sleep 100 &
echo $! >"$NODE_TEST/left"
fail() { exit 9; }
cat <<'INNER'
EOF-2
INNER
exit 0
false
EOF
setup 2 long.sh <<'EOF'
#!/bin/bash
for ((i = 0; i < 100000; i++)); do echo "line $i of what it prints"; done
EOF
setup 3 next.sh <<'EOF'
#!/bin/bash
{ pwd && umask && echo "$-" ; } >"$NODE_TEST/where"
false
touch "$NODE_TEST/second"
EOF
END
started=$SECONDS
bash part >out 2>&1
status=$?
claim "a script that ends early, reads and changes its shell is no failure" [ "$status" = 0 -a ! -s dev/console ]
claim "nor does who starts something hold the others up" [ $((SECONDS - started)) -lt 60 ]
claim "the script behind it has a shell as ever" [ "$(cat where)" = "$PWD
$(umask)
hB" ]
claim "and ends as its last command does" [ -e second ]
kill "$(cat left)"

begin
{
    cat shared
    printf "setup 1 windows.sh <<'EOF'\n#!/bin/bash\r\necho\r\nEOF\n"
} >part
bash part >out 2>&1
claim "a script that cannot start is a failure" grep -q 'setup: windows.sh failed with status 12[67];' dev/console

# ---- scratch

begin
disk nvme2n1
scratch
claim "one disk gets a file system and is mounted" calls_are "mkfs.xfs -f -K -q /dev/nvme2n1
mount -t xfs -o noatime,nodev,nosuid /dev/nvme2n1 $NODE_TEST/mnt"
claim "everyone may write there" [ "$(stat -c %a mnt)" = 1777 ]

begin
disk nvme2n1 nvme1n1
echo '[ "$1" != --assemble ]' >answers/mdadm
scratch
claim "two disks are striped" calls_are "mdadm --assemble /dev/md/scratch /dev/nvme1n1 /dev/nvme2n1
mdadm --create /dev/md/scratch --run --level=0 --raid-devices=2 /dev/nvme1n1 /dev/nvme2n1
mkfs.xfs -f -K -q /dev/md/scratch
mount -t xfs -o noatime,nodev,nosuid /dev/md/scratch $NODE_TEST/mnt"

begin
disk nvme2n1 nvme1n1
echo 'echo /dev/nvme1n1 disk; echo /dev/md127 raid0' >answers/lsblk
echo 'exit 0' >answers/blkid
scratch
claim "an array that is there is mounted as it is" calls_are \
    "mount -t xfs -o noatime,nodev,nosuid /dev/md127 $NODE_TEST/mnt"

begin
disk nvme2n1
echo 'exit 0' >answers/mountpoint
scratch
claim "what is mounted stays so" calls_are ''

begin
scratch
claim "no disk is a verdict" grep -q 'scratch: this instance has no NVMe disks of its own;' dev/console
claim "no disk keeps the ECS agent off" grep -qx 'systemctl mask --now --no-block ecs.service' calls

begin
disk nvme2n1
echo 'exit 32' >answers/mount
scratch
claim "a mount that fails is a verdict" grep -q 'scratch: status 32 of mount -t xfs' dev/console

begin
disk nvme2n1 nvme1n1
rm bin/mdadm
echo '[ "$(grep -c ^dnf "$NODE_TEST/calls")" -lt 2 ] || { printf "#!/bin/bash\n" >"$NODE_TEST/bin/mdadm"; chmod 700 "$NODE_TEST/bin/mdadm"; }' >answers/dnf
scratch
claim "mdadm is installed where it is missing, in another attempt where need be" [ "$(grep -c ^dnf calls)" = 2 ]
claim "scratch space is then mounted" grep -q '^mount ' calls

# ---- joined

# A node that is up: nothing has failed, and the cluster does not have it yet.
joined() { # ARGUMENT
    stack=nodes resource=GpuAutoScalingGroup region=us-east-1 minutes=1 bash "$library/joined.sh" "$@" >out 2>&1
}

told() { # true|false
    local signal="cfn-signal --success $1 --stack nodes --resource GpuAutoScalingGroup --region us-east-1"
    [ "$(grep ^cfn-signal calls)" = "$signal" ]
}

untold() {
    ! grep -q ^cfn-signal calls
}

registered='echo "I1121 kubelet_node_status.go:77] \"Successfully registered node\" node=\"ip-10-0-0-1\""'

begin
joined
claim "what waits for the kubelet goes on in the background" \
    calls_are "systemd-run --unit=node-joined --no-block /bin/bash $library/joined.sh wait"

begin
echo 'exit 1' >answers/systemctl
echo "$registered" >answers/journalctl
joined wait
claim "a node that has joined is a success" told true
claim "and leaves no verdict" [ ! -s dev/console ]

begin
echo 'exit 1' >answers/systemctl
echo "[ \"\$(grep -c ^journalctl \"\$NODE_TEST/calls\")\" -lt 3 ] || $registered" >answers/journalctl
joined wait
claim "a node that joins later is a success" told true

begin
echo 'exit 1' >answers/systemctl
joined wait
claim "a node that does not join in time tells nothing" untold
claim "it is waited for as long as is said" [ "$(grep -c '^sleep 5$' calls)" = 12 ]
claim "it says so on the console" grep -qx 'user data: this node has not joined its cluster' dev/console

begin
echo 'exit 1' >answers/systemctl
mkdir run/dtc
touch run/dtc/failed
joined wait
claim "a node that is kept from work tells nothing" untold

begin
echo "$registered" >answers/journalctl
echo 'echo "connection refused"; exit 1' >answers/cfn-signal
joined wait
status=$?
claim "a signal that fails is tried five times" [ "$(grep -c '^cfn-signal --success true' calls)" = 5 ]
claim "and is then a failure of the script" [ "$status" = 1 ]
claim "with a line in the log" grep -qxF \
    'logger -t user-data -p user.err -- user data: the stack was not told: connection refused' calls

begin
echo "$registered" >answers/journalctl
echo 'echo "ValidationError: Stack arn:… is in CREATE_COMPLETE state and cannot be signaled"; exit 1' >answers/cfn-signal
joined wait
status=$?
claim "a signal that nobody waits for is sent once" told true
claim "and is no failure" [ "$status" = 0 ]

# A script with a SHA-256 on ParallelCluster: one of dtc's fetches it, compares it and runs it.
pinned=$(mktemp -d) || exit 3
mkdir "$pinned/bin"
printf '#!/bin/sh\nprintf "<%%s>" "$@"\nexit "${RC:-0}"\n' >"$pinned/author"
printf '#!/bin/sh\n[ -z "$NO_NET" ] && cp "%s/author" "${9}"\n' "$pinned" >"$pinned/bin/curl"
printf '#!/bin/sh\n' | tee "$pinned/bin/logger" >"$pinned/bin/sleep"
chmod +x "$pinned"/bin/*
pinned_run() { # SUM [ARGUMENT…]
    sed -e "s,/var/lib/dtc,$pinned/lib,g" -e "s,^: .*url:.*,url=https://example.com/a.sh sum=$1," "$library/pinned.sh" >"$pinned/script"
    shift
    PATH=$pinned/bin:$PATH NO_NET=${NO_NET:-} bash "$pinned/script" "$@" 2>&1
}
author=$(sha256sum <"$pinned/author") author=${author%% *}
claim 'a pinned script gets its arguments' [ "$(pinned_run "$author" /fsx 'two words')" = '</fsx><two words>' ]
claim 'with another SHA-256 it does not run, and a line says so' \
    [ "$(pinned_run "0${author#?}"; echo " $?")" = "setup: https://example.com/a.sh has another SHA-256 than 0${author#?}"$'\n 1' ]
claim 'its failure is one of the bootstrap' \
    [ "$(RC=3 pinned_run "$author" x; echo " $?")" = '<x>setup: https://example.com/a.sh failed with status 3'$'\n 1' ]
claim 'so is a network that is not there' \
    [ "$(NO_NET=1 pinned_run "$author"; echo " $?")" = 'setup: https://example.com/a.sh could not be fetched, five times'$'\n 1' ]
rm -rf "$pinned"

finish
