// The rows of slurm_options.def, and the forms of their values, as Slurm reads them.
#include "schema/slurm_options.h"

static const SlurmOptionRow ROWS[] = {
#define SLURM_OPTION(name, letter, takes, programs, form) { name, letter, takes, programs, form },
#include "schema/slurm_options.def"
};

const SlurmOptionRow *slurm_option_row(size_t i) {
    return i < COUNT_OF(ROWS) ? &ROWS[i] : NULL;
}

const SlurmOptionRow *slurm_option_named(Str name, SlurmProgram program) {
    const SlurmOptionRow *begun = NULL;
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        const bool has = (ROWS[i].programs & program) != 0;
        if (has && str_is_word(name, ROWS[i].name)) {
            return &ROWS[i];
        }
        begun = has && begun == NULL && name.len > 0 && str_starts_with(str_of(ROWS[i].name), name) ? &ROWS[i] : begun;
    }
    return begun;
}

const SlurmOptionRow *slurm_option_lettered(char letter, SlurmProgram program) {
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (letter != '\0' && ROWS[i].letter == letter && (ROWS[i].programs & program) != 0) {
            return &ROWS[i];
        }
    }
    return NULL;
}

// ---- values ----------------------------------------------------------------------------------------------------------

static bool is_of(Str value, const char *signs) {
    bool is = value.len > 0;
    for (size_t i = 0; i < value.len; i++) {
        is = is && value.data[i] != '\0' && strchr(signs, value.data[i]) != NULL;
    }
    return is;
}

// How often runs of digits, and a sign, stand in it.
static int count_digits(Str value) {
    int count = 0;
    for (size_t i = 0; i < value.len; i++) {
        count += char_is_digit(value.data[i]) && (i == 0 || !char_is_digit(value.data[i - 1])) ? 1 : 0;
    }
    return count;
}

static int count_sign(Str value, char sign) {
    int count = 0;
    for (size_t i = 0; i < value.len; i++) {
        count += value.data[i] == sign ? 1 : 0;
    }
    return count;
}

// source: SchedMD/slurm@284c3b95 src/common/parse_time.c, _is_valid_timespec and time_str2secs, read 2026-11
static bool is_time(Str value) {
    if (str_is_in_any_case(value, "infinite") || str_is_in_any_case(value, "unlimited") || str_is(value, "-1")) {
        return true;
    }
    const int digits = count_digits(value);
    const int dashes = count_sign(value, '-');
    const int colons = count_sign(value, ':');
    const bool is_ordered = str_find(value, STR("-"), str_find(value, STR(":"), 0)) >= value.len;
    return is_of(value, "0123456789-:") && is_ordered && digits > 0 && dashes <= 1 && colons <= 2 &&
           digits >= (dashes > 0 ? 1 : 0) + colons + (dashes > 0 && colons == 0 ? 0 : 1);
}

// source: SchedMD/slurm@284c3b95 src/common/proc_args.c, str_to_mbytes, read 2026-11
static bool is_memory(Str value) {
    size_t at = 0;
    while (char_is_digit(str_at(value, at))) {
        at++;
    }
    const Str unit = str_slice(value, at, value.len);
    const bool is_unit = unit.len == 0 || (strchr("kmgt", char_small(unit.data[0])) != NULL &&
                                           (unit.len == 1 || (unit.len == 2 && char_small(unit.data[1]) == 'b')));
    return at > 0 && is_unit;
}

// source: SchedMD/slurm@284c3b95 src/common/slurm_opt.c, arg_set_exclusive, read 2026-11
static bool is_sharing(Str value) {
    static const char *const WORDS[] = { "exclusive", "allocation", "oversubscribe", "user", "mcs", "topo" };
    bool is = value.len == 0;
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        is = is || str_is_in_any_case(value, WORDS[i]);
    }
    return is;
}

// Whether each item of a list is one of `words`. Slurm passes over another, or refuses all.
static bool are_words(Str value, const char *const *words, size_t count) {
    bool are = true;
    for (size_t start = 0; are && start < value.len;) {
        const size_t end = str_find(value, STR(","), start);
        bool is = false;
        for (size_t i = 0; i < count; i++) {
            is = is || str_is_in_any_case(str_slice(value, start, end), words[i]);
        }
        are = is;
        start = end + 1;
    }
    return are;
}

// source: SchedMD/slurm@284c3b95 src/common/proc_args.c, parse_mail_type, read 2026-11
static bool is_mail(Str value) {
    static const char *const WORDS[] = { "none",           "array_tasks",   "begin",        "end",       "fail",
                                         "invalid_depend", "requeue",       "all",          "stage_out", "time_limit",
                                         "time_limit_90",  "time_limit_80", "time_limit_50" };
    return are_words(value, WORDS, COUNT_OF(WORDS));
}

// `gpu:8`, `gpu:a100:8`: a resource is named in the singular.
static bool is_gres(Str value) {
    for (size_t start = 0; start < value.len;) {
        const size_t end = str_find(value, STR(","), start);
        const Str item = str_slice(value, start, end);
        if (str_is_in_any_case(str_slice(item, 0, str_find(item, STR(":"), 0)), "gpus")) {
            return false;
        }
        start = end + 1;
    }
    return true;
}

// `4-2` has no number between its ends.
static bool is_nodes(Str value) {
    const size_t dash = str_find(value, STR("-"), 0);
    int64_t ends[2] = { 0, 0 };
    size_t which = 0;
    for (size_t i = 0; i < value.len && i < 12; i++) {
        which = i > dash ? 1 : 0;
        ends[which] = char_is_digit(value.data[i]) ? ends[which] * 10 + (value.data[i] - '0') : ends[which];
    }
    const bool is_plain = is_of(value, "0123456789-") && count_sign(value, '-') == 1 && value.len < 12;
    return is_of(value, "0123456789kKmM-,:") && char_is_digit(value.data[0]) &&
           (!is_plain || ends[1] == 0 || ends[0] <= ends[1]);
}

// The digits at a place, as a number; 0 where none are there.
static int64_t number_at(Str text, size_t *at) {
    enum { DIGITS_MAX = 9 };
    int64_t number = 0;
    for (int i = 0; i < DIGITS_MAX && char_is_digit(str_at(text, *at)); i++) {
        number = number * 10 + (text.data[*at] - '0');
        (*at)++;
    }
    return number;
}

// `3`, `0-15`, `0-15:4`; `8-1` has no number between its ends.
static bool is_array_item(Str item) {
    size_t at = 0;
    const int64_t first = number_at(item, &at);
    int64_t last = first;
    int64_t step = 1;
    if (str_at(item, at) == '-') {
        at++;
        last = number_at(item, &at);
        if (str_at(item, at) == ':') {
            at++;
            step = number_at(item, &at);
        }
    }
    return at == item.len && first <= last && step > 0;
}

// source: SchedMD/slurm@284c3b95 src/common/slurm_protocol_defs.c, slurm_parse_array_tok, and src/slurmctld/job_mgr.c,
// _valid_array_inx, read 2026-11
static bool is_array(Str value) {
    const Str list = str_slice(value, 0, str_find(value, STR("%"), 0));
    bool is = list.len > 0;
    for (size_t start = 0; is && !str_has(value, "[") && start < list.len;) {
        const size_t end = str_find(list, STR(","), start);
        is = is_array_item(str_slice(list, start, end));
        start = end + 1;
    }
    return is;
}

// source: NVIDIA/pyxis@10751994 args.c, parse_mount_option and add_mount, 2026-05-11, read 2026-11
static bool is_mount(Str item) {
    const Str source = str_slice(item, 0, str_find(item, STR(":"), 0));
    const Str rest = str_slice(item, source.len + 1, item.len);
    const Str target = source.len < item.len ? str_slice(rest, 0, str_find(rest, STR(":"), 0)) : source;
    const bool is_path = str_at(source, 0) == '/' || str_at(source, 0) == '.';
    const bool is_source = is_path || str_is(source, "tmpfs") || str_is(source, "umount");
    return is_source && (str_at(target, 0) == '/' || str_at(target, 0) == '.');
}

static bool are_mounts(Str value) {
    bool are = value.len > 0;
    for (size_t start = 0; are && start <= value.len;) {
        const size_t end = str_find(value, STR(","), start);
        are = is_mount(str_slice(value, start, end));
        start = end + 1;
    }
    return are;
}

// A name without a path is one of Docker Hub, a file of squashfs too. `#` stands behind the name of a registry alone.
// source: NVIDIA/pyxis@10751994 pyxis_slurmstepd.c, "docker://", 2026-05-11; NVIDIA/enroot@8ea147d3 src/docker.sh,
// docker::_parse_uri, 2026-04-29, read 2026-11
static bool is_image(Str value) {
    static const char *const FILES[] = { ".sqsh", ".sqfs", ".squashfs" };
    const bool is_path = str_at(value, 0) == '/' || str_at(value, 0) == '.';
    const size_t scheme = str_starts_with(value, STR("docker://")) ? strlen("docker://") : 0;
    const Str registry = str_slice(value, scheme, str_find(value, STR("#"), 0));
    bool is_file = false;
    for (size_t i = 0; i < COUNT_OF(FILES); i++) {
        is_file = is_file || str_ends_with(value, str_of(FILES[i]));
    }
    const bool has_registry = scheme + registry.len < value.len;
    const bool has_other = scheme == 0 && str_has(value, "://");
    return is_path || has_other || (!is_file && !(has_registry && str_has(registry, "/")));
}

// source: SchedMD/slurm@284c3b95 src/common/proc_args.c, parse_int and verify_node_count, read 2026-11
// Names of plug-ins, with those of releases that have more of them. `pmix_v3` is one of several versions.
static bool is_mpi(Str value) {
    static const char *const NAMES[] = { "none",        "pmi1",    "pmi2",      "pmix",         "openmpi",
                                         "cray_shasta", "list",    "lam",       "mpich",        "hpmi",
                                         "mpichgm",     "mpichmx", "mpich1_p4", "mpich1_shmem", "mvapich" };
    return str_is_any(value, NAMES, COUNT_OF(NAMES)) || str_starts_with(value, STR("pmix_v")) ||
           str_starts_with(value, STR("cray"));
}

bool slurm_form_fits(SlurmForm form, Str value) {
    switch (form) {
    case SLURM_TEXT:
        return true;
    case SLURM_NUMBER:
        return is_of(value, "0123456789") && !is_of(value, "0");
    case SLURM_NODES:
        return is_nodes(value);
    case SLURM_TIME:
        return is_time(value);
    case SLURM_MEMORY:
        return is_memory(value);
    case SLURM_SHARING:
        return is_sharing(value);
    case SLURM_MAIL:
        return is_mail(value);
    case SLURM_GRES:
        return is_gres(value);
    case SLURM_ARRAY:
        return is_array(value);
    case SLURM_MOUNTS:
        return are_mounts(value);
    case SLURM_IMAGE:
        return is_image(value);
    case SLURM_MPI:
        return is_mpi(value);
    }
    return true;
}

const char *slurm_form_words(SlurmForm form) {
    switch (form) {
    case SLURM_TEXT:
        break;
    case SLURM_NUMBER:
        return "a whole number from 1 on";
    case SLURM_NODES:
        return "a number of nodes, or a range such as `2-4`";
    case SLURM_TIME:
        return "minutes, `hours:minutes:seconds` or `days-hours:minutes:seconds`";
    case SLURM_MEMORY:
        return "a whole number with `K`, `M`, `G` or `T` behind it";
    case SLURM_SHARING:
        return "`user`, `mcs` or nothing";
    case SLURM_MAIL:
        return "`BEGIN`, `END`, `FAIL`, `REQUEUE`, `TIME_LIMIT` and other words of sbatch(1)";
    case SLURM_GRES:
        return "`gpu:NUMBER` or `gpu:TYPE:NUMBER`";
    case SLURM_ARRAY:
        return "numbers and ranges such as `0-15` or `1,3,5`, and perhaps `%4` behind them";
    case SLURM_MOUNTS:
        return "mounts such as `/SOURCE:/TARGET:ro`, whose paths begin with `/` or `.`";
    case SLURM_IMAGE:
        return "`REGISTRY#IMAGE:TAG`, an image of Docker Hub, or a path that begins with `/` or `.`";
    case SLURM_MPI:
        return "`pmix`, `pmi2`, `none` or another one that `srun --mpi=list` prints";
    }
    return "a text";
}
