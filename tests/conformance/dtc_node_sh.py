"""Holds the shell's check of a node against the program, dtc_node_sh.py PROGRAM TREES: each tree as it is, with each
kind of its files removed, emptied, cut or overwritten, with faults that nodes have, and with records that are none. The
order in which a program finds devices is the file system's, so that what was found is compared as a set."""
import json
import os
import re
import shutil
import subprocess
import sys
import time

CHECK = os.path.abspath("stdlib/node/dtc-node.sh")
FUNCTIONS = "sys/bus/pci/devices"


def put(path, text):
    with open(path, "w", encoding="latin-1") as file:
        file.write(text)


def efa(number):
    """The folder of one of the tree's interfaces."""
    found = [name for name in sorted(os.listdir(FUNCTIONS)) if os.path.exists(FUNCTIONS + "/" + name + "/infiniband")]
    return FUNCTIONS + "/" + found[number]


def gid(number):
    return efa(number) + "/infiniband/" + os.listdir(efa(number) + "/infiniband")[0] + "/ports/1/gids/0"


def xids(message="NVRM: Xid (PCI:%.10s): 119, pid=1, name=python"):
    """A message of each of the tree's GPUs, twice."""
    return "".join(2 * ("6,1,0,-;" + message % name + "\n") for name in sorted(os.listdir("proc/driver/nvidia/gpus")))


def record(text):
    put("run/dtc/expect", text)


def add(line):
    with open("run/dtc/expect", "a", encoding="ascii") as file:
        file.write(line + "\n")


# What happens in a tree, as its working folder.
FAULTS = {
    "an interface is missing": lambda: shutil.rmtree(efa(1)),
    "an interface has no driver": lambda: put(efa(1) + "/uevent", "PCI_CLASS=20000\nPCI_ID=1D0F:EFA0\n"),
    "an interface has another driver": lambda: put(efa(1) + "/uevent", "DRIVER=vfio-pci\nPCI_ID=1D0F:EFA0\n"),
    "an interface has another id": lambda: put(efa(1) + "/uevent", "DRIVER=efa\nPCI_CLASS=20000\nPCI_ID=1D0F:EFA9\n"),
    "an interface is none": lambda: put(efa(1) + "/uevent", "DRIVER=efa\nPCI_CLASS=20000\nPCI_ID=1D0F:EC20\n"),
    "an id is in small letters": lambda: put(efa(1) + "/uevent", "DRIVER=efa\nPCI_ID=1d0f:efa0\n"),
    "an interface has no device": lambda: shutil.rmtree(efa(1) + "/infiniband"),
    "an interface has no verbs": lambda: shutil.rmtree(efa(1) + "/infiniband_verbs"),
    "a GID is zero": lambda: put(gid(1), "0000:0000:0000:0000:0000:0000:0000:0000\n"),
    "a GID is another's": lambda: shutil.copy(gid(0), gid(1)),
    "no interface has a driver": lambda: [put(FUNCTIONS + "/" + name + "/uevent", "PCI_CLASS=20000\nPCI_ID=1D0F:EFA0\n")
                                          for name in os.listdir(FUNCTIONS)
                                          if os.path.exists(FUNCTIONS + "/" + name + "/infiniband")],
    "the driver of the GPUs is not loaded": lambda: [shutil.rmtree("proc/driver"), os.remove("dev/kmsg"),
                                                     [os.remove("dev/" + name) for name in os.listdir("dev")
                                                      if name.startswith("nvidia")]],
    "the GPUs have no device nodes": lambda: [os.remove("dev/" + name) for name in os.listdir("dev")
                                              if name.startswith(("nvidia", "neuron"))],
    "no device is EFA": lambda: [shutil.rmtree(efa(0)) for _ in range(4)],
    "a GPU fell off the bus": lambda: [shutil.rmtree("proc/driver/nvidia/gpus/" + os.listdir("proc/driver/nvidia/gpus")[0]),
                                       os.remove("dev/nvidia3"),
                                       put("dev/kmsg", "6,1,0,-;NVRM: Xid (PCI:0000:53:00): 79, pid=1\n"
                                                       "6,1,0,-;NVRM: Xid (PCI:0000:54:00): 13, pid=1\n"
                                                       "6,1,0,-;NVRM: Xid (0000:55:00): 48, pid=1\n")],
    "all GPUs have an Xid": lambda: put("dev/kmsg", xids()),
    "all GPUs but one have an Xid": lambda: put("dev/kmsg", xids().split("\n", 2)[2]),
    "all GPUs have an Xid, and a switch is broken": lambda: put(
        "dev/kmsg", xids() + "6,1,0,-;nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, Fatal, Link 28\n"),
    "all GPUs have an Xid, and a port": lambda: put(
        "dev/kmsg", xids() + "6,1,0,-;pcieport 0000:52:01.0: AER: Uncorrectable (Fatal) error message received\n"),
    "no GPU can be initialised": lambda: put("dev/kmsg", xids("NVRM: GPU %s: RmInitAdapter failed! (0x26:0x65:1482)")),
    "the fabric manager is dead": lambda: shutil.rmtree("proc/77"),
    "a file system is hidden": lambda: put("proc/mounts", "a /fsx lustre rw 0 0\ntmpfs /fsx tmpfs rw 0 0\n"),
    "CPUs are off": lambda: put("sys/devices/system/cpu/online", "0-2,5,7-8\n"),
    "memory is missing": lambda: put("proc/meminfo", "MemTotal:   1000 kB\n"),
    "a disk is no disk": lambda: put("sys/class/nvme/nvme1/model", "Other\n"),
    "strings are not printable": lambda: put("sys/class/dmi/id/product_name", 'a"b\\c\xff d\n'),
    "a string is long": lambda: put("sys/class/dmi/id/product_name", "x" * 600 + "\n"),
    "a driver is old": lambda: put("sys/module/efa/version", "2.9.99\n"),
    "a driver is newer": lambda: put("sys/module/efa/version", "2.10\n"),
    "a huge page is missing": lambda: put("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "007\n"),
    "a check only warns": lambda: add("?mount /none lustre"),
    "what the second stage looks at": lambda: [add("lnet efa"), add("gpu.fabric /none"), add("libfabric /none")],
    "a file is wanted": lambda: [add("file /etc/none"), add("file /usr/bin"), add("module none")],
    "the record is empty": lambda: record(""),
    "the record is missing": lambda: os.remove("run/dtc/expect"),
    "the record has another version": lambda: record("dtc-expect 2\ngroup a\n"),
    "the record has an unknown key": lambda: add("efa.size 3"),
    "a key has no value": lambda: add("mtu"),
    "a key stands twice": lambda: add("cpus 1"),
    "a byte is none of the record's": lambda: add("group $(id)"),
    "nothing is expected": lambda: record("dtc-expect 1\n"),
}


def run(command, tree):
    done = subprocess.run(command + ["--root", tree], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    verdict = json.loads(done.stdout)
    with open(tree + "/run/dtc/verdict.json", "rb") as file:
        assert file.read() == done.stdout, "the file holds another verdict"
    assert abs(verdict["time"] - time.time()) < 60, "the verdict is of another time"
    # Free space may change meanwhile; the second of two that are the same is either.
    checks = [(check["id"], check["s"], check["want"], check["class"],
               set(re.sub("[^ ]+=same-gid|(?<=lustre) .*", "=same-gid", check["got"]).split()))
              for check in verdict["checks"]]
    return (done.returncode, checks) + tuple(verdict[key] for key in ("v", "phase", "node", "instance", "group", "fail", "warn",
                                                                      "verdict"))


class Comparison:
    def __init__(self, core):
        self.core, self.passed, self.failed = core, 0, 0

    def compare(self, claim, shell, tree):
        try:
            wanted, found = run([self.core], tree), run(shell + [CHECK], tree)
        except (AssertionError, ValueError) as fault:
            wanted, found = None, str(fault)
        if wanted == found:
            self.passed += 1
            print("ok %s: %s" % (" ".join(shell), claim))
            return
        self.failed += 1
        print("not ok %s: %s" % (" ".join(shell), claim))
        for one, other in zip(wanted, found) if wanted else [(wanted, found)]:
            if isinstance(one, list):
                one, other = [check for check in one if check not in other], [check for check in other if check not in one]
            if one != other:
                print("    the program: %s\n    the shell:   %s" % (one, other))


def copy(tree):
    work = tree + ".work"
    shutil.rmtree(work, ignore_errors=True)
    subprocess.run(["cp", "-a", tree, work], check=True)
    return work


def kinds(tree):
    """A file of each kind: those whose paths differ in numbers alone are one."""
    found = {}
    for folder, _, files in os.walk(tree):
        for file in files:
            path = os.path.relpath(os.path.join(folder, file), tree)
            found.setdefault(re.sub("[0-9a-f]+", "0", path), path)
    return sorted(path for path in found.values() if not path.startswith("run/"))


def mutate(comparison, shell, tree, but=()):
    work = copy(tree)
    for path in kinds(tree):
        if path in but:
            continue
        with open(os.path.join(tree, path), "rb") as file:
            data = file.read()
        for name, text in ("removed", None), ("emptied", b""), ("cut", data[:len(data) // 2]), ("other", b"\1other\n"):
            os.remove(os.path.join(work, path))
            if text is not None:
                with open(os.path.join(work, path), "wb") as file:
                    file.write(text)
                shutil.copymode(os.path.join(tree, path), os.path.join(work, path))
            comparison.compare("%s %s" % (path, name), shell, work)
            if text is None:
                open(os.path.join(work, path), "wb").close()
        shutil.copy2(os.path.join(tree, path), os.path.join(work, path))


def slim(tree):
    """Without most of the processes, which are a thousand files that nobody asks for."""
    for number in range(100, 301):
        shutil.rmtree("%s/proc/%d" % (tree, number))
    return tree


def main(core, trees):
    comparison, skipped, home, names = Comparison(os.path.abspath(core)), 0, os.getcwd(), sorted(os.listdir(trees))
    small = slim(copy(os.path.join(trees, "p4d.24xlarge")))
    other = slim(copy(os.path.join(trees, "trn1.32xlarge")))
    for shell in ["dash"], ["bash"], ["busybox", "ash"]:
        if shutil.which(shell[0]) is None:
            skipped += 1
            print("skipped: %s is not installed" % shell[0])
            continue
        for name in names:
            comparison.compare(name, shell, os.path.join(trees, name))
        for name, happens in FAULTS.items():
            work = copy(small)
            os.chdir(work)
            happens()
            os.chdir(home)
            comparison.compare(name, shell, work)
            shutil.rmtree(work)
    if shutil.which("dash"):
        mutate(comparison, ["dash"], small)
        mutate(comparison, ["dash"], other, kinds(small))
    print("%d passed, %d failed, %d skipped" % (comparison.passed, comparison.failed, skipped))
    raise SystemExit(comparison.failed > 0)


main(*sys.argv[1:])
