#!/bin/bash
# How version.sh names the commits of a repository: version.sh. `dtc version` and the packages print what it says.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C

evidence() {
    cat "$scratch/log" 2>/dev/null
}

command -v git >/dev/null 2>&1 || skip_all 'git is not installed'

# A repository with the version 1.2.0 in version.h, and the version that its tree has now.
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org GIT_COMMITTER_DATE='2026-03-04T23:30:00-0500'
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
mkdir -p "$scratch/tree/compiler/base"
cp compiler/base/version.sh "$scratch/tree/compiler/base/"
echo '#define DTC_VERSION "1.2.0"' >"$scratch/tree/compiler/base/version.h"
cd "$scratch/tree" || exit 3

commit() {
    git add -A && git commit -q --allow-empty -m "$1" && git rev-parse HEAD | cut -c 1-8
}

is() { # VERSION
    sh compiler/base/version.sh >"$scratch/log" 2>&1 && [ "$(cat "$scratch/log")" = "$1" ]
}

is_refused() {
    ! sh compiler/base/version.sh tagged >"$scratch/log" 2>&1 && grep -q 'the tag is v1.3.0, and version.h says 1.2.0' "$scratch/log"
}

sorted() { # VERSION…: as Debian sorts them
    while [ $# -gt 1 ]; do
        dpkg --compare-versions "$1" lt "$2" || return
        shift
    done
}

claim 'without git, the version is that of the release' is 1.2.0
git init -q . || exit 3
first=$(commit first)
before="1.2.0~git20260305.0430.$first"
claim 'a commit before the release says so, with its time in UTC and its name' is "$before"
touch new
claim 'a tree with a file that no commit has is dirty' is "$before.dirty"
commit second >"$scratch/log"
git tag v1.2.0
claim 'the commit of the tag is the release' is 1.2.0
echo >>new
claim 'a changed tree is not the release' is '1.2.0+dirty'
third=$(commit third)
claim 'a commit behind the release says so' is "1.2.0+git20260305.0430.$third"
git tag v1.3.0
claim 'a tag of another version does not hinder a build' is "1.2.0+git20260305.0430.$third"
claim 'it hinders a package' is_refused
mkdir -p sub/compiler && cp -r compiler/base sub/compiler/ && cd sub || exit 3
claim "somebody else's repository around a tree without git says nothing of it" is 1.2.0
if command -v dpkg >/dev/null 2>&1; then
    claim 'the versions sort in the order of their commits' \
        sorted "$before" "$before.dirty" 1.2.0 1.2.0+dirty "1.2.0+git20260305.0430.$third" 1.2.1
fi
finish
