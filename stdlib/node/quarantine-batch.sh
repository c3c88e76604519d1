# shellcheck shell=sh disable=SC2034
# AWS Batch: without its agent an instance never joins the ECS cluster, and no job comes to it. It stays up, and is paid
# for, until Batch has no more jobs that ask for it or somebody ends it. Nothing caps how many are started in its place
# but the compute environment's own size.
consequence='the ECS agent stays off'

quarantine() {
    # Without waiting: the agent starts behind cloud-init, which waits for this.
    systemctl mask --now --no-block ecs.service || systemctl disable --now --no-block ecs.service
}

admit() { :; }
