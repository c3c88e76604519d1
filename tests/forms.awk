# Spells the cases of a noun in one form: awk -f forms.awk -v out=FOLDER cases FORM. For each case it writes FOLDER/N.fault
# and FOLDER/N.clean, with the form's ending, and prints `N<TAB>CODES<TAB>WHAT<TAB>WHY`; WHY is empty where the form has
# words for both. tests/forms.sh says what cases and forms look like.

function read_pairs(words, into, from,    i, n, part, at, key) {
    n = split(words, part, " ")
    key = ""
    for (i = from; i <= n; i++) {
        at = index(part[i], "=")
        if (part[i] ~ /^[a-z_]+=/) {
            key = substr(part[i], 1, at - 1)
            into[key] = substr(part[i], at + 1)
        } else {
            into[key] = into[key] " " part[i] # a value of several words
        }
    }
}

FNR == 1 { file++ }
file == 1 && /^usual / { read_pairs($0, usual, 2); next }
file == 1 && /^DT/ {
    count++
    codes[count] = substr($1, 1, length($1) - 1)
    what[count] = substr($0, index($0, " ") + 1)
    next
}
file == 1 && /^  fault / { fault[count] = $0; next }
file == 1 && /^  clean / { clean[count] = $0; next }
file == 1 && /^  n\/a / {
    at = index($0, ":")
    excuses[count] = excuses[count] " " substr($0, 7, at - 7) " "
    why[count] = substr($0, at + 2)
    next
}
file == 1 { next }
/^# sets: / { read_pairs(substr($0, 3), sets, 2); next }
/^# lacks: / {
    at = index($0, ",")
    lacks[substr($0, 10, at - 10)] = substr($0, at + 2)
    next
}
/^# form: / { next }
/^@/ {
    path = FILENAME
    sub(/[^\/]*$/, substr($0, 2), path)
    while ((getline line < path) > 0) {
        lines[++line_count] = line
    }
    close(path)
    next
}
{ lines[++line_count] = $0 }

# What the words of a case come to in several places.
function derive(set,    i, n, part, place, separator, other) {
    other = set["other"] == "" ? "" : set["other"]
    set["types"] = set["type"] (other == "" ? "" : ", " other)
    set["quoted"] = "\"" set["type"] "\"" (other == "" ? "" : ", \"" other "\"")
    set["configs"] = "{ InstanceType: " set["type"] " }" (other == "" ? "" : ", { InstanceType: " other " }")
    set["overrides"] = set["configs"]
    set["overrides_in_subnet"] = set["configs"]
    gsub(/ }/, ", SubnetId: !Ref Subnet }", set["overrides_in_subnet"])
    set["overrides_of_fleet"] = set["overrides_in_subnet"]
    set["efa_word"] = set["all"] != "" && set["efa"] != "none" ? "all" : set["efa"]
    set["imds"] = set["tokens"] == "optional" ? "v1.0" : "v2.0"
    if (set["interfaces"] == "" && set["efa"] != "none") {
        for (i = 0; i < set["efa"]; i++) {
            set["interfaces"] = set["interfaces"] (i == 0 ? "" : ",") i "/" (i == 0 ? 0 : 1) "/efa"
        }
    }
    n = split(set["interfaces"], part, ",")
    set["interfaces"] = ""
    for (i = 1; i <= n; i++) {
        split(part[i], place, "/")
        set["interfaces"] = set["interfaces"] (i == 1 ? "" : "\n") \
            "- { NetworkCardIndex: " place[1] ", DeviceIndex: " place[2] ", InterfaceType: " place[3] ", Groups: [!Ref Traffic] }"
    }
    if (set["user_data"] == "LARGE") {
        set["user_data"] = "set -e"
        for (i = 0; i < 500; i++) {
            set["user_data"] = set["user_data"] "\necho this line is one of five hundred"
        }
    }
    if (set["user_data"] != "") {
        set["user_data"] = "#!/bin/bash\n" set["user_data"]
        if (set["mime"] != "") {
            set["user_data"] = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"==B==\"\n\n--==B==\n" \
                "Content-Type: text/x-shellscript; charset=\"us-ascii\"\n\n" set["user_data"] "\n--==B==--"
        }
    }
}

# Whether a line is for these: `?NAME`, `?NAME=VALUE`, `!NAME` and `!NAME=VALUE` stand in front of it.
function is_for(line, set,    sign, name, value, holds) {
    rest = line
    while (rest ~ /^[?!]/) {
        match(rest, /^[?!][a-z_]+(=[a-z_]+)?/)
        sign = substr(rest, 1, 1)
        name = substr(rest, 2, RLENGTH - 1)
        rest = substr(rest, RLENGTH + 1)
        value = ""
        if (index(name, "=") > 0) {
            value = substr(name, index(name, "=") + 1)
            name = substr(name, 1, index(name, "=") - 1)
        }
        holds = value == "" ? set[name] != "" : set[name] == value
        if (holds != (sign == "?")) {
            return 0
        }
    }
    return 1
}

# A line with its words filled in; a text of several lines is indented by the blanks behind its name.
function filled(line, set,    name, blanks, text) {
    while (match(line, /\{[a-z_]+ *\}/)) {
        name = substr(line, RSTART + 1, RLENGTH - 2)
        blanks = name
        sub(/^[a-z_]+/, "", blanks)
        sub(/ +$/, "", name)
        text = set[name]
        gsub(/\n/, "\n" blanks, text)
        line = substr(line, 1, RSTART - 1) text substr(line, RSTART + RLENGTH)
    }
    return line
}

function spell(words, path,    set, key, i) {
    for (key in usual) set[key] = usual[key]
    for (key in sets) set[key] = sets[key]
    read_pairs(words, set, 2)
    derive(set)
    printf "" > path
    for (i = 1; i <= line_count; i++) {
        if (is_for(lines[i], set)) {
            print filled(rest, set) > path
        }
    }
    close(path)
}

# Why the form has no words for the difference between both; empty where it has.
function lacking(i,    a, b, key, part, found) {
    for (key in usual) a[key] = b[key] = usual[key]
    read_pairs(fault[i], a, 2)
    read_pairs(clean[i], b, 2)
    for (key in lacks) {
        split(key, part, "=")
        if (key !~ /=/) {
            found = a[key] "" != b[key] ""
        } else if (part[2] == "number") {
            found = (a[part[1]] ~ /^[0-9]+$/ && a["all"] == "") || (b[part[1]] ~ /^[0-9]+$/ && b["all"] == "")
        } else {
            found = a[part[1]] == part[2] || b[part[1]] == part[2]
        }
        if (found) return lacks[key]
    }
    return ""
}

END {
    form = FILENAME
    sub(/.*\//, "", form)
    ending = form
    sub(/.*\./, "", ending)
    for (i = 1; i <= count; i++) {
        reason = index(excuses[i], " " form " ") > 0 ? why[i] : lacking(i)
        if (reason == "") {
            spell(fault[i], out "/" i ".fault." ending)
            spell(clean[i], out "/" i ".clean." ending)
        }
        printf "%d\t%s\t%s\t%s\n", i, codes[i], what[i], reason
    }
}
