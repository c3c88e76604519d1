# shellcheck shell=sh
# AWS PCS: its agent starts slurmd behind user data, whatever became of it. PCS replaces a node that is off, that does
# not join within about half an hour, or that is drained, for as long as a job waits or the group wants its least number
# (AWS PCS User Guide, Run custom scripts with node lifecycle actions; awslabs/awsome-distributed-ai@03291426,
# architectures/aws-pcs/assets/add-cng.yaml, 2026-11). It counts no failures, and what one node lacks all may lack: such
# a loop has no end. So the node stays, and joins. Where the file system is missing stands an empty one that nobody can
# write to: a job that needs it fails there, once, and nothing is lost on the node's own disk.
quarantine() {
    mkdir -p "$1"
    mount -t tmpfs -o ro,mode=555 missing "$1"
    exit
}
