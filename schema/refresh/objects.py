#!/usr/bin/env python3
"""Writes kinds of published definitions into schema/objects.yaml: objects.py OBJECTS CRD...

OBJECTS  schema/objects.yaml
CRD      a CustomResourceDefinition, as its project publishes it. Several of one kind are of several releases: a field of
         any of them is one, and it is required where all of them require it.

A kind that is there already is replaced, with the types whose names begin with its own. What has the fields of a type of
Kubernetes, such as the template of a pod, is that type: the rows have the newest one.
"""
import re
import sys
import textwrap

import yaml

WIDTH = 118
DEPTH_MAX = 6  # of what stands deeper nothing is said

# Fields of a release whose definition is not at hand, by type.
OTHER_FIELDS = {
    "TrainJobSpec": {"podTemplateOverrides": ("any", False)},  # Trainer 2.1: docs/operator-guides/runtime-patches.md
}
# Fields that a webhook fills in before they are checked: jobset@08dfbdfd pkg/webhooks/jobset_webhook.go, Default.
FILLED_IN = {"JobSetSpecFailurePolicyRules": {"name"}}

# A type of Kubernetes that is in a definition with all of its fields: (name, fields that it has, fewest fields).
KNOWN = [
    ("PodTemplateSpec", {"spec": {"containers", "volumes"}}, 20),
    ("JobTemplateSpec", {"spec": {"completions", "template"}}, 10),
    ("Service", {"spec": {"clusterIP", "selector"}}, 10),
    ("PersistentVolumeClaim", {"spec": {"accessModes", "storageClassName"}}, 5),
    ("PodSpec", {"containers", "volumes"}, 20),
    ("JobSpec", {"completions", "template"}, 10),
    ("PersistentVolumeClaimSpec", {"accessModes", "storageClassName"}, 5),
    ("Container", {"volumeMounts", "imagePullPolicy"}, 15),
    ("Volume", {"emptyDir", "persistentVolumeClaim"}, 15),
    ("SecurityContext", {"capabilities", "privileged"}, 8),
    ("VolumeMount", {"mountPath", "name", "subPath"}, 5),
    ("Affinity", {"nodeAffinity", "podAffinity"}, 3),
    ("EnvVar", {"name", "value", "valueFrom"}, 3),
    ("EnvFromSource", {"configMapRef", "secretRef"}, 3),
    ("Toleration", {"effect", "tolerationSeconds"}, 5),
    ("ResourceRequirements", {"limits", "requests"}, 2),
    ("LabelSelector", {"matchExpressions", "matchLabels"}, 2),
]


def known_type(schema, types):
    properties = schema.get("properties", {})
    for name, wanted, fewest in KNOWN:
        inner = properties
        if isinstance(wanted, dict):
            (key, names), = wanted.items()
            inner = properties.get(key, {}).get("properties", {})
            if not set(properties) <= {"metadata", "spec", "status", "apiVersion", "kind"}:
                continue
        else:
            names = wanted
            if not set(properties) <= set(types[name]):
                continue
        if names <= set(inner) and len(inner) >= fewest:
            return name
    return None


class Kind:
    def __init__(self, group, name, types):
        self.group = group
        self.name = name
        self.known = types
        self.types = {}  # by name: {field: (type, is_required)}

    def type_of(self, schema, name, depth):
        if schema.get("x-kubernetes-int-or-string"):
            return "int_or_string"
        kind = schema.get("type")
        if kind == "array":
            inner = self.type_of(schema.get("items", {}), name, depth)
            return "[%s]" % inner if inner[0] not in "[{" else "any"
        if kind == "object" and "properties" in schema:
            known = known_type(schema, self.known)
            return known or ("any" if depth > DEPTH_MAX else self.fields_of(schema, name, depth))
        if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
            inner = self.type_of(schema["additionalProperties"], name, depth)
            return "{%s}" % inner if inner != "any" and inner[0] not in "[{" else "any"
        return {"string": "string", "integer": "int", "boolean": "bool", "number": "number"}.get(kind, "any")

    def fields_of(self, schema, name, depth=0):
        fields = dict(OTHER_FIELDS.get(name, {}))
        for key, value in sorted(schema["properties"].items()):
            if key in ("apiVersion", "kind") and name == self.name:
                continue
            if key == "metadata" and "properties" not in value:
                found = "ObjectMeta"
            elif key == "status" and name == self.name:
                found = "any"
            else:
                found = self.type_of(value, name + key[0].upper() + key[1:], depth + 1)
            fields[key] = (found, key in schema.get("required", []) and "default" not in value
                           and key not in FILLED_IN.get(name, ()))
        before = self.types.get(name)
        if before is not None:
            merged = {}
            for key in sorted(set(fields) | set(before)):
                new, old = fields.get(key), before.get(key)
                is_required = new is not None and old is not None and new[1] and old[1]
                found = (new or old)[0] if new is None or old is None or new[0] == old[0] else "any"
                merged[key] = (found, is_required)
            fields = merged
        self.types[name] = fields
        return name


def entry(name, fields):
    text = " ".join("%s:%s%s" % (key, found, "!" if needed else "") for key, (found, needed) in sorted(fields.items()))
    return "  %s: >-\n%s\n" % (name, textwrap.fill(text, WIDTH, initial_indent="    ", subsequent_indent="    ",
                                                   break_long_words=False, break_on_hyphens=False))


def common_end(names):
    """The words that all names end with: of RayJobSpecTls and RayClusterSpecTls it is SpecTls."""
    words = [re.findall(r"[A-Z][a-z0-9]*", name) for name in names]
    count = 0
    while all(len(own) > count and own[-1 - count] == words[0][-1 - count] for own in words):
        count += 1
    return "".join(words[0][len(words[0]) - count:])


def share(kinds, taken):
    """Types of one group with the same fields become one, which has the words that their names end with."""
    while True:
        alike = {}
        for kind in kinds:
            for name, fields in kind.types.items():
                if name != kind.name:
                    alike.setdefault((kind.group, str(sorted(fields.items()))), []).append(name)
        new = {}
        for _, names in sorted(alike.items()):
            end = common_end(names)
            if len(set(names)) > 1:
                shortest = min(names, key=lambda name: (len(name), name))
                best = end if len(end) > 7 and end not in taken else shortest
                taken.add(best)
                new.update((name, best) for name in names if name != best)
        if not new:
            return
        for kind in kinds:
            kind.types = {new.get(name, name): {
                field: (re.sub(r"\w+", lambda word: new.get(word[0], word[0]), found), needed)
                for field, (found, needed) in fields.items()} for name, fields in kind.types.items()}


def main(path, definitions):
    with open(path) as file:
        text = file.read()
    rows = yaml.safe_load(text)
    types = {name: dict(re.findall(r"(\S+?):(\S+)", fields)) for name, fields in rows["types"].items()}
    kinds = {}
    for definition in definitions:
        with open(definition) as file:
            crd = yaml.safe_load(file)
        group, name = crd["spec"]["group"], crd["spec"]["names"]["kind"]
        for version in crd["spec"]["versions"]:
            if not version.get("served", True) or version.get("deprecated"):
                continue
            key = "%s/%s/%s" % (group, version["name"], name)
            # Another version of a kind whose rows are there has a name of its own.
            own = rows["kinds"].get(key) or name
            if any(other != key and used == own for other, used in rows["kinds"].items()):
                own = version["name"][0].upper() + version["name"][1:] + name
            kind = kinds.setdefault(key, Kind(group, own, types))
            kind.fields_of(version["schema"]["openAPIV3Schema"], own)
    replaced = [kind.name for kind in kinds.values()]
    kept = {name: fields for name, fields in types.items()
            if not any(re.match(own + r"(Spec|$)", name) for own in replaced)}
    share(list(kinds.values()), set(kept))
    head, rest = text.split("\nkinds:\n")
    old_kinds, old_types = rest.split("\ntypes:\n")
    lines = dict(re.findall(r"^  (\S+): (\S+)$", old_kinds, re.M))
    blocks = dict(re.findall(r"^  (\w+): (>-\n(?:    .*\n)+)", old_types, re.M))
    out = {name: "  %s: %s" % (name, block) for name, block in blocks.items()}
    for key, kind in kinds.items():
        lines[key] = kind.name
    out = {name: block for name, block in out.items() if name in kept}
    for kind in kinds.values():
        out.update((name, entry(name, fields)) for name, fields in kind.types.items())
    with open(path, "w") as file:
        file.write(head + "\nkinds:\n" + "".join("  %s: %s\n" % item for item in sorted(lines.items())))
        file.write("\ntypes:\n" + "".join(out[name] for name in sorted(out)))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
