# shellcheck shell=sh
# The check of a node before it takes work: runs the core on the record and keeps the node from work unless the verdict
# is that it passes. No check may do more harm than the fault that it finds: a fault that is not of the hardware, and so
# may be on every node of a fleet, only warns unless the author wrote `on_fail`; so does whatever goes wrong with the
# check itself; where too many nodes of a group fail, the others take work all the same (brake.sh); a person can switch
# it off without a deployment; a shutdown in the middle of it is no verdict.
#
# What an emitter writes behind it, which travels compressed with it (preflight.sh):
#
#   limit=60             seconds for the core in all; for devices that are late it waits 15 less, so that a last look is
#                        over in time
#   mild='on_fail = warn'        why a node that fails takes work all the same; empty: it does not
#   image='the fault is not …'   the same, where the hardware is not at fault
#   keep=10              minutes that a node which fails is kept for a person, before it is ended; empty: it stays
#   second.sh            where a second stage is fetched; or, where it travels with the check, its parts and after.sh
#   check-TARGET.sh      sets `agent`, defines `switch`, `admit` and `brake`; beside it end.sh or, of ParallelCluster,
#                        itself `end`
#   brake.sh             defines `brake` anew, where nodes count those that fail; or it is a part of what is fetched
#   look "$@"
#
# Where the target has an `agent`, a unit that takes work, this puts a unit of its own in front of it, which is what
# runs the check: behind cloud-init's scripts, and again at each boot. The agent needs it, so a check that fails, or
# that cannot run, keeps the agent from starting, and starting the agent by hand checks again.
#
# Ends with 0 where the node may take work, else with 1. Leaves in /run/dtc the record and the verdict for whoever
# looks, and /run/dtc/failed where the node may not; that file, where it is empty, is of a script of the author's that
# failed.
# shellcheck disable=SC2154 # limit, mild, image, keep and agent are set behind
say() { # TEXT
    logger -t dtc-node "$1"
    echo "dtc-node: $1" | tee -a /dev/console >&2
}

# Others follow, where there is more to do.
deepen() {
    [ $status != 0 ] || say 'drivers not asked'
}

take() { # WHY
    trap - EXIT
    # Of an earlier look that it failed.
    [ -z "$keep" ] || systemctl stop dtc-end.timer 2>/dev/null
    say "$1"
    admit
    exit $?
}

# Status 1 says that the hardware fails. Another one is the image's, or the check's, which was killed, has no verdict or
# understood nothing; and so is it where there is none.
refuse() { # WHY
    [ "$status" = 1 ] || mild=${mild:-$image}
    [ "$mild" ] || brake || keep=
    [ -z "$mild" ] || take "$1; $mild: it takes work"
    trap - EXIT
    echo "$1" >failed
    say "$1; ${agent:-bootstrap} fails"
    # The instance's id, as Nitro has it.
    read -r id </sys/devices/virtual/dmi/id/board_asset_tag
    say "to look: aws ssm start-session --target $id"
    [ -z "$keep" ] || end
    exit 1
}

arrange() {
    need=Requir
    [ -z "$mild" ] || need=Want
    echo "[Unit]
After=cloud-final.service
Before=$agent
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh /opt/dtc/check run
[Install]
${need}edBy=$agent" >/etc/systemd/system/dtc-node.service &&
        systemctl daemon-reload &&
        systemctl enable dtc-node &&
        systemctl start --no-block dtc-node
}

look() {
    mkdir -p /run/dtc
    cd /run/dtc || exit
    if [ "$agent" ] && [ "$1" != run ]; then
        arrange && exit
        [ "$mild$image" ] || systemctl disable --now --no-block "$agent"
        refuse 'no unit'
    fi
    # Of the author's own scripts one failed.
    [ ! -e failed ] || [ -s failed ] || exit 1
    trap 'refuse "no verdict"' EXIT
    trap 'trap - EXIT;exit 143' TERM
    rm -f failed verdict.json device*
    case $(switch) in
    off) take 'dtc-validate = off: not checked' ;;
    warn) mild=${mild:-dtc-validate = warn} ;;
    esac
    cp /opt/dtc/expect .
    timeout "$limit" /opt/dtc/dtc-node --wait $((limit-15)) >verdict
    status=$?
    deepen
    # The checks that failed or warn, as the verdicts have them.
    found=$(cat verdict device 2>/dev/null | grep -o '"[^"]*","s":"[fw][^}]*')
    # A status alone is no verdict: the core leaves a file, too.
    [ $status != 0 ] || [ ! -s verdict.json ] || take "passed $found"
    refuse "status $status $found"
}
