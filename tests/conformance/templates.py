"""Reads CloudFormation templates as PyYAML sees them: a safe loader, with intrinsics in their long form. PyYAML has two
parsers. The one in C takes a tenth of the time, so it is used where it is there; pyyaml.sh asks for the one in Python."""
import json
import re

import yaml


def _intrinsic(loader, suffix, node):
    if isinstance(node, yaml.ScalarNode):
        value = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        value = loader.construct_mapping(node, deep=True)
    if suffix == "GetAtt" and isinstance(value, str):
        value = value.split(".", 1)
    return {suffix if suffix in ("Ref", "Condition") else "Fn::" + suffix: value}


def _mapping(loader, node):
    keys = [loader.construct_object(key) for key, _ in node.value]
    if len(set(keys)) < len(keys):
        for key in (key for key in keys if keys.count(key) > 1):
            raise yaml.constructor.ConstructorError(None, None, "the key %r stands twice" % (key,), node.start_mark)
    return loader.construct_mapping(node, deep=True)


def _template_loader(base):
    """Refuses a key that stands twice, which PyYAML itself lets pass."""
    class TemplateLoader(base):
        pass
    TemplateLoader.add_multi_constructor("!", _intrinsic)
    TemplateLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)
    return TemplateLoader


IN_PYTHON = _template_loader(yaml.SafeLoader)
FASTEST = _template_loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def load(path, loader=FASTEST):
    with open(path, encoding="utf-8") as file:
        return json.load(file) if path.endswith(".json") else yaml.load(file, Loader=loader)


def strings(node, path=""):
    """Every string of a document with the path to it, depth first."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from strings(value, "%s.%s" % (path, key) if path else str(key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from strings(value, "%s[%d]" % (path, index))
    elif isinstance(node, str):
        yield path, node


def unsubstituted(text):
    """What Fn::Sub leaves for the shell: ${!x} is ${x}; what it replaces is a word."""
    return re.sub(r"\$\{([^}!][^}]*)\}", "value", text).replace("${!", "${")
