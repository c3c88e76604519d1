# shellcheck shell=sh
# AWS PCS: its agent starts slurmd behind user data, whatever became of it. A node that is off never joins the cluster.
# AWS PCS ends a node whose lifecycle script fails and starts another one (AWS PCS User Guide, Run custom scripts with
# node lifecycle actions, 2026-11); that it does so with a node that is off is to be expected, and was not seen. The
# console keeps the line that says why.

quarantine() {
    # What one node lacks all of them may lack: for a person to look at, and so that no place has a new node more than
    # five times an hour. Meanwhile the agent waits for this.
    sleep 600
    # Without waiting: systemd ends cloud-init, which waits for this.
    systemctl --no-block poweroff
}
