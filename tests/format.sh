#!/bin/bash
# Checks that C is formatted as .clang-format says. `make format` formats it.
set -u
cd "$(dirname "$0")/.." || exit 3

if ! command -v clang-format >/dev/null 2>&1; then
    echo "skipped: clang-format is not installed"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
failed=0
while read -r file; do
    echo "not ok $file: make format"
    failed=$((failed + 1))
done < <(find compiler schema emitters stdlib tests -name '*.[ch]' | LC_ALL=C sort |
    xargs -P 2 -n 40 clang-format --dry-run 2>&1 | sed -n 's/^\([^ :]*\):[0-9].*code should be clang-formatted.*/\1/p' | LC_ALL=C sort -u)
[ "$failed" -gt 0 ] || echo "ok every source file is formatted"
echo "$((failed == 0)) passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
