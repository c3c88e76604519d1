# Prints each code that `dtc lint` may report about what stands in somebody's file, with the name of its message:
#
#   awk -f tests/support/sources.awk -f codes.awk compiler/base/diag/codes.def compiler/plan/rules/rules.def SOURCE.c…
#
# The source says so: a code is printed where a function that lint gets to says `DIAG(name)`. It gets to the rules over
# what foreign files hold, to what command_lint.c, lint_file.c and beside.c call of the readers and of the Plan, and to what those
# name in their bodies, tables included. So a function that a rule calls for declared things alone counts as well.

function begin(line) {
    name = name_of(line)
    chunk = FILENAME ":" name
    if (line !~ /^static/) {
        global[name] = chunk
    }
    known[chunk] = 1
    is_inside = 1
    if (FILENAME ~ /driver\/(command\/command_lint|lint\/(lint_file|beside))\.c$/) {
        of_driver[chunk] = 1
    }
}

# What the line names goes into the chunk. A member behind `.` or `->` is no function.
function take(line) {
    while (match(line, /DIAG\([a-z0-9_]+\)/)) {
        says[chunk] = says[chunk] " " substr(line, RSTART + 5, RLENGTH - 6)
        line = substr(line, 1, RSTART - 1) " " substr(line, RSTART + RLENGTH)
    }
    gsub(/(\.|->)[A-Za-z0-9_]+/, " ", line)
    gsub(/[^A-Za-z0-9_]+/, " ", line)
    names[chunk] = names[chunk] " " line
}

function print_codes(at,    parts, count, i) {
    count = split(says[at], parts, " ")
    for (i = 1; i <= count; i++) {
        print code_of[parts[i]] "\t" parts[i]
    }
}

# All rules are behind plan_check(), those over what infra.dt alone declares too.
function visit_called(at,    parts, count, i, callee) {
    print_codes(at)
    count = split(names[at], parts, " ")
    for (i = 1; i <= count; i++) {
        callee = parts[i] in global ? global[parts[i]] : ""
        if (callee ~ /compiler\/(plan|readers)\// && parts[i] != "plan_check") {
            visit(callee)
        }
    }
}

function visit(at,    parts, count, i, next_one) {
    if (seen[at]++) {
        return
    }
    print_codes(at)
    count = split(names[at], parts, " ")
    for (i = 1; i <= count; i++) {
        next_one = file_of(at) ":" parts[i]
        if (!(next_one in known)) {
            next_one = parts[i] in global ? global[parts[i]] : ""
        }
        if (next_one != "") {
            visit(next_one)
        }
    }
}

function file_of(at) {
    return substr(at, 1, index(at, ":") - 1)
}

BEGIN {
    # Subjects that no reader makes: infra.dt alone has them.
    split("NETWORK CLUSTER BATCH SLURM EKS PCS NODES SLURM_NODES EKS_NODES PCS_NODES QUEUE BATCH_QUEUE STORAGE JOB IMAGE " \
          "PART STACKS", subjects, " ")
    for (i in subjects) {
        is_declared["RULE_" subjects[i]] = 1
    }
}

FILENAME ~ /rules\.def$/ {
    if (/^RULE_[A-Z_]+\(/) {
        subject = substr($0, 1, index($0, "(") - 1)
        rule = substr($0, index($0, "(") + 1)
        sub(/,.*/, "", rule)
        roots = roots (is_declared[subject] ? "" : " rule_" rule)
    }
    next
}

/^(\/\/|#|$|})/ && !is_inside { next }
{ line = without_literals($0) }
!is_inside && /^[A-Za-z]/ { begin(line) }
is_inside {
    take(line)
    if (line ~ /^}/ || line ~ /^[A-Za-z].*;[ ]*$/) {
        is_inside = 0
    }
}
line ~ /^} [A-Za-z]+.*{$/ { begin("static " line) } # a table, behind what its rows are made of

END {
    count = split(roots, parts, " ")
    for (i = 1; i <= count; i++) {
        if (!(parts[i] in global)) {
            print "no function " parts[i] > "/dev/stderr"
            exit 3
        }
        visit(global[parts[i]])
    }
    for (chunk in of_driver) {
        visit_called(chunk)
    }
}
