// One family: decides which cells of its rows change, which columns leave `common` because the types no longer share
// them, and which rows are new.
#include "schema/refresh/refresh_family.h"

// ---- sources ---------------------------------------------------------------------------------------------------

// The key of a source whose text is this one; empty where there is none.
static Str key_of_source(const Family *family, const char *text) {
    const Data *sources = data_get(family->file, "sources");
    for (uint32_t i = 0; sources != NULL && i < sources->count; i++) {
        if (str_is(one_line(family->arena, sources->entries[i].value->string), text)) {
            return sources->entries[i].key;
        }
    }
    return STR_NONE;
}

// A key that is free, or `name` itself where its text may be replaced.
static Str free_key(const Family *family, const char *name, bool is_replaced) {
    const Data *sources = data_get(family->file, "sources");
    Str key = str_of(name);
    for (int i = 2; data_get(sources, str_c(family->arena, key)) != NULL && !is_replaced; i++) {
        key = str_format(family->arena, "%s%d", name, i);
    }
    return key;
}

static bool list_names(Str list, Str key) {
    for (size_t i = 0; i + key.len < list.len; i++) {
        if (str_equal(str_slice(list, i, i + key.len), key) && strchr(" [,", list.data[i > 0 ? i - 1 : 0]) != NULL &&
            strchr(" ],", list.data[i + key.len]) != NULL) {
            return true;
        }
    }
    return false;
}

// The list of a row that was changed by what a dump says.
static Str with_source(Family *family, Str list, Str key) {
    if (list.len < 2 || list_names(list, key)) {
        return list.len < 2 ? str_format(family->arena, "[%.*s]", STR_ARG(key)) : list;
    }
    return str_format(family->arena, "%.*s, %.*s]", STR_ARG(str_slice(list, 0, list.len - 1)), STR_ARG(key));
}

// ---- cells -----------------------------------------------------------------------------------------------------

// What a row has in a column, its own or the family's.
static Str old_cell(const Family *family, const Draft *draft, int column) {
    return draft->text[column].len > 0 ? draft->text[column] : family->shared[column];
}

static void change_cell(Family *family, Draft *draft, int column, Str text) {
    if (!str_equal(old_cell(family, draft, column), text)) {
        draft->news[column] = text;
        draft->is_changed = true;
        family->is_changed = true;
    }
}

static void change_row(Family *family, Draft *draft, const ReadInstance *described) {
    for (int column = 0; column < DESCRIBED_COLUMNS; column++) {
        if (cell_differs(column, described, draft->row)) {
            change_cell(family, draft, column, cell_of(family->arena, column, described, draft->row));
        }
    }
    if (draft->is_changed) {
        const Str list = with_source(family, old_cell(family, draft, COLUMN_SOURCES), family->source_key);
        change_cell(family, draft, COLUMN_SOURCES, list);
    }
    if (draft->is_changed && strcmp(draft->row->status, "named-only") == 0) {
        remark(family->refresh, "`%.*s` is described: look at its `status` and `note`", STR_ARG(draft->name));
    }
}

static const char *gap_text(const InstanceRow *row) {
    return row->architecture == ARCHITECTURE_UNKNOWN ? "which architecture of Linux its processor has"
           : row->vcpus == UNKNOWN                   ? "how many vCPUs it has"
           : row->memory_mib == UNKNOWN              ? "how much memory it has"
           : row->efa_max == UNKNOWN                 ? "how many EFA interfaces it has"
                                                     : "which interfaces its network cards take";
}

static void fill_described(Family *family, Draft *draft, const ReadInstance *described) {
    for (int column = 0; column < DESCRIBED_COLUMNS; column++) {
        draft->news[column] = cell_of(family->arena, column, described, NULL);
    }
    const bool is_whole = !instance_has_gap(described->row) && !str_is(draft->news[COLUMN_CARDS], "null");
    draft->news[COLUMN_STATUS] = is_whole ? STR("current") : STR("named-only");
    if (!is_whole) {
        draft->news[COLUMN_NOTE] =
            str_format(family->arena, "\"EC2's description does not say %s\"", gap_text(described->row));
    }
    // What the family's other sources say is theirs to be held against: a reviewer does that.
    const Str shared = family->shared[COLUMN_SOURCES];
    draft->news[COLUMN_SOURCES] = list_names(shared, family->source_key)
                                      ? shared
                                      : str_format(family->arena, "[%.*s]", STR_ARG(family->source_key));
}

static void fill_named(Family *family, Draft *draft) {
    for (int column = 0; column < DESCRIBED_COLUMNS; column++) {
        draft->news[column] = STR("null");
    }
    draft->news[COLUMN_STATUS] = STR("named-only");
    draft->news[COLUMN_SOURCES] = str_format(family->arena, "[%.*s]", STR_ARG(family->list_key));
}

// ---- new rows --------------------------------------------------------------------------------------------------

// Where a size stands: nano, …, xlarge, 2xlarge, …, metal, metal-24xl.
static int64_t rank_of(Str name) {
    static const char *const WORDS[] = { "nano", "micro", "small", "medium", "large", "xlarge" };
    enum { METAL = 100000 };
    Str size = str_slice(name, str_find(name, STR("."), 0) + 1, name.len);
    int64_t rank = 0;
    if (str_starts_with(size, STR("metal"))) {
        rank = METAL;
        size = str_slice(size, str_is(size, "metal") ? 5 : 6, size.len);
    }
    size_t digits = 0;
    const int number = read_digits(size, &digits);
    if (number > 0) {
        return rank + (int64_t)COUNT_OF(WORDS) + number;
    }
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        rank += str_is(size, WORDS[i]) ? (int64_t)i : 0;
    }
    return rank;
}

static Draft *find_draft(Family *family, Str name) {
    for (uint32_t i = 0; i < family->drafts.count; i++) {
        if (str_equal(family->drafts.items[i].name, name)) {
            return &family->drafts.items[i];
        }
    }
    return NULL;
}

static void add_draft(Family *family, const Wanted *wanted) {
    Draft draft = { .name = wanted->name, .is_changed = true };
    if (wanted->described != NULL) {
        fill_described(family, &draft, wanted->described);
    } else {
        fill_named(family, &draft);
    }
    Drafts *drafts = &family->drafts;
    draft.is_block = drafts->count > 0 && drafts->items[0].is_block;
    vec_push(family->arena, drafts, draft);
    uint32_t place = drafts->count - 1;
    for (; place > 0 && rank_of(drafts->items[place - 1].name) > rank_of(draft.name); place--) {
        drafts->items[place] = drafts->items[place - 1];
    }
    drafts->items[place] = draft;
    family->is_changed = true;
}

// ---- what is shared --------------------------------------------------------------------------------------------

// The cell that a row will have in a column of `common`.
static Str cell_to_be(const Family *family, const Draft *draft, int column) {
    return draft->news[column].len > 0 ? draft->news[column]
           : draft->row == NULL        ? STR_NONE
                                       : old_cell(family, draft, column);
}

// A cell of `common` stays there while all rows share it; else each row gets its own.
static void settle_common(Family *family, int column) {
    if (column == COLUMN_SOURCES && family->shared[column].len > 0 && !family->is_complete) {
        return; // a row's own list replaces the common one
    }
    const Str first = cell_to_be(family, &family->drafts.items[0], column);
    bool is_shared = true;
    for (uint32_t i = 1; i < family->drafts.count; i++) {
        is_shared = is_shared && str_equal(cell_to_be(family, &family->drafts.items[i], column), first);
    }
    family->has_left[column] = !is_shared;
    family->shared_news[column] = is_shared ? first : STR_NONE;
    for (uint32_t i = 0; i < family->drafts.count; i++) {
        Draft *draft = &family->drafts.items[i];
        draft->news[column] = is_shared ? STR_NONE : cell_to_be(family, draft, column);
        draft->is_changed = draft->is_changed || !is_shared;
    }
}

// A row all whose changes went into `common` stays.
static void settle_rows(Family *family) {
    for (uint32_t i = 0; i < family->drafts.count; i++) {
        Draft *draft = &family->drafts.items[i];
        draft->is_changed = draft->row == NULL;
        for (int column = 0; column < COLUMN_COUNT; column++) {
            draft->is_changed = draft->is_changed || draft->news[column].len > 0;
        }
    }
}

// ---- the family ----------------------------------------------------------------------------------------------

// Which keys of `sources` the dumps have in this file, and whether they are to be written.
static bool choose_sources(Family *family, const WantedTypes *types, const char **list) {
    bool needs_list = false;
    bool needs_source = false;
    uint32_t described = 0;
    for (uint32_t i = 0; i < types->count; i++) {
        const bool is_known = find_draft(family, types->items[i].name) != NULL;
        needs_source = needs_source || types->items[i].described != NULL;
        needs_list = needs_list || (types->items[i].described == NULL && !is_known);
        described += types->items[i].described != NULL && is_known ? 1 : 0;
    }
    family->is_complete = described == family->drafts.count;
    if (needs_source) {
        family->source = dump_source(family->refresh, "instance-types");
        if (family->source == NULL) {
            return false;
        }
        family->source_key = key_of_source(family, family->source);
        family->is_source_new = family->source_key.len == 0;
        if (family->is_source_new) {
            family->source_key = free_key(family, "api", family->is_complete);
        }
        family->is_changed = family->is_source_new && family->is_complete && family->drafts.count > 0;
    }
    if (needs_list) {
        *list = dump_source(family->refresh, "instance-type-names");
        if (*list == NULL) {
            return false;
        }
        family->list_key = key_of_source(family, *list);
        family->is_list_new = family->list_key.len == 0;
        family->list_key = family->is_list_new ? free_key(family, "sdk", false) : family->list_key;
    }
    return true;
}

void refresh_family(Refresh *refresh, Str name, const WantedTypes *types) {
    Family family = { .refresh = refresh,
                      .arena = refresh->arena,
                      .name = name,
                      .path = str_format(refresh->arena, "instances/%.*s.yaml", STR_ARG(name)) };
    const char *list = NULL;
    if (!family_read(&family) || !choose_sources(&family, types, &list)) {
        return;
    }
    const bool is_new_file = family.drafts.count == 0;
    for (uint32_t i = 0; i < types->count; i++) {
        Draft *draft = find_draft(&family, types->items[i].name);
        if (draft == NULL) {
            add_draft(&family, &types->items[i]);
        } else if (types->items[i].described != NULL) {
            change_row(&family, draft, types->items[i].described);
        }
    }
    if (!family.is_changed) {
        return;
    }
    for (int column = 0; column < COLUMN_COUNT; column++) {
        if (is_new_file ? family.drafts.count > 1 : family.shared[column].len > 0) {
            settle_common(&family, column);
        }
    }
    if (is_new_file) {
        change_add(refresh, family.path, STR_NONE, family_new_file(&family, list));
        return;
    }
    settle_rows(&family);
    change_add(refresh, family.path, family.text, family_changed_file(&family, list));
}
