#!/bin/sh
# Prints compile_commands.json: compile_commands.sh FOLDER COMMAND SOURCE…
set -u
folder=$1
command=$2
shift 2
escape() {
    printf '%s' "$1" | sed 's/[\\"]/\\&/g'
}
folder=$(escape "$folder")
command=$(escape "$command")
before='['
for source; do
    printf '%s\n  { "directory": "%s", "file": "%s", "command": "%s -c %s" }' "$before" "$folder" "$source" "$command" "$source"
    before=,
done
printf '\n]\n'
