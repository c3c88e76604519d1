// Reads the names of VPC endpoints: `com.amazonaws.REGION.SERVICE`, put together in any way.
#include "compiler/plan/rules/network/endpoint_service.h"

#include "compiler/plan/model/endpoints.h"
#include "compiler/plan/model/vpc_endpoint.h"

static bool is_plain(const Data *data) {
    return data->kind == DATA_STRING && data->tag.len == 0;
}

// The last of what `Fn::Join` puts together is behind the region where it begins with its dot, or where dots are put
// between all parts and the one before it is no text.
static Str last_part(const Data *join) {
    const bool has_parts = join->kind == DATA_LIST && join->count == 2 && join->items[1]->kind == DATA_LIST;
    const Data *parts = has_parts ? join->items[1] : NULL;
    const Data *last = parts != NULL && parts->count > 1 ? parts->items[parts->count - 1] : NULL;
    if (last == NULL || !is_plain(last)) {
        return STR_NONE;
    }
    const bool has_dots = str_is(join->items[0]->string, ".") && !is_plain(parts->items[parts->count - 2]);
    const bool has_dot = str_starts_with(last->string, STR("."));
    return has_dots && !has_dot   ? last->string
           : has_dot && !has_dots ? str_slice(last->string, 1, last->string.len)
                                  : STR_NONE;
}

Str endpoint_service(const Data *properties) {
    const Data *name = data_get(properties, "ServiceName");
    if (name == NULL) {
        return STR_NONE;
    }
    const Data *join = str_is(name->tag, "!Join") ? name : data_get(name, "Fn::Join");
    const Data *sub = data_get(name, "Fn::Sub");
    const bool is_text = name->kind == DATA_STRING && (name->tag.len == 0 || str_is(name->tag, "!Sub"));
    const Str text = join != NULL  ? last_part(join)
                     : is_text     ? endpoint_service_in(name->string)
                     : sub != NULL ? endpoint_service_in(sub->string)
                                   : STR_NONE;
    return str_find(text, STR("{"), 0) < text.len ? STR_NONE : text;
}

bool endpoint_is_known(Str service) {
    for (size_t i = 0; i < ENDPOINT_ROW_COUNT; i++) {
        if (str_is(service, ENDPOINT_ROWS[i].service)) {
            return true;
        }
    }
    return false;
}

static bool is_between(char c) {
    return c == '.' || c == '-' || c == '_';
}

// The same letters in the same order.
static bool are_alike(Str left, Str right) {
    size_t at = 0;
    for (size_t i = 0; i < left.len; i++) {
        if (is_between(left.data[i])) {
            continue;
        }
        while (at < right.len && is_between(right.data[at])) {
            at++;
        }
        if (at >= right.len || char_small(left.data[i]) != right.data[at]) {
            return false;
        }
        at++;
    }
    return at == right.len;
}

Str endpoint_meant(Str service) {
    for (size_t i = 0; i < ENDPOINT_ROW_COUNT && service.len > 0; i++) {
        if (are_alike(service, str_of(ENDPOINT_ROWS[i].service)) && !str_is(service, ENDPOINT_ROWS[i].service)) {
            return str_of(ENDPOINT_ROWS[i].service);
        }
    }
    return STR_NONE;
}
