# Prints the mutants of a C file, a line each: awk -f mutants.awk name=FILE FILE. Between tabs:
#
#   FILE LINE START OFFSET LENGTH TEXT FUNCTION CHANGE SOURCE
#
# LENGTH bytes behind OFFSET give way to TEXT. FUNCTION is the function or table around it, and START the line where the
# function begins, 0 for a table. CHANGE says what is made of what; `#2` marks the second such change of a line. SOURCE is
# the line. FUNCTION, CHANGE and SOURCE name a mutant for as long as its line stays as it is.

{
    text = text $0 "\n"
    lines[NR] = $0
}

END {
    read_tokens()
    read_names()
    for (t = 1; t <= count; t++) {
        if (token[t] == "assert" || token[t] ~ /^_?[Ss]tatic_assert$/) {
            t = closing(t + 1)
            continue
        }
        mutate(t)
    }
}

# ---- tokens

function add_token(at, len) {
    count++
    token[count] = substr(text, at, len)
    place[count] = at
    line_of[count] = line
}

function read_tokens(at, rest, len, char) {
    line = 1
    at = 1
    while (at <= length(text)) {
        rest = substr(text, at, 400)
        char = substr(rest, 1, 1)
        if (char == "\n") {
            line++
            at++
            while (substr(text, at, 1) == "#") { # directives, with what they continue on
                do {
                    match(substr(text, at), /\n/)
                    at += RSTART
                    line++
                } while (substr(text, at - 2, 1) == "\\")
            }
            continue
        }
        if (match(rest, /^[ \t]+/)) {
            at += RLENGTH
            continue
        }
        if (match(rest, /^\/\/[^\n]*/)) {
            at += RLENGTH
            continue
        }
        if (!match(rest, /^[A-Za-z_][A-Za-z0-9_]*/) && !match(rest, /^[0-9][A-Za-z0-9.]*/) &&
            !match(rest, /^"(\\.|[^"\\])*"/) && !match(rest, /^'(\\.|[^'\\])*'/) &&
            !match(rest, /^(\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*\/%&|^]=)/)) {
            RLENGTH = 1
        }
        add_token(at, RLENGTH)
        at += RLENGTH
    }
}

# The functions and tables around tokens, and which names stand beside each other in the file.
function read_names(t, depth, name, start, is_bool, parts) {
    for (t = 1; t <= count; t++) {
        if (depth == 0 && token[t] ~ /^[A-Za-z_]/ && (token[t + 1] == "(" || token[t + 1] == "[" || token[t + 1] == "=") &&
            name == "") {
            name = token[t]
            is_bool = token[t - 1] == "bool"
            start = token[t + 1] == "(" ? line_of[t] : 0
        }
        if (token[t] == "{") {
            depth++
        } else if (token[t] == "}") {
            depth--
        }
        around[t] = name
        start_of[t] = start
        returns_bool[t] = is_bool
        in_body[t] = depth > 0
        if (depth == 0 && (token[t] == ";" || token[t] == "}")) {
            name = ""
        }
        if (token[t] ~ /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/ && token[t + 1] != "(") {
            split(token[t], parts, "_")
            beside("constant " parts[1], token[t])
        }
        if (is_field(t)) {
            beside(field_group(t), token[t])
        }
    }
}

function is_field(t) {
    return t > 2 && (token[t - 1] == "->" || token[t - 1] == ".") && token[t - 2] ~ /^[A-Za-z_]/ &&
        token[t] ~ /^[a-z]/ && token[t + 1] != "("
}

# Fields that are likely to be of one type: of one variable, and used in the same way. Any other field in its place would
# hardly ever compile.
function field_group(t, use) {
    if (token[t + 1] ~ /^(\.|->)$/) {
        use = token[t + 1] token[t + 2]
    } else if (token[t + 1] == "[") {
        use = "["
    }
    return "field " token[t - 2] token[t - 1] " " use
}

function beside(group, name) {
    if (!((group, name) in place_in)) {
        place_in[group, name] = ++members[group]
        member[group, members[group]] = name
    }
}

# The next name of the group, or empty where the name is alone.
function other_of(group, name) {
    return members[group] < 2 ? "" : member[group, place_in[group, name] % members[group] + 1]
}

# The token that closes what the token opens.
function closing(open, t, depth) {
    for (t = open; t <= count; t++) {
        if (token[t] ~ /^[(\[{]$/) {
            depth++
        } else if (token[t] ~ /^[)\]}]$/ && --depth == 0) {
            return t
        }
    }
    return count
}

# ---- mutants

function short(what) {
    gsub(/[ \t\n]+/, " ", what)
    return length(what) > 60 ? substr(what, 1, 57) "..." : what
}

function print_mutant(first, last, replacement, change, len, source, key) {
    len = place[last] + length(token[last]) - place[first]
    source = lines[line_of[first]]
    gsub(/\t/, " ", source)
    sub(/^ +/, "", source)
    gsub(/[\t\n]/, " ", replacement)
    if (change == "") {
        change = short(substr(text, place[first], len)) " -> " short(replacement)
    }
    key = around[first] SUBSEP change SUBSEP line_of[first]
    if (++seen[key] > 1) {
        change = change " #" seen[key]
    }
    printf "%s\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", name, line_of[first], start_of[first], place[first] - 1, len,
        replacement, around[first], change, source
}

function replace(t, replacement) {
    print_mutant(t, t, replacement, "")
}

function mutate(t) {
    if (token[t] ~ /^"/) {
        mutate_string(t)
    } else if (token[t] ~ /^'[^\\]'$/) {
        replace(t, token[t] == "'~'" ? "'_'" : "'~'")
    } else if (token[t] ~ /^[0-9]+[uUlL]*$/) {
        if (is_size(t) || token[t - 1] == "{" && token[t + 1] == "}") {
            return # room for more, or `{ 0 }`
        }
        replace(t, token[t] ~ /^0/ ? "1" : token[t] + 1)
    } else if (token[t] ~ /^[A-Za-z_]/) {
        mutate_name(t)
    } else if (in_body[t]) {
        mutate_operator(t)
    }
    if (in_body[t] && starts_statement(t)) {
        mutate_statement(t)
    }
}

# Whether the number is the size of an array in its declaration.
function is_size(t) {
    return token[t - 1] == "[" && token[t + 1] == "]" && token[t - 2] ~ /^[A-Za-z_]/ && token[t - 3] ~ /^[A-Za-z_]/ &&
        token[t - 3] !~ /^(return|sizeof|case|else)$/
}

# The letter in the middle, neither of an escape nor of what printf() fills in.
function mutate_string(t, i, n, at, char, letters) {
    letters = 0
    for (i = 2; i < length(token[t]); i++) {
        char = substr(token[t], i, 1)
        if (char == "\\") {
            i++
        } else if (char == "%") {
            match(substr(token[t], i + 1), /^[-+ #0-9.*]*(hh|h|ll|l|z|j)?[A-Za-z%]/)
            i += RLENGTH < 0 ? 0 : RLENGTH
        } else if (char ~ /[A-Za-z0-9]/) {
            at[++letters] = i
        }
    }
    if (token[t] == "\"\"") {
        replace(t, "\"~\"")
    } else if (letters > 0) {
        i = at[int((letters + 1) / 2)]
        char = substr(token[t], i, 1)
        n = index("abcdefghijklmnopqrstuvwxyzyABCDEFGHIJKLMNOPQRSTUVWXYZY01234567898", char)
        char = substr("bcdefghijklmnopqrstuvwxyzyxBCDEFGHIJKLMNOPQRSTUVWXYZYX12345678987", n, 1)
        replace(t, substr(token[t], 1, i - 1) char substr(token[t], i + 1))
    } else if (token[t] ~ /^"[^\\%]/) {
        replace(t, "\"~" substr(token[t], 3))
    }
}

function mutate_name(t, other, parts) {
    if (token[t] == "true" || token[t] == "false") {
        replace(t, token[t] == "true" ? "false" : "true")
    } else if (token[t] == "return" && returns_bool[t] && is_plain(t + 1, end_of(t) - 1)) {
        print_mutant(t, t, "return !", "return -> return !")
    } else if (token[t] ~ /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/ && token[t + 1] != "(" && token[t - 1] != "case") {
        split(token[t], parts, "_")
        other = other_of("constant " parts[1], token[t])
        if (other != "") {
            replace(t, other)
        }
    } else if (is_field(t)) {
        other = other_of(field_group(t), token[t])
        if (other != "") {
            replace(t, other)
        }
    }
}

# Whether nothing between the tokens is changed already by which way it is decided.
function is_plain(first, last, t) {
    if (last == first && token[first] ~ /^(true|false|NULL)$/) {
        return 0
    }
    for (t = first; t <= last; t++) {
        if (token[t] ~ /^(==|!=|&&|\|\||!|<|>|<=|>=)$/) {
            return 0
        }
    }
    return 1
}

function is_operand(t) {
    return token[t] ~ /^[A-Za-z0-9_)\]]/ && token[t] != "return"
}

function mutate_operator(t, end) {
    if (token[t] == "&&" || token[t] == "||") {
        replace(t, token[t] == "&&" ? "||" : "&&")
    } else if (token[t] == "==" || token[t] == "!=") {
        replace(t, token[t] == "==" ? "!=" : "==")
    } else if (token[t] ~ /^[<>]=?$/) {
        if (for_at[t]) {
            print_mutant(t, t, token[t] ~ /</ ? "+ 1 " token[t] : token[t] " 1 +", "without the last round")
        } else {
            replace(t, token[t] ~ /=/ ? substr(token[t], 1, 1) : token[t] "=")
        }
    } else if (token[t] == "!") {
        print_mutant(t, t, "", "! ->")
    } else if (token[t] ~ /^[-+]$/ && is_operand(t - 1)) {
        replace(t, token[t] == "+" ? "-" : "+")
    } else if (token[t] == "?") {
        print_mutant(t, t, "|| 1 ?", "? always")
        print_mutant(t, t, "&& 0 ?", "? never")
    } else if (token[t] == "(" && (token[t - 1] == "if" || token[t - 1] == "while")) {
        end = closing(t)
        if (is_plain(t + 1, end - 1)) {
            print_mutant(t, t, "(!", "if -> if !")
        }
    } else if (token[t] == "(" && token[t - 1] == "for") {
        for (end = closing(t); end > t; end--) {
            for_at[end] = 1
        }
    }
}

# The `;` that ends the statement.
function end_of(t, depth) {
    for (; t <= count; t++) {
        if (token[t] ~ /^[(\[{]$/) {
            depth++
        } else if (token[t] ~ /^[)\]}]$/) {
            depth--
        } else if (token[t] == ";" && depth <= 0) {
            return t
        }
    }
    return count
}

function is_label(t) {
    return token[t] == ":" && (token[t - 1] == "default" || token[t - 2] == "case")
}

function starts_statement(t) {
    return (token[t - 1] ~ /^[;{}]$/ || is_label(t - 1)) && token[t] ~ /^[A-Za-z_]/ && !for_at[t] &&
        token[t] !~ /^(if|for|while|switch|case|default|do|else|const|static)$/ &&
        !(token[t - 1] == "{" && (token[t - 2] == "enum" || token[t - 3] == "enum"))
}

# What the statement does is left out; declarations are kept.
function mutate_statement(t, end) {
    end = end_of(t)
    if (token[t] == "arena_destroy") {
        return # memory that is given back late shows nowhere
    }
    if (token[t] == "return" && end > t + 1 || token[t] != "return" && token[t + 1] !~ /^(;|\(|\.|->|\[|[-+|&]?=|\+\+|--)$/) {
        return
    }
    print_mutant(t, end, ";", "drop " short(substr(text, place[t], place[end] - place[t])))
}
