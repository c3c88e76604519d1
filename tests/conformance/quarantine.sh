#!/bin/bash
# Whether what keeps a node from work does so under a real systemd, and what says that it has joined outlives cloud-init:
# as process 1 of namespaces of its own it starts the units of a node, with their files where the images have them
# (nodeadm-run and the kubelet in /etc, ecs in /usr/lib), behind a service that plays cloud-init and runs the part.
set -u
cd "$(dirname "$0")/../.." || exit 3
world=$(mktemp -d) || exit 3
trap 'rm -rf "$world"' EXIT
passed=0
failed=0

cat >"$world/boot" <<'END'
set -e
mount --make-rprivate /
mount -t tmpfs none /run
mount -t tmpfs none /sys/fs/cgroup
mkdir /sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd none /sys/fs/cgroup/systemd 2>/dev/null || mount -t cgroup2 none /sys/fs/cgroup
for folder in /etc/systemd /usr/lib/systemd/system; do mount -t tmpfs none "$folder"; done
mkdir -p /etc/systemd/system/multi-user.target.wants

unit() { # FOLDER NAME SECTION-LINES SERVICE-LINES
    printf '[Unit]\nDefaultDependencies=no\n%b\n[Service]\n%b\n[Install]\nWantedBy=multi-user.target\n' "$3" "$4" >"$1/$2"
}
etc=/etc/systemd/system
lib=/usr/lib/systemd/system
for target in multi-user sysinit basic shutdown; do
    printf '[Unit]\nDefaultDependencies=no\n' >$lib/$target.target
done
unit $etc cloud-final.service '' "Type=oneshot\nExecStart=/bin/sh $WORLD/part\nStandardOutput=null\nStandardError=null"
unit $etc nodeadm-run.service After=cloud-final.service \
    "Type=oneshot\nExecStart=/bin/sh -c 'echo nodeadm-run >>$WORLD/ran; systemctl start kubelet'"
unit $etc kubelet.service '' "ExecStart=/bin/sh -c 'echo kubelet >>$WORLD/ran; exec sleep 1000'"
unit $lib ecs.service After=cloud-final.service "ExecStart=/bin/sh -c 'echo ecs >>$WORLD/ran; exec sleep 1000'"
unit $etc last.service 'After=cloud-final.service nodeadm-run.service ecs.service' \
    "Type=oneshot\nExecStart=/bin/sh -c 'sleep 1; echo end >>$WORLD/ran; systemctl exit --force --force'"
for unit in $etc/cloud-final $etc/nodeadm-run $lib/ecs $etc/last; do
    ln -s "$unit.service" $etc/multi-user.target.wants/
done
# Stand-ins: the kubelet's journal, the signal, and pauses that are short.
for folder in /opt /usr/local/sbin; do mount -t tmpfs none $folder; done
mkdir -p /opt/aws/bin
stand_in() { # FILE COMMANDS
    printf '#!/bin/sh\n%s\n' "$2" >"$1"
    chmod 755 "$1"
}
stand_in /usr/local/sbin/journalctl "! grep -q kubelet $WORLD/ran || echo Successfully registered node"
stand_in /usr/local/sbin/sleep '[ "$1" != 5 ] || set -- 0.05; exec /bin/sleep "$@"'
stand_in /opt/aws/bin/cfn-signal "echo told-\$2 >>$WORLD/ran"
export container=docker
exec /usr/lib/systemd/systemd --log-target=null --unit=multi-user.target
END

# What ran on a node whose cloud-init runs the commands.
boot() { # COMMANDS
    printf '%s\n' "$1" >"$world/part"
    rm -f "$world/ran"
    WORLD=$world timeout -k 5 60 unshare --pid --fork --mount --mount-proc --uts --ipc sh "$world/boot" >"$world/said" 2>&1
    ran=$(sort "$world/ran" 2>/dev/null | tr '\n' ' ')
}

claim() { # TEXT RAN
    if [ "$ran" = "$2" ]; then
        passed=$((passed + 1))
        echo "ok $1"
    else
        failed=$((failed + 1))
        echo "not ok $1: $ran"
        sed 's/^/    /' "$world/said"
    fi
}

boot :
if [ "$ran" != 'ecs end kubelet nodeadm-run ' ]; then
    echo "skipped: this machine starts no systemd in namespaces"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
boot ". $PWD/stdlib/node/quarantine-batch.sh; quarantine"
claim "the ECS agent does not start on a node of Batch" 'end kubelet nodeadm-run '
boot ". $PWD/stdlib/node/quarantine-eks.sh; quarantine"
claim "neither nodeadm-run nor the kubelet starts on a node of EKS" 'ecs end '
boot ". $PWD/stdlib/node/quarantine-batch.sh; quarantine; systemctl unmask ecs && systemctl start --no-block ecs"
claim "who unmasks the ECS agent lets a node of Batch in" 'ecs end kubelet nodeadm-run '
boot ". $PWD/stdlib/node/quarantine-eks.sh; quarantine; systemctl enable --now --no-block nodeadm-run"
claim "who enables nodeadm-run lets a node of EKS in" 'ecs end kubelet nodeadm-run '
boot 'systemctl mask --runtime nodeadm-run kubelet'
claim "a mask in /run would not do" 'ecs end kubelet nodeadm-run '

sed 's/^: "${stack.*/stack=s resource=r region=here minutes=1/' stdlib/node/joined.sh >"$world/joined"
joined="/bin/bash $world/joined"
boot "$joined"
claim "a node says that it has joined, though cloud-init is over by then" 'ecs end kubelet nodeadm-run told-true '
boot "mkdir /run/dtc; touch /run/dtc/failed; . $PWD/stdlib/node/quarantine-eks.sh; quarantine; $joined"
claim "a node that is kept from work says that it has not" 'ecs end told-false '
boot "mkdir -p /run/systemd/system/nodeadm-run.service.d
printf '[Service]\\nExecStart=\\nExecStart=/bin/false\\n' >/run/systemd/system/nodeadm-run.service.d/fails.conf
systemctl daemon-reload; $joined"
claim "a node whose nodeadm fails says that it has not" 'ecs end told-false '
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
