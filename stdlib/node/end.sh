# shellcheck shell=sh disable=SC2154
# Ends an instance that has failed, so that its place is free for another one. By a timer, so that the unit of the check
# has failed meanwhile, as have those that need it. What the console heard EC2 keeps for about an hour behind its end.
end() {
    systemd-run --unit=dtc-end --on-active="${keep}min" systemctl poweroff &&
        say "ends in $keep minutes, unless: systemctl stop dtc-end.timer; later: aws ec2 get-console-output --instance-id $id"
}
