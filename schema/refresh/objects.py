#!/usr/bin/env python3
"""Writes kinds of published definitions into schema/objects.yaml: objects.py OBJECTS CRD...

OBJECTS  schema/objects.yaml
CRD      a CustomResourceDefinition, as its project publishes it. Several of one kind are of several releases: a field of
         any of them is one, and it is required where all of them require it.

A kind that is there already is widened: its types get the fields and the limits that a definition has and they lack. A new
one gets types of its own. What has the fields of a type of Kubernetes, such as the template of a pod, is that type: the rows
have the newest one.

A limit stands behind its type: `string(A|B)` takes these words, `int(1..8)` these numbers, `string(1..63)` so many
characters, `[string](1..)` so many items, `string~name` what the pattern of that name matches.
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
    # Argo Workflows 3: test/e2e/testdata/convert
    "CronWorkflowSpec": {"schedule": ("string", False)},
}
# What Argo calls AnyString, and the fields of release 3: its own programs take numbers there.
ARGO_OPEN = {"value", "default", "synchronization"}
# Fields whose words stand in object_words.def: the webhook takes fewer than the definition.
OTHER_WORDS = {"VolcanoJobSpecPolicies": {"event", "events"}, "VolcanoJobSpecTasksPolicies": {"event", "events"}}
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


PATTERN_MAX = 300  # characters; a longer one would say nothing to a reader


def text_limit(schema, patterns):
    words = schema.get("enum")
    if words:
        good = all(isinstance(word, str) and re.fullmatch(r"[A-Za-z0-9_.:/*-]+", word) for word in words)
        return "(%s)" % "|".join(words) if good else ""
    out = span(schema.get("minLength") or None, schema.get("maxLength"))
    pattern = schema.get("pattern", "")
    if pattern and len(pattern) <= PATTERN_MAX and pattern.isascii() and "(?" not in pattern:
        names = {text: name for name, text in patterns.items()}
        if pattern not in names:
            names[pattern] = "p%d" % (1 + max((int(name[1:]) for name in patterns), default=0))
            patterns[names[pattern]] = pattern
        out += "~" + names[pattern]
    return out


def span(least, most):
    """`(1..8)`; a bound that is no whole number, and the range of the type itself, is none."""
    least, most = [None if bound is None or bound != int(bound) or abs(bound) >= 2 ** 31 - 1 else int(bound)
                   for bound in (least, most)]
    return "" if least is None and most is None else "(%s..%s)" % ("" if least is None else least,
                                                                   "" if most is None else most)


def limit_of(schema, patterns):
    kind = schema.get("type")
    if schema.get("x-kubernetes-int-or-string"):
        return ""
    if kind == "string":
        return text_limit(schema, patterns)
    if kind in ("integer", "number"):
        least = schema.get("minimum")
        most = schema.get("maximum")
        if least is not None and schema.get("exclusiveMinimum"):
            least = least + 1 if kind == "integer" else None
        if most is not None and schema.get("exclusiveMaximum"):
            most = most - 1 if kind == "integer" else None
        return span(least, most)
    return ""


def has_needed(schema, types, name):
    """Whether a schema requires all that the type of Kubernetes does, and what is in its fields has no others."""
    for field, value in schema.get("properties", {}).items():
        inner = types.get(re.sub(r"[^\w].*", "", types[name].get(field, "")), None)
        if inner is not None and not set(value.get("properties", {})) <= set(inner):
            return False
    needed = {field for field, found in types[name].items() if found.endswith("!")}
    return needed <= set(schema.get("required", []))


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
        whole = properties.get("spec", {}) if isinstance(wanted, dict) else schema
        plain = {"PodTemplateSpec": "PodSpec", "JobTemplateSpec": "JobSpec", "Service": "ServiceSpec",
                 "PersistentVolumeClaim": "PersistentVolumeClaimSpec"}.get(name, name)
        if names <= set(inner) and len(inner) >= fewest and has_needed(whole, types, plain):
            return name
    return None


LIMIT = r"(\([^()]*\)|~\w+)"


def bare(found):
    return re.sub(LIMIT, "", found)


def alike(one, other):
    """What two definitions of a field have in common: the same type without its limits, or any."""
    return one if one == other else bare(one) if bare(one) == bare(other) else "any"


class Kind:
    def __init__(self, group, name, types, patterns):
        self.patterns = patterns
        self.group = group
        self.name = name
        self.known = types
        self.types = {}  # by name: {field: (type, is_required)}

    def type_of(self, schema, name, depth):
        if schema.get("x-kubernetes-int-or-string"):
            return "quantity" if "KMGTPE" in schema.get("pattern", "") else "int_or_string"
        kind = schema.get("type")
        if kind == "array":
            inner = self.type_of(schema.get("items", {}), name, depth)
            return "[%s]%s" % (inner, span(schema.get("minItems") or None, schema.get("maxItems"))) \
                if inner[0] not in "[{" else "any"
        if kind == "object" and "properties" in schema:
            known = known_type(schema, self.known)
            return known or ("any" if depth > DEPTH_MAX else self.fields_of(schema, name, depth))
        if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
            inner = self.type_of(schema["additionalProperties"], name, depth)
            return "{%s}" % inner if inner != "any" and inner[0] not in "[{" else "any"
        found = {"string": "string", "integer": "int", "boolean": "bool", "number": "number"}.get(kind, "any")
        return found + (limit_of(schema, self.patterns) if found != "any" else "")

    def fields_of(self, schema, name, depth=0):
        fields = dict(OTHER_FIELDS.get(name, {}))
        for key, value in sorted(schema["properties"].items()):
            if key in ("apiVersion", "kind") and name == self.name:
                continue
            if key == "metadata" and "properties" not in value:
                found = "ObjectMeta"
            elif (key == "status" and name == self.name) or (self.group == "argoproj.io" and key in ARGO_OPEN):
                found = "any"
            else:
                found = self.type_of(value, name + key[0].upper() + key[1:], depth + 1)
            fields[key] = (found, key in schema.get("required", []) and "default" not in value
                           and key not in FILLED_IN.get(name, ()) and key != "schedules")
        if schema.get("x-kubernetes-preserve-unknown-fields"):
            fields["*"] = ("any", False)
        before = self.types.get(name)
        if before is not None:
            merged = {}
            for key in sorted(set(fields) | set(before)):
                new, old = fields.get(key), before.get(key)
                is_required = new is not None and old is not None and new[1] and old[1]
                found = (new or old)[0] if new is None or old is None else alike(new[0], old[0])
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


class Widened:
    """The types of a kind that is there already, as one of its definitions widens them."""

    def __init__(self, types, patterns, own):
        self.types = types
        self.patterns = patterns
        self.own = own  # names of types that are not Kubernetes's
        self.seen = set()

    def walk(self, schema, name):
        if (name, id(schema)) in self.seen:
            return
        self.seen.add((name, id(schema)))
        fields = self.types[name]
        for key, value in schema.get("properties", {}).items():
            if key not in fields:
                if not (name in self.own and key in ("apiVersion", "kind")):
                    plain = {"string": "string", "integer": "int", "boolean": "bool"}.get(value.get("type"), "any")
                    fields[key] = plain + (limit_of(value, self.patterns) if plain != "any" else "")
                continue
            if key not in OTHER_WORDS.get(name, ()):
                self.field(fields, key, value)

    def field(self, fields, key, value):
        needed = "!" if fields[key].endswith("!") else ""
        found = bare(fields[key].rstrip("!"))
        inner, item, count = found, value, ""
        if found[0] == "[" and value.get("type") == "array":
            inner, item = found[1:-1], value.get("items", {})
            count = span(value.get("minItems") or None, value.get("maxItems"))
        elif found[0] == "{" and isinstance(value.get("additionalProperties"), dict):
            inner, item = found[1:-1], value["additionalProperties"]
        if inner in self.own:
            self.walk(item, inner)
        if key == "id":
            return  # forms of ids of AWS are rows of text_forms.def
        if inner in ("string", "int", "number") and inner == {"integer": "int"}.get(item.get("type"), item.get("type")):
            limited = inner + limit_of(item, self.patterns)
            fields[key] = (found.replace(inner, limited) if found != inner else limited) + count + needed
        elif count:
            fields[key] = found + count + needed


def main(path, definitions):
    with open(path) as file:
        text = file.read()
    rows = yaml.safe_load(text)
    types = {name: dict(re.findall(r"(\S+?):(\S+)", fields)) for name, fields in rows["types"].items()}
    patterns = dict(rows.get("patterns") or {})
    kinds = {}
    for definition in definitions:
        with open(definition) as file:
            crds = [crd for crd in yaml.load_all(file, yaml.CSafeLoader) if crd and "spec" in crd]
        for crd in crds:
            group, name = crd["spec"]["group"], crd["spec"]["names"]["kind"]
            for version in crd["spec"]["versions"]:
                key = "%s/%s/%s" % (group, version["name"], name)
                schema = version.get("schema", {}).get("openAPIV3Schema", {})
                if not version.get("served", True) or "properties" not in schema:
                    continue
                if version.get("deprecated") and any(other["name"] == "v1" for other in crd["spec"]["versions"]):
                    continue  # gone_versions.def has it
                if key in rows["kinds"]:
                    inner = reach(types, rows["kinds"][key])
                    Widened(types, patterns, inner).walk(schema, rows["kinds"][key])
                    continue
                # Another version of a kind whose rows are there has a name of its own.
                own = name
                if own in types or any(other != key and kind.name == own for other, kind in kinds.items()):
                    own = version["name"][0].upper() + version["name"][1:] + name
                kind = kinds.setdefault(key, Kind(group, own, types, patterns))
                kind.fields_of(schema, own)
    share(list(kinds.values()), set(types))
    head, rest = text.split("\nkinds:\n")
    old_kinds = rest.split("\ntypes:\n")[0].split("\npatterns:\n")[0]
    lines = dict(re.findall(r"^  (\S+): (\S+)$", old_kinds, re.M))
    for key, kind in kinds.items():
        lines[key] = kind.name
    out = {name: entry(name, {field: (found.rstrip("!"), found.endswith("!")) for field, found in fields.items()})
           for name, fields in types.items()}
    for kind in kinds.values():
        out.update((name, entry(name, fields)) for name, fields in kind.types.items())
    used = {name: pattern for name, pattern in patterns.items() if re.search("~%s\\b" % name, "".join(out.values()))}
    with open(path, "w") as file:
        file.write(head + "\nkinds:\n" + "".join("  %s: %s\n" % item for item in sorted(lines.items())))
        file.write("\npatterns:\n" + "".join("  %s: '%s'\n" % (name, pattern.replace("'", "''"))
                                             for name, pattern in used.items()))
        file.write("\ntypes:\n" + "".join(out[name] for name in sorted(out)))


# Types of Kubernetes, which no definition of another project changes.
PLAIN = {"PodTemplateSpec", "PodTemplate", "JobTemplateSpec", "ObjectMeta"} | {name for name, _, _ in KNOWN}


def reach(types, name):
    """The types of a kind that are its own: what it reaches without those of Kubernetes."""
    found, todo = set(), [name]
    while todo:
        one = todo.pop()
        if one in found or one in PLAIN or one not in types:
            continue
        found.add(one)
        todo += [word for field in types[one].values() for word in re.findall(r"[A-Z]\w+", bare(field))]
    return found


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
