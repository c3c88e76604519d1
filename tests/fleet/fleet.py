"""Starts fleets of 64 nodes on what dtc wrote for each target: fleet.py OUT TREES SCRATCH.

Which nodes are at fault follows from a seed. The services that start and end instances are of services.py; what becomes of an
instance is what its own bootstrap does, see machine.py. TREES has a file `kinds`, a line for each tree: its folder, `healthy`,
`hardware` or `image`, and what is at fault. Prints a line for each claim, as tests/support/claims.sh does, and for each
fleet, behind the word `row`, with tabs between: target, on_fail, fault, instances started and ended, and nodes that
do not work and that work after an hour; behind `said`: what the console of a node has.

It is in a mount namespace of its own, where it may mount."""
import os
import re
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../conformance")
import machine
import node_checks
import services

SIZE, HOUR, SEED = 64, 60, 17
BOOT, LATE = 2, 3  # minutes until cloud-init's scripts run, and less than how much more that may be
# An hour has room for so many instances in one place, each of which is kept for ten minutes.
STARTS_MAX = 6
# Of a group on AWS Batch or Amazon EKS as many may fail in an hour and be kept from work.
FIFTH = SIZE // 5

# Target, on_fail as written, whose scripts, service, fault.
FLEETS = [
    ("AWS Batch", "-", "BatchPlainLaunchTemplate", services.Replacing, "1 node"),
    ("AWS Batch", "-", "BatchPlainLaunchTemplate", services.Replacing, "6 nodes"),
    ("AWS Batch", "-", "BatchPlainLaunchTemplate", services.Replacing, "image"),
    ("AWS Batch", "-", "BatchPlainLaunchTemplate", services.Replacing, "all nodes"),
    ("AWS Batch", "quarantine", "BatchQuarantineLaunchTemplate", services.Replacing, "image"),
    ("AWS Batch", "terminate", "BatchTerminateLaunchTemplate", services.Replacing, "image"),
    ("Amazon EKS", "-", "eks-plain", services.Replacing, "1 node"),
    ("Amazon EKS", "-", "eks-plain", services.Replacing, "6 nodes"),
    ("Amazon EKS", "-", "eks-plain", services.Replacing, "image"),
    ("Amazon EKS", "-", "eks-plain", services.Replacing, "all nodes"),
    ("Amazon EKS", "terminate", "eks-terminate", services.Replacing, "image"),
    ("ParallelCluster", "-", "parallelcluster.plain", services.Clustermgtd, "1 node"),
    ("ParallelCluster", "-", "parallelcluster.plain", services.Clustermgtd, "6 nodes"),
    ("ParallelCluster", "-", "parallelcluster.plain", services.Clustermgtd, "image"),
    ("ParallelCluster", "terminate", "written.terminate", services.Clustermgtd, "image"),
    ("AWS PCS", "-", "PcsPlainLaunchTemplate", services.Replacing, "mount"),
]


class Random:
    """The same numbers with each version of Python."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 1664525 + 1013904223) % 2**32
        return (self.state >> 8) % limit


class Instance:
    def __init__(self, place, kind, started, outcome):
        self.place, self.kind, self.started, self.outcome = place, kind, started, outcome

    def has_failed(self, now):
        return not self.outcome.works and now >= self.started + self.outcome.busy

    def works(self, now):
        return self.outcome.works and now >= self.started

    def is_off(self, now):
        return self.outcome.ends is not None and now >= self.started + self.outcome.ends


class Fleet:
    """Nodes of a group, in places, and the instances that were in each. `started` of an instance is when its scripts run."""

    size = SIZE

    def __init__(self, boots, service, fault, kinds):
        self.boots, self.service, self.fault = boots, service, fault
        self.random = Random(SEED)
        self.now, self.started, self.ended, self.most = 0, 0, 0, 0
        self.places = [None] * SIZE
        self.failed = []  # when
        self.starts = [0] * SIZE
        self.instances = []
        self.healthy = next(kind for kind in kinds if kind[1] == "healthy")
        self.hardware = [kind for kind in kinds if kind[1] == "hardware"]
        self.image = next(kind for kind in kinds if kind[1] == "image")
        self.faulty = int(fault.split()[0]) if fault[0].isdigit() else 0
        self.first_faulty = set()
        while len(self.first_faulty) < self.faulty:
            self.first_faulty.add(self.random.below(SIZE))

    def alive(self):
        return [instance for instance in self.places if instance is not None]

    def kind_of(self, place):
        """At first as many as were asked for are at fault, later each instance with that probability."""
        if self.fault == "image":
            return self.image
        if self.fault == "mount":
            return self.healthy
        is_first = self.starts[place] == 1
        is_faulty = place in self.first_faulty if is_first else self.random.below(SIZE) < self.faulty
        if self.fault == "all nodes" or is_faulty:
            return self.hardware[self.random.below(len(self.hardware))]
        return self.healthy

    def start(self, count):
        free = [place for place in range(SIZE) if self.places[place] is None][:count]
        for place in free:
            self.starts[place] += 1
        starts = [(place, self.kind_of(place), self.now + BOOT + self.random.below(LATE)) for place in free]
        for place, kind, when in sorted(starts, key=lambda start: start[2]):
            outcome = self.boots.of(kind, [when - minute for minute in self.failed])
            if outcome.counts:
                self.failed.append(when)
            instance = Instance(place, kind, when, outcome)
            self.places[place] = instance
            self.instances.append(instance)
        self.started += len(free)
        self.most = max(self.most, len(self.alive()))

    def end(self, instance):
        self.places[instance.place] = None
        self.ended += 1

    def run(self):
        for self.now in range(HOUR + 1):
            for instance in self.alive():
                if instance.is_off(self.now):
                    self.end(instance)
            self.service.step(self)
        return self


class Boots:
    """What becomes of instances that run these scripts. One of each kind is really started; how the others end is then
    known. With EVERY=1 as many are as a fleet has nodes."""

    FEW = SIZE if os.environ.get("EVERY") else 1

    def __init__(self, world, scripts):
        self.world, self.scripts, self.known = world, scripts, {}

    def of(self, kind, failed):
        """`failed`: how many minutes ago others of the group have, the oldest first."""
        is_one_of_many = len(failed) >= FIFTH and failed[-FIFTH] <= HOUR
        known = self.known.setdefault((kind, is_one_of_many), [])
        if len(known) < self.FEW:
            seconds = [int(time.time()) - 60 * minutes for minutes in failed]
            known.extend(self.world.boot([(kind[0], self.scripts, seconds)]))
        return known[-1]


def claim(about, text, holds, evidence=""):
    print("%s %s: %s" % ("ok" if holds else "not ok", about, text))
    if not holds and evidence:
        print("    " + str(evidence).replace("\n", "\n    "))


def sentence(console):
    """The line of a console that says what the verdict is."""
    return next((line for line in console.splitlines() if line.startswith(("dtc-node: status", "user data: "))), "")


def judge(target, on_fail, fleet):
    about = "%s, on_fail %s, %s" % (target, on_fail, fleet.fault)
    alive = fleet.alive()
    working = [instance for instance in alive if instance.works(fleet.now)]
    at_fault = [instance for instance in fleet.instances if instance.kind != fleet.healthy or fleet.fault == "mount"]
    silent = [instance for instance in at_fault if not sentence(instance.outcome.says)]
    wrong = [instance for instance in fleet.instances
             if instance.kind == fleet.healthy and fleet.fault != "mount" and not instance.outcome.works]
    claim(about, "each instance that was started has ended or is there", fleet.started == fleet.ended + len(alive))
    claim(about, "there are no more at a time than the group may have", fleet.most <= SIZE, fleet.most)
    claim(about, "no place has more than %d instances in an hour" % STARTS_MAX, max(fleet.starts) <= STARTS_MAX, fleet.starts)
    claim(about, "a healthy node takes work", not wrong, wrong and wrong[0].outcome.says)
    claim(about, "what is at fault is said", not silent, silent and (silent[0].kind, silent[0].outcome.says))
    if fleet.fault == "image" and on_fail == "-":
        claim(about, "an image at fault ends nothing and keeps nobody from work", (fleet.ended, len(working)) == (0, SIZE))
    elif target == "AWS PCS":
        sealed = [one for one in at_fault if re.search(r"^mount -t tmpfs -o ro,mode=555 missing /", one.outcome.calls, re.M)]
        claim(about, "a file system that is missing starts nothing in place of others", (fleet.started, fleet.ended) == (SIZE, 0))
        claim(about, "nobody can write to its place", len(sealed) == len(at_fault))
    elif fleet.failed and (fleet.fault == "image" or fleet.fault == "all nodes"):
        refused = [one for one in at_fault if not one.outcome.works]
        claim(about, "a fifth is kept from work", len(refused) == FIFTH, len(refused))
        claim(about, "what more nodes have is not theirs", len(working) >= SIZE - FIFTH, len(working))
        claim(about, "no more are bought than were ended", fleet.started == SIZE + fleet.ended and fleet.ended <= FIFTH)
    else:
        claim(about, "nothing at fault takes work", not [one for one in at_fault if one.outcome.works])
    if fleet.faulty:
        claim(about, "as many are at fault as were asked for", len({one.place for one in at_fault}) >= fleet.faulty)
    if on_fail == "quarantine" and target == "AWS Batch" or on_fail == "-" and target == "Amazon EKS":
        claim(about, "nothing is ended", fleet.ended == 0)
    if target == "ParallelCluster" and fleet.fault == "image" and on_fail != "-":
        claim(about, "the queue starts no more nodes", fleet.service.is_protected and not alive)
        claim(about, "no place has a third instance", max(fleet.starts) <= 2)
    print("row", target, on_fail, fleet.fault, fleet.started, fleet.ended, len(alive) - len(working), len(working),
          sep="\t")
    for text in sorted({sentence(instance.outcome.says) for instance in at_fault}):
        print("said", target, on_fail, text, sep="\t")


def main(out, trees, scratch):
    with open(trees + "/kinds", encoding="utf-8") as file:
        kinds = [tuple(line.rstrip("\n").split("\t")) for line in file]
    bodies = {}
    for name, body in node_checks.checks(out):
        bodies.setdefault(name, []).append(body)
    for name, body in node_checks.parts(out):
        if name == "PcsPlainLaunchTemplate":
            bodies.setdefault(name, []).append(body)
    world = machine.World(scratch)
    boots = {}
    for name, parts in bodies.items():
        scripts = ["%s/%s.%d" % (scratch, name, number) for number in range(len(parts))]
        for path, body in zip(scripts, parts):
            with open(path, "wb") as file:
                file.write(body)
            os.chmod(path, 0o700)
        boots[name] = Boots(world, scripts)
    for target, on_fail, name, service, fault in FLEETS:
        judge(target, on_fail, Fleet(boots[name], service(), fault, kinds).run())


main(*sys.argv[1:])
