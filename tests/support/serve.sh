# shellcheck shell=bash
# Runs of dtc that share one start, for test scripts to source: tests/serve/serve.c.

# Begins with what stands beside DTC. Where that is older, and where SHARED is empty, each run starts dtc anew.
serve_begin() { # DTC SCRATCH SHARED
    local program=${1%/*}/tests/serve/serve
    serve_dtc=$1 serve_process=
    [ -n "$3" ] && [ -x "$program" ] && [ ! "$1" -nt "$program" ] || return 0
    mkfifo "$2/commands" "$2/answers" || exit 3
    # What libraries call is looked up at the start, and not in each run.
    LD_BIND_NOW=1 "$program" <"$2/commands" >"$2/answers" &
    serve_process=$!
    exec {serve_commands}>"$2/commands" {serve_answers}<"$2/answers"
}

# Runs dtc in the working folder and returns its status. Where `serve_leaks` is empty, a sanitized dtc looks for no leaks,
# which takes as long as the rest of a small run.
serve_leaks=leaks
serve() { # OUT ERRORS ARGUMENT…
    local status=125
    if [ -z "$serve_process" ]; then
        "$serve_dtc" "${@:3}" >"$1" 2>"$2" </dev/null
        return
    fi
    printf '%s\0' "$serve_leaks" "$PWD" "$@" $'\1' >&"$serve_commands"
    read -r -u "$serve_answers" status
    return "$status"
}

# It ends when nothing can follow.
serve_end() {
    [ -n "${serve_process:-}" ] || return 0
    exec {serve_commands}>&-
    wait "$serve_process"
}
