#!/bin/sh
# Runs the benchmark in a scratch folder of the file system that holds the build: run.sh BUILD. Files cost what they
# cost there, so that is where a user would have them.
set -u
cd "$(dirname "$0")/../.." || exit 3

scratch=$(mktemp -d "$1/bench-XXXXXX") || exit 3
trap 'rm -rf "$scratch"' EXIT
if "$1/tests/bench/bench" "$1" "$scratch/run" .; then
    exit 0
fi
tail -n 5 "$scratch"/run/*.err 2>/dev/null
exit 1
