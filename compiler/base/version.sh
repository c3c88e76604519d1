#!/bin/sh
# Prints the version of this tree: version.sh [tagged]. It is Debian's and sorts as Debian sorts.
#
#   0.1.0                               the commit of the tag v0.1.0, or a tree without git
#   0.1.0~git20261124.1808.41d73634     a commit before that tag: date and time of the commit in UTC, its name
#   0.1.0+git20261201.0930.5c2b9a01     a commit behind that tag
#   ….dirty                             something differs from the commit, or is not in it
#
# 0.1.0 is what version.h has. With `tagged`, a tag of another version at this commit is a mistake. The name is cut and not
# abbreviated: how short git makes it depends on what else a clone holds.
set -u
cd "$(dirname "$0")/../.." || exit 3
release=$(sed -n 's/^#define DTC_VERSION "\([0-9.]*\)"$/\1/p' compiler/base/version.h)
[ -n "$release" ] || {
    echo 'version.h has no DTC_VERSION' >&2
    exit 1
}

# A tree without git may lie in somebody else's repository.
if [ ! -e .git ] || ! commit=$(git rev-parse --verify -q HEAD); then
    echo "$release"
    exit
fi
if [ "${1:-}" = tagged ]; then
    git tag --points-at HEAD --list 'v[0-9]*' | grep -vxF "v$release" | while read -r tag; do
        echo "the tag is $tag, and version.h says $release" >&2
        exit 1
    done || exit
fi

if [ "$(git rev-parse -q --verify "refs/tags/v$release^{commit}")" = "$commit" ]; then
    version=$release
    sign=+
else
    sign='~'
    ! git merge-base --is-ancestor "refs/tags/v$release" HEAD 2>/dev/null || sign=+
    version=$release${sign}git$(TZ=UTC0 git log -1 --format=%cd --date=format-local:%Y%m%d.%H%M).$(echo "$commit" | cut -c 1-8)
    sign=.
fi
[ -z "$(git --no-optional-locks status --porcelain | head -n 1)" ] || version=$version${sign}dirty
echo "$version"
