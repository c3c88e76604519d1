// Rules about volumes of EBS in somebody's file: sizes and speeds that their types have together.
#include "compiler/plan/rules/storage/storage_value.h"

#include "schema/file_systems.h"
#include "schema/limits.h"

static void bad_value(const Rules *rules, const PlanVolume *volume, const PlanField *field, Str fault, Str help) {
    Diag *diag = storage_bad_value(rules, volume->subject, field, fault);
    if (volume->type.state == FIELD_KNOWN && field != &volume->type) {
        diag_label(rules->session, diag, rule_span(&volume->type), "the type");
    }
    rule_help_resource(rules, diag, volume->subject, "%.*s", STR_ARG(help));
}

static void check_size(const Rules *rules, const PlanVolume *volume, const VolumeRow *row) {
    const bool is_slurm = volume->taker == VOLUME_OF_PARALLELCLUSTER && row->slurm_gib_min > 0;
    const int64_t least = is_slurm ? row->slurm_gib_min : row->gib_min;
    int64_t gib = 0;
    if (!field_amount(&volume->size, &gib) || (gib >= least && gib <= row->gib_max)) {
        return;
    }
    Arena *arena = rules->session->arena;
    const bool takes_an = row->type[0] == 'i' || (row->type[0] == 's' && strlen(row->type) == strlen("st1"));
    const Str what = str_format(arena, "%s %s volume", takes_an ? "an" : "a", row->type);
    rule_outside(rules, volume->subject, rule_span(&volume->size), volume->size.name,
                 str_format(arena, "%" PRId64 "GiB", gib), str_c(arena, what),
                 str_format(arena, "%" PRId64 "GiB", least), str_format(arena, "%" PRId64 "TiB", row->gib_max / 1024));
}

// The most operations of a volume of that size, where they can be chosen. gp3 has its least in any size.
static int64_t iops_max(const VolumeRow *row, int64_t gib) {
    const int64_t of_size = gib < row->iops_max ? gib * row->iops_of_gib : row->iops_max;
    return of_size < row->iops_min ? row->iops_min : of_size > row->iops_max ? row->iops_max : of_size;
}

static void check_iops(const Rules *rules, const PlanVolume *volume, const VolumeRow *row) {
    Arena *arena = rules->session->arena;
    const PlanField *iops = &volume->iops;
    int64_t count = 0;
    if (iops->state == FIELD_ABSENT && row->iops_min > 0 && row->mibps_min == 0 && volume->taker == VOLUME_OF_EC2) {
        bad_value(rules, volume, &volume->type, STR("it needs a number of operations"),
                  str_format(arena, "write `%s = %" PRId64 "` or another number, or `gp3`, which has 3000 by itself",
                             volume->iops.name, schema_constant(CONSTANT_IO2_IOPS)));
    } else if (field_is_there(iops) && row->iops_min == 0) {
        bad_value(rules, volume, iops, str_format(arena, "operations cannot be chosen for %s", row->type),
                  str_format(arena, "leave it out, or write `%s = gp3`", volume->type.name));
    } else if (!field_integer(iops, &count) || row->iops_min == 0) {
        return;
    } else if (count < row->iops_min || count > row->iops_max) {
        bad_value(rules, volume, iops,
                  str_format(arena, "%s has %" PRId64 " to %" PRId64, row->type, row->iops_min, row->iops_max),
                  STR("write a number between the two"));
    } else {
        int64_t gib = 0;
        const bool has_size = field_amount(&volume->size, &gib) && gib >= row->gib_min;
        const int64_t most = has_size ? iops_max(row, gib) : count;
        if (count > most) {
            bad_value(rules, volume, iops,
                      str_format(arena, "%s of %" PRId64 "GiB has %" PRId64 " at most, %" PRId64 " for each GiB",
                                 row->type, gib, most, row->iops_of_gib),
                      str_format(arena, "write `%s = %" PRId64 "%.*s` or more", volume->size.name,
                                 (count + row->iops_of_gib - 1) / row->iops_of_gib,
                                 STR_ARG(field_unit(&volume->size))));
        }
    }
}

static void check_rate(const Rules *rules, const PlanVolume *volume, const VolumeRow *row) {
    Arena *arena = rules->session->arena;
    const PlanField *rate = &volume->rate;
    const int64_t written = field_number(&volume->iops, row->iops_min);
    const int64_t iops =
        written >= 0 && written < row->iops_min ? row->iops_min : written; // of which check_iops speaks
    int64_t mibps = 0;
    if (field_is_there(rate) && row->mibps_min == 0) {
        bad_value(rules, volume, rate, str_format(arena, "throughput cannot be chosen for %s", row->type),
                  str_format(arena, "leave it out, or write `%s = gp3`", volume->type.name));
    } else if (!field_amount(rate, &mibps) || row->mibps_min == 0) {
        return;
    } else if (mibps < row->mibps_min || mibps > row->mibps_max) {
        bad_value(rules, volume, rate,
                  str_format(arena, "%s has %" PRId64 " to %" PRId64 " MiB a second", row->type, row->mibps_min,
                             row->mibps_max),
                  STR("write a number between the two"));
    } else if (iops >= 0 && mibps > iops / LIMIT_GP3_IOPS_OF_MIBPS) {
        bad_value(rules, volume, rate,
                  str_format(arena, "that takes %" PRId64 " operations a second, and there are %" PRId64,
                             mibps * LIMIT_GP3_IOPS_OF_MIBPS, iops),
                  str_format(arena, "write `%s = %" PRId64 "` beside it", volume->iops.name,
                             mibps * LIMIT_GP3_IOPS_OF_MIBPS));
    }
}

void rule_volume(const Rules *rules, const PlanVolume *volume) {
    const bool is_usual = volume->type.state == FIELD_ABSENT && volume->usual != NULL;
    const VolumeRow *row = is_usual                            ? volume_row(str_of(volume->usual))
                           : volume->type.state == FIELD_KNOWN ? volume_row(volume->type.text)
                                                               : NULL;
    if (row != NULL) {
        check_size(rules, volume, row);
        check_iops(rules, volume, row);
        check_rate(rules, volume, row);
    }
}
