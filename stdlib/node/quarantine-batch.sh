# shellcheck shell=sh disable=SC2034
# AWS Batch: without its agent an instance never joins the ECS cluster, and no job comes to it.
consequence='the ECS agent stays off'

quarantine() {
    # Without waiting: the agent starts behind cloud-init, which waits for this.
    systemctl mask --now --no-block ecs.service || systemctl disable --now --no-block ecs.service
}
