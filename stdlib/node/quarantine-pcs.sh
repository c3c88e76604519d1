# shellcheck shell=sh
# AWS PCS: its agent starts slurmd behind user data, whatever became of it. A node that is off never joins the cluster,
# and AWS PCS ends it and starts another one, as it does after a lifecycle script that fails (AWS PCS User Guide, Run
# custom scripts with node lifecycle actions, 2026-11). The console keeps the line that says why.

quarantine() {
    # Without waiting: systemd ends cloud-init, which waits for this.
    systemctl --no-block poweroff
}
