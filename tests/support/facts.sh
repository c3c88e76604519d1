# shellcheck shell=bash
# Facts of stacks that nobody has deployed, for test scripts to source.

# What stacks would say of themselves once they are deployed, for the files that wait for it: as many subnets as there are
# zones, and an id for each other output. BUILT is what the build printed.
facts() { # SOURCE BUILT
    local zones
    zones=$(grep -m 1 -oE 'zones *= *\[[^]]*\]' "$1" | grep -o '"[^"]*"' | wc -l)
    sed -nE 's/^ +[^ ]+ needs (.*) of the stack (.*)$/\2 \1/p' "$2" | sort -u |
        awk -v zones="$zones" '
        function ids(name,   i, text) {
            if (name ~ /Policy$/) {
                return "arn:aws:iam::123456789012:policy/made"
            }
            if (name !~ /Subnet$/) {
                return (name == "VPC" ? "vpc" : name ~ /Group/ ? "sg" : name ~ /Version$/ ? "1" : "lt") \
                    (name ~ /Version$/ ? "" : "-0a1b2c3d4e5f60718")
            }
            for (i = 1; i <= zones; i++) {
                text = text (i > 1 ? "," : "") sprintf("subnet-0a1b2c3d4e5f60%s%02d", name ~ /^Public/ ? "1" : "0", i)
            }
            return text
        }
        {
            gsub(/,/, "")
            for (i = 2; i <= NF; i++) {
                if (!(($1, $i) in seen)) {
                    outputs[$1] = outputs[$1] (outputs[$1] == "" ? "" : ",") \
                        "{\"OutputKey\":\"" $i "\",\"OutputValue\":\"" ids($i) "\"}"
                }
                seen[$1, $i] = 1
            }
        }
        END {
            printf "{\"Stacks\":["
            for (stack in outputs) {
                printf "%s{\"StackName\":\"%s\",\"StackStatus\":\"CREATE_COMPLETE\",\"Outputs\":[%s]}", comma, stack,
                    outputs[stack]
                comma = ","
            }
            print "]}"
        }'
}
