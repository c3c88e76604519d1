// The verdicts stay under each instance's id. A node may write below the folder and do nothing else there, so that one
// node's verdict is safe from another node.
#include "emitters/node/verdicts.h"

#include "compiler/base/shell.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/names.h"
#include "emitters/node/upload.h"
#include "emitters/node/userdata.h"

static bool are_reported(const PlanNodes *nodes) {
    return nodes->validate->verdicts != NULL || nodes->validate->textfile != NULL;
}

void verdicts_add(StrBuf *out, const PlanNodes *nodes) {
    if (!are_reported(nodes)) {
        return;
    }
    const Value *verdicts = nodes->validate->verdicts;
    const Value *textfile = nodes->validate->textfile;
    strbuf_add(out, STR("verdicts="));
    strbuf_add(out,
               verdicts == NULL ? STR_NONE : upload_place(verdicts->string)); // neither has a character of a shell's
    if (plan_verdict_key(nodes) != NULL) {
        strbuf_add_format(out, "\nkey=%.*s", STR_ARG(plan_verdict_key(nodes)->string));
    }
    strbuf_add(out, STR("\ntextfile="));
    strbuf_add(out, textfile == NULL ? STR_NONE : textfile->string);
    strbuf_add_char(out, '\n');
    userdata_add_code(out, userdata_library("node/report.sh"));
}

static void decide_failures(Arena *arena, PlanDecisions *decisions, const PlanNodes *nodes) {
    const Str parameter = plan_failures(arena, nodes);
    if (parameter.len == 0 || nodes->role.instance_profile == NULL) {
        return;
    }
    const PlanDecision decision = {
        .span = nodes->head.subject->name_span,
        .subject = plan_group_path(arena, nodes),
        .text =
            str_format(arena,
                       "the role of its instance_profile has to be allowed ssm:PutParameter and ssm:GetParameter on "
                       "parameter%.*s, or nodes that fail are not replaced",
                       STR_ARG(parameter)),
    };
    vec_push(arena, decisions, decision);
}

void verdicts_decide_role(Arena *arena, PlanDecisions *decisions, const PlanNodes *nodes) {
    decide_failures(arena, decisions, nodes);
    const Str objects = plan_verdict_objects(arena, nodes);
    if (objects.len == 0 || nodes->role.instance_profile == NULL) {
        return;
    }
    const Value *key = plan_verdict_key(nodes);
    const Str beside =
        key == NULL ? STR_NONE : str_format(arena, ", and kms:GenerateDataKey on %.*s", STR_ARG(key->string));
    const PlanDecision decision = {
        .span = nodes->head.subject->name_span,
        .subject = plan_group_path(arena, nodes),
        .text = str_format(arena, "the role of its instance_profile has to be allowed s3:PutObject on s3://%.*s%.*s",
                           STR_ARG(objects), STR_ARG(beside)),
    };
    vec_push(arena, decisions, decision);
}
