// Every row comes back through a file of `--schema`. In dtc's own format it is the same row. In EC2's format it has the
// same placements if its EFA cards follow from their number.
#include "compiler/plan/model/nics.h"

#include "schema/instances.h"
#include "schema/schema.h"
#include "tests/support/own_rows.h"
#include "tests/support/check.h"

#include <dirent.h>

static const NicLayout LAYOUTS[] = { LAYOUT_MIN_IP, LAYOUT_ALL_IP, LAYOUT_MAX_BANDWIDTH, LAYOUT_SPARE };

enum { EFA_MOST = 34 };

static int set_up(void **state) {
    *state = session_create();
    return 0;
}

static int tear_down(void **state) {
    session_destroy(*state);
    return 0;
}

static void assert_same_placements(const InstanceRow *own, const InstanceRow *read, NicLayout layout) {
    for (int efa = 0; efa <= EFA_MOST; efa++) {
        Nics expected = { .count = 0 };
        Nics actual = { .count = 0 };
        assert_int_equal(nics_place(read, layout, efa, &actual), nics_place(own, layout, efa, &expected));
        assert_int_equal(actual.count, expected.count);
        for (int i = 0; i < expected.count; i++) {
            assert_int_equal(actual.items[i].card, expected.items[i].card);
            assert_int_equal(actual.items[i].device, expected.items[i].device);
            assert_int_equal(actual.items[i].kind, expected.items[i].kind);
        }
    }
}

// ---- as EC2 describes it

static void add_number(StrBuf *out, const char *key, int64_t value) {
    if (value != UNKNOWN) {
        strbuf_add_format(out, "%s\"%s\": %" PRId64, str_ends_with(strbuf_str(out), STR("{")) ? "" : ", ", key, value);
    }
}

static void add_cards(StrBuf *out, const InstanceRow *row) {
    const char *separator = "";
    for (int i = 0; i < row->card_run_count; i++) {
        const CardRun *run = &row->cards[i];
        for (int card = run->first; card < run->first + run->count; card++) {
            strbuf_add_format(out, "%s{ \"NetworkCardIndex\": %d", separator, card);
            add_number(out, "MaximumNetworkInterfaces", run->interfaces_max);
            strbuf_add(out, STR(" }"));
            separator = ", ";
        }
    }
}

// Only what a placement is made from, and what a node is planned from.
static void add_described(StrBuf *out, const InstanceRow *row) {
    strbuf_add_format(out, "{ \"InstanceType\": \"%s\", \"VCpuInfo\": {", row->name);
    add_number(out, "DefaultVCpus", row->vcpus);
    strbuf_add(out, STR("}, \"MemoryInfo\": {"));
    add_number(out, "SizeInMiB", row->memory_mib);
    strbuf_add(out, STR("}, \"NetworkInfo\": {"));
    add_number(out, "MaximumNetworkCards", row->network_cards);
    if (row->card_run_count > 0) {
        strbuf_add(out, STR(", \"NetworkCards\": ["));
        add_cards(out, row);
        strbuf_add(out, STR("]"));
    }
    if (row->efa_max != UNKNOWN) {
        strbuf_add_format(out, "%s\"EfaSupported\": %s, \"EfaInfo\": { \"MaximumEfaInterfaces\": %d }",
                          row->network_cards == UNKNOWN ? "" : ", ", row->efa_max > 0 ? "true" : "false", row->efa_max);
    }
    strbuf_add(out, STR("} }"));
}

static bool takes_efa(const InstanceRow *row, int card) {
    for (int i = 0; i < row->card_run_count; i++) {
        const CardRun *run = &row->cards[i];
        if (card >= run->first && card < run->first + run->count) {
            return (run->takes & CARD_EFA) != 0;
        }
    }
    return false;
}

static bool takes_ena(const InstanceRow *row) {
    for (int i = 0; i < row->card_run_count; i++) {
        if ((row->cards[i].takes & CARD_ENA) == 0) {
            return false;
        }
    }
    return true;
}

// Whether the cards with EFA are all, none, or all but the first, and as many as there are EFA interfaces.
static bool follows_the_rule(const InstanceRow *row) {
    if (row->card_run_count == 0 || !takes_ena(row)) {
        return false;
    }
    int efa_cards = 0;
    for (int card = 0; card < row->network_cards; card++) {
        efa_cards += takes_efa(row, card) ? 1 : 0;
    }
    const bool is_known_shape = efa_cards == 0 || efa_cards == row->network_cards ||
                                (efa_cards == row->network_cards - 1 && !takes_efa(row, 0));
    return is_known_shape && row->efa_max == efa_cards;
}

static bool has_layout(const InstanceRow *row, NicLayout layout) {
    for (int i = 0; i < row->layout_count; i++) {
        if (strcmp(row->layouts[i].name, nics_layout_name(layout)) == 0) {
            return true;
        }
    }
    return false;
}

static void describe_all(Session *session) {
    StrBuf text = { .arena = session->arena };
    strbuf_add(&text, STR("{ \"InstanceTypes\": ["));
    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        strbuf_add(&text, i == 0 ? STR("\n") : STR(",\n"));
        add_described(&text, own_row(i));
    }
    strbuf_add(&text, STR("\n] }\n"));
    schema_add_source(session, source_add(session, STR("types.json"), strbuf_str(&text)));
}

static void test_described_rows_are_placed_as_our_own(void **state) {
    Session *session = *state;
    describe_all(session);

    assert_false(has_errors(session));
    assert_int_equal(schema_instance_count(session), INSTANCE_ROW_COUNT);
    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        const InstanceRow *own = own_row(i);
        const InstanceRow *read = schema_instance(session, str_of(own->name));
        assert_non_null(read->origin);
        for (size_t j = 0; j < COUNT_OF(LAYOUTS) && follows_the_rule(own); j++) {
            if (!has_layout(own, LAYOUTS[j])) {
                assert_same_placements(own, read, LAYOUTS[j]);
            }
        }
    }
}

static void test_what_follows_no_rule_is_not_placed(void **state) {
    Session *session = *state;
    describe_all(session);

    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        const InstanceRow *own = own_row(i);
        const InstanceRow *read = schema_instance(session, str_of(own->name));
        if (!follows_the_rule(own)) {
            assert_non_null(schema_instance_gap(read));
        }
    }
}

// Else the claims above would be about nothing.
static void test_every_current_row_follows_the_rule(void **state) {
    (void)state;

    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        if (strcmp(own_row(i)->status, "current") == 0) {
            assert_true(follows_the_rule(own_row(i)));
        }
    }
}

// ---- in our own format

static void add_families(Session *session) {
    DIR *folder = opendir("schema/instances");
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        const Str path = str_format(session->arena, "schema/instances/%s", entry->d_name);
        if (str_ends_with(path, STR(".yaml"))) {
            assert_true(schema_add_files(session, &path, 1));
        }
    }
    closedir(folder);
}

static void assert_same_text(const char *actual, const char *expected) {
    if (expected == NULL) {
        assert_null(actual);
    } else {
        assert_string_equal(actual, expected);
    }
}

static void assert_same_facts(const InstanceRow *read, const InstanceRow *own) {
    assert_same_text(read->family, own->family);
    assert_int_equal(read->architecture, own->architecture);
    assert_int_equal(read->vcpus, own->vcpus);
    assert_int_equal(read->cores, own->cores);
    assert_int_equal(read->threads_per_core, own->threads_per_core);
    assert_int_equal(read->memory_mib, own->memory_mib);
    assert_int_equal(read->accelerator, own->accelerator);
    assert_same_text(read->accelerator_vendor, own->accelerator_vendor);
    assert_same_text(read->accelerator_name, own->accelerator_name);
    assert_same_text(read->accelerator_share, own->accelerator_share);
    assert_int_equal(read->accelerators, own->accelerators);
    assert_int_equal(read->accelerator_memory_mib, own->accelerator_memory_mib);
    assert_int_equal(read->neuron_cores, own->neuron_cores);
    assert_int_equal(read->network_cards, own->network_cards);
    assert_int_equal(read->network_mbps, own->network_mbps);
    assert_int_equal(read->efa_max, own->efa_max);
    assert_same_text(read->efa_generation, own->efa_generation);
    assert_same_text(read->efa_device, own->efa_device);
    assert_int_equal(read->needs_fabric_manager, own->needs_fabric_manager);
    assert_int_equal(read->rdma_write, own->rdma_write);
    assert_int_equal(read->nvme_total_gb, own->nvme_total_gb);
    assert_int_equal(read->placement_cluster, own->placement_cluster);
    assert_int_equal(read->capacity_block, own->capacity_block);
    assert_int_equal(read->is_unpriced, own->is_unpriced);
    assert_memory_equal(read->ultraserver_sizes, own->ultraserver_sizes, sizeof(own->ultraserver_sizes));
    assert_same_text(read->status, own->status);
    assert_same_text(read->sources, own->sources);
    assert_same_text(read->note, own->note);
    assert_same_text(read->unverified, own->unverified);
}

static void test_rows_of_ours_come_back_as_they_are(void **state) {
    Session *session = *state;
    add_families(session);

    assert_int_equal(schema_instance_count(session), INSTANCE_ROW_COUNT);
    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        const InstanceRow *own = own_row(i);
        const InstanceRow *read = schema_instance(session, str_of(own->name));
        assert_ptr_not_equal(read, own);
        assert_same_facts(read, own);
        for (size_t j = 0; j < COUNT_OF(LAYOUTS); j++) {
            assert_same_placements(own, read, LAYOUTS[j]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_described_rows_are_placed_as_our_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_follows_no_rule_is_not_placed, set_up, tear_down),
        cmocka_unit_test(test_every_current_row_follows_the_rule),
        cmocka_unit_test_setup_teardown(test_rows_of_ours_come_back_as_they_are, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
