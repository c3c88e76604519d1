# What readers of the C sources share: awk -f sources.awk -f READER compiler/base/diag/codes.def FILE…. From codes.def it
# takes code_of and severity_of each message.

function without_literals(line) {
    gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
    sub(/\/\/.*/, "", line)
    return line
}

# The name of what begins with this line: the identifier before its first parenthesis, bracket or `=`.
function name_of(line) {
    sub(/[([=].*/, "", line)
    sub(/ *$/, "", line)
    sub(/.*[^A-Za-z0-9_]/, "", line)
    return line
}

FILENAME ~ /diag\/codes\.def$/ {
    if (/^DIAG\("DT/) {
        code = substr($0, 7, 6)
        row = ""
    }
    if (code != "") {
        row = row $0
        if (match(row, /(FAULT|JUDGEMENT), *[a-z0-9_]+,/)) {
            diag = substr(row, RSTART, RLENGTH - 1)
            sub(/.*, */, "", diag)
            code_of[diag] = code
            severity_of[diag] = tolower(row)
            sub(/.*severity_/, "", severity_of[diag])
            sub(/,.*/, "", severity_of[diag])
            code = ""
        }
    }
    next
}
