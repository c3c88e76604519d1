# shellcheck shell=bash
# Functions that cfn-lint.sh and cloudformation-validate.sh source. They compare findings with a list of accepted ones,
# and lead the others back to the source. `templates` has the files, and `accepted` the list.
judge_source=tests/conformance/objections/infra.dt

# Runs JUDGE, which prints FILE:LINE:… for each finding, over `templates` and over a template with mistakes: once, since it
# takes seconds to start. What it says of the one is left in `findings`, of the other in `objections`.
#
# Templates that are the same, byte for byte, are read once. `twin` has the one that is read in place of another, which has
# its findings under its own name: `accepted` may judge them in another way.
declare -A twin=()
# shellcheck disable=SC2154
judge_read() { # DTC JUDGE…
    local sum file found
    local -A first=()
    local distinct=()
    while read -r sum file; do
        if [ -n "${first[$sum]:-}" ]; then
            twin[$file]=${first[$sum]}
        else
            first[$sum]=$file
            distinct+=("$file")
        fi
    done < <(sha256sum -- "${templates[@]}")
    echo "${#distinct[@]} of ${#templates[@]} templates are distinct, and read"

    objected=$(mktemp -d) || exit 3
    trap 'rm -rf "$objected"' EXIT
    "$1" build --source-map -o "$objected" "$judge_source" >/dev/null 2>&1 && distinct+=("$objected/lab.cfn.yaml")
    found=$("${@:2}" "${distinct[@]}" 2>&1)
    objections=$(grep "^$objected/" <<<"$found")
    findings=$(
        for file in "${!twin[@]}"; do
            printf '%s:%s\n' "${twin[$file]}" "$file"
        done | awk -F: -v objected="$objected/" '
            !is_finding { twins[$1] = twins[$1] " " $2; next }
            index($0, objected) == 1 { next }
            { print }
            $1 in twins {
                count = split(twins[$1], names, " ")
                for (i = 1; i <= count; i++) print names[i] substr($0, length($1) + 1)
            }' - is_finding=1 <(printf '%s' "$found")
    )
}

# Splits `accepted`, whose lines are FILES PATTERN WHY. FILES is a glob of templates. PATTERN is an extended regular
# expression without blanks, for the rest of the finding. A finding that no line accepts is left in `unexplained`. A line
# that accepts nothing is a claim that fails, because what it explains is gone.
# shellcheck disable=SC2154
judge_explain() {
    local files pattern why before
    unexplained=$findings
    while read -r files pattern why; do
        [ -n "$files" ] || continue
        before=$unexplained
        unexplained=$(awk -v files="^$files:" -v pattern="$pattern" '!($0 ~ files && $0 ~ pattern)' <<<"$before")
        if [ "$before" = "$unexplained" ]; then
            fail "$files $pattern: accepted, and found no more"
        else
            pass "accepted: $pattern in $files: $why"
        fi
    done <<<"$accepted"
}

# The lines of the source that a line of a template comes from, of those that are objected to.
judge_source_line() { # DTC TEMPLATE LINE
    local at
    "$1" explain "$2:$3" | sed -n 's|^'"$judge_source"':\([0-9]*\):.*|\1|p' | while read -r at; do
        sed -n "${at}{/# objected/s/.*/$at/p}" "$judge_source"
    done | grep .
}

# Each finding of the template with mistakes must lead to a line of the source that says so, and every such line must be
# found. Lines that PATTERN does not take are no errors.
judge_objections() { # DTC [PATTERN]
    local line found wanted
    if [ -e "$objected/lab.cfn.yaml" ]; then
        found=$(grep -E "${2:-}" <<<"$objections" | cut -d: -f2 | sort -un | while read -r line; do
            judge_source_line "$1" "$objected/lab.cfn.yaml" "$line" || echo "line $line of the template"
        done | sort -un)
        wanted=$(grep -n '# objected' "$judge_source" | cut -d: -f1)
        if [ "$found" = "$wanted" ]; then
            pass 'every objection leads to its line of the source'
        else
            fail 'every objection leads to its line of the source' "wanted ${wanted//$'\n'/ }, found ${found//$'\n'/ }"
        fi
    else
        fail "$judge_source builds"
    fi
}

# One claim for each template; what stands in none is the judge's own failure.
judge_templates() {
    local template others
    for template in "${templates[@]}"; do
        if [[ $unexplained = *"$template:"* ]]; then
            grep -F "$template:" <<<"$unexplained"
            fail "$template"
        else
            pass "$template${twin[$template]:+, the same as ${twin[$template]}}"
        fi
    done
    others=$(grep -v '^fixtures/' <<<"$unexplained" | grep .)
    [ -z "$others" ] || fail 'the judge itself' "$others"
}
