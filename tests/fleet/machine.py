"""Starts instances: each is a process in mount namespaces of its own, where /sys, /proc and /dev are those of a tree of
tests/node/mkroot.sh, and /run, /opt, /etc and /var/lib are empty. It runs what cloud-init would: the scripts that dtc wrote, and, as
systemd would, what the unit that they made starts. Programs that speak to systemd, AWS and the log are stand-ins, which
write down how they were called.

What takes minutes on a node is written down as well, and takes none: sleeps, and waiting for devices that are late."""
import ctypes
import os
import re
import shutil

NODES_AT_ONCE = 2 * (os.cpu_count() or 1)
CLONE_NEWNS, MS_BIND, MS_REC = 0x20000, 4096, 16384
libc = ctypes.CDLL(None, use_errno=True)

STAND_INS = {
    "systemctl systemd-run logger": 'echo "${0##*/} $*" >>"$PLACE/calls"',
    "sleep": 'echo "sleep $1" >>"$PLACE/calls"',
    # Without a network nothing answers but Systems Manager, which counts nodes that fail.
    "curl": "exit 7",
    "aws": """case $1-$2 in
ssm-put-parameter) echo "${*##*--value }" >>"$PLACE/failed" && grep -c . "$PLACE/failed" ;;
ssm-get-parameter)
    case $* in *failed:*) ;; *) exit 7 ;; esac
    set -- "${*#*failed:}"
    sed -n "${1%% *}p" "$PLACE/failed"
    ;;
*) exit 7 ;;
esac""",
    "timeout": '[ "$1" != -k ] || shift 2\nshift\n[ "$2" != --wait ] || exec "$1"\nexec "$@"',
    # What comes on standard input, of which the tree's /proc knows nothing.
    "install": '[ "$4" = /dev/stdin ] || exec /usr/bin/install "$@"\nmkdir -p "${5%/*}" && cat >"$5" && chmod "$3" "$5"',
    # File systems: there are none.
    "mountpoint mount.lustre modprobe": "exit 1",
    "mount": '[ "$1 $2" = "-t tmpfs" ] && echo "mount $*" >>"$PLACE/calls"',
    "yum apt-get": "exit 1",
}
# What starts a node's scripts, and the unit of the check behind them.
DRIVER = """
for script; do "$script"; status=$?; done
if [ -e /etc/systemd/system/dtc-node.service ]; then
    sh /opt/dtc/check run
    status=$?
fi
exit $status
"""


class Outcome:
    """What has become of an instance.

    counts: it has counted itself as one that fails. works: it takes work. busy: minutes that its scripts take. ends: minutes until it is off; None: it stays. says: what its
    console has. unit: that of the check, and calls: of the stand-ins."""

    def __init__(self, place, status, before=0):
        self.calls, self.says = (_text(place + "/" + name) for name in ("calls", "console"))
        self.unit = _text(place + "/etc/systemd/system/dtc-node.service")
        calls, unit = self.calls, self.unit
        self.counts = len(_text(place + "/failed").splitlines()) > before
        is_held = "\nRequiredBy=" in unit or re.search(r"^systemctl (mask|disable|--no-block poweroff)", calls, re.M)
        self.works = status == 0 or bool(unit and not is_held)
        self.ends = None
        slept = sum(int(seconds) for seconds in re.findall(r"^sleep ([0-9]+)$", calls, re.M)) // 60
        timer = re.search(r"^systemd-run --unit=dtc-end --on-active=([0-9]+)min systemctl poweroff$", calls, re.M)
        if timer:
            self.ends = slept + int(timer.group(1))
        elif re.search(r"^systemctl --no-block poweroff$", calls, re.M):
            self.ends = slept
        self.busy = slept


def _text(path):
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _mount(source, target, flags=MS_BIND):
    if libc.mount(source.encode(), target.encode(), None, ctypes.c_ulong(flags), None) != 0:
        raise OSError(ctypes.get_errno(), "mount %s at %s" % (source, target))


class World:
    """A folder of instances. The process has a mount namespace of its own, where it may mount."""

    def __init__(self, folder):
        self.folder = folder
        self.number = 0
        self.ready = set()
        os.makedirs(folder + "/bin")
        for names, text in STAND_INS.items():
            for name in names.split():
                with open("%s/bin/%s" % (folder, name), "w", encoding="ascii") as file:
                    file.write("#!/bin/sh\n%s\n" % text)
                os.chmod(file.name, 0o755)

    def boot(self, starts):
        """Boots instances, some at once: (tree, scripts, when others of the group have failed) each. Returns their
        outcomes, in that order."""
        places, running, statuses = [], {}, {}
        for index, (tree, scripts, failed) in enumerate(starts):
            places.append(self._place(tree))
            with open(places[index] + "/failed", "w", encoding="ascii") as file:
                file.writelines("%d\n" % second for second in failed)
            if len(running) >= NODES_AT_ONCE:
                _reap(running, statuses)
            running[self._fork(places[index], tree, scripts)] = index
        while running:
            _reap(running, statuses)
        outcomes = [Outcome(place, statuses[index], len(starts[index][2])) for index, place in enumerate(places)]
        for place in places:
            shutil.rmtree(place)
        return outcomes

    def _place(self, tree):
        if tree not in self.ready:
            for name in ("null", "console"):
                open("%s/dev/%s" % (tree, name), "a", encoding="ascii").close()
            _mount("/dev/null", tree + "/dev/null")
            os.makedirs(tree + "/sys/devices/virtual/dmi/id", exist_ok=True)
            open(tree + "/sys/devices/virtual/dmi/id/board_asset_tag", "a", encoding="ascii").close()
            self.ready.add(tree)
        self.number += 1
        place = "%s/i-%d" % (self.folder, self.number)
        for name in ("run", "opt/amazon/efa/bin", "etc/systemd/system", "etc/eks/nodeadm.d", "var/lib"):
            os.makedirs("%s/%s" % (place, name))
        with open(place + "/opt/amazon/efa/bin/fi_info", "w", encoding="ascii") as file:
            file.write("#!/bin/sh\necho provider: efa\n")
        os.chmod(file.name, 0o755)
        with open(place + "/id", "w", encoding="ascii") as file:
            file.write("i-%017x\n" % self.number)
        open(place + "/console", "w", encoding="ascii").close()
        return place

    def _fork(self, place, tree, scripts):
        child = os.fork()
        if child != 0:
            return child
        try:
            if libc.unshare(CLONE_NEWNS) != 0:
                raise OSError(ctypes.get_errno(), "unshare")
            for name in ("sys", "proc"):
                _mount("%s/%s" % (tree, name), "/" + name)
            _mount(place + "/id", "/sys/devices/virtual/dmi/id/board_asset_tag")
            _mount(tree + "/dev", "/dev", MS_BIND | MS_REC)
            _mount(place + "/console", "/dev/console")
            for name in ("run", "opt", "etc", "var/lib"):
                _mount("%s/%s" % (place, name), "/" + name)
            _mount(self.folder + "/bin", "/usr/sbin")
            os.chdir("/")
            said = os.open(place + "/said", os.O_WRONLY | os.O_CREAT, 0o600)
            os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
            os.dup2(said, 1)
            os.dup2(said, 2)
            os.execve("/bin/sh", ["sh", "-c", DRIVER, "cloud-init"] + scripts,
                      {"PATH": "/usr/sbin:/usr/bin", "PLACE": place, "LC_ALL": "C"})
        except OSError as error:
            print(error, flush=True)
        finally:
            os._exit(99)


def _reap(running, statuses):
    child, status = os.wait()
    statuses[running.pop(child)] = os.waitstatus_to_exitcode(status)
