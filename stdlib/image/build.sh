#!/bin/bash
# Builds an image and pushes it to its repository in Amazon ECR:
#
#   bash FILE             where the project's files are beside this file, one folder up, or in the working folder
#   bash FILE PROJECT     where they are below PROJECT
#
# What is copied into the image is what dtc read when it wrote this file. If a file is another one now, nothing is built. If
# the tag is a sum of all that, or the repository keeps what a tag names, a tag that is there already is left alone.
#
# CONTAINER_TOOL is the program that builds and pushes; without it docker, or else finch. For another architecture than
# the machine's it needs an emulator, such as the image tonistiigi/binfmt installs.
#
# shellcheck disable=SC2154 # the next line becomes settings
: "${settings:?}"
set -euo pipefail

fail() {
    printf '%s: %s\n' "$image" "$1" >&2
    exit 1
}

# Sums of files, as sha256sum prints and checks them.
sha256() {
    if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}

# What is wrong with the files in a folder; nothing if they are those that dtc read.
changed() { # FOLDER
    { cd "$1" && sums | LC_ALL=C sha256 -c -; } 2>&1 | grep -v ': OK$' || true
}

here=$(cd "$(dirname "$0")" && pwd)
if [ -z "$region" ]; then
    region=${AWS_REGION:-${AWS_DEFAULT_REGION:-$(aws configure get region || true)}}
    [ -n "$region" ] || fail 'set AWS_REGION to the region of the repository'
fi
uri=$(aws ecr describe-repositories --region "$region" --repository-names "$repository" \
    --query 'repositories[0].repositoryUri' --output text)
if [ "$is_final" = yes ] && aws ecr describe-images --region "$region" --repository-name "$repository" \
    --image-ids "imageTag=$tag" >/dev/null 2>&1; then
    echo "$uri:$tag is there already"
    exit 0
fi

tool=${CONTAINER_TOOL:-}
for name in docker finch; do
    [ -n "$tool" ] || ! command -v "$name" >/dev/null || tool=$name
done
[ -n "$tool" ] || fail 'neither docker nor finch is here, and CONTAINER_TOOL names no other program'

# A copy of what the image may take, and of nothing else: a build sees no other file of the project.
context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
if [ -n "$(sums)" ]; then
    project=${1:-}
    for folder in "$here" "$here/.." "$PWD"; do
        [ -n "$project" ] || [ -n "$(changed "$folder")" ] || project=$folder
    done
    [ -n "$project" ] || fail 'its files are not here, or are others than dtc read: name the folder of the project, or build again'
    faults=$(changed "$project")
    [ -z "$faults" ] || fail "these are not the files that dtc read; build again
$faults"
    sums | sed 's|^[0-9a-f]*  |./|' | tr '\n' '\0' | tar -C "$project" --null -T - -cf - | tar -C "$context" -xf -
fi
if [ -n "$program" ]; then
    [ "$(sha256 <"$here/$program")" = "$program_sum  -" ] || fail "$program is not what dtc wrote beside this file"
    mkdir -p "$context/${program_place%/*}"
    cp "$here/$program" "$context/$program_place"
    chmod 755 "$context/$program_place"
fi

login() { # HOST REGION
    aws ecr get-login-password --region "$2" | "$tool" login --username AWS --password-stdin "$1"
}
login "${uri%%/*}" "$region"
set -- $bases
while [ $# -gt 0 ]; do
    [ "$1" = "${uri%%/*}" ] || login "$1" "$2"
    shift 2
done

# One image, without a list of attestations around it: services that start it then find the image itself.
export DOCKER_BUILDKIT=1 BUILDX_NO_DEFAULT_ATTESTATIONS=1
build=("$tool" build)
push=("$tool" push)
case $tool in
docker) ! docker buildx version >/dev/null 2>&1 || build=(docker buildx build --load) ;;
finch | nerdctl) push+=(--platform "$platform") ;;
esac
for name in $secrets; do
    [ -n "${!name:-}" ] || fail "set the variable $name, which the build needs"
    build+=(--secret "id=$name,env=$name")
done
for name in $arguments; do
    build+=(--build-arg "$name")
done
"${build[@]}" --platform "$platform" --file "$here/$dockerfile" --tag "$uri:$tag" "$context"
"${push[@]}" "$uri:$tag"
echo "$uri:$tag is pushed"
