// Applies patches. One that writes what is already there is reported, as it has lost its reason: dtc may have learnt to
// write the same, or an attribute does.
#include "emitters/patch.h"

#include "compiler/plan/model/allow.h"
#include "emitters/doc/doc_find.h"

void patch_apply(Doc *doc, const PlanPart *part, const BlockPatch *patch, DocNode *value) {
    const DocNode *old = value == NULL ? NULL : doc_find(doc, patch->path);
    if (old != NULL && doc_equal(old, value)) {
        plan_report(doc_session(doc), part->subject, patch->path_span, DIAG(patch_changes_nothing),
                    STR_ARG(patch->path));
    }
    doc_patch(doc, patch->path, patch->path_span, value);
}
