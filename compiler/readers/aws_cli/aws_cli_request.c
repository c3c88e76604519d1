// The service's own words are CloudFormation's, but for the case of the first letter.
#include "compiler/readers/aws_cli/aws_cli_request.h"

#include "compiler/readers/foreign_subject.h"
#include "compiler/readers/foreign_value.h"

typedef struct {
    const char *name;    // that every such request has
    const char *part;    // and this
    const char *or_part; // or this; NULL: nothing
    const char *answer;  // has this too, and is no request
    const char *type;    // of the resource that it makes
} RequestRow;

static const RequestRow REQUEST_ROWS[] = {
    { "jobDefinitionName", "containerProperties", "nodeProperties", "jobDefinitionArn", "AWS::Batch::JobDefinition" },
    { "computeEnvironmentName", "computeResources", NULL, "computeEnvironmentArn", "AWS::Batch::ComputeEnvironment" },
    { "LaunchTemplateData", "LaunchTemplateName", "LaunchTemplateId", "LaunchTemplateVersions",
      "AWS::EC2::LaunchTemplate" },
    { "nodegroupName", "clusterName", NULL, "nodegroupArn", "AWS::EKS::Nodegroup" },
};

static const RequestRow *row_of(const Data *document) {
    for (size_t i = 0; i < COUNT_OF(REQUEST_ROWS); i++) {
        const RequestRow *row = &REQUEST_ROWS[i];
        const bool has_part =
            data_get(document, row->part) != NULL || (row->or_part != NULL && data_get(document, row->or_part) != NULL);
        if (data_get(document, row->name) != NULL && has_part && data_get(document, row->answer) == NULL) {
            return row;
        }
    }
    return NULL;
}

// "hostPath" is "HostPath".
static Str property_name(Arena *arena, Str name) {
    const char first = str_at(name, 0);
    if (first < 'a' || first > 'z') {
        return name;
    }
    return str_format(arena, "%c%.*s", first - 'a' + 'A', STR_ARG(str_slice(name, 1, name.len)));
}

// A copy in CloudFormation's words.
static Data *in_properties(Arena *arena, const Data *data) {
    Data *copy = arena_new(arena, Data);
    *copy = *data;
    if (data->kind == DATA_LIST) {
        copy->items = arena_new_array(arena, Data *, data->count);
        for (uint32_t i = 0; i < data->count; i++) {
            copy->items[i] = in_properties(arena, data->items[i]);
        }
    } else if (data->kind == DATA_MAP) {
        copy->entries = arena_new_array(arena, DataEntry, data->count);
        for (uint32_t i = 0; i < data->count; i++) {
            const DataEntry *entry = &data->entries[i];
            copy->entries[i] = (DataEntry){ .key = property_name(arena, entry->key),
                                            .key_span = entry->key_span,
                                            .value = in_properties(arena, entry->value) };
        }
    }
    return copy;
}

static const DataEntry *entry_of(const Data *document, const char *name) {
    for (uint32_t i = 0; i < document->count; i++) {
        if (str_is(document->entries[i].key, name)) {
            return &document->entries[i];
        }
    }
    return NULL;
}

const PlanRaw *aws_cli_read(Session *session, const Subject *file, const Data *document) {
    const RequestRow *row = document->kind == DATA_MAP ? row_of(document) : NULL;
    if (row == NULL) {
        return NULL;
    }
    Arena *arena = session->arena;
    const DataEntry *name = entry_of(document, row->name);
    const Value *properties = foreign_value(arena, in_properties(arena, document));
    const Data *title = data_get(document, "LaunchTemplateName");
    const Data *called = title == NULL ? name->value : title;
    RawResource *resource = arena_new(arena, RawResource);
    *resource = (RawResource){ .type = str_of(row->type),
                               .name = called->kind == DATA_STRING ? called->string : name->key,
                               .span = name->key_span,
                               .whole = document->span,
                               .subject = foreign_subject(session, file, name->key_span, document->span),
                               .properties = properties->map.entries,
                               .property_count = properties->map.count };
    RawResources resources = { 0 };
    vec_push(arena, &resources, resource);
    return &raw_stack_of(session, resources)->parts;
}
