"""Services that keep nodes running, as far as their documentation or source says what they do with those that end. Time is
in minutes."""


class Replacing:
    """Starts an instance for each that has ended, for as long as anybody wants it.

    An AWS Batch compute environment does while jobs wait (AWS Batch User Guide, compute environments, 2026-11), and an
    Auto Scaling group always, which takes a stopped instance for an unhealthy one (Amazon EC2 Auto Scaling User Guide,
    health checks, 2026-11). AWS PCS says no more than that it replaces nodes that fail, and
    names no number after which it stops."""

    is_protected = False

    def step(self, fleet):
        fleet.start(fleet.size - len(fleet.alive()))


class Clustermgtd:
    """AWS ParallelCluster's daemon, for static nodes of a queue: aws-parallelcluster-node@2e8f9a8,
    src/slurm_plugin/clustermgtd.py, _maintain_nodes and _handle_protected_mode_process. It looks once a minute. An instance
    whose bootstrap fails ends itself. What is counted is forgotten where a node of the queue is up."""

    FAILURES_MAX = 10  # protected_failure_count

    def __init__(self):
        self.failures = 0
        self.is_protected = False

    def step(self, fleet):
        if self.is_protected:
            for instance in fleet.alive():
                fleet.end(instance)
            return
        failed = [instance for instance in fleet.alive() if instance.has_failed(fleet.now)]
        for instance in failed:
            fleet.end(instance)
        fleet.start(fleet.size - len(fleet.alive()))
        if any(instance.works(fleet.now) for instance in fleet.alive()):
            self.failures = 0
        self.failures += len(failed)
        self.is_protected = self.failures >= self.FAILURES_MAX
