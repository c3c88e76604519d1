// Rules about the parts of user data: types that something on the node reads, and the keys of a NodeConfig.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/kubelet_value.h"
#include "compiler/plan/rules/user_data_text.h"
#include "compiler/plan/rules/rule_word.h"
#include "schema/names.h"
#include "schema/objects.h"

// ---- types -------------------------------------------------------------------------------------------------------

static const char NODE_CONFIG[] = "application/node.eks.aws";

// YAML, at whose beginning the version stands among other keys; no script that writes one.
static bool is_node_config(Str body) {
    const Str text = str_trim(body);
    const bool is_script = str_starts_with(text, STR("#!"));
    return str_starts_with(text, STR("apiVersion: node.eks.aws/")) ||
           (!is_script && str_find(text, STR("\napiVersion: node.eks.aws/"), 0) < text.len);
}

static bool is_read(Str type) {
    return names_have(NAMES_USER_DATA_TYPES, type) || str_starts_with(type, STR("multipart/"));
}

static void check_type(const Rules *rules, const PlanLaunch *launch, const UserDataPart *part) {
    Session *session = rules->session;
    const Str type = str_small(session->arena, part->type);
    const Span span = user_data_place(rules, &launch->user_data, part->type_at);
    const bool is_known = type.len == 0 || is_read(type) || str_find(type, STR("${"), 0) < type.len;
    if (!str_is(type, NODE_CONFIG) && type.len > 0 && is_node_config(part->body)) {
        Diag *diag = plan_report(session, launch->subject, span, DIAG(node_config_type), STR_ARG(type));
        diag_help(session, diag, "write `Content-Type: %s`", NODE_CONFIG);
        rule_replace_part(rules, diag, span, part->type, str_of(NODE_CONFIG));
    } else if (!is_known) {
        Suggestion suggestion = suggest_for(session, type);
        const NameList types = names_of(NAMES_USER_DATA_TYPES);
        for (size_t i = 0; i < types.count; i++) {
            suggest_offer(&suggestion, str_of(types.items[i]));
        }
        Diag *diag = plan_report(session, launch->subject, span, DIAG(mime_type), STR_ARG(type));
        const Str best = suggestion.best.len > 0 ? suggestion.best : STR("text/x-shellscript");
        diag_help(session, diag, "write `Content-Type: %.*s`", STR_ARG(best));
        if (suggest_is_sure(&suggestion)) {
            rule_replace_part(rules, diag, span, part->type, best);
        }
    } else if (str_is(type, "text/cloud-config") && str_starts_with(str_trim(part->body), STR("#!"))) {
        Diag *diag = plan_report(session, launch->subject, span, DIAG(script_as_config));
        diag_help(session, diag, "write `Content-Type: text/x-shellscript`");
        rule_replace_part(rules, diag, span, part->type, STR("text/x-shellscript"));
    }
}

void rule_launch_types(const Rules *rules, const PlanLaunch *launch) {
    const UserDataParts parts = user_data_parts(rules->session->arena, &launch->user_data);
    for (uint32_t i = 0; i < parts.count; i++) {
        check_type(rules, launch, &parts.items[i]);
    }
}

// ---- keys of a NodeConfig ----------------------------------------------------------------------------------------

enum { LEVELS_MAX = 20 };

// Reads a NodeConfig line by line: the text has variables in it, and need not be YAML before they are filled in.
typedef struct {
    const Rules *rules;
    const PlanLaunch *launch;
    const ObjectTypeRow *root;
    struct {
        size_t indent;
        const ObjectTypeRow *type; // NULL: anything may be in it
        Str key;                   // that has a value in its line, so that nothing may be in it; else empty
        bool is_kubelet;           // what is in it goes to the kubelet
        size_t inner;              // the indent of the first line in it; 0: none was read
    } levels[LEVELS_MAX];
    int depth;
} KeyScan;

// The path to the only map of a NodeConfig that has the key: "spec.kubelet"; empty where there is none.
static Str home_of(Arena *arena, const ObjectTypeRow *type, Str path, Str key, int depth) {
    for (int i = 0; i < type->field_count && depth < LEVELS_MAX; i++) {
        const ObjectFieldRow *field = &schema_object_fields(type)[i];
        const char *name = schema_object_text(field->name);
        if (field->form != OBJECT_FIELDS || field->shape != OBJECT_ONE) {
            continue;
        }
        const ObjectTypeRow *inner = &OBJECT_TYPE_ROWS[field->type];
        const Str inner_path = path.len == 0 ? str_of(name) : str_format(arena, "%.*s.%s", STR_ARG(path), name);
        if (schema_object_field(inner, key) != NULL) {
            return inner_path;
        }
        const Str found = home_of(arena, inner, inner_path, key, depth + 1);
        if (found.len > 0) {
            return found;
        }
    }
    return STR_NONE;
}

// Only what is near to a key, or has its place elsewhere: a later release of nodeadm may have keys that dtc does not know.
static void check_key(const KeyScan *scan, const ObjectTypeRow *type, Str key, size_t at) {
    Session *session = scan->rules->session;
    Suggestion suggestion = suggest_for(session, key);
    for (int i = 0; i < type->field_count; i++) {
        suggest_offer(&suggestion, str_of(schema_object_text(schema_object_fields(type)[i].name)));
    }
    const Str home = suggestion.best.len > 0               ? STR_NONE
                     : names_have(NAMES_KUBELET_KEYS, key) ? STR("spec.kubelet.config")
                                                           : home_of(session->arena, scan->root, STR_NONE, key, 0);
    if (suggestion.best.len == 0 && home.len == 0) {
        return;
    }
    const Span span = user_data_place_in(scan->rules, &scan->launch->user_data, at);
    Diag *diag = plan_report(session, scan->launch->subject, span, DIAG(node_config_key), STR_ARG(key),
                             type == scan->root ? "at its top" : "at this place");
    if (home.len > 0) {
        diag_help(session, diag, "it stands in `%.*s`, indented by two blanks more than that", STR_ARG(home));
    } else {
        diag_help(session, diag, "write `%.*s`", STR_ARG(suggestion.best));
        if (suggest_is_sure(&suggestion)) {
            rule_replace_part(scan->rules, diag, span, str_format(session->arena, "%.*s:", STR_ARG(key)),
                              str_format(session->arena, "%.*s:", STR_ARG(suggestion.best)));
        }
    }
}

// nodeadm knows one version of one kind. What stands for a value is not told.
static void check_head(const KeyScan *scan, Str key, Str value, size_t at) {
    const Str text = str_trim(value);
    const char *known = str_is(key, "kind") ? "NodeConfig" : "node.eks.aws/v1alpha1";
    for (size_t i = 0; i < text.len; i++) {
        const char c = char_small(text.data[i]);
        if (!char_is_digit(c) && (c < 'a' || c > 'z') && c != '.' && c != '/') {
            return;
        }
    }
    if (text.len > 0 && !str_is(text, known)) {
        Session *session = scan->rules->session;
        const Span span = user_data_place_in(scan->rules, &scan->launch->user_data, at);
        Diag *diag =
            plan_report(session, scan->launch->subject, span, DIAG(node_config_head), STR_ARG(key), STR_ARG(text));
        diag_help(session, diag, "write `%.*s: %s`", STR_ARG(key), known);
        rule_replace_part(scan->rules, diag, span, text, str_of(known));
    }
}

// A key deeper than one that has a value: the text is no YAML.
static void check_depth(const KeyScan *scan, Str key, Str outer, size_t at) {
    Session *session = scan->rules->session;
    Diag *diag =
        plan_report(session, scan->launch->subject, user_data_place_in(scan->rules, &scan->launch->user_data, at),
                    DIAG(node_config_key), STR_ARG(key), "at this place");
    diag_help(session, diag, "`%.*s` has a value, and nothing stands in it: indent this line as that one",
              STR_ARG(outer));
}

// A value that ends with its line: no text of several lines, no list or map that goes on.
static bool has_word(Str value) {
    const Str text = str_trim(value);
    const char c = char_small(str_at(text, 0));
    return char_is_digit(c) || (c >= 'a' && c <= 'z');
}

static Str key_of(Str words) {
    size_t at = 0;
    while (at < words.len && (char_is_digit(words.data[at]) ||
                              (char_small(words.data[at]) >= 'a' && char_small(words.data[at]) <= 'z'))) {
        at++;
    }
    const bool is_key = at > 0 && str_at(words, at) == ':' && (at + 1 == words.len || words.data[at + 1] == ' ');
    return is_key ? str_slice(words, 0, at) : STR_NONE;
}

// What stands in quotes, of a value that is nothing else but for a comment; empty of any other.
static Str quoted(Str value) {
    const Str text = str_trim(value);
    const char quote = str_at(text, 0);
    const size_t end = str_find(text, str_slice(text, 0, 1), 1);
    const Str rest = end < text.len ? str_trim(str_slice(text, end + 1, text.len)) : text;
    const bool is_all = rest.len == 0 || str_starts_with(rest, STR("#"));
    return (quote == '"' || quote == '\'') && is_all ? str_slice(text, 1, end) : STR_NONE;
}

// Of a value on one line.
static Str without_comment(Str value) {
    return str_trim(str_slice(value, 0, str_find(value, STR(" #"), 0)));
}

static bool begins_scalar(Str value) {
    const char c = str_at(value, 0);
    const bool is_dashed = c == '-' && str_at(value, 1) > ' ';
    return has_word(value) || is_dashed || ((c == '"' || c == '\'') && !str_has(value, "${"));
}

// A field of a NodeConfig, and a value of another shape on its line.
static void check_shape(const KeyScan *scan, const ObjectFieldRow *field, Str key, Str value, size_t at) {
    const bool is_list = field->shape == OBJECT_LIST && begins_scalar(value) && !str_is(value, "null");
    const bool is_text = field->shape == OBJECT_ONE && field->form == OBJECT_STRING &&
                         (str_at(value, 0) == '{' || str_at(value, 0) == '[') && !str_starts_with(value, STR("{{"));
    if (!is_list && !is_text) {
        return;
    }
    const Span place = user_data_place_in(scan->rules, &scan->launch->user_data, at);
    Diag *diag = plan_report(scan->rules->session, scan->launch->subject, place, DIAG(node_config_value), STR_ARG(key),
                             is_list ? "a list" : "a text",
                             is_list                   ? "a text"
                             : str_at(value, 0) == '{' ? "a map"
                                                       : "a list");
    if (is_list) {
        diag_help(scan->rules->session, diag, "write `%.*s: [%.*s]`", STR_ARG(key), STR_ARG(value));
    } else {
        diag_help(scan->rules->session, diag, "write `%.*s: |`, and the text below it", STR_ARG(key));
    }
}

// A line of the map that goes to the kubelet. What is deeper has other types.
static void check_kubelet(KeyScan *scan, size_t indent, Str words, size_t at) {
    const int level = scan->depth - 1;
    scan->levels[level].inner = scan->levels[level].inner == 0 ? indent : scan->levels[level].inner;
    const Str key = key_of(words);
    const Str text = key.len > 0 ? quoted(str_slice(words, key.len + 1, words.len)) : STR_NONE;
    if (indent != scan->levels[level].inner || key.len == 0) {
        return;
    }
    const Str value = without_comment(str_slice(words, key.len + 1, words.len));
    const Span place = user_data_place_in(scan->rules, &scan->launch->user_data, at);
    if (!kubelet_check_shape(scan->rules, scan->launch->subject, place, key, value)) {
        kubelet_check(scan->rules, scan->launch->subject, place, key, text);
    }
}

// A line that is no comment; false where what follows is not to be told.
static bool read_key(KeyScan *scan, Str line, size_t at) {
    size_t indent = 0;
    while (str_at(line, indent) == ' ') {
        indent++;
    }
    while (scan->depth > 0 && scan->levels[scan->depth - 1].indent >= indent) {
        scan->depth--;
    }
    const ObjectTypeRow *type = scan->depth == 0 ? scan->root : scan->levels[scan->depth - 1].type;
    const Str words = str_slice(line, indent, line.len);
    const Str key = key_of(words);
    if (scan->depth > 0 && scan->levels[scan->depth - 1].key.len > 0 && key.len > 0) {
        check_depth(scan, key, scan->levels[scan->depth - 1].key, at);
        return false;
    }
    if (type == NULL) {
        if (scan->levels[scan->depth - 1].is_kubelet) {
            check_kubelet(scan, indent, words, at);
        }
        return true;
    }
    if (key.len == 0 || scan->depth == LEVELS_MAX) {
        return str_starts_with(words, STR("- ")) || str_starts_with(words, STR("#")) || words.len == 0;
    }
    const ObjectFieldRow *field = schema_object_field(type, key);
    const bool is_head = type == scan->root && (str_is(key, "apiVersion") || str_is(key, "kind"));
    if (is_head) {
        check_head(scan, key, str_slice(words, key.len + 1, words.len), at);
    } else if (field == NULL) {
        check_key(scan, type, key, at);
    } else {
        check_shape(scan, field, key, without_comment(str_slice(words, key.len + 1, words.len)), at);
    }
    const bool is_map = field != NULL && field->form == OBJECT_FIELDS && field->shape == OBJECT_ONE;
    scan->levels[scan->depth].indent = indent;
    scan->levels[scan->depth].key = has_word(str_slice(words, key.len + 1, words.len)) ? key : STR_NONE;
    scan->levels[scan->depth].type = is_map ? &OBJECT_TYPE_ROWS[field->type] : NULL;
    scan->levels[scan->depth].is_kubelet = field != NULL && field->shape == OBJECT_MAP && str_is(key, "config");
    scan->levels[scan->depth].inner = 0;
    scan->depth++;
    return true;
}

static void check_keys(const Rules *rules, const PlanLaunch *launch, const UserDataPart *part) {
    const ObjectKindRow *kind = schema_object(STR("node.eks.aws/v1alpha1/NodeConfig"));
    KeyScan scan = { .rules = rules, .launch = launch, .root = schema_object_type(kind) };
    const Str body = part->body;
    for (size_t at = 0; at < body.len; at = shell_next_line(body, at)) {
        const Str line = shell_trimmed_line(body, at);
        if (str_starts_with(line, STR("---"))) {
            scan.depth = 0;
        } else if (line.len > 0 && !read_key(&scan, line, part->at + at)) {
            return;
        }
    }
}

void rule_launch_node_config(const Rules *rules, const PlanLaunch *launch) {
    const UserDataParts parts = user_data_parts(rules->session->arena, &launch->user_data);
    for (uint32_t i = 0; i < parts.count; i++) {
        if (is_node_config(parts.items[i].body)) {
            check_keys(rules, launch, &parts.items[i]);
        }
    }
}

// ---- who joins the cluster ---------------------------------------------------------------------------------------

// The line with which the user data itself joins the cluster; the length of the text without one.
static size_t joins_at(Arena *arena, const PlanUserData *data) {
    const bool may_join = str_has(data->written, "apiServerEndpoint:");
    const UserDataParts parts = may_join ? user_data_parts(arena, data) : (UserDataParts){ 0 };
    const Str run = may_join ? user_data_shell(arena, data, SHELL_SURE) : STR_NONE;
    size_t joins = user_data_runs(arena, data, STR("/etc/eks/bootstrap.sh"));
    for (uint32_t i = 0; i < parts.count; i++) {
        const UserDataPart *part = &parts.items[i];
        const Str body = str_slice(run, part->at, part->at + part->body.len);
        const size_t cluster = str_find(body, STR("apiServerEndpoint:"), 0);
        const bool is_first = cluster < body.len && part->at + cluster < joins;
        joins = is_node_config(body) && is_first ? part->at + cluster : joins;
    }
    return joins;
}

// What nodeadm needs of a cluster. Its name is a key that other maps have, too.
// source: awslabs/amazon-eks-ami nodeadm/internal/api/validation.go, ValidateNodeConfig, read 2026-11
static const char *const CLUSTER_KEYS[] = { "apiServerEndpoint", "certificateAuthority", "cidr" };

static bool has_key(Str body, const char *key) {
    for (size_t at = 0; at < body.len; at = shell_next_line(body, at)) {
        if (str_is(key_of(shell_line_around(body, at)), key)) {
            return true;
        }
    }
    return false;
}

// EKS, AWS Batch, eksctl and Karpenter add a NodeConfig of their own, which has all of it. Only Karpenter calls an image so.
// source: AWS Batch User Guide, Customize Amazon EKS launch templates; EKS User Guide, Customize managed nodes with launch
// templates; eksctl-io/eksctl@99984adb, pkg/nodebootstrap/al2023.go; 2026-11, read 2026-11
static bool is_told_the_cluster(const PlanLaunch *launch) {
    return launch->form != FORM_RESOURCE || !span_is_none(launch->user_key) || field_has(&launch->image, "al2023") ||
           (!span_is_none(launch->managed_key) && launch->image.state == FIELD_ABSENT);
}

// nodeadm puts all NodeConfigs of the user data together.
void rule_launch_joins_whole(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    const UserDataParts parts = user_data_parts(rules->session->arena, data);
    const UserDataPart *first = NULL;
    bool has[COUNT_OF(CLUSTER_KEYS)] = { false };
    for (uint32_t i = 0; i < parts.count; i++) {
        const UserDataPart *part = &parts.items[i];
        for (size_t k = 0; is_node_config(part->body) && k < COUNT_OF(CLUSTER_KEYS); k++) {
            const bool has_this = has_key(part->body, CLUSTER_KEYS[k]);
            first = has_this && k < COUNT_OF(CLUSTER_KEYS) - 1 && first == NULL ? part : first;
            has[k] = has[k] || has_this;
        }
    }
    for (size_t k = 0; first != NULL && data->is_whole && !is_told_the_cluster(launch) && k < COUNT_OF(CLUSTER_KEYS);
         k++) {
        if (!has[k]) {
            Diag *diag =
                plan_report(rules->session, launch->subject,
                            user_data_place_in(rules, data, first->at + str_find(first->body, STR("cluster:"), 0)),
                            DIAG(node_config_cluster), CLUSTER_KEYS[k]);
            diag_help(rules->session, diag, "write `%s` under `cluster`", CLUSTER_KEYS[k]);
            return;
        }
    }
}

void rule_launch_joins_once(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    const size_t at = joins_at(rules->session->arena, data);
    if (span_is_none(launch->managed_key) || launch->image.state != FIELD_ABSENT || at == data->written.len) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, launch->subject, user_data_place_in(rules, data, at), DIAG(bootstrap_twice));
    diag_label(rules->session, diag, launch->managed_key, "EKS joins these nodes itself");
    diag_help(rules->session, diag, "write `ImageId`, or leave this out");
}
