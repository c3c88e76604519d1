// The rows of `--schema` files, merged with dtc's own, which are unpacked when somebody asks for them.
#include "schema/instances.h"

#include "compiler/base/load.h"
#include "compiler/base/pattern.h"
#include "compiler/base/yaml_read.h"
#include "schema/describe.h"
#include "schema/schema.h"

// All lists are sorted by name.
typedef struct InstanceTable {
    ReadInstances added;
    const InstanceRow **own; // NULL of those that nobody asked for yet
    const InstanceRow **all; // NULL: without files, all are dtc's own
    int count;
} InstanceTable;

static InstanceTable *table_of(Session *session) {
    if (session->instances == NULL) {
        session->instances = arena_new(session->arena, InstanceTable);
        session->instances->own = arena_new_array(session->arena, const InstanceRow *, (size_t)INSTANCE_ROW_COUNT);
        session->instances->count = INSTANCE_ROW_COUNT;
    }
    return session->instances;
}

// ---- dtc's own -------------------------------------------------------------------------------------------------

static const char *own_text(uint32_t start) {
    return start == 0 ? NULL : &INSTANCE_TEXTS[start];
}

static const char *own_name(int index) {
    return own_text(STORED_INSTANCES[index].name);
}

InstanceRow schema_own_row(int index) {
    const StoredInstance *stored = &STORED_INSTANCES[index];
    InstanceRow row = stored->row;
#define TEXT(field) row.field = own_text(stored->field);
    INSTANCE_ROW_TEXTS(TEXT)
#undef TEXT
    row.cards = row.card_run_count == 0 ? NULL : &INSTANCE_CARDS[stored->cards];
    row.layouts = row.layout_count == 0 ? NULL : &INSTANCE_LAYOUTS[stored->layouts];
    return row;
}

// Returns the same row at each call.
static const InstanceRow *own_row(Session *session, int index) {
    const InstanceRow **own = &table_of(session)->own[index];
    if (*own == NULL) {
        InstanceRow *row = arena_new(session->arena, InstanceRow);
        *row = schema_own_row(index);
        *own = row;
    }
    return *own;
}

// Its number, or the one before which it would stand.
static int own_place(Str name) {
    int low = 0;
    int high = INSTANCE_ROW_COUNT;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (str_compare(str_of(own_name(middle)), name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_own_at(int index, Str name) {
    return index < INSTANCE_ROW_COUNT && str_is(name, own_name(index));
}

bool schema_has_own(Str name) {
    return is_own_at(own_place(name), name);
}

// ---- files -----------------------------------------------------------------------------------------------------

static int compare_instances(const void *a, const void *b) {
    const ReadInstance *left = a;
    const ReadInstance *right = b;
    const int order = strcmp(left->row->name, right->row->name);
    // Of equals the one that was read later comes later, so that the first is the one that a message points back to.
    return order != 0 ? order
           : left->span.source != right->span.source
               ? (left->span.source > right->span.source ? 1 : -1)
               : (left->span.start > right->span.start) - (left->span.start < right->span.start);
}

static void check_names(Session *session, const ReadInstances *rows) {
    const Str pattern = str_of(schema_pattern(STR("instance_type"))->pattern);
    for (uint32_t i = 0; i < rows->count; i++) {
        const Str name = str_of(rows->items[i].row->name);
        if (pattern_match(session, pattern, name, NULL) != PATTERN_YES) {
            report(session, rows->items[i].span, DIAG(instance_type_name), STR_ARG(name));
        }
    }
}

static void check_duplicates(Session *session, const ReadInstances *sorted) {
    for (uint32_t i = 1; i < sorted->count; i++) {
        const ReadInstance *before = &sorted->items[i - 1];
        const ReadInstance *read = &sorted->items[i];
        if (strcmp(before->row->name, read->row->name) == 0) {
            Diag *diag = report(session, read->span, DIAG(instance_type_twice), read->row->name);
            diag_label(session, diag, before->span, "here first");
        }
    }
}

// Both lists are sorted, so one walk through them merges them; of equals the added one is taken.
static void merge(Session *session, const ReadInstances *added) {
    InstanceTable *table = table_of(session);
    table->added = *added;
    table->all = arena_new_array(session->arena, const InstanceRow *, (size_t)INSTANCE_ROW_COUNT + added->count);
    table->count = 0;
    int own = 0;
    for (uint32_t i = 0; i < added->count; i++) {
        const InstanceRow *row = added->items[i].row;
        for (const int place = own_place(str_of(row->name)); own < place; own++) {
            table->all[table->count++] = own_row(session, own);
        }
        own += is_own_at(own, str_of(row->name)) ? 1 : 0;
        table->all[table->count++] = row;
    }
    for (; own < INSTANCE_ROW_COUNT; own++) {
        table->all[table->count++] = own_row(session, own);
    }
}

static uint32_t added_count(const Session *session) {
    return session->instances == NULL ? 0 : session->instances->added.count;
}

// The list of types in a file of either form; NULL, reported, where it is of none.
static const Data *types_of(Session *session, uint32_t source, const Data *file) {
    if (is_described(file)) {
        return data_get(file, "InstanceTypes");
    }
    const Data *types = data_get(file, "types");
    if (types != NULL && data_get(file, "family") != NULL) {
        return types;
    }
    const Span first = span_is_none(file->span) || file->kind != DATA_MAP || file->count == 0
                           ? (Span){ .source = source }
                           : file->entries[0].key_span;
    Diag *diag = report(session, first, DIAG(schema_shape), STR_ARG(source_get(session, source)->path));
    diag_help(session, diag,
              "`aws ec2 describe-instance-types --instance-types TYPE > types.json` makes such a file; the rows of dtc "
              "have `family`, `sources` and `types`");
    return NULL;
}

// The rows of a file; false, reported, where one is not as it should be.
static bool read_rows(Session *session, uint32_t source, ReadInstances *rows) {
    const uint32_t errors = session->diags.error_count;
    const Data *file = yaml_read(session, source);
    const Data *types = file == NULL ? NULL : types_of(session, source, file);
    if (types == NULL) {
        return false;
    }
    if (types->count > ADDED_INSTANCES_MAX - added_count(session)) {
        report(session, types->span, DIAG(too_many_instance_types), ADDED_INSTANCES_MAX);
        return false;
    }
    if (is_described(file)) {
        described_read(session, file, rows);
    } else {
        rows_read(session, file, rows);
    }
    check_names(session, rows);
    return session->diags.error_count == errors;
}

void schema_add_source(Session *session, uint32_t source) {
    ReadInstances rows = { 0 };
    if (!read_rows(session, source, &rows)) {
        return;
    }
    const Str path = source_get(session, source)->path;
    for (uint32_t i = 0; i < rows.count; i++) {
        const Place place = source_place(session, source, rows.items[i].span.start);
        const Str origin = str_format(session->arena, "%.*s:%" PRIu32, STR_ARG(path), place.line);
        rows.items[i].row->origin = str_c(session->arena, origin);
    }
    for (uint32_t i = 0; i < added_count(session); i++) {
        vec_push(session->arena, &rows, session->instances->added.items[i]);
    }
    if (rows.count > 1) {
        qsort(rows.items, rows.count, sizeof(rows.items[0]), compare_instances);
    }
    check_duplicates(session, &rows);
    merge(session, &rows);
}

bool schema_add_files(Session *session, const Str *paths, int count) {
    const uint32_t errors = session->diags.error_count;
    for (int i = 0; i < count; i++) {
        const uint32_t source = source_load(session, paths[i], SPAN_NONE);
        if (source != 0) {
            schema_add_source(session, source);
        }
    }
    return session->diags.error_count == errors;
}

void schema_share(Session *session, const Session *other) {
    // A table without such rows is filled by whoever asks, from the asker's arena.
    if (other->instances != NULL && other->instances->all != NULL) {
        session->instances = other->instances;
    }
}

// ---- look-up ---------------------------------------------------------------------------------------------------

int schema_instance_count(const Session *session) {
    return session->instances == NULL ? INSTANCE_ROW_COUNT : session->instances->count;
}

const InstanceRow *schema_instance_at(Session *session, int index) {
    const InstanceTable *table = table_of(session);
    return table->all == NULL ? own_row(session, index) : table->all[index];
}

const InstanceRow *schema_instance_numbers(Session *session, int index) {
    const InstanceTable *table = table_of(session);
    return table->all == NULL ? &STORED_INSTANCES[index].row : table->all[index];
}

// Finds a row of a `--schema` file, which goes before dtc's own. The rows are sorted as dtc's own are.
static const InstanceRow *find_added(const ReadInstances *added, Str name) {
    uint32_t low = 0;
    uint32_t high = added->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = str_compare(name, str_of(added->items[middle].row->name));
        if (order == 0) {
            return added->items[middle].row;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

const InstanceRow *schema_instance(Session *session, Str name) {
    const InstanceRow *added = find_added(&table_of(session)->added, name);
    const int place = own_place(name);
    return added != NULL ? added : is_own_at(place, name) ? own_row(session, place) : NULL;
}

bool schema_is_plain(const InstanceRow *row) {
    return row->accelerators == 0 && row->efa_max <= 0 && row->layout_count == 0;
}

const char *schema_plain_gap(const InstanceRow *row) {
    return row->architecture == ARCHITECTURE_UNKNOWN ? "which architecture its processor has"
           : row->accelerators == UNKNOWN            ? "how many accelerators it has"
                                                     : NULL;
}

const char *schema_instance_gap(const InstanceRow *row) {
    const char *const gaps[] = {
        row->network_cards == UNKNOWN ? "how many network cards it has" : NULL,
        row->card_run_count == 0 ? "how many interfaces each network card takes" : NULL,
        row->efa_max == UNKNOWN && row->layout_count == 0 ? "how many EFA interfaces it has" : NULL,
        row->card_run_count > 0 && row->cards[0].takes == 0 ? "which network cards take EFA" : NULL,
        row->vcpus == UNKNOWN ? "how many vCPUs it has" : NULL,
        row->memory_mib == UNKNOWN ? "how much memory it has" : NULL,
        schema_plain_gap(row),
    };
    for (size_t i = 0; i < COUNT_OF(gaps); i++) {
        if (gaps[i] != NULL) {
            return gaps[i];
        }
    }
    return NULL;
}
