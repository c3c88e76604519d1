// Rules about amounts that a service counts in units of its own: one that is no whole number of them cannot be written.
// A rule about the size of an amount comes first, and where that has found something nothing is said here.
#include "compiler/plan/rules/rules.h"

enum {
    MIB = 1 << 20,
    GIB = 1 << 30,
    MEGABYTE_A_SECOND = 8 * 1000 * 1000, // in bits a second
    MEBIBYTE_A_SECOND = 8 * (1 << 20),
    SECOND = 1000, // in milliseconds
    MINUTE = 60 * SECOND,
    DAY = 24 * 60 * MINUTE,
};

// A number with a unit behind it, as the source has it. False for anything else that has the value, such as a sum.
static bool is_literal(Str text) {
    bool has_unit = false;
    for (size_t i = 0; i < text.len; i++) {
        const char c = char_small(text.data[i]);
        has_unit = has_unit || (c >= 'a' && c <= 'z');
        if (has_unit ? c < 'a' || c > 'z' : !char_is_digit(c) && c != '_' && c != '.') {
            return false;
        }
    }
    return has_unit && char_is_digit(text.data[0]);
}

// `100GiB` for `100GB`, and `125MBps` for `125MiBps`: the same number in the other kind of unit. Empty where that does
// not come out even either.
static Str other_unit(const Rules *rules, const Value *value, Str text, int64_t unit) {
    static const struct {
        const char *decimal;
        const char *binary;
        int64_t decimal_units;
        int64_t binary_units;
    } PAIRS[] = {
        { "KB", "KiB", 1000, 1 << 10 },
        { "MB", "MiB", 1000 * 1000, MIB },
        { "GB", "GiB", 1000 * 1000 * 1000, GIB },
        { "TB", "TiB", INT64_C(1000000000000), INT64_C(1) << 40 },
        { "MBps", "MiBps", MEGABYTE_A_SECOND, MEBIBYTE_A_SECOND },
        { "GBps", "GiBps", INT64_C(8000000000), INT64_C(8) << 30 },
    };
    for (size_t i = 0; i < COUNT_OF(PAIRS); i++) {
        const bool is_binary = str_ends_with(text, str_of(PAIRS[i].binary));
        if (!is_binary && !str_ends_with(text, str_of(PAIRS[i].decimal))) {
            continue;
        }
        const int64_t from = is_binary ? PAIRS[i].binary_units : PAIRS[i].decimal_units;
        const int64_t to = is_binary ? PAIRS[i].decimal_units : PAIRS[i].binary_units;
        int64_t amount = 0;
        const bool is_whole = value->integer % from == 0 && !__builtin_mul_overflow(value->integer / from, to, &amount);
        return is_whole && amount % unit == 0 ? quantity_print(rules->session->arena, value->kind, amount) : STR_NONE;
    }
    return STR_NONE;
}

// `100MBps` is nearer to `95MiBps` than to `96MiBps`. An amount of bytes has a fix, which changes it by less than one
// of the service's units. A time has none: whether `36h` is one day or two is the author's to say.
static void say_neighbours(const Rules *rules, Diag *diag, const Value *value, int64_t unit) {
    Session *session = rules->session;
    const int64_t below = value->integer / unit * unit;
    int64_t next = 0;
    const bool has_above = !__builtin_add_overflow(below, unit, &next);
    const Str above = quantity_print(session->arena, value->kind, has_above ? next : below);
    const bool is_one = below == 0 || !has_above;
    const Str lower = is_one ? above : quantity_print(session->arena, value->kind, below);
    if (value->kind == VALUE_DURATION && !is_one) {
        diag_help(session, diag, "write `%.*s`, the nearest below, or `%.*s`, the nearest above", STR_ARG(lower),
                  STR_ARG(above));
        return;
    }
    const Str nearest = value->integer - below < unit - (value->integer - below) ? lower : above;
    const Str text = source_text(session, value->span);
    const Str other = is_literal(text) ? other_unit(rules, value, text, unit) : STR_NONE;
    if (other.len > 0) {
        diag_help(session, diag, "write `%.*s`, the nearest, or `%.*s` where that was meant", STR_ARG(nearest),
                  STR_ARG(other));
    } else {
        diag_help(session, diag, "write `%.*s`%s", STR_ARG(nearest), is_one ? "" : ", the nearest");
    }
    if (value->kind != VALUE_DURATION && is_literal(text)) {
        diag_fix(session, diag, value->span, nearest);
    }
}

static void check_whole(const Rules *rules, const Value *value, int64_t unit, const char *unit_name) {
    const bool is_amount =
        value != NULL && (value->kind == VALUE_SIZE || value->kind == VALUE_RATE || value->kind == VALUE_DURATION);
    if (is_amount && value->integer % unit != 0) {
        Diag *diag = report(rules->session, value->span, DIAG(not_whole),
                            STR_ARG(value_print(rules->session->arena, value)), unit_name);
        say_neighbours(rules, diag, value, unit);
    }
}

void rule_whole_disk(const Rules *rules, const PlanNodes *nodes) {
    check_whole(rules, nodes->root.size, GIB, "GiB");
}

void rule_whole_disk_of_head(const Rules *rules, const PlanCluster *cluster) {
    check_whole(rules, cluster->slurm->head_node == NULL ? NULL : cluster->slurm->head_node->disk, GIB, "GiB");
}

void rule_whole_scaledown(const Rules *rules, const PlanCluster *cluster) {
    check_whole(rules, cluster->slurm->scaledown_idletime, MINUTE, "minutes");
}

void rule_pcs_whole_scaledown(const Rules *rules, const PlanCluster *cluster) {
    check_whole(rules, cluster->pcs->scaledown_idletime, SECOND, "seconds");
}

void rule_whole_memory(const Rules *rules, const PlanJob *job) {
    check_whole(rules, job->memory, MIB, "MiB");
}

void rule_whole_shm(const Rules *rules, const PlanJob *job) {
    if (job->container == NULL) {
        return;
    }
    check_whole(rules, job->container->shm, MIB, "MiB");
}

void rule_whole_timeout(const Rules *rules, const PlanJob *job) {
    check_whole(rules, job->timeout, SECOND, "seconds");
}

// FSx for Lustre counts MB a second, EFS and EBS MiB.
void rule_whole_storage(const Rules *rules, const PlanCluster *cluster, const PlanStorage *storage) {
    (void)cluster; // each target counts as the service does
    check_whole(rules, storage->size, GIB, "GiB");
    check_whole(rules, storage->throughput_per_tib, MEGABYTE_A_SECOND, "MBps");
    check_whole(rules, storage->throughput, MEBIBYTE_A_SECOND, "MiBps");
    check_whole(rules, storage->backups, DAY, "days");
}

// One of less than a day is another rule's.
static void check_lifetime(const Rules *rules, const Value *value) {
    check_whole(rules, value->kind == VALUE_DURATION && value->integer > DAY ? value : NULL, DAY, "days");
}

void rule_whole_lifetimes(const Rules *rules, const PlanPart *part) {
    if (part->bucket == NULL) {
        return;
    }
    const Value *expiry = part->bucket->expiry;
    for (uint32_t i = 0; expiry != NULL && i < expiry->map.count; i++) {
        check_lifetime(rules, expiry->map.entries[i].value);
    }
    if (part->bucket->old_versions != NULL) {
        check_lifetime(rules, part->bucket->old_versions);
    }
}

void rule_whole_expiry(const Rules *rules, const PlanImage *image) {
    if (image->expire_untagged != NULL) {
        check_lifetime(rules, image->expire_untagged);
    }
}
