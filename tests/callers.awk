# Prints which rules reach a function that is no rule itself, a line for each:
#
#   awk -f tests/support/sources.awk -f callers.awk compiler/base/diag/codes.def SOURCE…
#
# A line is FILE<TAB>FUNCTION<TAB>RULE.#
# A call is a name before a parenthesis, or a function that is handed on. A static function is its own file's.

function key(file, name) {
    return ((file, name) in is_static) ? file SUBSEP name : name
}

# Marks all rules above a function, each once for the one that asks.
function climb(from, asked,    i, count, above) {
    if ((asked, from) in is_climbed) {
        return
    }
    is_climbed[asked, from]
    count = split(callers[from], above, "\n")
    for (i = 2; i <= count; i++) {
        if (above[i] ~ /^rule_/) {
            if (!((asked, above[i]) in is_said)) {
                is_said[asked, above[i]]
                rules[asked] = rules[asked] "\n" above[i]
            }
        } else {
            climb(above[i], asked)
        }
    }
}

FNR == 1 { name = "" }
{ line = without_literals($0) }
/^[A-Za-z].*\(/ && !/;$/ {
    name = line
    sub(/\(.*/, "", name)
    sub(/.*[^A-Za-z0-9_]/, "", name)
    defined[++count] = name
    file_of[count] = FILENAME
    if (line ~ /^static/) {
        is_static[FILENAME, name]
    }
}
/^}/ { name = "" }
name != "" {
    texts++
    text[texts] = line
    within[texts] = name
    where[texts] = FILENAME
}

END {
    for (i = 1; i <= count; i++) {
        is_function[defined[i]]
    }
    for (i = 1; i <= texts; i++) {
        rest = text[i]
        while (match(rest, /[a-z_][A-Za-z0-9_]*/)) {
            word = substr(rest, RSTART, RLENGTH)
            rest = substr(rest, RSTART + RLENGTH)
            if (!(word in is_function) || word == within[i]) {
                continue
            }
            from = key(where[i], word)
            caller = key(where[i], within[i])
            if (!((from, caller) in is_edge)) {
                is_edge[from, caller]
                callers[from] = callers[from] "\n" caller
            }
        }
    }
    for (i = 1; i <= count; i++) {
        if (defined[i] ~ /^rule_/) {
            continue
        }
        from = key(file_of[i], defined[i])
        climb(from, from)
        found = split(rules[from], rule, "\n")
        for (j = 2; j <= found; j++) {
            print file_of[i] "\t" defined[i] "\t" rule[j]
        }
    }
}
