"""Which templates judges read in `make check`, so that one of each kind is read: sample.py [PATTERN…] prints their names.
`make conformance` (LONG=1) reads all of them.

A judge of templates objects to what a resource of a type has at a place. So the sample has each place of each type that any
template has, with each kind of what stands there: a text, a number, a condition, a reference by each function. So it has
the places of parameters, outputs and conditions. Files whose names match a PATTERN, an extended regular expression, are in
it as well."""
import glob
import os
import re
import sys

import templates


def _places(node, path):
    if isinstance(node, dict):
        (name, *others) = node or [""]
        if not others and (name in ("Ref", "Condition") or name.startswith("Fn::")):
            yield path, name
        else:
            for key, value in node.items():
                yield from _places(value, "%s.%s" % (path, key))
    elif isinstance(node, list):
        for value in node:
            yield from _places(value, path + "[]")
    else:
        yield path, type(node).__name__


def shapes(document):
    """The places of a template, each with the kind of what stands there. Names that an author gives are no places."""
    found = set()
    for section, entries in document.items():
        for entry in entries.values() if isinstance(entries, dict) else []:
            if section == "Resources":
                kept = {key: value for key, value in entry.items() if key != "Type"}
                found |= {(entry["Type"], ""), *_places(kept, entry["Type"])}
            else:
                found |= set(_places(entry, section))
    return found


def cover(sets, cost, given=()):
    """Names of `sets` that have together what all have; those that have much for their cost come first. Begins with those
    that are given."""
    chosen = list(given)
    left = set().union(*sets.values()) - set().union(*(sets[name] for name in chosen))
    while left:
        best = max(sorted(sets), key=lambda name: len(sets[name] & left) / cost[name])
        chosen.append(best)
        left -= sets[best]
    return chosen


def files():
    return sorted(glob.glob("fixtures/*/*/expected/*.cfn.yaml") + glob.glob("fixtures/*/*/expected/*.cfn.json"))


def main(patterns):
    sets = {name: shapes(templates.load(name)) for name in files()}
    # A long template takes longer, and to read any takes a while.
    cost = {name: 10000 + os.path.getsize(name) for name in sets}
    given = [name for name in sets if any(re.match(pattern, name) for pattern in patterns)]
    for name in sorted(cover(sets, cost, given)):
        print(name)


if __name__ == "__main__":
    main(sys.argv[1:])
