# shellcheck shell=sh
# A node of EKS on Amazon Linux 2023. nodeadm-run starts behind the last script of cloud-init, whatever became of that
# script, and starts the kubelet: with its start called off, the node never registers. It is not masked, since its unit
# file lies in /etc: a mask there fails, and one in /run (--runtime) is overruled (systemd issue 10583, October 2018;
# tests/conformance/quarantine.sh).

quarantine() {
    systemctl disable --now --no-block nodeadm-run kubelet
}
