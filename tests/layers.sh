#!/bin/sh
# Checks the includes of each folder, and the codes of each emitter. It fails if a file includes a folder that its own
# folder does not see, or if a reader of the Plan includes what only its builder sees. It fails if a circle of includes is
# larger than three files (X.c and X.h are one), if an emitter reports a code that is not in its list, or
# if emitters.c does not run it. Only the files named for a library may include its header, and only prose.c what explains
# the codes. A room of rules is small enough to be looked through: it fails behind 25 .c files or 6,000 lines.
set -u
cd "$(dirname "$0")/.." || exit 3

find compiler schema emitters stdlib -name '*.[ch]' -o -name '*.def' | LC_ALL=C sort | xargs awk '
# A folder, and what it sees beside itself: other folders, and all before it in this list for `<`.
function folder(path, others) {
    folders[++folder_count] = path
    sees[path] = " " others " "
    place[path] = folder_count
}

function may_report(names, list, i) {
    for (i = split(names, list, " "); i > 0; i--)
        reports[list[i]] = 0
}

BEGIN {
    folder("stdlib/node/")
    folder("compiler/base/", "<")
    folder("stdlib/", "compiler/base/")
    folder("compiler/syntax/", "<")
    folder("schema/", "<")
    folder("schema/generator/", "<")
    folder("schema/refresh/", "compiler/base/ schema/")
    folder("compiler/semantics/", "stdlib/node/ stdlib/ compiler/base/ compiler/syntax/ schema/")

    folder("compiler/script/", "compiler/base/")

    rest = "stdlib/node/ compiler/base/ compiler/syntax/ schema/ compiler/semantics/ "
    folder("compiler/plan/model/", rest "compiler/script/")
    folder("compiler/plan/raw/", rest "compiler/plan/model/")
    folder("compiler/plan/declared/", rest "compiler/plan/model/ compiler/plan/raw/")
    folder("compiler/plan/rules/", rest "compiler/plan/model/ compiler/script/")
    # A room of rules sees what all rooms ask, and no other room.
    for (i = split("dockerfile group check workload places launcher rendezvous slurm karpenter manifest storage network access head image script template tool value", rooms, " "); i > 0; i--)
        folder("compiler/plan/rules/" rooms[i] "/", rest "compiler/plan/model/ compiler/plan/rules/ compiler/script/")
    folder("compiler/readers/", rest "compiler/plan/model/ compiler/plan/raw/ compiler/readers/slurm/ compiler/readers/cloudformation/ compiler/readers/parallelcluster/ " \
                                      "compiler/readers/kubernetes/ compiler/readers/aws_cli/ compiler/readers/eksctl/ compiler/readers/dockerfile/")
    folder("compiler/readers/aws_cli/", rest "compiler/plan/model/ compiler/plan/raw/ compiler/readers/")
    folder("compiler/readers/cloudformation/", rest "compiler/plan/model/ compiler/plan/raw/ compiler/readers/")
    folder("compiler/readers/dockerfile/", rest "compiler/plan/model/ compiler/script/")
    folder("compiler/readers/eksctl/", rest "compiler/plan/model/ compiler/plan/raw/ compiler/readers/")
    folder("compiler/readers/kubernetes/", rest "compiler/plan/model/ compiler/plan/raw/ compiler/readers/")
    folder("compiler/readers/parallelcluster/", rest "compiler/plan/model/ compiler/plan/raw/ compiler/readers/")
    folder("compiler/readers/slurm/", rest "compiler/script/ compiler/plan/model/ compiler/readers/")

    # Emitters see facts and the Plan, and neither its making nor the source text.
    rest = "stdlib/node/ stdlib/ compiler/base/ schema/ compiler/plan/model/ emitters/doc/ emitters/ "
    folder("emitters/doc/", "compiler/base/ schema/")
    folder("emitters/", rest)
    folder("emitters/deployment/", rest)
    rest = rest "emitters/deployment/ "
    folder("emitters/tool/", rest)
    folder("emitters/job/", rest)
    folder("emitters/node/", rest "emitters/tool/")
    folder("emitters/eksctl/", rest "emitters/tool/ emitters/node/")
    folder("emitters/image/", rest "emitters/tool/ emitters/node/")
    folder("emitters/kubernetes/", rest "emitters/tool/ emitters/node/ emitters/job/")
    folder("emitters/slurm/", rest "emitters/tool/ emitters/job/ emitters/node/")
    folder("emitters/parallelcluster/", rest "emitters/tool/ emitters/node/ emitters/slurm/")
    folder("emitters/cloudformation/template/", rest)
    rest = rest "emitters/cloudformation/template/ "
    folder("emitters/cloudformation/access/", rest)
    rest = rest "emitters/cloudformation/access/ "
    folder("emitters/cloudformation/network/", rest)
    folder("emitters/cloudformation/storage/", rest)
    folder("emitters/cloudformation/nodes/", rest "emitters/node/ emitters/cloudformation/storage/")
    folder("emitters/cloudformation/batch/", rest "emitters/node/ emitters/job/ emitters/cloudformation/nodes/ " \
                                                  "emitters/cloudformation/storage/")
    folder("emitters/cloudformation/pcs/", rest "emitters/node/ emitters/cloudformation/nodes/ " \
                                                "emitters/cloudformation/storage/")
    folder("emitters/cloudformation/", rest "emitters/cloudformation/network/ emitters/cloudformation/batch/ " \
                                            "emitters/cloudformation/nodes/ emitters/cloudformation/pcs/ " \
                                            "emitters/cloudformation/storage/")

    folder("compiler/driver/", "<")
    folder("compiler/driver/output/", "<")
    folder("compiler/driver/render/", "<")
    folder("compiler/driver/lint/", "<")
    folder("compiler/driver/fix/", "<")
    folder("compiler/driver/command/", "<")

    # What a block of infra.dt is: whoever reads the Plan asks parts (part.h), which another way in can make, too.
    makers["compiler/semantics/program.h"] = " compiler/semantics/ compiler/plan/declared/ compiler/driver/ " \
                                             "compiler/driver/command/ "

    # The driver builds; commands build and are listed by it; emitters.c lists the emitters.
    listing["compiler/driver/main.c"] = listing["compiler/driver/chain.c"] = listing["compiler/driver/chain.h"] = 1
    listing["compiler/driver/crash.c"] = listing["emitters/emitters.c"] = 1

    # What emitters report. Anything that the Plan tells alone is a rule of compiler/plan/rules/.
    # The finished text: its size, and how many there are of a part.
    may_report("user_data_large user_data_too_large eksctl_stack_large check_left_out template_too_many " \
               "template_too_large template_needs_bucket definition_too_large role_too_large policy_too_large output_too_large output_too_many")
    # Ids that coincide in a file, references in it, and those among the stacks of a build.
    may_report("logical_ids_coincide kubernetes_twice dangling_reference circular_resources circular_stacks " \
               "conditional_reference")
    # Patches of a document.
    may_report("patch_bad_path patch_changes_nothing patch_no_such_step patch_not_a_map patch_not_a_list patch_no_match patch_many_match " \
               "patch_beyond_end patch_append_remove patch_call_remove patch_breaks patch_no_object patch_file section_no_map")
    # Facts that are missing or say something else, and values that a file takes only with them.
    may_report("facts_bad_value facts_bad_state facts_shape facts_of_other_region facts_no_output facts_short_list " \
               "facts_of_others file_incomplete no_plain_value no_property_value region_unknown")
    # Files of the node core.
    may_report("cannot_read core_no_program")

    split("yaml.h emitters/doc/doc_yaml.c|libfyaml.h compiler/base/yaml_read.c|jansson.h compiler/base/json.c|" \
          "pcre2.h compiler/base/pattern.c|sha2.h compiler/base/file.c|zlib.h compiler/base/gzip.c|" \
          "compiler/base/diag/explanations.def compiler/base/diag/prose.c|compiler/base/diag/help.def compiler/base/diag/prose.c", pairs, "|")
    for (i in pairs) {
        split(pairs[i], pair, " ")
        owner[pair[1]] = pair[2]
    }
}

# Folders of the node core and its programs see each other, and the rooms of a folder are part of it.
function folder_of(path) {
    if (path == "schema_kinds.h") # generated
        return "schema/"
    if (path == "dtc_build.h") # generated
        return "compiler/base/"
    if (index(path, "stdlib/node/") == 1)
        return "stdlib/node/"
    if (index(path, "compiler/base/") == 1)
        return "compiler/base/"
    sub(/[^\/]*$/, "", path)
    return path
}

function module_of(path) {
    sub(/\.[ch]$/, "", path)
    return path
}

function fault(text) {
    printf "not ok %s:%d: %s\n", FILENAME, FNR, text
    faults++
}

function room_of(path) {
    return path ~ /^compiler\/plan\/rules\/[a-z]*\// ? folder_of(path) : ""
}

FNR == 1 {
    files++
    room = room_of(FILENAME)
    files_in[room] += FILENAME ~ /\.c$/
}
{ lines_in[room]++ }

/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, parts, "\"")
    path = parts[2]
    from = folder_of(FILENAME)
    to = folder_of(path)
    if (!(to in place))
        fault("`" path "` is in no folder of the list: write the path from the root")
    else if (path ~ /\.c$/)
        fault("`" path "` is a source file")
    else if (from != to && !(FILENAME in listing) && index(sees[from], " " to " ") == 0 &&
             !(index(sees[from], "<") && place[to] < place[from]))
        fault("`" from "` does not see `" path "`")
    else if (path in owner && owner[path] != FILENAME)
        fault("`" path "` belongs to " owner[path] ": a corrected word compiles that alone")
    else if (path in makers && index(makers[path], " " from " ") == 0)
        fault("`" from "` reads the Plan, and does not see `" path "`")
    a = module_of(FILENAME)
    b = module_of(path)
    if (a != b && !((a, b) in edge)) {
        edge[a, b] = 1
        targets[a] = targets[a] " " b
    }
    includes++
}

/^[ \t]*#[ \t]*include[ \t]*</ {
    split($0, parts, "[<>]")
    if (parts[2] in owner && owner[parts[2]] != FILENAME)
        fault("<" parts[2] "> belongs to " owner[parts[2]])
}

/^Emit [a-z_]+;/ {
    sub(/;.*/, "", $2)
    emits[$2] = FILENAME
}

FILENAME == "emitters/emitters.c" {
    for (rest = $0; match(rest, /[a-z_]+/); rest = substr(rest, RSTART + RLENGTH))
        runs[substr(rest, RSTART, RLENGTH)]
}

index(FILENAME, "emitters/") == 1 {
    for (rest = $0; match(rest, /DIAG\([a-z0-9_]+\)/); rest = substr(rest, RSTART + RLENGTH)) {
        name = substr(rest, RSTART + 5, RLENGTH - 6)
        if (name in reports)
            reports[name]++
        else
            fault("an emitter does not report `" name "`: what the Plan tells is a rule")
    }
}

# The strongly connected components, by Tarjan.
function visit(node, list, count, i, other, circle) {
    seen[node] = low[node] = ++clock
    stack[++depth] = node
    is_open[node] = 1
    count = split(targets[node], list, " ")
    for (i = 1; i <= count; i++) {
        other = list[i]
        if (!(other in seen)) {
            visit(other)
            if (low[other] < low[node])
                low[node] = low[other]
        } else if (is_open[other] && seen[other] < low[node])
            low[node] = seen[other]
    }
    if (low[node] != seen[node])
        return
    count = 0
    do {
        other = stack[depth--]
        is_open[other] = 0
        circle = circle " " other
        count++
    } while (other != node)
    if (count > largest)
        largest = count
    if (count > 3) {
        printf "not ok these include each other in a circle:%s\n", circle
        faults++
    }
}

END {
    for (node in targets)
        if (!(node in seen))
            visit(node)
    for (name in emits)
        if (!(name in runs)) {
            printf "not ok %s: emitters/emitters.c does not run `%s`\n", emits[name], name
            faults++
        }
    for (name in reports)
        if (!reports[name]) {
            printf "not ok no emitter reports `%s`: take it out of the list\n", name
            faults++
        }
    for (room in files_in)
        if (room != "" && (files_in[room] > 25 || lines_in[room] > 6000)) {
            printf "not ok the room %s has %d .c files and %d lines, and 25 and 6000 are the most: part it by what its rules are about\n",
                   room, files_in[room], lines_in[room]
            faults++
        }
    if (!faults)
        printf "ok layers: %d includes of %d files, largest circle %d\n", includes, files, largest
    printf "%d passed, %d failed, 0 skipped\n", !faults, faults
    exit faults > 0
}'
