# shellcheck shell=sh disable=SC2154
# Where a verdict goes beside the node's own log: into S3, and into a file for Prometheus' node exporter. In a unit of
# its own: nobody waits for it, and whatever becomes of it decides nothing about the node.
#
#   verdicts=s3://…     the folder that verdicts are put into, as INSTANCE-ID/TIME.json; empty: none
#   key=arn:…           the KMS key to encrypt them with; empty: whatever the bucket does by itself
#   textfile=/var/lib/… the folder that the node exporter reads; empty: none; it is not made
#
# The same words are stored once a boot: a look every few minutes that finds nothing new stores nothing.

measures() {
    echo '# TYPE dtc_node_checks gauge'
    for file in $verdicts_here; do
        for result in fail warn; do
            sed -n "s/.*\"phase\":\"\([a-z]*\)\".*\"$result\":\([0-9]*\),.*/dtc_node_checks{phase=\"\1\",result=\"$result\"} \2/p" "$file"
        done
    done
    echo '# TYPE dtc_node_check gauge'
    # Several mounts or files that fail have one name, and a name may stand there once.
    # shellcheck disable=SC2086 # files
    cat $verdicts_here | grep -o '"id":"[^"]*","s":"[fw][^"]*"' |
        sed 's/"id":\("[^"]*"\),"s":\(.*\)/dtc_node_check{check=\1,result=\2} 1/' | sort -u
    echo '# TYPE dtc_node_look_time_seconds gauge'
    echo "dtc_node_look_time_seconds $(date -r verdict.json +%s)"
}

store() {
    # shellcheck disable=SC2086 # files
    found=$(cat $verdicts_here | grep -o '"[^"]*","s":"[fw][^}]*')
    [ ! -e stored ] || [ "$found" != "$(cat stored)" ] || exit 0
    read -r id </sys/devices/virtual/dmi/id/board_asset_tag
    when=$(date -ur verdict.json +%Y%m%dT%H%M%SZ)
    # A line for each stage.
    # shellcheck disable=SC2086 # files
    cat $verdicts_here >verdict.stored
    # As for a check that is fetched: images of ECS lack it. A mirror or a bucket that does not answer is waited for no
    # longer.
    command -v aws || timeout 99 yum -yq install awscli-2 || timeout 99 yum -yq install awscli
    for try in 1 2 3 4 5; do
        # Policies of buckets may want the key said, whatever it is by default.
        timeout 60 aws s3 cp --only-show-errors ${key:+--sse aws:kms --sse-kms-key-id "$key"} \
            verdict.stored "$verdicts/$id/$when.json" >refused 2>&1
        status=$?
        if [ $status = 0 ]; then
            echo "$found" >stored
            rm -f refused unstored
            exit 0
        fi
        sleep $((try * 5))
    done
    # S3 names the permission that is missing. What does not answer says nothing.
    why="the verdict could not be stored in $verdicts: status $status $(tr -s '\n' ' ' <refused | cut -c 1-500)"
    # Each look tries again. The console, of which EC2 keeps 64 KB, hears the same words once.
    if [ "$why" = "$(cat unstored 2>/dev/null)" ]; then
        logger -t dtc-node "$why"
    else
        say "$why"
    fi
    echo "$why" >unstored
}

report() {
    cd /run/dtc || exit
    # A look that was ended has none.
    [ -s verdict.json ] || exit
    # Where S3 does not answer, the next look comes before this is over.
    [ ! -d "/proc/$(cat reporting 2>/dev/null)/fd" ] || exit
    echo $$ >reporting
    trap 'rm -f reporting' EXIT
    verdicts_here=verdict.json
    [ ! -s device.json ] || verdicts_here='verdict.json device.json'
    if [ "$textfile" ] && [ -d "$textfile" ]; then
        measures >"$textfile/dtc_node.new" && mv "$textfile/dtc_node.new" "$textfile/dtc_node.prom"
    fi
    [ -z "$verdicts" ] || store
}
