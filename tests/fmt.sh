#!/bin/bash
# Checks `dtc fmt`: fmt.sh DTC. The dt files of the project are as it writes them, but for those that show a mistake.
# Over all of them, mistakes included: what it writes it does not change again, and nothing but blanks, line ends and
# commas differs, so that no comment is lost. That the outputs stay the same hold the fixtures, which it wrote.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
dtc=$(realpath "$1") || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C

find fixtures stdlib tests -name '*.dt' -type f -not -path 'fixtures/forms/*' | sort >"$scratch/files"

# Fixtures of mistakes keep the text that has them.
grep -vE '^fixtures/(invalid/|commands/(fix|check-fix|fmt))' "$scratch/files" >"$scratch/ours"
xargs "$dtc" fmt --check <"$scratch/ours" >"$scratch/differ" 2>/dev/null
if [ -s "$scratch/differ" ]; then
    fail 'every dt file is as dtc fmt writes it' 'dtc fmt FILE' "$scratch/differ"
else
    pass 'every dt file is as dtc fmt writes it'
fi

mkdir "$scratch/tree"
xargs cp --parents -t "$scratch/tree" <"$scratch/files"
chmod -R u+w "$scratch/tree"
bare() { # what stays, of all files
    (cd "$scratch/tree" && xargs cat <"$scratch/files" | tr -d ' ,\t\r\n')
}
bare >"$scratch/before"
"$dtc" fmt "$scratch/tree" >/dev/null 2>&1
"$dtc" fmt --check "$scratch/tree" >"$scratch/again" 2>/dev/null
if [ -s "$scratch/again" ]; then
    fail 'what it wrote it does not change again' 'differ' "$scratch/again"
else
    pass 'what it wrote it does not change again'
fi
bare >"$scratch/after"
if cmp "$scratch/before" "$scratch/after" >"$scratch/cmp" 2>&1; then
    pass 'nothing but blanks, line ends and commas differs'
else
    fail 'nothing but blanks, line ends and commas differs' 'cmp' "$scratch/cmp"
fi
changed=$(while read -r file; do cmp -s "$file" "$scratch/tree/$file" || echo "$file"; done <"$scratch/files" | wc -l)
if [ "$changed" -gt 20 ]; then
    pass 'it changes fixtures of mistakes, where they are right'
else
    fail 'it changes fixtures of mistakes, where they are right' "$changed changed"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
