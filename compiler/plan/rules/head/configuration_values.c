// Rules about values in a cluster configuration of ParallelCluster that it reads in another way than its author, or that
// it refuses: times without quotes, instances that differ, addresses of scripts.
// Source: aws/aws-parallelcluster@451cc532 cli/src/pcluster/utils.py and validators, 2024-10-24, read 2026-11.
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/configuration.h"
#include "compiler/plan/rules/placeholder.h"
#include "schema/instances.h"

// ---- times -------------------------------------------------------------------------------------------------------

// `12:00:00` as YAML 1.1 reads it: in base 60, the first digit no 0 and each later part below 60. False of any other text.
static bool read_sexagesimal(Str text, int64_t *number) {
    enum { TEXT_MAX = 12, PART_DIGITS = 2, BASE = 60 };
    int64_t part = 0;
    size_t digits = 0;
    int parts = 0;
    *number = 0;
    for (size_t i = 0; i <= text.len && text.len <= TEXT_MAX; i++) {
        const char c = i < text.len ? text.data[i] : ':';
        if (char_is_digit(c)) {
            part = 10 * part + (c - '0');
            digits++;
            continue;
        }
        if (c != ':' || digits == 0 || (parts > 0 && (part >= BASE || digits > PART_DIGITS))) {
            return false;
        }
        *number = *number * BASE + part;
        part = 0;
        digits = 0;
        parts++;
    }
    return parts > 1 && text.data[0] != '0';
}

static void check_times(const Rules *rules, const PlanConfiguration *configuration, const Value *value) {
    Session *session = rules->session;
    int64_t number = 0;
    if (value->kind == VALUE_STRING && read_sexagesimal(value->string, &number) &&
        str_equal(source_text(session, value->span), value->string)) {
        Diag *diag = plan_report(session, configuration_subject(configuration, value->span), value->span,
                                 DIAG(plain_time), STR_ARG(value->string), number);
        diag_help(session, diag, "write it in quotes");
        diag_fix(session, diag, value->span, str_format(session->arena, "\"%.*s\"", STR_ARG(value->string)));
    }
    for (uint32_t i = 0; value->kind == VALUE_LIST && i < value->list.count; i++) {
        check_times(rules, configuration, value->list.items[i]);
    }
    for (uint32_t i = 0; value->kind == VALUE_MAP && i < value->map.count; i++) {
        check_times(rules, configuration, value->map.entries[i].value);
    }
}

void rule_configuration_plain_times(const Rules *rules, const PlanConfiguration *configuration) {
    check_times(rules, configuration, configuration->document);
}

// ---- instances of one compute resource -----------------------------------------------------------------------------

static int vcpus_of(const InstanceRow *row) {
    return row->vcpus;
}

static int cores_of(const InstanceRow *row) {
    return row->cores;
}

// As ParallelCluster counts them. A part of a GPU has no number here.
static int gpus_of(const InstanceRow *row) {
    return row->accelerator_share != NULL ? UNKNOWN : row->accelerator == ACCELERATOR_NVIDIA ? row->accelerators : 0;
}

static bool check_alike(const Rules *rules, const PlanGroup *group, int (*count_of)(const InstanceRow *),
                        const char *what) {
    const PlanTypes *types = &group->types;
    const PlanType *first = NULL;
    for (uint32_t i = 0; i < types->count; i++) {
        const PlanType *type = &types->items[i];
        const int count = count_of(type->row);
        if (count < 0) {
            continue;
        }
        first = first == NULL ? type : first;
        if (count == count_of(first->row)) {
            continue;
        }
        Diag *diag = plan_report(rules->session, group->subject, rule_span(&type->field), DIAG(mixed_instances),
                                 type->row->name, count, what, first->row->name, count_of(first->row));
        diag_label(rules->session, diag, rule_span(&first->field), "has %d", count_of(first->row));
        diag_help(rules->session, diag, "write a compute resource of its own for it");
        return true;
    }
    return false;
}

void rule_pcluster_mixed(const Rules *rules, const PlanGroup *group) {
    const PlanPclusterGroup *own = group->pcluster;
    if (own == NULL || own->type.state != FIELD_ABSENT) {
        return;
    }
    const bool is_single = field_is(&own->single, "true");
    const bool is_known = is_single || own->single.state == FIELD_ABSENT || field_is(&own->single, "false");
    if (is_known && !check_alike(rules, group, is_single ? cores_of : vcpus_of, is_single ? "cores" : "vCPUs")) {
        check_alike(rules, group, gpus_of, "GPUs");
    }
}

// ---- addresses of scripts ------------------------------------------------------------------------------------------

// `https://github.com/OWNER/REPOSITORY/blob/…`; with `raw` in its query it leads to the file.
static bool is_page(Str url) {
    const Str host = STR("https://github.com/");
    const size_t owner_end = str_find(url, STR("/"), host.len);
    const size_t name_end = str_find(url, STR("/"), owner_end + 1);
    const Str rest = name_end < url.len ? str_slice(url, name_end, url.len) : STR_NONE;
    return str_starts_with(url, host) && str_find(url, STR("?"), 0) == url.len &&
           (str_starts_with(rest, STR("/blob/")) || str_starts_with(rest, STR("/tree/")));
}

// What is fetched over http is DT1634's.
static const char *address_fault(Str url, const char **way_out) {
    const Str bucket = STR("s3://");
    const bool is_bucket = str_starts_with(url, bucket);
    const size_t name_end = str_find(url, STR("/"), bucket.len);
    *way_out = "write `s3://BUCKET/KEY`, or an address that begins with `https://`";
    if (is_bucket && name_end + 1 >= url.len) {
        *way_out = "write the key of the script behind the bucket";
        return "it names a bucket, and no script in it";
    }
    if (is_page(url)) {
        *way_out = "write `https://raw.githubusercontent.com/OWNER/REPOSITORY/COMMIT/FILE`";
        return "it is a page of GitHub about the file";
    }
    const bool is_web = str_starts_with(url, STR("https://")) || str_starts_with(url, STR("http://"));
    return is_bucket || is_web ? NULL : "ParallelCluster takes `s3://` and `https://`";
}

// The file itself in the place of the page about it, where that names a commit; and `s3://` of `s3:/`.
static void fix_address(const Rules *rules, Diag *diag, const PlanField *field) {
    const Str page = STR("https://github.com/");
    const Str url = field->text;
    const size_t blob = str_find(url, STR("/blob/"), 0);
    if (is_page(url) && blob < url.len) {
        rule_replace(rules, diag, rule_span(field), url,
                     str_format(rules->session->arena, "https://raw.githubusercontent.com/%.*s%.*s",
                                STR_ARG(str_slice(url, page.len, blob + 1)),
                                STR_ARG(str_slice(url, blob + STR("/blob/").len, url.len))));
    } else if (str_starts_with(url, STR("s3:/")) && str_at(url, 4) != '/') {
        rule_replace(rules, diag, rule_span(field), url,
                     str_format(rules->session->arena, "s3://%.*s", STR_ARG(str_slice(url, 4, url.len))));
    }
}

// A word without a `/` stands for an address, as what is in brackets does.
static bool is_to_fill_in(Str url) {
    size_t start = 0;
    size_t end = 0;
    return str_find(url, STR("/"), 0) == url.len || str_find(url, STR("<"), 0) < url.len ||
           str_find(url, STR("{{"), 0) < url.len || str_find(url, STR("$"), 0) < url.len ||
           placeholder_find(url, TEXT_VALUE, 0, &start, &end);
}

// One address is one finding, in however many queues it stands.
static bool is_said(const PlanConfiguration *configuration, uint32_t index) {
    enum { BEFORE_MAX = 1000 };
    const Str url = configuration->actions.items[index].url.text;
    for (uint32_t i = index < BEFORE_MAX ? 0 : index - BEFORE_MAX; i < index; i++) {
        const PlanCustomAction *earlier = &configuration->actions.items[i];
        if (str_equal(earlier->url.text, url) && !plan_allows(earlier->subject, DIAG_script_address)) {
            return true;
        }
    }
    return false;
}

void rule_configuration_addresses(const Rules *rules, const PlanConfiguration *configuration) {
    for (uint32_t i = 0; i < configuration->actions.count; i++) {
        const PlanCustomAction *action = &configuration->actions.items[i];
        const Str url = action->url.text;
        const char *way_out = NULL;
        const bool is_known = action->url.state == FIELD_KNOWN && !is_to_fill_in(url);
        const char *fault = is_known ? address_fault(url, &way_out) : NULL;
        if (fault != NULL && !is_said(configuration, i)) {
            Diag *diag =
                plan_report(rules->session, action->subject, rule_span(&action->url), DIAG(script_address), fault);
            diag_help(rules->session, diag, "%s", way_out);
            fix_address(rules, diag, &action->url);
        }
    }
}
