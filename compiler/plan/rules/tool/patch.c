// Holds the keys and values of `patch eksctl` and `patch pcluster` against those that the tools take
// (schema/patches.def). Both stop at a key that they do not know and at a value of another kind, when the cluster is
// made. What CloudFormation takes is cfn-lint's business.
#include "compiler/plan/rules/tool_keys.h"

#include "compiler/base/doc_path.h"
#include "compiler/plan/model/part_files.h"

static const char *const SUFFIXES[] = { [PATCH_EKSCTL] = "eksctl", [PATCH_PCLUSTER] = "pcluster" };

// A path that cannot be read is reported where it is used.
static void check_patch(const KeysCheck *check, const BlockPatch *patch) {
    const KeysRow *row = keys_find_map(check->tool, STR_NONE);
    KeyTakes takes = { 0 };
    Str name = str_of(row->name);
    DocPath path = { .arena = check->rules->session->arena, .text = patch->path };
    DocStep found;
    while (doc_path_next(&path, &found)) {
        const bool is_last = path.offset >= path.text.len;
        if (found.kind == STEP_KEY && keys_are_open(takes.type)) {
            takes = (KeyTakes){ .type = keys_item_type(takes.type) };
            name = found.key;
        } else if (found.kind == STEP_KEY) {
            if (row != NULL && !keys_find(row, found.key, &takes)) {
                if (!is_last) {
                    return; // the file that dtc writes has no such key either, and says so (DT0551)
                }
                keys_unknown(check, row, found.key, patch->path_span);
            }
            takes = row == NULL ? (KeyTakes){ 0 } : takes;
            name = found.key;
        } else {
            takes = (KeyTakes){ .type = keys_item_type(takes.type) };
        }
        const Str map = str_starts_with(takes.type, STR("*")) ? keys_item_type(takes.type) : takes.type;
        row = map.len == 0 ? NULL : keys_find_map(check->tool, map);
    }
    if (path.fault == NULL) {
        keys_check(check, name, takes, patch->value);
    }
}

static bool is_of_tool(const PlanPart *part, const BlockPatch *patch, PatchTool tool) {
    const unsigned files = plan_files_of(part_root(part));
    const unsigned asked = patch->file.len > 0 ? plan_file_named(patch->file) : plan_files_of_plain_patch(files);
    return asked == plan_file_named(str_of(SUFFIXES[tool]));
}

void rule_patch_keys(const Rules *rules, const PlanPart *part) {
    for (uint32_t i = 0; i < part->patches.count; i++) {
        const BlockPatch *patch = &part->patches.items[i];
        for (size_t t = 0; t < COUNT_OF(SUFFIXES); t++) {
            if (is_of_tool(part, patch, (PatchTool)t)) {
                check_patch(&(KeysCheck){ .rules = rules, .part = part, .tool = (PatchTool)t }, patch);
            }
        }
    }
}
