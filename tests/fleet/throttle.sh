# shellcheck shell=bash
# 300 nodes of one group that fail in the same second, for tests/fleet.sh to source: each runs brake.sh and patient.sh beside a Systems
# Manager that takes three PutParameter calls in a second, and turns the others away. Time is each node's own: `sleep` adds
# to it, and so nothing here depends on how busy this machine is. Numbers of shuf follow from a seed.
: "${scratch:?}"
crowd=$scratch/crowd
many=300
most=60
a_second=3

make_crowd() {
    mkdir -p "$crowd/bin" "$crowd/seconds" "$crowd/node"
    : >"$crowd/history"
    # shellcheck disable=SC2016
    {
        printf '#!/bin/sh\nread -r all <"$NODE/slept"\necho $((all + $1)) >"$NODE/slept"\n' >"$crowd/bin/sleep"
        printf '#!/bin/sh\nshift\nexec "$@"\n' >"$crowd/bin/timeout"
        # shuf -i 1-LIMIT -n 1
        cat >"$crowd/bin/shuf" <<'END'
#!/bin/sh
read -r state <"$CROWD/random"
state=$(((state * 1664525 + 1013904223) % 4294967296))
echo $state >"$CROWD/random"
echo $((1 + (state >> 8) % ${2#1-}))
END
        cat >"$crowd/bin/aws" <<'END'
#!/bin/sh
read -r second <"$NODE/slept"
case $2 in
put-parameter)
    echo put >>"$NODE/asked"
    echo >>"$CROWD/seconds/$second"
    if [ "$(wc -l <"$CROWD/seconds/$second")" -gt "$A_SECOND" ]; then
        echo 'An error occurred (ThrottlingException) when calling the PutParameter operation: Rate exceeded' >&2
        exit 254
    fi
    echo "${*##*--value }" >>"$CROWD/history"
    wc -l <"$CROWD/history"
    ;;
get-parameter)
    set -- "${*#*failed:}"
    sed -n "${1%% *}p" "$CROWD/history"
    ;;
esac
END
    }
    chmod 755 "$crowd"/bin/*
    echo 17 >"$crowd/random"
    {
        cat stdlib/node/{aws,brake,patient}.sh
        # As refuse() of check.sh asks.
        printf 'mild= keep=10 parameter=/dtc/llm/train most=%s\nbrake || keep=\n' $most
        printf 'echo "${keep:-stays} ${mild:-refused}"\n'
    } >"$crowd/script"
}

# What becomes of each, a line: minutes that it is kept or `stays`, and why it takes work or `refused`.
crowd_fails() { # A_SECOND
    local number
    rm -rf "$crowd"
    make_crowd
    for ((number = 1; number <= many; number++)); do
        mkdir "$crowd/node/$number"
        echo 0 >"$crowd/node/$number/slept"
        (cd "$crowd/node/$number" && PATH=$crowd/bin:$PATH CROWD=$crowd NODE=$PWD A_SECOND=$1 \
            sh "$crowd/script" 2>/dev/null | tail -n 1)
    done >"$crowd/ends"
    cat "$crowd"/node/*/asked | wc -l >"$crowd/calls"
    cat "$crowd"/node/*/slept | sort -n | tail -n 1 >"$crowd/longest"
}

ends_so() { # WORDS
    grep -cx -- "$1" "$crowd/ends"
}

throttled_fleet() {
    crowd_fails $a_second
    claim "$many nodes fail at once: each of them ends" [ "$(wc -l <"$crowd/ends")" = $many ]
    claim "$many nodes fail at once: a fifth is kept from work" [ "$(ends_so '10 refused')" = $most ]
    claim "$many nodes fail at once: all others take work" \
        [ "$(ends_so '10 more than [0-9]* of its group failed within an hour')" -gt $((many - most - many / 10)) ]
    claim "$many nodes fail at once: nobody stays uncounted" [ "$(grep -c '^stays' "$crowd/ends")" = 0 ]
    claim "$many nodes fail at once: nobody waits for more than 450 s" [ "$(cat "$crowd/longest")" -le 450 ]
    claim "$many nodes fail at once: Systems Manager is asked, and throttles" [ "$(cat "$crowd/calls")" -gt $((many * 3 / 2)) ]
    many=50
    crowd_fails 0
    claim "Systems Manager hears nobody: all $many take work, and nobody is ended" \
        [ "$(ends_so '10 too many fail at once to be counted')" = $many ]
    claim "Systems Manager hears nobody: each asks six times" [ "$(cat "$crowd/calls")" = $((many * 6)) ]
    claim "Systems Manager hears nobody: nobody waits for more than 450 s" [ "$(cat "$crowd/longest")" -le 450 ]
}
