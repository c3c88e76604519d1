#!/bin/bash
# Lays what a new rule needs: new_rule.sh NAME ROOM [CODE [SUBJECT [FILE]]], in the tree of the current folder. NAME is that
# of the rule and of its message, ROOM a folder of compiler/plan/rules, SUBJECT a word of rules.def without RULE_, FILE a
# file of the room. Without CODE it takes the next one that was never given; without SUBJECT what most rules of the room
# are about; without FILE it makes NAME.c.
#
# All words that are to be written say NEW-RULE. tests/new_rule.sh fails while one of them is left.
set -u
export LC_ALL=C
name=${1:-}
room=${2:-}
code=${3:-}
subject=${4:-}
file=${5:-}
diag=compiler/base/diag
rules=compiler/plan/rules

refuse() { # WHAT WAY-OUT
    printf 'new-rule: %s\n  = help: %s\n' "$1" "$2" >&2
    exit 2
}

rooms=$(cd "$rules" && printf '%s\n' */ | tr -d / | tr '\n' ' ')

# A line for each rule of the room that rules.def has: its subject.
subjects_of_room() {
    sed -n 's/^void rule_\([a-z0-9_]*\)(.*/\1/p' "$rules/$room"/*.c |
        awk 'NR == FNR { is_here[$1]; next }
             match($0, /^RULE_[A-Z_]*\([a-z0-9_]*/) { split(substr($0, 6, RLENGTH - 5), row, "("); if (row[2] in is_here) print row[1] }' \
            - "$rules/rules.def"
}

# What stands behind `rule_NAME` in the declaration of a rule over the subject.
parameters() { # SUBJECT
    local found
    found=$(sed -e ':join' -e '/\\$/ { N; s/\\\n *//; b join' -e '}' "$rules/rules.h" |
        sed -n "s/^#define RULE_$1(name, about.*) void rule_##name\((.*)\);\$/\1/p")
    if [ -z "$found" ]; then
        local like
        like=$(sed -n "s/^#define RULE_$1(name, about.*) RULE_\([A-Z_]*\)(.*/\1/p" "$rules/rules.def")
        [ -z "$like" ] || found=$(parameters "$like")
    fi
    printf '%s' "$found"
}

# Puts a text behind the entry whose first line begins with START. An entry ends before the next line at the margin.
put_behind() { # FILE START TEXT
    START=$2 TEXT=$3 awk '
        is_entry && /^[^ ]/ { print ENVIRON["TEXT"]; is_entry = 0; is_put = 1 }
        is_entry && /^$/ { print ENVIRON["TEXT"]; is_entry = 0; is_put = 1 }
        { print }
        !is_put && index($0, ENVIRON["START"]) == 1 { is_entry = 1 }
        END { if (is_entry) print ENVIRON["TEXT"] }' "$1" >"$1.new" && mv "$1.new" "$1"
}

# The lowest code of the highest hole. Lower holes may be codes that are gone.
next_code() {
    sed -n 's/^\(DIAG\|RETIRED\)("DT\([0-9]*\)".*/\2/p' "$diag/codes.def" "$diag/retired.def" | sort -n | awk '
        { is_taken[$1 + 0]; last = $1 + 0 }
        END {
            for (code = last; code % 100 > 0 && code in is_taken; code--) continue
            if (code in is_taken) code = last + 1
            else while (!(code - 1 in is_taken)) code--
            printf "DT%04d", code
        }'
}

# ---- what cannot be

case $name in
'') refuse 'the rule has no name' 'make new-rule NAME=efa_is_wanted ROOM=group FILE=efa.c' ;;
*[!a-z0-9_]* | [!a-z]*) refuse "\`$name\` is no name of a function" "write small letters, digits and \`_\`" ;;
esac
case " $rooms" in
*" $room "*) [ -n "$room" ] || refuse 'the rule has no room' "ROOM=… one of: $rooms" ;;
*) refuse "there is no room \`$room\`" "ROOM=… one of: $rooms" ;;
esac
if grep -q "^DIAG(\"DT[0-9]*\", [A-Z_]*, [A-Z]*, $name," "$diag/codes.def" || grep -q "^RULE_[A-Z_]*($name," "$rules/rules.def"; then
    refuse "a rule or a message is called \`$name\`" 'choose another NAME'
fi
[ -n "$code" ] || code=$(next_code)
case $code in
DT[0-9][0-9][0-9][0-9]) ;;
*) refuse "\`$code\` is no code" "CODE=$(next_code)" ;;
esac
if grep -q "^[A-Z]*(\"$code\"" "$diag/codes.def" "$diag/retired.def"; then
    refuse "$code was given before" "CODE=$(next_code), or none"
fi
[ -n "$subject" ] || subject=$(subjects_of_room | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
parameters=$(parameters "$subject")
[ -n "$parameters" ] || refuse "no rule is about \`$subject\`" \
    "SUBJECT=… one of: $(sed -n 's/^#ifndef RULE_//p' "$rules/rules.def" | tr '\n' ' ')"
[[ -z $file || $file =~ ^[a-z0-9_]+\.c$ ]] || refuse "\`$file\` is no name of a file of the room" "FILE=… one of: $(cd "$rules/$room" && echo *.c)"
if [ -z "$file" ]; then
    file=$name.c
    [ ! -e "$rules/$room/$file" ] || refuse "there is a file $rules/$room/$file" "FILE=$file adds the rule to it"
    count=$(printf '%s\n' "$rules/$room"/*.c | wc -l)
    [ "$count" -lt 25 ] || refuse "the room $room has $count files, and 25 are the most" "FILE=… one of them: $(cd "$rules/$room" && echo *.c)"
else
    [ -e "$rules/$room/$file" ] || refuse "the room $room has no file $file" "FILE=… one of: $(cd "$rules/$room" && echo *.c)"
fi

# ---- the message

before=$(sed -n 's/^DIAG("\(DT[0-9]*\)", [A-Z_]*, [A-Z]*, \([a-z0-9_]*\),.*/\1 \2/p' "$diag/codes.def" | sort |
    awk -v code="$code" '$1 < code { print $2 }')
[ -n "$before" ] || refuse "no code stands before $code" "CODE=$(next_code)"
last=$(printf '%s\n' "$before" | tail -n 1)
last_code=$(sed -n "s/^DIAG(\"\(DT[0-9]*\)\", [A-Z_]*, [A-Z]*, $last,.*/\1/p" "$diag/codes.def")
last_help=$(printf '%s\n' "$before" | awk 'NR == FNR { if (match($0, /^HELP\([a-z0-9_]*/)) has[substr($0, 6, RLENGTH - 5)]; next }
                                           $1 in has { found = $1 } END { print found }' "$diag/help.def" -)
put_behind "$diag/codes.def" "DIAG(\"$last_code\"" \
    "DIAG(\"$code\", SEVERITY_WARNING, JUDGEMENT, $name, \"NEW-RULE: what is wrong, in one sentence\")"
put_behind "$diag/explanations.def" "EXPLANATION($last," "EXPLANATION($name,
     \"NEW-RULE: what happens on AWS, and why.\\n\\n\"
     \"NEW-RULE: what to write.\")"
put_behind "$diag/help.def" "HELP($last_help," "HELP($name, \"NEW-RULE: a way out that always fits, or no row here\")"

# ---- the rule

last=$(grep "^RULE_$subject(" "$rules/rules.def" | tail -n 1 | cut -d, -f1)
put_behind "$rules/rules.def" "$last," "RULE_$subject($name, \"NEW-RULE: what holds where nothing is wrong\")"
[ -e "$rules/$room/$file" ] || printf '// NEW-RULE: what this file is about.\n#include "%s/rules.h"\n' "$rules" >"$rules/$room/$file"
{
    reports=plan_report
    [ "$subject" != GROUP ] || reports=group_report
    printf '\n// NEW-RULE: ask the noun, and report what is wrong with %s(…, DIAG(%s)).\n' "$reports" "$name"
    printf 'void rule_%s%s {\n' "$name" "$parameters"
    printf '%s\n' "$parameters" | tr -d '()' | tr ',' '\n' | sed 's/.*[ *]\([a-z_]*\)$/    (void)\1;/'
    printf '}\n'
} >>"$rules/$room/$file"

# ---- the fixtures

slug=$code-$(printf '%s' "$name" | tr _ -)
written="fixtures/invalid/$slug.dt fixtures/rules/$slug.dt"
printf '# NEW-RULE: the fault, in a file as people write it\ndt 1\n' >"fixtures/invalid/$slug.dt"
: >"fixtures/invalid/$slug.stderr"
printf '# NEW-RULE: see the head of tests/rules.sh\n# fault: 1\n# clean: 2\ndt 1\n\nlet fault = FAULT\n' >"fixtures/rules/$slug.dt"
case $subject in
GROUP | LAUNCH | CONTAINER | WORKLOAD | SECURITY_GROUP | CONTROL_PLANE | CONTROLLER | ROLE | VPC | FILE_SYSTEM | CLUSTER_STORAGE | VOLUME | CONFIGURATION | CLUSTER_CONFIG | OBJECT | RESOURCE | FILE)
    printf '# NEW-RULE: the fault alone, in a file as people write it\n' >"fixtures/foreign/$slug.yaml"
    printf '# NEW-RULE: its clean twin, which differs in one place\n' >"fixtures/foreign/clean/$slug.yaml"
    : >"fixtures/foreign/$slug.yaml.stderr"
    written="$written fixtures/foreign/$slug.yaml fixtures/foreign/clean/$slug.yaml"
    ;;
esac
noun=
case $subject in
GROUP) noun=group ;;
VPC | SECURITY_GROUP | CONTROL_PLANE) noun=network ;;
FILE_SYSTEM | CLUSTER_STORAGE | VOLUME) noun=storage ;;
JOB | CONTAINER | WORKLOAD) noun=workload ;;
esac
if [ -n "$noun" ]; then
    printf '\n%s: NEW-RULE: the fault\n  fault type=NEW-RULE\n  clean type=NEW-RULE\n' "$code" >>"fixtures/forms/$noun/cases"
    written="$written fixtures/forms/$noun/cases"
fi

echo "$code $name: a rule over $subject in $rules/$room/$file"
for path in "$diag/codes.def" "$diag/explanations.def" "$diag/help.def" "$rules/rules.def" $written; do
    echo "  $path"
done
echo "Write each NEW-RULE of \`grep -rn NEW-RULE compiler fixtures\`, then \`make test T=$code\`."
