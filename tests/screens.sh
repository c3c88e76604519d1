#!/bin/bash
# Types what dtc prints, as it is printed: screens.sh DTC. It builds each valid fixture in a scratch copy. Then it gives
# the lines of the blocks `next:` and `then:` to sh, in order, in the folder of the build. It ends when no file waits
# any more. It does the same with the commands of its decisions, and with the deletions and quotas of plan.json. Scripts
# replace aws, pcluster, eksctl, kubectl, helm, docker and sbatch. They check that the files of their arguments exist,
# and describe-stacks prints what the plan waits for.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
root=$PWD
dtc=$(realpath "$1") || exit 3
only=${2:-}
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C NO_COLOR=1 scratch
mkdir "$scratch/bin"

# These are scripts of sh, which starts in half of bash's time: they start ten thousand times.
cat >"$scratch/bin/dtc" <<END
#!/bin/sh
case " \$* " in *' --core '*) ;; *) set -- "\$@" --core "$root/fixtures/core" ;; esac
exec "$dtc" "\$@" >"\$scratch/screen"
END

# Every word that names a file of a build has to be one that is there.
cat >"$scratch/bin/tool" <<'EOF'
#!/bin/sh
name=${0##*/}
echo "$name $*" >>"$scratch/typed"
missing() { echo "$name: there is no $1 in $PWD" >&2; exit 1; }
before=
for word; do
    [ "$name" != ssh-keygen ] || break # it makes its file
    case $before in
    --template-file | --cluster-configuration | -f | cp)
        case $word in https://*) ;; *) [ -f "$word" ] || missing "$word" ;; esac
        ;;
    esac
    before=$word
done
case "$name ${1-} ${2-}" in
'aws cloudformation describe-stacks') exec "$scratch/bin/describe" "$4" ;;
'aws cloudformation describe-stack-resource') echo arn ;;
'aws eks describe-cluster' | 'aws iam get-instance-profile') echo answer ;;
'kubectl get '*) case $* in *jsonpath*) echo 'Complete Succeeded Completed' ;; esac ;;
'pcluster ssh '*) [ -n "$(head -c 1)" ] || missing 'standard input' ;;
'aws ssm send-command')
    for word; do :; done
    case $word in 'commands=["echo '[A-Za-z0-9]*' | base64 -d | '*'"]') ;; *) missing 'what the head node runs' ;; esac
    ;;
esac
exit 0
EOF

# The outputs of a stack that plan.json waits for, of a plausible kind; a subnet for each zone of a network of the
# build.
cat >"$scratch/bin/describe" <<'EOF'
#!/bin/sh
subnets=$(grep -c 'Type: AWS::EC2::Subnet$' "$1.cfn.yaml" 2>/dev/null) || subnets=6
awk -v wanted="$1" -v zones="$((subnets / 2))" '
    /"stack": / { split($0, part, "\""); stack = part[4] }
    /"output": / {
        split($0, part, "\"")
        if (stack == wanted && !(part[4] in seen)) { seen[part[4]] = 1; names[++count] = part[4] }
    }
    function value(name, list, k) {
        if (name ~ /Subnet$/) {
            list = "subnet-0123456789abcde01"
            for (k = 2; k <= zones; k++) list = list ",subnet-0123456789abcde0" k
            return list
        }
        if (name ~ /VPC$/) return "vpc-0123456789abcdef0"
        if (name ~ /Version$/) return "7"
        if (name ~ /LaunchTemplate$/) return "lt-0123456789abcdef0"
        if (name ~ /Group(Id)?$/) return "sg-0123456789abcdef0"
        return "value"
    }
    END {
        print "{\"Stacks\": [{\"StackName\": \"" wanted "\", \"StackStatus\": \"CREATE_COMPLETE\", \"StackId\":"
        print "\"arn:aws:cloudformation:" ENVIRON["region"] ":123456789012:stack/" wanted "/5d3c0a60-0000-11f0-8000-0a1b2c3d4e5f\","
        print "\"Outputs\": ["
        for (i = 1; i <= count; i++)
            print (i > 1 ? "," : "") "{\"OutputKey\": \"" names[i] "\", \"OutputValue\": \"" value(names[i]) "\"}"
        print "]}]}"
    }' plan.json
EOF
chmod +x "$scratch"/bin/*
for name in aws pcluster eksctl kubectl ssh-keygen helm docker sbatch; do
    cp "$scratch/bin/tool" "$scratch/bin/$name"
done
PATH=$scratch/bin:$PATH

evidence() {
    cat "$scratch/report"
}

# The commands of the last screen, as they are to be typed.
commands_of() { # SCREEN
    awk '/^(next|then):$/ { inside = 1; next } /^[^ ]/ || /^$/ { inside = 0 } inside { print substr($0, 3) }' "$1"
}

# Of plan.json, and of decisions, which are typed beside the files.
others_of() { # SCREEN PLAN
    sed -n 's/^[^:]*: [^:]*: \(pcluster ssh .*\)/\1/p; s/^[^:]*: [^:]*: \(aws ssm send-command .*\)/\1/p; s/^[^:]*: [^:]*: \(aws eks update-kubeconfig .*\)/\1/p' "$1"
    sed -n 's/^ *"\(command\|apply\)": "\(.*\)",*$/\2/p' "$2" | sed 's/\\"/"/g; s/\\\\/\\/g' | grep -v 'facts.json$'
}

type_them() { # FOLDER FILE: every variable that a command wants has a value
    local name
    (
        cd "$1" || exit 1
        # shellcheck disable=SC2016 # what the commands hold
        for name in $(grep -oE '\$\{[A-Z_0-9]+:\?\}' "$2" | tr -d '${}:?' | sort -u); do
            if grep -qiE "late param $name *: *bool" "$scratch/work/"*.dt; then
                export "$name=true"
            else
                export "$name=value"
            fi
        done
        sh -eu "$2"
    ) >"$scratch/report" 2>&1
}

screen() { # FOLDER MAIN
    local name=${1#fixtures/} arguments='' params='' round out
    [ ! -e "$1/run" ] || arguments=$(cat "$1/run")
    [ ! -e "$1/params.json" ] || params='--params params.json'
    [ ! -e "$1/params.yaml" ] || params="$params --params params.yaml"
    rm -rf "$scratch/work" "$scratch/typed"
    mkdir "$scratch/work"
    cp -R "$1/." "$scratch/work/"
    # shellcheck disable=SC2086
    (cd "$scratch/work" && dtc build "$2" $arguments $params) >/dev/null 2>"$scratch/report" || {
        fail "$name" 'does not build'
        return
    }
    region=$(grep -ohE '"(us|eu|ap|cn)-[a-z]+-[0-9]' "$1/$2" | head -n 1 | tr -d '"')
    export region
    for round in 1 2 3 4 5; do
        cp "$scratch/screen" "$scratch/shown"
        commands_of "$scratch/shown" >"$scratch/commands"
        out=$(sed -n 's|^wrote \(.*\)/plan.json$|\1|p; s|^kept \(.*\)/plan.json: .*|\1|p' "$scratch/shown")
        others_of "$scratch/shown" "$scratch/work/$out/plan.json" >"$scratch/others"
        type_them "$scratch/work/$out" "$scratch/others" || {
            fail "$name" 'a command of plan.json or of a decision fails where the files are'
            return
        }
        type_them "$scratch/work" "$scratch/commands" || {
            cat "$scratch/commands" >>"$scratch/report"
            fail "$name" "round $round does not run as it is printed"
            return
        }
        grep -q '^waiting:' "$scratch/shown" || break
    done
    : >"$scratch/report"
    ! grep -q '^waiting:' "$scratch/shown" || {
        cp "$scratch/shown" "$scratch/report"
        fail "$name" 'something still waits'
        return
    }
    pass "$name"
}

for folder in fixtures/valid/*"$only"* fixtures/reference/*"$only"*; do
    [ ! -e "$folder/main.dt" ] || screen "$folder" main.dt
    [ ! -e "$folder/infra.dt" ] || screen "$folder" infra.dt
done
finish
