#!/usr/bin/env python3
"""Prints rows for schema/updates.def: updates.py SCHEMAS PAGES CLUSTER TYPE...

SCHEMAS  a folder of CloudFormation's resource schemas, JSON, as it publishes them and as cfn-lint has them in
         cfnlint/data/schemas/resources
PAGES    doc_source of awsdocs/aws-cloudformation-user-guide at the last commit that has it: "Update requires" of each
CLUSTER  cli/src/pcluster/schemas of aws/aws-parallelcluster
TYPE     which types to print; the word `parallelcluster` prints the keys of a cluster configuration

A schema says what is replaced, and is newer. A page says what interrupts. Where the two differ, the worse one counts:
a row that is too careful costs a look at a change set, and one that is not costs data. A property inside of another has
a word of its own only where the two differ.
"""
import ast
import json
import os
import re
import sys

ORDER = ["IN_PLACE", "KEEPS", "INTERRUPTS", "CONDITIONAL", "REPLACES", "REFUSED"]  # the worse, the later
DEPTH_MAX = 6
WIDTH = 118


# ---- pages -------------------------------------------------------------------------------------------------------


def kind_of_page(text):
    text = re.sub(r"\]\([^)]*\)", "", text).replace("[", "").replace("\\", "").strip(" .").lower()
    if text in ("no interruption", "no interruptions"):
        return "IN_PLACE"
    if text == "some interruptions":
        return "INTERRUPTS"
    if text == "replacement":
        return "REPLACES"
    return "REFUSED" if "not supported" in text else "CONDITIONAL"


class Pages:
    def __init__(self, folder):
        self.folder = folder
        self.by_type = {}
        for name in os.listdir(folder):
            if name.startswith(("aws-resource", "aws-properties")):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    title = re.match(r"# (AWS::\w+::\w+)<a", file.readline())
                if title:
                    self.by_type[title.group(1)] = name

    def properties(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            text = file.read().split("## Return values")[0]
        for part in re.split(r"\n(?=`\w+`  <a name)", text)[1:]:
            update = re.search(r"\*Update requires\*: *(.*)", part)
            below = re.search(r"\*Type\*:.*\((aws-properties-[\w-]+\.md)\)", part)
            yield (
                re.match(r"`(\w+)`", part).group(1),
                kind_of_page(update.group(1)) if update else None,
                below.group(1) if below else None,
            )

    def rows(self, type_name):
        rows = {}

        def walk(name, before, seen):
            if name in seen or len(seen) > DEPTH_MAX or not os.path.exists(os.path.join(self.folder, name)):
                return
            for key, kind, below in self.properties(name):
                if kind:
                    rows[before + key] = kind
                if below:
                    walk(below, before + key + ".", seen + [name])

        if type_name in self.by_type:
            walk(self.by_type[type_name], "", [])
        return rows


# ---- schemas -----------------------------------------------------------------------------------------------------


def paths(schema, name):
    """/properties/A/*/B -> A.B"""
    found = set()
    for pointer in schema.get(name, []):
        parts = [part for part in pointer.split("/")[2:] if part not in ("*", "items", "properties")]
        found.add(".".join(parts))
    return found


def worse(a, b):
    return a if ORDER.index(a) >= ORDER.index(b) else b


def rows_of_type(schema, pages):
    created = paths(schema, "createOnlyProperties")
    maybe = paths(schema, "conditionalCreateOnlyProperties")
    read_only = paths(schema, "readOnlyProperties")
    page = pages.rows(schema["typeName"])
    rows = {}
    for path in sorted(set(schema.get("properties", {})) | created | maybe | set(page)):
        top = path.split(".")[0]
        if top not in schema.get("properties", {}) or path in read_only:
            continue
        ancestors = [".".join(path.split(".")[:i]) for i in range(1, path.count(".") + 1)]
        if any(rows.get(above) in ("REPLACES", "REFUSED") for above in ancestors):
            continue
        kind = page.get(path)
        if path in created:
            kind = "REPLACES" if kind != "REFUSED" else kind
        elif path in maybe:
            kind = worse(kind or "IN_PLACE", "CONDITIONAL")
        elif any(below.startswith(path + ".") for below in created) and kind in (None, "REPLACES"):
            kind = "CONDITIONAL"  # the newer source says which part
        rows[path] = kind or ("KEEPS" if "." not in path else None)
        inherited = next((rows[above] for above in reversed(ancestors) if rows.get(above)), None)
        if ancestors and rows[path] in (None, inherited):
            del rows[path]
    return rows


# ---- ParallelCluster ---------------------------------------------------------------------------------------------

POLICIES = {"SUPPORTED": "IN_PLACE", "IGNORED": "IN_PLACE", "UNSUPPORTED": "REFUSED", "UNKNOWN": "REFUSED",
            "READ_ONLY_RESOURCE_BUCKET": "REFUSED"}


def cluster_classes(folder):
    classes = {}
    for name in ("common_schema.py", "cluster_schema.py"):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            tree = ast.parse(file.read())
        classes.update({node.name: node for node in tree.body if isinstance(node, ast.ClassDef)})
    return classes


def fields_of(classes, name):
    node = classes.get(name)
    fields = {}
    for base in node.bases if node else []:
        fields.update(fields_of(classes, getattr(base, "id", "")))
    for item in node.body if node else []:
        if not (isinstance(item, ast.Assign) and isinstance(item.value, ast.Call)):
            continue
        text = ast.unparse(item.value)
        key = re.search(r"data_key='(\w+)'", text)
        policy = re.findall(r"UpdatePolicy\.(\w+)|UpdatePolicy\(UpdatePolicy\.(\w+)", text)
        below = re.findall(r"\b(\w+Schema)\b", text)
        pascal = "".join(word.capitalize() for word in item.targets[0].id.split("_"))
        if policy or below:
            fields[key.group(1) if key else pascal] = (policy[0][0] or policy[0][1] if policy else None, below)
    return fields


def rows_of_cluster(folder):
    classes = cluster_classes(folder)
    rows = {}

    def walk(name, before, inherited, depth):
        for key, (policy, below) in fields_of(classes, name).items():
            path = before + key
            kind = POLICIES.get(policy, "INTERRUPTS") if policy else inherited
            if kind and (kind != inherited or not before):
                rows[path] = worse(kind, rows.get(path, kind))
            for inner in below if depth < 2 * DEPTH_MAX else []:
                walk(inner, path + ".", kind, depth + 1)

    walk("ClusterSchema", "", None, 0)
    return rows


# ---- printing ----------------------------------------------------------------------------------------------------


def put(owner, rows):
    for kind in ORDER:
        words = sorted(path for path in rows if rows[path] == kind)
        if not words:
            continue
        lines = []
        line = f'UPDATES("{owner}", {kind},'
        text = '"'
        for word in words:
            if len(text) + len(word) + 8 > WIDTH:
                lines.append(text + ' "')
                text = '"'
            text += (" " if text != '"' else "") + word
        lines.append(text + '")')
        print(line + "".join("\n        " + part for part in lines))


def main():
    schemas, pages, cluster = sys.argv[1], Pages(sys.argv[2]), sys.argv[3]
    found = {}
    for name in sorted(os.listdir(schemas)):
        if name.endswith(".json"):
            with open(os.path.join(schemas, name), encoding="utf-8") as file:
                schema = json.load(file)
            # cfn-lint has a schema for each form that a type has in some region: the longest one is the newest.
            if len(schema.get("properties", {})) >= len(found.get(schema["typeName"], {}).get("properties", {})):
                found[schema["typeName"]] = schema
    for owner in sorted(sys.argv[4:]):
        if owner == "parallelcluster":
            put(owner, rows_of_cluster(cluster))
        elif owner in found:
            put(owner, rows_of_type(found[owner], pages))
        else:
            sys.exit(f"updates.py: no schema of {owner}")


main()
