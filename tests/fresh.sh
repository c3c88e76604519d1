#!/bin/bash
# Checks the age of the sources of the schema's tables: fresh.sh SOURCES [DAY]. schemagen writes SOURCES. DAY is today
# by default. A table with a source older than 90 days gives a line for whoever updates tables (schema/README.md). That
# is not a failure. All families of instance types count as one table.
set -u
cd "$(dirname "$0")/.." || exit 3
sources=$1
today=${2:-$(date -u +%Y-%m-%d)}

# A date without a day counts from the end of its month. What cannot change (`final`) does not grow old.
old_tables() { # SOURCES DAY
    awk -F '\t' -v today="$2" '
        function days(date, part, y, m, era) { # since some day long ago
            split(date, part, "-")
            y = part[1]; m = part[2]
            if (part[3] == "") { m++; part[3] = 0 }
            if (m > 12) { y++; m = 1 }
            if (m <= 2) { y--; m += 12 }
            return 365 * y + int(y / 4) - int(y / 100) + int(y / 400) + int((153 * (m - 3) + 2) / 5) + part[3]
        }
        $5 == "final" { next }
        {
            age = days(today) - days($3)
            table = $1
            sub(/^instances\/.*/, "instances/*.yaml", table)
            if (age <= 90) next
            count[table]++
            if (age > oldest[table]) { oldest[table] = age; which[table] = $2; date[table] = $3; read[table] = $4 }
        }
        END {
            for (table in count)
                printf "old: schema/%s: %d days: %s (%s, read %s); sources of more than 90 days: %d\n",
                    table, oldest[table], which[table], date[table], read[table], count[table]
        }' "$1" | sort
}

passed=0
failed=0
claim() { # CLAIM EXPECTED GOT
    if [ "$2" = "$3" ]; then
        echo "ok fresh: $1"
        passed=$((passed + 1))
    else
        printf 'not ok fresh: %s\n--- expected\n%s\n--- got\n%s\n' "$1" "$2" "$3"
        failed=$((failed + 1))
    fi
}
row() { # TABLE KEY DATE KIND
    printf '%s\t%s\t%s\t2026-11\t%s\tthe source\n' "$@"
}

claim 'a source of 90 days is not old' '' "$(row a.yaml us 2026-08-24 changes | old_tables - 2026-11-22)"
claim 'one of 91 days is' \
    'old: schema/a.yaml: 91 days: us (2026-08-23, read 2026-11); sources of more than 90 days: 1' \
    "$(row a.yaml us 2026-08-23 changes | old_tables - 2026-11-22)"
claim 'a month counts from its end' '' "$(row a.yaml us 2026-08 changes | old_tables - 2026-11-29)"
claim 'over the turn of a year too' \
    'old: schema/a.yaml: 91 days: us (2026-12, read 2026-11); sources of more than 90 days: 1' \
    "$(row a.yaml us 2026-12 changes | old_tables - 2027-04-01)"
claim 'what cannot change does not grow old' '' "$(row a.yaml us 2005-01 final | old_tables - 2026-11-22)"
claim 'families of instance types are one table' \
    'old: schema/instances/*.yaml: 91 days: us (2026-08-23, read 2026-11); sources of more than 90 days: 2' \
    "$({ row instances/a.yaml us 2026-08-23 changes; row instances/b.yaml us 2026-08-23 changes; } |
        old_tables - 2026-11-22)"

old_tables "$sources" "$today"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
