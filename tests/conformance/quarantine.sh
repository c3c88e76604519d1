#!/bin/bash
# Checks with a real systemd that a failed node stays away from work, and that the node's word of having joined
# outlives cloud-init. systemd is process 1 of namespaces of its own and starts the units of a node. Their files lie
# where the images have them: nodeadm-run and the kubelet in /etc, ecs in /usr/lib. Services play cloud-init, and run
# its boothooks and scripts. /etc/systemd, /opt and /var/lib/cloud are the node's disk, which outlives a boot. An HTTP
# server plays the metadata service, on its address.
set -u
cd "$(dirname "$0")/../.." || exit 3
. tests/support/claims.sh
world=$(mktemp -d) || exit 3
trap 'rm -rf "$world"' EXIT

cat >"$world/boot" <<'END'
set -e
mount --make-rprivate /
mount -t tmpfs none /run
mount -t tmpfs none /sys/fs/cgroup
mkdir /sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd none /sys/fs/cgroup/systemd 2>/dev/null || mount -t cgroup2 none /sys/fs/cgroup
mount -t tmpfs none /usr/lib/systemd/system
mkdir -p "$WORLD/disk/etc" "$WORLD/disk/opt" "$WORLD/disk/cloud"
mount --bind "$WORLD/disk/etc" /etc/systemd
mount --bind "$WORLD/disk/opt" /opt

unit() { # FOLDER NAME SECTION-LINES SERVICE-LINES
    printf '[Unit]\nDefaultDependencies=no\n%b\n[Service]\n%b\n[Install]\nWantedBy=multi-user.target\n' "$3" "$4" >"$1/$2"
}
etc=/etc/systemd/system
lib=/usr/lib/systemd/system
for target in multi-user sysinit basic shutdown poweroff final umount reboot; do
    printf '[Unit]\nDefaultDependencies=no\n' >$lib/$target.target
done
for verb in poweroff reboot; do
    printf '[Unit]\nDefaultDependencies=no\nRequires=systemd-%s.service\nAfter=systemd-%s.service\n' $verb $verb >$lib/$verb.target
    printf '[Unit]\nDefaultDependencies=no\nRequires=shutdown.target\nAfter=shutdown.target\nSuccessAction=exit-force\n[Service]\nType=oneshot\nExecStart=/bin/sh -c "echo %s >>%s/ran"\n' \
        $verb "$WORLD" >$lib/systemd-$verb.service
done
unit $lib ecs.service 'After=cloud-final.service\nConflicts=shutdown.target' "ExecStart=/bin/sh -c 'echo ecs >>$WORLD/ran; exec sleep 1000'"
if [ ! -e "$WORLD/disk/made" ]; then
    mkdir -p $etc/multi-user.target.wants
    unit $etc cloud-init.service '' "Type=oneshot\nExecStart=-/bin/sh $WORLD/boothook\nStandardOutput=null\nStandardError=null"
    # Its scripts run once.
    unit $etc cloud-final.service After=cloud-init.service \
        "Type=oneshot\nExecStart=/bin/sh -c '[ -e $WORLD/disk/ran ] || { : >$WORLD/disk/ran; exec /bin/sh $WORLD/part; }'\nStandardOutput=null\nStandardError=null"
    unit $etc nodeadm-run.service After=cloud-final.service \
        "Type=oneshot\nExecStart=/bin/sh -c 'echo nodeadm-run >>$WORLD/ran; systemctl start kubelet'"
    unit $etc kubelet.service Conflicts=shutdown.target "ExecStart=/bin/sh -c 'echo kubelet >>$WORLD/ran; exec sleep 1000'"
    unit $etc last.service 'After=cloud-final.service nodeadm-run.service ecs.service' \
        "Type=oneshot\nExecStart=/bin/sh -c '$STAY; echo end >>$WORLD/ran; systemctl exit --force --force'"
    for unit in $etc/cloud-init $etc/cloud-final $etc/nodeadm-run $lib/ecs $etc/last; do
        ln -s "$unit.service" $etc/multi-user.target.wants/
    done
    mkdir -p /opt/aws/bin
fi
: >"$WORLD/disk/made"
# Stand-ins: the kubelet's journal, the signal, the log, and pauses that are short.
mount -t tmpfs none /usr/local/sbin
stand_in() { # FILE COMMANDS
    printf '#!/bin/sh\n%s\n' "$2" >"$1"
    chmod 755 "$1"
}
stand_in /usr/local/sbin/journalctl "! grep -q kubelet $WORLD/ran || echo Successfully registered node"
stand_in /usr/local/sbin/sleep '[ "$1" != 5 ] || set -- 0.05; exec /bin/sleep "$@"'
stand_in /usr/local/sbin/logger "echo \"\$*\" >>$WORLD/log"
# Systems Manager counts it as the first one that fails.
stand_in /usr/local/sbin/aws 'echo 1'
stand_in /opt/aws/bin/cfn-signal "echo told-\$2 >>$WORLD/ran"
if [ -n "$IMDS" ]; then
    ip link set lo up
    ip address add 169.254.169.254/32 dev lo
    python3 "$WORLD/imds.py" "$IMDS" >/dev/null 2>&1 &
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        curl -s --max-time 1 http://169.254.169.254/ready >/dev/null && break
        /bin/sleep 0.2
    done
fi
export container=docker
exec /usr/lib/systemd/systemd --log-target=null --unit=multi-user.target
END

# The metadata service: tags for those with a token, or an ear and no word.
cat >"$world/imds.py" <<'END'
import http.server, sys, time

class Service(http.server.BaseHTTPRequestHandler):
    def answer(self, status, text=""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_PUT(self):
        if sys.argv[1] == "silent":
            time.sleep(1000)
        is_asked = self.path == "/latest/api/token" and self.headers["X-aws-ec2-metadata-token-ttl-seconds"]
        self.answer(200 if is_asked else 400, "secret" if is_asked else "")

    def do_GET(self):
        if self.path == "/ready":
            return self.answer(200)
        if sys.argv[1] == "silent":
            time.sleep(1000)
        if self.headers["X-aws-ec2-metadata-token"] != "secret":
            return self.answer(401)
        has_tag = self.path == "/latest/meta-data/tags/instance/dtc-validate" and sys.argv[1] != "none"
        self.answer(200 if has_tag else 404, sys.argv[1] if has_tag else "")

http.server.ThreadingHTTPServer(("169.254.169.254", 80), Service).serve_forever()
END

# How long a node runs: for seconds, or until something has run, at most 50 s.
stay_for() { # SECONDS
    stay="sleep $1"
}
stay_until() { # WHAT
    stay="timeout 50 sh -c \"until grep -qx $1 $world/ran; do sleep 0.1; done\""
}
stay_for 1

# A boot of the node as it is: adds what ran to `ran`, in the order of the alphabet, and what was said to `log`.
reboot() {
    WORLD=$world IMDS=${imds:-} STAY=$stay timeout -k 5 60 \
        unshare --pid --fork --mount --mount-proc --uts --ipc --net sh "$world/boot" >"$world/said" 2>&1
    ran=$(sort "$world/ran" 2>/dev/null | tr '\n' ' ')
}

# What ran on a new node whose cloud-init runs the commands, as a script or at each boot.
boot() { # COMMANDS [BOOTHOOK]
    rm -rf "$world/disk" "$world/ran" "$world/log"
    mkdir "$world/disk"
    printf '%s\n' "$1" >"$world/part"
    printf '%s\n' "${2:-:}" >"$world/boothook"
    : >"$world/log"
    reboot
}

# A script that checks the node, as in user data. Its core is standard input. In the author's script `on_fail` is
# written.
check() { # TARGET [SETTING…]
    { printf '#!/bin/sh\n'; cat; } >"$world/core"
    printf 'dtc-expect 1\ngroup train\n' >"$world/record"
    {
        cat stdlib/node/check.sh
        printf '%s\n' limit=60 mild= image= keep= "${@:2}"
        cat "stdlib/node/check-$1.sh" stdlib/node/end.sh
        # One that ends is counted first.
        [[ "${*:2}" != *keep=* ]] || { echo 'parameter=/dtc/llm/train most=12'; cat stdlib/node/{aws,brake}.sh; }
        # systemd may be a minute late with a timer.
        [[ "${*:2}" != *every=* ]] || {
            cat stdlib/node/{stamp,again,"again-$1",timer,after}.sh |
                sed 's/systemd-run --unit=dtc-again/& --timer-property=AccuracySec=100ms/'
            echo 'deepen() { go_on; }'
        }
        echo 'look "$@"'
    } >"$world/check"
    cat "$world"/{core,check,record} >"$world/stream"
    cat "stdlib/node/quarantine-$1.sh" stdlib/node/preflight.sh
    echo "core=$(wc -c <"$world/core") check=$(wc -c <"$world/check")"
    printf "preflight <<'END'\n%s\nEND\n" "$(gzip -n <"$world/stream" | base64)"
}

evidence() {
    echo "ran: $ran"
    cat "$world/said" "$world/log"
}

ran() { # TEXT RAN
    claim "$1" [ "$ran" = "$2" ]
}

said() { # TEXT SAID
    claim "$1" grep -qF -- "$2" "$world/log"
}

boot :
[ "$ran" = 'ecs end kubelet nodeadm-run ' ] || skip_all 'this machine starts no systemd in namespaces'
boot ". $PWD/stdlib/node/quarantine-batch.sh; quarantine"
ran "the ECS agent does not start on a node of Batch" 'end kubelet nodeadm-run '
boot ". $PWD/stdlib/node/quarantine-eks.sh; quarantine"
ran "neither nodeadm-run nor the kubelet starts on a node of EKS" 'ecs end '
boot ". $PWD/stdlib/node/quarantine-batch.sh; quarantine; systemctl unmask ecs && systemctl start --no-block ecs"
ran "who unmasks the ECS agent lets a node of Batch in" 'ecs end kubelet nodeadm-run '
boot ". $PWD/stdlib/node/quarantine-eks.sh; quarantine; systemctl enable --now --no-block nodeadm-run"
ran "who enables nodeadm-run lets a node of EKS in" 'ecs end kubelet nodeadm-run '
boot 'systemctl mask --runtime nodeadm-run kubelet'
ran "a mask in /run would not do" 'ecs end kubelet nodeadm-run '

sed 's/^: "${stack.*/stack=s resource=r region=here minutes=1/' stdlib/node/joined.sh >"$world/joined"
joined="/bin/bash $world/joined"
stay_until told-true
boot : "$joined"
stay_for 1
ran "a node says that it has joined, though cloud-init is over by then" 'ecs end kubelet nodeadm-run told-true '
boot "mkdir /run/dtc; touch /run/dtc/failed; . $PWD/stdlib/node/quarantine-eks.sh; quarantine" "$joined"
ran "a node that is kept from work tells nothing" 'ecs end '
boot "mkdir -p /run/systemd/system/nodeadm-run.service.d
printf '[Service]\\nExecStart=\\nExecStart=/bin/false\\n' >/run/systemd/system/nodeadm-run.service.d/fails.conf
systemctl daemon-reload" "$joined"
ran "a node whose nodeadm fails tells nothing" 'ecs end '

# What the check's own unit does. PASS is whatever the core finds on the disk.
pass='echo 1 >/run/dtc/verdict.json'
core="if [ -e $world/disk/bad ]; then echo bad >>$world/ran; exit 1; fi; echo good >>$world/ran; $pass"
boot : "$(check batch <<<"$core")"
ran "the agent of a node of Batch that passes starts" 'ecs end good kubelet nodeadm-run '
reboot
ran "its check runs again at the next boot" 'ecs ecs end end good good kubelet kubelet nodeadm-run nodeadm-run '
: >"$world/disk/bad"
rm "$world/ran"
reboot
ran "and keeps the agent from work where the node fails by then" 'bad end kubelet nodeadm-run '
rm "$world/disk/bad" "$world/ran"
reboot
ran "and lets it work where that is over" 'ecs end good kubelet nodeadm-run '

boot : "$(check batch <<<'exit 1')"
ran "the agent of a node of Batch that fails does not start" 'end kubelet nodeadm-run '
boot : "$(check eks <<<'exit 1')"
ran "neither nodeadm-run nor the kubelet of a node of EKS that fails starts" 'ecs end '
boot "$(check eks <<<'exit 1')"
ran "nor where the check is a script, as eksctl has it" 'ecs end '
boot "mkdir -p /etc/eks/nodeadm.d 2>/dev/null; $(check eks <<<"$pass")"
ran "and they start where it passes" 'ecs end kubelet nodeadm-run '
boot : "$(check batch "mild='on_fail = warn'" <<<'exit 1')"
ran "the agent of a node that only warns starts" 'ecs end kubelet nodeadm-run '
boot : "$(check batch <<<"$core" | sed '/^preflight/,/^END/s/^H4sI/H4sJ/')"
ran "the agent of a node whose check does not unpack does not start" 'end kubelet nodeadm-run '
boot 'rm /opt/dtc/check' "$(check batch <<<"$core")"
ran "nor that of one whose check is gone" 'end kubelet nodeadm-run '
stay_until ecs
boot "systemd-run --no-block sh -c 'until systemctl is-failed -q dtc-node; do sleep 0.1; done; : >/run/dtc/healed; systemctl start --no-block ecs'" \
    "$(check batch <<<"[ -e /run/dtc/healed ] || exit 1; $pass")"
ran "who starts the agent has the node checked again" 'ecs end kubelet nodeadm-run '
stay_for 1

# A node that fails while it works. The ECS agent's own service says what runs.
tasks() { # TASKS
    printf '%s\n' "printf '#!/bin/sh\\necho %s\\n' '$1' >/usr/local/sbin/curl; chmod 755 /usr/local/sbin/curl"
}
later="[ ! -e /run/broken ] || { echo >>/run/looks; exit 1; }; $core"
stay="touch /run/broken; timeout 40 sh -c \"while systemctl is-active -q ecs; do sleep 0.2; done\"; systemctl is-active -q ecs || echo stopped >>$world/ran"
boot : "$(tasks '{}'; check batch every=1 <<<"$later")"
ran "the agent of a node of Batch that fails later stops when nothing runs" 'ecs end good kubelet nodeadm-run stopped '
said "and it is said" 'status 1 ; ecs.service fails'
stay="touch /run/broken; timeout 40 sh -c \"until [ -s /run/looks ]; do sleep 0.2; done\"; sleep 8; systemctl is-active -q ecs || echo stopped >>$world/ran"
boot : "$(tasks '\"KnownStatus\":\"RUNNING\"'; check batch every=1 <<<"$later")"
ran "it goes on beside a job" 'ecs end good kubelet nodeadm-run '
said "and the fault is said" 'again: status 1'
stay_for 1

# A reboot by a script of the author's, at the first boot, in front of the check and in the middle of it.
boot 'systemctl reboot; sleep 1000' "$(check batch <<<"$core")"
reboot
ran "a script that restarts the node does not take its check away" 'ecs end good kubelet nodeadm-run reboot '
stay_for 30 # a restart takes its time
boot "systemd-run --no-block sh -c 'until [ -e /run/dtc/runs ]; do sleep 0.1; done; systemctl reboot'" \
    "$(check batch keep=0 <<<"[ -e $world/disk/again ] || { echo >/run/dtc/runs; exec /bin/sleep 1000; }; $core")"
stay_for 1
: >"$world/disk/again"
silent=$(wc -c <"$world/log")
reboot
ran "a check that a restart ends is no failure, and runs again" 'ecs end good kubelet kubelet nodeadm-run nodeadm-run reboot '
ran=$silent
ran "and says nothing" 0

# The end of a node that fails.
stay_for 50
boot : "$(check batch keep=0 <<<'exit 1')"
ran "a node that is to be ended powers off" 'kubelet nodeadm-run poweroff '
stay_for 3
said "and says how to look at it" 'to look: aws ssm start-session --target'
said "and how to read of it later" 'later: aws ec2 get-console-output'
boot : "$(check batch keep=1 <<<'exit 1')"
ran "it stays for its time before" 'end kubelet nodeadm-run '

# The switch.
stay_for 1
if [ -n "$(command -v python3)" ] && [ -n "$(command -v curl)" ] && [ -n "$(command -v ip)" ]; then
    imds=off
    boot : "$(check batch <<<'exit 1')"
    ran "a node with the tag dtc-validate = off is not checked" 'ecs end kubelet nodeadm-run '
    said "and says so" 'dtc-validate = off: not checked'
    imds=warn
    boot : "$(check batch <<<'exit 1')"
    ran "a node with the tag dtc-validate = warn only warns" 'ecs end kubelet nodeadm-run '
    said "and says so" 'status 1 ; dtc-validate = warn: it takes work'
    imds=none
    boot : "$(check batch <<<'exit 1')"
    ran "a node without the tag is checked" 'end kubelet nodeadm-run '
    imds=silent
    boot : "$(check batch <<<"$core")"
    ran "a metadata service that does not answer is not waited for" 'ecs end good kubelet nodeadm-run '
else
    skip 'the switch: there is no python3, curl or ip'
fi
finish
