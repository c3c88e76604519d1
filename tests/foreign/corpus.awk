# Prints the table of tests/corpus.sh, and its sums. The files that it reads have tabs between their columns, and stand
# behind `what=…`: the pairs (NAME KIND), and for each of dtc, cfn-lint and cloudformation-validate what it finds in the
# faulty files and in the clean ones (NAME LINE RULE MESSAGE). `here` has the tools that are installed, `folder` the files.
#
# dtc has found a fault that it reports by the code of the file. Of another tool any finding counts that it has of the
# faulty file, that it does not have of its clean twin, and that stands at the fault: on one of the lines that differ, on
# dtc's line, or on a line above it that it is a part of.

# The lines of a faulty file that its twin has not; where the twin has more, the lines around the gap.
function read_fault(name,    command, line, parts) {
    command = "diff '" folder "/" name "' '" folder "/clean/" name "'"
    while ((command | getline line) > 0) {
        if (line ~ /^[0-9]/) {
            split(line, parts, /[acd]/)
            split(parts[1], parts, ",")
            first[name] = parts[1]
            last[name] = parts[2] == "" ? parts[1] + (line ~ /a/) : parts[2]
        }
    }
    close(command)
}

function indent(name, number) {
    match(text[name, number], /^ */)
    return RLENGTH
}

function read_text(name,    line, number) {
    while ((getline line < (folder "/" name)) > 0) {
        text[name, ++number] = line
    }
    close(folder "/" name)
}

# Whether `outer` is a line that `inner` is a part of.
function is_around(name, outer, inner,    i) {
    for (i = outer + 1; i <= inner; i++) {
        if (indent(name, i) <= indent(name, outer) && text[name, i] != "") {
            return 0
        }
    }
    return outer <= inner
}

function is_at_fault(name, line,    i) {
    for (i = first[name]; i <= last[name]; i++) {
        if (is_around(name, line, i)) {
            return 1
        }
    }
    return is_around(name, line, line_of[name])
}

function judged(tool, name,    i, found, other) {
    if (index(here, tool) == 0) {
        return "is not there"
    }
    if (kind[name] != "CloudFormation") {
        return "does not read it"
    }
    reads[tool]++
    for (i = 1; i <= finding_count[tool, name]; i++) {
        if (is_at_fault(name, at[tool, name, i])) {
            found = rule[tool, name, i]
        } else {
            other = rule[tool, name, i]
        }
    }
    finds[tool] += found != ""
    return found != "" ? found : other != "" ? "other: " other : "nothing"
}

BEGIN {
    FS = "\t"
}

what == "pairs" {
    names[++name_count] = $1
    kind[$1] = $2
    read_fault($1)
    read_text($1)
    next
}

what == "dtc" {
    if ($3 == substr($1, 1, 6)) {
        line_of[$1] = $2
    }
    next
}

# What is information about the style is no objection to a right file.
what ~ /-clean$/ {
    tool = substr(what, 1, length(what) - 6)
    is_of_twin[tool, $1, $3, $4] = 1
    objections[tool] += $3 !~ /^I/
    next
}

!((what, $1, $3, $4) in is_of_twin) {
    i = ++finding_count[what, $1]
    at[what, $1, i] = $2
    rule[what, $1, i] = $3
}

END {
    row = "%-6s  %-38s  %-15s  %-9s  %-16s  %s\n"
    printf row, "rule", "file", "kind", "dtc", "cfn-lint", "cloudformation-validate"
    for (n = 1; n <= name_count; n++) {
        name = names[n]
        has_found += name in line_of
        printf row, substr(name, 1, 6), substr(name, 8), kind[name], name in line_of ? "line " line_of[name] : "nothing",
            judged("cfn-lint", name), judged("cloudformation-validate", name)
    }
    printf "\ndtc finds %d of %d faults, and has %d findings in the clean files\n", has_found, name_count,
        objections["dtc"]
    split("cfn-lint cloudformation-validate", tools, " ")
    for (i = 1; i in tools; i++) {
        tool = tools[i]
        if (index(here, tool) > 0) {
            printf "%s finds %d of the %d faults in files that it reads, and has %d findings in their clean twins\n", tool,
                finds[tool], reads[tool], objections[tool]
        }
    }
}
