#!/bin/bash
# Runs the scripts that build images, with stand-ins for aws, docker and finch that write down how they are called: image.sh
# DTC. Then builds an image of texts that would break out of a Dockerfile or a shell if they could.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
root=$PWD
dtc=$(realpath "$1") || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
bin=$scratch/bin
mkdir "$bin"

program() { # NAME, and its text on standard input
    { echo '#!/bin/bash'; cat; } >"$bin/$1"
    chmod +x "$bin/$1"
}

program aws <<'END'
echo "aws $*" >>"$WORLD/calls"
case $* in
*describe-repositories*) [ ! -e "$WORLD/none" ] || exit 254; echo "123456789012.dkr.ecr.us-west-2.amazonaws.com/neuron" ;;
*describe-images*) [ -e "$WORLD/pushed" ] || exit 254 ;;
*get-login-password*) echo password ;;
*'configure get region'*) exit 1 ;;
esac
END
program tool <<'END'
[ "$1 $2" != "buildx version" ] || exit "$(cat "$WORLD/buildx" 2>/dev/null || echo 0)"
[ "$1" != login ] || set -- "$@" "with $(cat)"
printf '%s' "${0##*/}" >>"$WORLD/calls"
for word; do
    [ "$word" != "${word#/tmp}" ] && [ -d "$word" ] && { (cd "$word" && find . -type f | LC_ALL=C sort) >"$WORLD/context"; word=CONTEXT; }
    [ ! -f "$word" ] || word=FILE:${word##*/}
    printf ' %q' "$word" >>"$WORLD/calls"
done
echo >>"$WORLD/calls"
END
ln -s tool "$bin/docker"
ln -s tool "$bin/finch"
for name in bash chmod cp dirname cat cut find mkdir grep mktemp printf rm sed sha256sum sort tar tr env; do
    ln -s "$(command -v $name)" "$bin/$name" 2>/dev/null
done

# A world of its own for each test, with the fixture and what was built of it.
world() { # [FIXTURE]
    WORLD=$(mktemp -d "$scratch/world.XXXXXX")
    mkdir "$WORLD/tmp"
    cp -R "fixtures/valid/${1:-images-batch}" "$WORLD/project"
    rm -rf "$WORLD/project/expected"
    (cd "$WORLD/project" && "$dtc" build main.dt --core "$root/fixtures/core" >/dev/null 2>&1) || exit 3
}

run() { # FOLDER SCRIPT [VARIABLE=VALUE…] [-- ARGUMENT…]
    local folder=$1 script=$2 variables=()
    shift 2
    while [ $# -gt 0 ] && [ "$1" != -- ]; do variables+=("$1") && shift; done
    [ $# = 0 ] || shift
    (cd "$folder" && env -i PATH="$bin" WORLD="$WORLD" TMPDIR="$WORLD/tmp" "${variables[@]}" bash "$script" "$@") >"$WORLD/said" 2>&1
    status=$?
}

evidence() {
    head -n 40 "$WORLD"/said "$WORLD"/calls "$WORLD"/context 2>/dev/null
}

holds() { # FILE TEXT
    [ "$(cat "$WORLD/$1")" = "$2" ]
}

says() { # FILE TEXT
    grep -qF -- "$2" "$WORLD/$1"
}

lacks() { # FILE TEXT
    ! grep -qF -- "$2" "$WORLD/$1"
}

ended() { # STATUS
    [ "$status" = "$1" ]
}

leaves_nothing() {
    [ -z "$(ls "$WORLD/tmp")" ]
}

# ---- a build and a push

world
tag=$(sed -n 's/^tag=//p' "$WORLD/project/out/neuron.image.sh")
run "$WORLD/project/out" neuron.image.sh PIP_INDEX_URL='a secret'
uri=123456789012.dkr.ecr.us-west-2.amazonaws.com/neuron:$tag
claim "an image is built and pushed" ended 0
claim "it logs in to both registries, builds with buildx for the platform, and pushes" holds calls "aws ecr describe-repositories --region us-west-2 --repository-names neuron --query repositories[0].repositoryUri --output text
aws ecr describe-images --region us-west-2 --repository-name neuron --image-ids imageTag=$tag
aws ecr get-login-password --region us-west-2
docker login --username AWS --password-stdin 123456789012.dkr.ecr.us-west-2.amazonaws.com with\\ password
aws ecr get-login-password --region us-west-2
docker login --username AWS --password-stdin 763104351884.dkr.ecr.us-west-2.amazonaws.com with\\ password
docker buildx build --load --secret id=PIP_INDEX_URL\\,env=PIP_INDEX_URL --platform linux/amd64 --file FILE:neuron.Dockerfile --tag $uri CONTEXT
docker push $uri"
claim "the build sees what is in files, and nothing else" holds context "./src/train.py
./tools/read me.txt
./tools/run.sh"
claim "the copy is gone" leaves_nothing
claim "the secret stands in no file" lacks calls 'a secret'
claim "nor in what the build wrote" bash -c "! grep -rqF 'a secret' '$WORLD/project/out'"

world
: >"$WORLD/pushed"
run "$WORLD/project/out" neuron.image.sh
claim "a sum that is there already is not built again" says said "is there already"
claim "and needs no secret" ended 0

world
run "$WORLD/project/out" neuron.image.sh
claim "without its secret it does not begin" ended 1
claim "and says which is missing" says said "neuron: set the variable PIP_INDEX_URL"

world
: >"$WORLD/pushed"
run "$WORLD/project/out" fixed.image.sh
claim "a tag of the author's is pushed again" says calls "push 123456789012.dkr.ecr.us-west-2.amazonaws.com/neuron:v7"

world
: >"$WORLD/none"
run "$WORLD/project/out" neuron.image.sh PIP_INDEX_URL=x
claim "without the repository nothing is built" lacks calls build
claim "and the step fails" ended 254

# ---- tools

world
echo 1 >"$WORLD/buildx"
run "$WORLD/project/out" fixed.image.sh
claim "without buildx docker itself builds" says calls 'docker build --platform linux/amd64'

world
run "$WORLD/project/out" prep.image.sh GITHUB_TOKEN=x CONTAINER_TOOL=finch
claim "finch builds" says calls 'finch build --secret id=GITHUB_TOKEN\,env=GITHUB_TOKEN --platform linux/arm64'
claim "and pushes the platform that it has built" says calls 'finch push --platform linux/arm64'
claim "a base in another region is fetched from there" says calls 'aws ecr get-login-password --region eu-west-1'

world
mv "$bin/docker" "$bin/away"
run "$WORLD/project/out" fixed.image.sh
claim "finch is found where docker is not" says calls 'finch push'
mv "$bin/finch" "$bin/gone"
run "$WORLD/project/out" fixed.image.sh
claim "without both it says so" says said 'neither docker nor finch is here'
mv "$bin/away" "$bin/docker"
mv "$bin/gone" "$bin/finch"

# ---- dtc-collective

world images-eks
run "$WORLD/project/out" fabric.image.sh
claim "dtc-collective is among what a build sees" holds context "./.dtc/dtc-collective"
echo more >>"$(echo "$WORLD"/project/out/fabric.dtc-collective.*)"
run "$WORLD/project/out" fabric.image.sh
claim "another program than dtc wrote is not" says said 'is not what dtc wrote beside this file'

# ---- where the files are

world
mkdir "$WORLD/elsewhere"
mv "$WORLD/project/out" "$WORLD/elsewhere/out"
run "$WORLD/elsewhere/out" neuron.image.sh PIP_INDEX_URL=x
claim "files that are not to be found end it" says said 'name the folder of the project'
run "$WORLD/elsewhere/out" neuron.image.sh PIP_INDEX_URL=x -- "$WORLD/project"
claim "the project can be named" ended 0
run "$WORLD/project" ../elsewhere/out/neuron.image.sh PIP_INDEX_URL=x
claim "or be the working folder" ended 0

world
echo 'print("another")' >"$WORLD/project/src/train.py"
run "$WORLD/project/out" neuron.image.sh PIP_INDEX_URL=x -- ..
claim "another file than dtc has read is not built" ended 1
claim "and is named" says said 'src/train.py: FAILED'
claim "before anybody logs in" lacks calls login

world
echo new >"$WORLD/project/tools/new"
run "$WORLD/project/out" neuron.image.sh PIP_INDEX_URL=x
claim "a file that came later stays outside" lacks context new

# ---- regions

world
sed -i 's/^region=.*/region=/' "$WORLD/project/out/fixed.image.sh"
run "$WORLD/project/out" fixed.image.sh AWS_DEFAULT_REGION=eu-north-1
claim "a region that nobody knew is that of the environment" says calls 'describe-repositories --region eu-north-1'
run "$WORLD/project/out" fixed.image.sh
claim "without one it says what to set" says said 'set AWS_REGION'

# ---- the tag

sum() { # what to change, as a command in the project
    world
    (cd "$WORLD/project" && eval "$1" && "$dtc" build main.dt >/dev/null 2>&1)
    sed -n 's/^tag=//p' "$WORLD/project/out/neuron.image.sh"
}

same=$(sum true)
claim "the same recipe is the same tag" [ "$tag" = "$same" ]
claim "another time of a file changes nothing" [ "$tag" = "$(sum 'touch -d 2001-01-01 src/train.py')" ]
claim "what Python keeps changes nothing" [ "$tag" = "$(sum 'mkdir tools/__pycache__ && echo x >tools/__pycache__/x.pyc')" ]
for change in 'echo more >>src/train.py' 'chmod +x src/train.py' 'echo more >tools/more' 'mv tools/run.sh tools/ran.sh' \
    'sed -i s/4.0.0/4.0.1/ main.dt' 'sed -i s/PIP_INDEX_URL/PIP_EXTRA/ main.dt' 'sed -i s/us-west-2/us-east-1/ main.dt'; do
    claim "another tag: $change" [ "$tag" != "$(sum "$change")" ]
done
finish
