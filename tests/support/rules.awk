# Writes one fixture of fixtures/rules in several forms: awk -v forms="literal let …" -v folder=… -f rules.awk FILE.
# Each form is written twice, with the fault and with its clean twin: folder/FORM-fault/main.dt and
# folder/FORM-clean/main.dt, with base.dt beside it where the form has one. The folders must be there. Lines where the
# finding may stand end in `#here` afterwards, so that nobody counts lines twice.

{
    source[NR] = $0
    if (edition == 0 && /^dt 1/) {
        edition = NR
    } else if (edition == 0 && match($0, /^# [a-z]+: /)) {
        header[substr($0, 3, RLENGTH - 4)] = substr($0, RLENGTH + 1)
    } else if (edition != 0 && index($0, "FAULT") > 0) {
        place = NR
    }
}

function indent(text) {
    match(text, /^ */)
    return RLENGTH
}

# Whether a line opens a block: `KIND NAME … {`, and no map, whose `{` stands behind a `=`.
function is_head(text) {
    return text ~ /^ *[a-z]+ [^={]*\{/ && text !~ /^ *(if|for|let|param) /
}

# The head of the block that line `i` stands in; 0 where there is none.
function outer_of(i, deepest) {
    deepest = indent(line[i])
    while (--i > 0) {
        if (is_head(line[i]) && indent(line[i]) < deepest) {
            return i
        }
    }
    return 0
}

# The head of the block around FAULT, on line `i`: that line itself where the whole block stands on it.
function head_of(i) {
    return is_head(line[i]) && match(line[i], / \{/) && index(line[i], "FAULT") > RSTART ? i : outer_of(i)
}

function end_of(head, i) {
    if (line[head] ~ /\} *(#.*)?$/) {
        return head
    }
    for (i = head + 1; i <= NR; i++) {
        if (indent(line[i]) == indent(line[head]) && line[i] ~ /^ *\}/) {
            return i
        }
    }
    return NR
}

# The column of a head where its name begins: the second word, or the third of a resource.
function name_at(head, start, text) {
    text = line[head]
    start = match(text, /[a-z]+ +/) + RLENGTH
    if (text ~ /^ *resource /) {
        match(substr(text, start), /^"[^"]*" +/)
        start += RLENGTH
    }
    return start
}

# A name, or empty where the block has none: the word behind `patch` is that of a file.
function name_of(head, rest) {
    rest = substr(line[head], name_at(head))
    return line[head] !~ /^ *patch / && match(rest, /^[A-Za-z_][A-Za-z0-9_-]*/) ? substr(rest, 1, RLENGTH) : ""
}

# What stands where FAULT stood.
function value(is_named) {
    is_named = form == "let" || form == "param" || form == "for"
    return !is_named ? text : type == "word" ? "(fault ? " fault " : " clean ")" : "fault"
}

# What the name `fault` has: the value, or which of two words is chosen.
function named() {
    return type == "word" ? (text == fault ? "true" : "false") : text
}

function put_value(i, where) {
    where = index(line[i], "FAULT")
    line[i] = substr(line[i], 1, where - 1) value() substr(line[i], where + 5)
}

# The line of the finding: what `at` says, else where the value is written.
function mark(place, head, i) {
    if (at == "" && (type == "word" || form !~ /^(let|param|for)$/)) {
        line[place] = line[place] " #here"
    } else if (at == "block") {
        line[head] = line[head] " #here"
    } else {
        for (i = edition + 1; at != "" && i <= NR; i++) {
            if (index(line[i], at) > 0 && line[i] !~ /^ *#/) {
                line[i] = line[i] " #here"
                return
            }
        }
    }
}

function here() {
    return at == "" && type != "word" ? " #here" : ""
}

# An attribute of a block at file level that names another one has to be said again where the copy stands: in the file
# of the original it means the block of that file.
function references(head, i, words) {
    for (i = head + 1; i < end_of(head); i++) {
        split(line[i], words, /[ =.#]+/)
        if (indent(line[i]) == 2 && words[3] in top) {
            print line[i] >main
        }
    }
}

function write_like(i, target) {
    split("", top)
    print "dt 1\nuse \"base.dt\" as base" >main
    for (i = edition + 1; i <= NR; i++) {
        if (indent(line[i]) == 0 && is_head(line[i])) {
            top[name_of(i)] = i
        }
    }
    for (i = edition + 1; i <= NR; i++) {
        if (indent(line[i]) == 0 && is_head(line[i])) {
            target = match(line[i], / on [A-Za-z_-]+/) ? substr(line[i], RSTART + 4, RLENGTH - 4) : ""
            match(line[i], /^[a-z]+/)
            print substr(line[i], 1, RLENGTH) " " name_of(i) " like base." name_of(i) \
                (target in top ? " on " target : "") " {" (line[i] ~ /#here/ ? " #here" : "") >main
            references(i)
            print "}" >main
        }
    }
}

# Writes the fixture in the form `form`, with `text` at the place of the fault.
function write(target, block, top_block, twice, first, last, opening, name, where, output, i) {
    main = target "/main.dt"
    base = target "/base.dt"
    for (i = 1; i <= NR; i++) {
        line[i] = source[i]
    }
    block = head_of(place)
    top_block = block
    while (indent(line[top_block]) > 0) {
        top_block = outer_of(top_block)
    }
    if (top_block == 0) {
        print FILENAME ": FAULT stands in no block at the margin, which the forms need" >"/dev/stderr"
        exit 1
    }
    twice = block
    while (name_of(twice) == "" && indent(line[twice]) > 0) {
        twice = outer_of(twice)
    }
    put_value(place)
    mark(place, block)

    if (form == "copies") {
        first = twice
        last = end_of(twice)
        opening = "for copy in [\"\", \"2\"] {"
        name = name_of(twice)
        where = name_at(twice)
        line[twice] = substr(line[twice], 1, where - 1) "\"" name "${copy}\"" substr(line[twice], where + length(name))
    } else if (form == "for") {
        first = top_block
        last = end_of(top_block)
        opening = "for fault in [" named() "] {" here()
    }
    output = form == "like" ? base : main
    for (i = 1; i <= NR; i++) {
        if (i == first) {
            print opening >output
        }
        print line[i] >output
        if (i == edition && form == "let") {
            print "let fault = " named() here() >output
        } else if (i == edition && form == "param") {
            print "param fault : " (type == "word" ? "bool" : type) here() >output
        }
        if (i == last) {
            print "}" >output
        }
    }
    if (form == "like") {
        write_like()
        close(base)
    }
    close(main)
}

END {
    fault = header["fault"]
    clean = header["clean"]
    type = header["type"]
    at = header["at"]
    count = split(forms, list, " ")
    for (number = 1; number <= count; number++) {
        form = list[number]
        text = fault
        write(folder "/" form "-fault")
        text = clean
        write(folder "/" form "-clean")
    }
}
