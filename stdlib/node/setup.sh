# shellcheck shell=bash
# Runs the scripts of the parts below, one after the other, until one fails. It stands in fail.sh.

run() { # FILE NAME
    chmod 700 "$1"
    "$1" </dev/null || fail "setup: $2 ended with status $?"
}

may_run() {
    [ ! -e /run/dtc/failed ] || exit 1
    mkdir -p /var/lib/dtc
}

# The script comes on standard input.
setup() { # NUMBER NAME
    local file=/var/lib/dtc/setup-$1
    may_run
    cat >"$file" || fail "setup: $2 could not be written"
    run "$file" "$2"
}

# FILE URL; a part that fetches in another way defines its own.
download() {
    curl -fsSL --proto '=https' --connect-timeout 10 -m 60 -o "$1" "$2"
}

fetch() { # NUMBER URL [SHA256]
    local file=/var/lib/dtc/setup-$1 try
    may_run
    for try in 1 2 3 4 5; do
        download "$file" "$2" && break
        [ "$try" != 5 ] || fail "setup: $2 could not be fetched, five times"
        sleep $((try * 5))
    done
    [ -z "$3" ] || echo "$3  $file" | sha256sum -c --status || fail "setup: $2 has another SHA-256 than $3"
    run "$file" "$2"
}
