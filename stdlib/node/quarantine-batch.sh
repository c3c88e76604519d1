# shellcheck shell=sh
# AWS Batch: without its agent an instance never joins the ECS cluster, and no job comes to it.

quarantine() {
    # Without waiting: the agent starts behind cloud-init, which waits for this.
    systemctl mask --now --no-block ecs.service || systemctl disable --now --no-block ecs.service
}
