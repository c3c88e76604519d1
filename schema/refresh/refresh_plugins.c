// Compares charts of device plugins and files of eksctl with plugins.yaml. A chart says its release as `appVersion`. The
// chart of Neuron has more than the plugin: its values say the plugin's release as the first `tag`. eksctl's manifests say
// which release it installs, and on which types. Its types.go says which account has the registry of a region. These
// files are read line by line, because the manifests are templates and types.go is Go.
#include "schema/refresh/refresh_table.h"

#include "compiler/base/load.h"

#include <unistd.h>

typedef struct {
    Refresh *refresh;
    uint32_t source;
    Str text;
    size_t next; // where the next line begins
    Span span;   // of the line that was read
} Lines;

static Str dump_path(const Refresh *refresh, const char *name) {
    return str_format(refresh->arena, "%.*s/plugins/%s", STR_ARG(refresh->dumps), name);
}

static bool dump_is_there(const Refresh *refresh, const char *name) {
    return access(str_c(refresh->arena, dump_path(refresh, name)), F_OK) == 0;
}

// `source` is 0, reported, where the file cannot be read.
static Lines lines_open(Refresh *refresh, const char *name) {
    Lines lines = { .refresh = refresh, .source = source_load(refresh->session, dump_path(refresh, name), SPAN_NONE) };
    lines.text = lines.source == 0 ? STR_NONE : source_get(refresh->session, lines.source)->text;
    lines.span = (Span){ .source = lines.source };
    return lines;
}

static bool lines_read(Lines *lines, Str *line) {
    if (lines->next >= lines->text.len) {
        return false;
    }
    const size_t end = str_find(lines->text, STR("\n"), lines->next);
    *line = str_trim(str_slice(lines->text, lines->next, end));
    lines->span = (Span){ .source = lines->source, .start = (uint32_t)lines->next, .end = (uint32_t)end };
    lines->next = end + 1;
    return true;
}

static Str unquoted(Str text) {
    text = str_trim(text);
    const bool is_quoted = text.len > 1 && text.data[0] == '"' && text.data[text.len - 1] == '"';
    return is_quoted ? str_slice(text, 1, text.len - 1) : text;
}

static bool is_number(Str text, size_t digits) {
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') {
            return false;
        }
    }
    return text.len == digits;
}

// A release such as "v0.5.22-eksbuild.9"; a fault else.
static bool check_release(const Lines *lines, Str release) {
    bool is_right = release.len > 1 && strchr("v0123456789", release.data[0]) != NULL;
    for (size_t i = 0; i < release.len; i++) {
        const char c = release.data[i];
        is_right = is_right && ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '.' || c == '-');
    }
    if (!is_right) {
        cell_fault(lines->refresh->session, lines->span, "this names no release such as v0.5.20");
    }
    return is_right;
}

// ---- releases of charts ----------------------------------------------------------------------------------------

static void refresh_chart(Table *table, const Data *row) {
    Refresh *refresh = table->refresh;
    const Str addon = data_text(row, "addon");
    const char *kind = str_c(refresh->arena, str_format(refresh->arena, "%.*s-chart", STR_ARG(addon)));
    const char *name = str_c(refresh->arena, str_format(refresh->arena, "%s.yaml", kind));
    if (!dump_is_there(refresh, name)) {
        return;
    }
    const Str old = data_text(row, "version");
    const Str key = str_is(addon, "neuron") ? STR("tag:") : STR("appVersion:");
    Lines lines = lines_open(refresh, name);
    if (lines.source == 0) {
        return;
    }
    for (Str line; lines_read(&lines, &line);) {
        if (!str_starts_with(line, key)) {
            continue;
        }
        Str release = unquoted(str_slice(line, str_find(line, STR(":"), 0) + 1, line.len));
        if (str_starts_with(old, STR("v")) && !str_starts_with(release, STR("v"))) {
            release = str_format(refresh->arena, "v%.*s", STR_ARG(release));
        }
        const bool is_right = check_release(&lines, release) &&
                              table_source(table, str_c(refresh->arena, data_text(row, "source")), kind);
        if (is_right && !str_equal(release, old)) {
            const size_t start = line_start(table->text, data_get(row, "version")->span.start);
            table_replace(table, start, line_end(table->text, start),
                          str_format(refresh->arena, "    version: %.*s\n", STR_ARG(release)));
        }
        return;
    }
    cell_fault(refresh->session, (Span){ .source = lines.source }, "this is no chart's file: it has no `%.*s`",
               STR_ARG(key));
}

// ---- manifests of eksctl ---------------------------------------------------------------------------------------

typedef struct {
    Str release;
    StrMap types;   // those that the plugin runs on -> themselves
    Texts families; // of these, sorted
    Texts lacks;    // types of these families that have the device and are not named, sorted
} Manifest;

static int compare_texts(const void *a, const void *b) {
    return str_compare(*(const Str *)a, *(const Str *)b);
}

static void sort(Texts *texts) {
    if (texts->count > 1) {
        qsort(texts->items, texts->count, sizeof(Str), compare_texts);
    }
}

static bool has_device(Str addon, const InstanceRow *row) {
    return str_is(addon, "efa") ? row->efa_max != 0 : row->accelerator == ACCELERATOR_NEURON;
}

static void find_lacks(Refresh *refresh, Str addon, Manifest *manifest) {
    for (uint32_t i = 0; i < manifest->families.count; i++) {
        Str text;
        const Data *file;
        ReadInstances rows = { 0 };
        const Str path = str_format(refresh->arena, "instances/%.*s.yaml", STR_ARG(manifest->families.items[i]));
        if (rows_text(refresh, path, &text, &file)) {
            rows_read(refresh->session, file, &rows);
        }
        for (uint32_t j = 0; j < rows.count; j++) {
            const Str name = str_of(rows.items[j].row->name);
            if (has_device(addon, rows.items[j].row) && str_map_get(&manifest->types, name) == NULL) {
                vec_push(refresh->arena, &manifest->lacks, name);
            }
        }
    }
    sort(&manifest->lacks);
}

// False, reported, where it is none.
static bool manifest_read(Refresh *refresh, const char *name, Str addon, Manifest *manifest) {
    Lines lines = lines_open(refresh, name);
    if (lines.source == 0) {
        return false;
    }
    StrMap known = { .arena = refresh->arena };
    *manifest = (Manifest){ .types = { .arena = refresh->arena } };
    for (Str line; lines_read(&lines, &line);) {
        const bool is_item = str_starts_with(line, STR("- "));
        const Str item = is_item ? str_trim(str_slice(line, 2, line.len)) : line;
        const size_t dot = str_find(item, STR("."), 0);
        if (str_starts_with(item, STR("image:")) && str_find(item, STR("device-plugin:"), 0) < item.len) {
            const Str image = unquoted(str_slice(item, sizeof("image:") - 1, item.len));
            const size_t tag = str_find(image, STR("device-plugin:"), 0) + sizeof("device-plugin:") - 1;
            manifest->release = str_slice(image, tag, image.len);
            if (!check_release(&lines, manifest->release)) {
                return false;
            }
        } else if (is_item && is_type_name(item) && str_map_add(&manifest->types, item, manifest) == NULL &&
                   str_map_add(&known, str_slice(item, 0, dot), manifest) == NULL) {
            vec_push(refresh->arena, &manifest->families, str_slice(item, 0, dot));
        }
    }
    if (manifest->release.len == 0) {
        cell_fault(refresh->session, (Span){ .source = lines.source },
                   "this is no manifest of a device plugin: it names no image of one");
        return false;
    }
    sort(&manifest->families);
    find_lacks(refresh, addon, manifest);
    return true;
}

static bool is_list(const Data *list, const Texts *texts) {
    if (list == NULL || list->kind != DATA_LIST || list->count != texts->count) {
        return false;
    }
    for (uint32_t i = 0; i < texts->count; i++) {
        if (list->items[i]->kind != DATA_STRING || !str_equal(list->items[i]->string, texts->items[i])) {
            return false;
        }
    }
    return true;
}

// A plugin without families runs on every node.
static void refresh_manifest(Table *table, const Data *row, const char *name) {
    enum { EKSCTL_INDENT = 4, CELL_INDENT = 6 };
    Manifest manifest;
    const Data *old = data_get(row, "eksctl");
    if (old == NULL || old->kind != DATA_MAP || old->count == 0) {
        cell_fault(table->refresh->session, row->span, "`eksctl` of a plugin is a map");
        return;
    }
    if (!manifest_read(table->refresh, name, data_text(row, "addon"), &manifest)) {
        return;
    }
    const Data *families = data_get(old, "families");
    const bool is_everywhere = families != NULL && families->kind == DATA_NULL;
    if (!is_everywhere && manifest.families.count == 0) {
        const Str path = dump_path(table->refresh, name);
        cell_fault(table->refresh->session, SPAN_NONE, "`%.*s` names no instance type: `families` would be empty",
                   STR_ARG(path));
        return;
    }
    const bool is_same =
        str_equal(data_text(old, "version"), manifest.release) &&
        (is_everywhere || (is_list(families, &manifest.families) && is_list(data_get(old, "lacks"), &manifest.lacks)));
    if (is_same) {
        return;
    }
    StrBuf out = { .arena = table->refresh->arena };
    if (is_everywhere) {
        strbuf_add_format(&out, "    eksctl: { version: %.*s, families: null, lacks: [] }\n",
                          STR_ARG(manifest.release));
    } else {
        strbuf_add_format(&out, "    eksctl:\n      version: %.*s\n", STR_ARG(manifest.release));
        put_list(&out, CELL_INDENT, "families", &manifest.families);
        put_list(&out, CELL_INDENT, "lacks", &manifest.lacks);
    }
    for (uint32_t i = 0; i < row->count; i++) {
        if (row->entries[i].value == old) {
            const size_t start = line_start(table->text, row->entries[i].key_span.start);
            table_replace(table, start, entry_end(table->text, start, EKSCTL_INDENT), strbuf_str(&out));
        }
    }
}

// They have one source, so they come together.
static void refresh_manifests(Table *table, const Data *rows) {
    Refresh *refresh = table->refresh;
    const char *missing = NULL;
    uint32_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < rows->count; i++) {
            const Str addon = data_text(rows->items[i], "addon");
            const char *name = str_c(refresh->arena, str_format(refresh->arena, "eksctl-%.*s.yaml", STR_ARG(addon)));
            if (pass == 1) {
                refresh_manifest(table, rows->items[i], name);
            } else if (dump_is_there(refresh, name)) {
                count++;
            } else {
                missing = name;
            }
        }
        if (count > 0 && missing != NULL) {
            cell_fault(refresh->session, SPAN_NONE, "there is no `%.*s`: manifests of eksctl come together",
                       STR_ARG(dump_path(refresh, missing)));
        }
        if (count == 0 || missing != NULL || (pass == 0 && !table_source(table, "eksctl", "eksctl"))) {
            return;
        }
    }
}

// ---- accounts of registries ------------------------------------------------------------------------------------

enum { ACCOUNT_DIGITS = 12 };

typedef struct {
    StrMap constants; // of Go -> Str
    Texts cases;      // regions of the `case` that is read; "elsewhere": its default
    Texts regions;    // those that have an account
    StrMap accounts;  // region -> Str
} Accounts;

static const char ELSEWHERE[] = "elsewhere";

static void read_constant(const Lines *lines, Str line, Accounts *accounts) {
    const size_t equals = str_find(line, STR(" = \""), 0);
    const bool is_account = str_starts_with(line, STR("eksResourceAccount"));
    if (equals == line.len || !(is_account || str_starts_with(line, STR("Region")))) {
        return;
    }
    Str *value = arena_new(lines->refresh->arena, Str);
    *value = unquoted(str_slice(line, equals + sizeof(" = ") - 1, line.len));
    if (is_account && !is_number(*value, ACCOUNT_DIGITS)) {
        cell_fault(lines->refresh->session, lines->span, "an account is a text of %d digits", ACCOUNT_DIGITS);
    } else if (!is_account && !is_word(*value)) {
        cell_fault(lines->refresh->session, lines->span, "`%.*s` is no name of a region", STR_ARG(*value));
    }
    str_map_add(&accounts->constants, str_trim(str_slice(line, 0, equals)), value);
}

// `case RegionA, RegionB:`
static void read_case(const Lines *lines, Str line, Accounts *accounts) {
    Arena *arena = lines->refresh->arena;
    for (size_t start = sizeof("case ") - 1; start + 1 < line.len;) {
        size_t end = str_find(line, STR(","), start);
        end = end == line.len ? end - 1 : end; // the colon
        const Str *region = str_map_get(&accounts->constants, str_trim(str_slice(line, start, end)));
        if (region != NULL) { // else a `switch` over something else
            vec_push(arena, &accounts->cases, *region);
        }
        start = end + 1;
    }
}

static void read_return(const Lines *lines, Str line, Accounts *accounts) {
    Arena *arena = lines->refresh->arena;
    const Str name = str_trim(str_slice(line, sizeof("return ") - 1, line.len));
    Str *account = str_map_get_mutable(&accounts->constants, name);
    if (str_starts_with(name, STR("eksResourceAccount")) && account == NULL) {
        cell_fault(lines->refresh->session, lines->span, "`%.*s` has no value above", STR_ARG(name));
    }
    for (uint32_t i = 0; account != NULL && i < accounts->cases.count; i++) {
        if (str_map_add(&accounts->accounts, accounts->cases.items[i], account) == NULL) {
            vec_push(arena, &accounts->regions, accounts->cases.items[i]);
        }
    }
    accounts->cases.count = 0;
}

static void place_registry(Table *table, const Data *registries, Str region, Str account) {
    const Str line = str_format(table->refresh->arena, "  %.*s: \"%.*s\"\n", STR_ARG(region), STR_ARG(account));
    size_t place = 0;
    for (uint32_t i = 0; i < registries->count; i++) { // `elsewhere` first, then sorted
        const DataEntry *entry = &registries->entries[i];
        const size_t start = line_start(table->text, entry->key_span.start);
        const size_t end = line_end(table->text, start);
        if (str_equal(entry->key, region)) {
            if (!str_equal(entry->value->string, account)) {
                table_replace(table, start, end, line);
            }
            return;
        }
        if (i == 0 || str_compare(entry->key, region) < 0) {
            place = end;
        }
    }
    table_replace(table, place, place, line);
}

static void refresh_registries(Table *table, const Data *registries) {
    Refresh *refresh = table->refresh;
    const char *const name = "eksctl-types.go";
    if (!dump_is_there(refresh, name)) {
        return;
    }
    Accounts accounts = { .constants = { .arena = refresh->arena }, .accounts = { .arena = refresh->arena } };
    Lines lines = lines_open(refresh, name);
    if (lines.source == 0) {
        return;
    }
    for (Str line; lines_read(&lines, &line);) {
        if (str_starts_with(line, STR("case "))) {
            read_case(&lines, line, &accounts);
        } else if (str_starts_with(line, STR("switch "))) {
            accounts.cases.count = 0;
        } else if (str_is(line, "default:")) {
            vec_push(refresh->arena, &accounts.cases, STR(ELSEWHERE));
        } else if (str_starts_with(line, STR("return "))) {
            read_return(&lines, line, &accounts);
        } else {
            read_constant(&lines, line, &accounts);
        }
    }
    if (str_map_get(&accounts.accounts, STR(ELSEWHERE)) == NULL) {
        cell_fault(refresh->session, (Span){ .source = lines.source },
                   "this is not eksctl's types.go: it has no account of all other regions");
    }
    if (has_errors(refresh->session) || !table_source(table, "registries", "eksctl")) {
        return;
    }
    sort(&accounts.regions);
    for (uint32_t i = 0; i < accounts.regions.count; i++) {
        const Str region = accounts.regions.items[i];
        const Str *account = str_map_get_mutable(&accounts.accounts, region);
        place_registry(table, registries, region, *account);
    }
    for (uint32_t i = 0; i < registries->count; i++) {
        const Str region = registries->entries[i].key;
        if (str_map_get(&accounts.accounts, region) == NULL) {
            remark(refresh, "the registry of `%.*s` is not in %s: its row stays", STR_ARG(region), name);
        }
    }
}

void refresh_plugins(Refresh *refresh) {
    Table table;
    if (access(str_c(refresh->arena, dump_path(refresh, "")), F_OK) != 0) {
        remark(refresh, "there is no `%.*s`: what it would bring stays as it is", STR_ARG(dump_path(refresh, "")));
        return;
    }
    if (!table_open(refresh, "plugins.yaml", &table)) {
        return;
    }
    const Data *rows = data_get(table.file, "plugins");
    const Data *registries = data_get(table.file, "registries");
    if (rows == NULL || rows->kind != DATA_LIST || registries == NULL || registries->kind != DATA_MAP) {
        cell_fault(refresh->session, table.file->span, "`plugins` is a list and `registries` a map");
        return;
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        refresh_chart(&table, rows->items[i]);
    }
    refresh_manifests(&table, rows);
    refresh_registries(&table, registries);
    table_close(&table);
}
