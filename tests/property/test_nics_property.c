// What holds of every placement: all rows of the table, all layouts, every number of EFA interfaces and two too many.
#include "compiler/plan/model/nics.h"

#include "tests/support/own_rows.h"
#include "tests/support/check.h"

static const NicLayout LAYOUTS[] = { LAYOUT_MIN_IP, LAYOUT_ALL_IP, LAYOUT_MAX_BANDWIDTH, LAYOUT_SPARE };

enum { EFA_MOST = 34 };

typedef struct {
    const InstanceRow *row;
    NicLayout layout;
    int efa;
    NicsResult result;
    Nics nics; // as it was before where nothing was placed
} Case;

typedef void Claim(const Case *placed);

static const Nics UNTOUCHED = { .count = -7 };

static void for_all_cases(Claim *claim) {
    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        for (size_t j = 0; j < COUNT_OF(LAYOUTS); j++) {
            for (int efa = 0; efa <= EFA_MOST; efa++) {
                Case one = { .row = own_row(i), .layout = LAYOUTS[j], .efa = efa, .nics = UNTOUCHED };
                one.result = nics_place(one.row, one.layout, efa, &one.nics);
                claim(&one);
            }
        }
    }
}

static const CardRun *run_of(const InstanceRow *row, int card) {
    for (int i = 0; i < row->card_run_count; i++) {
        if (card >= row->cards[i].first && card < row->cards[i].first + row->cards[i].count) {
            return &row->cards[i];
        }
    }
    return NULL;
}

// ---- claims

static void claim_primary(const Case *one) {
    int primaries = 0;
    for (int i = 0; i < one->nics.count; i++) {
        const Nic *nic = &one->nics.items[i];
        primaries += nic->card == 0 && nic->device == 0 ? 1 : 0;
        assert_false(nic->card == 0 && nic->device == 0 && nic->kind == NIC_EFA_ONLY);
    }
    assert_int_equal(primaries, one->result == NICS_PLACED ? 1 : 0);
}

static void claim_order(const Case *one) {
    for (int i = 1; i < one->nics.count; i++) {
        const Nic *before = &one->nics.items[i - 1];
        const Nic *nic = &one->nics.items[i];
        assert_true(before->card < nic->card || (before->card == nic->card && before->device < nic->device));
    }
}

static void claim_limits(const Case *one) {
    for (int i = 0; i < one->nics.count; i++) {
        const Nic *nic = &one->nics.items[i];
        const CardRun *run = run_of(one->row, nic->card);
        if (run == NULL) { // of cards that nobody knows one is there: it has the primary interface
            assert_true(one->row->card_run_count == 0 && one->nics.count == 1 && nic->kind == NIC_INTERFACE);
            continue;
        }
        assert_true(nic->device >= 0);
        assert_true(nic->device < (run->interfaces_max == UNKNOWN ? 1 : run->interfaces_max));
        assert_true(nic->kind == NIC_INTERFACE || (run->takes & CARD_EFA) != 0);
        assert_true(nic->kind == NIC_EFA_ONLY || (run->takes & CARD_ENA) != 0);
    }
}

static void claim_count(const Case *one) {
    int efa = 0;
    int last_card = -1;
    for (int i = 0; i < one->nics.count; i++) {
        const Nic *nic = &one->nics.items[i];
        if (nic->kind != NIC_INTERFACE) {
            assert_true(nic->card > last_card); // one a card; the order is another claim
            last_card = nic->card;
            efa++;
        }
    }
    assert_int_equal(efa, one->result == NICS_PLACED ? one->efa : 0);
}

static void claim_addresses(const Case *one) {
    if (one->result == NICS_PLACED && one->layout == LAYOUT_MIN_IP && strcmp(one->row->family, "hpc6id") != 0) {
        assert_int_equal(nics_private_ips(&one->nics), 1);
    }
}

static void claim_result(const Case *one) {
    const int all = nics_efa_all(one->row, one->layout);
    if (one->efa == 0) {
        assert_int_equal(one->result, NICS_PLACED);
    } else if (one->row->card_run_count == 0) {
        assert_int_equal(one->result, NICS_UNKNOWN);
    } else if (all == UNKNOWN) {
        assert_true(one->result == NICS_NO_LAYOUT || one->result == NICS_UNKNOWN);
    } else if (one->efa > all) {
        assert_int_equal(one->result, NICS_TOO_MANY);
    } else if (one->efa == all || one->layout != LAYOUT_MAX_BANDWIDTH) {
        assert_int_equal(one->result, NICS_PLACED);
    } else {
        assert_int_equal(one->result, NICS_NO_LAYOUT);
    }
}

static void claim_untouched(const Case *one) {
    assert_true(one->result == NICS_PLACED ? one->nics.count > 0 : one->nics.count == UNTOUCHED.count);
}

static void test_exactly_one_primary_and_never_efa_only(void **state) {
    (void)state;
    for_all_cases(claim_primary);
}

static void test_interfaces_are_ordered_and_unique(void **state) {
    (void)state;
    for_all_cases(claim_order);
}

static void test_every_card_takes_what_stands_on_it(void **state) {
    (void)state;
    for_all_cases(claim_limits);
}

static void test_efa_is_as_asked_and_one_a_card(void **state) {
    (void)state;
    for_all_cases(claim_count);
}

static void test_min_ip_takes_one_address(void **state) {
    (void)state;
    for_all_cases(claim_addresses);
}

static void test_a_placement_is_refused_only_for_its_reason(void **state) {
    (void)state;
    for_all_cases(claim_result);
}

static void test_nothing_is_written_where_nothing_is_placed(void **state) {
    (void)state;
    for_all_cases(claim_untouched);
}

// On a target that hands on none, the layout of `auto` has none, whatever the type: all of it, or no layout at all.
static void test_auto_has_no_efa_only_where_the_target_passes_none(void **state) {
    (void)state;
    int placed = 0;

    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        const InstanceRow *row = own_row(i);
        const NicLayout layout = nics_layout_on("pcs");
        Nics nics;
        if (nics_place(row, layout, nics_efa_all(row, layout), &nics) == NICS_PLACED) {
            assert_true(nics_pass("pcs", &nics));
            placed += row->efa_max > 0 ? 1 : 0;
        }
    }

    assert_true(placed > 100);
}

static void test_fewer_efa_than_were_tried_are_in_the_table(void **state) {
    (void)state;

    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        assert_true(own_row(i)->efa_max + 2 <= EFA_MOST);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_auto_has_no_efa_only_where_the_target_passes_none),
        cmocka_unit_test(test_exactly_one_primary_and_never_efa_only),
        cmocka_unit_test(test_interfaces_are_ordered_and_unique),
        cmocka_unit_test(test_every_card_takes_what_stands_on_it),
        cmocka_unit_test(test_efa_is_as_asked_and_one_a_card),
        cmocka_unit_test(test_min_ip_takes_one_address),
        cmocka_unit_test(test_a_placement_is_refused_only_for_its_reason),
        cmocka_unit_test(test_nothing_is_written_where_nothing_is_placed),
        cmocka_unit_test(test_fewer_efa_than_were_tried_are_in_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
