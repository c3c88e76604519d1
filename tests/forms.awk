# Spells the cases of a noun in one form: awk -v out=FOLDER -f forms.awk -f NOUN/words.awk cases FORM. For each case it
# writes FOLDER/N.fault and FOLDER/N.clean, with the form's ending, and prints `N<TAB>CODES<TAB>WHAT<TAB>TWIN<TAB>WHY`. WHY
# is empty where the form has words for both, and TWIN is the first case whose clean twin is spelled the same; the others
# write none. tests/forms.sh says what cases and forms look like.

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
    excuse_count[count]++
    excuses[count, excuse_count[count]] = " " substr($0, 7, at - 7) " "
    why[count, excuse_count[count]] = substr($0, at + 2)
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
{ add($0, "") }

function stop(why) {
    print FILENAME ": " why >"/dev/stderr"
    has_stopped = 1
    exit 1
}

# A line of the form, and those of a part that it takes over; a part stands as far to the right as its `@`, and is for
# what its `@` is for.
function add(line, margin,    asked, words, path, part, line_before) {
    asked = ""
    words = line
    while (match(words, /^[?!][a-z_]+(=[A-Za-z0-9_.-]+)?/)) {
        asked = asked substr(words, 1, RLENGTH)
        words = substr(words, RLENGTH + 1)
    }
    sub(/^\|/, "", words)
    if (words !~ /^ *@/) {
        lines[++line_count] = words
        margins[line_count] = margin
        conditions[line_count] = asked
        return
    }
    match(words, /^ */)
    path = FILENAME
    sub(/[^\/]*$/, substr(words, RLENGTH + 2), path)
    words = substr(words, 1, RLENGTH)
    while ((getline part < path) > 0) {
        line_before = line_count
        add(part, margin words)
        for (; line_before < line_count; line_before++) {
            conditions[line_before + 1] = asked conditions[line_before + 1]
        }
    }
    close(path)
}

function get(set, name) { return (name in set) ? set[name] : "" }

# Whether a line is for these: `?NAME`, `?NAME=VALUE`, `!NAME` and `!NAME=VALUE` stand in front of it.
function is_for(asked, set,    sign, name, value, holds) {
    while (asked != "") {
        match(asked, /^[?!][a-z_]+(=[A-Za-z0-9_.-]+)?/)
        sign = substr(asked, 1, 1)
        name = substr(asked, 2, RLENGTH - 1)
        asked = substr(asked, RLENGTH + 1)
        value = ""
        if (index(name, "=") > 0) {
            value = substr(name, index(name, "=") + 1)
            name = substr(name, 1, index(name, "=") - 1)
        }
        holds = value == "" ? get(set, name) != "" : get(set, name) == value
        if (holds != (sign == "?")) {
            return 0
        }
    }
    return 1
}

# A line with its words filled in; a text of several lines is indented by the blanks behind its name.
function filled(line, margin, set,    name, blanks, text) {
    while (match(line, /\{[a-z_]+ *\}/)) {
        name = substr(line, RSTART + 1, RLENGTH - 2)
        blanks = name
        sub(/^[a-z_]+/, "", blanks)
        sub(/ +$/, "", name)
        if (!(name in set)) {
            stop("nothing says what `{" name "}` is")
        }
        text = set[name]
        gsub(/\n/, "\n" margin blanks, text)
        line = substr(line, 1, RSTART - 1) text substr(line, RSTART + RLENGTH)
    }
    return line == "" ? "" : margin line
}

function spell(words,    set, key, i, text) {
    for (key in usual) set[key] = usual[key]
    for (key in sets) set[key] = sets[key]
    read_pairs(words, set, 2)
    derive(set)
    text = ""
    for (i = 1; i <= line_count; i++) {
        if (is_for(conditions[i], set)) {
            text = text filled(lines[i], margins[i], set) "\n"
        }
    }
    return text
}

# Why the form has no words for the difference between both; empty where it has.
function lacking(i,    a, b, key, part, is_lacking) {
    for (key in usual) a[key] = b[key] = usual[key]
    for (key in sets) a[key] = b[key] = sets[key]
    read_pairs(fault[i], a, 2)
    read_pairs(clean[i], b, 2)
    for (key in lacks) {
        split(key, part, "=")
        if (key !~ /=/) {
            is_lacking = get(a, key) "" != get(b, key) ""
        } else if (part[2] == "number") {
            is_lacking = (get(a, part[1]) ~ /^[0-9]+$/ && get(a, "all") == "") ||
                         (get(b, part[1]) ~ /^[0-9]+$/ && get(b, "all") == "")
        } else {
            is_lacking = get(a, part[1]) == part[2] || get(b, part[1]) == part[2]
        }
        if (is_lacking) return lacks[key]
    }
    return ""
}

END {
    if (has_stopped) exit 1
    form = FILENAME
    sub(/.*\//, "", form)
    ending = form
    sub(/.*\./, "", ending)
    for (i = 1; i <= count; i++) {
        reason = lacking(i)
        for (k = 1; reason == "" && k <= excuse_count[i]; k++) {
            if (index(excuses[i, k], " " form " ") > 0) reason = why[i, k]
        }
        if (reason == "") {
            with = spell(fault[i])
            without = spell(clean[i])
            if (with == without) stop(codes[i] ": " what[i] ": the fault is spelled as its clean twin is")
            printf "%s", with >(out "/" i ".fault." ending)
            close(out "/" i ".fault." ending)
            if (!(without in twins)) {
                twins[without] = i
                printf "%s", without >(out "/" i ".clean." ending)
                close(out "/" i ".clean." ending)
            }
            twin = twins[without]
        } else {
            twin = i
        }
        printf "%d\t%s\t%s\t%d\t%s\n", i, codes[i], what[i], twin, reason
    }
}
