# Prints where each code is reported, a line for each function, table or macro that says `DIAG(name)`:
#
#   awk -f tests/support/sources.awk -f codes.awk compiler/base/diag/codes.def SOURCE…
#
# A line is CODE<TAB>SEVERITY<TAB>NAME<TAB>FILE<TAB>FUNCTION. What only asks which code a message has says `DIAG_name`.

function take(line,    diag) {
    while (match(line, /(^|[^A-Za-z0-9_])DIAG\([a-z0-9_]+|\.id = DIAG_[a-z0-9_]+/)) {
        diag = substr(line, RSTART, RLENGTH)
        sub(/.*DIAG[(_]/, "", diag)
        line = substr(line, RSTART + RLENGTH)
        if (diag in code_of && !((diag, FILENAME, name) in is_said)) {
            is_said[diag, FILENAME, name]
            print code_of[diag] "\t" severity_of[diag] "\t" diag "\t" FILENAME "\t" name
        }
    }
}

FNR == 1 { is_inside = is_macro = 0 }
{ line = without_literals($0) }
!is_inside && /^#define [A-Za-z_]+/ {
    name = $2
    sub(/\(.*/, "", name)
    is_macro = 1
}
is_macro {
    take(line)
    is_macro = /\\$/
    next
}
!is_inside && /^[A-Za-z]/ {
    name = name_of(line)
    is_inside = 1
}
is_inside {
    take(line)
    if (line ~ /^}/ || line ~ /^[A-Za-z].*;[ ]*$/) {
        is_inside = 0
    }
}
