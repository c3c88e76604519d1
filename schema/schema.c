// Looks things up in the tables that schemagen wrote. Long tables are sorted by name and searched by halves. The others
// are so short that a search from the front is faster.
#include "schema/schema.h"

// ---- types -----------------------------------------------------------------------------------------------------

const PatternRow *schema_pattern(Str name) {
    for (int i = 0; i < PATTERN_ROW_COUNT; i++) {
        if (str_is(name, PATTERN_ROWS[i].name)) {
            return &PATTERN_ROWS[i];
        }
    }
    return NULL;
}

const Type *schema_named_type(Str name) {
    for (int i = 0; i < NAMED_TYPE_COUNT; i++) {
        if (str_is(name, NAMED_TYPES[i]->name)) {
            return NAMED_TYPES[i];
        }
    }
    return NULL;
}

static const Type *find_named(const Type *type, TypeKind kind, Str name) {
    if (type == NULL) {
        return NULL;
    }
    if (type->kind == kind && str_is(name, type->name)) {
        return type;
    }
    if (type->kind == TYPE_LIST || type->kind == TYPE_MAP) {
        return find_named(type->element, kind, name);
    }
    for (int i = 0; i < type->option_count; i++) {
        const Type *found = find_named(type->options[i], kind, name);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

const Type *schema_find_word(const Type *type, Str name) {
    return find_named(type, TYPE_WORD, name);
}

const Type *schema_find_tag(const Type *type, Str name) {
    return find_named(type, TYPE_TAG, name);
}

bool schema_has_word(Str name) {
    for (int i = 0; i < KIND_COUNT; i++) {
        for (int j = 0; j < KIND_ROWS[i].attribute_count; j++) {
            if (schema_find_word(KIND_ROWS[i].attributes[j].type, name) != NULL) {
                return true;
            }
        }
    }
    return false;
}

// ---- kinds -----------------------------------------------------------------------------------------------------

const KindRow *schema_kind(Str name) {
    for (int i = 0; i < KIND_COUNT; i++) {
        if (str_is(name, KIND_ROWS[i].name)) {
            return &KIND_ROWS[i];
        }
    }
    return NULL;
}

int schema_attribute(const KindRow *kind, Str name) {
    for (int i = 0; i < kind->attribute_count; i++) {
        if (str_is(name, kind->attributes[i].name)) {
            return i;
        }
    }
    return -1;
}

const OutputRow *schema_output(const KindRow *kind, Str name) {
    for (int i = 0; i < kind->output_count; i++) {
        if (str_is(name, kind->outputs[i].name)) {
            return &kind->outputs[i];
        }
    }
    return NULL;
}

const TargetSet CLUSTER_TARGETS[] = {
#define CLUSTER_TARGET(NAME, word) TARGET_##NAME,
#include "schema/targets.def"
};
const int CLUSTER_TARGET_COUNT = COUNT_OF(CLUSTER_TARGETS);

const char *schema_target_name(TargetSet target) {
    switch (target) {
#define TARGET(NAME, word) \
    case TARGET_##NAME:    \
        return word;
#include "schema/targets.def"
    }
    assert(false); // a set of several has no name
    return "";
}

// ---- regions ---------------------------------------------------------------------------------------------------

const RegionRow *schema_region(Str name) {
    for (int i = 0; i < REGION_ROW_COUNT; i++) {
        if (str_is(name, REGION_ROWS[i].name)) {
            return &REGION_ROWS[i];
        }
    }
    return NULL;
}

static bool is_letter(char c) {
    return c >= 'a' && c <= 'z';
}

// What follows the region in a zone's name: "a", "-dfw-2a" of a Local Zone, or "-wl1-bos-wlz-1" of a Wavelength Zone.
static bool is_zone_ending(Str ending) {
    if (str_starts_with(ending, STR("-wl")) && str_find(ending, STR("-wlz-"), 0) < ending.len) {
        return true;
    }
    if (ending.len == 0 || !is_letter(ending.data[ending.len - 1])) {
        return false;
    }
    return ending.len == 1 || (ending.len >= 7 && ending.data[0] == '-' && is_letter(ending.data[1]));
}

const RegionRow *schema_zone_region(Str zone) {
    const size_t wavelength = str_find(zone, STR("-wlz"), 0);
    const bool has_dash = wavelength + 4 < zone.len && zone.data[wavelength + 4] == '-';
    const bool is_id = str_find(zone, STR("-az"), 0) < zone.len || (wavelength < zone.len && !has_dash);
    const Str prefix = str_slice(zone, 0, str_find(zone, STR("-"), 0));
    for (int i = 0; i < REGION_ROW_COUNT; i++) {
        const RegionRow *row = &REGION_ROWS[i];
        const Str name = str_of(row->name);
        if (is_id ? row->zone_id != NULL && str_is(prefix, row->zone_id)
                  : str_starts_with(zone, name) && is_zone_ending(str_slice(zone, name.len, zone.len))) {
            return row;
        }
    }
    return NULL;
}

// A Local Zone's name goes on behind the region's number, "us-east-1-dfw-2a", its id has a part before "-az".
ZoneKind schema_zone_kind(Str zone) {
    if (str_find(zone, STR("-wl"), 0) < zone.len) {
        return ZONE_WAVELENGTH;
    }
    const RegionRow *region = schema_zone_region(zone);
    if (region == NULL) {
        return ZONE_AVAILABILITY;
    }
    const Str name = str_of(region->name);
    const size_t first = str_find(zone, STR("-"), 0);
    const bool is_name = str_starts_with(zone, name);
    const bool is_local = is_name ? zone.len > name.len + 1 : str_find(zone, STR("-"), first + 1) < zone.len;
    return is_local ? ZONE_LOCAL : ZONE_AVAILABILITY;
}

// A number among those of "1 2 4".
static bool has_number(const char *numbers, Str number) {
    const Str all = str_of(numbers);
    for (size_t start = 0; start < all.len;) {
        const size_t end = str_find(all, STR(" "), start);
        if (str_equal(str_slice(all, start, end), number)) {
            return true;
        }
        start = end + 1;
    }
    return false;
}

// The number of "use1-az4", or the letter of "us-east-1a".
static Str zone_ending(Str zone, bool *is_id) {
    const Str mark = STR("-az");
    const size_t at = str_find(zone, mark, 0);
    *is_id = at < zone.len;
    return str_slice(zone, *is_id ? at + mark.len : zone.len - 1, zone.len);
}

int schema_zone_is_named(Str zone) {
    const RegionRow *region = schema_zone_region(zone);
    bool is_id;
    const Str ending = zone_ending(zone, &is_id);
    const char *all = region == NULL ? NULL : is_id ? region->zone_ids : region->zones;
    if (all == NULL || schema_zone_kind(zone) != ZONE_AVAILABILITY) {
        return UNKNOWN;
    }
    return is_id ? has_number(all, ending) : strchr(all, ending.data[0]) != NULL;
}

int schema_zone_has_eks(Str zone) {
    const RegionRow *region = schema_zone_region(zone);
    bool is_id;
    const Str ending = zone_ending(zone, &is_id);
    if (region == NULL || schema_zone_kind(zone) != ZONE_AVAILABILITY) {
        return 1;
    }
    if (is_id) {
        return region->without_eks_ids == NULL || !has_number(region->without_eks_ids, ending);
    }
    const char *letters = region->without_eks_letters;
    return letters != NULL && strchr(letters, ending.data[0]) != NULL ? UNKNOWN : 1;
}

// NULL where no row has the name.
static const StoredName *find_stored(Str name, const StoredName *rows, int count, const char *texts) {
    int low = 0;
    int high = count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const int order = str_compare(name, str_of(&texts[rows[middle].name]));
        if (order == 0) {
            return &rows[middle];
        }
        low = order < 0 ? low : middle + 1;
        high = order < 0 ? middle : high;
    }
    return NULL;
}

int schema_interface_addresses(Str type) {
    const StoredName *row = find_stored(type, STORED_ADDRESSES, ADDRESS_ROW_COUNT, ADDRESS_TEXTS);
    return row == NULL ? UNKNOWN : (int)row->number;
}

const PolicyPath *schema_policy(Str name) {
    const StoredName *row = find_stored(name, STORED_POLICIES, POLICY_ROW_COUNT, POLICY_TEXTS);
    return row == NULL ? NULL : &POLICY_PATHS[row->number];
}

Str schema_policy_path(Str name) {
    const PolicyPath *path = schema_policy(name);
    return path == NULL ? STR_NONE : str_of(path->path);
}

int schema_offered(const InstanceRow *row, const RegionRow *region) {
    if (row->offered == 0 || !region->has_offers) {
        return UNKNOWN;
    }
    return (row->offered >> (region - REGION_ROWS) & 1) != 0 ? 1 : 0;
}

// ---- device plugins --------------------------------------------------------------------------------------------

const PluginRow *schema_plugin(const char *addon) {
    for (int i = 0; i < PLUGIN_ROW_COUNT; i++) {
        if (strcmp(PLUGIN_ROWS[i].addon, addon) == 0) {
            return &PLUGIN_ROWS[i];
        }
    }
    return NULL;
}

const char *schema_registry(Str region) {
    for (int i = 0; i < REGISTRY_ROW_COUNT; i++) {
        if (str_is(region, REGISTRY_ROWS[i].region)) {
            return REGISTRY_ROWS[i].account;
        }
    }
    return REGISTRY_ROWS[0].account;
}

// ---- machine images --------------------------------------------------------------------------------------------

const ImageRow *schema_image_row(TargetSet target, Str os, AcceleratorKind accelerator, Architecture architecture) {
    const AcceleratorKind served = accelerator == ACCELERATOR_OTHER ? ACCELERATOR_NONE : accelerator;
    for (int i = 0; i < IMAGE_ROW_COUNT; i++) {
        const ImageRow *row = &IMAGE_ROWS[i];
        if (row->target == target && row->accelerator == served && row->architecture == architecture &&
            str_is(os, row->os)) {
            return row;
        }
    }
    return NULL;
}

const SystemRow *schema_system(Str os) {
    for (int i = 0; i < SYSTEM_ROW_COUNT; i++) {
        if (str_is(os, SYSTEM_ROWS[i].os)) {
            return &SYSTEM_ROWS[i];
        }
    }
    return NULL;
}

// ---- quotas ----------------------------------------------------------------------------------------------------

int schema_sold(const InstanceRow *row, Market market) {
    switch (market) {
    case MARKET_ON_DEMAND:
        return row->capacity_on_demand;
    case MARKET_SPOT:
        return row->capacity_spot;
    case MARKET_BLOCK:
        return row->capacity_block;
    }
    return UNKNOWN;
}

static bool has_word(const char *words, Str word) {
    const Str text = str_of(words);
    if (word.len == 0) {
        return false;
    }
    for (size_t at = str_find(text, word, 0); at < text.len; at = str_find(text, word, at + 1)) {
        if (text.data[at - 1] == ' ' && text.data[at + word.len] == ' ') {
            return true;
        }
    }
    return false;
}

const QuotaRow *schema_quota(const InstanceRow *row, Market market) {
    const Str family = str_of(row->family);
    const Str letters = str_slice(family, 0, strcspn(row->family, "0123456789"));
    for (int i = 0; i < QUOTA_ROW_COUNT; i++) {
        const QuotaRow *quota = &QUOTA_ROWS[i];
        if (quota->market == market && (has_word(quota->letters, letters) || has_word(quota->families, family))) {
            return quota;
        }
    }
    return NULL;
}

const QuotaRow *schema_quota_row(Str code) {
    for (int i = 0; i < QUOTA_ROW_COUNT; i++) {
        if (str_is(code, QUOTA_ROWS[i].code)) {
            return &QUOTA_ROWS[i];
        }
    }
    return NULL;
}

// ---- devices of a node -----------------------------------------------------------------------------------------

const EfaDeviceRow *schema_efa_device(Str id) {
    for (int i = 0; i < EFA_DEVICE_ROW_COUNT; i++) {
        if (str_is(id, EFA_DEVICE_ROWS[i].id)) {
            return &EFA_DEVICE_ROWS[i];
        }
    }
    return NULL;
}

const CollectiveRow *schema_collective(const InstanceRow *row, int64_t nodes) {
    const CollectiveRow *found = NULL;
    for (int i = 0; i < COLLECTIVE_ROW_COUNT; i++) {
        const CollectiveRow *measured = &COLLECTIVE_ROWS[i];
        const bool is_meant = strcmp(measured->type, row->name) == 0 && measured->nodes == nodes;
        if (is_meant && (found == NULL || measured->bytes > found->bytes)) {
            found = measured;
        }
    }
    return found;
}

// ---- constants -------------------------------------------------------------------------------------------------

int64_t schema_constant(ConstantId id) {
    return CONSTANT_ROWS[id].value;
}

const ConstantRow *schema_constant_row(Str name) {
    for (int i = 0; i < CONSTANT_COUNT; i++) {
        if (str_is(name, CONSTANT_ROWS[i].name)) {
            return &CONSTANT_ROWS[i];
        }
    }
    return NULL;
}
