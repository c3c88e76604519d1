#!/bin/sh
# Fails on an include that points back. The layers, from the one that knows nothing to the one that knows everybody; a
# file may include headers of its own layer and of those before it. Emitters see less than that: the Plan, the document,
# base and their own folder; emitters.c, which lists them, sees each. A library's header stands in the files named for
# it, and nowhere else.
set -u
cd "$(dirname "$0")/.." || exit 3

find compiler schema emitters stdlib -name '*.[ch]' -o -name '*.def' | LC_ALL=C sort | xargs awk '
BEGIN {
    count = split("stdlib/node/ compiler/base/ compiler/syntax/ schema/ compiler/semantics/ compiler/plan/ " \
                  "compiler/readers/ emitters/ compiler/driver/", layers, " ")
    split("yaml.h emitters/yaml.c|libfyaml.h compiler/base/yaml_read.c|jansson.h compiler/base/json.c|" \
          "pcre2.h compiler/base/pattern.c|sha2.h compiler/base/file.c|zlib.h compiler/base/gzip.c", pairs, "|")
    for (i in pairs) {
        split(pairs[i], pair, " ")
        owner[pair[1]] = pair[2]
    }
}

function layer_of(path, i) {
    if (path == "schema_kinds.h") # generated
        path = "schema/"
    for (i = 1; i <= count; i++)
        if (index(path, layers[i]) == 1)
            return i
    return 0
}

function folder_of(path) {
    sub(/[^\/]*$/, "", path)
    return path
}

function fault(text) {
    printf "not ok %s:%d: %s\n", FILENAME, FNR, text
    faults++
}

FNR == 1 { files++ }

/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, parts, "\"")
    path = parts[2]
    from = layer_of(FILENAME)
    to = layer_of(path)
    if (to == 0)
        fault("`" path "` is in no layer: write the path from the root")
    else if (path ~ /\.c$/)
        fault("`" path "` is a source file")
    else if (to > from)
        fault("`" layers[from] "` may not know `" path "`, which is in a layer after it")
    else if (index(FILENAME, "emitters/") == 1 && FILENAME != "emitters/emitters.c" && to > 2 && path != "compiler/plan/plan.h" &&
             folder_of(path) != "emitters/" && folder_of(path) != folder_of(FILENAME))
        fault("an emitter sees the Plan, the document, base and its own folder, not `" path "`")
    includes++
}

/^[ \t]*#[ \t]*include[ \t]*</ {
    split($0, parts, "[<>]")
    if (parts[2] in owner && owner[parts[2]] != FILENAME)
        fault("<" parts[2] "> belongs to " owner[parts[2]])
}

END {
    if (!faults)
        printf "ok layers: %d includes of %d files\n", includes, files
    printf "%d passed, %d failed, 0 skipped\n", !faults, faults
    exit faults > 0
}'
