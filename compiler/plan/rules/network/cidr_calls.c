// A rule about `Fn::Cidr` of a template, which cuts a block into subnets of one size: the block has so many.
// source: AWS CloudFormation User Guide, Fn::Cidr, 2026-11, read 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/base/cidr.h"
#include "compiler/plan/model/allow.h"

// -1: it is no number from 0 to 999.
static int64_t number_of(const Data *data) {
    int64_t number = data != NULL && data->string.len > 0 && data->string.len < 4 ? 0 : -1;
    for (size_t i = 0; number >= 0 && i < data->string.len; i++) {
        number = char_is_digit(data->string.data[i]) ? number * 10 + data->string.data[i] - '0' : -1;
    }
    return number;
}

// What is written, or what a parameter is where nobody gives another one; NULL: neither.
static const Data *plain_of(const PlanTemplate *template, const Data *data) {
    const PlanNamed *parameter = plan_named(template, NAMED_PARAMETER, data_text(data, "Ref"));
    const Data *text = parameter == NULL ? data : data_get(parameter->data, "Default");
    return text != NULL && text->kind == DATA_STRING ? text : NULL;
}

static const Data *value_at(const Data *map, Str key) {
    for (uint32_t i = 0; map->kind == DATA_MAP && i < map->count; i++) {
        if (str_equal(map->entries[i].key, key)) {
            return map->entries[i].value;
        }
    }
    return NULL;
}

// The same, or what `Fn::FindInMap` gives then.
static const Data *text_of(const PlanTemplate *template, const Data *data) {
    const Data *keys = data_get(data, "Fn::FindInMap");
    if (keys == NULL) {
        return plain_of(template, data);
    }
    const Data *found = keys->kind == DATA_LIST && keys->count == 3 ? template->mappings : NULL;
    for (uint32_t i = 0; found != NULL && i < keys->count; i++) {
        const Data *key = plain_of(template, keys->items[i]);
        found = key == NULL ? NULL : value_at(found, key->string);
    }
    return found != NULL && found->kind == DATA_STRING ? found : NULL;
}

// What is written of a number, or what a parameter is where nobody gives another one.
static const Data *amount_of(const PlanTemplate *template, const Data *data) {
    const PlanNamed *parameter = plan_named(template, NAMED_PARAMETER, data_text(data, "Ref"));
    return parameter == NULL ? data : data_get(parameter->data, "Default");
}

// The block that is cut: a text, a parameter, or `CidrBlock` of a VPC of the template.
static const Data *block_of(const PlanTemplate *template, const Data *data) {
    const Data *attribute = data_get(data, "Fn::GetAtt");
    if (attribute == NULL) {
        return text_of(template, data);
    }
    const bool is_list = attribute->kind == DATA_LIST && attribute->count == 2;
    const Str whole = is_list ? attribute->items[0]->string : attribute->string;
    const size_t dot = str_find(whole, STR("."), 0);
    const Str name = is_list ? attribute->items[1]->string : str_slice(whole, dot + 1, whole.len);
    const PlanNamed *vpc = plan_named(template, NAMED_RESOURCE, is_list ? whole : str_slice(whole, 0, dot));
    const Data *block = vpc == NULL || !str_is(vpc->type, "AWS::EC2::VPC") || !str_is(name, "CidrBlock")
                            ? NULL
                            : data_get(data_get(vpc->data, "Properties"), "CidrBlock");
    return block == NULL ? NULL : text_of(template, block);
}

static void check_cuts(const Rules *rules, const PlanTemplate *template, const PlanCall *call, const Data *arguments,
                       StrMap *seen) {
    const Data *block = block_of(template, arguments->items[0]);
    const int64_t count = number_of(amount_of(template, arguments->items[1]));
    const int64_t bits = number_of(amount_of(template, arguments->items[2]));
    Cidr cidr;
    if (block == NULL || !cidr_parse(block->string, &cidr) || count < 1 || bits < 1 || bits > 31) {
        return;
    }
    const int64_t has = bits + cidr.prefix > 32 ? 0 : INT64_C(1) << (32 - bits - cidr.prefix);
    const Str key = str_format(rules->session->arena, "%.*s %" PRId64 " %" PRId64, STR_ARG(block->string), count, bits);
    if (count <= has || str_map_add(seen, key, block) != NULL) {
        return;
    }
    Diag *diag = plan_report(rules->session, call->subject, arguments->items[1]->span, DIAG(cidr_small),
                             STR_ARG(block->string), (uint32_t)count, 32 - (int)bits);
    diag_label(rules->session, diag, block->span, "has %" PRId64 " of these", has);
    diag_label(rules->session, diag, arguments->items[2]->span, "%" PRId64 " bits for the addresses of each", bits);
    if (has == 0) {
        diag_help(rules->session, diag, "the last number counts bits of addresses: write `%d` for subnets of /%d",
                  32 - (int)bits, (int)bits);
        return;
    }
    diag_help(rules->session, diag, "ask for fewer subnets, for smaller ones, or write a larger block");
}

// People choose one of the subnets where they are made.
void rule_template_cuts(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    StrMap seen = { .arena = rules->session->arena };
    for (uint32_t i = 0; template != NULL && !template->is_open && i < template->calls.count; i++) {
        const PlanCall *call = template->calls.items[i];
        const Data *cut = call->argument->kind == DATA_LIST && call->argument->count == 2
                              ? data_get(call->argument->items[1], "Fn::Cidr")
                              : NULL;
        if (str_is(call->name, "Fn::Select") && cut != NULL && cut->kind == DATA_LIST && cut->count == 3) {
            check_cuts(rules, template, call, cut, &seen);
        }
    }
}
