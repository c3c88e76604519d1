#!/usr/bin/env python3
"""Holds manifests against the published schemas of Kubernetes and of those who extend it: kubernetes_schemas.py FOLDER
FILE...

FOLDER holds openapi.json, which is api/openapi-spec/swagger.json of kubernetes/kubernetes, and CustomResourceDefinitions
in .yaml. An unknown field is a fault, as for `kubectl apply --validate=strict`. So is a kind without a schema, unless
OTHERS has it. Pods within objects of others are held against Kubernetes' own schema too, since many definitions say
little about them. Prints `FILE: fault`, or `FILE: ok`, and ends with 1 where one is at fault.
"""
import json
import os
import sys

import jsonschema
import yaml

# Kinds whose publisher has no schema in the folder: group of the API, and why.
OTHERS = {
    "karpenter.sh": "Karpenter",
    "karpenter.k8s.aws": "Karpenter",
    "ray.io": "KubeRay",
}

QUANTITY = r"^[+-]?([0-9]+|[0-9]+\.[0-9]*|\.[0-9]+)(([KMGTPE]i)|[numkMGTPE]|([eE][+-]?[0-9]+))?$"
POD_TEMPLATE = "io.k8s.api.core.v1.PodTemplateSpec"
OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
SKIPPED = {"description", "format", "default", "example", "allOf", "anyOf", "oneOf", "not"}


def strict(node):
    """A schema of OpenAPI as one of JSON Schema that takes no unknown field."""
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[-1]
        if name.endswith(".Quantity"):
            return {"type": ["string", "number"], "pattern": QUANTITY}
        if name.endswith(".IntOrString"):
            return {"type": ["integer", "string"]}
        return {"$ref": node["$ref"]}
    if node.get("x-kubernetes-int-or-string"):
        return {"type": ["integer", "string"]}
    out = {key: value for key, value in node.items() if key not in SKIPPED and not key.startswith("x-")}
    if "properties" in node:
        out["properties"] = {name: strict(field) for name, field in node["properties"].items()}
        if "additionalProperties" not in node and not node.get("x-kubernetes-preserve-unknown-fields"):
            out["additionalProperties"] = False
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), dict):
            out[key] = strict(node[key])
    if node.get("nullable") and isinstance(out.get("type"), str):
        out["type"] = [out["type"], "null"]
    return out


def of_custom_resource(schema):
    """What stands at the top of every object is not in a CustomResourceDefinition."""
    schema = strict(schema)
    schema.setdefault("properties", {}).update(
        apiVersion={"type": "string"}, kind={"type": "string"}, metadata={"$ref": "#/definitions/" + OBJECT_META})
    return schema


class Schemas:
    def __init__(self, folder):
        with open(os.path.join(folder, "openapi.json"), encoding="utf-8") as file:
            definitions = json.load(file)["definitions"]
        self.definitions = {name: strict(schema) for name, schema in definitions.items()}
        self.kinds = {}
        for name, schema in definitions.items():
            for kind in schema.get("x-kubernetes-group-version-kind", []):
                version = "/".join(filter(None, (kind["group"], kind["version"])))
                self.kinds[version, kind["kind"]] = {"$ref": "#/definitions/" + name}
        for name in sorted(os.listdir(folder)):
            if name.endswith(".yaml"):
                self.add_custom_resources(os.path.join(folder, name))

    def add_custom_resources(self, path):
        with open(path, encoding="utf-8") as file:
            for document in yaml.safe_load_all(file):
                if not document or document.get("kind") != "CustomResourceDefinition":
                    continue
                spec = document["spec"]
                for version in spec["versions"]:
                    key = spec["group"] + "/" + version["name"], spec["names"]["kind"]
                    self.kinds[key] = of_custom_resource(version["schema"]["openAPIV3Schema"])

    def faults(self, schema, value):
        schema = {"allOf": [schema], "definitions": self.definitions}
        for error in jsonschema.Draft7Validator(schema).iter_errors(value):
            while error.context:
                error = max(error.context, key=lambda inner: len(inner.absolute_path))
            yield "/%s: %s" % ("/".join(map(str, error.absolute_path)), error.message[:160])


def pod_templates(node):
    if isinstance(node, list):
        for item in node:
            yield from pod_templates(item)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key == "template" and isinstance(value, dict) and "containers" in (value.get("spec") or {}):
                yield value
            else:
                yield from pod_templates(value)


def object_faults(schemas, thing):
    if not isinstance(thing, dict) or not isinstance(thing.get("apiVersion"), str) or "kind" not in thing:
        yield "no object of Kubernetes"
        return
    version, kind = thing["apiVersion"], thing["kind"]
    if not (thing.get("metadata") or {}).get("name"):
        yield "%s: no name" % kind
    schema = schemas.kinds.get((version, kind))
    if schema is None:
        if version.split("/")[0] not in OTHERS:
            yield "%s of %s: no schema" % (kind, version)
        return
    for fault in schemas.faults(schema, thing):
        yield "%s%s" % (kind, fault)
    if "$ref" not in schema:
        for template in pod_templates(thing):
            for fault in schemas.faults({"$ref": "#/definitions/" + POD_TEMPLATE}, template):
                yield "%s: pod%s" % (kind, fault)


def file_faults(schemas, path):
    with open(path, encoding="utf-8") as file:
        documents = [document for document in yaml.safe_load_all(file) if document is not None]
    if not documents:
        yield "no object"
    for document in documents:
        for thing in document.get("items", []) if document.get("kind") == "List" else [document]:
            yield from object_faults(schemas, thing)


def main():
    schemas = Schemas(sys.argv[1])
    is_right = True
    for path in sys.argv[2:]:
        faults = list(file_faults(schemas, path))
        for fault in faults:
            print("%s: %s" % (path, fault))
        if not faults:
            print("%s: ok" % path)
        is_right = is_right and not faults
    return 0 if is_right else 1


sys.exit(main())
