# shellcheck shell=sh disable=SC2154
# AWS Batch: an ECS agent that is off takes no work, and does not say either when a job has ended. So it goes off while
# nothing runs, and until then a fault is only said: draining would have to be allowed to the nodes, and Batch manages
# its instances itself. A job that is placed in the moment between is lost, as it is with every node that ends.
tell() { :; }

hold() { # WHY
    # Tasks that the agent knows and that have not ended (Amazon ECS Developer Guide, container introspection, 2026-11).
    # No answer: something may run.
    if ! curl -fsm 2 http://localhost:51678/v1/tasks >tasks || grep -q '"KnownStatus":"[^S]' tasks; then
        exit 0
    fi
    # The agent needs this unit, and stops with it.
    systemctl stop --no-block dtc-node
    refuse "$1"
}
