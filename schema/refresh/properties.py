#!/usr/bin/env python3
"""Prints rows for schema/properties.def: properties.py SCHEMAS TYPE...

SCHEMAS  a folder of CloudFormation's resource schemas, JSON, as it publishes them and as cfn-lint has them in
         cfnlint/data/schemas/resources
TYPE     which types to print; a request of the AWS CLI is `SERVICE.OPERATION,TYPE`, perhaps with more than one
         OPERATION, and comes from the models of botocore, which has to be installed

A row has what a map takes. A map without a row has keys of its author's own. What holds itself is left out from the
second time on.
"""
import json
import os
import sys

WIDTH = 118
SCALARS = {"string", "integer", "number", "boolean"}
MARKS = {"integer": "#", "number": "#", "boolean": "%", "long": "#", "float": "#", "double": "#", "timestamp": "?", "blob": "?"}

# What a type has learnt since its schema was published: hashicorp/terraform-provider-awscc 1.96.0, pcs_compute_node_group.
LEARNT = {"AWS::PCS::ComputeNodeGroup": {"NodeLifecycleActions": "{}"}}

# What requests are read as: compiler/readers/aws_cli/aws_cli_request.c.
RENAMED = {
    (None, "clusterIdentifier"): "ClusterId",
    (None, "computeNodeGroupName"): "Name",
    ("customLaunchTemplate", "id"): "TemplateId",
}
OWN_KEYS = {"driverOpts", "labels", "options", "parameters", "tags"}


def print_row(path, names):
    text = f'PROPERTIES("{path}",'
    line = '"'
    lines = []
    for name in names:
        if len(line) + len(name) + 12 > WIDTH:
            lines.append(line + '"')
            line = '"'
        line += name + " "
    lines.append(line.rstrip() + '"')
    if len(lines) == 1 and len(text) + len(lines[0]) + 2 <= WIDTH:
        print(f"{text} {lines[0]})")
    else:
        print(text)
        print("\n".join("           " + line for line in lines) + ")")


# ---- CloudFormation ----------------------------------------------------------------------------------------------


def read_schemas(folder, kinds):
    schemas = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                schema = json.load(file)
            kind = schema.get("typeName")
            if kind in kinds and len(schema["properties"]) >= len(schemas.get(kind, {"properties": []})["properties"]):
                schemas[kind] = schema
    return schemas


class Schema:
    def __init__(self, kind, schema):
        self.schema = schema
        self.kind = kind
        self.rows = []

    def resolve(self, part, seen):
        while "$ref" in part:
            name = part["$ref"]
            seen = seen + (name,)
            part = self.schema
            for step in name.lstrip("#/").split("/"):
                part = part[step]
        return part, seen

    # "" a text, "#" a number, "%" true or false, "[]" a list, "{}" a map, "?" any of these.
    def mark(self, path, part, seen):
        part, seen = self.resolve(part, seen)
        if len(seen) != len(set(seen)):
            return "?"
        kinds = part.get("type", "?")
        kinds = set(kinds) if isinstance(kinds, list) else {kinds}
        if kinds <= SCALARS:
            return MARKS.get(kinds.pop(), "") if len(kinds) == 1 else ""
        if kinds == {"array"}:
            items = part.get("items", {})
            if isinstance(items, dict):
                self.mark(path, items, seen)
            return "[]"
        if kinds == {"object"}:
            self.add(path, part, seen)
            return "{}"
        return "?"

    def add(self, path, part, seen):
        properties = part.get("properties")
        if not properties or part.get("patternProperties") or part.get("additionalProperties") not in (False, None):
            return
        required = set(part.get("required", []))
        names = []
        at = len(self.rows)
        self.rows.append(None)
        for name in sorted(properties):
            mark = self.mark(f"{path}/{name}", properties[name], seen)
            names.append(name + mark + ("!" if name in required else ""))
        names = sorted(names + [name + mark for name, mark in LEARNT.get(path, {}).items() if name not in properties])
        self.rows[at] = (path, names)

    def collect(self, all_rows):
        self.add(self.kind, self.schema, ())
        for path, names in self.rows:
            all_rows[path] = {name.rstrip("[]{}?!#%"): name for name in names}


# ---- requests ----------------------------------------------------------------------------------------------------


class Request:
    def __init__(self, service, operations, kind, inner):
        import botocore.session

        model = botocore.session.get_session().get_service_model(service)
        self.path = f"aws-cli {kind}" + (f"/{inner}" if inner else "")
        self.shapes = [model.operation_model(operation).input_shape for operation in operations]
        if inner:
            self.shapes.append(model.operation_model("CreateLaunchTemplate").input_shape.members[inner])
        self.rows = {}

    def mark(self, path, outer, name, shape, seen):
        if shape.type_name == "list":
            self.mark(path, name, name, shape.member, seen)
            return "[]"
        if shape.type_name == "map":
            return "{}"
        if shape.type_name == "structure":
            if shape.name not in seen and name not in OWN_KEYS:
                self.add(path, name, [shape], seen + (shape.name,))
            return "{}"
        return MARKS.get(shape.type_name, "")

    def add(self, path, outer, shapes, seen):
        row = self.rows.setdefault(path, {})
        for shape in shapes:
            for name, member in shape.members.items():
                own = RENAMED.get((outer, name)) or RENAMED.get((None, name)) or name[0].upper() + name[1:]
                mark = self.mark(f"{path}/{own}", outer, name, member, seen)
                mark = "?" if own == "VPCZoneIdentifier" else mark
                row[own] = mark + ("!" if name in shape.required_members and len(shapes) == 1 else "")

    def collect(self, all_rows):
        self.add(self.path, None, self.shapes, ())
        for path, names in self.rows.items():
            row = all_rows.get(path)
            for name in names:
                both = row is None or name in row and row[name].endswith("!")
                all_rows.setdefault(path, {})[name] = name + (names[name] if both else names[name].rstrip("!"))
            for name in set(row or {}) - set(names):
                row[name] = row[name].rstrip("!")


def main(folder, words):
    schemas = read_schemas(folder, set(words))
    all_rows = {}
    for word in words:
        if "," in word:
            operations, kind = word.split(",")
            service = operations.split(".")[0]
            inner = "LaunchTemplateData" if operations.endswith(".RunInstances") else None
            Request(service, [name for name in operations.split(".")[1:]], kind, inner).collect(all_rows)
        else:
            Schema(word, schemas[word]).collect(all_rows)
    for path in sorted(all_rows):
        if all_rows[path]:
            print_row(path, [all_rows[path][name] for name in sorted(all_rows[path])])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
