# shellcheck shell=bash
# Functions that cfn-lint.sh and cloudformation-validate.sh source. They compare findings with a list of accepted ones,
# and lead the others back to the source.

# Splits `accepted`, whose lines are FILES PATTERN WHY. FILES is a glob of templates. PATTERN is an extended regular
# expression without blanks, for the rest of the finding. A finding that no line accepts is left in `unexplained`. A line
# that accepts nothing is a claim that fails, because what it explains is gone.
# shellcheck disable=SC2154
judge_explain() { # FINDINGS
    local files pattern why before
    unexplained=$1
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
    "$1" explain "$2:$3" | sed -n 's|^tests/conformance/objections/infra.dt:\([0-9]*\):.*|\1|p' | while read -r at; do
        sed -n "${at}{/# objected/s/.*/$at/p}" tests/conformance/objections/infra.dt
    done | grep .
}

# Builds what the judge must object to. Each finding must lead to a line of the source that says so, and every such line
# must be found. JUDGE prints FILE:LINE:… for each finding that is an error.
judge_objections() { # DTC JUDGE…
    local dtc=$1 source=tests/conformance/objections/infra.dt out line found wanted
    shift
    out=$(mktemp -d) || exit 3
    if "$dtc" build --source-map -o "$out" "$source" >/dev/null 2>&1; then
        found=$("$@" "$out/lab.cfn.yaml" | cut -d: -f2 | sort -un | while read -r line; do
            judge_source_line "$dtc" "$out/lab.cfn.yaml" "$line" || echo "line $line of the template"
        done | sort -un)
        wanted=$(grep -n '# objected' "$source" | cut -d: -f1)
        if [ "$found" = "$wanted" ]; then
            pass 'every objection leads to its line of the source'
        else
            fail 'every objection leads to its line of the source' "wanted ${wanted//$'\n'/ }, found ${found//$'\n'/ }"
        fi
    else
        fail "$source builds"
    fi
    rm -rf "$out"
}

# One claim for each template; what stands in none is the judge's own failure.
judge_templates() { # TEMPLATE…
    local template others
    for template in "$@"; do
        if grep -F "$template:" <<<"$unexplained"; then
            fail "$template"
        else
            pass "$template"
        fi
    done
    others=$(grep -v '^fixtures/' <<<"$unexplained" | grep .)
    [ -z "$others" ] || fail 'the judge itself' "$others"
}
