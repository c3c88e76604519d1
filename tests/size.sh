#!/bin/bash
# What travels to a node, in bytes, and the most that it may be: size.sh [CORES [DTC]]. Fails if a row has more. The last
# line sums up. `preflight` is the core and the longest record of the fixtures, in one gzip stream. `wrapper` is the shell
# around this stream, without the lines that say what it is. It is the longest in the user data of the fixtures. `message`
# is the whole user data of a node with 2,000 bytes of NodeConfig. The rest of EC2's 16,384 bytes is for what AWS Batch and
# EKS add.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
cores=${1:-build/node}
dtc=$(realpath "${2:-build/dtc}") || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

row() { # WHAT BYTES LIMIT
    claim "$1: $2 of $3 bytes" [ "$2" -le "$3" ]
}

# The records in the templates and scripts that the fixtures expect, a file each. One line of user data has the number
# of the core's bytes. The lines from `preflight` to END are the stream of the core and the record. If the core is the
# script, it stands there as it is and is no stream.
records() {
    local number=0 text
    find fixtures/ -type f -path '*/expected/*' -exec grep -l '^ *core=[0-9]* check=' {} + | while IFS= read -r file; do
        awk '/^ *core=[0-9]+ check=/ { split($1, part, "="); start = part[2]; split($2, part, "="); start += part[2] }
             /^ *END$/ && text != "" { if (text ~ /^H4sI/) print start, text; text = "" }
             inside && !/END$/ { text = text $1 }
             { inside = /preflight <<.END.$/ || (inside && !/END$/) }' "$file"
    done | sort -u | while read -r start text; do
        number=$((number + 1))
        echo "$text" | base64 -d | gzip -dc | tail -c +$((start + 1)) >"$scratch/$number.record"
    done
}

records
if [ ! -e "$scratch/1.record" ]; then
    fail 'the fixtures have no record'
    finish
fi
for file in "$cores"/dtc-node.x86_64 "$cores"/dtc-node.aarch64; do
    most=0
    for record in "$scratch"/*.record; do
        bytes=$(cat "$file" "$record" | gzip -9n | wc -c)
        [ "$bytes" -le "$most" ] || most=$bytes longest=$record
    done
    row "preflight ${file##*.}" "$most" 8800
done
echo "of $(find "$scratch" -name '*.record' | wc -l) records the longest has $(wc -c <"$longest") bytes"

# The bytes of the longest wrapper, and whose it is; cores have numbers of five digits, stand-ins shorter ones.
longest_wrapper() {
    find fixtures/ -type f -path '*/expected/*.yaml' -exec grep -l 'preflight <<' {} + | while IFS= read -r file; do
        sed 's/^ *//' "$file" | awk -v file="$file" '
            $0 == "#!/bin/sh" { bytes = 0 }
            end != "" { if ($0 == end) { print bytes + length($0) + 1, file; end = "" } next }
            /^#/ { next }
            { sub(/^core=[0-9]+ /, "core=10000 "); bytes += length($0) + 1 }
            /^preflight <</ { end = $0; gsub(/^[^<]*<<.|.$/, "", end) }'
    done | sort -n | tail -n 1
}

# The script of a group in a template that dtc writes, with what is in it of the programs themselves.
script() { # GROUP
    sed -n "/^  Train$1LaunchTemplate:/,/^  [A-Z]/s/^          //p" "$scratch/out/train.cfn.yaml" |
        sed -n '/^#!\/bin\/sh$/,/^END$/p'
}

read -r bytes file < <(longest_wrapper)
row wrapper "${bytes:-999999}" 700 # without one in the fixtures it fails
echo "the longest wrapper is of $file"

mkdir "$scratch/source"
cp fixtures/valid/batch-validate/* "$scratch/source" 2>/dev/null
# The timer of the check gives way where there is no room for it, as beside `scratch`. So it does beside a long script.
{ echo '#!/bin/bash' && head -c 1400 /dev/zero | tr '\0' '#' && echo; } >"$scratch/source/long.sh"
sed -i 's/validate { timeout = 90s }/setup = [script("long.sh")], &/' "$scratch/source/main.dt"
(cd "$scratch/source" && "$dtc" build main.dt -o ../out >/dev/null 2>&1)
for group in OfItself Arm; do
    script "$group" >"$scratch/script"
    claim "the template has the script of $group" [ -s "$scratch/script" ]
    row "message $group" "$(($(wc -c <"$scratch/script") + 2000 + 201))" 15360 # with the headers and boundaries of two parts
done

finish
