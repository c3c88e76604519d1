# shellcheck shell=sh disable=SC2154
# AWS Batch: an ECS agent that is off takes no work, and does not say either when a job has ended. So it goes off while
# nothing runs, and until then a fault is only said. Batch manages its instances itself: on ECS Managed
# Instances its jobs fail where one is drained (AWS Batch User Guide, Instance draining and task interruptions,
# 2026-11), and of others no source says what becomes of them. So none is drained. A job that is placed in the moment
# between is lost, as it is with every node that ends.
tell() { :; }

# Between a job that fails here and its next attempt there are seconds: who looks only every few minutes never meets
# them, and the node gets all attempts. So it looks each second, until the next look is due.
hold() { # WHY
    turn=0
    # Tasks that the agent knows and that have not ended (Amazon ECS Developer Guide, container introspection, 2026-11).
    # No answer: something may run.
    while curl -fsm 2 http://localhost:51678/v1/tasks >tasks || exit 0 && grep -q '"KnownStatus":"[^S]' tasks; do
        [ $((turn += 1)) -lt 200 ] || exit 0
        sleep 1
    done
    # It has been asked.
    brake() { :; }
    # The agent needs this unit, and stops with it.
    systemctl stop --no-block dtc-node
    refuse "$1"
}
