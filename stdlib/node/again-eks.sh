# shellcheck shell=sh
# Amazon EKS: the node is cordoned, so that no pod comes to it, and those that run go on. It says so in a condition of
# its own, for `kubectl describe node`: EKS's node monitoring agent writes over conditions of its types every five
# minutes (aws/eks-node-monitoring-agent@51af549, pkg/manager/node_exporter.go, 2026-08). A person or an autoscaler ends
# it.
#
# By the kubelet's credentials, which may write the node's own status and whether it takes pods, and no taint
# (kubernetes@01467da, plugin/pkg/admission/noderestriction, admitNode).

# The kubelet's command for a token, whichever it is.
change_node() { # SUBRESOURCE PATCH
    config=/var/lib/kubelet/kubeconfig
    node=$(tr '\0' '\n' <"/proc/$(systemctl show --property=MainPID --value kubelet)/cmdline" |
        sed -n 's/^--hostname-override=//p')
    # shellcheck disable=SC2046 # words
    token=$($(sed -n 's/^ *command: *//p' $config) $(sed -n '/args:/,$s/^ *- *//p' $config | tr -d "\"'") |
        grep -o '"token": *"[^"]*' | sed 's/.*"//')
    # In no command line, which all may read.
    echo "Authorization: Bearer $token" |
        curl -fsm 20 -o /dev/null -H @- -H 'Content-Type: application/strategic-merge-patch+json' -X PATCH -d "$2" \
            --cacert "$(sed -n 's/^ *certificate-authority: *//p' $config)" \
            "$(sed -n 's/^ *server: *//p' $config)/api/v1/nodes/${node:-$(hostname)}$1"
}

tell() { # STATUS REASON MESSAGE
    now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
    [ "$(cat told 2>/dev/null)" = "$*" ] ||
        change_node /status "{\"status\":{\"conditions\":[{\"type\":\"dtc.dev/Checked\",\"status\":\"$1\",\"reason\":\"$2\",\"message\":\"$3\",\"lastHeartbeatTime\":\"$now\",\"lastTransitionTime\":\"$now\"}]}}" &&
        echo "$*" >told
}

hold() { # WHY
    tell False Failed "$1"
    # Once: who uncordons it has decided.
    if [ ! -e held ]; then
        change_node '' '{"spec":{"unschedulable":true}}' && : >held && say "cordoned: $1"
    fi
}
