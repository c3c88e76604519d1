// What a group's nodes run at their start on Batch, as the user data of their launch template: scratch space and the
// author's scripts (setup.c), which keep the ECS agent from starting where they fail. Nothing in it is late, so there is no
// Fn::Sub, and a `${x}` is the shell's.
#include "emitters/cloudformation/batch.h"

#include "compiler/base/shell.h"
#include "emitters/cloudformation/node.h"
#include "emitters/setup.h"

static Str scratch_script(Stack *stack, const PlanNodes *nodes) {
    StrBuf text = { .arena = stack->arena };
    strbuf_add(&text, STR("mount_point="));
    shell_add_word(&text, nodes->scratch->string);
    strbuf_add_char(&text, '\n');
    return userdata_script_with(stack->arena, userdata_library("node/scratch.sh"), "mount_point", strbuf_str(&text));
}

static UserDataParts parts_of(Stack *stack, const PlanNodes *nodes) {
    UserDataParts parts = { 0 };
    if (nodes->scratch == NULL && nodes->setup.count == 0) {
        return parts;
    }
    const UserDataPart fail = {
        .kind = PART_BOOTHOOK,
        .text = setup_fail_script(stack->arena, "node/quarantine-batch.sh"),
    };
    vec_push(stack->arena, &parts, fail);
    if (nodes->scratch != NULL) {
        const UserDataPart scratch = {
            .kind = PART_BOOTHOOK,
            .text = scratch_script(stack, nodes),
            .span = nodes->scratch->span,
            .name = STR("`scratch`"),
        };
        vec_push(stack->arena, &parts, scratch);
    }
    setup_add_scripts(stack->arena, &parts, nodes);
    return parts;
}

void batch_add_user_data(Stack *stack, DocNode *data, const PlanNodes *nodes) {
    const UserDataParts parts = parts_of(stack, nodes);
    if (parts.count == 0) {
        return;
    }
    const Str text = userdata_write(stack->arena, &parts);
    setup_check_size(stack->session, nodes, &parts, text.len);
    vec_push(stack->session->arena, &stack->decisions, setup_decision(stack->session, nodes, text.len));
    const Origin *scratch = nodes->scratch == NULL ? NULL : nodes->scratch->origin;
    doc_because(stack->doc, origin_join(stack->arena, scratch, setup_origin(stack->arena, nodes)));
    node_put(stack, data, "UserData",
             doc_call(stack->doc, CALL_BASE64, doc_block(stack->doc, text, why(WHY_USER_DATA))));
    doc_unbecause(stack->doc);
}

// ---- containers ------------------------------------------------------------------------------------------------

void batch_add_scratch_mount(Stack *stack, DocNode *container, const PlanNodes *nodes) {
    if (nodes->scratch == NULL) {
        return;
    }
    static const char NAME[] = "scratch";
    const Str path = nodes->scratch->string;
    doc_because(stack->doc, nodes->scratch->origin);
    DocNode *volume = node_add_map(stack, node_put_list(stack, container, "Volumes"));
    node_put_text(stack, volume, "Name", WHY_SCRATCH_MOUNT, NAME);
    node_put(stack, node_put_map(stack, volume, "Host"), "SourcePath", node_string(stack, WHY_SCRATCH_MOUNT, path));
    DocNode *mount = node_add_map(stack, node_put_list(stack, container, "MountPoints"));
    node_put_text(stack, mount, "SourceVolume", WHY_SCRATCH_MOUNT, NAME);
    node_put(stack, mount, "ContainerPath", node_string(stack, WHY_SCRATCH_MOUNT, path));
    doc_unbecause(stack->doc);
}
