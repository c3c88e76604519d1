# shellcheck shell=sh disable=SC3043
# How test scripts count and what they print, for them to source. Each claim is a line: `ok TEXT`, `not ok TEXT` or
# `skipped: TEXT`. The last line sums up, and tests/run reads it. SC3043: every shell that runs these has `local`.
passed=0
failed=0
skipped=0

# What the claims that follow are about stands before each: a shell, a fixture.
about=

pass() { # TEXT
    passed=$((passed + 1))
    echo "ok ${about:+$about: }$1"
}

# With the first lines of FILE, and of what the script's own evidence() prints.
fail() { # TEXT [WHAT [FILE]]
    failed=$((failed + 1))
    echo "not ok ${about:+$about: }$1${2:+: $2}"
    {
        [ -z "${3:-}" ] || cat "$3"
        evidence
    } | head -n 60 | sed 's/^/    /'
}

# A script defines this anew: it prints what helps to see why a claim failed.
evidence() {
    :
}

skip() { # TEXT [WHY]
    skipped=$((skipped + 1))
    echo "skipped: $1${2:+: $2}"
}

claim() { # TEXT COMMAND…
    local claimed=$1
    shift
    if "$@"; then
        pass "$claimed"
    else
        fail "$claimed"
    fi
}

# For a claim that takes more than one command: its status comes first.
result() { # STATUS TEXT
    if [ "$1" = 0 ]; then
        pass "$2"
    else
        fail "$2"
    fi
}

# Sums up and ends the script. One that has tried nothing has found nothing out.
finish() {
    [ $((passed + failed + skipped)) != 0 ] || fail 'nothing was tried'
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ]
    exit
}

# Ends a script that cannot run here.
skip_all() { # WHY
    skip "$1"
    finish
}
