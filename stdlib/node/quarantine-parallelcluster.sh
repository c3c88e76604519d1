# shellcheck shell=sh
# A custom action of AWS ParallelCluster: that it fails is all that is needed. The bootstrap fails with it, the instance
# is ended and another one started. What only warns ends well, since every failure counts: with protected_failure_count
# of them in a row and no node that comes up, ten unless clustermgtd is told otherwise, the cluster goes into protected
# mode, and the queue starts no more nodes.
quarantine() { :; }
