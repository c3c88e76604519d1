# shellcheck shell=sh disable=SC2034,SC2154
# Behind brake.sh, where a node fetches it: user data has no room for this.
#
# An account's PutParameter calls are few a second: 3 is what AWS Support says of accounts that pay for no higher
# throughput (github.com/github-aws-runners/terraform-aws-github-runner issue 2944, 2023-02, read 2026-11; that there is
# a quota, and that ThrottlingException means it: API reference of PutParameter, read 2026-11). One parameter takes one
# writer at a time (TooManyUpdates, same page). So where hundreds fail at once, each waits for a time of its own, and
# asks six times in less than 14 minutes. Who is still turned away then is one of many: it says so, and takes work.

# shellcheck disable=SC2086 # words
ask() { # put|get VERSION QUERY [OPTIONS]
    for try in 1 2 3 4 5 6; do
        timeout 60 aws ssm "$1-parameter" --output text --name "$parameter/failed$2" --query "$3" $4 2>unheard && return
        if [ $try = 6 ] || ! is_throttled; then
            return 1
        fi
        sleep "$(shuf -i 1-$((try * 30)) -n 1)"
    done
}

# Whether what was asked last was refused because too many ask.
is_throttled() {
    grep -qE 'Throttl|Rate exceeded|TooManyUpdates' unheard
}

# It asks again at the next look.
crowd() {
    is_throttled && mild='too many fail at once to be counted'
}
